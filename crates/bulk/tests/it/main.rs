//! Bulk verification: three formats, bad rows, interruptions, hostile files.

mod columns;
mod foreign;
mod formats;
mod program;
mod resume;
mod rows;
mod spread;
mod text;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of a test's own, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("phalanx-bulk-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), contents).expect("a file can be written");
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("UTF-8")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program, in `folder`.
fn program(folder: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_phalanx-verify-many"));
    program.current_dir(folder).env_remove("PHALANX_THREADS");
    program
}

/// Runs it with these arguments, and checks its exit code.
fn exits(folder: &Folder, arguments: &str, code: i32) -> Output {
    let output = program(&folder.0).args(arguments.split_whitespace()).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {said}");
    output
}
