//! Walks over bits, a word at a time and sixteen blocks side by side.
#![forbid(unsafe_code)]
#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

use super::program::Op;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::first_of;
use phalanx_core::lanes::Transpose;
use phalanx_core::simd::{Isa, Kernel, Witness};

/// Blocks side by side.
pub(crate) const LANES: usize = 16;

/// One word of every block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Lanes(pub(crate) [u32; LANES]);

impl Lanes {
    pub(crate) const ZERO: Self = Self([0; LANES]);
}

/// What stands at `$i` of every lane, as [`Lanes`]. No closure: what is not inlined is not compiled for the lanes'
/// instruction set.
macro_rules! lanes {
    ($i:ident => $word:expr) => {{
        let mut words = Lanes::ZERO;
        let mut $i = 0;
        while $i < LANES {
            words.0[$i] = $word;
            $i += 1;
        }
        words
    }};
}

/// The words of blocks and of their forms, z, A z and B z.
pub(crate) struct Blocks {
    pub(crate) words: [Vec<Lanes>; 3],
    /// The words that operations make.
    made: Vec<Lanes>,
}

impl Blocks {
    /// Room for blocks of so many words.
    pub(crate) fn new(words: usize) -> Self {
        Self { words: [(); 3].map(|()| vec![Lanes::ZERO; words]), made: Vec::new() }
    }

    /// Fills in all that follows from the input words of z, every lane for itself.
    pub(crate) fn compress(&mut self, isa: Isa, program: &[Op]) {
        let kernel = Compress { program, blocks: self };
        first_of!(isa;
            avx512(cpu) => cpu.enter(kernel),
            avx2(cpu) => cpu.enter(kernel),
            neon(cpu) => cpu.enter(kernel),
            wasm128(cpu) => cpu.enter(kernel),
            else => kernel.run(()),
        );
    }
}

/// Writes a block of every lane to its place: that of lane l is at `first` + `distance` l. Lanes that would be behind the
/// end are left out.
pub(crate) fn put_lanes(isa: Isa, words: &[Lanes], out: &mut [u32], first: usize, distance: usize) {
    let places = out.chunks_mut(distance).map(|of_lane| &mut of_lane[first..][..words.len()]);
    first_of!(isa;
        avx512(cpu) => cpu.enter(Put::<16, _> { words, places }),
        avx2(cpu) => cpu.enter(Put::<8, _> { words, places }),
        neon(cpu) => cpu.enter(Put::<4, _> { words, places }),
        wasm128(cpu) => cpu.enter(Put::<4, _> { words, places }),
        else => for (lane, place) in places.enumerate() {
            for (to, words) in place.iter_mut().zip(words) {
                *to = words.0[lane];
            }
        },
    );
}

/// [`put_lanes`], to be entered: squares of `N` words and lanes are transposed.
struct Put<'a, const N: usize, P> {
    words: &'a [Lanes],
    places: P,
}

impl<'a, const N: usize, P: Iterator<Item = &'a mut [u32]>, L: Transpose<u32, N>> Kernel<L>
    for Put<'a, N, P>
{
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let Self { words, mut places } = self;
        let mut first = 0;
        while first < LANES {
            let mut targets: [Option<&mut [u32]>; N] = [const { None }; N];
            for target in &mut targets {
                *target = places.next();
            }
            for (block, words) in words.as_chunks::<N>().0.iter().enumerate() {
                let mut rows = [lanes.splat(0); N];
                for (row, words) in rows.iter_mut().zip(words) {
                    *row = lanes.load(words.0[first..].first_chunk().expect("lanes in squares"));
                }
                let rows = lanes.transpose(rows);
                for (target, row) in targets.iter_mut().zip(rows) {
                    if let Some(target) = target {
                        lanes.store(&mut target.as_chunks_mut().0[block], row);
                    }
                }
            }
            first += N;
        }
    }
}

/// [`Blocks::compress`], to be entered.
struct Compress<'a> {
    program: &'a [Op],
    blocks: &'a mut Blocks,
}

impl<W> Kernel<W> for Compress<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: W) {
        let Self { program, blocks: Blocks { words: [z, a, b], made } } = self;
        made.clear();
        made.reserve(program.len());
        for form in [&mut *a, &mut *b] {
            form.fill(Lanes::ZERO);
        }
        // Inputs and outputs come first, and outputs are written as a whole.
        let first = program.iter().filter(|op| matches!(op, Op::Input { .. } | Op::Output { .. })).count();
        z[first..].fill(Lanes::ZERO);
        for op in program {
            let word = match *op {
                Op::Input { word } => {
                    (a[word], b[word]) = (z[word], z[word]);
                    z[word]
                }
                Op::Xor(x, y) => {
                    let (x, y) = (made[x].0, made[y].0);
                    lanes!(i => x[i] ^ y[i])
                }
                Op::Rotr(x, n) => rotated(&made[x], n),
                Op::Add2 { x, y, p } => {
                    let (x, y) = (made[x].0, made[y].0);
                    let sum = lanes!(i => x[i].wrapping_add(y[i]));
                    // Carries into every bit.
                    let c = lanes!(i => sum.0[i] ^ x[i] ^ y[i]);
                    let (left, right) = (lanes!(i => x[i] ^ c.0[i]), lanes!(i => y[i] ^ c.0[i]));
                    put_products::<31>([z, a, b], p, left, right);
                    sum
                }
                Op::Add3 { x, y, t, p } => {
                    let (x, y, t) = (made[x].0, made[y].0, made[t].0);
                    let (left, right) = (lanes!(i => x[i] ^ t[i]), lanes!(i => y[i] ^ t[i]));
                    put_products::<31>([z, a, b], p, left, right);
                    let s = lanes!(i => x[i] ^ right.0[i]);
                    let q = lanes!(i => (left.0[i] & right.0[i] ^ t[i]) << 1);
                    let sum = lanes!(i => s.0[i].wrapping_add(q.0[i]));
                    let c = lanes!(i => sum.0[i] ^ s.0[i] ^ q.0[i]);
                    let (left, right) =
                        (lanes!(i => (s.0[i] ^ c.0[i]) >> 1), lanes!(i => (q.0[i] ^ c.0[i]) >> 1));
                    put_products::<30>([z, a, b], p + 31, left, right);
                    sum
                }
                Op::Output { a: of, word } => {
                    let made = made[of];
                    (z[word], a[word], b[word]) = (made, made, made);
                    made
                }
                Op::And2 { x, y, p } => {
                    let (x, y) = (made[x], made[y]);
                    put_products::<32>([z, a, b], p, x, y);
                    lanes!(i => x.0[i] & y.0[i])
                }
                Op::Shr(x, n) => {
                    let x = made[x].0;
                    lanes!(i => x[i] >> n)
                }
            };
            made.push(word);
        }
    }
}

