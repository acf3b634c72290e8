//! T5: bits rot. What opens says of every earlier position what it has always said; or it does not open.

use super::power_loss::recorded;
use super::stores::{Ledger, Store};
use super::support::{Folder, Journal, Wish, key, options, seed};
use phalanx_custody::identity::OneTimeKeyId;
use phalanx_custody::ledger::durable::NewLedger;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, Health, InitialState, Refused};
use phalanx_powerloss::{Chance, Image, Park};
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::path::{Path, PathBuf};

/// A page of the store, and what file systems write together.
const PAGE: usize = 4096;

/// Files of a ledger that was not closed: a store with a write-ahead log, and a side log.
struct Victim {
    folder: Folder,
    image: Image,
    journal: Journal,
    park: Park,
    /// What the ledger says to every release when nothing is rotten.
    answers: Vec<Result<bool, Refused>>,
}

impl Victim {
    fn new(seed: u64) -> Self {
        let (folder, mut chance) = (Folder::new(), Chance::new(seed));
        Ledger::make(folder.path());
        let record = recorded::<Ledger>(folder.path(), 2, 20, &mut chance);
        // Some groups before the end, so that SQLite has not tidied up; and where the write-ahead log is short, or it would
        // have every page of the store once more, and nobody would read those.
        let log_len = |end: usize| {
            let files = record.after_kill(end).files;
            let log = files.iter().find(|(name, _)| name.to_string_lossy().ends_with("-wal"));
            log.map(|(_, (_, bytes))| bytes.len()).filter(|&len| len > 9 * PAGE)
        };
        let ends = (0..record.ops.len() - 40).rev();
        let (_, end) = ends
            .filter_map(|end| Some((log_len(end)?, end)))
            .min_by_key(|&(len, _)| len)
            .expect("SQLite writes a log");
        let (image, journal) = (record.after_kill(end), Journal::of(record.marks(end)));
        let park = Park::new(folder.path(), &record).expect("a place beside the folder");
        park.lay(&image).expect("files can be written");
        let ledger = Ledger::open(folder.path()).expect("nothing is rotten yet");
        let answers = ledger.answers(&wishes(&journal));
        drop(ledger);
        assert!(answers.contains(&Ok(true)));
        Self { folder, image, journal, park, answers }
    }

    /// Whether the files, changed by `rot`, still open. What then is said must be right.
    fn opens(&self, name: &Path, case: &str, rot: impl FnOnce(&mut Vec<u8>)) -> bool {
        let mut image = self.image.clone();
        rot(&mut image.files.get_mut(name).expect("a file of the victim").1);
        self.park.lay(&image).expect("files can be written");
        let Ok(ledger) = Ledger::open(self.folder.path()) else { return false };
        let released = wishes(&self.journal);
        for (now, always) in ledger.answers(&released).into_iter().zip(&self.answers) {
            // A group that only forgets what lies below the low watermark is lost with the log's tail where the store has not
            // got it yet: then the same message is known once more.
            let known_again = (now, always) == (Ok(true), &Err(Refused::Passed));
            assert!(now == *always || known_again, "{case}: {now:?}, always {always:?}");
        }
        let others: Vec<Wish> = released.iter().map(|&(key, epoch, _)| (key, epoch, 9)).collect();
        assert!(ledger.answers(&others).iter().all(Result::is_err), "signed twice: {case}");
        assert_eq!(ledger.ledger.health(), Health::Open, "{case}");
        true
    }

    fn names(&self) -> Vec<(PathBuf, usize)> {
        let files = self.image.files.iter().filter(|(_, (_, bytes))| !bytes.is_empty());
        files.map(|(name, (_, bytes))| (name.clone(), bytes.len())).collect()
    }
}

/// What was released, as requests.
fn wishes(journal: &Journal) -> Vec<Wish> {
    journal.0.iter().map(|(&(key, epoch), &message)| (key, epoch, message)).collect()
}

