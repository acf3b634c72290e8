//! The signatures of the specification's section 10: every digest, both files.

use phalanx_reference::aggregate::{
    Circuit, Error, Group, Statement, Suite, Witness, aggregate, outer, rules, verify, witness,
};
use phalanx_reference::ligerito::{Large, U192};
use phalanx_reference::xmss_blake2s::{Profile, SecretKey, Signature, blake2s, sign};
use std::path::PathBuf;

const CONTEXT: &[u8] = b"context";
/// 00 01 .. 1f, where no root is needed.
const ROOT: [u8; 32] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
    29, 30, 31,
];

fn file(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors/aggregate").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn digest(bytes: &[u8]) -> String {
    hex::encode(blake2s(&[], bytes))
}

/// A key with one active epoch, and its signature.
fn signed(seed: &[u8; 32], epoch: u32, message: &[u8; 32]) -> ([u8; 32], Signature) {
    let key = SecretKey::new(Profile::B, seed, epoch, epoch).expect("one epoch");
    let (signature, _) = sign(&key, epoch, message).expect("its epoch");
    (key.public_key().to_bytes().try_into().expect("32 bytes"), signature)
}

fn one() -> (Statement, Vec<Signature>) {
    let (message, epoch) = (std::array::from_fn(|i| 100 + u8::try_from(i).expect("small")), 0x89ab_cdef);
    let (key, signature) = signed(&ROOT, epoch, &message);
    assert_eq!(hex::encode(key), "7147cdeb4ed807874389d6a62e19eb19c487ed3aef7201c095bf4c74aad6b6e3");
    assert_eq!(hex::encode(signature.randomness), "c75712bb2f35cd80b6ce20c07c3d7c8bee0e65f60f661ed3");
    let wanted = "5bd73585eeebf274319843692519def3fc4a9f98860d7845a64b7f5390ee3045";
    assert_eq!(digest(&signature.to_bytes()), wanted);
    let statement = file("statement1.bin");
    assert_eq!(digest(&statement), "9a91f8879d8fb960b561556503641fa9b3089ebbc91ed680d702a8ec594dc841");
    let statement = Statement::from_bytes(&statement).expect("valid");
    let groups: Vec<_> = statement.each().collect();
    assert_eq!(groups, [(epoch, &message, &key)]);
    (statement, vec![signature])
}

fn three() -> (Statement, Vec<Signature>) {
    let mut first = [1, 2].map(|seed| signed(&[seed; 32], 6, &[b'a'; 32]));
    first.sort_by_key(|(key, _)| *key);
    let last = signed(&[3; 32], 7, &[b'b'; 32]);
    let group = |epoch: u32, message: u8, keys: &[[u8; 32]]| Group {
        epoch,
        message: [message; 32],
        keys: keys.to_vec(),
    };
    let groups = [group(6, b'a', &[first[0].0, first[1].0]), group(7, b'b', &[last.0])];
    let statement = Statement::new(groups.to_vec()).expect("in order");
    let [a, b] = first.map(|(_, signature)| signature);
    (statement, vec![a, b, last.1])
}

/// Digests of the outer proof, the opening's context and the first challenge, for the root 00 01 .. 1f.
fn outer_is<N: Suite>((statement, signatures): (Statement, Vec<Signature>), f: &str, wanted: [&str; 2]) -> N {
    let rhos: Vec<u8> = signatures.iter().flat_map(|signature| signature.randomness).collect();
    let rules = rules(&statement, &rhos).expect("signatures have encodings");
    let witness = Witness::of(&Circuit::blake2s(), witness(&statement, &rules, &signatures));
    let words: Vec<u8> = witness.z.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(digest(&words), f);
    let outer = outer::<N>(&statement, &rhos, &witness, CONTEXT, &ROOT).expect("signatures have encodings");
    assert_eq!(outer.points.len(), 96);
    let context = outer.context.strip_prefix(b"phalanx-aggregate-v1").expect("the prefix");
    assert_eq!([digest(&outer.bytes), hex::encode(context)], wanted.map(String::from));
    outer.first_challenge
}

const F_OF_ONE: &str = "100257012d7f749f26fe33b6e5295b3b0698fb778ac2ed75bdd80d8fa9f20e47";

#[test]
fn one_signature_over_gf128() {
    let wanted = [
        "81d302289b9e7d44e517b3cc94d93c3a71b39b04959fc71b2a6ec9fe41e9cd27",
        "2a8d2e9c4115f4a5a9ce9fe404d5437e37fd0431ea660836a2aa4a9274880140",
    ];
    assert_eq!(outer_is::<u128>(one(), F_OF_ONE, wanted), 0x3f88_3acc_dda6_9885_9c9e_bb00_5da9_3175);
}

