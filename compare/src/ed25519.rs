//! Ed25519 beside the libraries people use: one signature at a time, many with a verdict each, batches with one answer.
//!
//! Every signature has a key of its own, messages are of 32 bytes, and each row compares equal work: verification under
//! the peer's own acceptance rule, from the bytes of the key unless the row says `decoded`. Nanoseconds a signature.

use crate::sample::{More, Row, interleaved, peer_build};
use phalanx::ed25519::{
    Profile, Signature, SignedMessage, SigningKey, sign_many, verify, verify_batch, verify_many,
};
use std::hint::black_box;

/// Signatures made, and the largest batch.
const COUNT: usize = 1024;

/// Signatures of a timed run of one at a time.
const RUN: usize = 64;

/// What everybody signs and verifies.
struct Data {
    seeds: Vec<[u8; 32]>,
    keys: Vec<SigningKey>,
    public: Vec<[u8; 32]>,
    messages: Vec<[u8; 32]>,
    signatures: Vec<[u8; 64]>,
}

impl Data {
    fn new() -> Self {
        let numbered = |fill: u8, i: usize| {
            let mut bytes = [fill; 32];
            bytes[..8].copy_from_slice(&(i as u64).to_le_bytes());
            bytes
        };
        let seeds: Vec<_> = (0..COUNT).map(|i| numbered(0x5e, i)).collect();
        let keys: Vec<_> = seeds.iter().map(SigningKey::from_seed).collect();
        let messages: Vec<_> = (0..COUNT).map(|i| numbered(0x3c, i)).collect();
        let public = keys.iter().map(|key| key.verifying_key().to_bytes()).collect();
        let signatures =
            keys.iter().zip(&messages).map(|(key, message)| key.sign(message).to_bytes()).collect();
        Self { seeds, keys, public, messages, signatures }
    }

    fn elements(&self) -> Vec<SignedMessage<'_>> {
        (0..COUNT)
            .map(|i| SignedMessage {
                public_key: &self.public[i],
                message: &self.messages[i],
                signature: &self.signatures[i],
            })
            .collect()
    }
}

/// One signature at a time, by its number. Panics if an answer is wrong.
type One<'a> = Box<dyn Fn(usize) + 'a>;

/// A whole batch of so many. Panics if it is refused.
type Batch<'a> = Box<dyn Fn(usize) + 'a>;

/// What a peer can do.
struct Peer<'a> {
    name: &'static str,
    /// With what it is at its best.
    version: &'static str,
    /// Which of its verifications, where it has several; and which of its batches.
    verify_call: &'static str,
    batch_call: &'static str,
    /// Our profile that accepts what it accepts.
    profile: Profile,
    /// Gives the signature.
    sign: Option<Box<dyn Fn(usize) -> [u8; 64] + 'a>>,
    /// From the bytes of the key.
    verify: One<'a>,
    /// With the key decoded before.
    decoded: Option<One<'a>>,
    batch: Option<Batch<'a>>,
}

/// All of them.
fn peers(data: &Data) -> Vec<Peer<'_>> {
    let [dalek, dalek_strict] = dalek(data);
    vec![dalek, dalek_strict, zebra(data), consensus(data), ring(data), aws_lc(data)]
}

