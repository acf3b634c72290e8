//! The answer to a request for a position, and how far a start burns forward.
#![forbid(unsafe_code)]

use super::accounts::{Account, Accounts};
use super::record::{Digest, KeyState, Mode, Ordering, Place};
use super::refused::Refused;
use super::sign_bytes::differ_in_time_only;
use crate::identity::KeyId;
use sha2::{Digest as _, Sha256};

/// The bounds of a ledger, in epochs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How far before the clock's epoch a key may sign.
    pub ahead: u64,
    /// How far after it.
    pub behind: u64,
    /// How many epochs a key may pass over at once.
    pub max_gap: u64,
}

impl Default for Bounds {
    /// 4 and 64 epochs, and two prepared intervals of the longest lifetime.
    fn default() -> Self {
        Self { ahead: 4, behind: 64, max_gap: 262_144 }
    }
}

/// What a request that is not refused gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Granted {
    /// The position is new: once that is durable it is this message's.
    New,
    /// It is this message's already.
    Repeat,
    /// It is the vote's or proposal's already, with another time: these sign bytes are to be signed again. Only what keeps
    /// messages answers so.
    Earlier(Vec<u8>),
}

/// Whether `key` may sign the message of `digest` at `place`, when the clock, if there is one, says `now`. The order of
/// the questions fixes the answer.
///
/// # Errors
/// It may not.
pub fn answer(
    accounts: &Accounts,
    bounds: &Bounds,
    key: &KeyId,
    place: &Place,
    digest: &Digest,
    now: Option<u64>,
) -> Result<Granted, Refused> {
    let account = accounts.get(key).ok_or(Refused::UnknownKey)?;
    match account.state {
        KeyState::Active => {}
        KeyState::Quarantined => return Err(Refused::Quarantined),
        KeyState::Retired => return Err(Refused::Retired),
    }
    let at = place.position[0];
    if at < account.instance.start {
        return Err(Refused::NotActive);
    }
    // A domain or a position of another mode is none that the key has; what is left of the interval is after its end.
    if at >= account.instance.end || !account.has_place(place) {
        return Err(Refused::Exhausted);
    }
    match account.entries.get(place) {
        Some(Some(known)) if known == digest => return Ok(Granted::Repeat),
        Some(_) => return Err(Refused::EpochUsed),
        None => {}
    }
    if at < account.low {
        return Err(Refused::Passed);
    }
    if !account.owns(at) {
        return Err(Refused::NotInRange);
    }
    if !is_in_order(account, place) {
        return Err(Refused::OutOfOrder);
    }
    if account.high.is_some_and(|high| at >= high) {
        return Err(Refused::Ahead);
    }
    if let (Mode::Synchronized, Some(now)) = (account.instance.mode, now) {
        if at > now.saturating_add(bounds.ahead) {
            return Err(Refused::Ahead);
        }
        if at.saturating_add(bounds.behind) < now {
            return Err(Refused::Behind);
        }
    }
    let from = account.instance.start.max(account.low).max(account.highest.unwrap_or(0));
    if account.instance.mode != Mode::HeightRoundStep && at.saturating_sub(from) > bounds.max_gap {
        return Err(Refused::Ahead);
    }
    Ok(Granted::New)
}

/// The answer to a refused request for `message` at a position whose message is `earlier`: granted after all if both are
/// one vote or proposal with two times. `digest` is what the accounts know of the earlier one, and decides.
#[must_use]
pub fn earlier_of(earlier: &[u8], message: &[u8], digest: &Digest) -> Option<Granted> {
    let is_known = Digest::from(Sha256::digest(earlier)) == *digest;
    (is_known && differ_in_time_only(earlier, message)).then(|| Granted::Earlier(earlier.to_vec()))
}

fn is_in_order(account: &Account, place: &Place) -> bool {
    if account.instance.ordering == Ordering::Any {
        return true;
    }
    if account.instance.mode == Mode::HeightRoundStep {
        account.greatest(&place.domain).is_none_or(|greatest| place.position > greatest)
    } else {
        account.highest.is_none_or(|highest| place.position[0] > highest)
    }
}

/// The low watermark after a start: above everything that can have been signed, wherever that state is now. It rests on
/// the clock not being behind its earlier self by more than `skew` epochs.
#[must_use]
pub fn burn_forward(
    low: u64,
    highest: Option<u64>,
    end: u64,
    now: Option<u64>,
    ahead: u64,
    skew: u64,
) -> u64 {
    let after_highest = highest.map_or(0, |highest| highest.saturating_add(1));
    let after_now = now.map_or(0, |now| now.saturating_add(ahead).saturating_add(1).saturating_add(skew));
    low.max(after_highest).max(after_now).min(end)
}
