//! Ligerito: a multilinear polynomial commitment scheme over binary fields.
//!
//! A polynomial in mu variables is given by its 2^mu values on the Boolean cube, elements of GF(2^32) as `u32`: bit j of
//! the index is coordinate j. `commit` gives a `Commitment` of 34 bytes; `Prover.open` the values at points of
//! GF(2^128)^mu and one proof for all of them; `verify` checks them. Not hiding: a proof reveals some of the polynomial.
//! Nothing here starts a thread unless an argument says how many.

const std = @import("std");
const status = @import("status.zig");
const c = status.c;
const Allocator = std.mem.Allocator;

/// An element of GF(2^128) modulo x^128 + x^7 + x^2 + x + 1: bit i is the coefficient of x^i.
pub const Element = u128;
pub const Root = [c.PHALANX_LIGERITO_ROOT_BYTES]u8;
pub const min_variables = c.PHALANX_LIGERITO_VARIABLES_MIN;
pub const max_variables = c.PHALANX_LIGERITO_VARIABLES_MAX;
/// Most points that one proof opens.
pub const max_claims = c.PHALANX_LIGERITO_CLAIMS_MAX;

comptime {
    // Lists of elements are handed over as they are: the lower word stands first.
    std.debug.assert(@import("builtin").cpu.arch.endian() == .little);
    std.debug.assert(@sizeOf(Element) == @sizeOf(c.phalanx_ligerito_element));
    std.debug.assert(@alignOf(Element) >= @alignOf(c.phalanx_ligerito_element));
}

/// What proofs are made small for.
pub const Profile = enum(u32) {
    /// 100 provable bits without proof of work. The default.
    balanced = c.PHALANX_LIGERITO_PROFILE_BALANCED,
    /// Shorter proofs; 16 of the 100 bits are a proof of work at every level, which the prover pays for.
    compact = c.PHALANX_LIGERITO_PROFILE_COMPACT,

    /// The name, such as "balanced".
    pub fn name(profile: Profile) [:0]const u8 {
        return std.mem.span(c.phalanx_ligerito_profile_name(@intFromEnum(profile)));
    }

    /// The profile called `wanted`.
    pub fn fromName(wanted: []const u8) ?Profile {
        return for (std.enums.values(Profile)) |profile| {
            if (std.mem.eql(u8, profile.name(), wanted)) break profile;
        } else null;
    }

    /// Length in bytes of the longest proof about a polynomial of 2^`variables` words; 0 if there is no such polynomial.
    pub fn maxProofLen(profile: Profile, variables: u8) usize {
        return c.phalanx_ligerito_proof_size(@intFromEnum(profile), variables);
    }
};

/// The root of a committed polynomial, with the profile and the number of variables that it claims to have.
pub const Commitment = struct {
    bytes: [c.PHALANX_LIGERITO_COMMITMENT_BYTES]u8,

    pub const Parts = struct { profile: Profile, variables: u8, root: Root };

    /// What it claims. Whether that is acceptable is for the verifier to say.
    pub fn parts(commitment: Commitment) error{ Malformed, Internal }!Parts {
        var profile: u32 = undefined;
        var claimed: Parts = undefined;
        try status.check(error{ Malformed, Internal }, c.phalanx_ligerito_commitment_parts(
            &profile,
            &claimed.variables,
            &claimed.root,
            &commitment.bytes,
            commitment.bytes.len,
        ));
        claimed.profile = @enumFromInt(profile);
        return claimed;
    }

    pub fn fromParts(claimed: Parts) error{Internal}!Commitment {
        var commitment: Commitment = undefined;
        try status.check(error{Internal}, c.phalanx_ligerito_commitment_from_parts(
            &commitment.bytes,
            @intFromEnum(claimed.profile),
            claimed.variables,
            &claimed.root,
        ));
        return commitment;
    }
};

pub const CommitError = error{ PolynomialLength, TooLarge, Internal };

/// Commits to a polynomial of 2^10 to 2^30 words, on `threads` threads. The words are not copied: they stay where they
/// are, and as they are, until the prover's `deinit`.
pub fn commit(profile: Profile, polynomial: []const u32, threads: u32) CommitError!struct { Commitment, Prover } {
    var commitment: Commitment = undefined;
    var handle: ?*c.phalanx_ligerito_prover = null;
    try status.check(CommitError, c.phalanx_ligerito_commit(
        &handle,
        &commitment.bytes,
        @intFromEnum(profile),
        polynomial.ptr,
        polynomial.len,
        threads,
    ));
    const max_proof_len = profile.maxProofLen(@intCast(@ctz(polynomial.len)));
    return .{ commitment, .{ .handle = handle.?, .max_proof_len = max_proof_len } };
}

