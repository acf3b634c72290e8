//! What a keystore says of its key, for people and for scripts.

use crate::exit::Failure;
use crate::key_json::Interval;
use crate::output::Output;
use phalanx_custody::keystore::{Header, Scheme};
use serde::Serialize;
use std::path::Path;

/// The header of a keystore. Nothing in it is secret.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) file: String,
    scheme: &'static str,
    insecure: bool,
    key_id: String,
    public_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    activation: Option<Interval>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(rename = "use")]
    usage: &'static str,
    secret: &'static str,
    uuid: String,
    description: String,
}

impl Report {
    pub(super) fn of(path: &Path, header: &Header) -> Self {
        let interval = header.start.zip(header.count);
        Self {
            file: path.display().to_string(),
            scheme: header.scheme.name(),
            insecure: header.scheme.is_insecure(),
            key_id: header.key_id.to_string(),
            public_key: hex::encode(&header.public_key),
            activation: interval.map(|(start, count)| Interval { start, end: start + count }),
            index_mode: header.index_mode.map(|mode| mode.name()),
            role: header.role.map(|role| role.name()),
            usage: header.usage.name(),
            secret: header.secret.name(),
            uuid: header.uuid.clone(),
            description: header.description.clone(),
        }
    }

    /// Prints it as text.
    pub(super) fn print(&self, header: &Header, output: &Output) -> Result<(), Failure> {
        let role = self.role.unwrap_or("no role");
        let line = |name: &str, value: &str| output.line(format_args!("  {name} {value}"));
        output.line(format_args!("{}: keystore of {}, {role}, {}", self.file, self.scheme, self.usage))?;
        line("key id", &self.key_id)?;
        line("public key", &self.public_key)?;
        match (&self.activation, header.scheme) {
            (Some(interval), _) => line("active epochs", &interval.to_string())?,
            (None, Scheme::Ed25519) => {}
            (None, _) => line("active epochs", "not said: the file lacks their number")?,
        }
        if self.secret != "seed" {
            line("secret", "an expanded key, whose seed is not known")?;
        }
        if !self.description.is_empty() {
            // On one line, whatever it holds.
            line("description", &format!("{:?}", self.description))?;
        }
        line("uuid", &self.uuid)?;
        if self.insecure {
            line("problem:", "a test set without security")?;
        }
        Ok(())
    }
}
