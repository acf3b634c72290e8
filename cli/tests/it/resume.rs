//! A key generation that is interrupted and taken up again gives the key of one that was not.

use crate::support::{Folder, Run, message};
use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

const SCHEME: &str = "xmss-poseidon2-l18-d64b8";

/// The arguments; one thread, so that the run lasts.
fn keygen(active: u64, out: &str, more: &str) -> String {
    format!("xmss keygen --scheme {SCHEME} --start 0 --active {active} --out {out} --threads 1 {more}")
}

/// Begins a generation and interrupts it midway, whatever the speed of the machine.
fn interrupt(folder: &Folder, args: &str, signal: &str, whole: Duration) -> Run {
    let mut delay = whole.mul_f64(0.4);
    for _ in 0..10 {
        let child = folder.start(args);
        sleep(delay);
        let pid = child.id().to_string();
        assert!(
            Command::new("kill").args([signal, &pid]).status().expect("kill runs").success() || delay > whole
        );
        let run: Run = child.wait_with_output().expect("it ends").into();
        match run.code {
            Some(130) => return run,
            // Faster than the first time.
            Some(0) => {
                fs::remove_dir_all(folder.path("keys")).expect("it was written");
                delay /= 2;
            }
            // Before it watched for interrupts.
            None => delay = delay.mul_f64(1.5),
            other => panic!("{other:?}: {}", run.stderr),
        }
    }
    panic!("no interrupt came midway");
}

#[test]
fn an_interrupted_key_is_the_same_key() {
    let folder = Folder::new();
    folder.write("other-seed", message(0xac));
    let (mut active, mut seed) = (8192, 0);
    let whole = loop {
        // A seed for each interval: the state folder remembers those that were.
        seed += 1;
        folder.write("seed", message(seed));
        let clock = Instant::now();
        folder.good(&keygen(active, "wanted", "--seed-file seed --force"));
        if clock.elapsed() > Duration::from_millis(900) {
            break clock.elapsed();
        }
        active *= 2;
    };
    let args = keygen(active, "keys", "--seed-file seed");
    let stopped = interrupt(&folder, &args, "-INT", whole);
    stopped.check_bad(&args, 130);
    assert!(stopped.stderr.contains("hint: run the same command again to resume"), "{}", stopped.stderr);
    assert_eq!(folder.mode("keys/keygen.checkpoint"), 0o600);
    assert!(!folder.exists("keys/secret-key.ssz"));
    let checkpoint = folder.read("keys/keygen.checkpoint");
    let text = String::from_utf8_lossy(&checkpoint);
    assert!(!text.contains(&message(seed)), "the user's seed is not kept");

    refuses_what_does_not_fit(&folder, active, &checkpoint);

    let resumed = folder.good(&args);
    assert!(
        resumed.stderr.starts_with("phalanx: note: resuming 'keys/keygen.checkpoint'"),
        "{}",
        resumed.stderr
    );
    for name in ["secret-key.ssz", "public-key.ssz", "key.json"] {
        assert!(folder.read(&format!("keys/{name}")) == folder.read(&format!("wanted/{name}")), "{name}");
    }
    assert!(!folder.exists("keys/keygen.checkpoint"));
}

/// Another seed, none, another interval or set, and damage.
fn refuses_what_does_not_fit(folder: &Folder, active: u64, checkpoint: &[u8]) {
    let wrong = [
        keygen(active, "keys", "--seed-file other-seed"),
        keygen(active, "keys", ""),
        keygen(active - 512, "keys", "--seed-file seed"),
        keygen(active, "keys", "--seed-file seed").replace(SCHEME, "xmss-poseidon2-l32-d64b8"),
    ];
    for args in wrong {
        let refused = folder.bad(&args, 2);
        assert!(
            refused.stderr.contains("checkpoint") && refused.stderr.contains("hint"),
            "{}",
            refused.stderr
        );
    }
    for at in [0, 5, checkpoint.len() / 2, checkpoint.len() - 3] {
        let mut damaged = checkpoint.to_vec();
        damaged[at] ^= 1;
        folder.write("keys/keygen.checkpoint", &damaged);
        let refused = folder.bad(&keygen(active, "keys", "--seed-file seed"), 2);
        assert!(refused.stderr.contains("is damaged"), "{}", refused.stderr);
    }
    folder.write("keys/keygen.checkpoint", &checkpoint[..checkpoint.len() / 2]);
    folder.bad(&keygen(active, "keys", "--seed-file seed"), 2);
    folder.write("keys/keygen.checkpoint", checkpoint);
    let inspected = folder.good("inspect keys/keygen.checkpoint --json").json();
    assert_eq!(inspected["files"][0]["readings"][0]["kind"], "keygen.checkpoint");
}

/// A seed from the operating system is kept with the checkpoint, so that the key goes on as it began; and goes with it.
#[test]
fn a_seed_from_the_system_is_kept_until_the_end() {
    let folder = Folder::new();
    let mut active = 4096;
    let whole = loop {
        let clock = Instant::now();
        folder.good(&keygen(active, "other", "--force"));
        if clock.elapsed() > Duration::from_millis(500) {
            break clock.elapsed();
        }
        active *= 2;
    };
    let args = keygen(active, "keys", "");
    interrupt(&folder, &args, "-TERM", whole);
    let kept: serde_json::Value =
        serde_json::from_slice(&folder.read("keys/keygen.checkpoint")).expect("JSON");
    let seed = kept["checkpoint"]["seed"].as_str().expect("the seed is kept").to_owned();
    let resumed = folder.good(&args);
    assert!(!resumed.stdout.contains(&seed) && !resumed.stderr.contains(&seed));
    assert!(!folder.exists("keys/keygen.checkpoint"));
    folder.good(&keygen(active, "again", &format!("--insecure-seed-hex {seed}")));
    assert!(folder.read("keys/secret-key.ssz") == folder.read("again/secret-key.ssz"));
}
