//! Bridges between the library and the plain reference.

pub(crate) mod forge;

use phalanx_reference as plain;
use phalanx_testing::Random;
use phalanx_xmss::{Format, ParameterSet, Signature, VerifyingKey};

/// The reference's description of `set`.
pub(crate) fn params(set: ParameterSet) -> &'static plain::Params {
    plain::params::by_name(set.name()).expect("the reference knows every set")
}

/// The library's form of a key of the reference, under any label of the right shape.
pub(crate) fn verifying_key(set: ParameterSet, key: &plain::PublicKey) -> VerifyingKey {
    let bytes = plain::wire::encode_public_key(plain::wire::Format::Ssz, key);
    VerifyingKey::from_bytes(set, Format::Ssz, &bytes).expect("well formed")
}

/// The library's form of a signature of the reference.
pub(crate) fn signature(set: ParameterSet, signature: &plain::Signature) -> Signature {
    let bytes = plain::wire::encode_signature(plain::wire::Format::Ssz, signature);
    Signature::from_bytes(set, Format::Ssz, &bytes).expect("well formed")
}

/// `count` digests of `set`.
pub(crate) fn digests(random: &mut Random, set: ParameterSet, count: usize) -> Vec<Vec<u32>> {
    (0..count).map(|_| random.elements(set.hash_len())).collect()
}
