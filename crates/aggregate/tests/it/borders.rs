//! Numbers of signatures at the borders of sizes: 2^n blocks are full, and one more signature takes twice as many.

use phalanx_aggregate::{
    DEFAULT_MEMORY_LIMIT, Limits, Profile, Statement, Threads, aggregate_watched_on, max_len_bytes,
    memory_len, verify,
};
use phalanx_reference::xmss_blake2s::{self as xmss, SecretKey, sign};
use phalanx_xmss::blake2s::{ParameterSet, Signature, VerifyingKey};
use std::time::Instant;

const SET: ParameterSet = ParameterSet::L32_D42B8;

/// Groups at the first epoch and the last, and with keys that sign at two: the same keys in three groups, twice at one epoch.
const GROUPS: [(u32, u8); 5] = [(0, b'a'), (6, b'a'), (6, b'b'), (7, b'c'), (u32::MAX, b'a')];

/// A signature, with the key that made it.
struct Signed {
    epoch: u32,
    message: [u8; 32],
    key: Vec<u8>,
    signature: Signature,
}

fn signed(number: usize) -> Signed {
    let (epoch, message) = GROUPS[number % GROUPS.len()];
    let mut seed = [0x18; 32];
    seed[..8].copy_from_slice(&((number / GROUPS.len()) as u64).to_le_bytes());
    let (first, last) = if (6..8).contains(&epoch) { (6, 7) } else { (epoch, epoch) };
    let key = SecretKey::new(xmss::Profile::B, &seed, first, last).expect("epochs in order");
    let (signature, _) = sign(&key, epoch, &[message; 32]).expect("its epoch");
    let signature = Signature::from_bytes(SET, &signature.to_bytes()).expect("1208 bytes");
    Signed { epoch, message: [message; 32], key: key.public_key().to_bytes(), signature }
}

/// The first signatures, in the order of their statement.
fn stated(count: usize, signed: &[Signed]) -> (Statement, Vec<Signature>) {
    let mut signed: Vec<&Signed> = signed[..count].iter().collect();
    signed.sort_by(|a, b| (a.epoch, a.message, &a.key).cmp(&(b.epoch, b.message, &b.key)));
    let key = |bytes: &[u8]| VerifyingKey::from_bytes(SET, bytes).expect("32 bytes");
    let signers: Vec<_> = signed.iter().map(|one| (key(&one.key), one.epoch, one.message)).collect();
    let statement = Statement::of(&signers).expect("different keys in every group");
    (statement, signed.into_iter().map(|one| one.signature.clone()).collect())
}

/// Proves and verifies the first signatures; says what that took.
#[expect(clippy::print_stdout, reason = "what was measured, for those who look")]
fn proved(count: usize, all: &[Signed], profile: Profile, memory_limit: u64) {
    let (statement, signatures) = stated(count, all);
    assert_eq!(statement.groups().len(), count.min(GROUPS.len()));
    // Of five signers in a row the second and the third are one key at one epoch.
    assert_eq!(statement.equivocations().len(), count / 5 + usize::from(count % 5 >= 3));
    let start = Instant::now();
    let pool = Threads::new(2);
    let (context, silent) = (b"borders", |_| ());
    let made = aggregate_watched_on(&pool, profile, &statement, &signatures, context, memory_limit, &silent)
        .unwrap_or_else(|error| panic!("{count} signatures, {}: {error}", profile.name()));
    let proving = start.elapsed().as_secs_f64();
    let limits = Limits::new(&[profile]).with_signatures(count);
    let start = Instant::now();
    let verdict = verify(&limits, &statement, context, &made);
    assert_eq!(verdict, Ok(()), "{count} signatures, {}", profile.name());
    let verifying = start.elapsed().as_secs_f64();
    assert!(made.len() <= max_len_bytes(profile, count));
    let mut other = made.clone();
    *other.last_mut().expect("not empty") ^= 1;
    assert!(verify(&limits, &statement, context, &other).is_err());
    let (len, stated) = (made.len(), memory_len(profile, count) / 1_000_000);
    println!(
        "{count} signatures, {}: {len} bytes, {stated} MB stated, {proving:.2} s, verified in {verifying:.3} s",
        profile.name()
    );
}

#[test]
fn small_numbers() {
    let all: Vec<_> = (0..8).map(signed).collect();
    for count in [1, 2, 4, 7, 8] {
        proved(count, &all, Profile::Provable100, DEFAULT_MEMORY_LIMIT);
    }
}

#[test]
#[ignore = "up to 2000 signatures: 10 GB, and ten minutes of a release build"]
fn every_border_to_two_thousand() {
    let all: Vec<_> = (0..2000).map(signed).collect();
    for profile in Profile::ALL {
        for count in [1, 2, 3, 4, 115, 116, 461, 462, 923, 924, 1846, 1847, 2000] {
            proved(count, &all, profile, 16 << 30);
        }
    }
}
