//! A protocol of one's own around an opening: that of three committed columns of bits the third is the AND of the first two.
//! `cargo run --release -p phalanx --example zerocheck`; docs/ligerito.md, section 15, has the argument and its error.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use phalanx::ligerito::{
    Accepted, Commitment, Error, Gf128, PLANES, PlanesClaim, Preset, ProofReader, ProofWriter, ProverData,
    SumClaim, Transcript, Weight, commit_bits, value_of_planes, verify_sums_in,
};

/// Nobody else's protocol is called so.
const PROTOCOL: &str = "phalanx example zerocheck 1";
const ONE: Gf128 = Gf128(1);
/// A column has 2^15 bits: five variables are inside a word of 32, the others number the words.
const VARIABLES: usize = 15;
const INSIDE: usize = 5;
/// Three columns and one of zeros make one polynomial of 2^12 words.
const WORDS: u8 = 12;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let a: Vec<u64> = (1..=512).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let b: Vec<u64> = a.iter().map(|x| x.rotate_left(23) ^ x >> 9).collect();
    let mut c: Vec<u64> = a.iter().zip(&b).map(|(a, b)| a & b).collect();

    let bits = [&a[..], &b, &c, &[0; 512]].concat();
    let (commitment, data) = commit_bits(Preset::Balanced, &bits)?;
    let proof = prove(&commitment, &data, [&a, &b, &c])?;
    verify(&commitment, &proof)?;
    println!("2^{VARIABLES} AND gates: a proof of {} bytes", proof.len());

    // One gate wrong, everything else done as it should be.
    c[300] ^= 1 << 17;
    let bits = [&a[..], &b, &c, &[0; 512]].concat();
    let (commitment, data) = commit_bits(Preset::Balanced, &bits)?;
    let proof = prove(&commitment, &data, [&a, &b, &c])?;
    match verify(&commitment, &proof) {
        Ok(()) => return Err("a wrong gate verifies".into()),
        Err(error) => println!("a wrong gate: {error}"),
    }
    Ok(())
}

/// Both sides begin so: with what is to be believed, and with the commitment before anything is drawn.
fn begin(commitment: &Commitment) -> Transcript {
    let mut transcript = Transcript::new(PROTOCOL, &(VARIABLES as u64).to_le_bytes());
    transcript.bind(commitment);
    transcript
}

fn prove(commitment: &Commitment, data: &ProverData<'_>, columns: [&[u64]; 3]) -> Result<Vec<u8>, Error> {
    let mut writer = ProofWriter::new(begin(commitment));
    let tau = writer.transcript().challenges("tau", VARIABLES);
    let mut weights = equal(&tau);
    let mut tables = columns.map(|column| -> Vec<Gf128> {
        column.iter().flat_map(|word| (0..64).map(move |i| Gf128((word >> i & 1).into()))).collect()
    });
    let mut point = Vec::new();
    for _ in 0..VARIABLES {
        writer.send("round", &round(&weights, &tables));
        let r = writer.transcript().challenge("fold");
        fold(&mut weights, r);
        tables.iter_mut().for_each(|table| fold(table, r));
        point.push(r);
    }
    let mut orbits = Vec::new();
    for column in 0..3 {
        orbits.push(data.orbit(&in_column(&point[INSIDE..], column))?);
        writer.send("planes", orbits[column].planes());
    }
    let weights: Vec<Weight<'_>> = orbits.iter().map(Weight::Planes).collect();
    data.open_sums_in(&mut writer, &weights, b"")?;
    Ok(writer.finish().0)
}

fn verify(commitment: &Commitment, proof: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    let mut reader = ProofReader::new(begin(commitment), proof);
    let tau = reader.transcript().challenges("tau", VARIABLES);
    // What eq(tau, x) (a(x) b(x) + c(x)) adds up to over the coordinates that are left: nothing, over all.
    let (mut sum, mut weight) = (Gf128(0), ONE);
    let mut point = Vec::new();
    for tau in tau {
        let message = reader.receive("round", 3)?;
        let r = reader.transcript().challenge("fold");
        let (constant, square, cube) = (message[0], message[1], message[2]);
        // The values at 0 and 1 add up to `sum`.
        let linear = sum + square + cube;
        sum = constant + r * (linear + r * (square + r * cube));
        weight *= ONE + tau + r;
        point.push(r);
    }
    let (inside, words) = point.split_at(INSIDE);
    let (mut planes, mut values) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let received: [Gf128; PLANES] = reader.receive("planes", PLANES)?.try_into().expect("32 planes");
        values.push(value_of_planes(inside, &[ONE], &received)?);
        planes.push(received);
    }
    if sum != weight * (values[0] * values[1] + values[2]) {
        return Err("the columns do not give what the rounds leave".into());
    }
    let points: Vec<_> = (0..3).map(|column| in_column(words, column)).collect();
    let claims: Vec<_> = points
        .iter()
        .zip(&planes)
        .map(|(point, planes)| SumClaim::Planes(PlanesClaim { point, planes }))
        .collect();
    let accepted = Accepted::exactly(Preset::Balanced, WORDS);
    verify_sums_in(reader, &accepted, commitment, &claims, b"")?.finish()?;
    Ok(())
}

/// A point of a column as one of the whole polynomial: two more coordinates say which column.
fn in_column(words: &[Gf128], column: usize) -> Vec<Gf128> {
    let selector = [0, 1].map(|bit| Gf128((column >> bit & 1) as u128));
    [words, &selector].concat()
}

/// eq(tau, x) for every x.
fn equal(tau: &[Gf128]) -> Vec<Gf128> {
    let mut table = vec![ONE];
    for tau in tau {
        let upper: Vec<Gf128> = table.iter().map(|x| *x * *tau).collect();
        table.iter_mut().zip(&upper).for_each(|(lower, upper)| *lower += *upper);
        table.extend(upper);
    }
    table
}

/// The coefficients of 1, X^2 and X^3 of the sum over the other coordinates of e(X) (a(X) b(X) + c(X)).
fn round(weights: &[Gf128], [a, b, c]: &[Vec<Gf128>; 3]) -> [Gf128; 3] {
    let mut message = [Gf128(0); 3];
    for i in (0..weights.len()).step_by(2) {
        // Constant and slope of each.
        let [e, a, b, c] = [weights, a, b, c].map(|table| (table[i], table[i] + table[i + 1]));
        let inner = [a.0 * b.0 + c.0, a.0 * b.1 + a.1 * b.0 + c.1, a.1 * b.1];
        message[0] += e.0 * inner[0];
        message[1] += e.0 * inner[2] + e.1 * inner[1];
        message[2] += e.1 * inner[2];
    }
    message
}

/// Binds the lowest coordinate to r.
fn fold(table: &mut Vec<Gf128>, r: Gf128) {
    *table = table.chunks_exact(2).map(|pair| pair[0] + r * (pair[0] + pair[1])).collect();
}
