//! The service, started in this process and spoken to over sockets.

mod answers;
mod consensus;
mod faults;
mod generations;
mod guards;
mod http;
mod life;
mod limits;
mod masters;
mod mutants;
mod registry;

use super::ledger::Folder;
use http::Client;
use phalanx_custody::keystore::{Derivation, KeySecret, NewKey, Password, Role, SealedFile, file};
use phalanx_custody::ledger::durable::{ChainClock, LedgerOptions, NewLedger, Resume};
use phalanx_custody::ledger::record::KeyInstance;
use phalanx_custody::ledger::registry::{Registry, StateFolder};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, strict, xmss_instance};
use phalanx_custody::signer::{Config, Signer, Start, StartError};
use phalanx_testing::times::wait_until;
use phalanx_xmss::{Format, ParameterSet, SigningKey, VerifyingKey};
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};

const SET: ParameterSet = ParameterSet::POSEIDON2_L8_D64B8;
const PASSWORD: &[u8] = b"correct horse";
/// The chain of the ledgers of these tests.
const GENESIS: [u8; 32] = [9; 32];

/// Rules by which the anonymous client may do everything.
const ALL: &str = "[[permissions]]\nclients = [\"anonymous\"]\nkeys = [\"*\"]\n\
                   operations = [\"sign-xmss\", \"sign-ed25519\", \"list\", \"reload\", \"metrics\"]\n";

/// A folder with a ledger, keystores, and a configuration.
struct Place {
    folder: Folder,
    keys: Vec<VerifyingKey>,
}

/// What the service writes to its log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("nobody panics").clone()).expect("lines of text")
    }

    /// Returns when the log, which is written by a thread of its own, says `text`.
    fn wait_for(&self, text: &str) {
        wait_until(|| format!("'{text}' is not in\n{}", self.text()), || self.text().contains(text));
    }
}

/// A service that runs.
struct Running {
    signer: Signer,
    log: Log,
}

impl Place {
    /// With a key for each of `roles`, that has the epochs `epochs`.
    fn new(roles: &[Role], epochs: Range<u64>) -> Self {
        Self::with_clock(roles, epochs, None)
    }

    /// The same, with a ledger that has a clock.
    fn with_clock(roles: &[Role], epochs: Range<u64>, clock: Option<ChainClock>) -> Self {
        let folder = Folder::new();
        let settings = NewLedger { genesis_validators_root: Some(GENESIS), clock, ..NewLedger::default() };
        SqliteLedger::create(&options(&folder), settings).expect("a new ledger");
        let ledger = SqliteLedger::open(&options(&folder)).expect("it opens");
        fs::create_dir(folder.join("keys")).expect("a folder");
        fs::set_permissions(folder.join("keys"), fs::Permissions::from_mode(0o700)).expect("its mode");
        let mut place = Self { folder, keys: Vec::new() };
        for (number, role) in (1..).zip(roles) {
            let key = SigningKey::from_seed(SET, &[number; 32], epochs.clone()).expect("a key");
            let public_key = key.verifying_key().to_bytes(Format::Ssz);
            let instance = strict(xmss_instance(&key, role.name()));
            place.register(&ledger, &instance, &public_key);
            let secret = KeySecret::from_seed(&[number; 32]);
            let new = NewKey::of_xmss_key(&key, &secret, *role, "").expect("they belong together");
            let sealed = SealedFile::new(&new, &password(), Derivation::WEAK_FOR_TESTS).expect("it fits");
            file::create(&place.folder.join(&format!("keys/{number}.json")), &sealed).expect("a new file");
            place.keys.push(key.verifying_key());
        }
        drop(ledger);
        place.configure("auth = \"none\"", "", ALL);
        place
    }

    /// Has the ledger keep a new key.
    fn register(&self, ledger: &SqliteLedger, instance: &KeyInstance, public_key: &[u8]) {
        self.registry().give(instance, &ledger.ledger_id()).expect("it is nobody's");
        ledger.register(instance, public_key, InitialState::New).expect("a new key");
    }

    /// What says which ledger keeps which key.
    fn registry(&self) -> Registry {
        Registry::alone(state(&self.folder)).expect("nobody else gives keys to ledgers")
    }

    /// Writes the configuration: `top` first, `listen` in the table of that name, `rest` at the end.
    fn configure(&self, top: &str, listen: &str, rest: &str) {
        fs::write(self.folder.join("password"), PASSWORD).expect("a file");
        let mode = fs::Permissions::from_mode(0o600);
        fs::set_permissions(self.folder.join("password"), mode).expect("its mode");
        let listen = if listen.is_empty() { "address = \"127.0.0.1:0\"" } else { listen };
        let text = format!(
            "{top}\n[clock]\nallow_unsynchronised = true\n[listen]\n{listen}\n[ledger]\nfolder = \"ledger\"\nwitness = \"witness\"\n\
             allow_file_systems = [\"overlay\"]\nresume = \"trust-store-unproved\"\n\
             [[keystores]]\npath = \"keys\"\npassword_file = \"password\"\naccept_weak_kdf = true\n{rest}\n"
        );
        fs::write(self.folder.join("signer.toml"), text).expect("a file");
    }

    fn try_start(&self) -> Result<Running, StartError> {
        let path = self.folder.join("signer.toml");
        let log = Log::default();
        let start = Start {
            config: Config::read(&path)?,
            config_path: path,
            state: state(&self.folder),
            prompt: &mut |_| Err(io::ErrorKind::Unsupported.into()),
            log: Box::new(log.clone()),
            harden: false,
        };
        Ok(Running { signer: Signer::start(start)?, log })
    }

    fn start(&self) -> Running {
        self.try_start().unwrap_or_else(|error| panic!("it does not start: {error}"))
    }

    /// The public key number `i`, in hexadecimal.
    fn pubkey(&self, i: usize) -> String {
        hex::encode(self.keys[i].to_bytes(Format::Ssz))
    }

    /// The ledger, opened after the service was stopped.
    fn ledger(&self) -> SqliteLedger {
        SqliteLedger::open(&options(&self.folder)).expect("it opens")
    }
}

fn options(folder: &Folder) -> LedgerOptions {
    use phalanx_custody::ledger::durable::WitnessFolder;
    let options = LedgerOptions::new(folder.join("ledger")).allow_file_system("overlay");
    let options = options.allow_unsynchronised_clock();
    options.witness(WitnessFolder::NamedIn(folder.join("witness"))).resume(Resume::TrustStoreUnproved)
}

fn state(folder: &Folder) -> StateFolder {
    StateFolder::at(folder.join("state"))
}

fn password() -> Password {
    Password::from_bytes(PASSWORD).expect("UTF-8")
}

impl Running {
    fn client(&self) -> Client {
        Client::new(self.signer.address().expect("it listens"))
    }
}

/// The body of a request to sign.
fn ask(epoch: u64, message: u8) -> String {
    format!("{{\"epoch\": \"{epoch}\", \"message\": \"0x{}\"}}", hex::encode([message; 32]))
}
