//! T1: processes are killed while they sign. Their parent counts what it has received from them.

use super::power_loss::recorded;
use super::stores::{Ledger, Store};
use super::support::{Folder, Journal, KEYS, Wish, read_wish, seed, wish_text};
use phalanx_powerloss::{Chance, Park};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FOLDER: &str = "PHALANX_TEST_FOLDER";
const LIFE: &str = "PHALANX_TEST_LIFE";
const CHANCE: &str = "PHALANX_TEST_CHANCE";

/// Not a test of its own: the process that is killed.
#[test]
#[ignore = "the child of the tests below, endless"]
fn child() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let number = |name| std::env::var(name).expect("the parent sets it").parse().expect("a number");
    let (life, seed): (u64, u64) = (number(LIFE), number(CHANCE));
    let mut ledger = Ledger::open(Path::new(&folder)).unwrap_or_else(|refusal| {
        let line = format!("refused {refusal}\n");
        std::io::stdout().write_all(line.as_bytes()).expect("the parent reads");
        panic!("{refusal}")
    });
    let mut chance = Chance::new(seed);
    if chance.below(20) == 0 {
        ledger.tidy();
    }
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let ledger = &ledger;
            scope.spawn(move || sign_for_ever(ledger, life, Chance::new(seed ^ (thread + 1))));
        }
    });
}

fn sign_for_ever(ledger: &Ledger, life: u64, mut chance: Chance) {
    loop {
        // Few epochs around one that moves on, so that new, repeated and conflicting requests are all frequent.
        let epoch = usize::try_from(life).expect("a life") + chance.below(60);
        let epoch = u32::try_from(epoch).expect("a small number");
        let wish = (chance.below(KEYS), epoch, u8::try_from(chance.below(3)).expect("below 3"));
        if ledger.answers(&[wish])[0].is_ok() {
            let line = wish_text(wish) + "\n";
            let mut out = std::io::stdout().lock();
            out.write_all(line.as_bytes()).and_then(|()| out.flush()).expect("the parent reads");
        }
    }
}

/// Starts a child and kills it `span` after its first signature. Returns how many it has released.
fn one_life(folder: &Path, life: u64, chance: &mut Chance, most: usize, journal: &mut Journal) -> usize {
    let span = Duration::from_micros(chance.below(most * 1000) as u64);
    let program = std::env::current_exe().expect("this program");
    let mut child = Command::new(program)
        .args(["--exact", "killed::child", "--ignored", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(LIFE, life.to_string())
        .env(CHANCE, (chance.below(1 << 48) << 8).to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a child");
    let (mut released, mut end) = (0, None);
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while lines.read_line(&mut line).expect("text") > 0 {
        assert!(!line.contains("refused "), "life {life}: {line}");
        // The last line may have been cut; the harness of the child's test program says other things.
        if let Some(wish) = line.strip_suffix('\n').and_then(read_wish) {
            assert!(journal.note(wish), "{wish:?} signed twice, life {life}");
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
    assert!(released > 0, "life {life} has released nothing");
    released
}

fn kills(count: u64, most: usize, seed: u64) {
    let folder = Folder::new();
    Ledger::make(folder.path());
    let (mut journal, mut released, mut chance) = (Journal::default(), 0, Chance::new(seed));
    for life in 0..count {
        released += one_life(folder.path(), life, &mut chance, most, &mut journal);
    }
    eprintln!("{count} kills, {released} released, {} epochs, seed {seed}", journal.0.len());
    nothing_lost(folder.path(), &journal, &format!("seed {seed}"));
}

/// Every release is in the ledger: no other message gets its position.
fn nothing_lost(folder: &Path, journal: &Journal, case: &str) {
    let ledger = Ledger::open(folder).unwrap_or_else(|refusal| panic!("{refusal}: {case}"));
    let others: Vec<Wish> = journal.0.keys().map(|&(key, epoch)| (key, epoch, 9)).collect();
    assert!(ledger.answers(&others).iter().all(Result::is_err), "lost and signed twice: {case}");
}

#[test]
fn t1_killed_processes_sign_nothing_twice() {
    kills(60, 20, seed(0));
}

#[test]
#[ignore = "10,000 processes are killed, 10 to 40 minutes"]
fn t1_killed_processes_sign_nothing_twice_long() {
    // Several ledgers, since each start reads the whole of its own.
    let first = seed(0);
    (first..first + 10).for_each(|seed| kills(1000, 50, seed));
}

/// A process that is killed before any of its calls on its files leaves what the calls before have done.
fn at_calls(step: usize, seed: u64) {
    let (folder, mut chance) = (Folder::new(), Chance::new(seed));
    Ledger::make(folder.path());
    let record = recorded::<Ledger>(folder.path(), 3, 20, &mut chance);
    let park = Park::new(folder.path(), &record).expect("a place beside the folder");
    for end in (0..=record.ops.len()).step_by(step) {
        park.lay(&record.after_kill(end)).expect("files can be written");
        let journal = Journal::of(record.marks(end));
        nothing_lost(folder.path(), &journal, &format!("killed before call {end}, seed {seed}"));
    }
}

#[test]
fn t1_a_process_is_killed_at_a_call() {
    at_calls(7, seed(3));
}

#[test]
#[ignore = "every call of 20 runs, a minute"]
fn t1_a_process_is_killed_at_every_call() {
    let first = seed(30);
    (first..first + 20).for_each(|seed| at_calls(1, seed));
}
