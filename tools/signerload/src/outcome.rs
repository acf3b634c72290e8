//! What was seen, and what is wrong with it.

use crate::load::{Asked, Seen, Target};
use phalanx_custody::remote::{Client, Error, Request};
use std::collections::BTreeMap;
use std::time::Duration;

/// What many answers come to.
#[derive(Default)]
pub struct Outcome {
    /// Answers by code: `signed`, `repeated`, the codes of refusals, and `unreachable`.
    pub codes: BTreeMap<String, u64>,
    /// How long the answers with a signature took, in order.
    pub took: Vec<Duration>,
    /// Signatures that do not verify.
    pub bad: u64,
    /// Epochs at which two messages were signed.
    pub double: u64,
    /// What was signed, by key and epoch.
    signed: BTreeMap<(usize, u32), u8>,
}

impl Outcome {
    /// Looks at answers, in addition to those before.
    pub fn add(&mut self, client: &Client, targets: &[Target], seen: &[Seen]) {
        for Seen { asked, took, answer } in seen {
            let message = asked.message();
            let request = Request { key: &targets[asked.target].key, epoch: asked.epoch, message: &message };
            let result =
                answer.as_ref().map_err(Clone::clone).and_then(|answer| client.signed(answer, &request));
            let code = match result {
                Ok(signed) => {
                    self.took.push(*took);
                    self.note(*asked);
                    if signed.is_repeat { "repeated" } else { "signed" }.to_owned()
                }
                Err(Error::Refused(refusal)) => refusal.code,
                Err(Error::DoesNotVerify) => {
                    self.bad += 1;
                    "does_not_verify".to_owned()
                }
                Err(Error::Malformed(_)) => "malformed_answer".to_owned(),
                Err(_) => "unreachable".to_owned(),
            };
            *self.codes.entry(code).or_default() += 1;
        }
        self.took.sort_unstable();
    }

    /// Notes that a message was signed.
    fn note(&mut self, asked: Asked) {
        let first = self.signed.entry((asked.target, asked.epoch)).or_insert(asked.variant);
        self.double += u64::from(*first != asked.variant);
    }

    /// How many answers have this code.
    #[must_use]
    pub fn count(&self, code: &str) -> u64 {
        self.codes.get(code).copied().unwrap_or(0)
    }

    /// Whether no epoch was signed twice and every signature verifies.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.double == 0 && self.bad == 0
    }

    /// The time that `percent` of the signatures did not exceed.
    #[must_use]
    pub fn percentile(&self, percent: u32) -> Duration {
        let count = self.took.len();
        let rank = (count * percent.min(100) as usize).div_ceil(100);
        self.took.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }
}

/// Milliseconds, for people.
#[must_use]
pub fn milliseconds(took: Duration) -> f64 {
    took.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::plain_client;
    use phalanx_custody::remote::Answer;
    use phalanx_xmss::any::VerifyingKey;
    use phalanx_xmss::hazmat::sign_unrecorded;
    use phalanx_xmss::{Format, ParameterSet, Signature, SigningKey};

    #[test]
    fn percentiles_are_times_that_were_seen() {
        let took = (1..=200).map(Duration::from_millis).collect();
        let outcome = Outcome { took, ..Outcome::default() };
        let of = |percent| outcome.percentile(percent).as_millis();
        assert_eq!((of(50), of(95), of(99), of(100), of(0)), (100, 190, 198, 200, 1));
        assert_eq!(Outcome::default().percentile(99), Duration::ZERO);
    }

    /// As is one that gives another epoch's signature.
    #[test]
    fn a_signer_that_signs_twice_is_found() {
        let key = SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[3; 32], 0..32).expect("a key");
        let targets = [Target { key: VerifyingKey::KoalaBear(key.verifying_key()), epochs: 0..32 }];
        let answer = |signature: &Signature| {
            let digits: String =
                signature.to_bytes(Format::Ssz).iter().map(|byte| format!("{byte:02x}")).collect();
            Ok(Answer { status: 200, body: format!(r#"{{"signature":"0x{digits}"}}"#).into_bytes() })
        };
        let client = plain_client("http://127.0.0.1:1").expect("an address");
        let ask = |epoch, variant| Asked { target: 0, epoch, variant };
        let sign =
            |asked: Asked| sign_unrecorded(&key, asked.epoch, &asked.message()).expect("it is prepared");
        let (a, b) = (sign(ask(5, 0)), sign(ask(5, 1)));
        let seen =
            |asked, signature: &_| Seen { asked, took: Duration::from_millis(1), answer: answer(signature) };
        let mut outcome = Outcome::default();
        outcome.add(&client, &targets, &[seen(ask(5, 0), &a), seen(ask(5, 0), &a)]);
        assert!(outcome.is_sound());
        outcome.add(&client, &targets, &[seen(ask(5, 1), &b)]);
        assert_eq!((outcome.double, outcome.bad), (1, 0));
        let mut outcome = Outcome::default();
        outcome.add(&client, &targets, &[seen(ask(6, 0), &a)]);
        assert_eq!((outcome.double, outcome.bad), (0, 1));
    }
}
