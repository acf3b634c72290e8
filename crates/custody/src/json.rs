//! JSON as custody's files use it: a strict reader, and one canonical form to hash.
//!
//! Read are UTF-8 texts without a byte order mark, up to a length and a depth of nesting that the caller gives, without
//! duplicate members and with no numbers but integers 0 to 2^53 - 1; after the value comes nothing but white space. Two
//! readers of such a text cannot disagree about what it says. [`Value::canonical`] is RFC 8785 for these values:
//! members in the order of their UTF-16 code units, no white space.
//!
//! ```
//! use phalanx_custody::json::{self, Limits};
//!
//! let value = json::parse(br#"{"b": [1, true], "a": "\u00e9"}"#, Limits::KEYSTORE)?;
//! assert_eq!(value.canonical(), r#"{"a":"é","b":[1,true]}"#);
//! assert!(json::parse(b"[1.0]", Limits::KEYSTORE).is_err());
//! # Ok::<(), phalanx_custody::json::Error>(())
//! ```
#![forbid(unsafe_code)]

use core::fmt;

/// The largest integer: every reader, also one with floating point only, has it exactly.
pub const MAX_INTEGER: u64 = (1 << 53) - 1;

/// How long and how deep a text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes.
    pub bytes: usize,
    /// Most objects and lists that stand inside each other, the outermost counted.
    pub depth: usize,
}

impl Limits {
    /// Of a keystore: 65,536 bytes, 32 levels.
    pub const KEYSTORE: Self = Self { bytes: 65_536, depth: 32 };
}

/// A JSON value. Members of an object keep the order in which they were read or added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer, at most [`MAX_INTEGER`].
    Integer(u64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object.
    Object(Object),
}

/// The members of an object, with different names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object(Vec<(String, Value)>);

/// Why a text was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// It is longer than the limit.
    TooLong {
        /// Its length in bytes.
        got: usize,
        /// The limit.
        wanted: usize,
    },
    /// It breaks a rule.
    Malformed {
        /// What is wrong.
        what: &'static str,
        /// The byte at which it was noticed.
        at: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { got, wanted } => write!(f, "JSON: {got} bytes, at most {wanted} are read"),
            Self::Malformed { what, at } => write!(f, "JSON: {what} at byte {at}"),
        }
    }
}

impl core::error::Error for Error {}

impl Value {
    /// An object of these members.
    #[must_use]
    pub fn object<const N: usize>(members: [(&str, Self); N]) -> Self {
        let mut object = Object::default();
        for (name, value) in members {
            object.set(name, value);
        }
        Self::Object(object)
    }

    /// A text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The members, of an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    /// The members, of an object.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    /// The entries, of a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    /// The text, of a text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The number, of an integer.
    #[must_use]
    pub fn as_integer(&self) -> Option<u64> {
        if let Self::Integer(integer) = *self { Some(integer) } else { None }
    }

    /// The truth value, of `true` and `false`.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(truth) = *self { Some(truth) } else { None }
    }

    /// The canonical form (RFC 8785): what is hashed and authenticated.
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        self.put_canonical(&mut out);
        out
    }

    fn put_canonical(&self, out: &mut String) {
        match self {
            Self::List(list) => {
                out.push('[');
                for (i, value) in list.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    value.put_canonical(out);
                }
                out.push(']');
            }
            Self::Object(object) => {
                let mut members: Vec<_> = object.iter().collect();
                members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
                out.push('{');
                for (i, (name, value)) in members.into_iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    put_text(out, name);
                    out.push(':');
                    value.put_canonical(out);
                }
                out.push('}');
            }
            simple => simple.put_simple(out),
        }
    }

    /// The form for files that people read: two blanks a level, members in their order, a line feed at the end.
    #[must_use]
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        self.put_pretty(&mut out, 0);
        out.push('\n');
        out
    }

    fn put_pretty(&self, out: &mut String, level: usize) {
        let line = |out: &mut String, level: usize| {
            out.push('\n');
            out.extend(core::iter::repeat_n("  ", level));
        };
        match self {
            Self::List(list) if !list.is_empty() => {
                for (i, value) in list.iter().enumerate() {
                    out.push(if i == 0 { '[' } else { ',' });
                    line(out, level + 1);
                    value.put_pretty(out, level + 1);
                }
                line(out, level);
                out.push(']');
            }
            Self::Object(object) if !object.0.is_empty() => {
                for (i, (name, value)) in object.iter().enumerate() {
                    out.push(if i == 0 { '{' } else { ',' });
                    line(out, level + 1);
                    put_text(out, name);
                    out.push_str(": ");
                    value.put_pretty(out, level + 1);
                }
                line(out, level);
                out.push('}');
            }
            simple => simple.put_simple(out),
        }
    }

    /// Writes what looks the same in both forms.
    fn put_simple(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Self::Integer(integer) => out.push_str(&integer.to_string()),
            Self::Text(text) => put_text(out, text),
            Self::List(_) => out.push_str("[]"),
            Self::Object(_) => out.push_str("{}"),
        }
    }
}

/// Writes a text: escaped are the quotation mark, the backslash and controls below U+0020, nothing else.
fn put_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

