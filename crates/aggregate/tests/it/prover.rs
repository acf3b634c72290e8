//! The prover: published bytes, and that what it makes verifies.

use crate::support::{digest, file, one, signed, three};
use phalanx_aggregate::{
    Error, Limits, Profile, ProofError, Stage, Statement, aggregate, aggregate_watched_on, max_len_bytes,
    memory_len, verify,
};
use std::cell::RefCell;

const CONTEXT: &[u8] = b"context";

#[test]
fn the_published_aggregates_byte_by_byte() {
    let (statement, signatures) = one();
    assert_eq!(statement.to_bytes(), file("statement1.bin"));
    for (profile, published) in
        [(Profile::Provable100, "aggregate1.bin"), (Profile::Provable128, "aggregate3.bin")]
    {
        let made = aggregate(profile, &statement, &signatures, CONTEXT).expect("a valid signature");
        assert!(made == file(published), "{published}");
    }
}

/// Specification, sections 10 and 12.
#[test]
fn three_signatures_in_two_groups() {
    let (statement, signatures) = three();
    let wanted = "32cc92eef7f54901b393d2a46b7d17a308b829a2fa89d7853e28eb44047f7d05";
    assert_eq!(digest(&statement.to_bytes()), wanted);
    for (profile, len, wanted) in [
        (Profile::Provable100, 109_549, "4ef4149fa63cc93eb29a347a66212da9121e872577e742d979835557bb82ea5d"),
        (Profile::Provable128, 148_973, "ce932aa33f40f19a00aa9aab095595d1da6977a1f06aeafd306a613e6e2d40f7"),
    ] {
        let made = aggregate(profile, &statement, &signatures, CONTEXT).expect("valid signatures");
        assert_eq!((made.len(), digest(&made)), (len, wanted.into()), "{}", profile.name());
        verify(&Limits::new(&[profile]), &statement, CONTEXT, &made).expect("an aggregate");
        // The longest has an opening with every sibling: the verifier's limit, to the byte.
        let longest = max_len_bytes(profile, 3);
        let verdict = |len| {
            let mut longer = made.clone();
            longer.resize(len, 0);
            verify(&Limits::new(&[profile]), &statement, CONTEXT, &longer)
        };
        assert!(len < longest && longest < 2 * len, "{longest}");
        assert!(matches!(verdict(longest), Err(ProofError::Opening(_))));
        assert_eq!(verdict(longest + 1), Err(ProofError::Length));
    }
}

#[test]
#[should_panic(expected = "0 signatures are none of a statement")]
fn no_aggregate_of_nothing() {
    let _ = max_len_bytes(Profile::Provable100, 0);
}

#[test]
fn what_the_prover_refuses() {
    let (statement, mut signatures) = three();
    let profile = Profile::Provable100;
    let got = |signatures: &[_]| aggregate(profile, &statement, signatures, CONTEXT);
    assert_eq!(got(&signatures[..2]), Err(Error::SignatureCount { got: 2, wanted: 3 }));
    signatures.swap(1, 2);
    assert_eq!(got(&signatures), Err(Error::InvalidSignature { index: 1 }));
    signatures.swap(1, 2);
    let takes = memory_len(profile, 3);
    let stages = RefCell::new(Vec::new());
    let within = |limit| {
        let progress = |stage| stages.borrow_mut().push(stage);
        let pool = phalanx_aggregate::Threads::new(2);
        aggregate_watched_on(&pool, profile, &statement, &signatures, CONTEXT, limit, &progress)
    };
    assert_eq!(within(takes - 1), Err(Error::Memory { wanted: takes, limit: takes - 1 }));
    assert!(stages.borrow().is_empty(), "refused before it starts");
    assert!(within(takes) == got(&signatures), "threads do not change a byte");
    assert_eq!(*stages.borrow(), Stage::ALL);
}

/// The first and the last epoch, a key that has signed two messages at one, and a number just above a class.
#[test]
fn epochs_at_both_ends() {
    let (a, b) = ([b'a'; 32], [b'b'; 32]);
    let signers = [([1; 32], 0, a), ([2; 32], 0, a), ([1; 32], 0, b), ([3; 32], u32::MAX, a)];
    let (statement, signatures) = signed(&signers);
    assert_eq!(statement.groups().len(), 3);
    let [(first, second)] = statement.equivocations()[..] else { panic!("one pair") };
    let signers: Vec<_> = statement.signers().collect();
    assert_eq!((signers[first].epoch, signers[first].key), (signers[second].epoch, signers[second].key));
    for profile in Profile::ALL {
        let made = aggregate(profile, &statement, &signatures, CONTEXT).expect("valid signatures");
        verify(&Limits::new(&[profile]), &statement, CONTEXT, &made).expect("an aggregate");
    }
}

#[test]
fn statements_by_any_road() {
    let (statement, _) = three();
    let bytes = statement.to_bytes();
    assert_eq!(Statement::from_bytes(&bytes).as_ref(), Ok(&statement));
    assert_eq!(statement.signatures(), 3);
    assert!(statement.equivocations().is_empty());
    let read = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut changed = bytes.clone();
        change(&mut changed);
        Statement::from_bytes(&changed).map(|_| ())
    };
    assert_eq!(read(&|x| x.truncate(3)), Err(Error::StatementLength));
    assert_eq!(read(&|x| x[0] = 0), Err(Error::NoGroups));
    assert_eq!(read(&|x| x[3] = 1), Err(Error::StatementLength));
    assert_eq!(read(&|x| x[40] = 0), Err(Error::EmptyGroup));
    assert_eq!(read(&|x| x[43] = 1), Err(Error::StatementLength));
    assert_eq!(read(&|x| x.copy_within(44..76, 76)), Err(Error::KeyOrder));
    assert_eq!(read(&|x| x[4] = 8), Err(Error::GroupOrder));
    assert_eq!(read(&|x| x.push(0)), Err(Error::StatementLength));
    // The two keys of epoch 6 for another message at the same epoch.
    let mut twice = bytes.clone();
    twice[0] = 3;
    let mut other = bytes[4..108].to_vec();
    other[4] += 1;
    twice.splice(108..108, other);
    let twice = Statement::from_bytes(&twice).expect("in order");
    assert_eq!(twice.equivocations(), [(0, 2), (1, 3)]);
}
