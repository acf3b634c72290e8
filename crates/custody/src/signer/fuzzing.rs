//! What reads bytes from outside, for the fuzz targets and a test that does the same for a short while: each function
//! panics where bytes can do what they must not.
#![forbid(unsafe_code)]

use super::config::Config;
use super::tokens::Tokens;
use super::wire::{Ask, Batch, ConsensusAsk, MAX_BATCH, MAX_BODY};
use crate::hexadecimal;
use crate::ledger::Position;
use crate::ledger::sign_bytes::{SignBytes, differ_in_time_only};
use sha2::{Digest, Sha256};
use std::path::Path;

/// Any bytes, as the body of a request to sign. What is read says the same when it is written again. Says whether it is one.
pub fn body(bytes: &[u8]) -> bool {
    let mut is_one = false;
    if let Ok(ask) = Ask::read(bytes) {
        assert!(bytes.len() <= MAX_BODY);
        assert_eq!(Ask::read(written(&ask).as_bytes()), Ok(ask));
        is_one = true;
    }
    if let Ok(batch) = Batch::read(bytes) {
        assert!((1..=MAX_BATCH).contains(&batch.requests.len()) && bytes.len() <= MAX_BODY);
        // Of an identifier only what is hexadecimal names a key; any text is looked up.
        for named in &batch.requests {
            let _ = super::wire::bytes(&named.pubkey);
            assert_eq!(Ask::read(written(&named.ask).as_bytes()).as_ref(), Ok(&named.ask));
        }
        is_one = true;
    }
    if let Ok(ask) = ConsensusAsk::read(bytes) {
        assert!(ask.sign_bytes.len() <= MAX_BODY / 2);
        let subject = ask.into_subject();
        assert!(!subject.place().is_empty());
        is_one = true;
    }
    is_one
}

fn written(ask: &Ask) -> String {
    let root = ask.genesis_validators_root.map(|root| hexadecimal::text(&root));
    let root = root.map_or_else(|| "null".to_owned(), |root| format!("\"0x{root}\""));
    let message = hexadecimal::text(&ask.message);
    format!("{{\"epoch\":{},\"message\":\"{message}\",\"genesis_validators_root\":{root}}}", ask.epoch)
}

/// Any text, as the file of tokens. Nobody comes in by a token whose hash does not stand in it. Says whether it is one.
pub fn tokens(text: &str) -> bool {
    const TOKEN: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ";
    let hash = hexadecimal::text(&Sha256::digest(TOKEN));
    let Ok(tokens) = Tokens::parse(text) else { return false };
    let client = tokens.client(TOKEN);
    assert!(client.is_none() || text.contains(&hash), "nobody's hash");
    assert!(
        client.is_none_or(|name| text.contains(name) && !name.contains(|c: char| c.is_ascii_whitespace()))
    );
    // With a line for it, the token is its client's: the last of several.
    let more = format!("{text}\nvalidator {hash}\n");
    let more = Tokens::parse(&more).expect("a good line after good ones");
    assert_eq!(more.client(TOKEN), Some("validator"));
    true
}

/// Any text, as the configuration. What is accepted listens to nobody without TLS but on this machine, and lets nobody in
/// unasked unless that is said. Says whether it is accepted.
pub fn configuration(text: &str) -> bool {
    let Ok(config) = Config::parse(text, Path::new("/etc/phalanx")) else { return false };
    let addresses = [config.listen.address, config.listen.metrics];
    let is_public = addresses.iter().flatten().any(|address| !address.ip().is_loopback());
    assert!(!is_public || config.tls.is_some(), "without TLS");
    let asks = config.tokens.is_some() || config.has_client_certificates();
    assert_eq!(asks, config.auth.is_none(), "who is asked who they are");
    assert!(config.limits.queue > 0 && config.threads.sign > 0);
    assert!(config.ledger.folder.is_absolute(), "paths are relative to the folder of the file");
    assert!(!config.summary().is_empty());
    true
}

/// Any bytes, as what a validator of a consensus signs, and as two of them. Of two texts that say the same there is one; those
/// that differ in their time alone say the same place. Says whether the bytes are sign bytes.
pub fn sign_bytes(bytes: &[u8]) -> bool {
    let middle = bytes.first().map_or(0, |&first| usize::from(first) % bytes.len());
    let (one, other) = bytes.split_at(middle);
    for text in [bytes, one, other] {
        let Some(read) = SignBytes::read(text) else { continue };
        assert!(matches!(read.position, Position::Consensus { .. }));
        assert!(read.timestamp.nanoseconds < 1_000_000_000);
        for at in 0..text.len() {
            let mut changed = text.to_vec();
            changed[at] ^= 1 << (at % 8);
            assert_ne!(SignBytes::read(&changed).as_ref(), Some(&read), "two texts of one message");
            if differ_in_time_only(text, &changed) {
                let changed = SignBytes::read(&changed).expect("it was read for that");
                assert!(changed.position == read.position && changed.timestamp != read.timestamp);
            }
        }
        assert!(SignBytes::read(&[text, &[0]].concat()).is_none(), "nothing after the end");
    }
    if differ_in_time_only(one, other) {
        let places = [one, other].map(|text| SignBytes::read(text).expect("it was read for that").position);
        assert_eq!(places[0], places[1]);
    }
    SignBytes::read(bytes).is_some()
}