impl Object {
    /// The value of the member `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The value of the member `name`.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.0.iter_mut().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Gives the member `name` a value: in its place, or as the last member if it is new.
    pub fn set(&mut self, name: &str, value: Value) {
        match self.get_mut(name) {
            Some(old) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// Takes the member `name` away.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let place = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(place).1)
    }

    /// The members.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

/// The value that `bytes` are.
///
/// # Errors
/// [`Error`], for anything that the rules of this module do not allow.
pub fn parse(bytes: &[u8], limits: Limits) -> Result<Value, Error> {
    if bytes.len() > limits.bytes {
        return Err(Error::TooLong { got: bytes.len(), wanted: limits.bytes });
    }
    let text = core::str::from_utf8(bytes)
        .map_err(|error| Error::Malformed { what: "not UTF-8", at: error.valid_up_to() })?;
    let mut parser = Parser { text, at: 0 };
    let value = parser.value(limits.depth)?;
    parser.white_space();
    if parser.at < text.len() { Err(parser.error("something after the value")) } else { Ok(value) }
}

/// A text and the place that was read up to, which is always between two characters.
struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn error(&self, what: &'static str) -> Error {
        Error::Malformed { what, at: self.at }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn white_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Passes `byte`, which is ASCII, if it comes next.
    fn pass(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// The next value; objects and lists in it are `depth` deep at most.
    fn value(&mut self, depth: usize) -> Result<Value, Error> {
        self.white_space();
        match self.peek() {
            Some(b'{' | b'[') if depth == 0 => Err(self.error("nested too deeply")),
            Some(b'{') => self.object(depth - 1).map(Value::Object),
            Some(b'[') => self.list(depth - 1).map(Value::List),
            Some(b'"') => self.string().map(Value::Text),
            Some(b'0'..=b'9') => self.integer().map(Value::Integer),
            Some(b'-') => Err(self.error("a number with a sign")),
            Some(_) => {
                for (word, value) in
                    [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))]
                {
                    if self.text[self.at..].starts_with(word) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                Err(self.error("not a value"))
            }
            None => Err(self.error("the text ends")),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Value>, Error> {
        self.at += 1;
        let mut list = Vec::new();
        self.white_space();
        if self.pass(b']') {
            return Ok(list);
        }
        loop {
            list.push(self.value(depth)?);
            self.white_space();
            if self.pass(b']') {
                return Ok(list);
            }
            if !self.pass(b',') {
                return Err(self.error("neither a comma nor the end of the list"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Object, Error> {
        let begin = self.at;
        self.at += 1;
        let mut members = Vec::new();
        self.white_space();
        if self.pass(b'}') {
            return Ok(Object(members));
        }
        loop {
            self.white_space();
            if self.peek() != Some(b'"') {
                return Err(self.error("not the name of a member"));
            }
            let name = self.string()?;
            self.white_space();
            if !self.pass(b':') {
                return Err(self.error("no colon after the name of a member"));
            }
            members.push((name, self.value(depth)?));
            self.white_space();
            if self.pass(b'}') {
                break;
            }
            if !self.pass(b',') {
                return Err(self.error("neither a comma nor the end of the object"));
            }
        }
        let mut names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Error::Malformed { what: "a member twice in the object", at: begin });
        }
        Ok(Object(members))
    }

    fn integer(&mut self) -> Result<u64, Error> {
        let begin = self.at;
        let mut value = 0u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            // Sixteen digits at most are ever added: nothing overflows.
            value = value * 10 + u64::from(digit - b'0');
            if value > MAX_INTEGER {
                return Err(Error::Malformed { what: "an integer above 2^53 - 1", at: begin });
            }
            self.at += 1;
            if value == 0 && matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(Error::Malformed { what: "a number that begins with 0", at: begin });
            }
        }
        match self.peek() {
            Some(b'.' | b'e' | b'E') => {
                Err(Error::Malformed { what: "a number that is no integer", at: begin })
            }
            _ => Ok(value),
        }
    }

    fn string(&mut self) -> Result<String, Error> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|c| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            out.push_str(&rest[..plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.error("a control character in a text")),
                None => return Err(self.error("a text without end")),
            }
        }
    }

    /// The character of the escape that begins here.
    fn escape(&mut self) -> Result<char, Error> {
        self.at += 1;
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.code_point(),
            _ => return Err(self.error("not an escape")),
        };
        self.at += 1;
        Ok(c)
    }

    /// The character after `\u`: one escape, or two that are a surrogate pair.
    fn code_point(&mut self) -> Result<char, Error> {
        let begin = self.at;
        let lone = Error::Malformed { what: "half of a surrogate pair", at: begin };
        let first = self.four_digits()?;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        if first >= 0xdc00 || !self.pass(b'\\') || self.peek() != Some(b'u') {
            return Err(lone);
        }
        let second = self.four_digits()?;
        if !(0xdc00..0xe000).contains(&second) {
            return Err(lone);
        }
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        Ok(char::from_u32(code).expect("a pair is a code point above U+FFFF"))
    }

    /// Passes the `u` of an escape and its four hexadecimal digits.
    fn four_digits(&mut self) -> Result<u32, Error> {
        let digits = self.text.as_bytes().get(self.at + 1..self.at + 5);
        let value = digits.and_then(|digits| {
            digits.iter().try_fold(0, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
        });
        let value = value.ok_or_else(|| self.error("not four hexadecimal digits"))?;
        self.at += 5;
        Ok(value)
    }
}

#[cfg(test)]
mod tests;
