//! Generalized XMSS: hash-based signatures, byte-compatible with leanSig, and the generation after it, over BLAKE2s.
//!
//! A key signs once per *epoch*, for the epochs of its activation interval. Keys and signatures know their parameter set.
//! Nothing here starts a thread unless an argument says how many.

const std = @import("std");
const status = @import("status.zig");
const pool = @import("pool.zig");
const Field = @import("records.zig").Field;
const c = status.c;
const Allocator = std.mem.Allocator;

/// A named, versioned choice of hash functions, chains and lifetime.
pub const ParameterSet = enum(u32) {
    /// leanSig of 2025-11, lifetime 2^8, 64 chains of base 8.
    poseidon2_l8_d64b8 = c.PHALANX_XMSS_POSEIDON2_L8_D64B8,
    /// leanSig of 2025-11, lifetime 2^18, 64 chains of base 8.
    poseidon2_l18_d64b8 = c.PHALANX_XMSS_POSEIDON2_L18_D64B8,
    /// leanSig of 2025-11, lifetime 2^32, 64 chains of base 8.
    poseidon2_l32_d64b8 = c.PHALANX_XMSS_POSEIDON2_L32_D64B8,
    /// leanSig of 2025-11, lifetime 2^32, 48 chains of base 10.
    poseidon2_l32_d48b10 = c.PHALANX_XMSS_POSEIDON2_L32_D48B10,
    /// leanSig of 2025-11, lifetime 2^32, 32 chains of base 26.
    poseidon2_l32_d32b26 = c.PHALANX_XMSS_POSEIDON2_L32_D32B26,
    /// leanSig of 2026-04 (devnet 4), lifetime 2^32, 46 chains of base 8.
    poseidon1_l32_d46b8 = c.PHALANX_XMSS_POSEIDON1_L32_D46B8,
    /// Four chains, **no security**: for tests.
    poseidon1_l8_d4b8_test = c.PHALANX_XMSS_POSEIDON1_L8_D4B8_TEST,
    /// Over BLAKE2s, what lean clients have run since the middle of 2026, lifetime 2^32, 42 chains of base 8. Keys have
    /// exactly the epochs asked for.
    blake2s_l32_d42b8 = c.PHALANX_XMSS_BLAKE2S_L32_D42B8,
    /// Its definition of August 2026, for verification only.
    blake2s_a_l32_d42b8 = c.PHALANX_XMSS_BLAKE2S_A_L32_D42B8,

    /// The name that stands in files, such as "xmss-poseidon2-l32-d64b8".
    pub fn name(set: ParameterSet) [:0]const u8 {
        return std.mem.span(c.phalanx_xmss_parameter_set_name(@intFromEnum(set)));
    }

    /// The set called `wanted`.
    pub fn fromName(wanted: []const u8) ?ParameterSet {
        return for (std.enums.values(ParameterSet)) |set| {
            if (std.mem.eql(u8, set.name(), wanted)) break set;
        } else null;
    }

    /// Number of epochs that a key could have.
    pub fn lifetime(set: ParameterSet) u64 {
        return c.phalanx_xmss_lifetime(@intFromEnum(set));
    }

    /// Epochs of a bottom tree, the unit in which keys are computed and move on: activation intervals are rounded
    /// outwards to it, and the prepared interval is two of them. 0 for the sets over BLAKE2s, where it depends on the key.
    pub fn treeEpochs(set: ParameterSet) u64 {
        return c.phalanx_xmss_tree_epochs(@intFromEnum(set));
    }

    /// Whether keys of the set are made and sign. Else the set is for verification only.
    pub fn signs(set: ParameterSet) bool {
        return c.phalanx_xmss_signs(@intFromEnum(set));
    }

    /// Whether verifying keys and signatures of the set have `format`; those over BLAKE2s have no JSON and no padding.
    pub fn hasFormat(set: ParameterSet, format: Format) bool {
        return c.phalanx_xmss_signature_size(@intFromEnum(set), @intFromEnum(format)) != 0;
    }

    /// Whether signatures under the set can be forged: it exists for tests only.
    pub fn isInsecure(set: ParameterSet) bool {
        return c.phalanx_xmss_is_insecure(@intFromEnum(set));
    }
};

