//! Every check of verification has a signature here that fails by that check alone: it verifies if the check is taken
//! out.
//!
//! Each forgery has its control beside it: what a verifier without the check would look at, made honest, is accepted.
//! The seeds are fixed, because four chains without security (the test set) collide once in four thousand.

use crate::support::forge::{Rules, Shown, Uses, Values};
use crate::support::params;
use phalanx_reference as plain;
use phalanx_testing::{Random, on_every_backend};
use phalanx_xmss::{
    Format, ParameterSet, Signature, SignedMessage, VerifyingKey, hazmat, verify_many, verify_many_on,
};
use phalanx_xmss::{Inline, InvalidSignature, Threads};
use plain::field::P;

/// One set of each family and shape: four chains, 64 chains of eight elements, of seven, and the longest lifetimes.
const SETS: [ParameterSet; 5] = [
    ParameterSet::POSEIDON1_L8_D4B8_TEST,
    ParameterSet::POSEIDON2_L8_D64B8,
    ParameterSet::POSEIDON2_L18_D64B8,
    ParameterSet::POSEIDON2_L32_D32B26,
    ParameterSet::POSEIDON1_L32_D46B8,
];

/// An epoch whose bits alternate, so that every level of the path has its side, and no use of it is zero by chance.
fn epoch_of(set: ParameterSet) -> u32 {
    u32::try_from(0xa5c3_96b5 % set.lifetime()).expect("32 bits")
}

/// Checks results on every backend, alone and all together in a batch.
fn check(what: &str, cases: &[(Shown, bool)]) {
    assert!(!cases.is_empty(), "{what}: no cases");
    on_every_backend(|_| {
        let wrong = |valid: bool| {
            let case = |(i, (shown, expected)): (usize, &(Shown, bool))| {
                (*expected == valid && shown.verifies() != valid).then_some(i)
            };
            cases.iter().enumerate().filter_map(case).collect::<Vec<usize>>()
        };
        let (accepted, refused) = (wrong(false), wrong(true));
        assert!(
            accepted.is_empty() && refused.is_empty(),
            "{what}: accepted {accepted:?}, refused {refused:?}"
        );
        let messages: Vec<_> = cases.iter().map(|(shown, _)| signed(shown)).collect();
        let expected: Vec<_> = cases.iter().map(|(_, valid)| result(*valid)).collect();
        assert_eq!(verify_many(&messages), expected, "{what}");
    });
}

fn signed(shown: &Shown) -> SignedMessage<'_> {
    SignedMessage {
        key: &shown.key,
        epoch: shown.epoch,
        message: &shown.message,
        signature: &shown.signature,
    }
}

fn result(valid: bool) -> Result<(), InvalidSignature> {
    if valid { Ok(()) } else { Err(InvalidSignature) }
}

/// The forgery for a verifier that computes with tampered values instead of the `honest` ones it is shown, and its
/// control.
fn forgery(honest: &Values, tamper: impl Fn(&mut Values)) -> [(Shown, bool); 2] {
    let mut honest = honest.clone();
    let tampered = honest.accept(tamper);
    let root = tampered.root();
    let control = control(&tampered);
    [(honest.shown(root), false), control]
}

/// What `values` would be without their contradictions: a valid signature, so that the forgery's failure means
/// something.
fn control(values: &Values) -> (Shown, bool) {
    let mut honest = values.clone();
    let (epoch, parameter) = (honest.epoch.chains, honest.parameter.chains.clone());
    for epoch_of in Uses::each() {
        *epoch_of(&mut honest.epoch) = epoch;
    }
    for parameter_of in Uses::each() {
        *parameter_of(&mut honest.parameter) = parameter.clone();
    }
    let honest = honest.accept(|_| ());
    let root = honest.root();
    (honest.shown(root), true)
}

