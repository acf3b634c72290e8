//! What the C library answers, as Zig errors named like the library's own.

const std = @import("std");

pub const c = @cImport(@cInclude("phalanx.h"));

/// What a function of the C library answers.
pub const Status = c.phalanx_status;

/// Every status that is an error. Each function names those that it can give.
const table = .{
    .{ c.PHALANX_ERROR_INVALID_SIGNATURE, error.InvalidSignature },
    .{ c.PHALANX_ERROR_INVALID_PROOF, error.InvalidProof },
    .{ c.PHALANX_ERROR_INVALID_ARGUMENT, error.InvalidArgument },
    .{ c.PHALANX_ERROR_UNKNOWN_NAME, error.UnknownName },
    .{ c.PHALANX_ERROR_INVALID_LENGTH, error.InvalidLength },
    .{ c.PHALANX_ERROR_MALFORMED, error.Malformed },
    .{ c.PHALANX_ERROR_RANDOMNESS, error.RngFailed },
    .{ c.PHALANX_ERROR_STOPPED, error.Stopped },
    .{ c.PHALANX_ERROR_UNAVAILABLE, error.Unavailable },
    .{ c.PHALANX_ERROR_XMSS_INTERVAL, error.Interval },
    .{ c.PHALANX_ERROR_XMSS_NOT_ACTIVE, error.NotActive },
    .{ c.PHALANX_ERROR_XMSS_EXHAUSTED, error.Exhausted },
    .{ c.PHALANX_ERROR_XMSS_PASSED, error.Passed },
    .{ c.PHALANX_ERROR_XMSS_NOT_PREPARED, error.NotPrepared },
    .{ c.PHALANX_ERROR_XMSS_EPOCH_USED, error.EpochUsed },
    .{ c.PHALANX_ERROR_XMSS_ENCODING_ATTEMPTS, error.EncodingAttempts },
    .{ c.PHALANX_ERROR_XMSS_UNFINISHED, error.Unfinished },
    .{ c.PHALANX_ERROR_XMSS_WRONG_TREE, error.WrongTree },
    .{ c.PHALANX_ERROR_XMSS_OTHER_INSTANCE, error.OtherInstance },
    .{ c.PHALANX_ERROR_XMSS_FORKED, error.Forked },
    .{ c.PHALANX_ERROR_XMSS_SELF_CHECK, error.SigningSelfCheck },
    .{ c.PHALANX_ERROR_XMSS_VERIFICATION_ONLY, error.VerificationOnly },
    .{ c.PHALANX_ERROR_XMSS_NO_ENCODING, error.NoEncoding },
    .{ c.PHALANX_ERROR_ED25519_INVALID_KEY, error.InvalidPublicKey },
    .{ c.PHALANX_ERROR_ED25519_KEY_MISMATCH, error.KeyMismatch },
    .{ c.PHALANX_ERROR_ED25519_KEY_FORMAT, error.InvalidKeyFormat },
    .{ c.PHALANX_ERROR_ED25519_ENCRYPTED_KEY, error.EncryptedKey },
    .{ c.PHALANX_ERROR_ED25519_WRONG_PASSWORD, error.WrongPassword },
    .{ c.PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG, error.ContextTooLong },
    .{ c.PHALANX_ERROR_ED25519_CONTEXT_EMPTY, error.ContextEmpty },
    .{ c.PHALANX_ERROR_ED25519_SELF_CHECK, error.SelfCheckFailed },
    .{ c.PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH, error.UndefinedLength },
    .{ c.PHALANX_ERROR_RESCUE_PARTIAL_STATE, error.PartialState },
    .{ c.PHALANX_ERROR_RESCUE_NO_DOMAIN, error.NoDomain },
    .{ c.PHALANX_ERROR_RESCUE_LENGTH, error.Length },
    .{ c.PHALANX_ERROR_RESCUE_LEAF_COUNT, error.LeafCount },
    .{ c.PHALANX_ERROR_RESCUE_LEAF_INDEX, error.LeafIndex },
    .{ c.PHALANX_ERROR_RESCUE_PATH_LENGTH, error.PathLength },
    .{ c.PHALANX_ERROR_RESCUE_WRONG_ROOT, error.WrongRoot },
    .{ c.PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH, error.PolynomialLength },
    .{ c.PHALANX_ERROR_LIGERITO_NO_CLAIMS, error.NoClaims },
    .{ c.PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS, error.TooManyClaims },
    .{ c.PHALANX_ERROR_LIGERITO_POINT_LENGTH, error.PointLength },
    .{ c.PHALANX_ERROR_LIGERITO_TOO_LARGE, error.TooLarge },
    .{ c.PHALANX_ERROR_LIGERITO_CLAIM_INDEX, error.ClaimIndex },
    .{ c.PHALANX_ERROR_LIGERITO_CLAIM_VALUE, error.ClaimValue },
    .{ c.PHALANX_ERROR_LIGERITO_TOGETHER, error.Together },
    .{ c.PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX, error.CommitmentIndex },
    .{ c.PHALANX_ERROR_LIGERITO_BASIS_LENGTH, error.BasisLength },
    .{ c.PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS, error.UnacceptedParams },
    .{ c.PHALANX_ERROR_LIGERITO_PROOF_LENGTH, error.ProofLength },
    .{ c.PHALANX_ERROR_LIGERITO_PROOF_OF_WORK, error.ProofOfWork },
    .{ c.PHALANX_ERROR_LIGERITO_MERKLE_ROOT, error.MerkleRoot },
    .{ c.PHALANX_ERROR_LIGERITO_MERKLE_ROOT_OF, error.MerkleRootOf },
    .{ c.PHALANX_ERROR_LIGERITO_FINAL_ROW, error.FinalRow },
    .{ c.PHALANX_ERROR_LIGERITO_FINAL_CLAIM, error.FinalClaim },
    .{ c.PHALANX_ERROR_LIGERITO_ENCODING, error.Encoding },
    .{ c.PHALANX_ERROR_LIGERITO_INITIAL_ROOT, error.InitialRoot },
    .{ c.PHALANX_ERROR_LIGERITO_ROUND, error.Round },
    .{ c.PHALANX_ERROR_LIGERITO_SIBLINGS, error.Siblings },
    .{ c.PHALANX_ERROR_LIGERITO_FINAL_SUM, error.FinalSum },
    .{ c.PHALANX_ERROR_LEDGER_EPOCH_USED, error.LedgerEpochUsed },
    .{ c.PHALANX_ERROR_LEDGER_PASSED, error.LedgerPassed },
    .{ c.PHALANX_ERROR_LEDGER_OUT_OF_ORDER, error.LedgerOutOfOrder },
    .{ c.PHALANX_ERROR_LEDGER_NOT_ACTIVE, error.LedgerNotActive },
    .{ c.PHALANX_ERROR_LEDGER_EXHAUSTED, error.LedgerExhausted },
    .{ c.PHALANX_ERROR_LEDGER_NOT_IN_RANGE, error.LedgerNotInRange },
    .{ c.PHALANX_ERROR_LEDGER_AHEAD, error.LedgerAhead },
    .{ c.PHALANX_ERROR_LEDGER_BEHIND, error.LedgerBehind },
    .{ c.PHALANX_ERROR_LEDGER_UNKNOWN_KEY, error.LedgerUnknownKey },
    .{ c.PHALANX_ERROR_LEDGER_QUARANTINED, error.LedgerQuarantined },
    .{ c.PHALANX_ERROR_LEDGER_RETIRED, error.LedgerRetired },
    .{ c.PHALANX_ERROR_LEDGER_FENCED, error.LedgerFenced },
    .{ c.PHALANX_ERROR_LEDGER_FORKED, error.LedgerForked },
    .{ c.PHALANX_ERROR_LEDGER_UNAVAILABLE, error.LedgerUnavailable },
    .{ c.PHALANX_ERROR_LEDGER_IN_USE, error.LedgerInUse },
    .{ c.PHALANX_ERROR_LEDGER_NO_STATE, error.LedgerNoState },
    .{ c.PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS, error.LedgerSameOneTimeKeys },
    .{ c.PHALANX_ERROR_LEDGER_STORE_OLDER, error.LedgerStoreOlder },
    .{ c.PHALANX_ERROR_LEDGER_WITNESS, error.LedgerWitness },
    .{ c.PHALANX_ERROR_LEDGER_STORE, error.LedgerStore },
    .{ c.PHALANX_ERROR_KEYSTORE_MALFORMED, error.KeystoreMalformed },
    .{ c.PHALANX_ERROR_KEYSTORE_UNSUPPORTED, error.KeystoreUnsupported },
    .{ c.PHALANX_ERROR_KEYSTORE_SCHEME, error.KeystoreScheme },
    .{ c.PHALANX_ERROR_KEYSTORE_KDF_BOUNDS, error.KeystoreKdfBounds },
    .{ c.PHALANX_ERROR_KEYSTORE_WEAK_KDF, error.KeystoreWeakKdf },
    .{ c.PHALANX_ERROR_KEYSTORE_WRONG_PASSWORD, error.KeystoreWrongPassword },
    .{ c.PHALANX_ERROR_KEYSTORE_DAMAGED, error.KeystoreDamaged },
    .{ c.PHALANX_ERROR_KEYSTORE_HEADER_CHANGED, error.KeystoreHeaderChanged },
    .{ c.PHALANX_ERROR_KEYSTORE_KEY_MISMATCH, error.KeystoreKeyMismatch },
    .{ c.PHALANX_ERROR_KEYSTORE_FILE, error.KeystoreFile },
    .{ c.PHALANX_ERROR_AGGREGATE_NO_GROUPS, error.NoGroups },
    .{ c.PHALANX_ERROR_AGGREGATE_EMPTY_GROUP, error.EmptyGroup },
    .{ c.PHALANX_ERROR_AGGREGATE_GROUP_ORDER, error.GroupOrder },
    .{ c.PHALANX_ERROR_AGGREGATE_KEY_ORDER, error.KeyOrder },
    .{ c.PHALANX_ERROR_AGGREGATE_STATEMENT_SIGNATURES, error.StatementSignatures },
    .{ c.PHALANX_ERROR_AGGREGATE_STATEMENT_LENGTH, error.StatementLength },
    .{ c.PHALANX_ERROR_AGGREGATE_MEMORY, error.AggregateMemory },
    .{ c.PHALANX_ERROR_AGGREGATE_TOO_MANY_SIGNATURES, error.TooManySignatures },
    .{ c.PHALANX_ERROR_AGGREGATE_UNACCEPTED_PROFILE, error.UnacceptedProfile },
    .{ c.PHALANX_ERROR_AGGREGATE_LENGTH, error.AggregateLength },
    .{ c.PHALANX_ERROR_AGGREGATE_NO_ENCODING, error.AggregateNoEncoding },
    .{ c.PHALANX_ERROR_AGGREGATE_ZEROCHECK, error.Zerocheck },
    .{ c.PHALANX_ERROR_AGGREGATE_LINCHECK, error.Lincheck },
    .{ c.PHALANX_ERROR_AGGREGATE_WIRING, error.Wiring },
    .{ c.PHALANX_ERROR_AGGREGATE_OPENING, error.Opening },
    // A panic inside the library, or a mistake of this package: its message is on standard error.
    .{ c.PHALANX_ERROR_INTERNAL, error.Internal },
};

