//! BLAKE2s with a digest of 32 bytes (RFC 7693), and the tweaked hash made of it.

use super::profile::Profile;

/// The initial values: those of SHA-256 (RFC 7693, section 2.6).
pub(crate) const IV: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// Which word of the message is added where, round by round (RFC 7693, section 2.7).
pub(crate) const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// The mixing function G (RFC 7693, section 3.1).
fn mix(v: &mut [u32; 16], [a, b, c, d]: [usize; 4], x: u32, y: u32) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(12);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(8);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(7);
}

/// The compression function F (RFC 7693, section 3.2): `count` is the number of bytes up to the end of the block.
fn compress(h: &mut [u32; 8], block: &[u8; 64], count: u64, last: bool) {
    let mut m = [0; 16];
    for (word, bytes) in m.iter_mut().zip(block.chunks(4)) {
        *word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    }
    let mut v = [0; 16];
    v[..8].copy_from_slice(h);
    v[8..].copy_from_slice(&IV);
    v[12] ^= u32::try_from(count & 0xffff_ffff).expect("masked");
    v[13] ^= u32::try_from(count >> 32).expect("the upper half");
    if last {
        v[14] = !v[14];
    }
    for s in SIGMA {
        mix(&mut v, [0, 4, 8, 12], m[s[0]], m[s[1]]);
        mix(&mut v, [1, 5, 9, 13], m[s[2]], m[s[3]]);
        mix(&mut v, [2, 6, 10, 14], m[s[4]], m[s[5]]);
        mix(&mut v, [3, 7, 11, 15], m[s[6]], m[s[7]]);
        mix(&mut v, [0, 5, 10, 15], m[s[8]], m[s[9]]);
        mix(&mut v, [1, 6, 11, 12], m[s[10]], m[s[11]]);
        mix(&mut v, [2, 7, 8, 13], m[s[12]], m[s[13]]);
        mix(&mut v, [3, 4, 9, 14], m[s[14]], m[s[15]]);
    }
    for i in 0..8 {
        h[i] ^= v[i] ^ v[i + 8];
    }
}

/// BLAKE2s of `message` under `key`, which may be empty; 32 bytes (RFC 7693, section 3.3).
#[must_use]
pub fn blake2s(key: &[u8], message: &[u8]) -> [u8; 32] {
    assert!(key.len() <= 32, "a key of BLAKE2s has at most 32 bytes");
    let mut input = key.to_vec();
    if !key.is_empty() {
        input.resize(64, 0);
    }
    input.extend(message);
    let mut h = IV;
    h[0] ^= 0x0101_0020 ^ (u32::try_from(key.len()).expect("short") << 8);
    let blocks = input.len().div_ceil(64).max(1);
    for number in 0..blocks {
        let bytes = &input[64 * number..input.len().min(64 * (number + 1))];
        let mut block = [0; 64];
        block[..bytes.len()].copy_from_slice(bytes);
        let last = number + 1 == blocks;
        compress(&mut h, &block, (64 * number + bytes.len()) as u64, last);
    }
    let mut digest = [0; 32];
    for (bytes, word) in digest.chunks_mut(4).zip(h) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    digest
}

/// The first 16 bytes of a digest.
pub(super) fn half(digest: [u8; 32]) -> [u8; 16] {
    digest[..16].try_into().expect("16 of 32 bytes")
}

/// `Th(P, tweak, payload)` (specification section 2).
#[must_use]
pub fn tweak_hash(parameter: &[u8; 16], tweak: &[u8; 16], payload: &[u8]) -> [u8; 16] {
    half(blake2s(&[], &[&tweak[..], parameter, payload].concat()))
}

/// The 16 bytes of a tweak (specification section 3). `kind` is the number of the type in this profile.
#[must_use]
pub fn tweak(profile: Profile, kind: u8, p: u32, j: u32) -> [u8; 16] {
    let mut bytes = [0; 16];
    let (at_kind, at_p, at_j) = match profile {
        Profile::A => (0, 1, 5),
        Profile::B => (1, 4, 12),
    };
    bytes[at_kind] = kind;
    bytes[at_p..at_p + 4].copy_from_slice(&p.to_le_bytes());
    bytes[at_j..at_j + 4].copy_from_slice(&j.to_le_bytes());
    bytes
}
