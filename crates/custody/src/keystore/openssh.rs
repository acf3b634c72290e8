//! Encrypted private files of OpenSSH (PROTOCOL.key), as far as they hold a key of Ed25519.

use super::error::{Error, Verdict, malformed, refused};
use super::secret::KeySecret;
use aes_gcm::aes::Aes256;
use base64ct::{Base64, Encoding};
use ctr::Ctr128BE;
use ctr::cipher::{KeyIvInit, StreamCipher};
use phalanx_ed25519::SigningKey;
use zeroize::Zeroizing;

/// Longer files are not those of one key of Ed25519.
const MAX_BYTES: usize = 1 << 16;
/// Most rounds of bcrypt, each of which takes some milliseconds. ssh-keygen makes 16, or 24 in later versions.
const MAX_ROUNDS: u32 = 4096;

/// Rounds of bcrypt in the files that are written: those of ssh-keygen since OpenSSH 9.4.
const ROUNDS: u32 = 24;
/// The width of ssh-keygen's lines.
const COLUMNS: usize = 70;

const BEGIN: &str = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END: &str = "-----END OPENSSH PRIVATE KEY-----";
const MAGIC: &[u8] = b"openssh-key-v1\0";
const KEY_TYPE: &[u8] = b"ssh-ed25519";

impl KeySecret {
    /// The seed of the Ed25519 key in an encrypted file of OpenSSH or, where it does not begin as those do, in PKCS#8.
    ///
    /// # Errors
    /// Those of [`from_encrypted_openssh`](Self::from_encrypted_openssh) and
    /// [`from_encrypted_pkcs8`](Self::from_encrypted_pkcs8).
    pub fn from_encrypted_file(file: &[u8], password: &[u8]) -> Result<Self, Error> {
        if file.trim_ascii_start().starts_with(BEGIN.as_bytes()) {
            Self::from_encrypted_openssh(file, password)
        } else {
            Self::from_encrypted_pkcs8(file, password)
        }
    }

    /// The seed of the Ed25519 key in a private file of OpenSSH that is encrypted as ssh-keygen does it: by AES-256 in
    /// counter mode, with a key derived by bcrypt. `password` is taken as it is.
    ///
    /// # Errors
    /// [`Error::Refused`]: `malformed` for anything else, `unsupported_function` for other ciphers, `kdf_bounds`,
    /// `wrong_password`; `unsupported_scheme` for keys of other schemes.
    pub fn from_encrypted_openssh(file: &[u8], password: &[u8]) -> Result<Self, Error> {
        Self::from_encrypted_openssh_with_comment(file, password).map(|(secret, _)| secret)
    }

    /// [`from_encrypted_openssh`](Self::from_encrypted_openssh) with the comment in the file, which is encrypted with the
    /// key.
    ///
    /// # Errors
    /// As there; `damaged` for a comment that is not a line of text.
    pub fn from_encrypted_openssh_with_comment(
        file: &[u8],
        password: &[u8],
    ) -> Result<(Self, String), Error> {
        if file.len() > MAX_BYTES {
            return Err(refused(Verdict::TooLarge, "at most 65536 bytes are read"));
        }
        let bytes = unarmored(file).ok_or_else(|| malformed("not a private file of OpenSSH"))?;
        let mut rest =
            bytes.strip_prefix(MAGIC).ok_or_else(|| malformed("no magic of an OpenSSH private key"))?;
        let (cipher_name, kdf, mut options) = (string(&mut rest)?, string(&mut rest)?, string(&mut rest)?);
        if (cipher_name, kdf) != (b"aes256-ctr", b"bcrypt") {
            return Err(refused(Verdict::UnsupportedFunction, "encryption of OpenSSH"));
        }
        let (salt, rounds) = (string(&mut options)?, number(&mut options)?);
        let count = number(&mut rest)?;
        let (mut public, encrypted) = (string(&mut rest)?, string(&mut rest)?);
        if count != 1 || !options.is_empty() || !rest.is_empty() || encrypted.len() % 16 != 0 {
            return Err(malformed("not exactly one key, or bytes after it"));
        }
        if string(&mut public)? != KEY_TYPE {
            return Err(refused(Verdict::UnsupportedScheme, "not a key of Ed25519"));
        }
        let public_key = string(&mut public)?;
        if !(1..=MAX_ROUNDS).contains(&rounds) || !(8..=64).contains(&salt.len()) {
            return Err(refused(Verdict::KdfBounds, "bcrypt"));
        }
        let mut private = Zeroizing::new(encrypted.to_vec());
        cipher(password, salt, rounds)?.apply_keystream(&mut private);
        let mut fields = &private[..];
        if number(&mut fields)? != number(&mut fields)? {
            return Err(refused(Verdict::WrongPassword, "OpenSSH"));
        }
        seed_of(fields, public_key)
    }
}

