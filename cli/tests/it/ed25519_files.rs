//! minisign and SSHSIG files. ssh-keygen reads ours and we read its; of minisign there is a file (its crate reads and writes
//! ours in the tests of `compare`).

use crate::support::{Folder, Run};
use phalanx::ed25519::SigningKey;
use phalanx::ed25519::minisign::{KeyId, Scrypt, SecretKey};
use phalanx::ed25519::sshsig::{Hash, SshSignature};
use std::process::{Command, Stdio};

/// Runs ssh-keygen in the folder; `None` if there is none on this machine.
fn ssh_keygen(folder: &Folder, args: &str, input: Option<&str>) -> Option<Run> {
    let mut command = Command::new("ssh-keygen");
    command.current_dir(folder.path("")).args(args.split(' ').filter(|arg| !arg.is_empty()));
    let stdin = input.map_or_else(Stdio::null, |name| {
        std::fs::File::open(folder.path(name)).expect("the input is there").into()
    });
    match command.stdin(stdin).output() {
        Ok(output) => Some(output.into()),
        // It may only be absent where nobody promised it.
        Err(_) if std::env::var_os("PHALANX_MAY_SKIP_PROGRAMS").is_some() => {
            eprintln!("not run: there is no ssh-keygen");
            None
        }
        Err(error) => panic!("ssh-keygen: {error}"),
    }
}

fn good(run: &Run) {
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}

#[test]
#[cfg_attr(not(unix), ignore = "ssh-keygen wants permissions of files that only Unix has")]
fn ssh_keygen_takes_our_signatures() {
    let folder = Folder::new();
    folder.good("ed25519 keygen --out keys --format openssh --comment me@home");
    folder.write("letter", "Dear Bob\n".repeat(100_000));
    folder.good(
        "ed25519 sign --secret-key keys/secret-key.openssh --message-file letter --format sshsig --checked",
    );
    let line = String::from_utf8(folder.read("keys/public-key.openssh")).expect("text");
    folder.write("signers", format!("me@home,root namespaces=\"file,git\" {line}"));
    let verify = "-Y verify -f signers -I me@home -n file -s letter.sig";
    let Some(run) = ssh_keygen(&folder, verify, Some("letter")) else { return };
    good(&run);
    good(
        &ssh_keygen(&folder, "-Y check-novalidate -n file -s letter.sig", Some("letter"))
            .expect("it is there"),
    );
    let public = ssh_keygen(&folder, "-y -f keys/secret-key.openssh", None).expect("it is there");
    good(&public);
    assert_eq!(public.stdout, line, "our private file holds the key and the comment");
    folder.write("letter", "Dear Eve\n");
    let run = ssh_keygen(&folder, verify, Some("letter")).expect("it is there");
    assert_ne!(run.code, Some(0));
}

#[test]
#[cfg_attr(not(unix), ignore = "ssh-keygen wants permissions of files that only Unix has")]
fn we_take_signatures_of_ssh_keygen() {
    let folder = Folder::new();
    folder.write("letter", "Dear Bob\n");
    let Some(_) = ssh_keygen(&folder, "-?", None) else { return };
    // Not through the helper: it has no way to say an empty argument.
    let made = Command::new("ssh-keygen")
        .current_dir(folder.path(""))
        .args(["-q", "-t", "ed25519", "-N", "", "-C", "me@home", "-f", "id"])
        .stdin(Stdio::null())
        .status();
    assert!(made.expect("it is there").success());
    good(&ssh_keygen(&folder, "-q -Y sign -f id -n file letter", None).expect("it is there"));
    let theirs = folder.read("letter.sig");
    // Ed25519 is deterministic: the same file to the byte.
    folder.good("ed25519 sign --secret-key id --message-file letter --format sshsig --force");
    assert_eq!(folder.read("letter.sig"), theirs);

    let by_key = "ed25519 verify --public-key id.pub --message-file letter --signature letter.sig";
    let run = folder.good(by_key);
    assert!(
        run.stdout.starts_with(
            "signature verifies (ed25519, profile strict, sshsig signature for 'file' by ssh-ed25519 AAAA"
        ),
        "{}",
        run.stdout
    );
    let line = String::from_utf8(folder.read("id.pub")).expect("text");
    folder.write("signers", format!("# who may sign\n*@home namespaces=\"file\" {line}"));
    let by_list = "ed25519 verify --allowed-signers signers --identity me@home --message-file letter --signature letter.sig";
    folder.good(by_list);
    folder.good(&format!("{by_list} --profile cofactorless --namespace file"));
    let run = folder.bad(&by_list.replace("me@home", "me@work"), 1);
    assert!(
        run.stderr.contains("no line of the allowed signers gives the identity this key"),
        "{}",
        run.stderr
    );
    let run = folder.bad(&format!("{by_key} --namespace git"), 1);
    assert_eq!(run.stderr.lines().nth(1), Some("phalanx: hint: it verifies with --namespace file"));
    assert!(run.stderr.contains("it is for namespace 'file', not 'git'"), "{}", run.stderr);
    folder.good("ed25519 keygen --out other");
    let run = folder.bad(&by_key.replace("id.pub", "other/public-key.raw"), 1);
    assert!(run.stderr.contains("another key made it"), "{}", run.stderr);
    folder.bad(&format!("{by_list} --prehash"), 2);
    folder.bad("ed25519 verify --message-file letter --signature letter.sig", 2);
    folder.bad(&by_list.replace("--identity me@home", ""), 2);
    folder.write("letter", "Dear Eve\n");
    folder.bad(by_key, 1);
    folder.bad(by_list, 1);
}

