//! What the service answers: every row of the table of errors, and who may do what.

use super::{ALL, GENESIS, Place, ask};
use phalanx_custody::keystore::Role;
use phalanx_custody::ledger::EpochLedger;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::signer::openapi;
use phalanx_xmss::{Format, Signature};
use sha2::{Digest, Sha256};

const UNKNOWN: &str = "0000000000000000000000000000000000000000000000000000000000000000";

fn signature(text: &str) -> Signature {
    let bytes = hex::decode(text.strip_prefix("0x").expect("it begins so")).expect("hexadecimal");
    Signature::from_bytes(super::SET, Format::Ssz, &bytes).expect("a signature")
}

#[test]
fn signatures_verify_and_repeats_are_identical() {
    let place = Place::new(&[Role::Attester], 0..32);
    let running = place.start();
    let (client, key) = (running.client(), place.pubkey(0));
    let path = format!("/api/v1/xmss/sign/0x{}", key.to_uppercase());
    let first = client.post(&path, &ask(3, 7));
    assert_eq!(first.status, 200, "{first:?}");
    let first = first.json();
    assert_eq!((first["epoch"].as_str(), first["repeated"].as_bool()), (Some("3"), Some(false)));
    assert_eq!(first["key_id"].as_str().map(str::len), Some(64));
    let text = first["signature"].as_str().expect("a text");
    place.keys[0].verify(3, &[7; 32], &signature(text)).expect("it verifies");
    let again = client.post(&path, &ask(3, 7)).json();
    assert_eq!((again["signature"].as_str(), again["repeated"].as_bool()), (Some(text), Some(true)));
    let plain = client.post(&format!("/sign/{key}"), &ask(3, 7)).json();
    assert_eq!(plain, serde_json::json!({ "signature": text }));
    let root = hex::encode(GENESIS);
    let named = format!("{},\"genesis_validators_root\":\"{root}\"}}", ask(4, 7).trim_end_matches('}'));
    assert_eq!(client.post(&path, &named).status, 200);
    running.log.wait_for("answer=signed");
    running.log.wait_for("answer=repeated");
    running.log.wait_for(&hex::encode(Sha256::digest([7; 32])));
    running.signer.stop();
    let log = running.log.text();
    assert!(!log.contains(&hex::encode([7; 32])) && !log.contains(&text[..40]), "no message, no signature");
}

#[test]
fn a_batch_has_an_answer_for_each() {
    let place = Place::new(&[Role::Attester, Role::Proposer], 0..32);
    let running = place.start();
    let (a, b) = (place.pubkey(0), place.pubkey(1));
    let one = |key: &str, epoch: u64, message: u8| {
        format!("{{\"pubkey\": \"{key}\", {}", ask(epoch, message).trim_start_matches('{'))
    };
    let requests = [one(&a, 3, 1), one(&b, 3, 1), one(&a, 3, 2), one(UNKNOWN, 3, 1), one(&a, 3, 1)].join(",");
    let answer = running.client().post("/api/v1/xmss/sign", &format!("{{\"requests\": [{requests}]}}"));
    assert_eq!(answer.status, 200);
    let results = answer.json()["results"].as_array().expect("a list").clone();
    for (i, (key, repeated)) in [(0, (0, false)), (1, (1, false)), (4, (0, true))] {
        assert_eq!(results[i]["repeated"].as_bool(), Some(repeated), "{i}");
        let text = results[i]["signature"].as_str().expect("a text");
        place.keys[key].verify(3, &[1; 32], &signature(text)).expect("it verifies");
    }
    assert_eq!(results[2]["code"], "epoch_used");
    assert_eq!((&results[2]["final"], &results[2]["epoch"]), (&true.into(), &"3".into()));
    assert_eq!(results[3]["code"], "unknown_key");
    running.signer.stop();
}

