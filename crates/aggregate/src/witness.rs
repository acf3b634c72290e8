//! The prover's bits: every block of every verification (docs/aggregate.md, section 2).
#![forbid(unsafe_code)]

use crate::circuit::{Blake2sCompression, Circuit, LANES, Lanes, Op, compress, forms};
use crate::signatures::{BLOCKS, Verifications};
use crate::wiring::{Rule, SLOT_LEN};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::threads::{Pool, map_on};
use phalanx_xmss::blake2s::Signature;

/// Words of a block.
pub(crate) const WORDS: usize = 1 << (Blake2sCompression::LOG2_BITS - 5);
/// Slots that are inputs.
const INPUTS: usize = 8;
/// Words of a slot.
const SLOT_WORDS: usize = SLOT_LEN / 4;

/// z, A z and B z as words, block after block. `z` has as many words as are committed; the others end with the last block
/// that is not padding: all is zero behind it.
pub(crate) struct Witness {
    pub(crate) z: Vec<u32>,
    pub(crate) a: Vec<u32>,
    pub(crate) b: Vec<u32>,
}

impl Witness {
    /// Of signatures, one for every verification, whether they verify or not; `len` words in all.
    pub(crate) fn of_signatures(
        pool: &dyn Pool,
        verifications: &Verifications<'_>,
        signatures: &[Signature],
        len: usize,
    ) -> Self {
        let program = Blake2sCompression::program();
        let used = WORDS * BLOCKS * signatures.len();
        let mut z = vec![0; len];
        let (mut a, mut b) = (vec![0; used], vec![0; used]);
        // A job has as many signatures as there are lanes.
        const JOB: usize = WORDS * BLOCKS * LANES;
        let places = z[..used].chunks_mut(JOB).zip(a.chunks_mut(JOB)).zip(b.chunks_mut(JOB));
        let jobs = places.zip(signatures.chunks(LANES)).enumerate();
        let jobs: Vec<_> = jobs.map(|(job, (((z, a), b), signatures))| (job, z, a, b, signatures)).collect();
        map_on(pool, jobs.into_iter(), &|(job, z, a, b, signatures): (
            usize,
            &mut [u32],
            _,
            _,
            &[Signature],
        )| {
            let mut group = Group::new(verifications, LANES * job, signatures);
            for block in 0..BLOCKS {
                let words = group.block(block, z);
                fill(&program, words, block, [&mut *z, a, b]);
            }
        });
        Self { z, a, b }
    }

    /// Of any words; `used` of them are not padding.
    #[cfg(feature = "hazmat")]
    pub(crate) fn of_words(z: Vec<u32>, used: usize) -> Self {
        let program = Blake2sCompression::program();
        let (mut a, mut b) = (vec![0; used], vec![0; used]);
        let blocks = z[..used].chunks(WORDS).zip(a.chunks_mut(WORDS).zip(b.chunks_mut(WORDS)));
        for (z, (a, b)) in blocks {
            let lanes: Vec<Lanes> = z.iter().map(|word| [*word; LANES]).collect();
            let (mut a_lanes, mut b_lanes) = (vec![[0; LANES]; WORDS], vec![[0; LANES]; WORDS]);
            forms(&program, &lanes, &mut a_lanes, &mut b_lanes);
            a.iter_mut().zip(a_lanes).for_each(|(word, lanes)| *word = lanes[0]);
            b.iter_mut().zip(b_lanes).for_each(|(word, lanes)| *word = lanes[0]);
        }
        Self { z, a, b }
    }
}

/// Completes a block of every lane, and writes it and its forms to their places: lane l has the blocks of signature l.
fn fill(program: &[Op], mut words: Vec<Lanes>, block: usize, places: [&mut [u32]; 3]) {
    let (mut a, mut b) = (vec![[0; LANES]; WORDS], vec![[0; LANES]; WORDS]);
    compress(program, &mut words);
    forms(program, &words, &mut a, &mut b);
    for (place, words) in places.into_iter().zip([words, a, b]) {
        for (lane, of_signature) in place.chunks_mut(WORDS * BLOCKS).enumerate() {
            for (to, words) in of_signature[WORDS * block..][..WORDS].iter_mut().zip(&words) {
                *to = words[lane];
            }
        }
    }
}

/// What is in an input slot of a block.
#[derive(Clone, Copy)]
enum Input {
    Free,
    Public([u8; SLOT_LEN]),
    /// The word where it begins, among those of the signature.
    Word(usize),
}

/// A signature for every lane, at most.
struct Group {
    /// For every lane the input slots of every block.
    inputs: Vec<Vec<[Input; INPUTS]>>,
    /// For every lane what is left for free slots, the next one last.
    free: Vec<Vec<[u8; SLOT_LEN]>>,
}

impl Group {
    fn new(verifications: &Verifications<'_>, first: usize, signatures: &[Signature]) -> Self {
        let (mut inputs, mut free) = (Vec::new(), Vec::new());
        for (index, signature) in (first..).zip(signatures) {
            let mut of_lane = vec![[Input::Free; INPUTS]; BLOCKS];
            verifications.rules_of(index, &mut |block, slot, rule| {
                if let Some(input) = of_lane[block - BLOCKS * index].get_mut(slot) {
                    *input = match rule {
                        Rule::Public(bytes) => Input::Public(bytes),
                        Rule::Link { slot, block } => {
                            Input::Word(WORDS * (block - BLOCKS * index) + SLOT_WORDS * slot)
                        }
                    };
                }
            });
            inputs.push(of_lane);
            let mut values = verifications.free(index, signature);
            values.reverse();
            free.push(values);
        }
        Self { inputs, free }
    }

    /// The input words of a block, whose predecessors are in `z`.
    fn block(&mut self, block: usize, z: &[u32]) -> Vec<Lanes> {
        let mut words = vec![[0; LANES]; WORDS];
        let lanes = self.inputs.iter().zip(&mut self.free).zip(z.chunks(WORDS * BLOCKS)).enumerate();
        for (lane, ((inputs, free), z)) in lanes {
            for (input, words) in inputs[block].iter().zip(words.chunks_mut(SLOT_WORDS)) {
                let slot: [u32; SLOT_WORDS] = match input {
                    Input::Free => words_of(&free.pop().expect("as many free slots as values")),
                    Input::Public(bytes) => words_of(bytes),
                    Input::Word(at) => *z[*at..].first_chunk().expect("slots are inside of blocks"),
                };
                words.iter_mut().zip(slot).for_each(|(words, word)| words[lane] = word);
            }
        }
        words
    }
}

fn words_of(bytes: &[u8; SLOT_LEN]) -> [u32; SLOT_WORDS] {
    core::array::from_fn(|i| u32::from_le_bytes(bytes.as_chunks().0[i]))
}
