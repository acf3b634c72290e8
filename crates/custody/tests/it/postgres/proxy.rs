//! Stands between a signer and the server, and does what networks and poolers do.

use super::super::ledger::Folder;
use phalanx_testing::times::wait_until;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{sleep, spawn};
use std::time::Duration;

const SOCKET: &str = ".s.PGSQL.5432";

/// A local socket that leads to that of a server.
pub(crate) struct Proxy {
    folder: Folder,
    state: Arc<State>,
}

struct State {
    /// The servers that it has led to; the last one counts.
    servers: Mutex<Vec<PathBuf>>,
    is_rough: AtomicBool,
    is_hushed: AtomicBool,
    seed: AtomicU64,
    cuts: AtomicUsize,
    gate: Mutex<Gate>,
    moved: Condvar,
}

/// Where something is held back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// What a client says.
    Saying,
    /// What it is answered.
    Answer,
}

/// Holds back what belongs to the last of some words, once.
#[derive(Default)]
struct Gate {
    awaited: Option<(Held, &'static [&'static [u8]])>,
    closed: Option<Held>,
}

impl State {
    /// Closes the gate if a client says what is awaited.
    fn look_out(&self, said: &[u8]) {
        let mut gate = self.gate.lock().expect("no panic");
        let Some((held, words)) = &mut gate.awaited else { return };
        while let [word, rest @ ..] = words
            && said.windows(word.len()).any(|window| window == *word)
        {
            *words = rest;
        }
        if words.is_empty() {
            gate.closed = Some(*held);
            gate.awaited = None;
            self.moved.notify_all();
        }
    }

    /// Waits while the gate is closed to this.
    fn pass(&self, held: Held) {
        let gate = self.gate.lock().expect("no panic");
        drop(self.moved.wait_while(gate, |gate| gate.closed == Some(held)).expect("no panic"));
    }

    fn below(&self, end: u64) -> u64 {
        let mut z = self.seed.fetch_add(0x9e37_79b9_7f4a_7c15, SeqCst);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }

    fn server(&self) -> (usize, UnixStream) {
        let servers = self.servers.lock().expect("no panic");
        let server = servers.last().expect("the first one is there");
        loop {
            match UnixStream::connect(server.join(SOCKET)) {
                Ok(stream) => return (servers.len(), stream),
                Err(_) => sleep(Duration::from_millis(20)),
            }
        }
    }
}

impl Proxy {
    pub(crate) fn to(server: &Path, seed: u64) -> Self {
        let folder = Folder::new();
        let listener = UnixListener::bind(folder.join(SOCKET)).expect("a socket");
        let state = Arc::new(State {
            servers: Mutex::new(vec![server.to_owned()]),
            is_rough: AtomicBool::new(false),
            is_hushed: AtomicBool::new(false),
            seed: AtomicU64::new(seed),
            cuts: AtomicUsize::new(0),
            gate: Mutex::default(),
            moved: Condvar::new(),
        });
        let shared = Arc::clone(&state);
        spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let state = Arc::clone(&shared);
                spawn(move || carry(client, &state));
            }
        });
        Self { folder, state }
    }

    pub(crate) fn sockets(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// From now on it delays, drops, and cuts connections, in the middle of a commit too.
    pub(crate) fn be_rough(&self, is_rough: bool) {
        self.state.is_rough.store(is_rough, SeqCst);
    }

    /// How many connections it has cut.
    pub(crate) fn cuts(&self) -> usize {
        self.state.cuts.load(SeqCst)
    }

    /// Holds back what a client says with the last of `words` in it, after the others, or what it is answered, and all that
    /// follows there.
    pub(crate) fn hold(&self, held: Held, words: &'static [&'static [u8]]) {
        self.state.gate.lock().expect("no panic").awaited = Some((held, words));
    }

    /// Waits until something is held back, or nobody can say it any more.
    pub(crate) fn is_held_unless(&self, is_over: impl Fn() -> bool) -> bool {
        let is_held = || self.state.gate.lock().expect("no panic").closed.is_some();
        wait_until(|| "what is to be held back is not said".to_owned(), || is_held() || is_over());
        is_held()
    }

    /// Lets it go on.
    pub(crate) fn let_go(&self) {
        *self.state.gate.lock().expect("no panic") = Gate::default();
        self.state.moved.notify_all();
    }

    /// What the servers say from now on is not carried: their last words, say.
    pub(crate) fn hush(&self) {
        self.state.is_hushed.store(true, SeqCst);
    }

    /// From the next transaction on it leads to another server, without a word, as a pooler does.
    pub(crate) fn switch(&self, server: &Path) {
        self.state.servers.lock().expect("no panic").push(server.to_owned());
        self.state.is_hushed.store(false, SeqCst);
    }
}

