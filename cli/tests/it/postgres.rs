//! Ledgers whose store is in PostgreSQL, as two hosts use them.

use crate::support::{Folder, SET, sign};
use phalanx_custody::ledger::postgres::{ROLES, SCHEMA};
use phalanx_testing::postgres::Server;

/// A server with the tables of a ledger, and a login role for each of two hosts.
pub(crate) fn server() -> Option<Server> {
    let server = Server::start()?;
    server.sql(SCHEMA);
    server.sql(ROLES);
    for host in ["a", "b"] {
        server.sql(&format!("CREATE ROLE host_{host} LOGIN; GRANT phalanx_signer TO host_{host}"));
    }
    Some(server)
}

fn url(server: &Server, host: &str) -> String {
    format!("postgres:///postgres?host={}&user=host_{host}", server.sockets().display())
}

/// A host, which has state and home of its own.
pub(crate) struct Host {
    pub(crate) folder: Folder,
    name: &'static str,
}

impl Host {
    pub(crate) fn new(name: &'static str) -> Self {
        let folder = Folder::new();
        for (file, bytes) in [("password", "correct horse"), ("passwords", "*:*:*:*:secret")] {
            folder.write(file, bytes);
            folder.chmod(file, 0o600);
        }
        Self { folder, name }
    }

    /// The arguments that make the ledger in `server` known here.
    pub(crate) fn args(&self, verb: &str, server: &Server) -> String {
        let (name, url) = (self.name, url(server, self.name));
        format!("ledger {verb} --ledger ledger --host {name} --store {url}")
    }

    fn status(&self) -> serde_json::Value {
        self.folder.good("ledger status --ledger ledger --json").json()
    }

    fn code(&self, args: &str, exit: i32, code: &str) {
        let refused = self.folder.bad(args, exit);
        assert!(refused.stderr.contains(&format!("({code})")), "{args}: {}", refused.stderr);
    }
}

#[test]
fn two_hosts_have_one_ledger() {
    let Some(server) = server() else { return };
    let (a, b) = (Host::new("a"), Host::new("b"));
    a.code(&a.args("join", &server), 3, "no_ledger");
    a.folder.good(&a.args("init", &server));
    a.code(&a.args("init", &server), 2, "exists");
    b.code(&b.args("init", &server), 2, "exists");
    b.code("ledger status --ledger ledger", 3, "no_ledger");
    let joined = b.folder.good(&format!("{} --json", b.args("join", &server))).json();
    b.code(&b.args("join", &server), 2, "exists");
    // From here on the folder is the ledger.
    a.folder.good(&format!(
        "key new --scheme {SET} --start 0 --active 256 --role attester --ledger ledger \
         --password-file password --out keys/1.json"
    ));
    let (mine, theirs) = (a.status(), b.status());
    assert_eq!(mine, theirs);
    assert_eq!((&mine["ledger_id"], mine["keys"].as_array().map(Vec::len)), (&joined["ledger_id"], Some(1)));
    let id = mine["keys"][0]["key_id"].as_str().expect("text").to_owned();
    let burn = |to: u64| format!("ledger burn --ledger ledger --yes-key-id {id} --to {to} --reason test");
    b.folder.good(&burn(10));
    a.code(&burn(9), 3, "backwards");
    a.folder.good(&burn(12));
    assert_eq!(b.status()["keys"][0]["low_watermark"], 12);
    for host in [&a, &b] {
        host.folder.good(&format!("ledger check {}", host.folder.witness()));
    }
    // A history goes from a database to a file and back.
    a.folder.good("ledger export --ledger ledger --retire --out history.json");
    a.folder.good("ledger init --ledger own");
    a.folder.good("ledger import --ledger own history.json");
    let own = a.folder.good("ledger status --ledger own --json").json();
    assert_eq!((&own["keys"][0]["low_watermark"], &own["keys"][0]["state"]), (&12.into(), &"active".into()));
    assert_eq!(b.status()["keys"][0]["state"], "retired");
}

