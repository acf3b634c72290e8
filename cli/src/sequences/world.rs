//! The files of a sequence, and what was signed in it.

use super::kinds::*;
use crate::commands::Cli;
use crate::exit::{Exit, Failure};
use crate::faults::{self, Plan};
use crate::output::Output;
use clap::Parser;
use phalanx::xmss::{Format, KeyId, ParameterSet, Signature, SigningKey, VerifyingKey};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Keys of it take a millisecond.
pub(super) const SET: ParameterSet = ParameterSet::POSEIDON1_L8_D4B8_TEST;

/// A public key, and the message that it signed, as its repeated byte.
pub(super) type Signed = (Vec<u8>, u8);

/// Numbers that a seed gives (SplitMix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).expect("below a usize")
    }

    pub(super) fn of<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).cloned()
    }
}

/// One sequence: its files, and what was signed in it.
pub(super) struct World {
    pub(super) root: PathBuf,
    pub(super) random: Random,
    /// Files of secret keys, with their formats.
    pub(super) places: Vec<(PathBuf, Format)>,
    /// Earlier states of files.
    pub(super) backups: Vec<(PathBuf, Vec<u8>)>,
    /// What each epoch of each identity has signed: public key and message.
    pub(super) signed: BTreeMap<(KeyId, u32), Vec<Signed>>,
    /// Below this the operator does not begin.
    pub(super) lowest: u64,
    pub(super) files: u32,
    pub(super) released: u64,
    pub(super) history: Vec<String>,
    pub(super) liar: Liar,
}

