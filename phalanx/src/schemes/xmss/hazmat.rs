//! Sharp tools.
