//! Arguments that several commands share.

use crate::exit::Failure;
use crate::{digits, files};
use phalanx::Threads;
use phalanx_identify::hexadecimal;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The 32-byte message, from the command line or from a file.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
pub(crate) struct MessageArgs {
    /// The message: 32 bytes as 64 hexadecimal digits
    #[arg(long, value_name = "H")]
    message_hex: Option<String>,
    /// File that holds the message: exactly 32 bytes, or with --hash any number (`-`: standard input) [default: what is
    /// piped in]
    #[arg(short, long, value_name = "F")]
    message_file: Option<PathBuf>,
}

/// The `--hash` of a command.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct HashArgs {
    /// What is signed is the hash of the message: XMSS signs 32 bytes, this takes any number
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) hash: Option<MessageHash>,
}

/// A hash of 32 bytes that messages are brought to the length of XMSS with.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageHash {
    /// SHA-256 (FIPS 180-4)
    Sha256,
}

impl MessageArgs {
    /// The message in a file, or what is piped in.
    pub(crate) fn of_file(file: Option<PathBuf>) -> Self {
        Self { message_hex: None, message_file: file }
    }

    /// The file that holds the message, or `-`.
    pub(crate) fn path(&self) -> Option<&Path> {
        if self.message_hex.is_some() { None } else { files::or_piped(self.message_file.as_deref()) }
    }

    /// The message.
    ///
    /// # Errors
    /// Wrong length, wrong digits, or a file that cannot be read.
    pub(crate) fn read(&self) -> Result<[u8; 32], Failure> {
        self.read_hashed(HashArgs::default(), "hash longer ones first")
    }

    /// The message, or its hash.
    ///
    /// # Errors
    /// As [`read`](Self::read); with a hash no length is wrong.
    pub(crate) fn read_or_hash(&self, hash: HashArgs) -> Result<[u8; 32], Failure> {
        self.read_hashed(hash, "--hash sha256 takes any number")
    }

    fn read_hashed(&self, hash: HashArgs, longer: &str) -> Result<[u8; 32], Failure> {
        let wants = |got: usize, unit: &str, wanted: usize| {
            Failure::usage(format_args!("message: got {got} {unit}, wanted {wanted}"))
                .hint(format_args!("a message is 32 bytes; {longer}"))
        };
        if let Some(digits) = &self.message_hex {
            if hash.hash.is_some() {
                return Ok(Sha256::digest(digits::argument("message", digits)?).into());
            }
            let count = hexadecimal::count(digits.as_bytes());
            if count != 64 {
                return Err(wants(count, "hexadecimal digits", 64));
            }
            return digits::array(digits.as_bytes())
                .ok_or_else(|| Failure::usage("message: not a hexadecimal number"));
        }
        let file = files::named_or_piped(self.message_file.as_deref(), "the message")?;
        if hash.hash.is_some() {
            return files::sha256(file);
        }
        let bytes = files::read_some(file, 33)?;
        bytes.as_slice().try_into().map_err(|_| match bytes.len() {
            33 => Failure::usage("message: got more than 32 bytes, wanted 32")
                .hint(format_args!("a message is 32 bytes; {longer}")),
            len => wants(len, "bytes", 32),
        })
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