fn dalek(data: &Data) -> [Peer<'_>; 2] {
    use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey, verify_batch};
    let keys: Vec<_> = data.seeds.iter().map(SigningKey::from_bytes).collect();
    let decoded: Vec<VerifyingKey> = keys.iter().map(SigningKey::verifying_key).collect();
    let signatures: Vec<_> = data.signatures.iter().map(Signature::from_bytes).collect();
    let messages: Vec<&[u8]> = data.messages.iter().map(|message| &message[..]).collect();
    let key = |i: usize| VerifyingKey::from_bytes(&data.public[i]).expect("a point");
    let (again, signatures_again) = (decoded.clone(), signatures.clone());
    let batch = {
        let (decoded, signatures) = (decoded.clone(), signatures.clone());
        move |n: usize| {
            verify_batch(&messages[..n], &signatures[..n], &decoded[..n]).expect("a good batch");
        }
    };
    let plain = Peer {
        name: "ed25519-dalek",
        version: "3.0.0, default features",
        verify_call: ", verify",
        batch_call: ", verify_batch of feature `batch`, keys decoded",
        profile: Profile::Cofactorless,
        sign: Some(Box::new(move |i| keys[i].sign(black_box(&data.messages[i])).to_bytes())),
        verify: Box::new(move |i| {
            key(i).verify(&data.messages[i], &Signature::from_bytes(&data.signatures[i])).expect("valid");
        }),
        decoded: Some(Box::new(move |i| {
            decoded[i].verify(&data.messages[i], &signatures[i]).expect("valid");
        })),
        batch: Some(Box::new(batch)),
    };
    let strict = Peer {
        name: "ed25519-dalek",
        version: "3.0.0, default features",
        verify_call: ", verify_strict",
        batch_call: "",
        profile: Profile::Strict,
        sign: None,
        verify: Box::new(move |i| {
            let signature = Signature::from_bytes(&data.signatures[i]);
            key(i).verify_strict(&data.messages[i], &signature).expect("valid");
        }),
        decoded: Some(Box::new(move |i| {
            again[i].verify_strict(&data.messages[i], &signatures_again[i]).expect("valid");
        })),
        batch: None,
    };
    [plain, strict]
}

fn zebra(data: &Data) -> Peer<'_> {
    use ed25519_zebra::{Signature, SigningKey, VerificationKey, VerificationKeyBytes, batch};
    let keys: Vec<_> = data.seeds.iter().map(|seed| SigningKey::from(*seed)).collect();
    let decode = |i: usize| VerificationKey::try_from(data.public[i]).expect("a point");
    let decoded: Vec<VerificationKey> = (0..COUNT).map(decode).collect();
    Peer {
        name: "ed25519-zebra",
        version: "5.0.0, default features",
        verify_call: "",
        batch_call: "",
        profile: Profile::Zip215,
        sign: Some(Box::new(move |i| keys[i].sign(black_box(&data.messages[i])).to_bytes())),
        verify: Box::new(move |i| {
            decode(i).verify(&Signature::from_bytes(&data.signatures[i]), &data.messages[i]).expect("valid");
        }),
        decoded: Some(Box::new(move |i| {
            decoded[i].verify(&Signature::from_bytes(&data.signatures[i]), &data.messages[i]).expect("valid");
        })),
        batch: Some(Box::new(|n| {
            let mut verifier = batch::Verifier::new();
            for i in 0..n {
                let (key, signature) =
                    (VerificationKeyBytes::from(data.public[i]), Signature::from_bytes(&data.signatures[i]));
                verifier.queue((key, signature, &data.messages[i]));
            }
            verifier.verify(rand::rng()).expect("a good batch");
        })),
    }
}

fn consensus(data: &Data) -> Peer<'_> {
    use ed25519_consensus::{Signature, SigningKey, VerificationKey, VerificationKeyBytes, batch};
    let keys: Vec<_> = data.seeds.iter().map(|seed| SigningKey::from(*seed)).collect();
    let decode = |i: usize| VerificationKey::try_from(data.public[i]).expect("a point");
    let decoded: Vec<VerificationKey> = (0..COUNT).map(decode).collect();
    Peer {
        name: "ed25519-consensus",
        version: "2.1.0, default features",
        verify_call: "",
        batch_call: "",
        profile: Profile::Zip215,
        sign: Some(Box::new(move |i| keys[i].sign(black_box(&data.messages[i])).to_bytes())),
        verify: Box::new(move |i| {
            decode(i).verify(&Signature::from(data.signatures[i]), &data.messages[i]).expect("valid");
        }),
        decoded: Some(Box::new(move |i| {
            decoded[i].verify(&Signature::from(data.signatures[i]), &data.messages[i]).expect("valid");
        })),
        batch: Some(Box::new(|n| {
            let mut verifier = batch::Verifier::new();
            for i in 0..n {
                let key = VerificationKeyBytes::from(data.public[i]);
                verifier.queue((key, Signature::from(data.signatures[i]), &data.messages[i]));
            }
            verifier.verify(rand_08::thread_rng()).expect("a good batch");
        })),
    }
}

