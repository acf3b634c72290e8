//! Which parameter set and encoding files are of, where nobody says it: by the `key.json` beside a key, else by content.

use crate::exit::Failure;
use crate::formats::{self, FormatArgs};
use crate::key_json::KeyJson;
use phalanx::xmss::Format;
use phalanx::xmss::any::ParameterSet;
use phalanx_identify::Kind;
use phalanx_identify::xmss::{Filter, candidates, hint};
use std::path::Path;

/// The `--scheme` of a command that finds it where it can.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct SchemeArgs {
    /// The parameter set [default: what key.json, the keystore, the secret key or the signature says]
    #[arg(long, value_name = "S", value_parser = formats::scheme_parser())]
    pub(crate) scheme: Option<ParameterSet>,
}

/// A file, and how it may be read.
struct Source<'a> {
    file: &'a Path,
    kind: Kind,
    bytes: &'a [u8],
    /// The encoding, if somebody says it.
    format: Option<Format>,
}

/// A parameter set and an encoding.
type Reading = (ParameterSet, Format);

impl SchemeArgs {
    /// How the secret key in `file` is read.
    ///
    /// # Errors
    /// Exit code 2 if that is unknown, or not one.
    pub(super) fn of_secret_key(
        &self,
        file: &Path,
        bytes: &[u8],
        formats: &FormatArgs,
    ) -> Result<Reading, Failure> {
        if let Some(set) = self.told(file) {
            return Ok((set, formats.of_key(file)));
        }
        let source = Source { file, kind: Kind::SecretKey, bytes, format: formats.told_of_key(file) };
        let found = source.readings()?;
        only(&found, &[file]).map(|set| (set, format_of(&found, set)))
    }

    /// How the public key in `key` and the signature in `signature` are read, each with its bytes.
    ///
    /// # Errors
    /// As [`of_secret_key`](Self::of_secret_key).
    pub(super) fn of_signature(
        &self,
        key: (&Path, &[u8]),
        signature: (&Path, &[u8]),
        formats: &FormatArgs,
    ) -> Result<(ParameterSet, Format, Format), Failure> {
        if let Some(set) = self.told(key.0) {
            return Ok((set, formats.of_key(key.0), formats.of_signature()));
        }
        let of = |kind, (file, bytes), format| Source { file, kind, bytes, format };
        let keys = of(Kind::PublicKey, key, formats.told_of_key(key.0)).readings()?;
        let signatures = of(Kind::Signature, signature, formats.told_of_signature()).readings()?;
        let both: Vec<Reading> = keys
            .iter()
            .filter(|(set, _)| signatures.iter().any(|(other, _)| other == set))
            .copied()
            .collect();
        if both.is_empty() {
            let (one, other) = (key.0.display(), signature.0.display());
            let (of_key, of_signature) = (names(&keys), names(&signatures));
            let text = format!("'{one}' is a key of {of_key}, and '{other}' a signature of {of_signature}");
            return Err(
                Failure::usage(text).hint("they are of two parameter sets, and do not belong together")
            );
        }
        let set = only(&both, &[key.0, signature.0])?;
        Ok((set, format_of(&keys, set), format_of(&signatures, set)))
    }

    /// What is said by the user, or by the `key.json` beside the key.
    fn told(&self, key: &Path) -> Option<ParameterSet> {
        let beside = || KeyJson::beside(key).and_then(|key| ParameterSet::from_name(&key.scheme));
        self.scheme.or_else(beside)
    }
}

/// The parameter set of a keystore, and the bytes of its public key in SSZ; `None` for what is no keystore of XMSS.
#[cfg(all(unix, feature = "custody"))]
pub(crate) fn of_keystore(bytes: &[u8]) -> Option<(ParameterSet, Vec<u8>)> {
    let keystore = phalanx_custody::keystore::Keystore::parse(bytes).ok()?;
    let header = keystore.header();
    Some((ParameterSet::from_name(header.scheme.name())?, header.public_key.to_vec()))
}

#[cfg(not(all(unix, feature = "custody")))]
pub(crate) fn of_keystore(_: &[u8]) -> Option<(ParameterSet, Vec<u8>)> {
    None
}

/// Checks that bytes read as a signature of some parameter set.
///
/// # Errors
/// Exit code 2 if not.
pub(crate) fn check_signature(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Source { file, kind: Kind::Signature, bytes, format: None }.readings().map(drop)
}

impl Source<'_> {
    /// All ways to read it: in SSZ if it reads so, unless the encoding is said.
    fn readings(&self) -> Result<Vec<Reading>, Failure> {
        let filter = Filter { kind: Some(self.kind), set: None, format: self.format };
        let found = candidates(self.bytes, filter).map_err(|nearest| {
            let how = nearest.map_or_else(String::new, |nearest| format!(": {nearest}"));
            let (shown, kind) = (self.file.display(), self.kind.name());
            let failure = Failure::usage(format_args!("'{shown}' is not a {kind} of XMSS{how}"));
            failure
                .hint(hint(self.bytes).unwrap_or_else(|| "'phalanx inspect' says what a file is".to_owned()))
        })?;
        let mut found: Vec<Reading> = found.into_iter().map(|found| (found.set, found.format)).collect();
        if found.iter().any(|(_, format)| *format == Format::Ssz) {
            found.retain(|(_, format)| *format == Format::Ssz);
        }
        Ok(found)
    }
}

/// The one parameter set of `found`.
fn only(found: &[Reading], files: &[&Path]) -> Result<ParameterSet, Failure> {
    let (first, _) = found.first().expect("what reads as nothing is refused before");
    if found.iter().all(|(set, _)| set == first) {
        return Ok(*first);
    }
    let files: Vec<_> = files.iter().map(|file| format!("'{}'", file.display())).collect();
    let verb = if files.len() > 1 { "fit" } else { "fits" };
    Err(Failure::usage(format_args!("{} {verb} {}", files.join(" and "), names(found)))
        .hint("--scheme says which parameter set it is"))
}

/// The first encoding of `found` for `set`.
fn format_of(found: &[Reading], set: ParameterSet) -> Format {
    found.iter().find(|(this, _)| *this == set).map_or(Format::Ssz, |(_, format)| *format)
}

/// Each parameter set once.
fn names(found: &[Reading]) -> String {
    let mut names: Vec<_> = found.iter().map(|(set, _)| set.name()).collect();
    names.dedup();
    names.join(" or ")
}
