//! Generalized XMSS under the names of hash-zig 1.1.3, for programs that are written for it: `phalanx.xmss` is what new
//! programs use.
//!
//! What differs, on purpose:
//! - Randomness comes from the operating system; hash-zig's `init` takes the time of day.
//! - A scheme made by `initWithSeed` makes one key, then `error.SeedUsed`: a second key from one seed would share its secret.
//! - `keyGen` uses `scheme.threads` threads, 1 unless it is set; hash-zig takes all there are.
//! - `sign` moves the key on by itself, signs each epoch for one message (`error.EpochUsed`), and does not go back.
//! - Bytes that are not exactly what they should be are `error.Malformed`.

const std = @import("std");
const xmss = @import("xmss.zig");
const Allocator = std.mem.Allocator;

/// How many epochs a key could have.
pub const KeyLifetime = enum {
    lifetime_2_8,
    lifetime_2_18,
    lifetime_2_32,

    pub fn treeHeight(self: KeyLifetime) u32 {
        return switch (self) {
            .lifetime_2_8 => 8,
            .lifetime_2_18 => 18,
            .lifetime_2_32 => 32,
        };
    }

    pub fn maxSignatures(self: KeyLifetime) u64 {
        return self.parameterSet().lifetime();
    }

    pub fn logLifetime(self: KeyLifetime) u32 {
        return self.treeHeight();
    }

    /// The parameter set that hash-zig means by it.
    pub fn parameterSet(self: KeyLifetime) xmss.ParameterSet {
        return switch (self) {
            .lifetime_2_8 => .poseidon2_l8_d64b8,
            .lifetime_2_18 => .poseidon2_l18_d64b8,
            .lifetime_2_32 => .poseidon2_l32_d64b8,
        };
    }

    /// The lifetime of a parameter set, if it is one of hash-zig's.
    fn of(set: xmss.ParameterSet) ?KeyLifetime {
        return for (std.enums.values(KeyLifetime)) |lifetime| {
            if (lifetime.parameterSet() == set) break lifetime;
        } else null;
    }
};

/// A field element; `value` is its Montgomery word, as in hash-zig and in bincode.
pub const FieldElement = struct {
    value: u32,

    pub const PRIME: u64 = 0x7f000001;
    /// 2^32 and its inverse modulo the prime.
    const r = (1 << 32) % PRIME;
    const r_inverse = 1057030144;

    comptime {
        std.debug.assert(r * r_inverse % PRIME == 1);
    }

    pub fn fromCanonical(canonical: u32) FieldElement {
        return .{ .value = @intCast(canonical * r % PRIME) };
    }

    pub fn toCanonical(self: FieldElement) u32 {
        return @intCast(self.value * @as(u64, r_inverse) % PRIME);
    }

    pub fn fromMontgomery(word: u32) FieldElement {
        return .{ .value = word };
    }

    pub fn toMontgomery(self: FieldElement) u32 {
        return self.value;
    }

    pub fn eql(self: FieldElement, other: FieldElement) bool {
        return self.value == other.value;
    }
};

