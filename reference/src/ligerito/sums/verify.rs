//! The verifier: the checks in their order.

use super::super::field::Large;
use super::super::multilinear::{dot, eq, fold};
use super::super::prove::combine;
use super::super::transcript::{Squeeze, Transcript, pow};
use super::super::tree::{Digest, hash_leaf, recomputed_root};
use super::super::verify::{Reader, next_sigma};
use super::super::{Error, MAX_CLAIMS, Shape};
use super::{Committed34, Layout, Numbered, combine_groups, out_of_domain, start, with_sample, with_samples};

/// What a broken verifier leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// Nothing: the verifier of the specification.
    Nothing,
    /// The check with this error, of this level; those that happen once belong to level 0.
    Check(Error, usize),
    /// The induced claims of this level.
    Induced(usize),
}

impl Without {
    /// One check.
    fn require(self, error: Error, level: usize, holds: bool) -> Result<(), Error> {
        if holds || self == Without::Check(error, level) { Ok(()) } else { Err(error) }
    }
}

/// Verifies claims about one polynomial.
///
/// # Errors
///
/// The first failed check.
pub fn verify<N: Large>(
    transcript: &mut Transcript<N>,
    suite: &str,
    commitments: &[Committed34<N>],
    claims: &[Numbered<N>],
    proof: &[u8],
    ctx: &[u8],
) -> Result<Vec<Squeeze>, Error> {
    verify_without(Without::Nothing, transcript, suite, &of_one(commitments), commitments, claims, proof, ctx)
}

/// The layout of a single commitment.
fn of_one<N: Large>(commitments: &[Committed34<N>]) -> Layout<N> {
    let [only] = commitments else { panic!("several commitments have a layout: `verify_without`") };
    Layout::of(&only.shape)
}

/// [`verify`] of any number of commitments under a layout of their shapes, by a verifier that leaves something out.
///
/// # Errors
///
/// The first failed check of those that are left.
#[allow(clippy::too_many_arguments, reason = "the names of the specification, side by side")]
pub fn verify_without<N: Large>(
    without: Without,
    transcript: &mut Transcript<N>,
    suite: &str,
    layout: &Layout<N>,
    commitments: &[Committed34<N>],
    claims: &[Numbered<N>],
    proof: &[u8],
    ctx: &[u8],
) -> Result<Vec<Squeeze>, Error> {
    check(without, commitments, claims)?;
    without.require(Error::ProofLength, 0, proof.len() as u64 <= max_len(layout, commitments, claims))?;
    let mut rest = proof;
    verify_first(without, transcript, suite, layout, commitments, claims, &mut rest, ctx)?;
    without.require(Error::ProofLength, 0, rest.is_empty())?;
    Ok(transcript.squeezes.clone())
}

/// [`verify`] where the proof stands in a longer one: takes it away from the front of `proof`. How long it is follows from
/// the statement and the transcript, so neither its longest length nor its end is asked for.
///
/// # Errors
///
/// The first failed check.
pub fn verify_in<N: Large>(
    transcript: &mut Transcript<N>,
    suite: &str,
    commitments: &[Committed34<N>],
    claims: &[Numbered<N>],
    proof: &mut &[u8],
    ctx: &[u8],
) -> Result<(), Error> {
    let layout = of_one(commitments);
    check(Without::Nothing, commitments, claims)?;
    verify_first(Without::Nothing, transcript, suite, &layout, commitments, claims, proof, ctx)
}

/// The statement's own form.
fn check<N: Large>(
    without: Without,
    commitments: &[Committed34<N>],
    claims: &[Numbered<N>],
) -> Result<(), Error> {
    without.require(Error::NoClaims, 0, !claims.is_empty())?;
    let points: usize = claims.iter().map(|(_, claim)| claim.values().len()).sum();
    without.require(Error::TooManyClaims, 0, points <= MAX_CLAIMS)?;
    for (a, claim) in claims {
        let commitment = commitments.get(*a).ok_or(Error::CommitmentIndex)?;
        claim.check(commitment.shape.mu().into())?;
    }
    Ok(())
}

