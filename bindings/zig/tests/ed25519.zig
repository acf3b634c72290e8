//! Ed25519: the public corpora, answer by answer, and what a caller can do wrong.

const std = @import("std");
const phalanx = @import("phalanx");
const support = @import("support.zig");
const ed25519 = phalanx.ed25519;
const testing = std.testing;
const Hex = support.Hex;
const Std = std.crypto.sign.Ed25519;

/// A value for every profile.
fn PerProfile(comptime T: type) type {
    return struct {
        strict: T,
        zip215: T,
        rfc8032: T,
        cofactorless: T,
        @"zig-std": T,

        fn of(all: @This(), profile: ed25519.Profile) T {
            return switch (profile) {
                .strict => all.strict,
                .zip215 => all.zip215,
                .rfc8032 => all.rfc8032,
                .cofactorless => all.cofactorless,
                .zig_std => all.@"zig-std",
            };
        }
    };
}

const profiles = std.enums.values(ed25519.Profile);

/// A signature of 64 bytes under a key of 32, if it is one.
fn fixed(pk: []const u8, sig: []const u8) ?struct { ed25519.PublicKey, ed25519.Signature } {
    if (pk.len != 32 or sig.len != 64) return null;
    return .{ .{ .bytes = pk[0..32].* }, ed25519.Signature.fromBytes(sig[0..64].*) };
}

test "signatures are those of the corpora" {
    const Case = struct { id: []const u8, seed: Hex, pk: Hex, msg: Hex, sig: Hex };
    var folder = try support.Folder.open("ed25519");
    defer folder.close();
    for ([_][]const u8{ "rfc8032.json", "sign_input.json" }) |name| {
        const file = try folder.json(struct { cases: []const Case }, name);
        for (try support.some(file.cases)) |case| try support.named(name, case.id, signs(case));
    }
}

fn signs(case: anytype) !void {
    var key = ed25519.SigningKey.fromSeed(case.seed.array(32));
    defer key.deinit();
    try testing.expectEqualSlices(u8, case.pk.bytes, &key.publicKey().bytes);
    try testing.expectEqualSlices(u8, case.sig.bytes, &key.sign(case.msg.bytes).toBytes());
    try testing.expectEqualSlices(u8, case.sig.bytes, &(try key.signChecked(case.msg.bytes)).toBytes());
    // As the standard library has it: its key pair, its types.
    const pair = try ed25519.KeyPair.generateDeterministic(case.seed.array(32).*);
    const signature = try ed25519.sign(case.msg.bytes, pair);
    try testing.expectEqualSlices(u8, case.sig.bytes, &signature.toBytes());
    try ed25519.verify(signature, case.msg.bytes, pair.public_key);
    var prepared = try ed25519.PreparedKey.init(pair.public_key);
    defer prepared.deinit();
    try prepared.verify(.strict, signature, case.msg.bytes);
    try testing.expectError(error.InvalidSignature, prepared.verify(.strict, signature, "another message"));
}

test "noise is hashed in as the standard library does it" {
    const Case = struct { id: []const u8, seed: Hex, msg: Hex, noise: Hex, sig_deterministic: Hex, sig_noise: Hex };
    var folder = try support.Folder.open("ed25519");
    defer folder.close();
    const file = try folder.json(struct { cases: []const Case }, "sign_noise.json");
    for (try support.some(file.cases)) |case| {
        var key = ed25519.SigningKey.fromSeed(case.seed.array(32));
        defer key.deinit();
        const signature = key.signWithNoise(case.msg.bytes, case.noise.array(32));
        try testing.expectEqualSlices(u8, case.sig_noise.bytes, &signature.toBytes());
        try testing.expectEqualSlices(u8, case.sig_deterministic.bytes, &key.sign(case.msg.bytes).toBytes());
    }
}

