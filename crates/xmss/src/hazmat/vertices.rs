//! The hypercube whose vertices are codewords (spec section 8.1). Counts are integers of 64-bit limbs, least
//! significant first.

use super::values::family;
use crate::encoding::Target;
use crate::hypercube::{self, Hypercube, U192};
use crate::parameters::ParameterSet;
use alloc::vec::Vec;

/// The sum that the coordinates of every codeword of `set` have.
#[must_use]
pub fn target_sum(set: ParameterSet) -> u16 {
    family(set).encoding().target().sum()
}

/// Number of vertices that the message hash of `set` is reduced by; `None` for sets that abort instead (Poseidon1).
#[must_use]
pub fn domain_size(set: ParameterSet) -> Option<[u64; 4]> {
    match family(set).encoding().target() {
        Target::TopLayers { last_layer, .. } => {
            vertices_up_to(set.chains(), usize::from(set.base()), usize::from(last_layer))
        }
        Target::Aborting { .. } => None,
    }
}

/// Sizes of all layers of `[0, base - 1]^dimension`, layer 0 (the top corner) first.
///
/// # Panics
/// If a layer has `2^192` vertices or more.
#[must_use]
pub fn layer_sizes(dimension: usize, base: usize) -> Vec<[u64; 3]> {
    let layers = dimension * (base - 1) + 1;
    let sizes = hypercube::layer_sizes(dimension, base, layers);
    sizes[dimension * layers..].iter().map(|size| size.0).collect()
}

/// Number of vertices in layers `0..=last_layer`; `None` beyond the last layer.
///
/// # Panics
/// As [`layer_sizes`].
#[must_use]
pub fn vertices_up_to(dimension: usize, base: usize, last_layer: usize) -> Option<[u64; 4]> {
    let sizes = layer_sizes(dimension, base);
    Some(sizes.get(..=last_layer)?.iter().fold([0; 4], |total, size| add(&total, size)))
}

/// Vertex number `index` of `layer`, as encodings count them; `None` if there is none.
///
/// # Panics
/// If layers `0..=layer` have `2^192` vertices or more together.
#[must_use]
pub fn vertex(dimension: usize, base: usize, layer: usize, index: [u64; 3]) -> Option<Vec<u8>> {
    let index = U192(index);
    if index >= U192(*layer_sizes(dimension, base).get(layer)?) {
        return None;
    }
    let mut coordinates = alloc::vec![0; dimension];
    Hypercube::new(dimension, base, layer).unrank(layer, &index, &mut coordinates);
    Some(coordinates)
}

/// The sum, which fits 256 bits.
fn add(total: &[u64; 4], size: &[u64; 3]) -> [u64; 4] {
    let mut carry = false;
    core::array::from_fn(|i| {
        let (sum, first) = total[i].overflowing_add(size.get(i).copied().unwrap_or(0));
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first | second;
        sum
    })
}
