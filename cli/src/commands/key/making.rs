//! A key from its secret: consulted with the ledger, computed, taken from the ledger of the plain commands, registered,
//! written. In this order, so that a crash leaves a registered key without a file at worst, and the same command then
//! goes on; and never two ledgers that both let it sign.

use super::ledger::{LedgerArgs, Past, Registration};
use super::password::FreshPasswordArgs;
use super::report::Report;
use crate::args::ThreadsArgs;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::key_ledger;
use crate::old_record;
use crate::output::Output;
use crate::progress::{Display, Unit};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use phalanx::Pool;
use phalanx::xmss::any::{KeyGeneration, SigningKey};
use phalanx::xmss::{Error, Progress};
use phalanx_custody::EpochKey;
use phalanx_custody::identity::KeyId;
use phalanx_custody::keystore::{
    Child, IndexMode, KeySecret, MasterKeystore, NewKey, Password, Policy, Role, Scheme, SealedFile, Use,
    file, trees,
};
use phalanx_custody::ledger::EpochLedger;
use phalanx_custody::ledger::record::KeyState;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// What a new keystore is to say, and where it goes.
#[derive(clap::Args)]
pub(super) struct MakingArgs {
    /// The scheme
    #[arg(long, value_name = "S", value_parser = scheme_parser())]
    scheme: Scheme,
    /// What the key is for
    #[arg(long, value_name = "R", value_parser = role_parser())]
    role: Role,
    /// How epochs are chosen
    #[arg(long, value_name = "MODE", value_parser = ["synchronized", "counter"], default_value = "synchronized")]
    index_mode: String,
    /// A text for people, which the password protects against changes
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,
    /// The keystore; its folder is created if need be
    #[arg(long, value_name = "F")]
    out: Option<PathBuf>,
    #[command(flatten)]
    ledger: LedgerArgs,
    #[command(flatten)]
    password: FreshPasswordArgs,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Allow a parameter set that exists for tests only and has no security
    #[arg(long)]
    insecure: bool,
}

/// Which epochs.
#[derive(clap::Args)]
pub(super) struct EpochArgs {
    /// First epoch the key shall sign [of XMSS]
    #[arg(long, value_name = "N")]
    start: Option<u64>,
    /// Number of epochs it shall sign [of XMSS]
    #[arg(long, value_name = "N")]
    active: Option<u64>,
}

impl EpochArgs {
    /// The epochs, rounded as key generation rounds them; none for Ed25519.
    pub(super) fn interval(&self, scheme: Scheme) -> Result<Option<Range<u64>>, Failure> {
        match (scheme, self.start, self.active) {
            (Scheme::Ed25519, None, None) => Ok(None),
            (Scheme::Ed25519, ..) => Err(Failure::usage("a key of ed25519 has no epochs")),
            (_, Some(start), Some(active)) => scheme.rounded(start, active).map(Some).ok_or_else(|| {
                Failure::usage(format_args!("{active} epochs from {start} are none of {}", scheme.name()))
            }),
            _ => Err(Failure::usage(format_args!("a key of {} needs --start and --active", scheme.name()))),
        }
    }

    /// Whether some were given.
    pub(super) fn is_given(&self) -> bool {
        self.start.is_some() || self.active.is_some()
    }
}

fn scheme_parser() -> impl TypedValueParser<Value = Scheme> {
    let names: Vec<_> = Scheme::all().map(Scheme::name).collect();
    PossibleValuesParser::new(names).try_map(|name| Scheme::from_name(&name).ok_or("unknown scheme"))
}

fn role_parser() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(Role::ALL.map(Role::name))
        .try_map(|name| Role::from_name(&name).ok_or("unknown role"))
}

impl MakingArgs {
    /// The scheme, if it may be made.
    pub(super) fn scheme(&self) -> Result<Scheme, Failure> {
        let name = self.scheme.name();
        if self.scheme.is_insecure() && !self.insecure {
            return Err(Failure::usage(format_args!("{name} has no security: signatures can be forged"))
                .hint("it exists for tests; --insecure allows it"));
        }
        Ok(self.scheme)
    }

