//! Golden transcripts: the exact words of errors, and help that shows an example.

use crate::support::Folder;

#[test]
fn errors() {
    let folder = Folder::new();
    let zeros = "0".repeat(64);
    let cases: [(&str, i32, &str); 8] = [
        (
            "sing",
            2,
            "phalanx: error: unrecognized subcommand 'sing'\nphalanx: hint: a similar subcommand exists: 'sign'\n",
        ),
        (
            "xmss verify --public-key a --signature b",
            2,
            "phalanx: error: the following required arguments were not provided: --epoch <N>\n\
             phalanx: hint: see 'phalanx xmss verify --help'\n",
        ),
        (
            "xmss verify --public-key a --signature b --epoch 1",
            2,
            "phalanx: error: the message is missing\n\
             phalanx: hint: name a file, '-' for standard input, or pipe it in\n",
        ),
        (
            "convert a b --to yaml",
            2,
            "phalanx: error: invalid value 'yaml' for '--to <F>' [possible values: ssz, bincode, bincode2, json, bincode-padded, raw, hex, keypair, \
             pkcs8, pkcs8-v2, der, der-v2, openssh, jwk, minisign]\n\
             phalanx: hint: see 'phalanx convert --help'\n",
        ),
        (
            "inspect missing",
            4,
            "phalanx: error: cannot read 'missing': No such file or directory (os error 2)\n",
        ),
        (
            "xmss keygen --scheme xmss-poseidon2-l8-d64b8 --start 200 --active 100 --out keys",
            2,
            "phalanx: error: activation interval of 100 epochs from 200 does not fit the lifetime of 256\n",
        ),
        (
            "xmss keygen --scheme xmss-poseidon1-l8-d4b8-test --start 0 --active 16 --out keys",
            2,
            "phalanx: error: xmss-poseidon1-l8-d4b8-test has no security: signatures can be forged\n\
             phalanx: hint: it exists for tests; --insecure allows it\n",
        ),
        (
            &format!(
                "xmss verify --public-key key --scheme xmss-poseidon2-l8-d64b8 --epoch 1 --message-hex {zeros} --signature key"
            ),
            2,
            "phalanx: error: 'key' is not a public key of xmss-poseidon2-l8-d64b8 in ssz: malformed input: element of the \
             root: got 4294967295, wanted 2130706432\n",
        ),
    ];
    folder.write("key", [0xff; 52]);
    for (args, code, stderr) in cases {
        let run = folder.bad(args, code);
        assert_eq!(run.stderr, stderr, "{args}");
    }
}

/// A script that has lost its arguments has not succeeded; somebody who wants to look has the help.
#[test]
fn a_missing_command_is_an_error_with_help() {
    let folder = Folder::new();
    for (args, name, usage) in [
        ("", "phalanx", "Usage: phalanx [OPTIONS] <COMMAND>"),
        ("xmss", "phalanx xmss", "Usage: phalanx xmss [OPTIONS] <COMMAND>"),
        ("-q ed25519", "phalanx ed25519", "Usage: phalanx ed25519 [OPTIONS] <COMMAND>"),
    ] {
        let run = folder.run(args);
        assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{args}");
        let end = format!("\nphalanx: error: a command is missing\nphalanx: hint: see '{name} --help'\n");
        assert!(run.stderr.ends_with(&end) && run.stderr.contains(usage), "{}", run.stderr);
    }
    let run = folder.run("--json");
    run.check_bad("--json", 2);
    assert_eq!(run.json()["error"], "a command is missing");
}

#[test]
fn help_and_version_are_commands_too() {
    let folder = Folder::new();
    assert_eq!(folder.good("help").stdout, folder.good("--help").stdout);
    assert_eq!(folder.good("help xmss sign").stdout, folder.good("xmss sign --help").stdout);
    assert_eq!(folder.good("version").stdout, folder.good("--version").stdout);
    assert_eq!(folder.good("version --json").json(), folder.good("--json version").json());
    assert_eq!(folder.good("-q version").stdout, "");
}

