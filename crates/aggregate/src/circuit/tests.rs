//! The programs against the reference's, and their walks against each other.

use super::*;
use blake2::Blake2s256;
use phalanx_core::simd::{Backend, Isa};
use phalanx_ligerito::Gf128;
use phalanx_ligerito::parts::Field;
use phalanx_reference::aggregate as reference;
use phalanx_reference::xmss_blake2s::blake2s;
use phalanx_testing::Random;
use sha2::{Digest, Sha256};
use std::vec;
use std::vec::Vec;

fn listing_and_digest<C: Circuit>(plain: &reference::Circuit) {
    let listing = C::listing();
    assert!(listing == plain.listing(), "the program is the reference's");
    let digest = blake2s(&[], &[&b"phalanx circuit v1"[..], &listing].concat());
    assert_eq!(C::DIGEST, digest);
    assert_eq!(C::WORDS, plain.words());
    assert_eq!(1 << C::LOG2_SLOTS, plain.slots());
}

#[test]
fn listings_and_digests() {
    listing_and_digest::<Blake2sCompression>(&reference::Circuit::blake2s());
    listing_and_digest::<Sha256Compression>(&reference::Circuit::sha256());
}

/// The reference finds the constants as roots of primes; here they are a table.
#[test]
fn constants_are_those_of_the_reference() {
    let (first, constants) = Sha256Compression::CONSTANTS;
    assert_eq!(constants, reference::compressions::constants());
    assert_eq!(first, 32);
}

/// Sixteen blocks of edges, runs of carries and random words: every word is the reference's, and so is every form, on
/// every backend.
fn blocks_are_those_of_the_reference<C: Circuit>(plain: &reference::Circuit) {
    let program = C::program();
    let mut random = Random::from_seed(1);
    let mut blocks = Blocks::new(C::WORDS);
    for round in 0..4 {
        // Anything may stand where outputs are written.
        let inputs: Vec<[u32; LANES]> = (0..4 * C::SLOTS)
            .map(|_| {
                core::array::from_fn(|lane| match (round, lane) {
                    (0, 0) => 0,
                    (0, 1) => u32::MAX,
                    (0, 2) => 1,
                    (0, 3) => 0x8000_0000,
                    (0, 4) => 0x7fff_ffff,
                    (0, 5) => 0x5555_5555,
                    _ => random.u32(),
                })
            })
            .collect();
        for isa in Backend::ALL.into_iter().filter_map(Isa::of) {
            let name = isa.backend().name();
            for (to, words) in blocks.words[0].iter_mut().zip(&inputs) {
                *to = Lanes(*words);
            }
            blocks.compress(isa, &program);
            for lane in 0..LANES {
                let of = |words: &[Lanes]| -> Vec<u32> { words.iter().map(|words| words.0[lane]).collect() };
                let input: Vec<u32> = inputs.iter().map(|words| words[lane]).collect();
                let block = reference::compress(plain, &input);
                let [z, a, b] = blocks.words.each_ref().map(|words| of(words));
                assert!(z == block, "round {round}, lane {lane}, {name}");
                let witness = reference::Witness::of(plain, block);
                assert!(a == witness.a && b == witness.b, "forms of round {round}, lane {lane}, {name}");
            }
        }
    }
}

#[test]
fn blocks_are_those_of_the_references() {
    blocks_are_those_of_the_reference::<Blake2sCompression>(&reference::Circuit::blake2s());
    blocks_are_those_of_the_reference::<Sha256Compression>(&reference::Circuit::sha256());
}

/// Messages of up to so many bytes for as many lanes, in blocks of 64: the longest, the shortest, runs of ones and zeros of any
/// length, and random ones.
fn messages(random: &mut Random, least: usize, most: usize) -> [Vec<u8>; LANES] {
    core::array::from_fn(|lane| {
        let len = match lane {
            0 => most,
            1 => least,
            _ => least + usize::from(random.u8()) % (most - least + 1),
        };
        let mask = match lane {
            2..5 => random.u64() << random.below(64),
            _ => 0,
        };
        let byte = |i: usize, random: u64| match lane {
            2..5 => mask.to_le_bytes()[i % 8],
            5 => 0,
            6 => 0xff,
            _ => random.to_le_bytes()[7],
        };
        (0..len).map(|i| byte(i, random.u64())).collect()
    })
}

