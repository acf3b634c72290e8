//! Keys of validators: height, round and step, with FilePV's behaviour where a vote comes again.

use super::{Folder, new_ledger, open, options};
use phalanx_custody::ledger::durable::{NewLedger, Reconcile};
use phalanx_custody::ledger::sign_bytes::{SignBytes, Timestamp, differ_in_time_only};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{
    ConsensusSignature, EpochLedger, GuardError, GuardedConsensus, InitialState, MemoryLedger, Position,
    Problem, Refused, Step, ed25519_instance,
};
use phalanx_ed25519::SigningKey;
use std::fs;
use std::sync::Arc;

/// A vote or proposal as a test writes it.
#[derive(Clone, Copy)]
pub(crate) struct Vote {
    pub(crate) chain: &'static str,
    pub(crate) height: u64,
    pub(crate) round: u32,
    pub(crate) step: Step,
    pub(crate) block: u8,
    pub(crate) seconds: u8,
}

pub(crate) const VOTE: Vote =
    Vote { chain: "chain-1", height: 10, round: 2, step: Step::Prevote, block: 7, seconds: 1 };

/// A field of protobuf with bytes, shorter than 128.
fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let len = u8::try_from(bytes.len()).expect("a short field");
    [&[tag, len], bytes].concat()
}

impl Vote {
    pub(crate) fn position(&self) -> Position<'static> {
        let Self { chain, height, round, step, .. } = *self;
        Position::Consensus { chain, height, round, step }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let is_proposal = self.step == Step::Propose;
        let kind = match self.step {
            Step::Propose => 32,
            Step::Prevote => 1,
            Step::Precommit => 2,
        };
        let mut bytes = vec![0x08, kind, 0x11];
        bytes.extend(self.height.to_le_bytes());
        if self.round != 0 {
            bytes.push(0x19);
            bytes.extend(u64::from(self.round).to_le_bytes());
        }
        if is_proposal {
            // No block was locked: -1.
            bytes.push(0x20);
            bytes.extend([0xff; 9]);
            bytes.push(1);
        }
        let next = if is_proposal { 0x2a } else { 0x22 };
        if self.block != 0 {
            let parts = [vec![0x08, 1], field(0x12, &[self.block; 32])].concat();
            bytes.extend(field(next, &[field(0x0a, &[self.block; 32]), field(0x12, &parts)].concat()));
        }
        bytes.extend(field(next + 8, &[0x08, self.seconds]));
        bytes.extend(field(next + 16, self.chain.as_bytes()));
        [vec![u8::try_from(bytes.len()).expect("short sign bytes")], bytes].concat()
    }
}

fn signing_key() -> SigningKey {
    SigningKey::from_seed(&[5; 32])
}

pub(super) fn guarded<L: EpochLedger>(ledger: L) -> GuardedConsensus<L> {
    let key = signing_key();
    let public_key = key.verifying_key().to_bytes();
    let instance = ed25519_instance(key.verifying_key());
    ledger.register(&instance, &public_key, InitialState::New).expect("a new key");
    GuardedConsensus::new(key, Arc::new(ledger)).expect("it is known")
}

pub(super) fn reopened(folder: &Folder) -> GuardedConsensus<SqliteLedger> {
    GuardedConsensus::new(signing_key(), Arc::new(open(folder.path()))).expect("it is known")
}

pub(super) fn sign<L: EpochLedger>(
    key: &GuardedConsensus<L>,
    vote: Vote,
) -> Result<ConsensusSignature, Refused> {
    key.sign(vote.position(), &vote.bytes()).map_err(|error| match error {
        GuardError::Refused(refused) => refused,
        other => panic!("not refused but: {other}"),
    })
}