#[test]
fn errors_in_json() {
    let folder = Folder::new();
    let run = folder.run("inspect missing --json");
    run.check_bad("inspect", 4);
    let wanted = serde_json::json!({
        "error": "cannot read 'missing': No such file or directory (os error 2)", "hint": null, "exit_code": 4,
    });
    assert_eq!(run.json(), wanted);
    let run = folder.run("xmss sign --json");
    run.check_bad("sign", 2);
    assert_eq!(run.json()["exit_code"], 2);
}

/// The line of a help's examples that a shell would not take as it stands: what is broken in two, or would be at a terminal of
/// 80 columns, and what is in angle brackets.
fn broken_example(help: &str) -> Option<&str> {
    let mut goes_on = true;
    help[help.rfind("Example")?..].lines().find(|line| {
        let begins = ["Example", "  phalanx ", "  source "].iter().any(|command| line.starts_with(command));
        let is_broken = !(begins || goes_on) || line.len() > 80 || line.contains('<') && !line.contains("<(");
        goes_on = line.ends_with('\\');
        is_broken
    })
}

#[test]
fn a_broken_example_is_seen() {
    let help = "Example:\n  phalanx sign \\\n    --out f\n  phalanx verify\n";
    assert_eq!(broken_example(help), None);
    assert_eq!(broken_example(&help.replace(" \\\n", "\n")), Some("    --out f"));
    assert_eq!(broken_example(&help.replace("verify", "<command>")), Some("  phalanx <command>"));
    assert!(broken_example(&help.replace("verify", &"v".repeat(80))).is_some());
}

#[test]
fn every_help_has_an_example() {
    let folder = Folder::new();
    let commands = [
        "",
        "keygen",
        "sign",
        "verify",
        "pub",
        "hash",
        "version",
        "tour",
        "xmss",
        "xmss keygen",
        "xmss sign",
        "xmss verify",
        "xmss verify-many",
        #[cfg(feature = "aggregate")]
        "xmss aggregate",
        #[cfg(feature = "aggregate")]
        "xmss verify-aggregate",
        #[cfg(feature = "aggregate")]
        "aggregate",
        #[cfg(feature = "aggregate")]
        "aggregate params",
        "ed25519",
        "ed25519 keygen",
        "ed25519 sign",
        "ed25519 verify",
        "ed25519 verify-many",
        "rescue",
        "rescue hash",
        "rescue permute",
        "ligerito",
        "ligerito commit",
        "ligerito open",
        "ligerito verify",
        "ligerito params",
        "key",
        "key new",
        "key new-master",
        "key import",
        "key derive",
        "key inspect",
        "key change-password",
        "key export",
        "key retire",
        #[cfg(unix)]
        "ledger",
        #[cfg(unix)]
        "ledger status",
        #[cfg(unix)]
        "ledger check",
        #[cfg(unix)]
        "ledger init",
        #[cfg(unix)]
        "ledger join",
        #[cfg(unix)]
        "ledger adopt-records",
        "ledger burn",
        "ledger split",
        #[cfg(unix)]
        "ledger adopt",
        #[cfg(unix)]
        "ledger raise-low",
        #[cfg(unix)]
        "ledger accept-move",
        #[cfg(unix)]
        "ledger accept-failover",
        #[cfg(unix)]
        "ledger reconcile",
        #[cfg(unix)]
        "ledger export",
        #[cfg(unix)]
        "ledger import",
        #[cfg(all(unix, feature = "serve"))]
        "serve",
        #[cfg(all(unix, feature = "remote"))]
        "remote",
        #[cfg(all(unix, feature = "remote"))]
        "remote sign",
        #[cfg(all(unix, feature = "remote"))]
        "remote sign-many",
        #[cfg(all(unix, feature = "remote"))]
        "remote status",
        "inspect",
        "convert",
        "selftest",
        "bench",
        "cpu",
        "completions",
        "man",
    ];
    for command in commands {
        let run = folder.good(&format!("{command} --help"));
        assert!(run.stdout.contains("Example"), "{command}: {}", run.stdout);
        assert_eq!(broken_example(&run.stdout), None, "{command}");
        assert_eq!(run.stderr, "");
    }
    assert_eq!(folder.good("--version").stdout, format!("phalanx {}\n", env!("CARGO_PKG_VERSION")));
}
