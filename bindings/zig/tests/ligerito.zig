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

/// The element of a small integer.
fn small(comptime S: type, number: u64) S.Element {
    return if (S.Element == u128) number else .{ number, 0, 0 };
}

fn fnv(bytes: []const u8) u64 {
    return std.hash.Fnv1a_64.hash(bytes);
}

/// Coordinate j of point i is (i + 1)(j + 3).
fn pointAt(comptime S: type, i: u64, coordinates: []S.Element) []S.Element {
    for (coordinates, 3..) |*coordinate, factor| coordinate.* = small(S, (i + 1) * factor);
    return coordinates;
}

/// A small polynomial, its planes at a point, and its values at the conjugates of that point: all in hex digits.
const Algebra = struct {
    field_bits: u32,
    f: []const []const u8,
    z: []const []const u8,
    s: []const []const u8,
    t: []const []const u8,
};

fn elementOf(comptime S: type, digits: []const u8) !S.Element {
    var bytes: [@sizeOf(S.Element)]u8 = undefined;
    try testing.expectEqual(bytes.len, (try std.fmt.hexToBytes(&bytes, digits)).len);
    std.mem.reverse(u8, &bytes);
    return std.mem.bytesToValue(S.Element, &bytes);
}

test "planes of bits and bytes are those of the vectors" {
    try planesOf(ligerito, 128, 0xc3aa151de6d1003d);
    try planesOf(ligerito.provable128, 192, 0x25fa1aec75580a05);
}

fn planesOf(comptime S: type, field_bits: u32, digest: u64) !void {
    var folder = try support.Folder.open("ligerito-v2");
    defer folder.close();
    const arena = folder.arena.allocator();
    const allocator = testing.allocator;
    const known = for (try support.some(try folder.json([]const Algebra, "planes_algebra.json"))) |case| {
        if (case.field_bits == field_bits) break case;
    } else return error.NoSuchField;

    const words = try polynomial(arena, 78, 10);
    for (words[0..8], known.f) |*word, digits| word.* = try std.fmt.parseInt(u32, digits, 16);
    const commitment, var prover = try S.commitBytes(.balanced, std.mem.sliceAsBytes(words), 2);
    defer prover.deinit();
    {
        const same, var other = try S.commit(.balanced, words, 1);
        defer other.deinit();
        try testing.expectEqual(same, commitment);
    }
    try testing.expectError(error.PolynomialLength, S.commitBytes(.balanced, std.mem.sliceAsBytes(words)[0..4095], 1));
    // Bytes behind the last whole word are not left out.
    const longer: [1025]u32 = @splat(0);
    try testing.expectError(error.PolynomialLength, S.commitBytes(.balanced, std.mem.sliceAsBytes(&longer)[0..4097], 1));

    // The first eight words are those of the vectors: the planes are known there.
    var z: [10]S.Element = @splat(small(S, 0));
    for (z[0..3], known.z) |*coordinate, digits| coordinate.* = try elementOf(S, digits);
    var corner: [10]S.Element = undefined;
    for (&corner, 0..) |*coordinate, j| coordinate.* = small(S, @as(u64, 777) >> @intCast(j) & 1);
    var opening = try prover.openPlanes(allocator, &.{ &z, &corner }, "bits", 1);
    defer opening.deinit();
    for (opening.planes[0], known.s) |plane, digits| try testing.expectEqual(try elementOf(S, digits), plane);
    for (opening.planes[1], 0..) |plane, i| try testing.expectEqual(small(S, words[777] >> @intCast(i) & 1), plane);
    {
        var plain = try prover.open(allocator, &.{&z}, "bits", 1);
        defer plain.deinit();
        try testing.expectEqual(try elementOf(S, known.t[0]), plain.values[0]);
    }
    const one = [_]S.Element{small(S, 1)};
    const zero: [5]S.Element = @splat(small(S, 0));
    try testing.expectEqual(opening.planes[0][0], try S.valueOfPlanes(&zero, &one, &opening.planes[0]));
    // The powers of the smallest root of x^8 + x^4 + x^3 + x + 1, computed without this library.
    const aes: u64 = if (field_bits == 128) 0xdf7f4a8e518c1717 else 0x6879cc75b8655267;
    try testing.expectEqual(aes, fnv(std.mem.asBytes(&S.aesBasis())));
    for (0..32) |i| {
        var low: [5]S.Element = undefined;
        for (&low, 0..) |*coordinate, j| coordinate.* = small(S, i >> @intCast(j) & 1);
        try testing.expectEqual(small(S, words[777] >> @intCast(i) & 1), try S.valueOfPlanes(&low, &one, &opening.planes[1]));
    }
    try testing.expectError(error.BasisLength, S.valueOfPlanes(&zero, &S.aesBasis(), &opening.planes[0]));

    var claims = [_]S.PlanesClaim{ .{ .point = &z, .planes = opening.planes[0] }, .{ .point = &corner, .planes = opening.planes[1] } };
    const statement: S.PlanesStatement = .{ .commitment = &commitment.bytes, .claims = &claims, .context = "bits" };
    const accepted = S.Accepted.exactly(.balanced, 10);
    try S.verifyPlanes(allocator, accepted, statement, opening.proof, null);
    for (&claims) |*claim| for ([_]usize{ 0, 31 }) |i| {
        const before = claim.planes[i];
        claim.planes[i] = small(S, 7);
        const refused = S.verifyPlanes(allocator, accepted, statement, opening.proof, null);
        if (refused) |_| return error.Accepted else |err| try testing.expect(err == error.MerkleRoot or err == error.ProofLength);
        claim.planes[i] = before;
    };
    var place: u64 = 99;
    claims[1].point = corner[1..];
    try testing.expectError(error.PointLength, S.verifyPlanes(allocator, accepted, statement, opening.proof, &place));
    try testing.expectEqual(1, place);

    var room: [2][10]S.Element = undefined;
    const own = try polynomial(arena, 80, 10);
    _, var second = try S.commit(.balanced, own, 1);
    defer second.deinit();
    var same = try second.openPlanes(allocator, &.{ pointAt(S, 0, &room[0]), pointAt(S, 1, &room[1]) }, "bits", 1);
    defer same.deinit();
    try testing.expectEqual(digest, fnv(same.proof));
}

