//! Ledgers, guarded keys and keystores. The rules are tested in C (bindings/c/tests/custody.c).

const std = @import("std");
const phalanx = @import("phalanx");
const support = @import("support.zig");
const custody = phalanx.custody;
const ed25519 = phalanx.ed25519;
const xmss = phalanx.xmss;
const testing = std.testing;

/// A ledger's place in a folder that goes again.
const Place = struct {
    tmp: testing.TmpDir,
    arena: std.heap.ArenaAllocator,
    path: [:0]const u8,
    config: [:0]const u8,

    fn init() !Place {
        var place: Place = .{
            .tmp = testing.tmpDir(.{}),
            .arena = .init(std.heap.page_allocator),
            .path = undefined,
            .config = undefined,
        };
        const allocator = place.arena.allocator();
        const folder = try place.tmp.dir.realpathAlloc(allocator, ".");
        place.path = try std.fmt.allocPrintSentinel(allocator, "{s}/ledger", .{folder}, 0);
        place.config = try std.fmt.allocPrintSentinel(
            allocator,
            "witness = \"{s}/witness\"\nallow_file_systems = [\"overlay\"]",
            .{folder},
            0,
        );
        return place;
    }

    fn deinit(place: *Place) void {
        place.arena.deinit();
        place.tmp.cleanup();
    }

    fn open(place: *const Place) !custody.Ledger {
        return custody.Ledger.open(place.path, place.config);
    }
};

fn makeKey(seed: u8, epochs: u64) !xmss.SigningKey {
    return makeKeyOf(.poseidon2_l8_d64b8, seed, epochs);
}

fn makeKeyOf(set: xmss.ParameterSet, seed: u8, epochs: u64) !xmss.SigningKey {
    return xmss.SigningKey.fromSeed(set, &@as(xmss.Seed, @splat(seed)), 0, epochs, .{});
}

const a: xmss.Message = @splat(1);
const b: xmss.Message = @splat(2);

test "an epoch signs one message over two lives of a ledger" {
    var place = try Place.init();
    defer place.deinit();
    var why: [200]u8 = undefined;
    try testing.expectError(error.LedgerStore, custody.Ledger.openExplained(place.path, place.config, &why));
    try testing.expect(std.mem.indexOf(u8, std.mem.sliceTo(&why, 0), "(no_ledger)") != null);
    try testing.expectError(error.InvalidArgument, custody.Ledger.create(place.path, "x = 1"));
    try testing.expectError(error.Unavailable, custody.Ledger.open("postgres://host", null));
    try custody.Ledger.create(place.path, place.config);
    var first: xmss.Signature = undefined;
    {
        var ledger = try place.open();
        defer ledger.deinit();
        try ledger.health();
        _ = ledger.id();
        try testing.expectError(error.LedgerInUse, place.open());
        const signing_key = try makeKey(1, 256);
        const id = custody.keyId(signing_key);
        try testing.expectError(error.LedgerNoState, custody.GuardedKey.init(ledger, signing_key));
        try testing.expectError(error.LedgerUnknownKey, ledger.standing(&id));
        // After an error it is still there.
        try ledger.register(signing_key, .attester, 2);
        var key = try custody.GuardedKey.init(ledger, signing_key);
        defer key.deinit();
        try testing.expectEqual(id, key.id());
        const signed = try key.sign(3, &a);
        first = signed.signature;
        try testing.expect(!signed.repeated and (try key.sign(3, &a)).repeated);
        try key.verifyingKey().verify(3, &a, &first);
        try testing.expectError(error.LedgerEpochUsed, key.sign(3, &b));
        try testing.expectError(error.LedgerPassed, key.sign(1, &b));
        try testing.expectError(error.LedgerExhausted, key.sign(256, &b));
        try testing.expectEqual(xmss.Epochs{ .start = 0, .end = 32 }, key.preparedInterval());
        try testing.expect(custody.isFinal(error.LedgerEpochUsed) and !custody.isFinal(error.LedgerUnavailable));

        var other = try makeKey(1, 64);
        defer other.deinit();
        try testing.expectError(error.LedgerSameOneTimeKeys, ledger.register(other, .attester, 0));
        try ledger.raiseLow(&id, 20, "a test");
        try testing.expectError(error.InvalidArgument, ledger.raiseLow(&id, 19, "a test"));
        try ledger.quarantine(&id, "a test");
        try testing.expectError(error.LedgerQuarantined, key.sign(3, &a));
        const standing = try ledger.standing(&id);
        try testing.expect(standing.state == .quarantined and standing.role == .attester and standing.low == 20);
        try testing.expect(standing.highest == 3 and standing.high == null and !standing.is_strict);
        var same = try makeKey(1, 256);
        defer same.deinit();
        try ledger.adopt(same, .attester, 20, "looked at");
        _ = try key.sign(20, &a);
    }
    var ledger = try place.open();
    defer ledger.deinit();
    var key = try custody.GuardedKey.init(ledger, try makeKey(1, 256));
    defer key.deinit();
    try testing.expectEqualSlices(u8, first.bytes(), (try key.sign(3, &a)).signature.bytes());
    try testing.expectError(error.LedgerEpochUsed, key.sign(3, &b));
}

