//! Base64 as people hand it around: of either alphabet, padded or not, on one line or wrapped.

use base64ct::{Base64, Base64Unpadded, Base64Url, Base64UrlUnpadded, Encoding};
use zeroize::Zeroizing;

/// The shortest line that texts are wrapped to.
const MIN_WRAPPED: usize = 60;

/// The bytes that `text` writes; `None` if it is no base64, or too short for a key.
///
/// Blanks are taken for ends of lines only where all lines but the last are equally long, so that prose is no base64, and
/// no key of OpenSSH.
#[must_use]
pub fn decode(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let text = std::str::from_utf8(text).ok()?;
    let first = text.split_ascii_whitespace().next()?.len();
    let mut digits = Zeroizing::new(String::with_capacity(text.len()));
    let mut is_last = false;
    for line in text.split_ascii_whitespace() {
        if is_last || line.len() > first {
            return None;
        }
        is_last = line.len() < first || first < MIN_WRAPPED;
        digits.push_str(line);
    }
    let decoded = Base64::decode_vec(&digits)
        .or_else(|_| Base64Unpadded::decode_vec(&digits))
        .or_else(|_| Base64Url::decode_vec(&digits))
        .or_else(|_| Base64UrlUnpadded::decode_vec(&digits))
        .map(Zeroizing::new);
    // No key and no signature has fewer bytes.
    decoded.ok().filter(|bytes| bytes.len() >= 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_people_write_and_no_prose() {
        let bytes = [0xfb; 32];
        for text in [
            Base64::encode_string(&bytes),
            Base64Unpadded::encode_string(&bytes),
            Base64Url::encode_string(&bytes),
            Base64UrlUnpadded::encode_string(&bytes),
        ] {
            for text in [text.clone(), format!("{text}\r\n"), format!(" {text}")] {
                assert_eq!(decode(text.as_bytes()).as_deref(), Some(&bytes.to_vec()), "{text}");
            }
        }
        let long = Base64::encode_string(&[0xef; 300]);
        for width in [60, 64, 76] {
            let lines: Vec<_> = long.as_bytes().chunks(width).map(String::from_utf8_lossy).collect();
            for end in ["\n", "\r\n", " "] {
                assert_eq!(decode(lines.join(end).as_bytes()).as_deref(), Some(&vec![0xef; 300]), "{width}");
            }
        }
        let short: Vec<_> = long.as_bytes().chunks(20).map(String::from_utf8_lossy).collect();
        let prose = "words that are no base64 and have blanks at odd places between them all";
        let ssh = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID1AF8PoQ4lakrcKp00bfrycmCzPLsSWjMDNVfEq9GYM";
        let uneven = format!("{}\n{}\n{}", &long[..64], &long[64..127], &long[127..]);
        for text in ["", "\n", "AAAA", &short.join("\n"), prose, ssh, &uneven, &format!("{long}=")] {
            assert_eq!(decode(text.as_bytes()), None, "{text}");
        }
    }
}
