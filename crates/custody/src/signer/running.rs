//! The life of the service: the order of its start, reload, and stop.
#![forbid(unsafe_code)]

use super::config::{Config, ConfigError};
use super::hardening;
use super::journal::Journal;
use super::keys::{KeySet, Loader};
use super::limits::{Buckets, Connections};
use super::listen::{Serving, Socket, accept};
use super::metrics::Metrics;
use super::notify::notify;
use super::opened::{OpenedLedger, Told};
use super::passwords::Prompt;
use super::routes;
use super::service::{Access, Service};
use super::signing::{Queue, Workshop};
use super::tls::TlsSettings;
use super::watching::Watcher;
use super::windows::{Surroundings, Windows};
use super::wire::{FailedFile, Reloaded};
use crate::ledger::registry::StateFolder;
use crate::ledger::{LedgerError, Observer};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, RwLock};
use std::thread;
use std::time::{Duration, Instant, SystemTime};
use tokio::net::{TcpListener, UnixListener, UnixSocket};
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Most connections of the Unix socket that wait to be taken.
const BACKLOG: u32 = 1024;

/// Why the service did not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// What it was told is wrong.
    Config(ConfigError),
    /// The ledger does not open.
    Ledger(LedgerError),
    /// Keystores do not open, and all of them must.
    Keystores(Vec<FailedFile>),
    /// The system fails.
    System(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(f),
            Self::Ledger(error) => write!(f, "ledger: {error} ({})", error.code()),
            Self::Keystores(failed) => {
                let failed: Vec<_> =
                    failed.iter().map(|one| format!("{} ({})", one.file, one.code)).collect();
                write!(f, "keystores that do not open: {}", failed.join(", "))
            }
            Self::System(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for StartError {}

impl From<ConfigError> for StartError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl From<LedgerError> for StartError {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(error)
    }
}

/// A failure of the system, for `map_err`.
fn system(what: &str) -> impl FnOnce(io::Error) -> StartError {
    move |error| StartError::System(format!("{what}: {error}"))
}

/// How a service is started.
pub struct Start<'a> {
    /// Its configuration.
    pub config: Config,
    /// The file that it came from, which a reload reads again.
    pub config_path: PathBuf,
    /// Where it stands which ledger keeps which key.
    pub state: StateFolder,
    /// Who is asked for passwords.
    pub prompt: Prompt<'a>,
    /// Where the log goes.
    pub log: Box<dyn Write + Send>,
    /// Whether this process is the service's alone, and gives up what the service does not need.
    pub harden: bool,
}

/// A running service. Dropped without [`Signer::stop`] it ends as if it was killed: nothing is lost.
pub struct Signer {
    service: Arc<Service>,
    runtime: Runtime,
    watcher: Option<Watcher>,
    stop: watch::Sender<bool>,
    windows: Arc<Windows>,
    address: Option<SocketAddr>,
    metrics_address: Option<SocketAddr>,
}

