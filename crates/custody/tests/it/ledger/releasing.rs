//! What is looked at between a reservation and the release of its signature.

use super::consensus::{VOTE, guarded as voter};
use phalanx_custody::identity::KeyId;
use phalanx_custody::ledger::record::{KeyInstance, KeyState};
use phalanx_custody::ledger::{
    EpochLedger, GuardError, Guarded, Health, InitialState, LedgerError, MemoryLedger, Refused, Request,
    Reserved, Standing, sign_through, xmss_instance,
};
use phalanx_xmss::{Format, ParameterSet, SigningKey};
use std::sync::Arc;

/// A ledger that gives positions, and has stopped when it is asked afterwards.
struct Stopped {
    gives: MemoryLedger,
    health: Health,
}

impl EpochLedger for Stopped {
    fn register(&self, key: &KeyInstance, public_key: &[u8], state: InitialState) -> Result<(), LedgerError> {
        self.gives.register(key, public_key, state)
    }

    fn reserve_many(&self, requests: &[Request<'_>]) -> Vec<Result<Reserved<'_>, Refused>> {
        self.gives.reserve_many(requests)
    }

    fn look(&self, request: Request<'_>) -> Result<bool, Refused> {
        self.gives.look(request)
    }

    fn standing(&self, key: &KeyId) -> Result<Standing, LedgerError> {
        self.gives.standing(key)
    }

    fn raise_low(&self, key: &KeyId, low: u64, reason: &str) -> Result<(), LedgerError> {
        self.gives.raise_low(key, low, reason)
    }

    fn quarantine(&self, key: &KeyId, reason: &str) -> Result<(), LedgerError> {
        self.gives.quarantine(key, reason)
    }

    fn health(&self) -> Health {
        self.health.clone()
    }
}

fn key() -> SigningKey {
    SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[1; 32], 0..256).expect("a key")
}

fn register(ledger: &impl EpochLedger, key: &SigningKey) {
    let public_key = key.verifying_key().to_bytes(Format::Ssz);
    ledger.register(&xmss_instance(key, "attester"), &public_key, InitialState::New).expect("a new key");
}

fn refusal<T>(signed: Result<T, GuardError>) -> Refused {
    match signed.map(|_| ()) {
        Err(GuardError::Refused(refused)) => refused,
        other => panic!("{other:?}"),
    }
}

#[test]
fn nothing_leaves_a_ledger_that_has_stopped_meanwhile() {
    for (health, wanted) in [
        (Health::Poisoned("a fault".to_owned()), Refused::Poisoned),
        (Health::Fenced, Refused::Fenced),
        (Health::Forked, Refused::Forked),
    ] {
        let ledger = Arc::new(Stopped { gives: MemoryLedger::default(), health });
        register(&*ledger, &key());
        let guarded = Guarded::new(key(), Arc::clone(&ledger)).expect("it is known");
        assert_eq!(refusal(guarded.sign(3, &[1; 32])), wanted);
        assert_eq!(refusal(sign_through(&*ledger, &mut key(), 4, &[1; 32])), wanted);
        let many = Guarded::answer_prepared(&[(&guarded, 5, &[1; 32])], &phalanx_core::Inline);
        many.into_iter().for_each(|one| assert_eq!(refusal(one), wanted));
        let voter = voter(Stopped { gives: MemoryLedger::default(), health: ledger.health() });
        assert_eq!(refusal(voter.sign(VOTE.position(), &VOTE.bytes())), wanted);
        let standing = ledger.standing(&guarded.key_id()).expect("known");
        assert_eq!((standing.highest, standing.state), (Some(5), KeyState::Active), "the positions are gone");
    }
}