#[test]
fn honest_values_verify() {
    let mut random = Random::from_seed(1);
    for set in ParameterSet::ALL {
        let last = u32::try_from(set.lifetime() - 1).expect("32 bits");
        let at = |epoch| {
            let values = Values::accepted(&mut random, set, epoch);
            (values.shown(values.root()), true)
        };
        check(set.name(), &[0, 1, last - 1, last, epoch_of(set)].map(at));
    }
}

/// Step 3: a codeword of another sum, revealed, walked and climbed without a fault.
#[test]
fn target_sum() {
    let mut random = Random::from_seed(2);
    for set in ParameterSet::ALL {
        let wanted = u64::from(params(set).target_sum);
        let mut cases = vec![];
        let (mut below, mut above) = (0, 0);
        while below < 3 || above < 3 {
            let values = Values::random(&mut random, set, epoch_of(set));
            let sum = plain::encoding::sum(&values.hash().chunks.expect("no abort"));
            let side = if sum < wanted { &mut below } else { &mut above };
            if sum == wanted || *side == 3 {
                continue;
            }
            *side += 1;
            cases.push((values.shown(values.root()), false));
        }
        let honest = Values::accepted(&mut random, set, epoch_of(set));
        cases.push((honest.shown(honest.root()), true));
        check(set.name(), &cases);
    }
}

/// Step 1: a root made for an epoch that the lifetime does not have.
#[test]
fn epoch_beyond_the_lifetime() {
    let mut random = Random::from_seed(3);
    for set in ParameterSet::ALL.into_iter().filter(|set| set.lifetime() < 1 << 32) {
        let lifetime = u32::try_from(set.lifetime()).expect("filtered");
        let at = |epoch| {
            let values = Values::accepted(&mut random, set, epoch);
            (values.shown(values.root()), epoch < lifetime)
        };
        check(set.name(), &[0, lifetime - 1, lifetime, lifetime + 1, 2 * lifetime, u32::MAX].map(at));
    }
}

/// The key of one set under the label of another, the signature under its own.
#[test]
fn key_of_another_set() {
    let mut random = Random::from_seed(4);
    for set in ParameterSet::ALL {
        let values = Values::accepted(&mut random, set, 5);
        let root = values.root();
        let key = plain::PublicKey { root: root.clone(), parameter: values.parameter.chains.clone() };
        let cases =
            ParameterSet::ALL.into_iter().filter(|label| label.hash_len() == set.hash_len()).map(|label| {
                let mut shown = values.shown(root.clone());
                shown.key = crate::support::verifying_key(label, &key);
                (shown, label == set)
            });
        check(set.name(), &cases.collect::<Vec<_>>());
    }
}

/// The signature of one set under the label of another of the same height and with more chains, the surplus filled up.
#[test]
fn signature_of_another_set() {
    let mut random = Random::from_seed(5);
    let mut pairs = 0;
    for set in ParameterSet::ALL {
        let values = Values::accepted(&mut random, set, 5);
        let root = values.root();
        let mut cases = vec![(values.shown(root.clone()), true)];
        for label in ParameterSet::ALL {
            let same_height = label.lifetime() == set.lifetime();
            if label == set || !same_height || label.chains() < set.chains() {
                continue;
            }
            let mut hashes = values.hashes.clone();
            hashes.resize(label.chains(), vec![9; label.hash_len()]);
            let longer = plain::Signature { path: values.path.clone(), rho: values.rho.clone(), hashes };
            let mut shown = values.shown(root.clone());
            shown.signature = crate::support::signature(label, &longer);
            cases.push((shown, false));
            pairs += 1;
        }
        check(set.name(), &cases);
    }
    assert!(pairs >= 6, "{pairs} pairs of sets");
}

