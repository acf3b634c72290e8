//! OpenSSH's key files and SSHSIG against the real `ssh-keygen`, in both directions.

use phalanx_ed25519::sshsig::{AllowedSigners, Hash, Prehash, Request, SshSignature};
use phalanx_ed25519::{Error, KeyFormat, Profile, SigningKey, VerifyingKey};
use phalanx_testing::programs::{folder, run, succeeds, write_secret};
use std::fs;
use std::path::Path;
use std::process::Command;

pub(crate) fn is_absent() -> bool {
    !phalanx_testing::programs::is_there("ssh-keygen", &["-?"])
}

pub(crate) fn ssh_keygen(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("ssh-keygen");
    // Local time is UTC, so that both sides mean the same by times without zone.
    command.current_dir(folder).env("TZ", "UTC").args(arguments);
    command
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a text file")
}

#[test]
fn we_read_its_keys() {
    if is_absent() {
        return;
    }
    let folder = folder("ssh-reads");
    for comment in ["", "me@here", "several words, and Zoë"] {
        for name in ["key", "key.pub"] {
            let _ = fs::remove_file(folder.join(name));
        }
        succeeds(&mut ssh_keygen(&folder, &["-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", "key"]));
        let (private, public) = (text(&folder.join("key")), text(&folder.join("key.pub")));
        assert_eq!(KeyFormat::detect(private.as_bytes()), Some(KeyFormat::OpensshPrivate));
        assert_eq!(KeyFormat::detect(public.as_bytes()), Some(KeyFormat::OpensshPublic));
        let (key, inside) = SigningKey::from_openssh(&private).expect("its private file");
        let (verifying_key, outside) = VerifyingKey::from_openssh(&public).expect("its public line");
        assert_eq!((&*inside, &*outside), (comment, comment));
        assert_eq!(*key.verifying_key(), verifying_key);
        assert_eq!(verifying_key.to_openssh(comment).as_deref(), Ok(public.trim_end()));
        // All but the check words, which are random.
        let ours = key.to_openssh(comment).expect("a comment");
        let (ours, theirs): (Vec<_>, Vec<_>) = (ours.lines().collect(), private.lines().collect());
        assert_eq!((ours.len(), &ours[..2]), (theirs.len(), &theirs[..2]));
        // They end with the second character of the fourth line.
        assert_eq!((&ours[3][2..], &ours[4..]), (&theirs[3][2..], &theirs[4..]));
    }
    let _ = fs::remove_file(folder.join("key"));
    succeeds(&mut ssh_keygen(&folder, &["-q", "-t", "ed25519", "-N", "passphrase", "-f", "key"]));
    let error = SigningKey::from_openssh(&text(&folder.join("key"))).map(|_| ());
    assert_eq!(error, Err(Error::EncryptedKey));
    fs::remove_dir_all(&folder).expect("our folder");
}

#[test]
fn it_reads_our_keys() {
    if is_absent() {
        return;
    }
    let folder = folder("ssh-writes");
    // Comments of 0 to 8 characters: every amount of padding.
    for len in 0..=8_u8 {
        let (key, comment) = (SigningKey::from_seed(&[len; 32]), "x".repeat(len.into()));
        write_secret(&folder.join("key"), key.to_openssh(&comment).expect("a comment").as_bytes());
        let line = String::from_utf8(succeeds(&mut ssh_keygen(&folder, &["-y", "-f", "key"]))).expect("text");
        let wanted = key.verifying_key().to_openssh(&comment).expect("a comment");
        assert_eq!(line.trim_end(), wanted);
        fs::write(folder.join("key.pub"), wanted + "\n").expect("a file in our folder");
        succeeds(&mut ssh_keygen(&folder, &["-l", "-f", "key.pub"]));
    }
    fs::remove_dir_all(&folder).expect("our folder");
}

#[test]
fn signatures_are_the_same_bytes() {
    if is_absent() {
        return;
    }
    let folder = folder("ssh-signs");
    let key = SigningKey::from_seed(&[1; 32]);
    write_secret(&folder.join("key"), key.to_openssh("me@here").expect("a comment").as_bytes());
    for (hash, message) in
        [(Hash::Sha512, &b"a message\n"[..]), (Hash::Sha256, b""), (Hash::Sha512, &[0xff; 100_000])]
    {
        fs::write(folder.join("message"), message).expect("a file in our folder");
        let _ = fs::remove_file(folder.join("message.sig"));
        let option = format!("hashalg={}", hash.name());
        let arguments = ["-q", "-Y", "sign", "-f", "key", "-n", "name space", "-O", &option, "message"];
        succeeds(&mut ssh_keygen(&folder, &arguments));
        let theirs = text(&folder.join("message.sig"));
        assert_eq!(KeyFormat::detect(theirs.as_bytes()), Some(KeyFormat::Sshsig));
        let ours = SshSignature::sign(&key, "name space", hash, message).expect("a namespace");
        assert_eq!(ours.to_armored(), theirs);
        assert_eq!(SshSignature::parse(&theirs).as_ref(), Ok(&ours));
        for profile in Profile::ALL {
            assert_eq!(ours.verify(key.verifying_key(), profile, "name space", message), Ok(()));
        }
    }
    fs::remove_dir_all(&folder).expect("our folder");
}

