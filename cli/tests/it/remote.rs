//! `phalanx remote` against answers that no honest signer gives: a listener with one canned answer for each connection.

use crate::support::{Folder, SET, message, sign};
use phalanx_testing::times::PATIENCE;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Instant;

/// Listens on loopback and gives every connection one of `answers`, the last one again and again; nothing for an empty
/// one. Gives its address.
fn answers(answers: Vec<Vec<u8>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        let mut answers = answers.into_iter();
        let mut answer = answers.next().expect("an answer");
        for stream in listener.incoming() {
            let (Ok(mut stream), now) = (stream, answer.clone()) else { continue };
            answer = answers.next().unwrap_or(answer);
            thread::spawn(move || {
                if now.is_empty() {
                    thread::sleep(PATIENCE);
                }
                // What is closed before it was read to its end takes the answer with it.
                let _ = read_request(&stream).and_then(|()| stream.write_all(&now));
            });
        }
    });
    format!("http://{address}")
}

/// Reads a request to its end.
fn read_request(stream: &TcpStream) -> io::Result<()> {
    let (mut lines, mut line, mut len) = (BufReader::new(stream), String::new(), 0);
    while line != "\r\n" {
        line.clear();
        if lines.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let value = line.to_ascii_lowercase().strip_prefix("content-length:").map(|text| text.trim().parse());
        len = value.map_or(len, |value| value.expect("a number"));
    }
    lines.read_exact(&mut vec![0; len])
}

fn http(status: u16, body: &str) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body.as_bytes()].concat()
}

