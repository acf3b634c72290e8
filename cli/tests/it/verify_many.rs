//! `phalanx verify-many`: the program of another package, found or not.

use crate::support::Folder;
use std::process::Command;

/// `phalanx verify-many`, in a folder where nothing else was built.
fn alone(folder: &Folder) -> Command {
    let (built, program) = (env!("CARGO_BIN_EXE_phalanx"), folder.path("phalanx"));
    if !program.exists() {
        std::fs::hard_link(built, &program)
            .or_else(|_| std::fs::copy(built, &program).map(drop))
            .expect("a link or a copy");
    }
    let mut command = Command::new(program);
    command.arg("verify-many").current_dir(folder.path("")).env_remove("PHALANX_BACKEND");
    command
}

#[test]
fn what_is_not_there_is_named() {
    let folder = Folder::new();
    let mut command = alone(&folder);
    command.args(["a.jsonl", "--out", "out"]).env("PATH", folder.path(""));
    let run = command.output().expect("the program starts");
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&run.stderr),
        "phalanx: error: the program 'phalanx-verify-many' is neither beside this one nor in PATH\n\
         phalanx: hint: a release has it in an archive of its own; from source: 'cargo install --path crates/bulk'\n"
    );
}

/// Arguments go through as they are, `--help` and `--json` among them, and the exit code comes back.
#[cfg(unix)]
#[test]
fn what_is_there_is_started() {
    let folder = Folder::new();
    folder.write("phalanx-verify-many", "#!/bin/sh\necho \"$#: $*\"\nexit ${CODE:-0}\n");
    folder.chmod("phalanx-verify-many", 0o755);
    for (code, arguments) in [(0, "--help"), (1, "a b --json --out -x"), (2, ""), (4, "report --plan p")] {
        let mut command = alone(&folder);
        command.args(arguments.split_whitespace()).env("CODE", code.to_string());
        let run = command.output().expect("it starts");
        let count = arguments.split_whitespace().count();
        assert_eq!(String::from_utf8_lossy(&run.stdout), format!("{count}: {arguments}\n"));
        assert_eq!(run.status.code(), Some(code));
    }
}
