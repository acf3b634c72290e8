//! Ed25519 (RFC 8032) in the shape of `std.crypto.sign.Ed25519`, whose types it speaks: keys and signatures of the standard
//! library go in and come out.
//!
//! Which signatures are accepted at the edges where implementations differ is a value, `Profile`, and never depends on the
//! number of signatures. Functions that take none use `strict`; programs that must agree with the standard library say
//! `zig_std`. Nothing here starts a thread unless an argument says how many.

const std = @import("std");
const status = @import("status.zig");
const pool = @import("pool.zig");
const Field = @import("records.zig").Field;
const c = status.c;
const Allocator = std.mem.Allocator;

pub const KeyPair = std.crypto.sign.Ed25519.KeyPair;
pub const PublicKey = std.crypto.sign.Ed25519.PublicKey;
pub const Signature = std.crypto.sign.Ed25519.Signature;
pub const BatchElement = std.crypto.sign.Ed25519.BatchElement;
/// The private key of RFC 8032.
pub const Seed = [c.PHALANX_ED25519_SEED_BYTES]u8;
/// What Ed25519ph signs: the SHA-512 of a message.
pub const Digest = [c.PHALANX_ED25519_DIGEST_BYTES]u8;

pub const VerifyError = error{ InvalidSignature, Internal };

/// Which signatures are accepted at the edges.
pub const Profile = enum(u32) {
    /// The default: no point of small order, no second encoding of R.
    strict = c.PHALANX_ED25519_PROFILE_STRICT,
    /// ZIP 215: single, many and batch verification agree by design.
    zip215 = c.PHALANX_ED25519_PROFILE_ZIP215,
    /// RFC 8032 with the cofactored equation and canonical encodings.
    rfc8032 = c.PHALANX_ED25519_PROFILE_RFC8032,
    /// The equation without cofactor, as most libraries check it.
    cofactorless = c.PHALANX_ED25519_PROFILE_COFACTORLESS,
    /// What the Zig standard library accepts.
    zig_std = c.PHALANX_ED25519_PROFILE_ZIG_STD,

    /// The name, such as "zig-std".
    pub fn name(profile: Profile) [:0]const u8 {
        return std.mem.span(c.phalanx_ed25519_profile_name(@intFromEnum(profile)));
    }

    /// The profile called `wanted`.
    pub fn fromName(wanted: []const u8) ?Profile {
        return for (std.enums.values(Profile)) |profile| {
            if (std.mem.eql(u8, profile.name(), wanted)) break profile;
        } else null;
    }

    /// Whether one equation may stand for many signatures: then batches are faster than many.
    pub fn isBatchConsistent(profile: Profile) bool {
        return c.phalanx_ed25519_profile_is_batch_consistent(@intFromEnum(profile));
    }
};

// ---- as the standard library has it ----

/// Signs `message`. Deterministic, as `KeyPair.sign(message, null)`. To sign often, make a `SigningKey` of the pair once:
/// here half of the time goes into checking that its halves belong together.
pub fn sign(message: []const u8, key_pair: KeyPair) error{ KeyMismatch, Internal }!Signature {
    var key = try SigningKey.fromKeyPair(key_pair);
    defer key.deinit();
    return key.sign(message);
}

/// Verifies `signature` under the profile `strict`.
pub fn verify(signature: Signature, message: []const u8, public_key: PublicKey) VerifyError!void {
    return verifyWith(.strict, signature, message, public_key);
}

/// Verifies `signature` under `profile`.
pub fn verifyWith(profile: Profile, signature: Signature, message: []const u8, public_key: PublicKey) VerifyError!void {
    return verifyBytes(profile, &public_key.bytes, message, &signature.toBytes());
}

/// Verifies a batch under the profile `strict`: whether all of it holds. `BatchVerifier` says which do not.
pub fn verifyBatch(comptime count: usize, signature_batch: [count]BatchElement) VerifyError!void {
    return verifyBatchWith(.strict, count, signature_batch);
}

