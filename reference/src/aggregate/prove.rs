//! The prover: whole tables, a plain sumcheck over all positions (spec section 3).

use super::circuit::Circuit;
use super::wiring::{Rule, extended, rules, weights};
use super::witness::{Witness, witness};
use super::{Error, OPENING, Statement, Suite, begin, challenges, log2_blocks, opening, say};
use crate::ligerito::{Large, Transcript, commit, eq, fold, next_sigma, registered, round};
use crate::xmss_blake2s::Signature;

/// Everything between the randomizers and the opening.
#[derive(Clone, Debug)]
pub struct Outer<N> {
    /// The bytes, as the aggregate has them.
    pub bytes: Vec<u8>,
    /// What the opening is bound to.
    pub context: Vec<u8>,
    /// The 96 points that it opens.
    pub points: Vec<Vec<N>>,
    /// Their values, if the slices are right.
    pub values: Vec<N>,
    /// The first challenge.
    pub first_challenge: N,
}

/// The 32 slices of `z` at a point of its words: slice `b` sums up bit `b` of every word.
pub fn slices<N: Large>(z: &[u32], high: &[N]) -> Vec<N> {
    let weights = eq(high);
    let mut slices = vec![N::default(); 32];
    for (&word, &weight) in z.iter().zip(&weights) {
        for (bit, slice) in slices.iter_mut().enumerate() {
            *slice ^= weight.only_if(word >> bit & 1 == 1);
        }
    }
    slices
}

/// The values at the 32 conjugates of a point, from its slices (spec section 3.5).
pub(super) fn conjugate_values<N: Large>(slices: &[N]) -> Vec<N> {
    let mut powers = slices.to_vec();
    let mut values = Vec::new();
    for _ in 0..32 {
        let terms = N::powers().iter().zip(&powers);
        values.push(terms.fold(N::default(), |sum, (&g, &slice)| sum ^ g.times(slice)));
        powers.iter_mut().for_each(|x| *x = x.times(*x));
    }
    values
}

/// The proof without its opening, for any witness and any root.
///
/// # Errors
///
/// `NoEncoding`.
///
/// # Panics
///
/// Panics if the witness has not the size that belongs to the statement.
pub fn outer<N: Suite>(
    statement: &Statement,
    rhos: &[u8],
    witness: &Witness,
    ctx: &[u8],
    root: &[u8; 32],
) -> Result<Outer<N>, Error> {
    let transcript = begin::<N>(statement, rhos, ctx, root);
    let rules = rules(statement, rhos)?;
    Ok(outer_from(&Circuit::blake2s(), transcript, OPENING, rules.as_flattened(), witness, |_, _, _| ()))
}

/// The same of any circuit, from a transcript on that may have heard anything, for the rules of all slots of 2^n blocks; the
/// context of the opening begins with `prefix`. `bend` may change the slices before they are said: it gets which they are
/// of the three, the five lowest coordinates, and them.
///
/// # Panics
///
/// Panics if the witness has not as many blocks as there are rules for.
pub fn outer_from<N: Suite>(
    circuit: &Circuit,
    mut transcript: Transcript<N>,
    prefix: &str,
    rules: &[Rule],
    witness: &Witness,
    mut bend: impl FnMut(usize, &[N], &mut [N]),
) -> Outer<N> {
    let (positions, log2_bits, log2_slots) = (circuit.positions(), circuit.log2_bits, circuit.log2_slots);
    let n = rules.len().trailing_zeros() as usize - log2_slots;
    let variables = log2_bits + n;
    assert_eq!(witness.z.len() << 5, 1 << variables, "a bit for every position");
    let mut bytes = Vec::new();
    let mut slices = |number: usize, low: &[N], high: &[N]| {
        let mut slices = slices(&witness.z, high);
        bend(number, low, &mut slices);
        slices
    };

    // Zerocheck.
    let zeta = challenges(&mut transcript, "zeta", variables);
    let of_zeta = slices(0, &zeta[..5], &zeta[5..]);
    bytes.extend(say(&mut transcript, "slices", &of_zeta));
    let (mut a, mut b) = (bits::<N>(&witness.a), bits::<N>(&witness.b));
    let mut of_rest = eq(&zeta[1..]);
    let mut r = Vec::new();
    for _ in 0..variables {
        let (mut d, mut e2) = (N::default(), N::default());
        for ((a, b), &weight) in a.chunks(2).zip(b.chunks(2)).zip(&of_rest) {
            d ^= times(weight, times(a[0], b[0]) ^ times(a[1], b[1]));
            e2 ^= times(weight, times(a[0] ^ a[1], b[0] ^ b[1]));
        }
        bytes.extend(say(&mut transcript, "zerocheck", &[d, e2]));
        let r_i = transcript.challenge("zerocheck-r");
        (a, b) = (bound(&a, r_i), bound(&b, r_i));
        r.push(r_i);
        // Added up over a coordinate, weights are those of the others.
        of_rest = of_rest.chunks(2).map(|pair| pair.iter().fold(N::default(), |sum, &x| sum ^ x)).collect();
    }
    bytes.extend(say(&mut transcript, "products", &[a[0], b[0]]));
    let products = (a[0], b[0]);

    // Lincheck.
    let (r_in, r_out) = r.split_at(log2_bits);
    let alpha: N = transcript.challenge("alpha");
    let of_rows = eq(r_in);
    let scaled: Vec<N> = of_rows.iter().map(|&x| alpha.times(x)).collect();
    let m = circuit.columns(&of_rows, &scaled);
    let mut z = vec![N::default(); positions];
    for (block, weight) in witness.z.chunks(circuit.words()).zip(eq(r_out)) {
        for (j, sum) in z.iter_mut().enumerate() {
            *sum ^= weight.only_if(block[j / 32] >> (j % 32) & 1 == 1);
        }
    }
    let sigma = products.0 ^ alpha.times(products.1);
    let labels = ["lincheck", "lincheck-r"];
    let (y, said) = sumcheck(&mut transcript, labels, z, m, sigma);
    bytes.extend(said);
    let of_y_high = [&y[5..], r_out].concat();
    let of_y = slices(1, &y[..5], &of_y_high);
    bytes.extend(say(&mut transcript, "slices", &of_y));

    // Wiring.
    let tau = challenges(&mut transcript, "tau", 7);
    let lambda = challenges(&mut transcript, "lambda", log2_slots + n);
    let wiring = weights(circuit, rules, &tau, &lambda);
    let labels = ["wiring", "wiring-r"];
    let (point, said) =
        sumcheck(&mut transcript, labels, slots(circuit, &witness.z, &tau), wiring.w, wiring.sum);
    bytes.extend(said);
    let (sigma, theta) = point.split_at(log2_slots);
    let beyond = vec![N::default(); log2_bits - 7 - log2_slots];
    let of_tau_high = [&tau[5..], sigma, &beyond, theta].concat();
    let of_tau = slices(2, &tau[..5], &of_tau_high);
    bytes.extend(say(&mut transcript, "slices", &of_tau));

    let highs = [zeta[5..].to_vec(), of_y_high, of_tau_high];
    let (context, points) = opening(&mut transcript, prefix, &highs);
    let values = [of_zeta, of_y, of_tau].iter().flat_map(|slices| conjugate_values(slices)).collect();
    Outer { bytes, context, points, values, first_challenge: zeta[0] }
}

