//! Rows of every scheme, good and bad, and files of them.

use phalanx::ed25519::{SigningKey, sign_many};
use phalanx::xmss::Format;
use phalanx::xmss::any::{self, ParameterSet};
use std::fmt::Write;
use std::sync::LazyLock;

/// A row, as text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) scheme: Option<String>,
    pub(crate) public_key: Option<String>,
    pub(crate) epoch: Option<u64>,
    pub(crate) message: Option<String>,
    pub(crate) signature: Option<String>,
    pub(crate) profile: Option<String>,
}

impl Row {
    /// The values in the order of the columns of a file.
    pub(crate) fn values(&self) -> [Option<String>; 6] {
        let Self { scheme, public_key, epoch, message, signature, profile } = self.clone();
        [scheme, public_key, epoch.map(|epoch| epoch.to_string()), message, signature, profile]
    }
}

pub(crate) const NAMES: [&str; 6] = ["scheme", "public_key", "epoch", "message", "signature", "profile"];

/// Good rows of Ed25519, of three keys.
pub(crate) fn ed25519(count: usize) -> Vec<Row> {
    let keys = [1, 2, 3].map(|seed| SigningKey::from_seed(&[seed; 32]));
    let keys: Vec<&SigningKey> = keys.iter().cycle().take(count).collect();
    let messages: Vec<Vec<u8>> = (0..count).map(|i| format!("{i:032}")[..i % 33].into()).collect();
    let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let signatures = sign_many(&keys, &slices).expect("as many keys as messages");
    let row = |((key, message), signature): ((&&SigningKey, &Vec<u8>), &phalanx::ed25519::Signature)| Row {
        scheme: Some("ed25519".into()),
        public_key: Some(hex::encode(key.verifying_key())),
        message: Some(hex::encode(message)),
        signature: Some(hex::encode(signature.to_bytes())),
        ..Row::default()
    };
    keys.iter().zip(&messages).zip(&signatures).map(row).collect()
}

/// Good rows of both generations of XMSS.
pub(crate) fn xmss() -> Vec<Row> {
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
        ["xmss-blake2s-l32-d42b8", "xmss-poseidon1-l8-d4b8-test"].into_iter().flat_map(of_set).collect()
    });
    ROWS.clone()
}

fn of_set(name: &str) -> Vec<Row> {
    let set = ParameterSet::from_name(name).expect("it is one");
    let made = any::KeyGeneration::from_seed(set, &[7; 32], 0..4).expect("a key");
    let mut key = made.run_on(&phalanx::Inline).expect("a key");
    let public_key = key.verifying_key().to_bytes(Format::Ssz).expect("SSZ");
    let mut row = |epoch: u8| Row {
        scheme: Some(name.into()),
        public_key: Some(hex::encode(&public_key)),
        epoch: Some(epoch.into()),
        message: Some(hex::encode([epoch; 32])),
        signature: Some(hex::encode(
            key.sign(epoch.into(), &[epoch; 32]).expect("unused").to_bytes(Format::Ssz).expect("SSZ"),
        )),
        profile: None,
    };
    (0..4).map(&mut row).collect()
}

/// Rows of every kind that all formats can write, and the verdicts on them.
pub(crate) fn of_every_kind() -> (Vec<Row>, Vec<u8>) {
    let (good, xmss) = (ed25519(40), xmss());
    let mut rows: Vec<(Row, u8)> = good.iter().chain(&xmss).map(|row| (row.clone(), 0)).collect();
    let mut bad = |at: usize, row: &Row, verdict: u8, change: &dyn Fn(&mut Row)| {
        let mut row = row.clone();
        change(&mut row);
        rows.insert(at, (row, verdict));
    };
    let (ed, xmss) = (&good[5], &xmss[1]);
    let half = |text: &mut Option<String>| text.iter_mut().for_each(|text| text.truncate(text.len() / 2));
    bad(0, ed, 1, &|row| row.message = Some("00".into()));
    bad(7, ed, 1, &|row| half(&mut row.public_key));
    bad(8, ed, 1, &|row| half(&mut row.signature));
    bad(9, ed, 3, &|row| row.scheme = None);
    bad(10, ed, 3, &|row| row.scheme = Some("ed448".into()));
    bad(20, ed, 4, &|row| row.public_key = None);
    bad(21, ed, 4, &|row| row.public_key = Some("zz".repeat(32)));
    bad(22, ed, 6, &|row| row.message = Some("abc".into()));
    bad(23, ed, 7, &|row| row.signature = None);
    bad(24, ed, 8, &|row| row.profile = Some("lenient".into()));
    bad(25, ed, 0, &|row| row.profile = Some("zip215".into()));
    bad(26, ed, 0, &|row| row.epoch = Some(77));
    bad(30, xmss, 1, &|row| row.epoch = Some(2));
    bad(31, xmss, 1, &|row| row.epoch = Some(1 << 32));
    bad(32, xmss, 5, &|row| row.epoch = None);
    bad(33, xmss, 6, &|row| half(&mut row.message));
    bad(34, xmss, 7, &|row| half(&mut row.signature));
    bad(35, xmss, 4, &|row| half(&mut row.public_key));
    bad(36, xmss, 1, &|row| row.epoch = Some(u32::MAX.into()));
    let last = xmss.clone();
    rows.push((Row { signature: last.signature.map(|text| text.replacen('a', "b", 9)), ..last }, 1));
    rows.into_iter().unzip()
}

/// The rows as JSON lines.
pub(crate) fn jsonl(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let mut object = serde_json::Map::new();
        for (name, value) in NAMES.iter().zip(row.values()) {
            let value = match value {
                Some(number) if *name == "epoch" => serde_json::from_str(&number).expect("a number"),
                Some(text) => text.into(),
                // Sometimes null, sometimes nothing.
                None if text.len().is_multiple_of(2) => serde_json::Value::Null,
                None => continue,
            };
            object.insert((*name).into(), value);
        }
        writeln!(text, "{}", serde_json::Value::Object(object)).expect("memory");
    }
    text
}

/// The rows as CSV.
pub(crate) fn csv(rows: &[Row]) -> String {
    let mut text = format!("{}\r\n", NAMES.join(","));
    for row in rows {
        let values = row.values().map(|value| value.map_or(String::new(), |value| format!("\"{value}\"")));
        writeln!(text, "{}\r", values.join(",")).expect("memory");
    }
    text
}
