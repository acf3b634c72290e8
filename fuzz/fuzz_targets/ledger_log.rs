//! Any bytes, as a side log: no panic, and what is whole of it is written again as it stands. Any lines, made a log whose
//! chain is right: it reads back, replays or contradicts itself, and cut anywhere it is never taken for damaged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx_custody::ledger::log::{Head, Header, Verdict, read};
use phalanx_custody::ledger::record::Record;
use phalanx_custody::ledger::startup::replay;

fuzz_target!(|bytes: &[u8]| {
    let reading = read(bytes);
    assert_eq!(reading.valid_bytes + reading.tail_bytes, bytes.len());
    if let Some(header) = reading.header {
        let (line, chain) = header.line();
        assert!(bytes.starts_with(&line) && chain == reading.header_chain);
    }
    let mut before = None;
    for group in &reading.groups {
        assert!(group.bytes.end <= reading.valid_bytes && before < Some(group.number));
        before = Some(group.number);
        let lines = u64::try_from(group.records.len()).expect("a count") + 1;
        let (seq, number) = (group.last_seq - lines, group.number - 1);
        let head = Head { seq, group: number, chain: group.chain_before };
        let (written, after) = head.group(&group.records).expect("it was one");
        assert!(written == bytes[group.bytes.clone()] && after.chain == group.chain);
    }
    let _ = replay(&reading.groups);
    written(bytes);
});

/// The log of those lines of `bytes` that are records, a group ending at every empty line.
fn written(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (ledger_id, witness_id) = ([1; 16], [2; 16]);
    let (mut log, chain) = Header { ledger_id, witness_id, segment: 1, previous: [0; 32] }.line();
    let mut head = Head { seq: 0, group: 0, chain };
    let mut records = Vec::new();
    for line in text.split('\n').chain([""]) {
        match Record::parse(line) {
            Some(record) => {
                assert_eq!(record.to_string(), line, "one way to write a record");
                records.push(record);
            }
            None if line.is_empty() => {
                if let Ok((group, after)) = head.group(&records) {
                    log.extend_from_slice(&group);
                    head = after;
                }
                records.clear();
            }
            None => {}
        }
    }
    let reading = read(&log);
    assert!(reading.verdict == Verdict::Good && reading.last_chain() == head.chain);
    let whole = replay(&reading.groups);
    let end = reading.groups.last().map_or(log.len(), |group| group.bytes.start);
    let cut = end + bytes.len() % (log.len() - end + 1);
    let reading = read(&log[..cut]);
    assert!(matches!(reading.verdict, Verdict::Good | Verdict::Torn), "{:?}", reading.verdict);
    assert!(whole.is_none() || replay(&reading.groups).is_some(), "what is whole has a whole beginning");
}