#[test]
fn every_refusal_has_its_status_and_code() {
    let place = Place::new(&[Role::Attester, Role::Proposer], 32..192);
    let running = place.start();
    let (client, path) = (running.client(), format!("/api/v1/xmss/sign/{}", place.pubkey(0)));
    let code = |body: &str| client.post(&path, body).code();
    let refused = |status: u16, code: &str| (status, code.to_owned());
    assert_eq!(code("{"), refused(400, "malformed"));
    assert_eq!(
        code("{\"bls_domain\": \"beacon_attester\", \"data\": {}}"),
        refused(400, "unsupported_request")
    );
    let root = format!("{},\"genesis_validators_root\":\"{UNKNOWN}\"}}", ask(40, 1).trim_end_matches('}'));
    assert_eq!(code(&root), refused(400, "wrong_genesis"));
    let other = client.post(&format!("/api/v1/ed25519/sign/{}", place.pubkey(0)), &ask(40, 1));
    assert_eq!(other.code(), refused(400, "wrong_scheme"));
    let unknown = client.post(&format!("/sign/0x{UNKNOWN}"), &ask(40, 1));
    assert_eq!(unknown.code(), refused(404, "unknown_key"));
    assert_eq!(unknown.json()["error"], format!("Key not found: 0x{UNKNOWN}"));
    assert_eq!(client.get("/nowhere").code(), refused(404, "not_found"));
    assert_eq!(client.get(&path).code(), refused(405, "method"));
    let raw = |text: String| {
        let mut connection = client.connect();
        connection.raw(text.as_bytes());
        connection.answer().expect("an answer").code()
    };
    let head = format!("POST {path} HTTP/1.1\r\nHost: signer\r\n");
    assert_eq!(
        raw(format!("{head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")),
        refused(411, "length_required")
    );
    assert_eq!(
        raw(format!("{head}Content-Type: application/json\r\nContent-Length: 65537\r\n\r\n")),
        refused(413, "too_large")
    );
    assert_eq!(raw(format!("{head}Content-Length: 2\r\n\r\n{{}}")), refused(415, "media_type"));
    assert_eq!(client.get(&format!("/{}", "a".repeat(512))).code(), refused(413, "too_large"));
    assert_eq!(code(&ask(31, 1)), refused(412, "not_active"), "the key begins at 32");
    assert_eq!(code(&ask(192, 1)), refused(412, "exhausted"));
    assert_eq!(client.post(&path, &ask(50, 1)).status, 200);
    let used = client.post(&path, &ask(50, 2));
    assert_eq!(used.code(), refused(412, "epoch_used"));
    assert_eq!((&used.json()["final"], &used.json()["epoch"]), (&true.into(), &"50".into()));
    assert_eq!(code(&ask(49, 1)), refused(412, "out_of_order"));
    let late = client.post(&path, &ask(200, 1));
    assert_eq!((late.code(), &late.json()["final"]), (refused(412, "exhausted"), &true.into()));
    // Last: the key moves on to this epoch, far ahead of what it prepares by itself, and leaves the earlier ones behind.
    assert_eq!(code(&ask(150, 1)), refused(503, "not_prepared"));
    running.signer.stop();
    // What an operator does to a key: the service says so.
    let ledger = place.ledger();
    let id = |i: usize| phalanx_custody::identity::xmss_key_id(&place.keys[i]);
    ledger.quarantine(&id(0), "a test").expect("an active key");
    ledger.raise_low(&id(1), 60, "a test").expect("it only goes up");
    drop(ledger);
    let running = place.start();
    let client = running.client();
    // The key may have moved on before the stop or not; it does now.
    let quarantined = loop {
        let answer = client.post(&path, &ask(150, 1));
        if answer.code() != refused(503, "not_prepared") {
            break answer;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    assert_eq!(quarantined.code(), refused(412, "quarantined"));
    assert_eq!(quarantined.json()["final"], false);
    let other = format!("/sign/{}", place.pubkey(1));
    assert_eq!(client.post(&other, &ask(59, 1)).code(), refused(412, "passed"));
    running.signer.stop();
    retired(&place, &id(1));
}

fn retired(place: &Place, key: &phalanx_custody::identity::KeyId) {
    place.ledger().retire(key, "a test").expect("an active key");
    let running = place.start();
    let client = running.client();
    let answer = client.post(&format!("/sign/{}", place.pubkey(1)), &ask(61, 1));
    assert_eq!(answer.code(), (412, "retired".to_owned()));
    let ready = client.get("/readyz");
    assert_eq!(ready.status, 503);
    assert_eq!(ready.json()["reasons"], serde_json::json!(["no_active_key"]));
    running.signer.stop();
}

#[test]
fn what_no_rule_allows_is_denied() {
    let place = Place::new(&[Role::Attester, Role::Proposer], 0..32);
    let (a, b) = ("a".repeat(43), "b".repeat(43));
    let line = |name: &str, token: &str| format!("{name} {}\n", hex::encode(Sha256::digest(token)));
    std::fs::write(place.folder.join("tokens"), line("first", &a) + &line("second", &b)).expect("a file");
    let id = phalanx_custody::identity::xmss_key_id(&place.keys[1]).to_string();
    let rule = |client: &str, keys: &str, operations: &str| {
        format!("[[permissions]]\nclients = [\"{client}\"]\nkeys = [{keys}]\noperations = [{operations}]\n")
    };
    let rules = rule("first", "\"role:attester\"", "\"sign-xmss\"")
        + &rule("second", &format!("\"{}\"", &id[..8]), "\"list\"")
        + &rule("second", "", "\"metrics\"");
    place.configure("tokens = \"tokens\"", "", &rules);
    let running = place.start();
    let client = running.client();
    let as_client = |token: &str, method: &str, path: &str, body: &str| {
        let headers = format!("Content-Type: application/json\r\nAuthorization: Bearer {token}\r\n");
        client.connect().send(method, path, &headers, body)
    };
    let sign = |token: &str, key: usize, epoch| {
        as_client(token, "POST", &format!("/sign/{}", place.pubkey(key)), &ask(epoch, 1)).status
    };
    assert_eq!((sign(&a, 0, 1), sign(&a, 1, 1)), (200, 404), "the second key is not there for the first");
    assert_eq!((sign(&b, 0, 2), sign(&b, 1, 2)), (404, 403), "the second client may only look");
    let off_by_one = format!("{}c", &a[1..]);
    let wrong = ["c".repeat(43), a[1..].to_owned(), a.clone() + "a", off_by_one, String::new()];
    for token in &wrong {
        assert_eq!(sign(token, 0, 3), 401, "{token}");
    }
    assert_eq!(client.post(&format!("/sign/{}", place.pubkey(0)), &ask(3, 1)).code().1, "unauthenticated");
    let keys = |token: &str, path: &str| {
        let answer = as_client(token, "GET", path, "");
        (answer.status, answer.json()["keys"].as_array().map_or(0, Vec::len))
    };
    assert_eq!((keys(&a, "/keys"), keys(&b, "/keys")), ((200, 1), (200, 1)));
    assert_eq!((keys(&a, "/api/v1/keys"), keys(&b, "/api/v1/keys")), ((403, 0), (200, 1)));
    assert_eq!((keys(&a, "/api/v1/status").0, keys(&b, "/api/v1/status")), (403, (200, 1)));
    let status = |token: &str, method: &str, path: &str| as_client(token, method, path, "").status;
    assert_eq!((status(&a, "GET", "/metrics"), status(&b, "GET", "/metrics")), (403, 200));
    assert_eq!((status(&a, "POST", "/reload"), status(&b, "POST", "/reload")), (403, 403));
    for open in ["/upcheck", "/healthz", "/readyz", "/openapi.json"] {
        assert_eq!(client.get(open).status, 200, "{open} asks nobody");
    }
    running.log.wait_for("answer=not_permitted");
    running.log.wait_for("reason=wrong_token");
    running.signer.stop();
    let log = running.log.text();
    assert!(!log.contains(&a) && !log.contains(&b), "no tokens in the log");
    let ledger: SqliteLedger = place.ledger();
    let standing = |i: usize| {
        let id = phalanx_custody::identity::xmss_key_id(&place.keys[i]);
        ledger.standing(&id).expect("it is known").highest
    };
    assert_eq!((standing(0), standing(1)), (Some(1), None), "nothing was signed without right");
}

#[test]
fn keys_status_and_metrics_say_where_keys_stand() {
    let place = Place::new(&[Role::Attester], 0..32);
    let running = place.start();
    let client = running.client();
    assert_eq!(client.post(&format!("/sign/{}", place.pubkey(0)), &ask(5, 1)).status, 200);
    assert_eq!(client.post(&format!("/sign/{}", place.pubkey(0)), &ask(5, 2)).status, 412);
    let keys = client.get("/api/v1/keys").json();
    let key = &keys["keys"][0];
    for (member, wanted) in [("highest", "5"), ("remaining", "26"), ("low_watermark", "0"), ("end", "32")] {
        assert_eq!(key[member], wanted, "{member}");
    }
    assert_eq!(key["high_watermark"], serde_json::Value::Null);
    assert_eq!(key["prepared"], serde_json::json!({ "start": "0", "end": "32" }));
    let status = client.get("/api/v1/status").json();
    assert_eq!(status["ledger"]["open"], true);
    assert_eq!(status["answers"], serde_json::json!({ "epoch_used": 1, "signed": 1 }));
    assert!(status["flush"]["groups"].as_u64() > Some(0));
    let metrics = String::from_utf8(client.get("/metrics").body).expect("a text");
    let id8 = &key["key_id"].as_str().expect("a text")[..8];
    for line in [
        "phalanx_sign_requests_total{role=\"attester\",answer=\"signed\"} 1".to_owned(),
        "phalanx_sign_requests_total{role=\"attester\",answer=\"epoch_used\"} 1".to_owned(),
        "lean_pq_sig_attestation_signatures_total 1".to_owned(),
        "phalanx_ledger_open 1".to_owned(),
        "phalanx_keys{state=\"active\"} 1".to_owned(),
        format!("phalanx_key_remaining_epochs{{key_id8=\"{id8}\",role=\"attester\"}} 26"),
        format!("phalanx_key_prepared_end{{key_id8=\"{id8}\",role=\"attester\"}} 32"),
        "phalanx_http_requests_total{path=\"/sign/\",status=\"412\"} 1".to_owned(),
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} is not in\n{metrics}");
    }
    let page = client.get("/");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-security-policy: default-src 'none'"), "{}", page.head);
    running.signer.stop();
    place.configure("auth = \"none\"", "address = \"127.0.0.1:0\"\nstatus_page = false", ALL);
    let running = place.start();
    assert_eq!(running.client().get("/").status, 404);
    running.signer.stop();
}

#[test]
fn what_is_described_is_there() {
    let document: serde_json::Value = serde_json::from_str(openapi::text()).expect("JSON");
    assert_eq!(document["openapi"], "3.1.0");
    let place = Place::new(&[Role::Attester], 0..32);
    let running = place.start();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        let path = path.replace("{pubkey}", UNKNOWN);
        let method = if methods.get("post").is_some() { "POST" } else { "GET" };
        let answer = running.client().connect().send(method, &path, "", "");
        let is_there = answer.status < 404 || answer.code() == (404, "unknown_key".to_owned());
        assert!(is_there || matches!(answer.status, 411 | 415 | 503), "{path}: {answer:?}");
    }
    running.signer.stop();
}
