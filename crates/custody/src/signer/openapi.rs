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
    BadRequest(FailureBody),
    /// `unauthenticated`
    #[response(status = 401)]
    Unauthenticated(FailureBody),
    /// `not_permitted`
    #[response(status = 403)]
    NotPermitted(FailureBody),
    /// `unknown_key`, also for keys that the client may not see; `not_found`
    #[response(status = 404)]
    NotFound(FailureBody),
    /// `method`
    #[response(status = 405)]
    Method(FailureBody),
    /// `timeout`
    #[response(status = 408)]
    Timeout(FailureBody),
    /// `reload_running`
    #[response(status = 409)]
    ReloadRunning(FailureBody),
    /// `length_required`
    #[response(status = 411)]
    LengthRequired(FailureBody),
    /// The ledger does not give the position: `epoch_used`, `passed`, `out_of_order`, `not_active`, `exhausted`,
    /// `not_in_range`, `ahead`, `behind`, `quarantined`, `retired`
    #[response(status = 412)]
    Refused(FailureBody),
    /// `too_large`
    #[response(status = 413)]
    TooLarge(FailureBody),
    /// `media_type`
    #[response(status = 415)]
    MediaType(FailureBody),
    /// `rate_limited`
    #[response(status = 429)]
    RateLimited(FailureBody),
    /// `internal`
    #[response(status = 500)]
    Internal(FailureBody),
    /// `unavailable`, `fenced`, `forked`, `stopping`, `not_prepared`
    #[response(status = 503)]
    Unavailable(FailureBody),
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
    let mut description = Description::openapi();
    for path in description.paths.paths.values_mut() {
        // The macro names the module.
        path.get.iter_mut().chain(&mut path.post).for_each(|operation| operation.tags = None);
    }
    let mut text = description.to_pretty_json().expect("the description is a tree of texts");
    text.push('\n');
    text
}
