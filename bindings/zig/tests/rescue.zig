//! Rescue: the digests of Winterfell and Miden, and what a caller can do wrong.

const std = @import("std");
const phalanx = @import("phalanx");
const support = @import("support.zig");
const rescue = phalanx.rescue;
const testing = std.testing;
const Hex = support.Hex;
const Word = support.Word;
const Function = rescue.Function;
const Digest = rescue.Digest;

const files = [_]struct { []const u8, Function }{
    .{ "rp64_256.json", .rp64_256 },
    .{ "rp64_256_jive.json", .jive_256 },
    .{ "rpo256.json", .rpo_256 },
    .{ "rpx256.json", .rpx_256 },
};

/// What a file may hold; each list that is there is run.
const File = struct {
    permutation: []const struct { in: []const Word, out: []const Word },
    hash_elements: []const struct { in: []const Word, out: [4]Word, digest_hex: Hex },
    hash_bytes: []const struct { in_hex: Hex, out: ?[4]Word, reference_panics: bool = false },
    merge: []const struct { left: [4]Word, right: [4]Word, out: [4]Word, domain: ?Word = null, out_in_domain: ?[4]Word = null },
    merge_many: []const struct { digests: []const [4]Word, out: [4]Word } = &.{},
    merge_with_int: []const struct { seed: [4]Word, value: Word, out: [4]Word } = &.{},
    hash_elements_in_domain: []const struct { in: []const Word, domain: Word, out: [4]Word } = &.{},
    digest_decode: []const struct { in_hex: Hex, elements: [4]Word, reencoded_hex: Hex } = &.{},
};

fn digest(list: [4]Word) Digest {
    var out: Digest = undefined;
    for (&out, list) |*value, word| value.* = word.value;
    return out;
}

test "digests are those of Winterfell and Miden" {
    var folder = try support.Folder.open("rescue");
    defer folder.close();
    const arena = folder.arena.allocator();
    for (files) |row| {
        const file, const function = .{ try folder.json(File, row[0]), row[1] };
        try permutations(arena, function, file);
        try elements(arena, function, file);
        try bytes(arena, function, file);
        try merges(arena, function, file);
    }
}

fn permutations(arena: std.mem.Allocator, function: Function, file: File) !void {
    var all: std.ArrayList(u64) = .{};
    for (try support.some(file.permutation)) |case| {
        try testing.expectEqual(function.width(), case.in.len);
        const state = try support.values(arena, case.in);
        const secret = try arena.dupe(u64, state);
        try all.appendSlice(arena, state);
        try function.permute(state, 1);
        try function.permuteSecret(secret);
        for (case.out, state, secret) |wanted, got, got_secret| {
            try testing.expectEqual(wanted.value, got);
            try testing.expectEqual(wanted.value, got_secret);
        }
    }
    try function.permute(all.items, 2);
    for (file.permutation, 0..) |case, i| {
        for (case.out, all.items[i * function.width() ..][0..case.out.len]) |wanted, got| try testing.expectEqual(wanted.value, got);
    }
    try testing.expectError(error.PartialState, function.permute(all.items[1..], 1));
    try testing.expectError(error.PartialState, function.permuteSecret(all.items[1..]));
}

fn elements(arena: std.mem.Allocator, function: Function, file: File) !void {
    const cases = try support.some(file.hash_elements);
    const inputs = try arena.alloc([]const u64, cases.len);
    for (inputs, cases) |*input, case| {
        input.* = try support.values(arena, case.in);
        const hashed = function.hashElements(input.*);
        try testing.expectEqual(digest(case.out), hashed);
        try testing.expectEqual(hashed, function.hashElementsSecret(input.*));
        try testing.expectEqualSlices(u8, case.digest_hex.bytes, &rescue.digestToBytes(hashed));
        try testing.expectEqual(hashed, try rescue.digestFromBytes(case.digest_hex.array(32)));
    }
    const digests = try arena.alloc(Digest, cases.len);
    for ([_]u32{ 1, 3 }) |threads| {
        try function.hashElementsMany(testing.allocator, digests, inputs, threads);
        for (digests, cases) |got, case| try testing.expectEqual(digest(case.out), got);
    }
    var pool = phalanx.Pool.init(2);
    defer pool.deinit();
    try testing.expectEqual(2, pool.threads());
    @memset(digests, @splat(0));
    try function.hashElementsMany(testing.allocator, digests, inputs, pool);
    for (digests, cases) |got, case| try testing.expectEqual(digest(case.out), got);
    try testing.expectError(error.InvalidLength, function.hashElementsMany(testing.allocator, digests[1..], inputs, 1));
    for (file.hash_elements_in_domain) |case| {
        const input = try support.values(arena, case.in);
        try testing.expectEqual(digest(case.out), try function.hashElementsInDomain(input, case.domain.value));
    }
    if (file.hash_elements_in_domain.len == 0) {
        try testing.expectError(error.NoDomain, function.hashElementsInDomain(&.{1}, 1));
        try testing.expectError(error.NoDomain, function.mergeInDomain(@splat(0), @splat(0), 1));
    }
}

