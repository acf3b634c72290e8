//! A PostgreSQL of the tests' own, in a temporary folder.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Where Debian's packages have the programs; elsewhere they are on the path, or nowhere.
fn programs() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let installed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
        let folders =
            installed.map(|entry| entry.path().join("bin")).filter(|bin| bin.join("initdb").exists());
        folders.max()
    };
    FOUND.get_or_init(find).as_deref()
}

/// A server, or none where PostgreSQL is not installed: that is said, and where it is required a failure.
pub struct Server {
    folder: Folder,
    process: Option<Child>,
    port: Option<u16>,
}

/// A folder that goes with its server.
struct Folder(PathBuf);

impl Folder {
    /// One that the user of the server can look into.
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("phalanx-postgres-{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a new folder");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
        Self(path)
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A program of PostgreSQL, which does not run as root.
fn command(program: &str) -> Command {
    let path = programs().expect("asked before").join(program);
    if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(path);
        command
    } else {
        Command::new(path)
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

/// Gives a folder and all in it to the user of the server.
fn give(path: &Path) {
    if !is_root() {
        return;
    }
    static USER: OnceLock<(u32, u32)> = OnceLock::new();
    let (user, group) = *USER.get_or_init(|| {
        let number = |flag| {
            let output = Command::new("id").args([flag, "postgres"]).output().expect("id runs");
            String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number")
        };
        (number("-u"), number("-g"))
    });
    chown(path, Some(user), Some(group)).expect("root gives");
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder") {
            give(&entry.expect("an entry").path());
        }
    }
}

fn done(mut command: Command) -> Output {
    let output = command.stdin(Stdio::null()).output().expect("the program runs");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Copies a folder with all its folders.
pub fn copy_all(from: &Path, to: &Path) {
    let mut copy = Command::new("cp");
    copy.arg("-a").arg(from).arg(to);
    done(copy);
}

impl Server {
    /// A new server that is running.
    #[must_use]
    pub fn start() -> Option<Self> {
        Self::start_with(None)
    }

    /// The same, also on a port of 127.0.0.1.
    #[must_use]
    pub fn start_with(port: Option<u16>) -> Option<Self> {
        if programs().is_none() {
            assert!(
                std::env::var_os("PHALANX_REQUIRE_POSTGRES").is_none(),
                "PostgreSQL is required, and not installed"
            );
            eprintln!("not run: PostgreSQL is not installed");
            return None;
        }
        let folder = Folder::new();
        fs::create_dir(folder.join("run")).expect("a folder");
        fs::create_dir(folder.join("data")).expect("a folder");
        give(&folder.0);
        let mut initdb = command("initdb");
        initdb.arg("-D").arg(folder.join("data"));
        initdb.args(["-A", "trust", "-U", "owner", "--no-sync", "-E", "UTF8", "--no-locale"]);
        done(initdb);
        let mut server = Self { folder, process: None, port };
        server.run();
        Some(server)
    }

    /// Another server, which begins with what this one stores, and has stopped. Promoted, it is a new history of it.
    #[must_use]
    pub fn copy(&self, is_promoted: bool) -> Self {
        let folder = Folder::new();
        fs::create_dir(folder.join("run")).expect("a folder");
        copy_all(&self.data(), &folder.join("data"));
        if is_promoted {
            fs::write(folder.join("data/standby.signal"), []).expect("a file");
        }
        give(&folder.0);
        let mut server = Self { folder, process: None, port: None };
        server.run();
        if is_promoted {
            assert_eq!(server.sql("SELECT pg_promote()"), "t");
        }
        server
    }

    /// Puts a copy of what it stored in the place of what it stores. It has stopped.
    pub fn put_back(&self, copy: &Path) {
        fs::remove_dir_all(self.data()).expect("a folder");
        copy_all(copy, &self.data());
    }

    /// Starts it, and waits until it answers.
    pub fn run(&mut self) {
        let begun = Instant::now();
        loop {
            let mut postgres = command("postgres");
            let port = self.port.unwrap_or(5432);
            postgres.arg("-D").arg(self.data()).arg("-k").arg(self.sockets());
            let listen = if self.port.is_some() { "127.0.0.1" } else { "" };
            postgres.args(["-c", &format!("listen_addresses={listen}"), "-c", &format!("port={port}")]);
            let log = fs::File::create(self.folder.join("log")).expect("a log");
            postgres.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
            let mut process = postgres.spawn().expect("it starts");
            while process.try_wait().expect("a child").is_none() {
                if self.try_sql("postgres", "SELECT 1").is_some() {
                    self.process = Some(process);
                    return;
                }
                sleep(Duration::from_millis(20));
            }
            // The processes of one that was killed may still be there.
            let log = || fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(begun.elapsed() < Duration::from_secs(30), "the server does not start: {}", log());
            sleep(Duration::from_millis(50));
        }
    }

    /// As a power failure does, but for what the system has not written yet.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().expect("it can be killed");
            process.wait().expect("it ends");
        }
    }

    /// Stops it cleanly.
    pub fn stop(&mut self) {
        let mut stop = command("pg_ctl");
        stop.arg("-D").arg(self.data()).args(["-m", "fast", "-w", "stop"]);
        done(stop);
        self.process.take().expect("it was running").wait().expect("it ends");
    }

    /// What it shows to those who connect over the network, when it is started again.
    pub fn use_certificate(&self, certificate: &Path, key: &Path) {
        for (from, name) in [(certificate, "server.crt"), (key, "server.key")] {
            let path = self.data().join(name);
            fs::copy(from, &path).expect("a file");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("a mode");
            give(&path);
        }
        let settings = self.data().join("postgresql.auto.conf");
        fs::write(&settings, "ssl = on\n").expect("a file");
    }

    /// The folder with everything that it stores.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// The folder of its local socket.
    #[must_use]
    pub fn sockets(&self) -> PathBuf {
        self.folder.join("run")
    }

    fn try_sql(&self, database: &str, sql: &str) -> Option<String> {
        let mut psql = command("psql");
        psql.arg("-h").arg(self.sockets()).args(["-p", &self.port.unwrap_or(5432).to_string()]);
        psql.args(["-U", "owner", "-d", database, "-v", "ON_ERROR_STOP=1", "-At", "-c", sql]);
        let output = psql.stdin(Stdio::null()).output().expect("psql runs");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// What the owner of the database is answered.
    pub fn sql(&self, sql: &str) -> String {
        self.try_sql("postgres", sql).unwrap_or_else(|| panic!("refused: {sql}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        // Its other processes see that, and write nothing afterwards.
        sleep(Duration::from_millis(100));
    }
}
