//! The queue before a committer under loom: every order in which callers and the committing thread can go on.

use super::super::sync::{Mutex, MutexGuard};
use super::*;
use alloc::vec;
use loom::sync::Arc;

/// Changes of threads that nothing asks for: seconds; one more takes minutes.
const PREEMPTIONS: usize = 2;
const PATIENCE: Duration = Duration::from_secs(1);

fn in_every_order(scene: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(PREEMPTIONS);
    model.check(scene);
}

/// A position and a message.
type Wish = (u8, u8);

/// What a disk would hold: groups of what was granted. It outlives the committer.
#[derive(Default)]
struct Disk {
    groups: Vec<Vec<Wish>>,
    /// A group is being written: nobody may have been answered.
    is_writing: bool,
    has_stopped: bool,
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Disk>>);

impl Shared {
    fn disk(&self) -> MutexGuard<'_, Disk> {
        self.0.lock().expect("no panic")
    }

    fn message_of(&self, position: u8) -> Option<u8> {
        let disk = self.disk();
        disk.groups.iter().flatten().find(|(at, _)| *at == position).map(|&(_, message)| message)
    }
}

/// Gives each position to one message, as a ledger does.
struct Ledger(Shared);

impl Committer for Ledger {
    type Request = Wish;
    type Answer = bool;
    const MOST: usize = 2;

    fn commit(&mut self, wishes: Vec<Wish>) -> Vec<bool> {
        assert!(!wishes.is_empty() && wishes.len() <= Self::MOST, "a group of {}", wishes.len());
        let mut group: Vec<Wish> = Vec::new();
        let mut answers = Vec::new();
        for &(position, message) in &wishes {
            let here = group.iter().find(|(at, _)| *at == position).map(|&(_, message)| message);
            let known = here.or_else(|| self.0.message_of(position));
            if known.is_none() {
                group.push((position, message));
            }
            answers.push(known.is_none_or(|known| known == message));
        }
        self.0.disk().is_writing = true;
        // Here others may go on.
        thread::yield_now();
        let mut disk = self.0.disk();
        disk.groups.push(group);
        disk.is_writing = false;
        answers
    }

    fn rest(&self) -> Option<Duration> {
        None
    }

    fn look_after(&mut self) {}

    fn stop(self) {
        self.0.disk().has_stopped = true;
    }
}

fn started() -> (Shared, Committing<Ledger>) {
    let shared = Shared::default();
    let committing = Committing::start("ledger", 4, Ledger(shared.clone())).expect("a thread");
    (shared, committing)
}

/// Asks, and looks at the disk: what is granted is there.
fn ask(committing: &Committing<Ledger>, shared: &Shared, wish: Wish) -> bool {
    let answers = committing.ask(vec![wish], PATIENCE).expect("it runs");
    let [is_granted] = answers[..] else { panic!("one answer to one wish") };
    assert_eq!(is_granted, shared.message_of(wish.0) == Some(wish.1), "answered before it is on the disk");
    is_granted
}

/// Three requests in one to three groups, two of them for one position.
#[test]
fn of_two_messages_one_is_granted() {
    in_every_order(|| {
        let (shared, committing) = started();
        let committing = Arc::new(committing);
        let callers: Vec<_> = [(7, 1), (7, 2)]
            .into_iter()
            .map(|wish| {
                let (committing, shared) = (Arc::clone(&committing), shared.clone());
                thread::spawn(move || ask(&committing, &shared, wish))
            })
            .collect();
        let other = ask(&committing, &shared, (8, 1));
        let granted: Vec<bool> = callers.into_iter().map(|caller| caller.join().expect("no panic")).collect();
        assert!(other && granted[0] != granted[1], "{other} {granted:?}");
        assert!((1..=3).contains(&shared.disk().groups.len()));
    });
}

/// An act stands between two groups, and sees all of those before.
#[test]
fn an_act_comes_between_groups() {
    in_every_order(|| {
        let (shared, committing) = started();
        let committing = Arc::new(committing);
        let (asking, seen) = (Arc::clone(&committing), shared.clone());
        let caller = thread::spawn(move || ask(&asking, &seen, (7, 1)));
        let is_between = committing.act(|ledger| !ledger.0.disk().is_writing).expect("it runs");
        assert!(is_between, "in the middle of a group");
        assert!(caller.join().expect("no panic"));
    });
}

/// Who has asked is answered, and only then it stops, once.
#[test]
fn the_end_comes_after_the_answers() {
    in_every_order(|| {
        let (shared, committing) = started();
        let committing = Arc::new(committing);
        let (asking, seen) = (Arc::clone(&committing), shared.clone());
        let caller = thread::spawn(move || {
            let is_granted = ask(&asking, &seen, (7, 1));
            drop(asking);
            is_granted
        });
        drop(committing);
        assert!(caller.join().expect("no panic"));
        let disk = shared.disk();
        assert_eq!((disk.groups.len(), disk.has_stopped), (1, true));
    });
}

/// A full queue says so at once, and loses nobody who is in it.
#[test]
fn who_finds_no_room_is_told() {
    in_every_order(|| {
        let shared = Shared::default();
        let committing = Committing::start("ledger", 1, Ledger(shared.clone())).expect("a thread");
        let committing = Arc::new(committing);
        let callers: Vec<_> = [(7, 1), (8, 1)]
            .into_iter()
            .map(|wish| {
                let committing = Arc::clone(&committing);
                thread::spawn(move || (wish, committing.ask(vec![wish], PATIENCE)))
            })
            .collect();
        for caller in callers {
            let ((position, message), answer) = caller.join().expect("no panic");
            let expected = match answer {
                Ok(answers) => {
                    assert_eq!(answers, [true]);
                    Some(message)
                }
                Err(refused) => {
                    assert_eq!(refused, NoAnswer::Late);
                    None
                }
            };
            assert_eq!(shared.message_of(position), expected, "lost, or done for nobody");
        }
    });
}
