//! Ligerito's verifier: a valid statement with some bytes changed, or any bytes in place of its proof. Every backend gives
//! the same verdict, nothing panics, and only the unchanged statement is believed.
//!
//! Input: which statement, claims to leave out, by how much the proof is longer or shorter (two bytes); then pairs of a
//! position (two bytes) and a byte to exclusive-or there, over commitment, points, values, context and proof. If the first
//! byte is 128 or more, what follows is the proof itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::ligerito::{
    self, Accepted, Claim, Commitment, Gf128, Level, Profile, ProofError, Shape, hazmat,
};
use phalanx::{Backend, Inline};
use std::sync::OnceLock;

/// A valid statement as bytes: commitment, points, values, context, proof.
struct Statement {
    shape: Shape,
    registered: bool,
    claims: usize,
    bytes: Vec<u8>,
    proof_at: usize,
}

const CONTEXT: &[u8] = b"what this proof is for";

impl Statement {
    fn new(profile: Option<Profile>, shape: Shape, claims: usize) -> Self {
        let variables = usize::from(shape.variables());
        let f: Vec<u32> = (0..1u32 << variables).map(|x| x.wrapping_mul(0x9e37_79b9) ^ x >> 3).collect();
        let point =
            |i: usize| (0..variables).map(|j| Gf128(0x1234_5678_9abc_def1 << (7 * i + 3 * j))).collect();
        let points: Vec<Vec<Gf128>> = (0..claims).map(point).collect();
        let borrowed: Vec<&[Gf128]> = points.iter().map(|point| &**point).collect();
        let (commitment, data) = match profile {
            Some(profile) => ligerito::commit(profile, &f).expect("registered"),
            None => {
                let data = hazmat::commit(&Inline, shape.clone(), &f).expect("a length of the shape");
                (Commitment::new(Profile::Balanced, shape.variables(), data.root()), data)
            }
        };
        let opening = data.open(&borrowed, CONTEXT).expect("points of the shape");
        let mut bytes = commitment.to_bytes().to_vec();
        let elements = points.iter().flatten().chain(&opening.values);
        elements.for_each(|element| bytes.extend(element.0.to_le_bytes()));
        bytes.extend(CONTEXT);
        let proof_at = bytes.len();
        bytes.extend(opening.proof);
        Self { shape, registered: profile.is_some(), claims, bytes, proof_at }
    }

    /// The verdict about the statement in these bytes, without its last claims. `None` if there is no commitment in them.
    fn verify(&self, bytes: &[u8], left_out: usize) -> Option<Result<(), ProofError>> {
        let (commitment, rest) = bytes.split_at(Commitment::LEN_BYTES);
        let commitment = Commitment::from_bytes(commitment).ok()?;
        let (statement, proof) = rest.split_at(self.proof_at - Commitment::LEN_BYTES);
        let (elements, context) = statement.split_at(statement.len() - CONTEXT.len());
        let elements: Vec<Gf128> = elements
            .chunks_exact(16)
            .map(|bytes| Gf128(u128::from_le_bytes(bytes.try_into().expect("16 bytes"))))
            .collect();
        let (points, values) = elements.split_at(elements.len() - self.claims);
        let points = points.chunks_exact(usize::from(self.shape.variables()));
        let mut claims: Vec<_> = points.zip(values).map(|(point, &value)| Claim { point, value }).collect();
        claims.truncate(self.claims - left_out);
        Some(if self.registered {
            ligerito::verify(&Accepted::up_to(&Profile::ALL, 30), &commitment, &claims, proof, context)
        } else {
            hazmat::verify(hazmat::SUITE, &self.shape, commitment.root(), &claims, proof, context)
        })
    }
}

/// Two registered shapes, and shapes for tests of one, two and three levels in which no change is lucky.
fn statements() -> Vec<Statement> {
    let level = |&(d, k, r, queries, grinding_bits): &(u8, u8, u8, u16, u8)| Level {
        log2_message: d,
        log2_columns: k,
        log2_inverse_rate: r,
        queries,
        grinding_bits,
    };
    let mut statements: Vec<_> = Profile::ALL
        .into_iter()
        .zip([1, 2])
        .map(|(profile, claims)| {
            Statement::new(Some(profile), profile.shape(10).expect("registered"), claims)
        })
        .collect();
    let shapes: [&[(u8, u8, u8, u16, u8)]; 3] = [
        &[(6, 3, 2, 10, 0)],
        &[(6, 2, 2, 8, 3), (4, 2, 3, 8, 0)],
        &[(5, 2, 3, 8, 0), (4, 1, 3, 8, 2), (3, 1, 4, 8, 0)],
    ];
    for (levels, claims) in shapes.iter().zip([1, 2, 3]) {
        let levels: Vec<_> = levels.iter().map(level).collect();
        let variables = levels[0].log2_message + levels[0].log2_columns;
        let shape = hazmat::shape(variables, levels).expect("within the rules");
        statements.push(Statement::new(None, shape, claims));
    }
    statements
}

fuzz_target!(|input: &[u8]| {
    static STATEMENTS: OnceLock<Vec<Statement>> = OnceLock::new();
    let statements = STATEMENTS.get_or_init(statements);
    let [which, rest @ ..] = input else { return };
    let statement = &statements[usize::from(which % 128) % statements.len()];
    let mut bytes = statement.bytes.clone();
    let mut left_out = 0;
    if *which >= 128 {
        bytes.truncate(statement.proof_at);
        bytes.extend(rest);
    } else {
        let [fewer, low, high, changes @ ..] = rest else { return };
        left_out = usize::from(*fewer) % (statement.claims + 1);
        let proof_len = bytes.len() - statement.proof_at;
        let len = proof_len.saturating_add_signed(i16::from_le_bytes([*low, *high]).into());
        bytes.resize(statement.proof_at + len, 0);
        for change in changes.chunks_exact(3) {
            let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
            bytes[at] ^= change[2];
        }
    }

    // Neither profile nor size are in the transcript of a test shape, nor in any other part of its statement.
    let differs = |from: usize| bytes[from..] != statement.bytes[from..] || left_out > 0;
    let wanted = !differs(if statement.registered { 0 } else { 2 });
    let portable = Backend::Portable.force(|| statement.verify(&bytes, left_out)).expect("always there");
    let Some(verdict) = portable else { return };
    assert_eq!(verdict.is_ok(), wanted, "{verdict:?}");
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        let got = backend.force(|| statement.verify(&bytes, left_out)).expect("available");
        assert_eq!(got, Some(verdict), "{}", backend.name());
    }
});
