//! The thread that watches the ledger: probes it when nothing is written, lets go of it after a fault, and opens it anew
//! with all checks.
#![forbid(unsafe_code)]

use super::service::Service;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often it is looked at.
const TICK: Duration = Duration::from_millis(200);
/// How often keys are asked for where they stand.
const LOOK: Duration = Duration::from_secs(1);

/// The thread, until it is dropped or stopped.
pub(super) struct Watcher {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Begins to watch.
    pub(super) fn start(service: Arc<Service>) -> std::io::Result<Self> {
        let (stop, stopped) = channel();
        let watch = move || watch(&service, &stopped);
        let thread = thread::Builder::new().name("phalanx-watch".to_owned()).spawn(watch)?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }

    /// Ends the watch.
    pub(super) fn stop(mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // If it has panicked the service is stopped all the same.
            let _ = thread.join();
        }
    }
}

fn watch(service: &Service, stopped: &Receiver<()>) {
    let retry = Duration::from_secs(service.limits.reopen_seconds.into());
    let (mut looked, mut tried) = (Instant::now(), None::<Instant>);
    while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        let ledger = &service.ledger;
        if let Some(cause) = ledger.close_if_stopped() {
            service.keys().iter().for_each(|key| key.detach());
            service.metrics.poisoned(cause);
            service.journal.note("ledger_stopped", &[("cause", &cause)]);
            tried = Some(Instant::now());
        }
        if ledger.get().is_some() {
            ledger.probe_if_idle();
            if looked.elapsed() >= LOOK {
                service.look_at_keys();
                looked = Instant::now();
            }
            continue;
        }
        // A reload that was under way may have given it to keys.
        service.keys().iter().for_each(|key| key.detach());
        if tried.is_none_or(|tried| tried.elapsed() >= retry) && ledger.is_released() {
            reopen(service);
            tried = Some(Instant::now());
        }
    }
}

fn reopen(service: &Service) {
    // While keystores are loaded nobody else gives keys their ledger.
    let Ok(_loading) = service.reloading.try_lock() else { return };
    let ledger = match service.ledger.reopen() {
        Ok(ledger) => ledger,
        Err(error) => {
            service.journal.note("ledger_not_opened", &[("code", &error.code())]);
            return;
        }
    };
    for key in service.keys().iter() {
        if let Err(error) = key.attach(&ledger) {
            service.journal.note("key_not_attached", &[("key_id", &key.key_id), ("why", &error)]);
        }
    }
    service.ledger.put_back(ledger);
    service.look_at_keys();
    service.journal.note("ledger_opened", &[]);
}
