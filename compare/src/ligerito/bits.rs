//! Bits, beside Plonky3's `BooleanPcs`: both commit to the same bits and prove the value of their multilinear extension at a point.
//!
//! Ours takes them as words of 32 in their order, and proves the planes at the point's upper coordinates, of which the value is a
//! sum. Plonky3's takes 128 of them for an element of its GF(2^128), whose Merkle trees are of Keccak-256, at inverse rate 4,
//! with 100 bits without proof of work; it is folded as its polynomials of words are. The point is of as many coordinates
//! and of the same bytes in either field's basis.

use super::plonky3::{FOLDING, Large, Trees, trees, version};
use super::{CONTEXT, MAX_PROVE_SAMPLES};
use crate::sample::{More, Row, in_turn};
use p3_binary_field::{BinaryChallenger, PackedGf2x64, TowerLevel};
use p3_binary_pcs::{BinaryPcsConfig, BinaryPcsParams, BooleanBackend, BooleanMultilinearPcs, BooleanPcs};
use p3_challenger::HashChallenger;
use p3_keccak::Keccak256Hash;
use p3_multilinear_util::point::Point;
use phalanx::Backend;
use phalanx::ligerito::{self, Accepted, Gf128, PlanesClaim, Preset, value_of_planes};
use std::hint::black_box;

const NAME: &str = "p3-binary-pcs";
const NOTE: &str =
    "bits and one opening; 128 in an element, Keccak-256, inverse rate 4, 8-fold batches in grouped leaves";

/// Bits of a word of ours, as a logarithm.
const WORD: usize = 5;
/// Bits of an element of theirs.
const ELEMENT: usize = 7;
/// Bits of an integer.
const BLOCK: usize = 6;

type Challenger = BinaryChallenger<Large, HashChallenger<u8, Keccak256Hash, 32>>;
type Pcs = BooleanPcs<Large, Trees<Large>, Trees<Large>>;
type Commitment = <Pcs as BooleanBackend<Large>>::Commitment;
type Proof = <Pcs as BooleanBackend<Large>>::Proof;

/// The same bits and point for both.
pub(super) struct Bits {
    variables: usize,
    bits: Vec<u64>,
    point: Vec<Gf128>,
    peer: Theirs,
}

/// What the peer makes before it proves, and a proof.
struct Theirs {
    pcs: Pcs,
    bits: Vec<PackedGf2x64>,
    points: Vec<Point<Large>>,
    commitment: Commitment,
    values: Vec<Large>,
    proof: Proof,
}

fn challenger() -> Challenger {
    Challenger::from_hasher(Vec::new(), Keccak256Hash)
}

impl Theirs {
    fn new(bits: &[u64], point: &[Gf128]) -> Self {
        let params = BinaryPcsParams { log_inv_rate: 2, pow_bits: 0, security_level: 100 };
        let elements = point.len() - ELEMENT;
        let config = BinaryPcsConfig::try_new_with_folding::<Large, Large>(elements, params, FOLDING);
        let config = config.expect("a sound configuration");
        let pcs =
            Pcs::new(config, trees(&config), trees(&config), point.len()).expect("derived for these fields");
        let bits: Vec<_> = bits.iter().map(|&block| PackedGf2x64::new(block)).collect();
        let point = point.iter().map(|coordinate| Large::from_repr(coordinate.0)).collect();
        let points = vec![Point::new(point)];
        let (commitment, values, proof) = prove(&pcs, &bits, &points);
        Self { pcs, bits, points, commitment, values, proof }
    }

    fn verify(&self) {
        let mut challenger = challenger();
        self.pcs.observe_commitment(&self.commitment, &mut challenger);
        let proof = black_box(&self.proof);
        let verdict =
            self.pcs.verify_at_points(&self.commitment, &self.points, &self.values, proof, &mut challenger);
        verdict.expect("its own proof");
    }
}

fn prove(pcs: &Pcs, bits: &[PackedGf2x64], points: &[Point<Large>]) -> (Commitment, Vec<Large>, Proof) {
    let mut challenger = challenger();
    let (commitment, data) = pcs.commit_bits(bits, &mut challenger).expect("of the right length");
    let (values, proof) =
        pcs.open_at_points(data, points, &mut challenger).expect("one claim is within its budget");
    (commitment, values, proof)
}

