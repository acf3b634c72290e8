//! Files as other programs write them, and bytes that are nothing.

use phalanx::xmss::{Format, ParameterSet, SigningKey};
use phalanx_identify::{Confidence, Reading, documents, identify, next_command};
use phalanx_testing::Random;
use std::sync::LazyLock;

/// Two keys of a set with short lifetimes: the forms are those of all sets over KoalaBear.
static KEYS: LazyLock<[SigningKey; 2]> = LazyLock::new(|| {
    [1, 2].map(|seed| {
        SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[seed; 32], 0..256).expect("an interval")
    })
});

static SIGNATURE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut key =
        SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[3; 32], 0..256).expect("an interval");
    key.sign(7, &[9; 32]).expect("an epoch").to_bytes(Format::Ssz)
});

fn public(i: usize) -> Vec<u8> {
    KEYS[i].verifying_key().to_bytes(Format::Ssz)
}

fn numbers(bytes: &[u8]) -> String {
    format!("{bytes:?}")
}

/// On lines of 60 digits, as xxd writes them.
fn wrapped(bytes: &[u8]) -> String {
    let digits = hex::encode(bytes);
    digits.as_bytes().chunks(60).map(|line| format!("{}\n", String::from_utf8_lossy(line))).collect()
}

/// What `text` is said to be: kinds, each once.
fn kinds(text: &[u8]) -> Vec<&'static str> {
    let mut kinds: Vec<_> = identify(text).readings.iter().map(|reading| reading.kind).collect();
    kinds.dedup();
    kinds
}

#[test]
fn values_of_other_programs_are_named() {
    let object =
        |i: usize| String::from_utf8(KEYS[i].verifying_key().to_bytes(Format::Json)).expect("a text");
    for (kind, bytes) in [("public key", public(0)), ("signature", SIGNATURE.clone())] {
        let digits = hex::encode(&bytes);
        let spaced: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let name = if kind == "signature" { "signature" } else { "publicKey" };
        for text in [
            digits.clone(),
            format!("0x{digits}\n"),
            format!("0X{}\r\n", digits.to_uppercase()),
            wrapped(&bytes),
            spaced.join(" "),
            format!("\"0x{digits}\""),
            numbers(&bytes),
            format!("[\n  {}\n]\n", numbers(&bytes).trim_matches(['[', ']'])),
            format!("[{}]", bytes.iter().map(|byte| format!("0x{byte:02x}, ")).collect::<String>()),
            format!("{{\"{name}\": {bytes:#x?}}}"),
            format!("{{\"{name}\": \"{digits}\"}}"),
            format!("{{\"{name}\": {}}}", numbers(&bytes)),
            format!("{{\"data\": {{\"deep\": [{{\"{name}\": \"0x{digits}\"}}]}}}}"),
            format!("{name}: {digits}\n"),
            format!("# a comment\n---\nkeys:\n- {name}: '0x{digits}'\n"),
            format!("{{\"value\": \"{digits}\"}}"),
        ] {
            let report = identify(text.as_bytes());
            assert_eq!(kinds(text.as_bytes()), [kind], "{text}: {:?}", report.problems);
            let known = |reading: &Reading| reading.scheme.as_deref() == Some("xmss-poseidon2-l8-d64b8");
            assert!(report.readings.iter().any(known), "{text}");
        }
    }
    for text in [object(0), format!("{{\"validator\": {{\"pubkey\": {}}}}}", object(0))] {
        if cfg!(feature = "json") {
            assert_eq!(kinds(text.as_bytes()), ["public key"], "{text}");
        }
    }
}

#[test]
fn keys_of_test_data_are_found_where_they_stand() {
    let (one, two) = (hex::encode(public(0)), hex::encode(public(1)));
    for text in [
        format!(
            r#"{{"attestation_public": "{one}", "attestation_secret": "00ff", "proposal_public": "0x{two}"}}"#
        ),
        format!(
            r#"{{"attestation_keypair": {{"public_key": "{one}"}}, "proposal_keypair": {{"public_key": "{two}"}}}}"#
        ),
    ] {
        let document = documents::read(text.as_bytes()).expect("a document");
        let paths: Vec<_> = document.found.iter().map(|found| found.path.as_str()).collect();
        assert!(paths[0].starts_with("attestation") && paths[1].starts_with("proposal"), "{paths:?}");
        assert_eq!(
            document.found.iter().map(|found| found.bytes.to_vec()).collect::<Vec<_>>(),
            [public(0), public(1)]
        );
    }
}

