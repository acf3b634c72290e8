//! Custody as its users see it.

mod ledger;
