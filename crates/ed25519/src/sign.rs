//! Signing (RFC 8032 section 5.1.6), in time independent of the key and the nonce.
#![forbid(unsafe_code)]

use crate::curve::{Affine, MANY, base_mul, base_mul_many};
use crate::domain::Domain;
use crate::error::Error;
use crate::fields::scalar25519::{self, Scalar};
use crate::key::SigningKey;
use crate::profile::Profile;
use crate::sha512;
use crate::signature::Signature;
use crate::wiped::wiped;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::InvalidSignature;
use phalanx_core::declassify::declassify;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Job, Pool};
use zeroize::{Zeroize, optimization_barrier};

impl SigningKey {
    /// Signs. Deterministic: RFC 8032 Ed25519.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Signature {
        plain(self, message, None)
    }

    /// Signs with 32 bytes of noise hashed in before the prefix (as Zig's standard library does), against fault and
    /// side-channel attacks that need the same nonce twice. The noise need not be secret or even random to be safe.
    #[must_use]
    pub fn sign_with_noise(&self, message: &[u8], noise: &[u8; 32]) -> Signature {
        plain(self, message, Some(noise))
    }

    /// Signs and verifies the result before it is released, against faults in the machine. About twice the time of
    /// verification.
    ///
    /// # Errors
    /// [`Error::SelfCheckFailed`].
    pub fn sign_checked(&self, message: &[u8]) -> Result<Signature, Error> {
        let signature = self.sign(message);
        match self.verifying_key().verify_with(Profile::Cofactorless, message, &signature) {
            Ok(()) => Ok(signature),
            Err(InvalidSignature) => Err(Error::SelfCheckFailed),
        }
    }

    /// Ed25519ctx (RFC 8032 section 5.1): `context` is 1 to 255 bytes.
    ///
    /// # Errors
    /// [`Error::ContextEmpty`], [`Error::ContextTooLong`].
    pub fn sign_ctx(&self, message: &[u8], context: &[u8]) -> Result<Signature, Error> {
        with_context(self, message, context)
    }

    /// Ed25519ph (RFC 8032 section 5.1): signs the SHA-512 digest of the message; `context` is 0 to 255 bytes.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn sign_ph(&self, message: &[u8], context: &[u8]) -> Result<Signature, Error> {
        self.sign_prehashed(&sha512::digest(&[message]), context)
    }

    /// [`sign_ph`](Self::sign_ph) of a message whose SHA-512 digest the caller has computed.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn sign_prehashed(&self, digest: &[u8; 64], context: &[u8]) -> Result<Signature, Error> {
        prehashed(self, digest, context)
    }
}

fn plain(key: &SigningKey, message: &[u8], noise: Option<&[u8; 32]>) -> Signature {
    sign(Isa::current(), key, Domain::Plain, message, noise)
}

fn with_context(key: &SigningKey, message: &[u8], context: &[u8]) -> Result<Signature, Error> {
    Ok(sign(Isa::current(), key, Domain::context(context)?, message, None))
}

fn prehashed(key: &SigningKey, digest: &[u8; 64], context: &[u8]) -> Result<Signature, Error> {
    Ok(sign(Isa::current(), key, Domain::prehashed(context)?, digest, None))
}

fn sign(
    isa: Isa,
    key: &SigningKey,
    domain: Domain<'_>,
    message: &[u8],
    noise: Option<&[u8; 32]>,
) -> Signature {
    wiped::<STACK_BYTES, _>(|| sign_unwiped(isa, key, domain, message, noise))
}

/// [`sign`], without wiping the stack: limbs of the secret scalar and the nonce may be left where the compiler put
/// them.
fn sign_unwiped(
    isa: Isa,
    key: &SigningKey,
    domain: Domain<'_>,
    message: &[u8],
    noise: Option<&[u8; 32]>,
) -> Signature {
    let secret = key.secret();
    let [d0, d1, d2] = domain.parts();
    let noise: &[u8] = noise.map_or(&[], |noise| noise);
    // Step 2: r, the nonce.
    let mut nonce = sha512::digest(&[d0, d1, d2, noise, &secret.prefix, message]);
    let mut r = Scalar::from_wide(&nonce);
    // Step 3: R = [r]B.
    let encoded_r = base_mul(isa, &r).encode();
    // Step 4: k.
    let hash = sha512::digest(&[d0, d1, d2, &encoded_r, key.verifying_key().as_ref(), message]);
    // Step 5: S = r + k a.
    let signature = finish(&encoded_r, &Scalar::from_wide(&hash).mul_add(&secret.a, &r));
    nonce.zeroize();
    r.zeroize();
    signature
}