/// Step 6, word by word.
#[test]
fn every_word_of_the_root() {
    let mut random = Random::from_seed(6);
    for set in SETS {
        let values = Values::accepted(&mut random, set, epoch_of(set));
        let root = values.root();
        let mut cases = vec![(values.shown(root.clone()), true)];
        for word in 0..set.hash_len() {
            for change in [1, P / 2, P - 1] {
                let mut other = root.clone();
                other[word] = plain::field::add(other[word], change);
                cases.push((values.shown(other), false));
            }
        }
        check(set.name(), &cases);
    }
}

#[test]
fn every_element_of_the_randomness() {
    let mut random = Random::from_seed(7);
    for set in SETS {
        let honest = Values::accepted(&mut random, set, epoch_of(set));
        let ignoring = |i| forgery(&honest, move |values| values.rho[i] = 0);
        check(set.name(), &(0..set.randomness_len()).flat_map(ignoring).collect::<Vec<_>>());
    }
}

#[test]
fn every_word_of_every_path_node() {
    let mut random = Random::from_seed(8);
    for set in SETS {
        let honest = Values::accepted(&mut random, set, epoch_of(set));
        let mut cases = vec![];
        for node in 0..usize::from(params(set).log_lifetime) {
            // All words of every node at the small sets, one word a node where trees are high.
            for word in (0..set.hash_len()).filter(|word| set.lifetime() == 256 || *word == node % 7) {
                cases.extend(forgery(&honest, |values| values.path[node][word] = 0));
            }
        }
        check(set.name(), &cases);
    }
}

#[test]
fn every_word_of_every_chain_value() {
    let mut random = Random::from_seed(9);
    for set in SETS {
        let honest = Values::accepted(&mut random, set, epoch_of(set));
        let mut cases = vec![];
        for chain in 0..set.chains() {
            for word in
                (0..set.hash_len()).filter(|word| set.chains() == 4 || *word == chain % set.hash_len())
            {
                cases.extend(forgery(&honest, |values| values.hashes[chain][word] = 0));
            }
        }
        check(set.name(), &cases);
    }
}

#[test]
fn every_byte_of_the_message() {
    let mut random = Random::from_seed(10);
    for set in SETS {
        let honest = Values::accepted(&mut random, set, epoch_of(set));
        let ignoring = |i| forgery(&honest, move |values| values.message[i] = 0);
        // Where an accepted hash takes the reference a thousand attempts, one byte of each element but the last two.
        let step = if set == ParameterSet::POSEIDON1_L32_D46B8 { 5 } else { 1 };
        check(set.name(), &(0..32).step_by(step).flat_map(ignoring).collect::<Vec<_>>());
    }
}

/// The epoch is bound five times over: each time, a verifier that takes it for 0 there.
#[test]
fn every_use_of_the_epoch() {
    let mut random = Random::from_seed(11);
    for set in SETS {
        let honest = Values::accepted(&mut random, set, epoch_of(set));
        let mut cases = vec![];
        for epoch in Uses::<u32>::each() {
            cases.extend(forgery(&honest, |values| *epoch(&mut values.epoch) = 0));
        }
        check(set.name(), &cases);
    }
}

/// Each bit of the epoch alone, and the side of each level alone, from the left and from the right.
#[test]
fn every_bit_of_the_epoch() {
    let mut random = Random::from_seed(12);
    for set in SETS {
        let last = u32::try_from(set.lifetime() - 1).expect("32 bits");
        let mut cases = vec![];
        for epoch in [epoch_of(set), epoch_of(set) ^ last] {
            let honest = Values::accepted(&mut random, set, epoch);
            for bit in 0..params(set).log_lifetime {
                let mut shown = honest.shown(honest.root());
                shown.epoch ^= 1 << bit;
                cases.push((shown, false));
                cases.extend(forgery(&honest, |values| values.epoch.sides ^= 1 << bit));
            }
        }
        check(set.name(), &cases);
    }
}