/// Every error of this package beside `error.OutOfMemory`.
pub const Error = blk: {
    var all = error{};
    for (table) |row| all = all || @TypeOf(row[1]);
    break :blk all;
};

/// `status` as one of the errors of `E`, which has `Internal` for those that it does not name.
pub fn check(comptime E: type, status: Status) E!void {
    if (status == c.PHALANX_OK) return;
    inline for (table) |row| {
        if (comptime contains(E, row[1])) {
            if (status == row[0]) return row[1];
        }
    }
    return error.Internal;
}

/// For calls that have no error with the arguments they are given: a fault inside the library is a panic here, too.
pub fn must(status: Status) void {
    if (status != c.PHALANX_OK) std.debug.panic("phalanx: {s}", .{std.mem.span(c.phalanx_status_string(status))});
}

fn contains(comptime E: type, comptime err: anyerror) bool {
    @setEvalBranchQuota(100_000);
    return for (@typeInfo(E).error_set.?) |known| {
        if (std.mem.eql(u8, known.name, @errorName(err))) break true;
    } else false;
}

/// The library's sentence for an error, such as "epoch has already signed another message"; the name of one that is not the
/// library's, such as an allocator's.
pub fn sentence(err: anyerror) [:0]const u8 {
    return inline for (table) |row| {
        if (err == row[1]) break std.mem.span(c.phalanx_status_string(row[0]));
    } else @errorName(err);
}

/// The status that an error stands for.
pub fn statusOf(err: Error) Status {
    return inline for (table) |row| {
        if (err == row[1]) break row[0];
    } else unreachable;
}

test "errors and statuses belong together" {
    inline for (table) |row| {
        try std.testing.expectError(row[1], check(Error, row[0]));
        try std.testing.expect(!std.mem.eql(u8, "unknown status", sentence(row[1])));
    }
    try check(error{Internal}, c.PHALANX_OK);
    try std.testing.expectError(error.Internal, check(error{Internal}, c.PHALANX_ERROR_MALFORMED));
    try std.testing.expectError(error.Internal, check(Error, 9999));
    try std.testing.expectEqualStrings("signature does not verify", sentence(error.InvalidSignature));
    try std.testing.expectEqualStrings("OutOfMemory", sentence(error.OutOfMemory));
}
