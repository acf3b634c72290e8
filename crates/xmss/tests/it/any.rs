//! Keys and signatures of any generation: the answers are those of the generation's own types, and nothing is mixed up.

use phalanx_xmss::any::{
    KeyGeneration, ParameterSet, Signature, SignedMessage, SigningKey, VerifyingKey, verify_many,
    verify_many_on,
};
use phalanx_xmss::{Error, Format, Inline, InvalidSignature, Malformed, blake2s};
use std::ops::ControlFlow;

const KOALA_BEAR: ParameterSet = ParameterSet::KoalaBear(phalanx_xmss::ParameterSet::POSEIDON2_L8_D64B8);
const BLAKE2S: ParameterSet = ParameterSet::Blake2s(blake2s::ParameterSet::L32_D42B8);
const PROFILE_A: ParameterSet = ParameterSet::Blake2s(blake2s::ParameterSet::A_L32_D42B8);

fn key(set: ParameterSet, seed: u8) -> SigningKey {
    let generation = KeyGeneration::from_seed(set, &[seed; 32], 0..300.min(set.lifetime())).expect("fits");
    let (id, epochs) = (generation.key_id(), generation.activation_interval());
    let key = generation.run_on(&Inline).expect("all steps are done");
    assert_eq!((key.verifying_key().key_id(), key.activation_interval()), (id, epochs));
    assert_eq!(key.parameter_set(), set);
    key
}

#[test]
fn every_set_has_its_name() {
    assert_eq!(ParameterSet::ALL.len(), 9);
    for set in ParameterSet::ALL {
        assert_eq!(ParameterSet::from_name(set.name()), Some(set));
        assert_eq!(set.to_string(), set.name());
        let over_blake2s = set.name().starts_with("xmss-blake2s-");
        assert_eq!(over_blake2s, matches!(set, ParameterSet::Blake2s(_)));
        assert_eq!(set.tree_leaves().is_none(), over_blake2s);
        for format in Format::ALL {
            let raw = !matches!(format.name(), "json" | "bincode-padded");
            assert_eq!(set.has_format(*format), raw || !over_blake2s);
        }
    }
    let signing = ParameterSet::ALL.into_iter().filter(|set| set.signs());
    assert_eq!(signing.count(), 8);
    assert!(!PROFILE_A.signs());
    assert_eq!(ParameterSet::from_name("xmss-blake2s"), None);
}

#[test]
fn mixed_lists_have_a_result_for_every_signature() {
    let message = [3; 32];
    let signed: Vec<_> = [(KOALA_BEAR, 0xd0), (BLAKE2S, 0xd1)]
        .into_iter()
        .flat_map(|(set, seed)| {
            let mut key = key(set, seed);
            let verifying_key = key.verifying_key();
            [7, 8].map(|epoch| (verifying_key, epoch, key.sign(epoch, &message).expect("signs")))
        })
        .collect();
    let (mut claims, mut wanted) = (Vec::new(), Vec::new());
    for (key, key_epoch, _) in &signed {
        for (other, signed_epoch, signature) in &signed {
            let good = key == other && key_epoch == signed_epoch;
            claims.push(SignedMessage { key, epoch: *key_epoch, message: &message, signature });
            wanted.push(if good { Ok(()) } else { Err(InvalidSignature) });
        }
    }
    assert_eq!(wanted.iter().filter(|result| result.is_ok()).count(), 4);
    assert_eq!(verify_many(&claims), wanted);
    assert_eq!(verify_many_on(&Inline, &claims), wanted);
    for (SignedMessage { key, epoch, message, signature }, wanted) in claims.into_iter().zip(wanted) {
        assert_eq!(key.verify(epoch, message, signature), wanted);
    }
    assert!(verify_many(&[]).is_empty());
}