test "verdicts are those of the corpora, under every profile" {
    const Case = struct { id: []const u8, pk: Hex, msg: Hex, sig: Hex, verdict: PerProfile(bool) };
    var folder = try support.Folder.open("ed25519");
    defer folder.close();
    for ([_][]const u8{ "cctv.json", "wycheproof.json", "speccheck.json" }) |name| {
        const file = try folder.json(struct { cases: []const Case }, name);
        const cases = try support.some(file.cases);
        const claims = try folder.arena.allocator().alloc(ed25519.Claim, cases.len);
        for (claims, cases) |*claim, case| {
            claim.* = .{ .public_key = case.pk.bytes, .message = case.msg.bytes, .signature = case.sig.bytes };
        }
        const verdicts = try folder.arena.allocator().alloc(bool, cases.len);
        for (profiles) |profile| {
            for ([_]u32{ 1, 3 }) |threads| {
                @memset(verdicts, false);
                try ed25519.verifyMany(testing.allocator, profile, verdicts, claims, threads);
                for (verdicts, cases) |verdict, case| {
                    try support.named(name, case.id, testing.expectEqual(case.verdict.of(profile), verdict));
                }
            }
            for (cases) |case| try support.named(name, case.id, judge(profile, case));
        }
    }
}

fn judge(profile: ed25519.Profile, case: anytype) !void {
    const wanted = case.verdict.of(profile);
    const alone = ed25519.verifyBytes(profile, case.pk.bytes, case.msg.bytes, case.sig.bytes);
    if (wanted) try alone else try testing.expectError(error.InvalidSignature, alone);
    const reason = ed25519.explain(profile, case.pk.bytes, case.msg.bytes, case.sig.bytes);
    try testing.expectEqual(wanted, reason == .none);
    const key, const signature = fixed(case.pk.bytes, case.sig.bytes) orelse {
        try testing.expectEqual(ed25519.Reason.invalid_length, reason);
        return;
    };
    const typed = ed25519.verifyWith(profile, signature, case.msg.bytes, key);
    if (wanted) try typed else try testing.expectError(error.InvalidSignature, typed);
    if (profile == .zig_std) {
        const theirs = if (signature.verify(case.msg.bytes, key)) |_| true else |_| false;
        try testing.expectEqual(theirs, wanted);
    }
}

test "batches report exactly the bad entries" {
    const Entry = struct { pk: Hex, msg: Hex, sig: Hex };
    const Batch = struct {
        id: []const u8,
        entries: []const Entry,
        bad: PerProfile([]const usize),
        all_ok: PerProfile(bool),
    };
    var folder = try support.Folder.open("ed25519");
    defer folder.close();
    const file = try folder.json(struct { batches: []const Batch }, "batches.json");
    for (try support.some(file.batches)) |batch| {
        for (profiles) |profile| {
            const bad = batch.bad.of(profile);
            try support.named("batches.json", batch.id, collected(profile, batch.entries, bad, batch.all_ok.of(profile)));
        }
    }
}

fn collected(profile: ed25519.Profile, entries: anytype, bad: []const usize, all_ok: bool) !void {
    const allocator = testing.allocator;
    const keys = try allocator.alloc(ed25519.PublicKey, entries.len);
    defer allocator.free(keys);
    const signatures = try allocator.alloc(ed25519.Signature, entries.len);
    defer allocator.free(signatures);
    const claims = try allocator.alloc(ed25519.Claim, entries.len);
    defer allocator.free(claims);
    var verifier: ed25519.BatchVerifier = .{ .profile = profile };
    defer verifier.deinit(allocator);
    for (entries, keys, signatures, claims) |entry, *key, *signature, *claim| {
        key.*, signature.* = fixed(entry.pk.bytes, entry.sig.bytes).?;
        claim.* = .{ .public_key = &key.bytes, .message = entry.msg.bytes, .signature = entry.sig.bytes };
        try verifier.add(allocator, .{ .public_key = key, .signature = signature, .message = entry.msg.bytes });
    }
    if (verifier.verify()) |results| {
        try testing.expect(all_ok);
        try testing.expectEqual(entries.len, results.len);
    } else |err| {
        try testing.expectEqual(error.InvalidSignature, err);
        try testing.expect(!all_ok);
    }
    for (verifier.results(), 0..) |result, i| {
        const is_bad = std.mem.indexOfScalar(usize, bad, i) != null;
        try testing.expectEqual(@as(c_int, if (is_bad) 0 else 1), result);
    }
    const answer = ed25519.verifyAll(allocator, profile, claims, 1);
    if (all_ok) try answer else try testing.expectError(error.InvalidSignature, answer);
}

