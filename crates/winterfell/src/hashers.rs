//! The hash functions under the traits of `winter-crypto`, one input at a time.

use alloc::vec::Vec;
use phalanx_rescue::{Digest, Function};
use winter_crypto::{ElementHasher, Hasher, hashers};
use winter_math::FieldElement;
use winter_math::fields::f64::BaseElement;

/// Elements that are hashed without memory of their own: the longest row of a FRI layer, 16 elements of degree 3, fits.
const FEW: usize = 48;

/// A hash function of Winterfell's that phalanx computes in lanes. Implemented here only.
pub trait PackedHasher:
    ElementHasher<BaseField = BaseElement, Digest: From<[BaseElement; 4]> + Into<[BaseElement; 4]>>
    + Sync
    + sealed::Sealed
{
    /// The same function on lists.
    const FUNCTION: Function;
}

mod sealed {
    /// Digests must be those of [`FUNCTION`](super::PackedHasher::FUNCTION), which no other crate can promise.
    pub trait Sealed {}
}

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

/// A digest of Winterfell's as one of ours.
#[must_use]
#[inline]
pub fn digest_from(digest: impl Into<[BaseElement; 4]>) -> Digest {
    Digest::from_elements(digest.into().map(|element| element.as_int()))
}

/// A digest of ours as one of Winterfell's.
#[must_use]
#[inline]
pub fn digest_to<D: From<[BaseElement; 4]>>(digest: Digest) -> D {
    digest.to_elements().map(BaseElement::new).into()
}

/// One list of elements.
fn hash_elements(function: Function, elements: &[BaseElement]) -> Digest {
    let canonical = elements.iter().map(BaseElement::as_int);
    if elements.len() > FEW {
        return function.hash_elements(&canonical.collect::<Vec<_>>());
    }
    let mut words = [0; FEW];
    words.iter_mut().zip(canonical).for_each(|(word, element)| *word = element);
    function.hash_elements(&words[..elements.len()])
}

macro_rules! hasher {
    ($name:ident) => {
        impl sealed::Sealed for $name {}

        impl PackedHasher for $name {
            const FUNCTION: Function = Function::$name;
        }

        impl Hasher for $name {
            type Digest = <hashers::$name as Hasher>::Digest;

            const COLLISION_RESISTANCE: u32 = 128;

            fn hash(bytes: &[u8]) -> Self::Digest {
                match Self::FUNCTION.hash(bytes) {
                    Ok(digest) => digest_to(digest),
                    Err(error) => panic!("{error}"),
                }
            }

            fn merge(&[left, right]: &[Self::Digest; 2]) -> Self::Digest {
                digest_to(Self::FUNCTION.merge(&digest_from(left), &digest_from(right)))
            }

            fn merge_many(digests: &[Self::Digest]) -> Self::Digest {
                digest_to(hash_elements(Self::FUNCTION, Self::Digest::digests_as_elements(digests)))
            }

            fn merge_with_int(seed: Self::Digest, value: u64) -> Self::Digest {
                digest_to(Self::FUNCTION.merge_with_int(&digest_from(seed), value))
            }
        }

        impl ElementHasher for $name {
            type BaseField = BaseElement;

            fn hash_elements<E: FieldElement<BaseField = BaseElement>>(elements: &[E]) -> Self::Digest {
                digest_to(hash_elements(Self::FUNCTION, E::slice_as_base_elements(elements)))
            }
        }
    };
}

hasher!(Rp64_256);
hasher!(RpJive64_256);
