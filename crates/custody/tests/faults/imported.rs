//! T22: an import is killed. The history is taken in as a whole, or nothing of it.

use super::stores::{Ledger, Store};
use super::support::{Folder, KEYS, Wish, key, options, seed};
use phalanx_custody::identity::KeyId;
use phalanx_custody::ledger::record::Place;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, Standing};
use phalanx_powerloss::{Chance, Park, Watch};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const FOLDER: &str = "PHALANX_TEST_FOLDER";
const HISTORY: &str = "PHALANX_TEST_HISTORY";

/// Keys of the history that the ledger does not know.
const NEW: std::ops::Range<usize> = 20..24;

/// Everything that a ledger says.
type Said = BTreeMap<KeyId, (Standing, BTreeMap<Place, Option<[u8; 32]>>)>;

fn said(ledger: &SqliteLedger) -> Said {
    let keys = ledger.keys().expect("it is open").into_iter().map(|known| known.standing);
    keys.map(|standing| {
        let key = standing.instance.key_id;
        let entries = ledger.entries(&key).expect("a known key");
        (key, (standing, entries))
    })
    .collect()
}

/// A ledger that has signed some of what the history has signed, too, with other messages.
fn make(folder: &Path) {
    Ledger::make(folder);
    let mut ledger = Ledger::open(folder).expect("it opens");
    let wishes: Vec<Wish> = (0..KEYS).flat_map(|key| [(key, 1, 1), (key, 2, 2)]).collect();
    assert!(ledger.ask(&wishes).into_iter().all(|is_signed| is_signed));
}

/// The history of another ledger, of `epochs` epochs of every key: some that the ledger knows, and new ones.
fn history(epochs: u32) -> Vec<u8> {
    let folder = Folder::new();
    Ledger::make(folder.path());
    let mut ledger = Ledger::open(folder.path()).expect("it opens");
    let wishes: Vec<Wish> = (0..KEYS).flat_map(|key| (1..=epochs).map(move |at| (key, at, 1))).collect();
    assert!(ledger.ask(&wishes).into_iter().all(|is_signed| is_signed));
    for number in NEW {
        let (public_key, instance) = key(number);
        ledger.ledger.register(&instance, &public_key, InitialState::New).expect("a new key");
    }
    ledger.ledger.export(None, true).expect("they are active").text.into_bytes()
}

/// What the ledger says before and after an import that nobody disturbs, in which some positions come with two messages.
fn both(history: &[u8]) -> [Said; 2] {
    let folder = Folder::new();
    make(folder.path());
    let ledger = SqliteLedger::open(&options(folder.path())).expect("it opens");
    let before = said(&ledger);
    assert_eq!(ledger.import(history).expect("a history of ours"), KEYS, "closed by conflict");
    let after = said(&ledger);
    assert_eq!(after.len(), before.len() + NEW.len());
    [before, after]
}

/// Which of `both` the ledger in `folder` says.
fn is_after(folder: &Path, both: &[Said; 2], case: &str) -> bool {
    let ledger = SqliteLedger::open(&options(folder)).unwrap_or_else(|error| panic!("{error}: {case}"));
    let said = said(&ledger);
    assert!(both.contains(&said), "half an import: {case}");
    said == both[1]
}

/// One history that fits into a group of the side log, and one that begins a new segment.
const LENGTHS: [u32; 2] = [4, 60];

/// An import that is cut before each of its calls on the files.
#[test]
fn t22_an_import_is_cut_at_a_call() {
    for epochs in LENGTHS {
        let (folder, history) = (Folder::new(), history(epochs));
        let both = both(&history);
        make(folder.path());
        let watch = Watch::start(folder.path());
        let ledger = SqliteLedger::open(&options(folder.path())).expect("it opens");
        watch.mark(b"open");
        ledger.import(&history).expect("a history of ours");
        watch.mark(b"done");
        drop(ledger);
        let record = watch.stop();
        let park = Park::new(folder.path(), &record).expect("a place beside the folder");
        let mut outcomes = [0, 0];
        for end in 0..=record.ops.len() {
            let marks = record.marks(end).count();
            park.lay(&record.after_kill(end)).expect("files can be written");
            let is_after = is_after(folder.path(), &both, &format!("cut before call {end}, {epochs} epochs"));
            assert!(is_after || marks < 2, "an import was undone: cut before call {end}, {epochs} epochs");
            assert!(!is_after || marks > 0, "nothing was imported yet: call {end}");
            outcomes[usize::from(is_after)] += 1;
        }
        assert!(outcomes.iter().all(|&count| count > 0), "{outcomes:?}");
    }
}

/// Not a test of its own: the process that is killed.
#[test]
#[ignore = "the child of the tests below, endless"]
fn import() {
    let (Ok(folder), Ok(history)) = (std::env::var(FOLDER), std::env::var(HISTORY)) else { return };
    let ledger = SqliteLedger::open(&options(Path::new(&folder))).expect("it opens");
    let history = fs::read(history).expect("the parent wrote it");
    let say = |line: &[u8]| std::io::stdout().write_all(line).expect("the parent reads");
    say(b"begun\n");
    ledger.import(&history).expect("a history of ours");
    say(b"done\n");
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// Kills `count` processes while they import; returns how many had taken the history in.
fn kills(count: usize, epochs: u32, seed: u64) -> usize {
    let (folder, history, mut chance) = (Folder::new(), history(epochs), Chance::new(seed));
    let (both, file) = (both(&history), folder.join("history.json"));
    fs::write(&file, &history).expect("it can be written");
    // Moves to twice the time that an import takes here, so that half of the kills come before its end.
    let mut most = 4000;
    let mut imported = 0;
    for number in 0..count {
        let target = Folder::new();
        make(target.path());
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "imported::import", "--ignored", "--nocapture", "--test-threads=1"])
            .env(FOLDER, target.path())
            .env(HISTORY, &file)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a child");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        // The harness of the child's test program says other things before it, on the same line.
        assert!(lines.by_ref().any(|line| line.ends_with("begun")), "the child ended before it began");
        std::thread::sleep(Duration::from_micros(chance.below(most) as u64));
        child.kill().expect("it runs until it is killed");
        let is_done = lines.any(|line| line == "done");
        child.wait().expect("it is ours");
        let is_after =
            is_after(target.path(), &both, &format!("kill {number}, {epochs} epochs, seed {seed}"));
        assert!(is_after || !is_done, "an import was undone: kill {number}, {epochs} epochs, seed {seed}");
        imported += usize::from(is_after);
        most = if is_after { most * 7 / 8 + 1 } else { most * 9 / 8 + 1 };
    }
    eprintln!("{count} imports of {epochs} epochs were killed, of which {imported} were done, seed {seed}");
    imported
}

#[test]
fn t22_a_killed_import_is_whole_or_nothing() {
    for epochs in LENGTHS {
        kills(6, epochs, seed(1));
    }
}

#[test]
#[ignore = "200 processes are killed, half a minute"]
fn t22_a_killed_import_is_whole_or_nothing_long() {
    for epochs in LENGTHS {
        let imported = kills(100, epochs, seed(2));
        assert!((5..=95).contains(&imported), "the kills hardly met the import: {imported} of 100");
    }
}
