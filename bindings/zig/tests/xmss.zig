//! Generalized XMSS: the keys, signatures and verdicts of the published implementation; then what a caller can do wrong.

const std = @import("std");
const phalanx = @import("phalanx");
const support = @import("support.zig");
const xmss = phalanx.xmss;
const testing = std.testing;
const Hex = support.Hex;
const Word = support.Word;

/// Vector files call a parameter set by its profile.
const profiles = [_]struct { []const u8, xmss.ParameterSet }{
    .{ "p2-top-l8-d64b8", .poseidon2_l8_d64b8 },
    .{ "p2-top-l18-d64b8", .poseidon2_l18_d64b8 },
    .{ "p2-top-l32-d64b8", .poseidon2_l32_d64b8 },
    .{ "p2-top-l32-d48b10", .poseidon2_l32_d48b10 },
    .{ "p2-top-l32-d32b26", .poseidon2_l32_d32b26 },
    .{ "p1-abort-l32-d46b8", .poseidon1_l32_d46b8 },
    .{ "p1-abort-l8-d4b8-test", .poseidon1_l8_d4b8_test },
};

const Signed = struct { epoch: Word, message: Hex, sig_ssz: Hex, sig_bincode1_sha256: ?Hex = null, sig_bincode2_standard_sha256: ?Hex = null };
const SszCase = struct { case: []const u8, epoch: Word, message: Hex, pk_ssz: Hex, sig_ssz: Hex, required: []const u8 };
const BincodeCase = struct { case: []const u8, epoch: Word, message: Hex, sig_bincode1: Hex, required: []const u8 };
const SecretCase = struct { case: []const u8, sk_ssz: Hex, sign_epoch: u32, sign_message: Hex };

const KeyVector = struct {
    profile: []const u8,
    seed: Hex,
    requested_activation_epoch: Word,
    requested_active_epochs: Word,
    activation_interval: [2]Word,
    prepared_interval: [2]Word,
    pk_ssz: Hex,
    pk_bincode1: Hex,
    pk_bincode2_standard: Hex,
    sk_ssz_sha256: Hex,
    sk_bincode1_sha256: Hex,
    sk_bincode2_standard_sha256: Hex,
    sk_files: []const []const u8 = &.{},
    signatures: []const Signed,
    after_advance_preparation: ?struct { epoch: Word, message: Hex, sig_ssz: Hex, sk_ssz_sha256: Hex } = null,
    sign_out_of_range: []const struct { case: []const u8, epoch: Word, key_state: []const u8, required: []const u8 },
    verify_cases_ssz: []const SszCase = &.{},
    verify_cases_bincode1: []const BincodeCase = &.{},
    sk_cases_ssz: []const SecretCase = &.{},

    fn generate(vector: *const KeyVector, set: xmss.ParameterSet) !xmss.SigningKey {
        const start, const count = .{ vector.requested_activation_epoch.value, vector.requested_active_epochs.value };
        return xmss.SigningKey.fromSeed(set, vector.seed.array(32), start, count, .{ .threads = 2 });
    }
};

/// Calls `check` with every key of every file.
fn everyKey(folder: *support.Folder, comptime check: fn (*support.Folder, xmss.ParameterSet, *const KeyVector) anyerror!void) !void {
    for (try folder.names(".e2e.json")) |name| {
        const profile = name[0 .. name.len - ".e2e.json".len];
        const set = for (profiles) |row| {
            if (std.mem.eql(u8, row[0], profile)) break row[1];
        } else {
            std.debug.print("{s} is of no profile that is known here\n", .{name});
            return error.UnknownProfile;
        };
        for (try support.some(try folder.json([]const KeyVector, name))) |*vector| {
            try testing.expectEqualStrings(profile, vector.profile);
            try support.named(name, vector.seed.bytes[0..0], check(folder, set, vector));
        }
    }
}

test "keys and their signatures are those of leanSig" {
    var folder = try support.Folder.open("xmss");
    defer folder.close();
    try everyKey(&folder, checkKey);
}

