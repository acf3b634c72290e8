//! The files of a sequence, and what was signed in it.

use super::kinds::{FORMATS, Liar, Part};
use crate::commands::Cli;
use crate::exit::{Exit, Failure};
use crate::faults::{self, Plan};
use crate::key_ledger::folder_of;
use crate::output::Output;
use clap::Parser;
use phalanx::xmss::{Format, KeyId, ParameterSet, Signature, SigningKey, VerifyingKey};
use phalanx_custody::ledger::durable::LedgerOptions;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_testing::Random;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Keys of it take a millisecond.
pub(super) const SET: ParameterSet = ParameterSet::POSEIDON1_L8_D4B8_TEST;

/// A public key, and the message that it signed, as its repeated byte.
pub(super) type Signed = (Vec<u8>, u8);

/// A file of a secret key, and its format.
pub(super) type Place = (PathBuf, Format);

/// One sequence: its files, and what was signed in it.
pub(super) struct World {
    pub(super) root: PathBuf,
    pub(super) random: Random,
    /// Files of secret keys, with their formats.
    pub(super) places: Vec<Place>,
    /// Earlier states of files.
    pub(super) backups: Vec<(PathBuf, Vec<u8>)>,
    /// What each epoch of each identity has signed: public key and message.
    pub(super) signed: BTreeMap<(KeyId, u32), Vec<Signed>>,
    /// The name of the key.
    pub(super) key_id: String,
    /// Below this the operator does not begin.
    pub(super) lowest: u64,
    pub(super) files: u32,
    pub(super) released: u64,
    pub(super) history: Vec<String>,
    pub(super) liar: Liar,
    /// Where the last signature came from.
    last: Option<Place>,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::from_seed(seed);
        let liar = [Liar::Nobody, Liar::Near, Liar::State][random.below(3)];
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name =
            format!("phalanx-sequences-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let root = phalanx_testing::place().join(name);
        fs::create_dir_all(&root).expect("there is a place for temporary files");
        Self {
            root,
            random,
            places: Vec::new(),
            backups: Vec::new(),
            signed: BTreeMap::new(),
            key_id: String::new(),
            lowest: 0,
            files: 0,
            released: 0,
            history: Vec::new(),
            liar,
            last: None,
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

    pub(super) fn keygen(&mut self, seed: &str, scheme: &str, active: u64, out: &Path) -> String {
        let more = if self.random.below(2) == 0 { "--force" } else { "" };
        format!(
            "xmss keygen --scheme {scheme} --start 0 --active {active} --out {} --insecure-seed-hex {} --insecure \
             --threads 1 {more}",
            out.display(),
            seed.repeat(32)
        )
    }

    pub(super) fn sign_args(&mut self, place: &Place, epoch: u32, message: u8) -> (String, PathBuf) {
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
    pub(super) fn sign(&mut self, place: &Place, epoch: u32, message: u8, plan: &mut Plan) -> bool {
        let (args, out) = self.sign_args(place, epoch, message);
        let public = public_key(place);
        let result = self.run(&args, plan);
        let good = matches!(result, Some(Ok(_)));
        assert_eq!(good, good && out.exists(), "a good run leaves its signature");
        self.note(&out, public, epoch, message);
        if good {
            // A link to it is another name of the same.
            self.last = fs::canonicalize(&place.0).ok().map(|path| (path, place.1));
        }
        good
    }

    /// Begins a ledger on purpose for a file.
    pub(super) fn adopt(&mut self, place: &Place, from: u64, plan: &mut Plan) -> bool {
        let (path, format) = (place.0.display(), place.1);
        let args = format!(
            "ledger adopt --secret-key {path} --scheme {SET} --format {format} --yes-key-id {} --reason test \
             --i-accept-epoch {from}",
            self.key_id
        );
        matches!(self.run(&args, plan), Some(Ok(_)))
    }

    /// The name of the ledger of a file, as its store says.
    pub(super) fn ledger_id(&self, place: &Place) -> Option<String> {
        let folder = folder_of(&place.0);
        folder.is_dir().then_some(())?;
        SqliteLedger::name_of(&LedgerOptions::new(folder)).ok().map(hex::encode)
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
        let around = self.lowest.saturating_sub(2) + self.random.u64() % 6;
        u32::try_from(around.min(255)).expect("small")
    }

    pub(super) fn message(&mut self) -> u8 {
        u8::try_from(self.random.below(3)).expect("small")
    }

    /// Every place, with the format that its file has now: a conversion or a key made anew may have changed it.
    pub(super) fn known_places(&self) -> Vec<Place> {
        let format_of = |(path, format): &Place| {
            let formats = [&[*format], &FORMATS[..]].concat();
            let fits = |format: &Format| public_key(&(path.clone(), *format)).is_some();
            (path.clone(), formats.into_iter().find(fits).unwrap_or(*format))
        };
        self.places.iter().map(format_of).collect()
    }

    /// Some place; often the one that has signed last.
    pub(super) fn place(&mut self) -> Place {
        if let Some(last) = self.last.clone().filter(|last| self.random.below(2) == 0 && last.0.exists()) {
            return last;
        }
        self.random.choice(&self.known_places()).unwrap_or((self.root.join("missing"), Format::Ssz))
    }

    /// The folder of the first key, or a new one.
    pub(super) fn some_folder(&mut self) -> PathBuf {
        if self.random.below(2) == 0 { self.root.join("keys") } else { self.new_path("keys") }
    }

    /// Some file of this part.
    pub(super) fn part(&mut self, part: Part) -> Option<PathBuf> {
        if part == Part::Store {
            return Some(folder_of(&self.place().0).join("ledger.sqlite3"));
        }
        let names = fs::read_dir(self.root.join("state")).ok()?;
        let mut found: Vec<_> = names.filter_map(|entry| Some(entry.ok()?.path())).collect();
        if part == Part::SideLog {
            found.retain(|path| path.is_dir());
            found.iter_mut().for_each(|path| path.push("witness-00000001.log"));
        } else {
            found.retain(|path| path.extension().is_some_and(|extension| extension == "key"));
        }
        found.sort();
        self.random.choice(&found)
    }

    pub(super) fn remember(&mut self, path: &Path) {
        if let Ok(bytes) = fs::read(path) {
            self.backups.push((path.to_owned(), bytes));
        }
    }

    pub(super) fn restore(&mut self, wanted: impl Fn(&Path) -> bool) {
        let found: Vec<_> = self.backups.iter().filter(|(path, _)| wanted(path)).cloned().collect();
        if let Some((path, bytes)) = self.random.choice(&found) {
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
    faults::with(plan, || cli.command.run(&Output::new(false, false)))
}

pub(super) fn write_private(path: &Path, bytes: &[u8]) {
    if fs::write(path, bytes).is_ok() {
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("it is ours");
    }
}

pub(super) fn public_key((path, format): &Place) -> Option<Vec<u8>> {
    let key = SigningKey::from_bytes(SET, *format, &fs::read(path).ok()?).ok()?;
    Some(key.verifying_key().to_bytes(Format::Ssz))
}
