//! A program that uses the package. `cargo xtask bindings zig` adds the dependency to a copy of this folder, by
//! `zig fetch --save=phalanx TARBALL`.

const std = @import("std");

pub fn build(b: *std.Build) void {
    const target = b.standardTargetOptions(.{});
    const optimize = b.standardOptimizeOption(.{});
    const phalanx = b.dependency("phalanx", .{
        .target = target,
        .optimize = optimize,
        // Only to name a library that is built already; without it, Cargo builds one.
        .@"phalanx-lib" = b.option([]const u8, "phalanx-lib", "The static library to link"),
    });
    const program = b.addExecutable(.{ .name = "consumer", .root_module = b.createModule(.{
        .root_source_file = b.path("main.zig"),
        .target = target,
        .optimize = optimize,
        .imports = &.{.{ .name = "phalanx", .module = phalanx.module("phalanx") }},
    }) });
    b.step("run", "Run the program").dependOn(&b.addRunArtifact(program).step);
}
