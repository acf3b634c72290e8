//! What a claim says of a committed polynomial: the sum of f(x) W(x) over all x is a value, for a weight function W that
//! is public.
//!
//! A point z is the weight eq(z, x). Sources: docs/ligerito.md, sections 7, 13 and 14.
#![forbid(unsafe_code)]

use crate::Gf128;
use crate::binary::vectors::{self, Factor};
use crate::binary::{ChallengeField, le_bytes};
use crate::described::DescribedClaim;
use crate::error::ProofError;
use crate::layout::Place;
use crate::orbit;
use crate::tower::PLANES;
use crate::transcripts::Transcript;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// Most claims of one proof.
pub const MAX_CLAIMS: usize = 65536;

/// Tensors of all claims together beyond which the sumcheck goes on to its end, so that the verifier takes a tensor at a
/// point only.
const MOST_TENSORS_WITHOUT_CLOSING_ROUNDS: usize = 128;

/// The value of the polynomial's multilinear extension at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationClaim<'a, E = Gf128> {
    /// One coordinate for every variable; coordinate j belongs to bit j of the coefficients' index.
    pub point: &'a [E],
    /// What the extension is claimed to be there.
    pub value: E,
}

/// The 32 planes of a polynomial at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanesClaim<'a, E = Gf128> {
    /// One coordinate for every variable of the words; coordinate j belongs to bit j of their index.
    pub point: &'a [E],
    /// Plane i is claimed to be the sum of eq(point, x) over those x where word x has bit i.
    pub planes: &'a [E; PLANES],
}

/// A product of functions of single coordinates, times a scale: W(x) = scale times the product over j of
/// factors\[j\]\[x_j\].
///
/// The weight of a point z has the factors (1 + z, z); summing over a coordinate is (1, 1), restricting to a bit (1, 0) or
/// (0, 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tensor<'a, E = Gf128> {
    /// The scale.
    pub scale: E,
    /// For every variable, the lowest first, the factor's values where the coordinate is 0 and where it is 1.
    pub factors: &'a [[E; 2]],
}

#[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
impl<E: ChallengeField> Tensor<'_, E> {
    /// The factors as the operations take them.
    pub(crate) fn pairs(&self) -> Vec<Factor<E>> {
        self.factors.iter().map(|[zero, one]| Factor::Pair(*zero, *one)).collect()
    }
}

/// The sum of the coefficients weighted by tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorsClaim<'a, E = Gf128> {
    /// The weight is the sum of these, at least one.
    pub tensors: &'a [Tensor<'a, E>],
    /// What the weighted sum is claimed to be.
    pub value: E,
}

/// A claim about a committed polynomial; one proof takes any mix of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumClaim<'a, E = Gf128> {
    /// The value at a point.
    Point(EvaluationClaim<'a, E>),
    /// A weighted sum.
    Tensors(TensorsClaim<'a, E>),
    /// A sum weighted by a function of the caller's own.
    Described(DescribedClaim<'a, E>),
    /// The planes at a point. They count as 32 claims.
    Planes(PlanesClaim<'a, E>),
}

#[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
impl<E: ChallengeField> SumClaim<'_, E> {
    /// As how many it counts, and has powers of gamma.
    pub(crate) fn count(&self) -> usize {
        if let Self::Planes(_) = self { PLANES } else { 1 }
    }

    /// Its tensors.
    fn tensors(&self) -> usize {
        match self {
            Self::Tensors(claim) => claim.tensors.len(),
            Self::Described(_) => 0,
            Self::Point(_) | Self::Planes(_) => self.count(),
        }
    }

    /// Whether it is claim number `claim` about a polynomial of so many variables.
    fn check(&self, claim: usize, variables: usize) -> Result<(), ProofError> {
        match self {
            Self::Point(EvaluationClaim { point, .. }) | Self::Planes(PlanesClaim { point, .. }) => {
                if point.len() == variables { Ok(()) } else { Err(ProofError::PointLength { claim }) }
            }
            Self::Tensors(TensorsClaim { tensors, .. }) => {
                let whole = tensors.iter().all(|tensor| tensor.factors.len() == variables);
                if whole && !tensors.is_empty() { Ok(()) } else { Err(ProofError::ClaimBody { claim }) }
            }
            Self::Described(_) => Ok(()),
        }
    }

    /// Binds it: kind, commitment and body, and then the values.
    pub(crate) fn absorb(&self, commitment: u32, transcript: &mut Transcript) {
        let number = commitment.to_le_bytes();
        match self {
            Self::Point(EvaluationClaim { point, value }) => {
                transcript.absorb("claim", &[&[0], &number, &le_bytes(point)]);
                transcript.absorb_elements("value", &[*value]);
            }
            Self::Tensors(TensorsClaim { tensors, value }) => {
                let count = u32::try_from(tensors.len()).expect("as many as the statement has bytes");
                let mut body = count.to_le_bytes().to_vec();
                for tensor in *tensors {
                    body.extend(&*le_bytes(&[tensor.scale]));
                    body.extend(&*le_bytes(tensor.factors.as_flattened()));
                }
                transcript.absorb("claim", &[&[1], &number, &body]);
                transcript.absorb_elements("value", &[*value]);
            }
            Self::Described(DescribedClaim { weight, value }) => {
                transcript.absorb("claim", &[&[2], &number, &weight.description()]);
                transcript.absorb_elements("value", &[*value]);
            }
            Self::Planes(PlanesClaim { point, planes }) => {
                transcript.absorb("claim", &[&[3], &number, &le_bytes(point)]);
                transcript.absorb_elements("value", &planes[..]);
            }
        }
    }

    /// Whether anything that it is made of, body or values, is such an element. What a description is made of only the caller
    /// knows.
    pub(crate) fn any_element(&self, is_such: impl Fn(&E) -> bool) -> bool {
        match self {
            Self::Point(EvaluationClaim { point, value }) => point.iter().any(&is_such) || is_such(value),
            Self::Described(DescribedClaim { value, .. }) => is_such(value),
            Self::Planes(PlanesClaim { point, planes }) => point.iter().chain(*planes).any(is_such),
            Self::Tensors(TensorsClaim { tensors, value }) => {
                let of_tensor = |tensor: &Tensor<'_, E>| {
                    is_such(&tensor.scale) || tensor.factors.as_flattened().iter().any(&is_such)
                };
                tensors.iter().any(of_tensor) || is_such(value)
            }
        }
    }

    /// The single claims that it stands for.
    pub(crate) fn expanded(&self, isa: Isa) -> Expanded<'_, E> {
        match self {
            Self::Point(claim) => Expanded::Point(*claim),
            Self::Tensors(claim) => Expanded::Tensors(*claim),
            Self::Described(claim) => Expanded::Described(*claim),
            Self::Planes(claim) => {
                Expanded::Orbit(orbit::conjugates(isa, claim.point), orbit::values(isa, claim.planes))
            }
        }
    }
}

