//! `phalanx rescue hash`.

use super::function::{FunctionArgs, as_text};
use super::input::{hash_bytes, hash_file, words};
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use crate::{digits, files};
use phalanx::rescue::Digest;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Hash field elements, or bytes
///
/// Prints the digest, 32 bytes in hexadecimal digits: four field elements, each as eight bytes, little-endian. Elements
/// are taken modulo p = 2^64 - 2^32 + 1; bytes are hashed seven at a time, and give another digest than the elements
/// they hold. Of more than 56 bytes, rescue-rp64-256 has a digest only if their number is a multiple of 7, as in
/// Winterfell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx rescue hash --elements 1,2,3
  phalanx rescue hash --padded letter.txt")]
pub(crate) struct Args {
    #[command(flatten)]
    function: FunctionArgs,
    #[command(flatten)]
    input: InputArgs,
    /// Bytes of any length, ended in one way at every length; for rescue-rp64-256 this is not what Winterfell computes
    /// above 56 bytes, for the others it changes nothing
    #[arg(long, conflicts_with = "elements")]
    padded: bool,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// What to hash.
#[derive(clap::Args)]
#[group(multiple = false)]
struct InputArgs {
    /// Field elements between commas: decimal, or hexadecimal after 0x
    #[arg(long, value_name = "E,E,...")]
    elements: Option<String>,
    /// Bytes in hexadecimal digits
    #[arg(long, value_name = "H")]
    hex: Option<String>,
    /// Files of any length (`-`: standard input) [default: what is piped in]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Args {
    /// Files of any length, under the rule that has a digest for each.
    pub(crate) fn padded(files: Vec<PathBuf>, function: FunctionArgs, json: JsonFlag) -> Self {
        Self { function, input: InputArgs { elements: None, hex: None, files }, padded: true, json }
    }
}

/// The JSON object.
#[derive(Serialize)]
struct Report {
    function: &'static str,
    padded: bool,
    digests: Vec<Hashed>,
}

/// One input and its digest.
#[derive(Serialize)]
struct Hashed {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elements: Option<usize>,
    digest: String,
    digest_elements: Vec<String>,
}

impl Hashed {
    fn new(digest: Digest) -> Self {
        Self {
            file: None,
            bytes: None,
            elements: None,
            digest: hex::encode(digest.to_bytes()),
            digest_elements: as_text(&digest.to_elements()),
        }
    }
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let (function, padded) = (args.function.function, args.padded);
    let mut digests = Vec::new();
    if let Some(text) = &args.input.elements {
        let elements =
            words(text).map_err(|problem| Failure::usage(format_args!("--elements: {problem}")))?;
        let digest = function.hash_elements(&elements);
        digests.push(Hashed { elements: Some(elements.len()), ..Hashed::new(digest) });
    } else if let Some(digits) = &args.input.hex {
        let bytes = digits::argument("--hex", digits)?;
        let digest = hash_bytes(function, padded, &bytes)?;
        digests.push(Hashed { bytes: Some(bytes.len() as u64), ..Hashed::new(digest) });
    }
    for hashed in &digests {
        output.line(&hashed.digest)?;
    }
    let piped = match (&args.input.files[..], &digests[..]) {
        ([], []) => Some(files::named_or_piped(None, "what to hash")?.to_owned()),
        _ => None,
    };
    if args.input.files.iter().filter(|path| files::is_standard(path)).count() > 1 {
        return Err(Failure::usage("only one input can be standard input"));
    }
    // Digests of the files before one that fails stand printed.
    for path in args.input.files.iter().chain(&piped) {
        let (digest, bytes) = hash_file(function, padded, path, output)?;
        let hashed =
            Hashed { file: Some(path.display().to_string()), bytes: Some(bytes), ..Hashed::new(digest) };
        output.line(line(&hashed.digest, path))?;
        digests.push(hashed);
    }
    output.object(&Report { function: function.name(), padded, digests })?;
    Ok(Exit::Good)
}

/// The line of a file, as `sha256sum` writes it: a name that would break the line is escaped, and a backslash says so.
fn line(digest: &str, path: &Path) -> String {
    let name = path.display().to_string();
    let escaped = name.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
    let mark = if escaped == name { "" } else { "\\" };
    format!("{mark}{digest}  {escaped}")
}
