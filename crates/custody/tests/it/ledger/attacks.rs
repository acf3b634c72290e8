//! Ways in which a one-time key could sign two messages, each of which once worked on paper.

use super::{Folder, ask, copy, copy_file, key, new_ledger, open, options, refusal, registered};
use phalanx_custody::ledger::durable::{LedgerOptions, NewLedger, OldRecordFile, Resume, WitnessFolder};
use phalanx_custody::ledger::record::{KeyInstance, Ordering};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, Problem, Refused};
use sha2::{Digest as _, Sha256};

/// One seed, two intervals: the second is refused, whatever its public key.
#[test]
fn f1_a_second_interval_of_the_same_one_time_keys() {
    let folder = Folder::new();
    let ledger = new_ledger(folder.path());
    let key = registered(&ledger, 1, Ordering::Any);
    let other = |change: &dyn Fn(&mut KeyInstance)| {
        let mut instance = key.instance.clone();
        change(&mut instance);
        let mut public_key = key.public_key.clone();
        public_key[0] ^= 1;
        let refused = ledger.register(&instance, &public_key, InitialState::New);
        refused.expect_err("the same one-time keys").problem()
    };
    assert_eq!(other(&|key| key.end *= 2), Problem::SameOneTimeKeys);
    assert_eq!(other(&|key| key.scheme = "xmss-poseidon2-l32-d48b10".to_owned()), Problem::SameOneTimeKeys);
    assert_eq!(other(&|_| {}), Problem::SameOneTimeKeys, "another root");
}

/// A. After its only range is given away, a key signs nothing; also after a restart, a compaction, and in a copy.
#[test]
fn a_ranges() {
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    let ledger = new_ledger(folder.path());
    let key = registered(&ledger, 1, Ordering::Strict);
    assert_eq!(ask(&ledger, &key, 3, 1), Ok(false));
    let copied = ledger.export(None, false).expect("a copy");
    let high = ledger.split(key.id(), 100, "b").expect("the upper part");
    assert_eq!(ask(&ledger, &key, 100, 1), Err(Refused::NotInRange));
    assert_eq!(ask(&ledger, &key, 4, 1), Ok(false));
    let low = ledger.split(key.id(), 5, "c").expect("the lower part");
    assert_eq!(ask(&ledger, &key, 5, 1), Err(Refused::NotInRange));
    ledger.compact(1000).expect("a new segment");
    drop(ledger);
    let ledger = open(folder.path());
    assert_eq!(ask(&ledger, &key, 200, 1), Err(Refused::NotInRange));
    assert_eq!(ask(&ledger, &key, 4, 1), Ok(true));

    // A copy, then the file of a split: the copy may sign what both allow.
    let other = new_ledger(elsewhere.path());
    other.import(copied.text.as_bytes()).expect("a copy comes in");
    assert_eq!(ask(&other, &key, 200, 1), Err(Refused::Quarantined));
    other.import(high.text.as_bytes()).expect("a range comes in");
    other.adopt(key.id(), 100, "the range is ours").expect("adopted");
    assert_eq!(ask(&other, &key, 50, 1), Err(Refused::Passed));
    assert_eq!(ask(&other, &key, 150, 1), Ok(false));
    // What both allow of two ranges that do not meet is nothing.
    other.import(low.text.as_bytes()).expect("a range comes in");
    assert_eq!(ask(&other, &key, 151, 1), Err(Refused::NotInRange));
    let again = other.import(low.text.as_bytes());
    assert_eq!(again.expect_err("a transfer comes once").problem(), Problem::TransferSeen);
}

/// B. A store from before a compaction is older than the segment in which was signed since.
#[test]
fn b_rotation() {
    let (folder, backup) = (Folder::new(), Folder::new());
    let ledger = new_ledger(folder.path());
    let key = registered(&ledger, 1, Ordering::Any);
    assert_eq!(ask(&ledger, &key, 1, 1), Ok(false));
    drop(ledger);
    copy(folder.path(), backup.path());
    let ledger = open(folder.path());
    ledger.compact(1000).expect("a new segment");
    assert_eq!(ask(&ledger, &key, 2, 1), Ok(false));
    drop(ledger);
    copy_file(&backup.join("ledger.sqlite3"), &folder.join("ledger.sqlite3"));
    // The first segment has grown by the line of the start: put it back as well.
    copy_file(&backup.join("witness-00000001.log"), &folder.join("witness-00000001.log"));
    assert_eq!(refusal(folder.path()), Problem::StoreOlder);
}

