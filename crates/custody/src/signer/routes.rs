//! The addresses of the service.
#![forbid(unsafe_code)]

use super::body::{JsonBody, json, plain, read_body};
#[cfg(test)]
use super::errors::FailureBody;
use super::errors::{Code, Failure};
use super::openapi;
use super::page;
use super::permissions::Operation;
use super::service::Service;
use super::signing::{Given, Wish};
use super::subject::Subject;
use super::tls::Certificate;
use super::wire::{
    Ask, Batch, BatchAnswer, BatchAnswers, ConsensusAsk, ConsensusBody, KeyBodies, PlainSignature,
    PublicKeys, Reloaded, SignatureBody, StatusBody, StatusText, timestamp_text,
};
use axum::Router;
use axum::extract::{FromRequestParts, Path, Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::{get, post};
use std::sync::Arc;
use std::time::Instant;

type Shared = State<Arc<Service>>;

/// The addresses for clients.
pub(super) fn router(service: Arc<Service>) -> Router {
    let router = Router::new()
        .route("/upcheck", get(upcheck))
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(openapi_json))
        .route("/keys", get(keys))
        .route("/sign/{pubkey}", post(sign_plain))
        .route("/reload", post(reload))
        .route("/api/v1/keys", get(list))
        .route("/api/v1/status", get(status))
        .route("/api/v1/xmss/sign", post(sign_batch))
        .route("/api/v1/xmss/sign/{pubkey}", post(sign))
        .route("/api/v1/ed25519/sign/{pubkey}", post(sign_consensus));
    let router = if service.has_status_page { router.route("/", get(page::page)) } else { router };
    finished(router).with_state(service)
}

/// The address for Prometheus alone, where nobody is asked for a permission.
pub(super) fn metrics_router(service: Arc<Service>) -> Router {
    finished(Router::new().route("/metrics", get(metrics_unasked))).with_state(service)
}

fn finished(router: Router<Arc<Service>>) -> Router<Arc<Service>> {
    let nothing = || async { Failure::from(Code::NotFound) };
    let method = || async { Failure::from(Code::Method) };
    router.fallback(nothing).method_not_allowed_fallback(method)
}

/// A client that was let in, by its certificate and its token. It comes before all else that a request has: of who is not
/// let in nothing more is looked at.
struct Client(Arc<str>);

impl FromRequestParts<Arc<Service>> for Client {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, service: &Arc<Service>) -> Result<Self, Failure> {
        let certificate = parts.extensions.get::<Certificate>().ok_or(Code::Internal)?;
        let header = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        service.authenticate(certificate, header).map(Self)
    }
}

/// Says that the process lives.
#[cfg_attr(test, utoipa::path(get, path = "/upcheck", responses((status = 200, body = StatusText))))]
async fn upcheck() -> JsonBody<StatusText> {
    json(StatusText::ok())
}

/// Says that the process answers, and that no thread hangs.
#[cfg_attr(test, utoipa::path(get, path = "/healthz",
    responses((status = 200, body = StatusText), (status = 500, body = FailureBody))))]
async fn healthz(State(service): Shared) -> Result<JsonBody<StatusText>, Failure> {
    if service.queue.hangs() { Err(Code::Internal.into()) } else { Ok(json(StatusText::ok())) }
}

/// Says whether signatures can be had: the ledger answers, a key is active, and its epochs are prepared.
#[cfg_attr(test, utoipa::path(get, path = "/readyz",
    responses((status = 200, body = StatusText), (status = 503, body = StatusText))))]
async fn readyz(State(service): Shared) -> Response {
    let reasons = service.not_ready();
    if reasons.is_empty() {
        return plain(200, &StatusText { status: "ready", reasons });
    }
    plain(503, &StatusText { status: "not ready", reasons })
}

/// Metrics in the text format of Prometheus. Needs the permission `metrics`.
#[cfg_attr(test, utoipa::path(get, path = "/metrics",
    responses((status = 200, body = String, content_type = "text/plain; version=0.0.4"), openapi::Failures)))]
async fn metrics(Client(client): Client, State(service): Shared) -> Result<Response, Failure> {
    service.check_may(&client, Operation::Metrics)?;
    Ok(page::text(service.metrics_text()))
}

