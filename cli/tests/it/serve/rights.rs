//! Who is let in, and who is not: certificates, tokens, permissions. What counts is the ledger's number of signatures.

use super::authorities::{Authority, Says};
use super::clients::{Program, ask, programs};
use super::{Place, Shown};
use phalanx_signerload::rig::write_private;
use phalanx_testing::times::wait_until;
use rcgen::ExtendedKeyUsagePurpose as Purpose;
use sha2::{Digest, Sha256};

/// Tables for a signer that asks for certificates.
const CERTIFICATES: &str =
    "[tls]\ncertificate = \"../signer.pem\"\nprivate_key = \"../signer.key\"\nclient_ca = \"../ca.pem\"\n";

/// Tables for one that does not.
const NO_CERTIFICATES: &str = "[tls]\ncertificate = \"../signer.pem\"\nprivate_key = \"../signer.key\"\n";

/// The validator may have attestations signed and see keys; the watcher may only see them.
const RULES: &str = "
[[permissions]]
clients = [\"validator.example\", \"validator\"]
keys = [\"role:attester\"]
operations = [\"sign-xmss\", \"list\"]

[[permissions]]
clients = [\"watcher.example\", \"watcher\"]
keys = [\"*\"]
operations = [\"list\"]
";

/// A place with an authority, and the signer's certificate.
fn place() -> (Place, Authority) {
    let place = Place::new();
    let authority = Authority::new(&place.folder, "ca.pem");
    authority.certify_signer(&place.folder, "signer", "127.0.0.1");
    (place, authority)
}

/// The greatest epochs that the two keys have ever reserved, as `shown` sees them, in order.
fn highest(place: &Place, shown: &Shown) -> Vec<Option<u64>> {
    let keys = place.client(shown).keys().expect("it may see them");
    assert!(!keys.is_empty());
    let mut highest: Vec<_> = keys.into_iter().map(|key| key.highest).collect();
    highest.sort_unstable();
    highest
}

#[test]
fn certificates_decide_who_signs() {
    let (place, authority) = place();
    let certify = |name: &str, says: &Says<'_>| authority.certify(&place.folder, name, says);
    let validator = certify("validator", &Says::client(&["validator.example", "other.example"]));
    let watcher = certify("watcher", &Says::client(&["watcher.example"]));
    let other = Authority::new(&place.folder, "other-ca.pem");
    let bad = [
        ("wrong CA", other.certify(&place.folder, "a", &Says::client(&["validator.example"]))),
        ("expired", certify("b", &Says { years: (2000, 2001), ..Says::client(&["validator.example"]) })),
        (
            "not yet valid",
            certify("c", &Says { years: (3000, 3001), ..Says::client(&["validator.example"]) }),
        ),
        ("wrong name", certify("d", &Says::client(&["stranger.example"]))),
        ("the right name second", certify("e", &Says::client(&["stranger.example", "validator.example"]))),
        ("a name for many", certify("f", &Says::client(&["*.example"]))),
        ("no name", certify("g", &Says::client(&["10.0.0.7"]))),
        (
            "for servers",
            certify(
                "h",
                &Says { purposes: vec![Purpose::ServerAuth], ..Says::client(&["validator.example"]) },
            ),
        ),
        ("none", Shown::default()),
        ("may only look", watcher),
    ];
    let signer = place.start("", &format!("{CERTIFICATES}{RULES}"));
    for program in programs() {
        for (name, shown) in &bad {
            let answer = ask(program, &place, shown, 0, 1, 1);
            assert_ne!(answer.status, 200, "{program:?}, {name}: {answer:?}");
            assert_eq!(answer.signature(), None, "{program:?}, {name}");
        }
        // Of a key that it may not use it does not hear.
        let answer = ask(program, &place, &validator, 1, 1, 1);
        assert!(matches!(answer.status, 403 | 404), "{program:?}: {answer:?}");
    }
    let watcher = &bad.last().expect("the list is not empty").1;
    assert_eq!(highest(&place, watcher), [None, None], "something was signed");

    let signatures: Vec<_> = programs()
        .into_iter()
        .map(|program| {
            let answer = ask(program, &place, &validator, 0, 1, 1);
            answer.signature().unwrap_or_else(|| panic!("{program:?}: {answer:?}"))
        })
        .collect();
    assert!(
        signatures.iter().all(|signature| *signature == signatures[0]),
        "the same message, other signatures"
    );
    for program in programs() {
        let status = ask(program, &place, &validator, 0, 1, 2).status;
        assert!(matches!((program, status), (Program::Phalanx, 403) | (_, 412)), "{program:?}: {status}");
    }
    assert_eq!(highest(&place, watcher), [None, Some(1)]);
    assert!(signer.stop().expect("it runs").success());
}

#[test]
fn a_signer_with_another_name_is_not_believed() {
    let (place, authority) = place();
    authority.certify_signer(&place.folder, "signer", "signer.example");
    let validator = authority.certify(&place.folder, "validator", &Says::client(&["validator.example"]));
    let _signer = place.start("", &format!("{CERTIFICATES}{RULES}"));
    for program in programs() {
        assert_eq!(ask(program, &place, &validator, 0, 1, 1).status, 0, "{program:?}");
    }
}

/// Writes a token for a client to present.
fn present(place: &Place, name: &str, token: &str) -> Shown {
    let path = place.folder.path(name);
    write_private(&path, token.as_bytes()).expect("our folder");
    Shown { certificate: None, token: Some(path) }
}

fn line(name: &str, token: &str) -> String {
    format!("{name} {}\n", hex::encode(Sha256::digest(token)))
}

#[test]
fn tokens_decide_who_signs() {
    let (place, authority) = place();
    let (token, watchers) = ("validator".repeat(5), "watcher".repeat(7));
    let lines = line("validator", &token) + &line("watcher", &watchers);
    write_private(&place.rig.folder().join("tokens"), lines.as_bytes()).expect("our folder");
    let mut near = token.clone();
    near.replace_range(44.., "s");
    let validator = present(&place, "validator.token", &token);
    let watcher = present(&place, "watcher.token", &watchers);
    let bad = [
        ("one character off", present(&place, "a", &near)),
        ("its beginning", present(&place, "b", &token[..44])),
        ("more than it", present(&place, "c", &format!("{token}x"))),
        ("in capitals", present(&place, "d", &token.to_uppercase())),
        ("its hash", present(&place, "e", &hex::encode(Sha256::digest(&token)))),
        ("none", Shown::default()),
        ("a certificate", authority.certify(&place.folder, "f", &Says::client(&["validator.example"]))),
    ];
    let signer = place.start("tokens = \"tokens\"", &format!("{NO_CERTIFICATES}{RULES}"));
    for program in programs() {
        for (name, shown) in &bad {
            let status = ask(program, &place, shown, 0, 1, 1).status;
            assert!(
                matches!((program, status), (Program::Phalanx, 403) | (_, 401)),
                "{program:?}, {name}: {status}"
            );
        }
        assert_eq!(ask(program, &place, &watcher, 0, 1, 1).status, 403, "{program:?}");
    }
    assert_eq!(highest(&place, &watcher), [None, None], "something was signed");
    let all: Vec<_> =
        programs().into_iter().map(|program| ask(program, &place, &validator, 0, 1, 1)).collect();
    assert!(all.iter().all(|answer| answer.signature().is_some()), "{all:?}");

    // A token that was taken off the list is replayed.
    write_private(&place.rig.folder().join("tokens"), line("watcher", &watchers).as_bytes())
        .expect("our folder");
    signer.reload();
    wait_until(|| "it is still believed".to_owned(), || place.client(&validator).keys().is_err());
    for program in programs() {
        assert_ne!(ask(program, &place, &validator, 0, 2, 1).status, 200, "{program:?}");
    }
    assert_eq!(highest(&place, &watcher), [None, Some(1)]);
    let said = signer.said();
    assert!(!said.contains(&token) && !said.contains(&watchers), "the log holds a token");
}

#[test]
fn a_token_that_was_stolen_is_of_no_use_with_another_certificate() {
    let (place, authority) = place();
    let token = "t".repeat(43);
    write_private(&place.rig.folder().join("tokens"), line("validator.example", &token).as_bytes())
        .expect("our folder");
    let with = |name: &str, host: &str| {
        let token = present(&place, "token", &token).token;
        Shown { token, ..authority.certify(&place.folder, name, &Says::client(&[host])) }
    };
    let (validator, thief) = (with("validator", "validator.example"), with("thief", "watcher.example"));
    let (without, alone) = (
        Shown { token: None, certificate: validator.certificate.clone() },
        Shown { token: validator.token.clone(), certificate: None },
    );
    let _signer = place.start("tokens = \"tokens\"", &format!("{CERTIFICATES}{RULES}"));
    for program in programs() {
        for (name, shown) in
            [("another certificate", &thief), ("no token", &without), ("no certificate", &alone)]
        {
            assert_ne!(ask(program, &place, shown, 0, 1, 1).status, 200, "{program:?}, {name}");
        }
    }
    assert_eq!(highest(&place, &validator), [None], "something was signed");
    for program in programs() {
        assert_eq!(ask(program, &place, &validator, 0, 1, 1).status, 200, "{program:?}");
    }
}
