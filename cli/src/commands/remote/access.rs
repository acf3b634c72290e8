//! How a signer is reached, and what its answers become.

use crate::exit::{Exit, Failure};
use crate::files;
use phalanx_custody::remote::{Client, Endpoint, Error, Identity, Options, Refusal, Roots, Token};
use std::path::{Path, PathBuf};
use std::time::Duration;
use zeroize::Zeroizing;

/// Longest file of certificates, key or token.
const MAX_BYTES: u64 = 1 << 20;

/// Where the signer is, and what it is shown.
#[derive(clap::Args)]
pub(super) struct AccessArgs {
    /// The signer: https://host:port, http://127.0.0.1:port or unix:/path
    #[arg(long, value_name = "URL")]
    url: String,
    /// Certificates of the authorities that vouch for the signer, in PEM [default: the system's]
    #[arg(long, value_name = "F")]
    ca: Option<PathBuf>,
    /// This client's certificate, in PEM
    #[arg(long, value_name = "F", requires = "client_key")]
    client_cert: Option<PathBuf>,
    /// Its key, in PEM, for its owner alone
    #[arg(long, value_name = "F", requires = "client_cert")]
    client_key: Option<PathBuf>,
    /// File with a bearer token, for its owner alone
    #[arg(long, value_name = "F")]
    token_file: Option<PathBuf>,
    /// Seconds that a request may take
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..=600))]
    timeout: u16,
}

impl AccessArgs {
    /// A client. Nothing is sent yet.
    pub(super) fn client(&self) -> Result<Client, Failure> {
        let mut options = Options::new(Endpoint::parse(&self.url).map_err(failure)?);
        options.timeout = Duration::from_secs(self.timeout.into());
        if let Some(ca) = &self.ca {
            options.roots = Roots::Pem(files::read_at_most(ca, MAX_BYTES)?.to_vec());
        }
        if let (Some(chain), Some(key)) = (&self.client_cert, &self.client_key) {
            let chain = files::read_at_most(chain, MAX_BYTES)?.to_vec();
            options.identity = Some(Identity { chain, key: secret(key)? });
        }
        if let Some(token) = &self.token_file {
            let token = secret(token)?;
            options.token = Some(Token::from_file_content(&token).map_err(failure)?);
        }
        Client::new(options).map_err(failure)
    }
}

/// Reads a file that nobody but its owner may read.
fn secret(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    if let Some(mode) = files::open_to_others(path).filter(|_| !files::is_standard(path) && path.is_file()) {
        let shown = path.display();
        return Err(Failure::refused(format_args!("others can read '{shown}' (mode {mode:04o})"))
            .hint(format_args!("chmod 600 {shown}")));
    }
    files::read_at_most(path, MAX_BYTES)
}

/// What an error of the client becomes.
pub(super) fn failure(error: Error) -> Failure {
    match error {
        Error::Setup(_) => Failure::usage(error),
        Error::Refused(refusal) => refused(&refusal),
        Error::DoesNotVerify => Failure::new(Exit::DoesNotVerify, error)
            .hint("nothing was written; is it the right key, and is it the signer that answers?"),
        _ => Failure::system(error),
    }
}

/// What a signer's no becomes: refusals of the ledger and of permission, requests it did not understand, and the rest,
/// which may pass.
fn refused(refusal: &Refusal) -> Failure {
    let failure = Failure::new(exit(refusal), refusal);
    match &*refusal.code {
        "epoch_used" => {
            failure.hint("final: another message was signed at this epoch; find out who asked for it")
        }
        "unauthenticated" => failure.hint("--client-cert and --client-key, or --token-file"),
        "not_permitted" => failure.hint("the signer's configuration says what this client may do"),
        _ if refusal.is_temporary() => {
            failure.hint("the same request may be sent again: the same message gives the same signature")
        }
        _ => failure,
    }
}

/// The exit code for a signer's no.
pub(super) fn exit(refusal: &Refusal) -> Exit {
    /// Of 412, without its status in a batch.
    const OF_THE_LEDGER: [&str; 10] = [
        "epoch_used",
        "passed",
        "out_of_order",
        "not_active",
        "exhausted",
        "not_in_range",
        "ahead",
        "behind",
        "quarantined",
        "retired",
    ];
    /// Of 401, 403 and 404.
    const OF_PERMISSION: [&str; 3] = ["unauthenticated", "not_permitted", "unknown_key"];
    let code = &*refusal.code;
    match refusal.status {
        _ if OF_THE_LEDGER.contains(&code) || OF_PERMISSION.contains(&code) => Exit::Refused,
        401 | 403 | 412 => Exit::Refused,
        _ if refusal.is_temporary() => Exit::System,
        200 | 400 | 404 | 405 | 411 | 413 | 415 => Exit::Usage,
        _ => Exit::System,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_has_its_exit_code() {
        let exit = |status, code: &str| {
            exit(&Refusal { status, code: code.to_owned(), sentence: String::new(), is_final: None })
        };
        for (status, code) in [
            (412, "epoch_used"),
            (200, "epoch_used"),
            (401, "unauthenticated"),
            (403, "unknown"),
            (404, "unknown_key"),
        ] {
            assert_eq!(exit(status, code), Exit::Refused, "{code}");
        }
        for (status, code) in
            [(400, "malformed"), (200, "wrong_scheme"), (413, "too_large"), (404, "not_found")]
        {
            assert_eq!(exit(status, code), Exit::Usage, "{code}");
        }
        for (status, code) in [
            (503, "stopping"),
            (200, "unavailable"),
            (500, "internal"),
            (429, "rate_limited"),
            (408, "timeout"),
            (302, "unknown"),
        ] {
            assert_eq!(exit(status, code), Exit::System, "{code}");
        }
    }
}
