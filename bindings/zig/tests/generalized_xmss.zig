//! The names of hash-zig: the same keys and bytes as `phalanx.xmss`, and its way of calling.

const std = @import("std");
const phalanx = @import("phalanx");
const support = @import("support.zig");
const testing = std.testing;
const Hex = support.Hex;
const Scheme = phalanx.GeneralizedXMSSSignatureScheme;
const PublicKey = phalanx.GeneralizedXMSSPublicKey;
const SecretKey = phalanx.GeneralizedXMSSSecretKey;
const Signature = phalanx.GeneralizedXMSSSignature;

const message: [32]u8 = @splat(0x42);

test "a seed makes the key of the vectors" {
    const Vector = struct {
        seed: Hex,
        requested_activation_epoch: usize,
        requested_active_epochs: usize,
        activation_interval: [2]u64,
        left_bottom_tree_index: usize,
        root: []const u32,
        parameter: [5]u32,
        pk_ssz: Hex,
        pk_bincode1: Hex,
        sk_ssz_sha256: Hex,
        sk_bincode1_sha256: Hex,
        signatures: []const struct { epoch: u32, message: Hex, sig_ssz: Hex },
    };
    var folder = try support.Folder.open("xmss");
    defer folder.close();
    const allocator = testing.allocator;
    const Files = struct { []const u8, phalanx.KeyLifetime };
    for ([_]Files{ .{ "p2-top-l8-d64b8.e2e.json", .lifetime_2_8 }, .{ "p2-top-l18-d64b8.e2e.json", .lifetime_2_18 } }) |file| {
        for (try support.some(try folder.json([]const Vector, file[0]))) |vector| {
            const scheme = try Scheme.initWithSeed(allocator, file[1], vector.seed.array(32).*);
            defer scheme.deinit();
            const pair = try scheme.keyGen(vector.requested_activation_epoch, vector.requested_active_epochs);
            defer pair.secret_key.deinit();
            const public, const secret = .{ &pair.public_key, pair.secret_key };

            try testing.expectEqual(vector.root.len, public.getHashLenFe());
            for (vector.root, public.getRoot()[0..vector.root.len]) |wanted, got| try testing.expectEqual(wanted, got.toCanonical());
            for (vector.parameter, public.getParameter(), secret.parameter) |wanted, got, same| {
                try testing.expectEqual(wanted, got.toCanonical());
                try testing.expect(got.eql(same));
                try testing.expectEqual(got, phalanx.FieldElement.fromCanonical(wanted));
            }
            try testing.expectEqual(vector.activation_interval[0], secret.getActivationInterval().start);
            try testing.expectEqual(vector.activation_interval[1], secret.getActivationInterval().end);
            try testing.expectEqual(vector.left_bottom_tree_index, secret.getLeftBottomTreeIndex());
            try expectForms(public, secret, vector);

            const wanted = vector.signatures[0];
            const signature = try scheme.sign(secret, wanted.epoch, wanted.message.array(32).*);
            defer signature.deinit();
            const ssz = try signature.toBytes(allocator);
            defer allocator.free(ssz);
            try testing.expectEqualSlices(u8, wanted.sig_ssz.bytes, ssz);
            try testing.expect(try scheme.verify(public, wanted.epoch, wanted.message.array(32).*, signature));
            try testing.expectError(error.SeedUsed, scheme.keyGen(0, 1));
        }
    }
}

fn expectForms(public: *const PublicKey, secret: *const SecretKey, vector: anytype) !void {
    const allocator = testing.allocator;
    const ssz, const bincode = .{ try public.toBytes(allocator), try public.toBincode(allocator) };
    defer allocator.free(ssz);
    defer allocator.free(bincode);
    try testing.expectEqualSlices(u8, vector.pk_ssz.bytes, ssz);
    try testing.expectEqualSlices(u8, vector.pk_bincode1.bytes, bincode);
    try testing.expectEqual(public.*, try PublicKey.fromBytes(ssz, null));
    try testing.expectEqual(public.*, try PublicKey.fromBincode(bincode));
    const secret_ssz, const secret_bincode = .{ try secret.toBytes(allocator), try secret.toBincode(allocator) };
    defer allocator.free(secret_ssz);
    defer allocator.free(secret_bincode);
    try support.expectSha256(vector.sk_ssz_sha256, secret_ssz);
    try support.expectSha256(vector.sk_bincode1_sha256, secret_bincode);
    const read = try SecretKey.fromBytes(secret_ssz, allocator);
    defer read.deinit();
    try testing.expectEqual(secret.parameter, read.parameter);
    try testing.expectEqual(secret.activation_epoch, read.activation_epoch);
    try testing.expectEqual(secret.num_active_epochs, read.num_active_epochs);
}

