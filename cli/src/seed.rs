//! The 32 secret bytes that a key is made from.

use crate::exit::Failure;
use crate::files;
use crate::output::Output;
use phalanx_identify::hexadecimal;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// A seed; wiped on drop.
pub(crate) type Seed = Zeroizing<[u8; 32]>;

/// Where the seed comes from; without any of these, from the operating system.
#[derive(clap::Args)]
#[group(multiple = false)]
pub(crate) struct SeedArgs {
    /// File with the seed: 32 bytes, or 64 hexadecimal digits [default: a seed from the operating system]
    #[arg(long, value_name = "F")]
    seed_file: Option<PathBuf>,
    /// The seed on the command line, where others can read it: for tests only
    // A plain string: the argument parser must not repeat a wrong one in its error.
    #[arg(long, value_name = "H")]
    insecure_seed_hex: Option<String>,
}

impl SeedArgs {
    /// The seed the user gave, if any.
    ///
    /// # Errors
    /// A file that cannot be read, or is not a seed.
    pub(crate) fn read(&self, output: &Output) -> Result<Option<Seed>, Failure> {
        if let Some(digits) = &self.insecure_seed_hex {
            output.note("a seed on the command line is visible to others: for tests only");
            return from_digits(digits.as_bytes(), "--insecure-seed-hex").map(Some);
        }
        let Some(file) = &self.seed_file else { return Ok(None) };
        let bytes = files::read_at_most(file, 1024)?;
        from_bytes(&bytes, &format!("seed file '{}'", file.display())).map(Some)
    }
}

/// The seed that a file holds: 32 bytes, or 64 hexadecimal digits. The error repeats none of them.
pub(crate) fn from_bytes(bytes: &[u8], name: &str) -> Result<Seed, Failure> {
    if bytes.len() == 32 {
        let mut seed = Seed::default();
        seed.copy_from_slice(bytes);
        return Ok(seed);
    }
    from_digits(bytes, name)
}

/// The seed written as 64 hexadecimal digits. The error repeats none of them.
pub(crate) fn from_digits(digits: &[u8], name: &str) -> Result<Seed, Failure> {
    let mut seed = Seed::default();
    if hexadecimal::count(digits) != 64 {
        let got = digits.len();
        return Err(Failure::usage(format_args!(
            "{name}: got {got} bytes, wanted 32, or 64 hexadecimal digits"
        )));
    }
    hexadecimal::decode_to_slice(digits, &mut seed[..])
        .map_err(|_| Failure::usage(format_args!("{name}: got 64 bytes that are not hexadecimal digits")))?;
    Ok(seed)
}

/// A new seed from the operating system.
///
/// # Errors
/// Exit code 4 if the system gives none.
pub(crate) fn from_system() -> Result<Seed, Failure> {
    let mut seed = Seed::default();
    getrandom::fill(&mut seed[..])
        .map_err(|error| Failure::system(format_args!("no randomness from the operating system: {error}")))?;
    Ok(seed)
}
