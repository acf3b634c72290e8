//! One element in integer registers, by the products and carries of BMI2 and ADX.
#![expect(unsafe_code, reason = "assembler, on the strength of a witness")]

mod words;

use super::element::Element;
use super::lanes::FieldLanes;
use super::power::pow_2_250_minus_1;
use phalanx_core::simd::Adx;
use words::Words;

/// The engine of one lane. Holds the proof that the CPU has BMI2 and ADX. Time is independent of values throughout.
#[derive(Clone, Copy)]
pub(crate) struct X1(pub(crate) Adx);

/// Any number below 2^256: sums and differences are as good as factors, and a `Wide` is nothing else.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Fe(pub(crate) Words);

impl X1 {
    /// x^((p - 5) / 8) of both, as [`Element::pow_p58`]: a squaring takes as long as two that do not wait for each
    /// other.
    pub(crate) fn pow_p58_x2(self, x: &mut [Element; 2]) {
        let one = x.map(|x| self.splat(&x));
        let (p250, _) =
            pow_2_250_minus_1(&one, &self.power(&one, 1, None), |a, count, b| self.power(a, count, Some(b)));
        let power = self.power(&p250, 2, Some(&one));
        for (x, power) in x.iter_mut().zip(&power) {
            self.store(power, core::slice::from_mut(x));
        }
    }

    /// x^(2^count) y.
    #[inline(never)]
    fn power(self, x: &[Fe; 2], count: u32, y: Option<&[Fe; 2]>) -> [Fe; 2] {
        let mut x = *x;
        for _ in 0..count {
            x = [self.square(&x[0]), self.square(&x[1])];
        }
        y.map_or(x, |y| [self.mul(&x[0], &y[0]), self.mul(&x[1], &y[1])])
    }
}

impl FieldLanes for X1 {
    const COUNT: usize = 1;
    type Fe = Fe;
    type Wide = Fe;

    #[inline(always)]
    fn splat(self, element: &Element) -> Fe {
        let [l0, l1, l2, l3, l4] = element.0;
        // Limbs are below 2^52: no limb reaches more than one bit into the next, and the value is below 2^256.
        let (w0, carry) = l0.overflowing_add(l1 << 51);
        let (w1, carry) = (l1 >> 13).carrying(l2 << 38, carry);
        let (w2, carry) = (l2 >> 26).carrying(l3 << 25, carry);
        Fe([w0, w1, w2, (l3 >> 39) + (l4 << 12) + u64::from(carry)])
    }

    #[inline(always)]
    fn load(self, elements: &[Element]) -> Fe {
        self.splat(&elements[0])
    }

    #[inline(always)]
    fn store(self, value: &Fe, elements: &mut [Element]) {
        const MASK: u64 = (1 << 51) - 1;
        let [w0, w1, w2, w3] = value.0;
        elements[0] = Element([
            (w0 & MASK) + 19 * (w3 >> 63),
            (w0 >> 51 | w1 << 13) & MASK,
            (w1 >> 38 | w2 << 26) & MASK,
            (w2 >> 25 | w3 << 39) & MASK,
            w3 >> 12 & MASK,
        ]);
    }

    #[inline(always)]
    fn mul(self, a: &Fe, b: &Fe) -> Fe {
        Fe(words::mul(self.0, &a.0, &b.0))
    }

    #[inline(always)]
    fn square(self, a: &Fe) -> Fe {
        Fe(words::square(self.0, &a.0))
    }

    #[inline(always)]
    fn widen(self, a: &Fe) -> Fe {
        *a
    }

    #[inline(always)]
    fn add(self, a: Fe, b: Fe) -> Fe {
        Fe(words::add(&a.0, &b.0))
    }

    #[inline(always)]
    fn sub(self, a: Fe, b: Fe) -> Fe {
        Fe(words::sub(&a.0, &b.0))
    }

    #[inline(always)]
    fn reduce(self, a: Fe) -> Fe {
        a
    }

    #[inline(always)]
    fn select(self, mask: u8, clear: &Fe, set: &Fe) -> Fe {
        let bits = 0u64.wrapping_sub(core::hint::black_box(u64::from(mask & 1)));
        Fe(core::array::from_fn(|i| clear.0[i] ^ (bits & (clear.0[i] ^ set.0[i]))))
    }
}