/// Verifies a batch under `profile`: whether all of it holds.
pub fn verifyBatchWith(profile: Profile, comptime count: usize, signature_batch: [count]BatchElement) VerifyError!void {
    var signatures: [count][Signature.encoded_length]u8 = undefined;
    var claims: [count]c.phalanx_ed25519_claim = undefined;
    for (&claims, &signatures, &signature_batch) |*claim, *signature, *element| {
        signature.* = element.sig.toBytes();
        claim.* = raw(.{ .public_key = &element.public_key.bytes, .message = element.msg, .signature = signature });
    }
    return status.check(
        VerifyError,
        c.phalanx_ed25519_verify_batch(@intFromEnum(profile), &claims, claims.len, 1),
    );
}

/// Collects signatures and verifies them together. What is added is pointed at, not copied: it lives until `verify` is done.
pub const BatchVerifier = struct {
    profile: Profile = .strict,
    /// How many threads may work, the calling one included.
    threads: u32 = 1,
    entries: std.MultiArrayList(Entry) = .{},

    const Entry = struct {
        /// Its claim points at `public_key.bytes`, and at a signature written beside it by `verify`.
        claim: c.phalanx_ed25519_claim,
        source: *const Signature,
        signature: [Signature.encoded_length]u8,
        verdict: status.Status,
        result: c_int,
    };

    /// Forgets all entries and frees their list.
    pub fn deinit(self: *BatchVerifier, allocator: Allocator) void {
        self.entries.deinit(allocator);
    }

    /// Appends a signature with what it claims.
    pub fn add(self: *BatchVerifier, allocator: Allocator, entry: struct {
        public_key: *const PublicKey,
        signature: *const Signature,
        message: []const u8,
    }) error{OutOfMemory}!void {
        try self.entries.append(allocator, .{
            .claim = raw(.{ .public_key = &entry.public_key.bytes, .message = entry.message, .signature = &.{} }),
            .source = entry.signature,
            .signature = undefined,
            .verdict = undefined,
            .result = 0,
        });
    }

    /// Verifies all entries, and gives a 1 for each. If one does not verify, this is `error.InvalidSignature`, and
    /// `results` says which.
    pub fn verify(self: *BatchVerifier) VerifyError![]const c_int {
        const entries = self.entries.slice();
        const claims = entries.items(.claim);
        for (claims, entries.items(.source), entries.items(.signature)) |*claim, source, *signature| {
            signature.* = source.toBytes();
            claim.signature = signature;
            claim.signature_len = signature.len;
        }
        const profile = @intFromEnum(self.profile);
        if (self.profile.isBatchConsistent() and
            c.phalanx_ed25519_verify_batch(profile, claims.ptr, claims.len, self.threads) == c.PHALANX_OK)
        {
            @memset(entries.items(.result), 1);
            return entries.items(.result);
        }
        const verdicts = entries.items(.verdict);
        const all = c.phalanx_ed25519_verify_many(verdicts.ptr, profile, claims.ptr, claims.len, self.threads);
        if (all != c.PHALANX_OK and all != c.PHALANX_ERROR_INVALID_SIGNATURE) {
            @memset(entries.items(.result), 0);
            return error.Internal;
        }
        for (entries.items(.result), verdicts) |*result, verdict| result.* = @intFromBool(verdict == c.PHALANX_OK);
        try status.check(VerifyError, all);
        return entries.items(.result);
    }

    /// What the last `verify` found, in the order of adding: 1 for each entry that verifies, 0 for each that does not or
    /// was added since.
    pub fn results(self: *const BatchVerifier) []const c_int {
        return self.entries.items(.result);
    }
};

// ---- signing ----

