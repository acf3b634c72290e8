//! Every operation of every witness of this machine against plain words.

use super::*;
use crate::first_of;
use crate::simd::{Backend, Isa};
use alloc::vec::Vec;
use core::fmt::Debug;

/// Words of one type for the tests, with edges among them.
trait Word: Copy + PartialEq + Debug {
    fn noise(state: &mut u64) -> Self;
    fn bytes(self) -> Vec<u8>;
}

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    match *state % 11 {
        0 => 0,
        1 => u64::MAX,
        2 => 0x8000_0000_8000_0000,
        3 => 0x7fff_ffff_7fff_ffff,
        _ => *state,
    }
}

impl Word for u32 {
    fn noise(state: &mut u64) -> Self {
        u32::try_from(next(state) >> 32).expect("half a number")
    }

    fn bytes(self) -> Vec<u8> {
        self.to_le_bytes().into()
    }
}

impl Word for u64 {
    fn noise(state: &mut u64) -> Self {
        next(state)
    }

    fn bytes(self) -> Vec<u8> {
        self.to_le_bytes().into()
    }
}

/// An operation of three operands, on any lanes.
trait Operation<W>: Copy {
    fn run<L: WordLanes<W>>(self, lanes: L, a: L::Vector, b: L::Vector, c: L::Vector) -> L::Vector;
}

/// `operation` in vectors is what it is on one word.
fn check<W: Word, L, const N: usize>(lanes: L, name: &str, operation: impl Operation<W>)
where
    L: WordLanes<W, Words = [W; N]>,
    Scalar: WordLanes<W, Vector = W>,
{
    assert_eq!(L::LANES, N);
    let mut state = 0x2545_f491_4f6c_dd1d;
    for _ in 0..100 {
        let [a, b, c] = core::array::from_fn(|_| core::array::from_fn::<W, N, _>(|_| W::noise(&mut state)));
        let result = operation.run(lanes, lanes.load(&a), lanes.load(&b), lanes.load(&c));
        let mut words = a;
        lanes.store(&mut words, result);
        let wanted = core::array::from_fn(|i| operation.run(Scalar, a[i], b[i], c[i]));
        assert_eq!(words, wanted, "{name}, {a:x?}, {b:x?}, {c:x?}");
        lanes.store(&mut words, lanes.splat(a[0]));
        assert_eq!(words, [a[0]; N], "splat");
    }
}

/// Checks a list of operations.
macro_rules! check_all {
    ($word:ty, $lanes:expr; $($name:ident: |$l:ident, $a:ident, $b:ident, $c:ident| $body:expr;)+) => {$(
        #[derive(Clone, Copy)]
        struct $name;
        impl Operation<$word> for $name {
            fn run<L: WordLanes<$word>>(
                self,
                $l: L,
                $a: L::Vector,
                $b: L::Vector,
                $c: L::Vector,
            ) -> L::Vector {
                let _ = ($b, $c);
                $body
            }
        }
        check::<$word, _, _>($lanes, stringify!($name), $name);
    )+};
}

/// The operations that both word types have, with these distances besides.
macro_rules! both {
    ($name:ident, $word:ty, $first:literal, $second:literal, $third:literal) => {
        fn $name<L: WordLanes<$word, Words = [$word; N]>, const N: usize>(lanes: L) {
            const BITS: i32 = <$word>::BITS.cast_signed();
            check_all! { $word, lanes;
                Add: |l, a, b, c| l.add(a, b);
                Sub: |l, a, b, c| l.sub(a, b);
                And: |l, a, b, c| l.and(a, b);
                Xor: |l, a, b, c| l.xor(a, b);
                Xor3: |l, a, b, c| l.xor3(a, b, c);
                Choose: |l, a, b, c| l.choose(a, b, c);
                Majority: |l, a, b, c| l.majority(a, b, c);
                Chi: |l, a, b, c| l.chi(a, b, c);
                Settled: |l, a, b, c| l.settled(a);
                SwapBytes: |l, a, b, c| l.swap_bytes(a);
                Left: |l, a, b, c| l.xor(l.shift_left::<1>(a), l.shift_left::<{ BITS - 1 }>(b));
                Right: |l, a, b, c| l.xor(l.shift_right::<1>(a), l.shift_right::<{ BITS - 1 }>(b));
                Rotate: |l, a, b, c| l.xor(l.rotate_right::<1>(a), l.rotate_right::<{ BITS - 1 }>(b));
                RotateBytes: |l, a, b, c| l.xor(l.rotate_right::<8>(a), l.rotate_right::<16>(b));
                RotateMoreBytes: |l, a, b, c| l.rotate_right::<{ BITS - 8 }>(a);
                Rotations: |l, a, b, c| l.rotations::<$first, $second, $third>(a);
                RotationsAndShift: |l, a, b, c| l.rotations_and_shift::<$first, $second, $third>(a);
                XorRotate: |l, a, b, c| l.xor_rotate::<$first, { BITS - $first }>(a, b);
                XorRotated: |l, a, b, c| l.xor_rotated::<1, { BITS - 1 }>(a, b);
                XorRotatedMore: |l, a, b, c| l.xor_rotated::<$third, { BITS - $third }>(a, b);
            }
        }
    };
}

both!(check32, u32, 7, 18, 3);
both!(check64, u64, 14, 41, 28);

