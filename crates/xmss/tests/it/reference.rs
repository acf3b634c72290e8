//! Fast equals plain: every stage of the scheme on every backend, against the reference crate, on random and edge
//! inputs.
//!
//! What is expected is computed once; then the same body runs on each backend, with batches of every awkward length.

use crate::support::params;
use phalanx_reference as plain;
use phalanx_testing::{LENGTHS, LONGEST, Random, on_every_backend};
use phalanx_xmss::hazmat::{self, ChainWalk, MessageInput, Permutation};
use phalanx_xmss::{Format, ParameterSet, SigningKey};
use plain::Family;
use plain::field::P;
use plain::tree::Layer;

const VERSIONS: [(Permutation, Family); 2] =
    [(Permutation::Poseidon1, Family::Poseidon1), (Permutation::Poseidon2, Family::Poseidon2)];

/// States of `N` words: edges first, then random ones. Words are any `u32`; the library takes them modulo `p`.
fn states<const N: usize>(random: &mut Random) -> Vec<[u32; N]> {
    let mut states: Vec<[u32; N]> = [0, 1, P - 1, P, P + 1, u32::MAX].map(|x| [x; N]).to_vec();
    states.push(std::array::from_fn(|i| if i % 2 == 0 { P - 1 } else { 0 }));
    states.extend((0..N).map(|at| std::array::from_fn(|i| if i == at { P - 1 } else { 1 })));
    while states.len() < 2 * LONGEST {
        states.push(std::array::from_fn(|_| if random.u8() == 0 { random.u32() } else { random.element() }));
    }
    states
}

/// Runs `test` on every backend and on slices of `inputs` and `expected` of every awkward length, at both ends.
fn on_batches<I, O>(inputs: &[I], expected: &[O], mut test: impl FnMut(&[I], &[O])) {
    assert_eq!(inputs.len(), expected.len());
    on_every_backend(|_| {
        for len in LENGTHS.into_iter().filter(|&len| len <= inputs.len()).chain([inputs.len()]) {
            test(&inputs[..len], &expected[..len]);
            test(&inputs[inputs.len() - len..], &expected[inputs.len() - len..]);
        }
    });
}

fn check_permutations<const N: usize>(permute: fn(Permutation, &mut [[u32; N]], usize)) {
    let mut random = Random::new();
    for (permutation, family) in VERSIONS {
        let inputs = states::<N>(&mut random);
        for times in [1, 3] {
            let expected: Vec<_> = inputs
                .iter()
                .map(|state| {
                    let mut state = state.map(|x| x % P);
                    (0..times).for_each(|_| plain::permute(family, &mut state));
                    state
                })
                .collect();
            on_batches(&inputs, &expected, |inputs, expected| {
                let mut states = inputs.to_vec();
                permute(permutation, &mut states, times);
                assert_eq!(states, expected, "{permutation:?}");
            });
        }
    }
}

#[test]
fn permutations_of_width_16() {
    check_permutations(hazmat::permute_16);
}

#[test]
fn permutations_of_width_24() {
    check_permutations(hazmat::permute_24);
}

fn check_compressions<const N: usize, const K: usize>(
    compress: impl Fn(Permutation, &[[u32; N]]) -> Vec<[u32; K]>,
) {
    let mut random = Random::new();
    for (permutation, family) in VERSIONS {
        let inputs = states::<N>(&mut random);
        let expected: Vec<Vec<u32>> =
            inputs.iter().map(|input| plain::compress(family, N, &input.map(|x| x % P), K)).collect();
        on_batches(&inputs, &expected, |inputs, expected| {
            let got: Vec<Vec<u32>> = compress(permutation, inputs).iter().map(|out| out.to_vec()).collect();
            assert_eq!(got, expected, "{permutation:?}");
        });
    }
}

#[test]
fn compressions_of_width_16() {
    check_compressions(hazmat::compress_16);
}

#[test]
fn compressions_of_width_24() {
    check_compressions(hazmat::compress_24);
}

