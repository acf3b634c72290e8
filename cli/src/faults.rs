//! Where tests stop a command, exchange files under it or fill its disk. In the program itself nothing happens here.

use std::fs::File;
use std::io;

#[cfg(all(test, feature = "custody"))]
pub(crate) use in_tests::state_folder;
#[cfg(all(test, unix, feature = "custody"))]
pub(crate) use in_tests::{Plan, with};
#[cfg(test)]
pub(crate) use in_tests::{point, write_all};

/// A step after which a process can be killed, or files exchanged.
#[cfg(not(test))]
pub(crate) fn point() {}

/// Writes all bytes.
///
/// # Errors
/// As the file.
#[cfg(not(test))]
pub(crate) fn write_all(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    io::Write::write_all(&mut file, bytes)
}

#[cfg(test)]
mod in_tests {
    use super::{File, io};
    use std::cell::RefCell;
    use std::io::Write;
    use std::path::PathBuf;

    /// What happens to the commands that a test runs on this thread.
    #[derive(Default)]
    pub(crate) struct Plan {
        /// The state folder, in place of the user's.
        pub(crate) state_folder: Option<PathBuf>,
        /// The step at which the process is killed, counted from 0.
        pub(crate) kill_at: Option<u32>,
        /// The step at which this is done.
        pub(crate) act_at: Option<(u32, Box<dyn FnOnce()>)>,
        /// Bytes that the disk can still take from the program itself.
        pub(crate) room: Option<usize>,
        /// Steps so far.
        pub(crate) steps: u32,
    }

    thread_local! {
        static PLAN: RefCell<Plan> = RefCell::default();
    }

    /// What a killed process unwinds with: nothing catches it on the way.
    pub(crate) struct Killed;

    /// Runs a command under a plan, which then is as far as the command got. `None` if it was killed.
    pub(crate) fn with<R>(plan: &mut Plan, command: impl FnOnce() -> R) -> Option<R> {
        PLAN.with(|current| std::mem::swap(&mut *current.borrow_mut(), plan));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(command));
        PLAN.with(|current| std::mem::swap(&mut *current.borrow_mut(), plan));
        match result {
            Ok(result) => Some(result),
            Err(payload) if payload.is::<Killed>() => None,
            Err(payload) => std::panic::resume_unwind(payload),
        }
    }

    /// The state folder of the plan.
    pub(crate) fn state_folder() -> Option<PathBuf> {
        PLAN.with(|plan| plan.borrow().state_folder.clone())
    }

    pub(crate) fn point() {
        let (kill, act) = PLAN.with(|plan| {
            let plan = &mut *plan.borrow_mut();
            let step = plan.steps;
            plan.steps += 1;
            let act = plan.act_at.take_if(|(at, _)| *at == step);
            (plan.kill_at == Some(step), act)
        });
        if let Some((_, act)) = act {
            act();
        }
        if kill {
            std::panic::resume_unwind(Box::new(Killed));
        }
    }

    pub(crate) fn write_all(mut file: &File, bytes: &[u8]) -> io::Result<()> {
        let fits = PLAN.with(|plan| {
            let room = &mut plan.borrow_mut().room;
            let fits = room.map_or(bytes.len(), |room| room.min(bytes.len()));
            *room = room.map(|room| room - fits);
            fits
        });
        file.write_all(&bytes[..fits])?;
        if fits < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}