/// A secret key with the public key that belongs to it. The object lives in the library; `deinit` wipes it.
pub const SigningKey = struct {
    handle: *c.phalanx_ed25519_signing_key,

    /// From the system's randomness.
    pub fn generate() error{ RngFailed, Internal }!SigningKey {
        var handle: ?*c.phalanx_ed25519_signing_key = null;
        try status.check(error{ RngFailed, Internal }, c.phalanx_ed25519_signing_key_generate(&handle));
        return .{ .handle = handle.? };
    }

    /// The key of a seed.
    pub fn fromSeed(from: *const Seed) SigningKey {
        var handle: ?*c.phalanx_ed25519_signing_key = null;
        status.must(c.phalanx_ed25519_signing_key_from_seed(&handle, from));
        return .{ .handle = handle.? };
    }

    /// The key of a pair of the standard library, whose halves have to belong together.
    pub fn fromKeyPair(pair: KeyPair) error{ KeyMismatch, Internal }!SigningKey {
        if (!std.mem.eql(u8, &pair.secret_key.publicKeyBytes(), &pair.public_key.bytes)) return error.KeyMismatch;
        var handle: ?*c.phalanx_ed25519_signing_key = null;
        try status.check(
            error{ KeyMismatch, Internal },
            c.phalanx_ed25519_signing_key_from_keypair(&handle, &pair.secret_key.bytes),
        );
        return .{ .handle = handle.? };
    }

    /// Reads a key file. A public key inside must belong to the secret one. Encrypted files: see `open`.
    pub fn fromBytes(format: KeyFormat, file: []const u8) KeyFileError!SigningKey {
        var handle: ?*c.phalanx_ed25519_signing_key = null;
        try status.check(
            KeyFileError,
            c.phalanx_ed25519_signing_key_from_bytes(&handle, @intFromEnum(format), file.ptr, file.len),
        );
        return .{ .handle = handle.? };
    }

    /// Reads a key file, whatever its form, minisign's and keystores too, and opens it if it is encrypted; "" is no password.
    pub fn open(file: []const u8, password: []const u8) OpenError!SigningKey {
        var handle: ?*c.phalanx_ed25519_signing_key = null;
        try status.check(
            OpenError,
            c.phalanx_ed25519_signing_key_open(&handle, file.ptr, file.len, password.ptr, password.len),
        );
        return .{ .handle = handle.? };
    }

    /// Wipes the key and frees what it holds.
    pub fn deinit(key: *SigningKey) void {
        c.phalanx_ed25519_signing_key_free(key.handle);
        key.* = undefined;
    }

    /// The key as a file in `format`. The caller wipes (`std.crypto.secureZero`) and frees it.
    pub fn toBytes(key: SigningKey, allocator: Allocator, format: KeyFormat) error{ OutOfMemory, InvalidArgument, Internal }![]u8 {
        var len: usize = 0;
        const number = @intFromEnum(format);
        const asked = c.phalanx_ed25519_signing_key_to_bytes(key.handle, null, 0, &len, number);
        if (asked != c.PHALANX_ERROR_BUFFER_TOO_SMALL) try status.check(error{ InvalidArgument, Internal }, asked);
        const file = try allocator.alloc(u8, len);
        errdefer allocator.free(file);
        try status.check(
            error{ InvalidArgument, Internal },
            c.phalanx_ed25519_signing_key_to_bytes(key.handle, file.ptr, file.len, &len, number),
        );
        return file;
    }

    /// Writes the seed. The caller wipes it.
    pub fn seed(key: SigningKey, out: *Seed) void {
        status.must(c.phalanx_ed25519_signing_key_seed(key.handle, out));
    }

    /// The public key.
    pub fn publicKey(key: SigningKey) PublicKey {
        var public_key: PublicKey = undefined;
        status.must(
            c.phalanx_ed25519_signing_key_verifying_key(key.handle, &public_key.bytes),
        );
        return public_key;
    }

    /// Signs `message`; deterministic.
    pub fn sign(key: SigningKey, message: []const u8) Signature {
        var bytes: [Signature.encoded_length]u8 = undefined;
        status.must(c.phalanx_ed25519_sign(key.handle, &bytes, message.ptr, message.len));
        return Signature.fromBytes(bytes);
    }

    /// As `sign`, with noise hashed in, as `KeyPair.sign(message, noise)` does it.
    pub fn signWithNoise(key: SigningKey, message: []const u8, noise: *const [32]u8) Signature {
        var bytes: [Signature.encoded_length]u8 = undefined;
        status.must(c.phalanx_ed25519_sign_with_noise(key.handle, &bytes, message.ptr, message.len, noise));
        return Signature.fromBytes(bytes);
    }

    /// As `sign`, and verifies the signature before it is released, against faults in the machine.
    pub fn signChecked(key: SigningKey, message: []const u8) error{ SelfCheckFailed, Internal }!Signature {
        const input = .{ message.ptr, message.len };
        return finish(error{ SelfCheckFailed, Internal }, c.phalanx_ed25519_sign_checked, .{key.handle}, input);
    }

    /// Ed25519ctx; the context has 1 to 255 bytes.
    pub fn signCtx(key: SigningKey, message: []const u8, context: []const u8) ContextError!Signature {
        const input = .{ message.ptr, message.len, context.ptr, context.len };
        return finish(ContextError, c.phalanx_ed25519_sign_ctx, .{key.handle}, input);
    }

    /// Ed25519ph; the context has 0 to 255 bytes.
    pub fn signPh(key: SigningKey, message: []const u8, context: []const u8) ContextError!Signature {
        const input = .{ message.ptr, message.len, context.ptr, context.len };
        return finish(ContextError, c.phalanx_ed25519_sign_ph, .{key.handle}, input);
    }

    /// As `signPh`, of a message whose SHA-512 is `digest`.
    pub fn signPrehashed(key: SigningKey, digest: *const Digest, context: []const u8) ContextError!Signature {
        const input = .{ digest, context.ptr, context.len };
        return finish(ContextError, c.phalanx_ed25519_sign_prehashed, .{key.handle}, input);
    }

    fn finish(comptime E: type, comptime function: anytype, key: anytype, input: anytype) E!Signature {
        var bytes: [Signature.encoded_length]u8 = undefined;
        try status.check(E, @call(.auto, function, key ++ .{&bytes} ++ input));
        return Signature.fromBytes(bytes);
    }
};

