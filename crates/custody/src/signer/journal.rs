//! The log of the service: a line for each thing, key=value. It never says a message, a signature, a token or a secret.
#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Lines that may wait. Who reads them slowly must not keep a signature waiting: further ones are counted, not kept.
const WAITING: usize = 4096;

/// What is sent to the thread that writes.
enum Line {
    Text(String),
    /// To be answered when everything before it is written.
    Flush(SyncSender<()>),
}

/// Where lines go.
#[derive(Clone)]
pub(super) struct Journal {
    lines: SyncSender<Line>,
    lost: Arc<AtomicU64>,
}

impl Journal {
    /// A journal that is written to `out` by a thread of its own.
    pub(super) fn new(mut out: Box<dyn Write + Send>) -> std::io::Result<Self> {
        let (lines, waiting) = sync_channel::<Line>(WAITING);
        let lost = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&lost);
        let write = move || {
            for line in waiting {
                let line = match line {
                    Line::Text(line) => line,
                    Line::Flush(written) => {
                        let _ = written.send(());
                        continue;
                    }
                };
                let lost = counted.swap(0, Relaxed);
                if lost > 0 {
                    let _ = writeln!(out, "{} event=lines_lost count={lost}", now());
                }
                // Nobody may be reading any more, which is no reason to stop.
                let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
            }
        };
        thread::Builder::new().name("phalanx-journal".to_owned()).spawn(write)?;
        Ok(Self { lines, lost })
    }

    /// Notes an event, with what belongs to it.
    pub(super) fn note(&self, event: &str, fields: &[(&str, &dyn std::fmt::Display)]) {
        let mut line = format!("{} event={event}", now());
        for (name, value) in fields {
            let value = value.to_string();
            let is_plain = !value.is_empty()
                && value.chars().all(|c| c.is_ascii_graphic() && c != '"' && c != '=' && c != '\\');
            let _ =
                if is_plain { write!(line, " {name}={value}") } else { write!(line, " {name}={value:?}") };
        }
        line.push('\n');
        if self.lines.try_send(Line::Text(line)).is_err() {
            self.lost.fetch_add(1, Relaxed);
        }
    }
}

impl Journal {
    /// Waits until everything is written, a moment at most.
    pub(super) fn flush(&self) {
        let (written, done) = sync_channel(1);
        if self.lines.try_send(Line::Flush(written)).is_ok() {
            let _ = done.recv_timeout(Duration::from_secs(1));
        }
    }
}

/// Unix time, with milliseconds.
fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}.{:03}", since.as_secs(), since.subsec_millis())
}
