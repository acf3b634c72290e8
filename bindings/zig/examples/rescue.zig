//! Hash the rows of a table, make a Merkle tree of them, open a row, verify; another row is refused.
//! `zig build examples -Dphalanx-lib=PATH` runs it with the others.

const std = @import("std");
const phalanx = @import("phalanx");
const rescue = phalanx.rescue;

pub fn main() !void {
    const function: rescue.Function = .rp64_256;
    var table: [16][20]u64 = undefined;
    var rows: [table.len][]const u64 = undefined;
    for (&table, &rows, 0..) |*row, *elements, r| {
        for (row, 0..) |*element, column| element.* = r * 1000 + column;
        elements.* = row;
    }
    // A row becomes a leaf, side by side in the lanes, on one thread.
    var leaves: [table.len]rescue.Digest = undefined;
    try function.hashElementsMany(std.heap.smp_allocator, &leaves, &rows, 1);
    var tree = try rescue.MerkleTree.init(function, &leaves, 1);
    defer tree.deinit();
    const root = tree.root();

    // What travels is the row and its path. The verifier has the root, and knows how large the table is.
    var path: [4]rescue.Digest = undefined;
    _ = try tree.open(&path, 5);
    try rescue.MerkleTree.verify(function, root, 4, 5, function.hashElements(&table[5]), &path);
    std.debug.print("row 5 opens with {d} digests\n", .{path.len});

    table[5][0] += 1;
    const leaf = function.hashElements(&table[5]);
    if (rescue.MerkleTree.verify(function, root, 4, 5, leaf, &path)) |_| return error.ChangedRowVerifies else |refused| {
        std.debug.print("a changed row: {s}\n", .{phalanx.sentence(refused)});
    }
}
