//! What is tested: the ledger, and three stores that are known to be wrong, by which the tests are tested.

use super::support::{KEYS, Wish, key, options};
use phalanx_custody::identity::KeyId;
use phalanx_custody::ledger::durable::NewLedger;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, Position, Refused, Request};
use rusqlite::{Connection, params};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// Something that gives positions to messages.
pub(crate) trait Store: Sized {
    /// Makes it in an empty folder, with all keys.
    fn make(folder: &Path);
    /// Opens it, or says why not.
    fn open(folder: &Path) -> Result<Self, String>;
    /// Which of the wishes may be signed. Answered wishes are durable, if the store does what it should.
    fn ask(&mut self, wishes: &[Wish]) -> Vec<bool>;
    /// What an operator may do at any time.
    fn tidy(&mut self) {}
}

/// The real one.
pub(crate) struct Ledger {
    pub(crate) ledger: SqliteLedger,
    ids: Vec<KeyId>,
}

impl Ledger {
    /// What it answers to each wish: whether it is a repeat.
    pub(crate) fn answers(&self, wishes: &[Wish]) -> Vec<Result<bool, Refused>> {
        let messages: Vec<[u8; 32]> = wishes.iter().map(|&(.., message)| [message; 32]).collect();
        let request = |(&(number, epoch, _), message): (&Wish, &'_ [u8; 32])| {
            let message: &[u8] = message;
            (number, epoch, message.to_vec())
        };
        let parts: Vec<(usize, u32, Vec<u8>)> = wishes.iter().zip(&messages).map(request).collect();
        let requests: Vec<Request<'_>> = parts
            .iter()
            .map(|(number, epoch, message)| Request {
                key: &self.ids[*number],
                position: Position::Epoch(*epoch),
                message,
            })
            .collect();
        let answers = self.ledger.reserve_many(&requests);
        answers.into_iter().map(|answer| answer.map(|reserved| reserved.is_repeat())).collect()
    }
}

impl Store for Ledger {
    fn make(folder: &Path) {
        SqliteLedger::create(&options(folder), NewLedger::default()).expect("a new ledger");
        let ledger = SqliteLedger::open(&options(folder)).expect("it opens");
        for number in 0..KEYS {
            let (public_key, instance) = key(number);
            ledger.register(&instance, &public_key, InitialState::New).expect("a new key");
        }
    }

    fn open(folder: &Path) -> Result<Self, String> {
        let ids = (0..KEYS).map(|number| key(number).1.key_id).collect();
        let open = SqliteLedger::open(&options(folder));
        let ledger = open.map_err(|error| format!("{}: {error}", error.code()))?;
        Ok(Self { ledger, ids })
    }

    fn ask(&mut self, wishes: &[Wish]) -> Vec<bool> {
        self.answers(wishes).iter().map(Result::is_ok).collect()
    }

    fn tidy(&mut self) {
        self.ledger.compact(16).expect("nothing is wrong with the disk");
    }
}

/// A memory of what was answered, as all of the wrong stores have it: what they forget, they forget on the disk.
#[derive(Default)]
struct Memory(BTreeMap<(usize, u32), u8>);

impl Memory {
    fn allows(&mut self, (key, epoch, message): Wish) -> bool {
        *self.0.entry((key, epoch)).or_insert(message) == message
    }
}

/// One log, written with `sync_file_range` only: what some embedded stores do, whose flush is not one.
pub(crate) struct RangeLog {
    file: File,
    memory: Memory,
}

impl Store for RangeLog {
    fn make(folder: &Path) {
        File::create(folder.join("log")).and_then(|file| file.sync_all()).expect("a new log");
    }

    fn open(folder: &Path) -> Result<Self, String> {
        let path = folder.join("log");
        let text = std::fs::read(&path).map_err(|error| error.to_string())?;
        let mut memory = Memory::default();
        for line in String::from_utf8_lossy(&text).lines() {
            if let Some(wish) = super::support::read_wish(line) {
                let _ = memory.allows(wish);
            }
        }
        let file = OpenOptions::new().append(true).open(path).map_err(|error| error.to_string())?;
        Ok(Self { file, memory })
    }

    fn ask(&mut self, wishes: &[Wish]) -> Vec<bool> {
        let answers: Vec<bool> = wishes.iter().map(|&wish| self.memory.allows(wish)).collect();
        let lines: String = wishes
            .iter()
            .zip(&answers)
            .filter(|(_, answer)| **answer)
            .map(|(&wish, _)| super::support::wish_text(wish) + "\n")
            .collect();
        self.file.write_all(lines.as_bytes()).expect("it can be written");
        phalanx_powerloss::flush_range(&self.file).expect("it can be flushed, as far as that goes");
        answers
    }
}

/// SQLite without a witness, in its write-ahead log with `synchronous = NORMAL`: consistent after a power loss, and older.
pub(crate) struct NormalSqlite {
    db: Connection,
    memory: Memory,
}

impl Store for NormalSqlite {
    fn make(folder: &Path) {
        let db = Connection::open(folder.join("store.sqlite3")).expect("a new store");
        db.execute_batch("CREATE TABLE entries (key, epoch, message, PRIMARY KEY (key, epoch))")
            .expect("an empty store");
    }

    fn open(folder: &Path) -> Result<Self, String> {
        let open = || {
            let db = Connection::open(folder.join("store.sqlite3"))?;
            db.execute_batch(
                "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
            )?;
            let mut memory = Memory::default();
            db.prepare("SELECT key, epoch, message FROM entries")?
                .query_map([], |row| Ok((row.get::<_, u32>(0)?, row.get(1)?, row.get(2)?)))?
                .try_for_each(|row| {
                    row.map(|(key, epoch, message)| _ = memory.allows((key as usize, epoch, message)))
                })?;
            Ok(Self { db, memory })
        };
        open().map_err(|error: rusqlite::Error| error.to_string())
    }

    fn ask(&mut self, wishes: &[Wish]) -> Vec<bool> {
        let answers: Vec<bool> = wishes.iter().map(|&wish| self.memory.allows(wish)).collect();
        self.db.execute_batch("BEGIN IMMEDIATE").expect("nobody else writes");
        for (&(key, epoch, message), _) in wishes.iter().zip(&answers).filter(|(_, answer)| **answer) {
            let key = u32::try_from(key).expect("a few keys");
            let insert = "INSERT OR IGNORE INTO entries VALUES (?1, ?2, ?3)";
            self.db.execute(insert, params![key, epoch, message]).expect("it can be written");
        }
        self.db.execute_batch("COMMIT").expect("it can be written");
        answers
    }
}