const START: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The states that every lane's block ends with, which begin at word `first`; and every constraint holds.
fn states_after(circuit: &Blocks, first: usize) -> [[u32; 8]; LANES] {
    let [z, a, b] = &circuit.words;
    core::array::from_fn(|lane| {
        assert!((0..z.len()).all(|word| a[word].0[lane] & b[word].0[lane] == z[word].0[lane]));
        core::array::from_fn(|word| z[first + word].0[lane])
    })
}

/// Hashes messages of up to three blocks, sixteen at a time, until so many compressions are done: digests are those of
/// another implementation, and every constraint holds.
fn is_sha256(compressions: usize) {
    const WORDS: usize = Sha256Compression::WORDS;
    let (isa, program) = (Isa::current(), Sha256Compression::program());
    let (first, constants) = Sha256Compression::CONSTANTS;
    let (mut random, mut done, mut group) = (Random::from_seed(5), 0, 0_usize);
    let mut circuit = Blocks::new(WORDS);
    while done < compressions {
        // The last block has nine bytes that are not the message's.
        let blocks = 1 + group % 3;
        let least = if blocks == 1 { 0 } else { 64 * blocks - 72 };
        let messages = messages(&mut random, least, 64 * blocks - 9);
        let padded = messages.each_ref().map(|message| {
            let mut padded = message.clone();
            padded.push(0x80);
            padded.resize(64 * blocks - 8, 0);
            padded.extend((8 * message.len() as u64).to_be_bytes());
            padded
        });
        let mut h = [START; LANES];
        for block in 0..blocks {
            for (lane, (h, padded)) in h.iter().zip(&padded).enumerate() {
                let bytes = padded[64 * block..][..64].as_chunks().0;
                let words = h.iter().copied().chain(bytes.iter().map(|bytes| u32::from_be_bytes(*bytes)));
                circuit.words[0].iter_mut().zip(words).for_each(|(to, word)| to.0[lane] = word);
            }
            for (to, constant) in circuit.words[0][first..].iter_mut().zip(constants) {
                *to = Lanes([*constant; LANES]);
            }
            circuit.compress(isa, &program);
            h = states_after(&circuit, 24);
            done += LANES;
        }
        for (lane, (h, message)) in h.iter().zip(&messages).enumerate() {
            let digest = h.map(u32::to_be_bytes);
            assert_eq!(digest.as_flattened(), &Sha256::digest(message)[..], "lane {lane}, group {group}");
        }
        group += 1;
    }
}

#[test]
fn ten_thousand_compressions_are_those_of_sha256() {
    is_sha256(10_000);
}

#[test]
#[ignore = "a million compressions: seconds to a minute"]
fn a_million_compressions_are_those_of_sha256() {
    is_sha256(1_000_000);
}

/// Hashes messages of up to three blocks, sixteen at a time, until so many compressions are done: digests are those of
/// another implementation, and every constraint holds.
fn is_blake2s(compressions: usize) {
    const WORDS: usize = Blake2sCompression::WORDS;
    let (isa, program) = (Isa::current(), Blake2sCompression::program());
    let (mut random, mut done, mut group) = (Random::from_seed(4), 0, 0_usize);
    let mut circuit = Blocks::new(WORDS);
    while done < compressions {
        let blocks = 1 + group % 3;
        let least = if blocks == 1 { 0 } else { 64 * blocks - 63 };
        let messages = messages(&mut random, least, 64 * blocks);
        let mut h = [START; LANES];
        h.iter_mut().for_each(|h| h[0] ^= 0x0101_0020);
        for block in 0..blocks {
            for (lane, (h, message)) in h.iter().zip(&messages).enumerate() {
                let end = message.len().min(64 * (block + 1));
                let mut bytes = [0; 64];
                bytes[..end - 64 * block].copy_from_slice(&message[64 * block..end]);
                let mut inputs = [0; 32];
                inputs[..8].copy_from_slice(h);
                inputs[8..16].copy_from_slice(&START);
                inputs[12] ^= u32::try_from(end).expect("short");
                inputs[14] ^= if block + 1 == blocks { u32::MAX } else { 0 };
                for (word, bytes) in inputs[16..].iter_mut().zip(bytes.as_chunks().0) {
                    *word = u32::from_le_bytes(*bytes);
                }
                for (words, word) in circuit.words[0].iter_mut().zip(inputs) {
                    words.0[lane] = word;
                }
            }
            circuit.compress(isa, &program);
            h = states_after(&circuit, 32);
            done += LANES;
        }
        for (lane, (h, message)) in h.iter().zip(&messages).enumerate() {
            let digest = h.map(u32::to_le_bytes);
            assert_eq!(digest.as_flattened(), &Blake2s256::digest(message)[..], "lane {lane}, group {group}");
        }
        group += 1;
    }
}

