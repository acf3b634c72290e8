//! Make a key for 256 epochs, sign at one of them, verify; a changed message and a second one at the epoch are refused.
//! `zig build examples -Dphalanx-lib=PATH` runs it with the others.

const std = @import("std");
const phalanx = @import("phalanx");
const xmss = phalanx.xmss;

pub fn main() !void {
    var key = try xmss.SigningKey.generate(.poseidon2_l8_d64b8, 0, 256, .{});
    defer key.deinit();
    const message: xmss.Message, const changed: xmss.Message = .{ @splat(1), @splat(2) };
    const signature = try key.sign(17, &message);

    // An epoch signs one message. For longer than the process lasts, a ledger sees to that: custody.zig.
    if (key.sign(17, &changed)) |_| return error.SignedTwice else |refused| {
        std.debug.print("another message at this epoch: {s}\n", .{phalanx.sentence(refused)});
    }

    // What travels is bytes; both sides name the parameter set and the format.
    const received_key = try xmss.VerifyingKey.fromBytes(key.verifyingKey().set, .ssz, key.verifyingKey().bytes());
    const received = try xmss.Signature.fromBytes(received_key.set, .ssz, signature.bytes());
    try received_key.verify(17, &message, &received);
    if (received_key.verify(17, &changed, &received)) |_| return error.ChangedMessageVerifies else |refused| {
        std.debug.print("{d} bytes, of another message: {s}\n", .{ signature.bytes().len, phalanx.sentence(refused) });
    }
}
