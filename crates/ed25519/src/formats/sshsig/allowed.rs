//! The allowed signers file (ssh-keygen(1), "ALLOWED SIGNERS"): which key may sign for whom, for what, and when.

use super::signature::{Prehash, SshSignature};
use super::time::Stamp;
use crate::key::VerifyingKey;
use crate::profile::Profile;
use alloc::vec::Vec;
use core::fmt;

/// Key types that may stand in the file; only the first can match an Ed25519 signature.
const KEY_TYPE: &[u8] = b"ssh-ed25519";
const OTHER_KEY_TYPES: [&[u8]; 3] = [b"ssh-", b"ecdsa-sha2-", b"sk-"];

/// What separates words of a line, but for the principals, which any of [`WHITESPACE`] ends.
const BLANKS: [u8; 2] = *b" \t";
const WHITESPACE: [u8; 3] = *b" \t\r";

/// The lines of an allowed signers file.
#[derive(Clone, Debug)]
pub struct AllowedSigners {
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    number: usize,
    /// Patterns for the identity.
    principals: Vec<u8>,
    /// What is wrong with a line matters to those it is about.
    permit: Result<Permit, &'static str>,
}

/// What follows the principals.
#[derive(Clone, Debug, Default)]
struct Permit {
    is_authority: bool,
    /// Patterns for the namespace.
    namespaces: Option<Vec<u8>>,
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
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The signer, as the file's principals name it: often an address.
    pub identity: &'a str,
    /// What the signature must be for.
    pub namespace: &'a str,
    /// The time at which the key must be valid, in seconds since 1970, UTC.
    pub time_s: u64,
    /// Local time minus UTC, in seconds, for the file's times that end in neither `Z` nor `UTC`. It is asked about a local
    /// time, given as seconds since 1970-01-01 00:00 of that clock. ssh-keygen takes its machine's zone, and of it standard
    /// time, in summer too; `&|_| 0` takes such times as UTC.
    pub utc_offset_at: &'a dyn Fn(i64) -> i32,
    /// The rule of verification.
    pub profile: Profile,
}

impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { identity, namespace, time_s, utc_offset_at: _, profile } = self;
        f.debug_struct("Request")
            .field("identity", identity)
            .field("namespace", namespace)
            .field("time_s", time_s)
            .field("profile", profile)
            .finish_non_exhaustive()
    }
}

