//! A key that never signs an epoch twice: made, registered, kept in a file, signing through its ledger, refused.

const std = @import("std");
const phalanx = @import("phalanx");
const custody = phalanx.custody;

const password = "from a file or a prompt";

pub fn main() !void {
    var memory: std.heap.ArenaAllocator = .init(std.heap.page_allocator);
    defer memory.deinit();
    const allocator = memory.allocator();
    // Everything is in a folder here, which goes again; a real one stays, and its side log is best on another disk.
    const folder = try std.fmt.allocPrint(allocator, "custody-example-{x}", .{std.crypto.random.int(u64)});
    defer std.fs.cwd().deleteTree(folder) catch {};
    const ledger_path = try std.fmt.allocPrintSentinel(allocator, "{s}/ledger", .{folder}, 0);
    const key_path = try std.fmt.allocPrintSentinel(allocator, "{s}/keys/attester.json", .{folder}, 0);
    const config = try std.fmt.allocPrintSentinel(
        allocator,
        "witness = \"{s}/witness\"\nallow_file_systems = [\"overlay\"]",
        .{folder},
        0,
    );
    try make(ledger_path, key_path, config);
    try run(ledger_path, key_path, config);
}

/// Once in the life of the key: a program that made its ledger at every start would begin anew after a loss.
fn make(ledger_path: [:0]const u8, key_path: [:0]const u8, config: [:0]const u8) !void {
    var seed: phalanx.xmss.Seed = undefined;
    std.crypto.random.bytes(&seed);
    defer std.crypto.secureZero(u8, &seed);
    var key = try phalanx.xmss.SigningKey.fromSeed(.poseidon2_l8_d64b8, &seed, 0, 256, .{});
    defer key.deinit();
    try custody.Ledger.create(ledger_path, config);
    var ledger = try custody.Ledger.open(ledger_path, config);
    defer ledger.deinit();
    // Registered first, written then: a crash between leaves a key without a file, never one without state.
    try ledger.register(key, .attester, 0);
    try custody.keystore.write(key_path, key, &seed, .attester, password, null);
}

/// At every start of the signer.
fn run(ledger_path: [:0]const u8, key_path: [:0]const u8, config: [:0]const u8) !void {
    var ledger = try custody.Ledger.open(ledger_path, config);
    defer ledger.deinit();
    var key = try custody.GuardedKey.init(ledger, try custody.keystore.load(key_path, password, .{ .threads = 2 }));
    defer key.deinit();
    const message: phalanx.xmss.Message = @splat(1);
    const first = try key.sign(3, &message);
    const again = try key.sign(3, &message);
    std.debug.print("{d} bytes, repeated: {}\n", .{ first.signature.bytes().len, again.repeated });
    const other: phalanx.xmss.Message = @splat(2);
    if (key.sign(3, &other)) |_| return error.SignedTwice else |refused| {
        std.debug.print("{s}, final: {}\n", .{ phalanx.sentence(refused), custody.isFinal(refused) });
    }
}