fn checkKey(folder: *support.Folder, set: xmss.ParameterSet, vector: *const KeyVector) !void {
    var key = try vector.generate(set);
    defer key.deinit();
    try testing.expectEqual(set, key.parameterSet());
    const active, const prepared = .{ key.activationInterval(), key.preparedInterval() };
    try testing.expectEqual([2]u64{ active.start, active.end }, [2]u64{ vector.activation_interval[0].value, vector.activation_interval[1].value });
    try testing.expectEqual([2]u64{ prepared.start, prepared.end }, [2]u64{ vector.prepared_interval[0].value, vector.prepared_interval[1].value });
    try checkEncodings(folder, key, vector);

    const verifying_key = key.verifyingKey();
    for (try support.some(vector.signatures), 0..) |wanted, i| {
        const message, const epoch: u32 = .{ wanted.message.array(32), @intCast(wanted.epoch.value) };
        const signature = try xmss.Signature.fromBytes(set, .ssz, wanted.sig_ssz.bytes);
        try verifying_key.verify(epoch, message, &signature);
        // Vectors sign some epochs twice; here an epoch signs one message.
        const first = for (vector.signatures[0..i]) |earlier| {
            if (earlier.epoch.value == epoch and !std.mem.eql(u8, earlier.message.bytes, message)) break false;
        } else true;
        if (first) {
            try testing.expectEqualSlices(u8, wanted.sig_ssz.bytes, (try key.sign(epoch, message)).bytes());
            try testing.expectEqualSlices(u8, wanted.sig_ssz.bytes, (try key.signPrepared(epoch, message)).bytes());
        } else try testing.expectError(error.EpochUsed, key.sign(epoch, message));
        if (wanted.sig_bincode1_sha256) |hash| try checkForm(hash, &signature, .bincode);
        if (wanted.sig_bincode2_standard_sha256) |hash| try checkForm(hash, &signature, .bincode2);
        try checkVerifyMany(&verifying_key, epoch, message, &signature);
    }

    if (vector.after_advance_preparation) |wanted| {
        try key.advance(1);
        try checkSecret(key, .ssz, wanted.sk_ssz_sha256);
        const signature = try key.signPrepared(@intCast(wanted.epoch.value), wanted.message.array(32));
        try testing.expectEqualSlices(u8, wanted.sig_ssz.bytes, signature.bytes());
    } else try testing.expectError(error.Exhausted, key.advance(1));

    for (vector.sign_out_of_range) |case| {
        const fresh = std.mem.eql(u8, case.key_state, "fresh");
        // The key at hand has moved on, if it could.
        var other = if (fresh and vector.after_advance_preparation != null) try vector.generate(set) else null;
        defer if (other) |*made| made.deinit();
        const epoch = std.math.cast(u32, case.epoch.value);
        const outcome = if (epoch) |at| (other orelse key).signPrepared(at, &@as([32]u8, @splat(7))) else error.Exhausted;
        const got = if (outcome) |_| "ok" else |err| if (err == error.EpochUsed) "ok" else "error";
        try support.named("sign_out_of_range", case.case, testing.expectEqualStrings(case.required, got));
    }
}

fn checkEncodings(folder: *support.Folder, key: xmss.SigningKey, vector: *const KeyVector) !void {
    try checkSecret(key, .ssz, vector.sk_ssz_sha256);
    try checkSecret(key, .bincode, vector.sk_bincode1_sha256);
    try checkSecret(key, .bincode2, vector.sk_bincode2_standard_sha256);
    const verifying_key = key.verifyingKey();
    const set = verifying_key.set;
    try testing.expectEqualSlices(u8, vector.pk_ssz.bytes, verifying_key.bytes());
    const Form = struct { xmss.Format, []const u8 };
    for ([_]Form{
        .{ .ssz, vector.pk_ssz.bytes },
        .{ .bincode, vector.pk_bincode1.bytes },
        .{ .bincode2, vector.pk_bincode2_standard.bytes },
    }) |form| {
        const encoded = try verifying_key.toBytes(testing.allocator, form[0]);
        defer testing.allocator.free(encoded);
        try testing.expectEqualSlices(u8, form[1], encoded);
        const read = try xmss.VerifyingKey.fromBytes(set, form[0], encoded);
        try testing.expectEqualSlices(u8, verifying_key.bytes(), read.bytes());
        try testing.expectError(error.Malformed, xmss.VerifyingKey.fromBytes(set, form[0], encoded[1..]));
    }
    for (vector.sk_files) |name| {
        const format: xmss.Format = if (std.mem.endsWith(u8, name, ".ssz")) .ssz else if (std.mem.endsWith(u8, name, ".bincode1")) .bincode else .bincode2;
        const file = try folder.bytes(name);
        var read = try xmss.SigningKey.fromBytes(set, format, file);
        defer read.deinit();
        try testing.expectEqualSlices(u8, verifying_key.bytes(), read.verifyingKey().bytes());
        const written = try key.toBytes(testing.allocator, format);
        defer testing.allocator.free(written);
        try testing.expectEqualSlices(u8, file, written);
    }
}

