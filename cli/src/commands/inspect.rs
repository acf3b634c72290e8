//! `phalanx inspect`: what a file is, and what is wrong with it.

use crate::checkpoint::{self, Checkpoint};
use crate::exit::{Exit, Failure};
use crate::files;
use crate::key_json::{FileEntry, Interval, KeyJson, is_file_name};
use crate::old_record;
use crate::output::{JsonFlag, Output};
use phalanx::xmss::Format;
use phalanx::xmss::any::ParameterSet;
use phalanx_identify::xmss::{Filter, Value, candidates, describe, within_hex};
use phalanx_identify::{Confidence, next_command, others, rank, unknown};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

mod documents;
mod ed25519;
#[cfg(all(unix, feature = "custody"))]
mod keystore;
#[cfg(all(unix, feature = "custody"))]
mod ledger;
mod privacy;

/// Say what files are: keys, signatures, aggregates, commitments, proofs, key.json, checkpoints, epoch records and ledgers
///
/// Files of XMSS, Ed25519 and Ligerito. Every kind, parameter set and encoding is tried, strictly; if a file fits
/// several, all are listed. A proof of Ligerito carries no mark: it is only said what it could be. Secrets are not
/// printed. A folder of keygen stands for its files. Of a ledger its folder may be given; it is not opened, and may be in use.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx inspect keys/*")]
pub(crate) struct Args {
    /// The files (`-`: standard input)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// What is known of a file.
#[derive(Serialize)]
struct Report {
    file: PathBuf,
    bytes: usize,
    /// Every reading of the file; none if it is unknown.
    readings: Vec<Reading>,
    /// What is wrong.
    problems: Vec<String>,
}

/// One reading of a file.
#[derive(Serialize, Default)]
struct Reading {
    kind: &'static str,
    /// How sure that is.
    #[serde(serialize_with = "in_a_word")]
    confidence: Confidence,
    /// A command to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    insecure: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    activation: Option<Interval>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prepared: Option<Interval>,
    /// Of a public key, or the one that belongs to a secret key: SSZ in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    public_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    /// Of the public key that an epoch record belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    public_key_sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    used_epochs: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished_trees: Option<u64>,
    /// What else is known, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    details: BTreeMap<&'static str, String>,
}

impl From<phalanx_identify::Reading> for Reading {
    fn from(reading: phalanx_identify::Reading) -> Self {
        let phalanx_identify::Reading {
            kind,
            confidence,
            scheme,
            format,
            insecure,
            activation,
            prepared,
            public_key,
            root,
            details,
        } = reading;
        let (activation, prepared) = (activation.map(Interval::from), prepared.map(Interval::from));
        Self {
            kind,
            confidence,
            scheme,
            format,
            insecure,
            activation,
            prepared,
            public_key,
            root,
            details,
            ..Self::default()
        }
    }
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let files = args.files.iter().flat_map(|file| with_key_files(file));
    let reports = files.map(|file| report(&file)).collect::<Result<Vec<_>, _>>()?;
    reports.iter().try_for_each(|report| print(report, output))?;
    output.object(&serde_json::json!({ "files": reports }))?;
    let unknown: Vec<_> = reports.iter().filter(|report| report.readings.is_empty()).collect();
    match &unknown[..] {
        [] => Ok(Exit::Good),
        [one] => {
            let problem = one.problems.first().map(String::as_str).unwrap_or_default();
            Err(Failure::usage(format_args!("'{}' is nothing known: {problem}", one.file.display()))
                .hint(tried()))
        }
        [first, rest @ ..] => Err(Failure::usage(format_args!(
            "'{}' and {} more files are nothing known",
            first.file.display(),
            rest.len()
        ))
        .hint(tried())),
    }
}

/// A file, or of a folder of keygen its `key.json` and the files that it lists.
fn with_key_files(file: &Path) -> Vec<PathBuf> {
    let json = file.join(crate::key_json::NAME);
    let Some(key) = files::read(&json).ok().and_then(|bytes| KeyJson::parse(&bytes)) else {
        return vec![file.to_owned()];
    };
    let listed: Vec<_> =
        key.files.keys().filter(|name| is_file_name(name)).map(|name| file.join(name)).collect();
    std::iter::once(json).chain(listed.into_iter().filter(|file| file.exists())).collect()
}

/// The hint for an unknown file.
fn tried() -> String {
    format!(
        "tried public key, signature and secret key of {} parameter sets in {} encodings, and of ed25519 in its own; \
         key.json, keygen.checkpoint, epoch record, keystore and files of a ledger; commitment and proof of ligerito{}",
        ParameterSet::ALL.len(),
        Format::ALL.len(),
        if cfg!(feature = "aggregate") { "; aggregate and its statement" } else { "" }
    )
}

/// What `file` is.
fn report(file: &Path) -> Result<Report, Failure> {
    let mut problems = Vec::new();
    if let Some(reading) = of_folder(file, &mut problems) {
        return Ok(Report::new(file, 0, vec![reading], problems));
    }
    let bytes = files::read(file)?;
    let readings = if let Some(key) = KeyJson::parse(&bytes) {
        key.check_digits(file)?;
        check_files(&key, file, &mut problems);
        vec![Reading {
            kind: "key.json",
            scheme: Some(key.scheme),
            format: Some(key.encoding),
            activation: key.activation,
            prepared: key.prepared,
            public_key: Some(key.public_key),
            ..Reading::default()
        }]
    } else if checkpoint::looks_like_one(&bytes) {
        privacy::check(file, &mut problems);
        vec![of_checkpoint(&bytes, &mut problems)]
    } else if let Some(summary) = old_record::summary(&bytes) {
        vec![of_record(summary)]
    } else if let Some(reading) = of_keystore(file, &bytes, &mut problems) {
        vec![reading]
    } else if let Some(reading) = of_ledger(&bytes, &mut problems) {
        vec![reading]
    } else {
        of_schemes(file, &bytes, &mut problems)
    };
    Ok(Report::new(file, bytes.len(), readings, problems))
}

impl Report {
    /// With a command for each reading, the surest first.
    fn new(file: &Path, bytes: usize, mut readings: Vec<Reading>, problems: Vec<String>) -> Self {
        for reading in &mut readings {
            let (scheme, format) = (reading.scheme.as_deref(), reading.format.as_deref());
            reading.next = next_command(reading.kind, scheme, format, &file.display().to_string());
        }
        readings.sort_by_key(|reading| rank(reading.confidence, reading.kind));
        Self { file: file.to_owned(), bytes, readings, problems }
    }
}

/// All readings as keys, signatures, commitments and proofs.
fn of_schemes(file: &Path, bytes: &[u8], problems: &mut Vec<String>) -> Vec<Reading> {
    let mut of_xmss = candidates(bytes, Filter::default());
    // Keys of several schemes are 32 bytes; the `key.json` beside one says which it is.
    let told = KeyJson::beside(file).map(|key| key.scheme);
    if let (Ok(found), Some(told), 32) = (&mut of_xmss, &told, bytes.len()) {
        found.retain(|candidate| candidate.set.name() == told);
        if !found.is_empty() {
            return found.iter().map(describe).map(Reading::from).collect();
        }
        of_xmss = Err(None);
    }
    match (of_xmss, ed25519::readings(file, bytes, problems)) {
        (Ok(found), of_ed25519) => {
            if found.iter().any(|candidate| matches!(candidate.value, Value::SecretKey(_))) {
                privacy::check(file, problems);
            }
            let of_xmss = found.iter().map(describe);
            of_xmss.chain(of_ed25519.unwrap_or_default()).map(Reading::from).collect()
        }
        (Err(_), Ok(found)) => {
            let within = if told.is_none() { within_hex(bytes) } else { Vec::new() };
            within.into_iter().chain(found).map(Reading::from).collect()
        }
        (Err(nearest), Err(problem)) => {
            let found = documents::readings(file, bytes, problems).unwrap_or_else(|| others(bytes));
            if found.is_empty() {
                problems.push(unknown(bytes, nearest, problem));
            }
            found.into_iter().map(Reading::from).collect()
        }
    }
}

fn in_a_word<S: serde::Serializer>(confidence: &Confidence, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(confidence.name())
}

/// Compares the files that a `key.json` lists with what stands beside it.
fn check_files(key: &KeyJson, file: &Path, problems: &mut Vec<String>) {
    for (name, entry) in &key.files {
        if !is_file_name(name) {
            problems.push(format!("lists '{name}', which is not a file name"));
            continue;
        }
        match files::read(&file.with_file_name(name)) {
            Ok(bytes) if FileEntry::of(&bytes) == *entry => {}
            Ok(_) => {
                problems.push(format!("'{name}' is not the file it lists: its length or SHA-256 differs"))
            }
            Err(failure) => problems.push(failure.message),
        }
    }
}

/// What a keystore says of its key; `None` if it is none.
#[cfg(all(unix, feature = "custody"))]
fn of_keystore(file: &Path, bytes: &[u8], problems: &mut Vec<String>) -> Option<Reading> {
    if let Some(reading) = keystore::trees(bytes) {
        return Some(reading);
    }
    let reading = keystore::reading(bytes, problems)?;
    privacy::check(file, problems);
    Some(reading)
}

#[cfg(not(all(unix, feature = "custody")))]
fn of_keystore(_: &Path, _: &[u8], _: &mut Vec<String>) -> Option<Reading> {
    None
}

/// What a file of a ledger says; `None` if it is none.
#[cfg(all(unix, feature = "custody"))]
fn of_ledger(bytes: &[u8], problems: &mut Vec<String>) -> Option<Reading> {
    ledger::file(bytes, problems)
}

#[cfg(not(all(unix, feature = "custody")))]
fn of_ledger(_: &[u8], _: &mut Vec<String>) -> Option<Reading> {
    None
}

/// What a folder is, if it is a ledger's.
#[cfg(all(unix, feature = "custody"))]
fn of_folder(path: &Path, problems: &mut Vec<String>) -> Option<Reading> {
    ledger::folder(path, problems)
}

#[cfg(not(all(unix, feature = "custody")))]
fn of_folder(_: &Path, _: &mut Vec<String>) -> Option<Reading> {
    None
}

fn of_checkpoint(bytes: &[u8], problems: &mut Vec<String>) -> Reading {
    let Some(found) = Checkpoint::parse(bytes) else {
        problems.push("damaged".to_owned());
        return Reading { kind: "keygen.checkpoint", ..Reading::default() };
    };
    let wanted = found.wanted;
    Reading {
        kind: "keygen.checkpoint",
        scheme: Some(wanted.scheme.name().to_owned()),
        activation: Some(Interval { start: wanted.start, end: wanted.start.saturating_add(wanted.active) }),
        finished_trees: Some(found.roots.len() as u64),
        ..Reading::default()
    }
}

fn of_record(summary: old_record::Summary) -> Reading {
    Reading {
        kind: "epoch record",
        scheme: summary.scheme,
        public_key_sha256: summary.public_key_sha256,
        used_epochs: summary.used,
        details: summary.moved_to.map(|ledger| ("moved to ledger", ledger)).into_iter().collect(),
        ..Reading::default()
    }
}

/// Prints a report as text.
fn print(report: &Report, output: &Output) -> Result<(), Failure> {
    output.line(format_args!("{}: {} bytes", report.file.display(), report.bytes))?;
    for (index, reading) in report.readings.iter().enumerate() {
        // Sets of one shape read the same bytes as the same value: said once, with all their names.
        let alike = |other: &&Reading| {
            (other.kind, &other.format, &other.public_key)
                == (reading.kind, &reading.format, &reading.public_key)
        };
        if report.readings[..index].iter().any(|other| alike(&other)) {
            continue;
        }
        let same = report.readings[index..].iter().filter(alike);
        let sets: Vec<_> = same.filter_map(|other| other.scheme.clone()).collect();
        let mut text = match reading.confidence {
            Confidence::Certain => format!("  {}", reading.kind),
            unsure => format!("  {}: {}", unsure.name(), reading.kind),
        };
        let mut add = |label: &str, value: Option<String>| {
            if let Some(value) = value {
                text.push_str(&format!("{label}{value}"));
            }
        };
        add(" of ", (!sets.is_empty()).then(|| sets.join(" or ")));
        add(" in ", reading.format.clone());
        add(
            ", ",
            (reading.insecure == Some(true) && sets.len() == 1)
                .then(|| "a test set without security".to_owned()),
        );
        add("\n    active epochs ", reading.activation.map(|interval| interval.to_string()));
        add("\n    prepared epochs ", reading.prepared.map(|interval| interval.to_string()));
        add("\n    root ", reading.root.clone());
        add("\n    public key ", reading.public_key.clone());
        add("\n    public key SHA-256 ", reading.public_key_sha256.clone());
        add("\n    used epochs ", reading.used_epochs.map(|count| count.to_string()));
        add("\n    finished bottom trees ", reading.finished_trees.map(|count| count.to_string()));
        for (name, value) in &reading.details {
            add(&format!("\n    {name} "), Some(value.clone()));
        }
        add("\n    next: ", reading.next.clone());
        output.line(text)?;
    }
    if report.readings.len() > 1 {
        output.line("  its bytes alone do not tell these apart")?;
    }
    report.problems.iter().try_for_each(|problem| output.line(format_args!("  problem: {problem}")))
}
