//! Killed while writing: never half a file, and never a key that no password opens.

use crate::keystore_files::Folder;
use crate::keystore_writing::{ACCEPT, CHEAP, password, sealed};
use phalanx_custody::keystore::file::{self, Access, FileError};
use phalanx_custody::keystore::{Keystore, SealedFile};
use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

const TASK: &str = "PHALANX_CUSTODY_TEST_TASK";

/// What a child says before it writes.
const BEGUN: &str = "begun";

/// This program again, to do `task` with the keystore at `path`.
pub(crate) fn child(task: &str, path: &Path) -> Command {
    let mut command = Command::new(env::current_exe().expect("a test program has a path"));
    command.args(["--exact", "keystore_crash::task", "--ignored", "--nocapture"]);
    command.env(TASK, task).env("PHALANX_CUSTODY_TEST_PATH", path);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// As [`child`], where files cannot grow beyond 1024 bytes, and an attempt is an error as it is on a full disk.
pub(crate) fn child_on_full_disk(path: &Path) -> Command {
    let child = child("full", path);
    let mut command = Command::new("sh");
    // The signal that comes with the error stays ignored in what the shell becomes.
    command
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""])
        .arg(child.get_program())
        .args(child.get_args());
    command.envs(child.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// What a child does.
#[test]
#[ignore = "started by the tests beside it"]
fn task() {
    let Ok(task) = env::var(TASK) else { return };
    let path = PathBuf::from(env::var_os("PHALANX_CUSTODY_TEST_PATH").expect("the parent says it"));
    match task.as_str() {
        "change" => {
            eprintln!("{BEGUN}");
            loop {
                let old = file::read(&path, Access::default()).expect("the file is whole");
                let changed = SealedFile::with_password(&old, &password("p"), ACCEPT, &password("p"), CHEAP);
                file::replace(&path, &old, &changed.expect("one of ours")).expect("nobody else writes");
            }
        }
        "create" => {
            let sealed = sealed(1, 0..32, "p");
            eprintln!("{BEGUN}");
            for i in 0.. {
                let path = path.with_file_name(format!("key-{i}.json"));
                file::create(&path, &sealed).expect("the name is free");
            }
        }
        "full" => {
            let error = file::create(&path, &sealed(1, 0..32, "p")).expect_err("the disk is full");
            assert!(matches!(error, FileError::System { .. }), "{error}");
        }
        other => panic!("no such task: {other}"),
    }
}

/// Returns when the child is about to write: how long its start takes depends on the machine.
fn wait_until_begun(child: &mut Child) {
    let lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    let begun = lines.map_while(Result::ok).any(|line| line.ends_with(BEGUN));
    assert!(begun, "the child ended before it began");
}

/// Kills a child `times` times at growing delays, and looks at what it left.
fn kill_and_look(task: &str, times: u64, look: impl Fn(&Folder)) {
    let mut runs_that_wrote = 0;
    let folder = Folder::new();
    let path = folder.path("key-0000.json");
    if task == "change" {
        file::create(&path, &sealed(1, 0..32, "p")).expect("the folder is ours");
    }
    for i in 0..times {
        let before = fs::read(&path).ok();
        let mut child = child(task, &path).spawn().expect("the test program starts");
        wait_until_begun(&mut child);
        // Up to the whole of several rounds, in steps that no round is a multiple of.
        sleep(Duration::from_micros(i * 1_237 % 25_000));
        child.kill().expect("it runs until it is killed");
        child.wait().expect("it is ours");
        look(&folder);
        let has_new_file = path.with_file_name("key-0.json").exists();
        runs_that_wrote += u64::from(has_new_file || (before.is_some() && fs::read(&path).ok() != before));
        if task == "create" {
            for entry in fs::read_dir(folder.path("")).expect("it can be listed") {
                fs::remove_file(entry.expect("it can be listed").path()).expect("it is ours");
            }
        }
    }
    assert!(runs_that_wrote > 0, "{task}: no child lived long enough to be killed while writing");
}

/// Every file under its own name opens.
fn all_are_whole(folder: &Folder) {
    for entry in fs::read_dir(folder.path("")).expect("it can be listed") {
        let path = entry.expect("it can be listed").path();
        let is_temporary = path.extension().is_some_and(|extension| extension == "tmp");
        if is_temporary {
            continue;
        }
        let keystore = file::read(&path, Access::default()).unwrap_or_else(|error| panic!("{error}"));
        let key = keystore.open(&password("p"), ACCEPT).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(key.secret().expose(), [1; 32]);
    }
}

/// What was left under temporary names is found, and holds no secret in the clear.
fn leftovers_are_found(folder: &Folder) {
    let found = file::leftovers(&folder.path("")).expect("it can be listed");
    for path in &found {
        let bytes = fs::read(path).expect("it is ours");
        assert!(!bytes.windows(8).any(|window| window == [1; 8] || window == b"01010101"), "{path:?}");
        assert!(Keystore::parse(&bytes).is_ok() || bytes.len() < 2_000, "{path:?}");
        fs::remove_file(path).expect("it is ours");
    }
}

#[test]
fn kills_leave_whole_files() {
    for task in ["create", "change"] {
        kill_and_look(task, 15, |folder| {
            all_are_whole(folder);
            leftovers_are_found(folder);
        });
    }
}

#[test]
#[ignore = "500 kills, half a minute"]
fn five_hundred_kills_leave_whole_files() {
    for task in ["create", "change"] {
        kill_and_look(task, 250, |folder| {
            all_are_whole(folder);
            leftovers_are_found(folder);
        });
    }
}
