//! Rules of reading that no vector covers (specification, section 9): one change to a good file, and its verdict.

use phalanx_custody::keystore::{Keystore, Password, Policy, Verdict};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

fn file(name: &str) -> Value {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/custody/keystore");
    let bytes = fs::read(folder.join(name)).expect("the vector is there");
    serde_json::from_slice(&bytes).expect("it is JSON")
}

/// The answer to the text: a refusal before the derivation, or after it; `None` if it opens.
fn answer(text: &str) -> Option<Verdict> {
    let password = Password::from_bytes(b"correct horse battery staple").expect("UTF-8");
    let opened = Keystore::parse(text.as_bytes())
        .and_then(|keystore| keystore.open(&password, Policy { accept_weak_kdf: true }));
    opened.err()?.verdict()
}

/// The answer to `name` with the member at `pointer` set, or taken away for `None`.
fn changed(name: &str, pointer: &str, to: Option<Value>) -> Option<Verdict> {
    let mut document = file(name);
    let (parent, member) = pointer.rsplit_once('/').expect("a pointer begins with a slash");
    let parent = document.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object");
    match to {
        Some(value) => drop(parent.insert(member.to_owned(), value)),
        None => assert!(parent.remove(member).is_some(), "{pointer}"),
    }
    answer(&document.to_string())
}

const XMSS: &str = "ok-argon2id-p2-l32.json";
const SEALED: &str = "ok-sealed-aad.json";

#[test]
fn members_that_are_wrong() {
    use Verdict as V;
    let hex = |bytes: usize| Some(json!("5a".repeat(bytes)));
    let text = |text: &str| Some(json!(text));
    let cases: &[(&str, Option<Value>, Verdict)] = &[
        ("/uuid", text("1b55eaaba0454db794e6f6aca3c12f69"), V::Malformed),
        ("/uuid", None, V::Malformed),
        ("/path", None, V::Malformed),
        ("/path", Some(Value::Null), V::Malformed),
        ("/description", Some(json!(7)), V::Malformed),
        ("/crypto/kdf", None, V::Malformed),
        ("/crypto/kdf/message", None, V::Malformed),
        ("/crypto/cipher/params", None, V::Malformed),
        ("/phalanx", Some(json!([])), V::Malformed),
        ("/phalanx/extension", None, V::Malformed),
        ("/phalanx/extension", text("1"), V::Malformed),
        ("/phalanx/use", text("both"), V::Malformed),
        ("/phalanx/use", None, V::Malformed),
        ("/phalanx/role", None, V::Malformed),
        ("/phalanx/secret", text("words"), V::Malformed),
        ("/crypto/cipher/params/iv", hex(11), V::Malformed),
        ("/crypto/cipher/params/iv", hex(13), V::Malformed),
        ("/crypto/cipher/params/iv", text("zz"), V::Malformed),
        ("/crypto/cipher/params/tag", hex(15), V::Malformed),
        ("/crypto/cipher/params/tag", hex(17), V::Malformed),
        ("/crypto/cipher/params/tag", None, V::WrongSecretLength),
        ("/crypto/cipher/message", text("abc"), V::Malformed),
        ("/crypto/cipher/message", hex(31), V::WrongSecretLength),
        ("/crypto/cipher/message", hex(33), V::WrongSecretLength),
        ("/crypto/cipher/params/aad", text("phalanx-header-v2"), V::UnsupportedFunction),
        ("/crypto/cipher/params/aad", text("phalanx-header-v1"), V::Malformed),
        ("/crypto/checksum/function", text("sha512"), V::UnsupportedFunction),
        ("/crypto/checksum/message", hex(31), V::Malformed),
        ("/phalanx/binding/function", text("hmac-sha512"), V::UnsupportedFunction),
        ("/phalanx/binding/message", hex(33), V::Malformed),
        ("/phalanx/parameter_set", None, V::Malformed),
        ("/scheme/params/index_mode", text("embedded"), V::UnsupportedScheme),
        ("/scheme/params/index_mode", text("random"), V::UnsupportedScheme),
        ("/scheme/params/index_mode", text("counter"), V::SchemeMismatch),
        ("/scheme/params/encoding", text("winternitz"), V::UnsupportedScheme),
        ("/scheme/params/target_sum", Some(json!(374)), V::UnsupportedScheme),
        ("/scheme/params/hash", None, V::Malformed),
        ("/scheme/params/activation_epoch", None, V::Malformed),
        ("/scheme/params/activation_epoch", Some(json!(1)), V::SchemeMismatch),
        ("/scheme/params/num_active_epochs", Some(json!(65_536)), V::SchemeMismatch),
        ("/scheme/params/num_active_epochs", Some(json!(9_007_199_254_740_991u64)), V::SchemeMismatch),
        ("/state", None, V::Malformed),
        ("/state/authoritative", text("false"), V::Malformed),
        ("/pubkey", hex(48), V::SchemeMismatch),
        ("/pubkey", text("xx"), V::Malformed),
        ("/pubkey", Some(json!("ff".repeat(52))), V::Malformed),
        ("/phalanx/key_id", hex(32), V::SchemeMismatch),
        ("/phalanx/key_id", hex(31), V::Malformed),
        ("/crypto/kdf/params/salt", hex(15), V::Malformed),
        ("/crypto/kdf/params/salt", hex(65), V::Malformed),
        ("/crypto/kdf/params/dklen", Some(json!(64)), V::Malformed),
        ("/crypto/kdf/params/m", None, V::Malformed),
        ("/crypto/kdf/params/p", Some(json!(0)), V::Malformed),
    ];
    assert_eq!(answer(&file(XMSS).to_string()), None);
    for (pointer, to, wanted) in cases {
        assert_eq!(changed(XMSS, pointer, to.clone()), Some(*wanted), "{pointer} = {to:?}");
    }
}

