//! Runs the program in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The set whose keys take milliseconds.
pub(crate) const SET: &str = "xmss-poseidon2-l8-d64b8";

/// A folder that goes with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("cli-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = phalanx_testing::place().join(name);
        fs::create_dir_all(&path).expect("the target folder can be written");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        fs::symlink_metadata(self.path(name)).is_ok()
    }

    /// Permission bits of a file.
    #[cfg(unix)]
    pub(crate) fn mode(&self, name: &str) -> u32 {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(self.path(name)).expect("the file is there").permissions().mode() & 0o777
    }

    /// Sets them.
    #[cfg(unix)]
    pub(crate) fn chmod(&self, name: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).expect("it is ours");
    }

    /// The program with arguments, split at spaces, not yet started.
    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_phalanx"));
        command.current_dir(&self.0).args(args.split(' ').filter(|arg| !arg.is_empty()));
        for name in ["PHALANX_BACKEND", "PHALANX_THREADS", "PHALANX_LOG"] {
            command.env_remove(name);
        }
        command.env("XDG_STATE_HOME", self.0.join("state"));
        // The tests may run on an overlay; what they flush is not what they test.
        command.env("PHALANX_ALLOW_FILE_SYSTEM", "overlay");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Starts the program and lets it run.
    pub(crate) fn start(&self, args: &str) -> Child {
        self.command(args).spawn().expect("the program starts")
    }

    /// Runs the program with arguments, split at spaces.
    pub(crate) fn run(&self, args: &str) -> Run {
        self.command(args).output().expect("the program starts").into()
    }

    /// Runs it and expects exit code 0.
    pub(crate) fn good(&self, args: &str) -> Run {
        let run = self.run(args);
        assert_eq!(run.code, Some(0), "{args}: {}", run.stderr);
        run
    }

    /// Runs it and expects a failure with one error line, perhaps a hint, and nothing on standard output.
    pub(crate) fn bad(&self, args: &str, code: i32) -> Run {
        let run = self.run(args);
        run.check_bad(args, code);
        assert_eq!(run.stdout, "", "{args}");
        run
    }

    /// The side log of the only ledger in the state folder.
    pub(crate) fn witness(&self) -> String {
        let mut found = self.state("");
        found.retain(|name| self.path(&format!("{name}/witness-00000001.log")).exists());
        assert_eq!(found.len(), 1, "{found:?}");
        format!("{}/witness-00000001.log", found.remove(0))
    }

    /// The files in the state folder that say which ledger keeps a key.
    pub(crate) fn registered(&self) -> Vec<String> {
        self.state(".key")
    }

    fn state(&self, ending: &str) -> Vec<String> {
        let names = fs::read_dir(self.path("state/phalanx")).expect("a key was made");
        let names = names.map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8"));
        names.filter(|name| name.ends_with(ending)).map(|name| format!("state/phalanx/{name}")).collect()
    }

    /// The only key of a ledger, as `status` shows it.
    pub(crate) fn status(&self, ledger: &str) -> serde_json::Value {
        self.good(&format!("ledger status --ledger {ledger} --json")).json()["keys"][0].clone()
    }

    /// The name of the key in a file.
    pub(crate) fn key_id(&self, secret_key: &str) -> String {
        let refused = self.bad(&adopt(secret_key, "", 0).replace("--yes-key-id ", ""), 2);
        let (_, id) = refused.stderr.split_once("--yes-key-id ").expect("it is named in the hint");
        let (_, id) = id.split_once("--yes-key-id ").expect("it is named in the hint");
        id[..64].to_owned()
    }

    /// Begins a ledger on purpose for the key in `secret_key`, and expects this exit code.
    pub(crate) fn adopt(&self, secret_key: &str, from: u64, code: i32) {
        let args = adopt(secret_key, &self.key_id(secret_key), from);
        let run = self.run(&args);
        assert_eq!(run.code, Some(code), "{args}: {}", run.stderr);
    }

    /// The name of the ledger of the key in `keys`.
    pub(crate) fn ledger_id(&self) -> String {
        let shown = self.good("ledger status --ledger keys/secret-key.ssz.ledger --json").json();
        shown["ledger_id"].as_str().expect("text").to_owned()
    }

    /// Every side log in the state folder.
    pub(crate) fn side_logs(&self) -> Vec<String> {
        let path = |name: &String| format!("{name}/witness-00000001.log");
        let found = self.state("").iter().map(path).filter(|path| self.exists(path)).collect::<Vec<_>>();
        found.iter().map(|path| String::from_utf8(self.read(path)).expect("text")).collect()
    }

    /// Copies a folder and all that is in it, as `cp -a` does.
    #[cfg(unix)]
    pub(crate) fn copy(&self, from: &str, to: &str) {
        copy_folder(&self.path(from), &self.path(to));
    }

    /// Generates a key of [`SET`] in `keys`.
    pub(crate) fn keygen(&self, more: &str) -> Run {
        self.good(&format!("xmss keygen --scheme {SET} --start 0 --active 256 --out keys {more}"))
    }
}

