const std = @import("std");
const phalanx = @import("phalanx");

pub fn main() !void {
    const pair = phalanx.ed25519.KeyPair.generate();
    const signature = try phalanx.ed25519.sign("a message", pair);
    try phalanx.ed25519.verify(signature, "a message", pair.public_key);
    const outcome = phalanx.ed25519.verify(signature, "another message", pair.public_key);
    if (outcome) |_| return error.Accepted else |err| std.debug.print("phalanx {s}, {s}: {s}\n", .{
        phalanx.version(),
        phalanx.backend(),
        phalanx.sentence(err),
    });
}
