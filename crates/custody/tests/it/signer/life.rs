//! Starting, reloading, moving on, stopping.

use super::http::Client;
use super::{ALL, Place, ask};
use phalanx_custody::keystore::Role;
use phalanx_custody::ledger::Problem;
use phalanx_custody::ledger::durable::ChainClock;
use phalanx_custody::ledger::record::Place as Position;
use phalanx_custody::signer::{Config, StartError};
use phalanx_testing::times::{wait_until, within};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind::{ConnectionReset, UnexpectedEof};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[test]
fn what_is_unsafe_or_unknown_is_not_started() {
    let config = |top: &str, listen: &str, rest: &str| {
        let text = format!("{top}\n[listen]\n{listen}\n[ledger]\nfolder = \"l\"\n{rest}");
        Config::parse(&text, Path::new("/x")).map(|_| ()).map_err(|error| error.to_string())
    };
    let local = "address = \"127.0.0.1:9000\"";
    assert_eq!(config("auth = \"none\"", local, ""), Ok(()));
    assert_eq!(config("tokens = \"t\"", local, ""), Ok(()));
    assert_eq!(config("auth = \"none\"", "unix = \"s\"", ""), Ok(()));
    let tls = "[tls]\ncertificate = \"c\"\nprivate_key = \"k\"\n";
    let mutual = format!("{tls}client_ca = \"a\"\n");
    let public = "address = \"0.0.0.0:9000\"";
    assert_eq!(config("", public, &mutual), Ok(()));
    assert_eq!(config("tokens = \"t\"", public, tls), Ok(()));
    for (top, listen, rest, text) in [
        ("", local, "", "auth = \"none\""),
        ("tokens = \"t\"", public, "", "needs TLS"),
        ("auth = \"none\"", "address = \"[::]:9000\"", "", "needs TLS"),
        ("auth = \"none\"", public, tls, "loopback and Unix"),
        ("", public, tls, "auth = \"none\""),
        ("auth = \"none\"", local, &mutual, "together"),
        ("", "unix = \"s\"", &mutual, "no certificates"),
        ("auth = \"none\"", "", "", "neither an address"),
        ("auth = \"none\"", "address = \"127.0.0.1:1\"\nmetrics = \"0.0.0.0:1\"", "", "needs TLS"),
        ("auth = \"none\"\nsurprise = 1", local, "", "surprise"),
        ("auth = \"none\"", local, "[limits]\nqueue = 0\n", "queue"),
        ("auth = \"none\"", local, "[limits]\nbody = 1\n", "body"),
        ("auth = \"none\"", local, "[[permissions]]\nclients=[\"a\"]\noperations=[\"list\"]\n", "names none"),
        (
            "auth = \"none\"",
            local,
            "[[permissions]]\nclients=[\"a\"]\nkeys=[\"abc\"]\noperations=[\"list\"]\n",
            "abc",
        ),
        (
            "auth = \"none\"",
            local,
            "[[permissions]]\nclients=[\"a\"]\nkeys=[\"*\"]\noperations=[\"all\"]\n",
            "all",
        ),
        (
            "auth = \"none\"",
            local,
            "[[keystores]]\npath=\"k\"\npassword_file=\"a\"\npassword_fd=3\n",
            "more than one",
        ),
    ] {
        let error = config(top, listen, rest).expect_err(text);
        assert!(error.contains(text), "{error}");
    }
}

#[test]
fn two_services_do_not_share_a_ledger() {
    let place = Place::new(&[Role::Attester], 0..32);
    let running = place.start();
    let begun = Instant::now();
    let Err(StartError::Ledger(error)) = place.try_start().map(|_| ()) else { panic!("it must not start") };
    assert_eq!(error.problem(), Problem::InUse);
    within(begun.elapsed(), Duration::from_secs(1));
    assert_eq!(running.client().post(&format!("/sign/{}", place.pubkey(0)), &ask(1, 1)).status, 200);
    running.signer.stop();
}