/// Checks the claims of a statement about polynomials of so many variables.
pub(crate) fn check<E: ChallengeField>(
    claims: &[(usize, SumClaim<'_, E>)],
    variables: &[u8],
) -> Result<(), ProofError> {
    if claims.is_empty() {
        return Err(ProofError::NoClaims);
    }
    if claims.iter().map(|(_, claim)| claim.count()).sum::<usize>() > MAX_CLAIMS {
        return Err(ProofError::TooManyClaims);
    }
    claims.iter().enumerate().try_for_each(|(number, (commitment, claim))| {
        let variables = variables.get(*commitment).ok_or(ProofError::CommitmentIndex { claim: number })?;
        claim.check(number, usize::from(*variables))
    })
}

/// Whether the claims have closing rounds: one that is described is taken at a point only, and so are many tensors.
pub(crate) fn closing<E: ChallengeField>(claims: &[(usize, SumClaim<'_, E>)]) -> bool {
    let tensors: usize = claims.iter().map(|(_, claim)| claim.tensors()).sum();
    tensors > MOST_TENSORS_WITHOUT_CLOSING_ROUNDS
        || claims.iter().any(|(_, claim)| matches!(claim, SumClaim::Described(_)))
}

/// Claims about the only commitment.
pub(crate) fn of_one<'a, E: ChallengeField>(claims: &[SumClaim<'a, E>]) -> Vec<(usize, SumClaim<'a, E>)> {
    claims.iter().map(|claim| (0, *claim)).collect()
}

/// A claim, or the 32 that planes are worth.
pub(crate) enum Expanded<'a, E> {
    /// A point.
    Point(EvaluationClaim<'a, E>),
    /// A sum of tensors.
    Tensors(TensorsClaim<'a, E>),
    /// A weight of the caller's.
    Described(DescribedClaim<'a, E>),
    /// The points of an orbit one after the other, and the values there.
    Orbit(Vec<E>, Vec<E>),
}

impl<E: ChallengeField> Expanded<'_, E> {
    /// What the values add up to, with powers of `gamma` that go on from `power`.
    pub(crate) fn value(&self, power: &mut E, gamma: E) -> E {
        let one = [match self {
            Self::Point(EvaluationClaim { value, .. })
            | Self::Tensors(TensorsClaim { value, .. })
            | Self::Described(DescribedClaim { value, .. }) => *value,
            Self::Orbit(..) => E::ZERO,
        }];
        let values = if let Self::Orbit(_, values) = self { &values[..] } else { &one };
        let mut sum = E::ZERO;
        for value in values {
            sum += *power * *value;
            *power *= gamma;
        }
        sum
    }

    /// With the first coordinates bound to `bound`, the inner product of what is left of the weights with `rest`, with
    /// powers as in [`value`](Self::value).
    pub(crate) fn evaluate(
        &self,
        isa: Isa,
        place: &Place<'_>,
        bound: &[E],
        rest: &[E],
        power: &mut E,
        gamma: E,
    ) -> E {
        let tensor = |factors: &[Factor<E>]| evaluate_tensor(isa, &place.factors(factors), bound, rest);
        let at = |point: &[E]| {
            let factors: Vec<_> = point.iter().copied().map(Factor::Equal).collect();
            tensor(&factors)
        };
        let mut sum = E::ZERO;
        match self {
            Self::Point(claim) => sum = *power * at(claim.point),
            Self::Tensors(claim) => {
                claim.tensors.iter().for_each(|one| sum += *power * one.scale * tensor(&one.pairs()));
            }
            Self::Described(claim) => {
                // Its closing rounds have left one entry.
                let (point, selectors) = place.coordinates(bound);
                sum = *power * selectors * claim.weight.evaluate(&point) * rest[0];
            }
            Self::Orbit(points, _) => {
                for (k, point) in points.chunks_exact(points.len() / PLANES).enumerate() {
                    if k > 0 {
                        *power *= gamma;
                    }
                    sum += *power * at(point);
                }
            }
        }
        *power *= gamma;
        sum
    }
}

/// One tensor with its first coordinates bound to `bound`, against `rest`.
pub(crate) fn evaluate_tensor<E: ChallengeField>(
    isa: Isa,
    tensor: &[Factor<E>],
    bound: &[E],
    rest: &[E],
) -> E {
    let (first, left) = tensor.split_at(bound.len());
    vectors::extension(isa, first, bound) * vectors::evaluate(isa, rest, left)
}
