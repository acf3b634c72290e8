//! T15: every sequence of a few steps with a key of an earlier version: the old program signs, this one signs, the record is
//! migrated, the key is copied or converted, the record deleted. This program signs nothing that anybody has signed with
//! another message, and what the records say of two messages is not forgotten.

use super::state::state;
use super::world::{Place, SET, World, public_key, write_private};
use crate::key_ledger::folder_of;
use crate::old_record::{self, Kind};
use phalanx::xmss::Format;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

#[derive(Clone, Copy, Debug)]
enum Step {
    OldSign,
    NewSign,
    Migrate,
    Copy,
    Convert,
    DeleteRecord,
}

const STEPS: [Step; 6] =
    [Step::OldSign, Step::NewSign, Step::Migrate, Step::Copy, Step::Convert, Step::DeleteRecord];

/// Where the old program signs; a record that is deleted and begun anew knows nothing of other epochs.
const OLD_EPOCH: u32 = 3;

/// What came of all sequences.
#[derive(Debug, Default)]
struct Tally {
    run: usize,
    migrated: usize,
    with_conflict: usize,
    signed: usize,
}

/// The files of a key, and what was signed.
struct Migration<'a> {
    world: World,
    /// Epoch and message.
    released: BTreeSet<(u32, u8)>,
    tally: &'a mut Tally,
}

/// A secret key and its `key.json`.
fn key_files() -> &'static (Vec<u8>, Vec<u8>) {
    static FILES: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut world = World::new(0);
        let folder = world.root.join("made");
        let (args, mut plan) = (world.keygen("5e", SET.name(), 256, &folder), world.plan());
        assert!(matches!(world.run(&args, &mut plan), Some(Ok(_))), "{:?}", world.history);
        let read = |name| fs::read(folder.join(name)).expect("it was written");
        (read("secret-key.ssz"), read("key.json"))
    })
}

/// The digests with which a record of an earlier version has the epoch.
fn recorded(secret_key: &Path) -> Option<Vec<String>> {
    let record = old_record::beside(secret_key).filter(|kind| *kind == Kind::Record);
    record.and_then(|_| fs::read_to_string(old_record::path_beside(secret_key)).ok()).map(|text| {
        let start = format!("{OLD_EPOCH:010} ");
        text.lines().filter_map(|line| line.strip_prefix(&start).map(str::to_owned)).collect()
    })
}

/// Whether the old program signs: as the record says, which it begins where there is none.
fn old_program_signs(place: &Place, message: u8) -> bool {
    let Some(public_key) = public_key(place) else { return false };
    let header = format!("phalanx-epochs v1 {SET} {}\n", hex::encode(Sha256::digest(public_key)));
    let path = old_record::path_beside(&place.0);
    let record = fs::read_to_string(&path).unwrap_or_else(|_| header.clone());
    if !record.starts_with(&header) || recorded(&place.0).is_some_and(|digests| !digests.is_empty()) {
        return false;
    }
    let line = format!("{OLD_EPOCH:010} {}\n", hex::encode(Sha256::digest([message; 32])));
    write_private(&path, (record + &line).as_bytes());
    true
}

