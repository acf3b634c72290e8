//! Ed25519 for rustls 0.23: the verification of certificates and handshakes under a named rule, and keys that sign.
//!
//! [`with_ed25519`] puts both into a provider; [`Ed25519`] and [`Ed25519Key`] are the parts, for who builds one.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod keys;

use alloc::boxed::Box;
use alloc::vec::Vec;
pub use keys::Ed25519Key;
use phalanx_ed25519::Profile;
use rustls::SignatureScheme;
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms};
use rustls::pki_types::{AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm, alg_id};

/// The rule of ring, one of rustls' own providers: the same chains are valid with both.
pub const PROFILE: Profile = Profile::Cofactorless;

/// Verification under a rule, for lists of what webpki may use.
///
/// ```
/// use phalanx_ed25519::Profile;
/// use phalanx_rustls::Ed25519;
/// use rustls::pki_types::SignatureVerificationAlgorithm;
///
/// static STRICT: &dyn SignatureVerificationAlgorithm = &Ed25519::new(Profile::Strict);
/// assert!(STRICT.verify_signature(&[0; 32], b"a message", &[0; 64]).is_err());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ed25519 {
    profile: Profile,
}

impl Ed25519 {
    /// Verification under `profile`; [`PROFILE`] is what ring has.
    #[must_use]
    pub const fn new(profile: Profile) -> Self {
        Self { profile }
    }
}

impl SignatureVerificationAlgorithm for Ed25519 {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        phalanx_ed25519::verify(self.profile, public_key, message, signature).map_err(|_| InvalidSignature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        alg_id::ED25519
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        alg_id::ED25519
    }
}

/// `base` with our Ed25519: signatures are verified under `profile`, keys of Ed25519 are [`Ed25519Key`]s, and all else is as it was.
///
/// Providers hold lists that live as long as the program, and so do the few hundred bytes that are made here: call it once.
#[must_use]
pub fn with_ed25519(profile: Profile, base: CryptoProvider) -> CryptoProvider {
    let ours: &'static dyn SignatureVerificationAlgorithm = Box::leak(Box::new(Ed25519::new(profile)));
    let WebPkiSupportedAlgorithms { all, mapping } = base.signature_verification_algorithms;
    let others = all.iter().copied().filter(|each| each.public_key_alg_id() != alg_id::ED25519);
    let mut all: Vec<_> = others.collect();
    all.push(ours);
    // Their order is what is preferred: ours comes where Ed25519 was, or last.
    let mut mapping = mapping.to_vec();
    let one: &'static [_] = Box::leak(Box::new([ours]));
    match mapping.iter_mut().find(|(scheme, _)| *scheme == SignatureScheme::ED25519) {
        Some((_, algorithms)) => *algorithms = one,
        None => mapping.push((SignatureScheme::ED25519, one)),
    }
    CryptoProvider {
        signature_verification_algorithms: WebPkiSupportedAlgorithms {
            all: all.leak(),
            mapping: mapping.leak(),
        },
        key_provider: Box::leak(Box::new(keys::Keys { others: base.key_provider })),
        ..base
    }
}

/// The README's code, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