#[test]
fn ten_thousand_compressions_are_those_of_blake2s() {
    is_blake2s(10_000);
}

#[test]
#[ignore = "a million compressions: seconds to a minute"]
fn a_million_compressions_are_those_of_blake2s() {
    is_blake2s(1_000_000);
}

/// For as many places as there are, on every backend.
#[test]
fn lanes_go_to_their_places() {
    let words: Vec<Lanes> = (0..32)
        .map(|word| Lanes(core::array::from_fn(|lane| 100 * word + u32::try_from(lane).expect("small"))))
        .collect();
    for isa in Backend::ALL.into_iter().filter_map(Isa::of) {
        for count in [1, 3, 4, 7, 8, 9, 15, 16] {
            let mut out = vec![u32::MAX; 70 * count];
            put_lanes(isa, &words, &mut out, 35, 70);
            for (lane, place) in out.chunks(70).enumerate() {
                let of_lane: Vec<u32> = words.iter().map(|words| words.0[lane]).collect();
                assert_eq!(place[35..67], of_lane, "{}", isa.backend().name());
                assert!(place[..35].iter().chain(&place[67..]).all(|word| *word == u32::MAX));
            }
        }
    }
}

/// Of words that are no block at all, too.
fn forms_of_anything<C: Circuit>(plain: &reference::Circuit) {
    let program = C::program();
    let mut random = Random::from_seed(2);
    for _ in 0..3 {
        let z: Vec<u32> = (0..C::WORDS).map(|_| random.u32()).collect();
        let [a, b] = forms(&program, &z);
        let witness = reference::Witness::of(plain, z);
        assert!(a == witness.a && b == witness.b);
    }
}

#[test]
fn forms_are_those_of_the_references() {
    forms_of_anything::<Blake2sCompression>(&reference::Circuit::blake2s());
    forms_of_anything::<Sha256Compression>(&reference::Circuit::sha256());
}

/// Forwards on z, backwards on weights: one bilinear form; and bits as elements are bits.
fn walks_over_elements<C: Circuit>(plain: &reference::Circuit) {
    let program = C::program();
    let mut random = Random::from_seed(3);
    let mut draw = || -> Vec<Gf128> {
        let mut element = || Gf128(u128::from(random.u64()) << 64 | u128::from(random.u64()));
        (0..32 * C::WORDS).map(|_| element()).collect()
    };
    let (of_a, of_b, z) = (draw(), draw(), draw());
    let isa = Isa::current();
    let [a, b] = rows(&program, &z);
    let forwards = Gf128::inner(isa, &of_a, &a) + Gf128::inner(isa, &of_b, &b);
    assert_eq!(forwards, Gf128::inner(isa, &columns(&program, &of_a, &of_b), &z));

    let words: Vec<u32> = (0..C::WORDS).map(|_| random.u32()).collect();
    let bits = |words: &[u32]| -> Vec<Gf128> {
        words.iter().flat_map(|word| (0..32).map(move |i| Gf128(u128::from(word >> i & 1)))).collect()
    };
    let witness = reference::Witness::of(plain, words.clone());
    let [a, b] = rows(&program, &bits(&words));
    assert!(a == bits(&witness.a) && b == bits(&witness.b));
}

#[test]
fn walks_of_both_circuits() {
    walks_over_elements::<Blake2sCompression>(&reference::Circuit::blake2s());
    walks_over_elements::<Sha256Compression>(&reference::Circuit::sha256());
}
