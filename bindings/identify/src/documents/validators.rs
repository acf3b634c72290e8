//! Lists of validators: the manifests of lean Ethereum clients, in all their dialects.

use super::node::Node;
use super::values::{kind_by_name, value};
use crate::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// What a key of a validator is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It signs attestations.
    Attester,
    /// It signs proposals.
    Proposer,
}

impl Role {
    /// As manifests call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Attester => "attester",
            Self::Proposer => "proposer",
        }
    }

    fn of(name: &str) -> Option<Self> {
        if name.contains("attest") {
            Some(Self::Attester)
        } else if name.contains("propos") {
            Some(Self::Proposer)
        } else {
            None
        }
    }
}

/// A key of a validator, as its line has it.
pub struct Entry {
    /// Where it stands: `validators[0]`.
    pub path: String,
    /// The validator's number, if the line has one.
    pub index: Option<u64>,
    /// The place of the line in its list, from 0.
    pub place: u64,
    /// What the key is for; `None` where a validator has one key.
    pub role: Option<Role>,
    /// The public key.
    pub public_key: Option<Vec<u8>>,
    /// The name of the file with the secret key.
    pub secret_file: Option<String>,
}

impl Entry {
    /// The validator's number: where the line has none, its place.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.index.unwrap_or(self.place)
    }
}

/// A list of validators.
pub struct Validators {
    /// Which of the lists it is.
    pub kind: &'static str,
    /// Every key.
    pub entries: Vec<Entry>,
    /// What the document says beside its lines.
    pub details: BTreeMap<&'static str, String>,
    /// What contradicts itself.
    pub problems: Vec<String>,
}

/// What a document says once, for all validators.
const SAID: [(&str, &str); 5] = [
    ("key_scheme", "says key_scheme"),
    ("hash_function", "says hash_function"),
    ("log_num_active_epochs", "says log_num_active_epochs"),
    ("GENESIS_TIME", "genesis time"),
    ("encoding", "says encoding"),
];

/// Reads a list of validators; `None` if it is none.
pub(super) fn read(root: &Node) -> Option<Validators> {
    let map = root.map()?;
    let mut validators = Validators {
        kind: "validator keys manifest",
        entries: Vec::new(),
        details: BTreeMap::new(),
        problems: Vec::new(),
    };
    let mut lines = 0;
    if let Some(list) = root.get("validators").and_then(Node::list) {
        lines = list.len();
        take_all(list, "validators", &mut validators.entries);
        if let Some(said) = root.get("num_validators").and_then(Node::text)
            && said.parse() != Ok(lines)
        {
            validators.problems.push(format!("says num_validators {said}, and has {lines}"));
        }
    } else if let Some(list) = root.get("GENESIS_VALIDATORS").and_then(Node::list) {
        validators.kind = "genesis configuration";
        lines = list.len();
        take_all(list, "GENESIS_VALIDATORS", &mut validators.entries);
    } else {
        validators.kind = "annotated validators";
        for (node, list) in map {
            let list = list.list()?;
            lines += list.len();
            take_all(list, node, &mut validators.entries);
        }
        let is_line = |entry: &Entry| entry.index.is_some() || entry.secret_file.is_some();
        if !validators.entries.iter().all(is_line) {
            return None;
        }
        validators.details.insert("nodes", map.len().to_string());
    }
    if validators.entries.is_empty() {
        return None;
    }
    validators.details.insert("validators", lines.to_string());
    for (name, shown) in SAID {
        if let Some(said) = root.get(name).and_then(Node::text) {
            validators.details.insert(shown, said.to_owned());
        }
    }
    check(&mut validators);
    Some(validators)
}

fn take_all(list: &[Node], name: &str, entries: &mut Vec<Entry>) {
    for (i, line) in list.iter().enumerate() {
        take(line, format!("{name}[{i}]"), i as u64, entries);
    }
}

/// The keys of a line: an object with one key or one for each role, or a public key alone.
fn take(line: &Node, path: String, place: u64, entries: &mut Vec<Entry>) {
    let Some(fields) = line.map() else {
        if let Some((bytes, None)) = value(line) {
            let public_key = Some(bytes.to_vec());
            entries.push(Entry { path, index: None, place, role: None, public_key, secret_file: None });
        }
        return;
    };
    let index = line.get("index").and_then(Node::text).and_then(|text| text.parse().ok());
    let first = entries.len();
    for (name, node) in fields {
        let name = name.to_ascii_lowercase();
        let kind = kind_by_name(&name);
        let public_key = match kind {
            Some(Kind::PublicKey) => value(node).map(|(bytes, _)| bytes.to_vec()),
            _ => None,
        };
        let secret_file = match kind {
            Some(Kind::SecretKey) if name.ends_with("file") => node.text().map(str::to_owned),
            _ => None,
        };
        if public_key.is_none() && secret_file.is_none() {
            continue;
        }
        // A list of one key a validator may tell the role by the name of the file alone.
        let role = Role::of(&name);
        match entries[first..].iter_mut().find(|entry| entry.role == role) {
            Some(entry) => {
                entry.public_key = entry.public_key.take().or(public_key);
                entry.secret_file = entry.secret_file.take().or(secret_file);
            }
            None => entries.push(Entry { path: path.clone(), index, place, role, public_key, secret_file }),
        }
    }
}

/// No key stands twice, and no number in one role twice.
fn check(validators: &mut Validators) {
    let mut keys = BTreeMap::new();
    let mut files = BTreeSet::new();
    for entry in &validators.entries {
        let Some(key) = &entry.public_key else {
            validators.problems.push(format!("{} has no public key", entry.path));
            continue;
        };
        if let Some(other) = keys.insert(key, &entry.path) {
            validators.problems.push(format!("{} has the public key of {other}", entry.path));
        }
        if let Some(file) = &entry.secret_file
            && !files.insert(file)
        {
            validators.problems.push(format!("{} names '{file}', as another does", entry.path));
        }
    }
}
