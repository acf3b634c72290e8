//! From message hash to codeword: which outputs of the message hash are codewords, and which.
#![forbid(unsafe_code)]

use super::hypercube::Hypercube;
#[cfg(any(test, feature = "hazmat"))]
use super::hypercube::U192;
use crate::fields::koala_bear::P;
use alloc::boxed::Box;
use once_cell::race::OnceBox;

/// Most chains of any parameter set.
pub(crate) const MAX_CHAINS: usize = 64;

/// Words of message-hash output, enough for either encoding.
pub(crate) const HASH_WORDS: usize = 15;

/// Which vertices of the hypercube are codewords.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// Spec section 8.1: the hash is mapped into layers `0..=last_layer` and must have coordinate sum `sum`.
    TopLayers {
        /// The target sum `T`.
        sum: u16,
        /// Last layer of the domain.
        last_layer: u16,
    },
    /// Spec section 8.2: eight base-8 digits a word, abort on the one residue that would bias them; sum `sum`.
    Aborting {
        /// The target sum `T`.
        sum: u16,
    },
}

#[cfg(feature = "hazmat")]
impl Target {
    /// The target sum `T`.
    pub(crate) const fn sum(self) -> u16 {
        match self {
            Self::TopLayers { sum, .. } | Self::Aborting { sum } => sum,
        }
    }
}

/// Position of the signature's value in every chain; the first `v` entries are in use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Codeword(pub(crate) [u8; MAX_CHAINS]);

/// The encoding of one parameter set, with its table of layer sizes once needed.
pub(crate) struct Encoding {
    chains: usize,
    base: u8,
    target: Target,
    hypercube: OnceBox<Hypercube>,
}

impl Encoding {
    /// The encoding into `chains` coordinates below `base`.
    pub(crate) const fn new(chains: usize, base: u8, target: Target) -> Self {
        Self { chains, base, target, hypercube: OnceBox::new() }
    }

    /// The codeword of message-hash output `o` (canonical residues), if it has one.
    ///
    /// Most candidates have none, and are refused before any coordinate is computed (top layers) or by their sum.
    pub(crate) fn decode(&self, o: &[u32; HASH_WORDS]) -> Option<Codeword> {
        match self.target {
            Target::TopLayers { sum, last_layer } => self.top_layers(o, sum, last_layer),
            Target::Aborting { sum } => self.aborting(o, sum),
        }
    }

    /// The hypercube's top layers, counted when first needed.
    fn cube(&self, last_layer: u16) -> &Hypercube {
        let (base, last) = (usize::from(self.base), usize::from(last_layer));
        self.hypercube.get_or_init(|| Box::new(Hypercube::new(self.chains, base, last)))
    }

    /// Spec section 8.1, steps 2 to 6.
    fn top_layers(&self, o: &[u32; HASH_WORDS], sum: u16, last_layer: u16) -> Option<Codeword> {
        let cube = self.cube(last_layer);
        let layer = self.chains * (usize::from(self.base) - 1) - usize::from(sum);
        let offset = cube.offset_in(&cube.reduce(o), layer)?;
        let mut codeword = Codeword([0; MAX_CHAINS]);
        cube.unrank(layer, &offset, &mut codeword.0[..self.chains]);
        Some(codeword)
    }

    /// Spec section 8.2, steps 2 and 3.
    fn aborting(&self, o: &[u32; HASH_WORDS], wanted: u16) -> Option<Codeword> {
        let (codeword, sum) = self.digits(o)?;
        (sum == wanted).then_some(codeword)
    }

    /// Spec section 8.2, step 2: the coordinates and their sum.
    #[inline]
    fn digits(&self, o: &[u32; HASH_WORDS]) -> Option<(Codeword, u16)> {
        let mut codeword = Codeword([0; MAX_CHAINS]);
        let mut sum = 0;
        for (coordinates, &word) in codeword.0[..self.chains].chunks_mut(8).zip(o) {
            if word == P - 1 {
                return None;
            }
            let mut rest = word / 127;
            for coordinate in coordinates {
                *coordinate = (rest % 8) as u8;
                sum += u16::from(*coordinate);
                rest /= 8;
            }
        }
        Some((codeword, sum))
    }
}

