//! `PROFILE.KEY.sk.FORMAT` and `PROFILE.KEY.pk.ssz`: keys as files, alone and against the vectors of their profile.

use super::e2e::keys_of;
use super::e2e::vector::{KeyVector, SignatureVector};
use crate::files::VectorFile;
use crate::report::{Check, Recorder, ensure, same, text};
use phalanx::xmss::{Format, ParameterSet, Signature, SigningKey, VerifyingKey, hazmat};

/// Runs the secret key `key` in `format`.
pub(crate) fn run_secret(
    recorder: &mut Recorder<'_>,
    set: ParameterSet,
    key: &str,
    format: Format,
    file: &VectorFile,
) {
    let decode = || {
        SigningKey::from_bytes(set, format, &file.bytes)
            .map_err(|error| format!("the key is rejected: {error}"))
    };
    let Some(decoded) = recorder.prepare("decoding", decode) else { return };
    recorder.case("decoding", || {
        ensure(*decode()?.to_bytes(format) == file.bytes, "encoding again gives other bytes")
    });
    for &other in Format::ALL {
        recorder.case_once(format_args!("round trip through {other}"), || {
            let bytes = decoded.to_bytes(other);
            let again = SigningKey::from_bytes(set, other, &bytes).map_err(text)?;
            ensure(*again.to_bytes(format) == file.bytes, "the key changed")
        });
    }
    let public = decoded.verifying_key();
    recorder.case("sign and verify", || {
        let epoch = u32::try_from(decoded.prepared_interval().start).map_err(text)?;
        let signature = hazmat::sign_unrecorded(&decoded, epoch, &[7; 32]).map_err(text)?;
        same("result", public.verify(epoch, &[7; 32], &signature), Ok(()))
    });
    if let Ok(bytes) = file.beside(&format!("{key}.pk.ssz")) {
        recorder.case_once("public key file", || same("bytes", public.to_bytes(Format::Ssz), bytes.clone()));
    }
    let Some((vector, signatures)) = vector_of(recorder, set, key, file) else { return };
    recorder.case_once("vectors: bytes", || vector.check_secret_form(format, &file.bytes));
    recorder
        .case_once("vectors: public key", || same("bytes", &public.to_bytes(Format::Ssz), &vector.pk_ssz.0));
    for (i, case) in signatures.iter().enumerate() {
        recorder.case(format_args!("vectors: signatures[{i}]"), || signs(&decoded, case));
    }
}

fn signs(key: &SigningKey, case: &SignatureVector) -> Check {
    let signature = hazmat::sign_unrecorded(key, case.epoch, &case.message.0).map_err(text)?;
    ensure(signature.to_bytes(Format::Ssz) == case.sig_ssz.0, "the signature differs")
}

/// Runs the public key of `key`.
pub(crate) fn run_public(recorder: &mut Recorder<'_>, set: ParameterSet, key: &str, file: &VectorFile) {
    let decode = || {
        VerifyingKey::from_bytes(set, Format::Ssz, &file.bytes)
            .map_err(|error| format!("the key is rejected: {error}"))
    };
    let Some(decoded) = recorder.prepare("decoding", decode) else { return };
    for &format in Format::ALL {
        recorder.case_once(format_args!("round trip through {format}"), || {
            let again = VerifyingKey::from_bytes(set, format, &decoded.to_bytes(format)).map_err(text)?;
            ensure(again.to_bytes(Format::Ssz) == file.bytes, "the key changed")
        });
    }
    let Some((vector, signatures)) = vector_of(recorder, set, key, file) else { return };
    recorder.case_once("vectors: public key", || same("bytes", &file.bytes, &vector.pk_ssz.0));
    for (i, case) in signatures.iter().enumerate() {
        recorder.case(format_args!("vectors: signatures[{i}]"), || {
            let signature = Signature::from_bytes(set, Format::Ssz, &case.sig_ssz.0).map_err(text)?;
            same("result", decoded.verify(case.epoch, &case.message.0, &signature), Ok(()))
        });
    }
}

/// The vectors of the key that a file belongs to: the one in the neighbouring `PROFILE.e2e.json` whose `sk_files` name
/// it. A key file without that neighbour is run alone; one that its neighbour does not know is a failure.
fn vector_of(
    recorder: &mut Recorder<'_>,
    set: ParameterSet,
    key: &str,
    file: &VectorFile,
) -> Option<(KeyVector, Vec<SignatureVector>)> {
    let neighbour = format!("{}.e2e.json", set.profile());
    let bytes = file.beside(&neighbour).ok()?;
    let find = || {
        let keys = keys_of(&bytes).map_err(|error| format!("{neighbour}: {error}"))?;
        let prefix = format!("{key}.sk.");
        let mine = |(vector, _): &(KeyVector, Vec<SignatureVector>)| {
            vector.sk_files.iter().any(|name| name.starts_with(&prefix))
        };
        keys.into_iter().find(mine).ok_or_else(|| format!("{neighbour} has no key whose sk_files name {key}"))
    };
    recorder.prepare("vectors", find)
}