/// The parameter enters four hashes: each time, a verifier that leaves an element of it out.
#[test]
fn every_use_of_every_element_of_the_parameter() {
    let mut random = Random::from_seed(13);
    for set in SETS {
        let honest = Values::accepted(&mut random, set, epoch_of(set));
        let mut cases = vec![];
        for parameter in &Uses::<Vec<u32>>::each()[..4] {
            for element in 0..5 {
                cases.extend(forgery(&honest, |values| parameter(&mut values.parameter)[element] = 0));
            }
        }
        check(set.name(), &cases);
    }
}

/// Tweaks without the chain's index, without the position, without the level.
#[test]
fn every_number_of_a_tweak() {
    const HOLES: [(&str, Rules); 3] = [
        ("chain", Rules { chain: |_| 0, ..Rules::STRICT }),
        ("position", Rules { position: |_| 1, ..Rules::STRICT }),
        ("level", Rules { level: |_| 1, ..Rules::STRICT }),
    ];
    let mut random = Random::from_seed(14);
    for set in SETS {
        let values = Values::accepted(&mut random, set, epoch_of(set));
        let mut cases = vec![(values.shown(values.root()), true)];
        cases.extend(HOLES.map(|(_, rules)| (values.shown(values.root_with(&rules)), false)));
        check(set.name(), &cases);
    }
}

// ---- batches ----

/// Honest messages of `set`, all different, and for each one that is refused: by turns because of the randomness (which
/// stops it at the encoding) and of a chain value (which stops it at the root).
fn pairs(random: &mut Random, set: ParameterSet, count: u32) -> Vec<[Shown; 2]> {
    let pair = |epoch| {
        let values = Values::accepted(random, set, epoch);
        let root = values.root();
        let mut bad = values.clone();
        if epoch % 2 == 0 {
            while bad.hash().accepted {
                bad.rho[2] = (bad.rho[2] + 1) % P;
            }
        } else {
            bad.hashes[set.chains() - 1][0] ^= 1;
        }
        [values.shown(root.clone()), bad.shown(root)]
    };
    (0..count).map(pair).collect()
}

/// The messages of a batch in which those at `bad` are refused, and the results.
fn batch<'a>(
    pairs: &'a [[Shown; 2]],
    bad: &[usize],
) -> (Vec<SignedMessage<'a>>, Vec<Result<(), InvalidSignature>>) {
    let is_bad = |i: usize| bad.contains(&i);
    let messages = pairs.iter().enumerate().map(|(i, pair)| signed(&pair[usize::from(is_bad(i))])).collect();
    (messages, (0..pairs.len()).map(|i| result(!is_bad(i))).collect())
}

#[test]
fn one_bad_signature_in_every_place_of_every_batch() {
    let mut random = Random::from_seed(15);
    for (set, sizes) in [
        (ParameterSet::POSEIDON1_L8_D4B8_TEST, (1..=33).collect::<Vec<_>>()),
        (ParameterSet::POSEIDON2_L8_D64B8, vec![1, 2, 7, 8, 9, 16, 17]),
    ] {
        let pairs = pairs(&mut random, set, 40);
        on_every_backend(|_| {
            for &size in &sizes {
                for bad in 0..size {
                    // From another pair on each time, so that both kinds of bad meet every lane.
                    let first = (size + bad) % (pairs.len() - size + 1);
                    let (messages, expected) = batch(&pairs[first..first + size], &[bad]);
                    assert_eq!(verify_many(&messages), expected, "{set}: {bad} of {size}");
                }
                let (messages, expected) = batch(&pairs[..size], &[]);
                assert_eq!(verify_many(&messages), expected, "{set}: none of {size}");
                let (messages, expected) = batch(&pairs[..size], &(0..size).collect::<Vec<_>>());
                assert_eq!(verify_many(&messages), expected, "{set}: all of {size}");
            }
        });
    }
}

