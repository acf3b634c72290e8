//! From message hash to codeword: which outputs of the message hash are codewords, and which.

use super::hypercube::{Hypercube, U192};
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

    /// Which vertices are codewords.
    pub(crate) fn target(&self) -> Target {
        self.target
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
    #[allow(clippy::cast_possible_truncation, reason = "a base-8 digit fits a byte")]
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
