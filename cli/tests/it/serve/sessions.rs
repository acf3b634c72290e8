//! Connections by TLS: none is taken up again without its certificates, none is waited for, and none takes all places.

use super::authorities::{Authority, Says};
use super::{EVERYTHING, Place};
use phalanx_testing::programs::is_there;
use phalanx_testing::times::{PATIENCE, within};
use std::io::Read;
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

const TABLES: &str = "[tls]\ncertificate = \"../signer.pem\"\nprivate_key = \"../signer.key\"\n\
                      client_ca = \"../ca.pem\"\nallow_tls_1_2 = true\n\
                      [limits]\nheader_seconds = 2\nidle_seconds = 3600\nconnections_per_client = 2\n";

/// Arguments: PORT CA, and NAME.pem NAME.key of two clients. Says of each version whether a session was taken up again, and
/// how many connections of each client are answered.
const PYTHON: &str = r#"
import socket, ssl, sys, time
port, ca, *clients = sys.argv[1:]

def context(client, version):
    context = ssl.create_default_context(cafile=ca)
    context.load_cert_chain(clients[2 * client], clients[2 * client + 1])
    context.minimum_version = context.maximum_version = version
    return context

def connect(context, session=None):
    connection = socket.create_connection(("127.0.0.1", int(port)), 120)
    return context.wrap_socket(connection, server_hostname="127.0.0.1", session=session)

# A machine with much else to do may be late, and is not waited for.
def sure(act):
    for _ in range(20):
        try:
            return act()
        except OSError:
            pass
    return act()

def answered(stream):
    try:
        stream.sendall(b"GET /upcheck HTTP/1.1\r\nHost: s\r\n\r\n")
        return b" 200 " in stream.recv(4096)
    except OSError:
        return False

for version in ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3:
    own = context(0, version)
    def first():
        with connect(own) as stream:
            assert answered(stream)
            return stream.session
    session = sure(first)
    if session is None:
        print("fresh")
        continue
    def again():
        with connect(own, session) as stream:
            assert answered(stream)
            return "resumed" if stream.session_reused else "fresh"
    print(sure(again))

def opened(client, tries):
    for _ in range(tries):
        try:
            connection = connect(context(client, ssl.TLSVersion.TLSv1_3))
            if answered(connection):
                return connection
        except OSError:
            pass
        time.sleep(0.05)

# Those of before may take a moment to end.
kept = [opened(client, 2400) for client in (0, 0, 1, 1)]
more = [opened(client, 3) for client in (0, 1)]
print(*[sum(map(bool, these)) for these in (kept[:2], kept[2:], more)])
"#;

#[test]
fn connections_are_for_those_who_show_who_they_are() {
    let place = Place::new();
    let authority = Authority::new(&place.folder, "ca.pem");
    authority.certify_signer(&place.folder, "signer", "127.0.0.1");
    let first = authority.certify(&place.folder, "first", &Says::client(&["first.example"]));
    let second = authority.certify(&place.folder, "second", &Says::client(&["second.example"]));
    let signer = place.start("", &format!("{TABLES}{EVERYTHING}"));
    // Who says nothing by TLS is not waited for.
    let begun = Instant::now();
    let mut silent = TcpStream::connect(("127.0.0.1", place.port)).expect("it listens");
    silent.set_read_timeout(Some(PATIENCE)).expect("a time-out");
    assert_eq!(silent.read(&mut [0; 1]).expect("closed, and not forgotten"), 0);
    assert!(begun.elapsed() >= Duration::from_millis(1900), "{:?}", begun.elapsed());
    within(begun.elapsed(), Duration::from_secs(7));
    if is_there("python3", &["--version"]) {
        let mut python = Command::new("python3");
        python.args(["-c", PYTHON, &place.port.to_string()]).arg(place.folder.path("ca.pem"));
        for (chain, key) in [first, second].into_iter().filter_map(|shown| shown.certificate) {
            python.arg(chain).arg(key);
        }
        let output = python.output().expect("it was there");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let problem = String::from_utf8_lossy(&output.stderr).into_owned();
        // Each client has two, whatever the other has, and a third of neither is answered.
        assert_eq!(
            said.split_whitespace().collect::<Vec<_>>(),
            ["fresh", "fresh", "2", "2", "0"],
            "{problem}"
        );
    }
    assert!(signer.stop().expect("it runs").success());
}