fn check_moves<W: Word, L: Transpose<W, N>, const N: usize>(lanes: L) {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let rows: [[W; N]; N] = core::array::from_fn(|_| core::array::from_fn(|_| W::noise(&mut state)));
    let columns = lanes.transpose(rows.map(|row| lanes.load(&row)));
    for i in 0..N {
        let mut words = rows[0];
        lanes.store(&mut words, columns[i]);
        assert_eq!(words, rows.map(|row| row[i]));
        let bytes: Vec<u8> = rows[i].iter().flat_map(|word| word.bytes()).collect();
        let from_bytes = [&[7][..], &bytes, &[8]].concat();
        lanes.store(&mut words, lanes.load_bytes(&from_bytes[1..]));
        assert_eq!(words, rows[i]);
    }
}

fn check_min<L: MinLanes<Words = [u32; N]>, const N: usize>(lanes: L) {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..100 {
        let [a, b] = core::array::from_fn(|_| core::array::from_fn::<u32, N, _>(|_| Word::noise(&mut state)));
        let mut words = a;
        lanes.store(&mut words, lanes.min(lanes.load(&a), lanes.load(&b)));
        assert_eq!(words, core::array::from_fn(|i| a[i].min(b[i])));
    }
}

fn check_bytes<L: ByteLanes<Bytes = [u8; N]>, const N: usize>(lanes: L) {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let mut noise = || core::array::from_fn::<u8, N, _>(|_| next(&mut state).to_le_bytes()[3]);
    let stored = |x| {
        let mut bytes = [0; N];
        lanes.store(&mut bytes, x);
        bytes
    };
    for _ in 0..100 {
        let (a, b, c) = (noise(), noise(), noise());
        let [x, y] = [lanes.load(&a), lanes.load(&b)];
        assert_eq!(stored(lanes.xor(x, y)), core::array::from_fn(|i| a[i] ^ b[i]));
        assert_eq!(stored(lanes.xor3(x, y, lanes.load(&c))), core::array::from_fn(|i| a[i] ^ b[i] ^ c[i]));
        assert_eq!(stored(lanes.low_nibbles(x)), a.map(|byte| byte & 15));
        assert_eq!(stored(lanes.high_nibbles(x)), a.map(|byte| byte >> 4));
        let table = b.first_chunk().expect("a part");
        let looked_up = lanes.lookup(lanes.splat(table), lanes.low_nibbles(x));
        assert_eq!(stored(looked_up), a.map(|byte| table[usize::from(byte & 15)]));
        assert_eq!(
            stored(lanes.lookup(y, lanes.high_nibbles(x))),
            core::array::from_fn(|i| b[i / 16 * 16 + usize::from(a[i] >> 4)])
        );
        let rows: [[u8; N]; 4] = core::array::from_fn(|_| noise());
        let columns = lanes.transpose4(rows.map(|row| lanes.load(&row))).map(stored);
        for i in 0..4 {
            for j in 0..N {
                // Byte j % 4 of word j / 4 % 4 in part j / 16.
                assert_eq!(columns[i][j], rows[j / 4 % 4][j / 16 * 16 + 4 * i + j % 4]);
            }
        }
    }
}

fn check_all_of<L, const N: usize, const HALF: usize>(lanes: L)
where
    L: MinLanes + Transpose<u32, N> + WordLanes<u64, Words = [u64; HALF]>,
{
    check32::<_, N>(lanes);
    check64::<_, HALF>(lanes);
    check_min::<_, N>(lanes);
    check_moves::<u32, _, N>(lanes);
}

#[test]
#[allow(clippy::unused_unit, reason = "where there are no lanes, there is nothing to check")]
fn lanes_compute_words() {
    first_of!(Isa::PORTABLE; sse2(w) => { check32::<_, 4>(w); check_min::<_, 4>(w); }, else => {},);
    for isa in Backend::ALL.into_iter().filter_map(Isa::of) {
        check32(Scalar);
        check64(Scalar);
        first_of!(isa;
            avx512(w) => check_all_of::<_, 16, 8>(w),
            avx2(w) => { check_all_of::<_, 8, 4>(w); check_bytes::<_, 32>(w); check_moves::<u64, _, 4>(w); },
            neon(w) => { check_all_of::<_, 4, 2>(w); check_bytes::<_, 16>(w); },
            wasm128(w) => { check_all_of::<_, 4, 2>(w); check_bytes::<_, 16>(w); },
            else => {},
        );
        first_of!(isa;
            gfni(w) => check_bytes::<_, 32>(w),
            else => {},
        );
        first_of!(isa;
            avx512(w) => { check_moves::<u64, _, 8>(w); check_bytes::<_, 64>(w); },
            sha3(w) => check64::<_, 2>(w),
            else => {},
        );
    }
}

/// Scalar words against the operators, once: all else is compared with them.
#[test]
fn scalars_compute_words() {
    fn check<L: WordLanes<u64, Vector = u64>>(l: L) {
        let (a, b, c) = (0x0123_4567_89ab_cdef_u64, 0xfedc_ba98_7654_3210_u64, 0xdead_beef_0bad_cafe_u64);
        assert_eq!(l.choose(a, b, c), (a & b) | (!a & c));
        assert_eq!(l.majority(a, b, c), (a & b) ^ (a & c) ^ (b & c));
        assert_eq!(l.chi(a, b, c), a ^ (!b & c));
        assert_eq!(
            l.rotations::<28, 34, 39>(a),
            a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39)
        );
        assert_eq!(l.rotations_and_shift::<1, 8, 7>(a), a.rotate_right(1) ^ a.rotate_right(8) ^ (a >> 7));
        assert_eq!(l.xor_rotate::<20, 44>(a, b), (a ^ b).rotate_left(20));
        assert_eq!(l.xor_rotated::<1, 63>(a, b), a ^ b.rotate_left(1));
    }
    check(Scalar);
}
