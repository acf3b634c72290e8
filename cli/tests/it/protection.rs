//! An epoch signs one message, whatever processes do.

use crate::support::{Folder, Run, message, sign, verify};
use std::fs;
use std::path::Path;

const RECORD: &str = "keys/secret-key.ssz.epochs";
const LEDGER: &str = "keys/secret-key.ssz.ledger";

#[test]
fn a_second_message_is_refused() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(9, 1, "a"));
    let refused = folder.bad(&sign(9, 2, "b"), 3);
    assert_eq!(
        refused.stderr,
        "phalanx: error: epoch 9: the epoch has already signed another message, or is closed (epoch_used)\n"
    );
    assert!(!folder.exists("b"));
    let again = folder.good(&format!("{} --json", sign(9, 1, "c")));
    assert_eq!(again.json()["again"], true);
    assert_eq!(folder.read("a"), folder.read("c"), "the same message gives the same bytes");
}

#[test]
fn many_processes_sign_one_message() {
    let folder = Folder::new();
    folder.keygen("");
    let children: Vec<_> = (0..24).map(|n| (n, folder.start(&sign(3, n, &format!("s{n}"))))).collect();
    let mut signed = Vec::new();
    for (n, child) in children {
        let run: Run = child.wait_with_output().expect("it ends").into();
        match run.code {
            Some(0) => signed.push(n),
            _ => {
                run.check_bad("sign", 3);
                assert!(!folder.exists(&format!("s{n}")));
            }
        }
    }
    let [n] = signed[..] else { panic!("signed: {signed:?}") };
    folder.good(&verify(3, n, &format!("s{n}")));
}

#[test]
fn many_processes_sign_many_epochs() {
    let folder = Folder::new();
    folder.keygen("");
    // Within the prepared interval, so that none passes another by.
    let children: Vec<_> = (0..24).map(|n| folder.start(&sign(n.into(), n, &format!("s{n}")))).collect();
    for child in children {
        let run: Run = child.wait_with_output().expect("it ends").into();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    for n in 0..24 {
        folder.good(&verify(n.into(), n, &format!("s{n}")));
        folder.bad(&sign(n.into(), n + 1, "other"), 3);
    }
    assert_eq!(folder.status(LEDGER)["remaining"], 256 - 24);
}

/// Killed at any moment, a process has either not released its signature, or its epoch is closed.
#[test]
fn killed_processes_leave_no_open_epoch() {
    let folder = Folder::new();
    folder.keygen("");
    let mut released = 0;
    for n in 0..48u32 {
        let (first, second) = (format!("a{n}"), format!("b{n}"));
        let mut child = folder.start(&sign(n.into(), 1, &first));
        std::thread::sleep(std::time::Duration::from_micros(250) * n);
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().expect("it ends");
        let run = folder.run(&sign(n.into(), 2, &second));
        assert_eq!(folder.exists(&second), run.code == Some(0), "{}", run.stderr);
        assert!(matches!(run.code, Some(0 | 3)), "{}", run.stderr);
        assert!(!(folder.exists(&first) && folder.exists(&second)), "epoch {n} signed twice");
        released += u32::from(folder.exists(&first));
    }
    assert!(released < 48, "no process was killed in time");
}

#[test]
fn a_ledger_belongs_to_its_key() {
    let folder = Folder::new();
    folder.keygen("");
    fs::rename(folder.path("keys"), folder.path("others")).expect("renamed");
    folder.keygen("");
    fs::rename(folder.path(LEDGER), folder.path("mine")).expect("renamed");
    fs::rename(folder.path("others/secret-key.ssz.ledger"), folder.path(LEDGER)).expect("renamed");
    let refused = folder.bad(&sign(1, 1, "a"), 3);
    assert!(refused.stderr.contains("kept in another ledger"), "{}", refused.stderr);
    fs::copy(folder.path("others/secret-key.ssz"), folder.path("keys/secret-key.ssz")).expect("copied");
    let refused = folder.bad(&sign(1, 1, "a"), 2);
    assert!(refused.stderr.contains("is not the key that"), "{}", refused.stderr);
}

#[test]
fn generating_the_same_key_again_keeps_its_ledger() {
    let folder = Folder::new();
    let seed = message(0x11);
    folder.keygen(&format!("--insecure-seed-hex {seed}"));
    folder.good(&sign(1, 1, "a"));
    folder.keygen(&format!("--insecure-seed-hex {seed} --force"));
    folder.bad(&sign(1, 2, "b"), 3);
}

#[test]
fn a_converted_key_takes_its_ledger_along() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(1, 1, "a"));
    folder.good("convert keys/secret-key.ssz key.bincode --to bincode");
    let args = sign(1, 2, "b").replace("keys/secret-key.ssz", "key.bincode");
    folder.bad(&format!("{args} --format bincode"), 3);
    folder.good(&format!("{} --format bincode", args.replace(&message(2), &message(1))));
    // The file that it came from signs nothing any more, not even the same message.
    let refused = folder.bad(&sign(1, 1, "c"), 3);
    assert!(refused.stderr.contains("has moved to another file"), "{}", refused.stderr);
    folder.bad(&sign(2, 1, "c"), 3);
    // What is made of that file now is a copy without the right to sign.
    folder.good("convert keys/secret-key.ssz third --to json");
    folder.bad(&format!("{} --format json", sign(2, 1, "c").replace("keys/secret-key.ssz", "third")), 3);
    assert!(folder.read(RECORD).starts_with(b"phalanx-epochs v2 moved-to-ledger "));
    // Nor does a conversion take the place of a file that has it.
    folder.bad("convert keys/secret-key.ssz key.bincode --to bincode --force", 3);
    // And back again.
    folder.good("convert key.bincode keys/secret-key.ssz --to ssz --force");
    assert!(!folder.exists(RECORD));
    folder.good(&sign(2, 1, "c"));
    let other = args.replace("--epoch 1", "--epoch 3").replace("--out b", "--out d");
    folder.bad(&format!("{other} --format bincode"), 3);
}

