//! Hash a table row by row, commit to it, open a row: `cargo run --release -p phalanx --example rescue`.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use phalanx::rescue::{Digest, Function, Hasher, MerkleTree};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A table of 1024 rows of 20 elements: a row becomes a leaf, side by side in the lanes.
    let function = Function::Rp64_256;
    let rows: Vec<Vec<u64>> =
        (0..1024).map(|row| (0..20).map(|column| row * 1000 + column).collect()).collect();
    let rows: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
    let tree = MerkleTree::new(function, function.hash_elements_many(&rows))?;
    println!("{} commits to {} rows: {}", function.name(), rows.len(), tree.root());

    // What travels is the row, its path, and the root.
    let (_, path) = tree.open(700)?;
    let root: Digest = tree.root().to_string().parse()?;
    let leaf = function.hash_elements(rows[700]);
    MerkleTree::verify(function, &root, tree.log2_leaves(), 700, &leaf, &path)?;
    println!("row 700 opens with {} digests", path.len());

    // Bytes may come in pieces, if their number is known.
    let pieces = ["a message ", "in two pieces"];
    let len: usize = pieces.iter().map(|piece| piece.len()).sum();
    let mut hasher = Hasher::new(Function::Rpo256, len as u64)?;
    pieces.iter().for_each(|piece| hasher.update(piece.as_bytes()));
    let digest = hasher.finalize()?;
    assert_eq!(digest, Function::Rpo256.hash(pieces.concat().as_bytes())?);
    println!("{} of the message: {digest}", Function::Rpo256.name());

    // Grinding: the first integer whose digest ends its first element in twelve zero bits, 256 at a time.
    let found = (0..).step_by(256).find_map(|first| {
        let values: Vec<u64> = (first..first + 256).collect();
        let digests = function.merge_with_ints(&root, &values);
        values.into_iter().zip(digests).find(|(_, digest)| digest.to_elements()[0].trailing_zeros() >= 12)
    });
    if let Some((nonce, digest)) = found {
        println!("nonce {nonce}: {digest}");
    }
    Ok(())
}