pub(super) fn record_of(place: &Path) -> PathBuf {
    crate::record::path_beside(place)
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let liar = [Liar::Nobody, Liar::Near, Liar::Witness][random.below(3)];
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let memory = Path::new("/dev/shm");
        let base = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let name =
            format!("phalanx-sequences-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let root = base.join(name);
        fs::create_dir_all(&root).expect("there is a place for temporary files");
        Self {
            root,
            random,
            places: Vec::new(),
            backups: Vec::new(),
            signed: BTreeMap::new(),
            lowest: 0,
            files: 0,
            released: 0,
            history: Vec::new(),
            liar,
        }
    }

    pub(super) fn new_path(&mut self, what: &str) -> PathBuf {
        self.files += 1;
        self.root.join(format!("{what}{}", self.files))
    }

    pub(super) fn plan(&self) -> Plan {
        Plan { state_folder: Some(self.root.join("state")), ..Plan::default() }
    }

    /// Runs a command; `None` if it was killed.
    pub(super) fn run(&mut self, args: &str, plan: &mut Plan) -> Option<Result<Exit, Failure>> {
        let result = run(args, plan);
        let shown = match &result {
            None => format!("killed at step {}", plan.steps),
            Some(Ok(_)) => "0".to_owned(),
            Some(Err(failure)) => format!("{} ({})", failure.exit as u8, failure.message),
        };
        self.history.push(format!("{args}: {shown}"));
        result
    }

    pub(super) fn keygen(&self, seed: &str, scheme: &str, active: u64, out: &Path, more: &str) -> String {
        format!(
            "xmss keygen --scheme {scheme} --start 0 --active {active} --out {} --insecure-seed-hex {} --insecure \
             --threads 1 {more}",
            out.display(),
            seed.repeat(32)
        )
    }

    pub(super) fn sign_args(
        &mut self,
        place: &(PathBuf, Format),
        epoch: u32,
        message: u8,
    ) -> (String, PathBuf) {
        let out = self.new_path("signature");
        let args = format!(
            "xmss sign --secret-key {} --scheme {SET} --key-format {} --epoch {epoch} --message-hex {} --out {}",
            place.0.display(),
            place.1,
            format!("{message:02x}").repeat(32),
            out.display()
        );
        (args, out)
    }

    /// Signs, and notes what was released: the file, however the command ended.
    pub(super) fn sign(
        &mut self,
        place: &(PathBuf, Format),
        epoch: u32,
        message: u8,
        plan: &mut Plan,
    ) -> bool {
        let (args, out) = self.sign_args(place, epoch, message);
        let public = public_key(place);
        let result = self.run(&args, plan);
        let good = matches!(result, Some(Ok(_)));
        assert_eq!(good, good && out.exists(), "a good run leaves its signature");
        self.note(&out, public, epoch, message);
        good
    }

    /// Begins the record of a file on purpose, and is not disturbed.
    pub(super) fn begin(&mut self, place: &(PathBuf, Format), from: u64) -> bool {
        let (path, format) = (place.0.display(), place.1);
        let args = format!(
            "xmss record --secret-key {path} --scheme {SET} --format {format} --begin --from-epoch {from}"
        );
        let mut plan = self.plan();
        matches!(self.run(&args, &mut plan), Some(Ok(_)))
    }

    pub(super) fn note(&mut self, out: &Path, public: Option<Vec<u8>>, epoch: u32, message: u8) {
        let Ok(bytes) = fs::read(out) else { return };
        let signature = Signature::from_bytes(SET, Format::Ssz, &bytes).expect("whole or not there");
        let public = public.expect("what signed is a key");
        let key = VerifyingKey::from_bytes(SET, Format::Ssz, &public).expect("a key");
        assert_eq!(key.verify(epoch, &[message; 32], &signature), Ok(()), "what is released verifies");
        let all = self.signed.entry((key.key_id(), epoch)).or_default();
        if !all.contains(&(public.clone(), message)) {
            all.push((public, message));
        }
        self.released += 1;
        self.lowest = self.lowest.max(u64::from(epoch) + 1);
    }

    /// An epoch near those that were used, so that little of the key passes by.
    pub(super) fn epoch(&mut self) -> u32 {
        let around = self.lowest.saturating_sub(2) + self.random.next() % 6;
        u32::try_from(around.min(255)).expect("small")
    }

    pub(super) fn message(&mut self) -> u8 {
        u8::try_from(self.random.below(3)).expect("small")
    }

    /// Every place, with the format that its file has now: a conversion or a key made anew may have changed it.
    pub(super) fn known_places(&self) -> Vec<(PathBuf, Format)> {
        let format_of = |(path, format): &(PathBuf, Format)| {
            let formats = [*format, Format::Ssz, Format::Bincode];
            let fits = |format: &Format| public_key(&(path.clone(), *format)).is_some();
            (path.clone(), formats.into_iter().find(fits).unwrap_or(*format))
        };
        self.places.iter().map(format_of).collect()
    }

    pub(super) fn place(&mut self) -> (PathBuf, Format) {
        self.random.of(&self.known_places()).unwrap_or((self.root.join("missing"), Format::Ssz))
    }

    pub(super) fn witness(&mut self) -> Option<PathBuf> {
        let names = fs::read_dir(self.root.join("state")).ok()?;
        let mut found: Vec<_> = names.filter_map(|entry| Some(entry.ok()?.path())).collect();
        found.retain(|path| path.extension().is_some_and(|extension| extension == "epochs"));
        found.sort();
        self.random.of(&found)
    }

    /// Cuts, empties or fills a file.
    pub(super) fn damage(&mut self, path: &Path, kind: Kind) {
        let Ok(mut bytes) = fs::read(path) else { return };
        match kind {
            CutRecord | CutWitness => bytes.truncate(self.random.below(bytes.len() + 1)),
            EmptyRecord | EmptyWitness => bytes.clear(),
            _ => {
                let junk: [&[u8]; 5] =
                    [b"garbage\n", b"00000", b"0000000003 ", b"\0\0\0\0\0\0\0\0\0\0\0\0", b"moved\n"];
                bytes.extend_from_slice(self.random.of(&junk).unwrap_or_default());
            }
        }
        // In place: the mode stays.
        let _ = fs::write(path, bytes);
    }

    pub(super) fn remember(&mut self, path: &Path) {
        if let Ok(bytes) = fs::read(path) {
            self.backups.push((path.to_owned(), bytes));
        }
    }

    pub(super) fn restore(&mut self, wanted: impl Fn(&Path) -> bool) {
        let found: Vec<_> = self.backups.iter().filter(|(path, _)| wanted(path)).cloned().collect();
        if let Some((path, bytes)) = self.random.of(&found) {
            write_private(&path, &bytes);
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

pub(super) fn run(args: &str, plan: &mut Plan) -> Option<Result<Exit, Failure>> {
    let words = std::iter::once("phalanx").chain(args.split_whitespace());
    let cli = Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{args}: {error}"));
    faults::with(plan, || cli.command.run(&Output::new(false)))
}

pub(super) fn write_private(path: &Path, bytes: &[u8]) {
    if fs::write(path, bytes).is_ok() {
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("it is ours");
    }
}

pub(super) fn public_key((path, format): &(PathBuf, Format)) -> Option<Vec<u8>> {
    let key = SigningKey::from_bytes(SET, *format, &fs::read(path).ok()?).ok()?;
    Some(key.verifying_key().to_bytes(Format::Ssz))
}
