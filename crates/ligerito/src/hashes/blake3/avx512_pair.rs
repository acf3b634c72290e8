//! The compression function on two vectors of sixteen lanes: the two states fill all registers there are.
//!
//! One state alone leaves half of the CPU idle: on Zen 5 an operation takes two cycles, four can start in each, and G
//! is a chain with four side by side. Written in assembler, every step in its place: with the same order in
//! intrinsics the compiler moves steps across each other and spills some 280 times in seven rounds (rustc 1.95),
//! which costs more than the second state gains.
#![allow(unsafe_code, reason = "assembler, and the entry into AVX-512 code, on the strength of lanes of it")]

use super::mode::IV;
use super::portable::SCHEDULE;
use super::slices::{Digests, Message};
use core::arch::x86_64::__m512i;
use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::Kernel;

// The second message lies where the assembler looks for it.
const _: () = assert!(size_of::<Message<16>>() == 1024);

/// Words 4i to 4i + 3 of the first state, then of the second.
type Quarter = [__m512i; 8];

/// `$op $x, $x, $y` in one of the states.
macro_rules! step {
    (first: $op:literal, $x:literal, $y:literal) => {
        concat!(step!($op, $x, $y, 0), step!($op, $x, $y, 1), step!($op, $x, $y, 2), step!($op, $x, $y, 3))
    };
    (second: $op:literal, $x:literal, $y:literal) => {
        concat!(step!($op, $x, $y, 4), step!($op, $x, $y, 5), step!($op, $x, $y, 6), step!($op, $x, $y, 7))
    };
    ($op:literal, $x:literal, $y:literal, $i:literal) => {
        concat!($op, " {", $x, $i, "}, {", $x, $i, "}, {", $y, $i, "}\n")
    };
}

/// `$x` of one of the states rotated right.
macro_rules! rotate {
    (first: $x:literal, $by:literal) => {
        concat!(rotate!($x, $by, 0), rotate!($x, $by, 1), rotate!($x, $by, 2), rotate!($x, $by, 3))
    };
    (second: $x:literal, $by:literal) => {
        concat!(rotate!($x, $by, 4), rotate!($x, $by, 5), rotate!($x, $by, 6), rotate!($x, $by, 7))
    };
    ($x:literal, $by:literal, $i:literal) => {
        concat!("vprord {", $x, $i, "}, {", $x, $i, "}, ", $by, "\n")
    };
}

/// Words of its message, at the four offsets named `$x`, added to quarter a of one of the states. The second message
/// lies 1024 bytes on.
macro_rules! message {
    (first: $x:literal) => {
        concat!(message!($x, 0, 0, 0), message!($x, 1, 1, 0), message!($x, 2, 2, 0), message!($x, 3, 3, 0))
    };
    (second: $x:literal) => {
        concat!(
            message!($x, 0, 4, 1024),
            message!($x, 1, 5, 1024),
            message!($x, 2, 6, 1024),
            message!($x, 3, 7, 1024),
        )
    };
    ($x:literal, $i:literal, $a:literal, $at:literal) => {
        concat!("vpaddd {a", $a, "}, {a", $a, "}, zmmword ptr [{m} + {", $x, $i, "} + ", $at, "]\n")
    };
}