pub const OpenError = error{ OutOfMemory, NoClaims, TooManyClaims, PointLength, Internal };

/// What openings are made from. It lives in the library until `deinit`.
pub const Prover = struct {
    handle: *c.phalanx_ligerito_prover,
    max_proof_len: usize,

    pub fn deinit(prover: Prover) void {
        c.phalanx_ligerito_prover_free(prover.handle);
    }

    /// The polynomial's values at `points`, and one proof for all of them, on `threads` threads. `context` is bound to the
    /// proof: who verifies has to name the same.
    pub fn open(
        prover: Prover,
        allocator: Allocator,
        points: []const []const Element,
        context: []const u8,
        threads: u32,
    ) OpenError!Opening {
        const theirs = try allocator.alloc(c.phalanx_ligerito_point, points.len);
        defer allocator.free(theirs);
        for (theirs, points) |*out, point| out.* = pointOf(point);
        const values = try allocator.alloc(Element, points.len);
        errdefer allocator.free(values);
        const proof = try allocator.alloc(u8, prover.max_proof_len);
        errdefer allocator.free(proof);
        var len: usize = undefined;
        try status.check(error{ NoClaims, TooManyClaims, PointLength, Internal }, c.phalanx_ligerito_open(
            prover.handle,
            @ptrCast(values.ptr),
            proof.ptr,
            proof.len,
            &len,
            theirs.ptr,
            theirs.len,
            context.ptr,
            context.len,
            threads,
        ));
        return .{ .values = values, .proof = try allocator.realloc(proof, len), .allocator = allocator };
    }
};

/// Values at points, and their proof.
pub const Opening = struct {
    values: []Element,
    proof: []u8,
    allocator: Allocator,

    pub fn deinit(opening: Opening) void {
        opening.allocator.free(opening.values);
        opening.allocator.free(opening.proof);
    }
};

/// Which commitments a verifier is ready to look at. A commitment often comes from the prover, so profile and size are
/// the verifier's to choose.
pub const Accepted = struct {
    balanced: bool = false,
    compact: bool = false,
    variables_min: u8,
    variables_max: u8,

    /// This profile with this number of variables and nothing else.
    pub fn exactly(profile: Profile, variables: u8) Accepted {
        return .{
            .balanced = profile == .balanced,
            .compact = profile == .compact,
            .variables_min = variables,
            .variables_max = variables,
        };
    }
};

/// The claim that the polynomial has this value at this point.
pub const Claim = struct { point: []const Element, value: Element };

/// What a proof is about.
pub const Statement = struct {
    /// 34 bytes, from outside.
    commitment: []const u8,
    claims: []const Claim,
    /// What the prover bound the proof to.
    context: []const u8 = "",
};

/// The first check of a proof that failed.
pub const ProofError = error{
    UnacceptedParams,
    NoClaims,
    TooManyClaims,
    PointLength,
    ProofLength,
    ProofOfWork,
    MerkleRoot,
    FinalRow,
    FinalClaim,
};

/// Verifies a proof; `error.Malformed` if the commitment is none. `place`, if it is given, learns where a check failed:
/// which claim, level or row; 0 where there is no such number.
pub fn verify(
    allocator: Allocator,
    accepted: Accepted,
    statement: Statement,
    proof: []const u8,
    place: ?*u64,
) (ProofError || error{ OutOfMemory, Malformed, Internal })!void {
    const theirs = try allocator.alloc(c.phalanx_ligerito_claim, statement.claims.len);
    defer allocator.free(theirs);
    for (theirs, statement.claims) |*out, claim| out.* = .{
        .point = pointOf(claim.point),
        .value = .{ .low = @truncate(claim.value), .high = @intCast(claim.value >> 64) },
    };
    if (place) |out| out.* = 0;
    return status.check(ProofError || error{ Malformed, Internal }, c.phalanx_ligerito_verify(
        &.{
            .balanced = accepted.balanced,
            .compact = accepted.compact,
            .variables_min = accepted.variables_min,
            .variables_max = accepted.variables_max,
        },
        place,
        statement.commitment.ptr,
        statement.commitment.len,
        theirs.ptr,
        theirs.len,
        proof.ptr,
        proof.len,
        statement.context.ptr,
        statement.context.len,
    ));
}

