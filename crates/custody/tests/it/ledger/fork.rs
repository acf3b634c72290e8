//! T13: child processes that were forked with keys and a ledger open. In them nothing is answered, and the parent notices
//! nothing.

use super::{Folder, Key, ask, new_ledger, options, registered};
use phalanx_custody::ledger::record::Ordering;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{
    EpochLedger, GuardError, Guarded, Health, InitialState, Position, Problem, Refused, Request,
    xmss_instance,
};
use phalanx_xmss::{Error, Format, ParameterSet, SigningKey};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// All that a fork doubles: a ledger, a key that it guards, and one that only remembers.
struct Doubled {
    folder: PathBuf,
    ledger: Arc<SqliteLedger>,
    made_up: Key,
    guarded: Guarded<SqliteLedger>,
    plain: Mutex<SigningKey>,
}

impl Doubled {
    fn new(folder: &Folder) -> Self {
        let ledger = Arc::new(new_ledger(folder.path()));
        let made_up = registered(&ledger, 1, Ordering::Any);
        assert_eq!(ask(&ledger, &made_up, 1, 1), Ok(false));
        let key = |seed| SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[seed; 32], 0..256);
        let (guarded, mut plain) = (key(71).expect("a key"), key(72).expect("a key"));
        let public_key = guarded.verifying_key().to_bytes(Format::Ssz);
        let instance = xmss_instance(&guarded, "attester");
        ledger.register(&instance, &public_key, InitialState::New).expect("a new key");
        let guarded = Guarded::new(guarded, Arc::clone(&ledger)).expect("it is known");
        plain.sign(1, &[1; 32]).expect("an unused epoch");
        Self { folder: folder.path().to_owned(), ledger, made_up, guarded, plain: Mutex::new(plain) }
    }

    /// What of it was answered though it should not have been.
    fn answered(&self) -> Option<&'static str> {
        let id = self.made_up.id();
        let request = |epoch| Request { key: id, position: Position::Epoch(epoch), message: &[1; 32] };
        let answers = [1, 2].map(|epoch| self.ledger.reserve(request(epoch)).map(|_| ()));
        let is_forked = |answer| matches!(answer, Err(GuardError::Refused(Refused::Forked)));
        let plain =
            |epoch| self.plain.lock().is_ok_and(|mut key| key.sign(epoch, &[1; 32]) != Err(Error::Forked));
        let again = SqliteLedger::open(&options(&self.folder));
        if answers != [Err(Refused::Forked); 2] {
            Some("the ledger answered")
        } else if self.ledger.health() != Health::Forked {
            Some("the ledger says that it is well")
        } else if !is_forked(self.guarded.sign(3, &[1; 32])) {
            Some("a guarded key signed")
        } else if plain(1) || plain(2) {
            Some("a key signed by its copy of the record")
        } else if again.is_ok_and(|_| true) {
            Some("the ledger opened anew beside the parent's")
        } else {
            None
        }
    }
}

/// Forks, and has the child try everything. `before` prepares the fork in the parent.
fn forked(before: fn()) {
    let folder = Folder::new();
    let doubled = Arc::new(Doubled::new(&folder));
    let theirs = Arc::clone(&doubled);
    let in_child = move || theirs.answered().map_or(Ok(()), |what| Err(io::Error::other(what)));
    let mut command = Command::new("true");
    // SAFETY: what runs between fork and exec asks for the process's number, opens a file and allocates a few bytes, which
    // the C libraries of the systems that this runs on allow; it takes no lock that another thread could have held.
    unsafe { command.pre_exec(in_child) };
    before();
    assert!(command.status().expect("the child saw only refusals").success());
    let Doubled { ledger, made_up, guarded, plain, .. } = &*doubled;
    assert_eq!(ask(ledger, made_up, 1, 1), Ok(true), "the parent goes on");
    assert_eq!(ask(ledger, made_up, 2, 1), Ok(false));
    guarded.sign(3, &[1; 32]).expect("the parent's key, too");
    plain.lock().expect("nobody panicked").sign(2, &[1; 32]).expect("and the one that remembers");
    let problem = SqliteLedger::open(&options(folder.path())).map(|_| ()).expect_err("it is open").problem();
    assert_eq!(problem, Problem::InUse);
}

#[test]
fn in_a_forked_child_every_answer_is_forked() {
    forked(|| ());
}

/// The first process of a container, and the first of a container within, both have the number 1.
#[test]
#[cfg(target_os = "linux")]
fn a_fork_of_the_same_number_is_seen() {
    let program = std::env::current_exe().expect("this program");
    let mut first = Command::new("unshare");
    first.args(["--user", "--map-root-user", "--pid", "--fork", "--kill-child"]).arg(program);
    first.args(["--exact", "ledger::fork::in_a_name_space", "--ignored", "--nocapture"]);
    let Ok(output) = first.output() else { return eprintln!("not run: there is no unshare") };
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    if said.contains("Operation not permitted") && !said.contains("running 1 test") {
        return eprintln!("not run: no name spaces for this user");
    }
    assert!(output.status.success() && said.contains("the child has number 1"), "{said}");
}

/// Not a test of its own: it is process 1 of a name space, and so is its child.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "run by the test above, as the first process of a name space"]
fn in_a_name_space() {
    unsafe extern "C" {
        fn unshare(flags: i32) -> i32;
    }
    assert_eq!(std::process::id(), 1);
    forked(|| {
        const NEW_PROCESSES: i32 = 0x2000_0000;
        // SAFETY: it changes where children of this process are numbered, and nothing in memory.
        assert_eq!(unsafe { unshare(NEW_PROCESSES) }, 0, "the parent is root here");
    });
    eprintln!("the child has number 1");
}
