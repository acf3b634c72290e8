//! The shared vectors, and the laws of each module.

test {
    _ = @import("ed25519.zig");
    _ = @import("generalized_xmss.zig");
    _ = @import("ligerito.zig");
    _ = @import("ligerito_ref_v08.zig");
    _ = @import("rescue.zig");
    _ = @import("xmss.zig");
}