#[test]
fn chain_starts() {
    let mut random = Random::new();
    for set in ParameterSet::ALL {
        let key = random.bytes32();
        let at: Vec<(u32, u8)> = (0..2 * LONGEST).map(|_| (random.epoch(), random.u8())).collect();
        let start =
            |&(epoch, chain): &(u32, u8)| plain::prf_chain_start(params(set), &key, epoch, chain.into());
        let expected: Vec<_> = at.iter().map(start).collect();
        on_batches(&at, &expected, |at, expected| {
            assert_eq!(hazmat::chain_starts(set, &key, at), expected, "{set}");
        });
        for index in [0, 63, 255, 256, u64::from(u32::MAX), 1 << 40, u64::MAX] {
            let epoch = random.epoch();
            let got = hazmat::prf_chain_start(set, &key, epoch, index);
            assert_eq!(got, plain::prf_chain_start(params(set), &key, epoch, index), "{set}");
        }
    }
}

#[test]
fn signing_randomness() {
    let mut random = Random::new();
    for set in ParameterSet::ALL {
        let (key, message, epoch) = (random.bytes32(), random.bytes32(), random.epoch());
        let expected = |counter| plain::prf_randomness(params(set), &key, epoch, &message, counter);
        // Counters whose bytes differ in every place that a 32-bit counter can reach.
        for first in [0, 250, 65_530, 99_999 - 17, u32::MAX - 70] {
            let counters: Vec<u32> = (first..).take(2 * LONGEST).collect();
            let expected: Vec<_> = counters.iter().map(|&counter| expected(counter.into())).collect();
            on_batches(&counters, &expected, |counters, expected| {
                let first = counters.first().copied().unwrap_or(0);
                let got = hazmat::randomness_candidates(set, &key, epoch, &message, first, counters.len());
                assert_eq!(got, expected, "{set}");
            });
        }
        for counter in [0, 99_999, 1 << 32, u64::MAX] {
            let got = hazmat::prf_randomness(set, &key, epoch, &message, counter);
            assert_eq!(got, expected(counter), "{set}");
        }
    }
}

#[test]
fn tweaks() {
    let mut random = Random::new();
    let mut labels = Vec::new();
    let mut expected = Vec::new();
    for _ in 0..100 {
        let (epoch, low, high) = (random.epoch(), random.u8(), random.u8());
        labels.push(hazmat::tree_tweak(low, epoch.into()));
        expected.push(plain::tweaks::tree_tweak(low, epoch));
        labels.push(hazmat::chain_tweak(epoch, low, high));
        expected.push(plain::tweaks::chain_tweak(epoch, low, high));
        labels.push(hazmat::epoch_tweak(epoch));
        expected.push(plain::tweaks::epoch_encoding(epoch));
    }
    // Around the multiples of p, where a quotient could be off by one; the largest label is below 2^56.
    let p = u64::from(P);
    let quotients = [0, 1, 2, 255, 1 << 24, (1 << 25) - 3, ((1 << 56) - 1) / p];
    for quotient in quotients.into_iter().chain((0..100).map(|_| random.within(0..(1 << 56) / p))) {
        for n in [(quotient * p).saturating_sub(1), quotient * p, quotient * p + 1, (1 << 60) - 1] {
            labels.push(n);
            expected.push([n % p, n / p].map(|digit| u32::try_from(digit).expect("a digit")).to_vec());
        }
    }
    on_batches(&labels, &expected, |labels, expected| {
        let got: Vec<_> = hazmat::tweak_digits(labels).iter().map(|digits| digits.to_vec()).collect();
        assert_eq!(got, expected);
    });
}

#[test]
fn message_encodings() {
    let mut random = Random::new();
    let single_bits = (0..256).map(|bit| {
        let mut message = [0; 32];
        message[bit / 8] = 1 << (bit % 8);
        message
    });
    for message in single_bits.chain((0..100).map(|_| random.bytes32())) {
        assert_eq!(hazmat::message_encoding(&message)[..], plain::tweaks::message_encoding(&message));
    }
}