impl KeySecret {
    /// The private file of OpenSSH with this seed of Ed25519, encrypted as ssh-keygen does it: by AES-256 in counter mode,
    /// with a key derived by 24 rounds of bcrypt from `password`, which is taken as it is, and a new salt.
    ///
    /// # Errors
    /// [`Error::Refused`]: `malformed` for a comment with a control character and for an empty password,
    /// `scheme_mismatch` for what is no seed; [`Error::NoRandomness`].
    pub fn to_encrypted_openssh(&self, comment: &str, password: &[u8]) -> Result<Zeroizing<String>, Error> {
        if password.is_empty() || comment.chars().any(char::is_control) {
            return Err(malformed("an empty password, or a comment that is not one line"));
        }
        let key = SigningKey::from_seed(self.seed().ok_or_else(no_seed)?);
        let public = key.verifying_key().to_bytes();
        let mut random = [0; 20];
        getrandom::fill(&mut random).map_err(|_| Error::NoRandomness)?;
        let (salt, check) = random.split_at(16);

        let pair = Zeroizing::new(key.to_keypair_bytes());
        let mut private = Zeroizing::new(Vec::with_capacity(160 + comment.len()));
        private.extend_from_slice(check);
        private.extend_from_slice(check);
        for field in [KEY_TYPE, &public, &pair[..], comment.as_bytes()] {
            push(&mut private, field);
        }
        let padding = private.len().next_multiple_of(16) - private.len();
        private.extend((1..).take(padding));
        cipher(password, salt, ROUNDS)?.apply_keystream(&mut private);

        let (mut options, mut blob) = (Vec::new(), Vec::new());
        push(&mut options, salt);
        options.extend_from_slice(&ROUNDS.to_be_bytes());
        push(&mut blob, KEY_TYPE);
        push(&mut blob, &public);
        let mut file = MAGIC.to_vec();
        for field in [&b"aes256-ctr"[..], b"bcrypt", &options] {
            push(&mut file, field);
        }
        file.extend_from_slice(&1_u32.to_be_bytes());
        push(&mut file, &blob);
        push(&mut file, &private);
        let digits = Base64::encode_string(&file);
        let mut text = Zeroizing::new(format!("{BEGIN}\n"));
        for line in digits.as_bytes().chunks(COLUMNS) {
            text.extend(line.iter().map(|&digit| char::from(digit)));
            text.push('\n');
        }
        text.push_str(END);
        text.push('\n');
        Ok(text)
    }
}

/// What only keys of Ed25519 have.
pub(super) fn no_seed() -> Error {
    refused(Verdict::SchemeMismatch, "not a seed of Ed25519")
}

/// The key stream for a password.
fn cipher(password: &[u8], salt: &[u8], rounds: u32) -> Result<Ctr128BE<Aes256>, Error> {
    let mut derived = Zeroizing::new([0; 48]);
    // An empty password is none.
    bcrypt_pbkdf::bcrypt_pbkdf(password, salt, rounds, &mut derived[..])
        .map_err(|_| refused(Verdict::WrongPassword, "OpenSSH"))?;
    Ok(Ctr128BE::<Aes256>::new_from_slices(&derived[..32], &derived[32..])
        .expect("32 bytes of key and 16 of counter"))
}

/// Bytes behind their number.
fn push(bytes: &mut Vec<u8>, field: &[u8]) {
    let len = u32::try_from(field.len()).expect("no field has 4 GiB");
    bytes.extend_from_slice(&len.to_be_bytes());
    bytes.extend_from_slice(field);
}