/// What verifies signatures.
pub const GeneralizedXMSSPublicKey = struct {
    /// Behind `hash_len_fe` elements there are zeros.
    root: [8]FieldElement,
    parameter: [5]FieldElement,
    /// 7 for lifetime 2^18, else 8.
    hash_len_fe: usize,

    pub fn init(root: [8]FieldElement, parameter: [5]FieldElement, hash_len_fe: usize) GeneralizedXMSSPublicKey {
        return .{ .root = root, .parameter = parameter, .hash_len_fe = hash_len_fe };
    }

    pub fn getRoot(self: *const GeneralizedXMSSPublicKey) [8]FieldElement {
        return self.root;
    }

    pub fn getHashLenFe(self: *const GeneralizedXMSSPublicKey) usize {
        return self.hash_len_fe;
    }

    pub fn getParameter(self: *const GeneralizedXMSSPublicKey) [5]FieldElement {
        return self.parameter;
    }

    /// In SSZ; the caller frees it.
    pub fn toBytes(self: *const GeneralizedXMSSPublicKey, allocator: Allocator) ![]u8 {
        return (try self.key()).toBytes(allocator, .ssz);
    }

    /// In JSON; the caller frees it.
    pub fn serialize(self: *const GeneralizedXMSSPublicKey, allocator: Allocator) ![]u8 {
        return (try self.key()).toBytes(allocator, .json);
    }

    /// In bincode; the caller frees it.
    pub fn toBincode(self: *const GeneralizedXMSSPublicKey, allocator: Allocator) ![]u8 {
        return (try self.key()).toBytes(allocator, .bincode);
    }

    /// From SSZ. The length tells seven elements from eight.
    pub fn fromBytes(serialized: []const u8, allocator: ?Allocator) !GeneralizedXMSSPublicKey {
        _ = allocator;
        return decode(.ssz, serialized);
    }

    /// From bincode. The length tells seven elements from eight.
    pub fn fromBincode(serialized: []const u8) !GeneralizedXMSSPublicKey {
        return decode(.bincode, serialized);
    }

    pub fn sszEncode(self: *const GeneralizedXMSSPublicKey, list: *std.ArrayList(u8), allocator: Allocator) !void {
        const verifying_key = try self.key();
        try list.appendSlice(allocator, verifying_key.bytes());
    }

    pub fn sszDecode(serialized: []const u8, out: *GeneralizedXMSSPublicKey, allocator: ?Allocator) !void {
        out.* = try fromBytes(serialized, allocator);
    }

    fn decode(format: xmss.Format, serialized: []const u8) !GeneralizedXMSSPublicKey {
        const set: xmss.ParameterSet = if (serialized.len == 48) .poseidon2_l18_d64b8 else .poseidon2_l32_d64b8;
        return of(&try xmss.VerifyingKey.fromBytes(set, format, serialized));
    }

    /// The key as `phalanx.xmss` has it. Its set is one of those with as many elements; which one, the scheme knows.
    fn key(self: *const GeneralizedXMSSPublicKey) !xmss.VerifyingKey {
        return self.keyOf(if (self.hash_len_fe == 7) .poseidon2_l18_d64b8 else .poseidon2_l32_d64b8);
    }

    fn keyOf(self: *const GeneralizedXMSSPublicKey, set: xmss.ParameterSet) !xmss.VerifyingKey {
        const hash_len: usize = if (set == .poseidon2_l18_d64b8) 7 else 8;
        if (self.hash_len_fe != hash_len) return error.Malformed;
        var encoded: [4 * (8 + 5)]u8 = undefined;
        for (self.root[0..hash_len], 0..) |element, i| put(&encoded, i, element);
        for (self.parameter, hash_len..) |element, i| put(&encoded, i, element);
        return xmss.VerifyingKey.fromBytes(set, .bincode, encoded[0 .. 4 * (hash_len + 5)]);
    }

    fn put(bincode: *[4 * (8 + 5)]u8, index: usize, element: FieldElement) void {
        std.mem.writeInt(u32, bincode[4 * index ..][0..4], element.value, .little);
    }

    fn of(verifying_key: *const xmss.VerifyingKey) GeneralizedXMSSPublicKey {
        const bytes = verifying_key.bytes();
        const hash_len = bytes.len / 4 - 5;
        var public_key: GeneralizedXMSSPublicKey = .{
            .root = @splat(.{ .value = 0 }),
            .parameter = undefined,
            .hash_len_fe = hash_len,
        };
        for (public_key.root[0..hash_len], 0..) |*element, i| element.* = get(bytes, i);
        for (&public_key.parameter, hash_len..) |*element, i| element.* = get(bytes, i);
        return public_key;
    }

    fn get(ssz: []const u8, index: usize) FieldElement {
        return FieldElement.fromCanonical(std.mem.readInt(u32, ssz[4 * index ..][0..4], .little));
    }
};

/// A signature. `deinit` frees it.
pub const GeneralizedXMSSSignature = struct {
    signature: xmss.Signature,
    allocator: Allocator,

    pub fn deinit(self: *GeneralizedXMSSSignature) void {
        self.allocator.destroy(self);
    }

    /// In SSZ; the caller frees it.
    pub fn toBytes(self: *const GeneralizedXMSSSignature, allocator: Allocator) ![]u8 {
        return allocator.dupe(u8, self.signature.bytes());
    }

    /// In JSON; the caller frees it.
    pub fn serialize(self: *const GeneralizedXMSSSignature, allocator: Allocator) ![]u8 {
        return self.signature.toBytes(allocator, .json);
    }

    /// In bincode, followed by zeros up to 3116 bytes, as hash-zig's tools write it; the caller frees it.
    pub fn toBincode(self: *const GeneralizedXMSSSignature, allocator: Allocator) ![]u8 {
        return self.signature.toBytes(allocator, .bincode_padded);
    }

    /// From SSZ. The length tells the lifetime.
    pub fn fromBytes(serialized: []const u8, allocator: Allocator) !*GeneralizedXMSSSignature {
        for (std.enums.values(KeyLifetime)) |lifetime| {
            const signature = xmss.Signature.fromBytes(lifetime.parameterSet(), .ssz, serialized) catch |err| switch (err) {
                error.Malformed => continue,
                else => |other| return other,
            };
            return create(allocator, signature);
        }
        return error.Malformed;
    }

    /// From bincode, followed by zeros up to 3116 bytes or not.
    pub fn fromBincode(lifetime: KeyLifetime, serialized: []const u8, allocator: Allocator) !*GeneralizedXMSSSignature {
        const format: xmss.Format = if (serialized.len == 3116) .bincode_padded else .bincode;
        return create(allocator, try xmss.Signature.fromBytes(lifetime.parameterSet(), format, serialized));
    }

    pub fn sszEncode(self: *const GeneralizedXMSSSignature, list: *std.ArrayList(u8), allocator: Allocator) !void {
        try list.appendSlice(allocator, self.signature.bytes());
    }

    fn create(allocator: Allocator, signature: xmss.Signature) !*GeneralizedXMSSSignature {
        const self = try allocator.create(GeneralizedXMSSSignature);
        self.* = .{ .signature = signature, .allocator = allocator };
        return self;
    }
};

