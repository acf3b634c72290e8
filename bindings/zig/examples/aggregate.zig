//! Four keys sign one message; one proof says that they did. A statement about another message is refused.
//! `zig build examples -Dphalanx-lib=PATH` runs it with the others.

const std = @import("std");
const phalanx = @import("phalanx");
const aggregate = phalanx.aggregate;
const xmss = phalanx.xmss;

pub fn main() !void {
    const allocator = std.heap.smp_allocator;
    const message: xmss.Message, const changed: xmss.Message = .{ @splat(1), @splat(2) };
    var keys: [4]aggregate.Key = undefined;
    var signatures: [keys.len]xmss.Signature = undefined;
    for (&keys, &signatures) |*public_key, *signature| {
        var key = try xmss.SigningKey.generate(.blake2s_l32_d42b8, 7, 1, .{});
        defer key.deinit();
        public_key.* = key.verifyingKey().bytes()[0..public_key.len].*;
        signature.* = try key.sign(7, &message);
    }

    var statement: aggregate.Statement = try .init(allocator, &.{.{ .epoch = 7, .message = &message, .keys = &keys }});
    defer statement.deinit();
    // The statement sorts its keys; signatures are given in its order.
    var in_order: [keys.len]xmss.Signature = undefined;
    for (&in_order, statement.group(0).keys) |*place, wanted| {
        for (keys, signatures) |key, signature| {
            if (std.mem.eql(u8, &key, &wanted)) place.* = signature;
        }
    }
    const proof = try aggregate.aggregate(allocator, .provable128, statement, &in_order, .{}, 1);
    defer allocator.free(proof);

    // The verifier says which profiles it takes, and about how many signatures.
    const limits: aggregate.Limits = .{ .provable128 = true, .signatures = keys.len };
    try aggregate.verify(limits, statement, "", proof, null);
    std.debug.print("{d} signatures verify by one proof of {d} bytes\n", .{ keys.len, proof.len });

    var other: aggregate.Statement = try .init(allocator, &.{.{ .epoch = 7, .message = &changed, .keys = &keys }});
    defer other.deinit();
    if (aggregate.verify(limits, other, "", proof, null)) |_| return error.ChangedMessageVerifies else |refused| {
        std.debug.print("of another message: {s}\n", .{phalanx.sentence(refused)});
    }
}