#[test]
fn what_may_be_left_out_or_written_otherwise() {
    // Argon2id has one length of keys, and says so or does not; the header changes with it.
    assert_eq!(changed(XMSS, "/crypto/kdf/params/dklen", None), Some(Verdict::HeaderChanged));
    assert_eq!(changed("ok-pbkdf2-p2-l8.json", "/crypto/kdf/params/dklen", None), Some(Verdict::Malformed));
    assert_eq!(changed("eip-only.json", "/description", None), None);
    let capitals = |pointer: &str| {
        let text =
            file("eip-only.json").pointer(pointer).and_then(Value::as_str).expect("a text").to_uppercase();
        changed("eip-only.json", pointer, Some(json!(text)))
    };
    for pointer in
        ["/pubkey", "/uuid", "/crypto/cipher/message", "/crypto/kdf/params/salt", "/crypto/checksum/message"]
    {
        assert_eq!(capitals(pointer), None, "{pointer}");
    }
}

#[test]
fn associated_data_stands_alone() {
    let checksum = json!({"function": "sha256", "params": {}, "message": "00".repeat(32)});
    assert_eq!(changed(SEALED, "/crypto/checksum", Some(checksum)), Some(Verdict::Malformed));
    let binding = json!({"function": "hmac-sha256", "message": "00".repeat(32)});
    assert_eq!(changed(SEALED, "/phalanx/binding", Some(binding)), Some(Verdict::Malformed));
    assert_eq!(changed(SEALED, "/phalanx", None), Some(Verdict::Malformed));
    // Step 6 comes before step 7: what is wrong with the secret is told first.
    let mut document = file(SEALED);
    document["crypto"]["cipher"]["message"] = json!("00");
    document["phalanx"].as_object_mut().expect("an object").remove("role");
    assert_eq!(answer(&document.to_string()), Some(Verdict::Malformed), "step 4");
    document["phalanx"]["role"] = json!("attester");
    document["crypto"]["checksum"] = json!({});
    assert_eq!(answer(&document.to_string()), Some(Verdict::WrongSecretLength), "step 6");
}

#[test]
fn only_keys_over_koala_bear_are_expanded() {
    for name in ["ok-chacha20poly1305-blake2s.json", "ok-ed25519.json"] {
        assert_eq!(changed(name, "/phalanx/secret", Some(json!("prf-key"))), Some(Verdict::SchemeMismatch));
    }
}

#[test]
fn texts_are_bound_by_their_meaning() {
    let text = file(XMSS).to_string();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        answer(&text.replace(from, to))
    };
    // Another way to write the same.
    assert_eq!(with("\"attester\"", "\"\\u0061ttester\""), None);
    assert_eq!(with("\"path\"", "\"p\\u0061th\""), None);
    // Half a surrogate pair is no text; members named alike after escapes are one member twice.
    assert_eq!(with("\"path\":\"\"", "\"path\":\"\\ud800\""), Some(Verdict::Malformed));
    assert_eq!(with("\"path\":\"\"", "\"path\":\"\",\"p\\u0061th\":\"\""), Some(Verdict::Malformed));
    for value in ["null", "true", "[1,{}]", "\"\u{10000}\u{ffff}\""] {
        let added = with("\"path\":\"\"", &format!("\"path\":\"\",\"more\":{value}"));
        assert_eq!(added, Some(Verdict::HeaderChanged), "{value}");
    }
}
