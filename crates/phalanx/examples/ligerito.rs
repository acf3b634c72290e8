//! Commit to a polynomial, open it at two points, verify: `cargo run --release -p phalanx --example ligerito`.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use phalanx::ligerito::{self, Accepted, Commitment, EvaluationClaim, Gf128, Preset};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The polynomial in 16 variables is given by its values on the Boolean cube: word x is the value at the bits of x.
    let variables = 16;
    let polynomial: Vec<u32> = (0..1u32 << variables).map(|x| x.wrapping_mul(0x9e37_79b9) ^ x >> 7).collect();
    let (commitment, data) = ligerito::commit(Preset::Balanced, &polynomial)?;
    println!("{} coefficients, commitment of {} bytes", polynomial.len(), Commitment::LEN_BYTES);

    // Points have coordinates in GF(2^128). In a protocol they come from a transcript that has the commitment in it.
    let first: Vec<Gf128> = (0..u128::from(variables)).map(|j| Gf128(3 + j * j)).collect();
    let second: Vec<Gf128> = (0..u128::from(variables)).map(|j| Gf128(j << 77 | 5)).collect();
    let context = b"example of phalanx";
    let opening = data.open(&[&first, &second], context)?;
    println!("one proof of {} bytes for two values", opening.proof.len());

    // The verifier has the bytes, its own statement, and its own idea of which commitments it takes.
    let received = Commitment::from_bytes(&commitment.to_bytes())?;
    let accepted = Accepted::exactly(Preset::Balanced, variables);
    let mut claims = [
        EvaluationClaim { point: &first, value: opening.values[0] },
        EvaluationClaim { point: &second, value: opening.values[1] },
    ];
    ligerito::verify(&accepted, &received, &claims, &opening.proof, context)?;
    println!("the values are right");

    // Another value has no proof.
    claims[1].value += Gf128(1);
    match ligerito::verify(&accepted, &received, &claims, &opening.proof, context) {
        Ok(()) => return Err("a wrong value verifies".into()),
        Err(error) => println!("another value: {error}"),
    }
    Ok(())
}
