//! The prover: whole tables, and values as they are given, true or not.

use super::super::dishonest::lies::adjusted;
use super::super::field::{Large, large_bytes};
use super::super::multilinear::{dot, eq, evaluate, fold};
use super::super::prove::{Matrix, combine, grind, round};
use super::super::transcript::{Squeeze, Transcript, pow};
use super::super::tree::Digest;
use super::super::verify::next_sigma;
use super::super::{Committed, Shape};
use super::{Committed34, Layout, Numbered, combine_groups, out_of_domain, start, with_sample, with_samples};

/// What a prover does that is not in the protocol; by default nothing.
#[derive(Clone, Debug, Default)]
pub struct Lies<N = u128> {
    /// The roots of the statement, in place of those of what is opened.
    pub roots: Option<Vec<Digest>>,
    /// What the statement's sample is wrong by.
    pub sample: N,
    /// What the sample of a later level, the number given, is wrong by.
    pub later_sample: Option<(usize, N)>,
    /// Sends a final vector near the folded one that gives what the claims add up to.
    pub final_vector: bool,
    /// Does no work.
    pub no_work: bool,
}

/// Proves claims about one polynomial, without asking whether they are true; `transcript` may have been used before. Gives the
/// proof and everything that was squeezed.
pub fn open<N: Large>(
    transcript: &mut Transcript<N>,
    suite: &str,
    committed: &[(&Committed<N>, u8)],
    claims: &[Numbered<N>],
    ctx: &[u8],
) -> (Vec<u8>, Vec<Squeeze>) {
    let [(only, _)] = committed else { panic!("several polynomials have a layout: `open_with`") };
    open_with(&Lies::default(), transcript, suite, &Layout::of(&only.shape), committed, claims, ctx)
}

/// What a prover knows between two messages.
struct Prover<'t, N> {
    transcript: &'t mut Transcript<N>,
    proof: Vec<u8>,
    sigma: N,
}

impl<N: Large> Prover<'_, N> {
    /// As many rounds; gives the challenges.
    fn rounds(&mut self, count: u8, v: &mut Vec<N>, w: &mut Vec<N>) -> Vec<N> {
        let mut rho = Vec::new();
        for _ in 0..count {
            let (e0, e2) = round(v, w);
            self.send("round", &large_bytes(&[e0, e2]));
            let r = self.transcript.challenge("fold");
            self.sigma = next_sigma(self.sigma, (e0, e2), r);
            (*v, *w) = (fold(v, r), fold(w, r));
            rho.push(r);
        }
        rho
    }

    fn send(&mut self, label: &str, message: &[u8]) {
        self.transcript.absorb(label, message);
        self.proof.extend(message);
    }

    fn work(&mut self, bits: u8, lazy: bool) {
        if lazy && bits > 0 {
            let seed = self.transcript.squeeze("pow-seed", 32);
            let idle = |&nonce: &u64| !pow::<N>(&seed, nonce).is_multiple_of(1 << bits);
            let nonce = (0..).find(idle).expect("some nonce does no work");
            self.send("pow-nonce", &nonce.to_le_bytes());
        } else {
            self.proof.extend(grind(self.transcript, bits));
        }
    }
}

/// [`open`] of any number of polynomials under a layout of their shapes, by a prover that may lie.
pub fn open_with<N: Large>(
    lies: &Lies<N>,
    transcript: &mut Transcript<N>,
    suite: &str,
    layout: &Layout<N>,
    committed: &[(&Committed<N>, u8)],
    claims: &[Numbered<N>],
    ctx: &[u8],
) -> (Vec<u8>, Vec<Squeeze>) {
    let shapes: Vec<&Shape<N>> = committed.iter().map(|(committed, _)| &committed.shape).collect();
    let root = |a: usize| lies.roots.as_ref().map_or_else(|| committed[a].0.root(), |roots| roots[a]);
    let commitments: Vec<_> = (0..committed.len())
        .map(|a| {
            let commitment = Committed34::under(committed[a].0, root(a), committed[a].1, suite);
            Committed34 { sample: commitment.sample.map(|y| y ^ lies.sample), ..commitment }
        })
        .collect();
    let gamma = start(transcript, suite, layout, &commitments, claims, ctx);
    let (mut w, sigma) = layout.weights(&shapes, &with_samples(&commitments, suite, claims), gamma);
    let mut prover = Prover { transcript, proof: Vec::new(), sigma };
    let tables = committed.iter().enumerate();
    let tables = tables.map(|(a, (committed, _))| (a, shapes[a].levels()[0].k, &committed.polynomial[..]));
    let mut v = layout.laid(tables);
    let shape = &layout.shape;
    let mut matrix: Option<Matrix<N>> = None;
    for (i, level) in shape.levels().iter().enumerate() {
        let rho = prover.rounds(level.k, &mut v, &mut w);
        let next = (i < shape.last()).then(|| Matrix::encode(shape, i + 1, &v));
        let mut sample = None;
        if let Some(next) = &next {
            prover.send("root", &next.tree.root());
            if N::SAMPLES {
                let point = out_of_domain(prover.transcript, level.d);
                let wrong_by = lies.later_sample.filter(|lie| lie.0 == i + 1);
                let value = evaluate(&v, &point) ^ wrong_by.map(|lie| lie.1).unwrap_or_default();
                prover.send("ood-value", &large_bytes(&[value]));
                sample = Some((point, value));
            }
        } else {
            if lies.final_vector {
                v = adjusted(&v, &w, prover.sigma);
            }
            prover.send("final", &large_bytes(&v[..layout.final_len()]));
            prover.rounds(layout.closing_rounds(claims), &mut v.clone(), &mut w.clone());
        }
        prover.work(if i == 0 { layout.grind } else { level.grind }, lies.no_work);
        if let Some(matrix) = &matrix {
            let positions = prover.transcript.queries(level.d + level.r, level.queries);
            prover.proof.extend(matrix.opened(&positions));
            if next.is_some() {
                let alpha = prover.transcript.challenge("alpha");
                let rows: Vec<_> = positions.iter().map(|&q| matrix.row_in_large(q)).collect();
                with_sample(sample, alpha, &mut prover.sigma, &mut w, |sigma, w| {
                    combine(shape, i, &positions, &rows, &rho, alpha, sigma, w);
                });
            }
        } else {
            let mut positions: Vec<Vec<u64>> = Vec::new();
            for group in &layout.groups {
                let queries = prover.transcript.queries(group.level.d + group.level.r, group.level.queries);
                positions.push(queries);
            }
            let weights = eq(&rho);
            let mut opened = Vec::new();
            for (group, positions) in layout.groups.iter().zip(positions) {
                let mut folded = Vec::new();
                for &(a, offset) in &group.members {
                    let matrix = &committed[a].0.matrix;
                    prover.proof.extend(matrix.opened(&positions));
                    let row = |&q: &u64| {
                        let row = matrix.row_in_large(q);
                        dot(N::FIELD, &row, &weights[offset..offset + row.len()])
                    };
                    folded.push(positions.iter().map(row).collect());
                }
                opened.push((positions, folded));
            }
            if next.is_some() {
                let alpha = prover.transcript.challenge("alpha");
                with_sample(sample, alpha, &mut prover.sigma, &mut w, |sigma, w| {
                    combine_groups(layout, &shapes, &opened, alpha, sigma, w);
                });
            }
        }
        matrix = next;
    }
    (prover.proof, prover.transcript.squeezes.clone())
}
