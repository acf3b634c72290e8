//! Words of many inputs in memory.

/// Words in slices; aligned, so that no vector crosses a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Slices<Words, const N: usize>(pub(crate) [Words; N]);

/// One digest, or chaining value, of every lane.
pub(crate) type Digests<const LANES: usize> = Slices<[u32; LANES], 8>;

/// One block of every lane.
pub(crate) type Message<const LANES: usize> = Slices<[u32; LANES], 16>;

impl<const LANES: usize, const N: usize> Slices<[u32; LANES], N> {
    /// All zero.
    pub(crate) const ZERO: Self = Self([[0; LANES]; N]);
}
