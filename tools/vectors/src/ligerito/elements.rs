//! Field elements as the files write them, and the generator that files name seeds of.

use super::suite::Suite;
use crate::json::Bytes;
use crate::report::Check;
use phalanx::ligerito::Gf128;
use phalanx::ligerito::hazmat::fields::Field;
use serde::{Deserialize, Deserializer, de::Error};
use sha2::{Digest, Sha256};

/// An element: its integer in hexadecimal, most significant digit first, with as many digits as its field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) field: Field,
    pub(crate) integer: u128,
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let bytes = hex::decode(&text).map_err(D::Error::custom)?;
        let field = Field::ALL.into_iter().find(|field| field.bits() as usize == 8 * bytes.len());
        let field =
            field.ok_or_else(|| D::Error::custom(format_args!("not as long as an element: '{text}'")))?;
        let integer = bytes.iter().fold(0, |integer, byte| integer << 8 | u128::from(*byte));
        Ok(Self { field, integer })
    }
}

/// The integers, if all are elements of `field`.
pub(crate) fn integers(field: Field, elements: &[Element]) -> Result<Vec<u128>, String> {
    let integer = |element: &Element| {
        (element.field == field)
            .then_some(element.integer)
            .ok_or_else(|| format!("an element that is not of {}", field.name()))
    };
    elements.iter().map(integer).collect()
}

/// An element of GF(2^128), in the files of the published crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Large(pub(super) Gf128);

impl<'de> Deserialize<'de> for Large {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let element = Element::deserialize(from)?;
        let of_field = element.field == Field::Gf128;
        of_field
            .then_some(Self(Gf128(element.integer)))
            .ok_or_else(|| D::Error::custom("not an element of gf128"))
    }
}

/// The elements without their wrapping.
pub(crate) fn plain(elements: &[Large]) -> Vec<Gf128> {
    elements.iter().map(|element| element.0).collect()
}

/// The elements of a suite's large field that files write in hexadecimal.
pub(crate) fn large<S: Suite>(digits: &[Bytes]) -> Result<Vec<S::Challenge>, String> {
    digits.iter().map(one_large::<S>).collect()
}

/// One of them.
pub(crate) fn one_large<S: Suite>(digits: &Bytes) -> Result<S::Challenge, String> {
    S::element(&digits.0).ok_or_else(|| format!("not an element of gf{}", S::BITS))
}

/// The elements of GF(2^32) that files write in hexadecimal.
pub(crate) fn small(digits: &[Bytes]) -> Result<Vec<u128>, String> {
    let element = |digits: &Bytes| {
        let bytes: Option<[u8; 4]> = digits.0.as_slice().try_into().ok();
        bytes.map(|bytes| u128::from(u32::from_be_bytes(bytes))).ok_or("not an element of gf32".to_owned())
    };
    digits.iter().map(element).collect()
}

/// A field by its name.
pub(crate) fn field_of_name(name: &str) -> Result<Field, String> {
    Field::from_name(name).ok_or_else(|| format!("no field {name}"))
}

/// The generator of the files: xorshift of 64 bits, whose state is the seed.
pub(crate) struct Generator(pub(super) u64);

impl Generator {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// The next elements: low bits of a word, or two words, the upper half first.
    pub(crate) fn elements(&mut self, field: Field, count: usize) -> Vec<u128> {
        let mask = (1u128 << field.bits().min(64)) - 1;
        let mut element = || match field {
            Field::Gf128 => u128::from(self.word()) << 64 | u128::from(self.word()),
            _ => u128::from(self.word()) & mask,
        };
        (0..count).map(|_| element()).collect()
    }

    /// The next coefficients of a polynomial.
    pub(crate) fn polynomial(&mut self, variables: u8) -> Vec<u32> {
        (0..1u64 << variables).map(|_| (self.word() & 0xffff_ffff) as u32).collect()
    }
}

/// SHA-256.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// SHA-256 of the little-endian bytes of a polynomial's coefficients.
pub(crate) fn sha256_of_words(words: &[u32]) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut bytes = [0; 4096];
    for words in words.chunks(bytes.len() / 4) {
        for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        hash.update(&bytes[..4 * words.len()]);
    }
    hash.finalize().into()
}

/// What a hook gives for good input; the reason names what was not good.
pub(crate) fn given<T>(what: &str, answer: Option<T>) -> Result<T, String> {
    answer.ok_or_else(|| format!("{what}: not possible for these sizes"))
}

/// Numbers of columns that a single column is also encoded beside others in: fewer than, as many as and more than the
/// kernels' lanes.
const LOG2_COLUMNS: [u32; 4] = [0, 1, 4, 6];

/// Larger matrices of codewords than this say nothing more, and take their time.
const MAX_CELLS: usize = 1 << 17;

/// Encodes `message` as every column of matrices with several numbers of columns, each column by a factor of its own,
/// and compares with the factor times `wanted`. `scale` multiplies an element by a small integer's.
pub(crate) fn encodes<F: Copy + PartialEq>(
    message: &[F],
    wanted: &[F],
    scale: impl Fn(F, u64) -> Option<F>,
    encode: impl Fn(&[F], u32) -> Option<Vec<F>>,
) -> Check {
    let fits = |log2_columns: &u32| wanted.len() << log2_columns <= MAX_CELLS;
    for log2_columns in LOG2_COLUMNS.into_iter().filter(fits) {
        let factors = (0..1u64 << log2_columns).map(|column| if column == 0 { 1 } else { column * 73 + 5 });
        let factors: Vec<u64> = factors.collect();
        let spread = |column: &[F]| -> Option<Vec<F>> {
            let cells = column.iter().flat_map(|x| factors.iter().map(|factor| scale(*x, *factor)));
            cells.collect()
        };
        let matrix = given("message", spread(message))?;
        let codeword = given("encoding", encode(&matrix, log2_columns))?;
        if codeword != given("codeword", spread(wanted))? {
            return Err(format!("another codeword, encoded beside {} columns", factors.len() - 1));
        }
    }
    Ok(())
}

/// [`encodes`] for a field whose elements are integers.
pub(crate) fn encodes_in(
    field: Field,
    message: &[u128],
    wanted: &[u128],
    encode: impl Fn(&[u128], u32) -> Option<Vec<u128>>,
) -> Check {
    encodes(message, wanted, |x, factor| field.multiply(x, factor.into()), encode)
}
