//! A signer of its own: keys, ledger, configuration, process.

use phalanx_custody::keystore::{Derivation, KeySecret, NewKey, Password, Role, SealedFile, file};
use phalanx_custody::ledger::durable::{LedgerOptions, NewLedger, WitnessFolder};
use phalanx_custody::ledger::registry::{Registry, StateFolder};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, xmss_instance};
use phalanx_custody::remote::{Client, Endpoint, Error, Options};
use phalanx_xmss::any::{KeyGeneration, ParameterSet, VerifyingKey};
use phalanx_xmss::{Format, Inline};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{self, Write};
use std::net::TcpListener;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The password of the keystores.
const PASSWORD: &[u8] = b"correct horse battery staple";

/// How long a signer may take to be there.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder with keys and a ledger that knows them.
pub struct Rig {
    folder: PathBuf,
    keys: Vec<VerifyingKey>,
}

/// What a key of the rig is.
#[derive(Clone)]
pub struct Wanted {
    /// Its parameter set.
    pub set: ParameterSet,
    /// Its epochs.
    pub epochs: Range<u64>,
    /// What it is for.
    pub role: Role,
}

impl Rig {
    /// Makes keys and their ledger in `folder`, which is empty or not there. Of two rigs no keys are the same.
    ///
    /// # Errors
    /// What went wrong, in a sentence.
    pub fn make(folder: &Path, wanted: &[Wanted]) -> Result<Self, String> {
        let said = |what: &'static str| move |error: &dyn std::fmt::Display| format!("{what}: {error}");
        make_folder(&folder.join("keys")).map_err(|error| said("folder")(&error))?;
        write_private(&folder.join("password"), PASSWORD).map_err(|error| said("password")(&error))?;
        // A container's own file system serves for tests; what it does to flushes is not what is tested.
        let options = LedgerOptions::new(folder.join("ledger"))
            .witness(WitnessFolder::NamedIn(folder.join("witness")))
            .allow_file_system("overlay");
        SqliteLedger::create(&options, NewLedger::default()).map_err(|error| said("ledger")(&error))?;
        let ledger = SqliteLedger::open(&options).map_err(|error| said("ledger")(&error))?;
        let state = StateFolder::at(folder.join("state/phalanx"));
        let registry = Registry::alone(state).map_err(|error| said("state folder")(&error))?;
        let password = Password::from_bytes(PASSWORD).map_err(|error| said("password")(&error))?;
        let mut keys = Vec::new();
        for (number, wanted) in wanted.iter().enumerate() {
            let seed = random()?;
            let key = KeyGeneration::from_seed(wanted.set, &seed, wanted.epochs.clone())
                .and_then(|generation| generation.run_on(&Inline))
                .map_err(|error| said("key")(&error))?;
            let public_key =
                key.verifying_key().to_bytes(Format::Ssz).map_err(|error| said("key")(&error))?;
            let secret = KeySecret::from_seed(&seed);
            let sealed = NewKey::of_xmss_key(&key, &secret, wanted.role, "for tests")
                .and_then(|new| SealedFile::new(&new, &password, Derivation::WEAK_FOR_TESTS))
                .map_err(|error| said("keystore")(&error))?;
            let instance = xmss_instance(&key, wanted.role.name());
            ledger
                .register(&instance, &public_key, InitialState::New)
                .and_then(|()| registry.give(&instance, &ledger.ledger_id()))
                .map_err(|error| said("ledger")(&error))?;
            let path = folder.join("keys").join(format!("key-{number:03}.json"));
            file::create(&path, &sealed).map_err(|error| said("keystore")(&error))?;
            keys.push(key.verifying_key());
        }
        Ok(Self { folder: folder.to_owned(), keys })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The keys, in the order in which they were wanted.
    #[must_use]
    pub fn keys(&self) -> &[VerifyingKey] {
        &self.keys
    }

    /// The part of a configuration that is about the rig's files.
    #[must_use]
    pub fn configuration(&self) -> &'static str {
        "[ledger]\nfolder = \"ledger\"\nwitness = \"witness\"\nallow_file_systems = [\"overlay\"]\n\n\
         [[keystores]]\npath = \"keys\"\npassword_file = \"password\"\naccept_weak_kdf = true\n"
    }

    /// A configuration on loopback, in which nobody is asked who they are, and which takes as much as the machine does.
    #[must_use]
    pub fn open_configuration(&self, port: u16) -> String {
        // Clients of one key that do not wait for each other overtake each other.
        let ledger = "[ledger]\nordering = \"as-registered\"";
        let files = self.configuration().replace("[ledger]", ledger);
        format!(
            "auth = \"none\"\n\n[listen]\naddress = \"127.0.0.1:{port}\"\n\n{}\n\
             [[permissions]]\nclients = [\"*\"]\nkeys = [\"*\"]\n\
             operations = [\"sign-xmss\", \"list\", \"metrics\", \"reload\"]\n\n\
             [limits]\nconnections_per_client = 1000\nclient_rate = 100000\nclient_burst = 100000\n\
             key_rate = 100000\nkey_burst = 100000\n",
            files
        )
    }