/// Around the edges of what is walked together and of what a thread takes.
#[test]
fn long_batches_keep_their_order() {
    let mut random = Random::from_seed(16);
    let pairs = pairs(&mut random, ParameterSet::POSEIDON1_L8_D4B8_TEST, 200);
    on_every_backend(|_| {
        for bad in
            [&[][..], &[0], &[63], &[64], &[65], &[127, 128], &[199], &[0, 1, 62, 63, 64, 100, 150, 191, 192]]
        {
            let (messages, expected) = batch(&pairs, bad);
            assert_eq!(verify_many(&messages), expected, "{bad:?}");
            assert_eq!(verify_many_on(&Inline, &messages), expected, "{bad:?}");
            assert_eq!(verify_many_on(&Threads::new(3), &messages), expected, "{bad:?}");
        }
    });
}

#[test]
fn an_empty_batch_has_no_results() {
    on_every_backend(|_| {
        assert_eq!(verify_many(&[]), []);
        assert_eq!(verify_many_on(&Threads::new(2), &[]), []);
    });
}

#[test]
fn sets_may_be_mixed() {
    let mut random = Random::from_seed(17);
    let mut all: Vec<[Shown; 2]> =
        ParameterSet::ALL.into_iter().flat_map(|set| pairs(&mut random, set, 5)).collect();
    // Shuffled, so that neighbours are of different sets.
    for i in (1..all.len()).rev() {
        let j = random.within(0..i as u64 + 1);
        all.swap(i, usize::try_from(j).expect("small"));
    }
    on_every_backend(|_| {
        for step in 1..8 {
            let bad: Vec<usize> = (0..all.len()).filter(|i| (i * i + i / 3) % step == 1).collect();
            let (messages, expected) = batch(&all, &bad);
            assert_eq!(verify_many(&messages), expected, "{bad:?}");
            assert_eq!(verify_many_on(&Threads::new(2), &messages), expected, "{bad:?}");
        }
    });
}

/// One key and signature for many messages: only the true one is accepted.
#[test]
fn messages_that_share_a_signature() {
    let set = ParameterSet::POSEIDON2_L8_D64B8;
    let [[good, other], ..] = &pairs(&mut Random::from_seed(18), set, 1)[..] else {
        panic!("one was asked for")
    };
    let mut message = good.message;
    message[31] ^= 0x80;
    let messages = [
        SignedMessage { epoch: 1, ..signed(good) },
        SignedMessage { message: &message, ..signed(good) },
        signed(good),
        SignedMessage { signature: &other.signature, ..signed(good) },
        signed(good),
    ];
    let expected = [false, false, true, false, true].map(result);
    on_every_backend(|_| assert_eq!(verify_many(&messages), expected));
}

/// A signature that only a partial key's tree could have made is refused by everybody else's key.
#[test]
fn keys_do_not_verify_for_each_other() {
    let message = [3; 32];
    for set in SETS {
        let keys = [[1; 32], [2; 32]].map(|seed| hazmat::partial_key(set, &seed, 5..6));
        let made = keys.each_ref().map(|key| hazmat::sign_unrecorded(key, 5, &message).expect("prepared"));
        on_every_backend(|_| {
            for (i, key) in keys.iter().enumerate() {
                for (j, signature) in made.iter().enumerate() {
                    let verified = key.verifying_key().verify(5, &message, signature);
                    assert_eq!(verified, result(i == j), "{set}: key {i}, signature {j}");
                }
            }
        });
    }
}

/// Bytes that are no signature do not become one by verifying: decoding refuses before verifying can be asked.
#[test]
fn types_hold_only_what_is_well_formed() {
    for set in ParameterSet::ALL {
        let values = Values::accepted(&mut Random::from_seed(19), set, 0);
        let shown = values.shown(values.root());
        let (key, signature) = (shown.key.to_bytes(Format::Ssz), shown.signature.to_bytes(Format::Ssz));
        assert!(VerifyingKey::from_bytes(set, Format::Ssz, &key[1..]).is_err());
        assert!(Signature::from_bytes(set, Format::Ssz, &signature[1..]).is_err());
    }
}