/// One bit of every `step`th byte, the end at every `step`th sector, and `swaps` swaps of pages, in every file.
fn rots(step: usize, swaps: usize, seed: u64) {
    let (victim, mut chance) = (Victim::new(seed), Chance::new(seed));
    let (mut opened, mut cases) = (0, 0);
    let mut count = |is_open: bool| {
        (cases, opened) = (cases + 1, opened + usize::from(is_open));
        if cases % 1000 == 0 {
            eprintln!("{cases} cases, of which {opened} opened, seed {seed}");
        }
    };
    for (name, len) in victim.names() {
        let shown = name.display();
        assert!(victim.opens(&name, "unchanged", |_| {}), "{shown} unchanged");
        for at in (chance.below(step)..len.min(1 << 20)).step_by(step) {
            let bit = chance.below(8);
            let case = format!("bit {bit} of byte {at} of {shown}, seed {seed}");
            count(victim.opens(&name, &case, |bytes| bytes[at] ^= 1 << bit));
        }
        for at in (0..len).step_by(512 * step.div_ceil(64)) {
            count(
                victim
                    .opens(&name, &format!("{shown} ends at {at}, seed {seed}"), |bytes| bytes.truncate(at)),
            );
        }
        for _ in 0..if len > 2 * PAGE { swaps } else { 0 } {
            let (a, b) = (chance.below(len / PAGE), chance.below(len / PAGE));
            let case = format!("pages {a} and {b} of {shown} swapped, seed {seed}");
            count(victim.opens(&name, &case, |bytes| {
                (0..PAGE).for_each(|i| bytes.swap(a * PAGE + i, b * PAGE + i));
            }));
        }
    }
    eprintln!("{cases} cases, of which {opened} opened, seed {seed}");
    assert!(opened > 0 && opened < cases, "every case had the same answer");
}

#[test]
fn t5_what_is_rotten_is_refused_or_harmless() {
    rots(991, 10, seed(1));
}

#[test]
#[ignore = "every byte, half an hour"]
fn t5_what_is_rotten_is_refused_or_harmless_long() {
    rots(1, 500, seed(2));
}

/// The places of `needle` in the pages where the indices of a table begin.
fn in_indices(store: &Path, table: &str, needle: &[u8]) -> Vec<usize> {
    let db = Connection::open_with_flags(store, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("a store");
    let query = "SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1";
    let mut roots = db.prepare(query).expect("every store has a schema");
    let roots = roots.query_map([table], |row| row.get::<_, u32>(0)).expect("it has indices");
    let roots: Vec<usize> = roots.map(|root| root.expect("a number") as usize).collect();
    let bytes = fs::read(store).expect("the store");
    let places = roots.into_iter().flat_map(|root| {
        let page = &bytes[(root - 1) * PAGE..root * PAGE];
        let starts = page.windows(needle.len()).enumerate().filter(|(_, window)| *window == needle);
        starts.map(|(at, _)| (root - 1) * PAGE + at).collect::<Vec<_>>()
    });
    places.collect()
}

/// An index that keeps one-time keys apart is read when a key is registered and never else: only SQLite's check of the whole
/// file sees that it does not say what its table says.
#[test]
fn t5_rot_in_a_page_that_nothing_reads_is_refused() {
    let (folder, secret) = (Folder::new(), [0x5a; 32]);
    SqliteLedger::create(&options(folder.path()), NewLedger::default()).expect("a new ledger");
    let open = || SqliteLedger::open(&options(folder.path()));
    let (public_key, mut instance) = key(1);
    instance.one_time_key_id = Some(OneTimeKeyId(secret));
    open().expect("it opens").register(&instance, &public_key, InitialState::New).expect("a new key");
    let store = folder.join("ledger.sqlite3");
    let places = in_indices(&store, "keys", &secret);
    let [at] = places[..] else { panic!("one index has it: {places:?}") };
    let mut bytes = fs::read(&store).expect("the store");
    bytes[at] ^= 1;
    fs::write(&store, &bytes).expect("it can be written");
    assert_eq!(open().map(|_| ()).expect_err("it is rotten").code(), "store_damaged");
    bytes[at] ^= 1;
    fs::write(&store, &bytes).expect("it can be written");
    open().expect("whole again");
}
