//! The allowed signers file (ssh-keygen(1), "ALLOWED SIGNERS"): which key may sign for whom, for what, and when.

use super::signature::{Prehash, SshSignature};
use crate::key::VerifyingKey;
use crate::profile::Profile;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// Key types that may stand in the file; only the first can match an Ed25519 signature.
const KEY_TYPE: &str = "ssh-ed25519";
const OTHER_KEY_TYPES: [&str; 3] = ["ssh-", "ecdsa-sha2-", "sk-"];

/// The lines of an allowed signers file.
#[derive(Clone, Debug)]
pub struct AllowedSigners {
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    number: usize,
    /// Patterns for the identity.
    principals: String,
    /// What is wrong with a line matters to those it is about.
    permit: Result<Permit, &'static str>,
}

/// What follows the principals.
#[derive(Clone, Debug, Default)]
struct Permit {
    is_authority: bool,
    /// Patterns for the namespace.
    namespaces: Option<String>,
    valid_after: Option<Stamp>,
    valid_before: Option<Stamp>,
    /// None for other kinds of keys.
    key: Option<VerifyingKey>,
}

/// A line of the file that is no line of such a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllowedSignersError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: &'static str,
}

impl fmt::Display for AllowedSignersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "allowed signers, line {}: {}", self.line, self.problem)
    }
}

impl core::error::Error for AllowedSignersError {}

/// Why a signature is not accepted from an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It does not verify, or is for another namespace.
    InvalidSignature,
    /// No line gives the identity this key.
    NotListed,
    /// The key is listed, but not for this namespace.
    WrongNamespace,
    /// The key is listed and not valid yet.
    NotYetValid,
    /// The key is listed and no longer valid.
    Expired,
    /// The identity is listed only with certificate authorities, which are not supported.
    CertAuthority,
    /// A line about the identity cannot be read.
    Malformed(AllowedSignersError),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidSignature => "signature does not verify",
            Self::NotListed => "no line of the allowed signers gives the identity this key",
            Self::WrongNamespace => "the key is not allowed for this namespace",
            Self::NotYetValid => "the key is not valid yet",
            Self::Expired => "the key is no longer valid",
            Self::CertAuthority => "certificate authorities are not supported",
            Self::Malformed(error) => return error.fmt(f),
        })
    }
}

impl core::error::Error for Refusal {}

/// Who is said to have signed, for what, and when.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The signer, as the file's principals name it: often an address.
    pub identity: &'a str,
    /// What the signature must be for.
    pub namespace: &'a str,
    /// The time at which the key must be valid, in seconds since 1970, UTC.
    pub time_s: u64,
    /// Local time minus UTC, in seconds, for the file's times that do not end in `Z`.
    pub utc_offset_s: i32,
    /// The rule of verification.
    pub profile: Profile,
}

impl AllowedSigners {
    /// Reads the file. Empty lines and comments (`#`) are skipped. As in ssh-keygen, a line that cannot be read allows
    /// nothing and forbids nothing; [`Refusal::Malformed`] names it if it is about the identity asked for and no other
    /// line allows the key.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let (number, line) = (index + 1, line.trim_matches([' ', '\t', '\r']));
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let split = match line.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"'),
                None => Some(line.split_once([' ', '\t']).unwrap_or((line, ""))),
            };
            // Without the closing mark nobody knows whom the line is about: it may be anyone.
            let (principals, permit) = split
                .map_or(("*", Err("open quotation mark")), |(principals, rest)| {
                    (principals, Permit::read(rest))
                });
            lines.push(Line { number, principals: principals.to_string(), permit });
        }
        Self { lines }
    }

    /// Whether the signature verifies and a line allows its key to sign for the identity. The signature's own
    /// [`hash`](SshSignature::hash) made the prehash.
    ///
    /// # Errors
    /// The [`Refusal`].
    pub fn verify(
        &self,
        request: &Request<'_>,
        signature: &SshSignature,
        prehash: Prehash,
    ) -> Result<(), Refusal> {
        signature
            .check_novalidate(request.profile, request.namespace, prehash)
            .map_err(|_| Refusal::InvalidSignature)?;
        self.permits(request, signature.public_key())
    }

    /// The second half of [`verify`](Self::verify): whether some line allows `key` to sign for the identity.
    ///
    /// # Errors
    /// The [`Refusal`] of the first line about the identity and the key, if there is one.
    pub fn permits(&self, request: &Request<'_>, key: &VerifyingKey) -> Result<(), Refusal> {
        let mut refusal = None;
        for line in &self.lines {
            if !matches_list(&line.principals, request.identity) {
                continue;
            }
            let malformed = |&problem| Refusal::Malformed(AllowedSignersError { line: line.number, problem });
            match line.permit.as_ref().map_err(malformed).and_then(|permit| permit.check(request, key)) {
                Ok(()) => return Ok(()),
                Err(Refusal::NotListed) => {}
                // A refusal about this very key says more than one about an authority.
                Err(other) if matches!(refusal, None | Some(Refusal::CertAuthority)) => refusal = Some(other),
                Err(_) => {}
            }
        }
        Err(refusal.unwrap_or(Refusal::NotListed))
    }
}

