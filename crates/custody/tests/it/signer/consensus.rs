//! Keys of validators over HTTP.

use super::{Place, password};
use crate::ledger::consensus::{VOTE, Vote};
use phalanx_custody::keystore::{
    Derivation, IndexMode, KeySecret, NewKey, Role, Scheme, SealedFile, Use, file,
};
use phalanx_custody::ledger::ed25519_instance;
use phalanx_ed25519::SigningKey;

/// The body of a request for `vote`.
fn ask(vote: Vote, height: u64) -> String {
    let bytes = hex::encode(vote.bytes());
    format!(
        "{{\"chain_id\": \"chain-1\", \"height\": \"{height}\", \"round\": 2, \"step\": \"prevote\", \
          \"sign_bytes\": \"0x{bytes}\"}}"
    )
}

#[test]
fn a_vote_is_signed_once_and_with_its_first_time() {
    let place = Place::new(&[Role::Attester], 0..32);
    let key = SigningKey::from_seed(&[5; 32]);
    let public_key = key.verifying_key().to_bytes();
    let instance = ed25519_instance(key.verifying_key());
    place.register(&place.ledger(), &instance, &public_key);
    let new = NewKey {
        scheme: Scheme::Ed25519,
        interval: None,
        index_mode: IndexMode::Synchronized,
        role: Role::Consensus,
        usage: Use::Signing,
        description: "",
        secret: &KeySecret::from_seed(&[5; 32]),
        public_key: (&public_key).into(),
    };
    let sealed = SealedFile::new(&new, &password(), Derivation::WEAK_FOR_TESTS).expect("it fits");
    file::create(&place.folder.join("keys/validator.json"), &sealed).expect("a new file");
    let running = place.start();
    let (client, path) = (running.client(), format!("/api/v1/ed25519/sign/{}", hex::encode(public_key)));
    let first = client.post(&path, &ask(VOTE, 10));
    assert_eq!(first.status, 200, "{first:?}");
    let first = first.json();
    assert_eq!(first["timestamp"], "1970-01-01T00:00:01.000000000Z");
    let bytes = hex::decode(&first["signature"].as_str().expect("a text")[2..]).expect("hexadecimal");
    let signature = phalanx_ed25519::Signature::from_bytes(bytes.as_slice().try_into().expect("64 bytes"));
    key.verifying_key().verify(&VOTE.bytes(), &signature).expect("it verifies");
    // The same with another time gets the signature and the time of before.
    let later = client.post(&path, &ask(Vote { seconds: 9, ..VOTE }, 10)).json();
    assert_eq!((&later["signature"], &later["timestamp"]), (&first["signature"], &first["timestamp"]));
    assert_eq!(later["repeated"], true);
    let other = client.post(&path, &ask(Vote { block: 8, ..VOTE }, 10));
    assert_eq!(other.code(), (412, "epoch_used".to_owned()));
    assert_eq!(client.post(&path, &ask(VOTE, 11)).code(), (400, "malformed".to_owned()), "another height");
    let body = super::ask(1, 1);
    let wrong = client.post(&format!("/sign/{}", hex::encode(public_key)), &body);
    assert_eq!(wrong.code(), (400, "wrong_scheme".to_owned()));
    running.signer.stop();
}
