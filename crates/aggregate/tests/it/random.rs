//! The prover against the reference on signatures that nobody chose.

use crate::forge::plain;
use crate::support::signed;
use phalanx_aggregate::{Backend, Limits, Profile, Threads, aggregate, aggregate_on, verify};
use phalanx_reference::aggregate::{self as reference, Circuit, Suite, Witness};
use phalanx_reference::ligerito::U192;
use phalanx_reference::xmss_blake2s::{self as xmss, SecretKey, sign};
use std::time::{Duration, Instant};

/// Numbers that look random: splitmix64.
struct Draw(u64);

impl Draw {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn bytes(&mut self) -> [u8; 32] {
        let words = [(); 4].map(|()| self.word().to_le_bytes());
        words.as_flattened().try_into().expect("32 bytes")
    }

    /// Ends and powers of two among the epochs.
    fn epoch(&mut self) -> u32 {
        let any = u32::try_from(self.word() >> 32).expect("32 bits");
        match self.word() % 8 {
            0 => 0,
            1 => u32::MAX,
            2 => 1 << (any % 32),
            3 => (1 << (any % 32)) - 1,
            _ => any,
        }
    }
}

/// One signature, proved on any backend and number of threads: every byte before the opening is the reference's, those of
/// the opening too if `whole`, and both verify it.
fn one<N: Suite>(profile: Profile, draw: &mut Draw, whole: bool) {
    let (seed, epoch, message) = (draw.bytes(), draw.epoch(), draw.bytes());
    let context = draw.bytes()[..usize::try_from(draw.word() % 33).expect("small")].to_vec();
    let about = format!("seed {seed:02x?}, epoch {epoch}, message {message:02x?}, context {context:02x?}");
    let (statement, signatures) = signed(&[(seed, epoch, message)]);
    let backends: Vec<_> = Backend::ALL.into_iter().filter(|backend| backend.is_available()).collect();
    let backend = backends[usize::try_from(draw.word()).expect("64 bits") % backends.len()];
    let made = backend.force(|| match draw.word() % 2 {
        0 => aggregate(profile, &statement, &signatures, &context),
        _ => aggregate_on(&Threads::new(2), profile, &statement, &signatures, &context),
    });
    let made = made.expect("available").expect("a valid signature");
    verify(&Limits::new(&[profile]), &statement, &context, &made).expect("an aggregate");
    let plain = plain(&statement);
    let key = SecretKey::new(xmss::Profile::B, &seed, epoch, epoch).expect("one epoch");
    let (signature, _) = sign(&key, epoch, &message).expect("its epoch");
    let rhos = signature.randomness;
    let rules = reference::rules(&plain, &rhos).expect("an encoding");
    let z = reference::witness(&plain, &rules, std::slice::from_ref(&signature));
    let witness = Witness::of(&Circuit::blake2s(), z);
    let root = made[5..37].try_into().expect("32 bytes");
    let outer = reference::outer::<N>(&plain, &rhos, &witness, &context, &root).expect("an encoding");
    assert!(made[37..].starts_with(&[&rhos[..], &outer.bytes].concat()), "{about}, {}", backend.name());
    if whole {
        let wanted = reference::aggregate::<N>(&plain, &[signature], &context).expect("an encoding");
        assert!(made == wanted, "{about}, {}", backend.name());
    }
}

/// For ten minutes; the whole aggregate, which takes the reference most of a minute, of one in sixty-four.
#[test]
#[ignore = "ten minutes"]
#[expect(clippy::print_stdout, reason = "how many there were, for those who look")]
fn signatures_that_nobody_chose() {
    let start = Instant::now();
    let (mut draw, mut count) = (Draw(18), 0_u32);
    while start.elapsed() < Duration::from_mins(10) {
        one::<u128>(Profile::Provable100, &mut draw, count % 64 == 31);
        one::<U192>(Profile::Provable128, &mut draw, count % 64 == 63);
        count += 1;
    }
    println!("{count} signatures of each profile");
}

/// One of them; the vectors have more, of both profiles.
#[test]
fn a_signature_that_nobody_chose() {
    one::<u128>(Profile::Provable100, &mut Draw(19), false);
}
