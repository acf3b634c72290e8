//! Sharp tools: every stage of the scheme on its own, for self tests, benchmarks and differential fuzzing.
//!
//! **Nothing here protects a key.** [`sign_unrecorded`] and [`sign_reserved`] sign an epoch as often as they are asked,
//! [`expose_prf_key`] hands out the secret, [`partial_key`] makes keys whose other epochs do not verify. Applications use the methods of
//! [`SigningKey`](crate::SigningKey) and [`VerifyingKey`](crate::VerifyingKey).
//!
//! Conventions: field elements are canonical residues; inputs are taken modulo `p = 2130706433`. Functions compute on
//! the backend of [`Backend::current`](crate::Backend::current), so a forced backend is the one that is tested, and
//! functions that take a slice fill its lanes. Answers never depend on the backend. What is asked for outside a
//! function's documented bounds may panic.
//!
//! ```
//! use phalanx_xmss::{ParameterSet, hazmat};
//!
//! let mut states = [core::array::from_fn(|i| i as u32); 3];
//! hazmat::permute_16(hazmat::Permutation::Poseidon2, &mut states, 1);
//! assert_eq!(states[0], states[2]);
//!
//! let capacity = hazmat::sponge_capacity(ParameterSet::POSEIDON2_L8_D64B8);
//! assert_eq!(capacity[0], 287609684);
//! ```

pub mod any;
pub mod blake2s;
mod kernels;
mod keys;
mod random;
mod stages;
#[cfg(test)]
mod tests;
mod trees;
mod values;
mod vertices;

pub use kernels::{
    Permutation, compress_16, compress_24, keccak_f1600, permute_16, permute_24, poseidon1_constants,
    poseidon2_constants,
};
pub use keys::{
    bottom_tree_roots, check_can_sign, codeword_of, expose_prf_key, key_generation_from_expanded,
    parameter_of, partial_key, passed_tree, randomness_of, root_of, sign_passed, sign_reserved,
    sign_unrecorded, top_tree_layers,
};
pub use random::{activation_rounding, draw_key_material, random_elements, random_words, seed_from_u64};
pub use stages::{
    ChainWalk, FoundEncoding, MessageHash, MessageInput, OneTimeKey, TopLayers, canonical, chain_starts,
    chain_tweak, epoch_tweak, find_encoding, message_encoding, message_hashes, montgomery, one_time_key,
    prf_chain_start, prf_randomness, randomness_candidates, reveal, tree_tweak, tweak_digits, walk_chains,
};
pub use trees::{
    TreeLayer, bottom_subtree_root, leaf_sponges, leaves, sparse_subtree, sponge_capacity, tree_nodes,
};
pub use vertices::{domain_size, layer_sizes, target_sum, vertex, vertices_up_to};
