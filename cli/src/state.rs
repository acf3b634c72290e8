//! The user's state folder, and the registry in it, as commands use them.

use crate::exit::Failure;
use crate::faults;
use phalanx_custody::ledger::registry::{Registry, StateFolder};
use phalanx_custody::ledger::{LedgerError, Problem};

/// The folder.
///
/// # Errors
/// Exit code 4 if the environment does not say where.
pub(crate) fn folder() -> Result<StateFolder, Failure> {
    #[cfg(test)]
    if let Some(folder) = faults::state_folder() {
        return Ok(StateFolder::at(folder));
    }
    StateFolder::of_user().map_err(failure)
}

/// The registry, for a command that gives keys to ledgers.
///
/// # Errors
/// Exit code 3 if the folder is open to others, 4 if it cannot be written.
pub(crate) fn alone() -> Result<Registry, Failure> {
    Ok(Registry::alone(folder()?).map_err(failure)?.stepping(faults::point))
}

/// The registry, for a command that signs.
///
/// # Errors
/// As [`alone`].
pub(crate) fn shared() -> Result<Registry, Failure> {
    Registry::shared(folder()?).map_err(failure)
}

fn failure(error: LedgerError) -> Failure {
    let is_missing = error.problem() == Problem::Storage;
    let failure = Failure::from(error);
    if is_missing {
        return failure
            .hint("used epochs are recorded there, too: set XDG_STATE_HOME to a folder of yours that stays");
    }
    failure
}
