//! The Zig package of phalanx. It links the library's static C library, which Cargo builds (it wants a Rust toolchain),
//! or the one that `-Dphalanx-lib=PATH` names. `zig build --help` lists the steps.

const std = @import("std");

pub fn build(b: *std.Build) void {
    const target = b.standardTargetOptions(.{});
    const optimize = b.standardOptimizeOption(.{});
    const prebuilt = b.option(
        []const u8,
        "phalanx-lib",
        "Link this static library (libphalanx.a, for the same target) instead of building one with Cargo",
    );

    const phalanx = b.addModule("phalanx", .{
        .root_source_file = b.path("src/phalanx.zig"),
        .target = target,
        .optimize = optimize,
        .link_libc = true,
    });
    phalanx.addIncludePath(b.path(if (exists(b, "include/phalanx.h")) "include" else "../c/include"));
    const custody = b.option(
        bool,
        "custody",
        "Ledgers, guarded keys and keystores, which bring SQLite (default; false: for libraries without, or cross builds " ++
            "without a C compiler for the target)",
    ) orelse (target.result.os.tag != .windows);
    if (!custody) phalanx.addCMacro("PHALANX_NO_CUSTODY", "1");
    phalanx.addObjectFile(if (prebuilt) |path| .{ .cwd_relative = path } else cargo(b, target, custody));
    switch (target.result.os.tag) {
        // Rust catches its panics before they reach C, with the unwinder; Zig brings one of its own.
        .linux => phalanx.linkSystemLibrary("unwind", .{ .use_pkg_config = .no }),
        .windows => for ([_][]const u8{ "bcrypt", "ntdll", "userenv", "ws2_32" }) |name| {
            phalanx.linkSystemLibrary(name, .{ .use_pkg_config = .no });
        },
        else => {},
    }

    steps(b, phalanx, target, optimize);
}

/// The steps of this package's own: tests, examples, benchmark.
fn steps(
    b: *std.Build,
    phalanx: *std.Build.Module,
    target: std.Build.ResolvedTarget,
    optimize: std.builtin.OptimizeMode,
) void {
    const vectors = b.option([]const u8, "vectors", "The folder of test vectors") orelse b.pathFromRoot("../../vectors");
    const filter = b.option([]const u8, "test-filter", "Run only the tests whose name contains this");
    const filters: []const []const u8 = if (filter) |text| b.dupeStrings(&.{text}) else &.{};
    const options = b.addOptions();
    options.addOption([]const u8, "vectors", vectors);

    const with_phalanx = std.Build.Module.Import{ .name = "phalanx", .module = phalanx };
    const examples = b.step("examples", "Run the examples: this package's and those of the libraries that it stands in for");
    const tests = b.step("test", "Run the tests, the vectors and the examples");

    const units = b.addTest(.{ .name = "units", .filters = filters, .root_module = phalanx });
    tests.dependOn(&b.addRunArtifact(units).step);

    const all_vectors = b.addTest(.{ .name = "vectors", .filters = filters, .root_module = b.createModule(.{
        .root_source_file = b.path("tests/vectors.zig"),
        .target = target,
        .optimize = optimize,
        .imports = &.{ with_phalanx, .{ .name = "options", .module = options.createModule() } },
    }) });
    for ([_][]const u8{ "README.md", "examples/readme.zig" }) |path| {
        all_vectors.root_module.addAnonymousImport(path, .{ .root_source_file = b.path(path) });
    }
    const run_vectors = b.addRunArtifact(all_vectors);
    // The files are not known to the build: they are read anew each time.
    run_vectors.has_side_effects = true;
    tests.dependOn(&run_vectors.step);

    // One program runs them all, which is linked once.
    var mains: std.ArrayList(u8) = .empty;
    const programs = b.createModule(.{ .target = target, .optimize = optimize });
    for (exampleNames(b)) |name| {
        const example = b.createModule(.{
            .root_source_file = b.path(b.fmt("examples/{s}.zig", .{name})),
            .target = target,
            .optimize = optimize,
            .imports = &.{with_phalanx},
        });
        // That of ed25519-donna-zig is tests there, too.
        if (std.mem.eql(u8, name, "ed25519_donna")) {
            const donna = b.addTest(.{ .name = name, .root_module = example });
            examples.dependOn(&b.addRunArtifact(donna).step);
            continue;
        }
        programs.addImport(name, example);
        mains.appendSlice(b.allocator, b.fmt("    try @import(\"{s}\").main();\n", .{name})) catch @panic("out of memory");
    }
    programs.root_source_file = b.addWriteFiles().add(
        "examples.zig",
        b.fmt("pub fn main() !void {{\n{s}}}\n", .{mains.items}),
    );
    examples.dependOn(&b.addRunArtifact(b.addExecutable(.{ .name = "examples", .root_module = programs })).step);
    tests.dependOn(examples);

    const bench = b.addExecutable(.{ .name = "bench", .root_module = b.createModule(.{
        .root_source_file = b.path("bench/bench.zig"),
        .target = target,
        .optimize = .ReleaseFast,
        .imports = &.{with_phalanx},
    }) });
    const run_bench = b.addRunArtifact(bench);
    if (b.args) |args| run_bench.addArgs(args);
    b.step("bench", "Print the tables of the two libraries' benchmarks (`-- --quick`: in a few seconds)").dependOn(&run_bench.step);
}

