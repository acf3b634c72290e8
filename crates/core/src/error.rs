//! The errors that more than one scheme returns.

use core::fmt;

/// A signature does not verify. Says nothing more: nobody honest needs the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSignature;

impl fmt::Display for InvalidSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("signature does not verify")
    }
}

impl core::error::Error for InvalidSignature {}

/// Bytes from outside that are not what they should be: what was looked at, what was got and what was wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The part of the input, such as `"length in bytes"` or `"offset of hashes"`.
    pub what: &'static str,
    /// The value found.
    pub got: u64,
    /// The value (or, for "below" and "at most" rules, the bound) that was wanted.
    pub wanted: u64,
}

impl Malformed {
    /// `Ok` if `got` equals `wanted`.
    pub fn unless_equal(what: &'static str, got: u64, wanted: u64) -> Result<(), Self> {
        if got == wanted { Ok(()) } else { Err(Self { what, got, wanted }) }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed input: {}: got {}, wanted {}", self.what, self.got, self.wanted)
    }
}

impl core::error::Error for Malformed {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn texts_are_pinned() {
        assert_eq!(InvalidSignature.to_string(), "signature does not verify");
        let error = Malformed::unless_equal("length in bytes", 51, 52).expect_err("51 is not 52");
        assert_eq!(error.to_string(), "malformed input: length in bytes: got 51, wanted 52");
        assert_eq!(Malformed::unless_equal("length in bytes", 52, 52), Ok(()));
    }
}
