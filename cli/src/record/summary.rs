//! What `inspect` tells of a record.

use super::lines::{Content, Line};
use super::owner::{MAGIC, WITNESS_MAGIC};

/// A record, from its bytes alone.
pub(crate) struct Summary {
    /// `"epoch record"`, or `"epoch witness"` of one in the state folder.
    pub(crate) kind: &'static str,
    /// Name of the parameter set.
    pub(crate) scheme: String,
    /// SHA-256 of the public key, where it is said.
    pub(crate) public_key_sha256: Option<String>,
    /// The public key, where it is said.
    pub(crate) public_key: Option<String>,
    /// Number of used epochs.
    pub(crate) used: u64,
    /// The epoch below which all are closed, if the record was begun on purpose.
    pub(crate) begins_at: Option<u64>,
    /// Whether the right to sign has moved to another file.
    pub(crate) has_moved: bool,
    /// Lines whose message cannot be read.
    pub(crate) unreadable_messages: u64,
    /// The first line that cannot be read.
    pub(crate) damaged_line: Option<u64>,
}

/// Reads the bytes of a record, if they are one.
pub(crate) fn summary(bytes: &[u8]) -> Option<Summary> {
    let first = bytes.split(|&byte| byte == b'\n').next()?;
    let text = std::str::from_utf8(first).ok()?;
    let witness = text.strip_prefix(WITNESS_MAGIC);
    let mut words = witness.or_else(|| text.strip_prefix(MAGIC))?.split(' ');
    let scheme = words.next()?.to_owned();
    let last = words.next_back()?.to_owned();
    let content = Content::parse(bytes.get(first.len() + 1..).unwrap_or_default());
    let used = |line: &&Line| matches!(line, Line::Used { .. });
    let unknown = |line: &&Line| matches!(line, Line::Used { message: None, .. });
    let begins = content
        .lines
        .iter()
        .filter_map(|line| if let Line::Begin { from } = line { Some(*from) } else { None });
    Some(Summary {
        kind: if witness.is_some() { "epoch witness" } else { "epoch record" },
        scheme,
        public_key_sha256: witness.is_none().then(|| last.clone()),
        public_key: witness.map(|_| last),
        used: content.lines.iter().filter(used).count() as u64,
        begins_at: begins.max(),
        has_moved: content.lines.contains(&Line::Moved),
        unreadable_messages: content.lines.iter().filter(unknown).count() as u64,
        damaged_line: content.damaged_line,
    })
}
