//! phalanx for Zig: signatures, hashes and commitments whose kernels are chosen for the CPU at run time.
//!
//! Four modules, aggregates, custody, and the names of hash-zig. Memory on this side of the C library comes from the allocators that functions
//! take; objects that end with `deinit` and take none live in the library. What cannot fail gives
//! no error: a fault inside the library is a panic there.

const std = @import("std");
const status = @import("status.zig");
const records = @import("records.zig");

pub const xmss = @import("xmss.zig");
pub const ed25519 = @import("ed25519.zig");
pub const rescue = @import("rescue.zig");
pub const ligerito = @import("ligerito.zig");
pub const aggregate = @import("aggregate.zig");
/// Ledgers, guarded keys and keystores; empty where the library has none.
pub const custody = if (@hasDecl(status.c, "PHALANX_HAS_CUSTODY")) @import("custody.zig") else struct {};

const generalized_xmss = @import("generalized_xmss.zig");
pub const GeneralizedXMSSSignatureScheme = generalized_xmss.GeneralizedXMSSSignatureScheme;
pub const GeneralizedXMSSPublicKey = generalized_xmss.GeneralizedXMSSPublicKey;
pub const GeneralizedXMSSSecretKey = generalized_xmss.GeneralizedXMSSSecretKey;
pub const GeneralizedXMSSSignature = generalized_xmss.GeneralizedXMSSSignature;
pub const KeyLifetime = generalized_xmss.KeyLifetime;
pub const KeyLifetimeRustCompat = generalized_xmss.KeyLifetime;
pub const FieldElement = generalized_xmss.FieldElement;

pub const Pool = @import("pool.zig").Pool;
/// One field of packed records, for `verifyRecords`.
pub const Field = records.Field;
pub const Error = status.Error;
pub const sentence = status.sentence;

/// The version of the library that is linked, such as "0.1.0".
pub fn version() [:0]const u8 {
    return std.mem.span(status.c.phalanx_version());
}

/// The name of the kernels that this CPU runs, or that the environment variable `PHALANX_BACKEND` names: "avx512", say.
pub fn backend() [:0]const u8 {
    return std.mem.span(status.c.phalanx_backend());
}

test {
    _ = status;
    _ = records;
    _ = generalized_xmss;
    std.testing.refAllDecls(@This());
}
