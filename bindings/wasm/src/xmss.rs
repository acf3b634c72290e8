//! XMSS.

use crate::error::{array, of, unknown};
use phalanx::InvalidSignature;
use phalanx::xmss::Format;
use phalanx::xmss::any::{ParameterSet, Signature, SignedMessage, VerifyingKey, verify_many};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

fn set_called(name: &str) -> Result<ParameterSet, JsValue> {
    ParameterSet::from_name(name).ok_or_else(|| unknown("parameter set", name))
}

fn format_called(name: &str) -> Result<Format, JsValue> {
    Format::from_name(name).ok_or_else(|| unknown("encoding of xmss", name))
}

fn message_of(bytes: &[u8]) -> Result<[u8; 32], JsValue> {
    array("length of the message in bytes", bytes)
}

/// The names of all parameter sets.
#[wasm_bindgen(js_name = xmssParameterSets)]
#[must_use]
pub fn parameter_sets() -> Vec<String> {
    ParameterSet::ALL.iter().map(|set| set.name().to_owned()).collect()
}

/// Verifies one signature.
///
/// # Errors
/// `InvalidSignature`; `Malformed` for a key, message or signature that is none; `NoEncoding` if the set has no such format.
#[wasm_bindgen(js_name = xmssVerify)]
pub fn verify(
    set: &str,
    format: &str,
    public_key: &[u8],
    epoch: u32,
    message: &[u8],
    signature: &[u8],
) -> Result<(), JsValue> {
    let (set, format) = (set_called(set)?, format_called(format)?);
    let key = VerifyingKey::from_bytes(set, format, public_key).map_err(of)?;
    let signature = Signature::from_bytes(set, format, signature).map_err(of)?;
    key.verify(epoch, &message_of(message)?, &signature).map_err(of)
}

struct Parsed {
    key: VerifyingKey,
    epoch: u32,
    message: [u8; 32],
    signature: Signature,
}

/// Claims to verify together.
#[wasm_bindgen]
#[derive(Default)]
pub struct XmssClaims(Vec<Option<Parsed>>);

#[wasm_bindgen]
impl XmssClaims {
    /// None yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one. Bytes that are no key, message or signature make it a bad one.
    ///
    /// # Errors
    /// A set or an encoding that does not exist.
    pub fn push(
        &mut self,
        set: &str,
        format: &str,
        public_key: &[u8],
        epoch: u32,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), JsValue> {
        let (set, format) = (set_called(set)?, format_called(format)?);
        let parsed = || {
            Some(Parsed {
                key: VerifyingKey::from_bytes(set, format, public_key).ok()?,
                epoch,
                message: message.try_into().ok()?,
                signature: Signature::from_bytes(set, format, signature).ok()?,
            })
        };
        self.0.push(parsed());
        Ok(())
    }

    /// 1 for each good claim, 0 for each bad one.
    #[must_use]
    pub fn verify(&self) -> Vec<u8> {
        let claims: Vec<_> = self.0.iter().flatten().map(claim).collect();
        let mut results = verify_many(&claims).into_iter();
        let mut result = |parsed: &Option<Parsed>| match parsed {
            Some(_) => results.next().unwrap_or(Err(InvalidSignature)),
            None => Err(InvalidSignature),
        };
        self.0.iter().map(|parsed| u8::from(result(parsed).is_ok())).collect()
    }
}

fn claim(parsed: &Parsed) -> SignedMessage<'_> {
    let Parsed { key, epoch, message, signature } = parsed;
    SignedMessage { key, epoch: *epoch, message, signature }
}

#[cfg(feature = "full")]
mod signing {
    use super::{array, format_called, message_of, of, set_called};
    use core::ops::ControlFlow;
    use js_sys::{Function, Uint8Array};
    use phalanx::Inline;
    use phalanx::xmss::Progress;
    use phalanx::xmss::any::{KeyGeneration, SigningKey};
    use std::sync::Mutex;
    use wasm_bindgen::JsValue;
    use wasm_bindgen::prelude::wasm_bindgen;
    use zeroize::Zeroizing;

    /// A signing key. Wiped when freed.
    #[wasm_bindgen]
    pub struct XmssSigningKey(SigningKey);

