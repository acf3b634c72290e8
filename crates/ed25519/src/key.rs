//! Keys. A signing key always carries the public key derived from its own seed: signing takes no other.
#![forbid(unsafe_code)]

use crate::curve::{Decoded, Point, base_mul, decode, is_torsion_free};
use crate::error::Error;
use crate::fields::scalar25519::Scalar;
use crate::sha512;
use crate::wiped::wiped;
use alloc::boxed::Box;
use phalanx_core::declassify::declassify;
use phalanx_core::simd::Isa;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A secret key with the public key that belongs to it. Wiped when dropped; has no `Debug`.
///
/// Signing takes no public key: with that of another seed in the hash, two signatures of one message give the secret
/// scalar away.
///
/// ```compile_fail,E0061
/// use phalanx_ed25519::SigningKey;
/// let (mine, other) = (SigningKey::from_seed(&[1; 32]), SigningKey::from_seed(&[2; 32]));
/// mine.sign(b"a message", other.verifying_key());
/// ```
///
/// ```compile_fail,E0277
/// use phalanx_ed25519::SigningKey;
/// println!("{:?}", SigningKey::from_seed(&[1; 32]));
/// ```
#[derive(Clone)]
pub struct SigningKey {
    secret: Box<Secret>,
    verifying_key: VerifyingKey,
}

/// What is wiped.
#[derive(Clone)]
pub(crate) struct Secret {
    pub(crate) seed: [u8; 32],
    /// The clamped scalar a, modulo L.
    pub(crate) a: Scalar,
    pub(crate) prefix: [u8; 32],
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.seed.zeroize();
        self.a.zeroize();
        self.prefix.zeroize();
    }
}

impl ZeroizeOnDrop for Secret {}
impl ZeroizeOnDrop for SigningKey {}

/// The bytes of stack that expanding a seed may leave parts of the key in.
const STACK_BYTES: usize = 2048;

/// a of RFC 8032 section 5.1.5, modulo L, and the prefix.
fn expand(seed: &[u8; 32]) -> Box<Secret> {
    wiped::<STACK_BYTES, _>(|| expand_unwiped(seed))
}

fn expand_unwiped(seed: &[u8; 32]) -> Box<Secret> {
    let mut hash = sha512::digest(&[seed]);
    let mut clamped: [u8; 32] = hash[..32].try_into().expect("half of 64");
    clamped[0] &= 248;
    clamped[31] = clamped[31] & 63 | 64;
    let secret = Box::new(Secret {
        seed: *seed,
        a: Scalar::from_bytes_reduced(&clamped),
        prefix: hash[32..].try_into().expect("half of 64"),
    });
    hash.zeroize();
    clamped.zeroize();
    secret
}

impl SigningKey {
    /// The key of a 32-byte seed (the "private key" of RFC 8032). Time independent of the seed.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        let secret = expand(seed);
        let point = base_mul(Isa::current(), &secret.a);
        let verifying_key = VerifyingKey {
            bytes: point.encode(),
            minus_a: point.to_point().negate(),
            y_is_canonical: true,
            sign_is_canonical: true,
            // Clamping makes a a multiple of 8 between 2^254 and 2^255; the least multiple of 8 and L is 8 L, which is
            // above. So A is not O.
            is_weak: false,
        };
        Self { secret, verifying_key }
    }

    /// A new key from the operating system's randomness.
    ///
    /// # Errors
    /// [`Error::RngFailed`].
    #[cfg(feature = "std")]
    pub fn generate() -> Result<Self, Error> {
        let mut seed = zeroize::Zeroizing::new([0; 32]);
        getrandom::fill(&mut *seed).map_err(|_| Error::RngFailed)?;
        Ok(Self::from_seed(&seed))
    }

    /// The key pair form of NaCl, Zig and Go: seed, then public key. The public key is computed again and compared.
    ///
    /// # Errors
    /// [`Error::KeyMismatch`] if it is not the seed's.
    pub fn from_keypair_bytes(bytes: &[u8; 64]) -> Result<Self, Error> {
        let (seed, public) = bytes.split_at(32);
        let key = Self::from_seed(seed.try_into().expect("half of 64"));
        let mut is_equal = [key.verifying_key.bytes.ct_eq(public).unwrap_u8()];
        // Which of the two results it is.
        declassify(&mut is_equal);
        if is_equal == [1] { Ok(key) } else { Err(Error::KeyMismatch) }
    }

    /// The seed. The caller wipes it.
    #[must_use]
    pub fn to_seed(&self) -> [u8; 32] {
        self.secret.seed
    }

    /// Seed, then public key. The caller wipes it.
    #[must_use]
    pub fn to_keypair_bytes(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&self.secret.seed);
        bytes[32..].copy_from_slice(&self.verifying_key.bytes);
        bytes
    }

    /// The public half.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying_key
    }

    pub(crate) fn secret(&self) -> &Secret {
        &self.secret
    }
}

