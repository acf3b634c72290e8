//! What a newcomer types, right, wrong and half right, and what is answered: `docs/first-commands.md`, run command by
//! command. With `PHALANX_UPDATE_TRANSCRIPTS` set the file is written again, to be read before it is committed.

use crate::support::Folder;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn document() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/first-commands.md")
}

/// Runs a line of the shell: what it prints, both streams in order, and its exit code if that is not 0.
fn answer(folder: &Folder, line: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_phalanx"));
    let path = std::env::var("PATH").unwrap_or_default();
    let bin = program.parent().expect("a folder").display();
    // The environment of the other tests, for a shell.
    let like = folder.command("version");
    let mut command = Command::new("sh");
    command.args(["-c", &format!("exec 2>&1; {line}")]).current_dir(folder.path(""));
    for (name, value) in like.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
        .env("PATH", format!("{bin}:{path}"))
        .env("COLUMNS", "100")
        .env("LC_ALL", "C")
        .stdin(Stdio::null());
    let output = command.output().expect("there is a shell");
    let mut text = String::from_utf8(output.stdout).expect("the program prints UTF-8");
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match output.status.code() {
        Some(0) => {}
        code => text
            .push_str(&format!("[exit code {}]\n", code.map_or("none".to_owned(), |code| code.to_string()))),
    }
    masked(&text.replace(&*folder.path("").display().to_string(), "HERE/").replace("HERE//", "HERE/"))
}

/// Without what differs from run to run: keys, names of keys, times.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = &rest[..rest.find(|c: char| !is_digit(c)).unwrap_or(rest.len())];
        let after = &rest[word.len()..];
        let is_hex = word.bytes().all(|byte| byte.is_ascii_hexdigit());
        if word.is_empty() {
            masked.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let is_id = word.len() == 16 && is_hex && word.bytes().any(|byte| byte.is_ascii_uppercase());
        masked.push_str(match word {
            _ if is_hex && word.len() >= 32 => "<hexadecimal>",
            _ if word.len() >= 40 => "<base64>",
            _ if is_id => "<name>",
            _ if masked.ends_with("timestamp:") => "<time>",
            _ => word,
        });
        rest = after;
    }
    // Seconds.
    let mut lines: Vec<String> = masked.lines().map(str::to_owned).collect();
    for line in &mut lines {
        if let Some((before, time)) = line.rsplit_once(" (")
            && time.strip_suffix(" s)").is_some_and(|time| time.parse::<f64>().is_ok())
        {
            *line = format!("{before} (<time>)");
        }
        *line = line.replace(env!("CARGO_PKG_VERSION"), "<version>");
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Of hexadecimal and of base64. No path here is as long as a key.
fn is_digit(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')
}

/// The document with every answer as it is now.
fn played(document: &str) -> (String, usize) {
    let folder = Folder::new();
    let (mut text, mut count, mut is_console) = (String::new(), 0, false);
    for line in document.lines() {
        if line.starts_with("```") {
            is_console = line == "```console";
        } else if is_console {
            let Some(command) = line.strip_prefix("$ ") else { continue };
            count += usize::from(command.contains("phalanx"));
            text.push_str(&format!("$ {command}\n{}", answer(&folder, command)));
            continue;
        }
        text.push_str(&format!("{line}\n"));
    }
    (text, count)
}

#[test]
fn the_first_hundred_commands() {
    let recorded = fs::read_to_string(document()).expect("the document is there");
    let (now, count) = played(&recorded);
    assert!(count >= 100, "{count} commands");
    if std::env::var_os("PHALANX_UPDATE_TRANSCRIPTS").is_some() {
        fs::write(document(), now).expect("the document is ours");
        return;
    }
    let pairs = recorded.lines().zip(now.lines());
    let mut command = "";
    for (recorded, now) in pairs {
        if recorded.starts_with("$ ") {
            command = recorded;
        }
        assert_eq!(recorded, now, "after: {command}\nif it should be so: PHALANX_UPDATE_TRANSCRIPTS=1");
    }
    assert_eq!(recorded, now);
}

/// The document's table of what is typed: each number is that of the command beside it, and what is ours does what it says.
#[test]
fn few_characters_are_typed() {
    let document = fs::read_to_string(document()).expect("the document is there");
    let mut counts = Vec::new();
    for row in document.lines().filter(|line| line.starts_with("| ") && line.contains(": `")) {
        let folder = Folder::new();
        folder.write("letter", "Dear Bob\n");
        folder.write("m", [7; 32]);
        let cells = row.split(" | ").skip(1).map(|cell| cell.trim_end_matches(" |").trim_end_matches('`'));
        let row = cells.map(|cell| {
            let (count, command) = cell.split_once(": `").expect("a number and a command");
            assert_eq!(count.parse(), Ok(command.len()), "{command}");
            if let Some(arguments) = command.strip_prefix("phalanx ") {
                folder.good(arguments);
            }
            command.len()
        });
        counts.push(row.collect::<Vec<_>>());
    }
    assert_eq!(counts.len(), 6);
    // The common case; and of XMSS, where an epoch is named, no more than a few more.
    assert!(counts[0].iter().all(|count| *count <= 30), "{counts:?}");
    assert!(counts[3][1..].iter().all(|count| *count <= 36), "{counts:?}");
}
