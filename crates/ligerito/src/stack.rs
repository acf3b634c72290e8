//! Many polynomials, of any sizes, as one: a *stack*, which is committed to as every polynomial is, and what is claimed of each of
//! its parts as a claim about the whole. Also how polynomials that no shape is registered for, of fewer than 2^10 coefficients,
//! are committed to.
//!
//! Part i, of 2^m coefficients, lies at a multiple of 2^m. The bits of its place above the lowest m are coordinates that every
//! claim about it has fixed: the sum over the whole of f(x) times a weight whose factors there are (1, 0) or (0, 1) is the sum
//! over the part. No message, no challenge and no error is added. Source: section 20 of docs/ligerito.md.
#![forbid(unsafe_code)]

use crate::binary::ChallengeField;
use crate::error::Error;
use crate::preset::{MAX_VARIABLES, MIN_VARIABLES};
use alloc::vec;
use alloc::vec::Vec;

/// Where polynomials lie in the one that is committed to: a function of their sizes, which prover and verifier both know.
///
/// Larger ones come first, those of one size in their order, each behind the other from coefficient 0 on; zeros follow up to a
/// power of two, 2^10 at least. Nothing is claimed of these zeros: another prover may have put other words there.
///
/// ```
/// use phalanx_ligerito::{self as ligerito, Accepted, EvaluationClaim, Gf128, Preset, Stack};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (short, long) = (vec![1_u32; 1 << 4], (0..1 << 11).collect::<Vec<u32>>());
/// let stack = Stack::new(&[4, 11])?;
/// let whole = stack.polynomial(&[&short, &long])?;
/// let (commitment, data) = ligerito::commit(Preset::Balanced, &whole)?;
///
/// let z: Vec<Gf128> = (1..=4).map(Gf128).collect();
/// let point = stack.point(0, &z)?;
/// let opening = data.open(&[&point], b"")?;
/// assert_eq!(opening.values[0], Gf128(1), "a constant is what it is at every point");
///
/// let accepted = Accepted::exactly(Preset::Balanced, stack.variables());
/// let claim = EvaluationClaim { point: &point, value: opening.values[0] };
/// ligerito::verify(&accepted, &commitment, &[claim], &opening.proof, b"")?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    variables: u8,
    parts: Vec<Part>,
}

/// One of the polynomials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    variables: u8,
    /// Its first coefficient in the whole, a multiple of 2^variables.
    first: usize,
}

impl Stack {
    /// That of polynomials of 2^`variables[i]` coefficients.
    ///
    /// # Errors
    /// [`Error::StackSizes`] if there are none, or more than 2^30 coefficients together.
    pub fn new(variables: &[u8]) -> Result<Self, Error> {
        let mut parts: Vec<_> =
            variables.iter().map(|variables| Part { variables: *variables, first: 0 }).collect();
        let (mut next, most) = (0, 1 << MAX_VARIABLES);
        for size in (0..=MAX_VARIABLES).rev() {
            for part in parts.iter_mut().filter(|part| part.variables == size) {
                part.first = next;
                next += 1 << size;
                if next > most {
                    return Err(Error::StackSizes);
                }
            }
        }
        if parts.is_empty() || parts.iter().any(|part| part.variables > MAX_VARIABLES) {
            return Err(Error::StackSizes);
        }
        let needed = u8::try_from(next.next_power_of_two().ilog2()).expect("at most 30");
        Ok(Self { variables: needed.max(MIN_VARIABLES), parts })
    }

    /// Variables of the whole: it has 2^variables coefficients.
    #[must_use]
    pub fn variables(&self) -> u8 {
        self.variables
    }

    /// How many polynomials.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Where the coefficients of polynomial `number` lie in the whole.
    ///
    /// # Errors
    /// [`Error::NotStacked`] if there are not so many.
    pub fn range(&self, number: usize) -> Result<core::ops::Range<usize>, Error> {
        let part = self.part(number)?;
        Ok(part.first..part.first + (1 << part.variables))
    }

    /// The polynomial that is committed to, from those that it is made of, in the order of their sizes in [`new`](Self::new).
    ///
    /// # Errors
    /// [`Error::StackedPolynomials`] unless there are as many as sizes; [`Error::StackedLength`] for one of another size.
    pub fn polynomial(&self, parts: &[&[u32]]) -> Result<Vec<u32>, Error> {
        if parts.len() != self.parts.len() {
            return Err(Error::StackedPolynomials { got: parts.len(), wanted: self.parts.len() });
        }
        let mut whole = vec![0; 1 << self.variables];
        for (number, part) in parts.iter().enumerate() {
            let place = &mut whole[self.range(number)?];
            if part.len() != place.len() {
                return Err(Error::StackedLength { number, got: part.len(), wanted: place.len() });
            }
            place.copy_from_slice(part);
        }
        Ok(whole)
    }

    /// A point of polynomial `number` as one of the whole: the value of the whole there is that of the polynomial at `point`, and
    /// so are the planes.
    ///
    /// # Errors
    /// [`Error::NotStacked`]; [`Error::PointLength`], with the number of the polynomial, unless there is a coordinate for every
    /// variable of it.
    #[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
    pub fn point<E: ChallengeField>(&self, number: usize, point: &[E]) -> Result<Vec<E>, Error> {
        let bit = |bit| if bit == 0 { E::ZERO } else { E::ONE };
        self.extended(number, point, bit)
    }

    /// The factors of a tensor of polynomial `number` as those of the whole, with the same scale.
    ///
    /// # Errors
    /// As [`point`](Self::point), with factors in place of coordinates.
    #[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
    pub fn factors<E: ChallengeField>(
        &self,
        number: usize,
        factors: &[[E; 2]],
    ) -> Result<Vec<[E; 2]>, Error> {
        let bit = |bit| if bit == 0 { [E::ONE, E::ZERO] } else { [E::ZERO, E::ONE] };
        self.extended(number, factors, bit)
    }

    /// What there is for each variable of a polynomial, and for each other one of the whole what `bit` makes of the bit of the
    /// polynomial's place.
    fn extended<X: Clone>(
        &self,
        number: usize,
        own: &[X],
        bit: impl Fn(usize) -> X,
    ) -> Result<Vec<X>, Error> {
        let part = self.part(number)?;
        let wanted = usize::from(part.variables);
        if own.len() != wanted {
            return Err(Error::PointLength { claim: number, got: own.len(), wanted });
        }
        let fixed = (part.variables..self.variables).map(|j| bit(part.first >> j & 1));
        Ok(own.iter().cloned().chain(fixed).collect())
    }

    fn part(&self, number: usize) -> Result<Part, Error> {
        self.parts.get(number).copied().ok_or(Error::NotStacked { number, of: self.parts.len() })
    }
}
