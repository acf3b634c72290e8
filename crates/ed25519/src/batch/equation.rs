//! The aggregate equation of the cofactored profiles:
//!
//! \[8\]( \[-(sum of z_i S_i)\]B + sum of \[z_i\]R_i + sum of \[z_i k_i\]A_i ) = O
//!
//! holds for random z_i, up to a chance of 1/(2^128 - 1), only if the equation \[8\](\[S_i\]B - \[k_i\]A_i - R_i) = O
//! of every signature holds. Reducing the scalars modulo L is harmless because of the product by 8.

use super::coefficients::{Salt, Source};
use super::decode::decode_all;
use super::entry::Entry;
use super::keys::Distinct;
use crate::curve::msm::{Sum, point_index};
use crate::curve::{BASE_POINT, NielsRow, decode};
use crate::fields::scalar25519::{Scalar, WeightedSum};
use crate::profile::Profile;
use alloc::vec::Vec;
use core::ops::Range;
use phalanx_core::simd::Isa;

/// Indexes among the points.
const BASE: usize = 1;
const FIRST_KEY: usize = 2;

/// Signatures that can stand in an equation: decoded, hashed, with S below L. Everything here is computed once.
pub(super) struct Equations {
    pub(super) isa: Isa,
    /// Where each signature stands among the entries.
    pub(super) members: Vec<Member>,
    source: Source,
    /// O, B, the distinct keys, the R of the members.
    points: Vec<NielsRow>,
    keys: usize,
}

/// A signature in the equations.
pub(super) struct Member {
    /// Its position among the entries.
    pub(super) entry: usize,
    s: Scalar,
    k: Scalar,
    /// Its A and R among the points.
    key: u32,
    r: u32,
}

impl Equations {
    /// Leaves out what no equation can make valid: wrong lengths, S from L up, points that do not decode.
    pub(super) fn new(isa: Isa, profile: Profile, salt: &Salt, entries: &[Entry]) -> Self {
        let rule = profile.rule();
        let candidates: Vec<(usize, Scalar)> =
            entries.iter().enumerate().filter_map(|(i, entry)| Some((i, entry.scalar()?))).collect();
        let distinct = Distinct::new(candidates.iter().map(|(i, _)| &entries[*i].public_key));
        let keys = distinct.keys.len();
        let mut encodings = distinct.keys;
        encodings.extend(candidates.iter().map(|(i, _)| entries[*i].r));
        let base = decode(&BASE_POINT).expect("B decodes").point;
        let mut points = Vec::with_capacity(FIRST_KEY + encodings.len());
        points.extend([NielsRow::identity(), NielsRow::from_affine(&base.x, &base.y)]);
        let decoded = decode_all(isa, &encodings, &mut points);
        let a_is_good = |i: usize| decoded.accepts(i, rule.a_canonical_y, rule.a_canonical_sign);
        let r_is_good = |i: usize| decoded.accepts(i, rule.r_canonical_y, rule.r_canonical_sign);
        let members: Vec<_> = candidates
            .into_iter()
            .zip(distinct.of)
            .enumerate()
            .filter(|(i, (_, key))| a_is_good(*key as usize) && r_is_good(keys + i))
            .map(|(i, ((entry, s), key))| Member {
                entry,
                s,
                k: entries[entry].k(),
                key,
                r: point_index(FIRST_KEY + keys + i),
            })
            .collect();
        let source = Source::new(profile, salt, members.iter().map(|member: &Member| &entries[member.entry]));
        Self { isa, members, source, points, keys }
    }

    /// Whether the equation of the members in `range` holds, with the coefficients of `node`.
    pub(super) fn holds(&self, range: Range<usize>, node: u64) -> bool {
        let coefficients = self.source.coefficients(self.isa, node, range.len());
        self.holds_with(range, &coefficients)
    }

    pub(super) fn holds_with(&self, range: Range<usize>, coefficients: &[u128]) -> bool {
        /// No term of this sum yet.
        const NONE: u32 = u32::MAX;
        let members = &self.members[range];
        let mut term_of = alloc::vec![NONE; self.keys];
        let mut long: Vec<(u32, Scalar)> = Vec::with_capacity(members.len() + 1);
        let mut short: Vec<(u32, u128)> = Vec::with_capacity(members.len());
        let mut s_sum = WeightedSum::ZERO;
        long.push((point_index(BASE), Scalar::ZERO));
        for (member, &z) in members.iter().zip(coefficients) {
            short.push((member.r, z));
            s_sum.add(z, &member.s);
            let product = Scalar::from_u128(z).mul(&member.k);
            let term = &mut term_of[member.key as usize];
            if *term == NONE {
                *term = point_index(long.len());
                long.push((point_index(FIRST_KEY + member.key as usize), product));
            } else {
                let sum = &mut long[*term as usize].1;
                *sum = sum.add(&product);
            }
        }
        long[0].1 = s_sum.reduce().negate();
        let sum = Sum { points: &self.points, long: &long, short: &short };
        let point = sum.evaluate(self.isa);
        point.double().double().double().is_identity()
    }
}