impl Signer {
    /// Starts: ledger with all its checks, keystores one after the other, prepared intervals, and only then does it
    /// listen.
    ///
    /// # Errors
    /// [`StartError`].
    pub fn start(start: Start<'_>) -> Result<Self, StartError> {
        let Start { config, config_path, state, prompt, log, harden } = start;
        let journal = Journal::new(log).map_err(system("no thread for the log"))?;
        if harden {
            hardening::harden(&journal);
        }
        let tls = config.tls.as_ref().map(TlsSettings::read).transpose()?;
        let access = Access::of(&config)?;
        let metrics = Arc::new(Metrics::default());
        let told = Told { metrics: Arc::clone(&metrics), journal: journal.clone() };
        let ledger = open_ledger(&config, told, &state)?;
        let keys = load(&config, &ledger, &journal, prompt)?;
        hardening::check_locked(config.require_mlock, &journal).map_err(StartError::System)?;
        let keys = Arc::new(RwLock::new(Arc::new(keys)));
        let windows = Windows::new();
        let workshop = Workshop {
            ledger: Arc::clone(&ledger),
            metrics: Arc::clone(&metrics),
            journal: journal.clone(),
            windows: Arc::clone(&windows),
        };
        let limits = config.limits;
        let queue = Queue::new(workshop, limits.queue, config.threads.sign).map_err(system("no threads"))?;
        let around = Surroundings {
            keys: Arc::clone(&keys),
            ledger: Arc::clone(&ledger),
            metrics: Arc::clone(&metrics),
            journal: journal.clone(),
        };
        windows.start(around, config.threads.advance).map_err(system("no threads"))?;
        let service = Arc::new(Service {
            config_path,
            limits,
            has_status_page: config.has_status_page(),
            access: RwLock::new(Arc::new(access)),
            keys,
            ledger,
            queue,
            metrics,
            journal,
            connections: Connections::new(limits.connections, limits.connections_per_client),
            aside: Connections::new(limits.connections, limits.connections_per_client),
            client_buckets: Buckets::new(limits.client_rate, limits.client_burst),
            key_buckets: Buckets::new(limits.key_rate, limits.key_burst),
            tls,
            stopping: AtomicBool::new(false),
            reloading: Mutex::new(()),
            started: SystemTime::now(),
            standings: RwLock::default(),
        });
        service.look_at_keys();
        // Threads have the ledger: it is not left to them where nobody can ask.
        Self::listen(Arc::clone(&service), &config, Arc::clone(&windows)).inspect_err(|_| {
            close(&service, &windows, Instant::now() + Duration::from_secs(limits.stop_seconds.into()));
        })
    }

    fn listen(service: Arc<Service>, config: &Config, windows: Arc<Windows>) -> Result<Self, StartError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(8)
            .thread_name("phalanx-http")
            .enable_all()
            .build()
            .map_err(system("no event loop"))?;
        let (stop, stopped) = watch::channel(false);
        let serve = |socket, router, by_tls, places: &Arc<Connections>| {
            let (service, places, stop) = (Arc::clone(&service), Arc::clone(places), stopped.clone());
            runtime.spawn(accept(socket, Serving { service, router, by_tls, places, stop }));
        };
        let has_tls = config.tls.is_some();
        let bind = |address: Option<SocketAddr>| {
            let bound = address.map(|address| runtime.block_on(TcpListener::bind(address))).transpose();
            bound.map_err(system("cannot listen"))
        };
        let router = routes::router(Arc::clone(&service));
        let (tcp, metrics) = (bind(config.listen.address)?, bind(config.listen.metrics)?);
        let local = |listener: &Option<TcpListener>| listener.as_ref().and_then(|l| l.local_addr().ok());
        let (address, metrics_address) = (local(&tcp), local(&metrics));
        if let Some(listener) = tcp {
            serve(Socket::Tcp(listener), router.clone(), has_tls, &service.connections);
        }
        if let Some(listener) = metrics {
            let by_tls = has_tls && !metrics_address.is_some_and(|address| address.ip().is_loopback());
            serve(
                Socket::Tcp(listener),
                routes::metrics_router(Arc::clone(&service)),
                by_tls,
                &service.aside,
            );
        }
        if let Some(path) = &config.listen.unix {
            let _inside = runtime.enter();
            let socket = Socket::Unix(unix_socket(path).map_err(system("cannot listen"))?);
            serve(socket, router, false, &service.aside);
        }
        let watcher = Watcher::start(Arc::clone(&service)).map_err(system("no thread"))?;
        let keys = service.keys().iter().count();
        let shown = address.map_or_else(|| "-".to_owned(), |address| address.to_string());
        service.journal.note("started", &[("address", &shown), ("keys", &keys)]);
        notify("READY=1");
        Ok(Self { service, runtime, watcher: Some(watcher), stop, windows, address, metrics_address })
    }

    /// Where it listens: with the port that the system chose, if none was named.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// Where it shows its metrics, if it has an address for them.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// Reads configuration, tokens, certificates and keystores again.
    #[must_use]
    pub fn reload(&self) -> Option<Reloaded> {
        self.service.reload().ok()
    }

    /// Serves until it is told to stop, by SIGTERM or SIGINT; SIGHUP has it reload. After a second signal to stop the
    /// process ends at once.
    ///
    /// # Errors
    /// [`StartError::System`] if signals cannot be received.
    pub fn run(self) -> Result<(), StartError> {
        let told = self.runtime.block_on(signals(&self.service));
        told.map_err(system("no signals"))?;
        self.stop();
        Ok(())
    }

    /// Stops: takes nothing more, finishes what was asked before, closes the ledger with a proof that it was closed.
    pub fn stop(mut self) {
        let end = Instant::now() + Duration::from_secs(self.service.limits.stop_seconds.into());
        notify("STOPPING=1");
        self.service.journal.note("stopping", &[]);
        self.service.stopping.store(true, Relaxed);
        let _ = self.stop.send(true);
        let is_done = self.service.queue.stop(end);
        // The answers are on their way to clients that wait for them.
        while self.service.connections.count() + self.service.aside.count() > 0 && Instant::now() < end {
            thread::sleep(Duration::from_millis(5));
        }
        if let Some(watcher) = self.watcher.take() {
            watcher.stop();
        }
        close(&self.service, &self.windows, end);
        self.service.journal.note("stopped", &[("finished", &is_done)]);
        self.runtime.shutdown_timeout(Duration::from_millis(100));
        self.service.journal.flush();
    }
}

