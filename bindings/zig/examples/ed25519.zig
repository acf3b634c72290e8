//! Make a key, sign, verify; a changed message is refused: one signature, then many at once.
//! `zig build examples -Dphalanx-lib=PATH` runs it with the others.

const std = @import("std");
const phalanx = @import("phalanx");
const ed25519 = phalanx.ed25519;

pub fn main() !void {
    // In the library's memory, wiped at the end. `ed25519.sign` takes the standard library's KeyPair in its place.
    var key = try ed25519.SigningKey.generate();
    defer key.deinit();
    const message, const changed = .{ "a message", "another message" };
    const signature = key.sign(message);

    // Keys and signatures are the standard library's, and so is the rule by that name; `verify` is under `strict`.
    const public_key = key.publicKey();
    try ed25519.verify(signature, message, public_key);
    try ed25519.verifyWith(.zig_std, signature, message, public_key);
    try signature.verify(message, public_key);
    if (ed25519.verify(signature, changed, public_key)) |_| return error.ChangedMessageVerifies else |refused| {
        std.debug.print("another message: {s}\n", .{phalanx.sentence(refused)});
    }

    // Many at once, a result for each: lanes run across signatures.
    const bytes = signature.toBytes();
    const claims = [_]ed25519.Claim{
        .{ .public_key = &public_key.bytes, .message = message, .signature = &bytes },
        .{ .public_key = &public_key.bytes, .message = changed, .signature = &bytes },
    };
    var results: [claims.len]bool = undefined;
    try ed25519.verifyMany(std.heap.smp_allocator, .strict, &results, &claims, 1);
    std.debug.print("of two: {any}\n", .{results});
    if (!results[0] or results[1]) return error.WrongResults;
}
