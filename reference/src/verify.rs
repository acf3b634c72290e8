//! Verification, with the strict rules of this project (spec section 12).

use crate::chain::chain_walk;
use crate::encoding::message_hash_encode;
use crate::field::is_canonical;
use crate::key::PublicKey;
use crate::params::{PARAMETER_LEN, Params};
use crate::sign::Signature;
use crate::tree::{leaf, node};

/// Whether the signature is valid. Any input gets an answer; none panics.
pub fn verify(
    params: &Params,
    public_key: &PublicKey,
    epoch: u64,
    message: &[u8; 32],
    signature: &Signature,
) -> bool {
    // Steps 1 and 2. An epoch below 2^L fits 32 bits because L <= 32.
    if epoch >= params.lifetime() || !is_well_formed(params, public_key, signature) {
        return false;
    }
    let Ok(epoch) = u32::try_from(epoch) else { return false };
    let Signature { path, rho, hashes } = signature;
    let parameter = &public_key.parameter;

    // Step 3.
    let Some(codeword) = message_hash_encode(params, parameter, epoch, rho, message) else { return false };

    // Step 4.
    let mut ends = Vec::new();
    for ((chain, &x), hash) in (0..params.chains).zip(&codeword).zip(hashes) {
        ends.push(chain_walk(params, parameter, epoch, chain, x, params.base - 1 - x, hash));
    }
    let mut current = leaf(params, parameter, epoch, &ends);

    // Step 5.
    let mut q = epoch;
    for (level, sibling) in (1..=params.log_lifetime).zip(path) {
        let (left, right) = if q % 2 == 0 { (&current, sibling) } else { (sibling, &current) };
        current = node(params, parameter, level, q >> 1, left, right);
        q >>= 1;
    }

    // Step 6.
    current == public_key.root
}

/// Steps 1 and 2 of section 12: exact lengths of everything, and every element canonical.
fn is_well_formed(params: &Params, public_key: &PublicKey, signature: &Signature) -> bool {
    let PublicKey { root, parameter } = public_key;
    let Signature { path, rho, hashes } = signature;
    let counts_fit =
        path.len() == usize::from(params.log_lifetime) && hashes.len() == usize::from(params.chains);
    let is_list = |list: &Vec<u32>, len| list.len() == len && list.iter().all(|&x| is_canonical(x));
    let is_digest = |digest: &Vec<u32>| is_list(digest, params.hash_len);
    counts_fit
        && is_digest(root)
        && is_list(parameter, PARAMETER_LEN)
        && path.iter().all(is_digest)
        && is_list(rho, params.rand_len)
        && hashes.iter().all(is_digest)
}
