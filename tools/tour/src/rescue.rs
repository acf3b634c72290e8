//! Rescue: the permutation, elements, bytes, and a Merkle tree.

use super::section::{Fault, Section, check};
use phalanx::rescue::{Digest, Error, Function, Hasher, MerkleTree};

/// States permuted, inputs hashed, and leaves of the tree.
const COUNT: usize = 4096;

/// Elements in a leaf: a block.
const LEAF: usize = 8;

/// The first word of what Winterfell makes of the state of zeros.
const PERMUTED_ZERO: u64 = 7_962_715_374_947_276_948;

/// The section.
pub(super) fn tour(section: &mut Section) -> Result<(), Fault> {
    let rescue = Function::Rp64_256;
    section.begin(format_args!("Rescue ({}): hashes over the field of 2^64 - 2^32 + 1", rescue.name()));
    let each = |ms: f64| Ok(format!("{:.3} us each", ms * 1e3 / COUNT as f64));

    let mut states = vec![0; COUNT * rescue.width()];
    let permuted =
        section.step(&format!("permute {COUNT} states"), || rescue.permute(&mut states), |_, ms| each(ms))?;
    permuted?;
    let is_right = states.chunks_exact(rescue.width()).all(|state| state == &states[..rescue.width()]);
    check(is_right && states[0] == PERMUTED_ZERO, "the permutation of zeros is another one")?;

    let elements: Vec<u64> = (0..(COUNT * LEAF) as u64).collect();
    let blocks: Vec<&[u64]> = elements.chunks_exact(LEAF).collect();
    let alone = section.step(
        &format!("hash {LEAF} elements"),
        || rescue.hash_elements(blocks[COUNT - 1]),
        |digest, _| Ok(hex::encode(digest.to_bytes())),
    )?;
    let leaves = section.step(
        &format!("hash {COUNT} such"),
        || rescue.hash_elements_many(&blocks),
        |_, ms| each(ms),
    )?;
    check(leaves.last() == Some(&alone), "a hash among many differs from the same alone")?;

    let shown = |digest: &Result<Digest, Error>, _| match digest {
        Ok(digest) => Ok(hex::encode(digest.to_bytes())),
        Err(error) => Err(Fault::from(*error)),
    };
    let text = b"seven bytes at a time";
    let bytes = section.step("hash bytes", || rescue.hash(text), shown)??;
    let mut hasher = Hasher::new(rescue, text.len() as u64)?;
    text.chunks(5).for_each(|piece| hasher.update(piece));
    check(hasher.finalize()? == bytes, "bytes in pieces have another hash")?;
    tree(section, rescue, leaves)
}

/// A tree over the leaves, a path, and what must be refused.
fn tree(section: &mut Section, rescue: Function, leaves: Vec<Digest>) -> Result<(), Fault> {
    let tree = section.step(
        &format!("Merkle tree of {COUNT}"),
        || MerkleTree::new(rescue, leaves),
        |tree, _| match tree {
            Ok(tree) => Ok(format!("root {}", hex::encode(tree.root().to_bytes()))),
            Err(error) => Err(Fault::from(*error)),
        },
    )??;
    let index = COUNT / 3;
    let (leaf, path) = tree.open(index)?;
    let verify = |index, leaf: &Digest| {
        MerkleTree::verify(rescue, &tree.root(), tree.log2_leaves(), index, leaf, &path)
    };
    let length = |_: &Result<(), Error>, _| Ok(format!("{} digests", path.len()));
    let result = section.step("verify a path", || verify(index, &leaf), length)?;
    check(result.is_ok(), "a path does not lead to the root")?;
    let moved = section.step(
        "at another place",
        || verify(index + 1, &leaf),
        |result, _| Ok(result.err().map_or_else(String::new, |error| format!("rejected: {error}"))),
    )?;
    check(moved == Err(Error::WrongRoot), "a leaf verifies at another place")
}