/// The sum of two words and a carry, and the carry out.
trait Carrying: Sized {
    fn carrying(self, other: Self, carry: bool) -> (Self, bool);
}

impl Carrying for u64 {
    #[inline(always)]
    fn carrying(self, other: Self, carry: bool) -> (Self, bool) {
        let (sum, c1) = self.overflowing_add(other);
        let (sum, c2) = sum.overflowing_add(Self::from(carry));
        (sum, c1 | c2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::p25519::tests::engines::agrees_with_portable;
    use std::eprintln;
    use std::vec::Vec;

    /// Words around every place where a carry or a residue changes.
    fn edges() -> Vec<Words> {
        const TOP: u64 = u64::MAX;
        let low = [0, 1, 18, 19, 37, 38, 39, TOP - 38, TOP - 37, TOP - 36, TOP - 19, TOP - 18, TOP - 17, TOP];
        let mut edges = Vec::new();
        for first in low {
            for (middle, last) in [(0, 0), (0, 1 << 63), (TOP, TOP >> 1), (TOP, TOP), (0, TOP), (TOP, 0)] {
                edges.push([first, middle, middle, last]);
                edges.push([first, 0, TOP, last]);
            }
        }
        edges
    }

    /// Nothing is asked of the operands: every pair of edges, up to 2^256 - 1.
    #[test]
    fn any_words() {
        let Some(witness) = Adx::detect() else { return eprintln!("not run: adx") };
        let l = X1(witness);
        let element = |fe: &Fe| {
            let mut element = [Element::ZERO];
            l.store(fe, &mut element);
            element[0]
        };
        let edges: Vec<_> = edges().into_iter().map(Fe).collect();
        for a in &edges {
            let x = element(a);
            assert_eq!(element(&l.square(a)).to_bytes(), x.square().to_bytes(), "{:x?}", a.0);
            assert_eq!(element(&l.splat(&x)).to_bytes(), x.to_bytes(), "{:x?}", a.0);
            for b in &edges {
                let y = element(b);
                assert_eq!(element(&l.mul(a, b)).to_bytes(), x.mul(&y).to_bytes(), "{:x?} {:x?}", a.0, b.0);
                assert_eq!(element(&l.add(*a, *b)).to_bytes(), x.add(&y).to_bytes(), "{:x?} {:x?}", a.0, b.0);
                assert_eq!(element(&l.sub(*a, *b)).to_bytes(), x.sub(&y).to_bytes(), "{:x?} {:x?}", a.0, b.0);
            }
        }
    }

    /// [`element`](X1::store) against the bytes of the words, without any of the operations.
    #[test]
    fn words_are_little_endian() {
        let Some(witness) = Adx::detect() else { return eprintln!("not run: adx") };
        let l = X1(witness);
        for words in edges() {
            let mut stored = [Element::ZERO];
            l.store(&Fe(words), &mut stored);
            let mut bytes = [0; 32];
            for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
                chunk.copy_from_slice(&word.to_le_bytes());
            }
            let upper = if bytes[31] >> 7 == 1 { Element([19, 0, 0, 0, 0]) } else { Element::ZERO };
            assert_eq!(
                stored[0].to_bytes(),
                Element::from_bytes(&bytes).add(&upper).to_bytes(),
                "{words:x?}"
            );
        }
    }

    #[test]
    fn one_agrees_with_portable() {
        match Adx::detect() {
            Some(witness) => agrees_with_portable(X1(witness)),
            None => eprintln!("not run: adx"),
        }
    }

    #[test]
    fn powers_of_two_elements() {
        let Some(witness) = Adx::detect() else { return eprintln!("not run: adx") };
        for words in edges().chunks_exact(2) {
            let mut x = [Element::ZERO; 2];
            for (x, words) in x.iter_mut().zip(words) {
                X1(witness).store(&Fe(*words), core::slice::from_mut(x));
            }
            let wanted = x.map(|x| x.pow_p58().to_bytes());
            X1(witness).pow_p58_x2(&mut x);
            assert_eq!(x.map(Element::to_bytes), wanted);
        }
    }
}
