//! One proof for many signatures, written to be read: suites `phalanx-aggregate-v1-provable100` and `…-provable128`.
//!
//! It follows the specification of aggregates section by section: whole tables over the large field, a plain sumcheck
//! over all positions, whole weights of the wiring. Nothing is shared with the fast crate, which is compared with it
//! byte by byte. "Spec section N" in this module means section N of that specification; sections of Ligerito's are
//! named as such. Signatures, encodings and tweaks are those of [`crate::xmss_blake2s`], profile B; the commitment is
//! [`crate::ligerito`].
//!
//! [`outer`] makes everything but the opening, for any root; [`aggregate`] is the whole. [`compressions`] proves
//! compressions with public and hidden slots by the same arguments.

mod circuit;
pub mod compressions;
mod prove;
mod statement;
mod verify;
mod wiring;
mod witness;

pub use circuit::{Circuit, Op};
pub use prove::{Outer, aggregate, outer, outer_from, slices};
pub use statement::{Group, MAX_SIGNATURES, Statement};
pub use verify::{claims_from, evaluated_rows, verify};
pub use wiring::{Rule, SLOTS, Weights, append_rules, extended, rules, weights};
pub use witness::{Witness, compress, witness};

use super::ligerito::{Large, Transcript, U192, large_bytes};

/// Blocks of a signature: 99 steps of chains, 11 of the leaf, 32 nodes.
pub const BLOCKS_OF_A_SIGNATURE: usize = 142;

/// Bytes of a randomizer.
pub const RANDOMIZER_LEN: usize = 24;

/// What the context of an aggregate's opening begins with.
pub const OPENING: &str = "phalanx-aggregate-v1";

/// The large fields, with the suite that aggregates over them belong to.
pub trait Suite: Large {
    /// The suite string.
    const SUITE: &'static str;
    /// The profile byte, also that of the commitment.
    const PROFILE: u8;
}

impl Suite for u128 {
    const SUITE: &'static str = "phalanx-aggregate-v1-provable100";
    const PROFILE: u8 = 1;
}

impl Suite for U192 {
    const SUITE: &'static str = "phalanx-aggregate-v1-provable128";
    const PROFILE: u8 = 3;
}

/// Why something is refused; the names are those of spec section 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// A statement of no group.
    NoGroups,
    /// A group of no key.
    EmptyGroup,
    /// Groups that are not strictly increasing.
    GroupOrder,
    /// Keys that are not strictly increasing.
    KeyOrder,
    /// More signatures than the limit.
    TooManySignatures,
    /// A statement that is shorter or longer than its content.
    StatementLength,
    /// Another magic, or a profile that is not that of the field.
    UnacceptedProfile,
    /// An aggregate that is shorter or longer than any.
    Length,
    /// A statement about no compression.
    NoBlocks,
    /// More compressions than the limit.
    TooManyBlocks,
    /// A mask with a slot that is neither input nor output.
    UnknownSlot {
        /// The compression.
        block: usize,
    },
    /// A randomizer that gives no encoding.
    NoEncoding {
        /// The signature.
        index: usize,
    },
    /// Check Z.
    Zerocheck,
    /// Check L.
    Lincheck,
    /// Check W.
    Wiring,
    /// Check O.
    Opening(super::ligerito::Error),
}

/// log2 of the number of blocks: the smallest `n >= 8` with `2^n >= 142 N` (spec section 1.2).
pub fn log2_blocks(signatures: usize) -> usize {
    let needed = (BLOCKS_OF_A_SIGNATURE * signatures).next_power_of_two();
    needed.trailing_zeros().max(8) as usize
}

/// The transcript up to the first challenge (spec section 1.3).
fn begin<N: Suite>(statement: &Statement, rhos: &[u8], ctx: &[u8], root: &[u8; 32]) -> Transcript<N> {
    let n = log2_blocks(statement.signatures());
    begin_of(&Circuit::blake2s(), N::SUITE, n, &statement.to_bytes(), rhos, ctx, root)
}

/// The same of any suite, about 2^n blocks.
fn begin_of<N: Suite>(
    circuit: &Circuit,
    suite: &'static str,
    n: usize,
    statement: &[u8],
    rhos: &[u8],
    ctx: &[u8],
    root: &[u8; 32],
) -> Transcript<N> {
    let variables = u8::try_from(circuit.log2_bits - 5 + n).expect("at most 30");
    let mut transcript = Transcript::of_suite(suite);
    transcript.absorb("suite", suite.as_bytes());
    transcript.absorb("circuit", &circuit.digest());
    transcript.absorb("ctx", ctx);
    transcript.absorb("statement", statement);
    transcript.absorb("rho", rhos);
    transcript.absorb("commitment", &[&[N::PROFILE, variables][..], root].concat());
    transcript
}

fn challenges<N: Large>(transcript: &mut Transcript<N>, label: &str, count: usize) -> Vec<N> {
    (0..count).map(|_| transcript.challenge(label)).collect()
}

/// The context of the opening, and its 96 points (spec section 3.5): the 32 conjugates of each of three.
fn opening<N: Large>(
    transcript: &mut Transcript<N>,
    prefix: &str,
    highs: &[Vec<N>; 3],
) -> (Vec<u8>, Vec<Vec<N>>) {
    let context = [prefix.as_bytes(), &transcript.squeeze("opening", 32)].concat();
    let mut points = Vec::new();
    for high in highs {
        let mut point = high.clone();
        for _ in 0..32 {
            points.push(point.clone());
            point.iter_mut().for_each(|x| *x = x.times(*x));
        }
    }
    (context, points)
}

/// Absorbs elements, and gives their bytes.
fn say<N: Large>(transcript: &mut Transcript<N>, label: &str, elements: &[N]) -> Vec<u8> {
    let bytes = large_bytes(elements);
    transcript.absorb(label, &bytes);
    bytes
}