/// Carries what a client and the server say to each other.
fn carry(mut client: UnixStream, state: &Arc<State>) {
    let mut greeting = vec![0; 4];
    if client.read_exact(&mut greeting).is_err() {
        return;
    }
    let len = u32::from_be_bytes(greeting[..].try_into().expect("four bytes"));
    greeting.resize(usize::try_from(len).expect("a length"), 0);
    if client.read_exact(&mut greeting[4..]).is_err() {
        return;
    }
    let (mut number, mut server) = state.server();
    if server.write_all(&greeting).is_err() {
        return;
    }
    answer(&server, &client, state);
    let mut bytes = vec![0; 1 << 16];
    while let Ok(len @ 1..) = client.read(&mut bytes) {
        let said = &bytes[..len];
        let begins = said.windows(6).any(|window| window == b"BEGIN ");
        if begins && state.servers.lock().expect("no panic").len() != number {
            (number, server) = state.server();
            if server.write_all(&greeting).is_err() || !is_ready(&mut server) {
                break;
            }
            answer(&server, &client, state);
        }
        if state.is_rough.load(SeqCst) && is_cut(state, said, &client, &mut server) {
            state.cuts.fetch_add(1, SeqCst);
            break;
        }
        state.look_out(said);
        state.pass(Held::Saying);
        if server.write_all(said).is_err() {
            break;
        }
    }
    let _ = (client.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
}

/// What a rough network does to what a client has said; whether it cuts the connection.
fn is_cut(state: &State, said: &[u8], client: &UnixStream, server: &mut UnixStream) -> bool {
    let is_commit = said.windows(7).any(|window| window == b"COMMIT\0");
    match state.below(4000) {
        0 => return true,
        1 => {
            sleep(Duration::from_secs(4));
            return true;
        }
        // Before it arrives, and afterwards.
        2..32 if is_commit => return true,
        32..62 if is_commit => {
            // The server has the commit, and the client will not hear of it.
            let _ = (client.shutdown(Shutdown::Both), server.write_all(said));
            sleep(Duration::from_millis(100));
            return true;
        }
        62..102 => sleep(Duration::from_millis(state.below(200))),
        _ => {}
    }
    false
}

/// Carries what the server says. If it stops the client is not told: a pooler would find another one.
fn answer(server: &UnixStream, client: &UnixStream, state: &Arc<State>) {
    let state = Arc::clone(state);
    let (mut server, mut client) =
        (server.try_clone().expect("a socket"), client.try_clone().expect("a socket"));
    spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(len @ 1..) = server.read(&mut bytes) {
            state.pass(Held::Answer);
            if state.is_hushed.load(SeqCst) || client.write_all(&bytes[..len]).is_err() {
                break;
            }
        }
    });
}

/// Reads what a server says to a new connection, until it waits for statements.
fn is_ready(server: &mut UnixStream) -> bool {
    loop {
        let mut head = [0; 5];
        if server.read_exact(&mut head).is_err() {
            return false;
        }
        let len = u32::from_be_bytes(head[1..].try_into().expect("four bytes")) - 4;
        let mut body = vec![0; usize::try_from(len).expect("a length")];
        if server.read_exact(&mut body).is_err() || head[0] == b'E' {
            return false;
        }
        if head[0] == b'Z' {
            return true;
        }
    }
}
