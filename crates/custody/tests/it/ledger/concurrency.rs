//! Many callers at once.

use super::{Folder, Key, ask, new_ledger, open, registered};
use phalanx_custody::ledger::record::Ordering;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, Position, Refused, Request};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Barrier, Mutex};
use std::thread;

#[test]
fn of_a_thousand_messages_at_one_epoch_one_is_signed() {
    let folder = Folder::new();
    let ledger = new_ledger(folder.path());
    let key = registered(&ledger, 1, Ordering::Any);
    let (barrier, signed, refused) = (Barrier::new(1000), AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for i in 0..1000u32 {
            let (ledger, key, barrier, signed, refused) = (&ledger, &key, &barrier, &signed, &refused);
            let ask = move || {
                barrier.wait();
                let message = [&i.to_le_bytes()[..], &[0; 28]].concat();
                let request = Request { key: key.id(), position: Position::Epoch(7), message: &message };
                match ledger.reserve(request) {
                    Ok(reserved) if !reserved.is_repeat() => signed.fetch_add(1, Relaxed),
                    Err(Refused::EpochUsed) => refused.fetch_add(1, Relaxed),
                    other => panic!("{other:?}"),
                };
            };
            thread::Builder::new().stack_size(64 << 10).spawn_scoped(scope, ask).expect("a thread");
        }
    });
    assert_eq!((signed.into_inner(), refused.into_inner()), (1, 999));
}

/// 32 clients, 64 keys, every epoch of each asked for once and some twice with another message: none is lost, none
/// signed twice.
fn clients(epochs: u32) {
    let folder = Folder::new();
    let ledger = new_ledger(folder.path());
    let keys: Vec<Key> = (0..64).map(|i| registered(&ledger, i, Ordering::Any)).collect();
    let signed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for client in 0..32u32 {
            let (ledger, keys, signed) = (&ledger, &keys, &signed);
            scope.spawn(move || one_client(ledger, keys, client, epochs, signed));
        }
    });
    let mut signed = signed.into_inner().expect("nobody panicked");
    let count = signed.len();
    signed.sort_unstable();
    signed.dedup_by_key(|(key, epoch, _)| (*key, *epoch));
    assert_eq!((count, signed.len()), (64 * epochs as usize, 64 * epochs as usize), "one of each");
    drop(ledger);
    let ledger = open(folder.path());
    for (number, key) in keys.iter().enumerate() {
        assert_eq!(ledger.entries(key.id()).expect("known").len(), epochs as usize);
        let (_, epoch, message) = *signed.iter().find(|(k, ..)| *k == number).expect("it has signed");
        assert_eq!(ask(&ledger, key, epoch, message), Ok(true));
    }
}

fn one_client(
    ledger: &SqliteLedger,
    keys: &[Key],
    client: u32,
    epochs: u32,
    signed: &Mutex<Vec<(usize, u32, u8)>>,
) {
    for epoch in (0..epochs).filter(|epoch| epoch % 32 == client || epoch % 20 == client % 20) {
        let message = [u8::try_from(client).expect("32 clients"); 32];
        let request = |key: &Key| {
            ledger
                .reserve_many(&[Request {
                    key: key.id(),
                    position: Position::Epoch(epoch),
                    message: &message,
                }])
                .pop()
                .expect("one answer")
                .map(|reserved| reserved.is_repeat())
        };
        for (number, key) in keys.iter().enumerate() {
            match request(key) {
                Ok(false) => signed.lock().expect("nobody panicked").push((number, epoch, message[0])),
                Ok(true) => panic!("nobody else has this message"),
                Err(refused) => assert_eq!(refused, Refused::EpochUsed),
            }
        }
    }
}

#[test]
fn clients_lose_nothing_and_sign_nothing_twice() {
    clients(8);
}

#[test]
#[ignore = "64,000 epochs, minutes"]
fn clients_lose_nothing_and_sign_nothing_twice_long() {
    clients(1000);
}
