//! Databases that have lost what was committed (T9), under a holder that does not notice (attack D).

use super::proxy::Proxy;
use super::{Hosts, known, options, prepared};
use crate::ledger::{Folder, ask, registered};
use phalanx_custody::ledger::durable::{AcceptMove, LedgerOptions, NewLedger};
use phalanx_custody::ledger::record::Ordering;
use phalanx_custody::ledger::{EpochLedger, Health, Ledger, Problem, Refused};
use std::time::Duration;

#[test]
fn t9_a_copy_of_the_database_put_back_is_refused_by_both_hosts() {
    let Some(mut hosts) = Hosts::new() else { return };
    let a = hosts.open("a");
    let key = registered(&a, 1, Ordering::Any);
    for epoch in 0..20 {
        assert_eq!(ask(&a, &key, epoch, 1), Ok(false));
    }
    drop(a);
    drop(hosts.open("b"));
    hosts.server.stop();
    let kept = Folder::new();
    phalanx_testing::postgres::copy_all(&hosts.server.data(), &kept.join("data"));
    hosts.server.run();
    for (host, epochs) in [("a", 20..50), ("b", 50..80)] {
        let ledger = hosts.open(host);
        for epoch in epochs {
            assert_eq!(ask(&ledger, &key, epoch, 1), Ok(false));
        }
    }
    hosts.server.stop();
    hosts.server.put_back(&kept.join("data"));
    hosts.server.run();
    for host in ["a", "b"] {
        assert_eq!(hosts.refusal(host), Problem::StoreOlder, "host {host}");
    }
}

#[test]
fn a_promoted_standby_is_used_only_when_an_operator_has_said_so() {
    let Some(mut hosts) = Hosts::new() else { return };
    let a = hosts.open("a");
    let key = registered(&a, 1, Ordering::Any);
    assert_eq!(ask(&a, &key, 5, 1), Ok(false));
    let ledger_id = a.ledger_id();
    drop(a);
    hosts.server.stop();
    hosts.server = hosts.server.copy(true);
    for host in ["a", "b"] {
        assert_eq!(hosts.refusal(host), Problem::StoreFailedOver, "host {host}");
    }
    let accept = |ledger_id, epoch| {
        let accept = AcceptMove { ledger_id, epoch, reason: "a standby was promoted".to_owned() };
        Ledger::open(&hosts.options("a").accept_failover(accept))
    };
    let refused = |ledger_id, epoch| accept(ledger_id, epoch).map(|_| ()).expect_err("no answer").problem();
    assert_eq!(refused([0; 16], Some(100)), Problem::StoreFailedOver, "another ledger");
    assert_eq!(refused(ledger_id, None), Problem::StoreFailedOver, "without a clock an epoch is needed");
    let a = accept(ledger_id, Some(100)).expect("accepted");
    assert_eq!(ask(&a, &key, 99, 2), Err(Refused::Passed));
    assert_eq!(ask(&a, &key, 5, 1), Ok(true));
    assert_eq!(ask(&a, &key, 100, 2), Ok(false));
    drop(a);
    let by_folder = LedgerOptions::new(hosts.a.path()).allow_file_system("overlay");
    let a = Ledger::open(&by_folder).expect("the folder says where the store is now");
    assert_eq!(ask(&a, &key, 99, 2), Err(Refused::Passed));
    drop(a);
    assert_eq!(ask(&hosts.open("b"), &key, 99, 2), Err(Refused::Passed));
}

/// A pooler moves a holder to another server between two groups: to one that lacks the last of them, and to one that has
/// all but is another history.
#[test]
fn attack_d_a_server_that_is_exchanged_between_two_groups_is_noticed() {
    for is_promoted in [false, true] {
        let Some(mut server) = prepared() else { return };
        let (proxy, folder) = (Proxy::to(&server.sockets(), 1), Folder::new());
        let behind = || options(&proxy.sockets(), folder.path(), "a").lease(Duration::from_secs(120));
        Ledger::create(&behind(), NewLedger::default()).expect("a new ledger");
        let ledger = Ledger::open(&behind()).expect("it opens");
        let key = known(&ledger, 1);
        assert_eq!(ask(&ledger, &key, 5, 1), Ok(false));
        proxy.hush();
        server.stop();
        let standby = server.copy(is_promoted);
        if is_promoted {
            // It has everything.
            assert_eq!(standby.sql("SELECT max(p0) FROM phalanx.entries"), "5");
        } else {
            server.run();
            proxy.switch(&server.sockets());
            assert_eq!(ask(&ledger, &key, 6, 1), Ok(false), "another connection to the same server");
            proxy.hush();
            server.stop();
        }
        proxy.switch(&standby.sockets());
        assert_eq!(
            ask(&ledger, &key, 6, 2),
            Err(if is_promoted { Refused::Poisoned } else { Refused::EpochUsed })
        );
        assert_eq!(ask(&ledger, &key, 7, 2), Err(Refused::Poisoned), "promoted: {is_promoted}");
        assert!(matches!(ledger.health(), Health::Poisoned(_)));
        assert_eq!(standby.sql("SELECT count(*) FROM phalanx.entries WHERE p0 > 5"), "0");
    }
}
