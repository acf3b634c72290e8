//! Ligerito: a polynomial of 2^16 coefficients, its values at points, proofs of them, and what must be refused.

use super::section::{Fault, Section, check};
use phalanx::ligerito::{
    self, Accepted, Commitment, Error, EvaluationClaim, Gf128, Opening, Preset, ProofError, SUITE,
};

/// Variables of the polynomial.
const VARIABLES: u8 = 16;

/// Where the generator of the polynomial begins, as in `vectors/ligerito-own/proof_16.json`.
const SEED: u64 = 6161;

/// The root of its commitment.
const ROOT: &str = "c95f5998666eb879bcc1936d12b965c220199b5708ee5dc4db071e53335451bf";

/// What the proofs are for.
const CONTEXT: &[u8] = b"the tour of phalanx";

/// The coefficients: xorshift of Marsaglia, 64 bits wide, the lower half of each output.
fn polynomial() -> Vec<u32> {
    let mut state = SEED;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let [a, b, c, d, ..] = state.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    };
    (0..1 << VARIABLES).map(|_| next()).collect()
}

/// A point whose coordinate 0 is `first`: such points lie on a line.
fn point(first: u128) -> Vec<Gf128> {
    let others = (1..u128::from(VARIABLES)).map(|j| Gf128(0x0123_4567_89ab_cdef << j ^ j << 90));
    std::iter::once(Gf128(first)).chain(others).collect()
}

/// The section.
pub(super) fn tour(section: &mut Section) -> Result<(), Fault> {
    section.begin(format_args!("Ligerito ({SUITE}): a polynomial of 2^{VARIABLES} coefficients"));
    let polynomial = polynomial();
    let root = |result: &Result<(Commitment, _), Error>, _| match result {
        Ok((commitment, _)) => {
            Ok(format!("{} bytes, root {}", Commitment::LEN_BYTES, hex::encode(commitment.root())))
        }
        Err(error) => Err(Fault::from(*error)),
    };
    let (commitment, data) =
        section.step("commit", || ligerito::commit(Preset::Balanced, &polynomial), root)??;
    check(hex::encode(commitment.root()) == ROOT, "the polynomial has another root")?;

    let third = Gf128(0xfeed_f00d << 64 | 7);
    let points = [point(0), point(1), point(third.0)];
    let points: Vec<&[Gf128]> = points.iter().map(Vec::as_slice).collect();
    let size = |opening: &Result<Opening, Error>, _| match opening {
        Ok(opening) => Ok(format!("proof of {} bytes", opening.proof.len())),
        Err(error) => Err(Fault::from(*error)),
    };
    let one = section.step("open at a point", || data.open(&points[..1], CONTEXT), size)??;
    let accepted = Accepted::exactly(Preset::Balanced, VARIABLES);
    let claims = |values: &[Gf128]| -> Vec<EvaluationClaim<'_>> {
        points.iter().zip(values).map(|(point, &value)| EvaluationClaim { point, value }).collect()
    };
    let of_one = claims(&one.values);
    let bits = |_: &Result<(), ProofError>, _| Ok("100 provable bits".to_owned());
    let verify = |claims: &[EvaluationClaim<'_>], proof: &[u8]| {
        ligerito::verify(&accepted, &commitment, claims, proof, CONTEXT)
    };
    check(section.step("verify", || verify(&of_one, &one.proof), bits)?.is_ok(), "a proof is rejected")?;

    let three = section.step("open at three points", || data.open(&points, CONTEXT), size)??;
    let [y0, y1, y2] = three.values[..] else { return check(false, "three points have not three values") };
    check(y2 == y0 + third * (y0 + y1), "values on a line are not those of a multilinear polynomial")?;
    let of_three = claims(&three.values);
    let result = section.step("verify all", || verify(&of_three, &three.proof), bits)?;
    check(result.is_ok(), "a proof for three points is rejected")?;

    refusals(section, &verify, &of_three, &three.proof)?;
    let compact = || ligerito::commit(Preset::Compact, &polynomial)?.1.open(&points[..1], CONTEXT);
    let compact = section.step("commit, open: compact", compact, size)??;
    check(compact.values == one.values, "the profiles find different values")
}

/// A result on claims and a proof.
type Verify<'a> = &'a dyn Fn(&[EvaluationClaim<'_>], &[u8]) -> Result<(), ProofError>;

/// What must be refused.
fn refusals(
    section: &mut Section,
    verify: Verify<'_>,
    claims: &[EvaluationClaim<'_>],
    proof: &[u8],
) -> Result<(), Fault> {
    let reason = |result: &Result<(), ProofError>, _| {
        Ok(result.err().map_or_else(String::new, |error| format!("rejected: {error}")))
    };
    let mut tampered = proof.to_vec();
    // A bit of an opened row: rounds and the final vector stand before the rows, hashes behind.
    let middle = tampered.len() / 2;
    tampered[middle] ^= 1;
    let result = section.step("tampered proof", || verify(claims, &tampered), reason)?;
    check(result == Err(ProofError::MerkleRoot { level: 0 }), "a tampered proof verifies")?;

    let mut others = claims.to_vec();
    others[1].value += Gf128(1);
    let result = section.step("another value", || verify(&others, proof), reason)?;
    check(result.is_err(), "a wrong value verifies")?;
    check(verify(&claims[..2], proof).is_err(), "a proof verifies for fewer values")
}
