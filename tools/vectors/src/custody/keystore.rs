//! `expected.json`: keystores, each with a password and the answers that a reader gives under two policies. Of short keys
//! that open, the trees are computed too, and the public key with them.

use crate::files::VectorFile;
use crate::json::{Bytes, Hex, Object};
use crate::report::{Check, Recorder, case_name, ensure, same, text};
use phalanx::Threads;
use phalanx_custody::keystore::{Error, Keystore, OpenKey, Password, Policy, Scheme, Signable, Verdict};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Keys with more leaves are not computed.
const MAX_LEAVES: u64 = 4096;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[allow(dead_code, reason = "reports name cases by it")]
    case: String,
    file: String,
    file_sha256: Hex<32>,
    password: String,
    password_normalised_hex: Bytes,
    #[allow(dead_code, reason = "a text for readers")]
    kdf: String,
    accept_weak_kdf: Answer,
    default_policy: Answer,
    #[allow(dead_code, reason = "a text for readers")]
    note: String,
}

/// What a reader answers; members that have no value are left out.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
struct Answer {
    verdict: String,
    secret: Option<String>,
    seed: Option<Bytes>,
    key_id: Option<String>,
    one_time_key_id: Option<String>,
    scheme: Option<String>,
    start: Option<u64>,
    count: Option<u64>,
    role: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    signable: Option<String>,
    weak_kdf: Option<bool>,
}

impl Answer {
    /// Of a file that opened.
    fn of(key: &OpenKey) -> Self {
        let header = key.header();
        Self {
            verdict: key.verdict().to_owned(),
            secret: Some(key.secret().kind().name().to_owned()),
            seed: Some(Bytes(key.secret().expose().to_vec())),
            key_id: Some(header.key_id.to_string()),
            one_time_key_id: key.one_time_key_id().map(|id| id.to_string()),
            scheme: Some(header.scheme.name().to_owned()),
            start: header.start,
            count: header.count,
            role: header.role.map(|role| role.name().to_owned()),
            usage: Some(header.usage.name().to_owned()),
            signable: Some(key.signable().name().to_owned()),
            weak_kdf: Some(key.has_weak_kdf()),
        }
    }
}

/// Runs the cases.
pub(crate) fn run(recorder: &mut Recorder<'_>, object: &mut Object, file: &VectorFile, threads: &Threads) {
    for (i, value) in object.list(recorder, "cases").iter().enumerate() {
        let name = case_name(i, value, "case");
        let Some(case) = recorder.read::<Case>(&name, value) else { continue };
        let Some(bytes) = recorder.prepare(&name, || file.beside(&case.file)) else { continue };
        for (policy, accept_weak_kdf, wanted) in [
            ("default_policy", false, &case.default_policy),
            ("accept_weak_kdf", true, &case.accept_weak_kdf),
        ] {
            let policy = format!("{name}, {policy}");
            recorder.case_once(policy, || check(&case, &bytes, Policy { accept_weak_kdf }, wanted, threads));
        }
    }
}

fn check(case: &Case, bytes: &[u8], policy: Policy, wanted: &Answer, threads: &Threads) -> Check {
    same("file", <[u8; 32]>::from(Sha256::digest(bytes)), case.file_sha256.0)?;
    let password = Password::from_bytes(case.password.as_bytes()).map_err(text)?;
    same("normalised password", password.expose(), case.password_normalised_hex.0.as_slice())?;
    match Keystore::parse(bytes).and_then(|keystore| keystore.open(&password, policy)) {
        Err(Error::Refused { verdict, .. }) => {
            same("answer", Answer { verdict: verdict.name().to_owned(), ..Answer::default() }, wanted.clone())
        }
        Err(error) => Err(error.to_string()),
        Ok(key) => {
            same("answer", Answer::of(&key), wanted.clone())?;
            check_root(&key, threads)
        }
    }
}

/// The trees of a short key give the public key that the file says; a file whose header nothing binds may say another
/// one, which is then found.
fn check_root(key: &OpenKey, threads: &Threads) -> Check {
    let header = key.header();
    if !matches!(header.scheme, Scheme::KoalaBear(_)) || header.count.is_none_or(|count| count > MAX_LEAVES) {
        return Ok(());
    }
    match key.signing_key_on(threads, None) {
        Ok(_) => Ok(()),
        Err(error) if error.verdict() == Some(Verdict::KeyMismatch) => {
            ensure(key.signable() != Signable::Yes, "bound, and its public key is not that of its secret")
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Whether `expected.json` beside the file says that it is a keystore.
pub(crate) fn is_named_beside(file: &VectorFile) -> bool {
    let expected = file.beside("expected.json").ok();
    let Some(expected) = expected.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok()) else {
        return false;
    };
    let is_ours =
        expected["format"].as_str().is_some_and(|format| format.starts_with("phalanx keystore vectors"));
    let mut cases = expected["cases"].as_array().into_iter().flatten();
    is_ours && cases.any(|case| case["file"].as_str() == Some(&file.name))
}