#[test]
fn keystores_that_do_not_open_are_named() {
    let place = Place::new(&[Role::Attester, Role::Proposer], 0..32);
    fs::write(place.folder.join("keys/2.json"), "{}").expect("a file");
    let running = place.start();
    assert_eq!(
        running.client().get("/keys").json()["keys"].as_array().map(Vec::len),
        Some(1),
        "others serve"
    );
    running.log.wait_for("event=keystore_failed file=2.json code=malformed");
    running.signer.stop();
    place.configure("auth = \"none\"\nrequire_all = true", "", ALL);
    assert!(matches!(place.try_start().map(|_| ()), Err(StartError::Keystores(failed)) if failed.len() == 1));
}

/// Signs with everything at once, epoch after epoch, until told to stop; keeps what was released.
fn load_by(
    place: &Place,
    client: Client,
    stop: &AtomicBool,
    act: impl FnOnce(&dyn Fn() -> usize),
) -> BTreeMap<(usize, u64), u8> {
    let signed = Mutex::new(BTreeMap::new());
    let released = &signed;
    let next: Vec<AtomicU64> = place.keys.iter().map(|_| AtomicU64::new(0)).collect();
    thread::scope(|scope| {
        for worker in 0..4_u8 {
            let next = &next;
            scope.spawn(move || {
                let mut connection = client.connect();
                for turn in 0.. {
                    let key = turn % place.keys.len();
                    let epoch = next[key].fetch_add(1, SeqCst);
                    if stop.load(SeqCst) || epoch >= 256 {
                        return;
                    }
                    let path = format!("/sign/{}", place.pubkey(key));
                    let head =
                        format!("POST {path} HTTP/1.1\r\nHost: s\r\nContent-Type: application/json\r\n");
                    let body = ask(epoch, worker);
                    connection.raw(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
                    match connection.answer() {
                        Ok(answer) if answer.status == 200 => {
                            released.lock().expect("nobody panics").insert((key, epoch), worker);
                        }
                        Ok(_) => {}
                        Err(_) => return,
                    }
                }
            });
        }
        act(&|| released.lock().expect("nobody panics").len());
    });
    signed.into_inner().expect("nobody panics")
}

fn check_none_lost(place: &Place, released: &BTreeMap<(usize, u64), u8>) {
    let ledger = place.ledger();
    for (&(key, epoch), &message) in released {
        let entries =
            ledger.entries(&phalanx_custody::identity::xmss_key_id(&place.keys[key])).expect("known");
        let digest: [u8; 32] = Sha256::digest([message; 32]).into();
        assert_eq!(entries.get(&Position::epoch(epoch)), Some(&Some(digest)), "{key} {epoch}");
    }
}

const FAST: &str =
    "[limits]\nkey_rate = 100000\nkey_burst = 100000\nclient_rate = 100000\nclient_burst = 100000\n";

#[test]
fn a_stop_under_load_loses_nothing() {
    let place = Place::new(&[Role::Attester, Role::Proposer], 0..256);
    place.configure("auth = \"none\"", "", &format!("{FAST}stop_seconds = 60\n{ALL}"));
    let running = place.start();
    let (client, stop) = (running.client(), AtomicBool::new(false));
    let released = load_by(&place, client, &stop, |count| {
        wait_until(|| "nothing is signed".to_owned(), || count() > 4);
        let begun = Instant::now();
        running.signer.stop();
        within(begun.elapsed(), Duration::from_secs(6));
        stop.store(true, SeqCst);
    });
    check_none_lost(&place, &released);
}

/// What was taken before a stop is signed, and the answers are on their way, before keys and ledger are let go.
#[test]
fn a_stop_waits_for_what_was_taken() {
    const BATCHES: usize = 10;
    let place = Place::new(&[Role::Attester], 0..32);
    let more = "queue = 100000\nstop_seconds = 60\nrequest_seconds = 60\n[threads]\nsign = 1\n";
    place.configure("auth = \"none\"", "", &format!("{FAST}{more}{ALL}"));
    let running = place.start();
    let client = running.client();
    // One signature, again and again, so that it takes a while.
    let one = format!("{{\"pubkey\": \"{}\", {}", place.pubkey(0), &ask(1, 1)[1..]);
    let body = format!("{{\"requests\": [{}]}}", vec![one; 200].join(","));
    let head = "POST /api/v1/xmss/sign HTTP/1.1\r\nHost: s\r\nContent-Type: application/json\r\n";
    let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    let connect = || -> Vec<_> {
        let mut connections: Vec<_> = (0..BATCHES).map(|_| client.connect()).collect();
        connections.iter_mut().for_each(|one| one.raw(request.as_bytes()));
        connections
    };
    let metric = |name: &str| -> usize {
        let metrics = String::from_utf8(client.get("/metrics").body).expect("a text");
        let counts = metrics.lines().filter(|line| line.starts_with(name));
        let counts = counts.filter_map(|line| line.rsplit(' ').next()?.parse::<usize>().ok());
        counts.sum()
    };
    let (mut connections, mut sent, mut taken) = (connect(), BATCHES, 0);
    let several_wait = || {
        taken = metric("phalanx_ledger_queue ") / 200;
        if taken < 4 && metric("phalanx_sign_requests_total{") >= 200 * sent {
            // All were signed before anybody looked.
            (connections, sent) = (connect(), sent + BATCHES);
        }
        taken >= 4
    };
    wait_until(|| "they are signed before they wait".to_owned(), several_wait);
    running.signer.stop();
    let mut signed = 0;
    for connection in &mut connections {
        let answer = match connection.answer() {
            Ok(answer) => answer,
            // Its request was not yet read when the service stopped: it was let go unanswered, and nothing was signed.
            Err(gone) if matches!(gone.kind(), UnexpectedEof | ConnectionReset) => continue,
            Err(error) => panic!("neither an answer nor an end: {error}"),
        };
        if answer.status == 200 {
            let results = answer.json()["results"].as_array().expect("a list").clone();
            assert!(results.len() == 200 && results.iter().all(|one| one["signature"].is_string()));
            signed += 1;
        } else {
            assert_eq!(answer.code(), (503, "stopping".to_owned()));
        }
    }
    assert!(signed >= taken, "{signed} of {taken} that waited");
    running.log.wait_for("event=stopped finished=true");
}

#[test]
fn reloads_under_load_disturb_nobody() {
    let place = Place::new(&[Role::Attester, Role::Proposer, Role::Other], 0..256);
    place.configure("auth = \"none\"", "", &format!("{FAST}{ALL}"));
    fs::rename(place.folder.join("keys/3.json"), place.folder.join("3.json")).expect("a file");
    let running = place.start();
    let client = running.client();
    let stop = AtomicBool::new(false);
    let released = load_by(&place, client, &stop, |count| {
        for _ in 0..3 {
            fs::rename(place.folder.join("3.json"), place.folder.join("keys/3.json")).expect("a file");
            let answer = client.post("/reload", "");
            assert_eq!(answer.status, 200, "{answer:?}");
            assert_eq!(answer.json()["added"], serde_json::json!([place.pubkey(2)]));
            fs::rename(place.folder.join("keys/3.json"), place.folder.join("3.json")).expect("a file");
            let answer = client.post("/reload", "").json();
            assert_eq!(
                (&answer["removed"], &answer["failed"]),
                (&serde_json::json!([place.pubkey(2)]), &serde_json::json!([]))
            );
        }
        let good = fs::read(place.folder.join("signer.toml")).expect("a file");
        fs::write(place.folder.join("signer.toml"), "nonsense").expect("a file");
        let answer = client.post("/reload", "").json();
        assert_eq!(answer["failed"], serde_json::json!([{ "file": "configuration", "code": "malformed" }]));
        assert_eq!(
            client.get("/keys").json()["keys"].as_array().map(Vec::len),
            Some(2),
            "nothing has changed"
        );
        fs::write(place.folder.join("signer.toml"), good).expect("a file");
        wait_until(|| "nothing is signed".to_owned(), || count() > 0);
        stop.store(true, SeqCst);
    });
    running.signer.stop();
    check_none_lost(&place, &released);
}

#[test]
fn windows_move_on_while_their_key_signs() {
    let place = Place::new(&[Role::Attester], 0..256);
    place.configure("auth = \"none\"", "", &format!("{FAST}{ALL}"));
    let running = place.start();
    let mut connection = running.client().connect();
    let path = format!("/sign/{}", place.pubkey(0));
    let mut signed = |epoch, message| {
        let answer = connection.post(&path, &ask(epoch, message));
        answer.status == 200 || {
            assert_eq!(answer.code(), (503, "not_prepared".to_owned()), "epoch {epoch}");
            false
        }
    };
    for epoch in 0..170 {
        wait_until(|| format!("it never moves on to {epoch}"), || signed(epoch, 1));
    }
    assert!(!signed(250, 1), "far ahead");
    wait_until(|| "it goes to where it is asked for".to_owned(), || signed(250, 2));
    let metrics = String::from_utf8(connection.send("GET", "/metrics", "", "").body).expect("a text");
    let advances = metrics.lines().find_map(|line| line.strip_prefix("phalanx_window_advances_total "));
    assert!(advances.and_then(|count| count.parse::<u32>().ok()) >= Some(9), "{advances:?}");
    running.signer.stop();
}

#[test]
fn keys_follow_the_clock_of_their_ledger() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
    // It is epoch 100, and stays so while the test runs.
    let clock = ChainClock { genesis_time: now - 100_500, epoch_seconds: 1000 };
    let place = Place::with_clock(&[Role::Attester], 0..256, Some(clock));
    let sign = |client: Client, epoch| client.post(&format!("/sign/{}", place.pubkey(0)), &ask(epoch, 1));
    let running = place.start();
    let client = running.client();
    let keys = client.get("/api/v1/keys").json();
    assert_eq!(
        keys["keys"][0]["prepared"],
        serde_json::json!({ "start": "96", "end": "128" }),
        "from the start on"
    );
    assert_eq!(client.get("/readyz").status, 200);
    assert_eq!(sign(client, 105).code(), (412, "ahead".to_owned()));
    assert_eq!(sign(client, 105).json()["final"], false);
    assert_eq!(sign(client, 200).code(), (503, "not_prepared".to_owned()));
    assert_eq!(sign(client, 95).code(), (412, "passed".to_owned()));
    assert_eq!(sign(client, 104).status, 200);
    thread::sleep(Duration::from_millis(500));
    assert_eq!(
        client.get("/api/v1/keys").json()["keys"][0]["prepared"]["start"],
        "96",
        "not moved by what cannot be"
    );
    running.signer.stop();
    assert!(place.folder.join("keys/1.json.trees").exists(), "what was computed is kept");
}

#[test]
fn while_a_reload_runs_there_is_no_other_and_a_stop_is_told() {
    let place = Place::new(&[Role::Attester], 0..32);
    place.configure("auth = \"none\"", "", ALL);
    let running = place.start();
    let client = running.client();
    let codes: Vec<(u16, String)> = thread::scope(|scope| {
        let reload = || client.post("/reload", "").code();
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(reload)).collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    let is_known =
        |(status, code): &(u16, String)| *status == 200 || (*status, &code[..]) == (409, "reload_running");
    assert!(codes.iter().all(is_known), "{codes:?}");
    assert!(codes.iter().any(|(status, _)| *status == 200));
    running.signer.stop();
    running.log.wait_for("event=stopped finished=true");
}
