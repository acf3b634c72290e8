//! What YAML and JSON are made of. Every scalar stays the text that it was written as: a key of digits alone is no number.

use saphyr_parser::{Event, Parser};
use zeroize::Zeroizing;

/// Longer files are no documents of keys.
const MAX_LEN_BYTES: usize = 1 << 24;

/// Lists and maps within each other.
const MAX_DEPTH: usize = 32;

/// Nodes of a document. A list of bytes is one.
const MAX_NODES: usize = 1 << 18;

/// A part of a document. Texts may be secrets, and are wiped on drop.
pub(super) enum Node {
    /// Anything that is written without parts.
    Text(Zeroizing<String>),
    /// A list of numbers below 256, decimal or hexadecimal.
    Bytes(Zeroizing<Vec<u8>>),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    pub(super) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn list(&self) -> Option<&[Self]> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    pub(super) fn map(&self) -> Option<&[(String, Self)]> {
        if let Self::Map(map) = self { Some(map) } else { None }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        self.map()?.iter().find(|(key, _)| key == name).map(|(_, node)| node)
    }
}

/// A list or map that is not yet closed.
enum Open {
    /// A list of such numbers so far.
    Bytes(Zeroizing<Vec<u8>>),
    List(Vec<Node>),
    Map(Vec<(String, Node)>, Option<String>),
}

impl Open {
    /// Takes a part; `None` if it cannot be one.
    fn push(&mut self, node: Node) -> Option<()> {
        match self {
            Self::Bytes(bytes) => {
                if let Some(byte) = node.text().and_then(byte) {
                    bytes.push(byte);
                } else {
                    let number = |byte: &u8| Node::Text(Zeroizing::new(byte.to_string()));
                    *self = Self::List(bytes.iter().map(number).chain([node]).collect());
                }
            }
            Self::List(list) => list.push(node),
            Self::Map(map, key) => match key.take() {
                Some(key) => map.push((key, node)),
                None => *key = Some(node.text()?.to_owned()),
            },
        }
        Some(())
    }

    /// The numbers that are the same whether they are bytes or texts count as nodes when they are texts.
    fn len(&self) -> usize {
        match self {
            Self::Bytes(_) => 0,
            Self::List(list) => list.len(),
            Self::Map(map, _) => map.len(),
        }
    }

    fn close(self) -> Node {
        match self {
            Self::Bytes(bytes) if bytes.is_empty() => Node::List(Vec::new()),
            Self::Bytes(bytes) => Node::Bytes(bytes),
            Self::List(list) => Node::List(list),
            Self::Map(map, _) => Node::Map(map),
        }
    }
}

/// A byte as a number, of ten digits or of sixteen after a `0x`.
fn byte(text: &str) -> Option<u8> {
    match text.strip_prefix("0x") {
        Some(digits) if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
            u8::from_str_radix(digits, 16).ok()
        }
        Some(_) => None,
        None => text.parse().ok(),
    }
}

/// The one document in `bytes`; `None` if they are none, or one that nobody writes keys in.
pub(super) fn parse(bytes: &[u8]) -> Option<Node> {
    if bytes.len() > MAX_LEN_BYTES {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    if text.chars().any(|c| c.is_control() && !c.is_ascii_whitespace()) {
        return None;
    }
    let (mut open, mut whole, mut nodes) = (Vec::<Open>::new(), None, 0);
    for event in Parser::new_from_str(text) {
        let node = match event.ok()?.0 {
            Event::Scalar(text, ..) => Node::Text(Zeroizing::new(text.into_owned())),
            Event::SequenceStart(..) => {
                open.push(Open::Bytes(Zeroizing::default()));
                if open.len() > MAX_DEPTH {
                    return None;
                }
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Map(Vec::new(), None));
                if open.len() > MAX_DEPTH {
                    return None;
                }
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => open.pop()?.close(),
            // What is written once and read twice is not for keys.
            Event::Alias(_) => return None,
            _ => continue,
        };
        match open.last_mut() {
            Some(parent) => {
                let before = parent.len();
                parent.push(node)?;
                nodes += parent.len() - before;
            }
            None if whole.is_none() => whole = Some(node),
            None => return None,
        }
        if nodes > MAX_NODES {
            return None;
        }
    }
    whole
}
