//! Rescue hashes over the Goldilocks field p = 2^64 - 2^32 + 1, bit-exact with Winterfell and Miden.
//!
//! Words that go in are taken modulo p; words that come out are below p. One input fills one lane of the CPU's vectors:
//! the forms for many fill them all. An argument `workers` is a number of threads, 0 for all cores, or a `Pool`.

const std = @import("std");
const status = @import("status.zig");
const pool = @import("pool.zig");
const c = status.c;
const Allocator = std.mem.Allocator;

/// Four words below p.
pub const Digest = [c.PHALANX_RESCUE_DIGEST_WORDS]u64;

/// One of the hash functions.
pub const Function = enum(u32) {
    /// Rescue-Prime as winter-crypto 0.13.1 has it; states of 12 words.
    rp64_256 = c.PHALANX_RESCUE_FUNCTION_RP64_256,
    /// Its sibling with the Jive compression for merging; states of 8 words.
    jive_256 = c.PHALANX_RESCUE_FUNCTION_JIVE256,
    /// RPO-256 as miden-crypto has it up to 0.28, whose next version drops it; states of 12 words.
    rpo_256 = c.PHALANX_RESCUE_FUNCTION_RPO256,
    /// RPX-256 as miden-crypto has it up to 0.28, whose next version drops it; states of 12 words.
    rpx_256 = c.PHALANX_RESCUE_FUNCTION_RPX256,

    /// The name, such as "rescue-rp64-256".
    pub fn name(function: Function) [:0]const u8 {
        return std.mem.span(c.phalanx_rescue_function_name(@intFromEnum(function)));
    }

    /// The function called `wanted`.
    pub fn fromName(wanted: []const u8) ?Function {
        return for (std.enums.values(Function)) |function| {
            if (std.mem.eql(u8, function.name(), wanted)) break function;
        } else null;
    }

    /// Words of a state: 12 or 8.
    pub fn width(function: Function) usize {
        return c.phalanx_rescue_width(@intFromEnum(function));
    }

    /// Permutes the states that stand one after the other in `states`, in place, on `workers`.
    pub fn permute(function: Function, states: []u64, workers: anytype) error{ PartialState, Internal }!void {
        return status.check(
            error{ PartialState, Internal },
            pool.call("phalanx_rescue_permute", workers, .{ @intFromEnum(function), states.ptr, states.len }),
        );
    }

    /// The digest of elements. By the references' rules it can also be one of bytes (Rp64_256 and Jive) or of a merge (all
    /// but Jive): use one form in one domain.
    pub fn hashElements(function: Function, elements: []const u64) Digest {
        return sure(c.phalanx_rescue_hash_elements, function, .{ elements.ptr, elements.len });
    }

    /// The digests of many lists of elements, on `workers`. `digests` is as long as `inputs`.
    pub fn hashElementsMany(
        function: Function,
        allocator: Allocator,
        digests: []Digest,
        inputs: []const []const u64,
        workers: anytype,
    ) error{ OutOfMemory, InvalidLength, Internal }!void {
        if (digests.len != inputs.len) return error.InvalidLength;
        const theirs = try allocator.alloc(c.phalanx_words, inputs.len);
        defer allocator.free(theirs);
        for (theirs, inputs) |*out, input| out.* = .{ .data = input.ptr, .len = input.len };
        return many(error{Internal}, "phalanx_rescue_hash_elements_many", function, digests, .{ theirs.ptr, theirs.len }, workers);
    }

    /// The digest of elements in a domain; of RPO and RPX only.
    pub fn hashElementsInDomain(function: Function, elements: []const u64, domain: u64) error{ NoDomain, Internal }!Digest {
        const input = .{ elements.ptr, elements.len, domain };
        return one(error{ NoDomain, Internal }, c.phalanx_rescue_hash_elements_in_domain, function, input);
    }

    /// The digest of bytes, as the reference computes it. `error.UndefinedLength` where the reference panics: Rp64_256,
    /// above 56 bytes, no multiple of 7.
    pub fn hash(function: Function, bytes: []const u8) error{ UndefinedLength, Internal }!Digest {
        return one(error{ UndefinedLength, Internal }, c.phalanx_rescue_hash, function, .{ bytes.ptr, bytes.len });
    }

    /// The digests of many inputs, on `workers`. If any input has none, none is written.
    pub fn hashMany(
        function: Function,
        allocator: Allocator,
        digests: []Digest,
        inputs: []const []const u8,
        workers: anytype,
    ) error{ OutOfMemory, InvalidLength, UndefinedLength, Internal }!void {
        const theirs = try bytesOf(allocator, digests.len, inputs);
        defer allocator.free(theirs);
        const E = error{ UndefinedLength, Internal };
        return many(E, "phalanx_rescue_hash_many", function, digests, .{ theirs.ptr, theirs.len }, workers);
    }

    /// The digest of bytes of any length, with the end marked at every length: for Rp64_256 not what Winterfell computes
    /// above 56 bytes.
    /// Rp64_256 shares digests between this form and others: of 62 bytes it is `hash` of these and a byte 1. Use one form in
    /// one domain.
    pub fn hashPadded(function: Function, bytes: []const u8) Digest {
        return sure(c.phalanx_rescue_hash_padded, function, .{ bytes.ptr, bytes.len });
    }

    /// `hashPadded` of many inputs, on `workers`.
    pub fn hashPaddedMany(
        function: Function,
        allocator: Allocator,
        digests: []Digest,
        inputs: []const []const u8,
        workers: anytype,
    ) error{ OutOfMemory, InvalidLength, Internal }!void {
        const theirs = try bytesOf(allocator, digests.len, inputs);
        defer allocator.free(theirs);
        return many(error{Internal}, "phalanx_rescue_hash_padded_many", function, digests, .{ theirs.ptr, theirs.len }, workers);
    }

    /// The digest of two digests: what a Merkle tree is made of.
    pub fn merge(function: Function, left: Digest, right: Digest) Digest {
        return sure(c.phalanx_rescue_merge, function, .{ &left, &right });
    }

    /// The digests of many pairs, on `workers`. `digests` is as long as `pairs`.
    pub fn mergePairs(function: Function, digests: []Digest, pairs: []const [2]Digest, workers: anytype) error{ InvalidLength, Internal }!void {
        if (digests.len != pairs.len) return error.InvalidLength;
        return many(error{Internal}, "phalanx_rescue_merge_pairs", function, digests, .{ words(pairs.ptr), pairs.len }, workers);
    }

    /// The digest of two digests in a domain; of RPO and RPX only.
    pub fn mergeInDomain(function: Function, left: Digest, right: Digest, domain: u64) error{ NoDomain, Internal }!Digest {
        return one(error{ NoDomain, Internal }, c.phalanx_rescue_merge_in_domain, function, .{ &left, &right, domain });
    }

    /// The digest of any number of digests. For two, Rp64_256, RPO and RPX give what `merge` gives, and Jive does not.
    pub fn mergeMany(function: Function, digests: []const Digest) Digest {
        return sure(c.phalanx_rescue_merge_many, function, .{ words(digests.ptr), digests.len });
    }

    /// The digest of a digest and an integer.
    pub fn mergeWithInt(function: Function, seed: Digest, value: u64) Digest {
        return sure(c.phalanx_rescue_merge_with_int, function, .{ &seed, value });
    }

    /// `mergeWithInt` for many values, on `workers`: for grinding. `digests` is as long as `values`.
    pub fn mergeWithInts(function: Function, digests: []Digest, seed: Digest, values: []const u64, workers: anytype) error{ InvalidLength, Internal }!void {
        if (digests.len != values.len) return error.InvalidLength;
        return many(error{Internal}, "phalanx_rescue_merge_with_ints", function, digests, .{ &seed, values.ptr, values.len }, workers);
    }

    // For secret inputs: no branch and no address depends on a word. Scalar, and slower.

    /// As `permute`, of secret states. What comes out is the caller's to wipe.
    pub fn permuteSecret(function: Function, states: []u64) error{ PartialState, Internal }!void {
        return status.check(
            error{ PartialState, Internal },
            c.phalanx_rescue_permute_secret(@intFromEnum(function), states.ptr, states.len),
        );
    }

    /// As `hashElements`, of secret elements; their number is no secret.
    pub fn hashElementsSecret(function: Function, elements: []const u64) Digest {
        return sure(c.phalanx_rescue_hash_elements_secret, function, .{ elements.ptr, elements.len });
    }

    /// As `hash`, of secret bytes; their number is no secret.
    pub fn hashSecret(function: Function, bytes: []const u8) error{ UndefinedLength, Internal }!Digest {
        return one(error{ UndefinedLength, Internal }, c.phalanx_rescue_hash_secret, function, .{ bytes.ptr, bytes.len });
    }

    /// As `hashPadded`, of secret bytes; their number is no secret.
    pub fn hashPaddedSecret(function: Function, bytes: []const u8) Digest {
        return sure(c.phalanx_rescue_hash_padded_secret, function, .{ bytes.ptr, bytes.len });
    }

    /// As `merge`, of secret digests.
    pub fn mergeSecret(function: Function, left: *const Digest, right: *const Digest) Digest {
        return sure(c.phalanx_rescue_merge_secret, function, .{ left, right });
    }

    fn one(comptime E: type, comptime call: anytype, function: Function, input: anytype) E!Digest {
        var digest: Digest = undefined;
        try status.check(E, @call(.auto, call, .{ @intFromEnum(function), &digest } ++ input));
        return digest;
    }

    /// Of calls that have no error with any input.
    fn sure(comptime call: anytype, function: Function, input: anytype) Digest {
        var digest: Digest = undefined;
        status.must(@call(.auto, call, .{ @intFromEnum(function), &digest } ++ input));
        return digest;
    }

    fn many(
        comptime E: type,
        comptime name_in_c: []const u8,
        function: Function,
        digests: []Digest,
        input: anytype,
        workers: anytype,
    ) E!void {
        const out: [*]u64 = @ptrCast(digests.ptr);
        return status.check(E, pool.call(name_in_c, workers, .{ @intFromEnum(function), out } ++ input));
    }
};

