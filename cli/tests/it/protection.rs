//! An epoch signs one message, whatever processes do.

use crate::support::{Folder, Run, message, sign, verify};
use std::fs;
use std::path::Path;

const RECORD: &str = "keys/secret-key.ssz.epochs";

#[test]
fn a_second_message_is_refused() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(9, 1, "a"));
    let refused = folder.bad(&sign(9, 2, "b"), 3);
    assert_eq!(refused.stderr, "phalanx: error: epoch 9 has already signed another message\n");
    assert!(!folder.exists("b"));
    let again = folder.good(&format!("{} --json", sign(9, 1, "c")));
    assert_eq!(again.json()["again"], true);
    assert_eq!(folder.read("a"), folder.read("c"), "the same message gives the same bytes");
    // The repetition is written again: nobody knows whether the first writer could flush.
    let lines = |name: &str| lines_of(&folder, name);
    assert_eq!(lines(RECORD).len(), 3);
    assert_eq!(lines(RECORD)[1], lines(RECORD)[2]);
    assert_eq!(lines(RECORD)[1..], lines(&folder.witness())[1..], "both files say the same");
}

fn lines_of(folder: &Folder, name: &str) -> Vec<String> {
    String::from_utf8_lossy(&folder.read(name)).lines().map(str::to_owned).collect()
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
    assert_eq!(String::from_utf8_lossy(&folder.read(RECORD)).lines().count(), 25);
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

/// The last write cut short after every byte, in either file or in both, as a full disk or a crash leaves it: what can
/// be read stays closed, all else signs on. No key is lost.
#[test]
fn torn_records_sign_on() {
    let folder = Folder::new();
    folder.keygen("");
    folder.good(&sign(4, 1, "a"));
    let (near, witness) = (folder.read(RECORD), folder.read(&folder.witness()));
    folder.good(&sign(5, 1, "b"));
    let (whole_near, whole_witness) = (folder.read(RECORD), folder.read(&folder.witness()));
    assert_eq!(whole_near.len(), near.len() + 76);
    let line = &whole_near[near.len()..];
    for cut in [0, 1, 9, 10, 11, 40, 75, 76] {
        for (cut_near, cut_witness) in [(0, cut), (cut, cut), (cut, 76)] {
            folder.write(RECORD, [&near, &line[..cut_near]].concat());
            folder.write(&folder.witness(), [&witness, &line[..cut_witness]].concat());
            // The same message may sign if the whole line is there, or nothing of it that can be read.
            let is_whole = cut_witness == 76 || cut_near == 76;
            let is_open = cut_witness < 10 && cut_near < 10;
            let again = folder.run(&format!("{} --force", sign(5, 1, "c")));
            let wanted = if is_whole || is_open { 0 } else { 3 };
            assert_eq!(again.code, Some(wanted), "{cut_near} {cut_witness}: {}", again.stderr);
            folder.bad(&sign(5, 2, "d"), 3);
            folder.bad(&sign(4, 2, "d"), 3);
            folder.good(&format!("{} --force", sign(6, 1, "e")));
            folder.bad(&sign(6, 2, "d"), 3);
            assert_eq!(lines_of(&folder, RECORD)[1..], lines_of(&folder, &folder.witness())[1..]);
        }
    }
    // Blocks that were never written show as zeros.
    folder.write(RECORD, [&whole_near[..], &[0; 76]].concat());
    folder.write(&folder.witness(), &whole_witness);
    folder.good(&format!("{} --force", sign(6, 1, "e")));
    folder.bad(&sign(5, 2, "d"), 3);
}

/// More than a last write is missing, or something else stands there: nothing is signed.
#[test]
fn damaged_records_fail_closed() {
    let folder = Folder::new();
    folder.keygen("");
    for n in 0..4 {
        folder.good(&sign(n.into(), n, &format!("s{n}")));
    }
    let witness = folder.witness();
    for name in [RECORD, &witness] {
        let whole = folder.read(name);
        let header = whole.iter().position(|&byte| byte == b'\n').expect("a first line") + 1;
        let (two_less, text) = (whole.len() - 2 * 76, String::from_utf8_lossy(&whole).into_owned());
        let exchanged = text.replacen("0000000001 ", "0000000009 ", 1);
        let damaged: [&[u8]; 9] = [
            b"",
            &whole[..1],
            &whole[..header - 1],
            &whole[..header],
            &whole[..two_less],
            exchanged.as_bytes(),
            &[&whole[..header], b"garbage\n", &whole[header..]].concat(),
            b"phalanx-epochs v9 x y\n",
            b"phalanx-epochs v2 moved-to-ledger 0\n",
        ];
        for bytes in damaged {
            folder.write(name, bytes);
            for epoch in [2, 3, 8] {
                let refused = folder.bad(&sign(epoch, 99, "new"), 3);
                assert!(refused.stderr.contains("hint") || epoch < 4, "{}", refused.stderr);
            }
            assert!(!folder.exists("new"));
        }
        folder.write(name, &whole);
    }
    folder.good(&sign(8, 1, "good"));
}

#[test]
fn a_record_belongs_to_its_key() {
    let folder = Folder::new();
    folder.keygen("");
    fs::rename(folder.path("keys"), folder.path("others")).expect("renamed");
    folder.keygen("");
    fs::copy(folder.path("others/secret-key.ssz.epochs"), folder.path(RECORD)).expect("copied");
    let refused = folder.bad(&sign(1, 1, "a"), 3);
    assert!(refused.stderr.contains("belongs to another key"), "{}", refused.stderr);
    fs::copy(folder.path("others/secret-key.ssz"), folder.path("keys/secret-key.ssz")).expect("copied");
    let refused = folder.bad(&sign(1, 1, "a"), 2);
    assert!(refused.stderr.contains("is not the key that"), "{}", refused.stderr);
}

#[test]
fn generating_the_same_key_again_keeps_its_record() {
    let folder = Folder::new();
    let seed = message(0x11);
    folder.keygen(&format!("--insecure-seed-hex {seed}"));
    folder.good(&sign(1, 1, "a"));
    folder.keygen(&format!("--insecure-seed-hex {seed} --force"));
    folder.bad(&sign(1, 2, "b"), 3);
}

#[test]
fn a_converted_key_takes_its_record_along() {
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
    folder.bad("convert keys/secret-key.ssz third --to json", 3);
    // And back again.
    folder.good("convert key.bincode keys/secret-key.ssz --to ssz --force");
    folder.good(&sign(2, 1, "c"));
    let other = args.replace("--epoch 1", "--epoch 3").replace("--out b", "--out d");
    folder.bad(&format!("{other} --format bincode"), 3);
}

/// A symbolic link to a key is the key.
#[cfg(unix)]
#[test]
fn links_share_the_record() {
    let folder = Folder::new();
    folder.keygen("");
    std::os::unix::fs::symlink(folder.path("keys/secret-key.ssz"), folder.path("link")).expect("linked");
    folder.good(&sign(1, 1, "a"));
    folder.bad(&sign(1, 2, "b").replace("keys/secret-key.ssz", "link"), 3);
    folder.good(&sign(100, 1, "c").replace("keys/secret-key.ssz", "link"));
    assert!(fs::symlink_metadata(folder.path("link")).expect("there").is_symlink());
}

#[cfg(unix)]
#[test]
fn without_a_durable_record_nothing_is_signed() {
    let folder = Folder::new();
    folder.keygen("");
    let witness = folder.witness();
    for name in [RECORD, &witness] {
        let whole = folder.read(name);
        fs::remove_file(folder.path(name)).expect("it was there");
        fs::create_dir(folder.path(name)).expect("created");
        folder.bad(&sign(1, 1, "a"), 3);
        fs::remove_dir(folder.path(name)).expect("empty");
        folder.write("elsewhere", &whole);
        folder.chmod("elsewhere", 0o600);
        std::os::unix::fs::symlink(folder.path("elsewhere"), folder.path(name)).expect("linked");
        let refused = folder.bad(&sign(1, 1, "a"), 3);
        assert!(refused.stderr.contains("is not a regular file"), "{}", refused.stderr);
        fs::remove_file(folder.path(name)).expect("it is there");
        folder.write(name, &whole);
        folder.chmod(name, 0o600);
    }
    assert!(!folder.exists("a"));
    folder.good(&sign(1, 1, "a"));
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
