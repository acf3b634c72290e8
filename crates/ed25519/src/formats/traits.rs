//! The traits of other crates, each under a feature of its name: `signature`, `pkcs8` and `serde`.

use crate::key::{SigningKey, VerifyingKey};
use crate::signature::Signature;

impl AsRef<VerifyingKey> for SigningKey {
    fn as_ref(&self) -> &VerifyingKey {
        self.verifying_key()
    }
}

impl From<Signature> for [u8; 64] {
    fn from(signature: Signature) -> Self {
        signature.to_bytes()
    }
}

impl From<[u8; 64]> for Signature {
    fn from(bytes: [u8; 64]) -> Self {
        Self::from_bytes(&bytes)
    }
}

// ---- signature 3 ----

#[cfg(feature = "signature")]
mod signature_traits {
    use super::{Signature, SigningKey, VerifyingKey};
    use crate::profile::Profile;
    use phalanx_core::InvalidSignature;
    use sha2::{Digest, Sha512};

    impl signature::Signer<Signature> for SigningKey {
        /// [`SigningKey::sign`]; never fails.
        fn try_sign(&self, message: &[u8]) -> Result<Signature, signature::Error> {
            Ok(Self::sign(self, message))
        }
    }

    impl signature::Verifier<Signature> for VerifyingKey {
        /// [`VerifyingKey::verify`]: under [`Profile::Strict`].
        fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
            Self::verify(self, message, signature).map_err(opaque)
        }
    }

    impl signature::DigestSigner<Sha512, Signature> for SigningKey {
        /// Ed25519ph without context: another signature than [`Signer`](signature::Signer)'s of the same message.
        fn try_sign_digest<F: Fn(&mut Sha512) -> Result<(), signature::Error>>(
            &self,
            feed: F,
        ) -> Result<Signature, signature::Error> {
            let mut state = Sha512::new();
            feed(&mut state)?;
            self.sign_prehashed(&state.finalize().into(), &[]).map_err(|_| signature::Error::new())
        }
    }

    impl signature::DigestVerifier<Sha512, Signature> for VerifyingKey {
        /// Ed25519ph without context, under [`Profile::Strict`].
        fn verify_digest<F: Fn(&mut Sha512) -> Result<(), signature::Error>>(
            &self,
            feed: F,
            signature: &Signature,
        ) -> Result<(), signature::Error> {
            let mut state = Sha512::new();
            feed(&mut state)?;
            self.verify_prehashed(Profile::Strict, &state.finalize().into(), &[], signature).map_err(opaque)
        }
    }

    impl signature::KeypairRef for SigningKey {
        type VerifyingKey = VerifyingKey;
    }

    impl signature::SignatureEncoding for Signature {
        type Repr = [u8; 64];
    }

    fn opaque(_: InvalidSignature) -> signature::Error {
        signature::Error::new()
    }
}

// ---- pkcs8 0.11 ----

/// The reading and writing is that of [`SigningKey::from_pkcs8_der`] and its neighbours; the `pkcs8` crate hands over
/// what it has parsed.
#[cfg(feature = "pkcs8")]
mod pkcs8_traits {
    use super::{SigningKey, VerifyingKey};
    use pkcs8::spki::{self, AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};
    use pkcs8::{ObjectIdentifier, PrivateKeyInfoRef};

    /// RFC 8410 section 3.
    const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");

    fn is_ed25519(algorithm: &AlgorithmIdentifierRef<'_>) -> spki::Result<()> {
        algorithm.assert_algorithm_oid(OID)?;
        if algorithm.parameters.is_some() { Err(spki::Error::KeyMalformed) } else { Ok(()) }
    }

    impl TryFrom<PrivateKeyInfoRef<'_>> for SigningKey {
        type Error = pkcs8::Error;

        fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
            is_ed25519(&info.algorithm)?;
            let malformed = || pkcs8::Error::KeyMalformed(pkcs8::KeyError::Invalid);
            // CurvePrivateKey of RFC 8410 section 7: an OCTET STRING inside.
            let [0x04, 32, seed @ ..] = info.private_key.as_bytes() else { return Err(malformed()) };
            let key = Self::from_seed(seed.try_into().map_err(|_| malformed())?);
            match info.public_key.map(|bits| bits.as_bytes()) {
                Some(public) if public != Some(key.verifying_key().as_ref()) => Err(malformed()),
                _ => Ok(key),
            }
        }
    }

    impl pkcs8::EncodePrivateKey for SigningKey {
        /// Version 1, as [`SigningKey::to_pkcs8_der`].
        fn to_pkcs8_der(&self) -> pkcs8::Result<pkcs8::SecretDocument> {
            Ok(pkcs8::SecretDocument::try_from(&Self::to_pkcs8_der(self)[..])?)
        }
    }

    impl TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey {
        type Error = spki::Error;

        fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
            is_ed25519(&info.algorithm)?;
            let bytes = info.subject_public_key.as_bytes().ok_or(spki::Error::KeyMalformed)?;
            Self::try_from(bytes).map_err(|_| spki::Error::KeyMalformed)
        }
    }

    impl spki::EncodePublicKey for VerifyingKey {
        fn to_public_key_der(&self) -> spki::Result<spki::Document> {
            Ok(spki::Document::try_from(self.to_spki_der())?)
        }
    }
}

// ---- serde ----

