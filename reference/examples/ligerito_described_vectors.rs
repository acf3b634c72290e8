//! Writes `section_a3.json` of `vectors/ligerito-v2`: openings with weights that are described, and closing rounds.
//! `cargo run --release -p phalanx-reference --example ligerito_described_vectors -- FILE`.
//!
//! Everything is computed by the plain implementation and drawn by the generator of the neighbouring files, f of each
//! commitment in order first, then the claims in order, so the same bytes come out on every machine.

mod large;

use std::fmt::Write as _;

use large::{digits, list};
use phalanx_reference::ligerito::planes::planes;
use phalanx_reference::ligerito::sums::described::{below, described, successor};
use phalanx_reference::ligerito::sums::{
    Claim, Committed34, Layout, Lies, Numbered, Tensor, Without, open_with, suites, verify_without,
};
use phalanx_reference::ligerito::{
    Committed, Error, Generator, Large, Level, Shape, Transcript, U192, commit, dot, evaluate,
};
use serde_json::{Value, json};

/// What a claim is about.
#[derive(Clone, Copy)]
enum Kind {
    Point,
    Tensor,
    Planes,
    Successor,
    Below(u64),
}

/// Commitments, each one level, and the levels that follow.
struct Case<N> {
    name: &'static str,
    seed: u64,
    ctx: &'static [u8],
    later: Vec<Level>,
    polynomials: Vec<Vec<u32>>,
    committed: Vec<Committed<N>>,
    claims: Vec<Numbered<N>>,
}

fn point<N: Large>(draw: &mut Generator, coordinates: u8) -> Vec<N> {
    (0..coordinates).map(|_| draw.element()).collect()
}

fn values<N: Large>(claim: &Claim<N>) -> Vec<String> {
    match claim {
        Claim::Point(_, y) | Claim::Tensors(_, y) | Claim::Described(_, _, y) => vec![digits(*y)],
        Claim::Planes(_, s) => list(s),
    }
}

fn claim_json<N: Large>((commitment, claim): &Numbered<N>) -> Value {
    let mut value = match claim {
        Claim::Point(z, _) => json!({ "kind": 0, "point": list(z) }),
        Claim::Planes(z, _) => json!({ "kind": 3, "point": list(z) }),
        Claim::Described(description, ..) => {
            json!({ "kind": 2, "description_hex": hex::encode(description) })
        }
        Claim::Tensors(tensors, _) => {
            let tensor = |tensor: &Tensor<N>| {
                let factors = tensor.factors.iter().map(|&(zero, one)| [digits(zero), digits(one)]);
                json!({ "scale": digits(tensor.scale), "factors": factors.collect::<Vec<_>>() })
            };
            json!({ "kind": 1, "tensors": tensors.iter().map(tensor).collect::<Vec<_>>() })
        }
    };
    value["commitment"] = json!(commitment);
    value["values"] = json!(values(claim));
    value
}

impl<N: Large> Case<N> {
    fn new(
        name: &'static str,
        seed: u64,
        ctx: &'static [u8],
        (first, later): (&[Level], &[Level]),
        kinds: &[(usize, Kind)],
    ) -> Case<N> {
        let mut draw = Generator(seed);
        let (mut polynomials, mut committed) = (Vec::new(), Vec::new());
        for level in first {
            let shape = Shape::<N>::test(level.d + level.k, &[*level]).expect("a valid shape");
            let word = |_| u32::try_from(draw.word() & 0xffff_ffff).expect("32 bits");
            let f: Vec<u32> = (0..1 << shape.mu()).map(word).collect();
            committed.push(commit(&shape, &f).expect("a length of the shape"));
            polynomials.push(f);
        }
        let mut case =
            Case { name, seed, ctx, later: later.to_vec(), polynomials, committed, claims: Vec::new() };
        for &(a, kind) in kinds {
            let claim = case.claim(&mut draw, a, kind);
            case.claims.push((a, claim));
        }
        case
    }

