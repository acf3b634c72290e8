//! Ligerito beside the crate of that name and beside Plonky3's commitment over binary towers: proving, verifying, size.
//!
//! Everybody commits to the same 2^n words as elements of GF(2^32) of its own basis, and aims at 100 bits. What is proved
//! differs: ours proves a value at a random point of GF(2^128)^n, with the error proved; `ligerito` without claims proves
//! that the committed words are close to a code (its claims are about coefficients only), so less; Plonky3's proves a value
//! at a point drawn from its transcript. As `ligerito-ref-v08` ours makes the crate's own proofs, byte for byte. Ours makes its tables within the timed call, the peers before it.
//!
//! Processor time of the whole process for one thread, for others may work on the machine; wall-clock time for more.

mod bits;
mod plonky3;
mod published;

use crate::sample::{More, Row, Took, in_turn};
use phalanx::ligerito::ref_v08::{self, Config, TranscriptKind};
use phalanx::ligerito::{self, Accepted, EvaluationClaim, Gf128, Preset};
use phalanx::{Backend, Threads};
use std::hint::black_box;

/// Logarithms of the polynomials' lengths.
const SIZES: [u8; 2] = [20, 24];

/// Logarithm of the number of bits.
const BITS: u8 = 27;

/// Most samples of proofs.
const MAX_PROVE_SAMPLES: usize = 11;

/// For longer polynomials the crate proves once, without a run before it, since it takes a minute for 2^24; ours is sampled
/// as ever. They are not given to portable kernels, unless those alone are asked for, nor to Plonky3.
const MAX_SAMPLED: u8 = 20;

/// How rows call our proofs that are the crate's.
const REF: &str = "ref-v08";

/// What openings are bound to.
const CONTEXT: &[u8] = b"compare";

/// A polynomial with 2^`variables` coefficients.
fn polynomial(variables: u8) -> Vec<u32> {
    (0..1u32 << variables).map(|i| i.wrapping_mul(0x9e37_79b9) ^ (i >> 3).wrapping_mul(0x85eb_ca6b)).collect()
}

/// A point with `variables` coordinates.
fn point(variables: u8) -> Vec<Gf128> {
    (1..=u128::from(variables))
        .map(|i| Gf128(i.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)))
        .collect()
}

/// Something timed, with its name in the rows.
struct Side<'a> {
    profile: &'static str,
    backend: Backend,
    run: Box<dyn FnMut() + 'a>,
}

/// The peer of some rows: what it is, and one timed run.
struct Peer<'a> {
    name: &'static str,
    version: String,
    note: &'static str,
    run: Box<dyn FnMut() + 'a>,
}

/// All rows of the system, ours on `backends`; only those of 2^`only` coefficients, if that is said.
pub(crate) fn rows(samples: usize, backends: &[Backend], only: Option<u8>) -> Vec<Row> {
    let mut rows = Vec::new();
    for variables in SIZES.into_iter().filter(|variables| only.is_none_or(|only| only == *variables)) {
        let size = Size::new(variables, backends);
        size.prove(samples, &mut rows);
        size.prove_on_two_threads(samples, &mut rows);
        size.verify(samples, &mut rows);
        size.proof_bytes(&mut rows);
    }
    if only.is_none_or(|only| only == BITS) {
        let slow = |backend: &Backend| *backend == Backend::Portable && backends.len() > 1;
        let backends: Vec<_> = backends.iter().copied().filter(|backend| !slow(backend)).collect();
        bits::Bits::new(BITS).rows(samples, &backends, &mut rows);
    }
    rows
}

/// Everything about polynomials of one length.
struct Size {
    variables: u8,
    backends: Vec<Backend>,
    polynomial: Vec<u32>,
    config: Config,
    published: published::Setup,
    plonky3: Option<plonky3::Setup>,
}

impl Size {
    fn new(variables: u8, backends: &[Backend]) -> Self {
        let polynomial = polynomial(variables);
        let slow = |backend: &Backend| *backend == Backend::Portable && backends.len() > 1;
        Self {
            variables,
            backends: backends
                .iter()
                .copied()
                .filter(|backend| variables <= MAX_SAMPLED || !slow(backend))
                .collect(),
            config: Config::published(variables).expect("a published size"),
            published: published::Setup::new(variables, &polynomial),
            plonky3: (variables <= MAX_SAMPLED).then(|| plonky3::Setup::new(variables, &polynomial)),
            polynomial,
        }
    }

    fn n(&self) -> usize {
        1 << self.variables
    }

    fn is_sampled(&self) -> bool {
        self.variables <= MAX_SAMPLED
    }

    /// Samples of ours and of the peers.
    fn prove_samples(&self, wanted: usize) -> [usize; 2] {
        let samples = wanted.min(MAX_PROVE_SAMPLES);
        [samples, if self.is_sampled() { samples } else { 1 }]
    }

