//! What the parts of the service share, and the questions that its addresses ask of it.
#![forbid(unsafe_code)]

use super::config::{Config, ConfigError};
use super::errors::{Code, Failure};
use super::journal::Journal;
use super::keys::{KeySet, Loader, Secret, ServedKey};
use super::limits::{Buckets, Connections};
use super::metrics::{Metrics, Text, written};
use super::opened::OpenedLedger;
use super::permissions::{Operation, Rule, allows, sees};
use super::readiness::Seen;
use super::signing::{Queue, Wish};
use super::subject::Subject;
use super::tls::{Certificate, TlsSettings};
use super::tokens::{Tokens, bearer};
use super::wire::{
    FailedFile, FlushBound, FlushTimes, Interval, KeyBody, LedgerBody, Reloaded, StatusBody, bytes,
};
use crate::identity::KeyId;
use crate::ledger::Standing;
use crate::ledger::record::KeyState;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The name of a client where nobody is asked who they are.
pub(super) const ANONYMOUS: &str = "anonymous";

/// Who is let in, and what they may do. Exchanged as a whole by a reload.
pub(super) struct Access {
    pub(super) rules: Vec<Rule>,
    tokens: Option<Tokens>,
    asks_nobody: bool,
}

impl Access {
    pub(super) fn of(config: &Config) -> Result<Self, ConfigError> {
        let tokens = config.tokens.as_deref().map(Tokens::read).transpose()?;
        Ok(Self { rules: config.permissions.clone(), tokens, asks_nobody: config.auth.is_some() })
    }
}

/// The service.
pub(super) struct Service {
    pub(super) config_path: PathBuf,
    pub(super) limits: super::config::Limits,
    pub(super) has_status_page: bool,
    pub(super) access: RwLock<Arc<Access>>,
    pub(super) keys: Arc<RwLock<Arc<KeySet>>>,
    pub(super) ledger: Arc<OpenedLedger>,
    pub(super) queue: Queue,
    pub(super) metrics: Arc<Metrics>,
    pub(super) journal: Journal,
    pub(super) connections: Arc<Connections>,
    /// Of the Unix socket and of the address for metrics, which a crowd elsewhere does not fill.
    pub(super) aside: Arc<Connections>,
    pub(super) client_buckets: Buckets<Arc<str>>,
    pub(super) key_buckets: Buckets<KeyId>,
    pub(super) tls: Option<TlsSettings>,
    pub(super) stopping: AtomicBool,
    pub(super) reloading: Mutex<()>,
    pub(super) started: SystemTime,
    /// Where the keys stood when it was last looked.
    pub(super) standings: RwLock<Arc<BTreeMap<KeyId, Standing>>>,
}

fn read<T>(of: &RwLock<Arc<T>>) -> Arc<T> {
    Arc::clone(&of.read().unwrap_or_else(PoisonError::into_inner))
}

fn replace<T>(of: &RwLock<Arc<T>>, by: T) {
    *of.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(by);
}

impl Service {
    /// The rules, and who is let in.
    pub(super) fn access(&self) -> Arc<Access> {
        read(&self.access)
    }

    /// The keys that are served.
    pub(super) fn keys(&self) -> Arc<KeySet> {
        read(&self.keys)
    }

    /// Who a client is, by its certificate and its token: both, where both are asked for, and then of one name.
    pub(super) fn authenticate(
        &self,
        certificate: &Certificate,
        authorization: Option<&str>,
    ) -> Result<Arc<str>, Failure> {
        let access = self.access();
        let refuse = |reason: &str| {
            self.metrics.auth_failed(reason);
            self.journal.note("not_let_in", &[("reason", &reason)]);
            Err(Code::Unauthenticated.into())
        };
        let Some(tokens) = &access.tokens else {
            return match certificate {
                Certificate::Named(name) => Ok(Arc::clone(name)),
                Certificate::Unnamed => refuse("no_name"),
                Certificate::NotAsked if access.asks_nobody => Ok(Arc::from(ANONYMOUS)),
                Certificate::NotAsked => refuse("no_certificate"),
            };
        };
        let Some(token) = authorization.and_then(bearer) else { return refuse("no_token") };
        let Some(name) = tokens.client(token) else { return refuse("wrong_token") };
        match certificate {
            Certificate::Named(other) if **other != *name => refuse("other_client"),
            Certificate::Unnamed => refuse("no_name"),
            _ => Ok(Arc::from(name)),
        }
    }

    /// `Ok` if `client` may do something that is not about a key.
    pub(super) fn check_may(&self, client: &str, operation: Operation) -> Result<(), Failure> {
        let may = allows(&self.access().rules, client, operation, None);
        if may { Ok(()) } else { Err(Code::NotPermitted.into()) }
    }