#[test]
fn chain_walks_of_every_length() {
    let mut random = Random::new();
    for set in ParameterSet::ALL {
        let base = set.base();
        let mut walks = Vec::new();
        for position in 0..base {
            for steps in 0..base - position {
                let (epoch, chain) = (random.epoch(), random.u8());
                let (parameter, value) = (random.parameter(), random.elements(set.hash_len()));
                walks.push(ChainWalk { parameter, epoch, chain, position, steps, value });
            }
        }
        // In another order, so that batches mix lengths.
        let at = |i: usize| walks[i * 7919 % walks.len()].clone();
        assert!(!walks.len().is_multiple_of(7919));
        let walks: Vec<_> = (0..walks.len()).map(at).collect();
        let walked = |walk: &ChainWalk| {
            let ChainWalk { ref parameter, epoch, chain, position, steps, ref value } = *walk;
            let value = plain::chain_walk(params(set), parameter, epoch, chain, position, steps, value);
            ChainWalk { parameter: *parameter, epoch, chain, position: position + steps, steps: 0, value }
        };
        let expected: Vec<_> = walks.iter().map(walked).collect();
        on_batches(&walks, &expected, |walks, expected| {
            let mut walks = walks.to_vec();
            hazmat::walk_chains(set, &mut walks);
            assert_eq!(walks, expected, "{set}");
        });
    }
}

#[test]
fn leaf_sponges() {
    let mut random = Random::new();
    for set in ParameterSet::ALL {
        assert_eq!(hazmat::sponge_capacity(set)[..], plain::tree::sponge_capacity(params(set)), "{set}");
        let parameter = random.parameter();
        let items: Vec<(u32, Vec<Vec<u32>>)> = (0..LONGEST)
            .map(|_| (random.epoch(), crate::support::digests(&mut random, set, set.chains())))
            .collect();
        let leaf = |(epoch, ends): &(u32, Vec<_>)| plain::leaf(params(set), &parameter, *epoch, ends);
        let expected: Vec<_> = items.iter().map(leaf).collect();
        on_batches(&items, &expected, |items, expected| {
            let items: Vec<(u32, &[Vec<u32>])> =
                items.iter().map(|(epoch, ends)| (*epoch, &ends[..])).collect();
            assert_eq!(hazmat::leaf_sponges(set, &parameter, &items), expected, "{set}");
        });
    }
}

#[test]
fn leaves_from_the_prf_key() {
    let mut random = Random::new();
    for set in ParameterSet::ALL {
        let (parameter, key) = (random.parameter(), random.bytes32());
        let last = u32::try_from(set.lifetime() - 1).expect("32 bits");
        let in_the_middle = u32::try_from(random.within(0..set.lifetime() - 20)).expect("32 bits");
        for (first, count) in [(in_the_middle, 17), (0, 1), (last - 1, 2)] {
            let leaf = |epoch| {
                let ends = plain::chain::chain_ends(params(set), &key, &parameter, epoch);
                plain::leaf(params(set), &parameter, epoch, &ends)
            };
            let epochs: Vec<u32> = (first..=last).take(count).collect();
            let expected: Vec<_> = epochs.iter().map(|&epoch| leaf(epoch)).collect();
            on_batches(&epochs, &expected, |epochs, expected| {
                let first = epochs.first().copied().unwrap_or(0);
                let got = hazmat::leaves(set, &key, &parameter, first, epochs.len());
                assert_eq!(got, expected, "{set} from {first}");
            });
        }
        let one_time = hazmat::one_time_key(set, &key, &parameter, last);
        assert_eq!(one_time.ends, plain::chain::chain_ends(params(set), &key, &parameter, last), "{set}");
    }
}

#[test]
fn tree_nodes() {
    let mut random = Random::new();
    for set in ParameterSet::ALL {
        let log2_lifetime = params(set).log_lifetime;
        for level in [1, log2_lifetime / 2, log2_lifetime] {
            let nodes = LONGEST.min(1 << (log2_lifetime - level));
            let room = (1 << (log2_lifetime - level)) - nodes as u64 + 1;
            let (first, parameter) = (random.within(0..room), random.parameter());
            let pairs: Vec<[Vec<u32>; 2]> =
                (0..nodes).map(|_| [(); 2].map(|()| random.elements(set.hash_len()))).collect();
            let node = |(position, [left, right]): (u64, &[Vec<u32>; 2])| {
                let position = u32::try_from(position).expect("32 bits");
                plain::node(params(set), &parameter, level, position, left, right)
            };
            let expected: Vec<_> = (first..).zip(&pairs).map(node).collect();
            let positions: Vec<u64> = (first..).take(nodes).collect();
            on_batches(&positions, &expected, |positions, expected| {
                let start = positions.first().copied().unwrap_or(first);
                let offset = usize::try_from(start - first).expect("small");
                let children = pairs[offset..offset + positions.len()].concat();
                let got = hazmat::tree_nodes(set, &parameter, level, start, &children);
                assert_eq!(got, expected, "{set} level {level} from {start}");
            });
        }
    }
}