/// What FilePV does, on any ledger.
fn signs_as_a_validator_must<L: EpochLedger>(key: &GuardedConsensus<L>) {
    let first = sign(key, VOTE).expect("a new step");
    assert!(!first.is_repeat);
    key.verifying_key().verify(&VOTE.bytes(), &first.signature).expect("it verifies");
    let again = sign(key, VOTE).expect("the same again");
    assert!(again.is_repeat && again.signature == first.signature);
    // The same with another time: the signature and the time of before.
    let later = Vote { seconds: 9, ..VOTE };
    let repeated = sign(key, later).expect("only the time differs");
    assert_eq!(repeated, ConsensusSignature { is_repeat: true, ..first });
    assert_eq!(repeated.timestamp, Timestamp { seconds: 1, nanoseconds: 0 });
    // Another block, or none, at the same step; and with another time.
    for block in [8, 0] {
        assert_eq!(sign(key, Vote { block, ..VOTE }), Err(Refused::EpochUsed));
        assert_eq!(sign(key, Vote { block, ..later }), Err(Refused::EpochUsed));
    }
    // Back in height, round and step.
    for back in [Vote { height: 9, ..VOTE }, Vote { round: 1, ..VOTE }, Vote { step: Step::Propose, ..VOTE }]
    {
        assert_eq!(sign(key, back), Err(Refused::OutOfOrder));
    }
    // Forward; and another chain is another order.
    for forward in [
        Vote { step: Step::Precommit, ..VOTE },
        Vote { round: 3, step: Step::Propose, ..VOTE },
        Vote { height: 11, round: 0, step: Step::Prevote, ..VOTE },
        Vote { chain: "chain-2", height: 1, ..VOTE },
    ] {
        assert!(!sign(key, forward).expect("a step forward").is_repeat);
        let repeated = sign(key, Vote { seconds: 77, ..forward }).expect("only the time differs");
        assert!(repeated.is_repeat && repeated.timestamp.seconds == 1);
    }
    assert_eq!(sign(key, Vote { step: Step::Precommit, block: 0, ..VOTE }), Err(Refused::EpochUsed));
}

#[test]
fn a_validator_signs_one_message_at_each_step() {
    signs_as_a_validator_must(&guarded(MemoryLedger::default()));
    let folder = Folder::new();
    signs_as_a_validator_must(&guarded(new_ledger(folder.path())));
    // In the next life the same.
    let key = reopened(&folder);
    let repeated = sign(&key, Vote { seconds: 50, ..VOTE }).expect("only the time differs");
    assert!(repeated.is_repeat && repeated.timestamp.seconds == 1);
    key.verifying_key().verify(&VOTE.bytes(), &repeated.signature).expect("it verifies");
    assert_eq!(sign(&key, Vote { block: 8, ..VOTE }), Err(Refused::EpochUsed));
}

#[test]
fn the_sign_bytes_say_the_position_that_is_asked_for() {
    let key = guarded(MemoryLedger::default());
    for other in [
        Vote { chain: "chain-2", ..VOTE },
        Vote { height: 11, ..VOTE },
        Vote { round: 3, ..VOTE },
        Vote { step: Step::Precommit, ..VOTE },
    ] {
        let answer = key.sign(other.position(), &VOTE.bytes());
        assert!(matches!(answer, Err(GuardError::Malformed)), "{other:?}", other = other.position());
    }
    let plain = key.sign(Position::Epoch(10), &VOTE.bytes());
    assert!(matches!(plain, Err(GuardError::Malformed)), "an epoch is no step");
    assert!(matches!(key.sign(VOTE.position(), b"a message"), Err(GuardError::Malformed)));
    assert!(!sign(&key, VOTE).expect("nothing was reserved").is_repeat);
}

/// A side log knows digests only: who makes a ledger anew from it cannot tell which time was signed.
#[test]
fn a_ledger_made_anew_from_its_side_log_refuses_another_time() {
    let folder = Folder::new();
    let key = guarded(new_ledger(folder.path()));
    let first = sign(&key, VOTE).expect("a new step");
    drop(key);
    fs::write(folder.join("ledger.sqlite3"), [0; 4096]).expect("the store is lost");
    let what = Reconcile {
        settings: NewLedger::default(),
        with: Vec::new(),
        epoch: None,
        reason: "lost".to_owned(),
    };
    SqliteLedger::reconcile(&options(folder.path()), &what).expect("made anew");
    let ledger = open(folder.path());
    let id = ed25519_instance(signing_key().verifying_key()).key_id;
    ledger.adopt(&id, 11, "nothing above was signed").expect("an answer");
    let key = GuardedConsensus::new(signing_key(), Arc::new(ledger)).expect("it is known");
    assert_eq!(sign(&key, Vote { seconds: 9, ..VOTE }), Err(Refused::EpochUsed));
    assert_eq!(sign(&key, VOTE).expect("the same").signature, first.signature);
}

/// Who can write the store could otherwise have any message of a position signed.
#[test]
fn a_message_in_the_store_counts_only_with_its_digest() {
    let folder = Folder::new();
    let key = guarded(new_ledger(folder.path()));
    sign(&key, VOTE).expect("a new step");
    drop(key);
    let db = rusqlite::Connection::open(folder.join("ledger.sqlite3")).expect("the store");
    let forged = Vote { block: 8, ..VOTE };
    db.execute("UPDATE entries SET message = ?1", [forged.bytes()]).expect("no trigger keeps messages");
    drop(db);
    let key = reopened(&folder);
    assert_eq!(sign(&key, Vote { seconds: 9, ..forged }), Err(Refused::EpochUsed));
    assert_eq!(sign(&key, Vote { seconds: 9, ..VOTE }), Err(Refused::EpochUsed), "its message is not known");
}

