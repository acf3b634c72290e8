//! The status page, and answers that are texts.
#![forbid(unsafe_code)]

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::Response;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The page. It holds no data: what it shows it asks for, with the right of whoever looks at it.
const PAGE: &str = include_str!("status.html");

/// Nothing is loaded from elsewhere, and of scripts and styles only those that stand in the page.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let (scripts, styles) = (hashes("script"), hashes("style"));
    format!(
        "default-src 'none'; script-src{scripts}; style-src{styles}; connect-src 'self'; img-src data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
});

/// What stands in elements called `name`, as a policy names it.
fn hashes(name: &str) -> String {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let texts = PAGE.split(&open).skip(1).filter_map(|rest| rest.split_once(&close));
    let hashes: String =
        texts.map(|(text, _)| format!(" 'sha256-{}'", base64(&Sha256::digest(text.as_bytes())))).collect();
    if hashes.is_empty() { " 'none'".to_owned() } else { hashes }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for some in bytes.chunks(3) {
        let byte = |i: usize| u32::from(some.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4_usize {
            let index = (bits >> (18 - 6 * digit)) & 63;
            text.push(if digit > some.len() { '=' } else { char::from(DIGITS[index as usize]) });
        }
    }
    text
}

fn answer(kind: &'static str, text: impl Into<Body>, more: &[(HeaderName, &str)]) -> Response {
    let mut response = Response::new(text.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    for (name, value) in more {
        headers.insert(name, HeaderValue::from_str(value).expect("hashes and words"));
    }
    response
}

/// The page.
pub(super) async fn page() -> Response {
    let more =
        [(CONTENT_SECURITY_POLICY, POLICY.as_str()), (axum::http::header::REFERRER_POLICY, "no-referrer")];
    answer("text/html; charset=utf-8", PAGE, &more)
}

/// A text of Prometheus.
pub(super) fn text(text: String) -> Response {
    answer("text/plain; version=0.0.4; charset=utf-8", text, &[])
}

/// A text that is JSON.
pub(super) fn json_text(text: &'static str) -> Response {
    answer("application/json", text, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_as_rfc_4648_says() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (text, wanted) in cases {
            assert_eq!(base64(text.as_bytes()), wanted);
        }
    }

    #[test]
    fn the_policy_names_what_stands_in_the_page() {
        assert_eq!(
            POLICY.matches("'sha256-").count(),
            PAGE.matches("<script>").count() + PAGE.matches("<style>").count()
        );
        assert!(!PAGE.contains(" onclick=") && !PAGE.contains(" style="), "those would not be allowed");
    }
}
