//! A holder that has lost its lease, or cannot know that it has it still: it releases nothing, and writes nothing.
//!
//! Each position here is asked of one host only, so that no primary key stands in for a check of the lease.

use super::proxy::{Held, Proxy};
use super::{Hosts, known, options};
use crate::ledger::{Key, ask};
use phalanx_custody::ledger::{EpochLedger, Health, Ledger, Position, Problem, Refused, Request};
use phalanx_testing::times::{wait_until, within};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

/// So long that nothing runs out, and nobody renews, while a test looks.
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(1500);
/// For tests in which a lease runs out. On a machine with much else to do a short one may be over before it is used: then
/// they try with one that is longer.
const LEASES: [Duration; 3] = [SHORT, Duration::from_secs(6), Duration::from_secs(30)];

/// What takes the lease away, or makes it another's, whatever the holder's own clock says.
const LOST: [&str; 4] = [
    "UPDATE phalanx.leases SET expires = clock_timestamp() - interval '1 second'",
    "UPDATE phalanx.leases SET token = token + 1",
    "UPDATE phalanx.leases SET holder = decode(repeat('00', 16), 'hex')",
    "DELETE FROM phalanx.leases",
];

/// The words of a conversation, in their order.
type Words = &'static [&'static [u8]];

/// When a holder looks at its lease, and when it commits a group.
const LOOKS: Words = &[b"FROM leases"];
const COMMITS: Words = &[b"INSERT INTO entries", b"COMMIT\0"];

/// Two hosts, of which the first is behind a proxy.
struct Stage {
    hosts: Hosts,
    proxy: Proxy,
    key: Key,
}

impl Stage {
    fn new() -> Option<Self> {
        let hosts = Hosts::new()?;
        let key = known(&hosts.open("a"), 1);
        // It has heard of the key: its next opening waits for nothing but the lease.
        drop(hosts.open("b"));
        let proxy = Proxy::to(&hosts.server.sockets(), 1);
        Some(Self { hosts, proxy, key })
    }

    /// The first host, with a lease of `ttl`.
    fn holder(&self, ttl: Duration) -> Ledger {
        let options = options(&self.proxy.sockets(), self.hosts.a.path(), "a").lease(ttl);
        let open = || {
            self.hosts.server.sql(LOST[3]);
            Ledger::open(&options)
        };
        // On a machine with much else to do the lease may be over before the ledger is open.
        open().or_else(|_| open()).or_else(|_| open()).expect("it opens")
    }

    /// The other host, as soon as it can follow.
    fn follower(&self) -> Ledger {
        let mut follower = None;
        let mut open = || {
            follower = Ledger::open(&self.hosts.options("b").lease(LONG)).ok();
            follower.is_some()
        };
        wait_until(|| "nobody can follow".to_owned(), &mut open);
        follower.expect("it is open")
    }

    /// How many rows say that `epoch` is somebody's.
    fn rows(&self, epoch: u32) -> String {
        self.hosts.server.sql(&format!("SELECT count(*) FROM phalanx.entries WHERE p0 = {epoch}"))
    }

    fn ask(&self, ledger: &Ledger, epoch: u32) -> Result<bool, Refused> {
        ask(ledger, &self.key, epoch, 1)
    }

    /// What `ledger` answers if its talk with the server is held back at the last of `words` until `meanwhile` is done.
    /// Nothing, if its lease is over before it says that.
    fn ask_held<T>(
        &self,
        ledger: &Ledger,
        epoch: u32,
        (held, words): (Held, Words),
        meanwhile: impl FnOnce() -> T,
    ) -> Option<(Result<bool, Refused>, T)> {
        self.proxy.hold(held, words);
        scope(|scope| {
            let asked = scope.spawn(|| self.ask(ledger, epoch));
            let done = self.proxy.is_held_unless(|| asked.is_finished()).then(meanwhile);
            self.proxy.let_go();
            let answer = asked.join().expect("an answer");
            assert!(done.is_some() || answer == Err(Refused::Fenced), "not held: {answer:?}");
            Some((answer, done?))
        })
    }
}

#[test]
fn who_has_lost_the_lease_writes_nothing_and_takes_it_from_nobody() {
    let Some(stage) = Stage::new() else { return };
    let mut epoch = 0;
    for lost in LOST {
        let holder = stage.holder(LONG);
        assert_eq!(stage.ask(&holder, epoch), Ok(false));
        stage.hosts.server.sql(lost);
        assert_eq!(stage.ask(&holder, epoch + 1), Err(Refused::Fenced), "{lost}");
        assert_eq!(holder.health(), Health::Fenced, "{lost}");
        assert_eq!(stage.rows(epoch + 1), "0", "{lost}");
        epoch += 2;
    }
    // One that stops does not end the lease of another.
    for another in &LOST[1..3] {
        let holder = stage.holder(LONG);
        stage.hosts.server.sql(another);
        drop(holder);
        assert_eq!(stage.hosts.refusal("b"), Problem::InUse, "{another}");
    }
}

#[test]
fn who_has_nothing_to_do_finds_out_too() {
    let Some(stage) = Stage::new() else { return };
    for lost in LOST {
        let holder = stage.holder(SHORT);
        stage.hosts.server.sql(lost);
        wait_until(|| format!("it goes on: {lost}"), || holder.health() != Health::Open);
        assert_eq!(holder.health(), Health::Fenced, "{lost}");
        assert_eq!(stage.ask(&holder, 1), Err(Refused::Fenced), "{lost}");
    }
    assert_eq!(stage.rows(1), "0");
}

