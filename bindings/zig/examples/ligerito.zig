//! Commit to a polynomial, open it at a point, verify; another value has no proof.
//! `zig build examples -Dphalanx-lib=PATH` runs it with the others.

const std = @import("std");
const phalanx = @import("phalanx");
const ligerito = phalanx.ligerito;

pub fn main() !void {
    const allocator = std.heap.smp_allocator;
    // Word x is the value at the bits of x. In a protocol the point comes from a transcript that has the commitment in it.
    const variables = 12;
    var polynomial: [1 << variables]u32 = undefined;
    for (&polynomial, 0..) |*word, x| word.* = @as(u32, @intCast(x)) *% 0x9e37_79b9;
    var point: [variables]ligerito.Element = undefined;
    for (&point, 0..) |*coordinate, j| coordinate.* = 3 + j * j;

    // The prover refers to the words of the polynomial, which stay where they are. On one thread.
    const commitment, var prover = try ligerito.commit(.balanced, &polynomial, 1);
    defer prover.deinit();
    const context = "an example";
    var opening = try prover.open(allocator, &.{&point}, context, 1);
    defer opening.deinit();

    // The verifier has the bytes, its own statement, and its own idea of which commitments it takes.
    const accepted: ligerito.Accepted = .exactly(.balanced, variables);
    var claims = [_]ligerito.Claim{.{ .point = &point, .value = opening.values[0] }};
    const statement: ligerito.Statement = .{ .commitment = &commitment.bytes, .claims = &claims, .context = context };
    try ligerito.verify(allocator, accepted, statement, opening.proof, null);
    std.debug.print("the value is right: a proof of {d} bytes\n", .{opening.proof.len});

    claims[0].value ^= 1;
    if (ligerito.verify(allocator, accepted, statement, opening.proof, null)) |_| return error.WrongValueVerifies else |refused| {
        if (refused == error.OutOfMemory) return refused;
        std.debug.print("another value: {s}\n", .{phalanx.sentence(refused)});
    }
}
