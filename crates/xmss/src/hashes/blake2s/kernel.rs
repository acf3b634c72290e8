//! The compression function once, generic over the vector that holds one word of every lane.
//!
//! Messages lie *in slices*, word i of all lanes together, so that the schedule is only a choice of what is loaded: no
//! vector is ever shuffled. `ZERO` has a bit for every word of the message that is zero in every lane; those are not
//! added.

use core::ops::Deref;
use phalanx_core::lanes::{Scalar, WordLanes};
use phalanx_core::simd::{Kernel, Witness};

/// Lanes that kernels are entered with.
pub(super) trait Lanes: Witness + WordLanes<u32> {}

impl<L: Witness + WordLanes<u32>> Lanes for L {}

/// The initial values: those of SHA-256 (RFC 7693, section 2.6).
pub(super) const IV: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The state before the first block, for digests of 32 bytes without a key (RFC 7693, section 3.3).
pub(super) const START: [u32; 8] = [IV[0] ^ 0x0101_0020, IV[1], IV[2], IV[3], IV[4], IV[5], IV[6], IV[7]];

/// Which word of the message is added where, round by round (RFC 7693, section 2.7).
const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// Takes a block into the states, which are the initial ones for `start`. `count` is the number of bytes up to the end
/// of the block.
pub(super) struct Compress<'a, Words, const ZERO: u16> {
    pub(super) start: bool,
    pub(super) state: &'a mut [Words; 8],
    pub(super) message: &'a [Words; 16],
    pub(super) count: u32,
    pub(super) last: bool,
}

impl<L: Lanes, const ZERO: u16> Kernel<L> for Compress<'_, L::Words, ZERO> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        // The state and a temporary are more than most registers hold.
        lanes.align_frame();
        let mut h = [lanes.splat(0); 8];
        let mut i = 0;
        while i < 8 {
            h[i] = if self.start { lanes.splat(START[i]) } else { lanes.load(&self.state[i]) };
            i += 1;
        }
        let last = if self.last { u32::MAX } else { 0 };
        let v = rounds::<L, ZERO>(lanes, &h, self.message, self.count, last);
        let mut i = 0;
        while i < 8 {
            // The initial values are cheaper to make again than to keep.
            let h = if self.start { lanes.splat(START[i]) } else { lanes.load(&self.state[i]) };
            lanes.store(&mut self.state[i], lanes.xor3(h, v[i], v[8 + i]));
            i += 1;
        }
    }
}

/// Plain code that runs between the rounds of a kernel, where it waits for nothing and vectors do not wait for it: a CPU
/// looks ahead over less than a round, so it comes in parts.
pub(crate) trait Meanwhile {
    /// Does part number `part`, below [`PARTS`].
    fn part(&mut self, part: usize);
}

/// Parts of what is done between rounds.
pub(crate) const PARTS: usize = 4;

/// Nothing.
impl Meanwhile for () {
    #[inline(always)]
    fn part(&mut self, _: usize) {}
}

/// What steps along chains have in common: of the first round all that is made of words 0 and 2 to 7, as the state is
/// then, but for word 0, which has word 4 added already.
pub(super) struct Columns<'a, Words> {
    pub(super) message: &'a [Words; 16],
    pub(super) out: &'a mut [Words; 16],
}

impl<L: WordLanes<u32>> Kernel<L> for Columns<'_, L::Words> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let mut v = [lanes.splat(0); 16];
        begin_column::<L, 0>(lanes, &mut v, lanes.load(&self.message[0]), 48);
        first_column::<L, 1>(lanes, &mut v, self.message, 48);
        first_column::<L, 2>(lanes, &mut v, self.message, 48);
        first_column::<L, 3>(lanes, &mut v, self.message, 48);
        let mut i = 0;
        while i < 16 {
            lanes.store(&mut self.out[i], v[i]);
            i += 1;
        }
    }
}

/// Steps of chains in messages of 48 bytes whose word 2 is zero: one after the other, words 8 to 11 become the first half
/// of the digest, and then one is added to word 1. `columns` are those of the message.
pub(super) struct Steps<'a, Words, M> {
    pub(super) message: &'a mut [Words; 16],
    pub(super) columns: &'a [Words; 16],
    pub(super) steps: u32,
    pub(super) meanwhile: M,
}

/// Word 2, and words 12 to 15, which are behind the end of a message of 48 bytes.
const ZERO_IN_STEPS: u16 = 0xf004;

