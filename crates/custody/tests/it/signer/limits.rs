//! How much is taken from whom.

use super::http::Client;
use super::{ALL, Place, ask};
use phalanx_custody::keystore::Role;
use phalanx_testing::times::{wait_until, within};
use std::time::{Duration, Instant};

#[test]
fn who_is_slow_is_not_waited_for() {
    let place = Place::new(&[Role::Attester], 0..32);
    let limits = "[limits]\nheader_seconds = 1\nbody_seconds = 1\nidle_seconds = 2\nconnections = 40\n\
                  connections_per_client = 40\n";
    place.configure("auth = \"none\"", "", &format!("{limits}{ALL}"));
    let running = place.start();
    let client = running.client();
    let path = format!("/sign/{}", place.pubkey(0));
    let begun = Instant::now();
    // A head that never ends, a body that never comes, and nothing at all.
    let mut slow: Vec<_> = (0..30).map(|_| client.connect()).collect();
    slow.iter_mut().for_each(|one| one.raw(b"POST /sign/00 HTTP/1.1\r\nHost: s"));
    let mut bodyless = client.connect();
    let head = format!("POST {path} HTTP/1.1\r\nHost: s\r\nContent-Type: application/json\r\n");
    bodyless.raw(format!("{head}Content-Length: 100\r\n\r\n{{").as_bytes());
    let mut silent = client.connect();
    let asked = Instant::now();
    assert_eq!(client.get("/healthz").status, 200);
    within(asked.elapsed(), Duration::from_millis(100));
    assert_eq!(client.post(&path, &ask(1, 1)).status, 200);
    assert_eq!(bodyless.answer().expect("an answer").code(), (408, "timeout".to_owned()));
    assert!(slow.iter_mut().all(super::http::Connection::is_closed));
    assert!(begun.elapsed() >= Duration::from_millis(900), "{:?}", begun.elapsed());
    within(begun.elapsed(), Duration::from_secs(4));
    assert!(silent.is_closed());
    assert!(begun.elapsed() >= Duration::from_millis(1900), "who does nothing has longer");
    running.signer.stop();
}

#[test]
fn nobody_takes_all_connections() {
    let place = Place::new(&[Role::Attester], 0..32);
    let listen = "address = \"127.0.0.1:0\"\nmetrics = \"127.0.0.1:0\"";
    place.configure("auth = \"none\"", listen, &format!("[limits]\nconnections = 3\n{ALL}"));
    let running = place.start();
    let client = running.client();
    let mut three: Vec<_> = (0..3).map(|_| client.connect()).collect();
    three.iter_mut().for_each(|one| assert_eq!(one.send("GET", "/upcheck", "", "").status, 200));
    assert!(client.connect().is_closed(), "a fourth is closed");
    let metrics = Client::new(running.signer.metrics_address().expect("it has one"));
    assert_eq!(metrics.get("/metrics").status, 200, "who watches has places of their own");
    drop(three);
    let is_open = || {
        let mut one = client.connect();
        one.raw(b"GET /upcheck HTTP/1.1\r\nHost: s\r\n\r\n");
        one.answer().is_ok()
    };
    wait_until(|| "places come back".to_owned(), is_open);
    running.signer.stop();
}

#[test]
fn who_asks_too_often_is_told_to_wait() {
    let place = Place::new(&[Role::Attester, Role::Proposer], 0..32);
    let limits = "[limits]\nkey_rate = 1\nkey_burst = 3\nclient_rate = 1\nclient_burst = 5\n";
    place.configure("auth = \"none\"", "", &format!("{limits}{ALL}"));
    let running = place.start();
    let client = running.client();
    let sign = |key: usize, epoch: u64| client.post(&format!("/sign/{}", place.pubkey(key)), &ask(epoch, 1));
    // What comes in while it takes its time to ask is let through, too: one a second.
    let begun = Instant::now();
    let granted = |key: usize| {
        let count = (0..31).take_while(|&epoch| sign(key, epoch).status == 200).count();
        (count, usize::try_from(begun.elapsed().as_secs()).expect("a short while"))
    };
    let (first, seconds) = granted(0);
    assert!((3..=3 + seconds).contains(&first), "a key has a bound: {first}");
    let (second, seconds) = granted(1);
    // The one that the first key did not grant counts for the client.
    let asked = first + 1 + second;
    assert!((5..=5 + seconds).contains(&asked), "and a client, for all keys: {first}, {second}");
    let answer = (0..31).map(|_| sign(1, 31)).find(|answer| answer.status != 200).expect("again");
    assert_eq!(answer.code(), (429, "rate_limited".to_owned()));
    assert!(answer.head.contains("retry-after: 1"), "{}", answer.head);
    running.signer.stop();
}