    /// Starts `program serve` with this configuration, and does not wait for it.
    ///
    /// # Errors
    /// As the system.
    pub fn start(&self, program: &Path, configuration: &str) -> io::Result<Signer> {
        let path = self.folder.join("signer.toml");
        write_private(&path, configuration.as_bytes())?;
        let log = fs::File::create(self.folder.join("log"))?;
        let mut command = Command::new(program);
        command.arg("serve").arg("--config").arg(&path).current_dir(&self.folder);
        command.env("XDG_STATE_HOME", self.folder.join("state")).env_remove("NOTIFY_SOCKET");
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        Ok(Signer { child: command.spawn()?, log: self.folder.join("log") })
    }

    /// Starts it and waits until it says that it has started and `is_so`: somebody else may listen where it wants to. If its
    /// port was taken just now, it is tried again. What it said before it started can be read then.
    ///
    /// # Errors
    /// What went wrong, in a sentence, with what the signer said.
    pub fn start_until(
        &self,
        program: &Path,
        configuration: &str,
        is_so: impl Fn() -> bool,
    ) -> Result<Signer, String> {
        let begun = Instant::now();
        loop {
            let mut signer = self.start(program, configuration).map_err(|error| error.to_string())?;
            match signer.wait_until(|signer| signer.said().contains("event=started") && is_so()) {
                Ok(()) => return Ok(signer),
                Err(problem) if !problem.contains("cannot listen") || begun.elapsed() > PATIENCE => {
                    return Err(problem);
                }
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// Starts it with [`open_configuration`](Self::open_configuration) and waits until it is ready; gives its address.
    ///
    /// # Errors
    /// What went wrong, in a sentence, with what the signer said.
    pub fn serve(&self, program: &Path) -> Result<(Signer, String), String> {
        let port = free_port().map_err(|error| error.to_string())?;
        let url = format!("http://127.0.0.1:{port}");
        let client = plain_client(&url).map_err(|error| error.to_string())?;
        let is_ready = || client.reasons_not_ready().is_ok_and(|reasons| reasons.is_empty());
        let signer = self.start_until(program, &self.open_configuration(port), is_ready)?;
        Ok((signer, url))
    }
}

/// A client without certificate and token.
///
/// # Errors
/// [`Error::Setup`] for what is no address of a signer.
pub fn plain_client(url: &str) -> Result<Client, Error> {
    Client::new(Options::new(Endpoint::parse(url)?))
}

/// A port on loopback that nobody listens on now.
///
/// # Errors
/// As the system.
pub fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// A signer that runs; killed when dropped.
pub struct Signer {
    child: Child,
    log: PathBuf,
}

impl Signer {
    /// Waits until `is_so`, for two minutes at most.
    ///
    /// # Errors
    /// It ended, or the time did; with what the signer said.
    fn wait_until(&mut self, is_so: impl Fn(&Self) -> bool) -> Result<(), String> {
        let begun = Instant::now();
        loop {
            if is_so(self) {
                return Ok(());
            }
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(format!("the signer ended ({status}): {}", self.said()));
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!("the signer is not there after {PATIENCE:?}: {}", self.said()));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// What it has said so far.
    #[must_use]
    pub fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to read configuration and keystores again.
    pub fn reload(&self) {
        self.signal(Signal::HUP);
    }

    /// Stops it as a service manager does, and waits until it has ended.
    ///
    /// # Errors
    /// As the system.
    pub fn stop(mut self) -> io::Result<ExitStatus> {
        self.signal(Signal::TERM);
        self.child.wait()
    }

    /// Waits until it has ended by itself.
    ///
    /// # Errors
    /// As the system.
    pub fn wait(mut self) -> io::Result<ExitStatus> {
        self.child.wait()
    }

    fn signal(&self, signal: Signal) {
        // One that has ended is still there as long as nobody has waited for it.
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(id) = id {
            let _ = kill_process(id, signal);
        }
    }
}

impl Drop for Signer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes a folder for its owner alone.
fn make_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Writes a file for its owner alone.
///
/// # Errors
/// As the system.
pub fn write_private(path: &Path, content: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600).open(path)?.write_all(content)
}

/// 32 bytes from the system.
fn random() -> Result<[u8; 32], String> {
    let mut bytes = [0; 32];
    let read =
        fs::File::open("/dev/urandom").and_then(|mut file| io::Read::read_exact(&mut file, &mut bytes));
    read.map(|()| bytes).map_err(|error| format!("no randomness: {error}"))
}