impl<L: Lanes, M: Meanwhile> Kernel<L> for Steps<'_, L::Words, M> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        lanes.align_frame();
        let Self { message, columns, mut meanwhile, .. } = self;
        // Words 8 to 11 stay at hand for the first round, which would wait for them otherwise.
        let mut at = [lanes.splat(0); 4];
        let mut i = 0;
        while i < 4 {
            at[i] = lanes.load(&message[8 + i]);
            i += 1;
        }
        for _ in 0..self.steps {
            let mut v = [lanes.splat(0); 16];
            let mut i = 0;
            while i < 16 {
                v[i] = lanes.load(&columns[i]);
                i += 1;
            }
            let position = lanes.load(&message[1]);
            end_column::<L, 0>(lanes, &mut v, position);
            v[0] = lanes.add(v[0], at[0]);
            v[1] = lanes.add(v[1], at[2]);
            lanes.step(HalfMix::<_, 1, 16, 12>(&mut v));
            v[0] = lanes.add(v[0], at[1]);
            v[1] = lanes.add(v[1], at[3]);
            lanes.step(HalfMix::<_, 1, 8, 7>(&mut v));
            later_rounds::<L, ZERO_IN_STEPS>(lanes, &mut v, message, &mut meanwhile);
            let mut i = 0;
            while i < 4 {
                at[i] = lanes.xor3(lanes.splat(START[i]), v[i], v[8 + i]);
                lanes.store(&mut message[8 + i], at[i]);
                i += 1;
            }
            let position = lanes.add(lanes.load(&message[1]), lanes.splat(1));
            lanes.store(&mut message[1], position);
        }
    }
}

/// Paths up a tree, a level for each element of `siblings`: of a node and its sibling, the sibling first where the index is
/// odd, `node` becomes the first half of the digest. Before them a message has word 0 as it is in `message`, the level in
/// word 1, zero, the index in word 3, and words 4 to 7 as they are in `message`, which else is room to work in.
pub(super) struct Climb<'a, Words, Siblings> {
    pub(super) label: u32,
    pub(super) node: &'a mut [Words; 4],
    pub(super) index: &'a Words,
    pub(super) siblings: &'a [Siblings],
    pub(super) message: &'a mut [Words; 16],
}

/// Word 2.
const ZERO_IN_NODES: u16 = 0x0004;

impl<L: Lanes, S: Deref<Target = [L::Words; 4]>> Kernel<L> for Climb<'_, L::Words, S> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        lanes.align_frame();
        let Self { label, node, index, siblings, message } = self;
        // Of words 2 and 4 to 7, which are the same all the way.
        let mut begun = [lanes.splat(0); 16];
        begin_column::<L, 1>(lanes, &mut begun, lanes.splat(0), 64);
        first_column::<L, 2>(lanes, &mut begun, message, 64);
        first_column::<L, 3>(lanes, &mut begun, message, 64);
        let mut at = [lanes.splat(0); 4];
        let mut i = 0;
        while i < 4 {
            at[i] = lanes.load(&node[i]);
            i += 1;
        }
        lanes.store(&mut message[0], lanes.splat(label));
        let mut index = lanes.load(index);
        let mut level = 0;
        for sibling in siblings {
            level += 1;
            // All ones where the node is on the right.
            let right = lanes.sub(lanes.splat(0), lanes.and(index, lanes.splat(1)));
            index = lanes.shift_right::<1>(index);
            lanes.store(&mut message[1], lanes.splat(level));
            lanes.store(&mut message[3], index);
            let mut i = 0;
            while i < 4 {
                let sibling = lanes.load(&sibling[i]);
                lanes.store(&mut message[8 + i], lanes.choose(right, sibling, at[i]));
                lanes.store(&mut message[12 + i], lanes.choose(right, at[i], sibling));
                i += 1;
            }
            let mut v = begun;
            // Its words are the same in all lanes.
            let mut column = [0; 16];
            first_column::<Scalar, 0>(Scalar, &mut column, &[[label], [level]], 64);
            let mut i = 0;
            while i < 16 {
                v[i] = lanes.splat(column[i]);
                i += 4;
            }
            end_column::<L, 1>(lanes, &mut v, index);
            diagonals::<L, ZERO_IN_NODES, 0>(lanes, &mut v, message);
            later_rounds::<L, ZERO_IN_NODES>(lanes, &mut v, message, &mut ());
            let mut i = 0;
            while i < 4 {
                at[i] = lanes.xor3(lanes.splat(START[i]), v[i], v[8 + i]);
                i += 1;
            }
        }
        let mut i = 0;
        while i < 4 {
            lanes.store(&mut node[i], at[i]);
            i += 1;
        }
    }
}

