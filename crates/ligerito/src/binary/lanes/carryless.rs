//! Arithmetic of elements by carry-less products, of whatever width the registers are: the same instructions have names
//! of their own for each.

/// The methods of `Halves` that compute.
macro_rules! arithmetic_of_halves {
    ($vector:ty, $xor:ident, $clmul:ident, $set1:ident, $shuffle:ident, $bslli:ident, $bsrli:ident) => {
        #[inline(always)]
        fn add(self, a: $vector, b: $vector) -> $vector {
            // SAFETY: `self` is the proof of AVX2.
            unsafe { $xor(a, b) }
        }

        #[inline(always)]
        fn cross(self, a: $vector) -> $vector {
            // SAFETY: `self` is the proof of AVX2.
            unsafe { $xor(a, $shuffle::<0b01_00_11_10>(a)) }
        }

        #[inline(always)]
        fn low_product(self, a: $vector, b: $vector) -> $vector {
            // SAFETY: `self` is the proof of the products.
            unsafe { $clmul::<0x00>(a, b) }
        }

        #[inline(always)]
        fn high_product(self, a: $vector, b: $vector) -> $vector {
            // SAFETY: `self` is the proof of the products.
            unsafe { $clmul::<0x11>(a, b) }
        }

        /// low + middle X + high X^2: x^128 = x^7 + x^2 + x + 1 brings the upper word of the high part into the middle, and
        /// then what is above 128 bits of all down.
        #[inline(always)]
        fn reduce(self, sum: Sum<$vector>) -> $vector {
            // SAFETY: `self` is the proof of AVX2 and of the products.
            unsafe {
                let modulus = $set1(0x87);
                let middle = $xor(sum.cross, $xor(sum.low, sum.high));
                let middle = $xor(middle, $clmul::<0x01>(sum.high, modulus));
                let high = $xor(sum.high, $bsrli::<8>(middle));
                let low = $xor(sum.low, $bslli::<8>(middle));
                $xor(low, $clmul::<0x00>(high, modulus))
            }
        }

        #[inline(always)]
        fn shift(self, a: $vector) -> $vector {
            // SAFETY: `self` is the proof of AVX2 and of the products.
            unsafe {
                let over = $clmul::<0x01>(a, $set1(0x87));
                $xor(over, $bslli::<8>(a))
            }
        }

        /// low + middle X, whose upper half comes down. Shifts in place of the fifth product were slower (Zen 5, November
        /// 2026).
        #[inline(always)]
        fn multiply_add(self, a: $vector, r: Constant<$vector>, addend: $vector) -> $vector {
            // SAFETY: `self` is the proof of AVX2 and of the products.
            unsafe {
                let low = $xor($clmul::<0x00>(a, r.value), $clmul::<0x01>(a, r.shifted));
                let middle = $xor($clmul::<0x10>(a, r.value), $clmul::<0x11>(a, r.shifted));
                let over = $clmul::<0x01>(middle, $set1(0x87));
                let low = $xor($xor(low, addend), $bslli::<8>(middle));
                $xor(low, over)
            }
        }
    };
}

/// The methods of `Limbs` that compute.
macro_rules! arithmetic_of_limbs {
    (
        $vector:ty, $xor:ident, $clmul:ident, $set1:ident, $shuffle:ident, $bslli:ident, $bsrli:ident,
        $alignr:ident, $unpacklo:ident
    ) => {
        #[inline(always)]
        fn xor(self, a: $vector, b: $vector) -> $vector {
            // SAFETY: `self` is the proof of AVX2.
            unsafe { $xor(a, b) }
        }

        #[inline(always)]
        fn swapped(self, a: $vector) -> $vector {
            // SAFETY: `self` is the proof of AVX2.
            unsafe { $shuffle::<0b01_00_11_10>(a) }
        }

        #[inline(always)]
        fn doubled(self, a: $vector) -> $vector {
            // SAFETY: `self` is the proof of AVX2.
            unsafe { $unpacklo(a, a) }
        }

        #[inline(always)]
        fn low_product(self, a: $vector, b: $vector) -> $vector {
            // SAFETY: `self` is the proof of the products.
            unsafe { $clmul::<0x00>(a, b) }
        }

        #[inline(always)]
        fn high_product(self, a: $vector, b: $vector) -> $vector {
            // SAFETY: `self` is the proof of the products.
            unsafe { $clmul::<0x11>(a, b) }
        }

        /// Limbs 5, 4 and then 3 come down, each by a product.
        #[inline(always)]
        fn reduce(self, columns: Columns<$vector>) -> Element<$vector> {
            let [c0, c1, c2, c3, c4] = columns.0;
            // SAFETY: `self` is the proof of AVX2 and of the products.
            unsafe {
                let modulus = $set1(0x87);
                let top = $xor(c4, $bsrli::<8>(c3));
                let next = $xor(c2, $alignr::<8>(c3, c1));
                let next = $xor(next, $clmul::<0x01>(top, modulus));
                let middle = $clmul::<0x00>(top, modulus);
                let low = $xor(c0, $bslli::<8>($xor(c1, middle)));
                Element {
                    lower: $xor(low, $clmul::<0x01>(next, modulus)),
                    upper: $xor(next, $bsrli::<8>(middle)),
                }
            }
        }
    };
}

pub(super) use {arithmetic_of_halves, arithmetic_of_limbs};
