//! What the two suites of Ligerito have in common: everything but the field, the profiles and what a verifier accepts.

const std = @import("std");
const status = @import("status.zig");
const c = status.c;
const Allocator = std.mem.Allocator;

pub const Root = [c.PHALANX_LIGERITO_ROOT_BYTES]u8;

pub const CommitError = error{ PolynomialLength, TooLarge, Internal };
pub const OpenError = error{ OutOfMemory, NoClaims, TooManyClaims, PointLength, Internal };
pub const OpenTogetherError = OpenError || error{ Together, CommitmentIndex };
/// How many bits a word has, and planes there are at a point.
pub const planes = c.PHALANX_LIGERITO_PLANES;

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

/// The same of several commitments in one proof: `MerkleRoot` at level 0 is `MerkleRootOf`, with the place of the commitment.
pub const TogetherError = ProofError || error{ CommitmentIndex, MerkleRootOf };

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

        /// Commits to what lies in memory: bits, bytes, words of 16 or 64 bits (`std.mem.sliceAsBytes`). It is `commit` of the words of
        /// 32 bits that the memory holds.
        pub fn commitBytes(profile: Profile, memory: []align(4) const u8, threads: u32) CommitError!struct { Commitment, Prover } {
            if (memory.len % 4 != 0) return error.PolynomialLength;
            const commitment, const prover = try commit(profile, std.mem.bytesAsSlice(u32, memory), threads);
            return .{ commitment, prover };
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

            /// All 32 planes at `points`, for polynomials that hold bits or bytes, and one proof for all of them.
            pub fn openPlanes(
                prover: Prover,
                allocator: Allocator,
                points: []const []const Element,
                context: []const u8,
                threads: u32,
            ) OpenError!PlanesOpening {
                const theirs = try allocator.alloc(@field(c, name ++ "_point"), points.len);
                defer allocator.free(theirs);
                for (theirs, points) |*out, point| out.* = pointOf(point);
                const opened = try allocator.alloc(Planes, points.len);
                errdefer allocator.free(opened);
                const proof = try allocator.alloc(u8, prover.max_proof_len);
                errdefer allocator.free(proof);
                var len: usize = undefined;
                try status.check(error{ NoClaims, TooManyClaims, PointLength, Internal }, @field(c, name ++ "_open_planes")(
                    prover.handle,
                    @ptrCast(opened.ptr),
                    proof.ptr,
                    proof.len,
                    &len,
                    theirs.ptr,
                    theirs.len,
                    context.ptr,
                    context.len,
                    threads,
                ));
                return .{ .planes = opened, .proof = try allocator.realloc(proof, len), .allocator = allocator };
            }
        };

        /// The 32 planes at a point: that of bit 0 first.
        pub const Planes = [planes]Element;

        /// Planes at points, and their proof.
        pub const PlanesOpening = struct {
            planes: []Planes,
            proof: []u8,
            allocator: Allocator,

            pub fn deinit(opening: *PlanesOpening) void {
                opening.allocator.free(opening.planes);
                opening.allocator.free(opening.proof);
                opening.* = undefined;
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

        /// The claim that the polynomial's bits have these planes at this point.
        pub const PlanesClaim = struct { point: []const Element, planes: Planes };

        /// What a proof of `Prover.openPlanes` is about.
        pub const PlanesStatement = struct {
            /// 34 bytes, from outside.
            commitment: []const u8,
            claims: []const PlanesClaim,
            /// What the prover bound the proof to.
            context: []const u8 = "",
        };

        /// As `verify`, of planes.
        pub fn verifyPlanes(
            allocator: Allocator,
            accepted: Accepted,
            statement: PlanesStatement,
            proof: []const u8,
            place: ?*u64,
        ) (ProofError || error{ OutOfMemory, Malformed, Internal })!void {
            const theirs = try allocator.alloc(@field(c, name ++ "_planes_claim"), statement.claims.len);
            defer allocator.free(theirs);
            for (theirs, statement.claims) |*out, *claim| out.* = .{
                .point = pointOf(claim.point),
                .planes = @ptrCast(&claim.planes),
            };
            if (place) |out| out.* = 0;
            return status.check(ProofError || error{ Malformed, Internal }, @field(c, name ++ "_verify_planes")(
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

        /// The value of a polynomial of small coefficients, from the planes at a point: `low` are the coordinates inside a word (five
        /// for bits, two for bytes), `basis` what each bit of a coefficient stands for (1 alone for bits, `aesBasis` for bytes).
        pub fn valueOfPlanes(low: []const Element, basis: []const Element, of: *const Planes) error{ BasisLength, Internal }!Element {
            var value: Element = undefined;
            try status.check(error{ BasisLength, Internal }, @field(c, name ++ "_value_of_planes")(
                @ptrCast(&value),
                @ptrCast(low.ptr),
                low.len,
                @ptrCast(basis.ptr),
                basis.len,
                @ptrCast(of),
            ));
            return value;
        }

        /// The images of 1, x, ..., x^7 of the field of AES.
        pub fn aesBasis() [8]Element {
            var basis: [8]Element = undefined;
            status.must(@field(c, name ++ "_aes_basis")(@ptrCast(&basis)));
            return basis;
        }

        /// A point at which one of several polynomials is opened, by its place among them.
        pub const PointOf = struct { commitment: usize, point: []const Element };

        /// The values of several polynomials, of one profile and of any sizes, and one proof for all of them.
        pub fn openTogether(
            allocator: Allocator,
            provers: []const Prover,
            points: []const PointOf,
            context: []const u8,
            threads: u32,
        ) OpenTogetherError!Opening {
            const handles = try allocator.alloc(?*const @field(c, name ++ "_prover"), provers.len);
            defer allocator.free(handles);
            var room: usize = 0;
            for (handles, provers) |*handle, prover| {
                handle.* = prover.handle;
                room += prover.max_proof_len;
            }
            const theirs = try allocator.alloc(@field(c, name ++ "_point_of"), points.len);
            defer allocator.free(theirs);
            for (theirs, points) |*out, at| out.* = .{ .commitment = at.commitment, .point = pointOf(at.point) };
            const values = try allocator.alloc(Element, points.len);
            errdefer allocator.free(values);
            var proof = try allocator.alloc(u8, room);
            errdefer allocator.free(proof);
            // The room is a guess: if it was too little, the length is known after the first time.
            while (true) {
                var len: usize = undefined;
                const answer = @field(c, name ++ "_open_together")(
                    handles.ptr,
                    handles.len,
                    @ptrCast(values.ptr),
                    proof.ptr,
                    proof.len,
                    &len,
                    theirs.ptr,
                    theirs.len,
                    context.ptr,
                    context.len,
                    threads,
                );
                const is_short = answer == c.PHALANX_ERROR_BUFFER_TOO_SMALL and len > proof.len;
                const Fails = error{ NoClaims, TooManyClaims, PointLength, Together, CommitmentIndex, Internal };
                if (!is_short) try status.check(Fails, answer);
                proof = try allocator.realloc(proof, len);
                if (!is_short) return .{ .values = values, .proof = proof, .allocator = allocator };
            }
        }

        /// The claim that one of several polynomials has this value at this point.
        pub const ClaimOf = struct { commitment: usize, point: []const Element, value: Element };

        /// What a proof of `openTogether` is about.
        pub const TogetherStatement = struct {
            commitments: []const Commitment,
            claims: []const ClaimOf,
            /// What the prover bound the proof to.
            context: []const u8 = "",
        };

        /// As `verify`, of several commitments.
        pub fn verifyTogether(
            allocator: Allocator,
            accepted: Accepted,
            statement: TogetherStatement,
            proof: []const u8,
            place: ?*u64,
        ) (TogetherError || error{ OutOfMemory, Malformed, Internal })!void {
            const theirs = try allocator.alloc(@field(c, name ++ "_claim_of"), statement.claims.len);
            defer allocator.free(theirs);
            for (theirs, statement.claims) |*out, claim| out.* = .{
                .commitment = claim.commitment,
                .claim = .{
                    .point = pointOf(claim.point),
                    .value = std.mem.bytesToValue(@field(c, name ++ "_element"), std.mem.asBytes(&claim.value)),
                },
            };
            if (place) |out| out.* = 0;
            return status.check(TogetherError || error{ Malformed, Internal }, @field(c, name ++ "_verify_together")(
                &accepted.raw(),
                place,
                @ptrCast(statement.commitments.ptr),
                statement.commitments.len,
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
