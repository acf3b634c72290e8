//! The configuration of a ledger, as C gives it: a text in TOML.

use crate::status::{
    PHALANX_ERROR_INVALID_ARGUMENT, PHALANX_ERROR_LEDGER_STORE, PHALANX_ERROR_UNAVAILABLE, Status,
};
use phalanx_custody::ledger::durable::{ChainClock, LedgerOptions, NewLedger, Resume, WitnessFolder};
use phalanx_custody::ledger::record::Ordering;
use phalanx_custody::ledger::rules::Bounds;
use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;

/// What the text may say. The keys are described at `phalanx_ledger_open`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Config {
    folder: Option<String>,
    store: Option<String>,
    host: Option<String>,
    lease_ms: Option<u64>,
    witness: Option<PathBuf>,
    allow_file_systems: Vec<String>,
    allow_unsynchronised_clock: bool,
    resume: ResumeName,
    ordering: OrderingName,
    timeout_ms: Option<u64>,
    new: New,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ResumeName {
    #[default]
    BurnForward,
    TrustStore,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OrderingName {
    #[default]
    Any,
    Strict,
}

/// What a ledger is told when it is made.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct New {
    genesis_time: Option<u64>,
    epoch_seconds: Option<u64>,
    genesis_validators_root: Option<String>,
    ahead: Option<u64>,
    behind: Option<u64>,
    max_gap: Option<u64>,
}

impl Config {
    /// Reads the text; without one, everything is at its default.
    pub(super) fn parse(text: Option<&str>) -> Result<Self, Status> {
        toml::from_str(text.unwrap_or_default()).map_err(|_| PHALANX_ERROR_INVALID_ARGUMENT)
    }

    /// How the ledger at `place` is opened: a folder, or the URL of its store, for which the text names the folder.
    pub(super) fn options(&self, place: &str) -> Result<LedgerOptions, Status> {
        if !cfg!(feature = "postgres") && (is_url(place) || self.store.is_some()) {
            return Err(PHALANX_ERROR_UNAVAILABLE);
        }
        let (folder, store) = match (&self.folder, &self.store) {
            (Some(folder), None) if is_url(place) => (&folder[..], Some(place)),
            (None, store) if !is_url(place) => (place, store.as_deref()),
            _ => return Err(PHALANX_ERROR_INVALID_ARGUMENT),
        };
        let mut options = self.local(folder).ok_or(PHALANX_ERROR_LEDGER_STORE)?;
        if let Some(url) = store {
            options = options.store(url);
        }
        if let Some(host) = &self.host {
            options = options.host(host);
        }
        if let Some(lease) = self.lease_ms {
            options = options.lease(Duration::from_millis(lease));
        }
        Ok(options)
    }

    /// What of it is not about a database; `None` if no folder is named for the side log, and the environment has none.
    fn local(&self, folder: &str) -> Option<LedgerOptions> {
        let witness = match &self.witness {
            Some(path) => WitnessFolder::At(path.clone()),
            None => WitnessFolder::of_user().ok()?,
        };
        let resume = match self.resume {
            ResumeName::BurnForward => Resume::BurnForward,
            ResumeName::TrustStore => Resume::TrustStore,
        };
        let mut options = LedgerOptions::new(folder).witness(witness).resume(resume);
        if let Some(timeout) = self.timeout_ms {
            options = options.timeout(Duration::from_millis(timeout));
        }
        if self.allow_unsynchronised_clock {
            options = options.allow_unsynchronised_clock();
        }
        let allowed = self.allow_file_systems.iter();
        Some(allowed.fold(options, |options, name| options.allow_file_system(name)))
    }

    /// In which order keys sign that are registered from here.
    pub(super) fn ordering(&self) -> Ordering {
        match self.ordering {
            OrderingName::Any => Ordering::Any,
            OrderingName::Strict => Ordering::Strict,
        }
    }