fn refusal(status: u16, code: &str) -> Vec<u8> {
    http(status, &format!(r#"{{"error":"a sentence","code":"{code}","final":true}}"#))
}

/// The arguments that ask for message 1 at epoch 3.
fn asked(url: &str) -> String {
    format!(
        "remote sign --url {url} --public-key keys/public-key.ssz --scheme {SET} --epoch 3 --message-hex {} \
         --timeout 60 --out out.ssz",
        message(1)
    )
}

/// A folder with a key that has signed message 1 at epochs 3 and 4, and its signatures in hexadecimal.
fn place() -> (Folder, String, String) {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(3, 1, "three"));
    folder.good(&sign(4, 1, "four"));
    let digits = |name: &str| hex::encode(folder.read(name));
    let (three, four) = (digits("three"), digits("four"));
    (folder, three, four)
}

#[test]
fn only_a_signature_that_verifies_is_written() {
    let (folder, three, four) = place();
    let body = |signature: &str| http(200, &format!(r#"{{"signature":"0x{signature}","repeated":false}}"#));
    // Another epoch's, a changed one, none, and bytes that are no signature.
    let mut changed = three.clone();
    changed.replace_range(200..201, if &three[200..201] == "0" { "1" } else { "0" });
    for (signature, code) in [(&four[..], 1), (&changed, 1), ("", 1), ("zz", 4)] {
        folder.bad(&asked(&answers(vec![body(signature)])), code);
        assert!(!folder.exists("out.ssz"), "it was written");
    }
    let run = folder.good(&format!("{} --json", asked(&answers(vec![body(&three)]))));
    assert_eq!(run.json()["signature"], three.as_str());
    assert_eq!(hex::encode(folder.read("out.ssz")), three);
    // What stands there is not replaced, and nobody is asked.
    folder.bad(&asked("http://127.0.0.1:1"), 2);
}

#[test]
fn every_no_has_its_exit_code() {
    let folder = Folder::new();
    folder.keygen("");
    let codes = [
        (412, "epoch_used", 3),
        (403, "not_permitted", 3),
        (401, "unauthenticated", 3),
        (404, "unknown_key", 3),
        (400, "malformed", 2),
        (413, "too_large", 2),
        (429, "rate_limited", 4),
        (500, "internal", 4),
        (503, "unavailable", 4),
    ];
    for (status, code, exit) in codes {
        let run = folder.bad(&asked(&answers(vec![refusal(status, code)])), exit);
        assert!(run.stderr.contains(&format!("a sentence ({code})")), "{}", run.stderr);
    }
    // Whoever stands in between says no in words of its own, or sends elsewhere.
    folder.bad(&asked(&answers(vec![http(403, "<html>")])), 3);
    folder.bad(&asked(&answers(vec![http(502, "<html>")])), 4);
    let elsewhere = b"HTTP/1.1 302 X\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";
    folder.bad(&asked(&answers(vec![elsewhere.to_vec()])), 4);
    folder.bad(&asked("http://127.0.0.1:1"), 4);
    for url in ["http://signer.example", "ftp://127.0.0.1", "https://me:secret@127.0.0.1"] {
        assert!(!folder.bad(&asked(url), 2).stderr.contains("secret"));
    }
    assert!(!folder.exists("out.ssz"));
}

#[test]
fn answers_have_bounds() {
    let folder = Folder::new();
    folder.keygen("");
    let endless = [
        b"HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n".to_vec(),
        b"10000\r\n".iter().copied().chain([b' '; 0x10000]).chain(*b"\r\n").collect::<Vec<u8>>().repeat(64),
    ]
    .concat();
    let head = [&b"HTTP/1.1 200 X\r\n"[..], &b"x: y\r\n".repeat(1 << 14)].concat();
    let short = b"HTTP/1.1 200 X\r\ncontent-length: 100\r\nconnection: close\r\n\r\n{".to_vec();
    let begun = Instant::now();
    for bad in
        [endless, head, short, b"no HTTP\r\n\r\n".to_vec(), http(200, "[]"), http(200, "{}"), Vec::new()]
    {
        let patience = if bad.is_empty() { "--timeout 2" } else { "--timeout 60" };
        let run = folder.bad(&asked(&answers(vec![bad])).replace("--timeout 60", patience), 4);
        assert!(!run.stderr.contains(&message(1)), "{}", run.stderr);
    }
    assert!(begun.elapsed() < PATIENCE, "a listener that says nothing holds the client");
}

#[test]
fn secrets_are_their_owners_alone_and_in_no_error() {
    let folder = Folder::new();
    folder.keygen("");
    let token = "t0ken".repeat(10);
    folder.write("token", &token);
    folder.chmod("token", 0o644);
    let echo = || http(401, &format!(r#"{{"error":"no {token}","code":"unauthenticated"}}"#));
    let with = |url: &str| format!("{} --token-file token", asked(url));
    folder.bad(&with(&answers(vec![echo()])), 3);
    folder.chmod("token", 0o600);
    let run = folder.bad(&with(&answers(vec![echo()])), 3);
    assert!(!run.stderr.contains("t0ken"), "{}", run.stderr);
    folder.write("token", "short");
    let run = folder.bad(&with("http://127.0.0.1:1"), 2);
    assert!(!run.stderr.contains("short\n"), "{}", run.stderr);
    folder.write("ca.pem", "nothing");
    folder.bad(&format!("{} --ca ca.pem", asked("https://127.0.0.1:1")), 2);
    folder.bad(&format!("{} --ca ca.pem", asked("http://127.0.0.1:1")), 2);
}

#[test]
fn a_batch_keeps_what_was_signed() {
    let (folder, three, _) = place();
    let key = hex::encode(folder.read("keys/public-key.ssz"));
    let line = |epoch: u64| {
        format!(r#"{{"scheme":"{SET}","public_key":"{key}","epoch":{epoch},"message":"{}"}}"#, message(1))
    };
    folder.write("duties.jsonl", format!("{}\n\n{}\n", line(3), line(4)));
    let results = format!(
        r#"{{"results":[{{"signature":"{three}","repeated":true}},{{"error":"used","code":"epoch_used"}}]}}"#
    );
    let many = |url: String, out: &str| format!("remote sign-many duties.jsonl --url {url} --out {out}");
    let run = folder.run(&many(answers(vec![http(200, &results)]), "signed.jsonl"));
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(run.stdout.contains("line 3: used (epoch_used)"), "{}", run.stdout);
    folder.good("xmss verify-many signed.jsonl");
    // The second line's signature is the first one's.
    let results =
        results.replace(r#"{"error":"used","code":"epoch_used"}"#, &format!(r#"{{"signature":"{three}"}}"#));
    let run = folder.run(&many(answers(vec![http(200, &results)]), "again.jsonl"));
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    folder.good("xmss verify-many again.jsonl");
    // One result for two requests, and a malformed line: nothing is asked, nothing written.
    let one = format!(r#"{{"results":[{{"signature":"{three}"}}]}}"#);
    assert_eq!(folder.run(&many(answers(vec![http(200, &one)]), "one.jsonl")).code, Some(4));
    folder.write("duties.jsonl", format!("{}\n{{\n", line(3)));
    let run = folder.bad(&many("http://127.0.0.1:1".to_owned(), "none.jsonl"), 2);
    assert!(run.stderr.contains("line 2"), "{}", run.stderr);
    assert!(!folder.exists("none.jsonl"));
}

#[test]
fn a_set_without_security_is_not_taken_on_a_signers_word() {
    let folder = Folder::new();
    folder
        .good("xmss keygen --scheme xmss-poseidon1-l8-d4b8-test --start 0 --active 32 --out keys --insecure");
    let key = hex::encode(folder.read("keys/public-key.ssz"));
    let listed = |scheme: &str| {
        let id = "ab".repeat(32);
        http(
            200,
            &format!(
                r#"{{"keys":[{{"pubkey":"{key}","key_id":"{id}","scheme":"{scheme}","role":"attester","state":"active"}}]}}"#
            ),
        )
    };
    let ask = |url: &str| asked(url).replace(&format!("--scheme {SET} "), "");
    let run = folder.bad(&ask(&answers(vec![listed("xmss-poseidon1-l8-d4b8-test")])), 2);
    assert!(run.stderr.contains("no security"), "{}", run.stderr);
    folder.bad(&ask(&answers(vec![listed("rot13")])), 2);
    folder.bad(&ask(&answers(vec![http(200, r#"{"keys":[]}"#)])), 3);
    // The set is the caller's to say: then the list is not asked for.
    let other = answers(vec![listed(SET), refusal(412, "passed")]);
    folder.bad(&ask(&other), 3);
}
