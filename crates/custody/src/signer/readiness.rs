//! Whether signatures can be had, and why not.
#![forbid(unsafe_code)]

use crate::ledger::durable::ChainClock;

/// What readiness depends on.
pub(super) struct Seen {
    /// Whether the service stops.
    pub(super) is_stopping: bool,
    /// Why the ledger gives nothing, if so.
    pub(super) problem: Option<&'static str>,
    /// The clock of the chain, where the ledger has one.
    pub(super) clock: Option<ChainClock>,
    /// Unix time.
    pub(super) unix_time: u64,
    /// Of each active key the first epoch that is not prepared and the first that it does not have; none for keys that
    /// need no preparation.
    pub(super) active: Vec<Option<(u64, u64)>>,
}

impl Seen {
    /// Why nothing can be signed, in codes; empty if it can.
    pub(super) fn reasons(&self) -> Vec<&'static str> {
        let has_begun = self.clock.is_none_or(|clock| self.unix_time >= clock.genesis_time);
        let now = self.clock.map(|clock| clock.epoch_at(self.unix_time));
        let is_behind = |key: &Option<(u64, u64)>| match (key, now) {
            (Some((prepared, end)), Some(now)) => now < *end && now >= *prepared,
            _ => false,
        };
        [
            (self.is_stopping, "stopping"),
            (self.problem.is_some(), self.problem.unwrap_or_default()),
            (!has_begun, "before_genesis"),
            (self.active.is_empty(), "no_active_key"),
            (self.active.iter().any(is_behind), "window_behind"),
        ]
        .into_iter()
        .filter_map(|(is_so, reason)| is_so.then_some(reason))
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_given() {
        let clock = Some(ChainClock { genesis_time: 1000, epoch_seconds: 10 });
        let seen = |unix_time, active: &[_]| Seen {
            is_stopping: false,
            problem: None,
            clock,
            unix_time,
            active: active.to_vec(),
        };
        // It is epoch 50.
        let (ready, over, behind) = (Some((51, 256)), Some((40, 50)), Some((50, 256)));
        assert!(
            seen(1500, &[ready, over, None]).reasons().is_empty(),
            "a key that has ended is not waited for"
        );
        let without_clock = Seen { clock: None, ..seen(0, &[behind]) };
        assert!(without_clock.reasons().is_empty(), "it follows what it signs");
        for (seen, wanted) in [
            (seen(1500, &[ready, behind]), "window_behind"),
            (seen(999, &[ready]), "before_genesis"),
            (seen(1500, &[]), "no_active_key"),
            (Seen { is_stopping: true, ..seen(1500, &[ready]) }, "stopping"),
            (Seen { problem: Some("ledger_silent"), ..seen(1500, &[ready]) }, "ledger_silent"),
        ] {
            assert_eq!(seen.reasons(), [wanted]);
        }
    }
}