test "a key over BLAKE2s is guarded as the others are" {
    var place = try Place.init();
    defer place.deinit();
    try custody.Ledger.create(place.path, place.config);
    var first: xmss.Signature = undefined;
    for (0..2) |life| {
        var ledger = try place.open();
        defer ledger.deinit();
        const signing_key = try makeKeyOf(.blake2s_l32_d42b8, 9, 16);
        if (life == 0) try ledger.register(signing_key, .attester, 0);
        var key = try custody.GuardedKey.init(ledger, signing_key);
        defer key.deinit();
        const signed = try key.sign(3, &a);
        try testing.expectEqual(life == 1, signed.repeated);
        if (life == 0) first = signed.signature;
        try testing.expectEqualSlices(u8, first.bytes(), signed.signature.bytes());
        try key.verifyingKey().verify(3, &a, &signed.signature);
        try testing.expectError(error.LedgerEpochUsed, key.sign(3, &b));
        try testing.expectError(error.LedgerExhausted, key.sign(16, &a));
        // Another interval of the seed has the same one-time keys.
        var other = try makeKeyOf(.blake2s_l32_d42b8, 9, 8);
        defer other.deinit();
        try testing.expectError(error.LedgerSameOneTimeKeys, ledger.register(other, .attester, 0));
    }
}

test "many are signed together" {
    var place = try Place.init();
    defer place.deinit();
    try custody.Ledger.create(place.path, place.config);
    var ledger = try place.open();
    defer ledger.deinit();
    var keys: [2]custody.GuardedKey = undefined;
    for (&keys, 1..) |*key, seed| {
        const signing_key = try makeKey(@intCast(seed), 32);
        try ledger.register(signing_key, .proposer, 0);
        key.* = try custody.GuardedKey.init(ledger, signing_key);
    }
    defer for (&keys) |*key| key.deinit();
    var wanted = [_]custody.Wanted{
        .{ .key = keys[0], .epoch = 7, .message = &a },
        .{ .key = keys[1], .epoch = 7, .message = &a },
        .{ .key = keys[0], .epoch = 7, .message = &b },
    };
    try custody.signMany(testing.allocator, &wanted, 2);
    for (wanted[0..2], keys) |one, key| {
        const signed = try one.answer;
        try testing.expect(!signed.repeated);
        try key.verifyingKey().verify(7, &a, &signed.signature);
    }
    try testing.expectError(error.LedgerEpochUsed, wanted[2].answer);
}

test "keystores of Ed25519 are read" {
    var folder = try support.Folder.open("custody/keystore");
    defer folder.close();
    const file = try folder.bytes("ok-ed25519.json");
    const password = "correct horse battery staple";
    try testing.expectError(error.KeystoreScheme, custody.keystore.read(file, password, .{ .accept_weak_kdf = true }));
    try testing.expectError(error.KeystoreWeakKdf, ed25519.SigningKey.open(file, password));
    try testing.expectError(error.EncryptedKey, ed25519.SigningKey.open(file, ""));
    var key = try custody.keystore.readEd25519(file, password, .{ .accept_weak_kdf = true });
    defer key.deinit();
    var wanted: [32]u8 = undefined;
    _ = try std.fmt.hexToBytes(&wanted, "298e4490ad925d4b883aea9f106fc417f7a48ad61c52b2e2df6ee6cc928e056b");
    try testing.expectEqual(wanted, key.publicKey().bytes);
}

test "keystores are read" {
    var folder = try support.Folder.open("custody/keystore");
    defer folder.close();
    const file = try folder.bytes("ok-pbkdf2-p2-l8.json");
    const password = "correct horse battery staple";
    try testing.expectError(error.KeystoreWeakKdf, custody.keystore.read(file, password, .{}));
    try testing.expectError(error.KeystoreWrongPassword, custody.keystore.read(file, "x", .{ .accept_weak_kdf = true }));
    try testing.expectError(error.KeystoreMalformed, custody.keystore.read(file[1..], password, .{}));
    try testing.expectError(error.KeystoreFile, custody.keystore.load("/nowhere/at.all", password, .{}));
    var key = try custody.keystore.read(file, password, .{ .accept_weak_kdf = true });
    defer key.deinit();
    var id: [32]u8 = undefined;
    _ = try std.fmt.hexToBytes(&id, "8d2274428f221e54b28a408b0572a7d61c8d09c55f76693c412e0ac0f3e7e3b5");
    try testing.expectEqual(id, custody.keyId(key));
}
