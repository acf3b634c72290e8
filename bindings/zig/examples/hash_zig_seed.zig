// The program of hash-zig's README, section "Using a Deterministic Seed".
// Source: hash-zig 1.1.3, github.com/blockblaz/hash-zig at 76ac4c3, README.md; licence Apache-2.0 (LICENSE-APACHE).
// The README shows lines of a function. Around them stand here, as in its "Basic Usage": the imports (of "phalanx"
// instead of "hash-zig"), `main`, the allocator, and what ends the key. The last line is ours: Zig wants `keypair` used.
const std = @import("std");
const hash_zig = @import("phalanx");

pub fn main() !void {
    var gpa = std.heap.GeneralPurposeAllocator(.{}){};
    defer _ = gpa.deinit();
    const allocator = gpa.allocator();

    // Generate a 32-byte seed
    const seed = [_]u8{0x42} ** 32;

    // Initialize scheme with seed
    var scheme = try hash_zig.GeneralizedXMSSSignatureScheme.initWithSeed(
        allocator,
        .lifetime_2_8,
        seed,
    );
    defer scheme.deinit();

    // Generate keypair (deterministic based on seed)
    const keypair = try scheme.keyGen(0, 256);
    defer keypair.secret_key.deinit();

    std.debug.print("Root of the key: {any}\n", .{keypair.public_key.getRoot()});
}
