//! Vectors of 32-bit words, one word of every lane: what hash functions made of additions, rotations and logic need.
//!
//! In memory, word i of all lanes lies together ("in slices"): `[[u32; LANES]; WORDS]`.

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm128;
#[cfg(target_arch = "x86_64")]
mod x86;

/// Lane operations; the implementor is a witness that its instructions exist.
pub trait Lanes32: Copy {
    /// One word of every lane.
    type Vector: Copy;
    /// The same in memory.
    type Words: Copy;

    /// From memory.
    fn load(self, words: &Self::Words) -> Self::Vector;

    /// To memory.
    fn store(self, words: &mut Self::Words, vector: Self::Vector);

    /// The same word in every lane.
    fn splat(self, word: u32) -> Self::Vector;

    /// `a + b` modulo 2^32.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The same vector, a sum that later ones may not be mixed with: the compiler changes the order of additions, and with
    /// it what waits for what. No instruction comes of it.
    #[inline(always)]
    fn settled(self, sum: Self::Vector) -> Self::Vector {
        sum
    }

    /// `a ^ b`.
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Every word rotated right by `BY`, in `1..32`.
    fn rotate<const BY: i32>(self, x: Self::Vector) -> Self::Vector;

    /// Bits of `f` where `e` is set, else of `g`.
    fn choose(self, e: Self::Vector, f: Self::Vector, g: Self::Vector) -> Self::Vector;

    /// The bits that two or three of the operands have.
    fn majority(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;

    /// The sum modulo 2 of `x` rotated right by `A`, by `B` and by `C`, all in `1..32`.
    fn rotations<const A: i32, const B: i32, const C: i32>(self, x: Self::Vector) -> Self::Vector;

    /// As [`rotations`](Self::rotations), but the third is a shift right by `C`.
    fn rotations_and_shift<const A: i32, const B: i32, const C: i32>(self, x: Self::Vector) -> Self::Vector;
}