#[cfg(unix)]
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("created");
    fs::set_permissions(to, fs::metadata(from).expect("there").permissions()).expect("ours");
    for entry in fs::read_dir(from).expect("there") {
        let entry = entry.expect("readable");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Run {
    /// Checks the exit code and that there is exactly one error line, and after it a hint at most.
    pub(crate) fn check_bad(&self, args: &str, code: i32) {
        assert_eq!(self.code, Some(code), "{args}: {}", self.stderr);
        let lines: Vec<_> = self.stderr.lines().filter(|line| !line.starts_with("phalanx: note: ")).collect();
        let is_good = match lines[..] {
            [error] => error.starts_with("phalanx: error: "),
            [error, hint] => error.starts_with("phalanx: error: ") && hint.starts_with("phalanx: hint: "),
            _ => false,
        };
        assert!(is_good, "{args}: {}", self.stderr);
        assert!(lines.iter().all(|line| !line.ends_with('.')), "{args}: {}", self.stderr);
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

/// 32 bytes of `n` as 64 digits.
pub(crate) fn message(n: u8) -> String {
    format!("{n:02x}").repeat(32)
}

/// The arguments that sign message `n` at `epoch` into `out`.
pub(crate) fn sign(epoch: u64, n: u8, out: &str) -> String {
    format!(
        "xmss sign --secret-key keys/secret-key.ssz --scheme {SET} --epoch {epoch} --message-hex {} --out {out}",
        message(n)
    )
}

/// The arguments that begin a ledger on purpose for the key in `secret_key`, whose name is `key_id`.
pub(crate) fn adopt(secret_key: &str, key_id: &str, from: u64) -> String {
    format!(
        "ledger adopt --secret-key {secret_key} --scheme {SET} --yes-key-id {key_id} --i-accept-epoch {from} --reason test"
    )
}

/// The arguments that verify it.
pub(crate) fn verify(epoch: u64, n: u8, signature: &str) -> String {
    format!(
        "xmss verify --public-key keys/public-key.ssz --scheme {SET} --epoch {epoch} --message-hex {} --signature {signature}",
        message(n)
    )
}

/// A file of `vectors/xmss`.
pub(crate) fn vector(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/xmss").join(name)
}

/// A file of `vectors/ed25519`.
pub(crate) fn ed25519_vector(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/ed25519").join(name)
}

/// A file of `vectors/ligerito-own`.
pub(crate) fn ligerito_vector(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/ligerito-own").join(name)
}

/// A file of `vectors/ligerito`.
pub(crate) fn reference_vector(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/ligerito").join(name)
}

/// The first key of an end-to-end vector file.
pub(crate) fn first_key(name: &str) -> serde_json::Value {
    let bytes = fs::read(vector(name)).expect("the vector file is there");
    let mut keys: Vec<serde_json::Value> = serde_json::from_slice(&bytes).expect("vector files are JSON");
    keys.swap_remove(0)
}

/// Some point of Ligerito's: `variables` coordinates.
pub(crate) fn point(seed: u128, variables: usize) -> String {
    let coordinate = |j: usize| format!("{:032x}", (seed << 100) ^ (seed * 77 + j as u128).pow(3));
    (0..variables).map(coordinate).collect::<Vec<_>>().join(",")
}
