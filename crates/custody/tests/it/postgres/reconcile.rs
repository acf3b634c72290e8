//! What is done when the database has lost what hosts have signed: they say what they know, and go on.

use super::{Hosts, options};
use crate::ledger::{Folder, Key, ask, registered};
use phalanx_custody::ledger::durable::{Evidence, NewLedger, Reconcile};
use phalanx_custody::ledger::record::{Ordering, Place};
use phalanx_custody::ledger::{EpochLedger, Ledger, LedgerError, Problem, Refused};
use std::fs;

fn what(with: Vec<Evidence>, epoch: Option<u64>) -> Reconcile {
    Reconcile { settings: NewLedger::default(), with, epoch, reason: "a copy was put back".to_owned() }
}

/// The side log in a folder.
fn log(folder: &Folder) -> Evidence {
    Evidence::Log(fs::read(folder.join("witness-00000001.log")).expect("a side log"))
}

/// Two hosts whose database was put back to what it was after epochs 0 to 4. The first has signed 5 to 9 since, and the
/// second 10 to 14. A third host joined before.
fn put_back() -> Option<(Hosts, Folder, Key)> {
    let mut hosts = Hosts::new()?;
    let third = Folder::new();
    Ledger::join(&options(&hosts.server.sockets(), third.path(), "c")).expect("a third host");
    let a = hosts.open("a");
    let key = registered(&a, 1, Ordering::Any);
    let sign = |ledger: &Ledger, epochs: std::ops::Range<u32>| {
        for epoch in epochs {
            assert_eq!(ask(ledger, &key, epoch, 1), Ok(false));
        }
    };
    sign(&a, 0..5);
    drop(a);
    drop(hosts.open("b"));
    drop(Ledger::open(&options(&hosts.server.sockets(), third.path(), "c")).expect("it opens"));
    hosts.server.stop();
    let kept = Folder::new();
    phalanx_testing::postgres::copy_all(&hosts.server.data(), &kept.join("data"));
    hosts.server.run();
    sign(&hosts.open("a"), 5..10);
    sign(&hosts.open("b"), 10..15);
    hosts.server.stop();
    hosts.server.put_back(&kept.join("data"));
    hosts.server.run();
    for host in ["a", "b"] {
        assert_eq!(hosts.refusal(host), Problem::StoreOlder, "host {host}");
    }
    Some((hosts, third, key))
}

fn problem<T>(done: Result<T, LedgerError>) -> Problem {
    done.map(|_| ()).expect_err("it must be refused").problem()
}

#[test]
fn what_the_hosts_know_goes_into_the_database_and_none_goes_on_without_saying_it() {
    let Some((hosts, third, key)) = put_back() else { return };
    let options_of = |host| hosts.options(host);
    // The third host, which has written nothing since, does not see it.
    let c = Ledger::open(&options(&hosts.server.sockets(), third.path(), "c")).expect("it opens");
    assert_eq!(ask(&c, &key, 12, 3), Ok(false), "the second message of this epoch");
    drop(c);
    let before = Ledger::name_of(&options_of("a")).expect("a name");
    let only_a = Ledger::reconcile(&options_of("a"), &what(Vec::new(), None));
    assert_eq!(problem(only_a), Problem::WitnessMissing, "what the others have signed is not known");
    assert_eq!(Ledger::name_of(&options_of("a")).expect("a name"), before);
    assert_eq!(hosts.refusal("a"), Problem::StoreOlder, "nothing was done");

    let known = what(vec![log(&hosts.b), log(&third)], None);
    let done = Ledger::reconcile(&options_of("a"), &known).expect("reconciled");
    assert_ne!(done.ledger_id, before);
    assert_eq!(done.compromised, [(*key.id(), Place::epoch(12))]);
    let a = hosts.open("a");
    assert_eq!(a.ledger_id(), done.ledger_id);
    for epoch in 0..15 {
        let closed = [Refused::EpochUsed, Refused::Passed];
        assert!(ask(&a, &key, epoch, 2).is_err_and(|refused| closed.contains(&refused)), "epoch {epoch}");
        let again = if epoch == 12 { Err(Refused::EpochUsed) } else { Ok(true) };
        assert_eq!(ask(&a, &key, epoch, 1), again, "epoch {epoch}");
    }
    assert_eq!(ask(&a, &key, 15, 1), Ok(false));
    drop(a);
    // The others do not go on before they have done the same; then they are in the same ledger.
    for (host, folder) in [("b", hosts.b.path()), ("c", third.path())] {
        let options = options(&hosts.server.sockets(), folder, host);
        assert_eq!(problem(Ledger::open(&options)), Problem::ForeignWitness, "host {host}");
        let again = Ledger::reconcile(&options, &what(Vec::new(), None)).expect("reconciled");
        assert_eq!(again.ledger_id, done.ledger_id, "host {host}");
        let ledger = Ledger::open(&options).expect("it opens");
        assert_eq!(ask(&ledger, &key, 15, 2), Err(Refused::EpochUsed));
        assert_eq!(ask(&ledger, &key, 12, 3), Err(Refused::EpochUsed));
    }
    assert_eq!(hosts.server.sql("SELECT count(*) FROM phalanx.ledger"), "1");
    let hosts_of =
        "SELECT string_agg(host, ' ' ORDER BY host) FROM phalanx.witnesses WHERE host NOT LIKE '%.old-%'";
    assert_eq!(hosts.server.sql(hosts_of), "a b c");
}

/// With an epoch above all that was signed nobody else's side log is needed; and what this host knows only later is said.
#[test]
fn an_operator_may_answer_for_side_logs_that_are_lost() {
    let Some((hosts, _, key)) = put_back() else { return };
    Ledger::reconcile(&hosts.options("a"), &what(Vec::new(), Some(100))).expect("reconciled");
    let a = hosts.open("a");
    assert_eq!(ask(&a, &key, 12, 2), Err(Refused::Passed));
    assert_eq!(ask(&a, &key, 100, 1), Ok(false));
    a.raise_low(key.id(), 200, "a doubt").expect("it rises");
    drop(a);
    Ledger::reconcile(&hosts.options("b"), &what(Vec::new(), None)).expect("reconciled");
    let b = hosts.open("b");
    assert_eq!(ask(&b, &key, 12, 1), Ok(true), "it has signed that");
    assert_eq!(ask(&b, &key, 12, 2), Err(Refused::EpochUsed));
    assert_eq!(ask(&b, &key, 150, 1), Err(Refused::Passed));
}

/// Killed between the database and the files of the host, it is done again.
#[test]
fn a_reconciliation_that_was_cut_short_is_done_again() {
    let Some((hosts, _, key)) = put_back() else { return };
    let kept = Folder::new();
    crate::ledger::copy(hosts.a.path(), &kept.join("a"));
    let known = || what(Vec::new(), Some(20));
    let first = Ledger::reconcile(&hosts.options("a"), &known()).expect("reconciled");
    for entry in fs::read_dir(hosts.a.path()).expect("a folder") {
        fs::remove_file(entry.expect("an entry").path()).expect("a file");
    }
    crate::ledger::copy(&kept.join("a"), hosts.a.path());
    assert_eq!(hosts.refusal("a"), Problem::ForeignWitness);
    let again = Ledger::reconcile(&hosts.options("a"), &known()).expect("reconciled");
    assert_eq!(again.ledger_id, first.ledger_id);
    let a = hosts.open("a");
    assert_eq!(ask(&a, &key, 7, 1), Ok(true));
    assert_eq!(ask(&a, &key, 19, 1), Err(Refused::Passed));
    assert_eq!(ask(&a, &key, 20, 1), Ok(false));
}