#[test]
fn lists_of_validators_in_all_dialects() {
    let (one, two) = (hex::encode(public(0)), hex::encode(public(1)));
    let head = "# by a tool\nkey_scheme: SIGTopLevelTargetSumLifetime32Dim64Base8\nhash_function: Poseidon2\n\
                encoding: TargetSum\nlifetime: 4294967296\nlog_num_active_epochs: 18\nnum_validators: 1\n\nvalidators:\n";
    let manifest = "validator keys manifest";
    for (kind, keys, text) in [
        (
            manifest,
            1,
            format!("{head}- index: 0\n  pubkey_hex: 0x{one}\n  privkey_file: validator_0_sk.ssz\n"),
        ),
        (
            manifest,
            2,
            format!(
                "{head}  - index: 0\n    attester_key_pubkey_hex: {one}\n    attester_key_privkey_file: a.ssz\n    \
                 proposer_key_pubkey_hex: {two}\n    proposer_key_privkey_file: b.ssz\n"
            ),
        ),
        (
            manifest,
            2,
            format!(
                "{head}- attestation_public_key_hex: '0x{one}'\n  proposal_public_key_hex: '0x{two}'\n  \
                 attestation_private_key_file: a.ssz\n  proposal_private_key_file: b.ssz\n"
            ),
        ),
        (
            "annotated validators",
            2,
            format!(
                "zeam_0:\n  - index: 3\n    pubkey_hex: {one}\n    privkey_file: validator_3_attester_sk.ssz\nream_0:\n  \
                 - index: 4\n    pubkey_hex: {two}\n    privkey_file: validator_4_attester_sk.ssz\n"
            ),
        ),
        (
            "genesis configuration",
            2,
            format!(
                "GENESIS_TIME: 1763712794\nVALIDATOR_COUNT: 1\nGENESIS_VALIDATORS:\n  - attestation_pubkey: \"{one}\"\n    \
                 proposal_pubkey: \"{two}\"\n"
            ),
        ),
        ("genesis configuration", 2, format!("GENESIS_VALIDATORS:\n    - \"{one}\"\n    - \"0x{two}\"\n")),
        (
            manifest,
            1,
            format!("{{\"validators\": [{{\"index\": 0, \"pubkey_hex\": {}}}]}}", numbers(&public(0))),
        ),
    ] {
        let report = identify(text.as_bytes());
        assert_eq!(report.problems, [""; 0], "{text}");
        assert_eq!((report.readings.len(), report.readings[0].kind), (1, kind), "{text}");
        let told = &report.readings[0].details["public keys"];
        assert!(told.starts_with(&format!("{keys} public key of ")), "{told}: {text}");
        let validators = documents::read(text.as_bytes()).and_then(|found| found.validators).expect("a list");
        let wanted = [public(0), public(1)];
        let got: Vec<_> = validators.entries.iter().filter_map(|entry| entry.public_key.clone()).collect();
        assert_eq!(got, wanted[..keys], "{text}");
    }
}

#[test]
fn lists_that_contradict_themselves_say_so() {
    let one = hex::encode(public(0));
    let text = format!(
        "num_validators: 3\nvalidators:\n- attester_key_pubkey_hex: {one}\n  attester_key_privkey_file: a.ssz\n  \
         proposer_key_pubkey_hex: {one}\n  proposer_key_privkey_file: a.ssz\n- index: 1\n  privkey_file: c.ssz\n"
    );
    let problems = identify(text.as_bytes()).problems;
    assert_eq!(
        problems,
        [
            "says num_validators 3, and has 2",
            "validators[0] has the public key of validators[0]",
            "validators[0] names 'a.ssz', as another does",
            "validators[1] has no public key",
        ]
    );
}

/// Nothing is claimed of bytes of these lengths, as they are and in hexadecimal; what may be has a command to try.
fn check_noise(seed: u64, lengths: impl Iterator<Item = usize>) {
    let mut random = Random::from_seed(seed);
    for len in lengths {
        let bytes = random.bytes(len);
        for text in [bytes.clone(), hex::encode(&bytes).into_bytes()] {
            for found in identify(&text).readings {
                let shown = hex::encode(&bytes);
                assert_eq!(found.confidence, Confidence::Possible, "seed {seed}, {len}: {found:?}: {shown}");
                let next = next_command(found.kind, found.scheme.as_deref(), found.format.as_deref(), "F");
                assert!(next.is_some(), "{found:?}");
            }
        }
    }
}

#[test]
fn noise_is_nothing_for_sure() {
    check_noise(1, (0..200).chain((200..=4096).step_by(59)).chain([1208, 2536, 2948, 3112]));
}

#[test]
#[ignore = "minutes, in release: every length, with several seeds"]
fn noise_of_every_length_is_nothing_for_sure() {
    std::thread::scope(|scope| {
        for seed in 2..6 {
            scope.spawn(move || check_noise(seed, 0..=4096));
        }
    });
}

#[test]
fn documents_about_other_things_are_nothing() {
    let hash = "9".repeat(64);
    let long = "5a".repeat(64);
    for text in [
        "name: phalanx\nversion: 0.1.0\n".to_owned(),
        // A hash that begins as an object of JSON does is none.
        format!("{{\"other\": \"7b{}\"}}", &hash[2..]),
        format!("{{\"message\": \"{hash}\", \"root\": \"{hash}\", \"integrity\": \"{long}\"}}"),
        "validators:\n- 0\n- 1\n".to_owned(),
        "zeam_0:\n- 0\n- 1\n".to_owned(),
        "[1, 2, 3]".to_owned(),
        "a: &x [1]\nb: *x\n".to_owned(),
        "[".repeat(100_000),
        "a: ".repeat(10_000),
        "- ".repeat(100_000),
        "{\"a\":".repeat(50_000),
    ] {
        assert_eq!(identify(text.as_bytes()).readings, [], "{}", &text[..text.len().min(80)]);
    }
}

#[test]
fn damaged_documents_are_read_without_a_panic() {
    let one = hex::encode(public(0));
    let good = format!(
        "num_validators: 2\nvalidators:\n- {{index: 0, pubkey_hex: \"0x{one}\"}}\n- index: 1\n  pubkey_hex: |\n    {one}\n  \
         privkey_file: 'b.ssz' # last\n"
    );
    let mut random = Random::from_seed(2);
    let mut read = 0;
    for _ in 0..3000 {
        let mut bytes = good.clone().into_bytes();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.u8(),
                1 => bytes[at] = b"-:{}[]\"'|>&*!%#?, \n\t"[at % 20],
                2 if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => bytes.truncate(at.max(1)),
            }
        }
        read += usize::from(documents::read(&bytes).is_some());
    }
    assert!(read > 300, "of the damaged ones many still say something: {read}");
}