#[test]
fn bytes_are_those_of_the_generation() {
    for set in [KOALA_BEAR, BLAKE2S] {
        let mut key = key(set, 0xd2);
        let (verifying_key, signature) = (key.verifying_key(), key.sign(9, &[1; 32]).expect("signs"));
        for &format in Format::ALL {
            if !set.has_format(format) {
                let error = |what| Error::NoEncoding { scheme: set.name(), what, format: format.name() };
                assert_eq!(verifying_key.to_bytes(format), Err(error("verifying keys")));
                assert_eq!(VerifyingKey::from_bytes(set, format, &[0; 32]), Err(error("verifying keys")));
                assert_eq!(signature.to_bytes(format), Err(error("signatures")));
                assert_eq!(Signature::from_bytes(set, format, &[0; 1208]), Err(error("signatures")));
                assert_eq!(key.sign_to_bytes(format, 10, &[2; 32]), Err(error("signatures")));
                continue;
            }
            let bytes = verifying_key.to_bytes(format).expect("has it");
            assert_eq!(VerifyingKey::from_bytes(set, format, &bytes), Ok(verifying_key));
            assert!(matches!(VerifyingKey::from_bytes(set, format, &bytes[1..]), Err(Error::Malformed(_))));
            let bytes = signature.to_bytes(format).expect("has it");
            assert_eq!(Signature::from_bytes(set, format, &bytes), Ok(signature.clone()));
            assert!(matches!(Signature::from_bytes(set, format, &bytes[1..]), Err(Error::Malformed(_))));
        }
        let signed = key.sign_to_bytes(Format::Ssz, 10, &[3; 32]).expect("no epoch was used");
        assert_eq!(Ok(signed), key.sign(10, &[3; 32]).and_then(|signature| signature.to_bytes(Format::Ssz)));
        assert_eq!(signature.parameter_set(), set);
        assert_eq!(verifying_key.parameter_set(), set);
    }
    let wrong = Malformed { what: "length in bytes", got: 1207, wanted: 1208 };
    assert_eq!(Signature::from_bytes(PROFILE_A, Format::Ssz, &[0; 1207]), Err(wrong.into()));
}

#[test]
fn signing_keys_are_read_back() {
    for set in [KOALA_BEAR, BLAKE2S] {
        for &format in Format::ALL {
            if set == BLAKE2S && format != Format::Ssz {
                let (scheme, what) = (set.name(), "signing keys");
                let error = Error::NoEncoding { scheme, what, format: format.name() };
                assert_eq!(key(set, 0xd3).to_bytes(format).err(), Some(error));
                assert_eq!(SigningKey::from_bytes(set, format, &[7; 32]).err(), Some(error));
                continue;
            }
            let bytes = key(set, 0xd3).to_bytes(format).expect("has it");
            let again = SigningKey::from_bytes(set, format, &bytes).expect("the same");
            assert_eq!(again.parameter_set(), set);
            assert_eq!(again.verifying_key(), key(set, 0xd3).verifying_key());
        }
    }
    let refused = Error::VerificationOnly { scheme: "xmss-blake2s-a-l32-d42b8" };
    assert_eq!(SigningKey::from_bytes(PROFILE_A, Format::Ssz, &[7; 96]).err(), Some(refused));
}

#[test]
fn keys_move_on_to_any_epoch() {
    for (set, other) in [(KOALA_BEAR, BLAKE2S), (BLAKE2S, KOALA_BEAR)] {
        let compute = |key: &SigningKey, epoch| {
            let mut trees = key.trees_to(epoch);
            for tree in &mut trees {
                tree.compute_on(&Inline, &|_| ControlFlow::Continue(())).expect("not stopped");
            }
            trees
        };
        let last = 300.min(set.lifetime()) - 1;
        let mut far = key(set, 0xd5);
        assert!(compute(&far, 0).is_empty() && compute(&far, last + 1).is_empty());
        let trees = compute(&far, last);
        assert!(matches!(key(other, 0xd5).move_on_with(trees), Err(Error::WrongTree { .. })));
        let trees = compute(&far, last);
        far.move_on_with(trees).expect("its own");
        assert!(far.prepared_interval().contains(&last));
        let epoch = u32::try_from(last).expect("an epoch");
        let signature = far.sign(epoch, &[5; 32]).expect("signs");
        assert_eq!(far.verifying_key().verify(epoch, &[5; 32], &signature), Ok(()));
    }
}

