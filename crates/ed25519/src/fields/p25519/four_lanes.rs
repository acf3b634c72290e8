//! What the group law on one point asks of vectors of four lanes: columns are added, subtracted and moved between lanes
//! as integers, before the carry.

use super::element::Element;
use core::arch::x86_64::__m256i;

/// Five columns or limbs of radix 2^51, in the form of a backend.
pub(crate) type Columns = [__m256i; 5];

/// What a carry pass adds to columns first.
#[repr(align(32))]
pub(crate) struct Offsets(pub(super) [[i64; 4]; 5]);

/// What a column lacks before its carry pass, modulo 2^64: in any case, for each product that was added to it, and for
/// each whose complement, -x - 1, was added.
pub(crate) struct Lacks {
    pub(super) always: [i64; 5],
    pub(super) added: [i64; 5],
    pub(super) complements: [i64; 5],
}

impl Lacks {
    /// For lanes that are sums of so many products and so many complements.
    pub(crate) const fn offsets(&self, lanes: [[i64; 2]; 4]) -> Offsets {
        let mut offsets = [[0i64; 4]; 5];
        let mut i = 0;
        while i < 20 {
            let (limb, [added, complements]) = (i / 4, lanes[i % 4]);
            offsets[limb][i % 4] = self.always[limb]
                .wrapping_add(self.added[limb].wrapping_mul(added))
                .wrapping_add(self.complements[limb].wrapping_mul(complements));
            i += 1;
        }
        Offsets(offsets)
    }
}

/// A backend of four lanes. A value proves AVX2, and the instructions that the backend takes.
pub(crate) trait FourLanes: Copy {
    /// After [`mul`](Self::mul).
    const PRODUCTS: Lacks;
    /// After [`square`](Self::square).
    const SQUARES: Lacks;

    /// Limbs of four elements.
    fn load(self, elements: &[Element; 4]) -> Columns;
    /// The inverse of [`load`](Self::load).
    fn store(self, limbs: &Columns) -> [Element; 4];
    /// Limbs given as integers below 2^51, for one factor of a product.
    fn canonical(self, limbs: &Columns) -> Columns;
    /// Four elements, as columns of a product.
    fn widen(self, elements: &[Element; 4]) -> Columns;

    /// a b.
    fn mul(self, a: &Columns, b: &Columns) -> Columns;
    /// a^2.
    fn square(self, a: &Columns) -> Columns;
    /// Limbs of columns of weight 4 at most (docs/p25519.md, section 1): one carry pass, after the offsets are added.
    fn reduce(self, columns: &Columns, offsets: &Offsets) -> Columns;
}
