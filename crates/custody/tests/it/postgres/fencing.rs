//! A holder that has lost its lease, or cannot know that it has it still: it releases nothing, and writes nothing.
//!
//! Each position here is asked of one host only, so that no primary key stands in for a check of the lease.

use super::proxy::{Held, Proxy};
use super::{Hosts, known, options};
use crate::ledger::{Key, ask};
use phalanx_custody::ledger::{EpochLedger, Health, Ledger, Problem, Refused};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

/// So long that nothing runs out, and nobody renews, while a test looks.
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(1500);

/// What takes the lease away, or makes it another's, whatever the holder's own clock says.
const LOST: [&str; 4] = [
    "UPDATE phalanx.leases SET expires = clock_timestamp() - interval '1 second'",
    "UPDATE phalanx.leases SET token = token + 1",
    "UPDATE phalanx.leases SET holder = decode(repeat('00', 16), 'hex')",
    "DELETE FROM phalanx.leases",
];

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
    fn follower(&self, within: Duration) -> Ledger {
        let begun = Instant::now();
        loop {
            match Ledger::open(&self.hosts.options("b").lease(LONG)) {
                Ok(ledger) => return ledger,
                Err(error) => assert!(begun.elapsed() < within, "nobody can follow: {error}"),
            }
        }
    }

    /// How many rows say that `epoch` is somebody's.
    fn rows(&self, epoch: u32) -> String {
        self.hosts.server.sql(&format!("SELECT count(*) FROM phalanx.entries WHERE p0 = {epoch}"))
    }

    fn ask(&self, ledger: &Ledger, epoch: u32) -> Result<bool, Refused> {
        ask(ledger, &self.key, epoch, 1)
    }

    /// What `ledger` answers if its talk with the server is held back at `word` until `meanwhile` is done.
    fn ask_held<T>(
        &self,
        ledger: &Ledger,
        epoch: u32,
        (held, word): (Held, &'static [u8]),
        meanwhile: impl FnOnce() -> T,
    ) -> (Result<bool, Refused>, T) {
        self.proxy.hold(held, word);
        scope(|scope| {
            let asked = scope.spawn(|| self.ask(ledger, epoch));
            self.proxy.wait_until_held();
            let done = meanwhile();
            self.proxy.let_go();
            (asked.join().expect("an answer"), done)
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
        let begun = Instant::now();
        while holder.health() == Health::Open {
            assert!(begun.elapsed() < 3 * SHORT, "it goes on: {lost}");
            sleep(Duration::from_millis(1));
        }
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
    let before = (Held::Saying, &b"FROM leases"[..]);
    let (answer, follower) = stage.ask_held(&holder, 1, before, || {
        stage.hosts.server.sql(LOST[0]);
        let follower = stage.follower(LONG);
        assert_eq!(stage.ask(&follower, 2), Ok(false));
        follower
    });
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
    let commit = (Held::Saying, &b"COMMIT\0"[..]);
    let (answer, follower) = stage.ask_held(&holder, 1, commit, || {
        // The holder's lock is in the way until the server ends its group.
        stage.hosts.server.sql(&format!("SET lock_timeout = '8s'; {}", LOST[0]));
        stage.follower(LONG)
    });
    assert!(matches!(answer, Err(Refused::Fenced | Refused::Poisoned)), "{answer:?}");
    assert_eq!(stage.rows(1), "0");
    assert_eq!(ask(&follower, &stage.key, 1, 2), Ok(false), "nothing was signed there");
}

/// The server has the group, and the holder learns it when another host has followed.
#[test]
fn t8_an_answer_that_comes_after_the_lease_is_not_given() {
    let Some(stage) = Stage::new() else { return };
    let holder = stage.holder(SHORT);
    let answer_to_commit = (Held::Answer, &b"COMMIT\0"[..]);
    let (answer, follower) = stage.ask_held(&holder, 1, answer_to_commit, || stage.follower(8 * SHORT));
    assert_eq!(answer, Err(Refused::Fenced));
    assert_eq!(stage.rows(1), "1");
    assert_eq!(ask(&follower, &stage.key, 1, 2), Err(Refused::EpochUsed));
}

/// By its own clock a holder stops before the server lets another one follow, and even if the server never would.
#[test]
fn a_holder_stops_by_its_own_clock() {
    let Some(stage) = Stage::new() else { return };
    let holder = stage.holder(SHORT);
    // The next thing that it says is that it renews the lease.
    stage.proxy.hold(Held::Saying, b"BEGIN ");
    stage.proxy.wait_until_held();
    stage.hosts.server.sql("UPDATE phalanx.leases SET expires = expires + interval '1 hour'");
    scope(|scope| {
        let asked = scope.spawn(|| stage.ask(&holder, 1));
        // Well before a lease that nobody had made longer would end.
        sleep(SHORT / 2 + SHORT / 20);
        assert_eq!(holder.health(), Health::Fenced);
        sleep(SHORT / 2);
        stage.proxy.let_go();
        assert_eq!(asked.join().expect("an answer"), Err(Refused::Fenced));
    });
    assert_eq!(stage.rows(1), "0");
}

#[test]
fn a_holder_keeps_its_lease_whether_it_is_asked_or_not() {
    let Some(stage) = Stage::new() else { return };
    let holder = stage.holder(SHORT);
    let (begun, mut epoch) = (Instant::now(), 0);
    for is_asked in [false, true] {
        let end = begun.elapsed() + SHORT + SHORT / 4;
        while begun.elapsed() < end {
            if is_asked {
                assert_eq!(stage.ask(&holder, epoch), Ok(false));
                epoch += 1;
            }
            sleep(SHORT / 200);
        }
        assert_eq!(stage.hosts.refusal("b"), Problem::InUse, "asked: {is_asked}");
    }
    assert_eq!(holder.health(), Health::Open);
}
