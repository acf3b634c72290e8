//! The engine of packed lanes: an [`Engine`] on whatever instruction set says how it is entered.

use super::super::engine::{Engine, Version};
use super::lanes::{FieldLanes, Vector};
use super::{poseidon1, poseidon2};
use crate::fields::koala_bear::KoalaBear;
use phalanx_core::lanes::WordLanes;

/// How code for an instruction set is entered, and how words are held outside of it.
pub(crate) trait Entry: Copy {
    /// The lanes, inside.
    type Lanes: FieldLanes;

    /// Reduced Montgomery words of all lanes, outside.
    type Word: Copy;

    /// Runs `kernel` in a function that is compiled for the instruction set, once for each kernel, and never inlined.
    fn enter<K: Kernel<Self>>(self, kernel: K);

    /// A word as a vector, inside.
    fn read(lanes: Self::Lanes, word: &Self::Word) -> Vector<Self::Lanes>;

    /// A vector of reduced words as a word, inside.
    fn write(lanes: Self::Lanes, x: Vector<Self::Lanes>, word: &mut Self::Word);

    /// Poseidon1 of width 16 on reduced words, inside.
    fn poseidon1_16(lanes: Self::Lanes, x: &mut [Vector<Self::Lanes>; 16]);

    /// See [`Engine::splat`].
    fn splat(self, x: KoalaBear) -> Self::Word;

    /// See [`Engine::load`].
    fn load(self, xs: &[KoalaBear]) -> Self::Word;

    /// See [`Engine::store`].
    fn store(self, word: &Self::Word, out: &mut [KoalaBear]);

    /// See [`Engine::add`].
    fn add(self, a: &Self::Word, b: &Self::Word) -> Self::Word;

    /// See [`Engine::select`].
    fn select(self, lanes: u32, a: &Self::Word, b: &Self::Word) -> Self::Word;

    /// See [`Engine::two_digits`].
    fn two_digits(self, n: &[u64]) -> [Self::Word; 2];

    /// See [`Engine::from_u128`].
    #[expect(clippy::wrong_self_convention, reason = "made from integers, by an engine")]
    fn from_u128(self, high: &[u64], low: &[u64]) -> Self::Word;
}

/// What [`Entry::enter`] runs.
pub(crate) trait Kernel<E: Entry> {
    /// The work; inlined into the function that enters.
    fn run(self, lanes: E::Lanes);
}

/// Permutations of a state: name, width, the permutation of vectors `$x` on `$lanes`.
macro_rules! kernels {
    ($($name:ident, $width:literal, |$lanes:ident, $x:ident| $permute:expr;)+) => {$(
        struct $name<'a, E: Entry>(&'a mut [E::Word; $width]);

        impl<E: Entry> Kernel<E> for $name<'_, E> {
            #[inline(always)]
            fn run(self, $lanes: E::Lanes) {
                let mut vectors = [$lanes.words().splat(0); $width];
                for i in 0..$width {
                    vectors[i] = E::read($lanes, &self.0[i]);
                }
                let $x = &mut vectors;
                $permute;
                for i in 0..$width {
                    E::write($lanes, vectors[i], &mut self.0[i]);
                }
            }
        }
    )+};
}

kernels! {
    Poseidon1Width16, 16, |lanes, x| E::poseidon1_16(lanes, x);
    Poseidon1Width24, 24, |lanes, x| poseidon1::permute::<_, 24, 6, false>(lanes, x, poseidon1::tables_24());
    Poseidon2Width16, 16, |lanes, x| poseidon2::permute(lanes, poseidon2::Width16, x, &poseidon2::TABLES_16);
    Poseidon2Width24, 24, |lanes, x| poseidon2::permute(lanes, poseidon2::Width24, x, &poseidon2::TABLES_24);
}

/// The engine, with the one for one instance alone.
#[derive(Clone, Copy)]
pub(crate) struct Packed<E, S>(pub(super) E, pub(super) S);

impl<E: Entry, S: Engine> Engine for Packed<E, S> {
    const LANES: usize = <E::Lanes as FieldLanes>::Words::LANES;
    type Word = E::Word;
    type Single = S;

    #[inline(always)]
    fn single(self) -> S {
        self.1
    }

    #[inline(always)]
    fn splat(self, x: KoalaBear) -> E::Word {
        self.0.splat(x)
    }

    #[inline(always)]
    fn load(self, xs: &[KoalaBear]) -> E::Word {
        self.0.load(xs)
    }

    #[inline(always)]
    fn store(self, word: &E::Word, out: &mut [KoalaBear]) {
        self.0.store(word, out);
    }

    #[inline(always)]
    fn add(self, a: &E::Word, b: &E::Word) -> E::Word {
        self.0.add(a, b)
    }

    #[inline(always)]
    fn select(self, lanes: u32, a: &E::Word, b: &E::Word) -> E::Word {
        self.0.select(lanes, a, b)
    }

    fn permute16(self, version: Version, state: &mut [E::Word; 16]) {
        match version {
            Version::One => self.0.enter(Poseidon1Width16(state)),
            Version::Two => self.0.enter(Poseidon2Width16(state)),
        }
    }

    fn permute24(self, version: Version, state: &mut [E::Word; 24]) {
        match version {
            Version::One => self.0.enter(Poseidon1Width24(state)),
            Version::Two => self.0.enter(Poseidon2Width24(state)),
        }
    }

    #[inline(always)]
    fn two_digits(self, n: &[u64]) -> [E::Word; 2] {
        self.0.two_digits(n)
    }

    #[inline(always)]
    fn from_u128(self, high: &[u64], low: &[u64]) -> E::Word {
        self.0.from_u128(high, low)
    }
}