#[test]
fn a_database_that_is_another_one_is_answered_for() {
    let Some(mut server) = server() else { return };
    let (a, b) = (Host::new("a"), Host::new("b"));
    a.folder.good(&a.args("init", &server));
    b.folder.good(&b.args("join", &server));
    a.folder.good(&format!(
        "key new --scheme {SET} --start 0 --active 256 --role attester --ledger ledger \
         --password-file password --out keys/1.json"
    ));
    let known = b.status();
    let (id, key) = (known["ledger_id"].as_str().expect("text"), known["keys"][0]["key_id"].clone());
    server.stop();
    a.code("ledger status --ledger ledger", 4, "storage");
    let standby = server.copy(true);
    let there = |host: &Host, verb: &str| {
        format!("ledger {verb} --ledger ledger --store {}", url(&standby, host.name))
    };
    a.code(&there(&a, "status"), 3, "store_failed_over");
    let accept = format!("{} --ledger-id {id} --reason test", there(&a, "accept-failover"));
    a.code(&accept, 3, "store_failed_over");
    a.folder.good(&format!("{accept} --i-accept-epoch 40"));
    let keys = a.status();
    assert_eq!((&keys["keys"][0]["low_watermark"], &keys["keys"][0]["key_id"]), (&40.into(), &key));
    // The other host has nothing to answer for, but to be told where the store is.
    b.code("ledger status --ledger ledger", 4, "storage");
    b.folder.good(&there(&b, "status"));
    // What hosts know is put into it, from each of them, in a ledger of another name.
    let reconcile = format!("{} --ledger-id {id} --reason test", there(&a, "reconcile"));
    a.code(&reconcile, 4, "witness_missing");
    let done = a.folder.good(&format!("{reconcile} --i-accept-epoch 60 --json")).json();
    b.code(&there(&b, "status"), 4, "foreign_witness");
    b.folder.good(&format!("{} --ledger-id {id} --reason test", there(&b, "reconcile")));
    let after = b.folder.good(&format!("{} --json", there(&b, "status"))).json();
    assert_eq!(after["ledger_id"], done["ledger_id"]);
    assert!(after["keys"][0]["low_watermark"].as_u64() >= Some(60), "{after}");
}

/// A password is in a file for its owner alone, or nowhere.
#[test]
fn passwords_are_not_in_addresses() {
    let Some(server) = server() else { return };
    let a = Host::new("a");
    let address = url(&server, "a");
    for with in [address.replace(":///", "://host_a:secret@/"), format!("{address}&password=secret")] {
        let refused = a.folder.bad(&format!("ledger init --ledger ledger --host a --store {with}"), 2);
        assert!(!refused.stderr.contains("secret"), "{}", refused.stderr);
    }
    assert!(!a.folder.exists("ledger/ledger.postgres"));
    let mut init = a.folder.command(&a.args("init", &server));
    let mut run = |mode| {
        a.folder.chmod("passwords", mode);
        init.env("PGPASSFILE", a.folder.path("passwords")).output().expect("it runs").status.code()
    };
    assert_eq!((run(0o644), run(0o600)), (Some(3), Some(0)));
}

/// A key that was made on one host signs with its file on another that has only joined.
#[test]
fn a_key_file_signs_on_every_host_of_its_ledger() {
    const KEY: &str = "keys/secret-key.ssz";
    let Some(server) = server() else { return };
    let (a, b) = (Host::new("a"), Host::new("b"));
    for (host, verb) in [(&a, "init"), (&b, "join")] {
        let args = host.args(verb, &server);
        host.folder.good(&args.replace("--ledger ledger", &format!("--ledger {KEY}.ledger")));
    }
    a.folder.keygen("");
    b.folder.write(KEY, a.folder.read(KEY));
    b.folder.chmod(KEY, 0o600);
    a.folder.good(&sign(3, 1, "a"));
    b.folder.bad(&sign(3, 2, "other"), 3);
    b.folder.good(&sign(3, 1, "b"));
    assert!(!b.folder.exists("other") && b.folder.read("b") == a.folder.read("a"), "the identical signature");
    assert_eq!(b.folder.registered().len(), 1);
    b.folder.good(&sign(4, 2, "c"));
    a.folder.bad(&sign(4, 1, "other"), 3);
    // A key that no host has registered is nobody's.
    b.folder.good(&format!("xmss keygen --scheme {SET} --start 0 --active 256 --out new"));
    b.folder.write(KEY, b.folder.read("new/secret-key.ssz"));
    b.folder.bad(&sign(5, 1, "other"), 3);
    assert!(!b.folder.exists("other"));
}
