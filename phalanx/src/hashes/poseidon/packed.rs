//! Packed 32-bit lanes (placeholder).
