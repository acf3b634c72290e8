//! The keys of validators, from a list of them: whose key a line of `verify-many` names.

use crate::exit::Failure;
use crate::files;
use phalanx::xmss::Format;
use phalanx::xmss::any::{ParameterSet, VerifyingKey};
use phalanx_identify::documents::{self, Entry};
use std::collections::HashMap;
use std::path::Path;

/// A list of validators: of every number its keys, one or one for each role.
pub(super) struct Manifest {
    keys: HashMap<u64, Vec<Entry>>,
}

impl Manifest {
    /// Reads a list: a manifest of a client, annotated validators or a genesis configuration.
    ///
    /// # Errors
    /// If the file is no such list, or one that contradicts itself.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let validators = documents::read(&files::read(path)?).and_then(|document| document.validators);
        let Some(validators) = validators else {
            return Err(Failure::usage(format_args!("'{shown}' is no list of validators")).hint(
                "wanted: validator-keys-manifest.yaml, annotated_validators.yaml or a genesis configuration",
            ));
        };
        if let Some(problem) = validators.problems.first() {
            return Err(Failure::usage(format_args!("'{shown}' contradicts itself: {problem}")));
        }
        let mut keys = HashMap::<u64, Vec<Entry>>::new();
        for entry in validators.entries {
            keys.entry(entry.number()).or_default().push(entry);
        }
        Ok(Self { keys })
    }

    /// The key of `set` that the validator `number` has, in the role called `role`.
    ///
    /// # Errors
    /// In words, if the list has no such key, or two.
    pub(super) fn key(
        &self,
        set: ParameterSet,
        number: u64,
        role: Option<&str>,
    ) -> Result<VerifyingKey, String> {
        let mut keys = self.of(number, role)?;
        match (keys.next(), keys.next()) {
            (Some(entry), None) => decode(set, entry),
            (Some(_), Some(_)) => {
                Err(format!("malformed: validator {number} has several keys: \"role\" says which"))
            }
            (None, _) => Err(match role {
                Some(role) => format!("malformed: validator {number} has no key as {role}"),
                None => format!("malformed: the list has no validator {number}"),
            }),
        }
    }

    /// Whether `key` is one of the keys of the validator `number`, in the role called `role`.
    ///
    /// # Errors
    /// In words, if the list has no such validator.
    pub(super) fn is_of(&self, key: &VerifyingKey, number: u64, role: Option<&str>) -> Result<bool, String> {
        let set = key.parameter_set();
        Ok(self.of(number, role)?.any(|entry| decode(set, entry).as_ref() == Ok(key)))
    }

    fn of<'a>(
        &'a self,
        number: u64,
        role: Option<&'a str>,
    ) -> Result<impl Iterator<Item = &'a Entry>, String> {
        let entries =
            self.keys.get(&number).ok_or_else(|| format!("malformed: the list has no validator {number}"))?;
        let fits = move |entry: &&Entry| match (role, entry.role) {
            (Some(wanted), Some(role)) => wanted == role.name(),
            _ => true,
        };
        Ok(entries.iter().filter(fits))
    }
}

fn decode(set: ParameterSet, entry: &Entry) -> Result<VerifyingKey, String> {
    let bytes = entry.public_key.as_deref().unwrap_or_default();
    let format = if bytes.starts_with(b"{") { Format::Json } else { Format::Ssz };
    VerifyingKey::from_bytes(set, format, bytes).map_err(|error| format!("{}: {error}", entry.path))
}