/// Digests, one after the other, are words.
fn words(digests: anytype) [*]const u64 {
    return @ptrCast(digests);
}

fn bytesOf(allocator: Allocator, count: usize, inputs: []const []const u8) error{ OutOfMemory, InvalidLength }![]c.phalanx_bytes {
    if (count != inputs.len) return error.InvalidLength;
    const theirs = try allocator.alloc(c.phalanx_bytes, inputs.len);
    for (theirs, inputs) |*out, input| out.* = .{ .data = input.ptr, .len = input.len };
    return theirs;
}

// ---- a digest as bytes ----

/// The 32 bytes of a digest: each word as eight, little-endian.
pub fn digestToBytes(digest: Digest) [c.PHALANX_RESCUE_DIGEST_BYTES]u8 {
    var bytes: [c.PHALANX_RESCUE_DIGEST_BYTES]u8 = undefined;
    status.must(c.phalanx_rescue_digest_to_bytes(&bytes, &digest));
    return bytes;
}

/// The digest that 32 bytes are. `error.Malformed` if a word is p or more: then other bytes encode the same digest.
pub fn digestFromBytes(bytes: *const [c.PHALANX_RESCUE_DIGEST_BYTES]u8) error{ Malformed, Internal }!Digest {
    var digest: Digest = undefined;
    try status.check(error{ Malformed, Internal }, c.phalanx_rescue_digest_from_bytes(&digest, bytes));
    return digest;
}

