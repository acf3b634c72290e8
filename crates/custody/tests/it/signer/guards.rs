//! One test for each thing that the service looks at before it does something: without the look the test fails.

use super::{ALL, Place, SET, ask, options, password, state};
use phalanx_custody::identity::xmss_key_id;
use phalanx_custody::keystore::{Derivation, KeySecret, NewKey, Role, SealedFile, Use, file};
use phalanx_custody::ledger::durable::ChainClock;
use phalanx_custody::ledger::record::{KeyInstance, Ordering};
use phalanx_custody::ledger::registry::Claim;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, xmss_instance};
use phalanx_custody::signer::StartError;
use phalanx_testing::times::{wait_until, within};
use phalanx_xmss::{Format, SigningKey};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A request to sign, cut before the end of its body, and that end. The service says when it has begun to read it.
fn cut(place: &Place, epoch: u64) -> (String, String) {
    let body = ask(epoch, 1);
    let head =
        format!("POST /sign/{} HTTP/1.1\r\nHost: s\r\nContent-Type: application/json\r\n", place.pubkey(0));
    let (begun, rest) = body.split_at(10);
    (format!("{head}Expect: 100-continue\r\nContent-Length: {}\r\n\r\n{begun}", body.len()), rest.to_owned())
}

/// A stop waits for connections on which something is under way, and takes nothing more from them.
#[test]
fn a_stop_answers_who_was_asking() {
    let place = Place::new(&[Role::Attester], 0..32);
    let limits = "[limits]\nbody_seconds = 600\nrequest_seconds = 600\nstop_seconds = 600\n";
    place.configure("auth = \"none\"", "", &format!("{limits}{ALL}"));
    let running = place.start();
    let mut connection = running.client().connect();
    let (begun, rest) = cut(&place, 1);
    connection.raw(begun.as_bytes());
    assert_eq!(connection.answer().expect("it reads").status, 100);
    let log = running.log.clone();
    thread::scope(|scope| {
        let stop = scope.spawn(|| running.signer.stop());
        log.wait_for("event=stopping");
        thread::sleep(Duration::from_millis(300));
        assert!(!stop.is_finished(), "it waits for the one who is asking");
        connection.raw(rest.as_bytes());
        assert_eq!(connection.answer().expect("an answer").code(), (503, "stopping".to_owned()));
    });
    assert_eq!(place.ledger().standing(&xmss_key_id(&place.keys[0])).expect("known").highest, None);
}

#[test]
fn a_request_has_a_bound_and_so_have_connections_of_one_address() {
    let place = Place::new(&[Role::Attester], 0..32);
    // A body may take longer here than all of a request.
    let limits = "[limits]\nheader_seconds = 600\nidle_seconds = 600\nbody_seconds = 600\nrequest_seconds = 1\nconnections_per_client = 3\n";
    place.configure("auth = \"none\"", "", &format!("{limits}{ALL}"));
    let running = place.start();
    let client = running.client();
    let mut three: Vec<_> = (0..3).map(|_| client.connect()).collect();
    three.iter_mut().for_each(|one| assert_eq!(one.send("GET", "/upcheck", "", "").status, 200));
    assert!(
        client.connect().is_closed(),
        "a fourth of this address is closed, although there is room for others"
    );
    let begun = Instant::now();
    three[0].raw(cut(&place, 1).0.as_bytes());
    assert_eq!(three[0].answer().expect("it reads").status, 100);
    assert_eq!(three[0].answer().expect("an answer").code(), (408, "timeout".to_owned()));
    assert!(begun.elapsed() >= Duration::from_millis(900), "{:?}", begun.elapsed());
    within(begun.elapsed(), Duration::from_secs(4));
    running.signer.stop();
}

#[test]
fn a_batch_has_one_to_256() {
    let place = Place::new(&[Role::Attester], 0..32);
    let limits = "[limits]\nkey_burst = 1000\nclient_burst = 1000\n";
    place.configure("auth = \"none\"", "", &format!("{limits}{ALL}"));
    let running = place.start();
    let one = format!("{{\"pubkey\": \"{}\", {}", place.pubkey(0), &ask(1, 1)[1..]);
    for (count, status) in [(0, 400), (1, 200), (256, 200), (257, 400)] {
        let body = format!("{{\"requests\": [{}]}}", vec![&one[..]; count].join(","));
        let answer = running.client().post("/api/v1/xmss/sign", &body);
        assert_eq!(answer.status, status, "{count}");
        let results = answer.json()["results"].as_array().map(Vec::len);
        assert_eq!(results, (status == 200).then_some(count));
    }
    running.signer.stop();
}

