//! Signers of two hosts that share a ledger in PostgreSQL.

use super::{EVERYTHING, OPEN};
use crate::postgres::{Host, server};
use crate::support::SET;
use phalanx_custody::remote::{Client, Endpoint, Method, Options};
use phalanx_testing::times::wait_until;
use std::fs;
use std::process::{Child, Command};

const CONFIGURATION: &str = "[listen]\nunix = \"socket\"\n[ledger]\nfolder = \"ledger\"\nallow_file_systems = [\"overlay\"]\n\
                             [[keystores]]\npath = \"keys\"\npassword_file = \"password\"\n";

/// A signer, killed when dropped.
struct Signer(Child, Client);

impl Signer {
    fn start(host: &Host) -> Self {
        let client = Client::new(Options::new(
            Endpoint::parse(&format!("unix:{}", host.folder.path("socket").display())).expect("an address"),
        ))
        .expect("a client");
        let log = fs::File::create(host.folder.path("log")).expect("a file");
        let mut command = host.folder.command("serve --config signer.toml");
        let mut child = command.stderr(log).spawn().expect("the program starts");
        let said = || String::from_utf8_lossy(&host.folder.read("log")).into_owned();
        let is_ready = || {
            assert!(child.try_wait().expect("a child").is_none(), "it has ended: {}", said());
            client.reasons_not_ready().is_ok_and(|reasons| reasons.is_empty())
        };
        wait_until(said, is_ready);
        Self(child, client)
    }

    /// Status, code and whether it is a repeat, for `message` at `epoch`.
    fn ask(&self, epoch: u64, message: u8) -> (u16, String, bool) {
        let get = |path: &str| self.1.send(Method::Get, path, None).expect("an answer").body;
        let keys: serde_json::Value = serde_json::from_slice(&get("/api/v1/keys")).expect("JSON");
        let key = keys["keys"][0]["pubkey"].as_str().expect("a key").to_owned();
        let body = format!(r#"{{"epoch":"{epoch}","message":"{}"}}"#, hex::encode([message; 32]));
        let answer = self.1.send(Method::Post, &format!("/api/v1/xmss/sign/{key}"), Some(&body));
        let answer = answer.expect("an answer");
        let said: serde_json::Value = serde_json::from_slice(&answer.body).expect("JSON");
        (answer.status, said["code"].as_str().unwrap_or("").to_owned(), said["repeated"] == true)
    }

    fn stop(mut self) {
        let sent = Command::new("kill").arg("-TERM").arg(self.0.id().to_string()).status();
        assert!(sent.expect("kill runs").success());
        assert!(self.0.wait().expect("a child").success());
    }
}

impl Drop for Signer {
    fn drop(&mut self) {
        let _ = (self.0.kill(), self.0.wait());
    }
}

#[test]
fn signers_of_two_hosts_sign_one_after_the_other_and_nothing_twice() {
    let Some(server) = server() else { return };
    let (a, b) = (Host::new("a"), Host::new("b"));
    a.folder.good(&a.args("init", &server));
    b.folder.good(&b.args("join", &server));
    a.folder.good(&format!(
        "key new --scheme {SET} --start 0 --active 256 --role attester --ledger ledger \
         --password-file password --out keys/1.json"
    ));
    fs::create_dir(b.folder.path("keys")).expect("a folder");
    b.folder.chmod("keys", 0o700);
    b.folder.write("keys/1.json", a.folder.read("keys/1.json"));
    b.folder.chmod("keys/1.json", 0o600);
    for host in [&a, &b] {
        host.folder.write("signer.toml", format!("{OPEN}\n{CONFIGURATION}{EVERYTHING}"));
        host.folder.chmod("signer.toml", 0o600);
    }
    let signed = |is_repeat| (200, String::new(), is_repeat);
    let used = || (412, "epoch_used".to_owned(), false);

    let first = Signer::start(&a);
    assert_eq!((first.ask(3, 1), first.ask(3, 1), first.ask(3, 2)), (signed(false), signed(true), used()));
    let refused = b.folder.run("serve --config signer.toml");
    assert_eq!(refused.code, Some(3), "{}", refused.stderr);
    assert!(refused.stderr.contains("(in_use)"), "{}", refused.stderr);
    assert_eq!(first.ask(4, 1), signed(false), "it goes on");
    first.stop();
    // Stopped, it has given the lease back: the other one need not wait for its end.
    let second = Signer::start(&b);
    assert_eq!((second.ask(4, 1), second.ask(4, 2), second.ask(5, 2)), (signed(true), used(), signed(false)));
    second.stop();
    let third = Signer::start(&a);
    assert_eq!((third.ask(5, 1), third.ask(6, 1)), (used(), signed(false)));
    third.stop();
    let rows = "SELECT string_agg(p0::text, ' ' ORDER BY p0) FROM phalanx.entries";
    assert_eq!(server.sql(rows), "3 4 5 6");
}