fn ring(data: &Data) -> Peer<'_> {
    use ring::signature::{ED25519, Ed25519KeyPair, UnparsedPublicKey};
    let pair = |i: usize| Ed25519KeyPair::from_seed_and_public_key(&data.seeds[i], &data.public[i]);
    let keys: Vec<_> = (0..COUNT).map(|i| pair(i).expect("a pair")).collect();
    Peer {
        name: "ring",
        version: "0.17.14, default features, assembly chosen at run time",
        verify_call: "",
        batch_call: "",
        profile: Profile::Cofactorless,
        sign: Some(Box::new(move |i| {
            keys[i].sign(black_box(&data.messages[i])).as_ref().try_into().expect("64 bytes")
        })),
        verify: Box::new(|i| {
            let key = UnparsedPublicKey::new(&ED25519, &data.public[i]);
            key.verify(&data.messages[i], &data.signatures[i]).expect("valid");
        }),
        decoded: None,
        batch: None,
    }
}

fn aws_lc(data: &Data) -> Peer<'_> {
    use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, ParsedPublicKey, UnparsedPublicKey};
    let pair = |i: usize| Ed25519KeyPair::from_seed_and_public_key(&data.seeds[i], &data.public[i]);
    let keys: Vec<_> = (0..COUNT).map(|i| pair(i).expect("a pair")).collect();
    let parse = |i: usize| ParsedPublicKey::new(&ED25519, data.public[i]).expect("a key");
    let decoded: Vec<_> = (0..COUNT).map(parse).collect();
    Peer {
        name: "aws-lc-rs",
        version: "1.19.0, default features, assembly chosen at run time",
        verify_call: "",
        batch_call: "",
        profile: Profile::Cofactorless,
        sign: Some(Box::new(move |i| {
            keys[i].sign(black_box(&data.messages[i])).as_ref().try_into().expect("64 bytes")
        })),
        verify: Box::new(|i| {
            let key = UnparsedPublicKey::new(&ED25519, &data.public[i]);
            key.verify(&data.messages[i], &data.signatures[i]).expect("valid");
        }),
        decoded: Some(Box::new(move |i| {
            decoded[i].verify_sig(&data.messages[i], &data.signatures[i]).expect("valid");
        })),
        batch: None,
    }
}

/// All rows of the system.
pub(crate) fn rows(samples: usize) -> Vec<Row> {
    let data = Data::new();
    let mut rows = Rows { samples, data: &data, elements: data.elements(), rows: Vec::new() };
    for peer in &peers(&data) {
        rows.sign(peer);
        rows.one_at_a_time(peer);
        // The rates level off after 64; the extremes beside the strict rule, the default.
        let counts: &[usize] = if peer.profile == Profile::Strict { &[8, 64, 1024] } else { &[64] };
        counts.iter().for_each(|&n| rows.many(peer, n));
        if peer.batch.is_some() {
            [64, 1024].into_iter().for_each(|n| rows.batch(peer, n));
        }
    }
    // The same operation together, peers in order.
    let order = |row: &Row| ORDER.iter().position(|operation| *operation == row.operation);
    rows.rows.sort_by_key(|row| (order(row), row.n));
    rows.rows
}

const ORDER: [&str; 6] = [
    "ed25519/sign",
    "ed25519/sign-many-per-signature",
    "ed25519/verify",
    "ed25519/verify-decoded",
    "ed25519/verify-many-per-signature",
    "ed25519/verify-batch-per-signature",
];