test "a batch in the shape of the standard library's" {
    const pair = ed25519.KeyPair.generate();
    var batch: [5]ed25519.BatchElement = undefined;
    for (&batch, 0..) |*element, i| {
        const message: []const u8 = "a message"[0..i];
        element.* = .{ .sig = try ed25519.sign(message, pair), .msg = message, .public_key = pair.public_key };
    }
    try ed25519.verifyBatch(5, batch);
    try Std.verifyBatch(5, batch);
    batch[3].msg = "another";
    inline for (.{ .strict, .zip215 }) |profile| {
        try testing.expectError(error.InvalidSignature, ed25519.verifyBatchWith(profile, 5, batch));
    }
    try ed25519.verifyBatch(0, .{});
}

test "many signatures at once are those made alone" {
    var keys: [9]ed25519.SigningKey = undefined;
    for (&keys, 0..) |*key, i| key.* = ed25519.SigningKey.fromSeed(&@as([32]u8, @splat(@intCast(i))));
    defer for (&keys) |*key| key.deinit();
    var messages: [9][]const u8 = undefined;
    for (&messages, 0..) |*message, i| message.* = "nine bytes"[0..i];
    for ([_]u32{ 0, 1, 4 }) |threads| {
        var signatures: [9]ed25519.Signature = undefined;
        try ed25519.signMany(testing.allocator, &signatures, &keys, &messages, threads);
        for (signatures, keys, messages) |signature, key, message| {
            try testing.expectEqual(key.sign(message), signature);
        }
    }
    var two: [2]ed25519.Signature = undefined;
    try testing.expectError(error.InvalidLength, ed25519.signMany(testing.allocator, &two, keys[0..2], messages[0..1], 1));
    var verdict: [1]bool = undefined;
    try testing.expectError(error.InvalidLength, ed25519.verifyMany(testing.allocator, .strict, &verdict, &.{}, 1));
}

test "packed records" {
    const Record = extern struct { kind: u8, key: [32]u8, message: [7]u8, signature: [64]u8 };
    const allocator = testing.allocator;
    var pair = try ed25519.SigningKey.generate();
    defer pair.deinit();
    var rows: [5]Record = undefined;
    for (&rows, 0..) |*row, i| {
        const message: [7]u8 = @splat(@intCast(i));
        const signature = pair.sign(&message).toBytes();
        row.* = .{ .kind = 0, .key = pair.publicKey().bytes, .message = message, .signature = signature };
    }
    rows[3].signature[40] ^= 1;
    const bytes = std.mem.sliceAsBytes(&rows);
    const stride = @sizeOf(Record);
    var records = ed25519.Records{
        .public_keys = .{ .bytes = bytes[@offsetOf(Record, "key")..], .len = 32, .stride = stride },
        .messages = .{ .bytes = bytes[@offsetOf(Record, "message")..], .len = 7, .stride = stride },
        .signatures = .{ .bytes = bytes[@offsetOf(Record, "signature")..], .len = 64, .stride = stride },
    };
    var workers = phalanx.Pool.init(2);
    defer workers.deinit();
    const wanted = [5]bool{ true, true, true, false, true };
    var results: [5]bool = undefined;
    try ed25519.verifyRecords(allocator, .strict, &results, records, 1);
    try testing.expectEqual(wanted, results);
    const key = pair.publicKey().bytes;
    records.public_keys = phalanx.Field.ofAll(&key);
    try ed25519.verifyRecords(allocator, .strict, &results, records, workers);
    try testing.expectEqual(wanted, results);

    var more: [6]bool = undefined;
    const InvalidLength = error.InvalidLength;
    try testing.expectError(InvalidLength, ed25519.verifyRecords(allocator, .strict, &more, records, 1));
    records.signatures.len = 63;
    try testing.expectError(InvalidLength, ed25519.verifyRecords(allocator, .strict, &results, records, 1));
    records.signatures.len = 64;
    records.public_keys = phalanx.Field.ofAll(key[1..]);
    try testing.expectError(InvalidLength, ed25519.verifyRecords(allocator, .strict, &results, records, 1));
    try ed25519.verifyRecords(allocator, .strict, &.{}, .{
        .public_keys = phalanx.Field.ofAll(&key),
        .messages = phalanx.Field.ofAll(""),
        .signatures = .{ .bytes = "", .len = 64, .stride = 64 },
    }, 1);
}