#[test]
fn message_hashes() {
    let mut random = Random::new();
    for set in ParameterSet::ALL {
        let mut inputs: Vec<_> = (0..2 * LONGEST)
            .map(|_| MessageInput {
                parameter: random.parameter(),
                epoch: random.epoch(),
                message: random.bytes32(),
                randomness: random.elements(set.randomness_len()),
            })
            .collect();
        // At least one that is accepted: most random ones are not.
        let MessageInput { parameter, epoch, message, .. } = inputs[0];
        let found = plain::search(params(set), &[7; 32], &parameter, epoch, &message).expect("found");
        inputs[0].randomness = found.rho;
        let hash = |input: &MessageInput| {
            let MessageInput { parameter, epoch, message, randomness } = input;
            plain::message_hash(params(set), parameter, *epoch, randomness, message)
        };
        let expected: Vec<_> = inputs.iter().map(hash).collect();
        assert!(expected[0].accepted);
        on_batches(&inputs, &expected, |inputs, expected| {
            let got = hazmat::message_hashes(set, inputs);
            assert_eq!(got.len(), expected.len());
            for (got, expected) in got.iter().zip(expected) {
                assert_eq!(got.words[..expected.words.len()], expected.words, "{set}");
                assert_eq!(got.vertex, expected.chunks, "{set}");
                let codeword = expected.chunks.clone().filter(|_| expected.accepted);
                assert_eq!(got.codeword, codeword, "{set}");
                assert_eq!(got.top_layers.is_some(), expected.top_layers.is_some(), "{set}");
                if let (Some(got), Some(expected)) = (got.top_layers, &expected.top_layers) {
                    assert_eq!(got.layer, expected.layer, "{set}");
                    for (got, expected) in [(got.reduced, &expected.reduced), (got.offset, &expected.offset)]
                    {
                        let mut limbs = expected.to_u64_digits();
                        limbs.resize(3, 0);
                        assert_eq!(got[..], limbs, "{set}");
                    }
                }
            }
        });
    }
}

#[test]
fn encoding_search_and_reveal() {
    let mut random = Random::new();
    for set in ParameterSet::ALL {
        for epoch in [0, u32::MAX, random.epoch()] {
            let (key, parameter, message) = (random.bytes32(), random.parameter(), random.bytes32());
            let expected = plain::search(params(set), &key, &parameter, epoch, &message).expect("found");
            let value = |(chain, &steps): (u8, &u8)| {
                let start = plain::prf_chain_start(params(set), &key, epoch, chain.into());
                plain::chain_walk(params(set), &parameter, epoch, chain, 0, steps, &start)
            };
            let values: Vec<_> = (0..).zip(&expected.codeword).map(value).collect();
            on_every_backend(|_| {
                let got = hazmat::find_encoding(set, &key, &parameter, epoch, &message).expect("found");
                assert_eq!(u64::from(got.counter), expected.counter, "{set}");
                assert_eq!(got.randomness, expected.rho, "{set}");
                assert_eq!(got.codeword, expected.codeword, "{set}");
                let got = hazmat::reveal(set, &key, &parameter, epoch, &got.codeword);
                assert_eq!(got, values, "{set}");
            });
        }
    }
}

/// Top trees over random nodes at positions `start..start + count` of their lowest layer, for every (start, count).
fn check_sparse_trees(set: ParameterSet, windows: impl IntoIterator<Item = (u64, usize)>) {
    let mut random = Random::new();
    let (depth, lowest) = (params(set).log_lifetime, params(set).bottom_height());
    let parameter = random.parameter();
    for (start, count) in windows {
        let (nodes, seed) = (crate::support::digests(&mut random, set, count), random.bytes32());
        let mut rng = plain::rng::Rng::from_seed(&seed);
        let layer = Layer { start, nodes: nodes.clone() };
        let expected = plain::tree::padded_tree(params(set), &parameter, depth, lowest, layer, &mut rng);
        let expected: Vec<_> = expected.layers.into_iter().map(|layer| (layer.start, layer.nodes)).collect();
        on_every_backend(|_| {
            let got = hazmat::sparse_subtree(set, &parameter, depth, lowest, start, &nodes, &seed);
            let got: Vec<_> = got.into_iter().map(|layer| (layer.start, layer.nodes)).collect();
            assert_eq!(got, expected, "{set}: {count} from {start}");
        });
    }
}

