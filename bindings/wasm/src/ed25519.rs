//! Ed25519.

use crate::error::{of, unknown};
use phalanx::ed25519::{self, Profile, SignedMessage};
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
    use super::of;
    use crate::error::array;
    use phalanx::ed25519::SigningKey;
    use wasm_bindgen::JsValue;
    use wasm_bindgen::prelude::wasm_bindgen;
    use zeroize::Zeroizing;

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

        /// The 32 secret bytes.
        #[must_use]
        #[wasm_bindgen(js_name = toSeed)]
        pub fn to_seed(&self) -> Vec<u8> {
            Zeroizing::new(self.0.to_seed()).to_vec()
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
    }
}