/// Times without a zone are those of the machine, as ssh-keygen takes them: a key that has expired there has expired.
#[cfg(target_os = "linux")]
#[test]
fn allowed_signers_tell_the_local_time() {
    let folder = Folder::new();
    let key = SigningKey::from_seed(&[5; 32]);
    folder.write("letter", "Dear Adam\n");
    let signed = SshSignature::sign(&key, "file", Hash::Sha512, b"Dear Adam\n").expect("a namespace");
    folder.write("letter.sig", signed.to_armored());
    let line = key.verifying_key().to_openssh("").expect("no comment");
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_secs();
    // An hour ago in UTC.
    let date = Command::new("date").args(["-u", "+%Y%m%d%H%M%S", "-d", &format!("@{}", now - 3600)]).output();
    let ago = String::from_utf8(date.expect("every system has it").stdout).expect("digits");
    let verify =
        "ed25519 verify --allowed-signers signers --identity me --message-file letter --signature letter.sig";
    // West of Greenwich this is later, east of it earlier; `Z` is the same everywhere.
    for (zone, local, utc) in [("UTC0", 1, 1), ("WEST+12", 0, 1), ("EAST-12", 1, 1)] {
        for (mark, wanted) in [("", local), ("Z", utc)] {
            folder.write("signers", format!("me valid-before=\"{}{mark}\" {line}", ago.trim_end()));
            let run = folder.command(verify).env("TZ", zone).output().expect("it starts");
            assert_eq!(
                run.status.code(),
                Some(wanted),
                "{zone} {mark}: {}",
                String::from_utf8_lossy(&run.stderr)
            );
        }
    }
}

/// A public key and a signature of `test` that minisign made, with a signed comment.
const MINISIGN: [&str; 2] = [
    "untrusted comment: minisign public key E7620F1842B4E81F\n\
     RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\n",
    "untrusted comment: signature from minisign secret key\n\
     RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=\n\
     trusted comment: timestamp:1556193335\tfile:test\n\
     y/rUw2y8/hOUYjZU71eHp/Wo1KZ40fGy2VJEDl34XMJM+TX48Ss/17u3IvIfbVR1FkZZSNCisQbuQY+bHwhEBg==\n",
];

#[test]
fn we_take_signatures_of_minisign() {
    let folder = Folder::new();
    let [public, signature] = MINISIGN;
    folder.write("public", public);
    folder.write("letter", "test");
    folder.write("letter.minisig", signature);
    let verify = "ed25519 verify --public-key public --message-file letter --signature letter.minisig";
    let comment = "timestamp:1556193335\tfile:test";
    let run = folder.good(verify);
    assert_eq!(run.stdout.lines().nth(1), Some(&*format!("trusted comment: {comment}")));
    assert_eq!(folder.good(&format!("{verify} --json")).json()["trusted_comment"], comment);

    // The trusted comment is signed, the untrusted one is not.
    folder.write("letter.minisig", signature.replace("from minisign", "from whomever"));
    folder.good(verify);
    folder.write("letter.minisig", signature.replace("1556193335", "1556193336"));
    let run = folder.bad(verify, 1);
    assert!(run.stderr.contains("signature of the trusted comment does not verify"), "{}", run.stderr);
    folder.write("letter.minisig", signature);
    folder.good("ed25519 keygen --out other --format minisign");
    let run = folder.bad(&verify.replace("key public", "key other/public-key.minisign"), 1);
    assert!(run.stderr.contains("signature is by key "), "{}", run.stderr);
    folder.write("letter", "Test");
    folder.bad(verify, 1);
    folder.bad(&format!("{verify} --namespace file"), 2);
}

