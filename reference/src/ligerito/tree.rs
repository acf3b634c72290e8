//! Hashing of rows and nodes, the binary tree, and opening many leaves at once (spec section 5).

use super::Error;
use super::field::Large;

/// A BLAKE3 output of 32 bytes.
pub type Digest = [u8; 32];

/// The hash of a row's bytes, in the suite of `N`.
pub fn hash_leaf<N: Large>(row: &[u8]) -> Digest {
    blake3::derive_key(&format!("{} merkle leaf", N::PRODUCTION), row)
}

/// The hash of two children.
pub fn hash_node<N: Large>(left: &Digest, right: &Digest) -> Digest {
    blake3::derive_key(&format!("{} merkle node", N::PRODUCTION), &[*left, *right].concat())
}

/// All layers of a tree: the leaves first, the root last.
#[derive(Clone, Debug)]
pub struct Tree {
    layers: Vec<Vec<Digest>>,
}

impl Tree {
    /// The tree over these leaves.
    ///
    /// # Panics
    ///
    /// Panics unless their number is a power of two.
    pub fn new<N: Large>(leaves: Vec<Digest>) -> Tree {
        assert!(leaves.len().is_power_of_two(), "a tree has 2^K leaves");
        let mut layers = vec![leaves];
        while layers[layers.len() - 1].len() > 1 {
            let last = &layers[layers.len() - 1];
            layers.push(last.chunks_exact(2).map(|pair| hash_node::<N>(&pair[0], &pair[1])).collect());
        }
        Tree { layers }
    }

    /// The root.
    pub fn root(&self) -> Digest {
        self.layers[self.layers.len() - 1][0]
    }

    /// The siblings that open the leaves at ascending distinct positions.
    pub fn siblings(&self, positions: &[u64]) -> Vec<Digest> {
        let (mut emitted, mut current) = (Vec::new(), positions.to_vec());
        for layer in &self.layers[..self.layers.len() - 1] {
            let mut next = Vec::new();
            let mut rest = &current[..];
            while let [x, tail @ ..] = rest {
                if x % 2 == 0 && tail.first() == Some(&(x + 1)) {
                    rest = &tail[1..];
                } else {
                    let sibling = usize::try_from(x ^ 1).expect("a position is an index");
                    emitted.push(layer[sibling]);
                    rest = tail;
                }
                next.push(x >> 1);
            }
            current = next;
        }
        emitted
    }
}

/// The root of a tree with `2^height` leaves, from some of the leaves, with their ascending positions, and the siblings as
/// they are asked for.
///
/// # Errors
///
/// Whatever `next_sibling` fails with.
///
/// # Panics
///
/// Panics if there is no leaf.
pub fn recomputed_root<N: Large>(
    height: u8,
    leaves: Vec<(u64, Digest)>,
    mut next_sibling: impl FnMut() -> Result<Digest, Error>,
) -> Result<Digest, Error> {
    let mut current = leaves;
    for _ in 0..height {
        let mut next = Vec::new();
        let mut rest = &current[..];
        while let [(x, hash), tail @ ..] = rest {
            let parent = match tail.first() {
                Some((y, right)) if x % 2 == 0 && *y == x + 1 => {
                    rest = &tail[1..];
                    hash_node::<N>(hash, right)
                }
                _ => {
                    rest = tail;
                    let sibling = next_sibling()?;
                    if x % 2 == 0 { hash_node::<N>(hash, &sibling) } else { hash_node::<N>(&sibling, hash) }
                }
            };
            next.push((x >> 1, parent));
        }
        current = next;
    }
    Ok(current[0].1)
}
