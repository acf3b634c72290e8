//! Hexadecimal as people and programs write it: either case, `0x` before it or not, blanks and line ends anywhere.

use hex::FromHexError;
use zeroize::Zeroizing;

/// The digits alone. Wiped on drop, since they may be a secret's.
fn digits(text: &[u8]) -> Zeroizing<Vec<u8>> {
    let text = text.trim_ascii();
    let text = text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X")).unwrap_or(text);
    let mut digits = Zeroizing::new(Vec::with_capacity(text.len()));
    digits.extend(text.iter().filter(|byte| !byte.is_ascii_whitespace()));
    digits
}

/// Whether `text` is digits, one at least.
#[must_use]
pub fn is(text: &[u8]) -> bool {
    let digits = digits(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit)
}

/// How many digits `text` has, or characters in their place.
#[must_use]
pub fn count(text: &[u8]) -> usize {
    let digits = digits(text);
    std::str::from_utf8(&digits).map_or(digits.len(), |digits| digits.chars().count())
}

/// The bytes that `text` writes; none for an empty text.
///
/// # Errors
/// A character that is no digit, or half a byte.
pub fn decode(text: &[u8]) -> Result<Vec<u8>, FromHexError> {
    hex::decode(&*digits(text))
}

/// The bytes that `text` writes, straight to where they belong: no copy of a secret is left behind.
///
/// # Errors
/// A character that is no digit, or another number of bytes than `bytes` has.
pub fn decode_to_slice(text: &[u8], bytes: &mut [u8]) -> Result<(), FromHexError> {
    hex::decode_to_slice(&*digits(text), bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_people_write_and_nothing_else() {
        for good in ["0aff", "0AfF", "0x0aff", "0X0AFF", " 0x0aff\r\n", "0a\nff\n", "0 a f f", "\t0x 0aff"] {
            assert_eq!(decode(good.as_bytes()), Ok(vec![0x0a, 0xff]), "{good:?}");
            let mut bytes = [0; 2];
            assert_eq!(decode_to_slice(good.as_bytes(), &mut bytes), Ok(()), "{good:?}");
            assert_eq!((bytes, count(good.as_bytes())), ([0x0a, 0xff], 4), "{good:?}");
        }
        for bad in ["0aff0", "0x0x0aff", "0a,ff", "0axff", "0g", "\u{a0}0aff", "x0aff", "0aff\0"] {
            assert!(decode(bad.as_bytes()).is_err(), "{bad:?}");
        }
        assert!(decode_to_slice(b"0aff", &mut [0; 3]).is_err());
        assert!(is(b"0x0af\n") && !is(b"0x") && !is(b"") && !is(b"0x0axf"));
        assert_eq!((decode(b"0x"), count("0xäöü".as_bytes())), (Ok(Vec::new()), 3));
    }
}
