//! Connections: how long each of their phases may take, and how many there are.
#![forbid(unsafe_code)]

use super::errors::{Code, Failure};
use super::limits::{Connections, lock};
use super::service::Service;
use super::tls::{self, Certificate};
use super::unread::Unread;
use axum::Router;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};

/// Most bytes of the head of a request.
const MAX_HEAD: usize = 8192;
/// Seconds that a reload may take, whose keystores are slow to open.
const LONGEST: u32 = 3600;
/// Most bytes of an address.
const MAX_URI: usize = 512;

/// Where connections come from.
pub(super) enum Socket {
    /// The network, by TLS if there are settings for it.
    Tcp(TcpListener),
    /// This machine.
    Unix(UnixListener),
}

/// What is done with them.
#[derive(Clone)]
pub(super) struct Serving {
    /// The service.
    pub(super) service: Arc<Service>,
    /// Its addresses.
    pub(super) router: Router,
    /// Whether the network is encrypted.
    pub(super) by_tls: bool,
    /// How many connections there may be.
    pub(super) places: Arc<Connections>,
    /// Becomes true when the service stops.
    pub(super) stop: watch::Receiver<bool>,
}

/// Takes connections until the service stops.
pub(super) async fn accept(socket: Socket, serving: Serving) {
    let mut stop = serving.stop.clone();
    loop {
        let next = tokio::select! {
            _ = stop.wait_for(|&stop| stop) => return,
            next = take(&socket) => next,
        };
        let Ok((stream, from)) = next else {
            // Out of descriptors, most likely: others end.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Some(place) = serving.places.enter(&from) else {
            serving.service.metrics.auth_failed("too_many_connections");
            continue;
        };
        tokio::spawn(serving.clone().connection(stream, place));
    }
}

/// The next connection, and whose it is until that is known better.
async fn take(socket: &Socket) -> io::Result<(Stream, String)> {
    Ok(match socket {
        Socket::Tcp(listener) => {
            let (stream, address) = listener.accept().await?;
            stream.set_nodelay(true)?;
            (Stream(Box::pin(stream)), format!("address {}", address.ip()))
        }
        Socket::Unix(listener) => (Stream(Box::pin(listener.accept().await?.0)), "unix".to_owned()),
    })
}

trait Both: AsyncRead + AsyncWrite + Send {}
impl<T: AsyncRead + AsyncWrite + Send> Both for T {}

/// A connection of any kind.
struct Stream(Pin<Box<dyn Both>>);

/// What a connection is doing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// It waits for a request, or is being answered.
    Idle,
    /// The head of a request has begun.
    Head,
    /// A request is being done, which has a bound of its own.
    Request,
}

/// What a connection is doing, and since when.
struct Watched(Mutex<(Phase, Instant)>);

impl Watched {
    fn set(&self, phase: Phase) {
        *lock(&self.0) = (phase, Instant::now());
    }

    fn begin_head(&self) {
        let mut now = lock(&self.0);
        if now.0 == Phase::Idle {
            *now = (Phase::Head, Instant::now());
        }
    }

    /// When it has taken too long.
    fn end(&self, limits: &super::config::Limits) -> Instant {
        let (phase, since) = *lock(&self.0);
        let seconds = match phase {
            Phase::Idle => limits.idle_seconds,
            Phase::Head => limits.header_seconds,
            // It has a bound of its own.
            Phase::Request => LONGEST,
        };
        since + Duration::from_secs(seconds.into())
    }
}

/// A connection whose first bytes of a request are noticed.
struct Noticed {
    stream: Stream,
    watched: Arc<Watched>,
}

impl AsyncRead for Noticed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let polled = self.stream.0.as_mut().poll_read(cx, buf);
        if buf.filled().len() > before {
            self.watched.begin_head();
        }
        polled
    }
}

impl AsyncWrite for Noticed {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.stream.0.as_mut().poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.0.as_mut().poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.0.as_mut().poll_shutdown(cx)
    }
}

