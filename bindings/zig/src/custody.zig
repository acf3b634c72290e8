//! Custody: keys that never sign an epoch twice. A ledger on the disk, keys that sign only through it, encrypted key files.
//! On Unix. Paths and configurations (texts in TOML) are described at `phalanx_ledger_open` in phalanx.h.

const std = @import("std");
const ed25519 = @import("ed25519.zig");
const status = @import("status.zig");
const xmss = @import("xmss.zig");
const c = status.c;

/// What a key is for.
pub const Role = enum(u32) {
    attester = c.PHALANX_KEY_ROLE_ATTESTER,
    proposer = c.PHALANX_KEY_ROLE_PROPOSER,
    aggregator = c.PHALANX_KEY_ROLE_AGGREGATOR,
    builder = c.PHALANX_KEY_ROLE_BUILDER,
    consensus = c.PHALANX_KEY_ROLE_CONSENSUS,
    other = c.PHALANX_KEY_ROLE_OTHER,
};

/// Whether a key may sign, as far as its ledger says.
pub const State = enum(u32) {
    active = c.PHALANX_KEY_STATE_ACTIVE,
    quarantined = c.PHALANX_KEY_STATE_QUARANTINED,
    retired = c.PHALANX_KEY_STATE_RETIRED,
};

/// The name of a key, by which ledgers know it. All keys of one seed have the same.
pub const KeyId = [c.PHALANX_KEY_ID_BYTES]u8;

/// The name of a key.
pub fn keyId(key: xmss.SigningKey) KeyId {
    var id: KeyId = undefined;
    status.must(c.phalanx_xmss_signing_key_id(key.handle, &id));
    return id;
}

/// Where a key stands in a ledger.
pub const Standing = struct {
    state: State,
    role: Role,
    /// The epochs of the key.
    epochs: xmss.Epochs,
    /// Nothing new below this is signed.
    low: u64,
    /// Nothing new from here on, if there is such a bound.
    high: ?u64,
    /// The greatest epoch ever reserved.
    highest: ?u64,
    /// How many epochs are left.
    remaining: u64,
    /// Whether the key signs only forward.
    is_strict: bool,
};

/// What a ledger can say to anything that it is asked.
const Failed = error{ LedgerUnavailable, LedgerForked, LedgerStore, Internal };

