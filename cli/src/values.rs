//! Public keys and signatures as people hand them around: files, or the text itself on the command line, in hexadecimal,
//! base64, or a line of OpenSSH. Secrets never come this way.

use crate::exit::Failure;
use crate::{files, key_files};
use phalanx_identify::hexadecimal;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Bytes of minisign's public keys as `minisign -P` takes them: an algorithm, a name and the key.
const MINISIGN_KEY_BYTES: usize = 42;

/// The bytes of a public key or signature: those of the file called `argument`, or where there is none what the argument
/// itself writes. Base64 is decoded; hexadecimal in a file is left to the reader of the form.
///
/// # Errors
/// As [`files::read`].
pub(crate) fn read(argument: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let is_file = files::is_standard(argument) || argument.symlink_metadata().is_ok();
    if let Some(bytes) = argument.to_str().filter(|_| !is_file).and_then(inline) {
        return Ok(Zeroizing::new(bytes));
    }
    let bytes = files::read(argument)?;
    Ok(match base64(&bytes) {
        Some(decoded) => Zeroizing::new(decoded),
        None => bytes,
    })
}

/// A key or signature that was named, read once: pipes, `<(...)` of a shell among them, give what is in them once.
pub(crate) struct Given {
    /// The file, or the text itself.
    pub(crate) file: PathBuf,
    /// What is in it.
    pub(crate) bytes: Zeroizing<Vec<u8>>,
}

impl Given {
    /// As [`read`](self::read).
    ///
    /// # Errors
    /// As [`files::read`].
    pub(crate) fn read(argument: &Path) -> Result<Self, Failure> {
        Ok(Self { file: argument.to_owned(), bytes: read(argument)? })
    }

    /// A public key, of a folder that of its `key.json`.
    ///
    /// # Errors
    /// As [`key_files::public`] and [`files::read`].
    pub(crate) fn public_key(argument: &Path) -> Result<Self, Failure> {
        Self::read(&key_files::public(argument)?)
    }

    /// A secret key, likewise. It is in a file, never in the argument.
    ///
    /// # Errors
    /// As [`key_files::secret`] and [`files::read`].
    pub(crate) fn secret_key(argument: &Path) -> Result<Self, Failure> {
        let file = key_files::secret(argument)?;
        Ok(Self { bytes: files::read(&file)?, file })
    }

    /// With hexadecimal decoded in a file, too.
    pub(crate) fn decoded(self) -> Self {
        let decoded = Some(&self.bytes).filter(|bytes| hexadecimal::is(bytes));
        match decoded.and_then(|bytes| hexadecimal::decode(bytes).ok()) {
            Some(bytes) => Self { bytes: Zeroizing::new(bytes), ..self },
            None => self,
        }
    }
}

/// What a text on the command line writes, if it is no shorter than a key.
fn inline(text: &str) -> Option<Vec<u8>> {
    if text.starts_with("ssh-ed25519 ") {
        return Some(text.as_bytes().to_vec());
    }
    if hexadecimal::is(text.as_bytes()) {
        return hexadecimal::decode(text.as_bytes()).ok().filter(|bytes| bytes.len() >= 32);
    }
    base64(text.as_bytes())
}

/// What base64 writes. Nothing is taken for it whose length is that of a raw key or signature, or of one in hexadecimal.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    if matches!(text.len(), 32 | 64) || hexadecimal::is(text) {
        return None;
    }
    let mut decoded = phalanx_identify::base64::decode(text)?;
    if decoded.len() == MINISIGN_KEY_BYTES {
        let digits = String::from_utf8_lossy(text.trim_ascii());
        return Some(format!("untrusted comment: minisign public key\n{digits}\n").into_bytes());
    }
    Some(std::mem::take(&mut *decoded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64ct::{Base64, Base64Unpadded, Base64Url, Base64UrlUnpadded, Encoding};

    #[test]
    fn texts_of_keys_and_signatures() {
        let (key, signature) = ([0xfb; 32], [0xef; 64]);
        for bytes in [&key[..], &signature] {
            assert_eq!(inline(&hex::encode(bytes)).as_deref(), Some(bytes));
            assert_eq!(inline(&format!("0x{}", hex::encode_upper(bytes))).as_deref(), Some(bytes));
            for text in [
                Base64::encode_string(bytes),
                Base64Unpadded::encode_string(bytes),
                Base64Url::encode_string(bytes),
                Base64UrlUnpadded::encode_string(bytes),
            ] {
                assert_eq!(inline(&text).as_deref(), Some(bytes), "{text}");
                assert_eq!(base64(format!("{text}\r\n").as_bytes()).as_deref(), Some(bytes), "{text}");
            }
        }
        let minisign = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
        assert_eq!(
            inline(minisign),
            Some(format!("untrusted comment: minisign public key\n{minisign}\n").into_bytes())
        );
        // Of the alphabet of URLs but for the blanks.
        let openssh = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID1AF8PoQ4lakrcKp00bfrycmCzPLsSWjMDNVfEq9GYM";
        assert_eq!(base64(format!("{openssh}\n").as_bytes()), None);
        for other in ["letter", "keys/public-key.raw", "00ff", "", "a b c", &"x".repeat(32), &"y".repeat(64)]
        {
            assert_eq!(inline(other), None, "{other}");
        }
    }
}
