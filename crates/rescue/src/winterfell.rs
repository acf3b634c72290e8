//! The hash functions under the traits of `winter-crypto` (0.13): a prover or verifier that names
//! `winter_crypto::hashers::Rp64_256` names [`Rp64_256`] instead, and all digests stay the same, and of the same type.
//!
//! The traits hash one input at a time, so the lanes stay empty; a list of inputs is faster through
//! [`Function`](super::Function), with [`digest_from`] and [`digest_to`] for the way there and back.
//!
//! ```
//! use phalanx_rescue::winterfell::Rp64_256;
//! use winter_crypto::{ElementHasher, Hasher, MerkleTree, hashers};
//! use winter_math::fields::f64::BaseElement;
//!
//! let leaves: Vec<_> = (0..8).map(|i| Rp64_256::hash_elements(&[BaseElement::new(i)])).collect();
//! let tree = MerkleTree::<Rp64_256>::new(leaves.clone()).expect("eight leaves");
//! let theirs = MerkleTree::<hashers::Rp64_256>::new(leaves).expect("eight leaves");
//! assert_eq!(tree.root(), theirs.root());
//! ```

use crate::digest::Digest;
use crate::function::Function;
use crate::sponge::Message;
use winter_crypto::{ElementHasher, Hasher, hashers};
use winter_math::FieldElement;
use winter_math::fields::f64::BaseElement;

/// Rescue-Prime of width 12: [`Function::Rp64_256`].
///
/// # Panics
/// [`hash`](Hasher::hash) panics for more than 56 bytes whose number is no multiple of 7, as `winter-crypto` does: the trait
/// leaves no room for an error, and with the padded form in the gaps two messages would share a digest (where the
/// reference answers it does not mark the end of a message). No other function of these traits panics.
#[allow(non_camel_case_types, reason = "the name its users know")]
#[derive(Clone, Copy, Debug)]
pub struct Rp64_256;

/// Rescue-Prime of width 8, with the Jive compression for merging: [`Function::RpJive64_256`]. Hashes bytes of any length.
#[allow(non_camel_case_types, reason = "the name its users know")]
#[derive(Clone, Copy, Debug)]
pub struct RpJive64_256;

/// Base field elements, out of Winterfell's representation one at a time.
struct BaseElements<'a>(&'a [BaseElement]);

impl Message for BaseElements<'_> {
    const BYTES: bool = false;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn read(&self, first: usize, words: &mut [u64]) {
        for (word, element) in words.iter_mut().zip(&self.0[first..]) {
            *word = element.as_int();
        }
    }
}

/// A digest of Winterfell's as one of ours.
#[must_use]
pub fn digest_from(digest: impl Into<[BaseElement; 4]>) -> Digest {
    Digest::from_elements(digest.into().map(|element| element.as_int()))
}

/// A digest of ours as one of Winterfell's.
#[must_use]
pub fn digest_to<D: From<[BaseElement; 4]>>(digest: Digest) -> D {
    digest.to_elements().map(BaseElement::new).into()
}

macro_rules! hasher {
    ($name:ident) => {
        impl Hasher for $name {
            type Digest = <hashers::$name as Hasher>::Digest;

            const COLLISION_RESISTANCE: u32 = 128;

            fn hash(bytes: &[u8]) -> Self::Digest {
                match Function::$name.hash(bytes) {
                    Ok(digest) => digest_to(digest),
                    Err(error) => panic!("{error}"),
                }
            }

            fn merge(&[left, right]: &[Self::Digest; 2]) -> Self::Digest {
                digest_to(Function::$name.merge(&digest_from(left), &digest_from(right)))
            }

            fn merge_many(digests: &[Self::Digest]) -> Self::Digest {
                let elements = Self::Digest::digests_as_elements(digests);
                digest_to(Function::$name.hash_one(&BaseElements(elements), 0))
            }

            fn merge_with_int(seed: Self::Digest, value: u64) -> Self::Digest {
                digest_to(Function::$name.merge_with_int(&digest_from(seed), value))
            }
        }

        impl ElementHasher for $name {
            type BaseField = BaseElement;

            fn hash_elements<E: FieldElement<BaseField = BaseElement>>(elements: &[E]) -> Self::Digest {
                let elements = E::slice_as_base_elements(elements);
                digest_to(Function::$name.hash_one(&BaseElements(elements), 0))
            }
        }
    };
}

hasher!(Rp64_256);
hasher!(RpJive64_256);
