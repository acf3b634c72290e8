//! Packed records: rows of a table or of a mapped file, each with a key, a message and a signature at the same places.

const std = @import("std");

/// One field of all records.
pub const Field = struct {
    /// From the field in the first record to its end in the last one, or further.
    bytes: []const u8,
    /// The length of the field.
    len: usize,
    /// From one record's field to the next one's, in bytes; 0: one field for all records.
    stride: usize,

    /// One value for all records.
    pub fn ofAll(value: []const u8) Field {
        return .{ .bytes = value, .len = value.len, .stride = 0 };
    }

    /// Whether there are `count` of them in its bytes.
    pub fn holds(field: Field, count: usize) bool {
        if (count == 0 or field.len == 0) return true;
        const last = std.math.mul(usize, count - 1, field.stride) catch return false;
        const end = std.math.add(usize, last, field.len) catch return false;
        return end <= field.bytes.len;
    }
};

test "fields end with their bytes" {
    const table: [100]u8 = @splat(0);
    const field = Field{ .bytes = table[4..], .len = 32, .stride = 32 };
    try std.testing.expect(field.holds(3) and !field.holds(4) and field.holds(0));
    try std.testing.expect(!(Field{ .bytes = &table, .len = 1, .stride = std.math.maxInt(usize) }).holds(3));
    try std.testing.expect(!(Field{ .bytes = &table, .len = 2, .stride = std.math.maxInt(usize) }).holds(2));
    try std.testing.expect(Field.ofAll(&table).holds(1000) and Field.ofAll("").holds(1000));
}
