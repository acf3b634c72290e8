//! Ligerito's suite `ligerito-v1`, written to be read.
//!
//! It follows the specification of the project's own suites section by section: field products by shift and add,
//! encoding as a sum over the basis, whole weight vectors where the fast verifier keeps factors. Nothing is
//! shared with the fast crate, which is compared with it byte by byte. "Spec section N" in this module means section
//! N of that specification (`ligerito-v1`), not of the one for XMSS.
//!
//! The pieces are public, because the dishonest provers of [`dishonest`] are built out of them.
//!
//! # Examples
//!
//! ```
//! use phalanx_reference::ligerito::{Accepted, Claim, Commitment, commit, registered, verify};
//!
//! // Elements of GF(2^128), so the suite of 100 bits; with `U192` and profile 3 it is that of 128.
//! let shape = registered::<u128>(1, 10).expect("profile 1 has 2^10");
//! let f: Vec<u32> = (0..1024).collect();
//! let committed = commit(&shape, &f).expect("f has 2^10 elements");
//! let commitment = Commitment { profile: 1, mu: 10, root: committed.root() };
//!
//! // At a corner of the cube the value is the stored element under phi; corner 1 holds 1.
//! let corner = [vec![1], vec![0; 9]].concat();
//! let opening = committed.open(&[corner.clone()], b"context").expect("one point of ten coordinates");
//! let claims = [Claim { point: corner, value: opening.values[0] }];
//! assert_eq!(opening.values, [1]);
//! let accepted = Accepted::Exactly { profile: 1, mu: 10 };
//! assert!(verify(&accepted, &commitment, &claims, &opening.proof, b"context").is_ok());
//! assert!(verify(&accepted, &commitment, &claims, &opening.proof, b"another").is_err());
//! ```

mod code;
pub mod dishonest;
mod field;
mod generator;
mod multilinear;
pub mod planes;
mod prove;
mod shape;
pub mod sums;
mod transcript;
mod tree;
mod verify;

pub use code::Code;
pub use field::{E, Field, J192, Large, T, U, U192, large_bytes, phi};
pub use generator::Generator;
pub use multilinear::{dot, eq, eq_weights, evaluate, fold, tensor};
pub use prove::{Committed, Matrix, Opening, combine, commit, grind, round};
pub use shape::{Level, Shape, registered};
pub use transcript::{Squeeze, Transcript, pow};
pub use tree::{Digest, Tree, hash_leaf, hash_node, recomputed_root};
pub use verify::{Accepted, Claim, Commitment, Omission, next_sigma, verify, verify_shape, verify_without};

/// Why something is refused; the names are those of spec sections 3 and 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// A shape outside the bounds of section 3.
    InvalidParams,
    /// A polynomial of another length than 2^mu.
    InvalidInput,
    /// V0.
    UnacceptedParams,
    /// V1.
    NoClaims,
    /// V2.
    TooManyClaims,
    /// V3.
    PointLength,
    /// Of weighted sums: a commitment that the statement has not.
    CommitmentIndex,
    /// Of weighted sums: no tensors, or one that has not a pair for every variable.
    ClaimBody,
    /// V4 and V9.
    ProofLength,
    /// V5.
    ProofOfWork,
    /// V6.
    MerkleRoot,
    /// V7.
    FinalRow,
    /// V8.
    FinalClaim,
}

/// The most claims that one proof carries.
pub const MAX_CLAIMS: usize = 65536;
