//! What is converted into what.

use crate::exit::Failure;
use crate::formats::{self, Encoding};
use crate::output::JsonFlag;
use crate::password::{KeyPasswordArgs, NewKeyPasswordArgs};
use phalanx::xmss::Format;
use phalanx::xmss::any::ParameterSet;
use phalanx_identify::Kind;
use std::path::PathBuf;

/// Convert a key or a signature into another encoding, losslessly
///
/// What IN is is found by trying, strictly; --kind, --scheme and --from say it. The encoding of OUT says whether it is
/// of XMSS (ssz, bincode, bincode2, json, bincode-padded) or of Ed25519 (the others). A secret key of XMSS takes the
/// right to sign along, with its ledger of used epochs: the file IN signs no more. Public keys and signatures are also
/// taken out of documents: hexadecimal, JSON as clients write it, manifests of validators.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  phalanx convert signature.ssz signature.json --to json
  phalanx convert validator-keys-manifest.yaml key.ssz \\
    --at 'validators[0].pubkey_hex' --to ssz
  phalanx convert ~/.ssh/id_ed25519 key.pem --to pkcs8")]
pub(crate) struct Args {
    /// The file to convert (`-`: standard input)
    #[arg(value_name = "IN")]
    pub(super) input: PathBuf,
    /// The file to write (`-`: standard output)
    #[arg(value_name = "OUT")]
    pub(super) out: PathBuf,
    /// Encoding to write; pem and spki are other names of pkcs8 [default: what OUT ends in, if that is the name of one]
    #[arg(long, value_name = "F", value_parser = formats::encoding_parser())]
    to: Option<Encoding>,
    /// Encoding of IN
    #[arg(long, value_name = "F", value_parser = formats::encoding_parser())]
    pub(super) from: Option<Encoding>,
    /// Parameter set of IN
    #[arg(long, value_name = "S", value_parser = formats::scheme_parser())]
    pub(super) scheme: Option<ParameterSet>,
    /// What IN is
    #[arg(long, value_enum)]
    pub(super) kind: Option<Kind>,
    /// Where it stands in a document: `validators[0].pubkey_hex` of a manifest, `attestation_public` of a JSON
    #[arg(long, value_name = "PATH")]
    pub(super) at: Option<String>,
    /// Check that this public key belongs to the secret key IN
    #[arg(long, value_name = "F")]
    pub(super) public_key: Option<PathBuf>,
    /// Encoding of that public key, if it is of XMSS
    #[arg(long, value_name = "F", value_parser = formats::key_format_parser(), default_value = "ssz")]
    pub(super) public_key_format: Format,
    #[command(flatten)]
    pub(super) password: KeyPasswordArgs,
    #[command(flatten)]
    pub(super) new_password: NewKeyPasswordArgs,
    /// Replace OUT
    #[arg(long)]
    pub(super) force: bool,
    #[cfg(all(unix, feature = "custody"))]
    #[command(flatten)]
    pub(super) file_systems: crate::key_ledger::FileSystemArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

impl Args {
    /// The encoding to write.
    ///
    /// # Errors
    /// Exit code 2 if neither `--to` nor the name of OUT says it.
    pub(super) fn to(&self) -> Result<Encoding, Failure> {
        let ending = self.out.extension().and_then(|ending| ending.to_str());
        self.to.or_else(|| ending.and_then(formats::encoding)).ok_or_else(|| {
            Failure::usage(format_args!(
                "--to is missing, and '{}' does not end in an encoding",
                self.out.display()
            ))
            .hint("--to ssz, json, openssh, pem, minisign, jwk, raw, hex ...: see 'phalanx convert --help'")
        })
    }
}

/// XMSS and Ed25519 have no encoding in common.
pub(super) fn other_system(from: &str, to: &str) -> Failure {
    Failure::usage(format_args!("nothing in {from} can be in {to}: one is of ed25519, the other of xmss"))
}
