//! Arguments that several commands share.

use crate::exit::Failure;
use crate::output::Output;
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
    /// Threads to use; 0, as without it: all that the system offers
    #[arg(long, value_name = "N", env = "PHALANX_THREADS", value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: Option<u16>,
}

impl ThreadsArgs {
    /// The pool.
    pub(crate) fn pool(&self) -> Threads {
        match self.threads {
            None | Some(0) => Threads::available(),
            Some(count) => Threads::new(count.into()),
        }
    }
}

/// What a proof is for: bytes that prover and verifier have to name alike.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
pub(crate) struct ContextArgs {
    /// Bytes that the proof is bound to, in hexadecimal digits [default: none]
    #[arg(long, value_name = "H")]
    pub(crate) context_hex: Option<String>,
    /// File of the bytes that the proof is bound to (`-`: standard input)
    #[arg(long, value_name = "F")]
    pub(crate) context_file: Option<PathBuf>,
}

impl ContextArgs {
    /// The bytes.
    ///
    /// # Errors
    /// Digits that are none, a file that cannot be read.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Failure> {
        if let Some(digits) = &self.context_hex {
            return digits::argument("--context-hex", digits);
        }
        let Some(file) = &self.context_file else { return Ok(Vec::new()) };
        Ok(std::mem::take(&mut *files::read(file)?))
    }

    /// Whether there is any.
    pub(crate) fn is_given(&self) -> bool {
        self.context_hex.is_some() || self.context_file.is_some()
    }

    /// Refuses if standard input is named more than once among these files and the context's.
    #[cfg(feature = "aggregate")]
    pub(crate) fn check_standard_input(&self, others: &[&Path]) -> Result<(), Failure> {
        let all = others.iter().copied().chain(self.context_file.as_deref());
        if all.filter(|path| files::is_standard(path)).count() > 1 {
            return Err(Failure::usage("only one input can be standard input"));
        }
        Ok(())
    }
}

/// Refuses early what would be refused in the end.
pub(crate) fn check_out(out: &Path, force: bool, output: &Output) -> Result<(), Failure> {
    if files::is_standard(out) && output.is_json() {
        return Err(Failure::usage("--json cannot be used with --out -: both are standard output"));
    }
    files::check_free(out, force)?;
    files::check_folder_of(out)
}
