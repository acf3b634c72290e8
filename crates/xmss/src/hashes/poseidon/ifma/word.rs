//! A word of sixteen states in memory.

/// One word of sixteen states, in R form.
///
/// Bounds: a *fresh* word (made by `splat`, `load`, `two_digits`, `from_u128` or a permutation) is below `2^33` in
/// every lane. A permutation accepts words below `2^38`, sums of up to 32 fresh ones. `compress16` returns an input
/// word plus a fresh one. Storing accepts words below `2^51`.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(super) [u64; 16]);

impl Lanes {
    /// Zero in every lane.
    pub(super) const ZERO: Self = Self([0; 16]);

    /// The two vectors.
    #[inline(always)]
    pub(super) fn halves(&self) -> &[[u64; 8]; 2] {
        self.0.as_chunks().0.try_into().expect("sixteen lanes")
    }

    /// The two vectors, to be written.
    #[inline(always)]
    pub(super) fn halves_mut(&mut self) -> &mut [[u64; 8]; 2] {
        self.0.as_chunks_mut().0.try_into().expect("sixteen lanes")
    }
}
