//! The plaintext of an imported expanded key: what leanSig's secret keys hold that cannot be computed again.
//!
//! Source: specification, section 2.9: `K (32) || P (20) || padding nodes of the top tree in the order of drawing`.

use super::error::{Error, Verdict, refused};
use phalanx_xmss::{ParameterSet, SigningKey, hazmat};
use zeroize::Zeroizing;

/// Bytes of the PRF key.
pub(super) const PRF_KEY_BYTES: usize = 32;

/// Bytes of the parameter.
const PARAMETER_BYTES: usize = 20;

/// The prime of the field.
const P: u32 = 2_130_706_433;

/// The parts of a payload.
pub(super) struct Payload<'a> {
    pub(super) prf_key: &'a [u8; PRF_KEY_BYTES],
    /// In SSZ.
    pub(super) parameter: &'a [u8],
    /// In SSZ, one node after the other.
    pub(super) padding: &'a [u8],
}

impl<'a> Payload<'a> {
    /// The parts of `bytes`, whose length has been checked.
    ///
    /// # Errors
    /// `key_mismatch` for an element that is not canonical.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let wrong = refused(Verdict::KeyMismatch, "prf-key payload");
        let (prf_key, elements) = bytes.split_first_chunk().ok_or(wrong)?;
        let (parameter, padding) = elements.split_at_checked(PARAMETER_BYTES).ok_or(wrong)?;
        if !are_canonical(elements) {
            return Err(refused(Verdict::KeyMismatch, "an element that is not canonical"));
        }
        Ok(Self { prf_key, parameter, padding })
    }
}

/// Whether `bytes` are elements in SSZ, each in its only form.
pub(super) fn are_canonical(bytes: &[u8]) -> bool {
    let (elements, rest) = bytes.as_chunks::<4>();
    rest.is_empty() && elements.iter().all(|&element| u32::from_le_bytes(element) < P)
}

/// Which padding nodes the layers of a top tree over `count` bottom trees from tree `first` on have: for each layer,
/// lowest first, whether one in front and whether one behind.
fn padded_layers(height: u8, first: u64, count: u64) -> impl Iterator<Item = (bool, bool)> {
    let (mut start, mut end) = (first, first + count);
    (0..=height).map(move |_| {
        let padded = (start % 2 == 1, end % 2 == 1);
        (start, end) = (start / 2, end.div_ceil(2));
        padded
    })
}

/// Length in bytes of the payload of a key of `set` for `count` epochs from `start` on, rounded.
pub(super) fn len_bytes(set: ParameterSet, start: u64, count: u64) -> usize {
    let nodes: usize =
        layers_of(set, start, count).map(|(front, back)| usize::from(front) + usize::from(back)).sum();
    PRF_KEY_BYTES + PARAMETER_BYTES + 4 * set.hash_len() * nodes
}

/// As [`padded_layers`], from epochs.
fn layers_of(set: ParameterSet, start: u64, count: u64) -> impl Iterator<Item = (bool, bool)> {
    let leaves = set.tree_leaves();
    let height = u8::try_from(leaves.trailing_zeros()).expect("at most 64");
    padded_layers(height, start / leaves, count / leaves)
}

/// The payload of a key of the library.
pub(super) fn of_key(key: &SigningKey) -> Zeroizing<Vec<u8>> {
    let (set, active) = (key.parameter_set(), key.activation_interval());
    let count = active.end - active.start;
    let len = len_bytes(set, active.start, count);
    let mut payload = Zeroizing::new(Vec::with_capacity(len));
    payload.extend_from_slice(&*Zeroizing::new(hazmat::expose_prf_key(key)));
    let mut put =
        |words: &[u32]| words.iter().for_each(|word| payload.extend_from_slice(&word.to_le_bytes()));
    put(&hazmat::parameter_of(&key.verifying_key()));
    for ((front, back), layer) in layers_of(set, active.start, count).zip(hazmat::top_tree_layers(key)) {
        if front && let Some(node) = layer.nodes.first() {
            put(node);
        }
        if back && let Some(node) = layer.nodes.last() {
            put(node);
        }
    }
    debug_assert_eq!(payload.len(), len, "every layer has the padding that its place asks for");
    payload
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_by_hand() {
        let set = ParameterSet::POSEIDON2_L8_D64B8;
        // Trees 0..16: layers of 16, 8, 4, 2 and 1 nodes; only the root lacks a sibling.
        assert_eq!(len_bytes(set, 0, 256), 52 + 32);
        // Trees 6..9, then 3..5, 1..3, 0..2, 0..1.
        assert_eq!(len_bytes(set, 96, 48), 52 + 32 * (1 + 2 + 2 + 1));
        assert_eq!(len_bytes(ParameterSet::POSEIDON2_L18_D64B8, 0, 1 << 18), 52 + 28);
    }

    #[test]
    fn elements_have_one_form() {
        assert!(are_canonical(&(P - 1).to_le_bytes()));
        assert!(!are_canonical(&P.to_le_bytes()));
        assert!(!are_canonical(&[0; 5]));
        assert!(Payload::read(&[0; 51]).is_err());
    }
}
