//! Test 18 of the specification's section 6: a byte changed, a length changed, an opening of something else.

use crate::support::{file, one, three};
use phalanx_aggregate::{Limits, Profile, ProofError, Threads, aggregate, verify};
use phalanx_ligerito as ligerito;

const CONTEXT: &[u8] = b"context";
/// Bytes before the opening, of the published aggregate with 100 bits.
const OPENING: usize = 37 + 24 + 194 * 16;

/// Changes bytes of the published aggregate one at a time, and says which check refused each.
fn refusals(places: impl Iterator<Item = usize>, mut seen: impl FnMut(usize, ProofError)) {
    let (statement, _) = one();
    let made = file("aggregate1.bin");
    let limits = Limits::new(&Profile::ALL);
    for at in places {
        let mut other = made.clone();
        // Another bit at each byte.
        other[at] ^= 1 << (at % 8);
        match verify(&limits, &statement, CONTEXT, &other) {
            Ok(()) => panic!("byte {at}: believed"),
            Err(error) => seen(at, error),
        }
    }
}

/// Every byte before the opening, each refused by the check of its part.
#[test]
fn every_byte_before_the_opening() {
    // Where zerocheck and lincheck end: slices, rounds, products; rounds, slices.
    let zerocheck = 61 + (32 + 2 * 22 + 2) * 16;
    let lincheck = zerocheck + (28 + 32) * 16;
    refusals(0..OPENING, |at, error| {
        let wanted = match at {
            0..5 => ProofError::UnacceptedProfile,
            5..37 => ProofError::Zerocheck,
            37..61 => ProofError::NoEncoding { index: 0 },
            _ if at < zerocheck => ProofError::Zerocheck,
            _ if at < lincheck => ProofError::Lincheck,
            _ => ProofError::Wiring,
        };
        assert_eq!(error, wanted, "byte {at}");
    });
}

/// Bytes of the opening, those given.
fn opening(places: impl Iterator<Item = usize>) {
    refusals(places, |at, error| assert!(matches!(error, ProofError::Opening(_)), "byte {at}: {error:?}"));
}

/// Some 700 of its 87,000 bytes, on a step that meets every place within a digest and within an element.
#[test]
fn bytes_of_the_opening() {
    opening((OPENING..file("aggregate1.bin").len()).step_by(127));
}

#[test]
#[ignore = "every byte of the opening: 87,000 verifications, two minutes of processor time on all cores"]
fn every_byte_of_the_opening() {
    let end = file("aggregate1.bin").len();
    let threads = Threads::available().count();
    // Checks of what stands first refuse sooner: every thread has bytes of all parts.
    std::thread::scope(|scope| {
        for first in OPENING..OPENING + threads {
            scope.spawn(move || opening((first..end).step_by(threads)));
        }
    });
}

/// Openings of the same bits in another context, and of a polynomial of another size.
#[test]
fn openings_of_something_else() {
    let (statement, signatures) = one();
    let (made, limits) = (file("aggregate1.bin"), Limits::new(&Profile::ALL));
    let profile = Profile::Provable100;
    let verdict = |aggregate: &[u8]| verify(&limits, &statement, CONTEXT, aggregate);
    let another = aggregate(profile, &statement, &signatures, b"another").expect("a valid signature");
    let spliced = verdict(&[&made[..OPENING], &another[OPENING..]].concat());
    let expected =
        |error| matches!(error, ligerito::ProofError::MerkleRoot { .. } | ligerito::ProofError::ProofLength);
    assert!(matches!(spliced, Err(ProofError::Opening(error)) if expected(error)), "{spliced:?}");
    // One more variable: longer than any opening of this size, or, cut to what fits, no opening of it.
    let (of_three, signatures) = three();
    let larger = aggregate(profile, &of_three, &signatures, CONTEXT).expect("valid signatures");
    let larger = &larger[37 + 3 * 24 + 198 * 16..];
    assert_eq!(verdict(&[&made[..OPENING], larger].concat()), Err(ProofError::Length));
    let cut = [&made[..OPENING], &larger[..made.len() - OPENING]].concat();
    assert!(matches!(verdict(&cut), Err(ProofError::Opening(_))));
    // Of more signatures: what stands where their randomizers would be encodes nothing.
    let of_one = verify(&limits, &of_three, CONTEXT, &made);
    assert_eq!(of_one, Err(ProofError::NoEncoding { index: 0 }));
}
