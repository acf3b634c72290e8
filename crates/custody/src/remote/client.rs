//! The client: one request, one answer, verified.
#![forbid(unsafe_code)]

use super::answers::{self, KeyStanding, MAX_BYTES};
use super::connect::Options;
use super::endpoint::Token;
use super::error::Error;
use crate::epoch_key::EpochKey;
use crate::hexadecimal;
use crate::json::{Object, Value};
use phalanx_xmss::Format;
use phalanx_xmss::any::{Signature, SigningKey, VerifyingKey};
use ureq::http::{HeaderValue, Request as HttpRequest, header};
use ureq::{Agent, SendBody};

/// A connection to a signer; connections are kept open and used again, from any number of threads.
pub struct Client {
    agent: Agent,
    base: String,
    token: Option<Token>,
}

/// What is done with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Asks.
    Get,
    /// Sends.
    Post,
}

/// An answer as it came.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status of HTTP.
    pub status: u16,
    /// The body, at most 1 MiB.
    pub body: Vec<u8>,
}

/// What one signature is asked for.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Whose.
    pub key: &'a VerifyingKey,
    /// At which epoch.
    pub epoch: u32,
    /// Of what.
    pub message: &'a [u8; 32],
}

/// A signature that verifies.
#[derive(Clone, Debug)]
pub struct Signed {
    /// The signature.
    pub signature: Signature,
    /// Whether the signer had signed the same message at this epoch before.
    pub is_repeat: bool,
}

/// Most requests in one batch.
const MAX_BATCH: usize = 256;

impl Client {
    /// Most requests that [`sign_many`](Self::sign_many) takes: a batch has 64 KiB at most, and 256 requests.
    pub const MAX_BATCH: usize = MAX_BATCH;

    /// A client; nothing is sent yet.
    ///
    /// # Errors
    /// [`Error::Setup`]: certificates or keys that are none, or that do not belong together.
    pub fn new(options: Options) -> Result<Self, Error> {
        Ok(Self { agent: options.agent()?, base: options.endpoint.base.clone(), token: options.token })
    }

    /// A signature of `message` at `epoch`, verified.
    ///
    /// # Errors
    /// All of [`Error`].
    pub fn sign(&self, key: &VerifyingKey, epoch: u32, message: &[u8; 32]) -> Result<Signed, Error> {
        let request = Request { key, epoch, message };
        self.signed(&self.ask(&request)?, &request)
    }

