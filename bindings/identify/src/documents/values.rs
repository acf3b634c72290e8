//! Keys and signatures in a document: in hexadecimal or base64, as lists of bytes, as objects.

use super::node::Node;
use crate::reading::{Kind, Reading};
use crate::xmss::Filter;
use crate::{base64, ed25519, hexadecimal, xmss};
use phalanx::xmss::Format;
#[cfg(feature = "json")]
use std::fmt::Write;
use zeroize::Zeroizing;

/// Objects longer than this in JSON are no public keys and no signatures.
#[cfg(feature = "json")]
const MAX_OBJECT_BYTES: usize = 1 << 16;

/// Values of these lengths need a name that says what they are: messages, hashes and roots look like keys.
const LIKE_HASHES: [usize; 2] = [32, 64];

/// A value in a document.
pub struct Found {
    /// Where it stands: `validators[0].pubkey_hex`.
    pub path: String,
    /// The value, wiped on drop: of an object, its JSON.
    pub bytes: Zeroizing<Vec<u8>>,
    /// What it may be.
    pub readings: Vec<Reading>,
    /// The encoding that it is read in, if it is of XMSS: SSZ where that fits.
    pub format: Option<Format>,
}

/// All values of `node`, which stands at `path`.
pub(super) fn find(node: &Node, path: &str, found: &mut Vec<Found>) {
    let here = value(node).and_then(|(bytes, format)| {
        let kind = kind_by_name(path);
        // What looks like a hash has no name that says what it is, unless it is all that there is.
        if kind.is_none() && LIKE_HASHES.contains(&bytes.len()) && !path.is_empty() {
            return None;
        }
        let (readings, format) = [format.or(Some(Format::Ssz)), format]
            .map(|format| (readings(&bytes, format, kind), format))
            .into_iter()
            .find(|(readings, _)| !readings.is_empty())?;
        Some(Found { path: path.to_owned(), bytes, readings, format })
    });
    if let Some(here) = here {
        found.push(here);
        return;
    }
    match node {
        Node::Map(map) => {
            for (name, node) in map {
                let dot = if path.is_empty() { "" } else { "." };
                find(node, &format!("{path}{dot}{name}"), found);
            }
        }
        Node::List(list) => {
            for (i, node) in list.iter().enumerate() {
                find(node, &format!("{path}[{i}]"), found);
            }
        }
        Node::Text(_) | Node::Bytes(_) => {}
    }
}

/// The bytes of a node that may be a value, and the encoding if it is known.
pub(super) fn value(node: &Node) -> Option<(Zeroizing<Vec<u8>>, Option<Format>)> {
    match node {
        Node::Text(text) if hexadecimal::is(text.as_bytes()) => {
            Some((Zeroizing::new(hexadecimal::decode(text.as_bytes()).ok()?), None))
        }
        Node::Text(text) => Some((base64::decode(text.as_bytes())?, None)),
        Node::Bytes(bytes) => Some((bytes.clone(), None)),
        // The first fields of public keys and signatures in JSON.
        #[cfg(feature = "json")]
        Node::Map(_) if ["root", "rho"].iter().any(|name| node.get(name).is_some()) => {
            let mut text = Zeroizing::new(String::new());
            json(node, &mut text)?;
            Some((Zeroizing::new(std::mem::take(&mut *text).into_bytes()), Some(Format::Json)))
        }
        _ => None,
    }
}

/// What the name of a field says of its value.
pub(super) fn kind_by_name(path: &str) -> Option<Kind> {
    let path = path.to_ascii_lowercase();
    // The innermost name that says anything.
    path.rsplit(['.', '[']).find_map(|name| {
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        if has(&["priv", "secret", "seed"]) || matches!(name, "sk") {
            Some(Kind::SecretKey)
        } else if has(&["pub"]) || matches!(name, "pk" | "key") {
            Some(Kind::PublicKey)
        } else if has(&["sig"]) {
            Some(Kind::Signature)
        } else {
            None
        }
    })
}

/// What a value may be.
fn readings(bytes: &[u8], format: Option<Format>, kind: Option<Kind>) -> Vec<Reading> {
    let filter = Filter { kind, format, ..Filter::default() };
    let of_xmss = xmss::candidates(bytes, filter).unwrap_or_default();
    let mut all: Vec<Reading> = of_xmss.iter().map(xmss::describe).collect();
    if LIKE_HASHES.contains(&bytes.len()) {
        let of_ed25519 = ed25519::readings(bytes, None).unwrap_or_default();
        let of_kind = of_ed25519.iter().filter(|reading| kind.is_none_or(|kind| kind == reading.kind()));
        all.extend(of_kind.map(ed25519::describe));
    }
    all
}

/// A small object as JSON; numbers as they are written.
#[cfg(feature = "json")]
fn json(node: &Node, text: &mut String) -> Option<()> {
    if text.len() > MAX_OBJECT_BYTES {
        return None;
    }
    match node {
        Node::Text(value) if value.bytes().all(|byte| byte.is_ascii_digit()) && !value.is_empty() => {
            text.push_str(value);
        }
        Node::Text(value) if value.chars().all(|c| c != '"' && c != '\\' && !c.is_control()) => {
            write!(text, "\"{}\"", value.as_str()).ok()?;
        }
        Node::Text(_) => return None,
        Node::Bytes(bytes) => {
            text.push('[');
            for (i, byte) in bytes.iter().enumerate() {
                write!(text, "{}{byte}", if i > 0 { "," } else { "" }).ok()?;
            }
            text.push(']');
        }
        Node::List(list) => {
            text.push('[');
            for (i, node) in list.iter().enumerate() {
                text.push_str(if i > 0 { "," } else { "" });
                json(node, text)?;
            }
            text.push(']');
        }
        Node::Map(map) => {
            text.push('{');
            for (i, (name, node)) in map.iter().enumerate() {
                if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                    return None;
                }
                write!(text, "{}\"{name}\":", if i > 0 { "," } else { "" }).ok()?;
                json(node, text)?;
            }
            text.push('}');
        }
    }
    Some(())
}