/// `G`: the slots of all blocks, each extended at `tau`; index `s + slots t`.
fn slots<N: Large>(circuit: &Circuit, z: &[u32], tau: &[N]) -> Vec<N> {
    let of_bits = eq(tau);
    let mut slots = Vec::new();
    for block in z.chunks(circuit.words()) {
        for words in block.chunks(4).take(circuit.slots()) {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            slots.push(extended(&bytes, &of_bits));
        }
    }
    slots
}

/// All rounds of a sumcheck in Ligerito's form: the challenges, and the bytes that are sent.
fn sumcheck<N: Large>(
    transcript: &mut Transcript<N>,
    [label, challenge]: [&str; 2],
    mut v: Vec<N>,
    mut w: Vec<N>,
    mut sigma: N,
) -> (Vec<N>, Vec<u8>) {
    let (mut point, mut bytes) = (Vec::new(), Vec::new());
    while v.len() > 1 {
        let message = round(&v, &w);
        bytes.extend(say(transcript, label, &[message.0, message.1]));
        let r = transcript.challenge(challenge);
        sigma = next_sigma(sigma, message, r);
        (v, w) = (fold(&v, r), fold(&w, r));
        point.push(r);
    }
    (point, bytes)
}

fn bits<N: Large>(words: &[u32]) -> Vec<N> {
    words.iter().flat_map(|word| (0..32).map(move |i| N::from(u64::from(word >> i & 1)))).collect()
}

/// The product, at once where a factor is zero or one: bits of the first round, and all of the padding.
fn times<N: Large>(x: N, y: N) -> N {
    match (x, y) {
        (zero, _) | (_, zero) if zero == N::default() => zero,
        (one, other) | (other, one) if one == N::one() => other,
        _ => x.times(y),
    }
}

/// [`fold`], by such products.
fn bound<N: Large>(v: &[N], r: N) -> Vec<N> {
    v.chunks(2).map(|pair| pair[0] ^ times(r, pair[0] ^ pair[1])).collect()
}

/// The whole aggregate; signatures in the order of the statement, not verified.
///
/// # Errors
///
/// `NoEncoding`.
///
/// # Panics
///
/// Panics unless there is a signature for every key.
pub fn aggregate<N: Suite>(
    statement: &Statement,
    signatures: &[Signature],
    ctx: &[u8],
) -> Result<Vec<u8>, Error> {
    let rhos: Vec<u8> = signatures.iter().flat_map(|signature| signature.randomness).collect();
    let rules = rules(statement, &rhos)?;
    let witness = Witness::of(&Circuit::blake2s(), witness(statement, &rules, signatures));
    let variables = u8::try_from(log2_blocks(statement.signatures()) + 9).expect("at most 30");
    let shape = registered::<N>(N::PROFILE, variables).expect("17 to 30 variables");
    let committed = commit(&shape, &witness.z).map_err(Error::Opening)?;
    let outer = outer::<N>(statement, &rhos, &witness, ctx, &committed.root())?;
    let opened = committed.open(&outer.points, &outer.context).map_err(Error::Opening)?;
    assert_eq!(opened.values, outer.values, "slices are the values at 32 conjugates");
    Ok([&b"PXA1"[..], &[N::PROFILE], &committed.root(), &rhos, &outer.bytes, &opened.proof].concat())
}
