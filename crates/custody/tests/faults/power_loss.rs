//! T2: the power goes.

use super::stores::{Ledger, Store};
use super::support::{Folder, Journal, KEYS, Wish, seed, wish_text};
use phalanx_powerloss::{Chance, Park, Record, Watch};
use std::path::Path;

/// Epochs that are asked for.
const EPOCHS: usize = 48;

/// Requests, some new, some repeated, some in conflict: the epochs move on slowly.
pub(crate) fn wishes(chance: &mut Chance, progress: usize) -> Vec<Wish> {
    let count = 1 + chance.below(6);
    let mut wish = || {
        let epoch = (progress + chance.below(10)).min(EPOCHS - 1);
        let message = u8::try_from(chance.below(3)).expect("below 3");
        (chance.below(KEYS), u32::try_from(epoch).expect("a few epochs"), message)
    };
    (0..count).map(|_| wish()).collect()
}

/// A recorded run of `sessions` openings, in each of which `groups` are written; every release is a mark.
pub(crate) fn recorded<S: Store>(
    folder: &Path,
    sessions: usize,
    groups: usize,
    chance: &mut Chance,
) -> Record {
    let watch = Watch::start(folder);
    for session in 0..sessions {
        let mut store = S::open(folder).expect("nothing is wrong yet");
        for group in 0..groups {
            let progress = (session * groups + group) * (EPOCHS - 10) / (sessions * groups);
            let wishes = wishes(chance, progress);
            let answers = store.ask(&wishes);
            for (&wish, _) in wishes.iter().zip(answers).filter(|(_, answer)| *answer) {
                watch.mark(wish_text(wish).as_bytes());
            }
            if chance.below(20) == 0 {
                store.tidy();
            }
        }
    }
    watch.stop()
}

/// What came of images.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) images: usize,
    /// Images that gave a position to a second message.
    pub(crate) reused: usize,
    /// Starts that were refused, and why.
    pub(crate) refused: Vec<String>,
}

/// Starts from `images` images of one recorded run, half of them of uniform instants, half of them within a flush. At every
/// position another message is asked for.
pub(crate) fn images<S: Store>(
    images: usize,
    seed: u64,
    lies: &dyn Fn(&Path) -> bool,
    is_enough: &dyn Fn(&Tally) -> bool,
) -> Tally {
    let (folder, mut chance) = (Folder::new(), Chance::new(seed));
    S::make(folder.path());
    let record = recorded::<S>(folder.path(), 3, 30, &mut chance);
    let flushes = record.flushes();
    assert!(record.marks(record.ops.len()).count() > 100, "the run has released something");
    let park = Park::new(folder.path(), &record).expect("a place beside the folder");
    let mut tally = Tally::default();
    for number in 0..images {
        let end = if number % 2 == 0 || flushes.is_empty() {
            chance.below(record.ops.len() + 1)
        } else {
            flushes[chance.below(flushes.len())]
        };
        park.lay(&record.image(end, &mut chance, lies)).expect("files can be written");
        tally.images += 1;
        match S::open(folder.path()) {
            Err(refusal) => tally.refused.push(refusal),
            Ok(mut store) => {
                let journal = Journal::of(record.marks(end));
                tally.reused += usize::from(gives_twice(&mut store, &journal));
            }
        }
        if is_enough(&tally) {
            break;
        }
    }
    tally
}

/// Whether `store` gives one of the positions of the journal to another message.
pub(crate) fn gives_twice(store: &mut impl Store, journal: &Journal) -> bool {
    let epochs = 0..u32::try_from(EPOCHS).expect("a few epochs");
    let every: Vec<Wish> = epochs.flat_map(|epoch| (0..KEYS).map(move |key| (key, epoch, 9))).collect();
    let answers = store.ask(&every);
    every
        .iter()
        .zip(answers)
        .any(|(&(key, epoch, _), answer)| answer && journal.0.contains_key(&(key, epoch)))
}

pub(crate) fn honest(_: &Path) -> bool {
    false
}

fn survives(count: usize, seed: u64) {
    let tally = images::<Ledger>(count, seed, &honest, &|_| false);
    let clean = Tally { images: count, ..Tally::default() };
    assert_eq!(tally, clean, "seed {seed}");
}

#[test]
fn t2_no_image_signs_twice_and_each_opens() {
    survives(60, seed(1));
}

#[test]
#[ignore = "2,000 images of each of 10 runs, minutes"]
fn t2_no_image_signs_twice_and_each_opens_long() {
    let first = seed(100);
    (first..first + 10).for_each(|seed| survives(2000, seed));
}

/// Power loss after power loss: what the start after the last one has repaired may be lost in the next.
fn lives(count: usize, seed: u64) {
    let (folder, mut chance, mut journal) = (Folder::new(), Chance::new(seed), Journal::default());
    Ledger::make(folder.path());
    for life in 0..count {
        let watch = Watch::start(folder.path());
        let mut ledger = Ledger::open(folder.path())
            .unwrap_or_else(|refusal| panic!("life {life} of seed {seed}: {refusal}"));
        let message = u8::try_from(life % 251).expect("below 251");
        for _ in 0..1 + chance.below(5) {
            let base = (life / 4).max(1);
            let mut wish = || {
                let epoch = base + chance.below(8);
                (chance.below(KEYS), u32::try_from(epoch).expect("a small number"), message)
            };
            let wishes = [wish(), wish(), wish(), wish()];
            let answers = ledger.ask(&wishes);
            for (&wish, _) in wishes.iter().zip(answers).filter(|(_, answer)| *answer) {
                watch.mark(wish_text(wish).as_bytes());
            }
        }
        if chance.below(20) == 0 {
            ledger.tidy();
        }
        drop(ledger);
        let record = watch.stop();
        let end = chance.below(record.ops.len() + 1);
        for mark in record.marks(end) {
            let wish = super::support::read_wish(std::str::from_utf8(mark).expect("our own text"));
            let wish = wish.expect("our own line");
            assert!(journal.note(wish), "{wish:?} signed twice in life {life} of seed {seed}");
        }
        let image = record.image(end, &mut chance, &honest);
        Park::new(folder.path(), &record).and_then(|park| park.lay(&image)).expect("files can be written");
    }
    assert!(journal.0.len() > count / 2, "the lives have released something");
}

#[test]
fn t2_lives_that_all_end_in_a_power_loss() {
    lives(100, seed(2));
}

#[test]
#[ignore = "100 times 250 lives, minutes"]
fn t2_lives_that_all_end_in_a_power_loss_long() {
    let first = seed(200);
    (first..first + 100).for_each(|seed| lives(250, seed));
}
