//! A key over BLAKE2s beside one over KoalaBear.

use super::{Place, ask, password};
use crate::ledger::generations::key;
use phalanx_custody::EpochKey;
use phalanx_custody::keystore::{Derivation, KeySecret, NewKey, Role, SealedFile, file};
use phalanx_custody::ledger::xmss_instance;
use phalanx_xmss::Format;
use phalanx_xmss::any::{Signature, SigningKey};

#[test]
fn keys_of_both_generations_sign() {
    let place = Place::new(&[Role::Attester], 0..32);
    let of = key(0x61, 10..400);
    let public_key = SigningKey::public_key(&of.verifying_key());
    place.register(&place.ledger(), &xmss_instance(&of, "proposer"), &public_key);
    let secret = KeySecret::from_seed(&[0x61; 32]);
    let new = NewKey::of_xmss_key(&of, &secret, Role::Proposer, "").expect("they belong together");
    let sealed = SealedFile::new(&new, &password(), Derivation::WEAK_FOR_TESTS).expect("it fits");
    file::create(&place.folder.join("keys/2.json"), &sealed).expect("a new file");
    let running = place.start();
    let client = running.client();
    let path = format!("/api/v1/xmss/sign/{}", hex::encode(&public_key));
    let first = client.post(&path, &ask(12, 7));
    assert_eq!(first.status, 200, "{first:?}");
    let text = first.json()["signature"].as_str().expect("a text").to_owned();
    let bytes = hex::decode(text.strip_prefix("0x").expect("it begins so")).expect("hexadecimal");
    let signature = Signature::from_bytes(of.parameter_set(), Format::Ssz, &bytes).expect("1208 bytes");
    of.verifying_key().verify(12, &[7; 32], &signature).expect("it verifies");
    let again = client.post(&path, &ask(12, 7)).json();
    assert_eq!((again["signature"].as_str(), again["repeated"].as_bool()), (Some(&text[..]), Some(true)));
    assert_eq!(client.post(&path, &ask(12, 8)).status, 412, "another message");
    let other = client.post(&format!("/api/v1/xmss/sign/{}", place.pubkey(0)), &ask(12, 7));
    assert_eq!(other.status, 200, "the one beside it");
    running.signer.stop();
}
