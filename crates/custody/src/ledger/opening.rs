//! Making and opening ledgers: the one place that knows which stores there are.
#![forbid(unsafe_code)]

use super::durable::place::in_database;
use super::durable::{Ledger, LedgerOptions, NewLedger, Reconcile, Reconciled};
use super::refused::LedgerError;
use super::sqlite;

#[cfg(feature = "postgres")]
use super::postgres;

/// What stands in the place of the store that this build has not.
#[cfg(not(feature = "postgres"))]
mod postgres {
    use super::{LedgerError, LedgerOptions, NewLedger, Reconcile, Reconciled};
    use crate::ledger::durable::core::Core;
    use crate::ledger::refused::Problem;

    fn not_offered<T>() -> Result<T, LedgerError> {
        let text =
            "the store of this ledger is in PostgreSQL, which this build does not offer: feature 'postgres'";
        Err(LedgerError::new(Problem::NotOffered, text))
    }

    pub(super) fn begin(_: &LedgerOptions, _: Option<NewLedger>) -> Result<(), LedgerError> {
        not_offered()
    }

    pub(super) fn open(_: &LedgerOptions) -> Result<Core, LedgerError> {
        not_offered()
    }

    pub(super) fn reconcile(_: &LedgerOptions, _: &Reconcile) -> Result<Reconciled, LedgerError> {
        not_offered()
    }

    pub(super) fn name_of(_: &LedgerOptions) -> Result<[u8; 16], LedgerError> {
        not_offered()
    }
}

/// Whether the store is in a database, as the caller says, or the folder of the ledger does.
fn is_in_database(options: &LedgerOptions) -> bool {
    options.store.is_some() || in_database(&options.folder).exists()
}

impl Ledger {
    /// Makes a ledger where there is none: in the folder of `options`, or in the database that [`LedgerOptions::store`]
    /// names, which must have the tables of a ledger, with this as its first host.
    ///
    /// # Errors
    /// [`LedgerError`], with [`Problem::Exists`](super::Problem::Exists) if there is one.
    pub fn create(options: &LedgerOptions, settings: NewLedger) -> Result<(), LedgerError> {
        if is_in_database(options) {
            postgres::begin(options, Some(settings))
        } else {
            sqlite::open::create(options, settings)
        }
    }

    /// Lets another host use the ledger in the database that [`LedgerOptions::store`] names, with a side log of its own.
    ///
    /// # Errors
    /// [`LedgerError`], with [`Problem::Exists`](super::Problem::Exists) if this host, or one of its name, does already.
    pub fn join(options: &LedgerOptions) -> Result<(), LedgerError> {
        postgres::begin(options, None)
    }

    /// Opens a ledger for this process alone; one in a database under the lease, as long as the answer lives. Whatever
    /// cannot be explained by a crash is a refusal.
    ///
    /// # Errors
    /// [`LedgerError`], whose problem says which check failed.
    pub fn open(options: &LedgerOptions) -> Result<Self, LedgerError> {
        let core = if is_in_database(options) { postgres::open } else { sqlite::open::open };
        Self::over(core(options)?, options.timeout)
    }

    /// Makes a new ledger of all that is known, where the files of the old one do not agree any more: its store and side
    /// logs, which stay as evidence under other names, and what the operator adds. All that can have been signed is closed.
    ///
    /// In a database what is known goes into the store that is there, under another name of the ledger. The side log of
    /// every other host has to be among what the operator adds, or an epoch above all that they have signed. Those hosts do
    /// the same afterwards, each with what it knows.
    ///
    /// # Errors
    /// [`LedgerError`]; the old files are then evidence still, and this can be done again.
    pub fn reconcile(options: &LedgerOptions, what: &Reconcile) -> Result<Reconciled, LedgerError> {
        let reconcile =
            if is_in_database(options) { postgres::reconcile } else { sqlite::reconcile::reconcile };
        reconcile(options, what)
    }

    /// The name of a ledger that need not open: that its files have, of which nothing else is checked.
    ///
    /// # Errors
    /// [`LedgerError`], if there is no store or it cannot be read.
    pub fn name_of(options: &LedgerOptions) -> Result<[u8; 16], LedgerError> {
        let name_of = if is_in_database(options) { postgres::name_of } else { sqlite::open::name_of };
        name_of(options)
    }
}