    /// What a new ledger is told.
    pub(super) fn settings(&self) -> Result<NewLedger, Status> {
        let New { genesis_time, epoch_seconds, genesis_validators_root, ahead, behind, max_gap } = &self.new;
        let clock = match (*genesis_time, *epoch_seconds) {
            (None, None) => None,
            (Some(genesis_time), Some(epoch_seconds)) if epoch_seconds > 0 => {
                Some(ChainClock { genesis_time, epoch_seconds })
            }
            _ => return Err(PHALANX_ERROR_INVALID_ARGUMENT),
        };
        let root = genesis_validators_root.as_deref().map(bytes_of).transpose()?;
        let usual = Bounds::default();
        let bounds = Bounds {
            ahead: ahead.unwrap_or(usual.ahead),
            behind: behind.unwrap_or(usual.behind),
            max_gap: max_gap.unwrap_or(usual.max_gap),
        };
        let is_possible = |number: u64| i64::try_from(number).is_ok();
        let numbers = [bounds.ahead, bounds.behind, bounds.max_gap, genesis_time.unwrap_or(0)];
        if bounds.max_gap == 0 || !numbers.into_iter().all(is_possible) {
            return Err(PHALANX_ERROR_INVALID_ARGUMENT);
        }
        Ok(NewLedger { genesis_validators_root: root, clock, bounds })
    }
}

/// Whether a place is that of a database.
fn is_url(place: &str) -> bool {
    place.contains("://")
}

/// The 32 bytes that 64 hexadecimal digits stand for, with or without `0x` before them.
fn bytes_of(digits: &str) -> Result<[u8; 32], Status> {
    let mut bytes = [0; 32];
    let digits = digits.trim();
    let digits = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")).unwrap_or(digits);
    if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(PHALANX_ERROR_INVALID_ARGUMENT);
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks(2)) {
        let pair = core::str::from_utf8(pair).map_err(|_| PHALANX_ERROR_INVALID_ARGUMENT)?;
        *byte = u8::from_str_radix(pair, 16).map_err(|_| PHALANX_ERROR_INVALID_ARGUMENT)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::PHALANX_ERROR_UNAVAILABLE;

    #[test]
    fn a_place_is_a_folder_or_the_url_of_a_store_with_one() {
        let options = |place: &str, text: &str| {
            let config =
                Config::parse(Some(&format!("witness = \"/w\"\n{text}"))).expect("keys that there are");
            config.options(place).map(|_| ()).err()
        };
        let url = "postgres://host_a@db/keys";
        assert_eq!(options("/ledger", ""), None);
        let cases = [
            (url, "folder = \"/ledger\"", None),
            ("/ledger", "store = \"postgres://host_a@db/keys\"\nhost = \"a\"\nlease_ms = 5000", None),
            (url, "", Some(PHALANX_ERROR_INVALID_ARGUMENT)),
            (url, "store = \"postgres://db\"", Some(PHALANX_ERROR_INVALID_ARGUMENT)),
            (
                "/ledger",
                "folder = \"/other\"\nstore = \"postgres://db\"",
                Some(PHALANX_ERROR_INVALID_ARGUMENT),
            ),
        ];
        for (place, text, wanted) in cases {
            let wanted = if cfg!(feature = "postgres") { wanted } else { Some(PHALANX_ERROR_UNAVAILABLE) };
            assert_eq!(options(place, text), wanted, "{place} {text}");
        }
        assert_eq!(options("/ledger", "folder = \"/other\""), Some(PHALANX_ERROR_INVALID_ARGUMENT));
        assert_eq!(
            Config::parse(Some("password = \"x\"")).map(|_| ()).err(),
            Some(PHALANX_ERROR_INVALID_ARGUMENT)
        );
    }

    #[test]
    fn digits_are_read_with_and_without_a_prefix() {
        let digits = "0A".repeat(32);
        for good in [digits.clone(), format!("0x{digits}"), format!(" 0X{digits}\n")] {
            assert_eq!(bytes_of(&good), Ok([10; 32]), "{good:?}");
        }
        for bad in [&digits[2..], &format!("0x{}", &digits[2..]), &format!("0x0x{digits}"), "", "0x"] {
            assert_eq!(bytes_of(bad), Err(PHALANX_ERROR_INVALID_ARGUMENT), "{bad:?}");
        }
    }
}
