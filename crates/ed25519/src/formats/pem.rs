//! PEM (RFC 7468), the strict kind: one block, nothing but white space around it, base64 alone on its lines. Lines end
//! in LF or CRLF and may have any width.

use super::base64::{self, Standard};
use crate::error::{Error, invalid};
use alloc::string::String;
use alloc::vec::Vec;
use zeroize::Zeroizing;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// The label of the first line, if it is a BEGIN line.
pub(super) fn label(text: &str) -> Option<&str> {
    text.trim_ascii_start().lines().next()?.trim_ascii_end().strip_prefix(BEGIN)?.strip_suffix(DASHES)
}

pub(super) fn decode(text: &str, wanted: &str) -> Result<Zeroizing<Vec<u8>>, Error> {
    if label(text) != Some(wanted) {
        return Err(invalid("no PEM block of the wanted label"));
    }
    // One buffer of full size: growing would leave copies behind.
    let mut characters = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut lines = text.trim_ascii().lines().skip(1);
    for line in &mut lines {
        if let Some(end) = line.strip_prefix(END) {
            if end.strip_suffix(DASHES) != Some(wanted) || lines.next().is_some() {
                return Err(invalid("PEM block does not end as it begins, or text follows it"));
            }
            return base64::decode::<Standard>(&characters);
        }
        if line.is_empty() {
            return Err(invalid("empty line inside a PEM block"));
        }
        characters.extend_from_slice(line.as_bytes());
    }
    Err(invalid("PEM block without end"))
}

/// The block with lines of `columns` characters, the last line ended too.
pub(super) fn encode(label: &str, bytes: &[u8], columns: usize) -> Zeroizing<String> {
    let body = base64::encode::<Standard>(bytes);
    let size = body.len() + body.len() / columns + 2 * label.len() + 40;
    let mut text = Zeroizing::new(String::with_capacity(size));
    for part in [BEGIN, label, DASHES, "\n"] {
        text.push_str(part);
    }
    let mut rest = body.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(columns.min(rest.len()));
        text.push_str(line);
        text.push('\n');
        rest = after;
    }
    for part in [END, label, DASHES, "\n"] {
        text.push_str(part);
    }
    debug_assert!(text.capacity() == size, "written without growing");
    text
}
