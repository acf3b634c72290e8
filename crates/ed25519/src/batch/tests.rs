//! Batches against single verification, on every backend.

use super::coefficients::Source;
use super::equation::Equations;
use super::*;
use crate::tests::{bytes, load};
use crate::{SigningKey, verify};
use phalanx_core::simd::Backend;
use phalanx_testing::Random;
use std::{string::String, vec};

/// An owned signed message.
#[derive(Clone)]
struct Item {
    public_key: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
}

impl Item {
    fn signed(&self) -> SignedMessage<'_> {
        SignedMessage { public_key: &self.public_key, message: &self.message, signature: &self.signature }
    }
}

/// Valid signatures of `keys` keys in turn, on messages of different lengths.
fn valid_items(count: usize, keys: u8) -> Vec<Item> {
    let keys: Vec<_> = (0..keys).map(|i| SigningKey::from_seed(&[i; 32])).collect();
    (0..count)
        .map(|i| {
            let key = &keys[i % keys.len()];
            let message = vec![u8::try_from(i % 251).expect("a byte"); i * 7 % 300];
            Item {
                public_key: key.verifying_key().as_ref().to_vec(),
                signature: key.sign(&message).as_ref().to_vec(),
                message,
            }
        })
        .collect()
}

fn on_every_backend(mut work: impl FnMut()) {
    phalanx_testing::on_every_backend(|_| work());
}

fn collect(mut batch: BatchVerifier, items: &[Item]) -> BatchVerifier {
    for item in items {
        batch.add(&item.public_key, &item.signature, &item.message);
    }
    batch
}

/// Every way to ask about a batch, against the wanted results.
fn check(profile: Profile, items: &[Item], wanted: &[bool], name: &str) {
    let messages: Vec<_> = items.iter().map(Item::signed).collect();
    let whole = if wanted.iter().all(|&valid| valid) { Ok(()) } else { Err(InvalidSignature) };
    let wanted: Vec<_> =
        wanted.iter().map(|&valid| if valid { Ok(()) } else { Err(InvalidSignature) }).collect();
    on_every_backend(|| {
        let context = std::format!("{name}, {}, {}", profile.name(), Backend::current().name());
        assert_eq!(verify_batch(profile, &messages), whole, "{context}");
        assert_eq!(verify_batch_deterministic(profile, &messages), whole, "{context}");
        assert_eq!(verify_batch_on(&Inline, profile, &messages), whole, "{context}");
        let report = collect(BatchVerifier::new(profile), items).verify();
        assert_eq!(report.results(), wanted, "{context}");
        assert_eq!(report.all_valid(), whole.is_ok(), "{context}");
        let invalid: Vec<_> = (0..wanted.len()).filter(|&i| wanted[i].is_err()).collect();
        assert_eq!(report.invalid().collect::<Vec<_>>(), invalid, "{context}");
        assert_eq!(report.first_invalid(), invalid.first().copied(), "{context}");
        let report = collect(BatchVerifier::deterministic(profile), items).verify_on(&Inline);
        assert_eq!(report.results(), wanted, "{context}");
    });
}

fn singly(profile: Profile, items: &[Item]) -> Vec<bool> {
    let single = |i: &Item| verify(profile, &i.public_key, &i.message, &i.signature).is_ok();
    items.iter().map(single).collect()
}

fn vector_batches() -> Vec<(String, Vec<Item>, serde_json::Value)> {
    let file = load("batches.json");
    let batches = file["batches"].as_array().expect("batches");
    let item = |entry: &serde_json::Value| Item {
        public_key: bytes(&entry["pk"]),
        message: bytes(&entry["msg"]),
        signature: bytes(&entry["sig"]),
    };
    batches
        .iter()
        .map(|batch| {
            let id = batch["id"].as_str().expect("an id").into();
            let items = batch["entries"].as_array().expect("entries").iter().map(item).collect();
            (id, items, batch.clone())
        })
        .collect()
}

#[test]
fn vectors() {
    let batches = vector_batches();
    assert!(batches.len() >= 60, "only {} batches", batches.len());
    for (id, items, batch) in &batches {
        for profile in Profile::ALL {
            let bad = batch["bad"][profile.name()].as_array().expect("a list");
            let mut wanted = vec![true; items.len()];
            for index in bad {
                wanted[usize::try_from(index.as_u64().expect("an index")).expect("small")] = false;
            }
            assert_eq!(batch["all_ok"][profile.name()].as_bool(), Some(bad.is_empty()), "{id}");
            check(profile, items, &wanted, id);
        }
    }
}