/// B. A segment that was begun and not taken into use is set aside.
#[test]
fn b_an_unfinished_segment_is_set_aside() {
    let (folder, backup) = (Folder::new(), Folder::new());
    let ledger = new_ledger(folder.path());
    let key = registered(&ledger, 1, Ordering::Any);
    assert_eq!(ask(&ledger, &key, 1, 1), Ok(false));
    drop(ledger);
    copy(folder.path(), backup.path());
    // As after a crash between the two: the new segment is there, the store knows nothing of it.
    let log = std::fs::read(folder.join("witness-00000001.log")).expect("the log");
    let reading = phalanx_custody::ledger::log::read(&log);
    let header = phalanx_custody::ledger::log::Header {
        segment: 2,
        previous: reading.last_chain(),
        ..reading.header.expect("it is whole")
    };
    let head = phalanx_custody::ledger::log::Head {
        seq: reading.last_seq(),
        group: reading.last_group(),
        chain: reading.last_chain(),
    };
    let accounts = phalanx_custody::ledger::startup::replay(&reading.groups).expect("consistent");
    let segment = head.segment(&header, &accounts.snapshot()).expect("it fits");
    let path = folder.join("witness-00000002.log");
    std::fs::write(&path, &segment.bytes).expect("it can be written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&path, mode).expect("its mode can be set");
    let ledger = open(folder.path());
    assert_eq!(ask(&ledger, &key, 1, 2), Err(Refused::EpochUsed));
    assert!(!path.exists() && folder.join("witness-00000002.log.unused-1").exists());
}

/// C. Store and log restored together in the same boot: no proof of a clean stop, so nothing is trusted.
#[test]
fn c_a_restored_folder_is_not_trusted() {
    let (folder, backup) = (Folder::new(), Folder::new());
    let trusting =
        || LedgerOptions::new(folder.path()).allow_file_system("overlay").resume(Resume::TrustStore);
    SqliteLedger::create(&trusting(), NewLedger::default()).expect("a new ledger");
    let ledger = SqliteLedger::open(&trusting()).expect("it opens");
    let key = registered(&ledger, 1, Ordering::Any);
    drop(ledger);
    copy(folder.path(), backup.path());
    let ledger = SqliteLedger::open(&trusting()).expect("a proved clean stop");
    assert_eq!(ask(&ledger, &key, 1, 1), Ok(false));
    drop(ledger);
    for name in ["ledger.sqlite3", "witness-00000001.log"] {
        copy_file(&backup.join(name), &folder.join(name));
    }
    let refused = SqliteLedger::open(&trusting()).map(|_| ()).expect_err("no proof");
    assert_eq!(refused.problem(), Problem::NotProved);
}

/// C. With the side log in the user's state folder a restored key folder does not open.
#[test]
fn c_the_witness_is_not_restored_with_the_key() {
    let (folder, state, backup) = (Folder::new(), Folder::new(), Folder::new());
    let options = options(folder.path()).witness(WitnessFolder::NamedIn(state.path().to_owned()));
    SqliteLedger::create(&options, NewLedger::default()).expect("a new ledger");
    let ledger = SqliteLedger::open(&options).expect("it opens");
    let key = registered(&ledger, 1, Ordering::Any);
    drop(ledger);
    copy(folder.path(), backup.path());
    let ledger = SqliteLedger::open(&options).expect("it opens");
    assert_eq!(ask(&ledger, &key, 1, 1), Ok(false));
    drop(ledger);
    copy_file(&backup.join("ledger.sqlite3"), &folder.join("ledger.sqlite3"));
    let refused = SqliteLedger::open(&options).map(|_| ()).expect_err("restored");
    assert_eq!(refused.problem(), Problem::StoreOlder);
}

/// E. Between registration and the replacement of the old record neither signs: the key is quarantined until what the old
/// signer may have written last has been united.
#[test]
fn e_migration() {
    let folder = Folder::new();
    let ledger = new_ledger(folder.path());
    let key = key(1, Ordering::Any);
    let hex =
        |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let line = |epoch: u32, message: u8| format!("{epoch:010} {}\n", hex(&[message; 32]));
    let header = format!("phalanx-epochs v1 {} {}\n", key.instance.scheme, hex(&key.public_key));
    let record = |name: &str, text: String| {
        std::fs::write(folder.join(name), text).expect("it can be written");
        OldRecordFile {
            path: folder.join(name),
            scheme: key.instance.scheme.clone(),
            public_key: key.public_key.clone(),
            lifetime: 1 << 32,
        }
    };
    // Two copies of one key, which have signed apart.
    let files = [
        record("a.epochs", header.clone() + &line(3, 1) + &line(4, 1) + "0000000006 12"),
        record("b.epochs", header + &line(3, 2) + &line(5, 2)),
    ];
    ledger.register(&key.instance, &key.public_key, InitialState::Quarantined).expect("new here");
    drop(ledger);
    let ledger = open(folder.path());
    assert_eq!(ask(&ledger, &key, 3, 2), Err(Refused::Quarantined), "a crash leaves it so");
    assert_eq!(ledger.adopt_records(key.id(), &files).expect("adopted"), [3]);
    assert_eq!(ask(&ledger, &key, 3, 1), Err(Refused::EpochUsed), "compromised");
    assert_eq!(ask(&ledger, &key, 4, 1), Ok(true));
    assert_eq!(ask(&ledger, &key, 5, 2), Ok(true));
    assert_eq!(ask(&ledger, &key, 6, 1), Err(Refused::EpochUsed), "a line that was cut closes its epoch");
    assert_eq!(ask(&ledger, &key, 7, 1), Ok(false));
    let left = std::fs::read_to_string(&files[0].path).expect("a file is there");
    assert!(left.starts_with("phalanx-epochs v2 moved-to-ledger "), "{left}");
    let again = ledger.adopt_records(key.id(), &files).expect_err("it has moved");
    assert_eq!(again.problem(), Problem::ForeignRecord);
    let missing = [OldRecordFile { path: folder.join("c.epochs"), ..files[0].clone() }];
    let missing = ledger.adopt_records(key.id(), &missing).expect_err("nothing is there");
    assert_eq!(missing.problem(), Problem::NoState);
}
