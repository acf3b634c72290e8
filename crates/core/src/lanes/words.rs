//! Vectors of words.

/// Vectors of words, `u32` or `u64`: one word of every lane.
///
/// Where a code needs one word after the other, the words of all lanes lie together: `[[W; LANES]; N]`.
pub trait WordLanes<W>: Copy {
    /// Words to a vector.
    const LANES: usize;

    /// One word of every lane.
    type Vector: Copy;

    /// The same in memory: `[W; LANES]`.
    type Words: Copy;

    /// From memory, of any alignment.
    fn load(self, words: &Self::Words) -> Self::Vector;

    /// From the first bytes of memory, of any alignment, the least significant one of a word first.
    ///
    /// # Panics
    /// If there are too few.
    fn load_bytes(self, bytes: &[u8]) -> Self::Vector;

    /// To memory, of any alignment.
    fn store(self, words: &mut Self::Words, x: Self::Vector);

    /// The same word in every lane.
    fn splat(self, word: W) -> Self::Vector;

    /// `a + b`, wrapping.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `a - b`, wrapping.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `a & b`.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `a ^ b`.
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Every word shifted left by `BY`, below the word's bits.
    fn shift_left<const BY: i32>(self, x: Self::Vector) -> Self::Vector;

    /// Every word shifted right by `BY`, at least 1 and below the word's bits; zeros come in.
    fn shift_right<const BY: i32>(self, x: Self::Vector) -> Self::Vector;

    /// Every word rotated right by `BY`, at least 1 and below the word's bits.
    fn rotate_right<const BY: i32>(self, x: Self::Vector) -> Self::Vector;

    /// Every word with its bytes in the other order.
    fn swap_bytes(self, x: Self::Vector) -> Self::Vector;

    /// `a ^ b ^ c`.
    #[inline(always)]
    fn xor3(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
        self.xor(self.xor(a, b), c)
    }

    /// Bits of `a` where `mask` is set, else of `b`: the function Ch of SHA-2.
    #[inline(always)]
    fn choose(self, mask: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        self.xor(b, self.and(mask, self.xor(a, b)))
    }

    /// The bits that two or three of the operands have: the function Maj of SHA-2.
    #[inline(always)]
    fn majority(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
        // Where a and b agree, it is theirs; elsewhere c decides.
        self.xor(b, self.and(self.xor(a, b), self.xor(b, c)))
    }

    /// `a ^ (!b & c)`: the step chi of Keccak.
    fn chi(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;

    /// `x` rotated right by `A`, by `B` and by `C`, added without carries: the capital sigmas of SHA-2.
    #[inline(always)]
    fn rotations<const A: i32, const B: i32, const C: i32>(self, x: Self::Vector) -> Self::Vector {
        self.xor3(self.rotate_right::<A>(x), self.rotate_right::<B>(x), self.rotate_right::<C>(x))
    }

    /// As [`rotations`](Self::rotations), but the third is a shift right by `C`: the small sigmas of SHA-2.
    #[inline(always)]
    fn rotations_and_shift<const A: i32, const B: i32, const C: i32>(self, x: Self::Vector) -> Self::Vector {
        self.xor3(self.rotate_right::<A>(x), self.rotate_right::<B>(x), self.shift_right::<C>(x))
    }

    /// `a ^ b`, every word rotated left by `LEFT`, at least 1 and below the word's bits; `RIGHT` is the word's bits
    /// less `LEFT`. Both are given because an immediate operand cannot be computed from a parameter.
    #[inline(always)]
    fn xor_rotate<const LEFT: i32, const RIGHT: i32>(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        self.rotate_right::<RIGHT>(self.xor(a, b))
    }

    /// `a` and `b` rotated left by `LEFT`, added without carries; the parameters are those of
    /// [`xor_rotate`](Self::xor_rotate).
    #[inline(always)]
    fn xor_rotated<const LEFT: i32, const RIGHT: i32>(
        self,
        a: Self::Vector,
        b: Self::Vector,
    ) -> Self::Vector {
        self.xor(a, self.rotate_right::<RIGHT>(b))
    }

    /// The same vector, a sum that later ones may not be mixed with: the compiler changes the order of additions, and
    /// with it what waits for what. No instruction comes of it.
    #[inline(always)]
    fn settled(self, sum: Self::Vector) -> Self::Vector {
        sum
    }

    /// Aligns the frame of the function that this is compiled into, where it pays, so that spilled vectors cross no
    /// lines of the cache.
    #[inline(always)]
    fn align_frame(self) {}
}

/// The smaller of two words, which every instruction set has for 32 bits and few have for 64.
pub trait MinLanes: WordLanes<u32> {
    /// The smaller one, as unsigned integers.
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

/// Squares of words.
pub trait Transpose<W, const N: usize>: WordLanes<W, Words = [W; N]> {
    /// Word i of row j to word j of row i.
    fn transpose(self, rows: [Self::Vector; N]) -> [Self::Vector; N];
}