fn checkSecret(key: xmss.SigningKey, format: xmss.Format, hash: Hex) !void {
    const encoded = try key.toBytes(testing.allocator, format);
    defer testing.allocator.free(encoded);
    try support.expectSha256(hash, encoded);
}

fn checkForm(hash: Hex, signature: *const xmss.Signature, format: xmss.Format) !void {
    const encoded = try signature.toBytes(testing.allocator, format);
    defer testing.allocator.free(encoded);
    try support.expectSha256(hash, encoded);
    const read = try xmss.Signature.fromBytes(signature.set, format, encoded);
    try testing.expectEqualSlices(u8, signature.bytes(), read.bytes());
}

/// The claim, beside two that say something else.
fn checkVerifyMany(key: *const xmss.VerifyingKey, epoch: u32, message: *const xmss.Message, signature: *const xmss.Signature) !void {
    var other = message.*;
    other[31] ^= 1;
    var verdicts: [3]bool = undefined;
    try xmss.verifyMany(testing.allocator, &verdicts, &.{
        .{ .key = key, .epoch = epoch ^ 1, .message = message, .signature = signature },
        .{ .key = key, .epoch = epoch, .message = message, .signature = signature },
        .{ .key = key, .epoch = epoch, .message = &other, .signature = signature },
    }, 1);
    try testing.expectEqual([3]bool{ false, true, false }, verdicts);
}

test "verification cases are decided as required" {
    var folder = try support.Folder.open("xmss");
    defer folder.close();
    try everyKey(&folder, checkCases);
}

fn checkCases(_: *support.Folder, set: xmss.ParameterSet, vector: *const KeyVector) !void {
    for (vector.verify_cases_ssz) |case| {
        const got = decide(set, .ssz, case.pk_ssz.bytes, case.epoch.value, case.message.array(32), case.sig_ssz.bytes);
        try support.named(vector.profile, case.case, testing.expectEqualStrings(case.required, got));
    }
    for (vector.verify_cases_bincode1) |case| {
        const got = decide(set, .bincode, vector.pk_bincode1.bytes, case.epoch.value, case.message.array(32), case.sig_bincode1.bytes);
        try support.named(vector.profile, case.case, testing.expectEqualStrings(case.required, got));
    }
}

fn decide(set: xmss.ParameterSet, format: xmss.Format, key: []const u8, epoch: u64, message: *const xmss.Message, signature: []const u8) []const u8 {
    const at = std.math.cast(u32, epoch) orelse return "reject";
    xmss.verifyBytes(set, format, key, at, message, signature) catch |err| switch (err) {
        error.InvalidSignature, error.Malformed => return "reject",
        error.NoEncoding, error.Internal => return "a fault",
    };
    return "accept";
}

test "damaged signing keys are refused, or sign well" {
    var folder = try support.Folder.open("xmss");
    defer folder.close();
    try everyKey(&folder, checkDamaged);
}

fn checkDamaged(_: *support.Folder, set: xmss.ParameterSet, vector: *const KeyVector) !void {
    const public = try xmss.VerifyingKey.fromBytes(set, .ssz, vector.pk_ssz.bytes);
    for (vector.sk_cases_ssz) |case| {
        var key = xmss.SigningKey.fromBytes(set, .ssz, case.sk_ssz.bytes) catch |err| {
            try testing.expectEqual(error.Malformed, err);
            try testing.expect(!std.mem.eql(u8, case.case, "valid"));
            continue;
        };
        defer key.deinit();
        const message = case.sign_message.array(32);
        const signature = key.sign(case.sign_epoch, message) catch continue;
        try support.named(vector.profile, case.case, public.verify(case.sign_epoch, message, &signature));
    }
}

