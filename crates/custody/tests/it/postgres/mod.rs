//! The ledger on a real PostgreSQL, which the tests start.

mod failover;
mod fencing;
mod proxy;
mod reconcile;
mod two_hosts;

use super::ledger::{Folder, Key, ask, key, registered};
use phalanx_custody::ledger::durable::{LedgerOptions, NewLedger, Resume};
use phalanx_custody::ledger::postgres::{ROLES, SCHEMA};
use phalanx_custody::ledger::record::Ordering;
use phalanx_custody::ledger::{EpochLedger, Health, InitialState, Ledger, Problem, Refused};
use phalanx_testing::postgres::Server;
use phalanx_testing::times::PATIENCE;
use std::path::Path;
use std::process::Command;

/// A server with the tables of a ledger, and the roles `host_a`, `host_b` and `host_c`.
fn prepared() -> Option<Server> {
    let server = Server::start()?;
    prepare(&server);
    Some(server)
}

fn prepare(server: &Server) {
    server.sql(SCHEMA);
    server.sql(ROLES);
    for host in ["a", "b", "c"] {
        server.sql(&format!("CREATE ROLE host_{host} LOGIN; GRANT phalanx_signer TO host_{host}"));
    }
}

/// How a host opens the ledger behind the socket in `sockets`, with its files in `folder`.
fn options(sockets: &Path, folder: &Path, host: &str) -> LedgerOptions {
    let local = LedgerOptions::new(folder).allow_file_system("overlay");
    let local = local.resume(Resume::TrustStoreUnproved).timeout(PATIENCE);
    let url = format!("postgres:///postgres?host={}&user=host_{host}", sockets.display());
    local.store(url).host(host)
}

/// A server with a ledger that host a has made and joined by host b.
struct Hosts {
    server: Server,
    a: Folder,
    b: Folder,
}

impl Hosts {
    fn new() -> Option<Self> {
        let hosts = Self { server: prepared()?, a: Folder::new(), b: Folder::new() };
        Ledger::create(&hosts.options("a"), NewLedger::default()).expect("a new ledger");
        Ledger::join(&hosts.options("b")).expect("another host");
        Some(hosts)
    }

    fn options(&self, host: &str) -> LedgerOptions {
        let folder = if host == "a" { &self.a } else { &self.b };
        options(&self.server.sockets(), folder.path(), host)
    }

    fn open(&self, host: &str) -> Ledger {
        Ledger::open(&self.options(host)).expect("it opens")
    }

    fn refusal(&self, host: &str) -> Problem {
        Ledger::open(&self.options(host)).map(|_| ()).expect_err("it must not open").problem()
    }
}

#[test]
fn one_of_two_hosts_signs_at_a_time_and_each_position_once() {
    let Some(hosts) = Hosts::new() else { return };
    assert_eq!(
        Ledger::create(&hosts.options("a"), NewLedger::default()).expect_err("again").problem(),
        Problem::Exists
    );
    let a = hosts.open("a");
    let key = registered(&a, 1, Ordering::Any);
    assert_eq!(ask(&a, &key, 3, 1), Ok(false));
    assert_eq!(ask(&a, &key, 3, 1), Ok(true));
    assert_eq!(ask(&a, &key, 3, 2), Err(Refused::EpochUsed));
    assert_eq!(hosts.refusal("b"), Problem::InUse);
    a.raise_low(key.id(), 2, "a doubt").expect("it rises");
    assert_eq!(a.health(), Health::Open);
    drop(a);
    // A clean stop gives the lease back.
    let b = hosts.open("b");
    assert_eq!(ask(&b, &key, 3, 1), Ok(true));
    assert_eq!(ask(&b, &key, 3, 2), Err(Refused::EpochUsed));
    assert_eq!(ask(&b, &key, 1, 1), Err(Refused::Passed));
    assert_eq!(ask(&b, &key, 4, 2), Ok(false));
    b.retire(key.id(), "sold").expect("retired");
    drop(b);
    for host in ["a", "b"] {
        assert_eq!(ask(&hosts.open(host), &key, 4, 2), Err(Refused::Retired));
    }
    assert_eq!(
        hosts.server.sql("SELECT string_agg(DISTINCT lease_token::text, ' ') FROM phalanx.entries"),
        "1 2"
    );
}

#[test]
fn ranges_and_transfers_of_one_host_are_known_to_the_other() {
    let Some(hosts) = Hosts::new() else { return };
    let a = hosts.open("a");
    let key = registered(&a, 1, Ordering::Any);
    a.split(key.id(), 100, "upper").expect("given away");
    drop(a);
    for (host, epoch) in [("b", 5), ("a", 6), ("b", 7)] {
        let ledger = hosts.open(host);
        assert_eq!(ask(&ledger, &key, 100, 1), Err(Refused::NotInRange));
        assert_eq!(ask(&ledger, &key, epoch, 1), Ok(false));
    }
}

/// What a signer may do to the database, by the rights of its role and by the triggers.
#[test]
fn a_signer_can_take_nothing_back() {
    let Some(hosts) = Hosts::new() else { return };
    let a = hosts.open("a");
    let key = registered(&a, 1, Ordering::Any);
    ask(&a, &key, 3, 1).expect("a new epoch");
    drop(a);
    for refused in [
        "DELETE FROM phalanx.keys",
        "DELETE FROM phalanx.witnesses",
        "TRUNCATE phalanx.entries",
        "DROP TABLE phalanx.entries",
        "ALTER TABLE phalanx.entries DISABLE TRIGGER ALL",
        "DELETE FROM phalanx.entries",
        "UPDATE phalanx.entries SET digest = decode(repeat('00', 32), 'hex')",
        "UPDATE phalanx.keys SET low_watermark = -1",
        "UPDATE phalanx.keys SET highest = 0",
        "CREATE TABLE phalanx.other (id BIGINT)",
    ] {
        let sql = format!(
            "DO $$ BEGIN SET ROLE host_a; {refused}; RAISE EXCEPTION 'not refused'; EXCEPTION
            WHEN OTHERS THEN IF SQLERRM = 'not refused' THEN RAISE; END IF; END $$"
        );
        hosts.server.sql(&sql);
    }
    assert_eq!(ask(&hosts.open("a"), &key, 3, 1), Ok(true));
}