/// All batches in one: large enough for a search of several levels, with bad entries of every kind.
#[test]
fn vectors_together() {
    let items: Vec<_> = vector_batches().into_iter().flat_map(|(_, items, _)| items).collect();
    for profile in Profile::ALL {
        check(profile, &items, &singly(profile, &items), "all vectors");
    }
}

/// The edge cases of single verification, as one batch and among valid entries.
#[test]
fn single_vectors() {
    let mut items = Vec::new();
    for file in ["cctv.json", "wycheproof.json", "wycheproof-subgroup.json", "speccheck.json"] {
        for case in load(file)["cases"].as_array().expect("cases") {
            items.push((
                Item {
                    public_key: bytes(&case["pk"]),
                    message: bytes(&case["msg"]),
                    signature: bytes(&case["sig"]),
                },
                case["verdict"].clone(),
            ));
        }
    }
    for profile in [Profile::Zip215, Profile::Rfc8032] {
        let is_valid =
            |case: &(Item, serde_json::Value)| case.1[profile.name()].as_bool().expect("a verdict");
        let wanted: Vec<_> = items.iter().map(is_valid).collect();
        let all: Vec<_> = items.iter().map(|case| case.0.clone()).collect();
        check(profile, &all, &wanted, "single vectors");
        // Only the valid ones: the equation over points of small order and second encodings must hold.
        let valid: Vec<_> = items.iter().filter(|case| is_valid(case)).map(|case| case.0.clone()).collect();
        assert!(valid.len() > 100);
        check(profile, &valid, &vec![true; valid.len()], "valid single vectors");
    }
}

#[test]
fn every_small_size_and_place() {
    let items = valid_items(40, 5);
    for n in (0..=18).chain([31, 32, 33, 40]) {
        check(Profile::Zip215, &items[..n], &vec![true; n], "valid");
        check(Profile::Strict, &items[..n], &vec![true; n], "valid");
        for bad in 0..n {
            let mut items = items[..n].to_vec();
            items[bad].signature[40] ^= 1;
            let mut wanted = vec![true; n];
            wanted[bad] = false;
            check(Profile::Zip215, &items, &wanted, "one bad");
        }
    }
}

#[test]
fn random_places() {
    let mut random = Random::from_seed(20261121);
    let good = valid_items(600, 200);
    for bad in [0, 1, 2, 3, 5, 20, 200, 600] {
        let mut items = good.clone();
        let mut wanted = vec![true; items.len()];
        for _ in 0..bad {
            // The first from there on that is still good.
            let start = random.below(600);
            let i = (start..600).chain(0..start).find(|&i| wanted[i]).expect("at most as many as there are");
            match random.below(5) {
                0 => items[i].message.push(1),
                1 => items[i].signature[63] |= 0x80,
                2 => items[i].public_key[0] ^= 1,
                3 => items[i].signature[32] ^= 1,
                _ => items[i].signature.truncate(63),
            }
            wanted[i] = false;
        }
        let wanted = if bad == 0 { wanted } else { singly(Profile::Zip215, &items) };
        check(Profile::Zip215, &items, &wanted, &std::format!("{bad} bad"));
    }
}

#[test]
fn wrong_lengths() {
    let mut items = valid_items(12, 3);
    items[3].public_key.push(0);
    items[5].signature.clear();
    items[7].public_key.clear();
    items[8].signature.push(0);
    let wanted: Vec<_> = (0..12).map(|i| ![3, 5, 7, 8].contains(&i)).collect();
    for profile in Profile::ALL {
        check(profile, &items, &wanted, "lengths");
    }
}

#[test]
fn verifier_is_used_again() {
    let items = valid_items(150, 3);
    let mut batch = BatchVerifier::new(Profile::Zip215);
    assert!(batch.is_empty() && batch.verify().all_valid());
    batch = collect(batch, &items);
    assert_eq!(batch.len(), 150);
    assert!(batch.verify().all_valid());
    // Long messages are hashed at once, between short ones that wait.
    let key = SigningKey::from_seed(&[9; 32]);
    for len in [2000, 10, 1025, 1024] {
        let message = vec![3; len];
        batch.add(key.verifying_key().as_ref(), key.sign(&message).as_ref(), &message);
    }
    batch.add(key.verifying_key().as_ref(), key.sign(b"a").as_ref(), b"b");
    let report = batch.verify();
    assert_eq!(report.invalid().collect::<Vec<_>>(), [154]);
    batch.clear();
    assert!(batch.is_empty() && batch.verify().all_valid());
}

