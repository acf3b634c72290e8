//! The programs are BLAKE2s and SHA-256, and the walks of either are one matrix.

use phalanx_reference::aggregate::compressions::{Function, constants};
use phalanx_reference::aggregate::{Circuit, Op, Witness, compress};
use phalanx_reference::xmss_blake2s::blake2s;
use sha2::{Digest, Sha256};

/// Of the listing of SHA-256 (docs/aggregate.md, section 8).
const DIGEST_OF_SHA256: &str = "02306300f707a23483b754a42f4a4a71dcdf44007f1f3d6c638621b34a27a53a";

/// Numbers that look random: splitmix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[test]
fn listing_and_digest() {
    let circuit = Circuit::blake2s();
    assert_eq!(circuit.listing().len(), 6998);
    let wanted = "7597bfa7381a6de9466ea14c0271c72bafa9328d0f18f8396c2df8ae3a0cd159";
    assert_eq!(hex::encode(circuit.digest()), wanted);
    let count = |of: fn(&Op) -> bool| circuit.program.iter().filter(|op| of(op)).count();
    assert_eq!(count(|op| matches!(op, Op::Input(_))), 32);
    assert_eq!(count(|op| matches!(op, Op::Xor(..))), 336);
    assert_eq!(count(|op| matches!(op, Op::Rotr(..))), 320);
    assert_eq!(count(|op| matches!(op, Op::Add2(..))), 160);
    assert_eq!(count(|op| matches!(op, Op::Add3(..))), 160);
    assert_eq!(count(|op| matches!(op, Op::Output(..))), 8);
}

/// Counted by hand from FIPS 180-4: a word of the schedule has two small sigmas and two additions, a round two large ones,
/// Ch, Maj and four additions, and eight additions end a block.
#[test]
fn listing_of_sha256() {
    let circuit = Circuit::sha256();
    let count = |of: fn(&Op) -> bool| circuit.program.iter().filter(|op| of(op)).count();
    assert_eq!(count(|op| matches!(op, Op::Input(_))), 8 + 16 + 64);
    assert_eq!(count(|op| matches!(op, Op::Xor(..))), 48 * 4 + 64 * (4 + 2 + 3));
    assert_eq!(count(|op| matches!(op, Op::Rotr(..))), 48 * 4 + 64 * 6);
    assert_eq!(count(|op| matches!(op, Op::Shr(..))), 48 * 2);
    assert_eq!(count(|op| matches!(op, Op::Add2(..))), 48 + 64 + 8);
    assert_eq!(count(|op| matches!(op, Op::Add3(..))), 48 + 64 * 3);
    assert_eq!(count(|op| matches!(op, Op::And2(..))), 64 * 2);
    assert_eq!(count(|op| matches!(op, Op::Output(..))), 8);
    assert_eq!(circuit.program.len(), 2024);
    assert_eq!(hex::encode(circuit.digest()), DIGEST_OF_SHA256);
}

/// The least that is used, and that each of these has one row.
#[test]
fn every_position_in_use_has_one_row() {
    for (circuit, used) in [(Circuit::blake2s(), 16_000), (Circuit::sha256(), 25_528)] {
        let mut seen = vec![0; circuit.positions()];
        circuit.rows(|position, forms| {
            seen[position] += u32::from(forms.is_some());
            0_u64
        });
        assert!(seen[..used].iter().all(|&count| count == 1));
        assert!(seen[used..].iter().all(|&count| count == 0));
    }
}