fn bytes(arena: std.mem.Allocator, function: Function, file: File) !void {
    var defined: std.ArrayList([]const u8) = .{};
    var wanted: std.ArrayList(Digest) = .{};
    for (try support.some(file.hash_bytes)) |case| {
        const input = case.in_hex.bytes;
        const out = case.out orelse {
            try testing.expect(case.reference_panics);
            try testing.expectError(error.UndefinedLength, function.hash(input));
            try testing.expectError(error.UndefinedLength, function.hashSecret(input));
            try testing.expectError(error.UndefinedLength, rescue.Hasher.init(function, input.len));
            try expectInPieces(rescue.Hasher.initPadded(function, input.len), input, function.hashPadded(input));
            try testing.expectEqual(function.hashPadded(input), function.hashPaddedSecret(input));
            continue;
        };
        try testing.expectEqual(digest(out), try function.hash(input));
        try testing.expectEqual(digest(out), try function.hashSecret(input));
        try expectInPieces(try rescue.Hasher.init(function, input.len), input, digest(out));
        try defined.append(arena, input);
        try wanted.append(arena, digest(out));
    }
    const digests = try arena.alloc(Digest, wanted.items.len);
    try function.hashMany(testing.allocator, digests, defined.items, 2);
    try testing.expectEqualSlices(Digest, wanted.items, digests);
    try function.hashPaddedMany(testing.allocator, digests, defined.items, 1);
    for (digests, defined.items) |got, input| try testing.expectEqual(function.hashPadded(input), got);
}

fn expectInPieces(made: rescue.Hasher, input: []const u8, wanted: Digest) !void {
    var hasher = made;
    defer hasher.deinit();
    const cut = input.len / 3;
    hasher.update(input[0..cut]);
    if (cut < input.len) try testing.expectError(error.Length, hasher.final());
    hasher.update(input[cut..]);
    try testing.expectEqual(wanted, try hasher.final());
    hasher.update("!");
    try testing.expectError(error.Length, hasher.final());
}

fn merges(arena: std.mem.Allocator, function: Function, file: File) !void {
    const cases = try support.some(file.merge);
    const pairs, const merged = .{ try arena.alloc([2]Digest, cases.len), try arena.alloc(Digest, cases.len) };
    for (pairs, cases) |*pair, case| {
        const left, const right = .{ digest(case.left), digest(case.right) };
        pair.* = .{ left, right };
        try testing.expectEqual(digest(case.out), function.merge(left, right));
        try testing.expectEqual(digest(case.out), function.mergeSecret(&left, &right));
        const domain = case.domain orelse continue;
        try testing.expectEqual(digest(case.out_in_domain.?), try function.mergeInDomain(left, right, domain.value));
    }
    for ([_]u32{ 1, 2 }) |threads| {
        try function.mergePairs(merged, pairs, threads);
        for (merged, cases) |got, case| try testing.expectEqual(digest(case.out), got);
    }
    try testing.expectError(error.InvalidLength, function.mergePairs(merged[1..], pairs, 1));
    for (file.merge_many) |case| {
        const digests = try arena.alloc(Digest, case.digests.len);
        for (digests, case.digests) |*out, list| out.* = digest(list);
        try testing.expectEqual(digest(case.out), function.mergeMany(digests));
    }
    for (file.merge_with_int) |case| {
        const seed, const value = .{ digest(case.seed), case.value.value };
        try testing.expectEqual(digest(case.out), function.mergeWithInt(seed, value));
        var grinding: [2]Digest = undefined;
        try function.mergeWithInts(&grinding, seed, &.{ value +% 1, value }, 1);
        try testing.expectEqual(digest(case.out), grinding[1]);
    }
    for (file.digest_decode) |case| {
        const encoded = case.in_hex.array(32);
        const decoded = rescue.digestFromBytesLenient(encoded);
        const is_canonical = std.mem.eql(u8, encoded, case.reencoded_hex.bytes);
        try testing.expectEqualSlices(u8, case.reencoded_hex.bytes, &rescue.digestToBytes(decoded));
        try testing.expectEqual(digest(case.elements), decoded);
        if (is_canonical) {
            try testing.expectEqual(decoded, try rescue.digestFromBytes(encoded));
        } else try testing.expectError(error.Malformed, rescue.digestFromBytes(encoded));
    }
}

