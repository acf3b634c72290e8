//! Ctrl-C and SIGTERM, noticed instead of obeyed at once: the exit code is 130 all the same, as shells expect.

use crate::exit::Failure;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// From now on, an interrupt is only noted. A second one ends the program at once.
///
/// # Errors
/// Exit code 4 if the system refuses the handler.
pub(crate) fn watch() -> Result<(), Failure> {
    static WATCHED: AtomicBool = AtomicBool::new(cfg!(test));
    // The handler is the whole process's, and can be set once: a command may compute several keys.
    if WATCHED.swap(true, Ordering::SeqCst) {
        return Ok(());
    }
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    })
    .map_err(|error| Failure::system(format_args!("cannot watch for interrupts: {error}")))
}

/// Whether the user, or the system, asked to stop.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}
