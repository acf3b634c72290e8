//! Reading vector files: any file of a format, whatever its values.

const std = @import("std");
const options = @import("options");
const Allocator = std.mem.Allocator;

/// The parts of a folder of vectors, below the one that the build was given.
pub const Folder = struct {
    dir: std.fs.Dir,
    arena: std.heap.ArenaAllocator,

    pub fn open(name: []const u8) !Folder {
        var all = try std.fs.cwd().openDir(options.vectors, .{});
        defer all.close();
        return .{
            .dir = try all.openDir(name, .{ .iterate = true }),
            .arena = std.heap.ArenaAllocator.init(std.heap.page_allocator),
        };
    }

    pub fn close(folder: *Folder) void {
        folder.dir.close();
        folder.arena.deinit();
    }

    pub fn bytes(folder: *Folder, name: []const u8) ![]const u8 {
        return folder.dir.readFileAlloc(folder.arena.allocator(), name, 1 << 28);
    }

    /// A JSON file, of which `T` names the fields that are looked at.
    pub fn json(folder: *Folder, comptime T: type, name: []const u8) !T {
        const text = try folder.bytes(name);
        return std.json.parseFromSliceLeaky(T, folder.arena.allocator(), text, .{ .ignore_unknown_fields = true });
    }

    /// The names of the files that end with `suffix`; at least one.
    pub fn names(folder: *Folder, suffix: []const u8) ![]const []const u8 {
        var found: std.ArrayList([]const u8) = .{};
        var entries = folder.dir.iterate();
        while (try entries.next()) |entry| {
            if (!std.mem.endsWith(u8, entry.name, suffix)) continue;
            try found.append(folder.arena.allocator(), try folder.arena.allocator().dupe(u8, entry.name));
        }
        try std.testing.expect(found.items.len > 0);
        return found.items;
    }
};

/// Bytes, in hex in JSON.
pub const Hex = struct {
    bytes: []const u8,

    pub fn jsonParse(allocator: Allocator, source: anytype, parse: std.json.ParseOptions) !Hex {
        const digits = try std.json.innerParse([]const u8, allocator, source, parse);
        if (digits.len % 2 != 0) return error.UnexpectedToken;
        const out = try allocator.alloc(u8, digits.len / 2);
        _ = std.fmt.hexToBytes(out, digits) catch return error.UnexpectedToken;
        return .{ .bytes = out };
    }

    /// The bytes, of which there are `len`.
    pub fn array(hex: Hex, comptime len: usize) *const [len]u8 {
        if (hex.bytes.len != len) std.debug.panic("{d} bytes, {d} wanted", .{ hex.bytes.len, len });
        return hex.bytes[0..len];
    }
};

/// A word of 64 bits: in JSON a number, or a decimal string.
pub const Word = struct {
    value: u64,

    pub fn jsonParse(allocator: Allocator, source: anytype, parse: std.json.ParseOptions) !Word {
        return .{ .value = try std.json.innerParse(u64, allocator, source, parse) };
    }
};

/// The words of a list.
pub fn values(allocator: Allocator, list: []const Word) ![]u64 {
    const out = try allocator.alloc(u64, list.len);
    for (out, list) |*value, word| value.* = word.value;
    return out;
}

/// A list with at least one element: an empty one would pass silently.
pub fn some(list: anytype) !@TypeOf(list) {
    try std.testing.expect(list.len > 0);
    return list;
}

pub fn expectSha256(wanted: Hex, bytes: []const u8) !void {
    var digest: [32]u8 = undefined;
    std.crypto.hash.sha2.Sha256.hash(bytes, &digest, .{});
    try std.testing.expectEqualSlices(u8, wanted.bytes, &digest);
}

/// Runs `check` on a case, and says which one it was if it fails.
pub fn named(file: []const u8, name: []const u8, outcome: anyerror!void) !void {
    outcome catch |err| {
        std.debug.print("{s}, case {s}: {t}\n", .{ file, name, err });
        return err;
    };
}
