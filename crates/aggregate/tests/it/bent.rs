//! Tests 10 and 19 of the specification's section 6: slices that are bent together, and fields of the other profile.

use crate::forge::{Bound, Committed, neighbours_bent, outer, rules_of, three_points};
use crate::support::{file, one};
use phalanx_aggregate::hazmat::{randomizers, words};
use phalanx_aggregate::{Limits, Profile, ProofError, verify};
use phalanx_reference::aggregate::{Circuit, Error, OPENING, Suite, claims_from};
use phalanx_reference::ligerito::{U192, eq, large_bytes};
use phalanx_testing::again;

const CONTEXT: &[u8] = b"context";

/// Test 10: two slices are changed so that their sum, which the next check looks at, is what it was. Then all checks but
/// the opening hold, and of its claims exactly the 32 of that point are false.
#[test]
fn bent_slices() {
    if again() {
        return;
    }
    let (statement, signatures) = one();
    let randomizers = randomizers(&signatures);
    let words = words(&statement, &signatures).expect("a signature");
    let rules = rules_of(&statement, &randomizers);
    let committed = Committed::new(&words);
    let bound = Bound::of::<u128>(&statement, &randomizers, committed.root);
    for point in 0..3 {
        let outer = outer(bound.transcript(None), &rules, words.clone(), neighbours_bent(point));
        let values = committed.values(&outer.points);
        let wrong: Vec<_> = (0..96).filter(|claim| values[*claim] != outer.values[*claim]).collect();
        assert_eq!(wrong, (32 * point..32 * (point + 1)).collect::<Vec<_>>());
        let opening = committed.open(&three_points(&outer.points), &outer.context);
        let made = bound.aggregate(&outer.bytes, &opening);
        let refused = verify(&Limits::new(&Profile::ALL), &statement, CONTEXT, &made);
        assert!(matches!(refused, Err(ProofError::Opening(_))), "point {point}: {refused:?}");
    }
}

/// An outer proof over the field of `N` whose transcript says another suite and profile, and for which check Z holds there:
/// one slice, rounds of zeros, and the products that are left. With an opening of so many bytes it is given to a verifier
/// as a proof of the profile `header`.
fn crossed<N: Suite>(suite: &'static str, profile: u8) -> impl Fn(u8, usize, &[Profile]) -> ProofError {
    let (statement, signatures) = one();
    let randomizers = randomizers(&signatures);
    let bound = Bound { suite, profile, ..Bound::of::<N>(&statement, &randomizers, [7; 32]) };
    let mut said = vec![N::default(); 194];
    said[0] = N::one();
    let mut transcript = bound.transcript::<N>(None);
    let zeta: Vec<N> = (0..22).map(|_| transcript.challenge("zeta")).collect();
    (said[32 + 44], said[32 + 45]) = (eq(&zeta[..5])[0], N::one());
    let said = large_bytes(&said);
    let rules = rules_of(&statement, &randomizers);
    let there =
        claims_from(&Circuit::blake2s(), bound.transcript::<N>(None), OPENING, rules.as_flattened(), &said);
    let there = there.expect_err("it is no proof");
    assert_eq!(there, Error::Lincheck, "the check after Z");
    move |header, opening_len, accepted| {
        let bound = Bound { profile: header, ..Bound::of::<N>(&statement, &randomizers, [7; 32]) };
        let made = bound.aggregate(&said, &vec![0; opening_len]);
        verify(&Limits::new(accepted), &statement, CONTEXT, &made).expect_err("no aggregate")
    }
}

/// Test 19: the transcript of one profile with the field of the other.
#[test]
fn fields_of_the_other_profile() {
    let (of_100, of_128) = (Profile::Provable100, Profile::Provable128);
    // Bytes of an opening of each, as published.
    let opening_len = |name: &str, element: usize| file(name).len() - 37 - 24 - 194 * element;
    let (opening_100, opening_128) = (opening_len("aggregate1.bin", 16), opening_len("aggregate3.bin", 24));
    let large = crossed::<U192>(u128::SUITE, of_100.code());
    assert_eq!(large(3, opening_128, &[of_100]), ProofError::UnacceptedProfile);
    assert_eq!(large(1, opening_128, &Profile::ALL), ProofError::Length);
    // Whatever is done about the length, the first check fails.
    assert_eq!(large(3, opening_128, &Profile::ALL), ProofError::Zerocheck);
    assert_eq!(large(1, opening_100 - 194 * 8, &Profile::ALL), ProofError::Zerocheck);
    let small = crossed::<u128>(U192::SUITE, of_128.code());
    assert_eq!(small(1, opening_100, &[of_128]), ProofError::UnacceptedProfile);
    assert_eq!(small(3, 194 * 8, &Profile::ALL), ProofError::Length);
    assert_eq!(small(1, opening_100, &Profile::ALL), ProofError::Zerocheck);
    assert_eq!(small(3, opening_100, &Profile::ALL), ProofError::Zerocheck);
}
