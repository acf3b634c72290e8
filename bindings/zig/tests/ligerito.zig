//! Ligerito, both suites: the proofs of the registered shapes made again and verified, and what is refused. (The shapes for
//! tests alone, far below any security, are not on the C side.)

const std = @import("std");
const phalanx = @import("phalanx");
const support = @import("support.zig");
const ligerito = phalanx.ligerito;
const testing = std.testing;
const Hex = support.Hex;

/// An element of a suite, in JSON hex digits, the highest first.
fn Large(comptime S: type) type {
    return struct {
        value: S.Element,

        pub fn jsonParse(allocator: std.mem.Allocator, source: anytype, parse: std.json.ParseOptions) !@This() {
            const digits = try std.json.innerParse([]const u8, allocator, source, parse);
            if (digits.len != 2 * @sizeOf(S.Element)) return error.UnexpectedToken;
            var bytes: [@sizeOf(S.Element)]u8 = undefined;
            _ = std.fmt.hexToBytes(&bytes, digits) catch return error.UnexpectedToken;
            std.mem.reverse(u8, &bytes);
            return .{ .value = std.mem.bytesToValue(S.Element, &bytes) };
        }
    };
}

fn Case(comptime S: type) type {
    return struct {
        name: []const u8,
        mu: u8,
        profile: ?u32 = null,
        poly_seed: u64,
        poly_sha256: Hex,
        ctx_hex: Hex,
        root0: Hex,
        claims: []const struct { point: []const Large(S), value: Large(S) },
        proof_file: []const u8,
        proof_sha256: Hex,
    };
}

/// xorshift64, as the README of the vectors has it: words are the low half of an output.
pub fn polynomial(arena: std.mem.Allocator, seed: u64, variables: u8) ![]u32 {
    const words = try arena.alloc(u32, @as(usize, 1) << @intCast(variables));
    var state = seed;
    for (words) |*word| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        word.* = @truncate(state);
    }
    return words;
}

test "proofs are those of the vectors, 100 bits" {
    try allProofs(ligerito, "ligerito-own");
}

test "proofs are those of the vectors, 128 bits" {
    try allProofs(ligerito.provable128, "ligerito-128");
}

fn allProofs(comptime S: type, name_of_folder: []const u8) !void {
    var folder = try support.Folder.open(name_of_folder);
    defer folder.close();
    var run: usize = 0;
    for (try folder.names(".json")) |name| {
        if (!std.mem.startsWith(u8, name, "proof")) continue;
        for (try support.some(try folder.json([]const Case(S), name))) |case| {
            if (case.profile == null) continue;
            try support.named(name, case.name, proves(S, &folder, case));
            run += 1;
        }
    }
    try testing.expect(run >= 3);
}

fn proves(comptime S: type, folder: *support.Folder, case: Case(S)) !void {
    const arena = folder.arena.allocator();
    const profile: S.Profile = @enumFromInt(case.profile.?);
    const words = try polynomial(arena, case.poly_seed, case.mu);
    try support.expectSha256(case.poly_sha256, std.mem.sliceAsBytes(words));
    const points = try arena.alloc([]const S.Element, case.claims.len);
    const claims = try arena.alloc(S.Claim, case.claims.len);
    for (points, claims, case.claims) |*point, *claim, listed| {
        const coordinates = try arena.alloc(S.Element, listed.point.len);
        for (coordinates, listed.point) |*coordinate, large| coordinate.* = large.value;
        point.* = coordinates;
        claim.* = .{ .point = coordinates, .value = listed.value.value };
    }

    const commitment, var prover = try S.commit(profile, words, 2);
    defer prover.deinit();
    const parts = try commitment.parts();
    try testing.expectEqual(S.Commitment.Parts{ .profile = profile, .variables = case.mu, .root = case.root0.array(32).* }, parts);
    try testing.expectEqual(commitment, S.Commitment.fromParts(parts));
    var opening = try prover.open(testing.allocator, points, case.ctx_hex.bytes, 1);
    defer opening.deinit();
    try testing.expectEqualSlices(u8, try folder.bytes(case.proof_file), opening.proof);
    try support.expectSha256(case.proof_sha256, opening.proof);
    for (opening.values, claims) |value, claim| try testing.expectEqual(claim.value, value);
    try testing.expect(opening.proof.len <= profile.maxProofLen(case.mu));

    const accepted = S.Accepted.exactly(profile, case.mu);
    const statement: S.Statement = .{ .commitment = &commitment.bytes, .claims = claims, .context = case.ctx_hex.bytes };
    try S.verify(testing.allocator, accepted, statement, opening.proof, null);
    try refuses(S, arena, accepted, statement, opening.proof);
}