/// An open ledger of used epochs. Several threads may use it at the same time.
pub const Ledger = struct {
    handle: *c.phalanx_ledger,

    pub const OpenError = Failed || error{
        InvalidArgument,
        Unavailable,
        LedgerInUse,
        LedgerStoreOlder,
        LedgerWitness,
    };
    pub const VerbError = Failed || error{
        InvalidArgument,
        LedgerUnknownKey,
        LedgerRetired,
        LedgerNoState,
        LedgerSameOneTimeKeys,
    };

    /// Makes an empty ledger in the folder `path`: once in the life of a set of keys. A program that makes one wherever it
    /// finds none begins anew after a loss.
    pub fn create(path: [:0]const u8, config: ?[:0]const u8) OpenError!void {
        return status.check(OpenError, c.phalanx_ledger_create(path, text(config)));
    }

    /// Opens a ledger, for this process alone, and checks it.
    pub fn open(path: [:0]const u8, config: ?[:0]const u8) OpenError!Ledger {
        var why: [1]u8 = undefined;
        return openExplained(path, config, &why);
    }

    /// As `open`, and writes why it was refused to `why`: a text that ends with a zero byte, cut to fit.
    pub fn openExplained(path: [:0]const u8, config: ?[:0]const u8, why: []u8) OpenError!Ledger {
        var handle: ?*c.phalanx_ledger = null;
        const answer = c.phalanx_ledger_open_explained(&handle, why.ptr, why.len, path, text(config));
        try status.check(OpenError, answer);
        return .{ .handle = handle.? };
    }

    /// Lets go of the ledger, which is closed when the keys that it guards have ended, too.
    pub fn deinit(ledger: *Ledger) void {
        c.phalanx_ledger_free(ledger.handle);
        ledger.* = undefined;
    }

    /// The name of the ledger.
    pub fn id(ledger: Ledger) [c.PHALANX_LEDGER_ID_BYTES]u8 {
        var bytes: [c.PHALANX_LEDGER_ID_BYTES]u8 = undefined;
        status.must(c.phalanx_ledger_id(ledger.handle, &bytes));
        return bytes;
    }

    /// Registers a key that has just been made, before it is written anywhere. Nothing below `low` is ever signed.
    pub fn register(ledger: Ledger, key: xmss.SigningKey, role: Role, low: u64) VerbError!void {
        const answer = c.phalanx_ledger_register(ledger.handle, key.handle, @intFromEnum(role), low);
        return status.check(VerbError, answer);
    }

    /// An operator answers for a key that has been elsewhere, or is quarantined: it has signed nothing from
    /// `i_accept_epoch` on, and signs nothing below. The reason is written down.
    pub fn adopt(ledger: Ledger, key: xmss.SigningKey, role: Role, i_accept_epoch: u64, reason: [:0]const u8) VerbError!void {
        const answer = c.phalanx_ledger_adopt(ledger.handle, key.handle, @intFromEnum(role), i_accept_epoch, reason);
        return status.check(VerbError, answer);
    }

    /// Nothing new below `low` is signed any more. Nothing lowers it again.
    pub fn raiseLow(ledger: Ledger, key: *const KeyId, low: u64, reason: [:0]const u8) VerbError!void {
        return status.check(VerbError, c.phalanx_ledger_raise_low(ledger.handle, key, low, reason));
    }

    /// The key signs nothing until it was adopted.
    pub fn quarantine(ledger: Ledger, key: *const KeyId, reason: [:0]const u8) VerbError!void {
        return status.check(VerbError, c.phalanx_ledger_quarantine(ledger.handle, key, reason));
    }

    /// Where a key stands.
    pub fn standing(ledger: Ledger, key: *const KeyId) VerbError!Standing {
        var found: c.phalanx_standing = undefined;
        try status.check(VerbError, c.phalanx_ledger_standing(ledger.handle, &found, key));
        return .{
            .state = @enumFromInt(found.state),
            .role = @enumFromInt(found.role),
            .epochs = .{ .start = found.start_epoch, .end = found.end_epoch },
            .low = found.low,
            .high = if (found.has_high) found.high else null,
            .highest = if (found.has_highest) found.highest else null,
            .remaining = found.remaining,
            .is_strict = found.is_strict,
        };
    }

    /// Whether the ledger answers.
    pub fn health(ledger: Ledger) error{ LedgerUnavailable, LedgerForked, LedgerFenced, Internal }!void {
        const Unwell = error{ LedgerUnavailable, LedgerForked, LedgerFenced, Internal };
        return status.check(Unwell, c.phalanx_ledger_health(ledger.handle));
    }
};

/// A signature, and whether it was given before.
pub const Signed = struct { signature: xmss.Signature, repeated: bool };