    /// The role, as derivation takes it.
    pub(super) fn role(&self) -> Role {
        self.role
    }

    /// Where the keystore goes, or the folder for several.
    pub(super) fn out(&self) -> Result<&Path, Failure> {
        self.out.as_deref().ok_or_else(|| Failure::usage("the keystore has no name: --out"))
    }

    /// Makes the keystore. `source` is the file of an expanded key, and its public key.
    pub(super) fn make(
        &self,
        secret: &KeySecret,
        interval: Option<Range<u64>>,
        past: Past,
        source: Option<(&Path, &[u8])>,
        output: &Output,
    ) -> Result<Exit, Failure> {
        let report =
            self.make_one((self.out()?, self.role), (secret, interval), past, source, &mut None, output)?;
        output.object(&report)?;
        Ok(Exit::Good)
    }

    /// Makes one of several keystores, which have one password: it is read for the first.
    pub(super) fn make_one(
        &self,
        (out, role): (&Path, Role),
        (secret, interval): (&KeySecret, Option<Range<u64>>),
        past: Past,
        source: Option<(&Path, &[u8])>,
        password: &mut Option<Password>,
        output: &Output,
    ) -> Result<Report, Failure> {
        let scheme = self.scheme()?;
        file::check_place(out)?;
        let index_mode = match self.index_mode.as_str() {
            "counter" => IndexMode::Counter,
            _ => IndexMode::Synchronized,
        };
        let (key_id, one_time_key_id) = secret.identity(scheme)?;
        let registration =
            Registration { scheme, role, index_mode, interval: interval.clone(), key_id, one_time_key_id };
        registration.consult(
            &key_ledger::registry(&self.ledger.file_systems)?,
            &self.ledger.open()?,
            past,
        )?;
        let password = match password {
            Some(password) => password,
            None => password.insert(self.password.read(output)?),
        };
        let public_key = match (scheme.parameter_set(), &interval) {
            (Some(set), Some(epochs)) => {
                let begun = secret.key_generation(set, epochs.clone())?;
                let key = compute(begun, &self.threads.pool(), output)?;
                SigningKey::public_key(&key.verifying_key())
            }
            // What names a key of Ed25519 is its whole public key.
            _ => ed25519_public_key(secret)?,
        };
        if source.is_some_and(|(_, expected)| expected != public_key) {
            return Err(Failure::refused("the public key that was computed is not that of the imported key"));
        }
        let new = NewKey {
            scheme,
            interval,
            index_mode,
            role,
            usage: Use::Signing,
            description: &self.description,
            secret,
            public_key: (&public_key).into(),
        };
        let sealed = SealedFile::new(&new, password, self.password.derivation())?;
        // Nobody signs with it meanwhile, by whatever ledger.
        let registry = key_ledger::registry(&self.ledger.file_systems)?;
        let ledger = self.ledger.open()?;
        let is_known = registration.consult(&registry, &ledger, past)?;
        if let (Some((path, _)), Past::Accepted(from), Some(_)) = (source, past, scheme.parameter_set()) {
            old_record::check_above(path, scheme.name(), &public_key, from)?;
            self.take_from(path, registration.key_id, from)?;
        }
        registration.register(&registry, &ledger, &public_key, past)?;
        file::create(out, &sealed)?;
        conclude(out, &sealed, is_known, output)
    }