impl Bits {
    /// 2^`variables` bits.
    pub(super) fn new(variables: u8) -> Self {
        let block = |i: u64| {
            let mixed = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 29
        };
        let bits: Vec<u64> = (0..1 << (usize::from(variables) - BLOCK)).map(block).collect();
        let point = super::point(variables);
        let peer = Theirs::new(&bits, &point);
        Self { variables: variables.into(), bits, point, peer }
    }

    /// Commitment, planes and proof.
    fn prove(&self) -> (ligerito::Commitment, [Gf128; 32], Vec<u8>) {
        let (commitment, data) = ligerito::commit_bits(Preset::Balanced, &self.bits).expect("registered");
        let orbit = data.orbit(&self.point[WORD..]).expect("as many coordinates");
        let planes = *orbit.planes();
        (commitment, planes, data.open_orbits(&[orbit], CONTEXT).expect("its own orbit"))
    }

    fn verify(&self, commitment: &ligerito::Commitment, planes: &[Gf128; 32], proof: &[u8]) {
        let words = u8::try_from(self.variables - WORD).expect("few variables");
        let (low, point) = self.point.split_at(WORD);
        let claim = PlanesClaim { point, planes: black_box(planes) };
        let accepted = Accepted::exactly(Preset::Balanced, words);
        ligerito::verify_planes(&accepted, commitment, &[claim], proof, CONTEXT).expect("a good proof");
        black_box(value_of_planes(low, &[Gf128(1)], planes).expect("bits"));
    }

    /// Rows of proving, verifying and the length of what is sent, ours on `backends`.
    #[allow(clippy::cast_precision_loss, reason = "proofs are short")]
    pub(super) fn rows(&self, samples: usize, backends: &[Backend], rows: &mut Vec<Row>) {
        let (commitment, planes, proof) = self.prove();
        let Theirs { pcs, bits, points, .. } = &self.peer;
        let ours = || drop(black_box(self.prove()));
        let theirs = || drop(black_box(prove(pcs, bits, points)));
        self.timed("ligerito/prove-bits", samples.min(MAX_PROVE_SAMPLES), backends, (&ours, &theirs), rows);
        let ours = || self.verify(&commitment, &planes, &proof);
        self.timed("ligerito/verify-bits", samples, backends, (&ours, &|| self.peer.verify()), rows);
        // Planes are sent beside the proof.
        let ours = proof.len() + size_of_val(&planes);
        let theirs = bincode::serialize(&self.peer.proof).expect("plain data").len();
        let more = More { unit: "bytes", ..More::default() };
        rows.push(self.row(
            "ligerito/proof-bytes-bits",
            Backend::current(),
            [ours as f64, theirs as f64],
            more,
        ));
    }

    /// Rows of processor times, one for each backend.
    fn timed(
        &self,
        operation: &'static str,
        samples: usize,
        backends: &[Backend],
        (ours, theirs): (&dyn Fn(), &dyn Fn()),
        rows: &mut Vec<Row>,
    ) {
        let run = |backend: Backend| move || backend.force(ours).expect("it is available");
        let ours = backends.iter().map(|backend| Box::new(run(*backend)) as Box<dyn FnMut()>).collect();
        let [ours, theirs] = in_turn([samples; 2], &mut [ours, vec![Box::new(theirs)]]);
        for (backend, ours) in backends.iter().zip(&ours) {
            let wall = Some([ours.wall, theirs[0].wall]);
            let more = More { threads: 1, wall, ..More::default() };
            rows.push(self.row(operation, *backend, [ours.processor, theirs[0].processor], more));
        }
    }

    fn row(&self, operation: &'static str, backend: Backend, [ours, theirs]: [f64; 2], more: More) -> Row {
        Row {
            operation,
            ours,
            peer: NAME,
            peer_version: version(),
            peer_value: theirs,
            n: Some(1 << self.variables),
            profile: Some(Preset::Balanced.name()),
            backend,
            more: More { note: Some(NOTE), ..more },
        }
    }
}
