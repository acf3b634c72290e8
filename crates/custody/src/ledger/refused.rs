//! Why a ledger refuses.
#![forbid(unsafe_code)]

use std::fmt;

/// Gives each refusal its code, which is the same in every language, and its sentence.
macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident = $code:literal: $text:literal),* $(,)?) => {
        /// Why a position was not given to a message.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Refused { $($(#[$doc])* $name),* }

        impl Refused {
            /// Every refusal.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name in all languages.
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }
        }

        impl fmt::Display for Refused {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $text),* })
            }
        }
    };
}

refusals! {
    /// The position is another message's, or closed.
    EpochUsed = "epoch_used": "the epoch has already signed another message, or is closed",
    /// It is below the low watermark.
    Passed = "passed": "the epoch is below the low watermark",
    /// A key that only goes forward has passed it.
    OutOfOrder = "out_of_order": "the key has already signed a later epoch",
    /// It is before the activation interval.
    NotActive = "not_active": "the epoch is before the activation interval",
    /// It is after it.
    Exhausted = "exhausted": "the epoch is after the last one of the key",
    /// It is in no range that this ledger owns.
    NotInRange = "not_in_range": "the epoch is in no range of this ledger",
    /// It is too far ahead, of the clock or of what the key has signed.
    Ahead = "ahead": "the epoch is too far ahead",
    /// It is too far behind the clock.
    Behind = "behind": "the epoch is too far behind the clock",
    /// The ledger does not know the key.
    UnknownKey = "unknown_key": "the ledger does not know the key",
    /// The key is quarantined.
    Quarantined = "quarantined": "the key is quarantined until an operator has answered for it",
    /// The key has moved away.
    Retired = "retired": "the key has moved to another ledger",
    /// Another signer holds the lease.
    Fenced = "fenced": "another signer holds the lease",
    /// This process is a fork of the one that opened the ledger.
    Forked = "forked": "the ledger was opened by the parent of this process",
    /// The answer took too long. The position may be reserved: asking again with the same message settles it.
    Timeout = "unavailable": "the ledger did not answer in time",
    /// A write or a flush failed, or a file was exchanged: this ledger answers nothing until it has been opened anew.
    Poisoned = "unavailable": "the ledger has stopped after a fault and must be opened anew",
}

impl Refused {
    /// Whether asking again at this position, with other data, is pointless.
    #[must_use]
    pub fn is_final(&self) -> bool {
        !matches!(
            self,
            Self::Ahead | Self::Quarantined | Self::Fenced | Self::Forked | Self::Timeout | Self::Poisoned
        )
    }
}

impl std::error::Error for Refused {}

/// Gives each problem its code.
macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident = $code:literal),* $(,)?) => {
        /// What kept a ledger from opening, or a verb from being done.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Problem { $($(#[$doc])* $name),* }

        impl Problem {
            /// Its name in all languages.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }
        }
    };
}

problems! {
    /// There is no ledger here, or one where there should be none.
    NoLedger = "no_ledger",
    /// A ledger is here already.
    Exists = "exists",
    /// Modes, owners or links of the files let others in.
    InsecureFiles = "insecure_files",
    /// The files are on a file system whose flushes or locks say nothing.
    NetworkFileSystem = "network_file_system",
    /// Another process has it open.
    InUse = "in_use",
    /// The store is of a later version, or no store.
    StoreVersion = "store_version",
    /// The store would not flush.
    StoreNotDurable = "store_not_durable",
    /// Nobody keeps the clock right that the keys follow.
    ClockUnsynchronised = "clock_unsynchronised",
    /// The store is damaged.
    StoreDamaged = "store_damaged",
    /// The store and the side log do not say the same.
    StoreDisagrees = "store_disagrees",
    /// The store is older than the side log: it was restored or rolled back.
    StoreOlder = "store_older",
    /// The database is another server, or another history of it, than the ledger was last used on.
    StoreFailedOver = "store_failed_over",
    /// The side log is older than the store.
    WitnessOlder = "witness_older",
    /// They are of two lives of one ledger.
    WitnessDiffers = "witness_differs",
    /// The side log is damaged.
    WitnessDamaged = "witness_damaged",
    /// The side log contradicts itself.
    WitnessInconsistent = "witness_inconsistent",
    /// The side log is missing.
    WitnessMissing = "witness_missing",
    /// The side log is another ledger's.
    ForeignWitness = "foreign_witness",
    /// The files were copied, restored or moved.
    Moved = "moved",
    /// The ledger was not stopped cleanly, or that cannot be shown.
    NotProved = "not_proved",
    /// Another ledger keeps the key.
    KeptElsewhere = "kept_elsewhere",
    /// A key without state.
    NoState = "no_state",
    /// The one-time keys belong to another key of the ledger.
    SameOneTimeKeys = "same_one_time_keys",
    /// The ledger does not know a key.
    UnknownKey = "unknown_key",
    /// The key has moved away.
    Retired = "retired",
    /// Something would go backwards.
    Backwards = "backwards",
    /// The transfer has been imported before.
    TransferSeen = "transfer_seen",
    /// Bytes that are not what they should be.
    Malformed = "malformed",
    /// A file of a version that is not known.
    UnsupportedVersion = "unsupported_version",
    /// A file of another chain.
    OtherChain = "other_chain",
    /// Entries of a kind that the key's role does not make.
    RoleMismatch = "role_mismatch",
    /// A file whose checksum is wrong.
    Damaged = "damaged",
    /// A record of another key.
    ForeignRecord = "foreign_record",
    /// A record with a line that cannot be read.
    DamagedRecord = "damaged_record",
    /// The ledger has stopped after a fault.
    Unavailable = "unavailable",
    /// This process is a fork of the one that opened the ledger.
    Forked = "forked",
    /// The store is of a kind that this build does not have.
    NotOffered = "not_offered",
    /// The system refused a file operation.
    Storage = "storage",
}

/// A problem, and where it is.
#[derive(Debug)]
pub struct LedgerError {
    problem: Problem,
    detail: String,
}

impl LedgerError {
    /// `problem`, in a sentence.
    pub(crate) fn new(problem: Problem, detail: impl fmt::Display) -> Self {
        Self { problem, detail: detail.to_string() }
    }

    /// What it is.
    #[must_use]
    pub fn problem(&self) -> Problem {
        self.problem
    }

    /// Its name in all languages.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.problem.code()
    }
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for LedgerError {}
