//! The configuration: one TOML file. Every key is described in docs/signer.md; unknown ones are refused.
#![forbid(unsafe_code)]

use super::permissions::{Operation, Rule};
use crate::keystore::{Child, Role, Scheme};
use crate::ledger::durable::{LedgerOptions, Resume, WitnessFolder};
use serde::Deserialize;
use std::fmt;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the service is told.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// `none`: whoever reaches the service is the client `anonymous`.
    pub auth: Option<NoAuth>,
    /// The file with the hashes of bearer tokens.
    pub tokens: Option<PathBuf>,
    /// Do not start unless every keystore opens.
    #[serde(default)]
    pub require_all: bool,
    /// Do not start unless the memory of secrets can be kept out of swap and dumps.
    #[serde(default)]
    pub require_mlock: bool,
    /// Also read keystores of root that their group may read, as Kubernetes hands them out.
    #[serde(default)]
    pub group_may_read_files_of_root: bool,
    /// Where it listens.
    pub listen: Listen,
    /// Certificates.
    pub tls: Option<Tls>,
    /// The ledger.
    pub ledger: Ledger,
    /// The clock of the machine.
    #[serde(default)]
    pub clock: Clock,
    /// The keys.
    #[serde(default)]
    pub keystores: Vec<KeystoreSource>,
    /// Who may do what with which key.
    #[serde(default)]
    pub permissions: Vec<Rule>,
    /// How much is taken from whom.
    #[serde(default)]
    pub limits: Limits,
    /// How many threads work.
    #[serde(default)]
    pub threads: Threads,
}

/// That nobody is asked who they are.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum NoAuth {
    /// Nobody.
    None,
}

/// Where the service listens.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listen {
    /// Address and port.
    pub address: Option<SocketAddr>,
    /// A Unix socket, made with mode 0600.
    pub unix: Option<PathBuf>,
    /// An address of its own for `/metrics`, where nobody is asked for a permission.
    pub metrics: Option<SocketAddr>,
    /// Whether there is a page at `/`: on loopback and a Unix socket there is one unless this says no.
    pub status_page: Option<bool>,
}

/// Certificates, in PEM.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// The service's, and those between it and its authority.
    pub certificate: PathBuf,
    /// Its private key.
    pub private_key: PathBuf,
    /// The authorities of clients. With it every client needs a certificate.
    pub client_ca: Option<PathBuf>,
    /// Also speak TLS 1.2.
    #[serde(default)]
    pub allow_tls_1_2: bool,
}

/// The ledger.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    /// Its folder.
    pub folder: PathBuf,
    /// The folder in which its side log has a folder, named after the ledger: best on another disk. Where it is not said,
    /// `phalanx serve` takes the user's state folder, as the other commands do.
    pub witness: Option<PathBuf>,
    /// The address of its store, where that is in PostgreSQL and not where the folder says.
    pub store: Option<String>,
    /// For how long it holds the lease of such a store without renewing it.
    pub lease_seconds: Option<u32>,
    /// File systems that are accepted although their flushes are not the disk's.
    #[serde(default)]
    pub allow_file_systems: Vec<String>,
    /// How the first opening goes on.
    #[serde(default)]
    pub resume: ResumeMode,
    /// In which order the keys sign.
    #[serde(default)]
    pub ordering: OrderingMode,
}

/// The clock of the machine, which keys of a ledger with a clock follow.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Clock {
    /// Start although the kernel says that nobody keeps it right.
    pub allow_unsynchronised: bool,
}

/// In which order the keys sign.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum OrderingMode {
    /// Only forward. A key that was registered otherwise becomes strict, for ever.
    #[default]
    Strict,
    /// As they were registered.
    AsRegistered,
}

/// How the first opening goes on. Later ones, after a fault, burn forward.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ResumeMode {
    /// Past everything that can have been signed.
    #[default]
    BurnForward,
    /// Where it stopped; refused unless that was clean, in this boot and place.
    TrustStore,
    /// Where it stopped, without a question: for tests.
    #[cfg(feature = "hazmat")]
    TrustStoreUnproved,
}

/// Keystores with one password.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeystoreSource {
    /// A keystore, or a folder of them: every `*.json` in it; with `derived`, the keystore of a master.
    pub path: PathBuf,
    /// Keys that are derived from the master.
    #[serde(default)]
    pub derived: Vec<Derived>,
    /// The file with the password, for its owner alone.
    pub password_file: Option<PathBuf>,
    /// An open descriptor with the password.
    pub password_fd: Option<u32>,
    /// The name of a credential that systemd hands over.
    pub password_credential: Option<String>,
    /// Open keystores whose key derivation is too cheap to protect a password.
    #[serde(default)]
    pub accept_weak_kdf: bool,
}

/// Keys that are derived from a master, and differ in their number alone.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Derived {
    /// The scheme.
    pub scheme: String,
    /// What they are for.
    pub role: String,
    /// First epoch, where the scheme has epochs.
    pub start: Option<u64>,
    /// Number of epochs.
    pub active: Option<u64>,
    /// Number of the first key.
    #[serde(default)]
    pub first: u64,
    /// How many keys.
    pub count: u32,
}

