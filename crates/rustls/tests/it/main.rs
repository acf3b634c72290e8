//! Handshakes of TLS 1.3 in memory, between rustls and rustls, where Ed25519 is ours alone; and answers beside ring's.

use phalanx_ed25519::{Profile, SigningKey};
use phalanx_rustls::{Ed25519, Ed25519Key, PROFILE, with_ed25519};
use rcgen::{BasicConstraints, Certificate, CertificateParams, IsCa, Issuer, KeyPair, PKCS_ED25519};
use rustls::crypto::{CryptoProvider, KeyProvider, WebPkiSupportedAlgorithms, ring};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::pki_types::{SignatureVerificationAlgorithm, alg_id};
use rustls::server::ResolvesServerCert;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{
    CertificateError, ClientConfig, ClientConnection, ConnectionCommon, Error, RootCertStore, ServerConfig,
    ServerConnection, SideData, SignatureScheme,
};
use std::sync::Arc;

/// Loads no key.
#[derive(Debug)]
struct NoKeys;

impl KeyProvider for NoKeys {
    fn load_private_key(
        &self,
        _: PrivateKeyDer<'static>,
    ) -> Result<Arc<dyn rustls::sign::SigningKey>, Error> {
        Err(Error::General("asked for a key that is not ours".to_owned()))
    }
}

/// ring's key exchange and ciphers; of signatures ours alone, so that nothing else can verify or sign.
fn ours() -> Arc<CryptoProvider> {
    let none = WebPkiSupportedAlgorithms { all: &[], mapping: &[] };
    let base = ring::default_provider();
    let bare = CryptoProvider { signature_verification_algorithms: none, key_provider: &NoKeys, ..base };
    Arc::new(with_ed25519(PROFILE, bare))
}

/// An authority, and a server's certificate of it.
struct Chain {
    authority: Certificate,
    certificate: Certificate,
    key: SigningKey,
}

fn chain() -> Chain {
    let authority_key = KeyPair::generate_for(&PKCS_ED25519).expect("a key");
    let mut params = CertificateParams::new(Vec::new()).expect("no names");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = params.self_signed(&authority_key).expect("a certificate");
    let issuer = Issuer::new(params, authority_key);
    let key = SigningKey::from_seed(&[7; 32]);
    let pair = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.to_pkcs8_v2_der().to_vec()));
    let pair = KeyPair::try_from(&pair).expect("ring reads our keys");
    let params = CertificateParams::new(vec!["phalanx.test".to_owned()]).expect("a name");
    let certificate = params.signed_by(&pair, &issuer).expect("a certificate");
    Chain { authority, certificate, key }
}

fn server_name() -> ServerName<'static> {
    "phalanx.test".try_into().expect("a name")
}

fn roots(authority: &Certificate) -> Arc<RootCertStore> {
    let mut roots = RootCertStore::empty();
    roots.add(authority.der().clone()).expect("a root");
    Arc::new(roots)
}

/// Hands over what one side has written.
fn pass<A: SideData, B: SideData>(
    from: &mut ConnectionCommon<A>,
    to: &mut ConnectionCommon<B>,
) -> Result<bool, Error> {
    let mut bytes = Vec::new();
    while from.wants_write() {
        from.write_tls(&mut bytes).expect("to memory");
    }
    let mut rest = &*bytes;
    while !rest.is_empty() {
        to.read_tls(&mut rest).expect("from memory");
        to.process_new_packets()?;
    }
    Ok(!bytes.is_empty())
}

/// A handshake with a server that shows `certificate` and signs with `key`; what the client says of it.
fn handshake(
    certificate: CertificateDer<'static>,
    key: Arc<dyn rustls::sign::SigningKey>,
    authority: &Certificate,
    client: Arc<CryptoProvider>,
    server: Arc<CryptoProvider>,
) -> Result<(), Error> {
    let shown: Arc<dyn ResolvesServerCert> =
        Arc::new(SingleCertAndKey::from(CertifiedKey::new(vec![certificate], key)));
    let server = ServerConfig::builder_with_provider(server)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_no_client_auth()
        .with_cert_resolver(shown);
    let client = ClientConfig::builder_with_provider(client)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots(authority))
        .with_no_client_auth();
    let mut server = ServerConnection::new(Arc::new(server))?;
    let mut client = ClientConnection::new(Arc::new(client), server_name())?;
    while pass(&mut client, &mut server)? | pass(&mut server, &mut client)? {}
    assert!(!client.is_handshaking() && !server.is_handshaking());
    Ok(())
}

fn bad_signature() -> Result<(), Error> {
    Err(Error::InvalidCertificate(CertificateError::BadSignature))
}

#[test]
fn both_sides_shake_hands_and_each_does_with_ring() {
    let Chain { authority, certificate, key } = chain();
    let pkcs8 = PrivatePkcs8KeyDer::from(key.to_pkcs8_der().to_vec());
    let loaded = ours().key_provider.load_private_key(pkcs8.into()).expect("our key");
    let ring = Arc::new(ring::default_provider());
    for (client, server) in [(ours(), ours()), (ours(), ring.clone()), (ring.clone(), ours())] {
        let result = handshake(certificate.der().clone(), Arc::clone(&loaded), &authority, client, server);
        assert_eq!(result, Ok(()));
    }
    // A key of ring, whose signatures ours verifies.
    let pkcs8 = PrivatePkcs8KeyDer::from(key.to_pkcs8_v2_der().to_vec());
    let theirs = ring.key_provider.load_private_key(pkcs8.into()).expect("ring's key");
    assert_eq!(handshake(certificate.der().clone(), theirs, &authority, ours(), ours()), Ok(()));
}

