//! The Poseidon permutations for other packages of this workspace: lists of hashes, side by side in the lanes of the best
//! engine. Hidden from the documentation: it promises nothing.
//!
//! Elements are Montgomery words with radix 2^32, each below p; so are results.

use crate::fields::koala_bear::KoalaBear;
use crate::hashes::poseidon::{Engine, MAX_LANES, Version, constants as c, with_engine};
use phalanx_core::simd::Isa;

/// Which of the two permutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permutation {
    /// Poseidon, textbook form.
    Poseidon1,
    /// Poseidon2.
    Poseidon2,
}

impl From<Permutation> for Version {
    fn from(permutation: Permutation) -> Self {
        match permutation {
            Permutation::Poseidon1 => Self::One,
            Permutation::Poseidon2 => Self::Two,
        }
    }
}

/// Words of a digest.
const DIGEST: usize = 8;

/// The built-in numbers of Poseidon2 at `width` 16 or 24, flattened: constants of the initial external, the internal
/// and the terminal external rounds, and the diagonal of the internal layer.
#[must_use]
pub fn poseidon2_constants(width: usize) -> Option<[&'static [u32]; 4]> {
    match width {
        16 => Some([
            c::P2_INITIAL_16.as_flattened(),
            &c::P2_INTERNAL_16,
            c::P2_TERMINAL_16.as_flattened(),
            &c::P2_DIAGONAL_16,
        ]),
        24 => Some([
            c::P2_INITIAL_24.as_flattened(),
            &c::P2_INTERNAL_24,
            c::P2_TERMINAL_24.as_flattened(),
            &c::P2_DIAGONAL_24,
        ]),
        _ => None,
    }
}

/// The permutation of width `W` on an engine.
trait Width<const W: usize> {
    fn permute<E: Engine>(engine: E, version: Version, state: &mut [E::Word; W]);
}

struct Of;

impl Width<16> for Of {
    fn permute<E: Engine>(engine: E, version: Version, state: &mut [E::Word; 16]) {
        engine.permute16(version, state);
    }
}

impl Width<24> for Of {
    fn permute<E: Engine>(engine: E, version: Version, state: &mut [E::Word; 24]) {
        engine.permute24(version, state);
    }
}

/// Applies the permutation of width 16 to a state.
pub fn permute_16(permutation: Permutation, state: &mut [u32; 16]) {
    with_engine!(Isa::current(), engine => permute(engine.single(), permutation.into(), state));
}

/// Applies the permutation of width 24 to a state.
pub fn permute_24(permutation: Permutation, state: &mut [u32; 24]) {
    with_engine!(Isa::current(), engine => permute(engine.single(), permutation.into(), state));
}

/// The sponge of width 16 and rate 8 over each of `digests.len()` messages of `len` words, which stand one after the other:
/// each block overwrites the first words of the state, the last may be shorter, and nothing is padded. A message without
/// words gives zeros.
///
/// # Panics
/// If `messages` has another length.
pub fn sponge_16(permutation: Permutation, messages: &[u32], len: usize, digests: &mut [[u32; DIGEST]]) {
    with_engine!(Isa::current(), engine => sponge::<_, 16>(engine, permutation.into(), messages, len, digests));
}

/// [`sponge_16`] with width 24 and rate 16.
///
/// # Panics
/// If `messages` has another length.
pub fn sponge_24(permutation: Permutation, messages: &[u32], len: usize, digests: &mut [[u32; DIGEST]]) {
    with_engine!(Isa::current(), engine => sponge::<_, 24>(engine, permutation.into(), messages, len, digests));
}

/// The first eight words that the permutation of width 16 makes of each pair.
///
/// # Panics
/// If there are not as many digests as pairs.
pub fn compress_16(permutation: Permutation, pairs: &[[u32; 16]], digests: &mut [[u32; DIGEST]]) {
    with_engine!(Isa::current(), engine => compress::<_, 16>(engine, permutation.into(), pairs, digests));
}

/// [`compress_16`] with width 24: zeros follow the pair.
///
/// # Panics
/// If there are not as many digests as pairs.
pub fn compress_24(permutation: Permutation, pairs: &[[u32; 16]], digests: &mut [[u32; DIGEST]]) {
    with_engine!(Isa::current(), engine => compress::<_, 24>(engine, permutation.into(), pairs, digests));
}

fn permute<E: Engine, const W: usize>(engine: E, version: Version, state: &mut [u32; W])
where
    Of: Width<W>,
{
    let mut words = core::array::from_fn(|i| load(engine, |_| state[i], 1));
    Of::permute(engine, version, &mut words);
    let mut column = [KoalaBear::ZERO; MAX_LANES];
    for (x, word) in state.iter_mut().zip(&words) {
        engine.store(word, &mut column[..E::LANES]);
        *x = column[0].montgomery();
    }
}

fn sponge<E: Engine, const W: usize>(
    engine: E,
    version: Version,
    messages: &[u32],
    len: usize,
    digests: &mut [[u32; DIGEST]],
) where
    Of: Width<W>,
{
    assert_eq!(messages.len(), len * digests.len(), "as many messages of this length as digests");
    if let [digest] = digests
        && E::LANES > 1
    {
        return sponge::<_, W>(engine.single(), version, messages, len, core::slice::from_mut(digest));
    }
    for (group, digests) in digests.chunks_mut(E::LANES).enumerate() {
        let messages = &messages[group * E::LANES * len..];
        let mut state = [engine.splat(KoalaBear::ZERO); W];
        for first in (0..len).step_by(W - DIGEST) {
            let block = first..len.min(first + W - DIGEST);
            for (i, word) in block.zip(&mut state) {
                *word = load(engine, |lane| messages[lane * len + i], digests.len());
            }
            Of::permute(engine, version, &mut state);
        }
        store(engine, &state, digests);
    }
}

fn compress<E: Engine, const W: usize>(
    engine: E,
    version: Version,
    pairs: &[[u32; 16]],
    digests: &mut [[u32; DIGEST]],
) where
    Of: Width<W>,
{
    assert_eq!(pairs.len(), digests.len(), "a digest for each pair");
    if let [digest] = digests
        && E::LANES > 1
    {
        return compress::<_, W>(engine.single(), version, pairs, core::slice::from_mut(digest));
    }
    for (pairs, digests) in pairs.chunks(E::LANES).zip(digests.chunks_mut(E::LANES)) {
        let mut state = [engine.splat(KoalaBear::ZERO); W];
        for (i, word) in state.iter_mut().take(16).enumerate() {
            *word = load(engine, |lane| pairs[lane][i], pairs.len());
        }
        Of::permute(engine, version, &mut state);
        store(engine, &state, digests);
    }
}

/// A word of each of the first `lanes` lanes; the others hold zero.
#[inline]
fn load<E: Engine>(engine: E, word: impl Fn(usize) -> u32, lanes: usize) -> E::Word {
    let mut column = [KoalaBear::ZERO; MAX_LANES];
    for (lane, x) in column.iter_mut().enumerate().take(lanes) {
        *x = KoalaBear::from_reduced_montgomery(word(lane));
    }
    engine.load(&column[..E::LANES])
}

/// The first words of the state in each of the first lanes.
#[inline]
fn store<E: Engine>(engine: E, state: &[E::Word], digests: &mut [[u32; DIGEST]]) {
    let mut column = [KoalaBear::ZERO; MAX_LANES];
    for (i, word) in state.iter().enumerate().take(DIGEST) {
        engine.store(word, &mut column[..E::LANES]);
        for (digest, x) in digests.iter_mut().zip(column) {
            digest[i] = x.montgomery();
        }
    }
}
