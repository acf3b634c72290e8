//! Secret key files: 158 bytes, of which the last 104 (key id, key pair, checksum) may be encrypted under a password.

use super::public_key::{ED25519, KeyId, Lines, PublicKey, UNTRUSTED, comment_of};
use crate::error::{Error, invalid};
use crate::formats::base64::{self, Standard};
use crate::key::SigningKey;
use alloc::string::String;
use alloc::vec::Vec;
use blake2::digest::consts::U32;
use blake2::{Blake2b, Digest};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

const FILE_LEN: usize = 158;
const BODY_LEN: usize = 104;
const SCRYPT: [u8; 2] = *b"Sc";
const NOT_ENCRYPTED: [u8; 2] = [0, 0];
const BLAKE2B: [u8; 2] = *b"B2";
const WRONG_CHECKSUM: Error = invalid("checksum of the minisign key");

/// A secret key with its name. Wiped when dropped; has no `Debug`.
#[derive(Clone)]
pub struct SecretKey {
    /// The name.
    pub key_id: KeyId,
    /// The key.
    pub key: SigningKey,
}

/// How much work and memory a guess of the password costs, as libsodium counts them. A file says it for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scrypt {
    /// Operations.
    pub opslimit: u64,
    /// Bytes of memory.
    pub memlimit: u64,
}

impl Scrypt {
    /// What minisign takes: 1 GiB of memory, seconds of work.
    pub const SENSITIVE: Self = Self { opslimit: 33_554_432, memlimit: 1 << 30 };
    /// What minisign for Rust takes: 32 MiB of memory.
    pub const MODERATE: Self = Self { opslimit: 1_048_576, memlimit: 1 << 25 };

    /// Files that want more than this are refused: opening a file must not take all memory, nor hours.
    const MAX: Self = Self { opslimit: 4 * Self::SENSITIVE.opslimit, memlimit: Self::SENSITIVE.memlimit };
    const MAX_P: u32 = 1 << 14;

    /// N, r and p, as libsodium's `crypto_pwhash_scryptsalsa208sha256` picks them.
    fn parameters(self) -> Result<scrypt::Params, Error> {
        const R: u32 = 8;
        if self.opslimit > Self::MAX.opslimit || self.memlimit > Self::MAX.memlimit {
            return Err(invalid("scrypt parameters are beyond 1 GiB or minutes of work"));
        }
        let opslimit = self.opslimit.max(32_768);
        // The smallest N above half of what the limit allows.
        let log2_n = |max_n: u64| (1..63).find(|log2| 1_u64 << log2 > max_n / 2).unwrap_or(63);
        let (log2_n, p) = if opslimit < self.memlimit / 32 {
            (log2_n(opslimit / (u64::from(R) * 4)), 1)
        } else {
            let log2_n = log2_n(self.memlimit / (u64::from(R) * 128));
            (log2_n, ((opslimit / 4) >> log2_n).min(0x3fff_ffff) / u64::from(R))
        };
        // Each of the p blocks takes memory of its own, which the limit does not count.
        let p = u32::try_from(p).ok().filter(|&p| p <= Self::MAX_P);
        let p = p.ok_or(invalid("scrypt parameters are beyond 1 GiB or minutes of work"))?;
        scrypt::Params::new(log2_n, R, p).map_err(|_| invalid("scrypt parameters"))
    }

    /// The bytes that are added to the body.
    fn stream(self, password: &[u8], salt: &[u8]) -> Result<Zeroizing<[u8; BODY_LEN]>, Error> {
        let mut stream = Zeroizing::new([0; BODY_LEN]);
        scrypt::scrypt(password, salt, &self.parameters()?, &mut *stream)
            .map_err(|_| invalid("scrypt parameters"))?;
        Ok(stream)
    }
}

impl SecretKey {
    /// A new key with a random name.
    ///
    /// # Errors
    /// [`Error::RngFailed`].
    #[cfg(feature = "std")]
    pub fn generate() -> Result<Self, Error> {
        Ok(Self { key_id: KeyId(random()?), key: SigningKey::generate()? })
    }