test "several commitments in one proof" {
    try together(ligerito, 0x39f5efc3dbac3573);
    try together(ligerito.provable128, 0x75a995a5b7a8c920);
}

fn together(comptime S: type, digest: u64) !void {
    var arena_state: std.heap.ArenaAllocator = .init(testing.allocator);
    defer arena_state.deinit();
    const arena = arena_state.allocator();
    const allocator = testing.allocator;
    const sizes = [_]u8{ 10, 11, 10 };
    var commitments: [3]S.Commitment = undefined;
    var provers: [3]S.Prover = undefined;
    for (sizes, 0..) |size, k| commitments[k], provers[k] = try S.commit(.balanced, try polynomial(arena, 80 + k, size), 1);
    defer for (&provers) |*prover| prover.deinit();
    var points: [4]S.PointOf = undefined;
    for (&points, [_]usize{ 2, 0, 1, 0 }, 0..) |*point, a, i| {
        point.* = .{ .commitment = a, .point = pointAt(S, i, try arena.alloc(S.Element, sizes[a])) };
    }
    var opening = try S.openTogether(allocator, &provers, &points, "several", 2);
    defer opening.deinit();
    try testing.expectEqual(digest, fnv(opening.proof));
    var claims: [4]S.ClaimOf = undefined;
    for (&claims, points, opening.values) |*claim, point, value| {
        claim.* = .{ .commitment = point.commitment, .point = point.point, .value = value };
        var alone = try provers[point.commitment].open(allocator, &.{point.point}, "", 1);
        defer alone.deinit();
        try testing.expectEqual(alone.values[0], value);
    }
    const statement: S.TogetherStatement = .{ .commitments = &commitments, .claims = &claims, .context = "several" };
    const accepted = range(S, 0, 11);
    try S.verifyTogether(allocator, accepted, statement, opening.proof, null);
    for (&claims) |*claim| {
        const before = claim.value;
        claim.value = small(S, 1);
        // The queries are others, in the rows of the first commitment already, or so many that the length is another.
        const refused = S.verifyTogether(allocator, accepted, statement, opening.proof, null);
        if (refused) |_| return error.Accepted else |err| try testing.expect(err == error.MerkleRootOf or err == error.ProofLength);
        claim.value = before;
    }
    try testing.expectError(error.UnacceptedParams, S.verifyTogether(allocator, range(S, 11, 30), statement, opening.proof, null));
    var place: u64 = 99;
    claims[2].commitment = 3;
    try testing.expectError(error.CommitmentIndex, S.verifyTogether(allocator, accepted, statement, opening.proof, &place));
    try testing.expectEqual(2, place);
    claims[2].commitment = 1;
    var seen: [3]bool = @splat(false);
    var at: usize = 0;
    while (at < opening.proof.len) : (at += 997) {
        opening.proof[at] ^= 0x10;
        defer opening.proof[at] ^= 0x10;
        if (S.verifyTogether(allocator, accepted, statement, opening.proof, &place)) |_| return error.Accepted else |err| switch (err) {
            error.MerkleRootOf => seen[place] = true,
            error.MerkleRoot, error.FinalRow, error.FinalClaim, error.ProofOfWork => {},
            else => return err,
        }
    }
    try testing.expectEqual([_]bool{ true, true, true }, seen);
    points[0].commitment = 3;
    try testing.expectError(error.CommitmentIndex, S.openTogether(allocator, &provers, &points, "", 1));
    try testing.expectError(error.Together, S.openTogether(allocator, &.{}, &points, "", 1));
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