    fn claim(&self, draw: &mut Generator, a: usize, kind: Kind) -> Claim<N> {
        let polynomial = &self.committed[a].polynomial;
        let mu = self.committed[a].shape.mu();
        let sum = |weights: &[N]| dot(N::FIELD, weights, polynomial);
        let weight = |description: Vec<u8>| {
            let table = described(&description, mu).expect("a description");
            let y = sum(&table);
            Claim::Described(description, table, y)
        };
        match kind {
            Kind::Point => {
                let z = point(draw, mu);
                let y = evaluate(polynomial, &z);
                Claim::Point(z, y)
            }
            Kind::Planes => {
                let z = point(draw, mu);
                let s = planes(&self.polynomials[a], &z);
                Claim::Planes(z, s)
            }
            Kind::Tensor => {
                let scale = draw.element();
                let factors = (0..mu).map(|_| (draw.element(), draw.element())).collect();
                let tensors = vec![Tensor { scale, factors }];
                let y = sum(&Claim::Tensors(tensors.clone(), N::default()).expanded()[0].0);
                Claim::Tensors(tensors, y)
            }
            Kind::Successor => weight(successor(&point::<N>(draw, mu))),
            Kind::Below(bound) => weight(below(bound)),
        }
    }

    fn layout(&self) -> Layout<N> {
        Layout::new(&self.committed.iter().map(|one| &one.shape).collect::<Vec<_>>(), &self.later)
    }

    fn commitments(&self) -> Vec<Committed34<N>> {
        self.committed.iter().map(|committed| Committed34::of(committed, 0, suites::<N>()[1])).collect()
    }

    fn prove(&self, claims: &[Numbered<N>]) -> Vec<u8> {
        let committed: Vec<_> = self.committed.iter().map(|committed| (committed, 0)).collect();
        let (mut transcript, lies) = (Transcript::default(), Lies::default());
        open_with(&lies, &mut transcript, suites::<N>()[1], &self.layout(), &committed, claims, self.ctx).0
    }

    fn judge(
        &self,
        without: Without,
        claims: &[Numbered<N>],
        proof: &[u8],
    ) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let mut transcript = Transcript::default();
        let suite = suites::<N>()[1];
        verify_without(
            without,
            &mut transcript,
            suite,
            &self.layout(),
            &self.commitments(),
            claims,
            proof,
            self.ctx,
        )
    }

    /// The error, and of a root the level and the commitment, of which there must be one then.
    fn error(&self, claims: &[Numbered<N>], proof: &[u8]) -> String {
        let error = self.judge(Without::Nothing, claims, proof).expect_err("refused");
        if error != Error::MerkleRoot {
            return format!("{error:?}");
        }
        assert_eq!(self.committed.len(), 1, "which commitment is not told");
        let is_of = |level: &usize| {
            self.judge(Without::Check(error, *level), claims, proof).err() != Some(Error::MerkleRoot)
        };
        match (0..=self.later.len()).find(is_of) {
            Some(0) => "MerkleRoot0.0".to_owned(),
            Some(level) => format!("MerkleRoot{level}"),
            // Later ones are wrong, too: the first is the one that is met.
            None => "MerkleRoot0.0".to_owned(),
        }
    }

    fn rejects(&self, proof: &[u8]) -> Vec<Value> {
        let mut rejects = Vec::new();
        for number in 0..self.claims.len() {
            let mut claims = self.claims.clone();
            match &mut claims[number].1 {
                Claim::Point(_, y) | Claim::Tensors(_, y) | Claim::Described(_, _, y) => *y ^= N::one(),
                Claim::Planes(_, s) => s[7] ^= N::one(),
            }
            let false_proof = self.prove(&claims);
            rejects.push(json!({
                "what": format!("value of claim {number} false, honest prover for it"),
                "claim": number,
                "values": values(&claims[number].1),
                "proof_hex": hex::encode(&false_proof),
                "error": self.error(&claims, &false_proof),
            }));
        }
        if self.committed.len() == 1 {
            let first = self.committed[0].shape.levels()[0];
            // In the first round, in the last closing one where there are no later levels, in the middle, at the end.
            let size = N::FIELD.bytes();
            let closing =
                2 * size * usize::from(first.k) + (size << first.d) + 2 * size * usize::from(first.d) - 1;
            for offset in [0, closing, proof.len() / 2, proof.len() - 1] {
                let mut flipped = proof.to_vec();
                flipped[offset] ^= 1;
                let error = self.error(&self.claims, &flipped);
                rejects.push(json!({ "what": "byte flipped", "offset": offset, "xor": 1, "error": error }));
            }
        }
        rejects
    }

    fn json(&self) -> Value {
        let proof = self.prove(&self.claims);
        let squeezes = self.judge(Without::Nothing, &self.claims, &proof).expect("an honest proof");
        let squeezes = squeezes.into_iter().filter(|(label, _)| label != "query");
        let first = |committed: &Committed<N>| {
            let level = committed.shape.levels()[0];
            json!([level.d, level.k, level.r, level.queries])
        };
        let later = |level: &Level| json!([level.d, level.k, level.r, level.queries, level.grind]);
        let commitments = self.commitments();
        json!({
            "name": self.name,
            "suite": suites::<N>()[1],
            "field_bits": N::FIELD.bits,
            "ctx_hex": hex::encode(self.ctx),
            "level0": self.committed.iter().map(first).collect::<Vec<_>>(),
            "later_levels": self.later.iter().map(later).collect::<Vec<_>>(),
            "seed": self.seed,
            "commitments_hex": commitments.iter().map(|one| hex::encode(one.to_bytes())).collect::<Vec<_>>(),
            "params_hex": hex::encode(self.layout().params_bytes()),
            "claims": self.claims.iter().map(claim_json).collect::<Vec<_>>(),
            "squeezes": squeezes.map(|(label, out)| json!([label, hex::encode(out)])).collect::<Vec<_>>(),
            "proof_hex": hex::encode(&proof),
            "verdict": "accept",
            "rejects": self.rejects(&proof),
        })
    }
}

