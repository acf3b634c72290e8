//! Decoding many points.

#[cfg(target_arch = "x86_64")]
use crate::curve::BASE_POINT;
#[cfg(target_arch = "x86_64")]
use crate::curve::lanes::{PointLanes, decode_x2};
#[cfg(target_arch = "x86_64")]
use crate::curve::msm::to_rows;
use crate::curve::{NielsRow, decode};
#[cfg(target_arch = "x86_64")]
use crate::fields::p25519::{Doubles, MAX_LANES, X8};
use alloc::vec::Vec;
use phalanx_core::first_of;
use phalanx_core::simd::Isa;

/// What was found about each encoding.
pub(super) struct Found(Vec<u8>);

const VALID: u8 = 1;
const CANONICAL_Y: u8 = 2;
const CANONICAL_SIGN: u8 = 4;

impl Found {
    /// Whether encoding `i` is that of a point, with y below p and no sign on x = 0 if they must be so.
    pub(super) fn accepts(&self, i: usize, canonical_y: bool, canonical_sign: bool) -> bool {
        let wanted = VALID
            | if canonical_y { CANONICAL_Y } else { 0 }
            | if canonical_sign { CANONICAL_SIGN } else { 0 };
        self.0[i] & wanted == wanted
    }
}

/// Appends one point for each encoding: O where there is none.
pub(super) fn decode_all(isa: Isa, encodings: &[[u8; 32]], points: &mut Vec<NielsRow>) -> Found {
    let mut found = Found(Vec::with_capacity(encodings.len()));
    first_of!(isa;
        ifma(witness) => in_lanes(X8(witness), encodings, points, &mut found),
        avx512(witness) => in_lanes(Doubles(witness), encodings, points, &mut found),
        avx2(witness) => in_lanes(Doubles(witness), encodings, points, &mut found),
        else => singly(encodings, points, &mut found),
    );
    found
}

fn singly(encodings: &[[u8; 32]], points: &mut Vec<NielsRow>, found: &mut Found) {
    for bytes in encodings {
        let decoded = decode(bytes);
        points
            .push(decoded.map_or_else(NielsRow::identity, |d| NielsRow::from_affine(&d.point.x, &d.point.y)));
        found.0.push(decoded.map_or(0, |decoded| {
            VALID
                | if decoded.y_is_canonical { CANONICAL_Y } else { 0 }
                | if decoded.sign_is_canonical { CANONICAL_SIGN } else { 0 }
        }));
    }
}

#[cfg(target_arch = "x86_64")]
fn in_lanes<L: PointLanes>(l: L, encodings: &[[u8; 32]], points: &mut Vec<NielsRow>, found: &mut Found) {
    let mut rows = [NielsRow::identity(); MAX_LANES];
    for encodings in encodings.chunks(2 * L::COUNT) {
        let mut pair = [[BASE_POINT; MAX_LANES]; 2];
        for (i, bytes) in encodings.iter().enumerate() {
            pair[i / L::COUNT][i % L::COUNT] = *bytes;
        }
        let decoded = decode_x2(l, [&pair[0], &pair[1]], [false, false]);
        for (half, encodings) in encodings.chunks(L::COUNT).enumerate() {
            let decoded = &decoded[half];
            to_rows(l, &decoded.point, &mut rows);
            for (lane, row) in rows[..encodings.len()].iter().enumerate() {
                let bit = |mask: u8, flag: u8| if mask >> lane & 1 == 1 { flag } else { 0 };
                let valid = bit(decoded.valid, VALID);
                points.push(if valid == 0 { NielsRow::identity() } else { *row });
                found.0.push(
                    valid
                        | bit(decoded.y_is_canonical, CANONICAL_Y)
                        | bit(decoded.sign_is_canonical, CANONICAL_SIGN),
                );
            }
        }
    }
}