/// What signs. `deinit` wipes and frees it.
pub const GeneralizedXMSSSecretKey = struct {
    parameter: [5]FieldElement,
    activation_epoch: usize,
    num_active_epochs: usize,
    /// The key as `phalanx.xmss` has it. Its secret stays there; `toBytes` writes it.
    key: xmss.SigningKey,
    allocator: Allocator,

    pub const Interval = struct { start: u64, end: u64 };

    pub fn deinit(self: *GeneralizedXMSSSecretKey) void {
        self.key.deinit();
        self.allocator.destroy(self);
    }

    pub fn getActivationEpoch(self: *const GeneralizedXMSSSecretKey) usize {
        return self.activation_epoch;
    }

    pub fn getNumActiveEpochs(self: *const GeneralizedXMSSSecretKey) usize {
        return self.num_active_epochs;
    }

    pub fn getParameter(self: *const GeneralizedXMSSSecretKey) [5]FieldElement {
        return self.parameter;
    }

    pub fn getActivationInterval(self: *const GeneralizedXMSSSecretKey) Interval {
        return .{ .start = self.activation_epoch, .end = self.activation_epoch + self.num_active_epochs };
    }

    /// The epochs that the key can sign without computing a tree.
    pub fn getPreparedInterval(self: *const GeneralizedXMSSSecretKey, log_lifetime: usize) Interval {
        _ = log_lifetime;
        const prepared = self.key.preparedInterval();
        return .{ .start = prepared.start, .end = prepared.end };
    }

    pub fn getLeftBottomTreeIndex(self: *const GeneralizedXMSSSecretKey) usize {
        const set = self.key.parameterSet();
        return @intCast(self.getPreparedInterval(0).start / set.treeEpochs());
    }

    /// Moves the prepared interval on by one tree; at the end of the activation interval nothing happens.
    pub fn advancePreparation(self: *GeneralizedXMSSSecretKey, scheme: *GeneralizedXMSSSignatureScheme, log_lifetime: usize) !void {
        _ = log_lifetime;
        self.key.advance(scheme.threads) catch |err| if (err != error.Exhausted) return err;
    }

    /// In SSZ, secret part included. The caller wipes (`std.crypto.secureZero`) and frees it.
    pub fn toBytes(self: *const GeneralizedXMSSSecretKey, allocator: Allocator) ![]u8 {
        return self.key.toBytes(allocator, .ssz);
    }

    /// In JSON, secret part included. The caller wipes (`std.crypto.secureZero`) and frees it.
    pub fn serialize(self: *const GeneralizedXMSSSecretKey, allocator: Allocator) ![]u8 {
        return self.key.toBytes(allocator, .json);
    }

    /// In bincode, secret part included. The caller wipes (`std.crypto.secureZero`) and frees it.
    pub fn toBincode(self: *const GeneralizedXMSSSecretKey, allocator: Allocator) ![]u8 {
        return self.key.toBytes(allocator, .bincode);
    }

    pub fn sszEncode(self: *const GeneralizedXMSSSecretKey, list: *std.ArrayList(u8), allocator: Allocator) !void {
        const encoded = try self.toBytes(allocator);
        defer allocator.free(encoded);
        defer std.crypto.secureZero(u8, encoded);
        try list.appendSlice(allocator, encoded);
    }

    /// From SSZ. The top tree inside tells the lifetime. (hash-zig's checks the bytes and gives nothing.)
    pub fn fromBytes(serialized: []const u8, allocator: Allocator) !*GeneralizedXMSSSecretKey {
        // The depth of the top tree, first of its fields, stands behind 88 bytes of the key's own.
        if (serialized.len < 96) return error.Malformed;
        const depth = std.mem.readInt(u64, serialized[88..96], .little);
        for (std.enums.values(KeyLifetime)) |lifetime| {
            if (lifetime.logLifetime() == depth) return decode(lifetime, .ssz, serialized, allocator);
        }
        return error.Malformed;
    }

    /// From bincode.
    pub fn fromBincode(lifetime: KeyLifetime, serialized: []const u8, allocator: Allocator) !*GeneralizedXMSSSecretKey {
        return decode(lifetime, .bincode, serialized, allocator);
    }

    fn decode(lifetime: KeyLifetime, format: xmss.Format, serialized: []const u8, allocator: Allocator) !*GeneralizedXMSSSecretKey {
        var key = try xmss.SigningKey.fromBytes(lifetime.parameterSet(), format, serialized);
        errdefer key.deinit();
        return create(allocator, key, GeneralizedXMSSPublicKey.of(&key.verifyingKey()).parameter);
    }

    fn create(allocator: Allocator, key: xmss.SigningKey, parameter: [5]FieldElement) !*GeneralizedXMSSSecretKey {
        const active = key.activationInterval();
        const self = try allocator.create(GeneralizedXMSSSecretKey);
        self.* = .{
            .parameter = parameter,
            .activation_epoch = @intCast(active.start),
            .num_active_epochs = @intCast(active.end - active.start),
            .key = key,
            .allocator = allocator,
        };
        return self;
    }
};