    /// Times the sides and the peers in turn: a row for each side and peer.
    fn compare(
        &self,
        operation: &'static str,
        samples: [usize; 2],
        threads: usize,
        (sides, peers): (Vec<Side<'_>>, Vec<Peer<'_>>),
        rows: &mut Vec<Row>,
    ) {
        let (names, runs): (Vec<_>, Vec<_>) =
            sides.into_iter().map(|side| ((side.profile, side.backend), side.run)).unzip();
        let (peers, peer_runs): (Vec<_>, Vec<_>) =
            peers.into_iter().map(|peer| ((peer.name, peer.version, peer.note), peer.run)).unzip();
        let mut runs: [Vec<Box<dyn FnMut() + '_>>; 2] = [runs, peer_runs];
        let [ours, theirs] = in_turn(samples, &mut runs);
        let value = |took: &Took| if threads == 1 { took.processor } else { took.wall };
        for ((peer, version, note), theirs) in peers.iter().zip(&theirs) {
            for ((profile, backend), ours) in names.iter().zip(&ours) {
                // Proofs of the crate's are compared with the crate's only.
                if *profile == REF && *peer != published::NAME {
                    continue;
                }
                rows.push(Row {
                    operation,
                    ours: value(ours),
                    peer,
                    peer_version: version.clone(),
                    peer_value: value(theirs),
                    n: Some(self.n()),
                    profile: Some(profile),
                    backend: *backend,
                    more: More {
                        threads,
                        wall: (threads == 1).then_some([ours.wall, theirs.wall]),
                        note: Some(note),
                        ..More::default()
                    },
                });
            }
        }
    }

    fn prove(&self, samples: usize, rows: &mut Vec<Row>) {
        let mut sides = Vec::new();
        for &backend in &self.backends {
            for profile in [Preset::Balanced, Preset::Compact] {
                let run = move || {
                    let proof = backend.force(|| self.own(profile)).expect("it is available");
                    black_box(proof);
                };
                sides.push(Side { profile: profile.name(), backend, run: Box::new(run) });
            }
            let run = move || {
                let proof = backend.force(|| self.published_proof()).expect("it is available");
                black_box(proof);
            };
            sides.push(Side { profile: REF, backend, run: Box::new(run) });
        }
        let mut peers = vec![self.published.prover()];
        peers.extend(self.plonky3.as_ref().map(plonky3::Setup::prover));
        self.compare("ligerito/prove", self.prove_samples(samples), 1, (sides, peers), rows);
    }

    fn prove_on_two_threads(&self, samples: usize, rows: &mut Vec<Row>) {
        let backend = Backend::current();
        if !self.backends.contains(&backend) {
            return;
        }
        let pool = Threads::new(2);
        let run = || {
            let (_, data) =
                ligerito::commit_on(&pool, Preset::Balanced, &self.polynomial).expect("registered");
            black_box(data.open_on(&pool, &[&point(self.variables)], CONTEXT).expect("one point"));
        };
        let sides = vec![Side { profile: Preset::Balanced.name(), backend, run: Box::new(run) }];
        let peers = vec![self.published.prover_on(2)];
        self.compare("ligerito/prove", self.prove_samples(samples), 2, (sides, peers), rows);
    }

    /// The crate's proof, by us.
    fn published_proof(&self) -> Vec<u8> {
        ref_v08::prove(&self.config, TranscriptKind::Sha256, &self.polynomial, &[]).expect("a good length")
    }

    /// Our proof.
    fn own(&self, profile: Preset) -> ligerito::Opening {
        let (_, data) = ligerito::commit(profile, &self.polynomial).expect("registered");
        data.open(&[&point(self.variables)], CONTEXT).expect("one point")
    }

    fn verify(&self, samples: usize, rows: &mut Vec<Row>) {
        let point = point(self.variables);
        let mut sides = Vec::new();
        for profile in [Preset::Balanced, Preset::Compact] {
            let (commitment, data) = ligerito::commit(profile, &self.polynomial).expect("registered");
            let opening = data.open(&[&point], CONTEXT).expect("one point");
            let accepted = Accepted::exactly(profile, self.variables);
            for &backend in &self.backends {
                let (point, opening, commitment, accepted) = (&point, opening.clone(), commitment, accepted);
                let run = move || {
                    let claim = EvaluationClaim { point, value: opening.values[0] };
                    let verify = || {
                        ligerito::verify(&accepted, &commitment, &[claim], black_box(&opening.proof), CONTEXT)
                    };
                    backend.force(verify).expect("it is available").expect("a good proof");
                };
                sides.push(Side { profile: profile.name(), backend, run: Box::new(run) });
            }
        }
        let root = ref_v08::commit(&self.config, &self.polynomial).expect("a good length");
        let proof = self.published_proof();
        assert_eq!(proof, self.published.proof(), "the crate gives another proof");
        for &backend in &self.backends {
            let (root, proof) = (root, proof.clone());
            let run = move || {
                let proof = black_box(&proof);
                let verify = || ref_v08::verify(&self.config, TranscriptKind::Sha256, &root, &[], proof);
                backend.force(verify).expect("it is available").expect("a good proof");
            };
            sides.push(Side { profile: REF, backend, run: Box::new(run) });
        }
        let mut peers = vec![self.published.verifier()];
        peers.extend(self.plonky3.as_ref().map(plonky3::Setup::verifier));
        self.compare("ligerito/verify", [samples; 2], 1, (sides, peers), rows);
    }

    #[allow(clippy::cast_precision_loss, reason = "proofs are short")]
    fn proof_bytes(&self, rows: &mut Vec<Row>) {
        let mut peers = vec![(self.published.prover(), self.published.proof().len())];
        peers.extend(self.plonky3.as_ref().map(|plonky3| (plonky3.prover(), plonky3.proof_bytes())));
        for (peer, theirs) in peers {
            for profile in [Preset::Balanced, Preset::Compact] {
                rows.push(Row {
                    operation: "ligerito/proof-bytes",
                    ours: self.own(profile).proof.len() as f64,
                    peer: peer.name,
                    peer_version: peer.version.clone(),
                    peer_value: theirs as f64,
                    n: Some(self.n()),
                    profile: Some(profile.name()),
                    backend: Backend::current(),
                    more: More { unit: "bytes", note: Some(peer.note), ..More::default() },
                });
            }
        }
    }
}
