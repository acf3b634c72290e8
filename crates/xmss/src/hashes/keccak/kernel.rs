//! Keccak-f[1600] once, generic over the vector that holds one state word of every lane.

use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::Kernel;

/// Round constants (FIPS 202, section 3.2.5; a test derives them from the step's shift register).
pub(super) const ROUND_CONSTANTS: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];

/// Keccak-f[1600] of the states in lanes `N group..N (group + 1)` of `state[word][lane]`.
pub(super) struct Permute<'a> {
    pub(super) state: &'a mut [[u64; 8]; 25],
    pub(super) group: usize,
}

impl<L: WordLanes<u64, Words = [u64; N]>, const N: usize> Kernel<L> for Permute<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let mut words = [lanes.splat(0); 25];
        for (word, row) in words.iter_mut().zip(self.state.iter()) {
            *word = lanes.load(&row.as_chunks().0[self.group]);
        }
        permute(lanes, &mut words);
        for (word, row) in words.iter().zip(self.state.iter_mut()) {
            lanes.store(&mut row.as_chunks_mut().0[self.group], *word);
        }
    }
}

/// All 24 rounds, two to a turn of the loop: one to six run within 7 % of one another on every backend
/// (AVX-512 24 ns per lane, AVX2 85, portable 255), all 24 unrolled cost AVX2 and portable 1.5 times (Zen 5, 2026-11).
#[inline(always)]
pub(super) fn permute<L: WordLanes<u64>>(lanes: L, state: &mut [L::Vector; 25]) {
    let mut words = *state;
    for constants in ROUND_CONSTANTS.as_chunks::<2>().0 {
        words = round(lanes, &words, constants[0]);
        words = round(lanes, &words, constants[1]);
    }
    *state = words;
}

/// One round (FIPS 202, section 3.3): theta, rho, pi, chi and iota.
///
/// Some words are settled: else the compiler takes a second for each copy of the rounds on plain words, to find that they
/// do not fit vectors. These ten are the best of ten choices: all but nothing of that second is left, and the rounds are
/// within 2 % (Zen 4, 2026-11).
#[inline(always)]
fn round<L: WordLanes<u64>>(lanes: L, a: &[L::Vector; 25], constant: u64) -> [L::Vector; 25] {
    // Theta: `sums` are the column parities, `d` what each column adds.
    let sums = [
        column(lanes, a[0], a[5], a[10], a[15], a[20]),
        column(lanes, a[1], a[6], a[11], a[16], a[21]),
        column(lanes, a[2], a[7], a[12], a[17], a[22]),
        column(lanes, a[3], a[8], a[13], a[18], a[23]),
        column(lanes, a[4], a[9], a[14], a[19], a[24]),
    ];
    let d = [
        lanes.settled(lanes.xor_rotated::<1, 63>(sums[4], sums[1])),
        lanes.settled(lanes.xor_rotated::<1, 63>(sums[0], sums[2])),
        lanes.settled(lanes.xor_rotated::<1, 63>(sums[1], sums[3])),
        lanes.settled(lanes.xor_rotated::<1, 63>(sums[2], sums[4])),
        lanes.settled(lanes.xor_rotated::<1, 63>(sums[3], sums[0])),
    ];
    // Rho and pi: row `y` of the result gathers the words `A[x, x + 3 y]`, rotated; then chi along the row.
    let r0 = chi(
        lanes,
        lanes.xor(a[0], d[0]),
        lanes.xor_rotate::<44, 20>(a[6], d[1]),
        lanes.xor_rotate::<43, 21>(a[12], d[2]),
        lanes.xor_rotate::<21, 43>(a[18], d[3]),
        lanes.xor_rotate::<14, 50>(a[24], d[4]),
    );
    let r1 = chi(
        lanes,
        lanes.xor_rotate::<28, 36>(a[3], d[3]),
        lanes.xor_rotate::<20, 44>(a[9], d[4]),
        lanes.xor_rotate::<3, 61>(a[10], d[0]),
        lanes.xor_rotate::<45, 19>(a[16], d[1]),
        lanes.xor_rotate::<61, 3>(a[22], d[2]),
    );
    let r2 = chi(
        lanes,
        lanes.xor_rotate::<1, 63>(a[1], d[1]),
        lanes.xor_rotate::<6, 58>(a[7], d[2]),
        lanes.xor_rotate::<25, 39>(a[13], d[3]),
        lanes.xor_rotate::<8, 56>(a[19], d[4]),
        lanes.xor_rotate::<18, 46>(a[20], d[0]),
    );
    let r3 = chi(
        lanes,
        lanes.xor_rotate::<27, 37>(a[4], d[4]),
        lanes.xor_rotate::<36, 28>(a[5], d[0]),
        lanes.xor_rotate::<10, 54>(a[11], d[1]),
        lanes.xor_rotate::<15, 49>(a[17], d[2]),
        lanes.xor_rotate::<56, 8>(a[23], d[3]),
    );
    let r4 = chi(
        lanes,
        lanes.xor_rotate::<62, 2>(a[2], d[2]),
        lanes.xor_rotate::<55, 9>(a[8], d[3]),
        lanes.xor_rotate::<39, 25>(a[14], d[4]),
        lanes.xor_rotate::<41, 23>(a[15], d[0]),
        lanes.xor_rotate::<2, 62>(a[21], d[1]),
    );
    let iota = lanes.xor(r0[0], lanes.splat(constant));
    [
        iota, r0[1], r0[2], r0[3], r0[4], r1[0], r1[1], r1[2], r1[3], r1[4], r2[0], r2[1], r2[2], r2[3],
        r2[4], r3[0], r3[1], r3[2], r3[3], r3[4], r4[0], r4[1], r4[2], r4[3], r4[4],
    ]
}

/// The parity of a column.
#[inline(always)]
fn column<L: WordLanes<u64>>(
    lanes: L,
    a: L::Vector,
    b: L::Vector,
    c: L::Vector,
    d: L::Vector,
    e: L::Vector,
) -> L::Vector {
    lanes.xor3(lanes.xor3(a, b, c), d, e)
}

/// The step chi on a row.
#[inline(always)]
fn chi<L: WordLanes<u64>>(
    lanes: L,
    a: L::Vector,
    b: L::Vector,
    c: L::Vector,
    d: L::Vector,
    e: L::Vector,
) -> [L::Vector; 5] {
    let (b, d) = (lanes.settled(b), lanes.settled(d));
    [lanes.chi(a, b, c), lanes.chi(b, c, d), lanes.chi(c, d, e), lanes.chi(d, e, a), lanes.chi(e, a, b)]
}
