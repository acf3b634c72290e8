//! The compression function once, generic over the vector that holds one word of every lane, and over how many vectors
//! of lanes (*streams*) run beside each other, because one alone leaves the CPU waiting for its own results.

use super::IV;
use super::lanes::Slices;
use super::portable::PERMUTATION;
use crate::simd::Lanes32;

/// Which word of the message goes where in which round.
const SCHEDULE: [[usize; 16]; 7] = {
    let mut schedule = [[0; 16]; 7];
    let mut i = 0;
    while i < 16 {
        schedule[0][i] = i;
        i += 1;
    }
    let mut round = 1;
    while round < 7 {
        let mut i = 0;
        while i < 16 {
            schedule[round][i] = schedule[round - 1][PERMUTATION[i]];
            i += 1;
        }
        round += 1;
    }
    schedule
};

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
    round::<L, STREAMS, 0>(lanes, &mut v, messages);
    round::<L, STREAMS, 1>(lanes, &mut v, messages);
    round::<L, STREAMS, 2>(lanes, &mut v, messages);
    round::<L, STREAMS, 3>(lanes, &mut v, messages);
    round::<L, STREAMS, 4>(lanes, &mut v, messages);
    round::<L, STREAMS, 5>(lanes, &mut v, messages);
    round::<L, STREAMS, 6>(lanes, &mut v, messages);
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

/// Round `R` of all streams: the columns, then the diagonals.
#[inline(always)]
fn round<L: Lanes32, const STREAMS: usize, const R: usize>(
    lanes: L,
    v: &mut [State<L>; STREAMS],
    m: &[Slices<L::Words, 16>; STREAMS],
) {
    let w = &SCHEDULE[R];
    let mut s = 0;
    while s < STREAMS {
        mix4(
            lanes,
            &mut v[s],
            [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
            &m[s].0,
            &[w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]],
        );
        s += 1;
    }
    let mut s = 0;
    while s < STREAMS {
        mix4(
            lanes,
            &mut v[s],
            [5, 6, 7, 4, 10, 11, 8, 9, 15, 12, 13, 14],
            &m[s].0,
            &[w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15]],
        );
        s += 1;
    }
}

/// The function G of the paper four times side by side, its steps in turn. Its `a` are words 0 to 3; `[b, b, b, b, c, …]` are
/// the places of the others.
#[inline(always)]
fn mix4<L: Lanes32>(
    lanes: L,
    v: &mut State<L>,
    [b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3]: [usize; 12],
    m: &[L::Words; 16],
    w: &[usize; 8],
) {
    add_message(lanes, v, 0, b0, &m[w[0]]);
    add_message(lanes, v, 1, b1, &m[w[2]]);
    add_message(lanes, v, 2, b2, &m[w[4]]);
    add_message(lanes, v, 3, b3, &m[w[6]]);
    xor_rotate::<L, 16>(lanes, v, [d0, d1, d2, d3], [0, 1, 2, 3]);
    add(lanes, v, [c0, c1, c2, c3], [d0, d1, d2, d3]);
    xor_rotate::<L, 12>(lanes, v, [b0, b1, b2, b3], [c0, c1, c2, c3]);
    add_message(lanes, v, 0, b0, &m[w[1]]);
    add_message(lanes, v, 1, b1, &m[w[3]]);
    add_message(lanes, v, 2, b2, &m[w[5]]);
    add_message(lanes, v, 3, b3, &m[w[7]]);
    xor_rotate::<L, 8>(lanes, v, [d0, d1, d2, d3], [0, 1, 2, 3]);
    add(lanes, v, [c0, c1, c2, c3], [d0, d1, d2, d3]);
    xor_rotate::<L, 7>(lanes, v, [b0, b1, b2, b3], [c0, c1, c2, c3]);
}

/// `v[a] += m + v[b]`, the word that is known early first.
#[inline(always)]
fn add_message<L: Lanes32>(lanes: L, v: &mut State<L>, a: usize, b: usize, m: &L::Words) {
    v[a] = lanes.add(lanes.add(v[a], lanes.load(m)), v[b]);
}

/// `v[to] += v[from]`, four times.
#[inline(always)]
fn add<L: Lanes32>(lanes: L, v: &mut State<L>, to: [usize; 4], from: [usize; 4]) {
    v[to[0]] = lanes.add(v[to[0]], v[from[0]]);
    v[to[1]] = lanes.add(v[to[1]], v[from[1]]);
    v[to[2]] = lanes.add(v[to[2]], v[from[2]]);
    v[to[3]] = lanes.add(v[to[3]], v[from[3]]);
}

/// `v[to] = (v[to] ^ v[from])` rotated right by `BY`, four times.
#[inline(always)]
fn xor_rotate<L: Lanes32, const BY: i32>(lanes: L, v: &mut State<L>, to: [usize; 4], from: [usize; 4]) {
    v[to[0]] = lanes.rotate::<BY>(lanes.xor(v[to[0]], v[from[0]]));
    v[to[1]] = lanes.rotate::<BY>(lanes.xor(v[to[1]], v[from[1]]));
    v[to[2]] = lanes.rotate::<BY>(lanes.xor(v[to[2]], v[from[2]]));
    v[to[3]] = lanes.rotate::<BY>(lanes.xor(v[to[3]], v[from[3]]));
}