/// What verifies does so for nothing else.
fn refuses(comptime S: type, arena: std.mem.Allocator, accepted: S.Accepted, statement: S.Statement, proof: []const u8) !void {
    const allocator = testing.allocator;
    const smaller = range(S, 0, accepted.variables_max - 1);
    try testing.expectError(error.UnacceptedParams, S.verify(allocator, smaller, statement, proof, null));
    const larger = range(S, accepted.variables_max + 1, 30);
    try testing.expectError(error.UnacceptedParams, S.verify(allocator, larger, statement, proof, null));

    var other = statement;
    other.claims = &.{};
    try testing.expectError(error.NoClaims, S.verify(allocator, accepted, other, proof, null));
    other.claims = &.{.{ .point = statement.claims[0].point[1..], .value = statement.claims[0].value }};
    try testing.expectError(error.PointLength, S.verify(allocator, accepted, other, proof, null));
    other = statement;
    other.commitment = statement.commitment[1..];
    try testing.expectError(error.Malformed, S.verify(allocator, accepted, other, proof, null));
    try testing.expectError(error.ProofLength, S.verify(allocator, accepted, statement, proof[0 .. proof.len - 1], null));
    try testing.expectError(error.ProofLength, S.verify(allocator, accepted, statement, "", null));

    const claims = try arena.dupe(S.Claim, statement.claims);
    std.mem.asBytes(&claims[0].value)[0] ^= 1;
    other = statement;
    other.claims = claims;
    try expectRefused(S, accepted, other, proof);
    other = statement;
    other.context = "another context";
    try expectRefused(S, accepted, other, proof);
    const damaged = try arena.dupe(u8, proof);
    for (0..17) |i| {
        const at = i * (proof.len - 1) / 16;
        damaged[at] ^= 0x10;
        try expectRefused(S, accepted, statement, damaged);
        damaged[at] ^= 0x10;
    }
}

/// Refused for a reason of the proof's, and not for a fault of ours.
fn expectRefused(comptime S: type, accepted: S.Accepted, statement: S.Statement, proof: []const u8) !void {
    var place: u64 = undefined;
    S.verify(testing.allocator, accepted, statement, proof, &place) catch |err| switch (err) {
        error.ProofLength, error.ProofOfWork, error.MerkleRoot, error.FinalRow, error.FinalClaim => return,
        else => return err,
    };
    return error.Accepted;
}

/// Every profile, of so many variables.
fn range(comptime S: type, variables_min: u8, variables_max: u8) S.Accepted {
    var accepted: S.Accepted = .{ .balanced = true, .variables_min = variables_min, .variables_max = variables_max };
    if (@hasField(S.Accepted, "compact")) accepted.compact = true;
    return accepted;
}

test "what a caller can do wrong" {
    var words: [1 << 10]u32 = @splat(7);
    try testing.expectError(error.PolynomialLength, ligerito.commit(.balanced, words[1..], 1));
    try testing.expectError(error.PolynomialLength, ligerito.commit(.balanced, &.{}, 1));
    _, var prover = try ligerito.commit(.balanced, &words, 1);
    defer prover.deinit();
    try testing.expectError(error.NoClaims, prover.open(testing.allocator, &.{}, "", 1));
    const point: [9]ligerito.Element = @splat(1);
    try testing.expectError(error.PointLength, prover.open(testing.allocator, &.{&point}, "", 1));
    const malformed: ligerito.Commitment = .{ .bytes = @splat(9) };
    try testing.expectError(error.Malformed, malformed.parts());
    for (std.enums.values(ligerito.Profile)) |profile| try testing.expectEqual(profile, ligerito.Profile.fromName(profile.name()).?);
    try testing.expectEqual(0, ligerito.Profile.balanced.maxProofLen(9));
}

test "every allocation that fails is an error, and nothing leaks" {
    try testing.checkAllAllocationFailures(testing.allocator, allocates, .{});
}

fn allocates(allocator: std.mem.Allocator) !void {
    const words: [1 << 10]u32 = @splat(7);
    const commitment, var prover = try ligerito.commit(.balanced, &words, 1);
    defer prover.deinit();
    const point: [10]ligerito.Element = @splat(1);
    var opening = try prover.open(allocator, &.{&point}, "", 1);
    defer opening.deinit();
    try ligerito.verify(allocator, .exactly(.balanced, 10), .{
        .commitment = &commitment.bytes,
        .claims = &.{.{ .point = &point, .value = opening.values[0] }},
    }, opening.proof, null);
}
