//! A line of the files of signatures: what `verify-many` and the commands about aggregates read.

use super::manifest::Manifest;
use crate::json_lines::bytes;
use phalanx::xmss::Format;
use phalanx::xmss::any::{ParameterSet, Signature, VerifyingKey};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// No line of any parameter set is longer; the rest of a longer one is skipped.
pub(super) const MAX_LINE_BYTES: u64 = 1 << 15;

/// A line as it stands in the file.
#[derive(Deserialize)]
struct Text<'a> {
    #[serde(borrow)]
    scheme: Cow<'a, str>,
    #[serde(borrow)]
    public_key: Option<&'a RawValue>,
    #[serde(alias = "validator_id")]
    validator_index: Option<u64>,
    #[serde(borrow)]
    role: Option<Cow<'a, str>>,
    epoch: u64,
    #[serde(borrow)]
    message: &'a RawValue,
    #[serde(borrow)]
    signature: Option<&'a RawValue>,
}

/// A line decoded.
pub(super) struct Line {
    pub(super) key: VerifyingKey,
    /// Beyond 32 bits no key has epochs: nothing verifies there.
    pub(super) epoch: Option<u32>,
    pub(super) message: [u8; 32],
    /// The validator whose key this ought to be, and is not.
    pub(super) stranger_to: Option<u64>,
}

/// Decodes a line with its signature, or says what is wrong with it. Its key may be that of a validator in `manifest`.
pub(super) fn signed(line: &[u8], manifest: Option<&Manifest>) -> Result<(Line, Signature), String> {
    let (set, text, line) = read(line, manifest)?;
    let signature = text.signature.ok_or("malformed: missing field `signature`")?;
    let (format, signature) = value("signature", signature)?;
    let signature =
        Signature::from_bytes(set, format, &signature).map_err(|error| format!("signature: {error}"))?;
    Ok((line, signature))
}

/// Decodes a line whose signature, if it has one, does not matter.
#[cfg(feature = "aggregate")]
pub(super) fn unsigned(line: &[u8]) -> Result<Line, String> {
    read(line, None).map(|(.., line)| line)
}

fn read<'a>(line: &'a [u8], manifest: Option<&Manifest>) -> Result<(ParameterSet, Text<'a>, Line), String> {
    if line.len() as u64 > MAX_LINE_BYTES {
        return Err(format!("malformed: longer than {MAX_LINE_BYTES} bytes"));
    }
    let text: Text<'_> = serde_json::from_slice(line).map_err(|error| format!("malformed: {error}"))?;
    let set = ParameterSet::from_name(&text.scheme).ok_or("malformed: scheme: unknown parameter set")?;
    let (key, stranger_to) = key(&text, set, manifest)?;
    let message = bytes("message", text.message)?;
    let message = message
        .as_slice()
        .try_into()
        .map_err(|_| format!("malformed: message: got {} bytes, wanted 32", message.len()))?;
    let line = Line { key, epoch: u32::try_from(text.epoch).ok(), message, stranger_to };
    Ok((set, text, line))
}

/// The key of a line, and the validator that it ought to be of if it is not.
fn key(
    line: &Text<'_>,
    set: ParameterSet,
    manifest: Option<&Manifest>,
) -> Result<(VerifyingKey, Option<u64>), String> {
    let role = line.role.as_deref();
    let listed = manifest.zip(line.validator_index);
    let Some(given) = line.public_key else {
        return match listed {
            Some((manifest, number)) => Ok((manifest.key(set, number, role)?, None)),
            None if line.validator_index.is_some() => {
                Err("malformed: no public_key, and --validators does not say whose keys there are".to_owned())
            }
            None => Err("malformed: missing field `public_key`".to_owned()),
        };
    };
    let (format, bytes) = value("public_key", given)?;
    let key =
        VerifyingKey::from_bytes(set, format, &bytes).map_err(|error| format!("public_key: {error}"))?;
    let stranger_to = match listed {
        Some((manifest, number)) if !manifest.is_of(&key, number, role)? => Some(number),
        _ => None,
    };
    Ok((key, stranger_to))
}

/// A key or signature: SSZ in hexadecimal or as a list of bytes, or the object that leanSig's serde writes.
fn value(what: &str, value: &RawValue) -> Result<(Format, Vec<u8>), String> {
    let text = value.get();
    if text.starts_with('{') {
        return Ok((Format::Json, text.as_bytes().to_vec()));
    }
    bytes(what, value).map(|bytes| (Format::Ssz, bytes))
}