test "names, lifetimes and sizes" {
    for (profiles) |row| {
        const set = row[1];
        try testing.expectEqual(set, xmss.ParameterSet.fromName(set.name()).?);
        try testing.expectEqual(set.lifetime(), set.treeEpochs() * set.treeEpochs());
        try testing.expectEqual(set == .poseidon1_l8_d4b8_test, set.isInsecure());
    }
    try testing.expectEqualStrings("xmss-poseidon2-l32-d64b8", xmss.ParameterSet.poseidon2_l32_d64b8.name());
    try testing.expectEqual(null, xmss.ParameterSet.fromName("xmss-poseidon2-l32"));
    for (std.enums.values(xmss.Format)) |format| try testing.expectEqual(format, xmss.Format.fromName(format.name()).?);
    try testing.expectEqual(null, xmss.Format.fromName("SSZ"));
}

test "what a caller can do wrong" {
    const set = xmss.ParameterSet.poseidon2_l8_d64b8;
    try testing.expectError(error.Interval, xmss.SigningKey.generate(set, 250, 7, .{}));
    try testing.expectError(error.Interval, xmss.SigningKey.generate(set, std.math.maxInt(u64), 7, .{}));
    var key = try xmss.SigningKey.generate(set, 100, 40, .{});
    defer key.deinit();
    const message: xmss.Message = @splat(1);
    try testing.expectError(error.NotActive, key.sign(95, &message));
    try testing.expectError(error.Exhausted, key.sign(144, &message));
    try testing.expectError(error.NotPrepared, key.signPrepared(128, &message));
    const signature = try key.sign(100, &message);
    try testing.expectEqualSlices(u8, signature.bytes(), (try key.sign(100, &message)).bytes());
    try testing.expectError(error.EpochUsed, key.sign(100, &@as(xmss.Message, @splat(2))));
    try testing.expectEqualStrings("epoch has already signed another message", phalanx.sentence(error.EpochUsed));
    _ = try key.sign(128, &message);
    try testing.expectError(error.Passed, key.sign(101, &message));
    try testing.expectError(error.Exhausted, key.advance(1));
    try testing.expectError(error.Exhausted, key.nextTree());

    const public = key.verifyingKey();
    try public.verify(100, &message, &signature);
    try testing.expectError(error.InvalidSignature, public.verify(101, &message, &signature));
    // A signature of another parameter set does not verify; it is not even looked at.
    var foreign = signature;
    foreign.set = .poseidon2_l32_d64b8;
    try testing.expectError(error.InvalidSignature, public.verify(100, &message, &foreign));
    var verdicts: [2]bool = undefined;
    const claim: xmss.Claim = .{ .key = &public, .epoch = 100, .message = &message, .signature = &signature };
    var other = claim;
    other.signature = &foreign;
    try xmss.verifyMany(testing.allocator, &verdicts, &.{ other, claim }, 2);
    try testing.expectEqual([2]bool{ false, true }, verdicts);
    try testing.expectError(error.InvalidLength, xmss.verifyMany(testing.allocator, &verdicts, &.{claim}, 1));
    try testing.expectError(error.Malformed, xmss.Signature.fromBytes(set, .ssz, ""));
    try testing.expectError(error.Malformed, xmss.SigningKey.fromBytes(set, .json, "{}"));
}

test "packed records" {
    const set = xmss.ParameterSet.poseidon2_l8_d64b8;
    const allocator = testing.allocator;
    var key = try xmss.SigningKey.fromSeed(set, &@as([32]u8, @splat(6)), 0, 256, .{});
    defer key.deinit();
    const public = key.verifyingKey();
    const message: xmss.Message = @splat(1);
    var rows: [3][4 + 32 + 2344]u8 = undefined;
    for (&rows, 7..) |*row, epoch| {
        const signature = try key.sign(@intCast(epoch), &message);
        std.mem.writeInt(u32, row[0..4], @intCast(epoch), .little);
        row[4..36].* = message;
        @memcpy(row[36..], signature.bytes());
    }
    rows[1][0] ^= 8;
    const bytes = std.mem.sliceAsBytes(&rows);
    const stride = rows[0].len;
    var records = xmss.Records{
        .verifying_keys = phalanx.Field.ofAll(public.bytes()),
        .epochs = .{ .bytes = bytes, .len = 4, .stride = stride },
        .messages = .{ .bytes = bytes[4..], .len = 32, .stride = stride },
        .signatures = .{ .bytes = bytes[36..], .len = 2344, .stride = stride },
    };
    var results: [3]bool = undefined;
    try xmss.verifyRecords(allocator, set, .ssz, &results, records, 1);
    try testing.expectEqual([3]bool{ true, false, true }, results);
    records.signatures.len -= 1;
    try xmss.verifyRecords(allocator, set, .ssz, &results, records, 1);
    try testing.expectEqual([3]bool{ false, false, false }, results);
    records.signatures.len += 2;
    try testing.expectError(error.InvalidLength, xmss.verifyRecords(allocator, set, .ssz, &results, records, 1));
    records.signatures.len -= 1;
    records.messages.len = 31;
    try testing.expectError(error.InvalidLength, xmss.verifyRecords(allocator, set, .ssz, &results, records, 1));
}

