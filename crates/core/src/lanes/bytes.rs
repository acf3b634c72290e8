//! Vectors of bytes.

/// Vectors of bytes, in *parts* of sixteen: the unit of lookups in tables.
pub trait ByteLanes: Copy {
    /// One part or more.
    type Vector: Copy;

    /// The same in memory: an array of bytes.
    type Bytes: Copy;

    /// From memory, of any alignment.
    fn load(self, bytes: &Self::Bytes) -> Self::Vector;

    /// To memory, of any alignment.
    fn store(self, bytes: &mut Self::Bytes, x: Self::Vector);

    /// The same sixteen bytes in every part.
    fn splat(self, part: &[u8; 16]) -> Self::Vector;

    /// `a ^ b`.
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `a ^ b ^ c`.
    #[inline(always)]
    fn xor3(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
        self.xor(self.xor(a, b), c)
    }

    /// The lower four bits of every byte.
    fn low_nibbles(self, x: Self::Vector) -> Self::Vector;

    /// The upper four bits of every byte, as a number below 16.
    fn high_nibbles(self, x: Self::Vector) -> Self::Vector;

    /// In every part, byte `places[i]` of `table`, for i below 16; places are below 16.
    fn lookup(self, table: Self::Vector, places: Self::Vector) -> Self::Vector;

    /// In every part, 32-bit word i of vector j to word j of vector i.
    fn transpose4(self, rows: [Self::Vector; 4]) -> [Self::Vector; 4];
}