    /// The public half.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        PublicKey { key_id: self.key_id, key: *self.key.verifying_key() }
    }

    /// Whether a secret key file wants a password.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`], [`Error::InvalidLength`].
    pub fn is_encrypted(text: &str) -> Result<bool, Error> {
        Ok(File::read(text)?.scrypt.is_some())
    }

    /// Reads a secret key file; of one that is not encrypted the checksum may be zero. An encrypted one wants the password; for another it is not looked at. What the
    /// password's hash costs in time and memory stands in the file, and is at most 1 GiB.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`], [`Error::InvalidLength`]; [`Error::EncryptedKey`] without a password where one is
    /// wanted, [`Error::WrongPassword`] (also for a damaged file), [`Error::KeyMismatch`].
    pub fn parse(text: &str, password: Option<&[u8]>) -> Result<Self, Error> {
        let mut file = File::read(text)?;
        if let Some(scrypt) = file.scrypt {
            let stream = scrypt.stream(password.ok_or(Error::EncryptedKey)?, &file.salt)?;
            file.body.iter_mut().zip(stream.iter()).for_each(|(byte, mask)| *byte ^= mask);
        }
        let (key_id, rest) = file.body.split_first_chunk::<8>().expect("8 of 104");
        let (key_pair, sum) = rest.split_first_chunk::<64>().expect("64 of 96");
        // minisign 0.11 writes zeros where it does not encrypt; that the halves belong together is looked at below.
        let is_without = file.scrypt.is_none() && *sum == [0; 32];
        if !is_without && !bool::from(checksum(key_id, key_pair)[..].ct_eq(sum)) {
            return Err(if file.scrypt.is_some() { Error::WrongPassword } else { WRONG_CHECKSUM });
        }
        Ok(Self { key_id: KeyId(*key_id), key: SigningKey::from_keypair_bytes(key_pair)? })
    }

    /// The secret key file without encryption, as `minisign -W` writes it.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`] for a comment with a control character or of more than 8 KiB.
    pub fn to_file(&self, comment: &str) -> Result<Zeroizing<String>, Error> {
        self.write(comment, NOT_ENCRYPTED, &[0; 32], Scrypt { opslimit: 0, memlimit: 0 }, &[0; BODY_LEN])
    }

    /// The secret key file under a password, with a random salt.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`] for a comment with a control character or of more than 8 KiB and for a cost that
    /// cannot be; [`Error::RngFailed`].
    #[cfg(feature = "std")]
    pub fn to_encrypted_file(
        &self,
        comment: &str,
        password: &[u8],
        cost: Scrypt,
    ) -> Result<Zeroizing<String>, Error> {
        self.to_encrypted_file_with_salt(comment, password, cost, &random()?)
    }

    /// The secret key file under a password, with a salt of the caller that must be new for every file.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`] for a comment with a control character or of more than 8 KiB and for a cost that
    /// cannot be.
    pub fn to_encrypted_file_with_salt(
        &self,
        comment: &str,
        password: &[u8],
        cost: Scrypt,
        salt: &[u8; 32],
    ) -> Result<Zeroizing<String>, Error> {
        self.write(comment, SCRYPT, salt, cost, &*cost.stream(password, salt)?)
    }

    fn write(
        &self,
        comment: &str,
        kdf: [u8; 2],
        salt: &[u8; 32],
        cost: Scrypt,
        mask: &[u8; BODY_LEN],
    ) -> Result<Zeroizing<String>, Error> {
        let comment = comment_of(comment)?;
        let key_pair = Zeroizing::new(self.key.to_keypair_bytes());
        let sum = checksum(&self.key_id.0, &key_pair);
        let (opslimit, memlimit) = (cost.opslimit.to_le_bytes(), cost.memlimit.to_le_bytes());
        let mut file = Zeroizing::new(Vec::with_capacity(FILE_LEN));
        let head = [&ED25519[..], &kdf, &BLAKE2B, salt, &opslimit, &memlimit];
        for part in head.into_iter().chain([&self.key_id.0[..], &key_pair[..], &sum[..]]) {
            file.extend_from_slice(part);
        }
        file[FILE_LEN - BODY_LEN..].iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
        let line = base64::encode::<Standard>(&file);
        let mut text =
            Zeroizing::new(String::with_capacity(UNTRUSTED.len() + comment.len() + line.len() + 2));
        for part in [UNTRUSTED, comment, "\n", &line, "\n"] {
            text.push_str(part);
        }
        Ok(text)
    }
}

