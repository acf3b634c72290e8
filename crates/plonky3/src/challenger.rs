//! The challenger of Plonky3's FRI, whose search for a proof of work has lanes.
#![forbid(unsafe_code)]

use crate::permutations::PoseidonPermutation;
use crate::sponge::PackedCompression;
use p3_challenger::{
    CanObserve, CanSample, CanSampleBits, DuplexChallenger, FieldChallenger, GrindingChallenger,
};
use p3_field::{PrimeCharacteristicRing, PrimeField32};
use p3_koala_bear::KoalaBear;
use p3_maybe_rayon::prelude::{IntoParallelIterator, ParIterExt, ParallelIterator};
use p3_symmetric::{CryptographicPermutation, PseudoCompressionFunction};

const WIDTH: usize = 16;
const RATE: usize = 8;

/// Candidates that are tried in one call: some for each lane.
const GROUP: u32 = 64;

/// `DuplexChallenger<KoalaBear, P, 16, 8>` of Plonky3: the same samples, and the same proof of work, which is searched in lanes.
///
/// With Plonky3's feature `parallel` its threads search, and which of several witnesses they find is chance, as it is there.
#[derive(Clone, Debug)]
pub struct PackedChallenger<P: CryptographicPermutation<[KoalaBear; WIDTH]>> {
    duplex: DuplexChallenger<KoalaBear, P, WIDTH, RATE>,
}

impl<P: CryptographicPermutation<[KoalaBear; WIDTH]> + Default> Default for PackedChallenger<P> {
    fn default() -> Self {
        Self { duplex: DuplexChallenger::new(P::default()) }
    }
}

impl<P, T> CanObserve<T> for PackedChallenger<P>
where
    P: CryptographicPermutation<[KoalaBear; WIDTH]>,
    DuplexChallenger<KoalaBear, P, WIDTH, RATE>: CanObserve<T>,
{
    fn observe(&mut self, value: T) {
        self.duplex.observe(value);
    }
}

impl<P, T> CanSample<T> for PackedChallenger<P>
where
    P: CryptographicPermutation<[KoalaBear; WIDTH]>,
    DuplexChallenger<KoalaBear, P, WIDTH, RATE>: CanSample<T>,
{
    fn sample(&mut self) -> T {
        self.duplex.sample()
    }
}

impl<P: CryptographicPermutation<[KoalaBear; WIDTH]>> CanSampleBits<usize> for PackedChallenger<P> {
    fn sample_bits(&mut self, bits: usize) -> usize {
        self.duplex.sample_bits(bits)
    }
}

impl<P: CryptographicPermutation<[KoalaBear; WIDTH]>> FieldChallenger<KoalaBear> for PackedChallenger<P> {}

impl<P> GrindingChallenger for PackedChallenger<P>
where
    P: PoseidonPermutation + CryptographicPermutation<[KoalaBear; WIDTH]>,
{
    type Witness = KoalaBear;

    fn grind(&mut self, bits: usize) -> KoalaBear {
        assert!(bits < 31 && 1 << bits < KoalaBear::ORDER_U32, "{bits} bits are more than an element has");
        if bits == 0 {
            return KoalaBear::ZERO;
        }
        let state = self.before_witness();
        let witness = (0..KoalaBear::ORDER_U32.div_ceil(GROUP))
            .into_par_iter()
            .find_map_any(|group| try_group::<P>(&state, self.duplex.input_buffer.len(), group, bits))
            .expect("one candidate in 2^bits is a witness");
        assert!(self.check_witness(bits, witness), "the search and the check agree");
        witness
    }
}

impl<P: CryptographicPermutation<[KoalaBear; WIDTH]>> PackedChallenger<P> {
    /// The state that is permuted when one more element has been observed, but for this element.
    fn before_witness(&self) -> [KoalaBear; WIDTH] {
        let waiting = &self.duplex.input_buffer;
        let mut state = self.duplex.sponge_state;
        state[..RATE].fill(KoalaBear::ZERO);
        state[..waiting.len()].copy_from_slice(waiting);
        // The number of elements that are absorbed is added to the first of the capacity.
        state[RATE] += KoalaBear::from_usize(waiting.len() + 1);
        state
    }
}

/// The first witness among the candidates of a group, which stand at index `at` of the state.
fn try_group<P: PoseidonPermutation>(
    state: &[KoalaBear; WIDTH],
    at: usize,
    group: u32,
    bits: usize,
) -> Option<KoalaBear> {
    let first = group * GROUP;
    let candidates = (first..KoalaBear::ORDER_U32).take(GROUP as usize).map(KoalaBear::new);
    let (left, right) = state.split_at(RATE);
    let pair = [left, right].map(|half| half.try_into().expect("half of the state"));
    let mut pairs: [[[KoalaBear; RATE]; 2]; GROUP as usize] = [pair; GROUP as usize];
    for (pair, candidate) in pairs.iter_mut().zip(candidates.clone()) {
        pair[0][at] = candidate;
    }
    // Not as compression: these are the words that are sampled from, the last one first.
    let mut rates = [[KoalaBear::ZERO; RATE]; GROUP as usize];
    PackedCompression::<P>::default().compress_many(&pairs, &mut rates);
    let is_witness = |rate: &[KoalaBear; RATE]| rate[RATE - 1].as_canonical_u32() & ((1 << bits) - 1) == 0;
    candidates.zip(&rates).find(|(_, rate)| is_witness(rate)).map(|(candidate, _)| candidate)
}