impl ConstantTimeEq for SigningKey {
    fn ct_eq(&self, other: &Self) -> subtle::Choice {
        self.secret.seed.ct_eq(&other.secret.seed)
    }
}

/// A public key: its 32 bytes and the point they encode.
///
/// Any encoding that some profile accepts makes a key; what a profile refuses, it refuses at verification.
#[derive(Clone, Copy)]
pub struct VerifyingKey {
    bytes: [u8; 32],
    /// -A, which is what verification adds.
    pub(crate) minus_a: Point,
    pub(crate) y_is_canonical: bool,
    pub(crate) sign_is_canonical: bool,
    /// \[8\]A = O.
    pub(crate) is_weak: bool,
}

impl VerifyingKey {
    /// Decodes 32 bytes. Non-canonical encodings are accepted here; the profile judges them.
    ///
    /// # Errors
    /// [`Error::InvalidPublicKey`] if no point has this encoding.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Error> {
        let decoded = decode(bytes).ok_or(Error::InvalidPublicKey)?;
        Ok(Self::from_decoded(bytes, &decoded))
    }

    /// The key of bytes that are decoded already.
    pub(crate) fn from_decoded(bytes: &[u8; 32], decoded: &Decoded) -> Self {
        Self {
            bytes: *bytes,
            minus_a: decoded.point.negate(),
            y_is_canonical: decoded.y_is_canonical,
            sign_is_canonical: decoded.sign_is_canonical,
            is_weak: decoded.is_weak,
        }
    }

    /// The 32 bytes, as they came.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.bytes
    }

    /// Whether the bytes are the canonical encoding of the point (RFC 8032 section 5.1.3).
    #[must_use]
    pub const fn is_canonical(&self) -> bool {
        self.y_is_canonical && self.sign_is_canonical
    }

    /// Whether the point has small order: signatures under such a key mean nothing, and anyone can make them.
    #[must_use]
    pub const fn is_weak(&self) -> bool {
        self.is_weak
    }

    /// Whether the point lies in the subgroup of prime order L: \[L\]A = O, no part of order 2, 4 or 8.
    ///
    /// Keys that were generated are. No [`Profile`](crate::Profile) asks for it; whoever needs one key to have one
    /// encoding in a group, as for Tor's onion addresses, FROST (RFC 9591) or key images, asks here. With
    /// [`is_weak`](Self::is_weak) it tells all orders apart: of the torsion-free points the identity alone is weak, and a
    /// point that is neither is of mixed order. In variable time, the price of a verification.
    #[must_use]
    pub fn is_torsion_free(&self) -> bool {
        is_torsion_free(Isa::current(), &self.minus_a)
    }
}

impl core::fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("VerifyingKey(")?;
        self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

impl PartialEq for VerifyingKey {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for VerifyingKey {}

impl core::hash::Hash for VerifyingKey {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

impl AsRef<[u8]> for VerifyingKey {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl TryFrom<&[u8]> for VerifyingKey {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        let array = bytes.try_into().map_err(|_| Error::InvalidLength {
            what: "public key",
            got: bytes.len(),
            wanted: 32,
        })?;
        Self::from_bytes(array)
    }
}