impl Serving {
    async fn connection(self, stream: Stream, place: super::limits::Place) {
        let (stream, certificate) = match &self.service.tls {
            Some(tls) if self.by_tls => {
                let time = Duration::from_secs(self.service.limits.header_seconds.into());
                let Ok(Ok(stream)) = timeout(time, tls.acceptor().accept(stream.into_io())).await else {
                    self.service.metrics.auth_failed("handshake");
                    return;
                };
                let certificate = tls::client(stream.get_ref().1.peer_certificates());
                (Stream(Box::pin(stream)), certificate)
            }
            _ => (stream, Certificate::NotAsked),
        };
        // Now that it is known whose the connection is, it counts as theirs.
        let place = match &certificate {
            Certificate::Named(name) => {
                drop(place);
                self.places.enter(&format!("client {name}"))
            }
            _ => Some(place),
        };
        if place.is_none() {
            self.service.metrics.auth_failed("too_many_connections");
            return;
        }
        self.serve(stream, certificate).await;
    }

    async fn serve(&self, stream: Stream, certificate: Certificate) {
        let watched = Arc::new(Watched(Mutex::new((Phase::Idle, Instant::now()))));
        let answer = {
            let (serving, watched) = (self.clone(), Arc::clone(&watched));
            service_fn(move |request: hyper::Request<Incoming>| {
                let (serving, watched) = (serving.clone(), Arc::clone(&watched));
                let certificate = certificate.clone();
                async move {
                    watched.set(Phase::Request);
                    let response = serving.answer(request, certificate).await;
                    watched.set(Phase::Idle);
                    Ok::<_, Infallible>(response)
                }
            })
        };
        let io = TokioIo::new(Noticed { stream, watched: Arc::clone(&watched) });
        let mut builder = http1::Builder::new();
        builder.max_buf_size(MAX_HEAD).max_headers(64).header_read_timeout(None);
        let connection = builder.serve_connection(io, answer);
        tokio::pin!(connection);
        let (mut stop, mut is_stopping) = (self.stop.clone(), false);
        loop {
            let end = watched.end(&self.service.limits);
            tokio::select! {
                // What goes wrong on a connection is its client's affair.
                _ = connection.as_mut() => return,
                _ = stop.wait_for(|&stop| stop), if !is_stopping => {
                    is_stopping = true;
                    connection.as_mut().graceful_shutdown();
                }
                () = sleep_until(end) => {
                    if watched.end(&self.service.limits) <= Instant::now() {
                        return;
                    }
                }
            }
        }
    }

    async fn answer(&self, request: hyper::Request<Incoming>, certificate: Certificate) -> Response {
        let path = label(request.uri().path());
        let (mut request, unread) = Unread::of(request);
        request.extensions_mut().insert(certificate);
        let response = if request.uri().path_and_query().is_some_and(|uri| uri.as_str().len() > MAX_URI) {
            Failure::from(Code::TooLarge).into_response()
        } else {
            let seconds = if path == "/reload" { LONGEST } else { self.service.limits.request_seconds };
            let time = Duration::from_secs(seconds.into());
            match timeout(time, TowerToHyperService::new(self.router.clone()).call(request)).await {
                Ok(Ok(response)) => response,
                Err(_) => Failure::from(Code::Timeout).into_response(),
            }
        };
        self.service.metrics.request(path, response.status().as_u16());
        // Who was waited for is not waited for again.
        let is_late = response.status() == StatusCode::REQUEST_TIMEOUT;
        let seconds = if is_late { 0 } else { self.service.limits.body_seconds };
        unread.take(response, Duration::from_secs(seconds.into())).await
    }
}

impl Stream {
    fn into_io(self) -> Pin<Box<dyn Both>> {
        self.0
    }
}

/// An address as a label: without what clients choose.
fn label(path: &str) -> &'static str {
    const ALONE: [&str; 11] = [
        "/",
        "/upcheck",
        "/healthz",
        "/readyz",
        "/metrics",
        "/openapi.json",
        "/keys",
        "/reload",
        "/api/v1/keys",
        "/api/v1/status",
        "/api/v1/xmss/sign",
    ];
    const WITH_KEY: [&str; 3] = ["/sign/", "/api/v1/xmss/sign/", "/api/v1/ed25519/sign/"];
    let alone = ALONE.into_iter().find(|known| *known == path);
    alone.or_else(|| WITH_KEY.into_iter().find(|known| path.starts_with(known))).unwrap_or("other")
}