const fn level(d: u8, k: u8, r: u8, queries: u16, grind: u8) -> Level {
    Level { d, k, r, queries, grind }
}

fn main() {
    use Kind::{Below, Planes, Point, Successor, Tensor};
    let alone: (&[Level], &[Level]) = (&[level(3, 2, 2, 5, 0)], &[]);
    let two: (&[Level], &[Level]) = (&[level(4, 2, 2, 6, 0)], &[level(2, 2, 2, 5, 3)]);
    let three: (&[Level], &[Level]) =
        (&[level(4, 1, 2, 6, 0), level(3, 1, 2, 5, 0), level(4, 2, 2, 6, 0)], &[level(3, 2, 2, 6, 0)]);
    let uneven: (&[Level], &[Level]) = (&[level(3, 1, 2, 5, 0), level(4, 2, 2, 6, 0)], &[]);
    let mix = [(0, Below(21)), (0, Point), (0, Planes), (0, Successor), (0, Tensor)];
    let every = [(0, Successor), (1, Below(11)), (2, Successor), (2, Point)];
    let cases = [
        Case::<u128>::new("described_128_L0", 51, b"", alone, &[(0, Successor)]).json(),
        Case::<u128>::new("described_128_L1", 52, b"ctx", two, &mix).json(),
        Case::<U192>::new("described_192_L0", 53, b"", alone, &[(0, Below(32)), (0, Successor)]).json(),
        Case::<U192>::new("described_192_L1", 54, b"ctx", two, &mix).json(),
        Case::<u128>::new("described_of_three", 55, b"", three, &every).json(),
        Case::<U192>::new("described_of_two", 56, b"", uneven, &every[..2]).json(),
    ];
    let note = "Toy shapes, no security. Made by the plain implementation of this project. Of the neighbouring files' form; \
                a description is a name and what follows it: the coordinates of z, or a bound as eight bytes.";
    let mut text = format!("{{\"note\": \"{note}\",\n\"cases\": [");
    for (i, case) in cases.iter().enumerate() {
        text.push_str(if i == 0 { "\n" } else { ",\n" });
        write!(text, "{case}").expect("text has room");
    }
    text.push_str("\n]}\n");
    let file = std::env::args().nth(1).expect("the file to write to");
    std::fs::write(file, text).expect("the file can be written to");
}
