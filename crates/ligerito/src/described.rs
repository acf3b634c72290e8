//! Weights of the caller's own: any function on the cube that the verifier can evaluate at one point, bound to the transcript by a
//! description. Source: docs/ligerito.md, section 14, *Described weights*.
#![forbid(unsafe_code)]

use crate::Gf128;
use alloc::borrow::Cow;
use core::fmt;

/// A weight W(x) for the sum of f(x) W(x), x = 0 … 2^mu - 1, that is not made of a few tensors.
///
/// A proof with such a claim goes on until the whole weight is bound, and the verifier takes the multilinear extension of W at one
/// point. **Four things are the implementation's to see to**, and no check of a verifier can:
///
/// 1. *Function.* The description, with what stands in the transcript before the opening, determines W. With two weights of one
///    description a false claim is proved.
/// 2. *Multilinear.* [`evaluate`](Self::evaluate) is the multilinear extension of one table. If it is not, **every** claim of that
///    proof is unsound, not this one alone.
/// 3. *Agreement.* [`fill`](Self::fill) gives that table. Otherwise honest proofs are refused.
/// 4. *Public.* Nothing secret is in W; and `evaluate` may meet whatever description somebody sent, so its cost has a bound.
///
/// ```
/// use phalanx_ligerito::{self as ligerito, Accepted, DescribedClaim, Gf128, Preset, PublicWeight, SumClaim, Weight};
/// use std::borrow::Cow;
///
/// /// W(x) is the number x, as an element: linear in its bits.
/// struct Index;
///
/// impl PublicWeight for Index {
///     fn description(&self) -> Cow<'_, [u8]> {
///         Cow::Borrowed(b"example: index")
///     }
///
///     fn fill(&self, table: &mut [Gf128], from: u64) {
///         table.iter_mut().zip(from..).for_each(|(weight, x)| *weight = Gf128(x.into()));
///     }
///
///     fn evaluate(&self, point: &[Gf128]) -> Gf128 {
///         (0..).zip(point).fold(Gf128(0), |sum, (j, z)| sum + Gf128(1 << j) * *z)
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let polynomial: Vec<u32> = (0..1 << 10).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
/// let (commitment, data) = ligerito::commit(Preset::Balanced, &polynomial)?;
/// let opening = data.open_sums(&[Weight::Described(&Index)], b"")?;
///
/// let accepted = Accepted::exactly(Preset::Balanced, 10);
/// let claim = SumClaim::Described(DescribedClaim { weight: &Index, value: opening.values[0] });
/// ligerito::verify_sums(&accepted, &commitment, &[claim], &opening.proof, b"")?;
/// # Ok(())
/// # }
/// ```
pub trait PublicWeight<E = Gf128>: Sync {
    /// Bytes that determine W, and no other weight: begin with a name that nobody else uses, and have one encoding for each W.
    fn description(&self) -> Cow<'_, [u8]>;

    /// Writes W(`from`), W(`from` + 1), … into `table`, which has a power of two of entries, all zeros; `from` is a multiple of
    /// that. The prover calls it for all x twice, on any thread.
    fn fill(&self, table: &mut [E], from: u64);

    /// The value at `point`, mu coordinates, of the multilinear extension of W.
    fn evaluate(&self, point: &[E]) -> E;
}

impl<E> fmt::Debug for dyn PublicWeight<E> + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PublicWeight").field(&self.description()).finish()
    }
}

/// A description determines the weight.
impl<E> PartialEq for dyn PublicWeight<E> + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.description() == other.description()
    }
}

impl<E> Eq for dyn PublicWeight<E> + '_ {}

/// The sum of the coefficients by a weight of the caller's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescribedClaim<'a, E = Gf128> {
    /// The weight.
    pub weight: &'a dyn PublicWeight<E>,
    /// What the weighted sum is claimed to be.
    pub value: E,
}