/// The fields of a file, the body as it stands there.
struct File {
    /// None if the body is not encrypted.
    scrypt: Option<Scrypt>,
    salt: [u8; 32],
    body: Zeroizing<[u8; BODY_LEN]>,
}

impl File {
    fn read(text: &str) -> Result<Self, Error> {
        let mut lines = Lines::of(text);
        lines.comment(UNTRUSTED)?;
        let fields = lines.base64::<FILE_LEN>("minisign secret key")?;
        lines.finish()?;
        let (algorithms, rest) = fields.split_first_chunk::<6>().expect("6 of 158");
        let (salt, rest) = rest.split_first_chunk::<32>().expect("32 of 152");
        let (opslimit, rest) = rest.split_first_chunk::<8>().expect("8 of 120");
        let (memlimit, rest) = rest.split_first_chunk::<8>().expect("8 of 112");
        if algorithms[..2] != ED25519 || algorithms[4..] != BLAKE2B {
            return Err(invalid("algorithms of the minisign key are not Ed and B2"));
        }
        let scrypt = match [algorithms[2], algorithms[3]] {
            NOT_ENCRYPTED => None,
            SCRYPT => Some(Scrypt {
                opslimit: u64::from_le_bytes(*opslimit),
                memlimit: u64::from_le_bytes(*memlimit),
            }),
            _ => return Err(invalid("encryption of the minisign key is not scrypt")),
        };
        let mut body = Zeroizing::new([0; BODY_LEN]);
        body.copy_from_slice(rest);
        Ok(Self { scrypt, salt: *salt, body })
    }
}

/// BLAKE2b-256 of algorithm, name and key pair.
fn checksum(key_id: &[u8; 8], key_pair: &[u8; 64]) -> Zeroizing<[u8; 32]> {
    let mut state = Blake2b::<U32>::new();
    state.update(ED25519);
    state.update(key_id);
    state.update(key_pair);
    Zeroizing::new(state.finalize().into())
}

#[cfg(feature = "std")]
fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| Error::RngFailed)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrypt_parameters_are_libsodiums() {
        let parameters = |opslimit, memlimit| {
            let params = Scrypt { opslimit, memlimit }.parameters()?;
            Ok((params.log_n(), params.r(), params.p()))
        };
        // The documented choices: sensitive is N = 2^20, interactive N = 2^14, both with p = 1.
        assert_eq!(parameters(33_554_432, 1 << 30), Ok((20, 8, 1)));
        assert_eq!(parameters(524_288, 1 << 24), Ok((14, 8, 1)));
        assert_eq!(parameters(1_048_576, 1 << 25), Ok((15, 8, 1)));
        // Much work in little memory: p grows; little work in much memory: N shrinks.
        assert_eq!(parameters(33_554_432, 1 << 24), Ok((14, 8, 64)));
        assert_eq!(parameters(0, 1 << 30), Ok((10, 8, 1)));
        let error = |opslimit, memlimit| {
            let got: Result<(u8, u32, u32), Error> = parameters(opslimit, memlimit);
            assert!(matches!(got, Err(Error::InvalidKeyFormat(_))), "{got:?}");
        };
        error(33_554_432, (1 << 30) + 1);
        error(u64::MAX, 1 << 24);
        // N = 2 and p = 2^21, which is 2 GiB.
        error(1 << 27, 0);
        error(0, u64::MAX);
    }
}