/// For the first half of every digest, zero where it is an encoding with digits of sum `target`: the sum less `target`,
/// and the two bits that no digit covers.
pub(super) struct Misses<'a, Words> {
    pub(super) digests: &'a [Words; 8],
    pub(super) target: u32,
    pub(super) out: &'a mut Words,
}

impl<L: WordLanes<u32>> Kernel<L> for Misses<'_, L::Words> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        // A half of 64 bits is ten digits in the first word, one across the border, ten in the second word, a spare bit.
        let (a, b) = (lanes.load(&self.digests[0]), lanes.load(&self.digests[1]));
        let (c, d) = (lanes.load(&self.digests[2]), lanes.load(&self.digests[3]));
        let (b_digits, d_digits) = (lanes.shift_right::<1>(b), lanes.shift_right::<1>(d));
        // Twenty pairs of digits, in fields of six bits: at most 14 each, 56 for four.
        let mut pairs = pairs_of_digits(lanes, a);
        pairs = lanes.add(pairs, pairs_of_digits(lanes, b_digits));
        pairs = lanes.add(pairs, pairs_of_digits(lanes, c));
        pairs = lanes.add(pairs, pairs_of_digits(lanes, d_digits));
        // Five fields to three of twelve bits, then to one.
        let odd = lanes.and(lanes.shift_right::<6>(pairs), lanes.splat(0x0003_f03f));
        let fields = lanes.add(lanes.and(pairs, lanes.splat(0x3f03_f03f)), odd);
        let sum = lanes.add(fields, lanes.shift_right::<12>(fields));
        let sum = lanes.add(sum, lanes.shift_right::<24>(fields));
        let mut sum = lanes.and(sum, lanes.splat(0xfff));
        sum = lanes.add(sum, across(lanes, a, b));
        sum = lanes.add(sum, across(lanes, c, d));
        let spare = lanes.and(lanes.xor(lanes.xor(b, d), lanes.and(b, d)), lanes.splat(1 << 31));
        lanes.store(self.out, lanes.xor(lanes.xor(sum, lanes.splat(self.target)), spare));
    }
}

/// The sums of two neighbours each of the ten digits of three bits from bit 0 on, in fields of six bits.
#[inline(always)]
fn pairs_of_digits<L: WordLanes<u32>>(lanes: L, x: L::Vector) -> L::Vector {
    let mask = lanes.splat(0o0_707_070_707);
    lanes.add(lanes.and(x, mask), lanes.and(lanes.shift_right::<3>(x), mask))
}

/// The digit across the border: the two highest bits of `low`, and the lowest one of `high`.
#[inline(always)]
fn across<L: WordLanes<u32>>(lanes: L, low: L::Vector, high: L::Vector) -> L::Vector {
    let upper = lanes.shift_left::<2>(lanes.and(high, lanes.splat(1)));
    lanes.add(lanes.shift_right::<30>(low), upper)
}

/// The ten rounds over states `h` (RFC 7693, section 3.2): the vector v of that section.
#[inline(always)]
fn rounds<L: Lanes, const ZERO: u16>(
    lanes: L,
    h: &[L::Vector; 8],
    m: &[L::Words; 16],
    count: u32,
    last: u32,
) -> [L::Vector; 16] {
    let mut v = [lanes.splat(0); 16];
    let mut i = 0;
    while i < 8 {
        v[i] = h[i];
        v[8 + i] = lanes.splat(IV[i]);
        i += 1;
    }
    v[12] = lanes.splat(IV[4] ^ count);
    v[14] = lanes.splat(IV[6] ^ last);
    round::<L, ZERO, 0>(lanes, &mut v, m);
    later_rounds::<L, ZERO>(lanes, &mut v, m, &mut ());
    v
}

