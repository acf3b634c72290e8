//! `keys.json`: one key in every encoding, and encodings that must be refused.

use crate::json::{Bytes, Hex};
use crate::report::{Check, Recorder, ensure, same, text};
use phalanx::ed25519::{Error, SigningKey, VerifyingKey};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[allow(dead_code, reason = "reports name cases by their place")]
    id: String,
    seed: Hex<32>,
    pk: Hex<32>,
    pkcs8_v1_der: Bytes,
    pkcs8_v1_pem: String,
    pkcs8_v2_der: Bytes,
    pkcs8_v2_pem: String,
    spki_der: Bytes,
    spki_pem: String,
    openssh_public: String,
    openssh_private: String,
}

/// Encodings that must be refused, each under the name of its form.
#[derive(Deserialize)]
struct Reject {
    id: String,
    error: String,
    #[serde(flatten)]
    encodings: BTreeMap<String, String>,
}

/// Runs the cases.
pub(crate) fn run(recorder: &mut Recorder<'_>, cases: &[Value], rejects: &[Value]) {
    recorder.cases("cases", cases, case);
    recorder.cases("reject", rejects, |reject: &Reject| {
        refused(reject).map_err(|reason| format!("{}: {reason}", reject.id))
    });
}

fn case(case: &Case) -> Check {
    let key = SigningKey::from_seed(&case.seed.0);
    let public = *key.verifying_key();
    same("public key", hex::encode(public.to_bytes()), hex::encode(case.pk.0))?;

    same("PKCS#8 version 1, DER", &*key.to_pkcs8_der(), &case.pkcs8_v1_der.0)?;
    same("PKCS#8 version 1, PEM", &*key.to_pkcs8_pem(), &case.pkcs8_v1_pem)?;
    same("PKCS#8 version 2, DER", &*key.to_pkcs8_v2_der(), &case.pkcs8_v2_der.0)?;
    same("PKCS#8 version 2, PEM", &*key.to_pkcs8_v2_pem(), &case.pkcs8_v2_pem)?;
    same("SPKI, DER", &public.to_spki_der(), &case.spki_der.0)?;
    same("SPKI, PEM", &public.to_spki_pem(), &case.spki_pem)?;

    secret("PKCS#8 version 1, DER", SigningKey::from_pkcs8_der(&case.pkcs8_v1_der.0), &key)?;
    secret("PKCS#8 version 1, PEM", SigningKey::from_pkcs8_pem(&case.pkcs8_v1_pem), &key)?;
    secret("PKCS#8 version 2, DER", SigningKey::from_pkcs8_der(&case.pkcs8_v2_der.0), &key)?;
    secret("PKCS#8 version 2, PEM", SigningKey::from_pkcs8_pem(&case.pkcs8_v2_pem), &key)?;
    same("SPKI, DER", VerifyingKey::from_spki_der(&case.spki_der.0), Ok(public))?;
    same("SPKI, PEM", VerifyingKey::from_spki_pem(&case.spki_pem), Ok(public))?;

    let (read, comment) =
        VerifyingKey::from_openssh(&case.openssh_public).map_err(|error| format!("OpenSSH line: {error}"))?;
    same("OpenSSH line: key", read, public)?;
    let line = public.to_openssh(&comment).map_err(text)?;
    same("OpenSSH line", line.as_str(), case.openssh_public.trim_end())?;
    let (read, private_comment) =
        SigningKey::from_openssh(&case.openssh_private).map_err(|error| format!("OpenSSH file: {error}"))?;
    secret("OpenSSH file", Ok(read), &key)?;
    same("OpenSSH file: comment", &private_comment, &comment)?;
    // Check words are random in files of others: ours is read again, not compared.
    let file = key.to_openssh(&private_comment).map_err(text)?;
    same("OpenSSH file: length", file.len(), case.openssh_private.len())?;
    let (again, _) = SigningKey::from_openssh(&file).map_err(text)?;
    secret("our OpenSSH file", Ok(again), &key)?;

    secret("JWK", SigningKey::from_jwk(&key.to_jwk()), &key)?;
    same("public JWK", VerifyingKey::from_jwk(&public.to_jwk()), Ok(public))?;
    secret("hexadecimal", SigningKey::from_hex(&key.to_hex()), &key)?;
    secret("pair", SigningKey::from_keypair_bytes(&key.to_keypair_bytes()), &key)
}

/// `Ok` if the secret key that was read is `wanted`.
fn secret(what: &str, got: Result<SigningKey, Error>, wanted: &SigningKey) -> Check {
    let got = got.map_err(|error| format!("{what}: {error}"))?;
    ensure(got.to_seed() == wanted.to_seed(), &format!("{what}: another secret key"))?;
    same(&format!("{what}: public key"), got.verifying_key(), wanted.verifying_key())
}

/// No reader of the form takes it, and one says what the file says.
fn refused(reject: &Reject) -> Check {
    let mut errors = Vec::new();
    let mut accepted = None;
    let mut note = |reader, error: Option<Error>| match error {
        Some(error) => errors.push(name(error)),
        None => accepted = Some(reader),
    };
    for (form, encoding) in &reject.encodings {
        let bytes = || hex::decode(encoding).map_err(|error| format!("{form}: {error}"));
        match form.rsplit('_').next().unwrap_or_default() {
            "der" => {
                let der = bytes()?;
                note("PKCS#8", SigningKey::from_pkcs8_der(&der).err());
                note("SPKI", VerifyingKey::from_spki_der(&der).err());
            }
            "pem" => {
                note("PKCS#8", SigningKey::from_pkcs8_pem(encoding).err());
                note("SPKI", VerifyingKey::from_spki_pem(encoding).err());
                note("OpenSSH", SigningKey::from_openssh(encoding).err());
            }
            "keypair" => {
                let pair = bytes()?;
                let wrong = Error::InvalidLength { what: "pair", got: pair.len(), wanted: 64 };
                let read = pair.as_slice().try_into().map_err(|_| wrong);
                note("pair", read.and_then(SigningKey::from_keypair_bytes).err());
            }
            "openssh" | "private" | "public" => {
                note("OpenSSH line", VerifyingKey::from_openssh(encoding).err());
                note("OpenSSH file", SigningKey::from_openssh(encoding).err());
            }
            "jwk" => note("JWK", SigningKey::from_jwk(encoding).err()),
            _ => return Err(format!("{form}: a form that this version does not know")),
        }
    }
    if let Some(reader) = accepted {
        return Err(format!("the {reader} reader accepts it"));
    }
    ensure(!errors.is_empty(), "no encoding to refuse")?;
    // A private key is no public one and the other way round: then the reader of the right form has more to say.
    let format = "InvalidKeyFormat";
    let told = errors.iter().find(|error| **error != format).copied().unwrap_or(format);
    same("error", told, reject.error.as_str())
}

/// The kind of an error, as vector files name it.
fn name(error: Error) -> &'static str {
    match error {
        Error::InvalidLength { .. } => "InvalidLength",
        Error::InvalidPublicKey => "InvalidPublicKey",
        Error::KeyMismatch => "KeyMismatch",
        Error::InvalidKeyFormat(_) => "InvalidKeyFormat",
        Error::EncryptedKey => "EncryptedKey",
        _ => "another",
    }
}