/// Makes keys, signs and verifies for one lifetime. `deinit` frees it.
pub const GeneralizedXMSSSignatureScheme = struct {
    lifetime: KeyLifetime,
    /// How many threads `keyGen` and `advancePreparation` may use, the calling one included.
    threads: u32 = 1,
    allocator: Allocator,
    seed: union(enum) { from_the_system, given: xmss.Seed, used },

    pub const KeyGenResult = struct {
        public_key: GeneralizedXMSSPublicKey,
        secret_key: *GeneralizedXMSSSecretKey,
    };

    pub fn init(allocator: Allocator, lifetime: KeyLifetime) !*GeneralizedXMSSSignatureScheme {
        const self = try allocator.create(GeneralizedXMSSSignatureScheme);
        self.* = .{ .lifetime = lifetime, .allocator = allocator, .seed = .from_the_system };
        return self;
    }

    /// A scheme that makes the key that leanSig makes from the seed. Who has the seed has the key.
    pub fn initWithSeed(allocator: Allocator, lifetime: KeyLifetime, seed: xmss.Seed) !*GeneralizedXMSSSignatureScheme {
        const self = try allocator.create(GeneralizedXMSSSignatureScheme);
        self.* = .{ .lifetime = lifetime, .allocator = allocator, .seed = .{ .given = seed } };
        return self;
    }

    pub fn deinit(self: *GeneralizedXMSSSignatureScheme) void {
        self.forgetSeed();
        self.allocator.destroy(self);
    }

    /// Makes a key for `num_active_epochs` epochs from `activation_epoch` on, rounded outwards to bottom trees.
    pub fn keyGen(self: *GeneralizedXMSSSignatureScheme, activation_epoch: usize, num_active_epochs: usize) !KeyGenResult {
        const set, const options: xmss.Options = .{ self.lifetime.parameterSet(), .{ .threads = self.threads } };
        var key = switch (self.seed) {
            .from_the_system => try xmss.SigningKey.generate(set, activation_epoch, num_active_epochs, options),
            .given => |*seed| try xmss.SigningKey.fromSeed(set, seed, activation_epoch, num_active_epochs, options),
            .used => return error.SeedUsed,
        };
        errdefer key.deinit();
        const public_key = GeneralizedXMSSPublicKey.of(&key.verifyingKey());
        const secret_key = try GeneralizedXMSSSecretKey.create(self.allocator, key, public_key.parameter);
        self.forgetSeed();
        return .{ .public_key = public_key, .secret_key = secret_key };
    }

    /// Signs `message` at `epoch`. The caller ends the signature with its `deinit`.
    pub fn sign(
        self: *GeneralizedXMSSSignatureScheme,
        secret_key: *GeneralizedXMSSSecretKey,
        epoch: u32,
        message: xmss.Message,
    ) !*GeneralizedXMSSSignature {
        return GeneralizedXMSSSignature.create(self.allocator, try secret_key.key.sign(epoch, &message));
    }

    /// Whether the key signed `message` at `epoch`. Key and signature of another lifetime did not.
    pub fn verify(
        self: *GeneralizedXMSSSignatureScheme,
        public_key: *const GeneralizedXMSSPublicKey,
        epoch: u32,
        message: xmss.Message,
        signature: *const GeneralizedXMSSSignature,
    ) !bool {
        const set = self.lifetime.parameterSet();
        const key = public_key.keyOf(set) catch |err| switch (err) {
            error.Malformed => return false,
            else => |other| return other,
        };
        key.verify(epoch, &message, &signature.signature) catch |err| switch (err) {
            error.InvalidSignature => return false,
            else => |other| return other,
        };
        return true;
    }

    fn forgetSeed(self: *GeneralizedXMSSSignatureScheme) void {
        switch (self.seed) {
            .given => |*seed| {
                std.crypto.secureZero(u8, seed);
                self.seed = .used;
            },
            else => {},
        }
    }
};
