//! T7: a second process opens a ledger that is open, beside the first or, as in two containers on one volume, in a world of
//! its own: with other process numbers, and the folder at another path.

use super::stores::{Ledger, Store};
use super::support::{Folder, options};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_testing::times::within;
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const FOLDER: &str = "PHALANX_TEST_SECOND";

/// Not a test of its own: the second process. It says what came of opening, after how long, and keeps what it has until its
/// input ends.
#[test]
#[ignore = "the child of the tests below"]
fn child() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let begun = Instant::now();
    let opened = SqliteLedger::open(&options(Path::new(&folder)));
    let said = opened.as_ref().map_or_else(|error| error.code(), |_| "open");
    let line = format!("said {said} {}\n", begun.elapsed().as_millis());
    std::io::stdout().write_all(line.as_bytes()).expect("the parent reads");
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

/// A second process and what it still says, until this is dropped.
struct Second(Child, Lines<BufReader<ChildStdout>>);

impl Second {
    /// Starts it, and says what came of opening and after how long.
    fn start(mut command: Command, folder: &Path) -> (Self, String, Duration) {
        let command = command.env(FOLDER, folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::inherit()).spawn().expect("a second process");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let said = lines.by_ref().map(|line| line.expect("text")).find_map(|line| {
            let (_, said) = line.split_once("said ")?;
            let (said, millis) = said.split_once(' ')?;
            Some((said.to_owned(), Duration::from_millis(millis.parse().expect("a number"))))
        });
        let (said, after) = said.expect("it says what came of opening");
        (Self(child, lines), said, after)
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        self.1.by_ref().for_each(drop);
        self.0.wait().expect("it has ended");
    }
}

const CHILD: [&str; 4] = ["--exact", "second::child", "--ignored", "--nocapture"];

fn beside() -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(CHILD);
    command
}

/// With file systems and process numbers of its own, and `folder` at `mount`.
fn apart(folder: &Path, mount: &Path) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--mount", "--pid", "--fork", "--map-root-user", "--", "sh", "-c"]);
    command.arg("mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\"").arg("sh").args([folder, mount]);
    command.arg(std::env::current_exe().expect("this program")).args(CHILD);
    command
}

/// Whether this user may have such a world.
fn can_be_apart() -> bool {
    let command = ["--mount", "--pid", "--fork", "--map-root-user", "--", "mount", "--bind", "/tmp", "/tmp"];
    let done = Command::new("unshare").args(command).stderr(Stdio::null()).status();
    done.is_ok_and(|status| status.success())
}

/// While one has the ledger the other is refused, within a second on an idle machine, whoever was first; then it opens.
fn one_at_a_time(folder: &Path, there: &Path, second: impl Fn() -> Command) {
    Ledger::make(folder);
    let first = SqliteLedger::open(&options(folder)).expect("it opens");
    let (_, said, after) = Second::start(second(), there);
    assert_eq!(said, "in_use");
    within(after, Duration::from_secs(1));
    drop(first);
    let (running, said, _) = Second::start(second(), there);
    assert_eq!(said, "open");
    let begun = Instant::now();
    let refused = SqliteLedger::open(&options(folder)).map(|_| ()).expect_err("the other has it");
    assert_eq!(refused.code(), "in_use");
    within(begun.elapsed(), Duration::from_secs(1));
    drop(running);
    SqliteLedger::open(&options(folder)).expect("it opens");
}

#[test]
fn t7_a_second_process_is_refused() {
    let folder = Folder::new();
    one_at_a_time(folder.path(), folder.path(), beside);
}

#[test]
fn t7_a_second_process_in_another_world_is_refused() {
    if !can_be_apart() {
        return eprintln!("not run: this user may not have name spaces of file systems and processes");
    }
    let (folder, mount) = (Folder::new(), Folder::new());
    one_at_a_time(folder.path(), mount.path(), || apart(folder.path(), mount.path()));
}