#[test]
fn a_key_of_a_validator_is_registered_as_one() {
    let ledger = new_ledger(Folder::new().path());
    let unknown = GuardedConsensus::new(signing_key(), Arc::new(ledger)).map(|_| ());
    let Err(GuardError::Ledger(error)) = unknown else { panic!("the ledger does not know it") };
    assert_eq!(error.problem(), Problem::NoState);
}

/// The sign bytes of CometBFT's own test (`types/vote_test.go`, TestVoteSignBytesTestVectors): a time before 1970, no block.
#[test]
fn sign_bytes_are_read_as_written_by_others() {
    let bytes = |digits: &str| hex::decode(digits).expect("hexadecimal");
    // Their prevote without a chain, with the chain of their next.
    let prevote =
        "3008011101000000000000001901000000000000002a0b088092b8c398feffffff01320d746573745f636861696e5f6964";
    let prevote = bytes(prevote);
    let read = SignBytes::read(&prevote).expect("a prevote for nothing");
    let position = Position::Consensus { chain: "test_chain_id", height: 1, round: 1, step: Step::Prevote };
    assert_eq!(read.position, position);
    assert_eq!(read.timestamp, Timestamp { seconds: -62_135_596_800, nanoseconds: 0 });
    // Without a kind, and without a chain: nothing that is signed.
    for other in [
        "0d2a0b088092b8c398feffffff01",
        "2108021101000000000000001901000000000000002a0b088092b8c398feffffff01",
        "2e1101000000000000001901000000000000002a0b088092b8c398feffffff01320d746573745f636861696e5f6964",
    ] {
        assert!(SignBytes::read(&bytes(other)).is_none(), "{other}");
    }
}

/// Whatever is changed in sign bytes, they are read as what they say or not at all.
#[test]
fn sign_bytes_are_read_strictly() {
    for vote in [VOTE, Vote { block: 0, ..VOTE }, Vote { step: Step::Propose, round: 0, ..VOTE }] {
        let bytes = vote.bytes();
        let read = SignBytes::read(&bytes).expect("canonical");
        assert_eq!((read.position, read.timestamp.seconds), (vote.position(), 1));
        assert!(!differ_in_time_only(&bytes, &bytes), "they do not differ");
        assert!(differ_in_time_only(&bytes, &Vote { seconds: 2, ..vote }.bytes()));
        assert!(!differ_in_time_only(&bytes, &Vote { block: 9, seconds: 2, ..vote }.bytes()));
        for len in 0..bytes.len() {
            assert!(SignBytes::read(&bytes[..len]).is_none(), "cut");
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[len] ^= 1 << bit;
                assert!(SignBytes::read(&changed) != Some(read), "a changed bit is seen, or refused");
            }
        }
        // Something after, before and between; the same field twice; a default written out.
        for (at, more) in [
            (bytes.len(), &[0x40, 1][..]),
            (1, &[0x08, 1]),
            (3, &[0x08, 1]),
            (3, &[0x10, 1]),
            (bytes.len(), &[0x3a, 0]),
            (bytes.len(), &[0x32, 1, b'x']),
        ] {
            let mut changed = bytes.clone();
            changed.splice(at..at, more.iter().copied());
            changed[0] = u8::try_from(changed.len() - 1).expect("short sign bytes");
            assert!(SignBytes::read(&changed).is_none(), "{at} {more:?}");
        }
    }
    // Numbers that are longer than they need be: the length of all, the kind, the seconds.
    let bytes = VOTE.bytes();
    let mut long = bytes.clone();
    long.splice(0..1, [bytes[0] | 0x80, 0]);
    assert!(SignBytes::read(&long).is_none(), "the length");
    for tag in [[0x08, 1, 0x11], [0x08, 1, 0x32]] {
        let at = bytes.windows(3).position(|window| window == tag).expect("it is there") + 1;
        let mut long = bytes.clone();
        long.splice(at..=at, [bytes[at] | 0x80, 0]);
        long[0] += 1;
        if tag[2] == 0x32 {
            long[at - 2] += 1;
        }
        assert!(SignBytes::read(&long).is_none(), "{tag:?}");
    }
}
