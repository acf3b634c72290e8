//! What the service answers when it does not do what it was asked: statuses, codes and sentences.
#![forbid(unsafe_code)]

use crate::ledger::{GuardError, Refused};
use phalanx_xmss::Error;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

/// Gives each code its status, name and sentence.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $status:literal $code:literal: $text:literal),* $(,)?) => {
        /// Why a request was not done.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $name,)*
            /// The ledger does not give the position, or the key has passed it.
            Ledger(Refused),
        }

        impl Code {
            /// Every code of the service itself.
            pub const OWN: &[Self] = &[$(Self::$name),*];

            /// The status of HTTP.
            #[must_use]
            pub fn status(self) -> u16 {
                match self {
                    $(Self::$name => $status,)*
                    Self::Ledger(Refused::UnknownKey) => 404,
                    Self::Ledger(Refused::Fenced | Refused::Forked | Refused::Timeout | Refused::Poisoned) => 503,
                    Self::Ledger(_) => 412,
                }
            }

            /// The name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $code,)* Self::Ledger(refused) => refused.code() }
            }

            fn text(self) -> String {
                match self { $(Self::$name => $text.to_owned(),)* Self::Ledger(refused) => refused.to_string() }
            }
        }
    };
}

codes! {
    /// Bytes that are not the request they should be.
    Malformed = 400 "malformed": "the request is not of the right form",
    /// A request of EIP-3030 for BLS.
    UnsupportedRequest = 400 "unsupported_request": "signing roots are not computed here: send epoch and message",
    /// Another chain.
    WrongGenesis = 400 "wrong_genesis": "the ledger is not of the chain that the request names",
    /// A key of another scheme.
    WrongScheme = 400 "wrong_scheme": "the key is not of the scheme that this address signs with",
    /// Nobody knows who asks.
    Unauthenticated = 401 "unauthenticated": "a valid client certificate or token is needed",
    /// No rule allows it.
    NotPermitted = 403 "not_permitted": "the client may not do this",
    /// No such key, or none that this client may see.
    UnknownKey = 404 "unknown_key": "Key not found",
    /// No such address.
    NotFound = 404 "not_found": "there is nothing at this address",
    /// The address exists, and not with this method.
    Method = 405 "method": "the address does not take this method",
    /// The request did not come in time.
    Timeout = 408 "timeout": "the request took too long",
    /// A reload is running.
    ReloadRunning = 409 "reload_running": "a reload is running",
    /// The length of the body is not said.
    LengthRequired = 411 "length_required": "the request must say how long its body is",
    /// It is too long.
    TooLarge = 413 "too_large": "the request is too large",
    /// The body is not said to be JSON.
    MediaType = 415 "media_type": "the request must be application/json",
    /// Too many.
    RateLimited = 429 "rate_limited": "too many requests",
    /// A signature did not verify, or something that cannot be.
    Internal = 500 "internal": "the signature did not verify, or the service has a fault",
    /// The ledger is not open, or does not keep up.
    Unavailable = 503 "unavailable": "the ledger is not available",
    /// The service is stopping.
    Stopping = 503 "stopping": "the service is stopping",
    /// The tree of the epoch is being computed.
    NotPrepared = 503 "not_prepared": "the epoch is being prepared",
}

/// Why a request, or one of a batch, was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The code.
    pub code: Code,
    /// More than its sentence.
    text: Option<String>,
    /// The epoch, where it is about one.
    epoch: Option<u32>,
}

impl From<Code> for Failure {
    fn from(code: Code) -> Self {
        Self { code, text: None, epoch: None }
    }
}

impl Failure {
    /// A request that is not of the right form, in a sentence.
    pub(super) fn malformed(what: impl ToString) -> Self {
        Self { code: Code::Malformed, text: Some(what.to_string()), epoch: None }
    }

    /// The key that a request names, as it names it, is not there.
    pub(super) fn unknown_key(identifier: &str) -> Self {
        Self { code: Code::UnknownKey, text: Some(format!("Key not found: {identifier}")), epoch: None }
    }

    /// What kept a key from signing at `epoch`.
    pub(super) fn signing(error: &GuardError, epoch: u32) -> Self {
        let code = match error {
            GuardError::Refused(refused) => Code::Ledger(*refused),
            GuardError::NotPrepared { .. } => Code::NotPrepared,
            GuardError::Signing(Error::Passed { .. }) => Code::Ledger(Refused::Passed),
            GuardError::Signing(Error::NotActive { .. }) => Code::Ledger(Refused::NotActive),
            GuardError::Signing(Error::Exhausted { .. }) => Code::Ledger(Refused::Exhausted),
            _ => Code::Internal,
        };
        Self { code, text: None, epoch: Some(epoch) }
    }

    /// What kept a key from signing a vote or proposal.
    pub(super) fn consensus(error: &GuardError) -> Self {
        match error {
            GuardError::Refused(refused) => Code::Ledger(*refused).into(),
            GuardError::Malformed => Self::malformed(error),
            _ => Code::Internal.into(),
        }
    }

    /// The same, at an epoch.
    #[must_use]
    pub(super) fn at(self, epoch: u32) -> Self {
        Self { epoch: Some(epoch), ..self }
    }

    /// The body of the answer.
    #[must_use]
    pub fn body(&self) -> FailureBody {
        FailureBody {
            error: self.text.clone().unwrap_or_else(|| self.code.text()),
            code: self.code.name(),
            epoch: self.epoch.map(|epoch| epoch.to_string()),
            is_final: matches!(self.code, Code::Ledger(refused) if refused.is_final() && self.code.status() == 412),
        }
    }
}

/// Why a request was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct FailureBody {
    /// A sentence.
    pub error: String,
    /// The code: does not change from version to version.
    pub code: &'static str,
    /// The epoch that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "11"))]
    pub epoch: Option<String>,
    /// Whether asking again at this epoch, with other data, is pointless for ever.
    #[serde(rename = "final")]
    pub is_final: bool,
}
