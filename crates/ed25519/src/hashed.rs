//! Signatures as they come, and with their message hashed.
#![forbid(unsafe_code)]

use crate::curve::BASE_POINT;
use crate::fields::scalar25519::{self, Scalar};
use crate::profile::Profile;
use crate::sha512;
use crate::signature::Signature;
use crate::verify::judge_bytes;
use phalanx_core::InvalidSignature;
use phalanx_core::simd::Isa;

/// A signature to verify: whose it is, of what, and the signature itself, as bytes. Lengths other than 32 and 64 make
/// it invalid; nothing is refused.
#[derive(Clone, Copy, Debug)]
pub struct SignedMessage<'a> {
    /// 32 bytes.
    pub public_key: &'a [u8],
    /// Any number of bytes.
    pub message: &'a [u8],
    /// 64 bytes.
    pub signature: &'a [u8],
}

/// What verification says about one signature among many.
pub(crate) type Outcome = Result<(), InvalidSignature>;

/// Signatures hashed together at most.
pub(crate) const CHUNK: usize = 64;

/// A signature, parsed and with its message hashed: what is left to verify needs the message no more.
#[derive(Clone, Copy)]
pub(crate) struct HashedSignature {
    /// The lengths are right and S is below L. If not, the rest stands for a signature without a fault of form.
    pub(crate) parsed: bool,
    pub(crate) a: [u8; 32],
    pub(crate) r: [u8; 32],
    pub(crate) s: Scalar,
    /// SHA-512(R || A || message) modulo L.
    pub(crate) k: Scalar,
}

impl HashedSignature {
    /// Not parsed.
    pub(crate) const NONE: Self =
        Self { parsed: false, a: BASE_POINT, r: BASE_POINT, s: Scalar::ZERO, k: Scalar::ZERO };

    /// Reads up to [`CHUNK`] messages into `hashed`, of the same length, all [`NONE`](Self::NONE) before.
    pub(crate) fn read(isa: Isa, messages: &[SignedMessage<'_>], hashed: &mut [Self]) {
        for (signed, hashed) in messages.iter().zip(&mut *hashed) {
            let (Ok(a), Some((r, s))) = (signed.public_key.try_into(), split(signed.signature)) else {
                continue;
            };
            let Some(s) = Scalar::from_canonical(s) else { continue };
            *hashed = Self { parsed: true, a, r: *r, s, k: Scalar::ZERO };
        }
        let mut inputs = [[&[] as &[u8]; 3]; CHUNK];
        for ((input, signed), hashed) in inputs.iter_mut().zip(messages).zip(&*hashed) {
            if hashed.parsed {
                *input = [&signed.signature[..32], signed.public_key, signed.message];
            }
        }
        let mut digests = [[0; 64]; CHUNK];
        let digests = &mut digests[..messages.len()];
        sha512::digest_many(isa, &inputs[..messages.len()], digests);
        let mut k = [Scalar::ZERO; CHUNK];
        scalar25519::from_wide_many(isa, digests, &mut k[..messages.len()]);
        for (hashed, k) in hashed.iter_mut().zip(k) {
            hashed.k = k;
        }
    }
}

impl HashedSignature {
    /// As single verification.
    pub(crate) fn verify(&self, isa: Isa, profile: Profile) -> Outcome {
        if !self.parsed {
            return Err(InvalidSignature);
        }
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&self.r);
        signature[32..].copy_from_slice(&self.s.to_bytes());
        let signature = Signature::from_bytes(&signature);
        judge_bytes(isa, profile, &self.a, &signature, |_| self.k).map_err(|_| InvalidSignature)
    }
}

/// R and S.
fn split(signature: &[u8]) -> Option<(&[u8; 32], &[u8; 32])> {
    let signature: &[u8; 64] = signature.try_into().ok()?;
    let (r, s) = signature.split_at(32);
    Some((r.try_into().ok()?, s.try_into().ok()?))
}