    /// The first half of [`sign`](Self::sign): the answer as it is. For whoever measures how long a signer takes.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub fn ask(&self, request: &Request<'_>) -> Result<Answer, Error> {
        let path = format!("/api/v1/xmss/sign/{}", hexadecimal::text(&SigningKey::public_key(request.key)));
        let body = Value::object([
            ("epoch", Value::text(request.epoch.to_string())),
            ("message", Value::text(format!("0x{}", hexadecimal::text(request.message)))),
        ]);
        self.send(Method::Post, &path, Some(&body.canonical()))
    }

    /// The second half: the signature in an answer, if it is one of this key, epoch and message.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Malformed`], [`Error::DoesNotVerify`].
    pub fn signed(&self, answer: &Answer, request: &Request<'_>) -> Result<Signed, Error> {
        signed(&self.good(answer)?, request)
    }

    /// Signatures of up to [`MAX_BATCH`](Self::MAX_BATCH) requests, which the signer records together; one result for
    /// each, in order.
    ///
    /// # Errors
    /// All of [`Error`], if there is no answer to the batch as a whole.
    pub fn sign_many(&self, requests: &[Request<'_>]) -> Result<Vec<Result<Signed, Error>>, Error> {
        let entry = |request: &Request<'_>| {
            Value::object([
                ("pubkey", Value::text(hexadecimal::text(&SigningKey::public_key(request.key)))),
                ("epoch", Value::text(request.epoch.to_string())),
                ("message", Value::text(hexadecimal::text(request.message))),
            ])
        };
        let body = Value::object([("requests", Value::List(requests.iter().map(entry).collect()))]);
        let answer = self.good(&self.send(Method::Post, "/api/v1/xmss/sign", Some(&body.canonical()))?)?;
        let results = answer.get("results").and_then(Value::as_list).ok_or(Error::Malformed("no results"))?;
        if results.len() != requests.len() {
            return Err(Error::Malformed("another number of results"));
        }
        let result = |(result, request): (&Value, &Request<'_>)| match result.as_object() {
            None => Err(Error::Malformed("a result that is no object")),
            Some(object) if object.get("signature").is_some() => signed(object, request),
            Some(object) => Err(Error::Refused(answers::refusal(200, object, self.token.as_ref()))),
        };
        Ok(results.iter().zip(requests).map(result).collect())
    }

    /// The keys that this client may see.
    ///
    /// # Errors
    /// All of [`Error`] but [`Error::DoesNotVerify`].
    pub fn keys(&self) -> Result<Vec<KeyStanding>, Error> {
        answers::keys(&self.good(&self.send(Method::Get, "/api/v1/keys", None)?)?)
    }

    /// Why the signer does not sign now; nothing if it is ready.
    ///
    /// # Errors
    /// [`Error::Unreachable`], or [`Error::Malformed`] if who answers is no signer.
    pub fn reasons_not_ready(&self) -> Result<Vec<String>, Error> {
        let answer = self.send(Method::Get, "/readyz", None)?;
        let object = answers::object(&answer.body)?;
        match (answer.status, object.get("status").and_then(Value::as_text)) {
            (200, Some("ready")) => Ok(Vec::new()),
            (503, Some("not ready")) => {
                let reasons = object.get("reasons").and_then(Value::as_list).unwrap_or_default();
                let reasons: Vec<_> =
                    reasons.iter().filter_map(Value::as_text).map(super::error::plain).collect();
                Ok(if reasons.is_empty() { vec!["not ready".to_owned()] } else { reasons })
            }
            _ => Err(Error::Malformed("neither ready nor not ready")),
        }
    }

    /// Sends anything, and gives the answer as it is, whatever its status.
    ///
    /// # Errors
    /// [`Error::Unreachable`], or [`Error::Malformed`] for what is no answer in HTTP of at most 1 MiB.
    pub fn send(&self, method: Method, path: &str, body: Option<&str>) -> Result<Answer, Error> {
        let mut request = HttpRequest::builder().uri(format!("{}{path}", self.base)).method(match method {
            Method::Get => "GET",
            Method::Post => "POST",
        });
        if let Some(token) = &self.token {
            let value = HeaderValue::from_str(&token.header());
            let mut value = value.map_err(|_| Error::Setup("the token fits into no header".to_owned()))?;
            value.set_sensitive(true);
            request = request.header(header::AUTHORIZATION, value);
        }
        // With its length: a signer reads no body of which it does not know how long it will be.
        let sent = match body {
            Some(body) => request
                .header(header::CONTENT_TYPE, "application/json")
                .body(body.as_bytes().to_vec())
                .map(|request| self.agent.run(request)),
            None => request.body(SendBody::none()).map(|request| self.agent.run(request)),
        };
        let mut response = sent.map_err(|_| Error::Setup("not a path".to_owned()))??;
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(MAX_BYTES as u64).read_to_vec()?;
        Ok(Answer { status, body })
    }

    /// The object of an answer with status 200; any other answer is a refusal.
    fn good(&self, answer: &Answer) -> Result<Object, Error> {
        match answers::object(&answer.body) {
            Ok(object) if answer.status == 200 => Ok(object),
            Ok(object) => Err(Error::Refused(answers::refusal(answer.status, &object, self.token.as_ref()))),
            // Whoever stands in between may answer in words of its own.
            Err(_) if answer.status != 200 => {
                Err(Error::Refused(answers::refusal(answer.status, &Object::default(), None)))
            }
            Err(error) => Err(error),
        }
    }
}

/// The signature in an answer, if it verifies.
fn signed(object: &Object, request: &Request<'_>) -> Result<Signed, Error> {
    let bytes = answers::hexadecimal(object, "signature").ok_or(Error::Malformed("no signature"))?;
    let signature = Signature::from_bytes(request.key.parameter_set(), Format::Ssz, &bytes)
        .map_err(|_| Error::DoesNotVerify)?;
    request.key.verify(request.epoch, request.message, &signature).map_err(|_| Error::DoesNotVerify)?;
    let is_repeat = object.get("repeated").and_then(Value::as_bool).unwrap_or(false);
    Ok(Signed { signature, is_repeat })
}
