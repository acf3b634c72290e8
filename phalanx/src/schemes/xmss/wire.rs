//! Bytes (placeholder).

/// Encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// SSZ.
    Ssz,
}