/// The equation itself, also for batches too small to be asked that way: it holds exactly if every member is valid.
#[test]
fn equations_of_the_vectors() {
    for (id, items, _) in &vector_batches() {
        let messages: Vec<_> = items.iter().map(Item::signed).collect();
        for profile in [Profile::Zip215, Profile::Rfc8032] {
            let single = singly(profile, items);
            on_every_backend(|| {
                let entries = hashed(Isa::current(), &messages);
                let equations = Equations::new(Isa::current(), profile, &None, &entries);
                let members: Vec<_> = equations.members.iter().map(|member| member.entry).collect();
                assert!((0..items.len()).all(|i| members.contains(&i) || !single[i]), "{id}: left out");
                let wanted = members.iter().all(|&i| single[i]);
                assert_eq!(equations.holds(0..members.len(), 1), wanted, "{id}, {}", profile.name());
                for (at, &i) in members.iter().enumerate() {
                    assert_eq!(equations.holds(at..at + 1, 2), single[i], "{id}, entry {i} alone");
                }
            });
        }
    }
}

/// However many are bad, and wherever they are: equations and single verifications together cost at most twice what
/// single verification of everything does, by the same table that decides when to stop.
#[test]
fn the_worst_case_is_bounded() {
    let good = valid_items(1024, 40);
    type Places = fn(usize) -> bool;
    let places: [(&str, Places); 6] = [
        ("first", |i| i == 0),
        ("last", |i| i == 1023),
        ("middle", |i| i == 511 || i == 512),
        ("every 100th", |i| i % 100 == 7),
        ("every second", |i| i % 2 == 1),
        ("all", |_| true),
    ];
    for (name, is_bad) in places {
        let mut items = good.clone();
        items
            .iter_mut()
            .enumerate()
            .filter(|(i, _)| is_bad(*i))
            .for_each(|(_, item)| item.signature[33] ^= 1);
        let messages: Vec<_> = items.iter().map(Item::signed).collect();
        on_every_backend(|| {
            let isa = Isa::current();
            let entries = hashed(isa, &messages);
            let equations = Equations::new(isa, Profile::Zip215, &None, &entries);
            let (costs, mut by_itself) = (search::Costs::of(isa), Vec::new());
            let mut results = vec![Err(InvalidSignature); items.len()];
            let spent = search::search(&equations, &costs, &mut results, &mut by_itself);
            let context = std::format!("{name}, {}", Backend::current().name());
            for (i, valid) in results.iter().map(Outcome::is_ok).enumerate() {
                let open = by_itself.contains(&i);
                assert!(if is_bad(i) { open && !valid } else { open != valid }, "{context}: entry {i}");
            }
            let (all, singles) = (1024 * costs.single, by_itself.len() as u64 * costs.single);
            assert!(spent + singles < 2 * all, "{context}: {spent} + {singles} of {all}");
            // One bad signature, in the place that takes most equations and in the one that takes fewest.
            assert!(name != "first" || 8 * (spent + singles) < 9 * all, "{context}: {spent} + {singles}");
            assert!(name != "last" || 4 * (spent + singles) < 3 * all, "{context}: {spent} + {singles}");
        });
    }
}

/// Without random weights, errors of opposite sign hide each other: the vectors would show it.
#[test]
fn weights_matter() {
    let mut seen = 0;
    for (id, items, _) in vector_batches().iter().filter(|(id, ..)| id.contains("cancelling")) {
        let messages: Vec<_> = items.iter().map(Item::signed).collect();
        let entries = hashed(Isa::current(), &messages);
        let equations = Equations::new(Isa::current(), Profile::Zip215, &None, &entries);
        let n = equations.members.len();
        assert_eq!(n, items.len(), "{id}");
        assert!(equations.holds_with(0..n, &vec![1; n]), "{id}: the errors cancel under equal weights");
        assert!(!equations.holds(0..n, 1), "{id}: and not under random ones");
        seen += 1;
    }
    assert!(seen > 0);
}

