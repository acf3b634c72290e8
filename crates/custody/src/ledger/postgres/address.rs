//! The address of a server: a URL with the parameters that PostgreSQL's own programs take, and the file of passwords.
#![forbid(unsafe_code)]

use super::passwords;
use crate::ledger::refused::{LedgerError, Problem};
use std::path::PathBuf;
use std::str::FromStr;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// A URL, taken apart.
#[derive(Debug)]
pub(super) struct Address {
    /// Hosts, user, database, password.
    pub(super) config: Config,
    /// `sslrootcert`: the certificates of those who vouch for the server.
    pub(super) root_certificates: Option<PathBuf>,
    /// `sslcert` and `sslkey`: this host's own certificate and its key.
    pub(super) identity: Option<(PathBuf, PathBuf)>,
}

/// A URL that is none, or asks for what is not offered. The URL itself is not repeated: it may hold a password.
fn malformed(what: impl std::fmt::Display) -> LedgerError {
    LedgerError::new(Problem::Malformed, format_args!("the address of the database: {what}"))
}

impl Address {
    /// Takes `url` apart, and looks up the password for it. Parameters besides those of
    /// `tokio_postgres`: `sslmode=verify-full`, `sslrootcert`, `sslcert`, `sslkey`, `passfile`, as libpq has them.
    pub(super) fn parse(url: &str) -> Result<Self, LedgerError> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(malformed("it does not begin with postgres://"));
        }
        if url.contains(char::is_whitespace) {
            return Err(malformed("there is a space in it"));
        }
        let (place, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut roots, mut certificate, mut key, mut file) = (None, None, None, None);
        let mut others = String::new();
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let slot = match name {
                "sslrootcert" => &mut roots,
                "sslcert" => &mut certificate,
                "sslkey" => &mut key,
                "passfile" => &mut file,
                // What is done in any case.
                "sslmode" if value == "verify-full" => continue,
                "sslmode" => return Err(malformed("sslmode is verify-full, or left out")),
                _ => {
                    others.push(if others.is_empty() { '?' } else { '&' });
                    others.push_str(parameter);
                    continue;
                }
            };
            let path = decoded(value).filter(|path| path.is_absolute());
            let path = path.ok_or_else(|| malformed(format_args!("{name} is no absolute path")))?;
            *slot = Some(path);
        }
        // What is wrong is not said in the words of the parser, which repeats what it was given.
        let mut config =
            Config::from_str(&format!("{place}{others}")).map_err(|_| malformed("it cannot be read"))?;
        if config.get_password().is_some() {
            return Err(malformed(
                "a password in it is seen by everybody: passfile, or PGPASSFILE, names a file",
            ));
        }
        let identity = match (certificate, key) {
            (None, None) => None,
            (Some(certificate), Some(key)) => Some((certificate, key)),
            _ => return Err(malformed("sslcert and sslkey go together")),
        };
        let file = file.or_else(|| std::env::var_os("PGPASSFILE").map(PathBuf::from));
        if let Some(password) = file.map(|file| passwords::find(&file, &config)).transpose()?.flatten() {
            config.password(&password[..]);
        }
        Ok(Self { config, root_certificates: roots, identity })
    }

    /// Whether the server is on this machine, behind a socket in the file system.
    pub(super) fn is_local(&self) -> bool {
        let hosts = self.config.get_hosts();
        !hosts.is_empty() && hosts.iter().all(|host| matches!(host, Host::Unix(_)))
    }
}

/// The text behind `%` and two digits.
fn decoded(text: &str) -> Option<PathBuf> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        bytes.push(if first == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            rest = after;
            u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
        } else {
            first
        });
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}
