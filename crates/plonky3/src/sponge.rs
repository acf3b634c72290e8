//! Rows and nodes under the traits that Plonky3's trees take.
#![forbid(unsafe_code)]

use crate::permutations::PoseidonPermutation;
use crate::words::{DIGEST, words, words_mut};
use alloc::vec::Vec;
use core::marker::PhantomData;
use p3_koala_bear::KoalaBear;
use p3_symmetric::{CryptographicHasher, PseudoCompressionFunction};

/// States side by side on the widest backend; Plonky3 hands over multiples of it.
const LANES: usize = 16;

type Digest = [KoalaBear; DIGEST];

/// `PaddingFreeSponge` of Plonky3 with eight words of capacity and of digest: `<_, 16, 8, 8>` or `<_, 24, 16, 8>`.
///
/// Messages of different lengths may share a digest, as Plonky3's may: for trees, whose rows have one length.
#[derive(Clone, Copy, Debug, Default)]
pub struct PackedSponge<P>(PhantomData<P>);

impl<P: PoseidonPermutation> CryptographicHasher<KoalaBear, Digest> for PackedSponge<P> {
    const LANES: usize = LANES;

    fn hash_iter<I: IntoIterator<Item = KoalaBear>>(&self, input: I) -> Digest {
        self.hash_slice(&input.into_iter().collect::<Vec<_>>())
    }

    fn hash_slice(&self, input: &[KoalaBear]) -> Digest {
        let mut digest = [Digest::default()];
        self.hash_many(input, &mut digest);
        digest[0]
    }

    fn hash_many(&self, input: &[KoalaBear], out: &mut [Digest]) {
        if out.is_empty() {
            return;
        }
        let len = message_len(input.len(), out.len());
        P::sponge(words(input), len, words_mut(out.as_flattened_mut()).as_chunks_mut().0);
    }
}

/// Elements of each of `count` messages of one length, which have so many in all.
pub(crate) fn message_len(elements: usize, count: usize) -> usize {
    assert!(elements.is_multiple_of(count), "{elements} elements are no {count} messages of one length");
    elements / count
}

/// `TruncatedPermutation<_, 2, 8, _>` of Plonky3.
#[derive(Clone, Copy, Debug, Default)]
pub struct PackedCompression<P>(PhantomData<P>);

impl<P: PoseidonPermutation> PseudoCompressionFunction<Digest, 2> for PackedCompression<P> {
    const LANES: usize = LANES;

    fn compress(&self, input: [Digest; 2]) -> Digest {
        let mut digest = [Digest::default()];
        self.compress_many(&[input], &mut digest);
        digest[0]
    }

    fn compress_many(&self, inputs: &[[Digest; 2]], out: &mut [Digest]) {
        assert_eq!(inputs.len(), out.len(), "a digest for each pair");
        let pairs = words(inputs.as_flattened().as_flattened()).as_chunks().0;
        P::compress(pairs, words_mut(out.as_flattened_mut()).as_chunks_mut().0);
    }
}
