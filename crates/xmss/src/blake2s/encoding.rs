//! From digests to the digits that say where in its chains a signature stands (specification section 4).
#![forbid(unsafe_code)]

use super::parameters::{CHAINS, Node, TARGET};

/// The number of the signature's value in every chain.
pub(crate) type Digits = [u8; CHAINS];

/// The digits that `digest` encodes, if it is admissible.
pub(crate) fn decode(digest: &Node) -> Option<Digits> {
    let [a, b, c, d] = digest.map(u64::from);
    let halves = [a | (b << 32), c | (d << 32)];
    // A bit that no digit covers would give one encoding to two digests.
    if halves.iter().any(|half| half >> 63 != 0) {
        return None;
    }
    let mut digits = [0; CHAINS];
    let mut sum = 0;
    let mut take = |at: usize, half: u64, count: usize| {
        let spread = spread(half & 0xff_ffff);
        // At most 56: the sum of all bytes is the highest one.
        sum += (spread.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32;
        for (digit, byte) in digits[at..at + count].iter_mut().zip(spread.to_le_bytes()) {
            *digit = byte;
        }
    };
    let [low, high] = halves;
    take(0, low, 8);
    take(8, low >> 24, 8);
    take(16, low >> 48, 5);
    take(21, high, 8);
    take(29, high >> 24, 8);
    take(37, high >> 48, 5);
    (sum == TARGET).then_some(digits)
}

/// Eight digits of three bits, a byte each.
fn spread(digits: u64) -> u64 {
    let fours = (digits | (digits << 20)) & 0x0000_0fff_0000_0fff;
    let pairs = (fours | (fours << 10)) & 0x003f_003f_003f_003f;
    (pairs | (pairs << 5)) & 0x0707_0707_0707_0707
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashes::blake2s::{Lanes, MAX_LANES, Slices, with_lanes};

    #[test]
    fn digits_are_three_bits_each() {
        // Digit r is its number's lowest bits, so that no two neighbours are alike; the sum is brought to the target.
        let mut wanted: Digits = core::array::from_fn(|r| [0, 5, 2, 7, 4, 1, 6, 3][r % 8]);
        let mut sum: u32 = wanted.iter().map(|&digit| u32::from(digit)).sum();
        for digit in &mut wanted {
            while *digit < 7 && sum < TARGET {
                *digit += 1;
                sum += 1;
            }
        }
        let half = |digits: &[u8]| digits.iter().rev().fold(0, |half, &digit| 8 * half + u64::from(digit));
        let halves = [half(&wanted[..21]), half(&wanted[21..])];
        let low = |half: u64| u32::try_from(half & 0xffff_ffff).expect("masked");
        let words = [low(halves[0]), low(halves[0] >> 32), low(halves[1]), low(halves[1] >> 32)];
        assert_eq!(decode(&words), Some(wanted));
        for (word, bit) in [(0, 0), (1, 31), (3, 31), (3, 30)] {
            let mut other = words;
            other[word] ^= 1 << bit;
            assert_eq!(decode(&other), None, "bit {bit} of word {word}");
        }
    }

    /// The filter of the search says of every digest what decoding says.
    #[test]
    fn the_filter_in_lanes_is_decoding() {
        fn filtered<const N: usize>(lanes: impl Lanes<N>, digests: &[Node]) -> alloc::vec::Vec<bool> {
            let mut state = Slices::ZERO;
            let mut found = alloc::vec::Vec::new();
            for group in digests.chunks_exact(N) {
                for (lane, digest) in group.iter().enumerate() {
                    for word in 0..4 {
                        state[word][lane] = digest[word];
                    }
                }
                found.extend(lanes.misses(&state, TARGET).map(|miss| miss == 0));
            }
            found
        }
        // Digits 0 to 7 in turn with a few changed: sums around the target, with and without the spare bits.
        let mut digests = alloc::vec::Vec::new();
        for seed in 0..64 * MAX_LANES as u64 {
            let mut halves = [0u64; 2];
            let mut left = 192 + seed % 7;
            let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            for chain in 0..CHAINS as u64 {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                let after = 7 * (CHAINS as u64 - 1 - chain);
                let low = left.saturating_sub(after);
                let digit = (low + (random >> 33) % (left.min(7) - low + 1)).min(7);
                left -= digit;
                halves[usize::from(chain > 20)] |= digit << (3 * (chain % 21));
            }
            halves[0] |= u64::from(seed % 11 == 3) << 63;
            halves[1] |= u64::from(seed % 13 == 5) << 63;
            let words = [halves[0], halves[0] >> 32, halves[1], halves[1] >> 32];
            digests.push(words.map(|word| u32::try_from(word & 0xffff_ffff).expect("masked")));
        }
        let wanted: alloc::vec::Vec<_> = digests.iter().map(|digest| decode(digest).is_some()).collect();
        assert!(wanted.iter().filter(|&&found| found).count() > 50, "some are admissible");
        assert!(wanted.iter().filter(|&&found| !found).count() > 50, "some are not");
        for isa in phalanx_testing::isas() {
            let got = with_lanes!(isa, lanes => filtered(lanes, &digests));
            assert_eq!(got, wanted);
        }
    }
}
