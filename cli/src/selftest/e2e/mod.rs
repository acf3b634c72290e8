//! `PROFILE.e2e.json`: keys from seeds, what they sign, and what must be rejected.

mod generate;
mod reject;
mod sign;

pub(super) use generate::Watch;

use super::files::VectorFile;
use super::intermediate::Layer;
use super::json::{Bytes, Hex, Object};
use super::report::{Check, Recorder, same};
use phalanx::xmss::{Format, ParameterSet, Signature, SignedMessage, SigningKey, VerifyingKey};
use phalanx::{InvalidSignature, Threads};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// One key of a file: what it is, without its lists of cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyVector {
    profile: String,
    seed: Hex<32>,
    requested_activation_epoch: u64,
    requested_active_epochs: u64,
    activation_interval: [u64; 2],
    prepared_interval: [u64; 2],
    parameter: [u32; 5],
    prf_key: Hex<32>,
    root: Vec<u32>,
    left_bottom_tree_index: u64,
    left_bottom_tree_root: Vec<u32>,
    right_bottom_tree_root: Vec<u32>,
    pub(super) pk_ssz: Bytes,
    pk_bincode1: Bytes,
    pk_bincode2_standard: Bytes,
    sk_ssz_len: usize,
    sk_ssz_sha256: Hex<32>,
    sk_bincode1_len: usize,
    sk_bincode1_sha256: Hex<32>,
    sk_bincode2_standard_len: usize,
    sk_bincode2_standard_sha256: Hex<32>,
    top_tree_layers: Option<Vec<Layer>>,
    #[serde(default)]
    pub(super) sk_files: Vec<String>,
}

/// The keys under which [`KeyVector`] leaves lists of cases to others.
const LISTS: [&str; 6] = [
    "signatures",
    "after_advance_preparation",
    "sign_out_of_range",
    "verify_cases_ssz",
    "verify_cases_bincode1",
    "sk_cases_ssz",
];

/// Lengths and hashes of a secret key in the three formats that files know.
type SecretForms<'a> = [(Format, usize, &'a Hex<32>); 3];

impl KeyVector {
    /// The public key in each format.
    fn public_forms(&self) -> [(Format, &Bytes); 3] {
        [
            (Format::Ssz, &self.pk_ssz),
            (Format::Bincode, &self.pk_bincode1),
            (Format::BincodeStandard, &self.pk_bincode2_standard),
        ]
    }

    /// The secret key in each format.
    fn secret_forms(&self) -> SecretForms<'_> {
        [
            (Format::Ssz, self.sk_ssz_len, &self.sk_ssz_sha256),
            (Format::Bincode, self.sk_bincode1_len, &self.sk_bincode1_sha256),
            (Format::BincodeStandard, self.sk_bincode2_standard_len, &self.sk_bincode2_standard_sha256),
        ]
    }

    /// `Ok` if `bytes` are the length and the hash of the secret key in `format`.
    pub(super) fn check_secret_form(&self, format: Format, bytes: &[u8]) -> Check {
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
pub(super) struct SignatureVector {
    pub(super) epoch: u32,
    pub(super) message: Hex<32>,
    successful_counter: u32,
    rho: Vec<u32>,
    codeword: Vec<u8>,
    pub(super) sig_ssz: Bytes,
    sig_bincode1: Option<Bytes>,
    sig_bincode1_len: usize,
    sig_bincode1_sha256: Hex<32>,
    sig_bincode2_standard: Option<Bytes>,
    sig_bincode2_standard_len: usize,
    sig_bincode2_standard_sha256: Hex<32>,
}

/// A valid signature with what it signs, for batches.
struct Valid {
    key: VerifyingKey,
    epoch: u32,
    message: [u8; 32],
    signature: Signature,
}

impl Valid {
    fn claim(&self) -> SignedMessage<'_> {
        SignedMessage {
            key: &self.key,
            epoch: self.epoch,
            message: &self.message,
            signature: &self.signature,
        }
    }
}

/// What the parts of a key's tests share.
struct Context<'a> {
    set: ParameterSet,
    /// How reports call the key, such as `[2]`.
    name: String,
    vector: &'a KeyVector,
    public: VerifyingKey,
    /// The key as generated; no test changes it.
    key: &'a SigningKey,
}

impl Context<'_> {
    /// How reports call a part of the key.
    fn part(&self, part: &str) -> String {
        format!("{}.{part}", self.name)
    }

    /// A second copy of the generated key, to be moved on.
    fn copy(&self) -> Result<SigningKey, String> {
        let bytes = self.key.to_bytes(Format::Bincode);
        SigningKey::from_bytes(self.set, Format::Bincode, &bytes).map_err(|error| error.to_string())
    }
}

/// A key's vector, and its lists of cases.
type Split = (KeyVector, Object);

/// Splits a key of a file into its description and its lists; notes what is not understood.
fn split(recorder: &mut Recorder<'_>, name: &str, value: Value) -> Option<Split> {
    let Value::Object(mut map) = value else {
        recorder.not_understood(name, "not an object");
        return None;
    };
    let lists = LISTS.iter().filter_map(|&list| Some((list.to_owned(), map.remove(list)?))).collect();
    match KeyVector::deserialize(Value::Object(map)) {
        Ok(vector) => Some((vector, Object::new(recorder, name, Value::Object(lists))?)),
        Err(error) => {
            recorder.not_understood(name, error);
            None
        }
    }
}

/// The keys of the file with these bytes, with the signatures of each; for files that belong to a key.
pub(super) fn keys_of(bytes: &[u8]) -> Result<Vec<(KeyVector, Vec<SignatureVector>)>, String> {
    let file: Vec<serde_json::Map<String, Value>> =
        serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let key = |mut map: serde_json::Map<String, Value>| {
        let signatures = map.remove("signatures").unwrap_or_default();
        LISTS.iter().for_each(|&list| drop(map.remove(list)));
        let vector = KeyVector::deserialize(Value::Object(map)).map_err(|error| error.to_string())?;
        let signatures =
            Deserialize::deserialize(signatures).map_err(|error: serde_json::Error| error.to_string())?;
        Ok((vector, signatures))
    };
    file.into_iter().map(key).collect()
}

/// Runs the file of `set`.
pub(super) fn run(
    recorder: &mut Recorder<'_>,
    set: ParameterSet,
    file: &VectorFile,
    value: Value,
    threads: &Threads,
    watch: Watch<'_>,
) {
    let Value::Array(keys) = value else { return recorder.not_understood("file", "not a list of keys") };
    let mut valid = Vec::new();
    for (i, value) in keys.into_iter().enumerate() {
        let name = format!("[{i}]");
        let Some((vector, mut lists)) = split(recorder, &name, value) else { continue };
        let generate = || generate::key(set, &vector, threads, watch);
        let Some(key) = recorder.prepare(format_args!("{name} key generation"), generate) else { continue };
        let public = key.verifying_key();
        let context = Context { set, name, vector: &vector, public, key: &key };
        generate::run(recorder, &context, file);
        sign::run(recorder, &context, &mut lists, &mut valid);
        reject::run(recorder, &context, &mut lists);
        lists.finish(recorder);
    }
    sign::batches(recorder, &valid, threads);
}

/// The verdict on a signature in whatever form it comes: decoding errors count as rejection.
fn verdict(accepted: Result<(), InvalidSignature>) -> &'static str {
    if accepted.is_ok() { "accept" } else { "reject" }
}
