//! Ed25519.

use crate::error::{of, unknown};
use phalanx::ed25519::{self, InvalidSignature, Profile, Signature, SignedMessage, VerifyingKey};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

fn profile_called(name: &str) -> Result<Profile, JsValue> {
    Profile::from_name(name).ok_or_else(|| unknown("profile of ed25519", name))
}

/// The names of all profiles.
#[wasm_bindgen(js_name = ed25519Profiles)]
#[must_use]
pub fn profiles() -> Vec<String> {
    Profile::ALL.iter().map(|profile| profile.name().to_owned()).collect()
}

/// Verifies one signature.
///
/// # Errors
/// `InvalidSignature`.
#[wasm_bindgen(js_name = ed25519Verify)]
pub fn verify(profile: &str, public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), JsValue> {
    ed25519::verify(profile_called(profile)?, public_key, message, signature).map_err(of)
}

/// Verifies one signature of Ed25519ph if `prehash`, else of Ed25519ctx (RFC 8032 section 5.1).
///
/// # Errors
/// `InvalidSignature`, also for a context that cannot be signed under.
#[wasm_bindgen(js_name = ed25519VerifyIn)]
pub fn verify_in(
    profile: &str,
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
    context: &[u8],
    prehash: bool,
) -> Result<(), JsValue> {
    let profile = profile_called(profile)?;
    let invalid = || of(InvalidSignature);
    let key: &[u8; 32] = public_key.try_into().map_err(|_| invalid())?;
    let key = VerifyingKey::from_bytes(key).map_err(|_| invalid())?;
    let signature = Signature::from_bytes(signature.try_into().map_err(|_| invalid())?);
    let verify = if prehash { VerifyingKey::verify_ph } else { VerifyingKey::verify_ctx };
    verify(&key, profile, message, context, &signature).map_err(of)
}

/// Why a signature does not verify; nothing if it does.
///
/// # Errors
/// A profile that does not exist.
#[wasm_bindgen(js_name = ed25519Explain)]
pub fn explain(
    profile: &str,
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<Option<String>, JsValue> {
    let result = ed25519::explain(profile_called(profile)?, public_key, message, signature);
    Ok(result.err().map(|reason| reason.to_string()))
}

/// Signatures to verify together.
#[wasm_bindgen]
pub struct Ed25519Claims {
    profile: Profile,
    /// Public key, message, signature.
    claims: Vec<[Vec<u8>; 3]>,
}

#[wasm_bindgen]
impl Ed25519Claims {
    /// None yet.
    ///
    /// # Errors
    /// A profile that does not exist.
    #[wasm_bindgen(constructor)]
    pub fn new(profile: &str) -> Result<Self, JsValue> {
        Ok(Self { profile: profile_called(profile)?, claims: Vec::new() })
    }

    /// Adds one.
    pub fn push(&mut self, public_key: Vec<u8>, message: Vec<u8>, signature: Vec<u8>) {
        self.claims.push([public_key, message, signature]);
    }

    /// 1 for each good signature, 0 for each bad one.
    ///
    /// # Errors
    /// None that is known.
    #[wasm_bindgen(js_name = verifyMany)]
    pub fn verify_many(&self) -> Result<Vec<u8>, JsValue> {
        let results = ed25519::verify_many(self.profile, &self.elements());
        Ok(results.into_iter().map(|result| result.is_ok().into()).collect())
    }

    /// One answer for all.
    ///
    /// # Errors
    /// `InvalidSignature` if any is bad.
    #[wasm_bindgen(js_name = verifyBatch)]
    pub fn verify_batch(&self) -> Result<(), JsValue> {
        ed25519::verify_batch(self.profile, &self.elements()).map_err(of)
    }

    fn elements(&self) -> Vec<SignedMessage<'_>> {
        let of = |claim| {
            let [public_key, message, signature]: &[Vec<u8>; 3] = claim;
            SignedMessage { public_key, message, signature }
        };
        self.claims.iter().map(of).collect()
    }
}

#[cfg(feature = "full")]
mod signing {
    use super::{of, unknown};
    use crate::error::{array, named};
    use js_sys::Uint8Array;
    use phalanx::ed25519::{SigningKey, VerifyingKey};
    use wasm_bindgen::JsValue;
    use wasm_bindgen::prelude::wasm_bindgen;
    use zeroize::Zeroizing;

    fn text(file: &[u8]) -> Result<&str, JsValue> {
        core::str::from_utf8(file).map_err(|_| named("InvalidKeyFormat", "invalid key file: it is not UTF-8"))
    }

