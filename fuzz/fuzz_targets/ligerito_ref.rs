//! Decoder and verifier of the published crate's proofs: a valid proof with some bytes changed, or any bytes at all. Every
//! backend gives the same verdict, nothing panics, and only the unchanged statement is believed.
//!
//! Input: which statement, by how much the proof is longer or shorter (two bytes); then pairs of a position (two bytes) and
//! a byte to exclusive-or there, over root, claims and proof. If the first byte is 128 or more, what follows is the proof
//! itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::Backend;
use phalanx::ligerito::ref_v08::hazmat::TestConfig;
use phalanx::ligerito::ref_v08::{CoefficientClaim, Config, Dimensions, ProofError, TranscriptKind};
use std::sync::OnceLock;

/// A valid statement as bytes: root, then index (eight bytes) and value (four) of each claim, then the proof.
struct Statement {
    config: TestConfig,
    kind: TranscriptKind,
    bytes: Vec<u8>,
    proof_at: usize,
}

impl Statement {
    fn new(config: &TestConfig, kind: TranscriptKind, claims: u64) -> Self {
        let f: Vec<u32> =
            (0..1u32 << config.variables()).map(|x| x.wrapping_mul(0x9e37_79b9) ^ x >> 3).collect();
        let claims: Vec<_> = (0..claims)
            .map(|i| 5 * i + 3)
            .map(|index| CoefficientClaim { index, value: f[usize::try_from(index).expect("small")] })
            .collect();
        let mut bytes = config.commit(&f).expect("a length of the configuration").to_vec();
        for claim in &claims {
            bytes.extend(claim.index.to_le_bytes());
            bytes.extend(claim.value.to_le_bytes());
        }
        let proof_at = bytes.len();
        bytes.extend(config.prove(kind, &f, &claims).expect("true claims"));
        Self { config: config.clone(), kind, bytes, proof_at }
    }

    fn verify(&self, bytes: &[u8]) -> Result<(), ProofError> {
        let (statement, proof) = bytes.split_at(self.proof_at);
        let (root, claims) = statement.split_first_chunk().expect("a root");
        let claims: Vec<_> = claims
            .chunks_exact(12)
            .map(|claim| CoefficientClaim {
                index: u64::from_le_bytes(claim[..8].try_into().expect("eight bytes")),
                value: u32::from_le_bytes(claim[8..].try_into().expect("four bytes")),
            })
            .collect();
        self.config.verify(self.kind, root, &claims, proof)
    }
}

/// Configurations of two and three levels and the smallest published one, with both transcripts.
fn statements() -> Vec<Statement> {
    let level = |&(log2_message, log2_columns): &(u8, u8)| Dimensions { log2_message, log2_columns };
    let published = Config::published(12).expect("published");
    let configs =
        [[(5, 2), (3, 2)].iter().map(level).collect(), [(6, 1), (4, 2), (2, 2)].iter().map(level).collect()]
            .into_iter()
            .chain([published.levels().to_vec()])
            .map(|levels: Vec<_>| TestConfig::new(levels).expect("within the rules"));
    let mut statements = Vec::new();
    for config in configs {
        for (kind, claims) in TranscriptKind::ALL.into_iter().zip([1, 2]) {
            statements.push(Statement::new(&config, kind, claims));
        }
    }
    statements
}

fuzz_target!(|input: &[u8]| {
    static STATEMENTS: OnceLock<Vec<Statement>> = OnceLock::new();
    let statements = STATEMENTS.get_or_init(statements);
    let [which, rest @ ..] = input else { return };
    let statement = &statements[usize::from(which % 128) % statements.len()];
    let mut bytes = statement.bytes.clone();
    if *which >= 128 {
        bytes.truncate(statement.proof_at);
        bytes.extend(rest);
    } else {
        let [low, high, changes @ ..] = rest else { return };
        let proof_len = bytes.len() - statement.proof_at;
        let len = proof_len.saturating_add_signed(i16::from_le_bytes([*low, *high]).into());
        bytes.resize(statement.proof_at + len, 0);
        for change in changes.chunks_exact(3) {
            let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
            bytes[at] ^= change[2];
        }
    }
    let verdict = Backend::Portable.force(|| statement.verify(&bytes)).expect("always there");
    assert_eq!(verdict.is_ok(), bytes == statement.bytes, "{verdict:?}");
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        let got = backend.force(|| statement.verify(&bytes)).expect("available");
        assert_eq!(got, verdict, "{}", backend.name());
    }
});