/// The protocol, from the first frame to the last check.
#[allow(clippy::too_many_arguments, reason = "the names of the specification, side by side")]
fn verify_first<N: Large>(
    without: Without,
    transcript: &mut Transcript<N>,
    suite: &str,
    layout: &Layout<N>,
    commitments: &[Committed34<N>],
    claims: &[Numbered<N>],
    rest: &mut &[u8],
    ctx: &[u8],
) -> Result<(), Error> {
    let require = |error, level, holds| without.require(error, level, holds);
    let shapes: Vec<&Shape<N>> = commitments.iter().map(|commitment| &commitment.shape).collect();
    let gamma = start(transcript, suite, layout, commitments, claims, ctx);
    let (mut w, mut sigma) = layout.weights(&shapes, &with_samples(commitments, suite, claims), gamma);
    let (size, shape) = (N::FIELD.bytes(), &layout.shape);
    let mut proof = Reader { rest };
    let mut root: Option<Digest> = None;
    let (mut yr, mut at_the_end) = (Vec::new(), Vec::new());
    let bind = |transcript: &mut Transcript<N>, proof: &mut Reader<'_>, sigma: &mut N| {
        let message = proof.take(2 * size)?;
        transcript.absorb("round", message);
        let r = transcript.challenge("fold");
        *sigma = next_sigma(*sigma, (N::of_le(&message[..size]), N::of_le(&message[size..])), r);
        Ok(r)
    };
    for (i, level) in shape.levels().iter().enumerate() {
        let mut rho = Vec::new();
        for _ in 0..level.k {
            let r = bind(transcript, &mut proof, &mut sigma)?;
            w = fold(&w, r);
            rho.push(r);
        }
        let (mut next_root, mut sample) = (None, None);
        if i < shape.last() {
            let next = proof.digest()?;
            transcript.absorb("root", &next);
            next_root = Some(next);
            if N::SAMPLES {
                let point = out_of_domain(transcript, level.d);
                let value = proof.take(size)?;
                transcript.absorb("ood-value", value);
                sample = Some((point, N::of_le(value)));
            }
        } else {
            let message = proof.take(size * layout.final_len())?;
            transcript.absorb("final", message);
            yr = message.chunks_exact(size).map(N::of_le).collect();
            yr.resize(1 << level.d, N::default());
            at_the_end = yr.clone();
            for _ in 0..layout.closing_rounds(claims) {
                let r = bind(transcript, &mut proof, &mut sigma)?;
                (at_the_end, w) = (fold(&at_the_end, r), fold(&w, r));
            }
        }
        let bits = if i == 0 { layout.grind } else { level.grind };
        if bits > 0 {
            let seed = transcript.squeeze("pow-seed", 32);
            let nonce = proof.take(8)?;
            let number = u64::from_le_bytes(nonce.try_into().expect("eight bytes"));
            require(Error::ProofOfWork, i, pow::<N>(&seed, number).is_multiple_of(1 << bits))?;
            transcript.absorb("pow-nonce", nonce);
        }
        let weights = eq(&rho);
        if let Some(root) = root {
            let positions = transcript.queries(level.d + level.r, level.queries);
            let (rows, found) = rows(&mut proof, shape, i, &positions)?;
            require(Error::MerkleRoot, i, found == root)?;
            if i < shape.last() {
                let alpha = transcript.challenge("alpha");
                with_sample(sample, alpha, &mut sigma, &mut w, |sigma, w| {
                    if without != Without::Induced(i) {
                        combine(shape, i, &positions, &rows, &rho, alpha, sigma, w);
                    }
                });
            } else {
                for (row, q) in rows.iter().zip(&positions) {
                    let entry = dot(N::FIELD, &yr, &shape.code(i).generator_row_in_large(*q));
                    require(Error::FinalRow, 0, dot(N::FIELD, row, &weights) == entry)?;
                }
            }
        } else {
            let queries =
                |group: &super::Group| transcript.queries(group.level.d + group.level.r, group.level.queries);
            let positions: Vec<Vec<u64>> = layout.groups.iter().map(queries).collect();
            let mut opened = Vec::new();
            for (group, positions) in layout.groups.iter().zip(positions) {
                let mut folded = Vec::new();
                for &(a, offset) in &group.members {
                    let (rows, found) = rows(&mut proof, shapes[a], 0, &positions)?;
                    require(Error::MerkleRoot, 0, found == commitments[a].root)?;
                    let fold = |row: &Vec<N>| dot(N::FIELD, row, &weights[offset..offset + row.len()]);
                    folded.push(rows.iter().map(fold).collect::<Vec<N>>());
                }
                opened.push((positions, folded));
            }
            if i < shape.last() {
                let alpha = transcript.challenge("alpha");
                with_sample(sample, alpha, &mut sigma, &mut w, |sigma, w| {
                    if without != Without::Induced(0) {
                        combine_groups(layout, &shapes, &opened, alpha, sigma, w);
                    }
                });
            } else {
                for (group, (positions, folded)) in layout.groups.iter().zip(&opened) {
                    let code = shapes[group.members[0].0].code(0);
                    let part = &yr[group.position..group.position + (1 << group.level.d)];
                    for (t, q) in positions.iter().enumerate() {
                        let row = folded.iter().fold(N::default(), |sum, rows| sum ^ rows[t]);
                        let fits = row == dot(N::FIELD, part, &code.generator_row_in_large(*q));
                        require(Error::FinalRow, 0, fits)?;
                    }
                }
            }
        }
        root = next_root;
    }
    require(Error::FinalClaim, 0, sigma == dot(N::FIELD, &at_the_end, &w))?;
    *rest = proof.rest;
    Ok(())
}

