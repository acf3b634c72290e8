//! The prover against the reference on signatures that nobody chose.

use crate::forge::plain;
use crate::support::signed;
use phalanx_aggregate::{Backend, Limits, Profile, Statement, Threads, aggregate, aggregate_on, verify};
use phalanx_reference::aggregate::{self as reference, Circuit, Suite, Witness};
use phalanx_reference::ligerito::U192;
use phalanx_reference::xmss_blake2s::Signature;
use phalanx_testing::times::cpu_time;
use phalanx_testing::{Random, backends};
use std::time::Duration;

/// A key's seed, which signs this epoch alone, the epoch, and the message.
type Signer = ([u8; 32], u32, [u8; 32]);

/// So many signers, no two the same: often in the group of the one before, or with the key and the epoch of it.
fn signers(random: &mut Random, count: usize) -> Vec<Signer> {
    let mut signers: Vec<Signer> = Vec::new();
    while signers.len() < count {
        let any = (random.bytes32(), random.epoch(), random.bytes32());
        let next = match (signers.last(), random.within(0..3)) {
            (Some((_, epoch, message)), 0) => (any.0, *epoch, *message),
            (Some((seed, epoch, _)), 1) => (*seed, *epoch, any.2),
            _ => any,
        };
        if !signers.contains(&next) {
            signers.push(next);
        }
    }
    signers
}

/// What an aggregate is made of.
struct Case {
    signers: Vec<Signer>,
    context: Vec<u8>,
    statement: Statement,
    /// What the prover says, on one of the backends and with one thread or two.
    made: Vec<u8>,
    /// The signatures, as the reference has them.
    signatures: Vec<Signature>,
}

/// An aggregate of so many signatures, proved and verified.
fn proved(profile: Profile, random: &mut Random, backends: &[Backend], count: usize) -> Case {
    let signers = signers(random, count);
    let context = random.bytes32()[..usize::try_from(random.within(0..33)).expect("small")].to_vec();
    let (statement, signatures) = signed(&signers);
    let backend = backends[usize::from(random.u8()) % backends.len()];
    let made = backend.force(|| match random.within(0..2) {
        0 => aggregate(profile, &statement, &signatures, &context),
        _ => aggregate_on(&Threads::new(2), profile, &statement, &signatures, &context),
    });
    let made = made.expect("available").expect("valid signatures");
    verify(&Limits::new(&[profile]), &statement, &context, &made).expect("an aggregate");
    let signatures = signatures
        .iter()
        .map(|signature| Signature::from_bytes(&signature.to_bytes()).expect("as the prover has it"));
    Case { signatures: signatures.collect(), signers, context, statement, made }
}

/// All bytes of an aggregate are the reference's.
fn whole<N: Suite>(profile: Profile, random: &mut Random, backends: &[Backend], count: usize) {
    let case = proved(profile, random, backends, count);
    let wanted = reference::aggregate::<N>(&plain(&case.statement), &case.signatures, &case.context);
    assert!(case.made == wanted.expect("encodings"), "{:02x?}, context {:02x?}", case.signers, case.context);
}

/// Every byte before the opening is the reference's.
fn outer<N: Suite>(profile: Profile, random: &mut Random) {
    let case = proved(profile, random, &backends(), 1);
    let plain = plain(&case.statement);
    let rhos = case.signatures[0].randomness;
    let rules = reference::rules(&plain, &rhos).expect("an encoding");
    let witness = Witness::of(&Circuit::blake2s(), reference::witness(&plain, &rules, &case.signatures));
    let root = case.made[5..37].try_into().expect("32 bytes");
    let outer = reference::outer::<N>(&plain, &rhos, &witness, &case.context, &root).expect("an encoding");
    let wanted = [&rhos[..], &outer.bytes].concat();
    assert!(case.made[37..].starts_with(&wanted), "{:02x?}, context {:02x?}", case.signers, case.context);
}

/// For ten minutes of processor time, whole aggregates: mostly of one signature; every eighth round of two or three.
#[test]
#[ignore = "ten minutes of processor time"]
#[expect(clippy::print_stdout, reason = "how many there were, for those who look")]
fn signatures_that_nobody_chose() {
    let start = cpu_time();
    let (backends, mut random, mut rounds, mut signatures) = (backends(), Random::new(), 0, 0);
    while cpu_time() - start < Duration::from_mins(10) {
        let count = if rounds % 8 == 7 { 2 + rounds / 8 % 2 } else { 1 };
        whole::<u128>(Profile::Provable100, &mut random, &backends, count);
        whole::<U192>(Profile::Provable128, &mut random, &backends, count);
        (rounds, signatures) = (rounds + 1, signatures + count);
    }
    println!(
        "{rounds} aggregates of each profile, of {signatures} signatures, each equal to the reference's"
    );
    println!("in {} s of processor time", (cpu_time() - start).as_secs());
}

/// One of them without its opening; the vectors have whole ones, of both profiles.
#[test]
fn a_signature_that_nobody_chose() {
    outer::<u128>(Profile::Provable100, &mut Random::from_seed(19));
}
