//! Aggregates of signatures, and what they are about; proofs of compressions.

use crate::reading::{Confidence, Reading};
use phalanx::aggregate::soundness::signatures_near;
use phalanx::aggregate::{Profile, Statement};
use std::collections::BTreeMap;

/// How far the length of an aggregate may be from the expected one: as with proofs of Ligerito, several times as much as
/// they differ.
const TOLERANCE_BYTES: u64 = 32 * 100;

/// The readings of some bytes; none if they are neither.
#[must_use]
pub fn readings(bytes: &[u8]) -> Vec<Reading> {
    aggregate(bytes).or_else(|| compressions(bytes)).or_else(|| statement(bytes)).into_iter().collect()
}

/// A proof of compressions begins like an aggregate, with a magic that says of which function.
fn compressions(bytes: &[u8]) -> Option<Reading> {
    let (header, _) = bytes.split_first_chunk::<37>()?;
    let profile = Profile::from_code(header[4])?;
    let function = match &header[..4] {
        b"PXC1" => "BLAKE2s",
        b"PXS1" => "SHA-256",
        _ => return None,
    };
    Some(Reading {
        kind: "proof of compressions",
        confidence: Confidence::Likely,
        scheme: Some(format!("{function}, {} provable bits", profile.bits())),
        format: Some("raw".to_owned()),
        root: Some(hex::encode(&header[5..])),
        ..Reading::default()
    })
}

/// An aggregate begins with its magic, its profile and its root; how many signatures it has is in its statement.
fn aggregate(bytes: &[u8]) -> Option<Reading> {
    let (header, _) = bytes.split_first_chunk::<37>()?;
    let profile = Profile::from_code(header[4]).filter(|_| header.starts_with(b"PXA1"))?;
    let mut details = BTreeMap::new();
    if let Some((least, most)) = signatures_near(profile, bytes.len() as u64, TOLERANCE_BYTES) {
        let about = if least == most { least.to_string() } else { format!("{least} to {most}") };
        details.insert("signatures, by its length", about);
    }
    // With the right beginning and no length that fits it is one that was cut, or was it never.
    let confidence = if details.is_empty() { Confidence::Possible } else { Confidence::Certain };
    Some(Reading {
        kind: "aggregate",
        confidence,
        scheme: Some(profile.name().to_owned()),
        format: Some("raw".to_owned()),
        root: Some(hex::encode(&header[5..])),
        details,
        ..Reading::default()
    })
}

fn statement(bytes: &[u8]) -> Option<Reading> {
    let statement = Statement::from_bytes(bytes).ok()?;
    let epochs = statement.groups().iter().map(|group| group.epoch());
    let (first, last) = (epochs.clone().min()?, epochs.max()?);
    let epochs = if first == last { first.to_string() } else { format!("{first} to {last}") };
    let mut details = BTreeMap::from([
        ("signatures", statement.signatures().to_string()),
        ("groups", statement.groups().len().to_string()),
        ("epochs", epochs),
    ]);
    let broken = statement.equivocations().len();
    if broken > 0 {
        details.insert("messages beyond one of a key at an epoch", broken.to_string());
    }
    Some(Reading {
        kind: "statement of an aggregate",
        confidence: Confidence::Likely,
        format: Some("raw".to_owned()),
        details,
        ..Reading::default()
    })
}