/// T8: the holder stops between the beginning of a group and the look at its lease. Another host follows and signs.
#[test]
fn t8_a_holder_that_stops_before_it_looks_at_its_lease_is_fenced() {
    let Some(stage) = Stage::new() else { return };
    let holder = stage.holder(LONG);
    let held = stage.ask_held(&holder, 1, (Held::Saying, LOOKS), || {
        stage.hosts.server.sql(LOST[0]);
        let follower = stage.follower();
        assert_eq!(stage.ask(&follower, 2), Ok(false));
        follower
    });
    let (answer, follower) = held.expect("a long lease");
    assert_eq!(answer, Err(Refused::Fenced));
    assert_eq!((holder.health(), stage.rows(1)), (Health::Fenced, "0".to_owned()));
    assert_eq!(stage.ask(&holder, 3), Err(Refused::Fenced));
    assert_eq!(ask(&follower, &stage.key, 1, 2), Ok(false), "nothing was signed there");
    assert_eq!((follower.health(), stage.rows(3)), (Health::Open, "0".to_owned()));
}

/// The holder stops after that look: nobody follows before its group has ended, and the server ends it.
#[test]
fn t8_nobody_follows_in_the_middle_of_a_group() {
    let Some(stage) = Stage::new() else { return };
    let holder = stage.holder(LONG);
    let held = stage.ask_held(&holder, 1, (Held::Saying, COMMITS), || {
        // The holder's lock is in the way until the server ends its group.
        stage.hosts.server.sql(&format!("SET lock_timeout = '8s'; {}", LOST[0]));
        stage.follower()
    });
    let (answer, follower) = held.expect("a long lease");
    assert!(matches!(answer, Err(Refused::Fenced | Refused::Poisoned)), "{answer:?}");
    assert_eq!(stage.rows(1), "0");
    assert_eq!(ask(&follower, &stage.key, 1, 2), Ok(false), "nothing was signed there");
}

/// The server has the group, and the holder learns it when another host has followed.
#[test]
fn t8_an_answer_that_comes_after_the_lease_is_not_given() {
    let Some(stage) = Stage::new() else { return };
    let held = LEASES.into_iter().find_map(|lease| {
        let holder = stage.holder(lease);
        let held = stage.ask_held(&holder, 1, (Held::Answer, COMMITS), || stage.follower())?;
        // What it knows to be on the disk it does not say either.
        let request = Request { key: stage.key.id(), position: Position::Epoch(1), message: &[1; 32] };
        assert_eq!(holder.look(request), Err(Refused::Fenced));
        Some(held)
    });
    let (answer, follower) = held.expect("a lease that is long enough");
    assert_eq!(answer, Err(Refused::Fenced));
    assert_eq!(stage.rows(1), "1");
    assert_eq!(ask(&follower, &stage.key, 1, 2), Err(Refused::EpochUsed));
}

/// By its own clock a holder stops before the server lets another one follow, and even if the server never would.
#[test]
fn a_holder_stops_by_its_own_clock() {
    let Some(stage) = Stage::new() else { return };
    let held = LEASES.into_iter().find_map(|lease| {
        let holder = stage.holder(lease);
        let begun = Instant::now();
        // The next thing that it says is that it renews the lease.
        stage.proxy.hold(Held::Saying, &[b"BEGIN "]);
        let is_held = stage.proxy.is_held_unless(|| holder.health() != Health::Open);
        stage.hosts.server.sql("UPDATE phalanx.leases SET expires = expires + interval '1 hour'");
        let answer = scope(|scope| {
            let asked = scope.spawn(|| stage.ask(&holder, 1));
            wait_until(|| "it goes on".to_owned(), || holder.health() == Health::Fenced);
            // Before a lease that nobody had made longer would end.
            within(begun.elapsed(), lease);
            // What it renews now it would have had from when it asked for it: that, too, is over.
            sleep(lease);
            stage.proxy.let_go();
            asked.join().expect("an answer")
        });
        is_held.then_some(answer)
    });
    assert_eq!(held.expect("a lease that is long enough"), Err(Refused::Fenced));
    assert_eq!(stage.rows(1), "0");
}

#[test]
fn a_holder_keeps_its_lease_whether_it_is_asked_or_not() {
    let Some(stage) = Stage::new() else { return };
    let mut epochs = 0..;
    let mut keeps = |lease: Duration, is_asked: bool| {
        let (holder, begun) = (stage.holder(lease), Instant::now());
        while begun.elapsed() < lease + lease / 4 {
            let epoch = epochs.next().expect("there are enough");
            if is_asked && stage.ask(&holder, epoch) != Ok(false) {
                return false;
            }
            sleep(SHORT / 200);
        }
        let is_kept = matches!(Ledger::open(&stage.hosts.options("b")), Err(error) if error.problem() == Problem::InUse);
        is_kept && holder.health() == Health::Open
    };
    for is_asked in [false, true] {
        assert!(LEASES.into_iter().any(|lease| keeps(lease, is_asked)), "asked: {is_asked}");
    }
}