/// Step 6: R and S together.
fn finish(encoded_r: &[u8; 32], s: &Scalar) -> Signature {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(encoded_r);
    bytes[32..].copy_from_slice(&s.to_bytes());
    declassify(&mut bytes);
    Signature::from_bytes(&bytes)
}

/// Signs `messages[i]` with `keys[i]`, side by side in lanes. Each result equals [`SigningKey::sign`].
///
/// # Errors
/// [`Error::LengthMismatch`] if the slices differ in length.
pub fn sign_many(keys: &[&SigningKey], messages: &[&[u8]]) -> Result<Vec<Signature>, Error> {
    sign_many_on(&Inline, keys, messages)
}

/// [`sign_many`] on the threads of `pool`, in chunks of 64.
///
/// # Errors
/// As [`sign_many`].
pub fn sign_many_on(
    pool: &dyn Pool,
    keys: &[&SigningKey],
    messages: &[&[u8]],
) -> Result<Vec<Signature>, Error> {
    if keys.len() != messages.len() {
        return Err(Error::LengthMismatch { wanted: keys.len(), got: messages.len() });
    }
    let isa = Isa::current();
    let mut signatures = alloc::vec![Signature::from_bytes(&[0; 64]); keys.len()];
    let chunks = keys.chunks(MANY).zip(messages.chunks(MANY)).zip(signatures.chunks_mut(MANY));
    let jobs = chunks.map(|((keys, messages), signatures)| {
        Box::new(move || match (keys, messages) {
            ([key], [message]) => signatures[0] = sign(isa, key, Domain::Plain, message, None),
            _ => {
                let scratch = &mut Scratch::new(keys.len());
                wiped::<STACK_BYTES, _>(|| sign_chunk(isa, scratch, keys, messages, signatures));
            }
        }) as Job<'_>
    });
    pool.run(jobs.collect());
    Ok(signatures)
}

/// The bytes of stack that hold what steps hand on and what scalar arithmetic leaves there, however functions are
/// inlined.
const STACK_BYTES: usize = 4096;

/// What the steps of a chunk hand on, an entry for each signature. What is secret is wiped.
struct Scratch {
    /// First those that the nonces come from; then those of step 4, which are public.
    hashes: Vec<[u8; 64]>,
    r: Vec<Scalar>,
    a: Vec<Scalar>,
    k: Vec<Scalar>,
    s: Vec<Scalar>,
    points: Vec<Affine>,
    encoded_r: Vec<[u8; 32]>,
}

impl Scratch {
    fn new(n: usize) -> Self {
        Self {
            hashes: vec![[0; 64]; n],
            r: vec![Scalar::ZERO; n],
            a: vec![Scalar::ZERO; n],
            k: vec![Scalar::ZERO; n],
            s: vec![Scalar::ZERO; n],
            points: vec![Affine::IDENTITY; n],
            encoded_r: vec![[0; 32]; n],
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Not by `Zeroize`, which writes byte by byte.
        self.hashes.fill([0; 64]);
        self.r.fill(Scalar::ZERO);
        self.a.fill(Scalar::ZERO);
        optimization_barrier(&*self.hashes);
        optimization_barrier(&*self.r);
        optimization_barrier(&*self.a);
    }
}

/// At most [`MANY`]; the steps are those of [`sign`].
fn sign_chunk(
    isa: Isa,
    scratch: &mut Scratch,
    keys: &[&SigningKey],
    messages: &[&[u8]],
    signatures: &mut [Signature],
) {
    let Scratch { hashes, r, a, k, s, points, encoded_r } = scratch;
    // Step 2: r.
    let inputs: Vec<[&[u8]; 2]> =
        keys.iter().zip(messages).map(|(key, message)| [&key.secret().prefix[..], message]).collect();
    sha512::digest_many(isa, &inputs, hashes);
    scalar25519::from_wide_many(isa, hashes, r);
    // Step 3: R.
    base_mul_many(isa, r, points);
    for (encoded, point) in encoded_r.iter_mut().zip(&*points) {
        *encoded = point.encode();
    }
    // Steps 4 to 6.
    let inputs: Vec<[&[u8]; 3]> = keys
        .iter()
        .zip(messages)
        .zip(&*encoded_r)
        .map(|((key, message), encoded)| [&encoded[..], key.verifying_key().as_ref(), message])
        .collect();
    sha512::digest_many(isa, &inputs, hashes);
    for (a, key) in a.iter_mut().zip(keys) {
        *a = key.secret().a;
    }
    scalar25519::from_wide_many(isa, hashes, k);
    scalar25519::mul_add_many(isa, k, a, r, s);
    for ((signature, encoded), s) in signatures.iter_mut().zip(encoded_r).zip(s) {
        *signature = finish(encoded, s);
    }
}
