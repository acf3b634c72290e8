//! Who may do what with which key: a list of rules, each of which allows something. What no rule allows is denied.
#![forbid(unsafe_code)]

use crate::identity::KeyId;
use serde::Deserialize;
use std::fmt;

/// What a client may be allowed to do.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Sign with XMSS keys.
    SignXmss,
    /// Sign with Ed25519 keys.
    SignEd25519,
    /// See keys and where they stand.
    List,
    /// Have the configuration and the keystores read again.
    Reload,
    /// Read the metrics.
    Metrics,
}

impl Operation {
    /// Whether the operation is about keys.
    fn is_about_keys(self) -> bool {
        !matches!(self, Self::Reload | Self::Metrics)
    }

    fn name(self) -> &'static str {
        match self {
            Self::SignXmss => "sign-xmss",
            Self::SignEd25519 => "sign-ed25519",
            Self::List => "list",
            Self::Reload => "reload",
            Self::Metrics => "metrics",
        }
    }
}

/// That some clients may do something with some keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Names of clients; `*` is everybody who was let in.
    pub clients: Vec<String>,
    /// Public keys, beginnings of key names of at least 8 digits, `role:NAME`, or `*`.
    #[serde(default)]
    pub keys: Vec<String>,
    /// What they may do.
    pub operations: Vec<Operation>,
}

/// What rules look at in a key.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Its name.
    pub key_id: &'a KeyId,
    /// Its public key in hexadecimal.
    pub public_key: &'a str,
    /// Its role.
    pub role: &'a str,
}

impl Rule {
    /// What is wrong with the rule.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.clients.is_empty() || self.operations.is_empty() {
            return Err("permissions: a rule without clients or operations".to_owned());
        }
        if self.keys.is_empty() && self.operations.iter().any(|operation| operation.is_about_keys()) {
            return Err("permissions: a rule about keys that names none (\"*\" names all)".to_owned());
        }
        match self.keys.iter().find(|text| !is_pattern(text)) {
            Some(text) => Err(format!("permissions: '{text}' names no keys")),
            None => Ok(()),
        }
    }

    fn is_for(&self, client: &str) -> bool {
        self.clients.iter().any(|name| name == "*" || name == client)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operations: Vec<_> = self.operations.iter().map(|operation| operation.name()).collect();
        write!(f, "{} may {}", self.clients.join(", "), operations.join(", "))?;
        if self.keys.is_empty() { Ok(()) } else { write!(f, " with {}", self.keys.join(", ")) }
    }
}

/// The digits of a pattern, without their prefix, in lower case.
fn digits(text: &str) -> String {
    text.strip_prefix("0x").unwrap_or(text).to_ascii_lowercase()
}

fn is_pattern(text: &str) -> bool {
    let role = text.strip_prefix("role:");
    let digits = digits(text);
    text == "*"
        || role.is_some_and(|role| !role.is_empty())
        || (digits.len() >= 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn matches(pattern: &str, key: &Subject<'_>) -> bool {
    if pattern == "*" {
        return true;
    }
    match pattern.strip_prefix("role:") {
        Some(role) => role == key.role,
        None => {
            let digits = digits(pattern);
            digits == key.public_key || key.key_id.to_string().starts_with(&digits)
        }
    }
}

/// Whether `client` may do `operation`, which is about `key` if there is one.
#[must_use]
pub fn allows(rules: &[Rule], client: &str, operation: Operation, key: Option<&Subject<'_>>) -> bool {
    rules
        .iter()
        .filter(|rule| rule.is_for(client) && rule.operations.contains(&operation))
        .any(|rule| key.is_none_or(|key| rule.keys.iter().any(|pattern| matches(pattern, key))))
}

/// Whether `client` may do anything with `key`: if not, the key is not there for it.
#[must_use]
pub fn sees(rules: &[Rule], client: &str, key: &Subject<'_>) -> bool {
    [Operation::SignXmss, Operation::SignEd25519, Operation::List]
        .into_iter()
        .any(|operation| allows(rules, client, operation, Some(key)))
}