/// Lets keys and ledger go, when nothing is signed any more.
fn close(service: &Service, windows: &Windows, end: Instant) {
    windows.stop();
    service.keys().iter().for_each(|key| {
        key.detach();
        key.keep_trees();
    });
    let last = service.ledger.get();
    service.ledger.close();
    if let Some(ledger) = last {
        while Arc::strong_count(&ledger) > 1 && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        // Waits for the thread that writes, which says in the store that it has stopped.
        drop(ledger);
    }
    service.ledger.claim().release();
}

fn open_ledger(config: &Config, told: Told, state: &StateFolder) -> Result<Arc<OpenedLedger>, LedgerError> {
    let observer: Arc<dyn Observer> = Arc::new(told);
    let options = |is_first| config.ledger_options(is_first).observer(Arc::clone(&observer));
    Ok(Arc::new(OpenedLedger::open(&options(true), options(false), state)?))
}

fn load(
    config: &Config,
    ledger: &OpenedLedger,
    journal: &Journal,
    prompt: Prompt<'_>,
) -> Result<KeySet, StartError> {
    let open = ledger.get().expect("it was opened just now");
    let (claim, now) = (ledger.claim(), ledger.clock_epoch());
    let loader = Loader { config, ledger: &open, claim, now, journal };
    let (keys, failed) = loader.load(&KeySet::default(), Some(prompt));
    if config.require_all && !failed.is_empty() {
        return Err(StartError::Keystores(failed));
    }
    Ok(keys)
}

/// A socket for this user alone. One that was left behind is replaced; anything else is not.
fn unix_socket(path: &Path) -> io::Result<UnixListener> {
    if fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket()) {
        if std::os::unix::net::UnixStream::connect(path).is_ok() {
            return Err(io::ErrorKind::AddrInUse.into());
        }
        fs::remove_file(path)?;
    }
    let socket = UnixSocket::new_stream()?;
    // Nobody else gets in before the mode is set: a file has what its socket has on Linux.
    #[cfg(target_os = "linux")]
    rustix::fs::fchmod(&socket, rustix::fs::Mode::from_raw_mode(0o600))?;
    #[cfg(not(target_os = "linux"))]
    let before = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o177));
    let bound = socket.bind(path);
    #[cfg(not(target_os = "linux"))]
    rustix::process::umask(before);
    bound?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    socket.listen(BACKLOG)
}

/// Returns when the service is to stop.
async fn signals(service: &Arc<Service>) -> io::Result<()> {
    let mut hangup = signal(SignalKind::hangup())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    loop {
        tokio::select! {
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
            _ = hangup.recv() => {
                let service = Arc::clone(service);
                notify("RELOADING=1");
                tokio::task::spawn_blocking(move || {
                    // What it has done stands in the log.
                    let _ = service.reload();
                    notify("READY=1");
                });
            }
        }
    }
    tokio::spawn(async move {
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        // Whatever was released is in the ledger.
        std::process::exit(0);
    });
    Ok(())
}
