//! Garbage for every file argument: exit code 2, one error line, nothing written.

use crate::support::{Folder, SET, message, sign, verify};

/// Bytes that are no key, signature or anything of ours.
fn garbage(good: &[u8]) -> Vec<Vec<u8>> {
    let mut flipped_high = good.to_vec();
    // Not canonical, in a binary encoding, wherever it falls.
    flipped_high.iter_mut().for_each(|byte| *byte |= 0xf0);
    vec![
        vec![],
        vec![0],
        b"not a key\n".to_vec(),
        b"{}".to_vec(),
        b"[[[[[[[[[[[[[[[[".repeat(1000),
        vec![0xff; good.len()],
        vec![0xff; 100_000],
        good[..good.len() - 1].to_vec(),
        good[..good.len() / 2].to_vec(),
        [good, &[0]].concat(),
        flipped_high,
    ]
}

#[test]
fn keys_and_signatures() {
    for format in ["ssz", "bincode", "bincode2", "json"] {
        let folder = Folder::new();
        folder.keygen(&format!("--format {format}"));
        let with_format = |args: String| args.replace(".ssz", &format!(".{format}")) + " --format " + format;
        folder.good(&with_format(sign(1, 1, "signature")));
        let (sign, verify) = (with_format(sign(2, 1, "new")), with_format(verify(1, 1, "signature")));
        folder.good(&verify);
        let (public, secret) = (format!("keys/public-key.{format}"), format!("keys/secret-key.{format}"));
        for (name, args) in [(public.as_str(), &verify), (secret.as_str(), &sign), ("signature", &verify)] {
            let good = folder.read(name);
            for bytes in garbage(&good) {
                // JSON may end in white space, and a list of digits has no bits that are too high.
                folder.write(name, &bytes);
                folder.bad(args, 2);
            }
            folder.write(name, good);
        }
        assert!(!folder.exists("new"));
        folder.good(&verify);
    }
}

/// Each part of a secret key damaged in turn: never a signature.
#[test]
fn damaged_secret_keys() {
    let folder = Folder::new();
    folder.keygen("");
    let good = folder.read("keys/secret-key.ssz");
    // Beside the root stands a random node that nothing reads.
    let is_padding = |at: &usize| (1180..1212).contains(at);
    for at in (0..good.len())
        .filter(|at| !is_padding(at))
        .step_by(151)
        .chain(0..4)
        .chain([51, 52, 60, 68, 72, 80, 84])
    {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        folder.write("keys/secret-key.ssz", bytes);
        let run = folder.run(&sign(1, 1, "new"));
        assert_ne!(run.code, Some(0), "byte {at}");
        assert!(!folder.exists("new"), "byte {at}");
    }
}

#[test]
fn other_inputs() {
    let folder = Folder::new();
    folder.keygen("");
    let whole = sign(1, 1, "new");
    for bytes in [vec![], vec![0; 31], vec![0; 33], vec![0; 1000], format!("{}\n", message(1)).into_bytes()] {
        folder.write("message", &bytes);
        let flag = format!("--message-hex {}", message(1));
        folder.bad(&whole.replace(&flag, "--message-file message"), 2);
        folder.write("seed", if bytes.len() == 65 { &bytes[..63] } else { &bytes });
        folder.bad(&format!("xmss keygen --scheme {SET} --start 0 --active 1 --out new --seed-file seed"), 2);
    }
    for hex in ["", "00", "zz", &message(1)[1..], &format!("{}0", message(1)), &"é".repeat(32)] {
        folder.bad(&whole.replace(&message(1), hex), 2);
    }
    for bytes in garbage(&folder.read("keys/secret-key.ssz")) {
        folder.write("file", bytes);
        folder.run("inspect file").check_bad("inspect", 2);
        folder.bad("convert file out --to json", 2);
        folder.bad("convert keys/secret-key.ssz out --to json --public-key file", 2);
        let run = folder.run("xmss verify-many file");
        run.check_bad("verify-many", 2);
    }
    assert!(!folder.exists("out") && !folder.exists("new"));
    folder.bad("inspect .", 2);
    folder.bad("inspect missing", 4);
    folder.bad("xmss verify-many missing", 4);
    folder.bad("xmss verify-many keys", 2);
    folder.bad(&whole.replace("secret-key.ssz", "missing"), 4);
    folder.bad(&verify(1, 1, "missing"), 4);
}

#[test]
fn intervals() {
    let folder = Folder::new();
    for (start, active) in
        [("0", "257"), ("256", "1"), ("18446744073709551615", "1"), ("0", "18446744073709551615")]
    {
        let args = format!("xmss keygen --scheme {SET} --start {start} --active {active} --out keys");
        let run = folder.bad(&args, 2);
        assert!(run.stderr.contains("does not fit the lifetime of 256"), "{}", run.stderr);
    }
    folder.bad(&format!("xmss keygen --scheme {SET} --start -1 --active 1 --out keys"), 2);
    folder.bad(&format!("xmss keygen --scheme {SET} --start 0 --active x --out keys"), 2);
    assert!(!folder.exists("keys"));
}