/// Files that hold a key twice, and files that are no keys to sign with.
#[test]
fn what_may_not_be_served_is_named() {
    let place = Place::new(&[Role::Attester], 0..32);
    let key = |number: u8| SigningKey::from_seed(SET, &[number; 32], 0..32).expect("a key");
    let ledger = place.ledger();
    place.register(&ledger, &xmss_instance(&key(2), "other"), &key(2).verifying_key().to_bytes(Format::Ssz));
    drop(ledger);
    let secret = KeySecret::from_seed(&[2; 32]);
    let of = key(2);
    let new = NewKey::of_xmss_key(&of, &secret, Role::Other, "").expect("they belong together");
    let new = NewKey { usage: Use::RecoveryOnly, ..new };
    let sealed = SealedFile::new(&new, &password(), Derivation::WEAK_FOR_TESTS).expect("it fits");
    file::create(&place.folder.join("keys/2.json"), &sealed).expect("a new file");
    fs::copy(place.folder.join("keys/1.json"), place.folder.join("keys/3.json")).expect("a file");
    let running = place.start();
    running.log.wait_for("event=keystore_failed file=2.json code=not_signable");
    running.log.wait_for("event=keystore_failed file=3.json code=same_one_time_keys");
    let served = running.client().get("/keys").json();
    assert_eq!(served["keys"], serde_json::json!([place.pubkey(0)]));
    running.signer.stop();
}

#[test]
fn keys_sign_only_forward_unless_the_configuration_says_otherwise() {
    let place = Place::new(&[], 0..32);
    let key = SigningKey::from_seed(SET, &[1; 32], 0..32).expect("a key");
    let instance = xmss_instance(&key, "attester");
    assert_eq!(instance.ordering, Ordering::Any);
    let public_key = key.verifying_key().to_bytes(Format::Ssz);
    let ledger = place.ledger();
    place.register(&ledger, &instance, &public_key);
    drop(ledger);
    let secret = KeySecret::from_seed(&[1; 32]);
    let new = NewKey::of_xmss_key(&key, &secret, Role::Attester, "").expect("they belong together");
    let sealed = SealedFile::new(&new, &password(), Derivation::WEAK_FOR_TESTS).expect("it fits");
    file::create(&place.folder.join("keys/1.json"), &sealed).expect("a new file");
    let path = format!("/sign/{}", hex::encode(&public_key));
    let config = place.folder.join("signer.toml");
    let strict = fs::read_to_string(&config).expect("a file");
    let order = |text: &str| {
        let ordering = format!("[ledger]\nordering = \"{text}\"\n");
        fs::write(&config, strict.replace("[ledger]\n", &ordering)).expect("a file");
    };
    order("as-registered");
    let running = place.start();
    let sign = |epoch| running.client().post(&path, &ask(epoch, 1)).code();
    assert_eq!((sign(9).0, sign(5).0), (200, 200), "in any order");
    running.signer.stop();
    fs::write(&config, &strict).expect("a file");
    let running = place.start();
    let sign = |epoch| running.client().post(&path, &ask(epoch, 1)).code();
    assert_eq!((sign(7), sign(10).0), ((412, "out_of_order".to_owned()), 200));
    running.signer.stop();
    order("as-registered");
    let running = place.start();
    assert_eq!(running.client().post(&path, &ask(8, 1)).code().1, "out_of_order", "for ever");
    running.signer.stop();
    let KeyInstance { ordering, .. } = place.ledger().standing(&instance.key_id).expect("known").instance;
    assert_eq!(ordering, Ordering::Strict);
}

