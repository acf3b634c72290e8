//! A key of a file, and what its tests share.

use crate::json::{Bytes, Hex};
use crate::report::{Check, same, text};
use crate::xmss::intermediate::Layer;
use phalanx::InvalidSignature;
use phalanx::xmss::{Format, ParameterSet, Signature, SignedMessage, SigningKey, VerifyingKey};
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// One key of a file: what it is, without its lists of cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyVector {
    pub(crate) profile: String,
    pub(crate) seed: Hex<32>,
    pub(crate) requested_activation_epoch: u64,
    pub(crate) requested_active_epochs: u64,
    pub(crate) activation_interval: [u64; 2],
    pub(crate) prepared_interval: [u64; 2],
    pub(crate) parameter: [u32; 5],
    pub(crate) prf_key: Hex<32>,
    pub(crate) root: Vec<u32>,
    pub(crate) left_bottom_tree_index: u64,
    pub(crate) left_bottom_tree_root: Vec<u32>,
    pub(crate) right_bottom_tree_root: Vec<u32>,
    pub(crate) pk_ssz: Bytes,
    pub(crate) pk_bincode1: Bytes,
    pub(crate) pk_bincode2_standard: Bytes,
    pub(crate) sk_ssz_len: usize,
    pub(crate) sk_ssz_sha256: Hex<32>,
    pub(crate) sk_bincode1_len: usize,
    pub(crate) sk_bincode1_sha256: Hex<32>,
    pub(crate) sk_bincode2_standard_len: usize,
    pub(crate) sk_bincode2_standard_sha256: Hex<32>,
    pub(crate) top_tree_layers: Option<Vec<Layer>>,
    #[serde(default)]
    pub(crate) sk_files: Vec<String>,
}

/// Lengths and hashes of a secret key in the three formats that files know.
pub(crate) type SecretForms<'a> = [(Format, usize, &'a Hex<32>); 3];

impl KeyVector {
    /// The public key in each format.
    pub(crate) fn public_forms(&self) -> [(Format, &Bytes); 3] {
        [
            (Format::Ssz, &self.pk_ssz),
            (Format::Bincode, &self.pk_bincode1),
            (Format::BincodeStandard, &self.pk_bincode2_standard),
        ]
    }

    /// The secret key in each format.
    pub(crate) fn secret_forms(&self) -> SecretForms<'_> {
        [
            (Format::Ssz, self.sk_ssz_len, &self.sk_ssz_sha256),
            (Format::Bincode, self.sk_bincode1_len, &self.sk_bincode1_sha256),
            (Format::BincodeStandard, self.sk_bincode2_standard_len, &self.sk_bincode2_standard_sha256),
        ]
    }

    /// `Ok` if `bytes` are the length and the hash of the secret key in `format`.
    pub(crate) fn check_secret_form(&self, format: Format, bytes: &[u8]) -> Check {
        let (_, len, hash) = (self.secret_forms().into_iter())
            .find(|(known, ..)| *known == format)
            .ok_or_else(|| format!("no hash of the secret key in {format}"))?;
        same("length", bytes.len(), len)?;
        same("SHA-256", hex::encode(Sha256::digest(bytes)), hex::encode(hash.0))
    }
}

/// One signature of a key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignatureVector {
    pub(crate) epoch: u32,
    pub(crate) message: Hex<32>,
    pub(crate) successful_counter: u32,
    pub(crate) rho: Vec<u32>,
    pub(crate) codeword: Vec<u8>,
    pub(crate) sig_ssz: Bytes,
    pub(crate) sig_bincode1: Option<Bytes>,
    pub(crate) sig_bincode1_len: usize,
    pub(crate) sig_bincode1_sha256: Hex<32>,
    pub(crate) sig_bincode2_standard: Option<Bytes>,
    pub(crate) sig_bincode2_standard_len: usize,
    pub(crate) sig_bincode2_standard_sha256: Hex<32>,
}

/// A valid signature with what it signs, for batches.
pub(crate) struct Valid {
    pub(crate) key: VerifyingKey,
    pub(crate) epoch: u32,
    pub(crate) message: [u8; 32],
    pub(crate) signature: Signature,
}

impl Valid {
    pub(crate) fn claim(&self) -> SignedMessage<'_> {
        SignedMessage {
            key: &self.key,
            epoch: self.epoch,
            message: &self.message,
            signature: &self.signature,
        }
    }
}

/// What the parts of a key's tests share.
pub(crate) struct Context<'a> {
    pub(crate) set: ParameterSet,
    /// How reports call the key, such as `[2]`.
    pub(crate) name: String,
    pub(crate) vector: &'a KeyVector,
    pub(crate) public: VerifyingKey,
    /// The key as generated; no test changes it.
    pub(crate) key: &'a SigningKey,
}

impl Context<'_> {
    /// How reports call a part of the key.
    pub(crate) fn part(&self, part: &str) -> String {
        format!("{}.{part}", self.name)
    }

    /// A second copy of the generated key, to be moved on.
    pub(crate) fn copy(&self) -> Result<SigningKey, String> {
        let bytes = self.key.to_bytes(Format::Bincode);
        SigningKey::from_bytes(self.set, Format::Bincode, &bytes).map_err(text)
    }
}

/// The format that the last part of a secret key's file name means.
pub(crate) fn format_of(extension: &str) -> Option<Format> {
    match extension {
        "ssz" => Some(Format::Ssz),
        "bincode1" => Some(Format::Bincode),
        "bincode2std" => Some(Format::BincodeStandard),
        _ => None,
    }
}

/// How files call the answer to a signature, in whatever form it comes: decoding errors count as rejection.
pub(crate) fn answer(accepted: Result<(), InvalidSignature>) -> &'static str {
    if accepted.is_ok() { "accept" } else { "reject" }
}
