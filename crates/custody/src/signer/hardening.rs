//! What the process gives up at its start.
#![forbid(unsafe_code)]

use super::journal::Journal;
use rustix::mm::{MlockAllFlags, mlockall};
use rustix::process::{DumpableBehavior, Resource, Rlimit, getrlimit, set_dumpable_behavior, setrlimit};

/// No core dumps, nobody else's debugger, no rights by files that are executed; and the memory kept out of swap, where
/// that is allowed.
///
/// # Errors
/// Memory cannot be locked, and `require_mlock` says that it must be.
pub(super) fn harden(require_mlock: bool, journal: &Journal) -> Result<(), String> {
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
    match lock_memory() {
        Err(why) if require_mlock => Err(format!("memory cannot be locked: {why}")),
        Err(why) => {
            journal.note("memory_not_locked", &[("why", &why)]);
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// Keeps all pages that are touched out of swap.
fn lock_memory() -> Result<(), String> {
    // With a limit, memory that is asked for later would be refused.
    if getrlimit(Resource::Memlock).current.is_some() {
        return Err("the limit of locked memory must be infinity".to_owned());
    }
    let all = MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT;
    mlockall(all).map_err(|error| error.to_string())
}
