//! The program is BLAKE2s, and its walks are one matrix.

use phalanx_reference::aggregate::{
    Op, POSITIONS, Witness, columns, compress, digest, listing, program, rows,
};
use phalanx_reference::xmss_blake2s::blake2s;

/// Numbers that look random: splitmix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[test]
fn listing_and_digest() {
    assert_eq!(listing().len(), 6998);
    assert_eq!(hex::encode(digest()), "7597bfa7381a6de9466ea14c0271c72bafa9328d0f18f8396c2df8ae3a0cd159");
    let count = |of: fn(&Op) -> bool| program().iter().filter(|op| of(op)).count();
    assert_eq!(count(|op| matches!(op, Op::Input(_))), 32);
    assert_eq!(count(|op| matches!(op, Op::Xor(..))), 336);
    assert_eq!(count(|op| matches!(op, Op::Rotr(..))), 320);
    assert_eq!(count(|op| matches!(op, Op::Add2(..))), 160);
    assert_eq!(count(|op| matches!(op, Op::Add3(..))), 160);
    assert_eq!(count(|op| matches!(op, Op::Output(..))), 8);
}

#[test]
fn every_position_below_16000_has_one_row() {
    let mut seen = vec![0; POSITIONS];
    rows(|position, forms| {
        seen[position] += u32::from(forms.is_some());
        0_u64
    });
    assert!(seen[..16000].iter().all(|&count| count == 1));
    assert!(seen[16000..].iter().all(|&count| count == 0));
}

/// Hashes `message` block by block through the circuit.
fn hashed(message: &[u8]) -> [u8; 32] {
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
        let words = compress(&inputs);
        assert_eq!(words[..32], inputs);
        assert!(words[500..].iter().all(|&word| word == 0));
        let witness = Witness::of(words.clone());
        let products = witness.a.iter().zip(&witness.b).map(|(a, b)| a & b);
        assert!(products.eq(words.iter().copied()), "every constraint holds");
        h.copy_from_slice(&words[32..40]);
    }
    h.map(u32::to_le_bytes).as_flattened().try_into().expect("32 bytes")
}

#[test]
fn the_circuit_is_blake2s() {
    let mut state = 1;
    for len in (0..70).chain([127, 128, 129, 640, 704]) {
        let message: Vec<u8> = (0..len).map(|_| random(&mut state).to_le_bytes()[0]).collect();
        assert_eq!(hashed(&message), blake2s(&[], &message), "{len} bytes");
        assert_eq!(hashed(&vec![0xff; len]), blake2s(&[], &vec![0xff; len]), "{len} bytes of ones");
    }
}

#[test]
fn a_flipped_bit_breaks_a_constraint() {
    let mut state = 2;
    let inputs = std::array::from_fn(|_| u32::try_from(random(&mut state) >> 32).expect("32 bits"));
    let words = compress(&inputs);
    for position in (1024..POSITIONS).step_by(97) {
        let mut words = words.clone();
        words[position / 32] ^= 1 << (position % 32);
        let witness = Witness::of(words.clone());
        assert!((0..words.len()).any(|i| witness.a[i] & witness.b[i] != words[i]), "{position}");
    }
}

/// `<rows, A z> + <rows', B z> = <columns, z>` for any weights and any `z`.
#[test]
fn walks_are_transposes() {
    let mut state = 3;
    let mut draw = || -> Vec<u64> { (0..POSITIONS).map(|_| random(&mut state)).collect() };
    let (a0, b0, z) = (draw(), draw(), draw());
    // Sixty-four inner products over GF(2) at a time, one for each bit of the weights.
    for bit in [0, 17, 63] {
        let z: Vec<bool> = z.iter().map(|word| word >> bit & 1 == 1).collect();
        let only = |word: u64, bit: bool| if bit { word } else { 0 };
        let mut of_rows = 0;
        rows(|position, forms| {
            if let Some((a, b)) = forms {
                of_rows ^= only(a0[position], a) ^ only(b0[position], b);
            }
            z[position]
        });
        let columns = columns(&a0, &b0);
        let of_columns = columns.iter().zip(&z).fold(0, |sum, (&word, &bit)| sum ^ only(word, bit));
        assert_eq!(of_rows, of_columns);
    }
}