impl Derived {
    /// The keys, of which nobody can serve more than this at once.
    const MOST: u32 = 1 << 16;

    /// The keys.
    ///
    /// # Errors
    /// There are no such keys.
    pub fn children(&self) -> Result<impl Iterator<Item = Child>, ConfigError> {
        let Self { scheme, role, start, active, first, count } = self;
        let unknown = |what: &str, name: &str| wrong(format_args!("derived: no {what} '{name}'"));
        let role = Role::from_name(role).ok_or_else(|| unknown("role", role))?;
        let scheme = Scheme::from_name(scheme).ok_or_else(|| unknown("scheme", scheme))?;
        let interval = match (scheme, start, active) {
            (Scheme::Ed25519, None, None) => None,
            (Scheme::Ed25519, ..) => return Err(wrong("derived: a key of ed25519 has no epochs")),
            (_, Some(start), Some(active)) => Some(scheme.rounded(*start, *active).ok_or_else(|| {
                wrong(format_args!("derived: {active} epochs from {start} are none of {}", scheme.name()))
            })?),
            _ => return Err(wrong("derived: start and active say which epochs the keys have")),
        };
        let end = first.checked_add((*count).into()).filter(|_| (1..=Self::MOST).contains(count));
        let end = end.ok_or_else(|| wrong(format_args!("derived: 1 to {} keys", Self::MOST)))?;
        Ok((*first..end).map(move |index| Child { scheme, role, interval: interval.clone(), index }))
    }
}

macro_rules! numbers {
    ($(#[$doc:meta])* $name:ident: $($(#[$field_doc:meta])* $field:ident = $default:expr),* $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name { $($(#[$field_doc])* pub $field: u32),* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        impl $name {
            fn check(&self) -> Result<(), ConfigError> {
                $(if self.$field == 0 {
                    return Err(wrong(concat!(stringify!($field), " must not be 0")));
                })*
                Ok(())
            }
        }
    };
}

numbers! {
    /// How much is taken from whom.
    Limits:
    /// Connections in all.
    connections = 1024,
    /// Connections of one client; before it is known who it is, of one address.
    connections_per_client = 64,
    /// Signatures a second of one client.
    client_rate = 200,
    /// Signatures that a client may ask for at once.
    client_burst = 512,
    /// Signatures a second of one key.
    key_rate = 20,
    /// Signatures that may be asked of a key at once.
    key_burst = 64,
    /// Signatures that wait for the ledger.
    queue = 1024,
    /// Time for the head of a request.
    header_seconds = 5,
    /// Time for its body.
    body_seconds = 5,
    /// Time for all of it.
    request_seconds = 10,
    /// Time that a connection may do nothing.
    idle_seconds = 30,
    /// Time between two tries to open a ledger that was closed by a fault.
    reopen_seconds = 5,
    /// Time that a stop waits for what was asked before.
    stop_seconds = 5,
}

numbers! {
    /// How many threads work.
    Threads:
    /// That sign.
    sign = 4,
    /// That compute trees ahead, with low priority.
    advance = 1,
}

/// What is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(pub(super) String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

fn wrong(what: impl fmt::Display) -> ConfigError {
    ConfigError(what.to_string())
}