/// Over the network only with a server that certificates vouch for.
#[test]
fn over_the_network_the_server_is_known_by_its_certificate() {
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|socket| socket.local_addr())
        .expect("a port")
        .port();
    let Some(mut server) = Server::start_with(Some(port)) else { return };
    prepare(&server);
    let folder = Folder::new();
    let file = |name: &str| folder.join(name);
    for (name, names) in [("good", "IP:127.0.0.1"), ("other", "DNS:elsewhere.example")] {
        let text = format!(
            "[req]\ndistinguished_name = dn\nx509_extensions = ext\nprompt = no\n[dn]\nCN = {name}\n\
             [ext]\nbasicConstraints = critical, CA:FALSE\nsubjectAltName = {names}\n"
        );
        std::fs::write(file("config"), text).expect("a file");
        let made = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"])
            .args(["-days", "2", "-config"])
            .arg(file("config"))
            .arg("-keyout")
            .arg(file(&format!("{name}.key")))
            .arg("-out")
            .arg(file(&format!("{name}.crt")))
            .output();
        let Ok(made) = made else { return eprintln!("not run: there is no openssl") };
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    let url = format!("postgres://host_a@127.0.0.1:{port}/postgres");
    let with = |roots: Option<&str>| {
        let local = LedgerOptions::new(folder.path()).allow_file_system("overlay");
        let roots = roots.map(|name| format!("?sslrootcert={}", file(&format!("{name}.crt")).display()));
        local.store(format!("{url}{}", roots.unwrap_or_default())).host("a")
    };
    let create = |roots| Ledger::create(&with(roots), NewLedger::default()).map_err(|error| error.problem());
    assert_eq!(create(None), Err(Problem::Malformed), "no certificates to know it by");
    assert_eq!(create(Some("good")), Err(Problem::Storage), "a server without TLS");
    for (name, roots, answer) in [
        ("other", "good", Err(Problem::Storage)),
        ("other", "other", Err(Problem::Storage)),
        ("good", "other", Err(Problem::Storage)),
        ("good", "good", Ok(())),
    ] {
        server.stop();
        server.use_certificate(&file(&format!("{name}.crt")), &file(&format!("{name}.key")));
        server.run();
        assert_eq!(create(Some(roots)), answer, "{name}, known by {roots}");
    }
    let ledger = Ledger::open(&with(Some("good"))).expect("it opens");
    let key = registered(&ledger, 1, Ordering::Any);
    assert_eq!(ask(&ledger, &key, 3, 1), Ok(false));
    let elsewhere = Folder::new();
    for (place, parameter) in
        [("host_a:secret@", ""), ("host_a@", "?password=secret"), ("host_a@", "?sslmode=prefer")]
    {
        let url = format!("postgres://{place}127.0.0.1:{port}/postgres{parameter}");
        let local = LedgerOptions::new(elsewhere.path()).allow_file_system("overlay").host("b");
        let refused = Ledger::join(&local.store(url))
            .expect_err("a password in an address, or TLS that checks nothing");
        assert_eq!(refused.problem(), Problem::Malformed, "{place} {parameter}");
        assert!(!refused.to_string().contains("secret"));
    }
}

/// A password is taken from the file that the address or the environment names, in the form of PostgreSQL's own programs.
#[test]
fn the_password_comes_from_a_file() {
    let Some(mut hosts) = Hosts::new() else { return };
    hosts.server.sql("ALTER ROLE host_a PASSWORD 'with:colon'");
    hosts.server.stop();
    let rules = hosts.server.data().join("pg_hba.conf");
    let others = std::fs::read_to_string(&rules).expect("the rules");
    std::fs::write(&rules, format!("local all host_a scram-sha-256\n{others}")).expect("the rules");
    hosts.server.run();
    let elsewhere = Folder::new();
    let file = elsewhere.join("passwords");
    let open =
        |url: &str| Ledger::open(&hosts.options("a").store(url)).map(drop).map_err(|error| error.problem());
    let sockets = hosts.server.sockets();
    let url = format!("postgres:///postgres?host={}&user=host_a", sockets.display());
    assert_eq!(open(&url), Err(Problem::Storage), "no password");
    let url = format!("{url}&passfile={}", file.display());
    assert_eq!(open(&url), Err(Problem::Malformed), "no file");
    for (line, answer) in [
        ("*:*:*:host_a:wrong", Err(Problem::Storage)),
        ("*:*:*:host_b:with\\:colon", Err(Problem::Storage)),
        ("*:*:postgres:host_a:with\\:colon", Ok(())),
    ] {
        let _ = std::fs::remove_file(&file);
        std::fs::write(&file, format!("{line}\n")).expect("a file");
        let mode = |mode| std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(mode));
        mode(0o640).expect("a mode");
        assert_eq!(open(&url), Err(Problem::InsecureFiles), "others can read it");
        mode(0o600).expect("a mode");
        assert_eq!(open(&url), answer, "{line}");
    }
}

/// A made-up key, known to the ledger.
fn known(ledger: &Ledger, number: u8) -> Key {
    let key = key(number, Ordering::Any);
    ledger.register(&key.instance, &key.public_key, InitialState::New).expect("a new key");
    key
}