#[test]
fn one_signature_over_gf192() {
    let wanted = [
        "c57b558e6637f098c300799a3d5c1880e5dcd9fb92c1af3c329a417d13b2a4e7",
        "c6b22fc49542d69e4231094d81e2489d0cb8c46cf2542966d464ce72c0885828",
    ];
    let zeta = outer_is::<U192>(one(), F_OF_ONE, wanted);
    let big_endian: Vec<u8> = zeta.to_le().into_iter().rev().collect();
    assert_eq!(hex::encode(big_endian), "cf7279a18c62a1b0d8d4302e99eb7173683e75e5de47303e");
}

#[test]
fn three_signatures_in_two_groups() {
    let case = three();
    let statement = "32cc92eef7f54901b393d2a46b7d17a308b829a2fa89d7853e28eb44047f7d05";
    assert_eq!(digest(&case.0.to_bytes()), statement);
    let f = "d5732b8c95651334e3f68bb279b120e3769c1771b700bc849ee92ede83fec700";
    let wanted = [
        "57e09ba4b8a20b43e7decc331bc0c0cc03351606f4edd0adf2ce53973aaa8b33",
        "240aeb2720a30e6ac3c82335130850b53d635a37b2738bfb8ed7e3155d9eaa0a",
    ];
    outer_is::<u128>(case, f, wanted);
}

/// The file, byte by byte, and that it verifies, with the reference's own commitment and opening.
#[test]
#[ignore = "a minute: whole tables for each of 96 points"]
fn the_published_aggregate_of_100_bits() {
    let (statement, signatures) = one();
    let published = file("aggregate1.bin");
    let made = aggregate::<u128>(&statement, &signatures, CONTEXT).expect("signatures have encodings");
    assert!(made == published, "the aggregate is the published one");
    assert_eq!(verify::<u128>(1, &statement, CONTEXT, &published), Ok(()));
}

#[test]
#[ignore = "two minutes: whole tables for each of 96 points"]
fn the_published_aggregate_of_128_bits() {
    let (statement, signatures) = one();
    let published = file("aggregate3.bin");
    let made = aggregate::<U192>(&statement, &signatures, CONTEXT).expect("signatures have encodings");
    assert!(made == published, "the aggregate is the published one");
}

/// Each check that stands before the opening refuses what it is there for.
#[test]
fn what_is_refused_before_the_opening() {
    let (statement, _) = one();
    let aggregate = file("aggregate1.bin");
    let verdict = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut changed = aggregate.clone();
        change(&mut changed);
        verify::<u128>(1, &statement, CONTEXT, &changed)
    };
    assert_eq!(verify::<u128>(0, &statement, CONTEXT, &aggregate), Err(Error::TooManySignatures));
    assert_eq!(verdict(&|x| x.truncate(4)), Err(Error::Length));
    assert_eq!(verdict(&|x| x[3] ^= 1), Err(Error::UnacceptedProfile));
    assert_eq!(verdict(&|x| x[4] = 3), Err(Error::UnacceptedProfile));
    assert_eq!(verdict(&|x| x.truncate(37 + 24 + 194 * 16)), Err(Error::Length));
    assert_eq!(verdict(&|x| x.resize(200_000, 0)), Err(Error::Length));
    assert_eq!(verdict(&|x| x[37] ^= 1), Err(Error::NoEncoding { index: 0 }));
    // The root, a slice, a round, the products.
    for at in [5, 61, 61 + 512, 61 + 512 + 22 * 32] {
        assert_eq!(verdict(&|x| x[at] ^= 1), Err(Error::Zerocheck), "byte {at}");
    }
    let lincheck = 61 + 512 + 22 * 32 + 32;
    for at in [lincheck, lincheck + 14 * 32] {
        assert_eq!(verdict(&|x| x[at] ^= 1), Err(Error::Lincheck), "byte {at}");
    }
    let wiring = lincheck + 14 * 32 + 512;
    for at in [wiring, wiring + 12 * 32] {
        assert_eq!(verdict(&|x| x[at] ^= 1), Err(Error::Wiring), "byte {at}");
    }
    assert_eq!(verify::<u128>(1, &statement, b"other", &aggregate), Err(Error::Zerocheck));
}

#[test]
fn statements_that_are_none() {
    let bytes = three().0.to_bytes();
    let read = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut changed = bytes.clone();
        change(&mut changed);
        Statement::from_bytes(&changed).map(|_| ())
    };
    assert_eq!(read(&|_| ()), Ok(()));
    assert_eq!(read(&|x| x.truncate(3)), Err(Error::StatementLength));
    assert_eq!(read(&|x| x[0] = 0), Err(Error::NoGroups));
    assert_eq!(read(&|x| x[3] = 1), Err(Error::StatementLength));
    assert_eq!(read(&|x| x[40] = 0), Err(Error::EmptyGroup));
    assert_eq!(read(&|x| x[43] = 1), Err(Error::StatementLength));
    assert_eq!(read(&|x| x.copy_within(44..76, 76)), Err(Error::KeyOrder));
    assert_eq!(read(&|x| x[4] = 8), Err(Error::GroupOrder));
    assert_eq!(read(&|x| x.push(0)), Err(Error::StatementLength));
}