/// An encoding of keys and signatures. Nothing in the bytes says which one they are in.
pub const Format = enum(u32) {
    /// As the consensus layer speaks it.
    ssz = c.PHALANX_XMSS_FORMAT_SSZ,
    /// Integers of fixed width, as bincode 1.3 writes them.
    bincode = c.PHALANX_XMSS_FORMAT_BINCODE,
    /// Integers of variable width, as bincode 2 writes them by default.
    bincode2 = c.PHALANX_XMSS_FORMAT_BINCODE2,
    /// As serde writes leanSig's types.
    json = c.PHALANX_XMSS_FORMAT_JSON,
    /// `bincode`, with signatures of any set followed by zeros up to 3116 bytes, as hash-zig's cross-language tool does.
    bincode_padded = c.PHALANX_XMSS_FORMAT_BINCODE_PADDED,

    /// The name, such as "bincode-padded".
    pub fn name(format: Format) [:0]const u8 {
        return std.mem.span(c.phalanx_xmss_format_name(@intFromEnum(format)));
    }

    /// The format called `wanted`.
    pub fn fromName(wanted: []const u8) ?Format {
        return for (std.enums.values(Format)) |format| {
            if (std.mem.eql(u8, format.name(), wanted)) break format;
        } else null;
    }
};

/// Bytes that are not what they should be, or a format that keys or signatures of the set do not have.
pub const DecodeError = error{ Malformed, NoEncoding, Internal };
/// A format that keys or signatures of the set do not have.
pub const EncodeError = error{ OutOfMemory, NoEncoding, Internal };

/// A message; longer ones are hashed by the caller.
pub const Message = [c.PHALANX_XMSS_MESSAGE_BYTES]u8;
/// What a key can be made from; who has it has the key.
pub const Seed = [c.PHALANX_XMSS_SEED_BYTES]u8;
/// Epochs from `start` to before `end`.
pub const Epochs = struct { start: u64, end: u64 };

/// Is told how many leaves are done, of how many; answers whether to go on. Calls come from any of the threads that
/// compute, never two at the same time.
pub const Progress = struct {
    context: ?*anyopaque = null,
    report: *const fn (context: ?*anyopaque, leaves_done: u64, leaves_total: u64) bool,

    fn callback(context: ?*anyopaque, leaves_done: u64, leaves_total: u64) callconv(.c) c_int {
        const progress: *const Progress = @ptrCast(@alignCast(context.?));
        return if (progress.report(progress.context, leaves_done, leaves_total)) 0 else 1;
    }
};

/// How a long computation runs.
pub const Options = struct {
    /// How many threads may work, the calling one included.
    threads: u32 = 1,
    progress: ?*const Progress = null,

    fn callback(options: Options) c.phalanx_xmss_progress {
        return if (options.progress == null) null else Progress.callback;
    }

    fn context(options: Options) ?*anyopaque {
        return @constCast(options.progress);
    }
};

/// What verifies signatures.
pub const VerifyingKey = struct {
    set: ParameterSet,
    /// The key in SSZ; `bytes` gives as much of it as is used.
    buffer: [c.PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX]u8,

    /// The key of `set` that `encoded` holds in `format`.
    pub fn fromBytes(set: ParameterSet, format: Format, encoded: []const u8) DecodeError!VerifyingKey {
        var key: VerifyingKey = .{ .set = set, .buffer = undefined };
        var len: usize = undefined;
        try status.check(DecodeError, c.phalanx_xmss_verifying_key_convert(
            &key.buffer,
            key.buffer.len,
            &len,
            c.PHALANX_XMSS_FORMAT_SSZ,
            @intFromEnum(set),
            @intFromEnum(format),
            encoded.ptr,
            encoded.len,
        ));
        return key;
    }

    /// The key in SSZ.
    pub fn bytes(key: *const VerifyingKey) []const u8 {
        return key.buffer[0..c.phalanx_xmss_verifying_key_size(@intFromEnum(key.set), c.PHALANX_XMSS_FORMAT_SSZ)];
    }

    /// The key in `format`; the caller frees it.
    pub fn toBytes(key: *const VerifyingKey, allocator: Allocator, format: Format) EncodeError![]u8 {
        return convert(allocator, c.phalanx_xmss_verifying_key_convert, format, key.set, key.bytes());
    }

    /// Verifies that this key signed `message` at `epoch`.
    pub fn verify(
        key: *const VerifyingKey,
        epoch: u32,
        message: *const Message,
        signature: *const Signature,
    ) error{ InvalidSignature, Internal }!void {
        if (key.set != signature.set) return error.InvalidSignature;
        const answer = verifyBytes(key.set, .ssz, key.bytes(), epoch, message, signature.bytes());
        return answer catch |err| switch (err) {
            // Of the caller's making: its fields were written by hand.
            error.Malformed => error.InvalidSignature,
            // Every set has SSZ.
            error.NoEncoding => error.Internal,
            else => |other| other,
        };
    }
};

