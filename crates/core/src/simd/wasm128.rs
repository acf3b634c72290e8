//! The witness of WebAssembly's vectors.

/// Proof that this module was compiled with `simd128`. There is nothing to detect: an engine without these instructions
/// refuses the whole module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Wasm128(());

impl Wasm128 {
    /// Always `Some`.
    #[allow(clippy::unnecessary_wraps, reason = "as for the other instruction sets")]
    pub const fn detect() -> Option<Self> {
        Some(Self(()))
    }
}
