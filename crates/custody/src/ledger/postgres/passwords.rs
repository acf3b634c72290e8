//! The file of passwords that PostgreSQL's own programs read: lines `host:port:database:user:password`, of which the first
//! that fits counts (PostgreSQL's documentation, "The Password File").
#![forbid(unsafe_code)]

use crate::ledger::refused::{LedgerError, Problem};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use tokio_postgres::Config;
use tokio_postgres::config::Host;
use zeroize::Zeroizing;

/// More than any such file has.
const MAX_BYTES: usize = 1 << 16;

/// The password for a connection as `config` says, where the file at `path` has one.
pub(super) fn find(path: &Path, config: &Config) -> Result<Option<Zeroizing<Vec<u8>>>, LedgerError> {
    let refused = |what: &dyn std::fmt::Display| {
        LedgerError::new(Problem::Malformed, format_args!("the file of passwords {}: {what}", path.display()))
    };
    let file = File::open(path).map_err(|error| refused(&error))?;
    let metadata = file.metadata().map_err(|error| refused(&error))?;
    let own = [0, rustix::process::geteuid().as_raw()];
    if !metadata.is_file() || metadata.mode() & 0o077 != 0 || !own.contains(&metadata.uid()) {
        return Err(LedgerError::new(
            Problem::InsecureFiles,
            format_args!("the file of passwords {}: others than its owner can reach it", path.display()),
        ));
    }
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_BYTES + 1));
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| refused(&error))?;
    if bytes.len() > MAX_BYTES {
        return Err(refused(&"it is too long"));
    }
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.starts_with(b"#"));
    Ok(lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)).find_map(|line| matching(line, config)))
}

/// The password of a line, if its other fields fit.
fn matching(line: &[u8], config: &Config) -> Option<Zeroizing<Vec<u8>>> {
    let (host, line) = field(line)?;
    let (port, line) = field(line)?;
    let (database, line) = field(line)?;
    let (user, line) = field(line)?;
    let fits = |field: &[u8], value: &[u8]| field == b"*" || field == value;
    let of_host = |known: &Host| match known {
        Host::Tcp(name) => fits(&host, name.as_bytes()),
        // A socket in the file system is known by its folder, or as this machine.
        Host::Unix(folder) => fits(&host, folder.as_os_str().as_encoded_bytes()) || &host[..] == b"localhost",
    };
    let name = config.get_user().unwrap_or_default();
    let ports = config.get_ports();
    let is_port = |number: u16| fits(&port, number.to_string().as_bytes());
    let is_fitting = config.get_hosts().iter().all(of_host)
        && (if ports.is_empty() { is_port(5432) } else { ports.iter().all(|&number| is_port(number)) })
        && fits(&database, config.get_dbname().unwrap_or(name).as_bytes())
        && fits(&user, name.as_bytes());
    is_fitting.then(|| field(line).map_or_else(|| unescaped(line), |(password, _)| password))
}

/// The text before the first colon without a backslash, and what follows it.
fn field(line: &[u8]) -> Option<(Zeroizing<Vec<u8>>, &[u8])> {
    let mut is_escaped = false;
    let end = line.iter().position(|&byte| {
        let is_end = byte == b':' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })?;
    Some((unescaped(&line[..end]), &line[end + 1..]))
}

/// A backslash stands before a colon or a backslash.
fn unescaped(text: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(text.len()));
    let mut is_escaped = false;
    for &byte in text {
        if byte == b'\\' && !is_escaped {
            is_escaped = true;
        } else {
            bytes.push(byte);
            is_escaped = false;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::find;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_first_line_that_fits_counts() {
        let path = std::env::temp_dir().join(format!("phalanx-pgpass-{}", std::process::id()));
        let lines = "# host:port:database:user:password\nelsewhere:*:*:*:no\ndb:6000:*:*:port\n\
            db:*:other:*:other\ndb:5432:keys:b:b\ndb:*:*:a\\:1:with\\:colon\\\\ and more:ignored\n\
            localhost:*:*:a:socket\r\n/run/pg:*:*:b:folder\n*:*:*:last:x y \nshort:line\n";
        fs::write(&path, lines).expect("a file");
        let mode = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
        mode(0o600);
        let found = |url: &str| {
            let found = find(&path, &url.parse().expect("a URL")).expect("it can be read");
            found.map(|bytes| String::from_utf8(bytes.to_vec()).expect("a text"))
        };
        for (url, password) in [
            ("postgres://b@db/keys", Some("b")),
            ("postgres://b@db:5432/keys", Some("b")),
            ("postgres://b@db:6000/keys", Some("port")),
            ("postgres://b@db/other", Some("other")),
            ("postgres://b@db/more", None),
            ("postgres://a%3A1@db/more", Some("with:colon\\ and more")),
            ("postgres:///keys?host=/run/pg&user=a", Some("socket")),
            ("postgres:///keys?host=/run/pg&user=b", Some("folder")),
            ("postgres://last@anywhere/keys", Some("x y ")),
            ("postgres://b@db,elsewhere/keys", None),
            ("postgres://short@nowhere/keys", None),
        ] {
            assert_eq!(found(url).as_deref(), password, "{url}");
        }
        for (bad, problem) in [(0o640, "insecure_files"), (0o604, "insecure_files")] {
            mode(bad);
            let refused = find(&path, &"postgres://b@db/keys".parse().expect("a URL")).expect_err("too open");
            assert_eq!(refused.code(), problem);
        }
        mode(0o600);
        fs::write(&path, vec![b'x'; (1 << 16) + 1]).expect("a file");
        let refused = find(&path, &"postgres://b@db/keys".parse().expect("a URL")).expect_err("too long");
        assert_eq!(refused.code(), "malformed");
        fs::remove_file(&path).expect("a file");
        let refused = find(&path, &"postgres://b@db/keys".parse().expect("a URL")).expect_err("gone");
        assert_eq!(refused.code(), "malformed");
    }
}
