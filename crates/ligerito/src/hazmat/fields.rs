//! Fields and codes, on integers: bit i of an integer is the coefficient of x^i.
//!
//! Functions give `None` where an integer has more bits than the field, a length is no power of two, or a domain does
//! not lie in the field.

use super::super::Gf128;
use crate::binary::vectors::{self, Factor};
use crate::binary::{BinaryField, Gf16, Gf32, gf32s};
use crate::codes::{self, Basis, Encoder};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::memory::UninitBuf;
use phalanx_core::simd::Isa;
use phalanx_core::threads::Inline;

/// A binary field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// GF(2^16) modulo x^16 + x^5 + x^3 + x^2 + 1.
    Gf16,
    /// GF(2^32) modulo x^32 + x^15 + x^9 + x^7 + x^4 + x^3 + 1: level 0.
    Gf32,
    /// GF(2^128) modulo x^128 + x^7 + x^2 + x + 1: challenges and later levels.
    Gf128,
}

/// Largest domain that the functions of this module work on, as log2 of its points: they are for tests.
pub const MAX_LOG2_POINTS: u32 = 24;

/// The elements as their integers.
pub(super) trait Element: codes::Transform {
    fn element(integer: u128) -> Option<Self>;
    fn integer(self) -> u128;
}

impl Element for Gf16 {
    fn element(integer: u128) -> Option<Self> {
        integer.try_into().ok().map(Self)
    }

    fn integer(self) -> u128 {
        self.0.into()
    }
}

impl Element for Gf32 {
    fn element(integer: u128) -> Option<Self> {
        integer.try_into().ok().map(Self)
    }

    fn integer(self) -> u128 {
        self.0.into()
    }
}

impl Element for Gf128 {
    fn element(integer: u128) -> Option<Self> {
        Some(Self(integer))
    }

    fn integer(self) -> u128 {
        self.0
    }
}

/// Calls a function that is generic over the field.
macro_rules! with_field {
    ($field:expr, $function:ident($($argument:expr),*)) => {
        match $field {
            Field::Gf16 => $function::<Gf16>($($argument),*),
            Field::Gf32 => $function::<Gf32>($($argument),*),
            Field::Gf128 => $function::<Gf128>($($argument),*),
        }
    };
}

impl Field {
    /// Every field, smallest first.
    pub const ALL: [Self; 3] = [Self::Gf16, Self::Gf32, Self::Gf128];

    /// The name: `gf16`, `gf32`, `gf128`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gf16 => "gf16",
            Self::Gf32 => "gf32",
            Self::Gf128 => "gf128",
        }
    }

    /// The field called `name`, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// The degree over GF(2).
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Gf16 => 16,
            Self::Gf32 => 32,
            Self::Gf128 => 128,
        }
    }

    /// a b.
    #[must_use]
    pub fn multiply(self, a: u128, b: u128) -> Option<u128> {
        fn multiply<F: Element>(a: u128, b: u128) -> Option<u128> {
            Some((F::element(a)? * F::element(b)?).integer())
        }
        with_field!(self, multiply(a, b))
    }

    /// 1 / a, and 0 for 0.
    #[must_use]
    pub fn invert(self, a: u128) -> Option<u128> {
        fn invert<F: Element>(a: u128) -> Option<u128> {
            Some(F::element(a)?.invert().integer())
        }
        with_field!(self, invert(a))
    }

    /// The image of `a` in a field that is at least as large. (phi of the specification: from GF(2^32) to GF(2^128).)
    #[must_use]
    pub fn embed(self, a: u128, into: Self) -> Option<u128> {
        match (self, into) {
            (Self::Gf16, Self::Gf32) => Some(Gf32::from(Gf16::element(a)?).integer()),
            (Self::Gf16, Self::Gf128) => Some(Gf128::from(Gf16::element(a)?).integer()),
            (Self::Gf32, Self::Gf128) => Some(Gf128::from(Gf32::element(a)?).integer()),
            _ if self == into => with_field!(self, same(a)),
            _ => None,
        }
    }

    /// The little-endian bytes of elements, one after the other.
    #[must_use]
    pub fn to_le_bytes(self, elements: &[u128]) -> Option<Vec<u8>> {
        fn bytes<F: Element>(integers: &[u128]) -> Option<Vec<u8>> {
            let mut out = Vec::new();
            for integer in integers {
                F::element(*integer)?.put(&mut out);
            }
            Some(out)
        }
        with_field!(self, bytes(elements))
    }

    /// The table of h_j(2^b), row j and column b, for a domain of 2^`log2_points` points.
    #[must_use]
    pub fn basis(self, log2_points: u32) -> Option<Vec<Vec<u128>>> {
        fn table<F: Element>(log2_points: u32) -> Option<Vec<Vec<u128>>> {
            let basis = domain::<F>(log2_points)?;
            Some((0..basis.log2_points()).map(|j| integers(basis.row(j))).collect())
        }
        with_field!(self, table(log2_points))
    }

    /// c_0, c_1, …, by which s_j exceeds h_j, for a domain of 2^`log2_points` points.
    #[must_use]
    pub fn norms(self, log2_points: u32) -> Option<Vec<u128>> {
        fn norms<F: Element>(log2_points: u32) -> Option<Vec<u128>> {
            let basis = domain::<F>(log2_points)?;
            Some((0..basis.log2_points()).map(|j| basis.norm(j).integer()).collect())
        }
        with_field!(self, norms(log2_points))
    }

    /// For every i below 2^`log2_message` the product of c_j over the bits j of i, pi_i of the specification: what a
    /// coefficient of the published crate's basis is multiplied with to be one of ours.
    #[must_use]
    pub fn scales(self, log2_message: u32) -> Option<Vec<u128>> {
        fn scales<F: Element>(log2_message: u32) -> Option<Vec<u128>> {
            let basis = domain::<F>(log2_message)?;
            Some(integers(&codes::scales(&basis, 0, basis.log2_points())))
        }
        with_field!(self, scales(log2_message))
    }

    /// a_j = h_j(`position`) for j below `log2_message`: row `position` of the generator matrix of the normalised basis
    /// is the tensor of (1, a_j).
    #[must_use]
    pub fn generator_factors(
        self,
        log2_points: u32,
        log2_message: u32,
        position: usize,
    ) -> Option<Vec<u128>> {
        fn factors<F: Element>(log2_points: u32, log2_message: u32, position: usize) -> Option<Vec<u128>> {
            let basis = domain::<F>(log2_points)?;
            let inside = log2_message <= log2_points && position >> log2_points == 0;
            let factors = inside.then(|| basis.generator_factors(position, log2_message as usize))?;
            Some(factors.map(Element::integer).collect())
        }
        with_field!(self, factors(log2_points, log2_message, position))
    }

    /// The twiddles of the transform of 2^`log2_points` points in heap order: the node at depth e and place t has
    /// h_{K-1-e}(t 2^(K-e)), K = log2 of the points, at index 2^e + t - 1.
    #[must_use]
    pub fn twiddles(self, log2_points: u32) -> Option<Vec<u128>> {
        fn twiddles<F: Element>(log2_points: u32) -> Option<Vec<u128>> {
            let basis = domain::<F>(log2_points)?;
            let points = basis.log2_points();
            let depth = |e: usize| (0..1usize << e).map(move |t| (points - 1 - e, t << (points - e)));
            Some((0..points).flat_map(depth).map(|(j, point)| basis.at(j, point).integer()).collect())
        }
        with_field!(self, twiddles(log2_points))
    }

    /// The values at 0, 1, 2, … of the polynomial with these coefficients in the normalised basis.
    #[must_use]
    pub fn transform(self, coefficients: &[u128]) -> Option<Vec<u128>> {
        self.encode(coefficients, 0, 0)
    }

    /// Encodes the columns of a matrix of 2^`log2_columns` columns, given row after row, to 2^`log2_inverse_rate` times
    /// as many rows. Normalised basis: our own suite.
    #[must_use]
    pub fn encode(self, message: &[u128], log2_columns: u32, log2_inverse_rate: u32) -> Option<Vec<u128>> {
        with_field!(self, encode(message, log2_columns, log2_inverse_rate, false))
    }

    /// As [`encode`](Self::encode), in the basis of the published crate, which is not normalised.
    #[must_use]
    pub fn encode_unnormalised(
        self,
        message: &[u128],
        log2_columns: u32,
        log2_inverse_rate: u32,
    ) -> Option<Vec<u128>> {
        with_field!(self, encode(message, log2_columns, log2_inverse_rate, true))
    }
}

