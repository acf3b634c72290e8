//! The Zig package of phalanx, for those who fetch the whole repository: `zig fetch --save=phalanx git+https://…`. The package
//! itself is in bindings/zig.

const std = @import("std");

pub fn build(b: *std.Build) void {
    const package = b.dependency("phalanx", .{
        .target = b.standardTargetOptions(.{}),
        .optimize = b.standardOptimizeOption(.{}),
        .@"phalanx-lib" = b.option([]const u8, "phalanx-lib", "Link this static library instead of building one with Cargo"),
        .custody = b.option(bool, "custody", "Ledgers, guarded keys and keystores"),
    });
    b.modules.put("phalanx", package.module("phalanx")) catch @panic("out of memory");
}