/// The rounds after the first.
#[inline(always)]
fn later_rounds<L: Lanes, const ZERO: u16>(
    lanes: L,
    v: &mut [L::Vector; 16],
    m: &[L::Words; 16],
    meanwhile: &mut impl Meanwhile,
) {
    // What is done meanwhile is needed by the next kernel: where the parts stand was tried.
    round::<L, ZERO, 1>(lanes, v, m);
    meanwhile.part(0);
    round::<L, ZERO, 2>(lanes, v, m);
    round::<L, ZERO, 3>(lanes, v, m);
    meanwhile.part(1);
    round::<L, ZERO, 4>(lanes, v, m);
    meanwhile.part(2);
    round::<L, ZERO, 5>(lanes, v, m);
    meanwhile.part(3);
    round::<L, ZERO, 6>(lanes, v, m);
    round::<L, ZERO, 7>(lanes, v, m);
    round::<L, ZERO, 8>(lanes, v, m);
    round::<L, ZERO, 9>(lanes, v, m);
}

/// Column `I` of the first round of a message's only block, of `count` bytes: the function G (RFC 7693, section 3.1).
#[inline(always)]
fn first_column<L: WordLanes<u32>, const I: usize>(
    lanes: L,
    v: &mut [L::Vector; 16],
    m: &[L::Words],
    count: u32,
) {
    begin_column::<L, I>(lanes, v, lanes.load(&m[2 * I]), count);
    end_column::<L, I>(lanes, v, lanes.load(&m[2 * I + 1]));
}

/// Its first half, of the first word of the message, and of the second one the sum that the message is added to.
#[inline(always)]
fn begin_column<L: WordLanes<u32>, const I: usize>(
    lanes: L,
    v: &mut [L::Vector; 16],
    first: L::Vector,
    count: u32,
) {
    let (mut a, mut b) = (lanes.splat(START[I]), lanes.splat(START[4 + I]));
    let (mut c, mut d) = (lanes.splat(IV[I]), lanes.splat(IV[4 + I] ^ [count, 0, u32::MAX, 0][I]));
    a = lanes.add(lanes.add(a, first), b);
    d = lanes.rotate_right::<16>(lanes.xor(d, a));
    c = lanes.add(c, d);
    b = lanes.rotate_right::<12>(lanes.xor(b, c));
    (v[I], v[4 + I], v[8 + I], v[12 + I]) = (lanes.add(a, b), b, c, d);
}

/// The rest, of the second word of the message.
#[inline(always)]
fn end_column<L: WordLanes<u32>, const I: usize>(lanes: L, v: &mut [L::Vector; 16], second: L::Vector) {
    let (mut a, mut b, mut c, mut d) = (v[I], v[4 + I], v[8 + I], v[12 + I]);
    a = lanes.add(a, second);
    d = lanes.rotate_right::<8>(lanes.xor(d, a));
    c = lanes.add(c, d);
    b = lanes.rotate_right::<7>(lanes.xor(b, c));
    (v[I], v[4 + I], v[8 + I], v[12 + I]) = (a, b, c, d);
}

/// One round: the columns, then the diagonals. Which words it takes is known to the compiler before it optimises: told by
/// arguments, it spent a tenth of this crate's time on branches and bounds that no round has.
#[inline(always)]
fn round<L: Lanes, const ZERO: u16, const ROUND: usize>(
    lanes: L,
    v: &mut [L::Vector; 16],
    m: &[L::Words; 16],
) {
    columns::<L, ZERO, ROUND>(lanes, v, m);
    diagonals::<L, ZERO, ROUND>(lanes, v, m);
}

#[inline(always)]
fn columns<L: Lanes, const ZERO: u16, const ROUND: usize>(
    lanes: L,
    v: &mut [L::Vector; 16],
    m: &[L::Words; 16],
) {
    add_message::<L, ZERO, ROUND, 0>(lanes, v, m);
    lanes.step(HalfMix::<_, 0, 16, 12>(v));
    add_message::<L, ZERO, ROUND, 1>(lanes, v, m);
    lanes.step(HalfMix::<_, 0, 8, 7>(v));
}

#[inline(always)]
fn diagonals<L: Lanes, const ZERO: u16, const ROUND: usize>(
    lanes: L,
    v: &mut [L::Vector; 16],
    m: &[L::Words; 16],
) {
    add_message::<L, ZERO, ROUND, 8>(lanes, v, m);
    lanes.step(HalfMix::<_, 1, 16, 12>(v));
    add_message::<L, ZERO, ROUND, 9>(lanes, v, m);
    lanes.step(HalfMix::<_, 1, 8, 7>(v));
}

