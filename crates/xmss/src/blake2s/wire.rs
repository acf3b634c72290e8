//! Secret keys as bytes (docs/xmss-blake2s.md, section 12). A file of this project: other software keeps its own.
//!
//! An SSZ container: what cannot be computed in a moment stands in it, the rest is hashed again, and all of it checked.
#![forbid(unsafe_code)]

use super::hashing::{self, words};
use super::keys::{VerifyingKey, bytes_of};
use super::parameters::{Node, ParameterSet};
use super::signing_key::SigningKey;
use super::trees::{Place, Source};
use crate::hashes::blake2s::with_lanes;
use crate::prf_key::PrfKey;
use crate::window::node_of;
use alloc::vec::Vec;
use core::ops::Range;
use phalanx_core::Malformed;
use phalanx_core::bytes::{Reader, put_offset, sections};
use phalanx_core::simd::Isa;
use phalanx_core::subtree::Subtree;
use zeroize::Zeroizing;

/// Bytes of a node.
const NODE: usize = 16;
/// Bytes of the fixed part: seed, public key, three integers and two offsets.
const FIXED: usize = 32 + VerifyingKey::LEN_BYTES + 3 * 8 + 2 * 4;

impl SigningKey {
    /// The key in SSZ, secret part included; wiped when dropped. Some `50 sqrt(n)` bytes for `n` epochs.
    ///
    /// What the key has signed is not in the bytes. The prepared interval is.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let trees = self.place.trees();
        let prepared = self.prepared_interval();
        let nodes =
            |range: &Range<u64>| NODE * usize::try_from(range.end - range.start).expect("they are held");
        let (roots_len, leaves_len) = (nodes(&trees), nodes(&prepared));
        let mut out = Zeroizing::new(Vec::with_capacity(FIXED + roots_len + leaves_len));
        out.extend_from_slice(self.seed.bytes());
        out.extend(self.verifying_key().to_bytes());
        for number in [self.place.epochs.start, self.place.epochs.end, self.left_index] {
            out.extend(number.to_le_bytes());
        }
        put_offset(&mut out, FIXED);
        put_offset(&mut out, FIXED + roots_len);
        put_nodes(&mut out, &self.top, trees);
        put_nodes(&mut out, &self.left, self.place.epochs_of(self.left_index..self.left_index + 1));
        if let Some(right) = &self.right {
            put_nodes(&mut out, right, self.place.epochs_of(self.left_index + 1..self.left_index + 2));
        }
        out
    }

    /// The key that `bytes` hold, after checking everything that can be checked without computing its leaves again: the
    /// public key against the seed and the roots of the bottom trees, these against the leaves that are held, and the
    /// first of those against the seed.
    ///
    /// # Errors
    /// [`Malformed`], naming the first thing that does not fit.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let seed: &[u8; 32] = reader.array("bytes of the seed")?;
        let public: &[u8; VerifyingKey::LEN_BYTES] = reader.array("bytes of the public key")?;
        let start = reader.u64_le("first epoch")?;
        let end = reader.u64_le("first epoch after the last one")?;
        let left_index = reader.u64_le("index of the first prepared tree")?;
        let roots_at = reader.u32_le("offset of the roots")?;
        let leaves_at = reader.u32_le("offset of the leaves")?;
        let offsets = [("offset of the roots", roots_at), ("offset of the leaves", leaves_at)];
        let [roots, leaves] = sections(bytes, FIXED, &offsets)?[..] else {
            unreachable!("as many sections as offsets")
        };

        let lifetime = ParameterSet::L32_D42B8.lifetime();
        let place = Place::new(start..end).map_err(|_| Malformed {
            what: "first epoch after the last one",
            got: end,
            wanted: lifetime.min(start.saturating_add(1)),
        })?;
        let trees = place.trees();
        // Two trees are held where the key has two.
        let last = trees.end.saturating_sub(2).max(trees.start);
        if !(trees.start..=last).contains(&left_index) {
            let wanted = left_index.clamp(trees.start, last);
            return Err(Malformed { what: "index of the first prepared tree", got: left_index, wanted });
        }
        let roots = nodes("bytes of the roots", roots, trees.end - trees.start)?;
        let prepared = place.epochs_of(left_index..left_index + 2);
        let mut leaves = nodes("bytes of the leaves", leaves, prepared.end - prepared.start)?;

        let isa = Isa::current();
        let seed = PrfKey::filled_by(|copy| copy.copy_from_slice(seed));
        let parameter = hashing::parameter(&seed);
        check("parameters that the seed gives", bytes_of(&parameter) == public[NODE..])?;
        let mut first = [Node::default()];
        let epoch = u32::try_from(prepared.start).expect("epochs are below 2^32");
        with_lanes!(isa, lanes => hashing::leaves(lanes, &parameter, &seed, epoch, &mut first));
        check("first leaves that come from the seed", leaves.first() == Some(&first[0]))?;
        let source = Source { seed: &seed, parameter: &parameter, place: &place };
        let of_left = place.epochs_of(left_index..left_index + 1);
        let right = leaves.split_off(usize::try_from(of_left.end - of_left.start).expect("they are held"));
        let left = source.bottom_over(isa, left_index, leaves);
        let right = (!right.is_empty()).then(|| source.bottom_over(isa, left_index + 1, right));
        let top = source.top(roots);
        check("roots of trees that give the public key", bytes_of(&top.root()) == public[..NODE])?;
        for (index, tree) in (left_index..).zip([Some(&left), right.as_ref()].into_iter().flatten()) {
            check("bottom trees whose root is in the top tree", node_of(&top, index) == Some(tree.root()))?;
        }
        Ok(Self::from_parts(seed, parameter, place, top, left_index, (left, right)))
    }
}

/// Appends the nodes of `range` of the lowest layer, without the fillers beside them.
fn put_nodes(out: &mut Vec<u8>, tree: &Subtree<Node>, range: Range<u64>) {
    for position in range {
        out.extend(bytes_of(&node_of(tree, position).expect("the tree has its own epochs")));
    }
}

/// The `count` nodes that make up `bytes`.
fn nodes(what: &'static str, bytes: &[u8], count: u64) -> Result<Vec<Node>, Malformed> {
    Malformed::unless_equal(what, bytes.len() as u64, NODE as u64 * count)?;
    Ok(bytes.chunks_exact(NODE).map(words).collect())
}

fn check(what: &'static str, holds: bool) -> Result<(), Malformed> {
    if holds { Ok(()) } else { Err(Malformed { what, got: 0, wanted: 1 }) }
}