/// A signing key and the ledger that every signature of it goes through. Several threads may use it at the same time.
pub const GuardedKey = struct {
    handle: *c.phalanx_guarded_key,
    set: xmss.ParameterSet,

    pub const SignError = xmss.SigningKey.SignError || Failed || error{
        LedgerEpochUsed,
        LedgerPassed,
        LedgerOutOfOrder,
        LedgerNotActive,
        LedgerExhausted,
        LedgerNotInRange,
        LedgerAhead,
        LedgerBehind,
        LedgerUnknownKey,
        LedgerQuarantined,
        LedgerRetired,
        LedgerFenced,
        SigningSelfCheck,
    };

    /// Guards `key` by a ledger that knows it. The key is taken over, and not to be used or ended any more; after an error
    /// it is still the caller's.
    pub fn init(ledger: Ledger, key: xmss.SigningKey) Ledger.VerbError!GuardedKey {
        const set = key.parameterSet();
        var handle: ?*c.phalanx_guarded_key = null;
        try status.check(Ledger.VerbError, c.phalanx_guarded_key_new(&handle, ledger.handle, key.handle));
        return .{ .handle = handle.?, .set = set };
    }

    /// Wipes the key, and lets go of its ledger.
    pub fn deinit(key: *GuardedKey) void {
        c.phalanx_guarded_key_free(key.handle);
        key.* = undefined;
    }

    /// Signs `message` at `epoch`, if the ledger gives the epoch to it: then both are on the disk. The same message again
    /// gives the identical signature.
    pub fn sign(key: GuardedKey, epoch: u32, message: *const xmss.Message) SignError!Signed {
        var signed: Signed = .{ .signature = .{ .set = key.set, .buffer = undefined }, .repeated = false };
        var len: usize = undefined;
        const buffer = &signed.signature.buffer;
        try status.check(SignError, c.phalanx_guarded_key_sign(
            key.handle,
            buffer,
            buffer.len,
            &len,
            &signed.repeated,
            epoch,
            message,
        ));
        return signed;
    }

    /// The key that verifies what this one signs.
    pub fn verifyingKey(key: GuardedKey) xmss.VerifyingKey {
        var verifying_key: xmss.VerifyingKey = .{ .set = key.set, .buffer = undefined };
        var len: usize = undefined;
        status.must(c.phalanx_guarded_key_verifying_key(
            key.handle,
            &verifying_key.buffer,
            verifying_key.buffer.len,
            &len,
            c.PHALANX_XMSS_FORMAT_SSZ,
        ));
        return verifying_key;
    }

    /// The name of the key.
    pub fn id(key: GuardedKey) KeyId {
        var bytes: KeyId = undefined;
        status.must(c.phalanx_guarded_key_id(key.handle, &bytes));
        return bytes;
    }

    /// The epochs that the key can sign now, without computing a bottom tree.
    pub fn preparedInterval(key: GuardedKey) xmss.Epochs {
        var epochs: xmss.Epochs = undefined;
        const answer = c.phalanx_guarded_key_prepared_interval(key.handle, &epochs.start, &epochs.end);
        status.must(answer);
        return epochs;
    }
};

/// A signature that is wanted, and what became of it.
pub const Wanted = struct {
    key: GuardedKey,
    epoch: u32,
    message: *const xmss.Message,
    /// Written by `signMany`.
    answer: GuardedKey.SignError!Signed = error.Internal,
};

/// Signs many on `threads` threads, whose epochs are made durable together where the keys are of one ledger.
pub fn signMany(allocator: std.mem.Allocator, wanted: []Wanted, threads: u32) error{OutOfMemory}!void {
    const items = try allocator.alloc(c.phalanx_sign_item, wanted.len);
    defer allocator.free(items);
    const signatures = try allocator.alloc(xmss.Signature, wanted.len);
    defer allocator.free(signatures);
    for (items, signatures, wanted) |*item, *signature, one| {
        signature.set = one.key.set;
        item.* = .{
            .key = one.key.handle,
            .epoch = one.epoch,
            .message = one.message,
            .signature = &signature.buffer,
            .capacity = signature.buffer.len,
            .signature_len = 0,
            .repeated = false,
            .status = c.PHALANX_ERROR_INTERNAL,
        };
    }
    // What it answers as a whole stands in the items, too.
    _ = c.phalanx_guarded_key_sign_many(items.ptr, items.len, threads);
    for (items, signatures, wanted) |item, signature, *one| {
        one.answer = if (status.check(GuardedKey.SignError, item.status))
            .{ .signature = signature, .repeated = item.repeated }
        else |refused|
            refused;
    }
}

