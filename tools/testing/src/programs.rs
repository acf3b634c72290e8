//! Programs of others that tests ask: a test without its program fails, unless `PHALANX_MAY_SKIP_PROGRAMS` is set.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Whether `program` can be started with `probe`; says so loudly if it cannot and may be absent.
pub fn is_there(program: &str, probe: &[&str]) -> bool {
    let started = Command::new(program).args(probe).stdin(Stdio::null()).output();
    let Err(error) = started else { return true };
    assert!(
        std::env::var_os("PHALANX_MAY_SKIP_PROGRAMS").is_some(),
        "{program} does not start ({error}): install it, or set PHALANX_MAY_SKIP_PROGRAMS to go without"
    );
    eprintln!("NOT RUN: {program} does not start ({error})");
    false
}

/// A fresh folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = crate::place().join(format!("phalanx-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Runs a command with `input` on its standard input.
pub fn run(command: &mut Command, input: &Path) -> Output {
    let input = std::fs::File::open(input).expect("the input");
    command.stdin(input).output().expect("a program that is there")
}

/// Runs a command that must succeed, and gives its standard output.
pub fn succeeds(command: &mut Command) -> Vec<u8> {
    let output = command.stdin(Stdio::null()).output().expect("a program that is there");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Writes a file that only we may read, as programs want it of secrets.
pub fn write_secret(path: &Path, content: &[u8]) {
    std::fs::write(path, content).expect("a file in our folder");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).expect("our own file");
    }
}
