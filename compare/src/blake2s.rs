//! BLAKE2s, and XMSS over it, which is nothing else: whole operations stand beside as many compressions of ours as they are.

use crate::sample::{More, Row, interleaved};
use blake2::{Blake2s256, Digest};
use blake2s_simd::Params;
use blake2s_simd::many::{HashManyJob, hash_many};
use phalanx::Backend;
use phalanx::xmss::blake2s::{SignedMessage, SigningKey, verify_many};
use phalanx::xmss::hazmat::blake2s::{compressions, digests, lanes, sign_unrecorded};
use std::hint::black_box;

/// Blocks of a message: its beginning and its end weigh little.
const BLOCKS: usize = 64;

/// Messages that peers hash together: more than they have lanes.
const MESSAGES: usize = 16;

/// Epochs of the key: they fill the lanes.
const EPOCHS: u32 = 128;

/// Messages signed in a sample: how many trials one needs varies.
const SIGNED: u32 = 16;

/// All rows.
pub(crate) fn rows(samples: usize) -> Vec<Row> {
    let message = [0x5a; 64 * BLOCKS];
    check_peers(&message);
    vec![
        compression("blake2s_simd", "1.0.5, many messages", samples, || {
            let mut jobs: [_; MESSAGES] = std::array::from_fn(|_| HashManyJob::new(params(), &message));
            hash_many(&mut jobs);
            black_box(jobs[0].to_hash());
            MESSAGES * BLOCKS
        }),
        compression("blake2s_simd", "1.0.5, one message", samples, || {
            black_box(params().hash(black_box(&message)));
            BLOCKS
        }),
        compression("blake2", "0.11.0, one message", samples, || {
            black_box(Blake2s256::digest(black_box(&message[..])));
            BLOCKS
        }),
        operation("xmss/keygen-per-leaf", "347 compressions", 347, samples.min(21), || {
            let key = SigningKey::from_seed(black_box(&[7; 32]), 0..EPOCHS.into()).expect("it fits");
            black_box(key.verifying_key());
            EPOCHS as usize
        }),
        sign(samples.min(5)),
        verification(samples.min(21)),
    ]
}

fn params() -> &'static Params {
    static PARAMS: std::sync::OnceLock<Params> = std::sync::OnceLock::new();
    PARAMS.get_or_init(Params::new)
}

/// All of them hash alike.
fn check_peers(message: &[u8]) {
    let wanted = digests(&[message.to_vec()]);
    assert_eq!(params().hash(message).as_bytes(), wanted[0], "blake2s_simd disagrees");
    assert_eq!(Blake2s256::digest(message)[..], wanted[0], "blake2 disagrees");
}

/// Runs our compression function in all lanes; answers how many blocks were compressed.
fn ours() -> usize {
    let mut states = [[1; 16]; 8];
    compressions(black_box(&mut states), 1000);
    1000 * lanes()
}

/// Ours in all lanes beside a peer's, each for one block.
fn compression(peer: &'static str, version: &str, samples: usize, theirs: impl FnMut() -> usize) -> Row {
    row("blake2s/compress", peer, version, interleaved(samples, ours, theirs))
}

/// An operation beside `count` compressions of our own: a ratio of one means that nothing else is done.
fn operation(
    name: &'static str,
    version: &str,
    count: u32,
    samples: usize,
    work: impl FnMut() -> usize,
) -> Row {
    let [value, compression] = interleaved(samples, work, ours);
    row(name, "phalanx", version, [value, f64::from(count) * compression])
}

/// Signing, whose mean is 29,489 trials of three compressions.
fn sign(samples: usize) -> Row {
    let key = SigningKey::from_seed(&[7; 32], 0..EPOCHS.into()).expect("it fits");
    let mut trials = 0;
    for epoch in 0..SIGNED {
        let (_, trial) = sign_unrecorded(&key, epoch, &message(epoch)).expect("it signs");
        trials += trial + 1;
    }
    let work = || {
        for epoch in 0..SIGNED {
            black_box(sign_unrecorded(&key, epoch, &message(epoch)).expect("it signs"));
        }
        SIGNED as usize
    };
    // As many trials as these messages need.
    let version = format!("3 compressions a trial, {} trials", trials / SIGNED);
    operation("xmss/sign", &version, 3 * trials / SIGNED, samples, work)
}

/// Many verifications together, each of 144 compressions.
fn verification(samples: usize) -> Row {
    let key = SigningKey::from_seed(&[7; 32], 0..EPOCHS.into()).expect("it fits");
    let public = key.verifying_key();
    let signed: Vec<_> = (0..SIGNED)
        .map(|epoch| {
            (epoch, message(epoch), sign_unrecorded(&key, epoch, &message(epoch)).expect("it signs").0)
        })
        .collect();
    let messages: Vec<_> = (0..64)
        .map(|i| {
            let (epoch, message, signature) = &signed[i % signed.len()];
            SignedMessage { key: &public, epoch: *epoch, message, signature }
        })
        .collect();
    operation("xmss/verify-many-per-signature", "144 compressions", 144, samples, || {
        assert!(verify_many(black_box(&messages)).iter().all(Result::is_ok), "a signature does not verify");
        messages.len()
    })
}

fn message(epoch: u32) -> [u8; 32] {
    [epoch.to_le_bytes()[0]; 32]
}

fn row(operation: &'static str, peer: &'static str, version: &str, [ours, peer_value]: [f64; 2]) -> Row {
    Row {
        operation,
        ours,
        peer,
        peer_version: version.to_owned(),
        peer_value,
        n: None,
        profile: None,
        backend: Backend::current(),
        more: More { note: Some("xmss-blake2s-l32-d42b8"), ..More::default() },
    }
}
