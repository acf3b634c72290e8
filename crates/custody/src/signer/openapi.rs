//! The description of the service in OpenAPI 3.1.
//!
//! It lies in `openapi.json` beside the crate's sources. The tests make it from routes and bodies, and compare: a program that
//! serves it has no use for what makes it.
#![forbid(unsafe_code)]

/// The description.
#[must_use]
pub fn text() -> &'static str {
    include_str!("../../openapi.json")
}

#[cfg(test)]
pub(super) use tests::Failures;

#[cfg(test)]
mod tests {
    use crate::signer::errors::FailureBody;
    use crate::signer::routes;
    use utoipa::{IntoResponses, OpenApi};

    /// What requests are refused with.
    #[derive(IntoResponses)]
    #[expect(dead_code, reason = "it describes answers, and is none")]
    pub(in crate::signer) enum Failures {
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

    fn described() -> String {
        let mut description = Description::openapi();
        for path in description.paths.paths.values_mut() {
            // The macro names the module.
            path.get.iter_mut().chain(&mut path.post).for_each(|operation| operation.tags = None);
        }
        let mut text = description.to_pretty_json().expect("the description is a tree of texts");
        text.push('\n');
        text
    }

    #[test]
    fn the_description_is_that_of_routes_and_bodies() {
        let described = described();
        if std::env::var_os("PHALANX_UPDATE").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
            std::fs::write(path, &described).expect("it can be written");
        }
        assert!(super::text() == described, "openapi.json is old: run this test with PHALANX_UPDATE=1");
    }
}