    /// The key that `identifier` means, if `client` may sign with it by `operation`.
    pub(super) fn key_for(
        &self,
        identifier: &str,
        client: &str,
        operation: Operation,
    ) -> Result<Arc<ServedKey>, Failure> {
        let (keys, access) = (self.keys(), self.access());
        let key = bytes(identifier).and_then(|public_key| keys.get(&public_key).cloned());
        let key = key.filter(|key| sees(&access.rules, client, &key.subject()));
        let key = key.ok_or_else(|| Failure::unknown_key(identifier))?;
        let is_xmss = matches!(key.secret, Secret::Xmss(_));
        if is_xmss != (operation == Operation::SignXmss) {
            return Err(Code::WrongScheme.into());
        }
        let may = allows(&access.rules, client, operation, Some(&key.subject()));
        if may { Ok(key) } else { Err(Code::NotPermitted.into()) }
    }

    /// `Ok` if a signature with `key` is not too much for `client` and the key.
    pub(super) fn wish(
        &self,
        key: Arc<ServedKey>,
        subject: Subject,
        client: &Arc<str>,
        since: Instant,
    ) -> Result<Wish, Failure> {
        if !self.client_buckets.take(client, since) || !self.key_buckets.take(&key.key_id, since) {
            return Err(Code::RateLimited.into());
        }
        Ok(Wish { key, subject, client: Arc::clone(client), since })
    }

    /// Writes down that `client` asked for a signature that was refused before anybody asked the ledger.
    pub(super) fn note_refused(&self, client: &str, identifier: &str, failure: &Failure) {
        let shown: String = identifier.chars().take(110).collect();
        let code = failure.code.name();
        self.journal.note("sign_refused", &[("client", &client), ("key", &shown), ("answer", &code)]);
    }

    /// `Ok` if the ledger is of this chain, where one is named.
    pub(super) fn check_genesis(&self, root: Option<[u8; 32]>) -> Result<(), Failure> {
        let own = self.ledger.settings().genesis_validators_root;
        if root.is_none() || root == own { Ok(()) } else { Err(Code::WrongGenesis.into()) }
    }

