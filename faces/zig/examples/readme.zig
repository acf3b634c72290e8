//! The README's example.

const std = @import("std");
const phalanx = @import("phalanx");

pub fn main() !void {
    // A key for 256 epochs, from the system's randomness. Each epoch signs one message.
    const key = try phalanx.xmss.SigningKey.generate(.poseidon2_l8_d64b8, 0, 256, .{});
    defer key.deinit();
    const message: phalanx.xmss.Message = @splat(1);
    const signature = try key.sign(3, &message);
    try (try key.verifyingKey()).verify(3, &message, &signature);
    std.debug.assert(key.sign(3, &@as(phalanx.xmss.Message, @splat(2))) == error.EpochUsed);
}
