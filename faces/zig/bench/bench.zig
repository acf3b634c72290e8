pub fn main() !void {}
