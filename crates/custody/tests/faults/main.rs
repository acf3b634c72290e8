//! Faults of machines, disks and people, while positions are reserved. Whatever happens, no position is given to two
//! messages: counted from what was released, never from the ledger itself.
//!
//! The numbers T1 to T22 are those of the specification of custody, section 6. Every test says its seed when it fails;
//! `PHALANX_TEST_SEED` repeats it.
#![cfg(target_os = "linux")]

mod clock;
mod exchanged;
mod failed_flushes;
mod imported;
mod killed;
mod liars;
mod power_loss;
mod reconciled;
mod refusing;
mod rot;
mod second;
mod stores;
mod support;
mod verbs;
mod versions;