async fn metrics_unasked(State(service): Shared) -> Response {
    page::text(service.metrics_text())
}

/// This description.
#[cfg_attr(test, utoipa::path(get, path = "/openapi.json", responses((status = 200, body = serde_json::Value))))]
async fn openapi_json() -> Response {
    page::json_text(openapi::text())
}

/// The public keys that the client may do something with (EIP-3030).
#[cfg_attr(test, utoipa::path(get, path = "/keys", responses((status = 200, body = PublicKeys), openapi::Failures)))]
async fn keys(Client(client): Client, State(service): Shared) -> Result<JsonBody<PublicKeys>, Failure> {
    Ok(json(PublicKeys { keys: service.public_keys(&client) }))
}

/// Where keys stand: those on which the client has the permission `list`.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/keys", responses((status = 200, body = KeyBodies), openapi::Failures)))]
async fn list(Client(client): Client, State(service): Shared) -> Result<JsonBody<KeyBodies>, Failure> {
    service.check_may(&client, Operation::List)?;
    blocking(move || {
        let is_known = service.look_at_keys();
        if is_known {
            Ok(json(KeyBodies { keys: service.key_bodies(&client) }))
        } else {
            Err(Code::Unavailable.into())
        }
    })
    .await
}

/// What the status page shows. Needs the permission `list`; while the ledger is closed, keys are as they were last seen.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/status", responses((status = 200, body = StatusBody), openapi::Failures)))]
async fn status(Client(client): Client, State(service): Shared) -> Result<JsonBody<StatusBody>, Failure> {
    service.check_may(&client, Operation::List)?;
    Ok(json(service.status(&client)))
}

/// Reads configuration, tokens, certificates and keystores again. Needs the permission `reload`. A key that is removed
/// stops signing; its ledger is not touched.
#[cfg_attr(test, utoipa::path(post, path = "/reload", responses((status = 200, body = Reloaded), openapi::Failures)))]
async fn reload(Client(client): Client, State(service): Shared) -> Result<JsonBody<Reloaded>, Failure> {
    service.check_may(&client, Operation::Reload)?;
    blocking(move || service.reload().map(json)).await
}

/// Does on another thread what may take long.
async fn blocking<T: Send + 'static>(
    act: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::task::spawn_blocking(act).await.unwrap_or(Err(Code::Internal.into()))
}

/// Signs (EIP-3030): the answer is the signature alone.
#[cfg_attr(test, utoipa::path(post, path = "/sign/{pubkey}", params(("pubkey" = String, Path, description = "The public key in hexadecimal, with or without 0x")),
    request_body = Ask, responses((status = 200, body = PlainSignature), openapi::Failures)))]
async fn sign_plain(
    Client(client): Client,
    State(service): Shared,
    Path(identifier): Path<String>,
    request: Request,
) -> Result<JsonBody<PlainSignature>, Failure> {
    let (_, given, _) = sign_one(&service, &client, &identifier, request).await?;
    Ok(json(PlainSignature { signature: prefixed(&given) }))
}

/// Signs with an XMSS key.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/xmss/sign/{pubkey}", params(("pubkey" = String, Path, description = "The public key in hexadecimal, with or without 0x")),
    request_body = Ask, responses((status = 200, body = SignatureBody), openapi::Failures)))]
async fn sign(
    Client(client): Client,
    State(service): Shared,
    Path(identifier): Path<String>,
    request: Request,
) -> Result<JsonBody<SignatureBody>, Failure> {
    let (epoch, given, key_id) = sign_one(&service, &client, &identifier, request).await?;
    let signature = prefixed(&given);
    Ok(json(SignatureBody { signature, epoch: epoch.to_string(), key_id, repeated: given.repeated }))
}

fn prefixed(given: &Given) -> String {
    format!("0x{}", hex::encode(&given.signature))
}