#[test]
fn a_head_has_a_bound() {
    let place = Place::new(&[Role::Attester], 0..32);
    let running = place.start();
    let mut connection = running.client().connect();
    connection.raw(format!("GET /upcheck HTTP/1.1\r\nX: {}\r\n\r\n", "a".repeat(9000)).as_bytes());
    let answered = connection.answer().map(|answer| answer.status);
    assert!(matches!(answered, Ok(431) | Err(_)), "{answered:?}");
    assert_eq!(running.client().get("/upcheck").status, 200);
    running.signer.stop();
}

#[test]
fn the_queue_has_a_bound() {
    let place = Place::new(&[Role::Attester], 0..32);
    place.configure("auth = \"none\"", "", &format!("[limits]\nqueue = 2\n{ALL}"));
    let running = place.start();
    let client = running.client();
    let one = |epoch| format!("{{\"pubkey\": \"{}\", {}", place.pubkey(0), &ask(epoch, 1)[1..]);
    let three = format!("{{\"requests\": [{}, {}, {}]}}", one(1), one(2), one(3));
    let answer = client.post("/api/v1/xmss/sign", &three);
    assert_eq!(answer.code(), (503, "unavailable".to_owned()));
    let two = format!("{{\"requests\": [{}, {}]}}", one(1), one(2));
    assert_eq!(client.post("/api/v1/xmss/sign", &two).status, 200);
    running.signer.stop();
}

#[test]
fn who_is_refused_before_the_body_came_can_ask_again() {
    let place = Place::new(&[Role::Attester], 0..32);
    place.configure("auth = \"none\"", "", &format!("[limits]\nbody_seconds = 1\n{ALL}"));
    let running = place.start();
    let mut one = running.client().connect();
    let head = |path: &str, more: &str| {
        format!("POST {path} HTTP/1.1\r\nHost: s\r\nContent-Type: application/json\r\n{more}\r\n")
    };
    // The head alone says that nobody has this key; the body comes when it was looked at.
    let (unknown, body) = ("/sign/00", ask(1, 1));
    one.raw(head(unknown, &format!("Content-Length: {}\r\n", body.len())).as_bytes());
    std::thread::sleep(Duration::from_millis(100));
    one.raw(body.as_bytes());
    let refused = one.answer().expect("an answer");
    assert_eq!(refused.code(), (404, "unknown_key".to_owned()));
    assert!(!refused.head.contains("connection: close"), "{}", refused.head);
    assert_eq!(one.post(&format!("/sign/{}", place.pubkey(0)), &ask(1, 1)).status, 200);
    // A body that does not come, is too long, or waits to be asked for: the answer says that it was the last.
    for more in [
        "Content-Length: 9\r\n",
        "Content-Length: 70000\r\n",
        "Content-Length: 9\r\nExpect: 100-continue\r\n",
    ] {
        let mut one = running.client().connect();
        one.raw(head(unknown, more).as_bytes());
        let refused = one.answer().expect("an answer");
        assert_eq!(refused.code(), (404, "unknown_key".to_owned()), "{more}");
        assert!(refused.head.contains("connection: close"), "{more}: {}", refused.head);
        assert!(one.is_closed(), "{more}");
    }
    running.signer.stop();
}