/// Rows as they come.
struct Rows<'a> {
    samples: usize,
    data: &'a Data,
    elements: Vec<SignedMessage<'a>>,
    rows: Vec<Row>,
}

impl Rows<'_> {
    fn add(
        &mut self,
        operation: &'static str,
        peer: &Peer<'_>,
        n: usize,
        ours: impl FnMut() -> usize,
        theirs: impl FnMut() -> usize,
    ) {
        let [ours, peer_value] = interleaved(self.samples, ours, theirs);
        let (profile, call) = match operation {
            "ed25519/sign" | "ed25519/sign-many-per-signature" => (None, ""),
            "ed25519/verify-batch-per-signature" => (Some(Profile::Zip215.name()), peer.batch_call),
            _ => (Some(peer.profile.name()), peer.verify_call),
        };
        self.rows.push(Row {
            operation,
            ours,
            peer: peer.name,
            peer_version: format!("{}{call}, {}", peer.version, peer_build()),
            peer_value,
            n: Some(n),
            profile,
            backend: phalanx::Backend::current(),
            more: More::default(),
        });
    }

    fn sign(&mut self, peer: &Peer<'_>) {
        let Some(sign) = &peer.sign else { return };
        let data = self.data;
        assert!((0..COUNT).all(|i| sign(i) == data.signatures[i]), "{} signs otherwise", peer.name);
        let theirs = || {
            (0..RUN).for_each(|i| {
                black_box(sign(i));
            });
            RUN
        };
        let ours = || {
            for i in 0..RUN {
                black_box(data.keys[i].sign(black_box(&data.messages[i])));
            }
            RUN
        };
        self.add("ed25519/sign", peer, 1, ours, theirs);
        let keys: Vec<&SigningKey> = data.keys[..RUN].iter().collect();
        let messages: Vec<&[u8]> = data.messages[..RUN].iter().map(|message| &message[..]).collect();
        let ours = || black_box(sign_many(black_box(&keys), &messages).expect("lengths agree")).len();
        self.add("ed25519/sign-many-per-signature", peer, RUN, ours, theirs);
    }

    fn one_at_a_time(&mut self, peer: &Peer<'_>) {
        let (data, profile) = (self.data, peer.profile);
        let theirs = |one: &One<'_>| {
            (0..RUN).for_each(one);
            RUN
        };
        let ours = || {
            for i in 0..RUN {
                verify(profile, &data.public[i], &data.messages[i], &data.signatures[i]).expect("valid");
            }
            RUN
        };
        self.add("ed25519/verify", peer, 1, ours, || theirs(&peer.verify));
        let Some(decoded) = &peer.decoded else { return };
        let ours = || {
            for i in 0..RUN {
                let (key, signature) =
                    (data.keys[i].verifying_key(), Signature::from_bytes(&data.signatures[i]));
                black_box(key).verify_with(profile, &data.messages[i], &signature).expect("valid");
            }
            RUN
        };
        self.add("ed25519/verify-decoded", peer, 1, ours, || theirs(decoded));
    }

    /// Ours all together, theirs in a loop.
    fn many(&mut self, peer: &Peer<'_>, n: usize) {
        let elements = self.elements[..n].to_vec();
        let ours = || {
            assert!(verify_many(peer.profile, black_box(&elements)).iter().all(Result::is_ok));
            n
        };
        let theirs = || {
            (0..n).for_each(&peer.verify);
            n
        };
        self.add("ed25519/verify-many-per-signature", peer, n, ours, theirs);
    }

    /// One answer for all: ours under zip215.
    fn batch(&mut self, peer: &Peer<'_>, n: usize) {
        let Some(batch) = &peer.batch else { return };
        let elements = self.elements[..n].to_vec();
        let ours = || {
            verify_batch(Profile::Zip215, black_box(&elements)).expect("a good batch");
            n
        };
        let theirs = || {
            batch(n);
            n
        };
        self.add("ed25519/verify-batch-per-signature", peer, n, ours, theirs);
    }
}