/// Writes `LEN` factors, and their products, to places that are zero.
#[inline(always)]
fn put_products<const LEN: usize>([z, a, b]: [&mut [Lanes]; 3], position: usize, left: Lanes, right: Lanes) {
    let products = lanes!(i => left.0[i] & right.0[i]);
    put::<LEN>(z, position, products);
    put::<LEN>(a, position, left);
    put::<LEN>(b, position, right);
}

/// A z and B z of any `z`, whether its products are right or not.
#[cfg(any(test, feature = "hazmat"))]
pub(crate) fn forms(program: &[Op], z: &[u32]) -> [Vec<u32>; 2] {
    let mut forms = [(); 2].map(|()| vec![0; z.len()]);
    let [a, b] = &mut forms;
    let mut made: Vec<u32> = Vec::with_capacity(program.len());
    for op in program {
        let word = match *op {
            Op::Input { word } => {
                (a[word], b[word]) = (z[word], z[word]);
                z[word]
            }
            Op::Xor(x, y) => made[x] ^ made[y],
            #[expect(clippy::cast_possible_truncation, reason = "a distance within a word")]
            Op::Rotr(x, n) => made[x].rotate_right(n as u32),
            Op::Add2 { x, y, p } => {
                let (x, y) = (made[x], made[y]);
                let c = sums(bits::<31>(z, p)) << 1;
                put_bits::<31>(a, p, x ^ c);
                put_bits::<31>(b, p, y ^ c);
                x ^ y ^ c
            }
            Op::Add3 { x, y, t, p } => {
                let (x, y, t) = (made[x], made[y], made[t]);
                put_bits::<31>(a, p, x ^ t);
                put_bits::<31>(b, p, y ^ t);
                let (s, q) = (x ^ y ^ t, (bits::<31>(z, p) ^ t) << 1);
                let c = sums(bits::<30>(z, p + 31)) << 2;
                put_bits::<30>(a, p + 31, (s ^ c) >> 1);
                put_bits::<30>(b, p + 31, (q ^ c) >> 1);
                s ^ q ^ c
            }
            Op::Output { a: of, word } => {
                (a[word], b[word]) = (made[of], made[of]);
                made[of]
            }
            Op::And2 { x, y, p } => {
                put_bits::<32>(a, p, made[x]);
                put_bits::<32>(b, p, made[y]);
                bits::<32>(z, p)
            }
            Op::Shr(x, n) => made[x] >> n,
        };
        made.push(word);
    }
    forms
}

#[inline(always)]
fn rotated(a: &Lanes, n: usize) -> Lanes {
    let (right, left) = (n % 32, (32 - n) % 32);
    lanes!(i => a.0[i] >> right | a.0[i] << left)
}

/// Writes `LEN` bits, at most 32, to places that are zero.
#[inline(always)]
fn put<const LEN: usize>(words: &mut [Lanes], position: usize, bits: Lanes) {
    let (word, shift) = (position / 32, position % 32);
    let bits = lanes!(i => bits.0[i] & (u32::MAX >> (32 - LEN)));
    let place = &mut words[word];
    *place = lanes!(i => place.0[i] | bits.0[i] << shift);
    if shift + LEN > 32 {
        let place = &mut words[word + 1];
        *place = lanes!(i => place.0[i] | bits.0[i] >> (32 - shift));
    }
}

/// Bit i is the sum of bits 0 to i.
#[cfg(any(test, feature = "hazmat"))]
fn sums(mut bits: u32) -> u32 {
    for by in [1, 2, 4, 8, 16] {
        bits ^= bits << by;
    }
    bits
}

/// Writes `LEN` bits, at most 32, to places that are zero.
#[cfg(any(test, feature = "hazmat"))]
fn put_bits<const LEN: usize>(words: &mut [u32], position: usize, bits: u32) {
    let (word, shift) = (position / 32, position % 32);
    let bits = bits & (u32::MAX >> (32 - LEN));
    words[word] |= bits << shift;
    if shift + LEN > 32 {
        words[word + 1] |= bits >> (32 - shift);
    }
}

/// Reads `LEN` bits, at most 32.
#[cfg(any(test, feature = "hazmat"))]
fn bits<const LEN: usize>(words: &[u32], position: usize) -> u32 {
    let (word, shift) = (position / 32, position % 32);
    let mut bits = words[word] >> shift;
    if shift + LEN > 32 {
        bits |= words[word + 1] << (32 - shift);
    }
    bits & (u32::MAX >> (32 - LEN))
}