/// Whether a refusal of an epoch stays one: asking again at this epoch with another message is pointless.
pub fn isFinal(err: status.Error) bool {
    return c.phalanx_ledger_refusal_is_final(status.statusOf(err));
}

/// Encrypted key files: EIP-8310 version 5.
pub const keystore = struct {
    pub const ReadError = error{
        KeystoreMalformed,
        KeystoreUnsupported,
        KeystoreScheme,
        KeystoreKdfBounds,
        KeystoreWeakKdf,
        KeystoreWrongPassword,
        KeystoreDamaged,
        KeystoreHeaderChanged,
        KeystoreKeyMismatch,
        KeystoreFile,
        InvalidArgument,
        Unavailable,
        RngFailed,
        Internal,
    };

    /// How a keystore is read.
    pub const Options = struct {
        /// How many threads may work, the calling one included; of `load`.
        threads: u32 = 1,
        /// Also files whose password can be guessed cheaply.
        accept_weak_kdf: bool = false,
        /// Also files from which nobody signs.
        for_recovery: bool = false,
        /// Keeps the trees beside the file; of `load`.
        cache_trees: bool = false,

        fn flags(options: Options) u32 {
            var all: u32 = 0;
            if (options.accept_weak_kdf) all |= c.PHALANX_KEYSTORE_FLAGS_ACCEPT_WEAK_KDF;
            if (options.for_recovery) all |= c.PHALANX_KEYSTORE_FLAGS_FOR_RECOVERY;
            if (options.cache_trees) all |= c.PHALANX_KEYSTORE_FLAGS_CACHE_TREES;
            return all;
        }
    };

    /// The key in the bytes of a keystore, computed from its secret on this thread.
    pub fn read(file: []const u8, password: []const u8, options: Options) ReadError!xmss.SigningKey {
        var handle: ?*c.phalanx_xmss_signing_key = null;
        try status.check(ReadError, c.phalanx_keystore_read(
            &handle,
            null,
            file.ptr,
            file.len,
            password.ptr,
            password.len,
            options.flags(),
        ));
        return .{ .handle = handle.? };
    }

    /// The same of a key of Ed25519, which needs no ledger. Strong ones are opened by `ed25519.SigningKey.open`, too.
    pub fn readEd25519(file: []const u8, password: []const u8, options: Options) ReadError!ed25519.SigningKey {
        var handle: ?*c.phalanx_ed25519_signing_key = null;
        try status.check(ReadError, c.phalanx_keystore_read_ed25519(
            &handle,
            null,
            file.ptr,
            file.len,
            password.ptr,
            password.len,
            options.flags(),
        ));
        return .{ .handle = handle.? };
    }

    /// The key in the file at `path`, which its owner alone may read.
    pub fn load(path: [:0]const u8, password: []const u8, options: Options) ReadError!xmss.SigningKey {
        var handle: ?*c.phalanx_xmss_signing_key = null;
        try status.check(ReadError, c.phalanx_keystore_load(
            &handle,
            null,
            path,
            password.ptr,
            password.len,
            options.flags(),
            options.threads,
        ));
        return .{ .handle = handle.? };
    }

    /// Writes a key that was made from `seed`, and is registered with its ledger, to a new keystore at `path`. Without a
    /// seed the expanded key is written, which only phalanx reads.
    pub fn write(
        path: [:0]const u8,
        key: xmss.SigningKey,
        seed: ?*const xmss.Seed,
        role: Role,
        password: []const u8,
        description: ?[:0]const u8,
    ) ReadError!void {
        return status.check(ReadError, c.phalanx_keystore_write(
            path,
            key.handle,
            if (seed) |bytes| bytes else null,
            @intFromEnum(role),
            password.ptr,
            password.len,
            text(description),
            0,
        ));
    }
};

fn text(optional: ?[:0]const u8) [*c]const u8 {
    return if (optional) |some| some.ptr else null;
}
