//! Who works in a call.

const status = @import("status.zig");
const c = status.c;

/// Threads that wait for work, so that calls need not start any and small batches gain from them too. Several threads may use
/// it at the same time; a process that forks makes a pool of its own in the child. It lives in the library until `deinit`.
///
/// Functions with an argument `workers` take a pool, or a number of threads that start and end with the call: 0 is one for
/// each core, 1 is the calling thread alone.
pub const Pool = struct {
    handle: *c.phalanx_pool,

    /// A pool of so many threads, the calling one included; 0 is one for each core.
    pub fn init(count: u32) Pool {
        var handle: ?*c.phalanx_pool = null;
        status.must(c.phalanx_pool_new(&handle, count));
        return .{ .handle = handle.? };
    }

    pub fn deinit(pool: *Pool) void {
        c.phalanx_pool_free(pool.handle);
        pool.* = undefined;
    }

    /// How many threads work in a call, the calling one included.
    pub fn threads(pool: Pool) u32 {
        return c.phalanx_pool_threads(pool.handle);
    }
};

/// Calls the function of the C library for a number of threads, which is its last argument, or that for a pool, which is the
/// first argument of it.
pub fn call(comptime function: []const u8, workers: anytype, arguments: anytype) status.Status {
    if (@TypeOf(workers) == Pool) return @call(.auto, @field(c, function ++ "_on"), .{workers.handle} ++ arguments);
    const threads: u32 = workers;
    return @call(.auto, @field(c, function), arguments ++ .{threads});
}