impl Permit {
    fn read(text: &str) -> Result<Self, &'static str> {
        let mut permit = Self::default();
        let mut text = text.trim_ascii();
        if !is_key_type(first_word(text)) {
            text = permit.read_options(text)?.trim_ascii();
        }
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            Some(KEY_TYPE) => {
                let blob = words.next().ok_or("key type without key")?;
                let line = [KEY_TYPE, blob].join(" ");
                let (key, _) = VerifyingKey::from_openssh(&line).map_err(|_| "key cannot be read")?;
                permit.key = Some(key);
            }
            Some(other) if is_key_type(other) => {}
            Some(_) => return Err("unknown key type"),
            None => return Err("principals without key"),
        }
        if permit.valid_after.zip(permit.valid_before).is_some_and(|(after, before)| before <= after) {
            return Err("valid-before is not after valid-after");
        }
        Ok(permit)
    }

    /// Options, separated by commas, up to the first blank outside quotation marks; gives what follows.
    fn read_options<'a>(&mut self, text: &'a str) -> Result<&'a str, &'static str> {
        let mut rest = text;
        loop {
            let name_len = rest.find([',', '=', ' ', '\t']).ok_or("options without key")?;
            let name = rest[..name_len].to_ascii_lowercase();
            rest = &rest[name_len..];
            let value = match rest.strip_prefix('=') {
                Some(quoted) => {
                    let quoted = quoted.strip_prefix('"').ok_or("option value without quotation marks")?;
                    let (value, after) = quoted.split_once('"').ok_or("open quotation mark")?;
                    rest = after;
                    Some(value)
                }
                None => None,
            };
            let is_new = match (name.as_str(), value) {
                ("cert-authority", None) => {
                    self.is_authority = true;
                    true
                }
                ("namespaces", Some(list)) => self.namespaces.replace(list.to_string()).is_none(),
                ("valid-after", Some(stamp)) => self.valid_after.replace(Stamp::read(stamp)?).is_none(),
                ("valid-before", Some(stamp)) => self.valid_before.replace(Stamp::read(stamp)?).is_none(),
                _ => return Err("unknown option"),
            };
            if !is_new {
                return Err("an option is there twice");
            }
            match rest.strip_prefix(',') {
                Some(after) => rest = after,
                None if rest.starts_with([' ', '\t']) => return Ok(rest),
                None => return Err("options without key"),
            }
        }
    }

    /// `NotListed` if the line is about another key.
    fn check(&self, request: &Request<'_>, key: &VerifyingKey) -> Result<(), Refusal> {
        if self.is_authority {
            return Err(Refusal::CertAuthority);
        }
        if self.key.as_ref() != Some(key) {
            return Err(Refusal::NotListed);
        }
        if self.namespaces.as_ref().is_some_and(|list| !matches_list(list, request.namespace)) {
            return Err(Refusal::WrongNamespace);
        }
        let now = i64::try_from(request.time_s).unwrap_or(i64::MAX);
        let seconds = |stamp: Stamp| stamp.unix_seconds(request.utc_offset_s);
        if self.valid_after.is_some_and(|stamp| now < seconds(stamp)) {
            return Err(Refusal::NotYetValid);
        }
        if self.valid_before.is_some_and(|stamp| now > seconds(stamp)) {
            return Err(Refusal::Expired);
        }
        Ok(())
    }
}

fn first_word(text: &str) -> &str {
    text.split_ascii_whitespace().next().unwrap_or("")
}

fn is_key_type(word: &str) -> bool {
    OTHER_KEY_TYPES.iter().any(|kind| word.starts_with(kind)) && !word.contains(['=', ',', '"'])
}