/// The digest that any 32 bytes are, each word reduced modulo p as the reference does: two inputs may give one digest.
pub fn digestFromBytesLenient(bytes: *const [c.PHALANX_RESCUE_DIGEST_BYTES]u8) Digest {
    var digest: Digest = undefined;
    status.must(c.phalanx_rescue_digest_from_bytes_lenient(&digest, bytes));
    return digest;
}

/// The hash of bytes that come in pieces, of a length known before: these functions absorb the length first. The object
/// lives in the library until `deinit`.
pub const Hasher = struct {
    handle: *c.phalanx_rescue_hasher,

    /// Gives what `Function.hash` gives.
    pub fn init(function: Function, total_len: u64) error{ UndefinedLength, Internal }!Hasher {
        var handle: ?*c.phalanx_rescue_hasher = null;
        try status.check(
            error{ UndefinedLength, Internal },
            c.phalanx_rescue_hasher_new(&handle, @intFromEnum(function), total_len),
        );
        return .{ .handle = handle.? };
    }

    /// Gives what `Function.hashPadded` gives.
    pub fn initPadded(function: Function, total_len: u64) Hasher {
        var handle: ?*c.phalanx_rescue_hasher = null;
        status.must(c.phalanx_rescue_hasher_new_padded(&handle, @intFromEnum(function), total_len));
        return .{ .handle = handle.? };
    }

    pub fn deinit(hasher: *Hasher) void {
        c.phalanx_rescue_hasher_free(hasher.handle);
        hasher.* = undefined;
    }

    /// Takes the next bytes.
    pub fn update(hasher: Hasher, bytes: []const u8) void {
        status.must(c.phalanx_rescue_hasher_update(hasher.handle, bytes.ptr, bytes.len));
    }

    /// The digest. `error.Length` if fewer or more bytes came than were announced.
    pub fn final(hasher: Hasher) error{ Length, Internal }!Digest {
        var digest: Digest = undefined;
        try status.check(error{ Length, Internal }, c.phalanx_rescue_hasher_finalize(hasher.handle, &digest));
        return digest;
    }
};

