//! The prover's bits: every block of every verification (docs/aggregate.md, section 2).
#![forbid(unsafe_code)]

#[cfg(feature = "hazmat")]
use crate::circuit::forms;
use crate::circuit::{Blake2sCompression, Blocks, Circuit, LANES, Lanes, put_lanes};
use crate::signatures::{BLOCKS, Verifications};
use crate::wiring::{Rule, SLOT_LEN};
use crate::zerocheck::Form;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::memory::zeros;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Pool, map_on};
use phalanx_xmss::blake2s::Signature;

/// Words of a block of a signature.
const WORDS: usize = Blake2sCompression::WORDS;
/// Its slots that are inputs.
const INPUTS: usize = 8;
/// Words of a slot.
pub(crate) const SLOT_WORDS: usize = SLOT_LEN / 4;

/// z, A z and B z as words, block after block. `z` has as many words as are committed, of which `used` are not padding; the
/// others have as many as zerochecks want: all is zero behind the last block that is not padding.
pub(crate) struct Witness {
    pub(crate) z: Vec<u32>,
    pub(crate) used: usize,
    pub(crate) a: Form,
    pub(crate) b: Form,
}

impl Witness {
    /// All zeros.
    fn new(len: usize, used: usize) -> Self {
        Self { z: zeros(len), used, a: Form::new(used, len), b: Form::new(used, len) }
    }

    /// Where the words of so many at a time go that are not padding.
    fn places(&mut self, words: usize) -> impl ExactSizeIterator<Item = [&mut [u32]; 3]> {
        let [z, a, b] = [&mut self.z[..], self.a.words(), self.b.words()]
            .map(|place| place[..self.used].chunks_mut(words));
        z.zip(a).zip(b).map(|((z, a), b)| [z, a, b])
    }
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
        let isa = Isa::current();
        let used = WORDS * BLOCKS * signatures.len();
        let mut witness = Self::new(len, used);
        // A job has as many signatures as there are lanes.
        const JOB: usize = WORDS * BLOCKS * LANES;
        let jobs = witness.places(JOB).zip(signatures.chunks(LANES)).enumerate();
        map_on(pool, jobs, &|(job, (mut places, signatures)): (usize, ([&mut [u32]; 3], &[Signature]))| {
            let mut group = Group::new(verifications, LANES * job, signatures);
            let mut blocks = Blocks::new(WORDS);
            for block in 0..BLOCKS {
                group.put_inputs(block, places[0], &mut blocks.words[0]);
                blocks.compress(isa, &program);
                for (place, words) in places.iter_mut().zip(&blocks.words) {
                    put_lanes(isa, words, place, WORDS * block, WORDS * BLOCKS);
                }
            }
        });
        witness
    }

    /// Of compressions that begin with these input words, and have the circuit's constants; `len` words in all.
    pub(crate) fn of_inputs<C: Circuit, const INPUTS: usize>(
        pool: &dyn Pool,
        inputs: &[[u32; INPUTS]],
        len: usize,
    ) -> Self {
        let program = C::program();
        let isa = Isa::current();
        let (used, job) = (C::WORDS * inputs.len(), C::WORDS * LANES);
        let mut witness = Self::new(len, used);
        map_on(pool, witness.places(job).zip(inputs.chunks(LANES)), &|(places, inputs): (
            [&mut [u32]; 3],
            &[[u32; _]],
        )| {
            let mut blocks = Blocks::new(C::WORDS);
            for (lane, inputs) in inputs.iter().enumerate() {
                for (words, word) in blocks.words[0].iter_mut().zip(inputs) {
                    words.0[lane] = *word;
                }
            }
            let (first, constants) = C::CONSTANTS;
            for (words, constant) in blocks.words[0][first..].iter_mut().zip(constants) {
                *words = Lanes([*constant; LANES]);
            }
            blocks.compress(isa, &program);
            for (place, words) in places.into_iter().zip(&blocks.words) {
                put_lanes(isa, words, place, 0, C::WORDS);
            }
        });
        witness
    }

    /// Of any words; `used` of them are not padding.
    #[cfg(feature = "hazmat")]
    pub(crate) fn of_words<C: Circuit>(z: Vec<u32>, used: usize) -> Self {
        let program = C::program();
        let mut witness = Self { z: Vec::new(), ..Self::new(z.len(), used) };
        let forms_of_blocks = z[..used].chunks(C::WORDS).map(|z| forms(&program, z));
        let [a, b] = [witness.a.words(), witness.b.words()].map(|words| words.chunks_mut(C::WORDS));
        for ([of_a, of_b], (a, b)) in forms_of_blocks.zip(a.zip(b)) {
            a.copy_from_slice(&of_a);
            b.copy_from_slice(&of_b);
        }
        Self { z, ..witness }
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
            verifications.rules_of_signature(index, &mut |block, slot, rule| {
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

    /// Writes the input words of a block, whose predecessors are in `z`.
    fn put_inputs(&mut self, block: usize, z: &[u32], words: &mut [Lanes]) {
        let lanes = self.inputs.iter().zip(&mut self.free).zip(z.chunks(WORDS * BLOCKS)).enumerate();
        for (lane, ((inputs, free), z)) in lanes {
            for (input, words) in inputs[block].iter().zip(words.chunks_mut(SLOT_WORDS)) {
                let slot: [u32; SLOT_WORDS] = match input {
                    Input::Free => words_of(&free.pop().expect("as many free slots as values")),
                    Input::Public(bytes) => words_of(bytes),
                    Input::Word(at) => *z[*at..].first_chunk().expect("slots are inside of blocks"),
                };
                words.iter_mut().zip(slot).for_each(|(words, word)| words.0[lane] = word);
            }
        }
    }
}

fn words_of(bytes: &[u8; SLOT_LEN]) -> [u32; SLOT_WORDS] {
    core::array::from_fn(|i| u32::from_le_bytes(bytes.as_chunks().0[i]))
}
