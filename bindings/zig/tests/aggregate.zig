//! Aggregates: the files of `vectors/aggregate`, made again and verified, and what is refused.

const std = @import("std");
const phalanx = @import("phalanx");
const support = @import("support.zig");
const aggregate = phalanx.aggregate;
const xmss = phalanx.xmss;
const testing = std.testing;
const Hex = support.Hex;

const both: aggregate.Limits = .{ .provable100 = true, .provable128 = true };

const Case = struct {
    name: []const u8,
    statement: []const u8,
    aggregate: []const u8,
    context_hex: Hex,
    flip: ?struct { file: []const u8, offset: usize, xor: u8 } = null,
    cut: ?struct { file: []const u8, length: usize } = null,
    append: ?struct { file: []const u8, bytes_hex: Hex } = null,
    blake2s_of_aggregate: ?Hex = null,
    verdict: []const u8,

    /// The bytes of one of its files, with the change that is made to it.
    fn bytes(case: Case, folder: *support.Folder, which: []const u8, name: []const u8) ![]const u8 {
        var of: []u8 = @constCast(try folder.bytes(name));
        if (case.flip) |flip| if (std.mem.eql(u8, flip.file, which)) {
            of[flip.offset] ^= flip.xor;
        };
        if (case.cut) |cut| if (std.mem.eql(u8, cut.file, which)) {
            of = of[0..cut.length];
        };
        if (case.append) |append| if (std.mem.eql(u8, append.file, which)) {
            of = try std.mem.concat(folder.arena.allocator(), u8, &.{ of, append.bytes_hex.bytes });
        };
        return of;
    }

    fn check(case: Case, folder: *support.Folder) !void {
        const proof = try case.bytes(folder, "aggregate", case.aggregate);
        const accept = std.mem.eql(u8, case.verdict, "accept");
        try testing.expect(accept or std.mem.eql(u8, case.verdict, "refuse"));
        if (case.blake2s_of_aggregate) |wanted| {
            var digest: [32]u8 = undefined;
            std.crypto.hash.blake2.Blake2s256.hash(proof, &digest, .{});
            try testing.expectEqualSlices(u8, wanted.bytes, &digest);
        }
        const read = aggregate.Statement.fromBytes(try case.bytes(folder, "statement", case.statement));
        var statement = read catch |err| {
            try testing.expect(!accept and err != error.Internal);
            return;
        };
        defer statement.deinit();
        if (aggregate.verify(both, statement, case.context_hex.bytes, proof, null)) {
            try testing.expect(accept);
        } else |err| {
            try testing.expect(!accept and err != error.Internal);
        }
    }
};

test "every case has its verdict" {
    var folder = try support.Folder.open("aggregate");
    defer folder.close();
    var accepted: usize = 0;
    const cases = try support.some(try folder.json([]const Case, "cases.json"));
    for (cases) |case| {
        try support.named("cases.json", case.name, case.check(&folder));
        accepted += @intFromBool(std.mem.eql(u8, case.verdict, "accept"));
    }
    try testing.expect(accepted > 0 and accepted < cases.len);
}

/// The statement and the signature of the published aggregates.
fn published() !struct { aggregate.Statement, xmss.Signature } {
    var seed: xmss.Seed, var message: xmss.Message = .{ undefined, undefined };
    for (&seed, &message, 0..) |*of_seed, *of_message, i| {
        of_seed.*, of_message.* = .{ @intCast(i), @intCast(100 + i) };
    }
    const epoch: u32 = 0x89abcdef;
    var key = try xmss.SigningKey.fromSeed(.blake2s_l32_d42b8, &seed, epoch, 1, .{});
    defer key.deinit();
    const signature = try key.sign(epoch, &message);
    const public = key.verifyingKey();
    const group: aggregate.Group = .{ .epoch = epoch, .message = &message, .keys = &.{public.bytes()[0..32].*} };
    return .{ try aggregate.Statement.init(testing.allocator, &.{group}), signature };
}

