//! SHA-256 (FIPS 180-4) of public messages, one at a time.

use crate::sha512::Buffer;

/// The initial state (FIPS 180-4, section 5.3.3).
const INITIAL: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The constants K (FIPS 180-4, section 4.2.2).
#[rustfmt::skip]
const ROUND_CONSTANTS: [u32; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];

/// The hash of a message that comes in parts.
#[derive(Clone)]
pub(super) struct Sha256 {
    state: [u32; 8],
    buffer: Buffer<64>,
}

impl Sha256 {
    /// Of no bytes so far.
    pub(super) const fn new() -> Self {
        Self { state: INITIAL, buffer: Buffer::new() }
    }

    /// The next part.
    pub(super) fn update(&mut self, part: &[u8]) {
        self.buffer.take(part, |blocks| compress(&mut self.state, blocks));
    }

    /// The digest of all parts.
    pub(super) fn finalize(mut self) -> [u8; 32] {
        self.buffer.finish(|blocks| compress(&mut self.state, blocks));
        let mut digest = [0; 32];
        for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(self.state) {
            *bytes = word.to_be_bytes();
        }
        digest
    }
}

/// Takes `blocks` into `state` (FIPS 180-4, section 6.2.2).
fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    for block in blocks {
        let mut w = [0; 64];
        for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for t in 16..64 {
            let (early, late) = (w[t - 15], w[t - 2]);
            let early = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
            let late = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
            w[t] = late.wrapping_add(w[t - 7]).wrapping_add(early).wrapping_add(w[t - 16]);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
        for (word, constant) in w.iter().zip(&ROUND_CONSTANTS) {
            let sum1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = g ^ (e & (f ^ g));
            let t1 = h.wrapping_add(sum1).wrapping_add(choice).wrapping_add(*constant).wrapping_add(*word);
            let sum0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let majority = (a & b) | (c & (a | b));
            (h, g, f, e) = (g, f, e, d.wrapping_add(t1));
            (d, c, b, a) = (c, b, a, t1.wrapping_add(sum0).wrapping_add(majority));
        }
        for (state, word) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *state = state.wrapping_add(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use sha2::Digest;

    #[test]
    fn every_length_and_cut_agrees_with_the_crate() {
        let bytes: Vec<u8> = (0..300_usize).map(|i| (i * 167 + (i >> 8) * 59 + 7).to_le_bytes()[0]).collect();
        for len in 0..=bytes.len() {
            let wanted: [u8; 32] = sha2::Sha256::digest(&bytes[..len]).into();
            for cut in [0, len / 3, len / 2, len.saturating_sub(1)] {
                let mut hasher = Sha256::new();
                hasher.update(&bytes[..cut]);
                hasher.update(&bytes[cut..len]);
                assert_eq!(hasher.finalize(), wanted, "{len} bytes cut at {cut}");
            }
        }
    }
}