#[test]
fn a_forged_signature_of_a_certificate_is_refused() {
    let Chain { authority, certificate, key } = chain();
    let key: Arc<dyn rustls::sign::SigningKey> = Arc::new(Ed25519Key::from(key));
    let sound = certificate.der().to_vec();
    // The signature is the end of a certificate: R, then S.
    for from_the_end in [1, 32, 33, 64] {
        let mut forged = sound.clone();
        let place = forged.len() - from_the_end;
        forged[place] ^= 1;
        assert_eq!(handshake(forged.into(), Arc::clone(&key), &authority, ours(), ours()), bad_signature());
    }
    assert_eq!(handshake(sound.into(), key, &authority, ours(), ours()), Ok(()));
}

#[test]
fn a_server_without_the_certificates_key_is_refused() {
    let Chain { authority, certificate, .. } = chain();
    let other: Arc<dyn rustls::sign::SigningKey> =
        Arc::new(Ed25519Key::from(SigningKey::from_seed(&[8; 32])));
    assert_eq!(handshake(certificate.der().clone(), other, &authority, ours(), ours()), bad_signature());
}

#[test]
fn what_is_not_ed25519_stays_with_the_base() {
    let base = ring::default_provider();
    let provider = with_ed25519(PROFILE, base.clone());
    let schemes = |provider: &CryptoProvider| {
        let algorithms = provider.signature_verification_algorithms;
        (algorithms.supported_schemes(), algorithms.all.len())
    };
    assert_eq!(schemes(&provider), schemes(&base));
    let names = |algorithms: &[&'static dyn SignatureVerificationAlgorithm]| {
        let ed25519 = algorithms.iter().filter(|each| each.signature_alg_id() == alg_id::ED25519);
        ed25519.map(|each| format!("{each:?}")).collect::<Vec<_>>()
    };
    let algorithms = provider.signature_verification_algorithms;
    assert_eq!(names(algorithms.all), ["Ed25519 { profile: Cofactorless }"]);
    let mapped = algorithms.mapping.iter().find(|(scheme, _)| *scheme == SignatureScheme::ED25519);
    assert_eq!(mapped.map(|(_, list)| names(list)), Some(names(algorithms.all)));

    let ecdsa = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).expect("a key");
    let loaded =
        provider.key_provider.load_private_key(PrivatePkcs8KeyDer::from(ecdsa.serialize_der()).into());
    assert_eq!(loaded.expect("ring's").algorithm(), rustls::SignatureAlgorithm::ECDSA);
}

#[test]
fn keys_say_their_public_half_and_no_more() {
    let key = SigningKey::from_seed(&[7; 32]);
    let (pkcs8, mut mismatched) = (key.to_pkcs8_der().to_vec(), key.to_pkcs8_v2_der().to_vec());
    let load = |der: Vec<u8>| ours().key_provider.load_private_key(PrivatePkcs8KeyDer::from(der).into());
    let loaded = load(pkcs8).expect("our key");
    assert_eq!(loaded.public_key().expect("it has one").as_ref(), key.verifying_key().to_spki_der());
    let said = format!("{loaded:?}");
    assert!(
        said.contains("Ed25519Key") && !said.contains(&hex::encode([7; 32])) && !said.contains("7, 7"),
        "{said}"
    );
    assert!(loaded.choose_scheme(&[SignatureScheme::RSA_PSS_SHA256]).is_none());
    let signer = loaded.choose_scheme(&[SignatureScheme::ED25519]).expect("it is offered");
    let signature = signer.sign(b"a message").expect("it signs");
    assert_eq!(signature, key.sign(b"a message").to_bytes());

    // Half of another key in it: refused here, not handed on.
    *mismatched.last_mut().expect("it is not empty") ^= 1;
    let problem = load(mismatched).expect_err("halves of two keys");
    assert!(!problem.to_string().contains("asked for a key"), "{problem}");
    let problem = load(vec![0x30, 0]).expect_err("no key");
    assert!(problem.to_string().contains("asked for a key"), "{problem}");
}

/// Signatures made to tell rules apart: ours under `PROFILE` answers as ring does, and under the others differently.
#[test]
fn answers_are_those_of_ring() {
    let ring = ring::default_provider().signature_verification_algorithms;
    let ring = ring.all.iter().find(|each| each.public_key_alg_id() == alg_id::ED25519).expect("it has it");
    let mut cases = 0;
    let mut differing = [0; 5];
    for file in ["cctv", "speccheck", "wycheproof"] {
        let path = format!("{}/../../vectors/ed25519/{file}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("vectors");
        let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        for case in file["cases"].as_array().expect("cases") {
            let bytes =
                |key: &str| hex::decode(case[key].as_str().expect("hexadecimal")).expect("hexadecimal");
            let (public_key, message, signature) = (bytes("pk"), bytes("msg"), bytes("sig"));
            let theirs = ring.verify_signature(&public_key, &message, &signature).is_ok();
            let ours = Profile::ALL.map(|profile| {
                Ed25519::new(profile).verify_signature(&public_key, &message, &signature).is_ok()
            });
            for (count, (ours, profile)) in differing.iter_mut().zip(ours.into_iter().zip(Profile::ALL)) {
                assert!(profile != PROFILE || ours == theirs, "{}", case["id"]);
                *count += usize::from(ours != theirs);
            }
            cases += 1;
        }
    }
    assert_eq!(cases, 1077);
    for (count, profile) in differing.into_iter().zip(Profile::ALL) {
        assert_eq!(count == 0, profile == PROFILE, "{profile:?}: {count}");
    }
}