    /// Derives keys of the keystore of a master, at `path`: they are registered, and have no keystores of their own. Their
    /// trees are kept for whoever serves them.
    pub(super) fn derive(
        &self,
        path: &Path,
        keystore: &MasterKeystore,
        children: impl Iterator<Item = Child>,
        past: Past,
        output: &Output,
    ) -> Result<Exit, Failure> {
        self.scheme()?;
        if self.out.is_some() || self.index_mode != "synchronized" {
            return Err(Failure::usage("keys of the keystore of a master have no files: without --out")
                .hint("their password is the master's, and 'phalanx serve' derives them again"));
        }
        let master = keystore.open(&self.password.read_old()?, Policy::default())?;
        let registry = || key_ledger::registry(&self.ledger.file_systems);
        let mut keys = Vec::new();
        for child in children {
            let secret = master.secret(&child);
            let (key_id, one_time_key_id) = secret.identity(child.scheme)?;
            let registration = Registration {
                scheme: child.scheme,
                role: child.role,
                index_mode: IndexMode::Synchronized,
                interval: child.interval.clone(),
                key_id,
                one_time_key_id,
            };
            registration.consult(&registry()?, &self.ledger.open()?, past)?;
            let key = match (child.scheme.parameter_set(), &child.interval) {
                (Some(set), Some(epochs)) => {
                    let begun = secret.key_generation(set, epochs.clone())?;
                    Some(compute(begun, &self.threads.pool(), output)?)
                }
                _ => None,
            };
            let public_key = match &key {
                Some(key) => SigningKey::public_key(&key.verifying_key()),
                None => ed25519_public_key(&secret)?,
            };
            let (registry, ledger) = (registry()?, self.ledger.open()?);
            registration.consult(&registry, &ledger, past)?;
            registration.register(&registry, &ledger, &public_key, past)?;
            if let Some(key) = &key {
                let cache = trees::path_beside(&trees::path_of_child(path, &child));
                master.open(&child, &public_key)?.keep_any_trees(&cache, key)?;
            }
            output.line(format_args!("{} {}", child.name(), hex::encode(&public_key)))?;
            keys.push(serde_json::json!({
                "index": child.index, "key_id": key_id.to_string(), "public_key": hex::encode(&public_key),
            }));
        }
        output.object(&serde_json::json!({ "master": path, "keys": keys }))?;
        Ok(Exit::Good)
    }

    /// Retires the key in the ledger beside the file that it comes from, if there is one.
    fn take_from(&self, secret_key: &Path, key: KeyId, from: u64) -> Result<(), Failure> {
        let real = std::fs::canonicalize(secret_key).unwrap_or_else(|_| secret_key.to_owned());
        let folder = key_ledger::folder_of(&real);
        if folder.symlink_metadata().is_err() {
            return Ok(());
        }
        let ledger = key_ledger::open(&key_ledger::options(&folder, &self.ledger.file_systems)?)?;
        let known = ledger.standing(&key)?;
        let first = known.highest.map_or(known.low, |highest| known.low.max(highest + 1));
        match known.state {
            KeyState::Retired => Ok(()),
            _ if from < first => Err(key_ledger::too_low(from, first)),
            _ => Ok(ledger.retire(&key, "imported into a keystore")?),
        }
    }
}

/// Says what was made.
fn conclude(path: &Path, sealed: &SealedFile, is_known: bool, output: &Output) -> Result<Report, Failure> {
    if is_known {
        output.note("the ledger knew this key already: it goes on where that left off");
    }
    let report = Report::of(path, sealed.header());
    report.print(sealed.header(), output)?;
    Ok(report)
}

/// The public key of a seed of Ed25519.
fn ed25519_public_key(secret: &KeySecret) -> Result<Vec<u8>, Failure> {
    let seed: &[u8; 32] =
        secret.expose().try_into().map_err(|_| Failure::usage("a seed of ed25519 has 32 bytes"))?;
    Ok(phalanx::ed25519::SigningKey::from_seed(seed).verifying_key().to_bytes().to_vec())
}

/// All trees, with progress. An interrupt ends it; nothing has been written by then.
fn compute(mut begun: KeyGeneration, pool: &dyn Pool, output: &Output) -> Result<SigningKey, Failure> {
    interrupt::watch()?;
    let display = Display::new(output, begun.progress().leaves_total, Unit::Leaves);
    let progress = |progress: Progress| {
        display.show(progress.leaves_done, progress.leaves_total);
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    loop {
        match begun.step_on(pool, &progress) {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(Error::Unfinished) => {
                display.finish();
                return Err(Failure::new(Exit::Interrupted, "interrupted: nothing was written"));
            }
            Err(error) => return Err(error.into()),
        }
    }
    display.finish();
    Ok(begun.finish()?)
}