/// The function G of the paper four times side by side in both states, with words `x` and `y` of the messages. The
/// second state is a step behind the first, so that its rotations, of which two can start in a cycle, meet other
/// work.
#[inline]
#[target_feature(enable = "avx512f")]
fn mix4(
    a: &mut Quarter,
    b: &mut Quarter,
    c: &mut Quarter,
    d: &mut Quarter,
    messages: &[Message<16>; 2],
    half_round: usize,
) {
    let words = &OFFSETS[half_round];
    // SAFETY: what is read are words of the messages: the offsets are multiples of 64 below 1024, in either message.
    unsafe {
        core::arch::asm!(
            message!(first: "x"),
            step!(first: "vpaddd", "a", "b"),
            message!(second: "x"),
            step!(first: "vpxord", "d", "a"),
            step!(second: "vpaddd", "a", "b"),
            rotate!(first: "d", 16),
            step!(second: "vpxord", "d", "a"),
            step!(first: "vpaddd", "c", "d"),
            rotate!(second: "d", 16),
            step!(first: "vpxord", "b", "c"),
            step!(second: "vpaddd", "c", "d"),
            rotate!(first: "b", 12),
            step!(second: "vpxord", "b", "c"),
            message!(first: "y"),
            rotate!(second: "b", 12),
            step!(first: "vpaddd", "a", "b"),
            message!(second: "y"),
            step!(first: "vpxord", "d", "a"),
            step!(second: "vpaddd", "a", "b"),
            rotate!(first: "d", 8),
            step!(second: "vpxord", "d", "a"),
            step!(first: "vpaddd", "c", "d"),
            rotate!(second: "d", 8),
            step!(first: "vpxord", "b", "c"),
            step!(second: "vpaddd", "c", "d"),
            rotate!(first: "b", 7),
            step!(second: "vpxord", "b", "c"),
            rotate!(second: "b", 7),
            m = in(reg) messages.as_ptr(),
            x0 = in(reg) words[0],
            y0 = in(reg) words[1],
            x1 = in(reg) words[2],
            y1 = in(reg) words[3],
            x2 = in(reg) words[4],
            y2 = in(reg) words[5],
            x3 = in(reg) words[6],
            y3 = in(reg) words[7],
            a0 = inout(zmm_reg) a[0],
            a1 = inout(zmm_reg) a[1],
            a2 = inout(zmm_reg) a[2],
            a3 = inout(zmm_reg) a[3],
            a4 = inout(zmm_reg) a[4],
            a5 = inout(zmm_reg) a[5],
            a6 = inout(zmm_reg) a[6],
            a7 = inout(zmm_reg) a[7],
            b0 = inout(zmm_reg) b[0],
            b1 = inout(zmm_reg) b[1],
            b2 = inout(zmm_reg) b[2],
            b3 = inout(zmm_reg) b[3],
            b4 = inout(zmm_reg) b[4],
            b5 = inout(zmm_reg) b[5],
            b6 = inout(zmm_reg) b[6],
            b7 = inout(zmm_reg) b[7],
            c0 = inout(zmm_reg) c[0],
            c1 = inout(zmm_reg) c[1],
            c2 = inout(zmm_reg) c[2],
            c3 = inout(zmm_reg) c[3],
            c4 = inout(zmm_reg) c[4],
            c5 = inout(zmm_reg) c[5],
            c6 = inout(zmm_reg) c[6],
            c7 = inout(zmm_reg) c[7],
            d0 = inout(zmm_reg) d[0],
            d1 = inout(zmm_reg) d[1],
            d2 = inout(zmm_reg) d[2],
            d3 = inout(zmm_reg) d[3],
            d4 = inout(zmm_reg) d[4],
            d5 = inout(zmm_reg) d[5],
            d6 = inout(zmm_reg) d[6],
            d7 = inout(zmm_reg) d[7],
            options(pure, readonly, nostack, preserves_flags)
        );
    }
}

/// For every half of a round, where the words of the message lie, in bytes.
const OFFSETS: [[usize; 8]; 14] = {
    let mut offsets = [[0; 8]; 14];
    let mut i = 0;
    while i < 14 * 8 {
        offsets[i / 8][i % 8] = SCHEDULE[i / 16][i % 16] * 64;
        i += 1;
    }
    offsets
};

/// As [`super::kernel::Compress`], of two blocks of sixteen lanes.
pub(super) struct CompressTwo<'a> {
    pub(super) start: Option<&'a [u32; 8]>,
    pub(super) chaining: &'a mut [Digests<16>; 2],
    pub(super) messages: &'a [Message<16>; 2],
    pub(super) len: u32,
    pub(super) flags: u32,
}

impl<L: WordLanes<u32, Vector = __m512i, Words = [u32; 16]>> Kernel<L> for CompressTwo<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let Self { start, chaining, messages, len, flags } = self;
        let mut a = [lanes.splat(0); 8];
        let (mut b, mut c, mut d) = (a, a, a);
        let mut i = 0;
        while i < 8 {
            let (state, word) = (i / 4, i % 4);
            (a[i], b[i]) = match start {
                Some(words) => (lanes.splat(words[word]), lanes.splat(words[4 + word])),
                None => (lanes.load(&chaining[state].0[word]), lanes.load(&chaining[state].0[4 + word])),
            };
            c[i] = lanes.splat(IV[word]);
            d[i] = lanes.splat([0, 0, len, flags][word]);
            i += 1;
        }
        let mut round = 0;
        while round < 7 {
            // SAFETY: `lanes` made vectors of AVX-512, so this CPU has it.
            unsafe { mix4(&mut a, &mut b, &mut c, &mut d, messages, 2 * round) };
            let (mut b1, mut c2, mut d3) = (turned::<1>(b), turned::<2>(c), turned::<3>(d));
            // SAFETY: as above.
            unsafe { mix4(&mut a, &mut b1, &mut c2, &mut d3, messages, 2 * round + 1) };
            (b, c, d) = (turned::<3>(b1), turned::<2>(c2), turned::<1>(d3));
            round += 1;
        }
        let mut i = 0;
        while i < 8 {
            let (state, word) = (i / 4, i % 4);
            lanes.store(&mut chaining[state].0[word], lanes.xor(a[i], c[i]));
            lanes.store(&mut chaining[state].0[4 + word], lanes.xor(b[i], d[i]));
            i += 1;
        }
    }
}

/// Word i + `BY` in the place of word i, in both states. Names change, no register moves.
#[inline(always)]
fn turned<const BY: usize>(x: Quarter) -> Quarter {
    let at = |i: usize| x[i / 4 * 4 + (i + BY) % 4];
    [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]
}
