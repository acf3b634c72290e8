//! What the queue before a committer promises, with time. Every order is tried by `loom_tests`.

use super::*;
use alloc::sync::Arc;
use alloc::vec;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

const PATIENCE: Duration = Duration::from_secs(60);

/// Doubles numbers; notes its groups, and how it was looked after and stopped. Zero is a panic.
struct Doubler {
    groups: Arc<Mutex<Vec<Vec<u32>>>>,
    end: Sender<&'static str>,
    rest: Option<Duration>,
}

impl Committer for Doubler {
    type Request = u32;
    type Answer = u32;
    const MOST: usize = 3;

    fn commit(&mut self, requests: Vec<u32>) -> Vec<u32> {
        assert!(!requests.contains(&0), "zero");
        let answers = requests.iter().map(|number| 2 * number).collect();
        self.groups.lock().expect("no panic").push(requests);
        answers
    }

    fn rest(&self) -> Option<Duration> {
        self.rest
    }

    fn look_after(&mut self) {
        if self.rest.is_some() {
            let _ = self.end.send("looked after");
        }
    }

    fn stop(self) {
        let _ = self.end.send("stopped");
    }
}

type Groups = Arc<Mutex<Vec<Vec<u32>>>>;

fn started(room: usize, rest: Option<Duration>) -> (Committing<Doubler>, Groups, Receiver<&'static str>) {
    let (groups, (end, ended)) = (Groups::default(), channel());
    let doubler = Doubler { groups: Arc::clone(&groups), end, rest };
    (Committing::start("doubler", room, doubler).expect("a thread"), groups, ended)
}

/// Keeps the thread busy until what is returned is dropped.
fn busy(committing: &Arc<Committing<Doubler>>) -> Sender<()> {
    let (go_on, wait) = channel::<()>();
    let (busy, is_busy) = channel();
    let there = Arc::clone(committing);
    thread::spawn(move || {
        there.act(move |_| {
            let _ = busy.send(());
            let _ = wait.recv();
        })
    });
    is_busy.recv().expect("it began");
    go_on
}

/// In how many groups three callers are answered who ask while the thread is busy; each gets its own answers.
fn groups_of_three() -> usize {
    let (committing, groups, ended) = started(8, None);
    let committing = Arc::new(committing);
    let go_on = busy(&committing);
    let callers: Vec<_> = [vec![1], vec![2, 3], vec![4, 5]]
        .into_iter()
        .map(|numbers| {
            let there = Arc::clone(&committing);
            let doubled: Vec<u32> = numbers.iter().map(|number| 2 * number).collect();
            thread::spawn(move || assert_eq!(there.ask(numbers, PATIENCE), Ok(doubled)))
        })
        .collect();
    // Long enough for all to be in the queue, on most days.
    thread::sleep(Duration::from_millis(20));
    drop(go_on);
    callers.into_iter().for_each(|caller| caller.join().expect("its own answers"));
    let groups = groups.lock().expect("no panic").clone();
    assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), 5);
    drop(committing);
    assert_eq!(ended.recv(), Ok("stopped"));
    groups.len()
}

#[test]
fn what_waits_is_answered_together() {
    assert!((0..20).any(|_| groups_of_three() < 3), "each was a group of its own");
}

#[test]
fn who_is_not_answered_is_told_why() {
    let (committing, groups, _ended) = started(1, None);
    let committing = Arc::new(committing);
    let go_on = busy(&committing);
    assert_eq!(committing.ask(vec![1], Duration::from_millis(1)), Err(NoAnswer::Late), "it takes too long");
    assert_eq!(committing.ask(vec![2], PATIENCE), Err(NoAnswer::Late), "there is no room");
    drop(go_on);
    assert_eq!(committing.act(|_| ()), Ok(()), "it waits for room");
    assert_eq!(committing.ask(vec![3], PATIENCE), Ok(vec![6]));
    assert!(groups.lock().expect("no panic").concat().contains(&1), "who stopped waiting was in the queue");
    assert!(!committing.has_ended());
    assert_eq!(committing.ask(vec![0], PATIENCE), Err(NoAnswer::Ended), "it panicked");
    assert_eq!(committing.act(|_| ()), Err(NoAnswer::Ended));
    while !committing.has_ended() {
        thread::yield_now();
    }
}

#[test]
fn what_is_left_alone_is_looked_after() {
    let (committing, _groups, ended) = started(1, Some(Duration::from_millis(1)));
    assert_eq!((ended.recv(), ended.recv()), (Ok("looked after"), Ok("looked after")));
    drop(committing);
    assert!(ended.iter().any(|said| said == "stopped"));
}