/// For inspection: what signing and verifying have no need of.
#[cfg(any(test, feature = "hazmat"))]
impl Encoding {
    /// Which vertices are codewords.
    #[cfg(feature = "hazmat")]
    pub(crate) fn target(&self) -> Target {
        self.target
    }

    /// The vertex that `o` names, codeword or not, and for top layers how it was found: the reduced hash, the layer and
    /// the offset in it. For inspection; signing and verifying take the short way, [`decode`](Self::decode).
    pub(crate) fn locate(&self, o: &[u32; HASH_WORDS]) -> (Option<Codeword>, Option<(U192, usize, U192)>) {
        match self.target {
            Target::TopLayers { last_layer, .. } => {
                let cube = self.cube(last_layer);
                let reduced = cube.reduce(o);
                let (layer, offset) = cube.locate(&reduced);
                let mut vertex = Codeword([0; MAX_CHAINS]);
                cube.unrank(layer, &offset, &mut vertex.0[..self.chains]);
                (Some(vertex), Some((reduced, layer, offset)))
            }
            Target::Aborting { .. } => (self.digits(o).map(|(vertex, _)| vertex), None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hash whose first `chains` coordinates, in words of eight, sum to 200 without those of word `skipped`.
    fn words_of_sum_200(chains: usize, skipped: usize) -> [u32; HASH_WORDS] {
        let (mut words, mut left) = ([0; HASH_WORDS], 200);
        for chain in (0..chains).filter(|chain| chain / 8 != skipped) {
            let coordinate = left.min(7);
            left -= coordinate;
            words[chain / 8] += 127 * (coordinate << (3 * (chain % 8)));
        }
        assert_eq!(left, 0, "there is room for the sum");
        words
    }

    /// No vector can show this: one word in `2^31` aborts. The quotient of `p - 1` is `8^8`, of which eight digits are
    /// zero, so that without the abort each of these hashes would be a codeword.
    #[test]
    fn the_word_p_minus_1_aborts_where_it_is_read() {
        let encoding = Encoding::new(46, 8, Target::Aborting { sum: 200 });
        for word in 0..HASH_WORDS {
            let mut words = words_of_sum_200(46, word);
            assert!(encoding.decode(&words).is_some(), "word {word}: the sum is right");
            words[word] = P - 1;
            let aborts = word < 6;
            assert_eq!(encoding.decode(&words).is_none(), aborts, "word {word}");
            assert_eq!(encoding.locate(&words).0.is_none(), aborts, "word {word}");
        }
    }

    /// The same at the test set, whose one word is read by half.
    #[test]
    fn the_word_p_minus_1_aborts_with_four_chains() {
        let encoding = Encoding::new(4, 8, Target::Aborting { sum: 0 });
        let mut words = [0; HASH_WORDS];
        assert!(encoding.decode(&words).is_some());
        words[1] = P - 1;
        assert!(encoding.decode(&words).is_some(), "not read");
        words[0] = P - 1;
        assert!(encoding.decode(&words).is_none());
        // The largest word that does not abort has digits of seven only.
        words[0] = P - 2;
        let largest = Encoding::new(4, 8, Target::Aborting { sum: 28 }).decode(&words);
        assert_eq!(largest.expect("sums to 28").0[..5], [7, 7, 7, 7, 0]);
    }

    #[test]
    fn only_the_target_sum_is_a_codeword() {
        for (sum, is_codeword) in [(199, false), (200, true), (201, false)] {
            let encoding = Encoding::new(46, 8, Target::Aborting { sum });
            let words = words_of_sum_200(46, HASH_WORDS);
            assert_eq!(encoding.decode(&words).is_some(), is_codeword, "{sum}");
            assert!(encoding.locate(&words).0.is_some(), "a vertex all the same");
        }
        // Number 0 of the top layers is the top corner: it has one sum, and is no codeword of any other.
        for (sum, is_codeword) in [(447, false), (448, true)] {
            let encoding = Encoding::new(64, 8, Target::TopLayers { sum, last_layer: 77 });
            assert_eq!(encoding.decode(&[0; HASH_WORDS]).is_some(), is_codeword, "{sum}");
            assert!(encoding.locate(&[0; HASH_WORDS]).0.is_some_and(|vertex| vertex.0[..64] == [7; 64]));
        }
    }
}