    /// Why nothing can be signed, in codes; empty if it can.
    pub(super) fn not_ready(&self) -> Vec<&'static str> {
        let seen = Seen {
            is_stopping: self.stopping.load(Relaxed),
            problem: self.ledger.problem(),
            clock: self.ledger.settings().clock,
            unix_time: self.unix_time(),
            active: windows(&self.keys(), &read(&self.standings)),
        };
        seen.reasons()
    }

    fn unix_time(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }

    /// Asks the ledger where its keys stand. `false` if it does not answer.
    pub(super) fn look_at_keys(&self) -> bool {
        let known = self.ledger.get().and_then(|ledger| ledger.keys().ok());
        let Some(known) = known else { return false };
        let standings = known.into_iter().map(|known| (known.standing.instance.key_id, known.standing));
        replace(&self.standings, standings.collect());
        true
    }

    /// The keys that `client` may see, as they stood when it was last looked.
    pub(super) fn key_bodies(&self, client: &str) -> Vec<KeyBody> {
        let (keys, access, standings) = (self.keys(), self.access(), read(&self.standings));
        let may_see =
            |key: &&Arc<ServedKey>| allows(&access.rules, client, Operation::List, Some(&key.subject()));
        let body = |key: &Arc<ServedKey>| Some(key_body(key, standings.get(&key.key_id)?));
        keys.iter().filter(may_see).filter_map(body).collect()
    }

    /// The public keys that `client` may do something with.
    pub(super) fn public_keys(&self, client: &str) -> Vec<String> {
        let (keys, access) = (self.keys(), self.access());
        let seen = keys.iter().filter(|key| sees(&access.rules, client, &key.subject()));
        seen.map(|key| key.public_key.clone()).collect()
    }

    /// What the status page shows to `client`.
    pub(super) fn status(&self, client: &str) -> StatusBody {
        let problem = self.ledger.problem();
        let seen = self.metrics.seen();
        let bounds = seen.flushes.into_iter().map(|(seconds, groups)| FlushBound { seconds, groups });
        StatusBody {
            version: env!("CARGO_PKG_VERSION"),
            started: self.started.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            not_ready: self.not_ready(),
            ledger: LedgerBody {
                open: problem.is_none(),
                problem,
                group: self.metrics.group(),
                clock_epoch: self.ledger.clock_epoch().map(|epoch| epoch.to_string()),
            },
            keys: self.key_bodies(client),
            answers: seen.answers,
            flush: FlushTimes {
                bounds: bounds.collect(),
                groups: seen.flush_count,
                seconds: seen.flush_seconds,
            },
        }
    }

    /// Reads configuration, tokens, certificates and keystores again. What cannot be read changes nothing.
    ///
    /// # Errors
    /// [`Code::ReloadRunning`]; [`Code::Unavailable`] while the ledger is closed.
    pub(super) fn reload(&self) -> Result<Reloaded, Failure> {
        let _running = self.reloading.try_lock().map_err(|_| Code::ReloadRunning)?;
        let ledger = self.ledger.get().ok_or(Code::Unavailable)?;
        let broken = |error: ConfigError| {
            self.journal.note("reload_failed", &[("why", &error)]);
            let failed = FailedFile { file: "configuration".to_owned(), code: "malformed".to_owned() };
            Ok(Reloaded { failed: vec![failed], ..Reloaded::default() })
        };
        let config = match Config::read(&self.config_path) {
            Ok(config) => config,
            Err(error) => return broken(error),
        };
        let access = match Access::of(&config) {
            Ok(access) => access,
            Err(error) => return broken(error),
        };
        if let (Some(tls), Some(files)) = (&self.tls, &config.tls)
            && let Err(error) = tls.reload(files)
        {
            return broken(error);
        }
        let before = self.keys();
        let (claim, now) = (self.ledger.claim(), self.ledger.clock_epoch());
        let loader = Loader { config: &config, ledger: &ledger, claim, now, journal: &self.journal };
        let (keys, failed) = loader.load(&before, None);
        let (added, removed) = (keys.without(&before), before.without(&keys));
        replace(&self.access, access);
        replace(&self.keys, keys);
        self.look_at_keys();
        let (new, gone, bad) = (added.len(), removed.len(), failed.len());
        self.journal.note("reloaded", &[("added", &new), ("removed", &gone), ("failed", &bad)]);
        Ok(Reloaded { added, removed, failed })
    }

    /// What Prometheus reads.
    pub(super) fn metrics_text(&self) -> String {
        let mut out = Text::default();
        let version = env!("CARGO_PKG_VERSION");
        out.head("lean_node_info", "The service.", "gauge");
        out.value("lean_node_info", &written(&[("name", "phalanx"), ("version", version)]), 1);
        let started = self.started.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        out.gauge("lean_node_start_time_seconds", "Unix time of the start.", started);
        self.metrics.write(&mut out);
        let is_open = u8::from(self.ledger.problem().is_none());
        let (token, changes) = (self.ledger.lease_token().unwrap_or(0), self.ledger.lease_changes());
        out.gauge("phalanx_ledger_queue", "Signatures that wait.", self.queue.waiting());
        out.gauge("phalanx_ledger_open", "Whether the ledger answers.", is_open);
        out.gauge("phalanx_lease_held", "Whether this process may use the ledger.", is_open);
        out.gauge("phalanx_lease_token", "The token of the lease; 0 where the ledger is a file.", token);
        out.head("phalanx_lease_changes_total", "Leases that were lost or taken.", "counter");
        out.value("phalanx_lease_changes_total", "", changes);
        let steps = self.ledger.clock_steps();
        out.head("phalanx_clock_steps_total", "Jumps of the clock.", "counter");
        out.value("phalanx_clock_steps_total", "", steps);
        self.write_keys(&mut out);
        out.0
    }

    fn write_keys(&self, out: &mut Text) {
        let (keys, standings) = (self.keys(), read(&self.standings));
        let known: Vec<(&Arc<ServedKey>, &Standing)> =
            keys.iter().filter_map(|key| Some((key, standings.get(&key.key_id)?))).collect();
        out.head("phalanx_keys", "Keys that are served, by state.", "gauge");
        for state in [KeyState::Active, KeyState::Quarantined, KeyState::Retired] {
            let count = known.iter().filter(|(_, standing)| standing.state == state).count();
            out.value("phalanx_keys", &written(&[("state", state.name())]), count);
        }
        type Number = fn(&ServedKey, &Standing) -> Option<u64>;
        let numbers: [(&str, &str, Number); 5] = [
            ("phalanx_key_epochs", "Epochs it has in all.", |_, standing| {
                Some(standing.instance.end.saturating_sub(standing.instance.start))
            }),
            ("phalanx_key_remaining_epochs", "Epochs left.", |_, standing| Some(standing.remaining)),
            ("phalanx_key_highest", "The greatest epoch ever reserved.", |_, standing| standing.highest),
            ("phalanx_key_low_watermark", "Nothing new below this.", |_, standing| Some(standing.low)),
            ("phalanx_key_prepared_end", "The first epoch that is not prepared.", |key, _| {
                match &key.secret {
                    Secret::Xmss(moving) => Some(moving.shared.prepared().end),
                    Secret::Ed25519(_) => None,
                }
            }),
        ];
        for (name, help, number) in numbers {
            out.head(name, help, "gauge");
            for (key, standing) in &known {
                let id = key.key_id.to_string();
                if let Some(number) = number(key, standing) {
                    out.value(name, &written(&[("key_id8", &id[..8]), ("role", &key.role)]), number);
                }
            }
        }
    }
}