/// A symbolic link to a key is the key.
#[cfg(unix)]
#[test]
fn links_share_the_ledger() {
    let folder = Folder::new();
    folder.keygen("");
    std::os::unix::fs::symlink(folder.path("keys/secret-key.ssz"), folder.path("link")).expect("linked");
    folder.good(&sign(1, 1, "a"));
    folder.bad(&sign(1, 2, "b").replace("keys/secret-key.ssz", "link"), 3);
    folder.good(&sign(100, 1, "c").replace("keys/secret-key.ssz", "link"));
    assert!(fs::symlink_metadata(folder.path("link")).expect("there").is_symlink());
}

/// A home that cannot hold a state folder: nothing is generated or signed, and it is said what to set.
#[test]
fn without_a_state_folder_nothing_is_signed() {
    let folder = Folder::new();
    folder.keygen("");
    folder.write("file", "");
    let elsewhere = |args: &str, home: Option<&Path>, state: Option<&Path>| -> Run {
        let mut command = folder.command(args);
        command.env_remove("XDG_STATE_HOME").env_remove("HOME").env_remove("LOCALAPPDATA");
        home.map(|home| command.env("HOME", home));
        state.map(|state| command.env("XDG_STATE_HOME", state));
        command.output().expect("the program starts").into()
    };
    let keygen = "xmss keygen --scheme xmss-poseidon2-l8-d64b8 --start 0 --active 16 --out new";
    let (file, fresh) = (folder.path("file"), folder.path("fresh"));
    let places: [(Option<&Path>, Option<&Path>); 5] = [
        (None, None),
        (Some(&file), None),
        (None, Some(&file)),
        (None, Some(Path::new("relative"))),
        (Some(Path::new("/proc/nowhere")), None),
    ];
    for (home, state) in places {
        let run = elsewhere(keygen, home, state);
        run.check_bad(keygen, 4);
        assert!(run.stderr.contains("XDG_STATE_HOME"), "{}", run.stderr);
        assert!(!folder.exists("new"));
    }
    // Another state folder does not know the key.
    elsewhere(&sign(1, 1, "a"), Some(&fresh), None).check_bad("sign", 3);
    elsewhere(&sign(1, 1, "a"), None, Some(&fresh)).check_bad("sign", 3);
    assert_eq!(elsewhere(keygen, Some(&fresh), None).code, Some(0));
    assert!(folder.exists("fresh/.local/state/phalanx") || cfg!(windows));
    assert!(!folder.exists("a"));
}