/// The programs of the folder `examples`, all of them, in the order of their names.
fn exampleNames(b: *std.Build) []const []const u8 {
    var names: std.ArrayList([]const u8) = .empty;
    var folder = b.build_root.handle.openDir("examples", .{ .iterate = true }) catch @panic("phalanx: no folder of examples");
    defer folder.close();
    var files = folder.iterate();
    while (files.next() catch @panic("phalanx: the folder of examples cannot be read")) |file| {
        if (!std.mem.endsWith(u8, file.name, ".zig")) continue;
        names.append(b.allocator, b.dupe(std.fs.path.stem(file.name))) catch @panic("out of memory");
    }
    std.mem.sort([]const u8, names.items, {}, lessThan);
    return names.items;
}

fn lessThan(_: void, a: []const u8, b: []const u8) bool {
    return std.mem.lessThan(u8, a, b);
}

/// The static library, built by Cargo from the sources beside this package (in the repository) or inside it (in the
/// package that is shipped).
fn cargo(b: *std.Build, target: std.Build.ResolvedTarget, custody: bool) std.Build.LazyPath {
    const inside = exists(b, "rust/Cargo.toml");
    const manifest = b.pathFromRoot(if (inside) "rust/Cargo.toml" else "../../Cargo.toml");
    const run = b.addSystemCommand(&.{
        "cargo",        "rustc",     "--release",       "--locked", "--package", "phalanx-c", "--lib",
        // Nothing but this is linked here: a shared library would want a linker for the target.
        "--crate-type", "staticlib", "--manifest-path", manifest,
    });
    run.setName("cargo rustc --package phalanx-c");
    // Cargo knows best whether there is something to do.
    run.has_side_effects = true;
    run.stdio = .inherit;
    if (!custody) run.addArg("--no-default-features");
    var folder: []const u8 = "release";
    if (foreign(b, target)) |triple| {
        run.addArgs(&.{ "--target", triple });
        folder = b.fmt("{s}/release", .{triple});
    }
    run.addArg("--target-dir");
    const produced = run.addOutputDirectoryArg("cargo");
    const name = if (target.result.abi == .msvc) "phalanx.lib" else "libphalanx.a";
    return produced.path(b, b.fmt("{s}/{s}", .{ folder, name }));
}

/// Rust's name of the target, if that is not the machine that builds.
fn foreign(b: *std.Build, target: std.Build.ResolvedTarget) ?[]const u8 {
    const host, const wanted = .{ b.graph.host.result, target.result };
    if (wanted.cpu.arch == host.cpu.arch and wanted.os.tag == host.os.tag and wanted.abi == host.abi) return null;
    const arch = switch (wanted.cpu.arch) {
        .x86_64, .aarch64 => @tagName(wanted.cpu.arch),
        else => null,
    };
    const system: ?[]const u8 = switch (wanted.os.tag) {
        .linux => switch (wanted.abi) {
            .gnu => "unknown-linux-gnu",
            .musl => "unknown-linux-musl",
            else => null,
        },
        .macos => "apple-darwin",
        .windows => if (wanted.abi == .gnu) "pc-windows-gnu" else "pc-windows-msvc",
        else => null,
    };
    if (arch != null and system != null) return b.fmt("{s}-{s}", .{ arch.?, system.? });
    std.debug.panic("phalanx: build the library for this target yourself and name it with -Dphalanx-lib=PATH", .{});
}

/// Whether the package has this file.
fn exists(b: *std.Build, path: []const u8) bool {
    b.build_root.handle.access(path, .{}) catch return false;
    return true;
}