impl AllowedSigners {
    /// Reads the file. Empty lines and comments (`#`) are skipped. As in ssh-keygen, a line that cannot be read allows
    /// nothing and forbids nothing; [`Refusal::Malformed`] names it if it is about the identity asked for and no other
    /// line allows the key.
    #[must_use]
    pub fn parse(file: impl AsRef<[u8]>) -> Self {
        let mut lines = Vec::new();
        for (index, line) in file.as_ref().split(|&c| c == b'\n').enumerate() {
            // To ssh-keygen, which is written in C, a line ends with a zero, too.
            let line = line.split(|&c| c == 0).next().unwrap_or(line);
            let line = skip(line, &BLANKS);
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            // Without the closing mark nobody knows whom the line is about: it may be anyone.
            let (principals, permit) = match split_principals(line) {
                Some((principals, rest)) => (principals, Permit::read(rest)),
                None => (b"*".to_vec(), Err("open quotation mark")),
            };
            lines.push(Line { number: index + 1, principals, permit });
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
            if !matches_list(&line.principals, request.identity.as_bytes()) {
                continue;
            }
            let malformed =
                |problem| Err(Refusal::Malformed(AllowedSignersError { line: line.number, problem }));
            let permit = line.permit.as_ref().map_err(|problem| *problem);
            match permit.and_then(|permit| permit.check(request, key)).unwrap_or_else(malformed) {
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
    /// Reads what follows the principals: a key, or options and a key.
    fn read(text: &[u8]) -> Result<Self, &'static str> {
        if let Ok(key) = read_key(text) {
            return Ok(Self { key, ..Self::default() });
        }
        // What cannot be read as a key begins with options, up to the first blank outside quotation marks.
        let (mut end, mut is_quoted) = (0, false);
        while end < text.len() && (is_quoted || !BLANKS.contains(&text[end])) {
            match text[end..] {
                [b'\\', b'"', ..] => end += 1,
                [b'"', ..] => is_quoted = !is_quoted,
                _ => {}
            }
            end += 1;
        }
        let (options, rest) = text.split_at(end);
        let rest = skip(rest, &BLANKS);
        if is_quoted {
            return Err("open quotation mark");
        }
        if rest.is_empty() {
            return Err(if is_key_type(options) { "key type without key" } else { "principals without key" });
        }
        let problem = if is_key_type(options) { "key cannot be read" } else { "unknown key type" };
        let key = read_key(rest).map_err(|()| problem)?;
        Ok(Self { key, ..Self::read_options(options)? })
    }

    /// Options, separated by commas. An empty one says nothing, but for the last.
    fn read_options(text: &[u8]) -> Result<Self, &'static str> {
        let mut permit = Self::default();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(after) = strip_name(rest, b"cert-authority") {
                permit.is_authority = true;
                rest = after;
            } else if let Some(after) = strip_name(rest, b"namespaces=") {
                rest = once(&mut permit.namespaces, after, Ok)?;
            } else if let Some(after) = strip_name(rest, b"valid-after=") {
                rest = once(&mut permit.valid_after, after, |stamp| Stamp::read(&stamp))?;
            } else if let Some(after) = strip_name(rest, b"valid-before=") {
                rest = once(&mut permit.valid_before, after, |stamp| Stamp::read(&stamp))?;
            }
            rest = match rest {
                [] => break,
                [b','] => return Err("a comma after the last option"),
                [b',', after @ ..] => after,
                _ => return Err("unknown option"),
            };
        }
        Ok(permit)
    }

    /// `NotListed` if the line is about another key; the text if its times cannot be.
    fn check(&self, request: &Request<'_>, key: &VerifyingKey) -> Result<Result<(), Refusal>, &'static str> {
        let seconds = |stamp: Option<Stamp>| stamp.map(|s| s.unix_seconds(request.utc_offset_at)).transpose();
        let (after, before) = (seconds(self.valid_after)?, seconds(self.valid_before)?);
        if after.zip(before).is_some_and(|(after, before)| before <= after) {
            return Err("valid-before is not after valid-after");
        }
        let namespaces = self.namespaces.as_ref();
        let now = i64::try_from(request.time_s).unwrap_or(i64::MAX);
        Ok(Err(if self.is_authority {
            Refusal::CertAuthority
        } else if self.key.as_ref() != Some(key) {
            Refusal::NotListed
        } else if namespaces.is_some_and(|list| !matches_list(list, request.namespace.as_bytes())) {
            Refusal::WrongNamespace
        } else if after.is_some_and(|after| now < after) {
            Refusal::NotYetValid
        } else if before.is_some_and(|before| now > before) {
            Refusal::Expired
        } else {
            return Ok(Ok(()));
        }))
    }
}

/// The principals and what follows the blanks after them. A quotation mark takes what comes before its fellow as it is,
/// blanks too, and ends there; `None` if it has no fellow.
fn split_principals(line: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let end = line.iter().position(|c| *c == b'"' || WHITESPACE.contains(c)).unwrap_or(line.len());
    let (principals, rest) = line.split_at(end);
    match rest {
        [b'"', rest @ ..] => {
            let close = rest.iter().position(|&c| c == b'"')?;
            Some(([principals, &rest[..close]].concat(), skip(&rest[close + 1..], &WHITESPACE)))
        }
        _ => Some((principals.to_vec(), skip(rest, &WHITESPACE))),
    }
}

/// The key at the beginning of `text`; `None` for a key of another kind.
fn read_key(text: &[u8]) -> Result<Option<VerifyingKey>, ()> {
    let word = |text: &[u8]| text.iter().position(|c| BLANKS.contains(c)).unwrap_or(text.len());
    let (kind, rest) = text.split_at(word(text));
    let rest = skip(rest, &BLANKS);
    if !is_key_type(kind) || rest.is_empty() {
        return Err(());
    }
    if kind != KEY_TYPE {
        return Ok(None);
    }
    // Base64 may be broken by what C calls space, of which a line here can still have these.
    let blob = rest[..word(rest)].iter().copied().filter(|c| !b"\r\x0b\x0c".contains(c));
    let line: Vec<u8> = KEY_TYPE.iter().copied().chain([b' ']).chain(blob).collect();
    let line = core::str::from_utf8(&line).map_err(|_| ())?;
    VerifyingKey::from_openssh(line).map(|(key, _)| Some(key)).map_err(|_| ())
}

/// What follows `name`, in letters of any case, at the beginning of `text`.
fn strip_name<'a>(text: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let (begin, after) = text.split_at_checked(name.len())?;
    begin.eq_ignore_ascii_case(name).then_some(after)
}

