//! The field of integers modulo p = 2^64 - 2^32 + 1 ("Goldilocks"), one element in a `u64`.
//!
//! Operations accept any `u64`, canonical or not, and return *some* `u64` of the right class unless they say "canonical".
//! [`canonical`] gives the one below p. Reduction rests on 2^64 = 2^32 - 1 and 2^96 = -1 modulo p.

#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86;

/// p.
pub(crate) const P: u64 = 0xffff_ffff_0000_0001;

/// 2^64 modulo p.
pub(crate) const EPSILON: u64 = 0xffff_ffff;

/// The representative below p.
#[inline(always)]
pub(crate) const fn canonical(x: u64) -> u64 {
    // Any u64 is below 2p.
    let (reduced, borrow) = x.overflowing_sub(P);
    // Branch-free: all ones when x is already below p.
    let keep = (borrow as u64).wrapping_neg();
    reduced ^ keep & (reduced ^ x)
}

/// a + b.
#[inline(always)]
pub(crate) const fn add(a: u64, b: u64) -> u64 {
    let (sum, carry) = a.overflowing_add(b);
    let (sum, again) = sum.overflowing_add(epsilon_if(carry));
    // Both carry only if a and b are at least p: then the sum is small and this does not carry.
    sum.wrapping_add(epsilon_if(again))
}

/// a - b. The permutations subtract limbs only.
#[cfg(any(test, feature = "hazmat"))]
#[inline(always)]
pub(crate) const fn sub(a: u64, b: u64) -> u64 {
    let (difference, borrow) = a.overflowing_sub(b);
    let (difference, again) = difference.overflowing_sub(epsilon_if(borrow));
    difference.wrapping_sub(epsilon_if(again))
}

/// 2^64 modulo p, or 0. A carry spread over a 32-bit register is one instruction on x86-64; multiplied, it becomes a
/// conditional move or, in places where carries are frequent, a branch that is mispredicted.
#[inline(always)]
const fn epsilon_if(carry: bool) -> u64 {
    0u32.wrapping_sub(carry as u32) as u64
}

/// low + 2^32 high, for low below 2^62 and high below 2^61.
#[inline(always)]
pub(crate) const fn join(low: u64, high: u64) -> u64 {
    // 2^32 high = 2^32 (high mod 2^32) + (2^32 - 1) top, as 2^64 = 2^32 - 1.
    let top = high >> 32;
    let low = low + ((top << 32) - top);
    let (sum, carry) = low.overflowing_add(high << 32);
    // After a carry the sum is below `low`, which is below 2^62 + 2^61.
    sum + epsilon_if(carry)
}

/// How products are reduced: the one place where scalar code can trade constant time for speed.
pub(crate) trait Reduction: Copy {
    /// lo + 2^64 hi modulo p.
    fn reduce(lo: u64, hi: u64) -> u64;

    /// a b.
    #[inline(always)]
    fn mul(a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        #[allow(clippy::cast_possible_truncation)] // the two halves
        Self::reduce(product as u64, (product >> 64) as u64)
    }
}

/// With a branch that random data take once in 2^32: for public data.
#[derive(Clone, Copy)]
pub(crate) struct Vartime;

/// Without branches: for secret data.
#[derive(Clone, Copy)]
pub(crate) struct ConstantTime;

impl Reduction for Vartime {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[inline(always)]
    fn mul(a: u64, b: u64) -> u64 {
        x86::mul_vartime(a, b)
    }

    #[inline(always)]
    fn reduce(lo: u64, hi: u64) -> u64 {
        let (sum, carry) = without_top(lo, hi).overflowing_add(times_epsilon(hi));
        // After a carry the sum is below 2^64 - 2^33.
        sum + epsilon_if(carry)
    }
}

/// [`Vartime`] for scalar words interleaved with vectors, where the number of instructions counts and latency does not: a
/// few per cent faster there, and a few slower alone (Zen 5, November 2026).
#[cfg(any(test, target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub(crate) struct VartimeInterleaved;

#[cfg(any(test, target_arch = "x86_64"))]
impl Reduction for VartimeInterleaved {
    #[inline(always)]
    fn reduce(lo: u64, hi: u64) -> u64 {
        let (sum, epsilon) = phalanx_core::simd::add_masked(without_top(lo, hi), times_epsilon(hi));
        sum + epsilon
    }
}

/// lo - hi / 2^32, as 2^96 = -1.
#[inline(always)]
fn without_top(lo: u64, hi: u64) -> u64 {
    let (low, borrow) = lo.overflowing_sub(hi >> 32);
    if borrow {
        // low is at least 2^64 - 2^32 here. Opaque, so that it stays a branch: as a conditional move the correction would be
        // on the path of every product.
        return phalanx_core::simd::opaque(low - EPSILON);
    }
    low
}

impl Reduction for ConstantTime {
    #[inline(always)]
    fn reduce(lo: u64, hi: u64) -> u64 {
        let (low, borrow) = lo.overflowing_sub(hi >> 32);
        let low = low - epsilon_if(borrow);
        let (sum, epsilon) = phalanx_core::simd::add_masked(low, times_epsilon(hi));
        sum + epsilon
    }
}

/// The low half of `hi` times 2^32 - 1, without the multiplier: it is what products wait for.
#[inline(always)]
fn times_epsilon(hi: u64) -> u64 {
    (hi & EPSILON) * EPSILON
}
