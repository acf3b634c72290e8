//! Records of earlier versions: the file `<secret key>.epochs` beside a key.
#![forbid(unsafe_code)]

use super::record::Digest;
use super::refused::Problem;
use crate::hexadecimal;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// What a record says: its epochs, each with the digest of its message or closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OldRecord {
    /// The epochs.
    pub entries: BTreeMap<u64, Option<Digest>>,
    /// Those of them that stand there with two messages: whoever has both signatures can forge there.
    pub compromised: Vec<u64>,
}

impl OldRecord {
    /// Takes what `other` says in addition; two messages at one epoch close it.
    pub fn unite(&mut self, other: &Self) {
        for (&epoch, &digest) in &other.entries {
            self.enter(epoch, digest);
        }
        self.compromised.extend(&other.compromised);
        self.compromised.sort_unstable();
        self.compromised.dedup();
    }

    fn enter(&mut self, epoch: u64, digest: Option<Digest>) {
        let known = *self.entries.entry(epoch).or_insert(digest);
        if known == digest {
            return;
        }
        if known.is_some() && digest.is_some() {
            self.compromised.push(epoch);
        }
        self.entries.insert(epoch, None);
    }
}

/// Reads the record of the key of `scheme` whose public key is `public_key` (in SSZ) and whose lifetime has `lifetime`
/// epochs.
///
/// # Errors
/// [`Problem::ForeignRecord`] if it begins as another key's; [`Problem::DamagedRecord`] if a whole line names no epoch of
/// the lifetime.
pub fn read_record(
    bytes: &[u8],
    scheme: &str,
    public_key: &[u8],
    lifetime: u64,
) -> Result<OldRecord, Problem> {
    let header = format!("phalanx-epochs v1 {scheme} {}\n", hexadecimal::text(&Sha256::digest(public_key)));
    if header.as_bytes().starts_with(bytes) {
        return Ok(OldRecord::default());
    }
    let rest = bytes.strip_prefix(header.as_bytes()).ok_or(Problem::ForeignRecord)?;
    let mut record = OldRecord::default();
    let mut lines: Vec<&[u8]> = rest.split(|&byte| byte == b'\n').collect();
    let torn = lines.pop().expect("there is something behind the last line end, if only nothing");
    for line in lines {
        let epoch = epoch_of(line).filter(|&epoch| epoch < lifetime).ok_or(Problem::DamagedRecord)?;
        record.enter(epoch, digest_of(line));
    }
    // A line that was cut has released nothing. Its epoch is closed all the same: the disk may know more than it shows.
    if let Some(epoch) = epoch_of(torn) {
        if epoch >= lifetime {
            return Err(Problem::DamagedRecord);
        }
        record.enter(epoch, None);
    }
    Ok(record)
}

/// The epoch at the beginning of a line: ten digits.
fn epoch_of(line: &[u8]) -> Option<u64> {
    let (digits, rest) = line.split_at_checked(10)?;
    let is_field = rest.first().is_none_or(|&byte| byte == b' ');
    let digits = std::str::from_utf8(digits).ok()?;
    (is_field && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// The digest that makes up the rest of a line.
fn digest_of(line: &[u8]) -> Option<Digest> {
    let rest = line.get(10..)?.strip_prefix(b" ")?;
    hexadecimal::array(std::str::from_utf8(rest).ok()?)
}