async fn sign_one(
    service: &Arc<Service>,
    client: &Arc<str>,
    identifier: &str,
    request: Request,
) -> Result<(u32, Given, String), Failure> {
    let since = Instant::now();
    let noted = |failure: Failure| {
        service.note_refused(client, identifier, &failure);
        failure
    };
    let key = service.key_for(identifier, client, Operation::SignXmss).map_err(noted)?;
    let ask = read_body(service, request).await.and_then(|body| Ask::read(&body)).map_err(noted)?;
    let failed = |failure: Failure| failure.at(ask.epoch);
    service.check_genesis(ask.genesis_validators_root).map_err(noted).map_err(failed)?;
    let key_id = key.key_id.to_string();
    let subject = Subject::Epoch(ask.epoch, ask.message);
    let wish = service.wish(key, subject, client, since).map_err(noted).map_err(failed)?;
    let given = ask_for(service, vec![wish]).await.map_err(failed)?;
    let given = given.into_iter().next().unwrap_or(Err(Code::Internal.into()))?;
    Ok((ask.epoch, given, key_id))
}

async fn ask_for(service: &Service, wishes: Vec<Wish>) -> Result<Vec<Result<Given, Failure>>, Failure> {
    Ok(service.queue.ask(wishes)?.await.map_err(|_| Code::Internal)?)
}

/// Signs with several XMSS keys, or at several epochs. Those that are new become durable together; each has its own
/// answer.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/xmss/sign", request_body = Batch,
    responses((status = 200, body = BatchAnswers), openapi::Failures)))]
async fn sign_batch(
    Client(client): Client,
    State(service): Shared,
    request: Request,
) -> Result<JsonBody<BatchAnswers>, Failure> {
    let since = Instant::now();
    let batch = Batch::read(&read_body(&service, request).await?)?;
    let wish = |pubkey: &str, ask: &Ask| {
        let key = service.key_for(pubkey, &client, Operation::SignXmss)?;
        service.check_genesis(ask.genesis_validators_root)?;
        service.wish(key, Subject::Epoch(ask.epoch, ask.message), &client, since)
    };
    let mut wishes = Vec::new();
    let mut refused = Vec::new();
    for named in &batch.requests {
        let wish = wish(&named.pubkey, &named.ask).map_err(|failure| {
            service.note_refused(&client, &named.pubkey, &failure);
            failure.at(named.ask.epoch)
        });
        refused.push(wish.map(|wish| wishes.push(wish)).err());
    }
    let signed = if wishes.is_empty() { Vec::new() } else { ask_for(&service, wishes).await? };
    let mut signed = signed.into_iter();
    let answer = |refused: Option<Failure>| {
        let given = match refused {
            Some(failure) => Err(failure),
            None => signed.next().unwrap_or(Err(Code::Internal.into())),
        };
        match given {
            Ok(given) => BatchAnswer::Signed { signature: prefixed(&given), repeated: given.repeated },
            Err(failure) => BatchAnswer::Failed(failure.body()),
        }
    };
    Ok(json(BatchAnswers { results: refused.into_iter().map(answer).collect() }))
}

/// Signs a vote or proposal of a consensus with an Ed25519 key. If the position was signed before with another time only,
/// the answer is the signature and the time of then: the caller must take both.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/ed25519/sign/{pubkey}", params(("pubkey" = String, Path, description = "The public key in hexadecimal, with or without 0x")),
    request_body = ConsensusAsk, responses((status = 200, body = ConsensusBody), openapi::Failures)))]
async fn sign_consensus(
    Client(client): Client,
    State(service): Shared,
    Path(identifier): Path<String>,
    request: Request,
) -> Result<JsonBody<ConsensusBody>, Failure> {
    let since = Instant::now();
    let noted = |failure: Failure| {
        service.note_refused(&client, &identifier, &failure);
        failure
    };
    let key = service.key_for(&identifier, &client, Operation::SignEd25519).map_err(noted)?;
    let ask = read_body(&service, request).await.and_then(|body| ConsensusAsk::read(&body)).map_err(noted)?;
    let wish = service.wish(key, ask.into_subject(), &client, since).map_err(noted)?;
    let given = ask_for(&service, vec![wish]).await?.into_iter().next();
    let given = given.unwrap_or(Err(Code::Internal.into()))?;
    let timestamp = given.timestamp.map(timestamp_text);
    Ok(json(ConsensusBody { signature: prefixed(&given), timestamp, repeated: given.repeated }))
}
