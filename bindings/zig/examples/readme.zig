//! The README's example.

const std = @import("std");
const phalanx = @import("phalanx");

pub fn main() !void {
    // A key for 256 epochs, from the system's randomness. Each epoch signs one message.
    var key = try phalanx.xmss.SigningKey.generate(.poseidon2_l8_d64b8, 0, 256, .{});
    defer key.deinit();
    const message: phalanx.xmss.Message = @splat(1);
    const signature = try key.sign(3, &message);
    try key.verifyingKey().verify(3, &message, &signature);

    // The standard library's keys and signatures.
    const pair = std.crypto.sign.Ed25519.KeyPair.generate();
    const signed = try phalanx.ed25519.sign("a message", pair);
    try phalanx.ed25519.verify(signed, "a message", pair.public_key);

    const digest = phalanx.rescue.Function.rp64_256.hashElements(&.{ 1, 2, 3 });
    std.debug.print("{x}\n", .{phalanx.rescue.digestToBytes(digest)});
}
