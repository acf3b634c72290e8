//! The published cases: every verdict.

use crate::support::file;
use phalanx_aggregate::{Limits, Profile, ProofError, Statement, verify};
use serde_json::Value;

/// A case with its change: whether it verifies.
fn verifies(case: &Value) -> bool {
    let text = |key: &str| case[key].as_str().unwrap_or_else(|| panic!("{key}: {case}"));
    let number = |value: &Value| usize::try_from(value.as_u64().expect("a number")).expect("small");
    let (mut statement, mut aggregate) = (file(text("statement")), file(text("aggregate")));
    for (change, of) in ["flip", "cut", "append"].into_iter().map(|change| (change, &case[change])) {
        if of.is_null() {
            continue;
        }
        let bytes = if of["file"] == "statement" { &mut statement } else { &mut aggregate };
        match change {
            "flip" => bytes[number(&of["offset"])] ^= u8::try_from(number(&of["xor"])).expect("a byte"),
            "cut" => bytes.truncate(number(&of["length"])),
            _ => bytes.extend(hex::decode(of["bytes_hex"].as_str().expect("hex")).expect("hex")),
        }
    }
    let context = hex::decode(text("context_hex")).expect("hex");
    let limits = Limits::new(&Profile::ALL);
    Statement::from_bytes(&statement)
        .is_ok_and(|statement| verify(&limits, &statement, &context, &aggregate).is_ok())
}

#[test]
fn every_case_has_its_verdict() {
    let cases: Vec<Value> = serde_json::from_slice(&file("cases.json")).expect("JSON");
    assert_eq!(cases.len(), 196);
    let mut accepted = 0;
    for case in &cases {
        let wanted = case["verdict"] == "accept";
        assert_eq!(verifies(case), wanted, "{}", case["name"]);
        accepted += usize::from(wanted);
    }
    assert_eq!(accepted, 2);
}

#[test]
fn the_verifier_says_which_check_failed() {
    let statement = Statement::from_bytes(&file("statement1.bin")).expect("valid");
    let aggregate = file("aggregate1.bin");
    let verdict = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut changed = aggregate.clone();
        change(&mut changed);
        verify(&Limits::new(&[Profile::Provable100]), &statement, b"context", &changed)
    };
    assert_eq!(verdict(&|_| ()), Ok(()));
    let none = Limits::new(&Profile::ALL).with_signatures(0);
    assert_eq!(verify(&none, &statement, b"context", &aggregate), Err(ProofError::TooManySignatures));
    assert_eq!(verdict(&|x| x.truncate(4)), Err(ProofError::Length));
    assert_eq!(verdict(&|x| x[3] ^= 1), Err(ProofError::UnacceptedProfile));
    assert_eq!(verdict(&|x| x[4] = 2), Err(ProofError::UnacceptedProfile));
    // Profile 3 is known, but not accepted.
    assert_eq!(verdict(&|x| x[4] = 3), Err(ProofError::UnacceptedProfile));
    assert_eq!(verdict(&|x| x.truncate(37 + 24 + 194 * 16)), Err(ProofError::Length));
    assert_eq!(verdict(&|x| x.resize(300_000, 0)), Err(ProofError::Length));
    assert_eq!(verdict(&|x| x[37] ^= 1), Err(ProofError::NoEncoding { index: 0 }));
    // The root, a slice, a round, the products.
    for at in [5, 61, 61 + 512, 61 + 512 + 22 * 32] {
        assert_eq!(verdict(&|x| x[at] ^= 1), Err(ProofError::Zerocheck), "byte {at}");
    }
    let lincheck = 61 + 512 + 22 * 32 + 32;
    for at in [lincheck, lincheck + 14 * 32] {
        assert_eq!(verdict(&|x| x[at] ^= 1), Err(ProofError::Lincheck), "byte {at}");
    }
    let wiring = lincheck + 14 * 32 + 512;
    for at in [wiring, wiring + 12 * 32] {
        assert_eq!(verdict(&|x| x[at] ^= 1), Err(ProofError::Wiring), "byte {at}");
    }
    // The opening, and its end.
    let opening = wiring + 12 * 32 + 512;
    assert!(matches!(verdict(&|x| x[opening] ^= 1), Err(ProofError::Opening(_))));
    assert!(matches!(verdict(&|x| x.truncate(x.len() - 1)), Err(ProofError::Opening(_))));
    assert!(matches!(verdict(&|x| x.push(0)), Err(ProofError::Opening(_))));
}