test "the published aggregates are made again" {
    var folder = try support.Folder.open("aggregate");
    defer folder.close();
    var statement, const signature = try published();
    defer statement.deinit();
    const bytes = try statement.toBytes(testing.allocator);
    defer testing.allocator.free(bytes);
    try testing.expectEqualSlices(u8, try folder.bytes("statement1.bin"), bytes);
    var pool = phalanx.Pool.init(2);
    defer pool.deinit();
    inline for (.{
        .{ aggregate.Profile.provable100, "aggregate1.bin", pool },
        .{ aggregate.Profile.provable128, "aggregate3.bin", 1 },
    }) |row| {
        const profile, const name, const workers = row;
        const options: aggregate.Options = .{ .context = "context", .memory_limit = profile.memory(1) };
        const made = try aggregate.aggregate(testing.allocator, profile, statement, &.{signature}, options, workers);
        defer testing.allocator.free(made);
        try testing.expectEqualSlices(u8, try folder.bytes(name), made);
        try testing.expect(made.len <= profile.maxLen(1));
        try aggregate.verify(both, statement, "context", made, null);
        try testing.expectError(error.Zerocheck, aggregate.verify(both, statement, "another", made, null));
        const other: aggregate.Limits = .{ .provable100 = profile == .provable128, .provable128 = profile == .provable100 };
        try testing.expectError(error.UnacceptedProfile, aggregate.verify(other, statement, "context", made, null));
        const none: aggregate.Limits = .{ .provable100 = true, .provable128 = true, .signatures = 0 };
        try testing.expectError(error.TooManySignatures, aggregate.verify(none, statement, "context", made, null));
        var place: u64 = 99;
        const bent = try testing.allocator.dupe(u8, made);
        defer testing.allocator.free(bent);
        bent[37] ^= 1;
        try testing.expectError(error.AggregateNoEncoding, aggregate.verify(both, statement, "context", bent, &place));
        try testing.expectEqual(0, place);
        try testing.expectError(error.AggregateLength, aggregate.verify(both, statement, "context", made[0..400], null));
    }
}

test "what the prover refuses" {
    var statement, const signature = try published();
    defer statement.deinit();
    var place: u64 = 99;
    var options: aggregate.Options = .{ .place = &place };
    const profile: aggregate.Profile = .provable100;
    const few = aggregate.aggregate(testing.allocator, profile, statement, &.{}, options, 1);
    try testing.expectError(error.InvalidLength, few);
    options.memory_limit = profile.memory(1) - 1;
    const cramped = aggregate.aggregate(testing.allocator, profile, statement, &.{signature}, options, 1);
    try testing.expectError(error.AggregateMemory, cramped);
    try testing.expectEqual(99, place);
    options.memory_limit = aggregate.default_memory;
    var bent = signature;
    bent.buffer[700] ^= 1;
    const invalid = aggregate.aggregate(testing.allocator, profile, statement, &.{bent}, options, 1);
    try testing.expectError(error.InvalidSignature, invalid);
    try testing.expectEqual(0, place);
    bent.set, place = .{ .blake2s_a_l32_d42b8, 99 };
    const foreign = aggregate.aggregate(testing.allocator, profile, statement, &.{bent}, options, 1);
    try testing.expectError(error.Malformed, foreign);
    try testing.expectEqual(0, place);
}

test "groups in, groups out" {
    const a: xmss.Message, const b: xmss.Message = .{ @splat('a'), @splat('b') };
    const one: aggregate.Key, const two: aggregate.Key = .{ @splat(1), @splat(2) };
    var statement = try aggregate.Statement.init(testing.allocator, &.{
        .{ .epoch = 7, .message = &a, .keys = &.{one} },
        .{ .epoch = 6, .message = &b, .keys = &.{two} },
        .{ .epoch = 6, .message = &a, .keys = &.{ two, one } },
    });
    defer statement.deinit();
    try testing.expectEqual(3, statement.groupCount());
    try testing.expectEqual(4, statement.signatureCount());
    const first = statement.group(0);
    try testing.expectEqual(6, first.epoch);
    try testing.expectEqual(a, first.message.*);
    try testing.expectEqualSlices(aggregate.Key, &.{ one, two }, first.keys);
    try testing.expectEqual(7, statement.group(2).epoch);
    const pairs = try statement.equivocations(testing.allocator);
    defer testing.allocator.free(pairs);
    try testing.expectEqualSlices(aggregate.Pair, &.{.{ .first = 1, .second = 2 }}, pairs);
    const bytes = try statement.toBytes(testing.allocator);
    defer testing.allocator.free(bytes);
    var again = try aggregate.Statement.fromBytes(bytes);
    defer again.deinit();
    try testing.expectEqual(4, again.signatureCount());
    try testing.expectError(error.StatementLength, aggregate.Statement.fromBytes(bytes[1..]));
    try testing.expectError(error.StatementLength, aggregate.Statement.fromBytes(""));
    try testing.expectError(error.NoGroups, aggregate.Statement.init(testing.allocator, &.{}));
    const empty: aggregate.Group = .{ .epoch = 6, .message = &a, .keys = &.{} };
    try testing.expectError(error.EmptyGroup, aggregate.Statement.init(testing.allocator, &.{empty}));
    const twice: aggregate.Group = .{ .epoch = 6, .message = &a, .keys = &.{ one, one } };
    try testing.expectError(error.KeyOrder, aggregate.Statement.init(testing.allocator, &.{twice}));
    try testing.expectEqualStrings("the keys of a group do not increase strictly", phalanx.sentence(error.KeyOrder));
    for (std.enums.values(aggregate.Profile)) |profile| {
        try testing.expectEqual(profile, aggregate.Profile.fromName(profile.name()).?);
        try testing.expectEqual(0, profile.maxLen(0));
        try testing.expectEqual(0, profile.memory(aggregate.max_signatures + 1));
    }
}