/// A signature under one parameter set. Whether it verifies is another question.
pub const Signature = struct {
    set: ParameterSet,
    /// The signature in SSZ; `bytes` gives as much of it as is used.
    buffer: [c.PHALANX_XMSS_SIGNATURE_BYTES_MAX]u8,

    /// The signature under `set` that `encoded` holds in `format`.
    pub fn fromBytes(set: ParameterSet, format: Format, encoded: []const u8) DecodeError!Signature {
        var signature: Signature = .{ .set = set, .buffer = undefined };
        var len: usize = undefined;
        try status.check(DecodeError, c.phalanx_xmss_signature_convert(
            &signature.buffer,
            signature.buffer.len,
            &len,
            c.PHALANX_XMSS_FORMAT_SSZ,
            @intFromEnum(set),
            @intFromEnum(format),
            encoded.ptr,
            encoded.len,
        ));
        return signature;
    }

    /// The signature in SSZ.
    pub fn bytes(signature: *const Signature) []const u8 {
        return signature.buffer[0..c.phalanx_xmss_signature_size(@intFromEnum(signature.set), c.PHALANX_XMSS_FORMAT_SSZ)];
    }

    /// The signature in `format`; the caller frees it.
    pub fn toBytes(signature: *const Signature, allocator: Allocator, format: Format) EncodeError![]u8 {
        return convert(allocator, c.phalanx_xmss_signature_convert, format, signature.set, signature.bytes());
    }
};

/// Verifies that the key signed `message` at `epoch`, from bytes: key and signature are of `set`, in `format`.
pub fn verifyBytes(
    set: ParameterSet,
    format: Format,
    verifying_key: []const u8,
    epoch: u32,
    message: *const Message,
    signature: []const u8,
) error{ InvalidSignature, Malformed, NoEncoding, Internal }!void {
    return status.check(error{ InvalidSignature, Malformed, NoEncoding, Internal }, c.phalanx_xmss_verify(
        @intFromEnum(set),
        @intFromEnum(format),
        verifying_key.ptr,
        verifying_key.len,
        epoch,
        message,
        signature.ptr,
        signature.len,
    ));
}

/// A signature with what it claims: that `key` signed `message` at `epoch`.
pub const Claim = struct {
    key: *const VerifyingKey,
    epoch: u32,
    message: *const Message,
    signature: *const Signature,
};

/// Writes a result for every claim, in order; the claims may be of different keys and parameter sets. Much faster per
/// signature than one at a time. `workers`: a number of threads, 0 for all cores, or a `Pool`. `results` is as long as `claims`.
pub fn verifyMany(
    allocator: Allocator,
    results: []bool,
    claims: []const Claim,
    workers: anytype,
) error{ OutOfMemory, InvalidLength, Internal }!void {
    if (results.len != claims.len) return error.InvalidLength;
    const theirs = try allocator.alloc(c.phalanx_xmss_claim, claims.len);
    defer allocator.free(theirs);
    for (theirs, claims) |*out, claim| {
        const key, const signature = .{ claim.key.bytes(), claim.signature.bytes() };
        out.* = .{
            .set = @intFromEnum(claim.key.set),
            .format = c.PHALANX_XMSS_FORMAT_SSZ,
            .verifying_key = key.ptr,
            .verifying_key_len = key.len,
            .message = claim.message,
            .signature = signature.ptr,
            .signature_len = signature.len,
            .epoch = claim.epoch,
        };
    }
    const answers = try allocator.alloc(status.Status, claims.len);
    defer allocator.free(answers);
    const all = pool.call("phalanx_xmss_verify_many", workers, .{ answers.ptr, theirs.ptr, theirs.len });
    if (all != c.PHALANX_ERROR_INVALID_SIGNATURE) try status.check(error{Internal}, all);
    for (results, answers, claims) |*result, answer, claim| {
        result.* = answer == c.PHALANX_OK and claim.key.set == claim.signature.set;
    }
}

