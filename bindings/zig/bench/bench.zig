//! The tables of the two libraries' benchmarks: ed25519-donna-zig's (sign, verify, batches of 1 to 4096, beside the
//! standard library) and hash-zig's (key generation, signing and verification for each lifetime); then one for each of
//! the other two systems. One thread, unless a line says more. `--quick` measures each for a fraction of the time, and
//! leaves out lifetime 2^32.

const std = @import("std");
const phalanx = @import("phalanx");
const Std = std.crypto.sign.Ed25519;

/// How long each operation is repeated.
var time_ns: u64 = 500 * std.time.ns_per_ms;

pub fn main() !void {
    var arguments = std.process.args();
    _ = arguments.skip();
    var quick = false;
    while (arguments.next()) |argument| {
        if (!std.mem.eql(u8, argument, "--quick")) return error.UnknownArgument;
        quick = true;
        time_ns = 5 * std.time.ns_per_ms;
    }
    print("phalanx {s}, kernels: {s}\n", .{ phalanx.version(), phalanx.backend() });
    try ed25519();
    try xmss(quick);
    try rescue();
    try ligerito(if (quick) 12 else 20);
}

const print = std.debug.print;

/// Nanoseconds that one of `count` operations takes: the median over calls of `function`, each of which does `count`.
fn measure(count: usize, context: anytype, function: anytype) !f64 {
    var samples: [201]u64 = undefined;
    var len: usize = 0;
    var all = try std.time.Timer.start();
    var one = try std.time.Timer.start();
    try @call(.never_inline, function, .{context});
    all.reset();
    while (len < samples.len and (len == 0 or all.read() < time_ns)) : (len += 1) {
        one.reset();
        try @call(.never_inline, function, .{context});
        samples[len] = one.read();
    }
    std.mem.sort(u64, samples[0..len], {}, std.sort.asc(u64));
    return @as(f64, @floatFromInt(samples[len / 2])) / @as(f64, @floatFromInt(count));
}

fn line(name: []const u8, ns: f64) void {
    print("{s:<24} {d:>12.2} us {d:>14.1} per second\n", .{ name, ns / 1e3, 1e9 / ns });
}

// ---- ed25519 ----

const Signing = struct { pair: Std.KeyPair, key: phalanx.ed25519.SigningKey, message: []const u8, signature: Std.Signature };

fn ed25519() !void {
    const pair = Std.KeyPair.generate();
    const message: []const u8 = &@as([256]u8, @splat(0));
    var key = try phalanx.ed25519.SigningKey.fromKeyPair(pair);
    defer key.deinit();
    const context: Signing = .{ .pair = pair, .key = key, .message = message, .signature = key.sign(message) };

    print("\n=== ed25519-std (single thread) ===\n", .{});
    line("sign", try measure(1, context, struct {
        fn run(c: Signing) !void {
            std.mem.doNotOptimizeAway(try c.pair.sign(c.message, null));
        }
    }.run));
    line("verify", try measure(1, context, struct {
        fn run(c: Signing) !void {
            try c.signature.verify(c.message, c.pair.public_key);
        }
    }.run));
    try batches(Std.verifyBatch, context, .{ 1, 2, 4, 8, 16, 32, 64 });

    print("\n=== ed25519-phalanx (single thread) ===\n", .{});
    line("sign (key pair)", try measure(1, context, struct {
        fn run(c: Signing) !void {
            std.mem.doNotOptimizeAway(try phalanx.ed25519.sign(c.message, c.pair));
        }
    }.run));
    line("sign (SigningKey)", try measure(1, context, struct {
        fn run(c: Signing) !void {
            std.mem.doNotOptimizeAway(c.key.sign(c.message));
        }
    }.run));
    line("verify", try measure(1, context, struct {
        fn run(c: Signing) !void {
            try phalanx.ed25519.verify(c.signature, c.message, c.pair.public_key);
        }
    }.run));
    const sizes = .{ 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096 };
    try batches(phalanx.ed25519.verifyBatch, context, sizes);
    print("-- profile zip215, one equation for a batch\n", .{});
    try batches(struct {
        fn verifyBatch(comptime count: usize, batch: [count]Std.BatchElement) !void {
            return phalanx.ed25519.verifyBatchWith(.zip215, count, batch);
        }
    }.verifyBatch, context, sizes);
}

/// A line for each size of batch.
fn batches(comptime verifyBatch: anytype, context: Signing, comptime sizes: anytype) !void {
    inline for (sizes) |size| {
        const Batch = [size]Std.BatchElement;
        var batch: Batch = undefined;
        for (&batch) |*element| element.* = .{
            .sig = context.signature,
            .msg = context.message,
            .public_key = context.pair.public_key,
        };
        line(std.fmt.comptimePrint("batch_verify({d})", .{size}), try measure(size, &batch, struct {
            fn run(b: *const Batch) !void {
                try verifyBatch(size, b.*);
            }
        }.run));
    }
}

// ---- xmss ----

fn xmss(quick: bool) !void {
    const Row = struct { phalanx.KeyLifetime, usize, []const u8 };
    for ([_]Row{
        .{ .lifetime_2_8, 256, "=== xmss, lifetime 2^8 (256 active epochs) ===" },
        .{ .lifetime_2_18, 256, "=== xmss, lifetime 2^18 (256 active epochs) ===" },
        .{ .lifetime_2_32, 1024, "=== xmss, lifetime 2^32 (1024 active epochs) ===" },
    }) |row| {
        if (quick and row[0] == .lifetime_2_32) continue;
        print("\n{s}\n", .{row[2]});
        try lifetime(row[0], row[1]);
    }
}

