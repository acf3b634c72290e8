//! The decoder of statements and the verifier of aggregates: a valid aggregate of either profile with some bytes of it, of
//! its statement or of its context changed, or any bytes in place of one of them. Every backend gives the same verdict,
//! nothing panics, and only what is unchanged is believed.
//!
//! Input: which aggregate (one bit), what to do (two bits of the same byte); then
//! 0: by how much the aggregate is longer or shorter (two bytes), and groups of a position (three bytes) and a byte to
//!    exclusive-or there, over statement, context and aggregate;
//! 1: a statement, in place of the valid one;
//! 2: what an aggregate begins with, the rest being the valid one's;
//! 3: what follows the magic and the profile, all of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::Backend;
use phalanx::aggregate::{Limits, MAX_SIGNATURES, Profile, ProofError, Statement, verify};

const STATEMENT: &[u8] = include_bytes!("../../vectors/aggregate/statement1.bin");
const CONTEXT: &[u8] = b"context";
const AGGREGATES: [&[u8]; 2] = [
    include_bytes!("../../vectors/aggregate/aggregate1.bin"),
    include_bytes!("../../vectors/aggregate/aggregate3.bin"),
];

/// Statement, context and aggregate of an input.
fn parts(input: &[u8]) -> Option<[Vec<u8>; 3]> {
    let [which, rest @ ..] = input else { return None };
    let valid = AGGREGATES[usize::from(which & 1)];
    let [mut statement, mut context, mut aggregate] = [STATEMENT, CONTEXT, valid].map(<[u8]>::to_vec);
    match which >> 1 & 3 {
        0 => {
            let [low, high, changes @ ..] = rest else { return None };
            let len = valid.len().saturating_add_signed(i16::from_le_bytes([*low, *high]).into());
            aggregate.resize(len, 0);
            for change in changes.chunks_exact(4) {
                let position = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize;
                let all = statement.iter_mut().chain(&mut context).chain(&mut aggregate);
                let count = STATEMENT.len() + CONTEXT.len() + len;
                *all.into_iter().nth(position % count)? ^= change[3];
            }
        }
        1 => statement = rest.to_vec(),
        2 => {
            let rest = &rest[..rest.len().min(aggregate.len())];
            aggregate[..rest.len()].copy_from_slice(rest);
        }
        _ => {
            aggregate.truncate(5);
            aggregate.extend(rest);
        }
    }
    Some([statement, context, aggregate])
}

fuzz_target!(|input: &[u8]| {
    let Some([bytes, context, aggregate]) = parts(input) else { return };
    let Ok(statement) = Statement::from_bytes(&bytes) else {
        assert!(bytes != STATEMENT, "the valid one");
        return;
    };
    assert_eq!(statement.to_bytes(), bytes, "one statement, one encoding");
    assert!((1..=MAX_SIGNATURES).contains(&statement.signatures()));
    assert_eq!(statement.signers().count(), statement.signatures());
    let pairs = statement.equivocations();
    assert!(pairs.iter().all(|(first, second)| first < second && *second < statement.signatures()));

    let limits = Limits::new(&Profile::ALL).with_signatures(MAX_SIGNATURES);
    let on = |backend: Backend| {
        backend.force(|| verify(&limits, &statement, &context, &aggregate)).expect("available")
    };
    let portable: Result<(), ProofError> = on(Backend::Portable);
    let unchanged = bytes == STATEMENT && context == CONTEXT && AGGREGATES.contains(&&*aggregate);
    assert_eq!(portable.is_ok(), unchanged, "{portable:?}");
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        assert_eq!(on(backend), portable, "{}", backend.name());
    }
});