test "trees computed beside the key" {
    var key = try xmss.SigningKey.fromSeed(.poseidon2_l8_d64b8, &@as([32]u8, @splat(3)), 0, 256, .{});
    defer key.deinit();
    var other = try xmss.SigningKey.fromSeed(.poseidon2_l8_d64b8, &@as([32]u8, @splat(4)), 0, 256, .{});
    defer other.deinit();
    var unfinished = try key.nextTree();
    try testing.expectError(error.Unfinished, key.advanceWith(&unfinished));
    var wrong = try other.nextTree();
    try wrong.compute(.{});
    try testing.expectError(error.WrongTree, key.advanceWith(&wrong));
    var unused = try key.nextTree();
    defer unused.deinit();
    var next = try key.nextTree();
    try next.compute(.{ .threads = 2 });
    try key.advanceWith(&next);
    try testing.expectEqual(xmss.Epochs{ .start = 16, .end = 48 }, key.preparedInterval());
}

test "progress is told, and may stop" {
    const Watch = struct {
        calls: usize = 0,
        last: u64 = 0,
        stop_at: u64,

        fn report(context: ?*anyopaque, done: u64, total: u64) bool {
            const self: *@This() = @ptrCast(@alignCast(context.?));
            if (done < self.last or done > total) @panic("progress runs forward");
            self.last = done;
            self.calls += 1;
            return done < self.stop_at;
        }
    };
    var patient: Watch = .{ .stop_at = std.math.maxInt(u64) };
    const watched: xmss.Progress = .{ .context = &patient, .report = Watch.report };
    var key = try xmss.SigningKey.generate(.poseidon2_l8_d64b8, 0, 256, .{ .progress = &watched });
    key.deinit();
    try testing.expect(patient.calls > 0);
    try testing.expectEqual(256, patient.last);
    var hasty: Watch = .{ .stop_at = 0 };
    const stopped: xmss.Progress = .{ .context = &hasty, .report = Watch.report };
    const outcome = xmss.SigningKey.generate(.poseidon2_l8_d64b8, 0, 256, .{ .progress = &stopped });
    try testing.expectError(error.Stopped, outcome);
    try testing.expectEqual(1, hasty.calls);
}

test "every allocation that fails is an error, and nothing leaks" {
    try testing.checkAllAllocationFailures(testing.allocator, allocates, .{});
}

fn allocates(allocator: std.mem.Allocator) !void {
    const set = xmss.ParameterSet.poseidon1_l8_d4b8_test;
    const message: xmss.Message = @splat(9);
    var key = try xmss.SigningKey.fromSeed(set, &@as([32]u8, @splat(5)), 0, 1, .{});
    defer key.deinit();
    const public, const signature = .{ key.verifyingKey(), try key.sign(0, &message) };
    for (std.enums.values(xmss.Format)) |format| {
        allocator.free(try public.toBytes(allocator, format));
        const encoded = try signature.toBytes(allocator, format);
        defer allocator.free(encoded);
        try public.verify(0, &message, &try xmss.Signature.fromBytes(set, format, encoded));
        const secret = try key.toBytes(allocator, format);
        defer allocator.free(secret);
        defer std.crypto.secureZero(u8, secret);
        var read = try xmss.SigningKey.fromBytes(set, format, secret);
        read.deinit();
    }
    var verdict: [1]bool = undefined;
    try xmss.verifyMany(allocator, &verdict, &.{.{ .key = &public, .epoch = 0, .message = &message, .signature = &signature }}, 1);
    try testing.expect(verdict[0]);
}
