//! GF(2^192) and the code over it, for those who check them against vectors. What is of GF(2^32) is in
//! [`ligerito::hazmat::fields`](super::super::super::hazmat::fields).
//!
//! Functions give `None` where a length is no power of two, or a domain is larger than the module's limit.

use super::super::super::hazmat::fields::MAX_LOG2_POINTS;
use super::Gf192;
use crate::binary::vectors::{self, Factor};
use crate::binary::{BinaryField, Gf32, gf32s};
use crate::codes::{self, Basis, Encoder};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::memory::UninitBuf;
use phalanx_core::simd::Isa;
use phalanx_core::threads::Inline;

/// phi: the image of an element of GF(2^32).
#[must_use]
pub fn embed(element: u32) -> Gf192 {
    Gf32(element).into()
}

/// 1 / a, and 0 for 0.
#[must_use]
pub fn invert(a: Gf192) -> Gf192 {
    a.invert()
}

/// The table of h_j(2^b), row j and column b, for a domain of 2^`log2_points` points.
#[must_use]
pub fn basis(log2_points: u32) -> Option<Vec<Vec<Gf192>>> {
    let basis = domain(log2_points)?;
    Some((0..basis.log2_points()).map(|j| basis.row(j).to_vec()).collect())
}

/// a_j = h_j(`position`) for j below `log2_message`: row `position` of the generator matrix is the tensor of (1, a_j).
#[must_use]
pub fn generator_factors(log2_points: u32, log2_message: u32, position: usize) -> Option<Vec<Gf192>> {
    let basis = domain(log2_points)?;
    let inside = log2_message <= log2_points && position >> log2_points == 0;
    inside.then(|| basis.generator_factors(position, log2_message as usize).collect())
}

/// Encodes the columns of a matrix of 2^`log2_columns` columns, given row after row, to 2^`log2_inverse_rate` times as many
/// rows.
#[must_use]
pub fn encode(message: &[Gf192], log2_columns: u32, log2_inverse_rate: u32) -> Option<Vec<Gf192>> {
    if !message.len().is_power_of_two() {
        return None;
    }
    let log2_message = message.len().ilog2().checked_sub(log2_columns)?;
    let basis = domain(log2_message.checked_add(log2_inverse_rate)?)?;
    let (log2_message, log2_columns) = (log2_message as usize, log2_columns as usize);
    let encoder = Encoder { isa: Isa::current(), basis: &basis, log2_message, log2_columns };
    let room = UninitBuf::new(message.len() << log2_inverse_rate);
    let mut nodes = vec![(); room.len() >> log2_columns];
    Some(codes::encode(&Inline, encoder, message, &[], 0, room, &mut nodes, 1, &|_, _| ()).to_vec())
}

/// eq(z, x) for every x of the Boolean cube, coordinate j of x being bit j of the index.
#[must_use]
pub fn equal(point: &[Gf192]) -> Vec<Gf192> {
    vectors::tensor(Isa::current(), Gf192::ONE, &factors(point))
}

/// The value of the multilinear extension of `polynomial`, elements of GF(2^32), at a point; `None` unless there are
/// 2^(coordinates) elements.
#[must_use]
pub fn evaluate(polynomial: &[u32], point: &[Gf192]) -> Option<Gf192> {
    let fits = point.len() < 32 && polynomial.len() == 1 << point.len();
    let embedded: Vec<Gf192> = gf32s(polynomial).iter().map(|x| (*x).into()).collect();
    fits.then(|| vectors::evaluate(Isa::current(), &embedded, &factors(point)))
}

fn factors(point: &[Gf192]) -> Vec<Factor<Gf192>> {
    point.iter().copied().map(Factor::Equal).collect()
}

fn domain(log2_points: u32) -> Option<Basis<Gf192>> {
    (log2_points <= MAX_LOG2_POINTS).then(|| Basis::new(log2_points))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hazmat::trees::Hashing;
    use serde_json::Value;

    fn element(value: &Value) -> Gf192 {
        let mut bytes = [0; 24];
        hex::decode_to_slice(value.as_str().expect("digits"), &mut bytes).expect("48 digits");
        bytes.reverse();
        Gf192::from_le_bytes(bytes)
    }

    fn elements(value: &Value) -> Vec<Gf192> {
        value.as_array().expect("a list").iter().map(element).collect()
    }

    /// What these functions give of the vectors; every case, on every backend, is for `cargo xtask vectors`.
    #[test]
    fn parts_of_the_vectors() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/ligerito-128/basics.json");
        let text = std::fs::read_to_string(path).expect("the vectors are there");
        let file: Value = serde_json::from_str(&text).expect("JSON");
        let powers = elements(&file["phi_powers"]);
        assert!(powers.iter().enumerate().all(|(i, power)| embed(1 << i) == *power));
        assert!(powers.iter().all(|power| invert(*power) * *power == Gf192::ONE));
        assert_eq!(invert(Gf192::ZERO), Gf192::ZERO);

        let large = |case: &&Value| case["field"] == 192;
        let of = |key: &str| file[key].as_array().expect("a list").iter().filter(large).collect::<Vec<_>>();
        let number = |value: &Value| u32::try_from(value.as_u64().expect("a number")).expect("small");
        let table = basis(12).expect("within the limit");
        assert!(table.into_iter().eq(of("sh")[0]["table"].as_array().expect("rows").iter().map(elements)));
        for case in of("encode") {
            let codeword = encode(&elements(&case["message"]), 0, number(&case["r"]));
            assert_eq!(codeword, Some(elements(&case["codeword"])));
        }
        for case in of("generator_row") {
            let (d, r, q) = (number(&case["d"]), number(&case["r"]), number(&case["q"]));
            assert_eq!(generator_factors(d + r, d, q as usize), Some(elements(&case["factors_in_U"])));
            assert_eq!(generator_factors(d + r, d, 1 << (d + r)), None);
        }
        let (point, wanted) = (elements(&file["evaluate"]["point"]), element(&file["evaluate"]["value"]));
        let f = file["evaluate"]["f"].as_array().expect("a list").iter();
        let f: Vec<u32> =
            f.map(|x| u32::from_str_radix(x.as_str().expect("digits"), 16).expect("32 bits")).collect();
        assert_eq!(equal(&point), elements(&file["evaluate"]["eq"]));
        assert_eq!(evaluate(&f, &point), Some(wanted));
        assert_eq!((evaluate(&f[1..], &point), encode(&point, 0, 1), basis(25)), (None, None, None));

        let bytes = |key: &str| hex::decode(file["hash"][key].as_str().expect("digits")).expect("digits");
        let leaf = Hashing::Own128.leaf(1, &bytes("row"));
        assert_eq!(leaf[..], bytes("leaf"));
        let other: [u8; 32] = bytes("leaf_reversed_row").try_into().expect("32 bytes");
        assert_eq!(Hashing::Own128.node(&leaf, &other)[..], bytes("node"));
        assert_eq!(super::super::work(&leaf, 5).to_be_bytes()[..], bytes("pow_u64"));
    }
}
