//! Hash chains (spec section 7).

use crate::params::{Family, Params};
use crate::permutation::compress;
use crate::prf::prf_chain_start;
use crate::tweaks::chain_tweak;

/// One chain step: hashes `value` into position `pos` of chain number `chain`.
///
/// # Panics
///
/// Panics if the inputs together are longer than 16 words.
pub fn chain_step(
    params: &Params,
    parameter: &[u32],
    epoch: u32,
    chain: u8,
    pos: u8,
    value: &[u32],
) -> Vec<u32> {
    let tweak = chain_tweak(epoch, chain, pos);
    let input = match params.family {
        Family::Poseidon2 => [parameter, &tweak, value].concat(),
        Family::Poseidon1 => [value, parameter, &tweak].concat(),
    };
    compress(params.family, 16, &input, params.hash_len)
}

/// Walks `steps` steps from `value` at position `start_pos`; the tweaks name the positions being produced.
///
/// # Panics
///
/// Panics if the walk would leave the positions 0 to 255, or if the inputs are too long.
pub fn chain_walk(
    params: &Params,
    parameter: &[u32],
    epoch: u32,
    chain: u8,
    start_pos: u8,
    steps: u8,
    value: &[u32],
) -> Vec<u32> {
    let end_pos = start_pos.checked_add(steps).expect("a chain has at most 256 positions");
    let mut value = value.to_vec();
    // An explicit `a+1 ..= a+s` would overflow at a = 255, s = 0.
    for pos in (start_pos..=end_pos).skip(1) {
        value = chain_step(params, parameter, epoch, chain, pos, &value);
    }
    value
}

/// The `v` chain ends of `epoch`: every start from the PRF, walked `w - 1` steps.
///
/// # Panics
///
/// Panics if the parameter is too long.
pub fn chain_ends(params: &Params, prf_key: &[u8; 32], parameter: &[u32], epoch: u32) -> Vec<Vec<u32>> {
    (0..params.chains)
        .map(|chain| {
            let start = prf_chain_start(params, prf_key, epoch, u64::from(chain));
            chain_walk(params, parameter, epoch, chain, 0, params.base - 1, &start)
        })
        .collect()
}