impl Config {
    /// Reads and checks the file at `path`. Paths in it are relative to its folder.
    ///
    /// # Errors
    /// [`ConfigError`], in a sentence.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = fs::read_to_string(path)
            .map_err(|error| wrong(format_args!("cannot read '{}': {error}", path.display())))?;
        let base = path.parent().unwrap_or(Path::new("."));
        Self::parse(&text, base).map_err(|error| wrong(format_args!("'{}': {error}", path.display())))
    }

    /// The configuration that `text` is, with paths relative to `base`.
    ///
    /// # Errors
    /// [`ConfigError`], in a sentence.
    pub fn parse(text: &str, base: &Path) -> Result<Self, ConfigError> {
        let mut config: Self = toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end()))?;
        config.paths_mut().into_iter().for_each(|path| *path = base.join(&*path));
        config.check()?;
        Ok(config)
    }

    fn paths_mut(&mut self) -> Vec<&mut PathBuf> {
        let tls = self.tls.iter_mut();
        let mut paths: Vec<&mut PathBuf> = tls
            .flat_map(|tls| {
                [&mut tls.certificate, &mut tls.private_key].into_iter().chain(&mut tls.client_ca)
            })
            .collect();
        paths.extend(&mut self.tokens);
        paths.extend(&mut self.listen.unix);
        paths.push(&mut self.ledger.folder);
        paths.extend(&mut self.ledger.witness);
        for source in &mut self.keystores {
            paths.push(&mut source.path);
            paths.extend(&mut source.password_file);
        }
        paths
    }

    fn check(&self) -> Result<(), ConfigError> {
        let Listen { address, unix, metrics, .. } = &self.listen;
        if address.is_none() && unix.is_none() {
            return Err(wrong("listen: neither an address nor a Unix socket"));
        }
        let is_public = |address: &Option<SocketAddr>| address.is_some_and(|a| !a.ip().is_loopback());
        if (is_public(address) || is_public(metrics)) && self.tls.is_none() {
            return Err(wrong("listening on an address that is not loopback needs TLS"));
        }
        let asks = self.tokens.is_some() || self.has_client_certificates();
        match self.auth {
            None if !asks => {
                return Err(wrong(
                    "neither client certificates nor tokens: say auth = \"none\" if that is meant",
                ));
            }
            Some(NoAuth::None) if asks => {
                return Err(wrong("auth = \"none\" together with client certificates or tokens"));
            }
            Some(NoAuth::None) if is_public(address) => {
                return Err(wrong("auth = \"none\" is for loopback and Unix sockets only"));
            }
            _ => {}
        }
        if unix.is_some() && self.auth.is_none() && self.tokens.is_none() {
            return Err(wrong(
                "clients of a Unix socket show no certificates: it needs tokens or auth = \"none\"",
            ));
        }
        for source in &self.keystores {
            let ways = [
                source.password_file.is_some(),
                source.password_fd.is_some(),
                source.password_credential.is_some(),
            ];
            if ways.into_iter().filter(|&is| is).count() > 1 {
                return Err(wrong("keystores: more than one way to a password"));
            }
            for derived in &source.derived {
                derived.children().map(drop)?;
            }
            if source.password_credential.as_ref().is_some_and(|name| name.contains('/')) {
                return Err(wrong("keystores: a credential is named without its folder"));
            }
        }
        for rule in &self.permissions {
            rule.check().map_err(wrong)?;
        }
        if self.ledger.lease_seconds == Some(0) {
            return Err(wrong("lease_seconds must not be 0"));
        }
        self.limits.check()?;
        self.threads.check()
    }

    /// Whether clients on the network show certificates.
    #[must_use]
    pub fn has_client_certificates(&self) -> bool {
        self.tls.as_ref().is_some_and(|tls| tls.client_ca.is_some())
    }

    /// Whether there is a page at `/`.
    #[must_use]
    pub fn has_status_page(&self) -> bool {
        let is_local = self.listen.address.is_none_or(|address| address.ip().is_loopback());
        self.listen.status_page.unwrap_or(is_local)
    }

    /// How the ledger is opened: for the first time, or again after a fault, when nothing proves what it knows.
    #[must_use]
    pub fn ledger_options(&self, is_first: bool) -> LedgerOptions {
        let Ledger { folder, witness, allow_file_systems, resume, .. } = &self.ledger;
        let witness = witness.clone().map_or(WitnessFolder::WithStore, WitnessFolder::NamedIn);
        let options = LedgerOptions::new(folder).witness(witness).resume(match resume {
            ResumeMode::TrustStore if is_first => Resume::TrustStore,
            ResumeMode::TrustStore | ResumeMode::BurnForward => Resume::BurnForward,
            #[cfg(feature = "hazmat")]
            ResumeMode::TrustStoreUnproved => Resume::TrustStoreUnproved,
        });
        let options = self.ledger.store.iter().fold(options, |options, url| options.store(url));
        let lease = self.ledger.lease_seconds.map(|seconds| Duration::from_secs(seconds.into()));
        let options = lease.into_iter().fold(options, LedgerOptions::lease);
        let is_allowed = self.clock.allow_unsynchronised;
        let options = if is_allowed { options.allow_unsynchronised_clock() } else { options };
        allow_file_systems.iter().fold(options, |options, name| options.allow_file_system(name))
    }

    /// What the service would do, a line for each thing.
    #[must_use]
    pub fn summary(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let tls = match &self.tls {
            Some(tls) if tls.client_ca.is_some() => "TLS with client certificates",
            Some(_) => "TLS",
            None => "no TLS",
        };
        let tokens = if self.tokens.is_some() { ", bearer tokens" } else { "" };
        let nobody = if self.auth.is_some() { ", nobody is asked who they are" } else { "" };
        if let Some(address) = self.listen.address {
            lines.push(format!("listens on {address}: {tls}{tokens}{nobody}"));
        }
        if let Some(path) = &self.listen.unix {
            lines.push(format!("listens on the Unix socket {}{tokens}{nobody}", path.display()));
        }
        if let Some(address) = self.listen.metrics {
            lines.push(format!("metrics on {address}"));
        }
        lines.push(format!("status page: {}", if self.has_status_page() { "at /" } else { "none" }));
        lines.push(format!("ledger in {}", self.ledger.folder.display()));
        let witness = self.ledger.witness.as_ref().unwrap_or(&self.ledger.folder);
        lines.push(format!("its side log in {}", witness.display()));
        lines.extend(self.keystores.iter().map(|source| format!("keystores in {}", source.path.display())));
        lines.extend(self.permissions.iter().map(ToString::to_string));
        if !self.permissions.iter().any(|rule| rule.operations.contains(&Operation::SignXmss)) {
            lines.push("nobody may sign: no rule allows sign-xmss".to_owned());
        }
        lines
    }
}
