//! Ligerito: the proofs of the registered shapes made again and verified, and what is refused; then those of the published
//! crate. (The shapes for tests alone, far below any security, are not on the C side.)

const std = @import("std");
const phalanx = @import("phalanx");
const support = @import("support.zig");
const ligerito = phalanx.ligerito;
const testing = std.testing;
const Hex = support.Hex;
const Element = ligerito.Element;

/// An element, in JSON 32 hex digits, the highest first.
const Large = struct {
    value: Element,

    pub fn jsonParse(allocator: std.mem.Allocator, source: anytype, parse: std.json.ParseOptions) !Large {
        const digits = try std.json.innerParse([]const u8, allocator, source, parse);
        return .{ .value = std.fmt.parseInt(u128, digits, 16) catch return error.UnexpectedToken };
    }
};

const Case = struct {
    name: []const u8,
    mu: u8,
    profile: ?u32 = null,
    poly_seed: u64,
    poly_sha256: Hex,
    ctx_hex: Hex,
    root0: Hex,
    claims: []const struct { point: []const Large, value: Large },
    proof_file: []const u8,
    proof_sha256: Hex,
};

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

test "proofs are those of the vectors" {
    var folder = try support.Folder.open("ligerito-own");
    defer folder.close();
    var run: usize = 0;
    for (try folder.names(".json")) |name| {
        if (!std.mem.startsWith(u8, name, "proof")) continue;
        for (try support.some(try folder.json([]const Case, name))) |case| {
            if (case.profile == null) continue;
            try support.named(name, case.name, proves(&folder, case));
            run += 1;
        }
    }
    try testing.expect(run >= 4);
}

fn proves(folder: *support.Folder, case: Case) !void {
    const arena = folder.arena.allocator();
    const profile: ligerito.Profile = @enumFromInt(case.profile.?);
    const words = try polynomial(arena, case.poly_seed, case.mu);
    try support.expectSha256(case.poly_sha256, std.mem.sliceAsBytes(words));
    const points = try arena.alloc([]const Element, case.claims.len);
    const claims = try arena.alloc(ligerito.Claim, case.claims.len);
    for (points, claims, case.claims) |*point, *claim, listed| {
        const coordinates = try arena.alloc(Element, listed.point.len);
        for (coordinates, listed.point) |*coordinate, large| coordinate.* = large.value;
        point.* = coordinates;
        claim.* = .{ .point = coordinates, .value = listed.value.value };
    }

    const commitment, const prover = try ligerito.commit(profile, words, 2);
    defer prover.deinit();
    const parts = try commitment.parts();
    try testing.expectEqual(ligerito.Commitment.Parts{ .profile = profile, .variables = case.mu, .root = case.root0.array(32).* }, parts);
    try testing.expectEqual(commitment, try ligerito.Commitment.fromParts(parts));
    const opening = try prover.open(testing.allocator, points, case.ctx_hex.bytes, 1);
    defer opening.deinit();
    try testing.expectEqualSlices(u8, try folder.bytes(case.proof_file), opening.proof);
    try support.expectSha256(case.proof_sha256, opening.proof);
    for (opening.values, claims) |value, claim| try testing.expectEqual(claim.value, value);
    try testing.expect(opening.proof.len <= profile.maxProofLen(case.mu));

    const accepted = ligerito.Accepted.exactly(profile, case.mu);
    const statement: ligerito.Statement = .{ .commitment = &commitment.bytes, .claims = claims, .context = case.ctx_hex.bytes };
    try ligerito.verify(testing.allocator, accepted, statement, opening.proof, null);
    try refuses(arena, accepted, statement, opening.proof);
}

/// What verifies does so for nothing else.
fn refuses(arena: std.mem.Allocator, accepted: ligerito.Accepted, statement: ligerito.Statement, proof: []const u8) !void {
    const allocator = testing.allocator;
    const smaller = ligerito.Accepted{ .balanced = true, .compact = true, .variables_min = 0, .variables_max = accepted.variables_max - 1 };
    try testing.expectError(error.UnacceptedParams, ligerito.verify(allocator, smaller, statement, proof, null));
    const larger = ligerito.Accepted{ .balanced = true, .compact = true, .variables_min = accepted.variables_max + 1, .variables_max = 30 };
    try testing.expectError(error.UnacceptedParams, ligerito.verify(allocator, larger, statement, proof, null));

    var other = statement;
    other.claims = &.{};
    try testing.expectError(error.NoClaims, ligerito.verify(allocator, accepted, other, proof, null));
    other.claims = &.{.{ .point = statement.claims[0].point[1..], .value = 1 }};
    try testing.expectError(error.PointLength, ligerito.verify(allocator, accepted, other, proof, null));
    other = statement;
    other.commitment = statement.commitment[1..];
    try testing.expectError(error.Malformed, ligerito.verify(allocator, accepted, other, proof, null));
    try testing.expectError(error.ProofLength, ligerito.verify(allocator, accepted, statement, proof[0 .. proof.len - 1], null));
    try testing.expectError(error.ProofLength, ligerito.verify(allocator, accepted, statement, "", null));

    const claims = try arena.dupe(ligerito.Claim, statement.claims);
    claims[0].value ^= 1;
    other = statement;
    other.claims = claims;
    try expectRefused(accepted, other, proof);
    other = statement;
    other.context = "another context";
    try expectRefused(accepted, other, proof);
    const damaged = try arena.dupe(u8, proof);
    for (0..17) |i| {
        const at = i * (proof.len - 1) / 16;
        damaged[at] ^= 0x10;
        try expectRefused(accepted, statement, damaged);
        damaged[at] ^= 0x10;
    }
}

/// Refused for a reason of the proof's, and not for a fault of ours.
fn expectRefused(accepted: ligerito.Accepted, statement: ligerito.Statement, proof: []const u8) !void {
    var place: u64 = undefined;
    ligerito.verify(testing.allocator, accepted, statement, proof, &place) catch |err| switch (err) {
        error.ProofLength, error.ProofOfWork, error.MerkleRoot, error.FinalRow, error.FinalClaim => return,
        else => return err,
    };
    return error.Accepted;
}

test "what a caller can do wrong" {
    var words: [1 << 10]u32 = @splat(7);
    try testing.expectError(error.PolynomialLength, ligerito.commit(.balanced, words[1..], 1));
    try testing.expectError(error.PolynomialLength, ligerito.commit(.balanced, &.{}, 1));
    _, const prover = try ligerito.commit(.balanced, &words, 1);
    defer prover.deinit();
    try testing.expectError(error.NoClaims, prover.open(testing.allocator, &.{}, "", 1));
    const point: [9]Element = @splat(1);
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
    const commitment, const prover = try ligerito.commit(.balanced, &words, 1);
    defer prover.deinit();
    const point: [10]Element = @splat(1);
    const opening = try prover.open(allocator, &.{&point}, "", 1);
    defer opening.deinit();
    try ligerito.verify(allocator, .exactly(.balanced, 10), .{
        .commitment = &commitment.bytes,
        .claims = &.{.{ .point = &point, .value = opening.values[0] }},
    }, opening.proof, null);
}
