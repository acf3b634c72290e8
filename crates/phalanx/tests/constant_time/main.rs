//! No branch and no address depends on a secret of Ed25519 signing.
//!
//! Secrets are marked undefined; valgrind's memcheck then reports every conditional jump and every address that depends
//! on them, through any amount of arithmetic. `cargo xtask test` builds this with `--cfg phalanx_taint` and runs it under
//! valgrind, which knows no AVX-512, so on the backends portable and avx2. docs/ed25519-constant-time.md says more.

#![cfg(all(phalanx_taint, target_arch = "x86_64"))]

mod memcheck;
mod rescue;
mod xmss_blake2s;

use memcheck::{errors, is_listening, taint, tainted, untaint, untaint_value};
use phalanx::ed25519::{Error, Signature, SigningKey, sign_many};
use phalanx_core::declassify::HOOK;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tainted bytes that were made public: that they were tainted shows that the taint arrives.
static DECLASSIFIED: AtomicUsize = AtomicUsize::new(0);

/// One test at a time: memcheck's count of errors is the whole process's.
fn watch() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(is_listening(), "this test means nothing without valgrind: run it with `cargo xtask test`");
    HOOK.get_or_init(|| {
        Box::new(|bytes| {
            DECLASSIFIED.fetch_add(tainted(bytes), Ordering::SeqCst);
            untaint(bytes);
        })
    });
    guard
}

/// How many errors memcheck reports about `work`, and how many tainted bytes it makes public.
fn watched<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    let (errors_before, public_before) = (errors(), DECLASSIFIED.load(Ordering::SeqCst));
    let result = work();
    (result, errors() - errors_before, DECLASSIFIED.load(Ordering::SeqCst) - public_before)
}

fn secret(byte: u8) -> [u8; 32] {
    let mut secret = [byte; 32];
    taint(black_box(&mut secret));
    secret
}

/// A key with a tainted secret half. Its public half, which lies in the value itself, is public.
fn key(byte: u8) -> SigningKey {
    let mut key = SigningKey::from_seed(&secret(byte));
    assert_eq!(tainted(key.verifying_key().as_ref()), 32, "the public key depends on the seed");
    untaint_value(black_box(&mut key));
    key
}

/// The check bites: a branch on a secret, an address made of a secret, and a comparison that ends at the first difference.
#[test]
fn control_leaks_are_reported() {
    let _guard = watch();
    eprintln!("the reports about `control_leaks_are_reported` are wanted");
    let leaks: [fn(&[u8; 32]) -> u8; 3] = [
        |secret| {
            let mut sum = black_box(0);
            if black_box(secret)[0] & 1 == 1 {
                sum += black_box(1);
            }
            sum
        },
        |secret| black_box(&[7u8; 256])[usize::from(black_box(secret)[5])],
        |secret| u8::from(black_box(secret).iter().zip([9; 32]).all(|(a, b)| black_box(*a) == b)),
    ];
    for (i, leak) in leaks.into_iter().enumerate() {
        let secret = secret(9);
        let (_, errors, _) = watched(|| black_box(leak(&secret)));
        assert!(errors > 0, "leak {i} went by unseen");
    }
    let secret = secret(9);
    let masked = || black_box(&secret).iter().zip([3; 32]).fold(0, |sum, (a, b)| sum | (a ^ b));
    assert_eq!(watched(|| black_box(masked())).1, 0, "arithmetic is no leak");
}

/// The kernel for AVX2 and ADX is what runs on the backend avx2: valgrind's CPU hides the second.
#[test]
fn the_chains_of_carries_are_watched() {
    let isa = phalanx_core::simd::Isa::current();
    assert_eq!(isa.has("adx"), isa.has("avx2"));
}

#[test]
fn key_derivation() {
    let _guard = watch();
    let (_, errors, _) = watched(|| key(1));
    assert_eq!(errors, 0);
}

/// Every way to make one signature. The message may be secret as well, but for its length.
#[test]
fn signing() {
    let _guard = watch();
    let key = key(2);
    let (message, noise) = (secret(3), secret(4));
    let ways: [(&str, &dyn Fn() -> Signature); 6] = [
        ("sign", &|| key.sign(b"public")),
        ("a secret message", &|| key.sign(&message)),
        ("noise", &|| key.sign_with_noise(b"public", &noise)),
        ("ctx", &|| key.sign_ctx(b"public", b"context").expect("short")),
        ("ph", &|| key.sign_ph(&message, b"context").expect("short")),
        ("checked", &|| key.sign_checked(b"public").expect("no fault")),
    ];
    for (name, sign) in ways {
        let (signature, errors, public) = watched(sign);
        assert_eq!((errors, public), (0, 64), "{name}");
        assert_eq!(tainted(signature.as_ref()), 0, "{name}");
    }
}

/// Lone ones, part of a vector, full vectors, a second chunk.
#[test]
fn signing_many() {
    let _guard = watch();
    let keys: Vec<_> = (0..7).map(key).collect();
    for n in [1, 2, 3, 7, 8, 9, 20, 65] {
        let keys: Vec<_> = keys.iter().cycle().take(n).collect();
        let messages: Vec<&[u8]> = [&b"short"[..], &[5; 200]].into_iter().cycle().take(n).collect();
        let (signatures, errors, public) = watched(|| sign_many(&keys, &messages).expect("equal lengths"));
        assert_eq!((errors, public), (0, 64 * n), "{n}");
        for ((key, message), signature) in keys.iter().zip(messages).zip(signatures) {
            assert!(key.verifying_key().verify(message, &signature).is_ok(), "{n}");
        }
    }
}

/// Only the outcome of the check of a key pair is public.
#[test]
fn key_pairs() {
    let _guard = watch();
    let mut good = key(5).to_keypair_bytes();
    taint(black_box(&mut good[..32]));
    let (key, errors, public) = watched(|| SigningKey::from_keypair_bytes(&good));
    assert!(key.is_ok());
    assert_eq!((errors, public), (0, 1));
    good[40] ^= 1;
    let (key, errors, public) = watched(|| SigningKey::from_keypair_bytes(&good));
    assert_eq!(key.err(), Some(Error::KeyMismatch));
    assert_eq!((errors, public), (0, 1));
}

/// Wiping and comparing keys.
#[test]
fn dropping_and_comparing() {
    use subtle::ConstantTimeEq;
    let _guard = watch();
    let (a, b) = (key(6), key(7));
    let (_, errors, _) = watched(|| {
        black_box((a.ct_eq(&b).unwrap_u8(), a.ct_eq(&a.clone()).unwrap_u8()));
        drop((a, b));
    });
    assert_eq!(errors, 0);
}
