//! A signature in each lane.

use crate::curve::lanes::{PointLanes, Scratch, decode_x2, double_base_mul, order_2, small_order};
use crate::fields::p25519::MAX_LANES;
use crate::fields::scalar25519::Scalar;
use crate::hashed::{HashedSignature, Outcome};
use crate::profile::{Profile, Rule};
use phalanx_core::InvalidSignature;

/// Groups of as many as there are lanes; a short last group is filled up.
pub(super) fn verify<L: PointLanes>(
    l: L,
    profile: Profile,
    hashed: &[HashedSignature],
    results: &mut [Outcome],
) {
    let mut scratch = Scratch::new();
    for (hashed, results) in hashed.chunks(L::COUNT).zip(results.chunks_mut(L::COUNT)) {
        let valid = Group::new(hashed).verify(l, &mut scratch, &profile.rule());
        for (lane, result) in results.iter_mut().enumerate() {
            *result = if valid >> lane & 1 == 1 { Ok(()) } else { Err(InvalidSignature) };
        }
    }
}

/// A signature for each lane.
struct Group {
    parsed: u8,
    a: [[u8; 32]; MAX_LANES],
    r: [[u8; 32]; MAX_LANES],
    s: [Scalar; MAX_LANES],
    k: [Scalar; MAX_LANES],
}

impl Group {
    fn new(hashed: &[HashedSignature]) -> Self {
        let none = HashedSignature::NONE;
        let mut group = Self {
            parsed: 0,
            a: [none.a; MAX_LANES],
            r: [none.r; MAX_LANES],
            s: [none.s; MAX_LANES],
            k: [none.k; MAX_LANES],
        };
        for (lane, hashed) in hashed.iter().enumerate() {
            group.parsed |= u8::from(hashed.parsed) << lane;
            (group.a[lane], group.r[lane]) = (hashed.a, hashed.r);
            (group.s[lane], group.k[lane]) = (hashed.s, hashed.k);
        }
        group
    }

    /// The valid lanes.
    fn verify<L: PointLanes>(&self, l: L, scratch: &mut Scratch<L>, rule: &Rule) -> u8 {
        let [a, r] = decode_x2(l, [&self.a, &self.r], [true, false]);
        let q = double_base_mul(l, scratch, &self.s, &a.point, &self.k);
        let mut valid = self.parsed & a.valid & r.valid;
        let refused_unless = |needed: bool, mask: u8| if needed { mask } else { !0 };
        valid &= refused_unless(rule.a_canonical_y, a.y_is_canonical);
        valid &= refused_unless(rule.a_canonical_sign, a.sign_is_canonical);
        valid &= refused_unless(rule.refuses_weak_a, !small_order(&self.a));
        if rule.decodes_r {
            valid &= refused_unless(rule.r_canonical_y, r.y_is_canonical);
            valid &= refused_unless(rule.r_canonical_sign, r.sign_is_canonical);
            if rule.refuses_order_2 {
                valid &= !order_2(&self.r) & !q.has_order_2(l);
            }
            valid & q.equals_times_8(l, &r.point)
        } else {
            // Q encodes to the bytes exactly if they decode to Q and are the canonical encoding.
            valid &= r.y_is_canonical & r.sign_is_canonical;
            valid &= refused_unless(rule.refuses_weak_r, !small_order(&self.r));
            valid & q.equals(l, &r.point)
        }
    }
}