pub const ContextError = error{ ContextTooLong, ContextEmpty, Internal };

/// Writes to `signatures[i]` what `keys[i]` signs of `messages[i]`: what `SigningKey.sign` gives, side by side in lanes and
/// on `workers`: a number of threads, 0 for all cores, or a `Pool`.
pub fn signMany(
    allocator: Allocator,
    signatures: []Signature,
    keys: []const SigningKey,
    messages: []const []const u8,
    workers: anytype,
) error{ OutOfMemory, InvalidLength, Internal }!void {
    if (keys.len != messages.len or keys.len != signatures.len) return error.InvalidLength;
    const handles = try allocator.alloc(?*const c.phalanx_ed25519_signing_key, keys.len);
    defer allocator.free(handles);
    for (handles, keys) |*handle, key| handle.* = key.handle;
    const inputs = try allocator.alloc(c.phalanx_bytes, keys.len);
    defer allocator.free(inputs);
    for (inputs, messages) |*input, message| input.* = .{ .data = message.ptr, .len = message.len };
    const signed = try allocator.alloc([Signature.encoded_length]u8, keys.len);
    defer allocator.free(signed);
    const out: [*]u8 = @ptrCast(signed.ptr);
    const answer = pool.call("phalanx_ed25519_sign_many", workers, .{ out, handles.ptr, inputs.ptr, keys.len });
    try status.check(error{Internal}, answer);
    for (signatures, signed) |*signature, bytes| signature.* = Signature.fromBytes(bytes);
}

// ---- verifying ----

/// A signature with what it claims, as bytes: keys of other than 32 and signatures of other than 64 bytes do not verify.
pub const Claim = struct {
    public_key: []const u8,
    message: []const u8,
    signature: []const u8,
};

