//! Signing (RFC 8032 section 5.1.6), in time independent of the key and the nonce.

use super::curve::{Affine, MANY, base_mul, base_mul_many};
use super::declassify::declassify;
use super::domain::Domain;
use super::{Error, Signature, SigningKey};
use crate::fields::scalar25519::{self, Scalar};
use crate::sha512;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Job, Pool};
use zeroize::{Zeroize, optimization_barrier, zeroize_stack};

pub(crate) fn plain(key: &SigningKey, message: &[u8], noise: Option<&[u8; 32]>) -> Signature {
    sign(Isa::current(), key, Domain::Plain, message, noise)
}

pub(crate) fn with_context(key: &SigningKey, message: &[u8], context: &[u8]) -> Result<Signature, Error> {
    Ok(sign(Isa::current(), key, Domain::context(context)?, message, None))
}

pub(crate) fn prehashed(key: &SigningKey, digest: &[u8; 64], context: &[u8]) -> Result<Signature, Error> {
    Ok(sign(Isa::current(), key, Domain::prehashed(context)?, digest, None))
}

fn sign(
    isa: Isa,
    key: &SigningKey,
    domain: Domain<'_>,
    message: &[u8],
    noise: Option<&[u8; 32]>,
) -> Signature {
    let signature = sign_in_own_frame(isa, key, domain, message, noise);
    zeroize_stack::<STACK_BYTES>();
    signature
}

/// [`sign`], without wiping the stack: limbs of the secret scalar and the nonce may be left where the compiler put them.
#[inline(never)]
fn sign_in_own_frame(
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
                sign_chunk(isa, &mut Scratch::new(keys.len()), keys, messages, signatures);
                zeroize_stack::<STACK_BYTES>();
            }
        }) as Job<'_>
    });
    pool.run(jobs.collect());
    Ok(signatures)
}

/// The bytes of stack that hold what steps hand on and what scalar arithmetic leaves there, however functions are inlined.
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
#[inline(never)]
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
