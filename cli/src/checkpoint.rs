//! `keygen.checkpoint`: what an interrupted key generation keeps, so that the next run takes up where it stopped.
//!
//! It holds the roots of finished bottom trees, the generation's commitment (which tells another seed, set or interval
//! apart), and the seed if it came from the operating system. A SHA-256 over all of it finds damage: roots are not
//! computed again.

use crate::exit::Failure;
use crate::files::{self, Privacy};
use crate::seed::{self, Seed};
use phalanx::xmss::any::{KeyGeneration, ParameterSet};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

/// The file's name.
pub(crate) const NAME: &str = "keygen.checkpoint";

/// What says that a file is one of these.
const KIND: &str = "phalanx keygen checkpoint v1";

/// What the user asked for, as the file has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    /// The parameter set.
    pub(crate) scheme: ParameterSet,
    /// The first epoch.
    pub(crate) start: u64,
    /// The number of epochs.
    pub(crate) active: u64,
}

/// The file. The seed is borrowed from the bytes read, so that parsing leaves no copy of it.
#[derive(Serialize, Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    checkpoint: Body<'a>,
    #[serde(borrow)]
    sha256: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
struct Body<'a> {
    kind: &'a str,
    scheme: &'a str,
    start: u64,
    active: u64,
    #[serde(borrow)]
    commitment: Cow<'a, str>,
    #[serde(borrow)]
    seed: Option<&'a str>,
    roots: BTreeMap<u64, String>,
}

/// A checkpoint that was read.
pub(crate) struct Checkpoint {
    /// What it is for.
    pub(crate) wanted: Wanted,
    /// The seed, if it came from the operating system.
    pub(crate) seed: Option<Seed>,
    /// Finished bottom trees.
    pub(crate) roots: BTreeMap<u64, Vec<u8>>,
    commitment: [u8; 32],
}

impl Checkpoint {
    /// Whether it was begun from the same seed, set and interval.
    pub(crate) fn belongs_to(&self, generation: &KeyGeneration) -> bool {
        self.commitment == generation.commitment()
    }

    /// Reads the file at `path`; `None` if there is none.
    ///
    /// # Errors
    /// A file that cannot be read, or is damaged (exit code 2).
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, Failure> {
        if fs::symlink_metadata(path).is_err() {
            return Ok(None);
        }
        let bytes = files::read(path)?;
        let damaged = || Failure::usage(format_args!("the checkpoint '{}' is damaged", path.display()));
        Self::parse(&bytes).ok_or_else(damaged).map(Some)
    }

    /// Reads the bytes of a checkpoint, if they are one and undamaged.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let File { checkpoint, sha256 } = serde_json::from_slice(bytes).ok()?;
        if checkpoint.kind != KIND || digest(&body_text(&checkpoint)) != sha256 {
            return None;
        }
        let Body { scheme, start, active, commitment, seed, roots, .. } = checkpoint;
        let mut commitment_bytes = [0; 32];
        hex::decode_to_slice(commitment.as_bytes(), &mut commitment_bytes).ok()?;
        let seed = match seed {
            Some(digits) => Some(seed::from_digits(digits.as_bytes(), "checkpoint").ok()?),
            None => None,
        };
        let decoded = roots.into_iter().map(|(index, root)| Some((index, hex::decode(root).ok()?)));
        Some(Self {
            wanted: Wanted { scheme: ParameterSet::from_name(scheme)?, start, active },
            seed,
            roots: decoded.collect::<Option<_>>()?,
            commitment: commitment_bytes,
        })
    }
}

/// Whether bytes are a checkpoint, damaged perhaps.
pub(crate) fn looks_like_one(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(200)];
    head.windows(KIND.len()).any(|window| window == KIND.as_bytes())
}

fn digest(body: &[u8]) -> String {
    hex::encode(Sha256::digest(body))
}

/// The body's text, in one allocation, wiped on drop: it may hold the seed.
fn body_text(body: &Body<'_>) -> Zeroizing<Vec<u8>> {
    /// Longest text of a root with its index, or of all the rest.
    const ENTRY_BYTES: usize = 100;
    let mut text = Zeroizing::new(Vec::with_capacity(1024 + ENTRY_BYTES * body.roots.len()));
    serde_json::to_writer(&mut *text, body).expect("strings and numbers have a JSON form");
    text
}

/// Writes checkpoints: at most one a second, and seldom enough to cost little.
pub(crate) struct Writer<'a> {
    path: &'a Path,
    wanted: Wanted,
    seed: Option<&'a Seed>,
    next: Instant,
}

impl<'a> Writer<'a> {
    /// A writer of the checkpoint of one generation. `seed` is kept in it if it came from the operating system.
    pub(crate) fn new(path: &'a Path, wanted: Wanted, seed: Option<&'a Seed>) -> Self {
        Self { path, wanted, seed, next: Instant::now() + Duration::from_secs(1) }
    }

    /// Writes if it is time.
    ///
    /// # Errors
    /// Exit code 4 if the system fails.
    pub(crate) fn tick(&mut self, generation: &KeyGeneration) -> Result<(), Failure> {
        if Instant::now() >= self.next { self.write(generation) } else { Ok(()) }
    }

    /// Writes now.
    ///
    /// # Errors
    /// Exit code 4 if the system fails.
    pub(crate) fn write(&mut self, generation: &KeyGeneration) -> Result<(), Failure> {
        let begun = Instant::now();
        let roots = generation
            .trees()
            .filter_map(|index| Some((index, hex::encode(generation.root(index)?))))
            .collect();
        let digits = self.seed.map(|seed| {
            let mut digits = Zeroizing::new([0; 64]);
            hex::encode_to_slice(&seed[..], &mut digits[..]).expect("64 digits for 32 bytes");
            digits
        });
        let seed = digits.as_ref().map(|digits| std::str::from_utf8(&digits[..]).expect("digits are ASCII"));
        let Wanted { scheme, start, active } = self.wanted;
        let commitment = hex::encode(generation.commitment()).into();
        let body = Body { kind: KIND, scheme: scheme.name(), start, active, commitment, seed, roots };
        let body = body_text(&body);
        let mut text = Zeroizing::new(Vec::with_capacity(body.len() + 200));
        text.extend_from_slice(b"{\"checkpoint\":");
        text.extend_from_slice(&body);
        text.extend_from_slice(format!(",\"sha256\":\"{}\"}}\n", digest(&body)).as_bytes());
        files::write(self.path, &text, Privacy::Secret, true)?;
        // One part in fifty of the time at most goes into writing.
        self.next = Instant::now() + Duration::from_secs(1).max(50 * begun.elapsed());
        Ok(())
    }
}