/// Why a signature does not verify: the first check of the profile that fails, in this order.
pub const Reason = enum(u32) {
    none = c.PHALANX_ED25519_REASON_NONE,
    invalid_length = c.PHALANX_ED25519_REASON_INVALID_LENGTH,
    non_canonical_s = c.PHALANX_ED25519_REASON_NON_CANONICAL_S,
    invalid_public_key = c.PHALANX_ED25519_REASON_INVALID_PUBLIC_KEY,
    invalid_r = c.PHALANX_ED25519_REASON_INVALID_R,
    non_canonical_point = c.PHALANX_ED25519_REASON_NON_CANONICAL_POINT,
    weak_public_key = c.PHALANX_ED25519_REASON_WEAK_PUBLIC_KEY,
    weak_r = c.PHALANX_ED25519_REASON_WEAK_R,
    equation_failed = c.PHALANX_ED25519_REASON_EQUATION_FAILED,

    /// The sentence, such as "S is not below the group order".
    pub fn sentence(reason: Reason) [:0]const u8 {
        return std.mem.span(c.phalanx_ed25519_reason_string(@intFromEnum(reason)));
    }
};

/// Verifies a signature from bytes.
pub fn verifyBytes(profile: Profile, public_key: []const u8, message: []const u8, signature: []const u8) VerifyError!void {
    return status.check(VerifyError, c.phalanx_ed25519_verify(
        @intFromEnum(profile),
        public_key.ptr,
        public_key.len,
        message.ptr,
        message.len,
        signature.ptr,
        signature.len,
    ));
}

/// As `verifyBytes`, with the reason; `.none` if it verifies.
pub fn explain(profile: Profile, public_key: []const u8, message: []const u8, signature: []const u8) Reason {
    var reason: u32 = undefined;
    const answer = c.phalanx_ed25519_explain(
        &reason,
        @intFromEnum(profile),
        public_key.ptr,
        public_key.len,
        message.ptr,
        message.len,
        signature.ptr,
        signature.len,
    );
    if (answer != c.PHALANX_ERROR_INVALID_SIGNATURE) status.must(answer);
    return @enumFromInt(reason);
}

/// Verifies an Ed25519ctx signature.
pub fn verifyCtx(profile: Profile, signature: Signature, message: []const u8, context: []const u8, public_key: PublicKey) VerifyError!void {
    return verifyInContext(c.phalanx_ed25519_verify_ctx, profile, signature, .{ message.ptr, message.len }, context, public_key);
}

/// Verifies an Ed25519ph signature.
pub fn verifyPh(profile: Profile, signature: Signature, message: []const u8, context: []const u8, public_key: PublicKey) VerifyError!void {
    return verifyInContext(c.phalanx_ed25519_verify_ph, profile, signature, .{ message.ptr, message.len }, context, public_key);
}

/// As `verifyPh`, of a message whose SHA-512 is `digest`.
pub fn verifyPrehashed(profile: Profile, signature: Signature, digest: *const Digest, context: []const u8, public_key: PublicKey) VerifyError!void {
    return verifyInContext(c.phalanx_ed25519_verify_prehashed, profile, signature, .{digest}, context, public_key);
}

fn verifyInContext(
    comptime function: anytype,
    profile: Profile,
    signature: Signature,
    message: anytype,
    context: []const u8,
    public_key: PublicKey,
) VerifyError!void {
    const bytes = signature.toBytes();
    const key = .{ @intFromEnum(profile), &public_key.bytes, public_key.bytes.len };
    return status.check(
        VerifyError,
        @call(.auto, function, key ++ message ++ .{ context.ptr, context.len, &bytes, bytes.len }),
    );
}

/// Writes a result for every claim, in order: what `verifyBytes` says about it. Side by side in lanes, and on `workers`:
/// a number of threads, 0 for all cores, or a `Pool`. `results` is as long as `claims`.
pub fn verifyMany(
    allocator: Allocator,
    profile: Profile,
    results: []bool,
    claims: []const Claim,
    workers: anytype,
) error{ OutOfMemory, InvalidLength, Internal }!void {
    if (results.len != claims.len) return error.InvalidLength;
    const theirs = try allocator.alloc(c.phalanx_ed25519_claim, claims.len);
    defer allocator.free(theirs);
    for (theirs, claims) |*out, claim| out.* = raw(claim);
    const answers = try allocator.alloc(status.Status, claims.len);
    defer allocator.free(answers);
    const input = .{ answers.ptr, @intFromEnum(profile), theirs.ptr, theirs.len };
    const all = pool.call("phalanx_ed25519_verify_many", workers, input);
    if (all != c.PHALANX_ERROR_INVALID_SIGNATURE) try status.check(error{Internal}, all);
    for (results, answers) |*result, answer| result.* = answer == c.PHALANX_OK;
}