test "contexts and prehashes" {
    var key = try ed25519.SigningKey.generate();
    defer key.deinit();
    const public_key = key.publicKey();
    var digest: ed25519.Digest = undefined;
    std.crypto.hash.sha2.Sha512.hash("a message", &digest, .{});

    const with_context = try key.signCtx("a message", "context");
    try ed25519.verifyCtx(.strict, with_context, "a message", "context", public_key);
    try testing.expectError(error.InvalidSignature, ed25519.verifyCtx(.strict, with_context, "a message", "other", public_key));
    try testing.expectError(error.InvalidSignature, ed25519.verify(with_context, "a message", public_key));

    const prehashed = try key.signPh("a message", "");
    try testing.expectEqual(prehashed, try key.signPrehashed(&digest, ""));
    try ed25519.verifyPh(.strict, prehashed, "a message", "", public_key);
    try ed25519.verifyPrehashed(.strict, prehashed, &digest, "", public_key);
    try testing.expectError(error.InvalidSignature, ed25519.verifyPh(.strict, prehashed, "a message", "context", public_key));

    try testing.expectError(error.ContextEmpty, key.signCtx("a message", ""));
    try testing.expectError(error.ContextTooLong, key.signPh("a message", &@as([256]u8, @splat(1))));
}

test "key pairs whose halves do not belong together are refused" {
    var pair = ed25519.KeyPair.generate();
    const other = ed25519.KeyPair.generate();
    pair.public_key = other.public_key;
    try testing.expectError(error.KeyMismatch, ed25519.sign("a message", pair));
    pair.secret_key.bytes[32..].* = other.public_key.bytes;
    try testing.expectError(error.KeyMismatch, ed25519.sign("a message", pair));
}

test "key files are read, and written as they were" {
    const Case = struct {
        id: []const u8,
        seed: Hex,
        pk: Hex,
        pkcs8_v1_der: Hex,
        pkcs8_v1_pem: []const u8,
        pkcs8_v2_der: Hex,
        pkcs8_v2_pem: []const u8,
        spki_der: Hex,
        spki_pem: []const u8,
        openssh_public: []const u8,
        openssh_private: []const u8,
    };
    const Reject = struct { id: []const u8, der: ?Hex = null, keypair: ?Hex = null, @"error": []const u8 };
    var folder = try support.Folder.open("ed25519");
    defer folder.close();
    const file = try folder.json(struct { cases: []const Case, reject: []const Reject }, "keys.json");
    for (try support.some(file.cases)) |case| {
        const SecretFile = struct { ed25519.KeyFormat, []const u8 };
        for ([_]SecretFile{
            .{ .raw, case.seed.bytes },
            .{ .pkcs8_der, case.pkcs8_v1_der.bytes },
            .{ .pkcs8_pem, case.pkcs8_v1_pem },
            .{ .pkcs8_der, case.pkcs8_v2_der.bytes },
            .{ .pkcs8_pem, case.pkcs8_v2_pem },
            .{ .openssh, case.openssh_private },
        }) |secret| try support.named("keys.json", case.id, readsSecret(secret[0], secret[1], case));
        const PublicFile = struct { ed25519.KeyFormat, []const u8 };
        for ([_]PublicFile{
            .{ .raw, case.pk.bytes },
            .{ .spki_der, case.spki_der.bytes },
            .{ .spki_pem, case.spki_pem },
            .{ .openssh, case.openssh_public },
        }) |public| {
            const key = try ed25519.publicKeyFromBytes(public[0], public[1]);
            try testing.expectEqualSlices(u8, case.pk.bytes, &key.bytes);
            if (public[0] != .openssh) try testing.expectEqual(public[0], try ed25519.KeyFormat.detect(public[1]));
            const written = try ed25519.publicKeyToBytes(testing.allocator, key, .spki_der);
            defer testing.allocator.free(written);
            try testing.expectEqualSlices(u8, case.spki_der.bytes, written);
        }
    }
    for (try support.some(file.reject)) |case| {
        var outcome = if (case.der) |der|
            ed25519.SigningKey.fromBytes(.pkcs8_der, der.bytes)
        else
            ed25519.SigningKey.fromBytes(.keypair, case.keypair.?.bytes);
        if (outcome) |*key| {
            key.deinit();
            return error.Accepted;
        } else |err| try support.named("keys.json", case.id, testing.expectEqualStrings(case.@"error", @errorName(err)));
    }
    var key = try ed25519.SigningKey.generate();
    defer key.deinit();
    try testing.expectError(error.InvalidArgument, key.toBytes(testing.allocator, .spki_der));
    try testing.expectError(error.InvalidKeyFormat, ed25519.SigningKey.fromBytes(.pkcs8_der, "nothing of the kind"));
    try testing.expectError(error.InvalidLength, ed25519.SigningKey.fromBytes(.raw, "short"));
}

