//! Documents that hold keys and signatures: JSON as clients and test data write it, and lists of validators.

mod node;
mod validators;
mod values;

pub use validators::{Entry, Role, Validators};
pub use values::Found;

use crate::hexadecimal;
use crate::reading::Reading;
use std::collections::BTreeMap;

/// Values that are told one by one; of more only how many.
const MAX_TOLD: usize = 4;

/// What a document holds.
pub struct Document {
    /// The list of validators that it is, if it is one.
    pub validators: Option<Validators>,
    /// The keys and signatures in it.
    pub found: Vec<Found>,
    /// The encoding of the document.
    format: &'static str,
}

/// Reads a document; `None` if no key and no signature is in it.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Document> {
    let root = node::parse(bytes)?;
    let mut found = Vec::new();
    values::find(&root, "", &mut found);
    let validators = validators::read(&root);
    if found.is_empty() && validators.is_none() {
        return None;
    }
    let format = match bytes.trim_ascii_start().first() {
        Some(b'{' | b'[') => "json",
        _ => match root.text() {
            Some(text) if hexadecimal::is(text.as_bytes()) => "hex",
            Some(_) => "base64",
            None => "yaml",
        },
    };
    Some(Document { validators, found, format })
}

/// A document as it is told: itself, and the values in it if they are few.
#[must_use]
pub fn describe(document: &Document) -> Vec<Reading> {
    let mut told = Vec::new();
    if let Some(validators) = &document.validators {
        let mut details = validators.details.clone();
        details.insert("public keys", kinds(&document.found));
        let files = validators.entries.iter().filter(|entry| entry.secret_file.is_some()).count();
        if files > 0 {
            details.insert("files of secret keys", files.to_string());
        }
        told.push(Reading {
            kind: validators.kind,
            format: Some(document.format.to_owned()),
            details,
            ..Reading::default()
        });
        return told;
    }
    if document.found.len() > MAX_TOLD {
        told.push(Reading {
            kind: "document",
            format: Some(document.format.to_owned()),
            details: BTreeMap::from([("holds", kinds(&document.found))]),
            ..Reading::default()
        });
        return told;
    }
    for found in &document.found {
        for reading in &found.readings {
            let mut reading = reading.clone();
            let inner = reading.format.take().unwrap_or_default();
            let is_same = inner == document.format || inner.is_empty();
            reading.format =
                Some(if is_same { inner } else { format!("{} within {}", inner, document.format) });
            if !found.path.is_empty() {
                reading.details.insert("at", found.path.clone());
            }
            told.push(reading);
        }
    }
    told
}

/// How many of each kind there are: those that several sets could have are counted as the first.
fn kinds(found: &[Found]) -> String {
    let mut counts = BTreeMap::<String, usize>::new();
    for found in found {
        let mut sets: Vec<_> =
            found.readings.iter().filter_map(|reading| reading.scheme.as_deref()).collect();
        sets.dedup();
        let kind = found.readings.first().map_or("value", |reading| reading.kind);
        *counts.entry(format!("{kind} of {}", sets.join(" or "))).or_default() += 1;
    }
    let counts: Vec<_> = counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    counts.join(", ")
}