/// Packed records of one parameter set and one format, whose lengths do not vary: the fields of all of them.
pub const Records = struct {
    verifying_keys: Field,
    /// Four bytes each, little-endian.
    epochs: Field,
    /// 32 bytes each.
    messages: Field,
    signatures: Field,
};

/// As `verifyMany`, of as many packed records as there are `results`. One key for all is read once. `InvalidLength`: an epoch of
/// other than 4 bytes, a message of other than 32, or a field that ends before its last record. Bytes that are no key or no
/// signature of `set` in `format` do not verify.
pub fn verifyRecords(
    allocator: Allocator,
    set: ParameterSet,
    format: Format,
    results: []bool,
    records: Records,
    workers: anytype,
) error{ OutOfMemory, InvalidLength, Internal }!void {
    const count = results.len;
    if (records.epochs.len != 4 or records.messages.len != @sizeOf(Message)) return error.InvalidLength;
    for ([_]Field{ records.verifying_keys, records.epochs, records.messages, records.signatures }) |field| {
        if (!field.holds(count)) return error.InvalidLength;
    }
    const answers = try allocator.alloc(status.Status, count);
    defer allocator.free(answers);
    const theirs = c.phalanx_xmss_records{
        .set = @intFromEnum(set),
        .format = @intFromEnum(format),
        .verifying_keys = records.verifying_keys.bytes.ptr,
        .verifying_key_len = records.verifying_keys.len,
        .verifying_key_stride = records.verifying_keys.stride,
        .epochs = records.epochs.bytes.ptr,
        .epoch_stride = records.epochs.stride,
        .messages = records.messages.bytes.ptr,
        .message_stride = records.messages.stride,
        .signatures = records.signatures.bytes.ptr,
        .signature_len = records.signatures.len,
        .signature_stride = records.signatures.stride,
    };
    const all = pool.call("phalanx_xmss_verify_records", workers, .{ answers.ptr, &theirs, count });
    if (all != c.PHALANX_ERROR_INVALID_SIGNATURE) try status.check(error{Internal}, all);
    for (results, answers) |*result, answer| result.* = answer == c.PHALANX_OK;
}

