//! Where a signer is, and what opens it.
#![forbid(unsafe_code)]

use super::error::Error;
use std::net::IpAddr;
use std::path::PathBuf;
use ureq::http::Uri;
use zeroize::Zeroizing;

/// Where a signer listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Scheme, host and port.
    pub(super) base: String,
    /// Whether TLS is spoken.
    pub(super) is_tls: bool,
    /// The socket in the file system, if it is one.
    pub(super) socket: Option<PathBuf>,
}

impl Endpoint {
    /// Reads `https://host:port`, `http://127.0.0.1:port` (any loopback address) or `unix:/path/to/socket`.
    ///
    /// # Errors
    /// [`Error::Setup`]: anything else, also a user name, a path or a query. Plain HTTP to another host is refused: who
    /// listens on the way could take the token.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let wants = "wanted https://host:port, http://127.0.0.1:port or unix:/path";
        if let Some(path) = text.strip_prefix("unix:") {
            if !path.starts_with('/') || !cfg!(unix) {
                return Err(Error::Setup(format!("not the address of a signer: {wants}")));
            }
            // The host says nothing here; a number is not looked up.
            let base = "http://127.0.0.1".to_owned();
            return Ok(Self { base, is_tls: false, socket: Some(path.into()) });
        }
        let uri: Uri = text.parse().map_err(|_| Error::Setup(format!("not an address: {wants}")))?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(Error::Setup(format!("not the address of a signer: {wants}")));
        };
        let has_more = !matches!(uri.path(), "" | "/") || uri.query().is_some();
        if has_more || authority.as_str().contains('@') {
            return Err(Error::Setup("the address of a signer has no user, path or query".to_owned()));
        }
        let is_tls = match scheme {
            "https" => true,
            "http" if is_loopback(authority.host()) => false,
            "http" => {
                return Err(Error::Setup("plain HTTP is for this host only: use https".to_owned()));
            }
            _ => return Err(Error::Setup(format!("not the address of a signer: {wants}"))),
        };
        Ok(Self { base: format!("{scheme}://{authority}"), is_tls, socket: None })
    }
}

/// Whether a host is this machine: by its number, or by the one name that means nothing else.
fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A bearer token. Wiped on drop, and never printed.
pub struct Token(Zeroizing<String>);

impl Token {
    /// Fewest characters of a token: 256 bits in base64.
    pub const MIN_LEN: usize = 43;
    /// Most characters.
    pub const MAX_LEN: usize = 512;

    /// Takes the content of a token file: one line.
    ///
    /// # Errors
    /// [`Error::Setup`]: too short, too long, or characters that a header cannot carry.
    pub fn from_file_content(content: &[u8]) -> Result<Self, Error> {
        let text = content.strip_suffix(b"\n").unwrap_or(content);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if !(Self::MIN_LEN..=Self::MAX_LEN).contains(&text.len()) {
            return Err(Error::Setup(format!(
                "a token has {} to {} characters",
                Self::MIN_LEN,
                Self::MAX_LEN
            )));
        }
        match core::str::from_utf8(text) {
            Ok(text) if text.bytes().all(|byte| byte.is_ascii_graphic()) => {
                Ok(Self(Zeroizing::new(text.to_owned())))
            }
            _ => Err(Error::Setup("a token is one line of letters, digits and signs".to_owned())),
        }
    }

    /// The value of the header `Authorization`.
    pub(super) fn header(&self) -> Zeroizing<String> {
        Zeroizing::new(format!("Bearer {}", &*self.0))
    }

    /// Whether a text that came from outside repeats it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        text.contains(&**self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_keeps_a_token_from_others_is_an_endpoint() {
        for good in
            ["https://signer.example:9000", "https://10.0.0.7", "http://127.0.0.1:1", "http://[::1]:80/"]
        {
            assert!(Endpoint::parse(good).is_ok(), "{good}");
        }
        assert_eq!(
            Endpoint::parse("unix:/run/signer.sock").map(|e| e.socket),
            Ok(Some("/run/signer.sock".into()))
        );
        for bad in [
            "",
            "signer:9000",
            "http://signer.example:9000",
            "http://10.0.0.7",
            "http://127.0.0.1.example",
            "https://user:secret@signer.example",
            "https://signer.example/keys",
            "https://signer.example/?a",
            "ftp://127.0.0.1",
            "unix:relative",
            "unix:",
            "https://",
        ] {
            let error = Endpoint::parse(bad).expect_err(bad);
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_token_is_one_line_that_a_header_carries() {
        let long = "x".repeat(Token::MIN_LEN);
        for good in [long.clone(), format!("{long}\n"), format!("{long}\r\n")] {
            let token = Token::from_file_content(good.as_bytes()).expect("a token");
            assert_eq!(*token.header(), format!("Bearer {long}"));
        }
        let (short, double) = ("x".repeat(Token::MIN_LEN - 1), format!("{long}\n{long}"));
        let (blank, huge) = (format!("{long} {long}"), "x".repeat(Token::MAX_LEN + 1));
        for bad in [&short, &double, &blank, &huge] {
            assert!(Token::from_file_content(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