/// The opened rows of a level in the large field, and the root that they lead to.
fn rows<N: Large>(
    proof: &mut Reader<'_>,
    shape: &Shape<N>,
    i: usize,
    positions: &[u64],
) -> Result<(Vec<Vec<N>>, Digest), Error> {
    let (level, field) = (shape.levels()[i], shape.field(i));
    let (mut rows, mut leaves) = (Vec::new(), Vec::new());
    for &q in positions {
        let bytes = proof.take(field.bytes() << level.k)?;
        leaves.push((q, hash_leaf::<N>(bytes)));
        let entries = bytes.chunks_exact(field.bytes()).map(N::of_le);
        rows.push(entries.map(|entry| field.into_large(entry)).collect());
    }
    Ok((rows, recomputed_root::<N>(level.d + level.r, leaves, || proof.digest())?))
}

/// The longest proof, in bytes.
fn max_len<N: Large>(layout: &Layout<N>, commitments: &[Committed34<N>], claims: &[Numbered<N>]) -> u64 {
    let element = N::FIELD.bytes() as u64;
    let nodes = |queries: u16, height: u8| -> u64 {
        32 * (1..=height).map(|h| u64::from(queries).min(1 << (h - 1))).sum::<u64>()
    };
    let mut sum = 2 * element * u64::from(layout.kappa + layout.closing_rounds(claims));
    sum += element * layout.final_len() as u64 + if layout.grind > 0 { 8 } else { 0 };
    for group in &layout.groups {
        for &(a, _) in &group.members {
            let columns = 1 << commitments[a].shape.levels()[0].k;
            sum += u64::from(group.level.queries) * columns * 4;
            sum += nodes(group.level.queries, group.level.d + group.level.r);
        }
    }
    for level in &layout.shape.levels()[1..] {
        sum += 32
            + layout.shape.sample_len()
            + 2 * element * u64::from(level.k)
            + if level.grind > 0 { 8 } else { 0 };
        sum += u64::from(level.queries) * (element << level.k) + nodes(level.queries, level.d + level.r);
    }
    sum
}
