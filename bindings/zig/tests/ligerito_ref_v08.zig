//! Proofs of the published crate `ligerito` 0.8.0: made again byte for byte, and damaged ones refused.

const std = @import("std");
const phalanx = @import("phalanx");
const support = @import("support.zig");
const own = @import("ligerito.zig");
const ref_v08 = phalanx.ligerito.ref_v08;
const testing = std.testing;
const Hex = support.Hex;

/// Longer polynomials take too long for a test.
const longest = 16;

const Summary = struct { initial_root: Hex, bincode_sha256: Hex };

/// The polynomial called "all-zero", "sparse:INDEX=WORD,..." or "xorshift:SEED", words and seed in hex.
fn polynomial(folder: *support.Folder, name: []const u8, variables: u8) ![]u32 {
    const arena = folder.arena.allocator();
    if (std.mem.startsWith(u8, name, "xorshift:")) {
        return own.polynomial(arena, try std.fmt.parseInt(u64, name["xorshift:".len..], 16), variables);
    }
    const words = try arena.alloc(u32, @as(usize, 1) << @intCast(variables));
    @memset(words, 0);
    if (std.mem.eql(u8, name, "all-zero")) return words;
    try testing.expect(std.mem.startsWith(u8, name, "sparse:"));
    var entries = std.mem.splitScalar(u8, name["sparse:".len..], ',');
    while (entries.next()) |entry| {
        const at = std.mem.indexOfScalar(u8, entry, '=') orelse return error.NoSuchPolynomial;
        words[try std.fmt.parseInt(usize, entry[0..at], 10)] = try std.fmt.parseInt(u32, entry[at + 1 ..], 16);
    }
    return words;
}

test "proofs are those of the crate" {
    const Case = struct {
        file: ?[]const u8 = null,
        log_n: u8,
        poly: []const u8,
        poly_sha256: Hex,
        sha256_transcript: ?Summary = null,
        merlin_transcript: ?Summary = null,
    };
    var folder = try support.Folder.open("ligerito");
    defer folder.close();
    var run: usize = 0;
    for (try support.some(try folder.json([]const Case, "proofs.json"))) |case| {
        if (case.log_n > longest) continue;
        const words = try polynomial(&folder, case.poly, case.log_n);
        try support.expectSha256(case.poly_sha256, std.mem.sliceAsBytes(words));
        const Transcript = struct { ref_v08.Transcript, ?Summary };
        for ([_]Transcript{ .{ .sha256, case.sha256_transcript }, .{ .merlin, case.merlin_transcript } }) |transcript| {
            const summary = transcript[1] orelse continue;
            const proof = try ref_v08.prove(testing.allocator, .published, case.log_n, transcript[0], words, &.{}, 2);
            defer testing.allocator.free(proof);
            try support.expectSha256(summary.bincode_sha256, proof);
            const root = summary.initial_root.array(32);
            try testing.expectEqual(root.*, try ref_v08.rootOf(.published, case.log_n, words, 1));
            try ref_v08.verify(.published, case.log_n, transcript[0], root, &.{}, proof);
            const other: ref_v08.Transcript = if (transcript[0] == .sha256) .merlin else .sha256;
            if (ref_v08.verify(.published, case.log_n, other, root, &.{}, proof)) |_| return error.Accepted else |_| {}
            const wrong: phalanx.ligerito.Root = @splat(1);
            try testing.expectError(error.InitialRoot, ref_v08.verify(.published, case.log_n, transcript[0], &wrong, &.{}, proof));
            run += 1;
        }
        if (case.file) |name| {
            const root = case.sha256_transcript.?.initial_root.array(32);
            try ref_v08.verify(.published, case.log_n, .sha256, root, &.{}, try folder.bytes(name));
        }
    }
    try testing.expect(run > 0);
}

test "claims about words are proved, and false ones refused" {
    const Case = struct {
        claims: []const struct { index: u64, value: []const u8 },
        file: []const u8,
        poly: []const u8,
        summary: Summary,
    };
    var folder = try support.Folder.open("ligerito");
    defer folder.close();
    for (try support.some(try folder.json([]const Case, "eval_proofs.json"))) |case| {
        const words = try polynomial(&folder, case.poly, 12);
        const claims = try folder.arena.allocator().alloc(ref_v08.WordClaim, case.claims.len);
        for (claims, case.claims) |*claim, listed| {
            claim.* = .{ .index = listed.index, .value = try std.fmt.parseInt(u32, listed.value, 16) };
        }
        const proof = try ref_v08.prove(testing.allocator, .published, 12, .sha256, words, claims, 1);
        defer testing.allocator.free(proof);
        try testing.expectEqualSlices(u8, try folder.bytes(case.file), proof);
        const root = case.summary.initial_root.array(32);
        try ref_v08.verify(.published, 12, .sha256, root, claims, proof);
        claims[0].value ^= 1;
        if (ref_v08.verify(.published, 12, .sha256, root, claims, proof)) |_| return error.Accepted else |_| {}
        try testing.expectError(error.ClaimValue, ref_v08.prove(testing.allocator, .published, 12, .sha256, words, claims, 1));
        claims[0].index = 1 << 12;
        try testing.expectError(error.ClaimIndex, ref_v08.verify(.published, 12, .sha256, root, claims, proof));
        try testing.expectError(error.InvalidArgument, ref_v08.verify(.published, 13, .sha256, root, &.{}, proof));
        try testing.expectError(error.InvalidArgument, ref_v08.prove(testing.allocator, .autosized, 12, .sha256, words, &.{}, 1));
        try testing.expectError(error.PolynomialLength, ref_v08.rootOf(.published, 12, words[1..], 1));
    }
}

test "damaged proofs are refused" {
    const Case = struct { base_file: []const u8, files: []const struct { file: []const u8, reference_verdict: std.json.Value } };
    const Base = struct { file: ?[]const u8 = null, log_n: u8, sha256_transcript: ?Summary = null };
    var folder = try support.Folder.open("ligerito");
    defer folder.close();
    const case = try folder.json(Case, "tampered.json");
    const base = for (try folder.json([]const Base, "proofs.json")) |base| {
        if (base.file) |name| if (std.mem.eql(u8, name, case.base_file)) break base;
    } else return error.NoBase;
    const root = base.sha256_transcript.?.initial_root.array(32);
    for (try support.some(case.files)) |damaged| {
        const outcome = ref_v08.verify(.published, base.log_n, .sha256, root, &.{}, try folder.bytes(damaged.file));
        if (outcome) |_| return error.Accepted else |err| try testing.expect(err != error.Internal and err != error.InvalidArgument);
    }
    const proof = try folder.arena.allocator().dupe(u8, try folder.bytes(case.base_file));
    for (0..40) |i| {
        const at = i * (proof.len - 1) / 39;
        proof[at] ^= 4;
        if (ref_v08.verify(.published, base.log_n, .sha256, root, &.{}, proof)) |_| return error.Accepted else |err| {
            try testing.expect(err != error.Internal);
        }
        proof[at] ^= 4;
    }
}
