//! What the files of a world amount to, without what differs from run to run: names of ledgers, times, chains.
//!
//! Two worlds of one state behave alike from then on. A command sees of them which files there are, by which names, and what
//! they say; of what is left out here it sees only whether it is the same as elsewhere in the same world, and that is kept:
//! each name of a ledger stands for itself under a name of ours. The store of a ledger says what its side log says, or the
//! ledger does not open; when processes began, and chain values, decide nothing else.

use super::world::{Place, World};
use crate::key_ledger::folder_of;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How many digits a name of a ledger has, and whatever else is drawn for one occasion.
const DIGITS: usize = 32;

/// Names of ours for those that were drawn, in the order in which they are met.
#[derive(Default)]
struct Names(BTreeMap<String, String>);

impl Names {
    fn name(&mut self, drawn: &str) -> String {
        let next = format!("#{}", self.0.len());
        self.0.entry(drawn.to_owned()).or_insert(next).clone()
    }

    /// `text` with names of ours.
    fn replace(&mut self, text: &str) -> String {
        let is_digit = |c: char| c.is_ascii_hexdigit();
        let mut out = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let len = rest.find(|c| !is_digit(c)).unwrap_or(rest.len());
            let (word, after) = if len == 0 {
                rest.split_at(rest.find(is_digit).unwrap_or(rest.len()))
            } else {
                rest.split_at(len)
            };
            if len == DIGITS {
                out += &self.name(word)
            } else {
                out += word
            }
            rest = after;
        }
        out
    }
}

/// The files of `world` and what they say. Of the ledgers those of `places` are named first, in that order.
pub(super) fn state(world: &World, places: &[Place]) -> String {
    let (mut names, mut said) = (Names::default(), Vec::new());
    for (number, place) in places.iter().enumerate() {
        let ledger = world.ledger_id(place).map(|id| names.name(&id));
        said.push(format!("{number} {:?} {ledger:?}", place.1));
    }
    let mut files = Vec::new();
    gather(&world.root, &mut files);
    let mut shown: Vec<(String, String)> =
        files.into_iter().filter_map(|path| Some((shown(world, places, &path), content(&path)?))).collect();
    // What nobody's place leads to is met in the order of what it says.
    let masked = |text: &str| Names::default().replace(text);
    shown.sort_by_cached_key(|(path, content)| (masked(path), masked(content), path.clone()));
    let mut lines: Vec<String> =
        shown.iter().map(|(path, content)| names.replace(&format!("{path}: {content}"))).collect();
    lines.sort_unstable();
    said.extend(lines);
    said.join("\n")
}

/// All that is below a folder, folders too.
fn gather(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            gather(&entry.path(), files);
        }
        files.push(entry.path());
    }
}

/// The path of a file, where a place has its number for a name: other names are drawn in the order of all steps.
fn shown(world: &World, places: &[Place], path: &Path) -> String {
    for (number, (place, _)) in places.iter().enumerate() {
        if let Ok(rest) = path.strip_prefix(folder_of(place)) {
            return format!("{number}.ledger/{}", rest.display());
        }
        let beside = path.to_string_lossy();
        if let Some(end) = beside.strip_prefix(&*place.to_string_lossy()) {
            return format!("{number}{end}");
        }
    }
    path.strip_prefix(&world.root).unwrap_or(path).display().to_string()
}

/// What a file says; `None` for what is not looked at: signatures, and what SQLite keeps while it is open.
fn content(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    if name.starts_with("signature") || name.ends_with("-wal") || name.ends_with("-shm") {
        return None;
    }
    if path.is_dir() || name.starts_with("ledger.") {
        return Some(String::new());
    }
    let bytes = fs::read(path).ok()?;
    if name.ends_with(".log") {
        let text = String::from_utf8(bytes).expect("ASCII");
        return Some(text.lines().skip(1).filter_map(record).collect::<Vec<_>>().join("; "));
    }
    if name.ends_with(".epochs") || name.ends_with(".key") {
        return String::from_utf8(bytes).ok();
    }
    Some(format!("={}", hex::encode(Sha256::digest(bytes))))
}

/// The record of a line of a side log, unless it says only that a process began or a group ended.
fn record(line: &str) -> Option<&str> {
    let (_, record) = line.split_at_checked("000000000001 000000000001 ".len())?;
    let (record, _) = record.rsplit_once(' ')?;
    (!record.starts_with("I ") && !record.starts_with("G ")).then_some(record)
}