/// Packed records: the fields of all of them.
pub const Records = struct {
    /// 32 bytes each.
    public_keys: Field,
    messages: Field,
    /// 64 bytes each.
    signatures: Field,
};

/// As `verifyMany`, of as many packed records as there are `results`; nothing is copied. `InvalidLength`: a key of other than
/// 32 bytes, a signature of other than 64, or a field that ends before its last record.
pub fn verifyRecords(
    allocator: Allocator,
    profile: Profile,
    results: []bool,
    records: Records,
    workers: anytype,
) error{ OutOfMemory, InvalidLength, Internal }!void {
    const count = results.len;
    if (records.public_keys.len != PublicKey.encoded_length) return error.InvalidLength;
    if (records.signatures.len != Signature.encoded_length) return error.InvalidLength;
    for ([_]Field{ records.public_keys, records.messages, records.signatures }) |field| {
        if (!field.holds(count)) return error.InvalidLength;
    }
    const answers = try allocator.alloc(status.Status, count);
    defer allocator.free(answers);
    const theirs = c.phalanx_ed25519_records{
        .verifying_keys = records.public_keys.bytes.ptr,
        .verifying_key_stride = records.public_keys.stride,
        .messages = records.messages.bytes.ptr,
        .message_len = records.messages.len,
        .message_stride = records.messages.stride,
        .signatures = records.signatures.bytes.ptr,
        .signature_stride = records.signatures.stride,
    };
    const input = .{ answers.ptr, @intFromEnum(profile), &theirs, count };
    const all = pool.call("phalanx_ed25519_verify_records", workers, input);
    if (all != c.PHALANX_ERROR_INVALID_SIGNATURE) try status.check(error{Internal}, all);
    for (results, answers) |*result, answer| result.* = answer == c.PHALANX_OK;
}

/// Whether all claims hold: one answer, on `workers`: a number of threads, 0 for all cores, or a `Pool`.
pub fn verifyAll(
    allocator: Allocator,
    profile: Profile,
    claims: []const Claim,
    workers: anytype,
) (VerifyError || error{OutOfMemory})!void {
    const theirs = try allocator.alloc(c.phalanx_ed25519_claim, claims.len);
    defer allocator.free(theirs);
    for (theirs, claims) |*out, claim| out.* = raw(claim);
    const input = .{ @intFromEnum(profile), theirs.ptr, theirs.len };
    return status.check(VerifyError, pool.call("phalanx_ed25519_verify_batch", workers, input));
}

fn raw(claim: Claim) c.phalanx_ed25519_claim {
    return .{
        .verifying_key = claim.public_key.ptr,
        .verifying_key_len = claim.public_key.len,
        .message = claim.message.ptr,
        .message_len = claim.message.len,
        .signature = claim.signature.ptr,
        .signature_len = claim.signature.len,
    };
}

/// A public key with tables of its multiples: each verification takes about half the time, with the same answers.
pub const PreparedKey = struct {
    handle: *c.phalanx_ed25519_prepared_key,

    /// Prepares a key; takes about as long as four verifications.
    pub fn init(public_key: PublicKey) error{ InvalidPublicKey, Internal }!PreparedKey {
        var handle: ?*c.phalanx_ed25519_prepared_key = null;
        try status.check(
            error{ InvalidPublicKey, Internal },
            c.phalanx_ed25519_prepared_key_new(&handle, &public_key.bytes, public_key.bytes.len),
        );
        return .{ .handle = handle.? };
    }

    pub fn deinit(key: *PreparedKey) void {
        c.phalanx_ed25519_prepared_key_free(key.handle);
        key.* = undefined;
    }

    /// As `verifyWith`.
    pub fn verify(key: PreparedKey, profile: Profile, signature: Signature, message: []const u8) VerifyError!void {
        const bytes = signature.toBytes();
        return status.check(VerifyError, c.phalanx_ed25519_prepared_key_verify(
            key.handle,
            @intFromEnum(profile),
            message.ptr,
            message.len,
            &bytes,
            bytes.len,
        ));
    }
};

