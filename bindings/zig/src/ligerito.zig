//! Ligerito: a multilinear polynomial commitment scheme over binary fields.
//!
//! A polynomial in mu variables is given by its 2^mu values on the Boolean cube, elements of GF(2^32) as `u32`: bit j of
//! the index is coordinate j. `commit` gives a `Commitment` of 34 bytes; `Prover.open` the values at points of
//! GF(2^128)^mu and one proof for all of them; `verify` checks them. Not hiding: a proof reveals some of the polynomial.
//! Nothing here starts a thread unless an argument says how many.

const std = @import("std");
const status = @import("status.zig");
const c = status.c;
const suite = @import("ligerito_suite.zig");
const Allocator = std.mem.Allocator;

/// An element of GF(2^128) modulo x^128 + x^7 + x^2 + x + 1: bit i is the coefficient of x^i.
pub const Element = u128;
pub const Root = suite.Root;
pub const min_variables = c.PHALANX_LIGERITO_VARIABLES_MIN;
pub const max_variables = c.PHALANX_LIGERITO_VARIABLES_MAX;
/// Most points that one proof opens.
pub const max_claims = c.PHALANX_LIGERITO_CLAIMS_MAX;

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

    /// As the C library has it.
    pub fn raw(accepted: Accepted) c.phalanx_ligerito_accepted {
        return .{
            .balanced = accepted.balanced,
            .compact = accepted.compact,
            .variables_min = accepted.variables_min,
            .variables_max = accepted.variables_max,
        };
    }
};

const of_100_bits = suite.Suite("phalanx_ligerito", Element, Profile, Accepted);
pub const Commitment = of_100_bits.Commitment;
pub const Prover = of_100_bits.Prover;
pub const Opening = of_100_bits.Opening;
pub const Claim = of_100_bits.Claim;
pub const Statement = of_100_bits.Statement;
pub const commit = of_100_bits.commit;
pub const verify = of_100_bits.verify;
pub const Planes = of_100_bits.Planes;
pub const PlanesOpening = of_100_bits.PlanesOpening;
pub const PlanesClaim = of_100_bits.PlanesClaim;
pub const PlanesStatement = of_100_bits.PlanesStatement;
pub const PointOf = of_100_bits.PointOf;
pub const ClaimOf = of_100_bits.ClaimOf;
pub const TogetherStatement = of_100_bits.TogetherStatement;
pub const commitBytes = of_100_bits.commitBytes;
pub const verifyPlanes = of_100_bits.verifyPlanes;
pub const valueOfPlanes = of_100_bits.valueOfPlanes;
pub const aesBasis = of_100_bits.aesBasis;
pub const openTogether = of_100_bits.openTogether;
pub const verifyTogether = of_100_bits.verifyTogether;
pub const CommitError = suite.CommitError;
pub const OpenError = suite.OpenError;
pub const ProofError = suite.ProofError;
pub const OpenTogetherError = suite.OpenTogetherError;
pub const TogetherError = suite.TogetherError;

/// The suite with 128 provable bits: the same functions over GF(2^192). No commitment or proof of one suite is one of the
/// other.
pub const provable128 = struct {
    /// An element of GF(2^192) modulo x^192 + x^7 + x^2 + x + 1, the lowest 64 bits first.
    pub const Element = [3]u64;

    /// What proofs are made small for.
    pub const Profile = enum(u32) {
        /// 128 provable bits without proof of work.
        balanced = c.PHALANX_LIGERITO128_PROFILE_BALANCED,

        /// Length in bytes of the longest proof about a polynomial of 2^`variables` words; 0 if there is none.
        pub fn maxProofLen(profile: @This(), variables: u8) usize {
            return c.phalanx_ligerito128_proof_size(@intFromEnum(profile), variables);
        }
    };

    /// Which commitments a verifier is ready to look at.
    pub const Accepted = struct {
        balanced: bool = false,
        variables_min: u8,
        variables_max: u8,

        /// This profile with this number of variables and nothing else.
        pub fn exactly(profile: provable128.Profile, variables: u8) @This() {
            return .{ .balanced = profile == .balanced, .variables_min = variables, .variables_max = variables };
        }

        /// As the C library has it.
        pub fn raw(accepted: @This()) c.phalanx_ligerito128_accepted {
            return .{
                .balanced = accepted.balanced,
                .variables_min = accepted.variables_min,
                .variables_max = accepted.variables_max,
            };
        }
    };

    const of_128_bits = suite.Suite("phalanx_ligerito128", provable128.Element, provable128.Profile, provable128.Accepted);
    pub const Commitment = of_128_bits.Commitment;
    pub const Prover = of_128_bits.Prover;
    pub const Opening = of_128_bits.Opening;
    pub const Claim = of_128_bits.Claim;
    pub const Statement = of_128_bits.Statement;
    pub const commit = of_128_bits.commit;
    pub const verify = of_128_bits.verify;
    pub const Planes = of_128_bits.Planes;
    pub const PlanesOpening = of_128_bits.PlanesOpening;
    pub const PlanesClaim = of_128_bits.PlanesClaim;
    pub const PlanesStatement = of_128_bits.PlanesStatement;
    pub const PointOf = of_128_bits.PointOf;
    pub const ClaimOf = of_128_bits.ClaimOf;
    pub const TogetherStatement = of_128_bits.TogetherStatement;
    pub const commitBytes = of_128_bits.commitBytes;
    pub const verifyPlanes = of_128_bits.verifyPlanes;
    pub const valueOfPlanes = of_128_bits.valueOfPlanes;
    pub const aesBasis = of_128_bits.aesBasis;
    pub const openTogether = of_128_bits.openTogether;
    pub const verifyTogether = of_128_bits.verifyTogether;
};

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
