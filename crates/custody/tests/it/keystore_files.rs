//! Keystores on the disk: who may read them, and that writing is whole or not at all.

use crate::keystore_writing::{ACCEPT, CHEAP, password, sealed};
use phalanx_custody::keystore::file::{self, Access, FileError};
use phalanx_custody::keystore::{Keystore, SealedFile};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of mode 0700 that goes with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("custody-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = phalanx_testing::place().join(name);
        fs::create_dir_all(&path).expect("the target folder can be written");
        mode(&path, 0o700);
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
}

fn refusal(result: Result<Keystore, FileError>) -> &'static str {
    match result {
        Err(FileError::Refused { what, .. }) => what,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it was read"),
    }
}

#[test]
fn a_new_file_is_whole_and_private() {
    let folder = Folder::new();
    let path = folder.path("new/folder/key.json");
    let file = sealed(1, 0..32, "p");
    file::create(&path, &file).expect("the folder can be made");
    assert_eq!(fs::read(&path).expect("it is there"), file.as_bytes());
    let bits = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(bits(&path), 0o600);
    assert_eq!(bits(&folder.path("new/folder")), 0o700);
    assert!(file::leftovers(&folder.path("new/folder")).expect("it can be listed").is_empty());
    assert!(matches!(file::create(&path, &file), Err(FileError::Exists { .. })));
    assert_eq!(fs::read_dir(folder.path("new/folder")).expect("it can be listed").count(), 1);
    // Also a link that leads nowhere is in the way.
    symlink("nowhere", folder.path("new/folder/link.json")).expect("links can be made");
    let link = file::create(&folder.path("new/folder/link.json"), &file);
    assert!(matches!(link, Err(FileError::Exists { .. })));
}

#[test]
fn folders_of_others_are_refused() {
    let folder = Folder::new();
    let file = sealed(1, 0..32, "p");
    for bits in [0o750, 0o701, 0o770, 0o777] {
        mode(&folder.path(""), bits);
        let refused = file::create(&folder.path("key.json"), &file);
        assert!(matches!(refused, Err(FileError::Refused { .. })), "{bits:o}");
    }
    assert_eq!(fs::read_dir(folder.path("")).expect("it can be listed").count(), 0);
}

#[test]
fn files_that_others_can_reach_are_refused() {
    let folder = Folder::new();
    let path = folder.path("key.json");
    file::create(&path, &sealed(1, 0..32, "p")).expect("the folder is ours");
    for bits in [0o640, 0o604, 0o620, 0o660, 0o601] {
        mode(&path, bits);
        let what = refusal(file::read(&path, Access::default()));
        assert_eq!(what, "can be read or written by others than its owner", "{bits:o}");
    }
    let of_root = fs::metadata(&path).is_ok_and(|metadata| {
        use std::os::unix::fs::MetadataExt;
        metadata.uid() == 0
    });
    let shared = Access { group_may_read_files_of_root: true };
    mode(&path, 0o640);
    assert_eq!(file::read(&path, shared).is_ok(), of_root);
    mode(&path, 0o660);
    assert!(file::read(&path, shared).is_err());
    mode(&path, 0o600);
    assert!(file::read(&path, Access::default()).is_ok());

    symlink(&path, folder.path("link.json")).expect("links can be made");
    assert!(file::read(&folder.path("link.json"), Access::default()).is_ok(), "a symbolic link is followed");
    fs::hard_link(&path, folder.path("second.json")).expect("links can be made");
    assert_eq!(refusal(file::read(&path, Access::default())), "has more than one name (hard links)");
}

#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = Folder::new();
    assert_eq!(refusal(file::read(&folder.path(""), Access::default())), "is not a regular file");
    assert_eq!(refusal(file::read(Path::new("/dev/null"), Access::default())), "is not a regular file");
    let absent = file::read(&folder.path("none.json"), Access::default());
    assert!(matches!(absent, Err(FileError::System { action: "open", .. })));
}

#[test]
fn replacing_is_for_the_same_key_alone() {
    let folder = Folder::new();
    let path = folder.path("key.json");
    let first = sealed(1, 0..32, "old");
    file::create(&path, &first).expect("the folder is ours");
    symlink("key.json", folder.path("link.json")).expect("links can be made");
    let change = |old: &Keystore, new: &str| {
        SealedFile::with_password(old, &password("old"), ACCEPT, &password(new), CHEAP)
            .expect("the password is right")
    };
    let opened = file::read(&folder.path("link.json"), Access::default()).expect("it is ours");
    let new = change(&opened, "new");
    file::replace(&folder.path("link.json"), &opened, &new).expect("it is the same key");
    assert_eq!(fs::read(&path).expect("it is there"), new.as_bytes());
    let link = fs::symlink_metadata(folder.path("link.json")).expect("it is there");
    assert!(link.is_symlink());

    // Another file has come in between.
    fs::write(&path, sealed(2, 0..32, "old").as_bytes()).expect("it is ours");
    let refused = file::replace(&path, &opened, &change(&opened, "newer"));
    assert!(matches!(refused, Err(FileError::Refused { what: "is not the keystore that was opened", .. })));
    // The same key under another name.
    fs::write(&path, sealed(1, 0..32, "old").as_bytes()).expect("it is ours");
    assert!(file::replace(&path, &opened, &change(&opened, "newer")).is_err());
    assert!(file::leftovers(&folder.path("")).expect("it can be listed").is_empty());
}

#[test]
fn a_full_disk_leaves_nothing() {
    // A limit on the size of files stands in for the disk: one for the whole process, so in one of its own.
    let folder = Folder::new();
    let mut child = crate::keystore_crash::child_on_full_disk(&folder.path("key.json"));
    let child = child.output().expect("the test program starts");
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
    assert_eq!(fs::read_dir(folder.path("")).expect("it can be listed").count(), 0);
}