impl Migration<'_> {
    fn new(tally: &mut Tally) -> Migration<'_> {
        let mut world = World::new(0);
        let folder = world.root.join("keys/0");
        fs::create_dir_all(&folder).expect("a new folder");
        let (secret_key, key_json) = key_files();
        write_private(&folder.join("key.json"), key_json);
        write_private(&folder.join("secret-key.ssz"), secret_key);
        world.places.push((folder.join("secret-key.ssz"), Format::Ssz));
        Migration { world, released: BTreeSet::new(), tally }
    }

    /// A message that nobody has signed yet.
    fn message(&self) -> u8 {
        u8::try_from(self.released.len() + 1).expect("a few")
    }

    /// Signs with this program: a message that is new only where nobody has signed another.
    fn sign(&mut self, place: &Place, epoch: u32, message: u8) -> bool {
        let mut plan = self.world.plan();
        let is_signed = self.world.sign(place, epoch, message, &mut plan);
        if is_signed && self.released.insert((epoch, message)) {
            let messages = self.released.iter().filter(|(at, _)| *at == epoch).count();
            assert_eq!(messages, 1, "epoch {epoch} has signed two messages");
        }
        is_signed
    }

    fn act(&mut self, step: Step) {
        let (all, last) =
            (self.world.places.clone(), self.world.places.last().expect("there is one").clone());
        match step {
            Step::OldSign => {
                for place in all {
                    let message = self.message();
                    if old_program_signs(&place, message) {
                        self.released.insert((OLD_EPOCH, message));
                    }
                }
            }
            Step::NewSign => {
                for place in all {
                    for epoch in [OLD_EPOCH, OLD_EPOCH + 1] {
                        let message = self.message();
                        self.tally.signed += usize::from(self.sign(&place, epoch, message));
                    }
                }
            }
            Step::Migrate => self.migrate(&all),
            Step::Copy => {
                let number = all.len();
                let path = self.world.root.join(format!("keys/{number}/secret-key.ssz"));
                fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
                fs::copy(&last.0, &path).expect("it is there");
                if last.1 == Format::Ssz {
                    write_private(&path.with_file_name("key.json"), &key_files().1);
                }
                self.world.places.push((path, last.1));
            }
            Step::Convert => {
                let to = if last.1 == Format::Ssz { Format::Bincode } else { Format::Ssz };
                let path = self.world.new_path("converted");
                let (from, shown, mut plan) = (last.0.display(), path.display(), self.world.plan());
                let args = format!(
                    "convert {from} {shown} --kind secret-key --scheme {SET} --from {} --to {to}",
                    last.1
                );
                if matches!(self.world.run(&args, &mut plan), Some(Ok(_))) {
                    self.world.places.push((path, to));
                }
            }
            Step::DeleteRecord => {
                let _ = fs::remove_file(old_record::path_beside(&all[0].0));
            }
        }
    }

    /// The folder with all keys; or, where one of them stands against it, one key with the records of the others.
    fn migrate(&mut self, all: &[Place]) {
        let records: Vec<_> = all.iter().filter_map(|(path, _)| Some((path, recorded(path)?))).collect();
        let keys = self.world.root.join("keys");
        let digests = |is_named: &dyn Fn(&Path) -> bool| -> BTreeSet<String> {
            let named = records.iter().filter(|(path, _)| is_named(path));
            named.flat_map(|(_, digests)| digests.clone()).collect()
        };
        let one_key = all.iter().map(|(path, format)| {
            let others = records.iter().filter(|(other, _)| *other != path);
            let beside = |path: &Path| old_record::path_beside(path).display().to_string();
            let with: String = others.map(|(other, _)| format!(" --with {}", beside(other))).collect();
            let shown = path.display();
            let args =
                format!("ledger adopt-records --secret-key {shown} --scheme {SET} --format {format}{with}");
            (args, digests(&|_| true))
        });
        // What was converted is elsewhere.
        let folder =
            (format!("ledger adopt-records {}", keys.display()), digests(&|path| path.starts_with(&keys)));
        let commands: Vec<_> = std::iter::once(folder).chain(one_key).collect();
        let done = commands.into_iter().find(|(args, _)| {
            let mut plan = self.world.plan();
            matches!(self.world.run(args, &mut plan), Some(Ok(_)))
        });
        let Some((_, digests)) = done else { return };
        self.tally.migrated += 1;
        self.tally.with_conflict += usize::from(digests.len() > 1);
        // Of two messages neither is signed again; of one it is, by the file that has the ledger now.
        let known: Vec<u8> = self.released.iter().map(|&(_, message)| message).collect();
        for place in all.iter().filter(|(path, _)| folder_of(path).exists()) {
            for &message in &known {
                let is_only = digests == BTreeSet::from([hex::encode(Sha256::digest([message; 32]))]);
                let mut plan = self.world.plan();
                let is_signed = self.world.sign(place, OLD_EPOCH, message, &mut plan);
                assert_eq!(is_signed, is_only, "message {message}, of {digests:?}");
            }
        }
    }

    /// What everything that comes depends on: the files, and what was signed.
    fn state(&self) -> String {
        format!("{:?}\n{}", self.released, state(&self.world, &self.world.places))
    }
}

/// Runs a sequence: the state that it leads to.
fn run(steps: &[Step], tally: &mut Tally) -> String {
    let mut migration = Migration::new(tally);
    migration.tally.run += 1;
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        steps.iter().for_each(|step| migration.act(*step));
        migration.state()
    }));
    done.unwrap_or_else(|panic| {
        eprintln!("{steps:?}:\n{}", migration.world.history.join("\n"));
        std::panic::resume_unwind(panic)
    })
}

/// What a search has found.
struct Found {
    tally: Tally,
    states: BTreeSet<String>,
}

/// All sequences of up to `length` steps. One whose last step changes nothing is the one without that step; and if `merged`,
/// of all that lead to one state the first goes on for the others: the states are those of all sequences, and each step is
/// done from each of them.
fn all_sequences(length: usize, merged: bool) -> Found {
    let mut tally = Tally::default();
    let first = run(&[], &mut tally);
    let (mut open, mut states) = (vec![(Vec::new(), first.clone())], BTreeSet::from([first]));
    for _ in 0..length {
        let mut longer = Vec::new();
        for (steps, before) in &open {
            for step in STEPS {
                let steps = [&steps[..], &[step]].concat();
                let after = run(&steps, &mut tally);
                let is_new = states.insert(after.clone());
                if is_new || (!merged && after != *before) {
                    longer.push((steps, after));
                }
            }
        }
        eprintln!("{} states, {tally:?}", states.len());
        open = longer;
    }
    assert!(tally.migrated > 0 && tally.signed > 0, "{tally:?}");
    Found { tally, states }
}

#[test]
fn t15_a_migrated_key_signs_nothing_twice() {
    let all = all_sequences(3, false);
    // Sequences that are not run have been, by another of the same state.
    assert_eq!(all_sequences(3, true).states, all.states);
}

#[test]
#[ignore = "all sequences of up to six steps, a minute"]
fn t15_a_migrated_key_signs_nothing_twice_long() {
    let found = all_sequences(6, true);
    assert!(found.tally.with_conflict > 0, "{:?}", found.tally);
}
