//! A crowd of connections that never finish a request, and bodies that are too long: those who ask well are served.

use super::{EVERYTHING, OPEN, Place};
use phalanx_custody::remote::{Client, Endpoint, Method, Options};
use phalanx_testing::programs::is_there;
use phalanx_testing::times::{PATIENCE, within};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How much memory a process has, in KiB.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("Linux says it");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// A client of the socket in the file system, whose connections the crowd does not take.
fn beside(place: &Place) -> Client {
    let address = format!("unix:{}", place.rig.folder().join("socket").display());
    Client::new(Options::new(Endpoint::parse(&address).expect("an address"))).expect("a client")
}

fn crowd(count: usize, seconds: u32) {
    if !is_there("python3", &["--version"]) {
        return;
    }
    let place = Place::new();
    // The head has two seconds here, so that the test need not wait for five.
    let signer = place.start(OPEN, &format!("{EVERYTHING}[limits]\nheader_seconds = 2\nidle_seconds = 3\n"));
    let client = beside(&place);
    let healthy = || client.send(Method::Get, "/healthz", None).is_ok_and(|answer| answer.status == 200);
    assert!(healthy());
    assert!(client.sign(&place.rig.keys()[0], 0, &[1; 32]).is_ok());
    let idle = resident(signer.id());

    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/serve/crowd.py");
    let mut python = Command::new("python3");
    python.arg(script).args([place.port.to_string(), count.to_string(), seconds.to_string()]);
    let mut python = python.stdout(Stdio::piped()).spawn().expect("it was there");
    let mut said = BufReader::new(python.stdout.take().expect("it is piped")).lines();
    let first = said.next().and_then(Result::ok);
    assert_eq!(first.as_deref(), Some("all open"), "the crowd did not come");

    let (mut slowest, mut epoch, mut most) = (Duration::ZERO, 1, 0);
    let end =
        Instant::now() + Duration::from_secs(u64::from(seconds)).saturating_sub(Duration::from_millis(500));
    while Instant::now() < end {
        let begun = Instant::now();
        assert!(healthy(), "it does not answer");
        slowest = slowest.max(begun.elapsed());
        if epoch < 60 {
            client.sign(&place.rig.keys()[0], epoch, &[1; 32]).expect("it signs");
            epoch += 1;
        }
        most = most.max(resident(signer.id()));
        std::thread::sleep(Duration::from_millis(50));
    }
    let last = said.next().and_then(Result::ok).expect("how it ended");
    assert!(python.wait().expect("it was started").success());
    let (open, closed) = last.split_once(' ').expect("two numbers");
    eprintln!(
        "{count} connections: {open} open and {closed} closed after {seconds} s; slowest answer {slowest:?}, \
         memory {idle} to {most} KiB"
    );
    // The head's time is over for all of them.
    assert_eq!(open, "0", "connections that never finish a head are kept");
    within(slowest, Duration::from_millis(100));
    assert!(most <= 2 * idle, "{idle} KiB became {most}");
    // Who comes now is let in.
    let url = place.url("http");
    let after = Client::new(Options::new(Endpoint::parse(&url).expect("an address"))).expect("a client");
    assert!(after.sign(&place.rig.keys()[0], epoch, &[1; 32]).is_ok());
    assert!(signer.stop().expect("it runs").success());
}

#[test]
fn two_hundred_that_never_finish() {
    crowd(200, 4);
}

/// From ten addresses, of which none gets more than its share. A crowd from so many that their shares are all there is
/// keeps others out until its time is over.
#[test]
#[ignore = "ten thousand connections, and descriptors for them; 30 s"]
fn ten_thousand_that_never_finish() {
    crowd(10_000, 20);
}

/// Sends a request as it is, and gives the status.
fn raw(port: u16, head: &str, body: &[u8]) -> Option<u16> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
    // An answer may come before all was sent.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let text = String::from_utf8_lossy(&answer).into_owned();
    text.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()
}

#[test]
fn bodies_and_heads_have_bounds() {
    let place = Place::new();
    let signer = place.start(OPEN, EVERYTHING);
    let path = format!("/api/v1/xmss/sign/{}", place.key(0));
    let head = |more: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n{more}\r\n"
        )
    };
    let body = |len: usize| {
        let text = format!(r#"{{"epoch":"1","message":"{}"}}"#, "01".repeat(32));
        let blanks = " ".repeat(len - text.len());
        (text + &blanks).into_bytes()
    };
    let post = |len: usize| raw(place.port, &head(&format!("content-length: {len}\r\n")), &body(len));
    assert_eq!(post(65_537), Some(413));
    let sized = |len: usize| raw(place.port, &head(&format!("content-length: {len}\r\n")), b"");
    assert_eq!(sized(1 << 40), Some(413));
    let chunked = format!("10001\r\n{}\r\n0\r\n\r\n", String::from_utf8(body(65_537)).expect("ASCII"));
    let status = raw(place.port, &head("transfer-encoding: chunked\r\n"), chunked.as_bytes());
    assert!(matches!(status, Some(411 | 413)), "{status:?}");
    let long = format!("x: {}\r\n", "y".repeat(9000));
    let status = raw(place.port, &head(&long), b"");
    assert!(status.is_none_or(|status| (400..500).contains(&status)), "{status:?}");
    let uri = format!("GET /{} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", "a".repeat(600));
    let status = raw(place.port, &uri, b"");
    assert!(status.is_none_or(|status| (400..500).contains(&status)), "{status:?}");
    let standing = beside(&place).keys().expect("it lists them");
    assert!(standing.iter().all(|key| key.highest.is_none()), "something was signed");
    // As long as it may be.
    assert_eq!(post(65_536), Some(200));
    assert!(signer.stop().expect("it runs").success());
}
