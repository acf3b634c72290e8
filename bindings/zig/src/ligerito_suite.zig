//! What the two suites of Ligerito have in common: everything but the field, the profiles and what a verifier accepts.

const std = @import("std");
const status = @import("status.zig");
const c = status.c;
const Allocator = std.mem.Allocator;

pub const Root = [c.PHALANX_LIGERITO_ROOT_BYTES]u8;

pub const CommitError = error{ PolynomialLength, TooLarge, Internal };
pub const OpenError = error{ OutOfMemory, NoClaims, TooManyClaims, PointLength, Internal };

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

/// The suite whose functions begin with `name`, of `Element`s as the C library has them.
pub fn Suite(comptime name: []const u8, comptime Element: type, comptime Profile: type, comptime Accepted: type) type {
    comptime {
        // Lists of elements are handed over as they are: the lowest word stands first.
        std.debug.assert(@import("builtin").cpu.arch.endian() == .little);
        std.debug.assert(@sizeOf(Element) == @sizeOf(@field(c, name ++ "_element")));
        std.debug.assert(@alignOf(Element) >= @alignOf(@field(c, name ++ "_element")));
    }
    return struct {
        /// The root of a committed polynomial, with the profile and the number of variables that it claims to have.
        pub const Commitment = struct {
            bytes: [c.PHALANX_LIGERITO_COMMITMENT_BYTES]u8,

            pub const Parts = struct { profile: Profile, variables: u8, root: Root };

            /// What it claims. Whether that is acceptable is for the verifier to say.
            pub fn parts(commitment: Commitment) error{ Malformed, Internal }!Parts {
                var profile: u32 = undefined;
                var claimed: Parts = undefined;
                try status.check(error{ Malformed, Internal }, @field(c, name ++ "_commitment_parts")(
                    &profile,
                    &claimed.variables,
                    &claimed.root,
                    &commitment.bytes,
                    commitment.bytes.len,
                ));
                claimed.profile = @enumFromInt(profile);
                return claimed;
            }

            pub fn fromParts(claimed: Parts) Commitment {
                var commitment: Commitment = undefined;
                status.must(@field(c, name ++ "_commitment_from_parts")(
                    &commitment.bytes,
                    @intFromEnum(claimed.profile),
                    claimed.variables,
                    &claimed.root,
                ));
                return commitment;
            }
        };

        /// Commits to a polynomial of 2^10 to 2^30 words, on `threads` threads. The words are not copied: they stay where they
        /// are, and as they are, until the prover's `deinit`.
        pub fn commit(profile: Profile, polynomial: []const u32, threads: u32) CommitError!struct { Commitment, Prover } {
            var commitment: Commitment = undefined;
            var handle: ?*@field(c, name ++ "_prover") = null;
            try status.check(CommitError, @field(c, name ++ "_commit")(
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

        /// What openings are made from. It lives in the library until `deinit`.
        pub const Prover = struct {
            handle: *@field(c, name ++ "_prover"),
            max_proof_len: usize,

            pub fn deinit(prover: *Prover) void {
                @field(c, name ++ "_prover_free")(prover.handle);
                prover.* = undefined;
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
                const theirs = try allocator.alloc(@field(c, name ++ "_point"), points.len);
                defer allocator.free(theirs);
                for (theirs, points) |*out, point| out.* = pointOf(point);
                const values = try allocator.alloc(Element, points.len);
                errdefer allocator.free(values);
                const proof = try allocator.alloc(u8, prover.max_proof_len);
                errdefer allocator.free(proof);
                var len: usize = undefined;
                try status.check(error{ NoClaims, TooManyClaims, PointLength, Internal }, @field(c, name ++ "_open")(
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

            pub fn deinit(opening: *Opening) void {
                opening.allocator.free(opening.values);
                opening.allocator.free(opening.proof);
                opening.* = undefined;
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

        /// Verifies a proof; `error.Malformed` if the commitment is none. `place`, if it is given, learns where a check failed:
        /// which claim, level or row; 0 where there is no such number.
        pub fn verify(
            allocator: Allocator,
            accepted: Accepted,
            statement: Statement,
            proof: []const u8,
            place: ?*u64,
        ) (ProofError || error{ OutOfMemory, Malformed, Internal })!void {
            const theirs = try allocator.alloc(@field(c, name ++ "_claim"), statement.claims.len);
            defer allocator.free(theirs);
            for (theirs, statement.claims) |*out, claim| out.* = .{
                .point = pointOf(claim.point),
                .value = std.mem.bytesToValue(@field(c, name ++ "_element"), std.mem.asBytes(&claim.value)),
            };
            if (place) |out| out.* = 0;
            return status.check(ProofError || error{ Malformed, Internal }, @field(c, name ++ "_verify")(
                &accepted.raw(),
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

        fn pointOf(point: []const Element) @field(c, name ++ "_point") {
            return .{ .coordinates = @ptrCast(point.ptr), .coordinates_len = point.len };
        }
    };
}
