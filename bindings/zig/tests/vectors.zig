//! The shared vectors, and the properties of each module.

const std = @import("std");

test {
    _ = @import("aggregate.zig");
    _ = @import("custody.zig");
    _ = @import("ed25519.zig");
    _ = @import("generalized_xmss.zig");
    _ = @import("ligerito.zig");
    _ = @import("ligerito_ref_v08.zig");
    _ = @import("rescue.zig");
    _ = @import("xmss.zig");
    _ = @import("xmss_blake2s.zig");
}

test "the README shows the example that is run" {
    const example = @embedFile("examples/readme.zig");
    const code = example[std.mem.indexOf(u8, example, "const std").?..];
    try std.testing.expect(std.mem.indexOf(u8, @embedFile("README.md"), code) != null);
}
