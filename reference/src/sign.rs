//! Signing (spec section 11).

use crate::chain::chain_walk;
use crate::encoding::search;
use crate::key::SecretKey;
use crate::prf::prf_chain_start;

/// A signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The siblings from the leaf to the root, `L` nodes, leaf side first.
    pub path: Vec<Vec<u32>>,
    /// The randomness that made the codeword acceptable.
    pub rho: Vec<u32>,
    /// One chain value per chain, at the position that the codeword names.
    pub hashes: Vec<Vec<u32>>,
}

/// Signs a message at an epoch. The result is a function of key, epoch and message.
///
/// None if the epoch is not active, not prepared, or no codeword is found in 100000 attempts. **Signing two messages
/// at one epoch breaks that epoch's one-time key**, and nothing here prevents it.
///
/// # Panics
///
/// Does not panic for a key that [`crate::keygen`] made.
pub fn sign(secret_key: &SecretKey, epoch: u64, message: &[u8; 32]) -> Option<Signature> {
    let SecretKey { params, prf_key, parameter, .. } = secret_key;
    if !secret_key.activation_interval().contains(&epoch) || !secret_key.prepared_interval().contains(&epoch)
    {
        return None;
    }
    let epoch = u32::try_from(epoch).expect("an active epoch is below 2^L <= 2^32");

    // Step 1.
    let found = search(params, prf_key, parameter, epoch, message)?;

    // Step 2.
    let hashes = (0..params.chains).zip(&found.codeword).map(|(chain, &steps)| {
        let start = prf_chain_start(params, prf_key, epoch, u64::from(chain));
        chain_walk(params, parameter, epoch, chain, 0, steps, &start)
    });

    Some(Signature { path: authentication_path(secret_key, epoch), rho: found.rho, hashes: hashes.collect() })
}

/// Step 3: siblings through the bottom tree of the epoch, then through the top tree.
fn authentication_path(secret_key: &SecretKey, epoch: u32) -> Vec<Vec<u32>> {
    let epoch = u64::from(epoch);
    let index = epoch / secret_key.params.leaves_per_bottom_tree();
    let bottom_tree =
        if index == secret_key.left_index { &secret_key.left_tree } else { &secret_key.right_tree };
    [bottom_tree.path(epoch), secret_key.top_tree.path(index)].concat()
}
