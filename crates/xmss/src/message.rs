//! The message hash (spec section 8): from message, epoch and randomness to the words that the encoding reads.
#![forbid(unsafe_code)]

use super::encoding::HASH_WORDS;
use super::lanes::Lanes;
use crate::fields::koala_bear::KoalaBear;
use crate::hashes::poseidon::{Engine, MAX_LANES, Version};

/// The inputs of a message hash in every lane, but for the randomness.
pub(crate) struct Statement<E: Engine> {
    /// The key's parameter.
    pub(crate) parameter: [E::Word; 5],
    /// Two digits of the epoch's tweak.
    pub(crate) epoch: [E::Word; 2],
    /// Nine digits of the message.
    pub(crate) message: [E::Word; 9],
}

/// Hashes in every lane and returns canonical residues, lane by lane.
///
/// Both orders fill at most 24 words; the invocation index that Poseidon2 sets append is always zero, like the padding.
pub(crate) fn hash<E: Engine>(
    lanes: &Lanes<E>,
    statement: &Statement<E>,
    randomness: &[E::Word],
) -> [[u32; HASH_WORDS]; MAX_LANES] {
    let Statement { parameter, epoch, message } = statement;
    let parts: [&[E::Word]; 4] = match lanes.version {
        Version::Two => [randomness, parameter, epoch, message],
        Version::One => [message, parameter, epoch, randomness],
    };
    let mut input = [lanes.zero; 24];
    let mut at = 0;
    for part in parts {
        input[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
    let mut state = input;
    lanes.engine.permute24(lanes.version, &mut state);
    let mut outputs = [[0; HASH_WORDS]; MAX_LANES];
    let mut words = [KoalaBear::ZERO; MAX_LANES];
    for i in 0..HASH_WORDS {
        let sum = lanes.engine.add(&state[i], &input[i]);
        lanes.engine.store(&sum, &mut words[..E::LANES]);
        for (output, word) in outputs.iter_mut().zip(words) {
            output[i] = word.canonical();
        }
    }
    outputs
}
