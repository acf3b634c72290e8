//! Hexadecimal values in JSON: digits alone, without a prefix.

/// The bytes of the value called `what`.
///
/// # Errors
/// What is wrong with it, in words.
pub(crate) fn decode(what: &str, digits: &str) -> Result<Vec<u8>, String> {
    if digits.starts_with("0x") || digits.starts_with("0X") {
        return Err(format!("{what}: begins with 0x, wanted hexadecimal digits alone"));
    }
    hex::decode(digits).map_err(|error| format!("{what}: {error}"))
}