const Verifying = struct {
    key: phalanx.xmss.VerifyingKey,
    message: phalanx.xmss.Message,
    signature: phalanx.xmss.Signature,

    fn alone(self: *const Verifying) !void {
        try self.key.verify(0, &self.message, &self.signature);
    }

    fn many(self: *const Verifying) !void {
        const claim: phalanx.xmss.Claim = .{ .key = &self.key, .epoch = 0, .message = &self.message, .signature = &self.signature };
        const claims: [64]phalanx.xmss.Claim = @splat(claim);
        var verdicts: [64]bool = undefined;
        var room: [64 * 256]u8 = undefined;
        var fixed = std.heap.FixedBufferAllocator.init(&room);
        try phalanx.xmss.verifyMany(fixed.allocator(), &verdicts, &claims, 1);
        if (!std.mem.allEqual(bool, &verdicts, true)) return error.InvalidSignature;
    }
};

fn lifetime(which: phalanx.KeyLifetime, active: usize) !void {
    const set, const threads: u32 = .{ which.parameterSet(), @intCast(try std.Thread.getCpuCount()) };
    var timer = try std.time.Timer.start();
    var key = try phalanx.xmss.SigningKey.generate(set, 0, active, .{ .threads = threads });
    defer key.deinit();
    print("{s:<24} {d:>12.1} ms, on {d} threads\n", .{ "key generation", @as(f64, @floatFromInt(timer.read())) / 1e6, threads });

    const message: phalanx.xmss.Message = @splat(0x42);
    var samples: [32]u64 = undefined;
    for (&samples, 0..) |*sample, epoch| {
        timer.reset();
        std.mem.doNotOptimizeAway(try key.sign(@intCast(epoch), &message));
        sample.* = timer.read();
    }
    line("sign, first", @floatFromInt(samples[0]));
    std.mem.sort(u64, &samples, {}, std.sort.asc(u64));
    line("sign", @floatFromInt(samples[samples.len / 2]));
    const verifying: Verifying = .{ .key = key.verifyingKey(), .message = message, .signature = try key.sign(0, &message) };
    line("verify", try measure(1, &verifying, Verifying.alone));
    line("verifyMany(64)", try measure(64, &verifying, Verifying.many));
}

// ---- the other two ----

const rescue_inputs = 1024;

fn rescue() !void {
    print("\n=== rescue, 64 bytes at a time (single thread) ===\n", .{});
    for (std.enums.values(phalanx.rescue.Function)) |function| {
        line(function.name(), try measure(1, function, struct {
            fn run(f: phalanx.rescue.Function) !void {
                std.mem.doNotOptimizeAway(f.hashElements(&.{ 1, 2, 3, 4, 5, 6, 7, 8 }));
            }
        }.run));
        line("  mergePairs(1024)", try measure(rescue_inputs, function, struct {
            fn run(f: phalanx.rescue.Function) !void {
                const pairs: [rescue_inputs][2]phalanx.rescue.Digest = @splat(@splat(@splat(7)));
                var digests: [rescue_inputs]phalanx.rescue.Digest = undefined;
                try f.mergePairs(&digests, &pairs, 1);
                std.mem.doNotOptimizeAway(&digests);
            }
        }.run));
    }
}

const Committed = struct {
    allocator: std.mem.Allocator,
    words: []const u32,
    prover: phalanx.ligerito.Prover,
    point: []const phalanx.ligerito.Element,
    opening: phalanx.ligerito.Opening,
    commitment: phalanx.ligerito.Commitment,

    fn commit(self: *const Committed) !void {
        _, var prover = try phalanx.ligerito.commit(.balanced, self.words, 1);
        prover.deinit();
    }

    fn open(self: *const Committed) !void {
        var opening = try self.prover.open(self.allocator, &.{self.point}, "", 1);
        opening.deinit();
    }

    fn verify(self: *const Committed) !void {
        try phalanx.ligerito.verify(self.allocator, .exactly(.balanced, @intCast(self.point.len)), .{
            .commitment = &self.commitment.bytes,
            .claims = &.{.{ .point = self.point, .value = self.opening.values[0] }},
        }, self.opening.proof, null);
    }
};

fn ligerito(variables: u5) !void {
    print("\n=== ligerito, balanced, 2^{d} words (single thread) ===\n", .{variables});
    const allocator = std.heap.c_allocator;
    const words = try allocator.alloc(u32, @as(usize, 1) << variables);
    defer allocator.free(words);
    for (words, 0..) |*word, i| word.* = @truncate(i *% 0x9e3779b9);
    const point: [30]phalanx.ligerito.Element = @splat(0x0123456789abcdef0123456789abcdef);
    const commitment, var prover = try phalanx.ligerito.commit(.balanced, words, 1);
    defer prover.deinit();
    var opening = try prover.open(allocator, &.{point[0..variables]}, "", 1);
    defer opening.deinit();
    const committed: Committed = .{
        .allocator = allocator,
        .words = words,
        .prover = prover,
        .point = point[0..variables],
        .opening = opening,
        .commitment = commitment,
    };
    line("commit", try measure(1, &committed, Committed.commit));
    line("open", try measure(1, &committed, Committed.open));
    line("verify", try measure(1, &committed, Committed.verify));
    print("{s:<24} {d:>12} bytes\n", .{ "proof", opening.proof.len });
}
