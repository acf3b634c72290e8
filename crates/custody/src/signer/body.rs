//! Bodies: requests as bytes, within limits of length and time, and answers as JSON.
#![forbid(unsafe_code)]

use super::errors::{Code, Failure};
use super::service::Service;
use super::wire::MAX_BODY;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Limited};
use serde::Serialize;
use std::time::Duration;

/// An answer in JSON.
pub(super) struct JsonBody<T>(T);

/// An answer in JSON.
pub(super) fn json<T: Serialize>(body: T) -> JsonBody<T> {
    JsonBody(body)
}

impl<T: Serialize> IntoResponse for JsonBody<T> {
    fn into_response(self) -> Response {
        plain(200, &self.0)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = self.code.status();
        let mut response = plain(status, &self.body());
        if matches!(status, 429 | 503) {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if status == 401 {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// An answer in JSON, with this status.
pub(super) fn plain(status: u16, body: &impl Serialize) -> Response {
    let text = serde_json::to_vec(body).expect("answers are texts, numbers and lists of them");
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = StatusCode::from_u16(status).expect("statuses are those of the table");
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The body of a request, if it is JSON that is not too long and comes in time.
pub(super) async fn read_body(service: &Service, request: Request) -> Result<Vec<u8>, Failure> {
    let headers = request.headers();
    let is_json = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|value| {
        value.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
    });
    if !is_json {
        return Err(Code::MediaType.into());
    }
    let len = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    let len = len.ok_or(Code::LengthRequired)?;
    if len > MAX_BODY {
        return Err(Code::TooLarge.into());
    }
    let time = Duration::from_secs(service.limits.body_seconds.into());
    let body = Limited::new(request.into_body(), MAX_BODY).collect();
    let body = tokio::time::timeout(time, body).await.map_err(|_| Code::Timeout)?;
    let body = body.map_err(|_| Failure::malformed("the body has not come whole"))?;
    Ok(body.to_bytes().to_vec())
}
