//! The reference for aggregates against the digests of the specification and the published files.
//!
//! The expected values come from elsewhere (see `vectors/aggregate/README.md`), never from this crate. Outer proofs
//! take seconds, whole aggregates minutes; the fast crate runs all cases of `cases.json`.

mod circuit;
mod published;
