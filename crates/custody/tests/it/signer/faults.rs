//! Storage that fails: nothing is signed, the service stays up and says so, and signs again when it may.

use super::{ALL, Place, ask};
use phalanx_custody::keystore::Role;
use phalanx_powerloss::{Fault, Plan, Watch};
use phalanx_testing::times::{wait_until, within};
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_fault_closes_and_a_repair_opens() {
    let place = Place::new(&[Role::Attester], 0..32);
    place.configure("auth = \"none\"", "", &format!("[limits]\nreopen_seconds = 1\n{ALL}"));
    let running = place.start();
    let (client, path) = (running.client(), format!("/sign/{}", place.pubkey(0)));
    let first = client.post(&path, &ask(1, 1));
    assert_eq!(first.status, 200);
    assert_eq!(client.get("/readyz").status, 200);
    // The side log is exchanged under the open ledger.
    let folder = fs::read_dir(place.folder.join("witness")).expect("a folder");
    let folder = folder.flatten().next().expect("the folder of the side log").path();
    let log = folder.join("witness-00000001.log");
    fs::rename(&log, folder.join("aside")).expect("a file");
    let begun = Instant::now();
    let refused = client.post(&path, &ask(2, 1));
    assert_eq!(refused.code(), (503, "unavailable".to_owned()));
    assert!(refused.head.contains("retry-after: 1"));
    assert_eq!(client.get("/readyz").status, 503);
    within(begun.elapsed(), Duration::from_secs(1));
    assert_eq!(client.post(&path, &ask(1, 1)).code().0, 503, "repeats are refused too");
    assert_eq!(client.get("/healthz").status, 200, "the process is well");
    assert_eq!(client.get("/api/v1/status").json()["ledger"]["open"], false);
    let reasons = || client.get("/readyz").json()["reasons"].to_string();
    wait_until(|| format!("it tries to open: {}", reasons()), || reasons().contains("witness_missing"));
    assert_eq!(client.post(&path, &ask(3, 1)).code().0, 503, "it does not open while the log is missing");
    fs::rename(folder.join("aside"), &log).expect("a file");
    wait_until(|| running.log.text(), || client.get("/readyz").status == 200);
    let again = client.post(&path, &ask(1, 1));
    assert_eq!((again.status, again.json() == first.json()), (200, true), "the identical signature");
    assert_eq!(client.post(&path, &ask(1, 2)).code(), (412, "epoch_used".to_owned()));
    let new = client.post(&path, &ask(3, 2));
    assert_eq!(new.status, 200, "{new:?}");
    let metrics = String::from_utf8(client.get("/metrics").body).expect("a text");
    assert!(metrics.contains("phalanx_ledger_poisonings_total{cause=\"exchanged\"} 1"), "{metrics}");
    running.signer.stop();
}

/// The error of a full disk.
const ENOSPC: i32 = 28;

#[test]
fn a_full_disk_stops_signing_and_nothing_else() {
    let place = Place::new(&[Role::Attester], 0..32);
    place.configure("auth = \"none\"", "", &format!("[limits]\nreopen_seconds = 1\n{ALL}"));
    let watch = Watch::start(&place.folder.join("ledger"));
    let running = place.start();
    let (client, path) = (running.client(), format!("/sign/{}", place.pubkey(0)));
    let first = client.post(&path, &ask(1, 1));
    assert_eq!(first.status, 200);
    watch.plan(Some(Plan::Calls { at: 1, for_ever: true, fault: Fault::Error(ENOSPC) }));
    let begun = Instant::now();
    for epoch in 2..12 {
        assert_eq!(client.post(&path, &ask(epoch, 1)).code(), (503, "unavailable".to_owned()));
    }
    assert_eq!(client.get("/readyz").status, 503);
    within(begun.elapsed(), Duration::from_secs(1));
    assert_eq!((client.get("/healthz").status, client.get("/upcheck").status), (200, 200));
    thread::sleep(Duration::from_millis(1500));
    assert_eq!(client.get("/readyz").status, 503, "the disk is still full");
    watch.plan(None);
    wait_until(|| running.log.text(), || client.get("/readyz").status == 200);
    let again = client.post(&path, &ask(1, 1));
    assert_eq!((again.status, again.json() == first.json()), (200, true), "the identical signature");
    assert_eq!(client.post(&path, &ask(1, 2)).code(), (412, "epoch_used".to_owned()));
    assert_eq!(client.post(&path, &ask(12, 1)).status, 200);
    running.signer.stop();
    drop(watch.stop());
}