/// Reads a value in quotation marks into `option`, which must be empty still, and gives what follows. `\"` is a quotation
/// mark in it.
fn once<'a, T>(
    option: &mut Option<T>,
    text: &'a [u8],
    read: impl FnOnce(Vec<u8>) -> Result<T, &'static str>,
) -> Result<&'a [u8], &'static str> {
    if option.is_some() {
        return Err("an option is there twice");
    }
    let mut rest = text.strip_prefix(b"\"").ok_or("option value without quotation marks")?;
    let mut value = Vec::new();
    loop {
        let (c, after) = match rest {
            [] => return Err("open quotation mark"),
            [b'"', after @ ..] => {
                *option = Some(read(value)?);
                return Ok(after);
            }
            [b'\\', b'"', after @ ..] => (b'"', after),
            [c, after @ ..] => (*c, after),
        };
        value.push(c);
        rest = after;
    }
}

/// `text` without what it begins with of `these`.
fn skip<'a>(text: &'a [u8], these: &[u8]) -> &'a [u8] {
    let from = text.iter().position(|c| !these.contains(c)).unwrap_or(text.len());
    &text[from..]
}

fn is_key_type(word: &[u8]) -> bool {
    OTHER_KEY_TYPES.iter().any(|kind| word.starts_with(kind)) && !word.iter().any(|c| b"=,\"".contains(c))
}

/// The longest pattern of a list that ssh-keygen reads; a list with a longer one matches nothing from there on.
const MAX_PATTERN_LEN: usize = 1022;

/// Whether a list of patterns, separated by commas, matches: one must, and none that begins with `!` may
/// (ssh_config(5), "PATTERNS"). What follows the last comma is no pattern if it is empty.
fn matches_list(list: &[u8], text: &[u8]) -> bool {
    let mut matched = false;
    let mut patterns = list.split(|&c| c == b',').peekable();
    while let Some(pattern) = patterns.next() {
        if pattern.is_empty() && patterns.peek().is_none() {
            break;
        }
        let (is_negated, pattern) = match pattern {
            [b'!', pattern @ ..] => (true, pattern),
            _ => (false, pattern),
        };
        if pattern.len() > MAX_PATTERN_LEN {
            return false;
        }
        if matches_pattern(pattern, text) {
            if is_negated {
                return false;
            }
            matched = true;
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
            ("", "", false),
            ("a,", "", false),
            (",a", "", true),
            ("a,,b", "", true),
            ("", "a", false),
        ] {
            assert_eq!(matches_list(list.as_bytes(), text.as_bytes()), wanted, "{list} on {text}");
        }
        // Exponential in a naive matcher.
        assert!(!matches_list("*a".repeat(200).as_bytes(), "a".repeat(199).as_bytes()));
        for (len, wanted) in [(1022, true), (1023, false)] {
            assert_eq!(matches_list(["*,", &"a".repeat(len)].concat().as_bytes(), b"b"), wanted, "{len}");
        }
    }
}
