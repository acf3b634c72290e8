//! Arguments that several commands share.

use crate::exit::Failure;
use crate::{digits, files};
use phalanx::Threads;
use phalanx_identify::hexadecimal;
use std::path::PathBuf;

/// The 32-byte message, from the command line or from a file.
#[derive(clap::Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct MessageArgs {
    /// The message: 32 bytes as 64 hexadecimal digits
    #[arg(long, value_name = "H")]
    message_hex: Option<String>,
    /// File that holds the message: exactly 32 bytes (`-`: standard input)
    #[arg(long, value_name = "F")]
    pub(crate) message_file: Option<PathBuf>,
}

impl MessageArgs {
    /// The message.
    ///
    /// # Errors
    /// Wrong length, wrong digits, or a file that cannot be read.
    pub(crate) fn read(&self) -> Result<[u8; 32], Failure> {
        let wants = |got: usize, unit: &str, wanted: usize| {
            Failure::usage(format_args!("message: got {got} {unit}, wanted {wanted}"))
                .hint("a message is 32 bytes; hash longer ones first")
        };
        if let Some(digits) = &self.message_hex {
            let count = hexadecimal::count(digits.as_bytes());
            if count != 64 {
                return Err(wants(count, "hexadecimal digits", 64));
            }
            return digits::array(digits.as_bytes())
                .ok_or_else(|| Failure::usage("message: not a hexadecimal number"));
        }
        let file = self.message_file.as_deref().ok_or_else(|| Failure::usage("no message is given"))?;
        let bytes = files::read_at_most(file, 64)?;
        bytes.as_slice().try_into().map_err(|_| wants(bytes.len(), "bytes", 32))
    }
}

/// How many threads a command may use.
#[derive(clap::Args, Debug)]
pub(crate) struct ThreadsArgs {
    /// Threads to use; without it, all that the system offers
    #[arg(long, value_name = "N", env = "PHALANX_THREADS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsArgs {
    /// The pool.
    pub(crate) fn pool(&self) -> Threads {
        self.threads.map_or_else(Threads::available, |count| Threads::new(count.into()))
    }
}
