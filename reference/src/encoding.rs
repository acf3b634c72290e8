//! From a message to a codeword: the message hash and the search for one that is accepted (spec section 8).

use num_bigint::BigUint;

use crate::field::P;
use crate::hypercube::Hypercube;
use crate::params::{Family, MAX_TRIES, Params};
use crate::permutation::compress;
use crate::prf::prf_randomness;
use crate::tweaks::{epoch_encoding, message_encoding};

/// `z`: the number of base-8 digits that one word of the aborting hash yields.
const DIGITS_PER_WORD: usize = 8;
/// `Q`: the divisor before the digits are read; `p - 1 = Q * 8^z`.
const QUOTIENT: u32 = 127;

/// The message hash with everything met on the way, for comparing step by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageHash {
    /// Output of the compression: 15 words (Poseidon2 family) or 8 (Poseidon1 family).
    pub words: Vec<u32>,
    /// How the words became a vertex; only the Poseidon2 family has this.
    pub top_layers: Option<TopLayers>,
    /// The coordinates; none if the attempt aborted on a word `p - 1` (Poseidon1 family only).
    pub chunks: Option<Vec<u8>>,
    /// Whether the coordinates sum to `T`.
    pub accepted: bool,
}

/// The way from 15 words to a vertex of the top layers (spec section 8.1, steps 2 to 4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopLayers {
    /// The words as one integer, most significant word first (step 2).
    pub integer: BigUint,
    /// That integer modulo the number of vertices in the top layers (step 3).
    pub reduced: BigUint,
    /// The layer the reduced number falls into (step 4).
    pub layer: usize,
    /// Its index within that layer (step 4).
    pub offset: BigUint,
}

/// A successful search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The number of failed attempts before this one.
    pub counter: u64,
    /// The randomness of the accepted attempt.
    pub rho: Vec<u32>,
    /// The accepted codeword: `v` coordinates in `[0, w-1]` that sum to `T`.
    pub codeword: Vec<u8>,
}

/// The codeword of this message and randomness, or none if the attempt is not accepted.
///
/// # Panics
///
/// Panics if `parameter` and `rho` together are too long for a compression of width 24.
pub fn message_hash_encode(
    params: &Params,
    parameter: &[u32],
    epoch: u32,
    rho: &[u32],
    message: &[u8; 32],
) -> Option<Vec<u8>> {
    let hash = message_hash(params, parameter, epoch, rho, message);
    if hash.accepted { hash.chunks } else { None }
}

/// The message hash with its intermediate values.
///
/// # Panics
///
/// Panics if `parameter` and `rho` together are too long for a compression of width 24.
pub fn message_hash(
    params: &Params,
    parameter: &[u32],
    epoch: u32,
    rho: &[u32],
    message: &[u8; 32],
) -> MessageHash {
    let (epoch, message) = (epoch_encoding(epoch), message_encoding(message));
    let (words, top_layers, chunks) = match params.family {
        Family::Poseidon2 => {
            // Section 8.1 step 1; the last word is the invocation index, which is always 0.
            let input = [rho, parameter, &epoch, &message, &[0]].concat();
            let words = compress(params.family, 24, &input, 15);
            let (top_layers, chunks) = top_layer_vertex(params, &words);
            (words, Some(top_layers), Some(chunks))
        }
        Family::Poseidon1 => {
            // Section 8.2 step 1.
            let input = [&message, parameter, &epoch, rho].concat();
            let words = compress(params.family, 24, &input, 8);
            let chunks = aborting_digits(params, &words);
            (words, None, chunks)
        }
    };
    let accepted = chunks.as_ref().is_some_and(|chunks| sum(chunks) == u64::from(params.target_sum));
    MessageHash { words, top_layers, chunks, accepted }
}

/// Maps the words to a vertex of the top layers of the hypercube (spec section 8.1, steps 2 to 5).
///
/// # Panics
///
/// Panics for parameters without a last layer.
pub fn top_layer_vertex(params: &Params, words: &[u32]) -> (TopLayers, Vec<u8>) {
    let last_layer = params.last_layer.expect("the Poseidon2 family names its last layer");
    let cube = Hypercube::shared(params.chains, params.base);
    let integer = words.iter().fold(BigUint::ZERO, |integer, &word| integer * P + word);
    let reduced = &integer % cube.part_size(last_layer);
    let (layer, offset) = cube.find_layer(&reduced);
    let vertex = cube.vertex(layer, &offset);
    (TopLayers { integer, reduced, layer, offset }, vertex)
}

/// Reads base-8 digits from the words, or aborts on a word `p - 1` (spec section 8.2, step 2).
///
/// Only the first `ceil(v/8)` words matter; later ones are not even checked.
///
/// # Panics
///
/// Panics if there are fewer words than that.
pub fn aborting_digits(params: &Params, words: &[u32]) -> Option<Vec<u8>> {
    let chains = usize::from(params.chains);
    let mut chunks = Vec::new();
    for &word in &words[..chains.div_ceil(DIGITS_PER_WORD)] {
        if word == P - 1 {
            return None;
        }
        let mut rest = word / QUOTIENT;
        for _ in 0..DIGITS_PER_WORD {
            chunks.push(u8::try_from(rest % 8).expect("a base-8 digit"));
            rest /= 8;
        }
    }
    chunks.truncate(chains);
    Some(chunks)
}

/// The first accepted attempt in order of the counter, or none within [`MAX_TRIES`] (spec section 8.3).
///
/// # Panics
///
/// Panics if `parameter` is too long for a compression of width 24.
pub fn search(
    params: &Params,
    prf_key: &[u8; 32],
    parameter: &[u32],
    epoch: u32,
    message: &[u8; 32],
) -> Option<Search> {
    (0..MAX_TRIES).find_map(|counter| {
        let rho = prf_randomness(params, prf_key, epoch, message, counter);
        let codeword = message_hash_encode(params, parameter, epoch, &rho, message)?;
        Some(Search { counter, rho, codeword })
    })
}

/// The sum of the coordinates.
pub fn sum(codeword: &[u8]) -> u64 {
    codeword.iter().map(|&x| u64::from(x)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::by_name;

    /// No stored vector aborts (one word in 2^31 would), so the rule is pinned here on the words themselves.
    #[test]
    fn the_word_p_minus_1_aborts_where_it_is_read() {
        let params = by_name("p1-abort-l32-d46b8").expect("a known parameter set");
        for i in 0..8 {
            let mut words = [0; 8];
            words[i] = P - 1;
            assert_eq!(aborting_digits(params, &words).is_none(), i < 6, "word {i}");
        }
    }

    #[test]
    fn digits_are_read_least_significant_first() {
        let params = by_name("p1-abort-l32-d46b8").expect("a known parameter set");
        // 127 * 8 + 126 has quotient 8, which is 0 1 0 0 ...; p - 2 has the largest quotient, all sevens.
        let words = [127 * 8 + 126, P - 2, 127, 126, 0, P - 2, 5, 5];
        let chunks = aborting_digits(params, &words).expect("no word is p - 1");
        assert_eq!(chunks.len(), 46);
        assert_eq!(chunks[..8], [0, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(chunks[8..16], [7; 8]);
        assert_eq!(chunks[16..32], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(chunks[40..], [7; 6]);
    }
}
