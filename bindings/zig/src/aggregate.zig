//! Aggregates: one proof that many signatures of XMSS over BLAKE2s verify.
//!
//! A `Statement` lists groups: an epoch, a message, keys. `aggregate` proves that the signatures in its order verify; `verify`
//! checks that somebody knows them. An aggregate saves bytes, not verifier time: on average it is shorter than the signatures
//! from 199 on with 100 bits, from 307 with 128. It is not zero-knowledge, and two of them cannot be merged.

const std = @import("std");
const status = @import("status.zig");
const pool = @import("pool.zig");
const xmss = @import("xmss.zig");
const c = status.c;
const Allocator = std.mem.Allocator;

/// The most signatures of any statement.
pub const max_signatures = c.PHALANX_AGGREGATE_SIGNATURES_MAX;
/// The most signatures that a verifier accepts unless it says otherwise.
pub const default_signatures = c.PHALANX_AGGREGATE_SIGNATURES_DEFAULT;
/// Memory that a prover takes at most unless it says otherwise, in bytes: 8 GiB.
pub const default_memory: u64 = c.PHALANX_AGGREGATE_MEMORY_DEFAULT;

/// A verifying key of `blake2s_l32_d42b8` in its bytes.
pub const Key = [c.PHALANX_AGGREGATE_KEY_BYTES]u8;

/// How many bits of security are proved. There is no default: 100 bits are fewer than the signatures have themselves.
pub const Profile = enum(u32) {
    /// 100 provable bits: weaker than what it aggregates.
    provable100 = c.PHALANX_AGGREGATE_PROFILE_PROVABLE100,
    /// 128 provable bits.
    provable128 = c.PHALANX_AGGREGATE_PROFILE_PROVABLE128,

    /// The name, such as "aggregate-v1-provable100".
    pub fn name(profile: Profile) [:0]const u8 {
        return std.mem.span(c.phalanx_aggregate_profile_name(@intFromEnum(profile)));
    }

    /// The profile called `wanted`.
    pub fn fromName(wanted: []const u8) ?Profile {
        return for (std.enums.values(Profile)) |profile| {
            if (std.mem.eql(u8, profile.name(), wanted)) break profile;
        } else null;
    }

    /// Length in bytes of the longest aggregate of so many signatures; 0 if no statement has so many.
    pub fn maxLen(profile: Profile, signatures: usize) usize {
        return c.phalanx_aggregate_size(@intFromEnum(profile), signatures);
    }

    /// The memory that proving takes, in bytes; 0 if no statement has so many signatures.
    pub fn memory(profile: Profile, signatures: usize) u64 {
        return c.phalanx_aggregate_memory(@intFromEnum(profile), signatures);
    }
};

/// Keys that signed one message at one epoch.
pub const Group = struct {
    epoch: u32,
    message: *const xmss.Message,
    keys: []const Key,
};

/// Two signatures of a statement, by their numbers.
pub const Pair = struct { first: usize, second: usize };

/// Why something is no statement.
pub const StatementError = error{ NoGroups, EmptyGroup, GroupOrder, KeyOrder, StatementSignatures, StatementLength };

/// Groups, strictly increasing by epoch and then message, and the keys of each, strictly increasing. *For every group and every
/// key of it somebody knows a signature that verifies.* Signatures are numbered in this order. It lives in the library until
/// `deinit`.
pub const Statement = struct {
    handle: *c.phalanx_aggregate_statement,

    /// The statement about these groups, in any order; groups of one epoch and message become one, and keys are sorted.
    /// `KeyOrder`: a key is there twice for one epoch and message.
    pub fn init(allocator: Allocator, groups: []const Group) (StatementError || error{ OutOfMemory, Internal })!Statement {
        const theirs = try allocator.alloc(c.phalanx_aggregate_group, groups.len);
        defer allocator.free(theirs);
        for (theirs, groups) |*out, from| out.* = .{
            .epoch = from.epoch,
            .message = from.message,
            .keys = @ptrCast(from.keys.ptr),
            .keys_count = from.keys.len,
        };
        var handle: ?*c.phalanx_aggregate_statement = null;
        try status.check(
            StatementError || error{Internal},
            c.phalanx_aggregate_statement_new(&handle, theirs.ptr, theirs.len),
        );
        return .{ .handle = handle.? };
    }

    /// The statement of these bytes, strictly.
    pub fn fromBytes(encoded: []const u8) (StatementError || error{Internal})!Statement {
        var handle: ?*c.phalanx_aggregate_statement = null;
        try status.check(
            StatementError || error{Internal},
            c.phalanx_aggregate_statement_from_bytes(&handle, encoded.ptr, encoded.len),
        );
        return .{ .handle = handle.? };
    }

    pub fn deinit(statement: *Statement) void {
        c.phalanx_aggregate_statement_free(statement.handle);
        statement.* = undefined;
    }

    /// The bytes that aggregates are bound to; the caller frees them.
    pub fn toBytes(statement: Statement, allocator: Allocator) error{OutOfMemory}![]u8 {
        const bytes = try allocator.alloc(u8, 4 + 40 * statement.groupCount() + 32 * statement.signatureCount());
        var len: usize = undefined;
        status.must(c.phalanx_aggregate_statement_to_bytes(statement.handle, bytes.ptr, bytes.len, &len));
        std.debug.assert(len == bytes.len);
        return bytes;
    }

    pub fn groupCount(statement: Statement) usize {
        var count: usize = undefined;
        status.must(c.phalanx_aggregate_statement_counts(statement.handle, &count, null));
        return count;
    }

    /// The number of signatures, which is that of the keys of all groups.
    pub fn signatureCount(statement: Statement) usize {
        var count: usize = undefined;
        status.must(c.phalanx_aggregate_statement_counts(statement.handle, null, &count));
        return count;
    }

    /// Group `index`, less than `groupCount`, in the statement's order. What it refers to is there as long as the statement is.
    pub fn group(statement: Statement, index: usize) Group {
        var found: c.phalanx_aggregate_group = undefined;
        status.must(c.phalanx_aggregate_statement_group(statement.handle, &found, index));
        const keys: [*]const Key = @ptrCast(found.keys);
        return .{ .epoch = found.epoch, .message = found.message[0..32], .keys = keys[0..found.keys_count] };
    }

    /// Pairs of signatures of one key at one epoch for different messages: the signer has broken its key. The statement is true
    /// all the same. The caller frees them.
    pub fn equivocations(statement: Statement, allocator: Allocator) error{OutOfMemory}![]Pair {
        const theirs = try allocator.alloc(c.phalanx_aggregate_pair, statement.signatureCount());
        defer allocator.free(theirs);
        var count: usize = undefined;
        status.must(c.phalanx_aggregate_statement_equivocations(statement.handle, theirs.ptr, theirs.len, &count));
        const pairs = try allocator.alloc(Pair, count);
        for (pairs, theirs[0..count]) |*pair, their| pair.* = .{ .first = their.first, .second = their.second };
        return pairs;
    }
};

