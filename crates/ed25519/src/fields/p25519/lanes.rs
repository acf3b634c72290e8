//! What a backend offers: arithmetic modulo p on several independent elements.

use super::element::{Columns, Element};

/// The most lanes that a backend has: the bits of a mask.
pub(crate) const MAX_LANES: usize = 8;

/// Arithmetic on [`COUNT`](Self::COUNT) elements at once, one in each lane. The value is the witness that the CPU has
/// the instructions.
///
/// Two kinds of numbers keep carries rare. A [`Fe`](Self::Fe) is *reduced*: it may stand in a product. A
/// [`Wide`](Self::Wide) is a sum of columns that has not been carried: products give one, and they may be added and
/// subtracted before a single [`reduce`](Self::reduce) makes a `Fe` again. Each backend states the limb bounds at its
/// types; in the terms used here:
///
/// - a product, a square or a widened element has *weight* 1; a sum has the weights of both, a double twice its own;
/// - [`sub`](Self::sub) takes a subtrahend of weight at most 1 and adds a multiple of p of weight 1 to keep columns
///   from going below zero: its result has the weight of the minuend plus 1;
/// - [`reduce`](Self::reduce) takes weights up to 4.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "some are for kernels on several lanes"))]
pub(crate) trait FieldLanes: Copy {
    /// How many elements.
    const COUNT: usize;
    /// A reduced element in each lane.
    type Fe: Copy;
    /// Uncarried columns in each lane.
    type Wide: Copy;

    /// The same element in every lane.
    fn splat(self, element: &Element) -> Self::Fe;
    /// `elements[i]` in lane `i`; the slice holds [`COUNT`](Self::COUNT).
    fn load(self, elements: &[Element]) -> Self::Fe;
    /// The inverse of [`load`](Self::load), up to the representation: values agree modulo p.
    fn store(self, value: &Self::Fe, elements: &mut [Element]);

    /// The product a b.
    fn mul(self, a: &Self::Fe, b: &Self::Fe) -> Self::Wide;
    /// The square of a.
    fn square(self, a: &Self::Fe) -> Self::Wide;
    /// The same value, ready for sums.
    fn widen(self, a: &Self::Fe) -> Self::Wide;
    /// a + b.
    fn add(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// a - b; `b` has weight 1.
    fn sub(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// One carry pass.
    fn reduce(self, a: Self::Wide) -> Self::Fe;

    /// `value`, as a factor of a product that is to come after `done` in the compiled code. Only a hint: left alone, a
    /// compiler gathers the multiplications of independent products, and carries of all of them, so that neither fills
    /// the CPU.
    #[inline(always)]
    fn after(self, value: &Self::Fe, _done: &Self::Wide) -> Self::Fe {
        *value
    }

    /// The elements of the little-endian `bytes`, one array for each lane; values from p up mean their residue and bit
    /// 255 is not looked at.
    #[inline(always)]
    fn load_bytes(self, bytes: &[[u8; 32]]) -> Self::Fe {
        let mut elements = [Element::ZERO; MAX_LANES];
        for (element, bytes) in elements[..Self::COUNT].iter_mut().zip(bytes) {
            *element = Element::from_bytes(bytes);
        }
        self.load(&elements[..Self::COUNT])
    }

    /// Bit `i` is set if lane `i` is 0 modulo p.
    #[inline(always)]
    fn zero_mask(self, a: &Self::Fe) -> u8 {
        let mut elements = [Element::ZERO; MAX_LANES];
        self.store(a, &mut elements[..Self::COUNT]);
        let mut mask = 0;
        for (lane, element) in elements[..Self::COUNT].iter().enumerate() {
            mask |= u8::from(element.is_zero()) << lane;
        }
        mask
    }

    /// Bit `i` is set if the canonical value of lane `i` is odd.
    #[inline(always)]
    fn odd_mask(self, a: &Self::Fe) -> u8 {
        let mut elements = [Element::ZERO; MAX_LANES];
        self.store(a, &mut elements[..Self::COUNT]);
        let mut mask = 0;
        for (lane, element) in elements[..Self::COUNT].iter().enumerate() {
            mask |= u8::from(element.is_odd()) << lane;
        }
        mask
    }

    /// Lane `i` of `set` where bit `i` of `mask` is set, else of `clear`; time independent of all three.
    fn select(self, mask: u8, clear: &Self::Fe, set: &Self::Fe) -> Self::Fe;
}

/// One lane; no CPU features needed.
#[derive(Clone, Copy)]
pub(crate) struct Single;

impl FieldLanes for Single {
    const COUNT: usize = 1;
    type Fe = Element;
    type Wide = Columns;

    #[inline(always)]
    fn splat(self, element: &Element) -> Element {
        *element
    }

    #[inline(always)]
    fn load(self, elements: &[Element]) -> Element {
        elements[0]
    }

    #[inline(always)]
    fn store(self, value: &Element, elements: &mut [Element]) {
        elements[0] = *value;
    }

    #[inline(always)]
    fn mul(self, a: &Element, b: &Element) -> Columns {
        Columns::product(a, b)
    }

    #[inline(always)]
    fn square(self, a: &Element) -> Columns {
        Columns::square(a)
    }

    #[inline(always)]
    fn widen(self, a: &Element) -> Columns {
        Columns::of(a)
    }

    #[inline(always)]
    fn add(self, a: Columns, b: Columns) -> Columns {
        a.add(&b)
    }

    #[inline(always)]
    fn sub(self, a: Columns, b: Columns) -> Columns {
        a.sub(&b)
    }

    #[inline(always)]
    fn reduce(self, a: Columns) -> Element {
        a.reduce()
    }

    #[inline(always)]
    fn select(self, mask: u8, clear: &Element, set: &Element) -> Element {
        let bits = 0u64.wrapping_sub(core::hint::black_box(u64::from(mask & 1)));
        Element(core::array::from_fn(|i| clear.0[i] ^ (bits & (clear.0[i] ^ set.0[i]))))
    }
}