/// Of each active key the first epoch that is not prepared and the first that it does not have; none for keys that need no
/// preparation.
fn windows(keys: &KeySet, standings: &BTreeMap<KeyId, Standing>) -> Vec<Option<(u64, u64)>> {
    let is_active = |key: &&Arc<ServedKey>| {
        standings.get(&key.key_id).is_some_and(|standing| standing.state == KeyState::Active)
    };
    let window = |key: &Arc<ServedKey>| match &key.secret {
        Secret::Xmss(moving) => Some((moving.shared.prepared().end, moving.shared.activation_interval().end)),
        Secret::Ed25519(_) => None,
    };
    keys.iter().filter(is_active).map(window).collect()
}

fn key_body(key: &ServedKey, standing: &Standing) -> KeyBody {
    let prepared = match &key.secret {
        Secret::Xmss(moving) => {
            let prepared = moving.shared.prepared();
            Some(Interval { start: prepared.start.to_string(), end: prepared.end.to_string() })
        }
        Secret::Ed25519(_) => None,
    };
    KeyBody {
        pubkey: key.public_key.clone(),
        key_id: key.key_id.to_string(),
        scheme: standing.instance.scheme.clone(),
        role: key.role.clone(),
        state: standing.state.name(),
        start: standing.instance.start.to_string(),
        end: standing.instance.end.to_string(),
        low_watermark: standing.low.to_string(),
        high_watermark: standing.high.map(|high| high.to_string()),
        highest: standing.highest.map(|highest| highest.to_string()),
        remaining: standing.remaining.to_string(),
        prepared,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keystore::KeySecret;
    use crate::ledger::consensus::LockedKey;
    use crate::ledger::{EpochLedger, InitialState, MemoryLedger, ed25519_instance, xmss_instance};
    use phalanx_core::Inline;
    use phalanx_xmss::ParameterSet;
    use phalanx_xmss::any::{self, SigningKey};

    /// Only with what is told here is a key that is late for its clock a reason not to be ready.
    #[test]
    fn readiness_knows_how_far_active_keys_are_prepared() {
        let (ledger, mut keys) = (MemoryLedger::default(), KeySet::default());
        let set = any::ParameterSet::KoalaBear(ParameterSet::POSEIDON2_L8_D64B8);
        for (seed, epochs) in [(1, 0..64), (2, 0..32)] {
            let key = KeySecret::from_seed(&[seed; 32]).key_generation(set, epochs);
            let key = key.expect("the epochs fit").run_on(&Inline).expect("nobody stops it");
            let public_key = <SigningKey as crate::EpochKey>::public_key(&key.verifying_key());
            ledger.register(&xmss_instance(&key, "attester"), &public_key, InitialState::New).expect("new");
            let key_id = crate::EpochKey::key_id(&key);
            keys.put(ServedKey::of(key_id, public_key, Secret::xmss(key, 0)));
        }
        let key = phalanx_ed25519::SigningKey::from_seed(&[3; 32]);
        let (instance, public_key) = (ed25519_instance(key.verifying_key()), key.verifying_key().to_bytes());
        ledger.register(&instance, &public_key, InitialState::New).expect("new");
        keys.put(ServedKey::of(instance.key_id, public_key.to_vec(), Secret::Ed25519(LockedKey::of(&key))));
        let told = || {
            let standings = keys.iter().map(|key| (key.key_id, ledger.standing(&key.key_id).expect("known")));
            let mut told = windows(&keys, &standings.collect());
            told.sort_unstable();
            told
        };
        assert_eq!(told(), [None, Some((32, 32)), Some((32, 64))]);
        let is_second = |key: &&Arc<ServedKey>| {
            ledger.standing(&key.key_id).is_ok_and(|standing| standing.instance.end == 32)
        };
        let second = keys.iter().find(is_second).expect("it was put there").key_id;
        ledger.quarantine(&second, "a test").expect("it is known");
        assert_eq!(told(), [None, Some((32, 64))], "nobody waits for a key that may not sign");
    }
}
