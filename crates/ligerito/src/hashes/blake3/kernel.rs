//! The compression function once, generic over the vector that holds one word of every lane, and over how many vectors
//! of lanes (*streams*) run beside each other, because one alone leaves the CPU waiting for its own results.

use super::lanes::Slices;
use super::mode::IV;
use super::portable::SCHEDULE;
use phalanx_core::simd::Lanes32;

/// The working state of a stream.
type State<L> = [<L as Lanes32>::Vector; 16];

/// The chaining values after one block; `len` and `flags` are the block's. Before it they are `start` in every lane, or,
/// without, what stands in `chaining`.
#[inline(always)]
pub(super) fn compress<L: Lanes32, const STREAMS: usize>(
    lanes: L,
    start: Option<&[u32; 8]>,
    chaining: &mut [Slices<L::Words, 8>; STREAMS],
    messages: &[Slices<L::Words, 16>; STREAMS],
    len: u32,
    flags: u32,
) {
    let mut v = [[lanes.splat(0); 16]; STREAMS];
    let mut s = 0;
    while s < STREAMS {
        let mut i = 0;
        while i < 8 {
            v[s][i] = match start {
                Some(words) => lanes.splat(words[i]),
                None => lanes.load(&chaining[s].0[i]),
            };
            i += 1;
        }
        v[s][8] = lanes.splat(IV[0]);
        v[s][9] = lanes.splat(IV[1]);
        v[s][10] = lanes.splat(IV[2]);
        v[s][11] = lanes.splat(IV[3]);
        v[s][14] = lanes.splat(len);
        v[s][15] = lanes.splat(flags);
        s += 1;
    }
    round(lanes, &mut v, messages, &SCHEDULE[0]);
    round(lanes, &mut v, messages, &SCHEDULE[1]);
    round(lanes, &mut v, messages, &SCHEDULE[2]);
    round(lanes, &mut v, messages, &SCHEDULE[3]);
    round(lanes, &mut v, messages, &SCHEDULE[4]);
    round(lanes, &mut v, messages, &SCHEDULE[5]);
    round(lanes, &mut v, messages, &SCHEDULE[6]);
    let mut s = 0;
    while s < STREAMS {
        let mut i = 0;
        while i < 8 {
            lanes.store(&mut chaining[s].0[i], lanes.xor(v[s][i], v[s][8 + i]));
            i += 1;
        }
        s += 1;
    }
}

/// One round of all streams: the columns, then the diagonals.
#[inline(always)]
fn round<L: Lanes32, const STREAMS: usize>(
    lanes: L,
    v: &mut [State<L>; STREAMS],
    m: &[Slices<L::Words, 16>; STREAMS],
    w: &[usize; 16],
) {
    mix4(
        lanes,
        v,
        [4, 5, 6, 7],
        [8, 9, 10, 11],
        [12, 13, 14, 15],
        m,
        [w[0], w[2], w[4], w[6]],
        [w[1], w[3], w[5], w[7]],
    );
    mix4(
        lanes,
        v,
        [5, 6, 7, 4],
        [10, 11, 8, 9],
        [15, 12, 13, 14],
        m,
        [w[8], w[10], w[12], w[14]],
        [w[9], w[11], w[13], w[15]],
    );
}

/// The function G of the paper four times side by side in all streams. Its `a` are words 0 to 3 of the state, the others
/// where the arguments say; `x` and `y` are words of the message.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the places of the paper's a, b, c, d, x, y")]
fn mix4<L: Lanes32, const STREAMS: usize>(
    lanes: L,
    v: &mut [State<L>; STREAMS],
    b: [usize; 4],
    c: [usize; 4],
    d: [usize; 4],
    m: &[Slices<L::Words, 16>; STREAMS],
    x: [usize; 4],
    y: [usize; 4],
) {
    let a = [0, 1, 2, 3];
    add_message(lanes, v, m, x);
    add(lanes, v, a, b);
    xor(lanes, v, d, a);
    rotate::<L, STREAMS, 16>(lanes, v, d);
    add(lanes, v, c, d);
    xor(lanes, v, b, c);
    rotate::<L, STREAMS, 12>(lanes, v, b);
    add_message(lanes, v, m, y);
    add(lanes, v, a, b);
    xor(lanes, v, d, a);
    rotate::<L, STREAMS, 8>(lanes, v, d);
    add(lanes, v, c, d);
    xor(lanes, v, b, c);
    rotate::<L, STREAMS, 7>(lanes, v, b);
}

/// Adds four words of the message to words 0 to 3.
#[inline(always)]
fn add_message<L: Lanes32, const STREAMS: usize>(
    lanes: L,
    v: &mut [State<L>; STREAMS],
    m: &[Slices<L::Words, 16>; STREAMS],
    x: [usize; 4],
) {
    let mut s = 0;
    while s < STREAMS {
        v[s][0] = lanes.add(v[s][0], lanes.load(&m[s].0[x[0]]));
        v[s][1] = lanes.add(v[s][1], lanes.load(&m[s].0[x[1]]));
        v[s][2] = lanes.add(v[s][2], lanes.load(&m[s].0[x[2]]));
        v[s][3] = lanes.add(v[s][3], lanes.load(&m[s].0[x[3]]));
        s += 1;
    }
}

/// `v[to] += v[from]`, four times.
#[inline(always)]
fn add<L: Lanes32, const STREAMS: usize>(
    lanes: L,
    v: &mut [State<L>; STREAMS],
    to: [usize; 4],
    from: [usize; 4],
) {
    let mut s = 0;
    while s < STREAMS {
        v[s][to[0]] = lanes.add(v[s][to[0]], v[s][from[0]]);
        v[s][to[1]] = lanes.add(v[s][to[1]], v[s][from[1]]);
        v[s][to[2]] = lanes.add(v[s][to[2]], v[s][from[2]]);
        v[s][to[3]] = lanes.add(v[s][to[3]], v[s][from[3]]);
        s += 1;
    }
}

/// `v[to] ^= v[from]`, four times.
#[inline(always)]
fn xor<L: Lanes32, const STREAMS: usize>(
    lanes: L,
    v: &mut [State<L>; STREAMS],
    to: [usize; 4],
    from: [usize; 4],
) {
    let mut s = 0;
    while s < STREAMS {
        v[s][to[0]] = lanes.xor(v[s][to[0]], v[s][from[0]]);
        v[s][to[1]] = lanes.xor(v[s][to[1]], v[s][from[1]]);
        v[s][to[2]] = lanes.xor(v[s][to[2]], v[s][from[2]]);
        v[s][to[3]] = lanes.xor(v[s][to[3]], v[s][from[3]]);
        s += 1;
    }
}

/// `v[at]` rotated right by `BY`, four times.
#[inline(always)]
fn rotate<L: Lanes32, const STREAMS: usize, const BY: i32>(
    lanes: L,
    v: &mut [State<L>; STREAMS],
    at: [usize; 4],
) {
    let mut s = 0;
    while s < STREAMS {
        v[s][at[0]] = lanes.rotate::<BY>(v[s][at[0]]);
        v[s][at[1]] = lanes.rotate::<BY>(v[s][at[1]]);
        v[s][at[2]] = lanes.rotate::<BY>(v[s][at[2]]);
        v[s][at[3]] = lanes.rotate::<BY>(v[s][at[3]]);
        s += 1;
    }
}