/// A full binary tree whose nodes are merged from their children. It lives in the library until `deinit`: 64 bytes for
/// each leaf.
pub const MerkleTree = struct {
    handle: *c.phalanx_rescue_tree,

    /// The tree over a power of two of leaves, made on `workers`.
    pub fn init(function: Function, leaves: []const Digest, workers: anytype) error{ LeafCount, Internal }!MerkleTree {
        var handle: ?*c.phalanx_rescue_tree = null;
        try status.check(
            error{ LeafCount, Internal },
            pool.call("phalanx_rescue_tree_new", workers, .{ &handle, @intFromEnum(function), words(leaves.ptr), leaves.len }),
        );
        return .{ .handle = handle.? };
    }

    pub fn deinit(tree: *MerkleTree) void {
        c.phalanx_rescue_tree_free(tree.handle);
        tree.* = undefined;
    }

    pub fn root(tree: MerkleTree) Digest {
        var digest: Digest = undefined;
        status.must(c.phalanx_rescue_tree_root(tree.handle, &digest));
        return digest;
    }

    /// The base-2 logarithm of the number of leaves, which is the number of digests in a path.
    pub fn log2Leaves(tree: MerkleTree) u32 {
        return c.phalanx_rescue_tree_log2_leaves(tree.handle);
    }

    /// Leaf `index`; its path, the siblings on the way to the root, goes to `path`, which is `log2Leaves` long.
    pub fn open(tree: MerkleTree, path: []Digest, index: usize) error{ LeafIndex, InvalidLength, Internal }!Digest {
        if (path.len != tree.log2Leaves()) return error.InvalidLength;
        var leaf: Digest = undefined;
        const out: [*]u64 = @ptrCast(path.ptr);
        try status.check(error{ LeafIndex, Internal }, c.phalanx_rescue_tree_open(tree.handle, &leaf, out, index));
        return leaf;
    }

    /// Checks that `leaf` is the one with this index in the tree of 2^`log2_leaves` leaves that has this root. The size is
    /// the verifier's knowledge: with it, no inner node passes for a leaf.
    pub fn verify(
        function: Function,
        tree_root: Digest,
        log2_leaves: u32,
        index: usize,
        leaf: Digest,
        path: []const Digest,
    ) error{ LeafIndex, PathLength, WrongRoot, Internal }!void {
        return status.check(error{ LeafIndex, PathLength, WrongRoot, Internal }, c.phalanx_rescue_tree_verify(
            @intFromEnum(function),
            &tree_root,
            log2_leaves,
            index,
            &leaf,
            words(path.ptr),
            path.len,
        ));
    }
};

/// The root of the tree over a power of two of leaves, made on `workers` and not kept.
pub fn merkleRoot(function: Function, leaves: []const Digest, workers: anytype) error{ LeafCount, Internal }!Digest {
    var digest: Digest = undefined;
    try status.check(
        error{ LeafCount, Internal },
        pool.call("phalanx_rescue_merkle_root", workers, .{ @intFromEnum(function), &digest, words(leaves.ptr), leaves.len }),
    );
    return digest;
}

/// The field, one operation at a time, for public data. Words may be any; what comes out is below p.
pub const field = struct {
    pub const modulus: u64 = 0xffff_ffff_0000_0001;

    pub fn add(a: u64, b: u64) u64 {
        return c.phalanx_rescue_field_add(a, b);
    }

    pub fn sub(a: u64, b: u64) u64 {
        return c.phalanx_rescue_field_sub(a, b);
    }

    pub fn mul(a: u64, b: u64) u64 {
        return c.phalanx_rescue_field_mul(a, b);
    }

    /// a to the power of `exponent`; 0^0 is 1.
    pub fn pow(a: u64, exponent: u64) u64 {
        return c.phalanx_rescue_field_pow(a, exponent);
    }

    /// The inverse of a, and 0 for 0.
    pub fn inverse(a: u64) u64 {
        return c.phalanx_rescue_field_inverse(a);
    }
};
