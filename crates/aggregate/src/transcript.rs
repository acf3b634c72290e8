//! What both sides have said so far, and what it makes of it (docs/aggregate.md, sections 1.3 and 3.5).
#![forbid(unsafe_code)]

use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_ligerito::parts::{self, Field};

/// The strings of a suite.
pub(crate) struct Names {
    /// What a proof begins with.
    pub(crate) magic: &'static [u8; 4],
    /// Absorbed first.
    pub(crate) suite: &'static str,
    /// Keeps the transcript's hash apart from every other use.
    pub(crate) transcript: &'static str,
    /// What the opening's context begins with.
    pub(crate) opening: &'static str,
}

/// What a proof is about, as bytes: all of it is absorbed before the first challenge.
pub(crate) struct Bound<'a> {
    pub(crate) circuit: &'a [u8; 32],
    pub(crate) context: &'a [u8],
    pub(crate) statement: &'a [u8],
    pub(crate) randomizers: &'a [u8],
    pub(crate) profile: u8,
    pub(crate) variables: u8,
    pub(crate) root: &'a [u8; 32],
}

/// The transcript.
pub(crate) struct Transcript {
    stream: parts::Transcript,
    names: &'static Names,
}

impl Transcript {
    pub(crate) fn begin(names: &'static Names, bound: &Bound<'_>) -> Self {
        let mut stream = parts::Transcript::new(names.transcript);
        stream.absorb("suite", &[names.suite.as_bytes()]);
        stream.absorb("circuit", &[bound.circuit]);
        stream.absorb("ctx", &[bound.context]);
        stream.absorb("statement", &[bound.statement]);
        stream.absorb("rho", &[bound.randomizers]);
        stream.absorb("commitment", &[&[bound.profile, bound.variables], bound.root]);
        Self { stream, names }
    }

    /// Absorbs elements.
    pub(crate) fn say<E: Field>(&mut self, label: &str, elements: &[E]) {
        let mut bytes = Vec::with_capacity(elements.len() * E::LEN_BYTES);
        elements.iter().for_each(|element| element.put(&mut bytes));
        self.stream.absorb(label, &[&bytes]);
    }

    /// An element that nobody could know before.
    pub(crate) fn challenge<E: Field>(&mut self, label: &str) -> E {
        let mut bytes = [0; 24];
        let bytes = &mut bytes[..E::LEN_BYTES];
        self.stream.squeeze(label, bytes);
        E::from_le_slice(bytes)
    }

    pub(crate) fn challenges<E: Field>(&mut self, label: &str, count: usize) -> Vec<E> {
        (0..count).map(|_| self.challenge(label)).collect()
    }

    /// What the opening is bound to.
    pub(crate) fn opening(mut self) -> Vec<u8> {
        let mut digest = [0; 32];
        self.stream.squeeze("opening", &mut digest);
        [self.names.opening.as_bytes(), &digest].concat()
    }
}

/// Conjugates of a point: the degree of GF(2^32), whose elements the committed polynomial has.
pub(crate) const CONJUGATES: usize = 32;

/// The points z, z^2, z^4, … of each of three.
pub(crate) fn conjugates<E: Field>(points: &[Vec<E>; 3]) -> Vec<Vec<E>> {
    let mut all = Vec::with_capacity(3 * CONJUGATES);
    for point in points {
        let mut point = point.clone();
        for _ in 0..CONJUGATES {
            all.push(point.clone());
            point.iter_mut().for_each(|x| *x = x.square());
        }
    }
    all
}

/// The values at the conjugates of a point that its slices make: number k is the sum of g^b s_b^(2^k).
pub(crate) fn values_of_slices<E: Field>(isa: Isa, slices: &[E]) -> Vec<E> {
    let basis: Vec<E> = (0..CONJUGATES).map(|bit| E::embed(1 << bit)).collect();
    let mut powers = slices.to_vec();
    let mut values = Vec::with_capacity(CONJUGATES);
    for _ in 0..CONJUGATES {
        values.push(E::inner(isa, &basis, &powers));
        powers.iter_mut().for_each(|x| *x = x.square());
    }
    values
}