/// What proving can fail with: not a signature for every key (`InvalidLength`), a signature of another set (`Malformed`) or one
/// that does not verify, too little memory allowed.
pub const AggregateError = error{ OutOfMemory, InvalidLength, Malformed, InvalidSignature, AggregateMemory, Internal };

/// How a proof is made.
pub const Options = struct {
    /// Bytes that are bound to the aggregate: who verifies has to name the same.
    context: []const u8 = "",
    /// Bytes of memory, compared with `Profile.memory` before anything is computed.
    memory_limit: u64 = default_memory,
    /// Learns which signature is malformed or does not verify, by its number in the statement; written for these only.
    place: ?*u64 = null,
};

/// One aggregate for the signatures of a statement, in its order; the caller frees it. The same input gives the same bytes.
/// `workers`: a number of threads, 0 for all cores, or a `Pool`.
pub fn aggregate(
    allocator: Allocator,
    profile: Profile,
    statement: Statement,
    signatures: []const xmss.Signature,
    options: Options,
    workers: anytype,
) AggregateError![]u8 {
    const theirs = try allocator.alloc(c.phalanx_bytes, signatures.len);
    defer allocator.free(theirs);
    for (theirs, signatures, 0..) |*out, *signature, number| {
        if (signature.set != .blake2s_l32_d42b8) {
            if (options.place) |place| place.* = number;
            return error.Malformed;
        }
        out.* = .{ .data = signature.bytes().ptr, .len = signature.bytes().len };
    }
    const made = try allocator.alloc(u8, profile.maxLen(statement.signatureCount()));
    errdefer allocator.free(made);
    var len: usize = undefined;
    try status.check(AggregateError, pool.call("phalanx_aggregate", workers, .{
        statement.handle,
        made.ptr,
        made.len,
        &len,
        options.place orelse null,
        @intFromEnum(profile),
        theirs.ptr,
        theirs.len,
        options.context.ptr,
        options.context.len,
        options.memory_limit,
    }));
    return allocator.realloc(made, len);
}

/// What a verifier accepts.
pub const Limits = struct {
    provable100: bool = false,
    provable128: bool = false,
    /// The most signatures. Time and memory grow with their number.
    signatures: usize = default_signatures,
};

/// The first check of an aggregate that failed.
pub const ProofError = error{
    TooManySignatures,
    UnacceptedProfile,
    AggregateLength,
    AggregateNoEncoding,
    Zerocheck,
    Lincheck,
    Wiring,
    Opening,
};

/// Verifies that for every group and every key of the statement somebody knows a signature. `context` is what the prover bound
/// the aggregate to. `place`, if it is given, learns which signature has no encoding, or the number of the C status of the check
/// that the opening failed; written for these only.
pub fn verify(
    limits: Limits,
    statement: Statement,
    context: []const u8,
    proof: []const u8,
    place: ?*u64,
) (ProofError || error{Internal})!void {
    return status.check(ProofError || error{Internal}, c.phalanx_aggregate_verify(
        &.{
            .provable100 = limits.provable100,
            .provable128 = limits.provable128,
            .signatures_max = limits.signatures,
        },
        place,
        statement.handle,
        context.ptr,
        context.len,
        proof.ptr,
        proof.len,
    ));
}
