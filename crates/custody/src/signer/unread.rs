//! Bodies that nobody read: a connection with half a body in it carries no further request.
#![forbid(unsafe_code)]

use super::limits::lock;
use super::wire::MAX_BODY;
use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CONNECTION, EXPECT};
use axum::response::Response;
use http_body_util::BodyExt;
use hyper::Request;
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::timeout;

/// A body that is still at hand when the one who was to read it is done.
#[derive(Clone)]
struct Shared(Arc<Mutex<Incoming>>);

impl HttpBody for Shared {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut *lock(&self.0)).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        lock(&self.0).is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        lock(&self.0).size_hint()
    }
}

/// What is left of the body of a request.
pub(super) struct Unread {
    body: Shared,
    /// Whether the client sends it only when it is told to.
    is_held_back: bool,
}

impl Unread {
    /// The request, and what will be left of its body.
    pub(super) fn of(request: Request<Incoming>) -> (Request<Body>, Self) {
        let is_held_back = request.headers().contains_key(EXPECT);
        let (parts, body) = request.into_parts();
        let body = Shared(Arc::new(Mutex::new(body)));
        (Request::from_parts(parts, Body::new(body.clone())), Self { body, is_held_back })
    }

    /// Takes the rest of the body from the connection, if it is short and comes in time. If not, the answer says that
    /// the connection ends: a client that does not know it would send its next request into nothing.
    pub(super) async fn take(mut self, mut response: Response, time: Duration) -> Response {
        if !self.is_taken(time).await {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    async fn is_taken(&mut self, time: Duration) -> bool {
        if self.body.is_end_stream() {
            return true;
        }
        // Within what a request may have, its length was said.
        let is_short = self.body.size_hint().upper().is_some_and(|len| len <= MAX_BODY as u64);
        if self.is_held_back || !is_short {
            return false;
        }
        let rest = async { while let Some(Ok(_)) = self.body.frame().await {} };
        timeout(time, rest).await.is_ok() && self.body.is_end_stream()
    }
}
