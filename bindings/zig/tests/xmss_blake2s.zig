//! XMSS over BLAKE2s: the files of `vectors/xmss-blake2s`, and what is refused.

const std = @import("std");
const phalanx = @import("phalanx");
const support = @import("support.zig");
const xmss = phalanx.xmss;
const testing = std.testing;
const Hex = support.Hex;
const Word = support.Word;

const set: xmss.ParameterSet = .blake2s_l32_d42b8;
const profile_a: xmss.ParameterSet = .blake2s_a_l32_d42b8;

const VerifyCase = struct { case: []const u8, public_key: Hex, epoch: Word, message: Hex, signature: Hex, result: []const u8 };
const KeyCase = struct { seed: Hex, epoch_start: Word, epoch_end: Word, public_key: ?Hex = null };
const SignCase = struct { seed: Hex, epoch_start: Word, epoch_end: Word, epoch: Word, message: Hex, signature: Hex };
const File = struct { verify: []const VerifyCase, key_gen: []const KeyCase, sign: []const SignCase = &.{} };

fn made(seed: Hex, first: Word, last: Word) xmss.SigningKey.GenerateError!xmss.SigningKey {
    return xmss.SigningKey.fromSeed(set, seed.array(32), first.value, last.value + 1 - first.value, .{ .threads = 2 });
}

test "both profiles are verified as their files say" {
    var folder = try support.Folder.open("xmss-blake2s");
    defer folder.close();
    const files = [_]struct { []const u8, xmss.ParameterSet }{ .{ "profile-a.json", profile_a }, .{ "profile-b.json", set } };
    for (files) |file| {
        const vectors = try folder.json(File, file[0]);
        const of, const other = .{ file[1], if (file[1] == set) profile_a else set };
        var valid: usize = 0;
        for (try support.some(vectors.verify)) |case| {
            const message, const epoch: u32 = .{ case.message.array(32), @intCast(case.epoch.value) };
            const outcome = xmss.verifyBytes(of, .bincode, case.public_key.bytes, epoch, message, case.signature.bytes);
            const got: []const u8 = if (outcome) |_| "valid" else |err| @errorName(err);
            const wanted = if (std.mem.eql(u8, case.result, "valid"))
                "valid"
            else if (std.mem.eql(u8, case.result, "bad_length"))
                "Malformed"
            else
                "InvalidSignature";
            try support.named(file[0], case.case, testing.expectEqualStrings(wanted, got));
            if (!std.mem.eql(u8, wanted, "valid")) continue;
            valid += 1;
            const key = try xmss.VerifyingKey.fromBytes(of, .ssz, case.public_key.bytes);
            const signature = try xmss.Signature.fromBytes(of, .ssz, case.signature.bytes);
            try testing.expectEqualSlices(u8, case.signature.bytes, signature.bytes());
            var verdicts: [2]bool = undefined;
            try xmss.verifyMany(testing.allocator, &verdicts, &.{
                .{ .key = &key, .epoch = epoch, .message = message, .signature = &signature },
                .{ .key = &key, .epoch = epoch ^ 1, .message = message, .signature = &signature },
            }, 1);
            try testing.expectEqual([2]bool{ true, false }, verdicts);
            const foreign = xmss.verifyBytes(other, .ssz, key.bytes(), epoch, message, signature.bytes());
            try testing.expectError(error.InvalidSignature, foreign);
            const cut = signature.bytes()[1..];
            try testing.expectError(error.Malformed, xmss.Signature.fromBytes(of, .ssz, cut));
        }
        try testing.expect(valid > 2 and valid < vectors.verify.len);
    }
}

test "keys and signatures are those of the model" {
    var folder = try support.Folder.open("xmss-blake2s");
    defer folder.close();
    const vectors = try folder.json(File, "profile-b.json");
    for (try support.some(vectors.key_gen)) |case| {
        const wanted = case.public_key orelse {
            try testing.expectError(error.Interval, made(case.seed, case.epoch_start, case.epoch_end));
            continue;
        };
        var key = try made(case.seed, case.epoch_start, case.epoch_end);
        defer key.deinit();
        try testing.expectEqualSlices(u8, wanted.bytes, key.verifyingKey().bytes());
        const epochs: xmss.Epochs = .{ .start = case.epoch_start.value, .end = case.epoch_end.value + 1 };
        try testing.expectEqual(epochs, key.activationInterval());
    }
    for (try support.some(vectors.sign)) |case| {
        var key = try made(case.seed, case.epoch_start, case.epoch_end);
        defer key.deinit();
        const message, const epoch: u32 = .{ case.message.array(32), @intCast(case.epoch.value) };
        try testing.expectEqualSlices(u8, case.signature.bytes, (try key.sign(epoch, message)).bytes());
        try testing.expectEqualSlices(u8, case.signature.bytes, (try key.signPrepared(epoch, message)).bytes());
        try testing.expectError(error.EpochUsed, key.sign(epoch, case.seed.array(32)));
    }
}

test "what is refused over BLAKE2s" {
    try testing.expect(set.signs() and !profile_a.signs() and xmss.ParameterSet.poseidon2_l8_d64b8.signs());
    try testing.expectEqual(set, xmss.ParameterSet.fromName("xmss-blake2s-l32-d42b8").?);
    try testing.expectEqual(profile_a, xmss.ParameterSet.fromName("xmss-blake2s-a-l32-d42b8").?);
    try testing.expectEqual(0, set.treeEpochs());
    try testing.expectEqual(1 << 32, set.lifetime());
    try testing.expectError(error.VerificationOnly, xmss.SigningKey.generate(profile_a, 0, 8, .{}));
    try testing.expectEqualStrings(
        "the parameter set is for verification only: no key is made of it",
        phalanx.sentence(error.VerificationOnly),
    );
    var key = try xmss.SigningKey.generate(set, 5, 3, .{});
    defer key.deinit();
    const message: xmss.Message = @splat(1);
    try testing.expectError(error.NotActive, key.sign(4, &message));
    try testing.expectError(error.Exhausted, key.sign(8, &message));
    const public, const signature = .{ key.verifyingKey(), try key.sign(5, &message) };
    try public.verify(5, &message, &signature);
    try testing.expectError(error.InvalidSignature, public.verify(6, &message, &signature));
    var bent = signature;
    bent.buffer[700] ^= 1;
    try testing.expectError(error.InvalidSignature, public.verify(5, &message, &bent));
    for ([_]xmss.Format{ .json, .bincode_padded }) |format| {
        try testing.expect(!set.hasFormat(format) and set.hasFormat(.ssz));
        try testing.expectError(error.NoEncoding, public.toBytes(testing.allocator, format));
        try testing.expectError(error.NoEncoding, signature.toBytes(testing.allocator, format));
        try testing.expectError(error.NoEncoding, key.toBytes(testing.allocator, format));
        try testing.expectError(error.NoEncoding, xmss.Signature.fromBytes(set, format, signature.bytes()));
        const verified = xmss.verifyBytes(set, format, public.bytes(), 5, &message, signature.bytes());
        try testing.expectError(error.NoEncoding, verified);
    }
    const bincode = try signature.toBytes(testing.allocator, .bincode);
    defer testing.allocator.free(bincode);
    try testing.expectEqualSlices(u8, signature.bytes(), bincode);
}