#[test]
fn signatures_in_the_form_of_minisign() {
    let folder = Folder::new();
    folder.good("ed25519 keygen --out keys --format minisign --comment mine");
    folder.write("letter", "Dear Bob\n".repeat(1000));
    let sign = "ed25519 sign --secret-key keys/secret-key.minisign --message-file letter --format minisign";
    let verify = "ed25519 verify --public-key keys/public-key.minisign --message-file letter --signature letter.minisig";
    folder.good(&format!("{sign} --checked"));
    let text = |name: &str| String::from_utf8(folder.read(name)).expect("text");
    let comment = text("letter.minisig").lines().nth(2).expect("a comment").to_owned();
    assert!(comment.starts_with("trusted comment: timestamp:"), "{comment}");
    assert!(comment.ends_with("\tfile:letter\thashed"), "{comment}");
    assert!(text("keys/secret-key.minisign").starts_with("untrusted comment: mine\n"));
    folder.good(verify);

    let mut command = folder.command(&format!("{sign} --force"));
    command.args(["--trusted-comment", "on Sunday", "--comment", "unsigned"]);
    assert!(command.status().expect("it runs").success());
    assert!(text("letter.minisig").starts_with("untrusted comment: unsigned\n"));
    assert_eq!(folder.good(verify).stdout.lines().nth(1), Some("trusted comment: on Sunday"));
}

#[test]
fn a_password_opens_a_key_of_minisign() {
    let folder = Folder::new();
    // As minisign encrypts its keys, but in milliseconds.
    let quick = Scrypt { opslimit: 32_768, memlimit: 1 << 22 };
    let key = SecretKey { key_id: KeyId([7; 8]), key: SigningKey::from_seed(&[5; 32]) };
    let encrypted = key.to_encrypted_file_with_salt("mine", b"open sesame", quick, &[9; 32]);
    folder.write("secret", encrypted.expect("a comment").as_bytes());
    folder.write("public", key.public_key().to_file());
    let sign = "ed25519 sign --secret-key secret --message-hex 00 --out signature --format minisign";
    let run = folder.bad(sign, 2);
    assert!(run.stderr.contains("--password-file"), "{}", run.stderr);
    folder.write("password", "open barley\n");
    folder.bad(&format!("{sign} --password-file password"), 2);
    folder.write("password", "open sesame\n");
    folder.good(&format!("{sign} --password-file password"));
    folder.good("ed25519 verify --public-key public --message-hex 00 --signature signature");
}

#[test]
fn options_that_do_not_belong_are_refused() {
    let folder = Folder::new();
    folder.good("ed25519 keygen --out keys");
    folder.write("letter", "Dear Bob\n");
    let sign = "ed25519 sign --secret-key keys/secret-key.raw --message-file letter";
    for more in [
        "--format raw --out x --namespace file",
        "--format raw --out x --trusted-comment x",
        "--format minisign --prehash",
        "--format minisign --noise",
        "--format minisign --namespace file",
        "--format sshsig --context-hex 00",
        "--format sshsig --comment x",
        "--format sshsig --namespace ",
    ] {
        folder.bad(&format!("{sign} {more}"), 2);
    }
    folder.bad(&format!("{} --format sshsig", sign.replace("--message-file letter", "--message-hex 00")), 2);
    assert!(!folder.exists("letter.sig") && !folder.exists("letter.minisig") && !folder.exists("x"));
    folder.good(&format!("{sign} --format sshsig"));
    folder.bad(&format!("{sign} --format sshsig"), 2);
    folder.good(&format!("{sign} --format minisign"));
    // A key without a name verifies whatever name the signature has.
    folder.good(
        "ed25519 verify --public-key keys/public-key.raw --message-file letter --signature letter.minisig",
    );
}