    #[wasm_bindgen]
    impl XmssSigningKey {
        /// Makes a key from 32 secret bytes, or from the system's randomness if there are none.
        ///
        /// `progress` is called with leaves done and leaves in all; if it gives `false`, the work stops.
        ///
        /// # Errors
        /// `Interval`, `VerificationOnly`, `Unfinished`, `RngFailed`, and what `progress` throws.
        pub fn generate(
            set: &str,
            seed: Option<Vec<u8>>,
            start: f64,
            count: f64,
            progress: Option<Function>,
        ) -> Result<Self, JsValue> {
            let set = set_called(set)?;
            let mut secret = Zeroizing::new([0; 32]);
            match seed.map(Zeroizing::new) {
                Some(seed) => *secret = array("length of the seed in bytes", &seed)?,
                None => getrandom::fill(&mut *secret).map_err(|_| of(phalanx::ed25519::Error::RngFailed))?,
            }
            let (start, count) = (whole(start), whole(count));
            let mut work =
                KeyGeneration::from_seed(set, &secret, start..start.saturating_add(count)).map_err(of)?;
            let thrown = Thrown::default();
            let watch = |Progress { leaves_done, leaves_total }| {
                let Some(progress) = &progress else { return ControlFlow::Continue(()) };
                thrown.ask(progress, leaves_done, leaves_total)
            };
            loop {
                match work.step_on(&Inline, &watch) {
                    Ok(Some(_)) => {}
                    Ok(None) => break,
                    Err(error) => return Err(thrown.take().unwrap_or_else(|| of(error))),
                }
            }
            work.finish().map(Self).map_err(of)
        }

        /// Reads a key.
        ///
        /// # Errors
        /// `Malformed`; `NoEncoding` if keys of the set have no such format.
        #[wasm_bindgen(js_name = fromBytes)]
        pub fn from_bytes(set: &str, format: &str, bytes: Vec<u8>) -> Result<Self, JsValue> {
            let bytes = Zeroizing::new(bytes);
            SigningKey::from_bytes(set_called(set)?, format_called(format)?, &bytes).map(Self).map_err(of)
        }

        /// The secret key's bytes.
        ///
        /// # Errors
        /// An encoding that does not exist; `NoEncoding` if keys of its set do not have it.
        #[wasm_bindgen(js_name = toBytes)]
        pub fn to_bytes(&self, format: &str) -> Result<Uint8Array, JsValue> {
            // Copied from memory that wipes itself: a `Vec` would be given back unwiped.
            Ok(Uint8Array::from(&self.0.to_bytes(format_called(format)?).map_err(of)?[..]))
        }

        /// The public key's bytes.
        ///
        /// # Errors
        /// An encoding that does not exist; `NoEncoding` if keys of its set do not have it.
        #[wasm_bindgen(js_name = publicKey)]
        pub fn public_key(&self, format: &str) -> Result<Vec<u8>, JsValue> {
            self.0.verifying_key().to_bytes(format_called(format)?).map_err(of)
        }

        /// Signs 32 bytes at an epoch, once.
        ///
        /// # Errors
        /// `NotActive`, `Exhausted`, `Passed`, `EpochUsed`, `OtherInstance`, `Malformed`, `NoEncoding`.
        pub fn sign(&mut self, format: &str, epoch: u32, message: &[u8]) -> Result<Vec<u8>, JsValue> {
            let format = format_called(format)?;
            self.0.sign_to_bytes(format, epoch, &message_of(message)?).map_err(of)
        }

        /// The name of its parameter set.
        #[must_use]
        #[wasm_bindgen(js_name = parameterSet)]
        pub fn parameter_set(&self) -> String {
            self.0.parameter_set().name().to_owned()
        }

        /// First active epoch, first one after the last, and the same of the prepared ones.
        #[must_use]
        pub fn intervals(&self) -> Vec<f64> {
            let (active, prepared) = (self.0.activation_interval(), self.0.prepared_interval());
            [active.start, active.end, prepared.start, prepared.end].map(number).to_vec()
        }
    }

    /// A whole number that JavaScript holds; below zero is zero, and what is too large fits no lifetime.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    fn whole(number: f64) -> u64 {
        number as u64
    }

    #[allow(clippy::cast_precision_loss, reason = "lifetimes are at most 2^32")]
    fn number(value: u64) -> f64 {
        value as f64
    }

    /// What a callback threw.
    ///
    /// The library asks for a callback that threads could share, and nothing here starts any.
    #[derive(Default)]
    struct Thrown(Mutex<Option<JsValue>>);

    impl Thrown {
        fn ask(&self, progress: &Function, done: u64, total: u64) -> ControlFlow<()> {
            let answer = progress.call2(&JsValue::NULL, &number(done).into(), &number(total).into());
            match answer {
                Ok(answer) if answer == JsValue::FALSE => ControlFlow::Break(()),
                Ok(_) => ControlFlow::Continue(()),
                Err(thrown) => {
                    if let Ok(mut slot) = self.0.lock() {
                        *slot = Some(thrown);
                    }
                    ControlFlow::Break(())
                }
            }
        }

        fn take(&self) -> Option<JsValue> {
            self.0.lock().ok()?.take()
        }
    }
}