/// Hashes `message` block by block through the circuit.
fn hashed(circuit: &Circuit, message: &[u8]) -> [u8; 32] {
    const IV: [u32; 8] = [
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    let mut h = IV;
    h[0] ^= 0x0101_0020;
    let blocks = message.len().div_ceil(64).max(1);
    for number in 0..blocks {
        let end = message.len().min(64 * (number + 1));
        let mut block = [0; 64];
        block[..end - 64 * number].copy_from_slice(&message[64 * number..end]);
        let mut inputs = [0; 32];
        inputs[..8].copy_from_slice(&h);
        inputs[8..16].copy_from_slice(&IV);
        inputs[12] ^= u32::try_from(end).expect("short");
        inputs[14] ^= if number + 1 == blocks { u32::MAX } else { 0 };
        for (word, bytes) in inputs[16..].iter_mut().zip(block.chunks(4)) {
            *word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        }
        let words = compress(circuit, &inputs);
        assert_eq!(words[..32], inputs);
        assert!(words[500..].iter().all(|&word| word == 0));
        every_constraint_holds(circuit, &words);
        h.copy_from_slice(&words[32..40]);
    }
    h.map(u32::to_le_bytes).as_flattened().try_into().expect("32 bytes")
}

#[test]
fn the_circuit_is_blake2s() {
    let (circuit, mut state) = (Circuit::blake2s(), 1);
    for len in (0..70).chain([127, 128, 129, 640, 704]) {
        let message: Vec<u8> = (0..len).map(|_| random(&mut state).to_le_bytes()[0]).collect();
        assert_eq!(hashed(&circuit, &message), blake2s(&[], &message), "{len} bytes");
        assert_eq!(hashed(&circuit, &vec![0xff; len]), blake2s(&[], &vec![0xff; len]), "{len} bytes of ones");
    }
}

fn every_constraint_holds(circuit: &Circuit, words: &[u32]) {
    let witness = Witness::of(circuit, words.to_vec());
    let products = witness.a.iter().zip(&witness.b).map(|(a, b)| a & b);
    assert!(products.eq(words.iter().copied()), "every constraint holds");
}

/// SHA-256 of `message`, padded as FIPS 180-4 says in section 5.1.1, by the circuit.
fn sha256(function: &Function, message: &[u8]) -> [u8; 32] {
    let mut h: [u32; 8] = [
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize((message.len() + 9).next_multiple_of(64) - 8, 0);
    padded.extend((8 * message.len() as u64).to_be_bytes());
    for block in padded.chunks(64) {
        let block = block.chunks(4).map(|bytes| u32::from_be_bytes(bytes.try_into().expect("four bytes")));
        let given: Vec<u32> = h.into_iter().chain(block).collect();
        let inputs = function.inputs(&given);
        let words = compress(&function.circuit, &inputs);
        assert!(words[..24] == given && words[32..96] == constants());
        every_constraint_holds(&function.circuit, &words);
        h.copy_from_slice(&words[24..32]);
    }
    h.map(u32::to_be_bytes).as_flattened().try_into().expect("32 bytes")
}

#[test]
fn the_other_circuit_is_sha256() {
    let (function, mut state) = (Function::sha256(), 4);
    assert_eq!(constants()[..2], [0x428a_2f98, 0x7137_4491], "FIPS 180-4, section 4.2.2");
    for len in (0..70).chain([119, 120, 127, 128, 129, 640]) {
        let message: Vec<u8> = (0..len).map(|_| random(&mut state).to_le_bytes()[0]).collect();
        for message in [message, vec![0xff; len], vec![0; len]] {
            assert_eq!(sha256(&function, &message)[..], Sha256::digest(&message)[..], "{len} bytes");
        }
    }
}

/// Of the positions behind the inputs.
#[test]
fn a_flipped_bit_breaks_a_constraint() {
    let mut state = 2;
    for (circuit, first) in [(Circuit::blake2s(), 1024), (Circuit::sha256(), 3072)] {
        let inputs: Vec<u32> = (0..4 * circuit.io_slots)
            .map(|_| u32::try_from(random(&mut state) >> 32).expect("32 bits"))
            .collect();
        let words = compress(&circuit, &inputs);
        for position in (first..circuit.positions()).step_by(97) {
            let mut words = words.clone();
            words[position / 32] ^= 1 << (position % 32);
            let witness = Witness::of(&circuit, words.clone());
            assert!((0..words.len()).any(|i| witness.a[i] & witness.b[i] != words[i]), "{position}");
        }
    }
}

/// `<rows, A z> + <rows', B z> = <columns, z>` for any weights and any `z`.
#[test]
fn walks_are_transposes() {
    let mut state = 3;
    for circuit in [Circuit::blake2s(), Circuit::sha256()] {
        let mut draw = || -> Vec<u64> { (0..circuit.positions()).map(|_| random(&mut state)).collect() };
        let (a0, b0, z) = (draw(), draw(), draw());
        // Sixty-four inner products over GF(2) at a time, one for each bit of the weights.
        for bit in [0, 17, 63] {
            let z: Vec<bool> = z.iter().map(|word| word >> bit & 1 == 1).collect();
            let only = |word: u64, bit: bool| if bit { word } else { 0 };
            let mut of_rows = 0;
            circuit.rows(|position, forms| {
                if let Some((a, b)) = forms {
                    of_rows ^= only(a0[position], a) ^ only(b0[position], b);
                }
                z[position]
            });
            let columns = circuit.columns(&a0, &b0);
            let of_columns = columns.iter().zip(&z).fold(0, |sum, (&word, &bit)| sum ^ only(word, bit));
            assert_eq!(of_rows, of_columns);
        }
    }
}
