//! `phalanx serve` as its clients see it: this program's own client, curl and Python, over TLS and over sockets.

mod authorities;
mod clients;
mod crowd;
#[cfg(feature = "postgres")]
mod database;
mod load;
mod metrics;
mod page;
mod rights;
mod sessions;
mod taken_over;

use crate::support::{Folder, SET};
use phalanx::xmss::any::ParameterSet;
use phalanx_custody::keystore::Role;
use phalanx_custody::remote::{Client, Endpoint, Identity, Options, Roots, Token};
use phalanx_signerload::rig::{Rig, Signer, Wanted, free_port};
use std::fs;
use std::path::{Path, PathBuf};

/// A signer with two keys, an attester's and, of the generation over BLAKE2s, a proposer's, and a place for the files of its clients.
struct Place {
    folder: Folder,
    rig: Rig,
    port: u16,
}

/// A set over BLAKE2s.
const BLAKE2S: &str = "xmss-blake2s-l32-d42b8";

/// A key of 256 epochs.
fn wanted(set: &str, role: Role) -> Wanted {
    Wanted { set: ParameterSet::from_name(set).expect("a set"), epochs: 0..256, role }
}

/// A certificate and its key, or a token: what a client shows.
#[derive(Default)]
struct Shown {
    certificate: Option<(PathBuf, PathBuf)>,
    token: Option<PathBuf>,
}

impl Place {
    fn new() -> Self {
        let folder = Folder::new();
        let wanted = [(SET, Role::Attester), (BLAKE2S, Role::Proposer)].map(|(set, role)| wanted(set, role));
        let rig = Rig::make(&folder.path("signer"), &wanted).expect("a rig");
        Self { folder, rig, port: free_port().expect("a port") }
    }

    /// Where it listens.
    fn url(&self, scheme: &str) -> String {
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    /// Starts the signer with a configuration of which `first` comes before the tables and `tables` are some, and waits
    /// until it listens.
    fn start(&self, first: &str, tables: &str) -> Signer {
        let program = Path::new(env!("CARGO_BIN_EXE_phalanx"));
        // Clients of a socket show no certificates: there is one where nobody has to.
        let socket = if first == OPEN { "unix = \"socket\"\n" } else { "" };
        let text = format!(
            "{first}\n[listen]\naddress = \"127.0.0.1:{}\"\n{socket}\n{}\n{tables}\n",
            self.port,
            self.rig.configuration()
        );
        let listens = || std::net::TcpStream::connect(("127.0.0.1", self.port)).is_ok();
        self.rig.start_until(program, &text, listens).unwrap_or_else(|problem| panic!("{problem}\n{text}"))
    }

    /// The public key of the attester or the proposer, in hexadecimal.
    fn key(&self, number: usize) -> String {
        hex::encode(self.rig.keys()[number].to_bytes(phalanx::xmss::Format::Ssz).expect("every set has SSZ"))
    }

    /// A client over TLS.
    fn client(&self, shown: &Shown) -> Client {
        let mut options = Options::new(Endpoint::parse(&self.url("https")).expect("an address"));
        let read = |path: &PathBuf| fs::read(path).expect("it was written");
        options.roots = Roots::Pem(self.folder.read("ca.pem"));
        options.identity = shown
            .certificate
            .as_ref()
            .map(|(chain, key)| Identity { chain: read(chain), key: read(key).into() });
        options.token =
            shown.token.as_ref().map(|path| Token::from_file_content(&read(path)).expect("a token"));
        Client::new(options).expect("good files")
    }
}

/// A signer that asks nobody who they are, and lets everybody do everything.
const OPEN: &str = "auth = \"none\"";

/// The rule for it.
const EVERYTHING: &str = "[[permissions]]\nclients = [\"*\"]\nkeys = [\"*\"]\noperations = [\"sign-xmss\", \"list\", \"metrics\", \"reload\"]\n";