/// Adds every other word of the round's four from `FROM` on to words 0 to 3: the `a` of four functions G.
#[inline(always)]
fn add_message<L: WordLanes<u32>, const ZERO: u16, const ROUND: usize, const FROM: usize>(
    lanes: L,
    v: &mut [L::Vector; 16],
    m: &[L::Words; 16],
) {
    if const { is_added(ZERO, ROUND, FROM) } {
        v[0] = lanes.add(v[0], lanes.load(&m[const { SIGMA[ROUND][FROM] }]));
    }
    if const { is_added(ZERO, ROUND, FROM + 2) } {
        v[1] = lanes.add(v[1], lanes.load(&m[const { SIGMA[ROUND][FROM + 2] }]));
    }
    if const { is_added(ZERO, ROUND, FROM + 4) } {
        v[2] = lanes.add(v[2], lanes.load(&m[const { SIGMA[ROUND][FROM + 4] }]));
    }
    if const { is_added(ZERO, ROUND, FROM + 6) } {
        v[3] = lanes.add(v[3], lanes.load(&m[const { SIGMA[ROUND][FROM + 6] }]));
    }
}

/// Whether the word of the message that a round takes at a place is not zero in every lane.
const fn is_added(zero: u16, round: usize, place: usize) -> bool {
    (zero >> SIGMA[round][place]) & 1 == 0
}

/// What follows a word of the message in the function G (RFC 7693, section 3.1), four times side by side: on the columns
/// of the state for `TURN` 0, on its diagonals for 1.
struct HalfMix<'a, V, const TURN: usize, const FIRST: i32, const SECOND: i32>(&'a mut [V; 16]);

impl<L: WordLanes<u32>, const TURN: usize, const FIRST: i32, const SECOND: i32> Kernel<L>
    for HalfMix<'_, L::Vector, TURN, FIRST, SECOND>
{
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let Self(v) = self;
        add::<L, TURN, 0, 1>(lanes, v);
        xor_rotate::<L, TURN, 3, 0, FIRST>(lanes, v);
        add::<L, TURN, 2, 3>(lanes, v);
        xor_rotate::<L, TURN, 1, 2, SECOND>(lanes, v);
    }
}

/// The word of row `row` of the state, four words each, that column or diagonal `i` has.
const fn word(turn: usize, row: usize, i: usize) -> usize {
    4 * row + (i + turn * row) % 4
}

/// Adds row `FROM` to row `TO`.
#[inline(always)]
fn add<L: WordLanes<u32>, const TURN: usize, const TO: usize, const FROM: usize>(
    lanes: L,
    v: &mut [L::Vector; 16],
) {
    v[const { word(TURN, TO, 0) }] =
        lanes.add(v[const { word(TURN, TO, 0) }], v[const { word(TURN, FROM, 0) }]);
    v[const { word(TURN, TO, 1) }] =
        lanes.add(v[const { word(TURN, TO, 1) }], v[const { word(TURN, FROM, 1) }]);
    v[const { word(TURN, TO, 2) }] =
        lanes.add(v[const { word(TURN, TO, 2) }], v[const { word(TURN, FROM, 2) }]);
    v[const { word(TURN, TO, 3) }] =
        lanes.add(v[const { word(TURN, TO, 3) }], v[const { word(TURN, FROM, 3) }]);
}

/// Row `TO` becomes the sum, without carries, of itself and row `FROM`, rotated right by `BY`.
#[inline(always)]
fn xor_rotate<L: WordLanes<u32>, const TURN: usize, const TO: usize, const FROM: usize, const BY: i32>(
    lanes: L,
    v: &mut [L::Vector; 16],
) {
    v[const { word(TURN, TO, 0) }] =
        lanes.rotate_right::<BY>(lanes.xor(v[const { word(TURN, TO, 0) }], v[const { word(TURN, FROM, 0) }]));
    v[const { word(TURN, TO, 1) }] =
        lanes.rotate_right::<BY>(lanes.xor(v[const { word(TURN, TO, 1) }], v[const { word(TURN, FROM, 1) }]));
    v[const { word(TURN, TO, 2) }] =
        lanes.rotate_right::<BY>(lanes.xor(v[const { word(TURN, TO, 2) }], v[const { word(TURN, FROM, 2) }]));
    v[const { word(TURN, TO, 3) }] =
        lanes.rotate_right::<BY>(lanes.xor(v[const { word(TURN, TO, 3) }], v[const { word(TURN, FROM, 3) }]));
}