/// The seed in what was decrypted, and the comment. The password was right, so that what is wrong now is damage.
fn seed_of(mut fields: &[u8], public_key: &[u8]) -> Result<(KeySecret, String), Error> {
    let damaged = || refused(Verdict::Damaged, "the private part of an OpenSSH file");
    let mut next = || string(&mut fields).map_err(|_| damaged());
    let (key_type, inner, pair, comment) = (next()?, next()?, next()?, next()?);
    let comment = core::str::from_utf8(comment).map_err(|_| damaged())?;
    let is_padding = fields.len() < 16 && fields.iter().copied().eq((1..).take(fields.len()));
    let seed: &[u8; 32] = pair.first_chunk().ok_or_else(damaged)?;
    let key = SigningKey::from_seed(seed);
    let own = key.verifying_key().to_bytes();
    if key_type != KEY_TYPE
        || !is_padding
        || pair.len() != 64
        || pair[32..] != own
        || inner != own
        || public_key != own
        || comment.chars().any(char::is_control)
    {
        return Err(damaged());
    }
    Ok((KeySecret::from_seed(seed), comment.to_owned()))
}

/// The bytes in the text.
fn unarmored(file: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let text = core::str::from_utf8(file).ok()?.trim_ascii();
    let lines = text.strip_prefix(BEGIN)?.strip_suffix(END)?;
    let digits: Zeroizing<String> = Zeroizing::new(lines.split_ascii_whitespace().collect());
    Base64::decode_vec(&digits).ok().map(Zeroizing::new)
}

/// A number in front of `bytes`.
fn number(bytes: &mut &[u8]) -> Result<u32, Error> {
    let (number, rest) = bytes.split_first_chunk().ok_or_else(|| malformed("an OpenSSH file that is cut"))?;
    *bytes = rest;
    Ok(u32::from_be_bytes(*number))
}

/// Bytes behind their number.
fn string<'a>(bytes: &mut &'a [u8]) -> Result<&'a [u8], Error> {
    let len = usize::try_from(number(bytes)?).unwrap_or(usize::MAX);
    let (string, rest) =
        bytes.split_at_checked(len).ok_or_else(|| malformed("an OpenSSH file that is cut"))?;
    *bytes = rest;
    Ok(string)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by `ssh-keygen -t ed25519 -a 1`; with `-Z aes256-gcm@openssh.com`; with `-t ecdsa`.
    const FILE: &str = "-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABA/iJ16aB
N9AkzlCh2HEwTAAAAAAQAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIAzeWyVQU9c/n+qE
Ciddd3j87kFsDwSxxOJU6xu1QH8DAAAAkIr9aYHwdGf4dQe84o7ihrgJdG1LP3cAYSaPSn
XOjT/SsCnTg69Ntw37CxDQjv98TzK2eOpl1l0XxEv/cFeb2PbV39kBw+SZUKUK4IoEE9RW
iHTOFhdm2tFNt3XBeekwXqWOkzCnKN9c0eRVvWDYoMj47D8TQtXSLt5TYTQ8la9Sk7KKAl
TI/9XP8jinv4syjw==
-----END OPENSSH PRIVATE KEY-----
";
    const GCM: &str = "-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAAFmFlczI1Ni1nY21Ab3BlbnNzaC5jb20AAAAGYmNyeXB0AA
AAGAAAABD7p2lUL6hgd+wmDTEHRNRRAAAAAQAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAA
IAi/UGsb6VEpaVqTyK+zLWw6YdlccSYjv8YEYauoVk4EAAAAkCdGpSIQTpMs+16xvn4YVp
nU0bY6H94YpE3srXBQMx3RT0sBo5iMajqYDYXeXpENHPUx1st7927U8Aa3nczeXJUvXEiN
HpHYxtChfxDHvgg6lnvMzBW+uAHnEpgMNlD5qBqHTcjb9rN1YRU2BIBjA307ffCDPSeDtw
6dUlrvpOojxiXVVUKTURyHcipDb7JuW6VAA/QHGpFNBJxCVJEyVvI=
-----END OPENSSH PRIVATE KEY-----
";
    const ECDSA: &str = "-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABASsxpnH2