/// Hex for formats that people read (JSON, TOML), bytes for the others. A [`SigningKey`] is its seed: serialising one
/// writes the secret, and the serialiser's own buffers are not wiped.
#[cfg(feature = "serde")]
mod serde_traits {
    use super::{Signature, SigningKey, VerifyingKey};
    use core::fmt;
    use serde::de::{Error, SeqAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use zeroize::Zeroizing;

    fn write<S: Serializer>(serializer: S, bytes: &[u8]) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&super::super::hex::encode(bytes))
        } else {
            serializer.serialize_bytes(bytes)
        }
    }

    fn read<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<Zeroizing<[u8; N]>, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(Array)
        } else {
            deserializer.deserialize_bytes(Array)
        }
    }

    /// Takes N bytes as hex, as bytes or as a sequence of numbers.
    struct Array<const N: usize>;

    impl<'de, const N: usize> Visitor<'de> for Array<N> {
        type Value = Zeroizing<[u8; N]>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{N} bytes, or {} hex digits", 2 * N)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
            super::super::hex::decode(text, "hex").map_err(E::custom)
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
            let mut array = Zeroizing::new([0; N]);
            if bytes.len() != N {
                return Err(E::invalid_length(bytes.len(), &self));
            }
            array.copy_from_slice(bytes);
            Ok(array)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Self::Value, A::Error> {
            let mut array = Zeroizing::new([0; N]);
            for (index, byte) in array.iter_mut().enumerate() {
                *byte = numbers.next_element()?.ok_or_else(|| A::Error::invalid_length(index, &self))?;
            }
            match numbers.next_element::<u8>()? {
                None => Ok(array),
                Some(_) => Err(A::Error::invalid_length(N + 1, &self)),
            }
        }
    }

    impl Serialize for Signature {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            write(serializer, self.as_ref())
        }
    }

    impl<'de> Deserialize<'de> for Signature {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Ok(Self::from_bytes(&*read(deserializer)?))
        }
    }

    impl Serialize for VerifyingKey {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            write(serializer, self.as_ref())
        }
    }

    impl<'de> Deserialize<'de> for VerifyingKey {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Self::from_bytes(&*read(deserializer)?).map_err(D::Error::custom)
        }
    }

    impl Serialize for SigningKey {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            write(serializer, &self.secret().seed)
        }
    }

    impl<'de> Deserialize<'de> for SigningKey {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Ok(Self::from_seed(&*read(deserializer)?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "signature")]
    mod with_signature {
        use super::*;
        use sha2::{Digest, Sha512};
        use signature::{DigestSigner, DigestVerifier, Keypair, SignatureEncoding, Signer, Verifier};

        fn round_trip<K: Signer<Signature> + Keypair>(key: &K)
        where
            K::VerifyingKey: Verifier<Signature>,
        {
            let signature = key.sign(b"message");
            let read = Signature::try_from(signature.to_vec().as_slice()).expect("64 bytes");
            assert!(key.verifying_key().verify(b"message", &read).is_ok());
            assert!(key.verifying_key().verify(b"Message", &read).is_err());
        }

        #[test]
        fn signature_traits() {
            let key = SigningKey::from_seed(&[9; 32]);
            round_trip(&key);
            assert_eq!(Signer::sign(&key, b"x"), key.sign(b"x"));
            let feed = |state: &mut Sha512| {
                Digest::update(state, b"mess");
                Digest::update(state, b"age");
            };
            let signature = DigestSigner::sign_digest(&key, feed);
            assert_eq!(Ok(signature), key.sign_ph(b"message", &[]));
            let verify = |message: &[u8]| {
                let feed = |state: &mut Sha512| {
                    Digest::update(state, message);
                    Ok(())
                };
                DigestVerifier::verify_digest(key.verifying_key(), feed, &signature)
            };
            assert!(verify(b"message").is_ok() && verify(b"Message").is_err());
        }
    }

    #[cfg(feature = "pkcs8")]
    #[test]
    fn pkcs8_traits() {
        use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
        let key = SigningKey::from_seed(&[9; 32]);
        let public = *key.verifying_key();
        let document = EncodePrivateKey::to_pkcs8_der(&key).expect("a document");
        assert_eq!(document.as_bytes(), &SigningKey::to_pkcs8_der(&key)[..]);
        let read =
            |der: &[u8]| <SigningKey as DecodePrivateKey>::from_pkcs8_der(der).map(|key| key.to_seed());
        assert_eq!(read(document.as_bytes()).ok(), Some([9; 32]));
        let mut v2 = key.to_pkcs8_v2_der();
        assert_eq!(read(&v2).ok(), Some([9; 32]));
        v2[82] ^= 1;
        assert!(read(&v2).is_err(), "another public key");
        let mut x25519 = key.to_pkcs8_der();
        x25519[11] = 0x6e;
        assert!(read(&x25519).is_err(), "another algorithm");
        let document = public.to_public_key_der().expect("a document");
        assert_eq!(document.as_bytes(), public.to_spki_der());
        let read = <VerifyingKey as DecodePublicKey>::from_public_key_der(document.as_bytes());
        assert_eq!(read.ok(), Some(public));
        let null =
            [&b"\x30\x2c\x30\x07\x06\x03\x2b\x65\x70\x05\x00"[..], &public.to_spki_der()[9..]].concat();
        assert!(<VerifyingKey as DecodePublicKey>::from_public_key_der(&null).is_err(), "parameters");
    }

    #[cfg(feature = "serde")]
    #[test]
    fn serde_traits() {
        let key = SigningKey::from_seed(&[9; 32]);
        let public = *key.verifying_key();
        let signature = key.sign(b"message");
        let json = serde_json::to_string(&(signature, public, &key)).expect("JSON");
        let wanted = [&*signature.to_hex(), &*public.to_hex(), &*key.to_hex()];
        assert_eq!(json, serde_json::to_string(&wanted).expect("JSON"));
        let read: (Signature, VerifyingKey, SigningKey) =
            serde_json::from_str(&json).expect("what was written");
        assert_eq!((read.0, read.1, read.2.to_seed()), (signature, public, [9; 32]));
        // bincode is not for people: bytes, with their number before them.
        let binary = bincode::serialize(&public).expect("bincode");
        assert_eq!(binary, [&[32, 0, 0, 0, 0, 0, 0, 0][..], public.as_ref()].concat());
        assert_eq!(bincode::deserialize::<VerifyingKey>(&binary).expect("what was written"), public);
        assert!(bincode::deserialize::<Signature>(&binary).is_err());
        for wrong in ["\"00\"", "\"zz\"", "[1]", "7"] {
            assert!(serde_json::from_str::<Signature>(wrong).is_err(), "{wrong}");
        }
        // y = 2 is on no point of the curve.
        let no_point = std::format!("\"02{}\"", "00".repeat(31));
        assert!(serde_json::from_str::<VerifyingKey>(&no_point).is_err());
    }
}
