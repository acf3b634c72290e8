//! The compression function once, generic over the vector that holds one word of every lane.

use super::mode::IV;
use super::portable::SCHEDULE;
use super::slices::Slices;
use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::{Kernel, Witness};

/// Takes a block of `len` bytes into the chaining values. Before it they are `start` in every lane, or, without, what
/// stands in `chaining`.
pub(super) struct Compress<'a, Words> {
    pub(super) start: Option<&'a [u32; 8]>,
    pub(super) chaining: &'a mut Slices<Words, 8>,
    pub(super) message: &'a Slices<Words, 16>,
    pub(super) len: u32,
    pub(super) flags: u32,
}

impl<L: Witness + WordLanes<u32>> Kernel<L> for Compress<'_, L::Words> {
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
        round::<L, 0>(lanes, &mut v, self.message);
        round::<L, 1>(lanes, &mut v, self.message);
        round::<L, 2>(lanes, &mut v, self.message);
        round::<L, 3>(lanes, &mut v, self.message);
        round::<L, 4>(lanes, &mut v, self.message);
        round::<L, 5>(lanes, &mut v, self.message);
        round::<L, 6>(lanes, &mut v, self.message);
        let mut i = 0;
        while i < 8 {
            lanes.store(&mut self.chaining.0[i], lanes.xor(v[i], v[8 + i]));
            i += 1;
        }
    }
}

/// Round `R`: the columns, then the diagonals.
#[inline(always)]
fn round<L: Witness + WordLanes<u32>, const R: usize>(
    lanes: L,
    v: &mut [L::Vector; 16],
    m: &Slices<L::Words, 16>,
) {
    add_message::<L, R, 0>(lanes, v, m);
    lanes.step(HalfMix::<_, 0, 16, 12>(v));
    add_message::<L, R, 1>(lanes, v, m);
    lanes.step(HalfMix::<_, 0, 8, 7>(v));
    add_message::<L, R, 8>(lanes, v, m);
    lanes.step(HalfMix::<_, 1, 16, 12>(v));
    add_message::<L, R, 9>(lanes, v, m);
    lanes.step(HalfMix::<_, 1, 8, 7>(v));
}

/// Adds every other one of eight words of round `R`'s message, from `FROM` on, to words 0 to 3: the paper's `a` of four
/// functions G.
#[inline(always)]
fn add_message<L: Witness + WordLanes<u32>, const R: usize, const FROM: usize>(
    lanes: L,
    v: &mut [L::Vector; 16],
    m: &Slices<L::Words, 16>,
) {
    let words = &SCHEDULE[R];
    let words = [&m.0[words[FROM]], &m.0[words[FROM + 2]], &m.0[words[FROM + 4]], &m.0[words[FROM + 6]]];
    lanes.step(AddWords { v, words });
}

/// Words of the message and words 0 to 3.
struct AddWords<'a, V, Words> {
    v: &'a mut [V; 16],
    words: [&'a Words; 4],
}

impl<L: WordLanes<u32>> Kernel<L> for AddWords<'_, L::Vector, L::Words> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let Self { v, words } = self;
        v[0] = lanes.add(v[0], lanes.load(words[0]));
        v[1] = lanes.add(v[1], lanes.load(words[1]));
        v[2] = lanes.add(v[2], lanes.load(words[2]));
        v[3] = lanes.add(v[3], lanes.load(words[3]));
    }
}

/// What follows a word of the message in the function G of the paper, four times side by side: on the columns of the
/// state for `TURN` 0, on its diagonals for 1.
struct HalfMix<'a, V, const TURN: usize, const FIRST: i32, const SECOND: i32>(&'a mut [V; 16]);

impl<L: WordLanes<u32>, const TURN: usize, const FIRST: i32, const SECOND: i32> Kernel<L>
    for HalfMix<'_, L::Vector, TURN, FIRST, SECOND>
{
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let Self(v) = self;
        let [a, b, c, d] = const { [row(TURN, 0), row(TURN, 1), row(TURN, 2), row(TURN, 3)] };
        add(lanes, v, a, b);
        xor_rotate::<L, FIRST>(lanes, v, d, a);
        add(lanes, v, c, d);
        xor_rotate::<L, SECOND>(lanes, v, b, c);
    }
}

/// The words that row `row` of the state has in each column, or in each diagonal.
const fn row(turn: usize, row: usize) -> [usize; 4] {
    let first = turn * row;
    [4 * row + first % 4, 4 * row + (first + 1) % 4, 4 * row + (first + 2) % 4, 4 * row + (first + 3) % 4]
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