/// What signs: once per epoch, for the epochs of its activation interval. The object lives in the library; `deinit` wipes
/// its secret. Calls from several threads take turns.
pub const SigningKey = struct {
    handle: *c.phalanx_xmss_signing_key,

    pub const GenerateError = error{ Interval, VerificationOnly, RngFailed, Stopped, Internal };
    pub const SignError = error{
        NotActive,
        Exhausted,
        Passed,
        NotPrepared,
        EpochUsed,
        OtherInstance,
        Forked,
        EncodingAttempts,
        Malformed,
        Internal,
    };
    pub const AdvanceError = error{ Exhausted, Unfinished, WrongTree, Malformed, Internal };

    /// Makes a key from the system's randomness, for `active_epochs` epochs from `start_epoch` on, rounded outwards to
    /// bottom trees (at least two), or over BLAKE2s for exactly these. `error.VerificationOnly` for a set of which no keys
    /// are made.
    pub fn generate(set: ParameterSet, start_epoch: u64, active_epochs: u64, options: Options) GenerateError!SigningKey {
        var handle: ?*c.phalanx_xmss_signing_key = null;
        try status.check(GenerateError, c.phalanx_xmss_signing_key_generate(
            &handle,
            @intFromEnum(set),
            start_epoch,
            active_epochs,
            options.threads,
            options.callback(),
            options.context(),
        ));
        return .{ .handle = handle.? };
    }

    /// As `generate`, from a seed: the key that leanSig, or over BLAKE2s any implementation, makes from it.
    pub fn fromSeed(
        set: ParameterSet,
        seed: *const Seed,
        start_epoch: u64,
        active_epochs: u64,
        options: Options,
    ) GenerateError!SigningKey {
        var handle: ?*c.phalanx_xmss_signing_key = null;
        try status.check(GenerateError, c.phalanx_xmss_signing_key_from_seed(
            &handle,
            @intFromEnum(set),
            seed,
            start_epoch,
            active_epochs,
            options.threads,
            options.callback(),
            options.context(),
        ));
        return .{ .handle = handle.? };
    }

    /// The key of `set` that `encoded` holds in `format`, after checking everything that can be checked without computing
    /// its leaves again. What it has signed is not in the bytes: across processes, a `custody.GuardedKey` keeps an epoch
    /// from signing twice.
    pub fn fromBytes(set: ParameterSet, format: Format, encoded: []const u8) DecodeError!SigningKey {
        var handle: ?*c.phalanx_xmss_signing_key = null;
        try status.check(DecodeError, c.phalanx_xmss_signing_key_from_bytes(
            &handle,
            @intFromEnum(set),
            @intFromEnum(format),
            encoded.ptr,
            encoded.len,
        ));
        return .{ .handle = handle.? };
    }

    /// Wipes the key and frees what it holds.
    pub fn deinit(key: *SigningKey) void {
        c.phalanx_xmss_signing_key_free(key.handle);
        key.* = undefined;
    }

    /// The key in `format`, secret part included. The caller wipes (`std.crypto.secureZero`) and frees it; up to 8.4 MB
    /// for the sets of lifetime 2^32, in JSON some 23 MB.
    pub fn toBytes(key: SigningKey, allocator: Allocator, format: Format) EncodeError![]u8 {
        var len: usize = 0;
        var encoded: []u8 = &.{};
        while (true) {
            const answer = c.phalanx_xmss_signing_key_to_bytes(key.handle, encoded.ptr, encoded.len, &len, @intFromEnum(format));
            if (answer == c.PHALANX_OK and len == encoded.len) return encoded;
            // Another thread has moved the key on, and its JSON is shorter now.
            if (answer == c.PHALANX_OK) std.crypto.secureZero(u8, encoded);
            allocator.free(encoded);
            if (answer != c.PHALANX_ERROR_BUFFER_TOO_SMALL) try status.check(error{ NoEncoding, Internal }, answer);
            encoded = try allocator.alloc(u8, len);
        }
    }

    /// The key that verifies what this one signs.
    pub fn verifyingKey(key: SigningKey) VerifyingKey {
        var verifying_key: VerifyingKey = .{ .set = key.parameterSet(), .buffer = undefined };
        var len: usize = undefined;
        status.must(c.phalanx_xmss_signing_key_verifying_key(
            key.handle,
            &verifying_key.buffer,
            verifying_key.buffer.len,
            &len,
            c.PHALANX_XMSS_FORMAT_SSZ,
        ));
        return verifying_key;
    }

    /// The parameter set of the key.
    pub fn parameterSet(key: SigningKey) ParameterSet {
        var set: u32 = undefined;
        status.must(c.phalanx_xmss_signing_key_parameter_set(key.handle, &set));
        return @enumFromInt(set);
    }

    /// The epochs that the key can ever sign.
    pub fn activationInterval(key: SigningKey) Epochs {
        var epochs: Epochs = undefined;
        status.must(
            c.phalanx_xmss_signing_key_activation_interval(key.handle, &epochs.start, &epochs.end),
        );
        return epochs;
    }

    /// The epochs that the key can sign now, without computing a bottom tree.
    pub fn preparedInterval(key: SigningKey) Epochs {
        var epochs: Epochs = undefined;
        status.must(
            c.phalanx_xmss_signing_key_prepared_interval(key.handle, &epochs.start, &epochs.end),
        );
        return epochs;
    }

    /// Signs `message` at `epoch`. If the epoch lies after the prepared interval, the key moves on first, which computes
    /// a bottom tree or two. An epoch signs one message in the life of the process (for longer: `custody.GuardedKey`); the
    /// same one again gives the same signature.
    pub fn sign(key: SigningKey, epoch: u32, message: *const Message) SignError!Signature {
        return key.signBy(c.phalanx_xmss_sign, epoch, message);
    }

    /// As `sign`, but a key that would have to move on gives `error.NotPrepared`.
    pub fn signPrepared(key: SigningKey, epoch: u32, message: *const Message) SignError!Signature {
        return key.signBy(c.phalanx_xmss_sign_prepared, epoch, message);
    }

    fn signBy(key: SigningKey, comptime function: anytype, epoch: u32, message: *const Message) SignError!Signature {
        var signature: Signature = .{ .set = key.parameterSet(), .buffer = undefined };
        var len: usize = undefined;
        try status.check(SignError, function(
            key.handle,
            &signature.buffer,
            signature.buffer.len,
            &len,
            c.PHALANX_XMSS_FORMAT_SSZ,
            epoch,
            message,
        ));
        return signature;
    }

    /// Moves the prepared interval on by one bottom tree, which is computed now on `threads` threads.
    /// `error.Exhausted` at the end of the activation interval.
    pub fn advance(key: SigningKey, threads: u32) AdvanceError!void {
        return status.check(AdvanceError, c.phalanx_xmss_signing_key_advance(key.handle, threads));
    }

    /// The bottom tree by which the prepared interval moves on, to be computed beside the key that goes on signing: on
    /// another thread, say. `error.Exhausted` at the end of the activation interval.
    pub fn nextTree(key: SigningKey) error{ Exhausted, Internal }!NextTree {
        var handle: ?*c.phalanx_xmss_next_tree = null;
        try status.check(error{ Exhausted, Internal }, c.phalanx_xmss_signing_key_next_tree(key.handle, &handle));
        return .{ .handle = handle.? };
    }

    /// Moves the prepared interval on by a tree that was computed before. The tree is ended, also if this fails.
    pub fn advanceWith(key: SigningKey, tree: *NextTree) AdvanceError!void {
        const handle = tree.handle;
        tree.* = undefined;
        return status.check(AdvanceError, c.phalanx_xmss_signing_key_advance_with(key.handle, handle));
    }
};

