//! Writes `section_d.json` of `vectors/ligerito-v2`: openings in the transcripts of callers.
//! `cargo run --release -p phalanx-reference --example ligerito_caller_vectors -- FILE`.
//!
//! Everything is computed by the plain implementation and drawn by the generator of the neighbouring files, f of each
//! commitment in order first, so the same bytes come out on every machine.

mod large;

use std::fmt::Write as _;

use large::{digits, list};
use phalanx_reference::ligerito::planes::planes;
use phalanx_reference::ligerito::sums::{self, Claim, Committed34, Numbered, Tensor, caller, suites};
use phalanx_reference::ligerito::{
    Committed, Generator, Large, Level, Shape, Transcript, U192, commit, dot, evaluate, large_bytes,
};
use serde_json::{Value, json};

const PROTOCOL: &str = "phalanx vectors";

/// A step of a protocol; what is squeezed stands beside it.
#[derive(Clone)]
enum Step<N> {
    Absorb(&'static str, Vec<u8>),
    Squeeze(&'static str, Vec<u8>),
    Challenge(&'static str, N),
    Bind(usize),
    Send(&'static str, Vec<N>),
    Open(usize, Vec<u8>, Vec<Claim<N>>),
}

fn claim_json<N: Large>(claim: &Claim<N>) -> Value {
    match claim {
        Claim::Point(z, y) => {
            json!({ "commitment": 0, "kind": 0, "point": list(z), "values": [digits(*y)] })
        }
        Claim::Planes(z, s) => json!({ "commitment": 0, "kind": 3, "point": list(z), "values": list(s) }),
        Claim::Described(description, _, y) => {
            let description = hex::encode(description);
            json!({ "commitment": 0, "kind": 2, "description_hex": description, "values": [digits(*y)] })
        }
        Claim::Tensors(tensors, y) => {
            let tensor = |tensor: &Tensor<N>| {
                let factors = tensor.factors.iter().map(|&(zero, one)| [digits(zero), digits(one)]);
                json!({ "scale": digits(tensor.scale), "factors": factors.collect::<Vec<_>>() })
            };
            let tensors: Vec<Value> = tensors.iter().map(tensor).collect();
            json!({ "commitment": 0, "kind": 1, "tensors": tensors, "values": [digits(*y)] })
        }
    }
}

impl<N: Large> Step<N> {
    fn json(&self) -> Value {
        match self {
            Step::Absorb(label, data) => {
                json!({ "absorb": { "label": label, "data_hex": hex::encode(data) } })
            }
            Step::Squeeze(label, output) => {
                json!({ "squeeze": { "label": label, "output_hex": hex::encode(output) } })
            }
            Step::Challenge(label, element) => {
                json!({ "challenge": { "label": label, "element": digits(*element) } })
            }
            Step::Bind(commitment) => json!({ "bind": commitment }),
            Step::Send(label, elements) => json!({ "send": { "label": label, "elements": list(elements) } }),
            Step::Open(commitment, ctx, claims) => {
                let claims: Vec<Value> = claims.iter().map(claim_json).collect();
                json!({ "open": { "commitment": commitment, "ctx_hex": hex::encode(ctx), "claims": claims } })
            }
        }
    }
}

/// What is committed to, and how it begins.
struct Case<N> {
    seed: u64,
    polynomials: Vec<Vec<u32>>,
    committed: Vec<Committed<N>>,
    draw: Generator,
}

fn numbered<N: Large>(claims: &[Claim<N>]) -> Vec<Numbered<N>> {
    claims.iter().map(|claim| (0, claim.clone())).collect()
}

impl<N: Large> Case<N> {
    fn new(seed: u64, shapes: &[&[Level]]) -> Case<N> {
        let mut draw = Generator(seed);
        let (mut polynomials, mut committed) = (Vec::new(), Vec::new());
        for levels in shapes {
            let shape = Shape::test(levels[0].d + levels[0].k, levels).expect("a valid shape");
            let word = |_| u32::try_from(draw.word() & 0xffff_ffff).expect("32 bits");
            let f: Vec<u32> = (0..1 << shape.mu()).map(word).collect();
            committed.push(commit(&shape, &f).expect("a length of the shape"));
            polynomials.push(f);
        }
        Case { seed, polynomials, committed, draw }
    }

    fn commitment(&self, a: usize) -> Committed34<N> {
        let committed = &self.committed[a];
        Committed34::of(committed, 0, suites::<N>()[1])
    }

    /// Says the steps, and fills in what is squeezed.
    fn prove(&self, steps: &mut [Step<N>]) -> Vec<u8> {
        let (mut transcript, mut proof) = (caller::begin(PROTOCOL, b"the statement"), Vec::new());
        for step in steps {
            match step {
                Step::Absorb(label, data) => transcript.absorb(label, data),
                Step::Squeeze(label, output) => *output = transcript.squeeze(label, 32),
                Step::Challenge(label, element) => *element = transcript.challenge(label),
                Step::Bind(a) => caller::bind(&mut transcript, &self.commitment(*a)),
                Step::Send(label, elements) => {
                    transcript.absorb(label, &large_bytes(elements));
                    proof.extend(large_bytes(elements));
                }
                Step::Open(a, ctx, claims) => {
                    let committed = [(&self.committed[*a], 0)];
                    let suite = suites::<N>()[1];
                    proof.extend(sums::open(&mut transcript, suite, &committed, &numbered(claims), ctx).0);
                }
            }
        }
        proof
    }

    /// The error of a verifier who keeps rule 4.
    fn judge(&self, statement: &[u8], steps: &[Step<N>], mut proof: &[u8]) -> Option<String> {
        let mut transcript: Transcript<N> = caller::begin(PROTOCOL, statement);
        for step in steps {
            match step {
                Step::Absorb(label, data) => transcript.absorb(label, data),
                Step::Squeeze(label, _) => drop(transcript.squeeze(label, 32)),
                Step::Challenge(label, _) => drop(transcript.squeeze(label, N::FIELD.bytes())),
                Step::Bind(a) => caller::bind(&mut transcript, &self.commitment(*a)),
                Step::Send(label, elements) => {
                    let (taken, rest) = proof.split_at_checked(large_bytes(elements).len()).expect("whole");
                    transcript.absorb(label, taken);
                    proof = rest;
                }
                Step::Open(a, ctx, claims) => {
                    let (commitments, claims) = ([self.commitment(*a)], numbered(claims));
                    if let Some(claim) = caller::late(&transcript, &commitments, &claims) {
                        return Some(format!("LateCommitment{claim}"));
                    }
                    let suite = suites::<N>()[1];
                    let verdict =
                        sums::verify_in(&mut transcript, suite, &commitments, &claims, &mut proof, ctx);
                    if let Err(error) = verdict {
                        return Some(format!("{error:?}"));
                    }
                }
            }
        }
        if proof.is_empty() { None } else { Some("ProofLength".to_owned()) }
    }

    /// A point of challenges, and the claims about one commitment of all kinds.
    fn claims(&mut self, a: usize, z: Vec<N>) -> Vec<Claim<N>> {
        let polynomial = &self.committed[a].polynomial;
        let factors: Vec<(N, N)> = z.iter().map(|_| (self.draw.element(), self.draw.element())).collect();
        let tensor = vec![Tensor { scale: self.draw.element(), factors }];
        let weights = Claim::Tensors(tensor.clone(), N::default()).expanded();
        let sum = dot(N::FIELD, polynomial, &weights[0].0);
        let s = planes(&self.polynomials[a], &z);
        let y = evaluate(polynomial, &z);
        vec![Claim::Point(z.clone(), y), Claim::Tensors(tensor, sum), Claim::Planes(z, s)]
    }

    fn json(&self, name: &str, steps: &[Step<N>], proof: &[u8], rejects: &[Value]) -> Value {
        let level = |level: &Level| json!([level.d, level.k, level.r, level.queries, level.grind]);
        let commitment = |a: usize| {
            let levels: Vec<Value> = self.committed[a].shape.levels().iter().map(level).collect();
            json!({ "levels": levels, "commitment_hex": hex::encode(self.commitment(a).to_bytes()) })
        };
        json!({
            "name": name,
            "suite": suites::<N>()[1],
            "field_bits": N::FIELD.bits,
            "protocol": PROTOCOL,
            "statement_hex": hex::encode("the statement"),
            "seed": self.seed,
            "commitments": (0..self.committed.len()).map(commitment).collect::<Vec<_>>(),
            "steps": steps.iter().map(Step::json).collect::<Vec<_>>(),
            "proof_hex": hex::encode(proof),
            "verdict": self.judge(b"the statement", steps, proof).unwrap_or("accept".to_owned()),
            "rejects": rejects,
        })
    }
}

const ONE: &[Level] = &[Level { d: 3, k: 2, r: 2, queries: 5, grind: 0 }];
const TWO: &[Level] =
    &[Level { d: 4, k: 2, r: 2, queries: 6, grind: 3 }, Level { d: 2, k: 2, r: 2, queries: 5, grind: 0 }];

/// `count` challenges in the transcript as it is after `steps`.
fn draw<N: Large>(case: &Case<N>, steps: &mut Vec<Step<N>>, count: u8) -> Vec<N> {
    let first = steps.len();
    steps.extend((0..count).map(|_| Step::Challenge("point", N::default())));
    case.prove(steps);
    let drawn = |step: &Step<N>| if let Step::Challenge(_, element) = step { *element } else { N::default() };
    steps[first..].iter().map(drawn).collect()
}

/// Two commitments, each opened at a point drawn after it, with something said before, between and after.
fn two_openings<N: Large>(seed: u64, name: &str) -> Value {
    let mut case = Case::<N>::new(seed, &[TWO, ONE]);
    let mut steps = vec![Step::Absorb("before", b"said by both".to_vec()), Step::Bind(0)];
    let z = draw(&case, &mut steps, 6);
    let claims = case.claims(0, z);
    let Claim::Point(_, y) = claims[0] else { unreachable!("a point") };
    let sent = steps.len();
    steps.push(Step::Send("value", vec![y]));
    steps.push(Step::Squeeze("between", Vec::new()));
    let first = steps.len();
    steps.push(Step::Open(0, b"first".to_vec(), claims));
    steps.push(Step::Bind(1));
    let z = draw(&case, &mut steps, 5);
    let claims = case.claims(1, z);
    let last = steps.len();
    steps.push(Step::Open(1, Vec::new(), claims));
    steps.push(Step::Squeeze("end", Vec::new()));
    let proof = case.prove(&mut steps);

    let mut rejects = Vec::new();
    let statement = b"another statement";
    let error = case.judge(statement, &steps, &proof).expect("refused");
    let hex_of = hex::encode(statement);
    rejects.push(json!({ "what": "another statement", "statement_hex": hex_of, "error": error }));
    let mut change = |what: &str, place: usize, with: Option<Step<N>>| {
        let mut changed = steps.clone();
        let shown = with.as_ref().map(Step::json);
        changed.splice(place..=place, with);
        let error = case.judge(b"the statement", &changed, &proof).expect("refused");
        rejects.push(json!({ "what": what, "step": place, "with": shown, "error": error }));
    };
    change("other data before", 0, Some(Step::Absorb("before", b"said by botg".to_vec())));
    change("another label", 0, Some(Step::Absorb("befora", b"said by both".to_vec())));
    change("nothing said before", 0, None);
    change("the commitment is not bound", 1, None);
    change("another commitment is bound", 1, Some(Step::Bind(1)));
    change("a squeeze left out", sent + 1, None);
    let Step::Open(_, _, claims) = steps[first].clone() else { unreachable!("an opening") };
    change("another context", first, Some(Step::Open(0, b"firsu".to_vec(), claims.clone())));
    change("a claim left out", first, Some(Step::Open(0, b"first".to_vec(), claims[1..].to_vec())));
    let Step::Open(_, _, mut claims) = steps[last].clone() else { unreachable!("an opening") };
    if let Claim::Tensors(_, y) = &mut claims[1] {
        *y ^= N::one();
    }
    let mut false_steps = steps.clone();
    false_steps[last] = Step::Open(1, Vec::new(), claims);
    let false_proof = case.prove(&mut false_steps);
    let error = case.judge(b"the statement", &false_steps, &false_proof).expect("refused");
    rejects.push(json!({
        "what": "a false value in the second opening, honest prover for it",
        "step": last,
        "with": false_steps[last].json(),
        "proof_hex": hex::encode(&false_proof),
        "error": error,
    }));
    for offset in [0, N::FIELD.bytes(), proof.len() / 2, proof.len() - 1] {
        let mut flipped = proof.clone();
        flipped[offset] ^= 1;
        let error = case.judge(b"the statement", &steps, &flipped).expect("refused");
        rejects.push(json!({ "what": "byte flipped", "offset": offset, "xor": 1, "error": error }));
    }
    case.json(name, &steps, &proof, &rejects)
}

/// The commitment is bound after the point was drawn, and the claims are true: refused for the order alone.
fn late<N: Large>(seed: u64, name: &str) -> Value {
    let mut case = Case::<N>::new(seed, &[ONE]);
    let mut steps = Vec::new();
    let early = draw(&case, &mut steps, 1);
    steps.push(Step::Bind(0));
    let mut z = draw(&case, &mut steps, 4);
    let fine = [&[N::one()], &z[..]].concat();
    z.push(early[0]);
    let claims = [case.claims(0, fine), case.claims(0, z)].concat();
    steps.push(Step::Open(0, Vec::new(), claims));
    let proof = case.prove(&mut steps);
    case.json(name, &steps, &proof, &[])
}

fn main() {
    let cases = [
        two_openings::<u128>(41, "two_openings_128"),
        two_openings::<U192>(42, "two_openings_192"),
        late::<u128>(43, "late_128"),
        late::<U192>(44, "late_192"),
    ];
    let note = "Toy shapes, no security. Made by the plain implementation of this project.";
    let mut text = format!("{{\"note\": \"{note}\",\n\"protocols\": [");
    for (i, case) in cases.iter().enumerate() {
        text.push_str(if i == 0 { "\n" } else { ",\n" });
        write!(text, "{case}").expect("text has room");
    }
    text.push_str("\n]}\n");
    let file = std::env::args().nth(1).expect("the file to write to");
    std::fs::write(file, text).expect("the file can be written to");
}