fn entries_of_the_known_answer() -> Vec<Entry> {
    (0..3u8)
        .map(|i| {
            let mut signature = [i; 64];
            signature[32..].fill(32 + i);
            let mut entry = [Entry::new(&[16 + i; 32], &signature)];
            entry::hash(Isa::PORTABLE, &mut entry, &[&vec![0xaa; usize::from(i)]]);
            entry[0]
        })
        .collect()
}

/// Computed with Python's hashlib from the text in `coefficients.rs`: R = i, public key = 16 + i, S = 32 + i in every
/// byte, message = i bytes 0xaa, for i = 0, 1, 2, profile zip215.
#[test]
fn coefficients() {
    let entries = entries_of_the_known_answer();
    on_every_backend(|| {
        let isa = Isa::current();
        let source = Source::new(Profile::Zip215, &None, entries.iter());
        let root = [
            0xbb43a4a481d4fe236b27f2abc112cc85,
            0x109433ea6845d599383c14033cf536b8,
            0x53f86b328f3374cf509773ca3fdd4303,
        ];
        assert_eq!(source.coefficients(isa, 1, 3), root);
        assert_eq!(source.coefficients(isa, 1, 2), root[..2]);
        assert_eq!(
            source.coefficients(isa, 5, 6),
            [
                0xfe581269fc309b7180859a11f995fb96,
                0x5f096c3a955dd32634c391721f7759e6,
                0xe2763fe4d604661dd4d3a971982d1e35,
                0xc25ca63633b54f833724c72ea4c678a4,
                0x510ec436a9ebb1183ff7776b1a2bed8,
                0x9d20552ca19edf43a32a6ad9e1ecc30a,
            ]
        );
        let many = source.coefficients(isa, 1, 600);
        assert_eq!(many[130], 0x8869c7948aa8b4708db742c26925ee52);
        assert_eq!(many[599], 0x9e081a5f6004e8c95fe9d72e5fef2572);
        let salted = Source::new(Profile::Zip215, &Some([7; 32]), entries.iter());
        assert_eq!(
            salted.coefficients(isa, 1, 3),
            [
                0x23f65240724eb26a854b3c849fef7288,
                0xaf035f6740625c112f95ea2976fa3ed1,
                0x4b7da775a52511ce9734eae9596db467,
            ]
        );
        // Profile, S and every hash count.
        let other = Source::new(Profile::Rfc8032, &None, entries.iter());
        assert_ne!(other.coefficients(isa, 1, 3), root);
        for i in 0..3 {
            let mut entries = entries.clone();
            entries[i].s[31] ^= 1;
            assert_ne!(Source::new(Profile::Zip215, &None, entries.iter()).coefficients(isa, 1, 3), root);
        }
    });
}

#[cfg(feature = "parallel")]
#[test]
fn threads_agree() {
    let mut items = valid_items(400, 50);
    for bad in [3, 250, 399] {
        items[bad].signature[33] ^= 4;
    }
    let messages: Vec<_> = items.iter().map(Item::signed).collect();
    for threads in 1..=8 {
        let pool = crate::Threads::new(threads);
        let report = collect(BatchVerifier::new(Profile::Zip215), &items).verify_on(&pool);
        assert_eq!(report.invalid().collect::<Vec<_>>(), [3, 250, 399]);
        assert_eq!(verify_batch_on(&pool, Profile::Zip215, &messages), Err(InvalidSignature));
        assert_eq!(verify_batch_on(&pool, Profile::Zip215, &messages[251..399]), Ok(()));
    }
}

/// 2^20 entries on a small stack, with one bad.
#[test]
#[ignore = "2 seconds with AVX-512, 15 without lanes"]
fn a_million_entries_on_a_small_stack() {
    let work = || {
        let items = valid_items(512, 200);
        let mut batch = BatchVerifier::new(Profile::Zip215);
        for i in 0..1 << 20 {
            let item = &items[i % items.len()];
            let message: &[u8] = if i == 777_777 { b"another" } else { &item.message };
            batch.add(&item.public_key, &item.signature, message);
        }
        assert_eq!(batch.verify().invalid().collect::<Vec<_>>(), [777_777]);
    };
    let thread = std::thread::Builder::new().stack_size(1 << 19).spawn(work).expect("a thread");
    thread.join().expect("no overflow");
}