/// A bottom tree on its way to a key. It holds a copy of the key's secret: `deinit` wipes it, or `advanceWith` takes it.
pub const NextTree = struct {
    handle: *c.phalanx_xmss_next_tree,

    /// Computes the tree.
    pub fn compute(tree: NextTree, options: Options) error{ Stopped, Malformed, Internal }!void {
        return status.check(error{ Stopped, Malformed, Internal }, c.phalanx_xmss_next_tree_compute(
            tree.handle,
            options.threads,
            options.callback(),
            options.context(),
        ));
    }

    /// Ends a tree that was not given to a key.
    pub fn deinit(tree: *NextTree) void {
        c.phalanx_xmss_next_tree_free(tree.handle);
        tree.* = undefined;
    }
};

/// Public bytes, from SSZ to `format`.
fn convert(
    allocator: Allocator,
    comptime function: anytype,
    format: Format,
    set: ParameterSet,
    encoded: []const u8,
) EncodeError![]u8 {
    var len: usize = 0;
    const source = .{ @intFromEnum(format), @intFromEnum(set), c.PHALANX_XMSS_FORMAT_SSZ, encoded.ptr, encoded.len };
    const answer = @call(.auto, function, .{ null, 0, &len } ++ source);
    if (answer != c.PHALANX_ERROR_BUFFER_TOO_SMALL) {
        try status.check(error{ NoEncoding, Internal }, answer);
        return error.Internal;
    }
    const converted = try allocator.alloc(u8, len);
    errdefer allocator.free(converted);
    try status.check(error{Internal}, @call(.auto, function, .{ converted.ptr, converted.len, &len } ++ source));
    return converted;
}