liskcSAbhnvF+7AAAAAQAAAAEAAABoAAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlz
dHAyNTYAAABBBMRVe1twZ1rH6FZwbbu5dGDkL0PGjmaV5ODPEWF2Vfk6ICO6AXZnk3EMZG
rflWc1CTFzK1c/bFPtrzIi47M6580AAACgjHHM0e6B88j9uJa0LkH+L0N4J44/xiuZbnV9
VsesU0ehqzwwKUhZb5I53ycAfpOGAL3AlcoJI64rk/aO5+lrjlqcOGN5Jaw1Xcjhm07Yqf
GlVrNUpiuQPNYqspWA0eRzLWDyuPIRW6RCDqMsxb6hpoBiUeDANxm7kQD3vv71asSHa0mj
YOwofbBAtT6TBApdIZtTE1wEgXFUJS0v/4+iKw==
-----END OPENSSH PRIVATE KEY-----
";
    const SEED: &str = "5c54d98783a7b43171ef83b2cee4acc97881ebf9b5cd68d38bce49338fd727f0";

    fn open(file: &[u8], password: &str) -> Result<String, Option<Verdict>> {
        let secret = KeySecret::from_encrypted_openssh(file, password.as_bytes());
        let alike = KeySecret::from_encrypted_file(file, password.as_bytes());
        assert_eq!(
            alike.map(|secret| secret.expose().to_vec()).ok(),
            secret.as_ref().map(|secret| secret.expose().to_vec()).ok()
        );
        secret.map(|secret| hex::encode(secret.expose())).map_err(Error::verdict)
    }

    #[test]
    fn a_file_of_ssh_keygen() {
        assert_eq!(open(FILE.as_bytes(), "correct horse").as_deref(), Ok(SEED));
        for wrong in ["correct horsf", ""] {
            assert_eq!(open(FILE.as_bytes(), wrong), Err(Some(Verdict::WrongPassword)), "{wrong}");
        }
        assert_eq!(open(GCM.as_bytes(), "correct horse"), Err(Some(Verdict::UnsupportedFunction)));
        assert_eq!(open(ECDSA.as_bytes(), "correct horse"), Err(Some(Verdict::UnsupportedScheme)));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let seed = [0x5a; 32];
        let secret = KeySecret::from_seed(&seed);
        let file =
            secret.to_encrypted_openssh("me@home", b"correct horse").expect("a comment and a password");
        let (again, comment) =
            KeySecret::from_encrypted_openssh_with_comment(file.as_bytes(), b"correct horse")
                .expect("it is ours");
        assert_eq!((again.expose(), &*comment), (&seed[..], "me@home"));
        assert_eq!(open(file.as_bytes(), "correct horsf"), Err(Some(Verdict::WrongPassword)));
        let other =
            secret.to_encrypted_openssh("me@home", b"correct horse").expect("a comment and a password");
        assert_ne!(*file, *other, "the salt is new");
        for (comment, password) in [("me@home", ""), ("me\n", "correct horse")] {
            let refused = secret.to_encrypted_openssh(comment, password.as_bytes());
            assert_eq!(refused.err().and_then(Error::verdict), Some(Verdict::Malformed));
        }
    }

    /// Bytes of the file changed and lengths cut, a few of each field, since each costs a derivation: refused, or the same key
    /// where the comment is another.
    #[test]
    fn damage_is_refused() {
        let whole = unarmored(FILE.as_bytes()).expect("it is one");
        let armored = |bytes: &[u8]| format!("{BEGIN}\n{}\n{END}\n", Base64::encode_string(bytes));
        for cut in (0..whole.len()).step_by(7) {
            assert!(open(armored(&whole[..cut]).as_bytes(), "correct horse").is_err(), "{cut}");
        }
        let rounds = MAGIC.len() + 4 + 10 + 4 + 6 + 4 + 4 + 16;
        for place in (0..whole.len()).step_by(5).chain(rounds..rounds + 3) {
            let mut bytes = whole.to_vec();
            bytes[place] ^= 0x40;
            let opened = open(armored(&bytes).as_bytes(), "correct horse");
            if (rounds..rounds + 3).contains(&place) {
                assert_eq!(opened, Err(Some(Verdict::KdfBounds)), "{place}");
            }
            assert!(opened.is_err() || opened.as_deref() == Ok(SEED), "{place}");
        }
    }
}