test "a key file of any form is opened" {
    // Made by openssl with the password "correct horse" and a single round of PBKDF2.
    const file =
        \\-----BEGIN ENCRYPTED PRIVATE KEY-----
        \\MIGaMFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAj2ez2b51MBUwIBATAM
        \\BggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQa85pe+/e6Q/7L02VxLVPpgRAcpkG
        \\dHKUoxHd4BZwiYzCvaupCIDRUSCxH8MjY+VbEn9Em40BWO/0SjTkUB4WMnnEtxxt
        \\Zw06Kq8RgYWeLgE6lA==
        \\-----END ENCRYPTED PRIVATE KEY-----
        \\
    ;
    try testing.expectError(error.EncryptedKey, ed25519.SigningKey.open(file, ""));
    if (!@hasDecl(phalanx.custody, "Ledger")) return;
    try testing.expectError(error.WrongPassword, ed25519.SigningKey.open(file, "correct horsf"));
    var key = try ed25519.SigningKey.open(file, "correct horse");
    defer key.deinit();
    const written = try key.toBytes(testing.allocator, .jwk);
    defer testing.allocator.free(written);
    var again = try ed25519.SigningKey.open(written, "");
    defer again.deinit();
    try testing.expectEqual(key.publicKey().bytes, again.publicKey().bytes);
    try testing.expectEqual(0xab, key.publicKey().bytes[0]);
}

fn readsSecret(format: ed25519.KeyFormat, file: []const u8, case: anytype) !void {
    var key = try ed25519.SigningKey.fromBytes(format, file);
    defer key.deinit();
    var seed: ed25519.Seed = undefined;
    key.seed(&seed);
    try testing.expectEqualSlices(u8, case.seed.bytes, &seed);
    const written = try key.toBytes(testing.allocator, .pkcs8_pem);
    defer testing.allocator.free(written);
    try testing.expectEqualStrings(case.pkcs8_v1_pem, written);
}

test "every allocation that fails is an error, and nothing leaks" {
    try testing.checkAllAllocationFailures(testing.allocator, allocates, .{});
}

fn allocates(allocator: std.mem.Allocator) !void {
    var key = ed25519.SigningKey.fromSeed(&@as([32]u8, @splat(7)));
    defer key.deinit();
    const public_key, const signature = .{ key.publicKey(), key.sign("a message") };
    var verifier: ed25519.BatchVerifier = .{};
    defer verifier.deinit(allocator);
    for (0..20) |_| {
        try verifier.add(allocator, .{ .public_key = &public_key, .signature = &signature, .message = "a message" });
    }
    _ = try verifier.verify();
    var verdict: [1]bool = undefined;
    const claim: ed25519.Claim = .{ .public_key = &public_key.bytes, .message = "a message", .signature = &signature.toBytes() };
    try ed25519.verifyMany(allocator, .strict, &verdict, &.{claim}, 1);
    try ed25519.verifyAll(allocator, .strict, &.{claim}, 1);
    var signed: [1]ed25519.Signature = undefined;
    try ed25519.signMany(allocator, &signed, &.{key}, &.{"a message"}, 1);
    allocator.free(try key.toBytes(allocator, .pkcs8_der));
    allocator.free(try ed25519.publicKeyToBytes(allocator, public_key, .openssh));
}