    /// The 32 bytes of the public key in a file: `raw`, `spki` (DER), `pem` (SPKI), `openssh` or `jwk`.
    ///
    /// # Errors
    /// What is wrong with it; a format that does not exist.
    #[wasm_bindgen(js_name = ed25519ReadPublicKey)]
    pub fn read_public_key(format: &str, file: &[u8]) -> Result<Vec<u8>, JsValue> {
        let key = match format {
            "raw" => VerifyingKey::from_bytes(&array("length of the public key in bytes", file)?),
            "spki" => VerifyingKey::from_spki_der(file),
            "pem" => VerifyingKey::from_spki_pem(text(file)?),
            "openssh" => VerifyingKey::from_openssh(text(file)?).map(|(key, _)| key),
            "jwk" => VerifyingKey::from_jwk(text(file)?),
            _ => return Err(unknown("format of public keys", format)),
        };
        key.map(|key| key.to_bytes().to_vec()).map_err(of)
    }

    /// The file of a public key of 32 bytes.
    ///
    /// # Errors
    /// `InvalidPublicKey`; a format that does not exist.
    #[wasm_bindgen(js_name = ed25519WritePublicKey)]
    pub fn write_public_key(format: &str, key: &[u8]) -> Result<Vec<u8>, JsValue> {
        let key = VerifyingKey::from_bytes(&array("length of the public key in bytes", key)?).map_err(of)?;
        Ok(match format {
            "raw" => key.to_bytes().to_vec(),
            "spki" => key.to_spki_der(),
            "pem" => key.to_spki_pem().into_bytes(),
            "openssh" => key.to_openssh("").map_err(of)?.into_bytes(),
            "jwk" => key.to_jwk().into_bytes(),
            _ => return Err(unknown("format of public keys", format)),
        })
    }

    /// A signing key. Wiped when freed.
    #[wasm_bindgen]
    pub struct Ed25519SigningKey(SigningKey);

    #[wasm_bindgen]
    impl Ed25519SigningKey {
        /// A new key from the system's randomness.
        ///
        /// # Errors
        /// `RngFailed`.
        pub fn generate() -> Result<Self, JsValue> {
            SigningKey::generate().map(Self).map_err(of)
        }

        /// The key of 32 secret bytes.
        ///
        /// # Errors
        /// `Malformed` for another number of bytes.
        #[wasm_bindgen(js_name = fromSeed)]
        pub fn from_seed(seed: Vec<u8>) -> Result<Self, JsValue> {
            let seed = Zeroizing::new(seed);
            let seed = Zeroizing::new(array("length of the seed in bytes", &seed)?);
            Ok(Self(SigningKey::from_seed(&seed)))
        }

        /// Reads a key file: `pkcs8` (DER), `pem` (PKCS#8), `openssh` or `jwk`.
        ///
        /// # Errors
        /// What is wrong with it; a format that does not exist.
        pub fn read(format: &str, file: Vec<u8>) -> Result<Self, JsValue> {
            let file = Zeroizing::new(file);
            let key = match format {
                "pkcs8" => SigningKey::from_pkcs8_der(&file),
                "pem" => SigningKey::from_pkcs8_pem(text(&file)?),
                "openssh" => SigningKey::from_openssh(text(&file)?).map(|(key, _)| key),
                "jwk" => SigningKey::from_jwk(text(&file)?),
                _ => return Err(unknown("format of secret keys", format)),
            };
            key.map(Self).map_err(of)
        }

        /// The key file.
        ///
        /// # Errors
        /// A format that does not exist.
        pub fn write(&self, format: &str) -> Result<Uint8Array, JsValue> {
            // Copied from memory that wipes itself: a `Vec` would be given back unwiped.
            let copied = |text: &Zeroizing<String>| Uint8Array::from(text.as_bytes());
            Ok(match format {
                "pkcs8" => Uint8Array::from(&self.0.to_pkcs8_der()[..]),
                "pem" => copied(&self.0.to_pkcs8_pem()),
                "openssh" => copied(&self.0.to_openssh("").map_err(of)?),
                "jwk" => copied(&self.0.to_jwk()),
                _ => return Err(unknown("format of secret keys", format)),
            })
        }

        /// The 32 secret bytes.
        #[must_use]
        #[wasm_bindgen(js_name = toSeed)]
        pub fn to_seed(&self) -> Uint8Array {
            Uint8Array::from(&Zeroizing::new(self.0.to_seed())[..])
        }

        /// The 32 public bytes.
        #[must_use]
        #[wasm_bindgen(js_name = publicKey)]
        pub fn public_key(&self) -> Vec<u8> {
            self.0.verifying_key().to_bytes().to_vec()
        }

        /// Signs a message.
        #[must_use]
        pub fn sign(&self, message: &[u8]) -> Vec<u8> {
            self.0.sign(message).to_bytes().to_vec()
        }

        /// Signs a message as Ed25519ph if `prehash`, else as Ed25519ctx.
        ///
        /// # Errors
        /// `ContextTooLong`, `ContextEmpty`.
        #[wasm_bindgen(js_name = signIn)]
        pub fn sign_in(&self, message: &[u8], context: &[u8], prehash: bool) -> Result<Vec<u8>, JsValue> {
            let sign = if prehash { SigningKey::sign_ph } else { SigningKey::sign_ctx };
            sign(&self.0, message, context).map(|signature| signature.to_bytes().to_vec()).map_err(of)
        }
    }
}