fn pointOf(point: []const Element) c.phalanx_ligerito_point {
    return .{ .coordinates = @ptrCast(point.ptr), .coordinates_len = point.len };
}

/// Proofs of the published crate `ligerito`, version 0.8.0, byte for byte: to work with what exists. Its proofs are not
/// known to be sound; new programs use the functions above.
pub const ref_v08 = struct {
    /// Which sizes of its levels a proof has.
    pub const Sizes = enum(u32) {
        /// The crate's configurations: 12, 16, 20, 24, 26, 28 and 30 variables.
        published = c.PHALANX_LIGERITO_REF_V08_SIZES_PUBLISHED,
        /// What its command line chooses: 20 to 30 variables.
        autosized = c.PHALANX_LIGERITO_REF_V08_SIZES_AUTOSIZED,
    };

    /// Where the challenges come from.
    pub const Transcript = enum(u32) {
        /// SHA-256 with seed 1234, as the crate's `prove_sha256`.
        sha256 = c.PHALANX_LIGERITO_REF_V08_TRANSCRIPT_SHA256,
        /// Merlin, as the crate's `prove` with its default features.
        merlin = c.PHALANX_LIGERITO_REF_V08_TRANSCRIPT_MERLIN,
    };

    /// The claim that a word of the polynomial has a value.
    pub const WordClaim = c.phalanx_ligerito_ref_v08_claim;

    pub const CommitFailure = error{ InvalidArgument, PolynomialLength, TooLarge, Internal };
    pub const ProveFailure = CommitFailure || error{ OutOfMemory, ClaimIndex, ClaimValue };
    pub const VerifyFailure = error{
        InvalidArgument,
        ClaimIndex,
        Encoding,
        InitialRoot,
        Round,
        Siblings,
        MerkleRoot,
        FinalRow,
        FinalSum,
        Internal,
    };

    /// The root that proofs about the polynomial of 2^`variables` words begin with. On `threads` threads.
    pub fn rootOf(sizes: Sizes, variables: u8, polynomial: []const u32, threads: u32) CommitFailure!Root {
        var root: Root = undefined;
        try status.check(CommitFailure, c.phalanx_ligerito_ref_v08_commit(
            &root,
            @intFromEnum(sizes),
            variables,
            polynomial.ptr,
            polynomial.len,
            threads,
        ));
        return root;
    }

    /// A proof of claims about words; without any, that the committed matrix is near an encoded one. The caller frees it.
    pub fn prove(
        allocator: Allocator,
        sizes: Sizes,
        variables: u8,
        transcript: Transcript,
        polynomial: []const u32,
        claims: []const WordClaim,
        threads: u32,
    ) ProveFailure![]u8 {
        const max_len = c.phalanx_ligerito_ref_v08_proof_size(@intFromEnum(sizes), variables);
        if (max_len == 0) return error.InvalidArgument;
        const proof = try allocator.alloc(u8, max_len);
        errdefer allocator.free(proof);
        var len: usize = undefined;
        try status.check(CommitFailure || error{ ClaimIndex, ClaimValue }, c.phalanx_ligerito_ref_v08_prove(
            proof.ptr,
            proof.len,
            &len,
            @intFromEnum(sizes),
            variables,
            @intFromEnum(transcript),
            polynomial.ptr,
            polynomial.len,
            claims.ptr,
            claims.len,
            threads,
        ));
        return allocator.realloc(proof, len);
    }

    /// Verifies a proof about the polynomial that has this root.
    pub fn verify(
        sizes: Sizes,
        variables: u8,
        transcript: Transcript,
        root: *const Root,
        claims: []const WordClaim,
        proof: []const u8,
    ) VerifyFailure!void {
        return status.check(VerifyFailure, c.phalanx_ligerito_ref_v08_verify(
            null,
            @intFromEnum(sizes),
            variables,
            @intFromEnum(transcript),
            root,
            claims.ptr,
            claims.len,
            proof.ptr,
            proof.len,
        ));
    }
};