/// While one reload runs another is told so. The first waits for its configuration, which is a pipe here.
#[test]
fn one_reload_runs_at_a_time() {
    let place = Place::new(&[Role::Attester], 0..32);
    let running = place.start();
    let (client, config) = (running.client(), place.folder.join("signer.toml"));
    let text = fs::read(&config).expect("a file");
    fs::remove_file(&config).expect("it was there");
    assert!(Command::new("mkfifo").arg(&config).status().expect("mkfifo runs").success());
    thread::scope(|scope| {
        let first = scope.spawn(|| client.post("/reload", "").status);
        // Opens when the other end does.
        let mut pipe = fs::OpenOptions::new().write(true).open(&config).expect("it is read");
        assert_eq!(client.post("/reload", "").code(), (409, "reload_running".to_owned()));
        pipe.write_all(&text).expect("it is read");
        drop(pipe);
        assert_eq!(first.join().expect("an answer"), 200);
    });
    running.signer.stop();
}

/// Who takes a ledger up waits for whoever gives keys to ledgers, so that one of the two sees what the other did.
#[test]
fn a_claim_waits_for_who_gives_keys_away() {
    let place = Place::new(&[Role::Attester], 0..32);
    let id = SqliteLedger::name_of(&options(&place.folder)).expect("it has a name");
    let (registry, is_free) = (place.registry(), AtomicBool::new(false));
    thread::scope(|scope| {
        let taker = scope.spawn(|| {
            let claim = Claim::take(&state(&place.folder), id).expect("it is free in the end");
            assert!(is_free.load(SeqCst), "it was taken under the hands of another");
            claim
        });
        thread::sleep(Duration::from_millis(200));
        is_free.store(true, SeqCst);
        drop(registry);
        taker.join().expect("it waits").release();
    });
}

/// The socket is its owner's alone; one that was left behind is replaced.
#[test]
fn a_socket_is_for_its_owner() {
    let place = Place::new(&[Role::Attester], 0..32);
    place.configure("auth = \"none\"", "unix = \"socket\"", ALL);
    let path = place.folder.join("socket");
    for _ in 0..2 {
        let running = place.start();
        assert_eq!(fs::metadata(&path).expect("a socket").mode() & 0o777, 0o600);
        let mut stream = UnixStream::connect(&path).expect("it listens");
        stream.write_all(b"GET /upcheck HTTP/1.1\r\nHost: s\r\nConnection: close\r\n\r\n").expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        running.signer.stop();
    }
}

/// What is no socket, or one that somebody listens on, stays as it is.
#[test]
fn a_socket_of_others_is_not_replaced() {
    for is_file in [true, false] {
        let place = Place::new(&[Role::Attester], 0..32);
        place.configure("auth = \"none\"", "unix = \"socket\"", ALL);
        let path = place.folder.join("socket");
        let listener = (!is_file).then(|| UnixListener::bind(&path).expect("a socket"));
        if is_file {
            fs::write(&path, "a file of somebody").expect("a file");
        }
        let before = fs::metadata(&path).expect("it is there").ino();
        assert!(matches!(place.try_start().map(|_| ()), Err(StartError::System(_))), "a file: {is_file}");
        assert_eq!(fs::metadata(&path).expect("it is there").ino(), before);
        drop(listener);
        // Its ledger is free again.
        drop(place.ledger());
        place.configure("auth = \"none\"", "", ALL);
        place.start().signer.stop();
    }
}

#[test]
fn before_the_chain_begins_nothing_is_ready() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
    let clock = ChainClock { genesis_time: now + 1000, epoch_seconds: 10 };
    let place = Place::with_clock(&[Role::Attester], 0..32, Some(clock));
    let running = place.start();
    let ready = running.client().get("/readyz");
    assert_eq!((ready.status, &ready.json()["reasons"]), (503, &serde_json::json!(["before_genesis"])));
    running.signer.stop();
}

/// Where nobody signs, the service looks at its files all the same, and does not call itself ready over ones that are gone.
#[test]
fn an_idle_service_looks_at_its_files() {
    let place = Place::new(&[Role::Attester], 0..32);
    let running = place.start();
    let client = running.client();
    assert_eq!(client.get("/readyz").status, 200);
    let folder =
        fs::read_dir(place.folder.join("witness")).expect("a folder").flatten().next().expect("a log");
    fs::rename(folder.path().join("witness-00000001.log"), folder.path().join("aside")).expect("a file");
    wait_until(|| "it does not look".to_owned(), || client.get("/readyz").status != 200);
    running.log.wait_for("event=ledger_stopped cause=exchanged");
    running.signer.stop();
}