test "signatures and keys go out and come in" {
    const allocator = testing.allocator;
    const scheme = try Scheme.init(allocator, .lifetime_2_8);
    defer scheme.deinit();
    const pair = try scheme.keyGen(0, 256);
    defer pair.secret_key.deinit();
    const signature = try scheme.sign(pair.secret_key, 20, message);
    defer signature.deinit();
    try testing.expect(try scheme.verify(&pair.public_key, 20, message, signature));
    try testing.expect(!try scheme.verify(&pair.public_key, 21, message, signature));
    try testing.expect(!try scheme.verify(&pair.public_key, 256, message, signature));
    try testing.expectError(error.EpochUsed, scheme.sign(pair.secret_key, 20, @splat(0)));
    try testing.expectError(error.Exhausted, scheme.sign(pair.secret_key, 256, message));

    const ssz, const bincode, const json = .{ try signature.toBytes(allocator), try signature.toBincode(allocator), try signature.serialize(allocator) };
    defer inline for (.{ ssz, bincode, json }) |encoded| allocator.free(encoded);
    try testing.expectEqual(3116, bincode.len);
    try testing.expect(std.mem.startsWith(u8, json, "{"));
    const from_ssz, const from_bincode = .{ try Signature.fromBytes(ssz, allocator), try Signature.fromBincode(.lifetime_2_8, bincode, allocator) };
    defer from_ssz.deinit();
    defer from_bincode.deinit();
    inline for (.{ from_ssz, from_bincode }) |read| {
        try testing.expect(try scheme.verify(&pair.public_key, 20, message, read));
    }
    var list: std.ArrayList(u8) = .{};
    defer list.deinit(allocator);
    try signature.sszEncode(&list, allocator);
    try testing.expectEqualSlices(u8, ssz, list.items);
    try testing.expectError(error.Malformed, Signature.fromBytes(ssz[1..], allocator));
    try testing.expectError(error.Malformed, PublicKey.fromBytes(ssz, null));
    try testing.expectError(error.Malformed, SecretKey.fromBytes(ssz, allocator));

    list.clearRetainingCapacity();
    try pair.public_key.sszEncode(&list, allocator);
    var public_key: PublicKey = undefined;
    try PublicKey.sszDecode(list.items, &public_key, allocator);
    try testing.expectEqual(pair.public_key, public_key);

    // Another lifetime's scheme: neither key nor signature are its own.
    const other = try Scheme.init(allocator, .lifetime_2_18);
    defer other.deinit();
    try testing.expect(!try other.verify(&pair.public_key, 20, message, signature));
}

test "preparation advances, and stops at the end" {
    const scheme = try Scheme.init(testing.allocator, .lifetime_2_8);
    defer scheme.deinit();
    try testing.expectError(error.Interval, scheme.keyGen(250, 7));
    const pair = try scheme.keyGen(0, 48);
    defer pair.secret_key.deinit();
    for ([_]u64{ 16, 16 }) |start| {
        try pair.secret_key.advancePreparation(scheme, 8);
        try testing.expectEqual(start, pair.secret_key.getPreparedInterval(8).start);
        try testing.expectEqual(start + 32, pair.secret_key.getPreparedInterval(8).end);
    }
}

test "every allocation that fails is an error, and nothing leaks" {
    try testing.checkAllAllocationFailures(testing.allocator, allocates, .{});
}

fn allocates(allocator: std.mem.Allocator) !void {
    const scheme = try Scheme.initWithSeed(allocator, .lifetime_2_8, @splat(77));
    defer scheme.deinit();
    const pair = try scheme.keyGen(0, 1);
    defer pair.secret_key.deinit();
    const signature = try scheme.sign(pair.secret_key, 0, message);
    defer signature.deinit();
    var list: std.ArrayList(u8) = .{};
    defer list.deinit(allocator);
    try pair.secret_key.sszEncode(&list, allocator);
    const read = try SecretKey.fromBytes(list.items, allocator);
    defer read.deinit();
    allocator.free(try pair.public_key.serialize(allocator));
    allocator.free(try pair.secret_key.serialize(allocator));
}
