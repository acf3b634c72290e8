// The programs of ed25519-donna-zig's README, section "Example".
// Source: github.com/lithdew/ed25519-donna-zig at 2fdd035, README.md, quoted to show that they run; that repository
// states no licence. Changed, beside the import, is what Zig has changed since (it was written for a Zig of 2021):
// - `@import("ed25519-donna")` is `@import("phalanx").ed25519`, three times;
// - `try std.crypto.sign.Ed25519.KeyPair.create(null)` is `std.crypto.sign.Ed25519.KeyPair.generate()`, three times:
//   the standard library renamed it, and it cannot fail any more;
// - `for (batch) |*element|` is `for (&batch) |*element|`: loops take pointers from pointers now;
// - the two lines after this comment are added: the README leaves them out.
const std = @import("std");
const testing = std.testing;

test "ed25519: sign and verify a message" {
    const ed25519 = @import("phalanx").ed25519;

    const keys = std.crypto.sign.Ed25519.KeyPair.generate();

    const message = "hello world";
    const signature = try ed25519.sign(message, keys);
    try ed25519.verify(signature, message, keys.public_key);
}

test "ed25519: verify a batch of signatures using verifyBatch()" {
    const ed25519 = @import("phalanx").ed25519;

    const keys = std.crypto.sign.Ed25519.KeyPair.generate();

    const message = "hello world";
    const signature = try ed25519.sign(message, keys);

    var batch: [64]std.crypto.sign.Ed25519.BatchElement = undefined;
    for (&batch) |*element| {
        element.* = .{
            .sig = signature,
            .msg = message,
            .public_key = keys.public_key,
        };
    }

    try ed25519.verifyBatch(64, batch);
}

test "ed25519: verify a batch of signatures using the BatchVerifier API" {
    const ed25519 = @import("phalanx").ed25519;

    const keys = std.crypto.sign.Ed25519.KeyPair.generate();

    const message = "hello world";
    const signature = try ed25519.sign(message, keys);

    var verifier: ed25519.BatchVerifier = .{};
    defer verifier.deinit(testing.allocator);

    var i: usize = 0;
    while (i < 64) : (i += 1) {
        try verifier.add(testing.allocator, .{
            .public_key = &keys.public_key,
            .signature = &signature,
            .message = message,
        });
    }

    const results = try verifier.verify();
    try testing.expect(std.mem.allEqual(c_int, results, 1));
}