#[test]
fn an_interrupted_generation_ends_with_the_same_key() {
    for set in [KOALA_BEAR, BLAKE2S] {
        let begin = || KeyGeneration::from_seed(set, &[0xd6; 32], 0..256).expect("fits");
        let whole = begin().run_on(&Inline).expect("all steps");
        let mut first = begin();
        let done = first.step_on(&Inline, &|_| ControlFlow::Continue(())).expect("not stopped");
        let done = done.expect("there is a tree");
        let root = first.root(done).expect("it is finished");
        let mut second = begin();
        assert_eq!(second.commitment(), first.commitment());
        assert_ne!(
            second.commitment(),
            KeyGeneration::from_seed(set, &[0xd7; 32], 0..256).expect("fits").commitment()
        );
        assert_eq!(second.one_time_key_id(), whole.one_time_key_id());
        let trees = second.trees();
        assert!(matches!(second.restore(trees.end, &root), Err(Error::WrongTree { .. })));
        assert!(matches!(second.restore(done, &root[1..]), Err(Error::Malformed(_))));
        second.restore(done, &root).expect("its own");
        let key = second.run_on(&Inline).expect("the rest");
        assert_eq!(key.verifying_key(), whole.verifying_key());
    }
}

/// Trees that others computed, each alone, give the key of one machine.
#[test]
fn trees_are_shared_out() {
    for set in [KOALA_BEAR, BLAKE2S] {
        let end = 600.min(set.lifetime());
        let begin = || KeyGeneration::from_seed(set, &[0xd8; 32], 0..end).expect("fits");
        let whole = begin().run_on(&Inline).expect("all steps");
        let (worker, mut shared) = (begin(), begin());
        let trees = worker.trees();
        assert!(trees.end - trees.start > 2);
        for index in trees.clone().rev() {
            let root = worker.compute_root_on(&Inline, index).expect("its own");
            assert_eq!(worker.root(index), None);
            shared.restore(index, &root).expect("of the same seed");
        }
        assert_eq!(worker.progress().leaves_done, 0);
        // What is left are the two trees that the key holds.
        assert_eq!(shared.step_on(&Inline, &|_| ControlFlow::Continue(())), Ok(Some(trees.start)));
        assert_eq!(shared.root(trees.start), worker.compute_root_on(&Inline, trees.start).ok());
        let key = shared.run_on(&Inline).expect("the rest");
        assert_eq!(key.to_bytes(Format::Ssz), whole.to_bytes(Format::Ssz));
        for wrong in [trees.end, u64::MAX] {
            let refused = Error::WrongTree { got: wrong, wanted: trees.start };
            assert_eq!(worker.compute_root_on(&Inline, wrong), Err(refused));
        }
    }
}

#[test]
fn no_key_is_made_for_verification_only() {
    let refused = KeyGeneration::from_seed(PROFILE_A, &[1; 32], 0..8).err();
    assert_eq!(refused, Some(Error::VerificationOnly { scheme: "xmss-blake2s-a-l32-d42b8" }));
    let empty = KeyGeneration::from_seed(BLAKE2S, &[1; 32], 8..8).err();
    assert_eq!(empty, Some(Error::Interval { start: 8, count: 0, lifetime: 1 << 32 }));
}

#[test]
fn keys_move_on_by_their_own_trees_only() {
    for (set, other) in [(KOALA_BEAR, BLAKE2S), (BLAKE2S, KOALA_BEAR)] {
        let mut key = key(set, 0xd4);
        let compute = |key: &SigningKey| {
            let mut tree = key.next_tree().expect("there are more");
            tree.compute_on(&Inline, &|_| ControlFlow::Continue(())).expect("not stopped");
            tree
        };
        let foreign = compute(&self::key(other, 0xd4));
        assert!(matches!(key.advance_with(foreign), Err(Error::WrongTree { got: 2, wanted: 2 })));
        let before = key.prepared_interval();
        let tree = compute(&key);
        assert_eq!(tree.epochs().start, before.end);
        let end = tree.epochs().end;
        key.advance_with(tree).expect("its own");
        assert_eq!(key.prepared_interval().end, end);
        assert!(key.prepared_interval().start > before.start);
        let passed = key.sign(0, &[1; 32]);
        assert_eq!(passed, Err(Error::Passed { epoch: 0, prepared: key.prepared_interval().start }));
    }
}
