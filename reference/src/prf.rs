//! The pseudorandom function behind chain starts and signing randomness: SHAKE128 (spec section 4).

use shake::Shake128;
use shake::digest::{ExtendableOutput, Update, XofReader};

use crate::field::P;
use crate::params::Params;

/// The fixed prefix of every input.
const PREFIX: [u8; 16] =
    [0xae, 0xae, 0x22, 0xff, 0x00, 0x01, 0xfa, 0xff, 0x21, 0xaf, 0x12, 0x00, 0x01, 0x11, 0xff, 0x00];
/// Marks a chain start.
const CHAIN_START: u8 = 0;
/// Marks signing randomness.
const RANDOMNESS: u8 = 1;

/// The start (position 0) of chain number `chain` at `epoch`: `n` elements.
pub fn prf_chain_start(params: &Params, key: &[u8; 32], epoch: u32, chain: u64) -> Vec<u32> {
    let input = [&PREFIX[..], &[CHAIN_START], key, &epoch.to_be_bytes(), &chain.to_be_bytes()].concat();
    shake_elements(&input, params.hash_len)
}

/// The randomness of signing attempt number `counter`: `RAND_LEN` elements.
pub fn prf_randomness(
    params: &Params,
    key: &[u8; 32],
    epoch: u32,
    message: &[u8; 32],
    counter: u64,
) -> Vec<u32> {
    let input =
        [&PREFIX[..], &[RANDOMNESS], key, &epoch.to_be_bytes(), message, &counter.to_be_bytes()].concat();
    shake_elements(&input, params.rand_len)
}

/// Reads `count` 128-bit big-endian integers from SHAKE128 and reduces each modulo `p`.
fn shake_elements(input: &[u8], count: usize) -> Vec<u32> {
    let mut hasher = Shake128::default();
    hasher.update(input);
    let mut reader = hasher.finalize_xof();
    (0..count)
        .map(|_| {
            let mut bytes = [0; 16];
            reader.read(&mut bytes);
            u32::try_from(u128::from_be_bytes(bytes) % u128::from(P)).expect("a residue is below p < 2^32")
        })
        .collect()
}
