//! Members of a keystore, by name and form.

use super::error::{Error, malformed};
use crate::json::{Object, Value};

/// The member `name`.
pub(super) fn value<'a>(object: &'a Object, name: &'static str) -> Result<&'a Value, Error> {
    object.get(name).ok_or_else(|| malformed(name))
}

/// The member `name`, an object.
pub(super) fn object<'a>(object: &'a Object, name: &'static str) -> Result<&'a Object, Error> {
    value(object, name)?.as_object().ok_or_else(|| malformed(name))
}

/// The member `name`, an object, if it is there.
pub(super) fn optional_object<'a>(
    parent: &'a Object,
    name: &'static str,
) -> Result<Option<&'a Object>, Error> {
    if parent.get(name).is_none() { Ok(None) } else { object(parent, name).map(Some) }
}

/// The member `name`, a text.
pub(super) fn text<'a>(object: &'a Object, name: &'static str) -> Result<&'a str, Error> {
    value(object, name)?.as_text().ok_or_else(|| malformed(name))
}

/// The member `name`, a text, if it is there.
pub(super) fn optional_text<'a>(object: &'a Object, name: &'static str) -> Result<Option<&'a str>, Error> {
    if object.get(name).is_none() { Ok(None) } else { text(object, name).map(Some) }
}

/// The member `name`, an integer.
pub(super) fn integer(object: &Object, name: &'static str) -> Result<u64, Error> {
    value(object, name)?.as_integer().ok_or_else(|| malformed(name))
}

/// The member `name`, bytes in hexadecimal; capitals are read.
pub(super) fn bytes(object: &Object, name: &'static str) -> Result<Vec<u8>, Error> {
    hex::decode(text(object, name)?).map_err(|_| malformed(name))
}

/// The member `name`, `N` bytes in hexadecimal.
pub(super) fn array<const N: usize>(object: &Object, name: &'static str) -> Result<[u8; N], Error> {
    bytes(object, name)?.try_into().map_err(|_| malformed(name))
}

/// Whether `text` is a UUID: hexadecimal digits in groups of 8, 4, 4, 4 and 12 (RFC 4122, section 3).
pub(super) fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids() {
        assert!(is_uuid("1b55eaab-a045-4db7-94e6-f6aca3c12f69"));
        assert!(is_uuid("1B55EAAB-A045-4DB7-94E6-F6ACA3C12F69"));
        for bad in [
            "",
            "1b55eaaba0454db794e6f6aca3c12f69",
            "{1b55eaab-a045-4db7-94e6-f6aca3c12f69}",
            "1b55eaab-a045-4db7-94e6-f6aca3c12f6",
            "1b55eaab-a045-4db7-94e6-f6aca3c12f6g",
            "1b55eaab-a045-4db7-94e6-f6aca3c12f69-",
        ] {
            assert!(!is_uuid(bad), "{bad}");
        }
    }
}