/// eq(z, x) for every x of the Boolean cube, coordinate j of x being bit j of the index.
#[must_use]
pub fn equal(point: &[Gf128]) -> Vec<Gf128> {
    vectors::tensor(Isa::current(), Gf128::ONE, &factors(point))
}

/// The value of the multilinear extension of `polynomial`, elements of GF(2^32), at a point; `None` unless there are
/// 2^(coordinates) elements.
#[must_use]
pub fn evaluate(polynomial: &[u32], point: &[Gf128]) -> Option<Gf128> {
    let fits = point.len() < 32 && polynomial.len() == 1 << point.len();
    let embedded: Vec<Gf128> = gf32s(polynomial).iter().map(|x| (*x).into()).collect();
    fits.then(|| vectors::evaluate(Isa::current(), &embedded, &factors(point)))
}

fn factors(point: &[Gf128]) -> Vec<Factor<Gf128>> {
    point.iter().copied().map(Factor::Equal).collect()
}

fn same<F: Element>(a: u128) -> Option<u128> {
    Some(F::element(a)?.integer())
}

fn integers<F: Element>(elements: &[F]) -> Vec<u128> {
    elements.iter().map(|x| x.integer()).collect()
}

fn domain<F: Element>(log2_points: u32) -> Option<Basis<F>> {
    (log2_points <= F::BITS.min(MAX_LOG2_POINTS)).then(|| Basis::new(log2_points))
}

fn encode<F: Element>(
    message: &[u128],
    log2_columns: u32,
    log2_inverse_rate: u32,
    unnormalised: bool,
) -> Option<Vec<u128>> {
    if !message.len().is_power_of_two() {
        return None;
    }
    let log2_message = message.len().ilog2().checked_sub(log2_columns)?;
    let basis = domain::<F>(log2_message.checked_add(log2_inverse_rate)?)?;
    let message: Vec<F> = message.iter().map(|x| F::element(*x)).collect::<Option<_>>()?;
    let (log2_message, log2_columns) = (log2_message as usize, log2_columns as usize);
    let scales = if unnormalised { codes::scales(&basis, 0, log2_message) } else { Vec::new() };
    let encoder = Encoder { isa: Isa::current(), basis: &basis, log2_message, log2_columns };
    let buffer = UninitBuf::new(message.len() << log2_inverse_rate);
    let mut nodes = vec![(); buffer.len() >> log2_columns];
    Some(integers(&codes::encode(&Inline, encoder, &message, &scales, 0, buffer, &mut nodes, 1, &|_, _| ())))
}
