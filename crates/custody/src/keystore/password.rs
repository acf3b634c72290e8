//! Passwords: the bytes that enter the key derivation (ERC-2335).

use super::error::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_public_assigned;
use zeroize::Zeroizing;

/// A password as the key derivation takes it: NFKD, then without control characters, then UTF-8. Wiped on drop.
///
/// ```
/// use phalanx_custody::keystore::Password;
///
/// // The line end of a password file is a control character and does not count; a blank before it does.
/// assert!(Password::from_bytes(b"secret\n")? == Password::from_bytes(b"secret")?);
/// assert!(Password::from_bytes(b"secret \n")? != Password::from_bytes(b"secret")?);
/// # Ok::<(), phalanx_custody::keystore::Error>(())
/// ```
pub struct Password {
    bytes: Zeroizing<Vec<u8>>,
    has_unassigned: bool,
}

impl Password {
    /// The password that `bytes`, which are UTF-8, mean.
    ///
    /// # Errors
    /// [`Error::PasswordNotUtf8`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let text = core::str::from_utf8(bytes).map_err(|_| Error::PasswordNotUtf8)?;
        // Counted first, so that the buffer never grows and leaves a copy behind.
        let kept = || text.nfkd().filter(|&c| !is_control(c));
        let mut normalised = Zeroizing::new(Vec::with_capacity(kept().map(char::len_utf8).sum()));
        for c in kept() {
            let mut buffer = Zeroizing::new([0; 4]);
            normalised.extend_from_slice(c.encode_utf8(&mut buffer[..]).as_bytes());
        }
        let has_unassigned = text.chars().any(|c| !is_public_assigned(c) && !is_control(c));
        Ok(Self { bytes: normalised, has_unassigned })
    }

    /// Whether nothing is left after normalisation. Such a password opens old files and is refused for new ones.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether the password has code points that the version of Unicode in use does not know: another version may
    /// normalise them otherwise, so they make a poor new password.
    #[must_use]
    pub fn has_unassigned(&self) -> bool {
        self.has_unassigned
    }

    /// What enters the key derivation.
    #[must_use]
    pub fn expose(&self) -> &[u8] {
        &self.bytes
    }
}

/// In constant time, for lengths that are equal.
impl PartialEq for Password {
    fn eq(&self, other: &Self) -> bool {
        use subtle::ConstantTimeEq;
        self.bytes.as_slice().ct_eq(other.bytes.as_slice()).into()
    }
}

/// C0, DEL and C1: what ERC-2335 takes away.
fn is_control(c: char) -> bool {
    matches!(c, '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex_of(text: &str) -> String {
        hex::encode(Password::from_bytes(text.as_bytes()).expect("UTF-8").expose())
    }

    #[test]
    fn the_password_of_erc_2335() {
        assert_eq!(hex_of("𝔱𝔢𝔰𝔱𝔭𝔞𝔰𝔰𝔴𝔬𝔯𝔡🔑"), "7465737470617373776f7264f09f9491");
    }

    #[test]
    fn controls_go_and_blanks_stay() {
        assert_eq!(hex_of("a\tb\u{7f}c\u{85}d \r\n"), hex_of("abcd "));
        assert_eq!(hex_of("a\u{a0}b"), hex_of("a b"), "a no-break space is a blank in NFKD");
        assert!(Password::from_bytes(b"\n").expect("UTF-8").is_empty());
    }

    #[test]
    fn unknown_code_points_are_told() {
        let has_unassigned =
            |text: &str| Password::from_bytes(text.as_bytes()).expect("UTF-8").has_unassigned();
        assert!(has_unassigned("a\u{378}"));
        assert!(!has_unassigned("é가\n"));
    }

    #[test]
    fn other_encodings_are_refused() {
        assert!(matches!(Password::from_bytes(b"caf\xe9"), Err(Error::PasswordNotUtf8)));
    }
}
