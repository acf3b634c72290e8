//! What a signer answers, read strictly: it may be anybody.
#![forbid(unsafe_code)]

use super::endpoint::Token;
use super::error::{Error, Refusal, plain};
use crate::identity::KeyId;
use crate::json::{self, Limits, Object, Value};
use core::ops::Range;
use phalanx_xmss::Format;
use phalanx_xmss::any::{ParameterSet, VerifyingKey};

/// Longest answer that is read, in bytes.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// A key as the signer lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyStanding {
    /// The public key in SSZ.
    pub public_key: Vec<u8>,
    /// The name of its one-time keys.
    pub key_id: KeyId,
    /// The name of its parameter set or scheme.
    pub scheme: String,
    /// What it is for.
    pub role: String,
    /// `active`, `quarantined`, `retired` or `exhausted`.
    pub state: String,
    /// Its epochs; none for keys that are not consumed.
    pub epochs: Option<Range<u64>>,
    /// Nothing new is signed below it.
    pub low_watermark: Option<u64>,
    /// The greatest epoch that was ever reserved.
    pub highest: Option<u64>,
    /// Epochs that are left.
    pub remaining: Option<u64>,
    /// Epochs that are signed without computing a tree first.
    pub prepared: Option<Range<u64>>,
}

impl KeyStanding {
    /// The key, if it is one of XMSS that this library knows.
    #[must_use]
    pub fn verifying_key(&self) -> Option<VerifyingKey> {
        let set = ParameterSet::from_name(&self.scheme)?;
        VerifyingKey::from_bytes(set, Format::Ssz, &self.public_key).ok()
    }
}

/// The object that an answer is.
pub(super) fn object(body: &[u8]) -> Result<Object, Error> {
    match json::parse(body, Limits { bytes: MAX_BYTES, depth: 16 }) {
        Ok(Value::Object(object)) => Ok(object),
        _ => Err(Error::Malformed("not an object in JSON")),
    }
}

/// The refusal that an object is. What it says is shown to people, so nothing of a token passes.
pub(super) fn refusal(status: u16, object: &Object, token: Option<&Token>) -> Refusal {
    let text = |name| object.get(name).and_then(Value::as_text);
    let is_code = |code: &&str| {
        (1..=40).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    let code = text("code").filter(is_code).unwrap_or("unknown").to_owned();
    let sentence = text("error").filter(|sentence| !token.is_some_and(|token| token.is_in(sentence)));
    let sentence = sentence.map_or_else(|| format!("the signer answered {status}"), plain);
    // A message in one line without a period, as all errors are.
    let sentence = sentence.trim_end_matches('.').to_owned();
    Refusal { status, code, sentence, is_final: object.get("final").and_then(Value::as_bool) }
}

/// A member that is a text of hexadecimal digits, with or without `0x`, in any case.
pub(super) fn hexadecimal(object: &Object, name: &str) -> Option<Vec<u8>> {
    let text = object.get(name)?.as_text()?;
    let digits = text.strip_prefix("0x").unwrap_or(text).to_ascii_lowercase();
    crate::hexadecimal::bytes(&digits)
}

/// A member that is a number, as a text in decimal or as an integer.
pub(super) fn number(object: &Object, name: &str) -> Option<u64> {
    match object.get(name)? {
        Value::Integer(integer) => Some(*integer),
        Value::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}

/// The list of keys.
pub(super) fn keys(object: &Object) -> Result<Vec<KeyStanding>, Error> {
    let list = object.get("keys").and_then(Value::as_list).ok_or(Error::Malformed("no list of keys"))?;
    list.iter().map(|value| key(value).ok_or(Error::Malformed("a key in its list"))).collect()
}

fn key(value: &Value) -> Option<KeyStanding> {
    let object = value.as_object()?;
    let text = |name| Some(plain(object.get(name)?.as_text()?));
    let range = |object: &Object| Some(number(object, "start")?..number(object, "end")?);
    Some(KeyStanding {
        public_key: hexadecimal(object, "pubkey")?,
        key_id: KeyId::from_hex(object.get("key_id")?.as_text()?)?,
        scheme: text("scheme")?,
        role: text("role")?,
        state: text("state")?,
        epochs: range(object),
        low_watermark: number(object, "low_watermark"),
        highest: number(object, "highest"),
        remaining: number(object, "remaining"),
        prepared: object.get("prepared").and_then(Value::as_object).and_then(range),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_shows_nothing_but_one_plain_line() {
        let token = Token::from_file_content(&[b'k'; 43]).expect("a token");
        let echo = format!(r#"{{"error":"bad {}","code":"x","final":true}}"#, "k".repeat(43));
        let refusal_of = |text: &str| refusal(412, &object(text.as_bytes()).expect("JSON"), Some(&token));
        assert_eq!(refusal_of(&echo).sentence, "the signer answered 412");
        let odd = refusal_of(r#"{"error":"a\u001b[31mb\nc.","code":"Not A Code"}"#);
        assert_eq!((&*odd.sentence, &*odd.code, odd.is_final), ("a?[31mb?c", "unknown", None));
        let used = refusal_of(r#"{"error":"used","code":"epoch_used","epoch":"11","final":true}"#);
        assert_eq!((used.to_string(), used.is_final), ("used (epoch_used)".to_owned(), Some(true)));
    }

    #[test]
    fn keys_are_read_or_refused() {
        let id = "ab".repeat(32);
        let one = format!(
            r#"{{"keys":[{{"pubkey":"0xAB","key_id":"{id}","scheme":"s","role":"attester","state":"active",
               "start":"0","end":256,"low_watermark":"3","high_watermark":null,"highest":null,"remaining":"250",
               "prepared":{{"start":"0","end":"32"}}}}]}}"#
        );
        let read = keys(&object(one.as_bytes()).expect("JSON")).expect("a list");
        assert_eq!(read[0].public_key, [0xab]);
        assert_eq!(
            (read[0].epochs.clone(), read[0].highest, read[0].prepared.clone()),
            (Some(0..256), None, Some(0..32))
        );
        assert!(read[0].verifying_key().is_none());
        for bad in ["{}", r#"{"keys":[1]}"#, r#"{"keys":[{"pubkey":"0xzz"}]}"#] {
            assert!(keys(&object(bad.as_bytes()).expect("JSON")).is_err(), "{bad}");
        }
        for bad in [&b"[]"[..], b"{", b"{\"a\":1,\"a\":2}", b"\xff"] {
            assert!(object(bad).is_err());
        }
    }
}