#[test]
fn top_trees_of_every_window() {
    let windows =
        || (0..16).flat_map(|start| (1..=16 - start).map(move |count| (start, usize::try_from(count))));
    for set in [ParameterSet::POSEIDON2_L8_D64B8, ParameterSet::POSEIDON1_L8_D4B8_TEST] {
        check_sparse_trees(set, windows().map(|(start, count)| (start, count.expect("small"))));
    }
}

#[test]
fn top_trees_of_long_lifetimes() {
    let mut random = Random::new();
    for set in ParameterSet::ALL.into_iter().filter(|set| set.lifetime() > 256) {
        let positions = set.lifetime() / set.tree_leaves();
        let middle = random.within(20..positions - 20);
        let at_the_end = [(positions - 1, 1), (positions - 2, 2), (positions - 3, 3)];
        let windows = [(0, 1), (0, 2), (1, 1), (1, 2), (middle, 5), (middle + 1, 19)];
        check_sparse_trees(set, windows.into_iter().chain(at_the_end));
    }
}

/// Key, encodings, signatures and a walk through all prepared intervals, against the reference's.
fn check_key(set: ParameterSet, start: u64, count: u64) {
    let mut random = Random::new();
    let seed = random.bytes32();
    let mut expected = plain::keygen(params(set), &seed, start, count).expect("fits");
    let formats = [
        (Format::Ssz, plain::wire::Format::Ssz),
        (Format::Bincode, plain::wire::Format::BincodeFixint),
        (Format::BincodeStandard, plain::wire::Format::BincodeStandard),
    ];
    let mut states = vec![expected.clone()];
    while plain::advance(&mut expected) {
        states.push(expected.clone());
    }
    let signed: Vec<_> = states
        .iter()
        .map(|state| {
            let (epoch, message) = (random.within(state.prepared_interval()), random.bytes32());
            let signature = plain::sign(state, epoch, &message).expect("prepared");
            (u32::try_from(epoch).expect("32 bits"), message, signature)
        })
        .collect();
    on_every_backend(|_| {
        let mut key = SigningKey::from_seed(set, &seed, start..start + count).expect("fits");
        assert_eq!(key.activation_interval(), states[0].activation_interval());
        for (state, (epoch, message, signature)) in states.iter().zip(&signed) {
            assert_eq!(key.prepared_interval(), state.prepared_interval());
            for (format, plain_format) in formats {
                let expected = plain::wire::encode_secret_key(plain_format, state);
                assert!(**key.to_bytes(format) == *expected, "{set} {format}");
            }
            assert_eq!(key.verifying_key(), crate::support::verifying_key(set, &state.public_key()));
            let got = hazmat::sign_unrecorded(&key, *epoch, message).expect("prepared");
            assert_eq!(got, crate::support::signature(set, signature), "{set} epoch {epoch}");
            assert_eq!(key.verifying_key().verify(*epoch, message, &got), Ok(()));
            let more = key.prepared_interval().end < key.activation_interval().end;
            assert_eq!(key.advance(), Ok(more), "{set}");
        }
    });
}

#[test]
fn keys_of_four_chains() {
    let mut random = Random::new();
    let set = ParameterSet::POSEIDON1_L8_D4B8_TEST;
    let mut windows = vec![(0, 256), (255, 1), (100, 40), (0, 1), (16, 240)];
    for _ in 0..3 {
        let start = random.within(0..256);
        windows.push((start, random.within(1..257 - start)));
    }
    windows.into_iter().for_each(|(start, count)| check_key(set, start, count));
}

#[test]
fn keys_of_64_chains() {
    // Whole lifetimes are among the published keys, which `cargo xtask vectors` generates.
    for (start, count) in [(0, 0), (255, 1), (100, 40)] {
        check_key(ParameterSet::POSEIDON2_L8_D64B8, start, count);
    }
}
