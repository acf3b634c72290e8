//! The forms in which vector files write bytes and large integers, and objects whose every key must be known.

use crate::report::{Check, Recorder, same};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// `N` bytes in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hex<const N: usize>(pub(super) [u8; N]);

impl<'de, const N: usize> Deserialize<'de> for Hex<N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut bytes = [0; N];
        hex::decode_to_slice(String::deserialize(from)?, &mut bytes).map_err(D::Error::custom)?;
        Ok(Self(bytes))
    }
}

/// Any number of bytes in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        hex::decode(String::deserialize(from)?).map(Self).map_err(D::Error::custom)
    }
}

/// An integer in decimal text, as `N` limbs of 64 bits, least significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal<const N: usize>(pub(super) [u64; N]);

impl<'de, const N: usize> Deserialize<'de> for Decimal<N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let mut digits = text.bytes().map(|byte| byte.is_ascii_digit().then(|| u64::from(byte - b'0')));
        let value = digits.try_fold([0; N], |value, digit| multiply_add(value, 10, digit?));
        let value = value.filter(|_| !text.is_empty());
        value
            .map(Self)
            .ok_or_else(|| D::Error::custom(format_args!("not an integer of {} bits: '{text}'", 64 * N)))
    }
}

/// The value that the base-`p` digits `words`, most significant first, stand for.
pub(crate) fn from_digits(words: &[u32]) -> Option<[u64; 8]> {
    words.iter().try_fold([0; 8], |value, &word| multiply_add(value, 2_130_706_433, word.into()))
}

/// `value * factor + term`, if it fits.
fn multiply_add<const N: usize>(value: [u64; N], factor: u64, term: u64) -> Option<[u64; N]> {
    let mut carry = u128::from(term);
    let result = value.map(|limb| {
        let sum = u128::from(limb) * u128::from(factor) + carry;
        carry = sum >> 64;
        u64::try_from(sum & u128::from(u64::MAX)).expect("masked")
    });
    (carry == 0).then_some(result)
}

/// An object whose keys are taken one by one; what is left over is not understood.
pub(crate) struct Object {
    part: String,
    map: Map<String, Value>,
}

impl Object {
    /// The object `value`, called `part` in reports.
    pub(crate) fn new(recorder: &mut Recorder<'_>, part: impl Into<String>, value: Value) -> Option<Self> {
        let part = part.into();
        match value {
            Value::Object(map) => Some(Self { part, map }),
            _ => {
                recorder.not_understood(&part, "not an object");
                None
            }
        }
    }

    /// Whether `key` is there.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    /// The value of `key`, if it is there.
    pub(crate) fn optional(&mut self, key: &str) -> Option<Value> {
        self.map.remove(key)
    }

    /// The value of `key`; noted if it is not there.
    pub(crate) fn required(&mut self, recorder: &mut Recorder<'_>, key: &str) -> Option<Value> {
        let value = self.map.remove(key);
        if value.is_none() {
            recorder.not_understood(self.name(key), "missing");
        }
        value
    }

    /// The list `key`, never empty; noted if it is not there.
    pub(crate) fn list(&mut self, recorder: &mut Recorder<'_>, key: &str) -> Vec<Value> {
        match self.required(recorder, key) {
            Some(Value::Array(values)) if !values.is_empty() => values,
            None => Vec::new(),
            Some(_) => {
                recorder.not_understood(self.name(key), "not a list of cases, or an empty one");
                Vec::new()
            }
        }
    }

    /// The object `key`; noted if it is not there.
    pub(crate) fn object(&mut self, recorder: &mut Recorder<'_>, key: &str) -> Option<Self> {
        let value = self.required(recorder, key)?;
        Self::new(recorder, self.name(key), value)
    }

    /// Runs the list of cases `key`.
    pub(crate) fn cases<T: DeserializeOwned>(
        &mut self,
        recorder: &mut Recorder<'_>,
        key: &str,
        check: impl Fn(&T) -> Check,
    ) {
        let list = self.list(recorder, key);
        recorder.cases(&self.name(key), &list, check);
    }

    /// Compares the value of `key`, which is one that we know.
    pub(crate) fn known(&mut self, recorder: &mut Recorder<'_>, key: &str, wanted: impl Into<Value>) {
        if let Some(value) = self.required(recorder, key) {
            let wanted = wanted.into();
            recorder.case_once(self.name(key), || same(key, &value, &wanted));
        }
    }

    /// A text for readers, which may be missing.
    pub(crate) fn note(&mut self, recorder: &mut Recorder<'_>, key: &str) {
        if !matches!(self.optional(key), None | Some(Value::String(_))) {
            recorder.not_understood(self.name(key), "not a text");
        }
    }

    /// Notes every key that nobody asked for.
    pub(crate) fn finish(self, recorder: &mut Recorder<'_>) {
        for key in self.map.keys() {
            recorder.not_understood(self.name(key), "this version does not know this part");
        }
    }

    /// How reports call `key`.
    fn name(&self, key: &str) -> String {
        if self.part.is_empty() { key.to_owned() } else { format!("{}.{key}", self.part) }
    }
}