/// The same result on files of allowed signers, and on damaged signatures.
#[test]
fn results_agree() {
    if is_absent() {
        return;
    }
    let folder = folder("ssh-verifies");
    let key = SigningKey::from_seed(&[1; 32]);
    let line = key.verifying_key().to_openssh("").expect("no comment");
    let other = SigningKey::from_seed(&[2; 32]).verifying_key().to_openssh("").expect("no comment");
    let message = folder.join("message");
    fs::write(&message, "a message").expect("a file in our folder");
    let signed = SshSignature::sign(&key, "file", Hash::Sha512, b"a message").expect("a namespace");
    fs::write(folder.join("good.sig"), signed.to_armored()).expect("a file in our folder");

    // 2023-11-14 22:13:20.
    let time = 1_700_000_000;
    let mut accepted = 0;
    let files = [
        format!("me@here {line}"),
        format!("# words\n\n  *@here\t{line} a comment\n"),
        format!("\"you@here,me@here\" {line}"),
        format!("*,!me@here {line}"),
        format!("!you@here {line}"),
        format!("m?@h*e {line}"),
        format!("me@here {other}"),
        format!("me@here {other}\nme@here {line}"),
        format!("me@here namespaces=\"git,f*\" {line}"),
        format!("me@here namespaces=\"git\" {line}"),
        format!("me@here namespaces=\"git\" {line}\nme@here {line}"),
        format!("me@here namespaces=\"*,!file\" {line}"),
        format!("me@here NAMESPACES=\"file\" {line}"),
        format!("me@here cert-authority {line}"),
        format!("me@here cert-authority {line}\nme@here {line}"),
        format!("me@here unknown {line}"),
        format!("me@here unknown {line}\nme@here {line}"),
        format!("you@here unknown {line}\nme@here {line}"),
        format!("me@here namespaces=\"file\",namespaces=\"file\" {line}"),
        format!("me@here namespaces=file {line}"),
        format!("me@here valid-after=\"20231114221320Z\" {line}"),
        format!("me@here valid-after=\"20231114221321Z\" {line}"),
        format!("me@here valid-after=\"202311142213\" {line}"),
        format!("me@here valid-after=\"20231115\" {line}"),
        format!("me@here valid-before=\"20231114221320Z\" {line}"),
        format!("me@here valid-before=\"20231114221319Z\" {line}"),
        format!("me@here valid-before=\"20240229\",valid-after=\"20200229\" {line}"),
        format!("me@here valid-before=\"20200229\",valid-after=\"20240229\" {line}"),
        format!("me@here valid-after=\"2023\" {line}"),
        format!("me@here valid-after=\"20231301\" {line}"),
        "me@here ssh-ed25519 AAAA".to_string(),
        format!("me@here\n{line}"),
        format!("\"me@here {line}"),
        format!("\"me@here {line}\nme@here {line}"),
        format!("me@here ssh-rsa AAAA\nme@here {line}"),
        String::new(),
    ];
    for file in &files {
        fs::write(folder.join("allowed"), file).expect("a file in our folder");
        for (identity, namespace) in [("me@here", "file"), ("me@here", "git"), ("you@here", "file")] {
            let arguments =
                ["-Y", "verify", "-f", "allowed", "-I", identity, "-n", namespace, "-s", "good.sig"];
            let mut command = ssh_keygen(&folder, &arguments);
            let theirs = run(command.args(["-O", "verify-time=20231114221320Z"]), &message);
            let request = Request {
                identity,
                namespace,
                time_s: time,
                utc_offset_at: &|_| 0,
                profile: Profile::Strict,
            };
            let mut prehash = Prehash::new(signed.hash());
            prehash.update(b"a message");
            let ours = AllowedSigners::parse(file).verify(&request, &signed, prehash);
            let is_accepted = ours.is_ok();
            accepted += usize::from(is_accepted);
            let words = String::from_utf8_lossy(&theirs.stderr);
            assert_eq!(
                is_accepted,
                theirs.status.success(),
                "{identity} {namespace}\n{file}\n{ours:?}\n{words}"
            );
        }
    }
    assert!(accepted > 10 && accepted < files.len() * 2, "{accepted} accepted");
    damaged_signatures(&folder, &signed, &message);
    fs::remove_dir_all(&folder).expect("our folder");
}

/// A changed character in the armor: `check-novalidate` and we say the same.
fn damaged_signatures(folder: &Path, signed: &SshSignature, message: &Path) {
    let armored = signed.to_armored();
    let mut accepted = 0;
    for at in (0..armored.len()).step_by(7) {
        let mut damaged = armored.clone().into_bytes();
        damaged[at] = if damaged[at] == b'A' { b'B' } else { b'A' };
        let damaged = String::from_utf8(damaged).expect("text");
        fs::write(folder.join("bad.sig"), &damaged).expect("a file in our folder");
        let arguments = ["-Y", "check-novalidate", "-n", "file", "-s", "bad.sig"];
        let theirs = run(&mut ssh_keygen(folder, &arguments), message).status.success();
        let ours = SshSignature::parse(&damaged).is_ok_and(|signature| {
            let mut prehash = Prehash::new(signature.hash());
            prehash.update(b"a message");
            signature.check_novalidate(Profile::Strict, "file", prehash).is_ok()
        });
        assert_eq!(ours, theirs, "character {at}: {damaged}");
        accepted += usize::from(ours);
    }
    assert_eq!(accepted, 0, "a changed signature verifies");
    let arguments = ["-Y", "check-novalidate", "-n", "file", "-s", "good.sig"];
    assert!(run(&mut ssh_keygen(folder, &arguments), message).status.success());
}
