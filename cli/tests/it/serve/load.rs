//! A signer under load: conflicts, reloads, and a stop in the middle.

use super::{BLAKE2S, wanted};
use crate::support::{Folder, SET};
use phalanx_custody::keystore::file::{self, Access};
use phalanx_custody::keystore::{Password, Policy, Role};
use phalanx_custody::remote::{Client, Request};
use phalanx_signerload::load::{self, Plan, Seen, Target};
use phalanx_signerload::outcome::Outcome;
use phalanx_signerload::rig::{Rig, Signer, plain_client};
use phalanx_testing::times::wait_until;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// A signer with a key of each family that takes as much as it can, and eight clients.
struct Loaded {
    _folder: Folder,
    rig: Rig,
    targets: Vec<Target>,
}

impl Loaded {
    fn new() -> Self {
        let folder = Folder::new();
        let wanted = [SET, BLAKE2S].map(|set| wanted(set, Role::Attester));
        let rig = Rig::make(&folder.path("signer"), &wanted).expect("a rig");
        let targets = rig.keys().iter().map(|key| Target { key: *key, epochs: 0..256 }).collect();
        Self { _folder: folder, rig, targets }
    }

    fn serve(&self) -> (Signer, Vec<Client>) {
        let program = Path::new(env!("CARGO_BIN_EXE_phalanx"));
        let (signer, url) = self.rig.serve(program).unwrap_or_else(|problem| panic!("{problem}"));
        (signer, (0..8).map(|_| plain_client(&url).expect("an address")).collect())
    }

    /// Loads the signer while `meanwhile` runs.
    fn load(&self, plan: Plan, clients: &[Client], meanwhile: impl FnOnce() + Send) -> Vec<Seen> {
        let asked = load::requests(plan, &self.targets);
        thread::scope(|scope| {
            scope.spawn(meanwhile);
            load::run(plan, &self.targets, &asked, clients)
        })
    }
}

/// Neither the log nor what the system tells everybody of the process has a password or a seed.
fn tells_no_secret(rig: &Rig, signer: &Signer) {
    let password = fs::read(rig.folder().join("password")).expect("it was written");
    let mut secrets = vec![password.clone()];
    let password = Password::from_bytes(&password).expect("UTF-8");
    for number in 0..rig.keys().len() {
        let path = rig.folder().join(format!("keys/key-{number:03}.json"));
        let keystore = file::read(&path, Access::default()).unwrap_or_else(|error| panic!("{error}"));
        let key = keystore.open(&password, Policy { accept_weak_kdf: true });
        let key = key.unwrap_or_else(|error| panic!("{error}"));
        let seed = key.secret().expose();
        secrets.extend([seed.to_vec(), hex::encode(seed).into_bytes(), hex::encode_upper(seed).into_bytes()]);
    }
    let of_process = |name| fs::read(format!("/proc/{}/{name}", signer.id())).unwrap_or_default();
    let said = signer.said();
    assert!(said.lines().count() > 400, "a line for each request");
    for seen in [said.into_bytes(), of_process("cmdline"), of_process("environ")] {
        let has = |secret: &Vec<u8>| seen.windows(secret.len()).any(|window| window == secret);
        assert!(!secrets.iter().any(has), "a secret is told");
    }
}

#[test]
fn under_load_and_reloads_no_epoch_is_signed_twice() {
    let loaded = Loaded::new();
    let (signer, clients) = loaded.serve();
    let plan = Plan { requests: 400, rate: Some(400.0), conflicts: 10, repeats: 5 };
    let seen = loaded.load(plan, &clients, || {
        for _ in 0..5 {
            thread::sleep(Duration::from_millis(150));
            signer.reload();
        }
    });
    let mut outcome = Outcome::default();
    outcome.add(&clients[0], &loaded.targets, &seen);
    assert!(outcome.is_sound(), "{:?}", outcome.codes);
    // Nobody is turned away because of a reload; and the conflicts are there.
    let known = ["signed", "repeated", "epoch_used", "passed", "not_prepared"];
    assert!(outcome.codes.keys().all(|code| known.contains(&&**code)), "{:?}", outcome.codes);
    let refused = outcome.count("epoch_used") + outcome.count("passed");
    // Trees that are late on a machine with much else to do leave the epochs that were prepared at the start.
    assert!(outcome.count("signed") > 40 && refused > 0, "{:?}", outcome.codes);
    wait_until(|| signer.said(), || signer.said().contains("reloaded"));
    tells_no_secret(&loaded.rig, &signer);
    assert!(signer.stop().expect("it runs").success());
}

#[test]
fn what_was_released_before_a_stop_is_in_the_ledger() {
    let loaded = Loaded::new();
    let (signer, clients) = loaded.serve();
    let plan = Plan { requests: 500, rate: Some(300.0), conflicts: 0, repeats: 0 };
    let mut stopped = None;
    let seen = loaded.load(plan, &clients, || {
        let has_begun = || clients[0].keys().is_ok_and(|keys| keys.iter().all(|key| key.highest > Some(25)));
        wait_until(|| "nothing is signed".to_owned(), has_begun);
        stopped = Some(signer.stop().expect("it runs"));
    });
    assert!(stopped.is_some_and(|status| status.success()), "it did not stop well");
    let released: Vec<_> = seen
        .iter()
        .filter_map(|seen| {
            let message = seen.asked.message();
            let key = &loaded.targets[seen.asked.target].key;
            let request = Request { key, epoch: seen.asked.epoch, message: &message };
            let signed = clients[0].signed(seen.answer.as_ref().ok()?, &request).ok()?;
            Some((seen.asked, signed.signature))
        })
        .collect();
    assert!(released.len() > 20, "{} of 500 before the stop", released.len());

    let (signer, clients) = loaded.serve();
    let mut repeated = 0;
    for (asked, signature) in &released {
        let key = &loaded.targets[asked.target].key;
        // Of trees that it has left behind a key gives nothing any more.
        match clients[0].sign(key, asked.epoch, &asked.message()) {
            Ok(again) => {
                assert!(again.is_repeat && again.signature == *signature, "{asked:?}");
                repeated += 1;
            }
            Err(error) => assert!(error.to_string().contains("(passed)"), "{asked:?}: {error}"),
        }
        let other = clients[0].sign(key, asked.epoch, &[7; 32]).expect_err("another message").to_string();
        assert!(other.contains("(epoch_used)") || other.contains("(passed)"), "{asked:?}: {other}");
    }
    assert!(repeated > 0, "none of {} is known", released.len());
    assert!(signer.stop().expect("it runs").success());
}
