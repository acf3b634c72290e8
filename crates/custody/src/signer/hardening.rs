//! What the process gives up at its start.
#![forbid(unsafe_code)]

use super::journal::Journal;
use phalanx_core::locked::is_memory_locked;
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};

/// No core dumps, nobody else's debugger, no rights by files that are executed.
pub(super) fn harden(journal: &Journal) {
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    let note = |what: &str, done: rustix::io::Result<()>| {
        if let Err(error) = done {
            journal.note("not_hardened", &[("what", &what), ("why", &error)]);
        }
    };
    note("core", setrlimit(Resource::Core, none));
    #[cfg(target_os = "linux")]
    {
        note("dumpable", set_dumpable_behavior(DumpableBehavior::NotDumpable));
        note("no_new_privs", rustix::thread::set_no_new_privs(true));
    }
}

/// Whether all secrets are in memory that is neither swapped out nor dumped; to be asked when the keys are open.
///
/// # Errors
/// They are not, and `required` says that they must be.
pub(super) fn check_locked(required: bool, journal: &Journal) -> Result<(), String> {
    if is_memory_locked() {
        return Ok(());
    }
    if required {
        return Err("memory for secrets cannot be locked: raise the limit of locked memory".to_owned());
    }
    journal.note("memory_not_locked", &[]);
    Ok(())
}
