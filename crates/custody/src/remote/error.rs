//! Why a signer gave nothing, or nothing that is used.
#![forbid(unsafe_code)]

use core::fmt;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// What the client was made with is not usable: an address, a certificate, a token.
    Setup(String),
    /// The signer cannot be reached, or TLS failed.
    Unreachable(String),
    /// The signer answered and said no.
    Refused(Refusal),
    /// The answer is not one that a signer gives.
    Malformed(&'static str),
    /// The signature is not one of this key, epoch and message.
    DoesNotVerify,
}

/// A signer's no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status of HTTP; of one request in a batch 200.
    pub status: u16,
    /// The code: `epoch_used`, say.
    pub code: String,
    /// What it says to people, in one line.
    pub sentence: String,
    /// Whether asking again is of no use; `None` if the signer does not say.
    pub is_final: Option<bool>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.sentence, self.code)
    }
}

impl Refusal {
    /// Whether nobody looked at the request: the signer is busy, stopping or broken, and it may be sent again.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        const CODES: [&str; 7] =
            ["rate_limited", "unavailable", "fenced", "forked", "stopping", "not_prepared", "internal"];
        self.status == 429 || self.status >= 500 || CODES.contains(&&*self.code)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup(problem) => f.write_str(problem),
            Self::Unreachable(problem) => write!(f, "the signer cannot be reached: {problem}"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Malformed(what) => write!(f, "the signer's answer is malformed: {what}"),
            Self::DoesNotVerify => f.write_str("the signer's signature does not verify"),
        }
    }
}

impl core::error::Error for Error {}

impl From<ureq::Error> for Error {
    fn from(error: ureq::Error) -> Self {
        match error {
            ureq::Error::BodyExceedsLimit(_) | ureq::Error::LargeResponseHeader(..) => {
                Self::Malformed("too long")
            }
            ureq::Error::Protocol(_) | ureq::Error::Http(_) => Self::Malformed("no HTTP"),
            ureq::Error::Timeout(_) => Self::Unreachable("it took too long".to_owned()),
            ureq::Error::HostNotFound => Self::Unreachable("no such host".to_owned()),
            // Of the system or of TLS: neither knows a header or a body.
            ureq::Error::Io(error) => Self::Unreachable(plain(&error.to_string())),
            ureq::Error::Rustls(error) => Self::Unreachable(plain(&error.to_string())),
            _ => Self::Unreachable("the connection failed".to_owned()),
        }
    }
}

/// A text in one line of at most 200 printable characters, for people.
pub(super) fn plain(text: &str) -> String {
    text.chars().take(200).map(|c| if c == ' ' || c.is_ascii_graphic() { c } else { '?' }).collect()
}
