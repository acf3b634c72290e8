//! Which refusal becomes which status.

use crate::ffi::guard_value;
use crate::status::*;
use phalanx_custody::keystore::file::FileError;
use phalanx_custody::keystore::{Error, Verdict};
use phalanx_custody::ledger::{GuardError, LedgerError, Problem, Refused};

impl From<Refused> for Status {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::EpochUsed => PHALANX_ERROR_LEDGER_EPOCH_USED,
            Refused::Passed => PHALANX_ERROR_LEDGER_PASSED,
            Refused::OutOfOrder => PHALANX_ERROR_LEDGER_OUT_OF_ORDER,
            Refused::NotActive => PHALANX_ERROR_LEDGER_NOT_ACTIVE,
            Refused::Exhausted => PHALANX_ERROR_LEDGER_EXHAUSTED,
            Refused::NotInRange => PHALANX_ERROR_LEDGER_NOT_IN_RANGE,
            Refused::Ahead => PHALANX_ERROR_LEDGER_AHEAD,
            Refused::Behind => PHALANX_ERROR_LEDGER_BEHIND,
            Refused::UnknownKey => PHALANX_ERROR_LEDGER_UNKNOWN_KEY,
            Refused::Quarantined => PHALANX_ERROR_LEDGER_QUARANTINED,
            Refused::Retired => PHALANX_ERROR_LEDGER_RETIRED,
            Refused::Fenced => PHALANX_ERROR_LEDGER_FENCED,
            Refused::Forked => PHALANX_ERROR_LEDGER_FORKED,
            // What a later version refuses for is not final as far as this one knows.
            _ => PHALANX_ERROR_LEDGER_UNAVAILABLE,
        }
    }
}

impl From<Problem> for Status {
    fn from(problem: Problem) -> Self {
        use Problem as P;
        match problem {
            P::InUse => PHALANX_ERROR_LEDGER_IN_USE,
            P::NoState => PHALANX_ERROR_LEDGER_NO_STATE,
            P::UnknownKey => PHALANX_ERROR_LEDGER_UNKNOWN_KEY,
            P::Retired => PHALANX_ERROR_LEDGER_RETIRED,
            P::SameOneTimeKeys => PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS,
            P::StoreOlder => PHALANX_ERROR_LEDGER_STORE_OLDER,
            P::WitnessOlder
            | P::WitnessDiffers
            | P::WitnessDamaged
            | P::WitnessInconsistent
            | P::WitnessMissing
            | P::ForeignWitness => PHALANX_ERROR_LEDGER_WITNESS,
            P::NotOffered => PHALANX_ERROR_UNAVAILABLE,
            P::Unavailable => PHALANX_ERROR_LEDGER_UNAVAILABLE,
            P::Forked => PHALANX_ERROR_LEDGER_FORKED,
            P::Malformed | P::Backwards => PHALANX_ERROR_INVALID_ARGUMENT,
            _ => PHALANX_ERROR_LEDGER_STORE,
        }
    }
}

impl From<LedgerError> for Status {
    fn from(error: LedgerError) -> Self {
        error.problem().into()
    }
}

impl From<GuardError> for Status {
    fn from(error: GuardError) -> Self {
        match error {
            GuardError::Ledger(error) => error.into(),
            GuardError::Refused(refused) => refused.into(),
            GuardError::Signing(error) => error.into(),
            GuardError::NotPrepared { .. } => PHALANX_ERROR_XMSS_NOT_PREPARED,
            GuardError::SelfCheck => PHALANX_ERROR_XMSS_SELF_CHECK,
            _ => PHALANX_ERROR_INTERNAL,
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        use Verdict as V;
        match error {
            Error::Refused { verdict, .. } => match verdict {
                V::TooLarge | V::Malformed => PHALANX_ERROR_KEYSTORE_MALFORMED,
                V::UnsupportedVersion | V::UnsupportedFunction => PHALANX_ERROR_KEYSTORE_UNSUPPORTED,
                V::UnsupportedScheme | V::SchemeMismatch | V::WrongSecretLength => {
                    PHALANX_ERROR_KEYSTORE_SCHEME
                }
                V::KdfBounds => PHALANX_ERROR_KEYSTORE_KDF_BOUNDS,
                V::WeakKdf => PHALANX_ERROR_KEYSTORE_WEAK_KDF,
                V::WrongPassword => PHALANX_ERROR_KEYSTORE_WRONG_PASSWORD,
                V::Damaged => PHALANX_ERROR_KEYSTORE_DAMAGED,
                V::HeaderChanged => PHALANX_ERROR_KEYSTORE_HEADER_CHANGED,
                V::KeyMismatch => PHALANX_ERROR_KEYSTORE_KEY_MISMATCH,
                _ => PHALANX_ERROR_KEYSTORE_MALFORMED,
            },
            Error::PasswordNotUtf8 | Error::PasswordEmpty => PHALANX_ERROR_INVALID_ARGUMENT,
            Error::OutOfMemory { .. } => PHALANX_ERROR_UNAVAILABLE,
            Error::NoRandomness => PHALANX_ERROR_RANDOMNESS,
            _ => PHALANX_ERROR_INTERNAL,
        }
    }
}

impl From<FileError> for Status {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Keystore(error) => error.into(),
            _ => PHALANX_ERROR_KEYSTORE_FILE,
        }
    }
}

/// Whether `status` is a ledger's refusal of an epoch that stays one: asking again at this epoch with another message is
/// pointless, and `PHALANX_ERROR_LEDGER_EPOCH_USED` means that two callers disagree. False for everything else, such as
/// `PHALANX_ERROR_LEDGER_UNAVAILABLE`, after which asking again with the same message settles it.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ledger_refusal_is_final(status: u32) -> bool {
    guard_value(false, || {
        Refused::ALL.iter().any(|refused| Status::from(*refused) as u32 == status && refused.is_final())
    })
}
