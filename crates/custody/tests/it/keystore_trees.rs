//! The cache of trees: it gives the key back, or nothing.

use crate::keystore_files::Folder;
use crate::keystore_writing::{ACCEPT, CHEAP, password, sealed};
use phalanx_core::Threads;
use phalanx_custody::keystore::file::FileError;
use phalanx_custody::keystore::{KeySecret, Keystore, NewKey, OpenKey, Role, SealedFile, trees};
use phalanx_xmss::{Format, Inline, ParameterSet, SigningKey};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::time::Instant;

fn open(seed: u8) -> OpenKey {
    let file = sealed(seed, 96..144, "p");
    let keystore = Keystore::parse(file.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    keystore.open(&password("p"), ACCEPT).unwrap_or_else(|error| panic!("{error}"))
}

fn key(open: &OpenKey, trees: &Path) -> SigningKey {
    open.cached_signing_key_on(&Inline, trees).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_cache_gives_the_key_back() {
    let folder = Folder::new();
    let path = trees::path_beside(&folder.path("key.json"));
    assert_eq!(path, folder.path("key.json.trees"));
    let open = open(1);
    let mut computed = key(&open, &path);
    let cache = fs::read(&path).expect("it was written");
    assert!(
        !cache
            .windows(16)
            .any(|window| computed.to_bytes(Format::Ssz)[..32].windows(16).any(|k| k == window))
    );
    // What is read is what was written: the interval that is prepared, too.
    assert!(computed.advance().expect("its own tree"), "there is a next tree");
    open.keep_trees(&path, &computed).expect("it is the same key");
    let read = key(&open, &path);
    assert_eq!(read.prepared_interval(), 112..144);
    assert!(read.to_bytes(Format::Ssz) == computed.to_bytes(Format::Ssz));
    // Safe to delete.
    fs::remove_file(&path).expect("it is ours");
    assert_eq!(key(&open, &path).prepared_interval(), 96..128);
    assert!(path.exists(), "written again");
}

#[test]
fn a_damaged_cache_gives_nothing() {
    let folder = Folder::new();
    let path = folder.path("trees");
    let open = open(1);
    let mut advanced = key(&open, &path);
    advanced.advance().expect("its own tree");
    open.keep_trees(&path, &advanced).expect("it is the same key");
    let good = fs::read(&path).expect("it was written");
    // A key that comes from the cache has moved on; one that was computed has not.
    let is_from_cache = || key(&open, &path).prepared_interval().start == 112;
    assert!(is_from_cache());
    for at in (0..good.len()).step_by(97) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        fs::write(&path, &bad).expect("it is ours");
        assert!(!is_from_cache(), "byte {at}");
    }
    // Nor does anything have to trust the checksum: whoever can write the file can make that right. The sibling of the
    // root, 32 bytes of padding that nothing is computed from, is all that can then be changed.
    let mut accepted = 0;
    for at in (0..good.len() - 32).step_by(61) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        let end = bad.len() - 32;
        let sum = Sha256::digest(&bad[..end]);
        bad[end..].copy_from_slice(&sum);
        fs::write(&path, &bad).expect("it is ours");
        accepted += usize::from(is_from_cache());
    }
    assert!(accepted <= 1, "{accepted} changes were accepted");
    for len in [0, 1, 31, 32, 100, good.len() - 1] {
        fs::write(&path, &good[..len]).expect("it is ours");
        assert!(!is_from_cache(), "{len} bytes");
    }
    fs::remove_file(&path).expect("it is ours");
    fs::create_dir(&path).expect("the folder is ours");
    assert!(!is_from_cache(), "a folder");
}

#[test]
fn a_cache_of_another_key_gives_nothing() {
    let folder = Folder::new();
    let path = folder.path("trees");
    let (mine, other) = (open(1), open(2));
    let mut of_other = key(&other, &path);
    of_other.advance().expect("its own tree");
    other.keep_trees(&path, &of_other).expect("it is the same key");
    assert_eq!(key(&mine, &path).prepared_interval(), 96..128);
    assert!(matches!(mine.keep_trees(&path, &of_other), Err(FileError::Keystore(_))));
    // Another interval of the same seed is another key.
    let set = ParameterSet::POSEIDON2_L8_D64B8;
    let sibling = SigningKey::from_seed(set, &[1; 32], 0..32).expect("the epochs fit");
    assert!(mine.keep_trees(&path, &sibling).is_err());
}

/// What a mapping of the file would save is little of what its nodes cost: each is hashed again, or nothing may be believed.
#[test]
#[ignore = "a key of 131,072 epochs, half a minute"]
fn reading_a_cache_is_little_of_what_its_hashes_cost() {
    let set = ParameterSet::POSEIDON2_L32_D64B8;
    let (folder, secret, pool) = (Folder::new(), KeySecret::from_seed(&[1; 32]), Threads::available());
    let begun = Instant::now();
    let made = SigningKey::from_seed(set, &[1; 32], 0..1 << 17).expect("the epochs fit");
    let computed = begun.elapsed();
    let new = NewKey::of_xmss_key(&made, &secret, Role::Attester, "").expect("they belong together");
    let file = SealedFile::new(&new, &password("p"), CHEAP).expect("it fits");
    let open = Keystore::parse(file.as_bytes()).and_then(|keystore| keystore.open(&password("p"), ACCEPT));
    let (open, path) = (open.unwrap_or_else(|error| panic!("{error}")), folder.path("trees"));
    open.keep_trees(&path, &made).expect("it is the same key");
    let best = |act: &dyn Fn()| {
        let once = |_| {
            let begun = Instant::now();
            act();
            begun.elapsed()
        };
        (0..5).map(once).min().expect("five")
    };
    let len = fs::metadata(&path).expect("it was written").len();
    let read = best(&|| assert_eq!(fs::read(&path).expect("it is there").len() as u64, len));
    let bytes = fs::read(&path).expect("it is there");
    let summed = best(&|| assert_ne!(Sha256::digest(&bytes)[..], [0; 32]));
    let whole = best(&|| drop(open.cached_signing_key_on(&pool, &path).expect("it is in the cache")));
    eprintln!(
        "{len} bytes: read {read:.2?}, summed {summed:.2?}, a key {whole:.2?}; computed {computed:.2?}"
    );
    assert!(read * 4 < whole && whole * 4 < computed);
}
