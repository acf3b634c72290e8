//! The compression function once, generic over the vector that holds one word of every lane.

use super::mode::IV;
use super::portable::SCHEDULE;
use super::slices::Slices;
use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::Kernel;

/// Takes a block of `len` bytes into the chaining values. Before it they are `start` in every lane, or, without, what
/// stands in `chaining`.
pub(super) struct Compress<'a, Words> {
    pub(super) start: Option<&'a [u32; 8]>,
    pub(super) chaining: &'a mut Slices<Words, 8>,
    pub(super) message: &'a Slices<Words, 16>,
    pub(super) len: u32,
    pub(super) flags: u32,
}

impl<L: WordLanes<u32>> Kernel<L> for Compress<'_, L::Words> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        // The state and a temporary are more than most registers hold.
        lanes.align_frame();
        let mut v = [lanes.splat(0); 16];
        let mut i = 0;
        while i < 8 {
            v[i] = match self.start {
                Some(words) => lanes.splat(words[i]),
                None => lanes.load(&self.chaining.0[i]),
            };
            i += 1;
        }
        v[8] = lanes.splat(IV[0]);
        v[9] = lanes.splat(IV[1]);
        v[10] = lanes.splat(IV[2]);
        v[11] = lanes.splat(IV[3]);
        v[14] = lanes.splat(self.len);
        v[15] = lanes.splat(self.flags);
        round(lanes, &mut v, self.message, &SCHEDULE[0]);
        round(lanes, &mut v, self.message, &SCHEDULE[1]);
        round(lanes, &mut v, self.message, &SCHEDULE[2]);
        round(lanes, &mut v, self.message, &SCHEDULE[3]);
        round(lanes, &mut v, self.message, &SCHEDULE[4]);
        round(lanes, &mut v, self.message, &SCHEDULE[5]);
        round(lanes, &mut v, self.message, &SCHEDULE[6]);
        let mut i = 0;
        while i < 8 {
            lanes.store(&mut self.chaining.0[i], lanes.xor(v[i], v[8 + i]));
            i += 1;
        }
    }
}

/// One round: the columns, then the diagonals.
#[inline(always)]
fn round<L: WordLanes<u32>>(lanes: L, v: &mut [L::Vector; 16], m: &Slices<L::Words, 16>, w: &[usize; 16]) {
    let (columns, diagonals) = ([w[0], w[2], w[4], w[6]], [w[8], w[10], w[12], w[14]]);
    add_message(lanes, v, m, columns);
    half_mix::<L, 16, 12>(lanes, v, [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]);
    add_message(lanes, v, m, [w[1], w[3], w[5], w[7]]);
    half_mix::<L, 8, 7>(lanes, v, [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]);
    add_message(lanes, v, m, diagonals);
    half_mix::<L, 16, 12>(lanes, v, [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]);
    add_message(lanes, v, m, [w[9], w[11], w[13], w[15]]);
    half_mix::<L, 8, 7>(lanes, v, [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]);
}

/// Adds four words of the message to words 0 to 3: the paper's `a` of four functions G.
#[inline(always)]
fn add_message<L: WordLanes<u32>>(
    lanes: L,
    v: &mut [L::Vector; 16],
    m: &Slices<L::Words, 16>,
    x: [usize; 4],
) {
    v[0] = lanes.add(v[0], lanes.load(&m.0[x[0]]));
    v[1] = lanes.add(v[1], lanes.load(&m.0[x[1]]));
    v[2] = lanes.add(v[2], lanes.load(&m.0[x[2]]));
    v[3] = lanes.add(v[3], lanes.load(&m.0[x[3]]));
}

/// What follows a word of the message in the function G of the paper, four times side by side; its `a` are words 0 to
/// 3 of the state, the others where the arguments say.
#[inline(always)]
fn half_mix<L: WordLanes<u32>, const FIRST: i32, const SECOND: i32>(
    lanes: L,
    v: &mut [L::Vector; 16],
    b: [usize; 4],
    c: [usize; 4],
    d: [usize; 4],
) {
    let a = [0, 1, 2, 3];
    add(lanes, v, a, b);
    xor_rotate::<L, FIRST>(lanes, v, d, a);
    add(lanes, v, c, d);
    xor_rotate::<L, SECOND>(lanes, v, b, c);
}

/// `v[to] += v[from]`, four times.
#[inline(always)]
fn add<L: WordLanes<u32>>(lanes: L, v: &mut [L::Vector; 16], to: [usize; 4], from: [usize; 4]) {
    v[to[0]] = lanes.add(v[to[0]], v[from[0]]);
    v[to[1]] = lanes.add(v[to[1]], v[from[1]]);
    v[to[2]] = lanes.add(v[to[2]], v[from[2]]);
    v[to[3]] = lanes.add(v[to[3]], v[from[3]]);
}

/// `v[to] ^= v[from]`, four times, and then those rotated right by `BY`.
#[inline(always)]
fn xor_rotate<L: WordLanes<u32>, const BY: i32>(
    lanes: L,
    v: &mut [L::Vector; 16],
    to: [usize; 4],
    from: [usize; 4],
) {
    v[to[0]] = lanes.xor(v[to[0]], v[from[0]]);
    v[to[1]] = lanes.xor(v[to[1]], v[from[1]]);
    v[to[2]] = lanes.xor(v[to[2]], v[from[2]]);
    v[to[3]] = lanes.xor(v[to[3]], v[from[3]]);
    v[to[0]] = lanes.rotate_right::<BY>(v[to[0]]);
    v[to[1]] = lanes.rotate_right::<BY>(v[to[1]]);
    v[to[2]] = lanes.rotate_right::<BY>(v[to[2]]);
    v[to[3]] = lanes.rotate_right::<BY>(v[to[3]]);
}
