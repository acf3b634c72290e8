//! Parameter sets and encodings as arguments, and how the encoding of a file is decided.

use crate::key_json::KeyJson;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use phalanx::xmss::Format;
use phalanx::xmss::any::ParameterSet;
use phalanx_identify::ed25519::KeyFormat;
use std::path::Path;

/// Parses the name of a parameter set.
pub(crate) fn scheme_parser() -> impl TypedValueParser<Value = ParameterSet> {
    PossibleValuesParser::new(ParameterSet::ALL.map(ParameterSet::name))
        .try_map(|name| ParameterSet::from_name(&name).ok_or("unknown parameter set"))
}

/// Parses the name of an encoding.
pub(crate) fn format_parser() -> impl TypedValueParser<Value = Format> {
    named(|_| true)
}

/// Parses the name of an encoding that keys are written in.
pub(crate) fn key_format_parser() -> impl TypedValueParser<Value = Format> {
    named(|format| format != Format::BincodePadded)
}

/// An encoding of either system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    /// Of XMSS.
    Xmss(Format),
    /// Of Ed25519.
    Ed25519(KeyFormat),
}

/// Other names of [`KeyFormat::Pkcs8`]: what its two halves are called.
const PKCS8_TOO: [&str; 2] = ["pem", "spki"];

/// Parses the name of an encoding of either system: no name is used twice.
pub(crate) fn encoding_parser() -> impl TypedValueParser<Value = Encoding> {
    PossibleValuesParser::new(encodings()).try_map(|name| encoding(&name).ok_or("unknown format"))
}

fn encodings() -> Vec<PossibleValue> {
    let of_xmss = Format::ALL.iter().map(|format| format.name().into());
    of_xmss.chain(KeyFormat::ALL.into_iter().map(possible)).collect()
}

/// The encoding called `name`.
pub(crate) fn encoding(name: &str) -> Option<Encoding> {
    let of_xmss = Format::from_name(name).map(Encoding::Xmss);
    of_xmss.or_else(|| key_format(name).map(Encoding::Ed25519))
}

/// A form that files are written in, and how their names end: as the form was called, with `pem` for both halves of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileForm<F> {
    pub(crate) format: F,
    pub(crate) ending: &'static str,
}

impl<F> FileForm<F> {
    fn called(name: &str, format: F, own: &'static str) -> Self {
        let ending = if PKCS8_TOO.contains(&name) { PKCS8_TOO[0] } else { own };
        Self { format, ending }
    }
}

/// As [`encoding_parser`], for files that are named after it.
pub(crate) fn file_encoding_parser() -> impl TypedValueParser<Value = FileForm<Encoding>> {
    let form = |name: &str| {
        let encoding = encoding(name)?;
        let own = match encoding {
            Encoding::Xmss(format) => format.name(),
            Encoding::Ed25519(format) => format.name(),
        };
        Some(FileForm::called(name, encoding, own))
    };
    PossibleValuesParser::new(encodings()).try_map(move |name| form(&name).ok_or("unknown format"))
}

/// Parses the name of a form of Ed25519 that both halves of a key have.
pub(crate) fn both_halves_parser() -> impl TypedValueParser<Value = FileForm<KeyFormat>> {
    let forms = KeyFormat::ALL.into_iter().filter(|format| !format.is_secret_only());
    let form = |name: &str| key_format(name).map(|format| FileForm::called(name, format, format.name()));
    PossibleValuesParser::new(forms.map(possible).collect::<Vec<PossibleValue>>())
        .try_map(move |name| form(&name).ok_or("unknown format"))
}

fn possible(format: KeyFormat) -> PossibleValue {
    let value = PossibleValue::new(format.name());
    if format == KeyFormat::Pkcs8 { value.aliases(PKCS8_TOO) } else { value }
}

fn key_format(name: &str) -> Option<KeyFormat> {
    if PKCS8_TOO.contains(&name) { Some(KeyFormat::Pkcs8) } else { KeyFormat::from_name(name) }
}

fn named(offered: fn(Format) -> bool) -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.iter().filter(|&&format| offered(format)).map(|format| format.name());
    PossibleValuesParser::new(names.collect::<Vec<_>>())
        .try_map(|name| Format::from_name(&name).ok_or("unknown format"))
}

/// How the encodings of a key and a signature are named on the command line.
///
/// Nothing is guessed from a file name. A key is in `--key-format`, else `--format`, else what the `key.json` beside it
/// says of it, else SSZ; a signature is in `--signature-format`, else `--format`, else SSZ.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct FormatArgs {
    /// Encoding of the key and of the signature
    #[arg(short, long, value_name = "F", value_parser = format_parser())]
    format: Option<Format>,
    /// Encoding of the key alone [default: --format, else what key.json beside the key says, else ssz]
    #[arg(long, value_name = "F", value_parser = key_format_parser())]
    key_format: Option<Format>,
    /// Encoding of the signature alone [default: --format, else ssz]
    #[arg(long, value_name = "F", value_parser = format_parser())]
    signature_format: Option<Format>,
}

impl FormatArgs {
    /// The signature's, or none.
    pub(crate) fn of_signature_only(signature_format: Option<Format>) -> Self {
        Self { format: None, key_format: None, signature_format }
    }

    /// The encoding of the key in `file`.
    pub(crate) fn of_key(&self, file: &Path) -> Format {
        self.told_of_key(file).unwrap_or(Format::Ssz)
    }

    /// The same, if somebody says it.
    pub(crate) fn told_of_key(&self, file: &Path) -> Option<Format> {
        let key_format = || match self.format {
            // The padded form is one of signatures; their keys are in the plain one.
            Some(Format::BincodePadded) => Some(Format::Bincode),
            other => other,
        };
        let beside = || KeyJson::beside(file).and_then(|key| Format::from_name(&key.encoding));
        self.key_format.or_else(key_format).or_else(beside)
    }

    /// The encoding of the signature.
    pub(crate) fn of_signature(&self) -> Format {
        self.told_of_signature().unwrap_or(Format::Ssz)
    }

    /// The same, if somebody says it.
    pub(crate) fn told_of_signature(&self) -> Option<Format> {
        self.signature_format.or(self.format)
    }
}
