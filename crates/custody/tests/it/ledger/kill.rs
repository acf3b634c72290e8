//! Processes that are killed while they sign. What has left them is counted from what their parent has received.

use super::{Folder, Key, ask, key, open, options};
use phalanx_custody::ledger::durable::NewLedger;
use phalanx_custody::ledger::record::Ordering;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, Position, Request};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FOLDER: &str = "PHALANX_TEST_LEDGER";
const SEED: &str = "PHALANX_TEST_SEED";

/// Not a test of its own: the process that is killed.
#[test]
#[ignore = "the child of the tests below, endless"]
fn child() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let seed: u64 = std::env::var(SEED).expect("the parent sets it").parse().expect("a number");
    let ledger = open(Path::new(&folder));
    let keys: Vec<Key> = (0..8).map(|i| key(i, Ordering::Any)).collect();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (ledger, keys) = (&ledger, &keys);
            scope.spawn(move || sign_for_ever(ledger, keys, Numbers(seed * 4 + thread)));
        }
    });
}

/// xorshift64*: what happens can be repeated from its seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }
}

fn sign_for_ever(ledger: &SqliteLedger, keys: &[Key], mut numbers: Numbers) {
    loop {
        // Few epochs, so that new, repeated and conflicting requests are all frequent, each now and then further on.
        let number = usize::try_from(numbers.below(8)).expect("below 8");
        let epoch = u32::try_from(numbers.below(400)).expect("below 400");
        let message = u8::try_from(numbers.below(3)).expect("below 3");
        let request =
            Request { key: keys[number].id(), position: Position::Epoch(epoch), message: &[message; 32] };
        if ledger.reserve(request).is_ok() {
            let line = format!("{number} {epoch} {message}\n");
            let mut out = std::io::stdout().lock();
            out.write_all(line.as_bytes()).and_then(|()| out.flush()).expect("the parent reads");
        }
    }
}

/// What was released: by key and epoch, the message.
type Journal = BTreeMap<(usize, u32), u8>;

/// Starts a child, lets it sign for `span` after its first signature, and kills it. Returns how many it has released.
fn one_life(folder: &Path, seed: u64, span: Duration, journal: &mut Journal) -> usize {
    let program = std::env::current_exe().expect("this program");
    let mut child = Command::new(program)
        .args(["--exact", "ledger::kill::child", "--ignored", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(SEED, seed.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a child");
    let (mut released, mut end) = (0, None);
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while lines.read_line(&mut line).expect("text") > 0 {
        // The last line may have been cut; the harness of the child's test program says other things.
        let numbers: Vec<u32> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        if let (&[key, epoch, message], true) = (&numbers[..], line.ends_with('\n')) {
            let message = u8::try_from(message).expect("a small number");
            let known = *journal.entry((key as usize, epoch)).or_insert(message);
            assert_eq!(known, message, "two messages of key {key} at epoch {epoch}, seed {seed}");
            released += 1;
            end.get_or_insert_with(|| Instant::now() + span);
        }
        line.clear();
        if end.is_some_and(|end| Instant::now() >= end) {
            // What is in the pipe by now has been released, and is read to its end.
            child.kill().expect("it runs");
            end = Some(Instant::now() + Duration::from_secs(3600));
        }
    }
    child.wait().expect("it has ended");
    assert!(released > 0, "a start was refused, seed {seed}");
    released
}

fn kills(count: u64, span: u64, seed: u64) {
    let folder = Folder::new();
    SqliteLedger::create(&options(folder.path()), NewLedger::default()).expect("a new ledger");
    let keys: Vec<Key> = (0..8).map(|i| key(i, Ordering::Any)).collect();
    let ledger = open(folder.path());
    for key in &keys {
        ledger.register(&key.instance, &key.public_key, InitialState::New).expect("a new key");
    }
    drop(ledger);
    let (mut journal, mut released, mut numbers) = (Journal::new(), 0, Numbers(seed));
    for life in 0..count {
        let span = Duration::from_micros(numbers.below(span * 1000));
        released += one_life(folder.path(), seed + life, span, &mut journal);
    }
    eprintln!("{count} kills, {released} released, {} epochs, seed {seed}", journal.len());
    let ledger = open(folder.path());
    for (&(number, epoch), &message) in &journal {
        assert_eq!(ask(&ledger, &keys[number], epoch, message), Ok(true), "lost: {number} {epoch}");
    }
}

#[test]
fn killed_processes_sign_nothing_twice() {
    kills(40, 20, 1);
}

#[test]
#[ignore = "10,000 processes are killed, half an hour"]
fn killed_processes_sign_nothing_twice_long() {
    kills(10_000, 50, 2);
}
