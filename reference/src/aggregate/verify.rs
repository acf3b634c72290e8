//! The verifier: checks A1 to A7 in their order (spec section 5). A0 is in the statement.

use super::circuit::Circuit;
use super::prove::conjugate_values;
use super::wiring::{Rule, rules, weights};
use super::{Error, OPENING, RANDOMIZER_LEN, Statement, Suite, begin, challenges, log2_blocks, opening, say};
use crate::ligerito::{
    Accepted, Claim, Commitment, Large, Transcript, dot, eq, evaluate, next_sigma, registered,
    verify as verify_opening,
};

/// `M~(y)`: with every column weighted, what the rows of both matrices add up to (spec section 3.2).
pub fn evaluated_rows<N: Large>(circuit: &Circuit, r_in: &[N], alpha: N, y: &[N]) -> N {
    let (of_rows, of_columns) = (eq(r_in), eq(y));
    let mut sum = N::default();
    circuit.rows(|position, forms| {
        if let Some((a, b)) = forms {
            sum ^= of_rows[position].times(a ^ alpha.times(b));
        }
        of_columns[position]
    });
    sum
}

/// Verifies, with at most `limit` signatures.
///
/// # Errors
///
/// The first check that fails.
pub fn verify<N: Suite>(
    limit: usize,
    statement: &Statement,
    ctx: &[u8],
    aggregate: &[u8],
) -> Result<(), Error> {
    let signatures = statement.signatures();
    if signatures > limit {
        return Err(Error::TooManySignatures);
    }
    // A1.
    if aggregate.len() < 5 {
        return Err(Error::Length);
    }
    if aggregate[..5] != [b'P', b'X', b'A', b'1', N::PROFILE] {
        return Err(Error::UnacceptedProfile);
    }
    // A2.
    let n = log2_blocks(signatures);
    let mu = u8::try_from(n + 9).expect("at most 30");
    let shape = registered::<N>(N::PROFILE, mu).expect("17 to 30 variables");
    let outer_len = (162 + 4 * n) * N::FIELD.bytes();
    let fixed = 37 + RANDOMIZER_LEN * signatures + outer_len;
    let longest = fixed as u64 + shape.max_len();
    if aggregate.len() <= fixed || aggregate.len() as u64 > longest {
        return Err(Error::Length);
    }
    let root: [u8; 32] = aggregate[5..37].try_into().expect("32 bytes");
    let (rhos, rest) = aggregate[37..].split_at(RANDOMIZER_LEN * signatures);
    let (outer, proof) = rest.split_at(outer_len);
    // A3.
    let rules = rules(statement, rhos)?;
    let transcript = begin::<N>(statement, rhos, ctx, &root);
    let (claims, context) =
        claims_from(&Circuit::blake2s(), transcript, OPENING, rules.as_flattened(), outer)?;
    // A7.
    let accepted = Accepted::Exactly { profile: N::PROFILE, mu };
    let commitment = Commitment { profile: N::PROFILE, mu, root };
    verify_opening(&accepted, &commitment, &claims, proof, &context).map(|_| ()).map_err(Error::Opening)
}

/// Checks A4 to A6 of the bytes between the randomizers and the opening, for any circuit, for the rules of all slots of
/// 2^n blocks and from any transcript on, with the opening's `prefix`: the claims that are left to the opening, and its context.
///
/// # Errors
///
/// The first check that fails.
pub fn claims_from<N: Suite>(
    circuit: &Circuit,
    mut transcript: Transcript<N>,
    prefix: &str,
    rules: &[Rule],
    outer: &[u8],
) -> Result<(Vec<Claim<N>>, Vec<u8>), Error> {
    let (log2_bits, log2_slots) = (circuit.log2_bits, circuit.log2_slots);
    let n = rules.len().trailing_zeros() as usize - log2_slots;
    let mut elements = outer.chunks(N::FIELD.bytes()).map(N::of_le);
    let mut read = |count| -> Vec<N> { elements.by_ref().take(count).collect() };

    // A4.
    let zeta = challenges(&mut transcript, "zeta", log2_bits + n);
    let of_zeta = read(32);
    say(&mut transcript, "slices", &of_zeta);
    let mut s = evaluate(&of_zeta, &zeta[..5]);
    let mut r: Vec<N> = Vec::new();
    for &zeta in &zeta {
        let message = read(2);
        say(&mut transcript, "zerocheck", &message);
        let r_i: N = transcript.challenge("zerocheck-r");
        s ^= message[0].times(zeta ^ r_i) ^ message[1].times(r_i.times(r_i) ^ r_i);
        r.push(r_i);
    }
    let products = read(2);
    say(&mut transcript, "products", &products);
    if s != products[0].times(products[1]) {
        return Err(Error::Zerocheck);
    }

    // A5.
    let (r_in, r_out) = r.split_at(log2_bits);
    let alpha: N = transcript.challenge("alpha");
    let sigma = products[0] ^ alpha.times(products[1]);
    let (y, s) = replay(&mut transcript, ["lincheck", "lincheck-r"], &read(2 * log2_bits), sigma);
    let of_y = read(32);
    say(&mut transcript, "slices", &of_y);
    if s != evaluated_rows(circuit, r_in, alpha, &y).times(evaluate(&of_y, &y[..5])) {
        return Err(Error::Lincheck);
    }

    // A6.
    let tau = challenges(&mut transcript, "tau", 7);
    let lambda = challenges(&mut transcript, "lambda", log2_slots + n);
    let wiring = weights(circuit, rules, &tau, &lambda);
    let (point, s) = replay(&mut transcript, ["wiring", "wiring-r"], &read(2 * (log2_slots + n)), wiring.sum);
    let of_tau = read(32);
    say(&mut transcript, "slices", &of_tau);
    if s != dot(N::FIELD, &wiring.w, &eq(&point)).times(evaluate(&of_tau, &tau[..5])) {
        return Err(Error::Wiring);
    }

    let (sigma, theta) = point.split_at(log2_slots);
    let beyond = vec![N::default(); log2_bits - 7 - log2_slots];
    let highs = [zeta[5..].to_vec(), [&y[5..], r_out].concat(), [&tau[5..], sigma, &beyond, theta].concat()];
    let (context, points) = opening(&mut transcript, prefix, &highs);
    let values = [of_zeta, of_y, of_tau];
    let values = values.iter().flat_map(|slices| conjugate_values(slices));
    Ok((points.into_iter().zip(values).map(|(point, value)| Claim { point, value }).collect(), context))
}

/// The rounds of a sumcheck in Ligerito's form: the challenges, and what the claim has become.
fn replay<N: Large>(
    transcript: &mut Transcript<N>,
    [label, challenge]: [&str; 2],
    messages: &[N],
    mut sigma: N,
) -> (Vec<N>, N) {
    let mut point = Vec::new();
    for message in messages.chunks(2) {
        say(transcript, label, message);
        let r = transcript.challenge(challenge);
        sigma = next_sigma(sigma, (message[0], message[1]), r);
        point.push(r);
    }
    (point, sigma)
}