// ---- key files ----

/// What a key file can be. Signing keys: all but `spki_*`; public keys: all but `keypair` and `pkcs8_*`.
pub const KeyFormat = enum(u32) {
    /// 32 bytes: a seed or a public key; they look alike.
    raw = c.PHALANX_ED25519_KEY_FORMAT_RAW,
    /// 64 bytes: the seed, then the public key.
    keypair = c.PHALANX_ED25519_KEY_FORMAT_KEYPAIR,
    /// 64 hex digits.
    hex = c.PHALANX_ED25519_KEY_FORMAT_HEX,
    pkcs8_der = c.PHALANX_ED25519_KEY_FORMAT_PKCS8_DER,
    pkcs8_pem = c.PHALANX_ED25519_KEY_FORMAT_PKCS8_PEM,
    spki_der = c.PHALANX_ED25519_KEY_FORMAT_SPKI_DER,
    spki_pem = c.PHALANX_ED25519_KEY_FORMAT_SPKI_PEM,
    /// OpenSSH's unencrypted private file, or its public line.
    openssh = c.PHALANX_ED25519_KEY_FORMAT_OPENSSH,
    /// A JSON Web Key.
    jwk = c.PHALANX_ED25519_KEY_FORMAT_JWK,

    /// What `file` looks like.
    pub fn detect(file: []const u8) error{ InvalidKeyFormat, Internal }!KeyFormat {
        var format: u32 = undefined;
        try status.check(
            error{ InvalidKeyFormat, Internal },
            c.phalanx_ed25519_key_format_detect(&format, file.ptr, file.len),
        );
        return @enumFromInt(format);
    }
};

pub const KeyFileError = error{
    InvalidArgument,
    InvalidLength,
    InvalidPublicKey,
    KeyMismatch,
    InvalidKeyFormat,
    EncryptedKey,
    Internal,
};

/// Of files under a password, beside what is wrong with others.
pub const OpenError = KeyFileError || error{
    WrongPassword,
    KeystoreMalformed,
    KeystoreUnsupported,
    KeystoreScheme,
    KeystoreKdfBounds,
    KeystoreWeakKdf,
    KeystoreDamaged,
    KeystoreHeaderChanged,
    KeystoreKeyMismatch,
    InvalidArgument,
    Unavailable,
};

/// Reads a public key from a file's bytes.
pub fn publicKeyFromBytes(format: KeyFormat, file: []const u8) KeyFileError!PublicKey {
    var public_key: PublicKey = undefined;
    try status.check(KeyFileError, c.phalanx_ed25519_verifying_key_from_bytes(
        &public_key.bytes,
        @intFromEnum(format),
        file.ptr,
        file.len,
    ));
    return public_key;
}

/// The public key as a file in `format`; the caller frees it.
pub fn publicKeyToBytes(
    allocator: Allocator,
    public_key: PublicKey,
    format: KeyFormat,
) (KeyFileError || error{OutOfMemory})![]u8 {
    var len: usize = 0;
    const number = @intFromEnum(format);
    const asked = c.phalanx_ed25519_verifying_key_to_bytes(null, 0, &len, number, &public_key.bytes);
    if (asked != c.PHALANX_ERROR_BUFFER_TOO_SMALL) try status.check(KeyFileError, asked);
    const file = try allocator.alloc(u8, len);
    errdefer allocator.free(file);
    try status.check(
        KeyFileError,
        c.phalanx_ed25519_verifying_key_to_bytes(file.ptr, file.len, &len, number, &public_key.bytes),
    );
    return file;
}