/// A time as the file writes it: YYYYMMDD, then perhaps HHMM or HHMMSS, then perhaps Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stamp {
    /// Seconds from 1970-01-01 00:00 of the same clock.
    seconds: i64,
    is_utc: bool,
}

impl Stamp {
    fn read(text: &str) -> Result<Self, &'static str> {
        const PROBLEM: &str = "time is not YYYYMMDD[HHMM[SS]][Z]";
        let digits = text.strip_suffix('Z').unwrap_or(text);
        if !matches!(digits.len(), 8 | 12 | 14) || !digits.bytes().all(|c| c.is_ascii_digit()) {
            return Err(PROBLEM);
        }
        let number = |from: usize, len: usize| -> i64 {
            let part = digits.as_bytes().get(from..from + len).unwrap_or(&[]);
            part.iter().fold(0, |number, c| 10 * number + i64::from(c - b'0'))
        };
        let (year, month, day) = (number(0, 4), number(4, 2), number(6, 2));
        let (hour, minute, second) = (number(8, 2), number(10, 2), number(12, 2));
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let month_len = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return Err(PROBLEM),
        };
        if year < 1970 || !(1..=month_len).contains(&day) || hour > 23 || minute > 59 || second > 60 {
            return Err(PROBLEM);
        }
        let seconds = 86_400 * days_from_1970(year, month, day) + 3600 * hour + 60 * minute + second;
        Ok(Self { seconds, is_utc: text.len() != digits.len() })
    }

    fn unix_seconds(self, utc_offset_s: i32) -> i64 {
        if self.is_utc { self.seconds } else { self.seconds - i64::from(utc_offset_s) }
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar. Years are counted from March, so that the leap day is the
/// last of its year.
fn days_from_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let before_year = 365 * year + year / 4 - year / 100 + year / 400;
    // Months from March on have 31, 30, 31, 30, 31 days and again: 153 in five.
    let before_month = (153 * month + 2) / 5;
    // 719468 days lie between 0000-03-01 and 1970-01-01.
    before_year + before_month + day - 1 - 719_468
}

/// Whether a list of patterns, separated by commas, matches: one must, and none that begins with `!` may
/// (ssh_config(5), "PATTERNS").
fn matches_list(list: &str, text: &str) -> bool {
    let mut matched = false;
    for pattern in list.split(',') {
        match pattern.strip_prefix('!') {
            Some(pattern) if matches_pattern(pattern.as_bytes(), text.as_bytes()) => return false,
            Some(_) => {}
            None => matched |= matches_pattern(pattern.as_bytes(), text.as_bytes()),
        }
    }
    matched
}

/// `*` stands for any bytes, `?` for one. Only the last `*` is ever reconsidered, so the time is at most the product of
/// the lengths.
fn matches_pattern(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut last_star = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                last_star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == b'?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((star, from)) = last_star else { return false };
                last_star = Some((star, from + 1));
                p = star + 1;
                t = from + 1;
            }
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (list, text, wanted) in [
            ("a@b", "a@b", true),
            ("a@b", "a@bc", false),
            ("*", "", true),
            ("?", "", false),
            ("*@b.org", "x@b.org", true),
            ("*@b.org", "x@b.orgy", false),
            ("a?c*e", "abcdde", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("*,!bad@*", "good@b", true),
            ("*,!bad@*", "bad@b", false),
            ("!bad@*", "good@b", false),
            ("x,y", "y", true),
            ("x,y", "x,y", false),
            ("", "", true),
            ("", "a", false),
        ] {
            assert_eq!(matches_list(list, text), wanted, "{list} on {text}");
        }
        // Exponential in a naive matcher.
        assert!(!matches_list(&"*a".repeat(200), &"a".repeat(199)));
    }

    #[test]
    fn times() {
        let seconds = |text| Stamp::read(text).map(|stamp| stamp.unix_seconds(3600));
        assert_eq!(seconds("19700101Z"), Ok(0));
        assert_eq!(seconds("20000229Z"), Ok(951_782_400));
        assert_eq!(seconds("200003011200Z"), Ok(951_912_000));
        assert_eq!(seconds("20240131235959Z"), Ok(1_706_745_599));
        // One hour east of Greenwich.
        assert_eq!(seconds("19700102"), Ok(82_800));
        for text in
            ["", "Z", "2024", "20240230", "20230229", "20241301", "202401012400", "2024010a", "1969123123"]
        {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
