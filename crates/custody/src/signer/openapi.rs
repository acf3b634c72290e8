//! The description of the service in OpenAPI 3.1.
#![forbid(unsafe_code)]

use super::errors::FailureBody;
use super::routes;
use utoipa::{IntoResponses, OpenApi};

/// What requests are refused with.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it describes answers, and is none")]
pub(super) enum Failures {
    /// `malformed`, `unsupported_request`, `wrong_genesis`, `wrong_scheme`
    #[response(status = 400)]
    BadRequest(#[to_schema] FailureBody),
    /// `unauthenticated`
    #[response(status = 401)]
    Unauthenticated(#[to_schema] FailureBody),
    /// `not_permitted`
    #[response(status = 403)]
    NotPermitted(#[to_schema] FailureBody),
    /// `unknown_key`, also for keys that the client may not see; `not_found`
    #[response(status = 404)]
    NotFound(#[to_schema] FailureBody),
    /// `method`
    #[response(status = 405)]
    Method(#[to_schema] FailureBody),
    /// `timeout`
    #[response(status = 408)]
    Timeout(#[to_schema] FailureBody),
    /// `reload_running`
    #[response(status = 409)]
    ReloadRunning(#[to_schema] FailureBody),
    /// `length_required`
    #[response(status = 411)]
    LengthRequired(#[to_schema] FailureBody),
    /// The ledger does not give the position: `epoch_used`, `passed`, `out_of_order`, `not_active`, `exhausted`,
    /// `not_in_range`, `ahead`, `behind`, `quarantined`, `retired`
    #[response(status = 412)]
    Refused(#[to_schema] FailureBody),
    /// `too_large`
    #[response(status = 413)]
    TooLarge(#[to_schema] FailureBody),
    /// `media_type`
    #[response(status = 415)]
    MediaType(#[to_schema] FailureBody),
    /// `rate_limited`
    #[response(status = 429)]
    RateLimited(#[to_schema] FailureBody),
    /// `internal`
    #[response(status = 500)]
    Internal(#[to_schema] FailureBody),
    /// `unavailable`, `fenced`, `forked`, `stopping`, `not_prepared`
    #[response(status = 503)]
    Unavailable(#[to_schema] FailureBody),
}

#[derive(OpenApi)]
#[openapi(
    info(title = "phalanx signer", description = "Signatures from keys that sign each position once."),
    paths(
        routes::upcheck,
        routes::healthz,
        routes::readyz,
        routes::metrics,
        routes::openapi_json,
        routes::keys,
        routes::list,
        routes::status,
        routes::reload,
        routes::sign_plain,
        routes::sign,
        routes::sign_batch,
        routes::sign_consensus,
    )
)]
struct Description;

/// The description, as it lies in `openapi.json` beside the crate's sources.
#[must_use]
pub fn text() -> String {
    let mut text = Description::openapi().to_pretty_json().expect("the description is a tree of texts");
    text.push('\n');
    text
}