test "the field is the one of the vectors" {
    const Row = struct { binary: []const [5]Word, unary: []const struct { a: Word, neg: Word, square: Word, inv: Word, pow7: Word } };
    var folder = try support.Folder.open("rescue");
    defer folder.close();
    const file = try folder.json(Row, "field.json");
    const field = rescue.field;
    for (try support.some(file.binary)) |row| {
        const a, const b = .{ row[0].value, row[1].value };
        try testing.expectEqual(row[2].value, field.add(a, b));
        try testing.expectEqual(row[3].value, field.sub(a, b));
        try testing.expectEqual(row[4].value, field.mul(a, b));
    }
    for (try support.some(file.unary)) |row| {
        try testing.expectEqual(row.neg.value, field.sub(0, row.a.value));
        try testing.expectEqual(row.square.value, field.mul(row.a.value, row.a.value));
        try testing.expectEqual(row.inv.value, field.inverse(row.a.value));
        try testing.expectEqual(row.pow7.value, field.pow(row.a.value, 7));
    }
}

test "trees open, and paths lead to the root" {
    const function = Function.rpo_256;
    var leaves: [8]Digest = undefined;
    for (&leaves, 0..) |*leaf, i| leaf.* = function.hashElements(&.{i});
    var tree = try rescue.MerkleTree.init(function, &leaves, 1);
    defer tree.deinit();
    const root = tree.root();
    try testing.expectEqual(root, try rescue.merkleRoot(function, &leaves, 2));
    try testing.expectEqual(3, tree.log2Leaves());
    var path: [3]Digest = undefined;
    for (leaves, 0..) |wanted, i| {
        const leaf = try tree.open(&path, i);
        try testing.expectEqual(wanted, leaf);
        try rescue.MerkleTree.verify(function, root, 3, i, leaf, &path);
        try testing.expectError(error.WrongRoot, rescue.MerkleTree.verify(function, root, 3, i ^ 1, leaf, &path));
        try testing.expectError(error.PathLength, rescue.MerkleTree.verify(function, root, 3, i, leaf, path[1..]));
    }
    try testing.expectError(error.LeafIndex, tree.open(&path, 8));
    try testing.expectError(error.InvalidLength, tree.open(path[1..], 0));
    try testing.expectError(error.LeafCount, rescue.MerkleTree.init(function, leaves[0..3], 1));
    try testing.expectError(error.LeafCount, rescue.merkleRoot(function, &.{}, 1));
    var single = try rescue.MerkleTree.init(function, leaves[0..1], 1);
    defer single.deinit();
    try testing.expectEqual(leaves[0], try single.open(&.{}, 0));
}

test "functions have names" {
    for (std.enums.values(Function)) |function| try testing.expectEqual(function, Function.fromName(function.name()).?);
    try testing.expectEqual(Function.rp64_256, Function.fromName("rescue-rp64-256").?);
    try testing.expectEqual(null, Function.fromName("rescue"));
}

test "every allocation that fails is an error, and nothing leaks" {
    try testing.checkAllAllocationFailures(testing.allocator, allocates, .{});
}

fn allocates(allocator: std.mem.Allocator) !void {
    var digests: [2]Digest = undefined;
    try Function.rpx_256.hashElementsMany(allocator, &digests, &.{ &.{1}, &.{} }, 1);
    try Function.rpx_256.hashMany(allocator, &digests, &.{ "a", "" }, 1);
    try Function.rpx_256.hashPaddedMany(allocator, &digests, &.{ "a", "" }, 1);
}
