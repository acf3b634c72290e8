//! JSON Web Keys of Ed25519 (RFC 8037): `{"kty":"OKP","crv":"Ed25519","d":...,"x":...}`.
//!
//! The reader wants one JSON object (RFC 8259), takes the four members from it and skips all others. It is its own, for
//! the library reads keys without `serde_json` too; text that a member of ours would have to be unescaped from is
//! refused.

use super::base64::{self, Url};
use crate::error::{Error, invalid};
use crate::key::{SigningKey, VerifyingKey};
use alloc::string::String;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Members may nest this deep; key files do not.
const MAX_DEPTH: usize = 16;

impl SigningKey {
    /// The private JWK, members in the order of RFC 8037 appendix A.1.
    #[must_use]
    pub fn to_jwk(&self) -> Zeroizing<String> {
        let d = base64::encode::<Url>(&self.secret().seed);
        let x = base64::encode::<Url>(self.verifying_key().as_ref());
        let mut text = Zeroizing::new(String::with_capacity(160));
        for part in [r#"{"kty":"OKP","crv":"Ed25519","d":""#, &d, r#"","x":""#, &x, r#""}"#] {
            text.push_str(part);
        }
        text
    }

    /// Reads a private JWK; `x` must be there and be the public key of `d`.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`], [`Error::InvalidLength`], [`Error::KeyMismatch`].
    pub fn from_jwk(text: &str) -> Result<Self, Error> {
        let members = Members::read(text)?;
        let d = members.d.ok_or(invalid("JWK without d, the private key"))?;
        let x = members.x.ok_or(invalid("JWK without x, the public key"))?;
        let key = Self::from_seed(&*base64::decode_array::<Url, 32>(d.as_bytes(), "d of the JWK")?);
        let x = base64::decode_array::<Url, 32>(x.as_bytes(), "x of the JWK")?;
        if bool::from(x[..].ct_eq(key.verifying_key().as_ref())) { Ok(key) } else { Err(Error::KeyMismatch) }
    }
}

impl VerifyingKey {
    /// The public JWK.
    #[must_use]
    pub fn to_jwk(&self) -> String {
        let x = base64::encode::<Url>(self.as_ref());
        [r#"{"kty":"OKP","crv":"Ed25519","x":""#, &x, r#""}"#].concat()
    }

    /// Reads the public key of a JWK, also of a private one.
    ///
    /// # Errors
    /// [`Error::InvalidKeyFormat`], [`Error::InvalidLength`], [`Error::InvalidPublicKey`].
    pub fn from_jwk(text: &str) -> Result<Self, Error> {
        let x = Members::read(text)?.x.ok_or(invalid("JWK without x, the public key"))?;
        Self::from_bytes(&*base64::decode_array::<Url, 32>(x.as_bytes(), "x of the JWK")?)
    }
}

/// What a JWK of Ed25519 is made of; key type and curve are checked.
struct Members<'a> {
    d: Option<&'a str>,
    x: Option<&'a str>,
}

impl<'a> Members<'a> {
    fn read(text: &'a str) -> Result<Self, Error> {
        let (mut kty, mut crv, mut d, mut x) = (None, None, None, None);
        let mut json = Json { text, at: 0 };
        json.blanks();
        json.punctuation(b'{')?;
        json.blanks();
        if !json.accept(b'}') {
            loop {
                json.blanks();
                let name = json.string()?;
                if name.contains('\\') {
                    return Err(invalid("escape in a member name of a JWK"));
                }
                json.blanks();
                json.punctuation(b':')?;
                json.blanks();
                let slot = match name {
                    "kty" => Some(&mut kty),
                    "crv" => Some(&mut crv),
                    "d" => Some(&mut d),
                    "x" => Some(&mut x),
                    _ => None,
                };
                if let Some(slot) = slot {
                    if slot.replace(json.string()?).is_some() {
                        return Err(invalid("a member of the JWK is there twice"));
                    }
                } else {
                    json.skip(0)?;
                }
                json.blanks();
                if json.accept(b'}') {
                    break;
                }
                json.punctuation(b',')?;
            }
        }
        json.blanks();
        if json.at != text.len() {
            return Err(invalid("text after the JWK"));
        }
        if kty != Some("OKP") {
            return Err(invalid("kty of the JWK is not OKP"));
        }
        if crv != Some("Ed25519") {
            return Err(invalid("crv of the JWK is not Ed25519"));
        }
        Ok(Self { d, x })
    }
}

/// A place in JSON text.
struct Json<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Json<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn accept(&mut self, mark: u8) -> bool {
        let is_next = self.peek() == Some(mark);
        self.at += usize::from(is_next);
        is_next
    }

    fn punctuation(&mut self, mark: u8) -> Result<(), Error> {
        if self.accept(mark) { Ok(()) } else { Err(invalid("JWK is no JSON object")) }
    }

    /// The text between quotation marks, escapes as they stand.
    fn string(&mut self) -> Result<&'a str, Error> {
        let problem = invalid("a string of the JWK is missing, cut off or has a control character");
        if !self.accept(b'"') {
            return Err(problem);
        }
        let start = self.at;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                None | Some(0..0x20) => return Err(problem),
                Some(_) => self.at += 1,
            }
        }
        let string = self.text.get(start..self.at).ok_or(problem)?;
        self.at += 1;
        Ok(string)
    }

    /// Passes over any value, without checking the spelling of numbers.
    fn skip(&mut self, depth: usize) -> Result<(), Error> {
        let problem = invalid("a value of the JWK is no JSON");
        if depth > MAX_DEPTH {
            return Err(invalid("JWK nests too deep"));
        }
        let (open, close) = match self.peek().ok_or(problem)? {
            b'"' => return self.string().map(|_| ()),
            b'{' => (b'{', b'}'),
            b'[' => (b'[', b']'),
            _ => return self.word().ok_or(problem),
        };
        self.punctuation(open)?;
        self.blanks();
        if self.accept(close) {
            return Ok(());
        }
        loop {
            self.blanks();
            if open == b'{' {
                self.string()?;
                self.blanks();
                self.punctuation(b':')?;
                self.blanks();
            }
            self.skip(depth + 1)?;
            self.blanks();
            if self.accept(close) {
                return Ok(());
            }
            self.punctuation(b',')?;
        }
    }

    /// `true`, `false`, `null` or something like a number.
    fn word(&mut self) -> Option<()> {
        let rest = &self.text.as_bytes()[self.at..];
        let len = rest.iter().take_while(|c| c.is_ascii_alphanumeric() || b"+-.".contains(c)).count();
        self.at += len;
        match &rest[..len] {
            b"true" | b"false" | b"null" => Some(()),
            [b'-' | b'0'..=b'9', digits @ ..]
                if digits.iter().all(|c| c.is_ascii_digit() || b"+-.eE".contains(c)) =>
            {
                Some(())
            }
            _ => None,
        }
    }
}
