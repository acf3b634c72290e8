//! Layers of nodes, built upwards, opened by position.
//!
//! A [`Subtree`] holds some consecutive levels of a full binary tree of `2^depth` leaves, and of each level only a
//! consecutive run of nodes. It knows nothing of hashing: the caller brings a function that computes parents, many at a
//! time, and, for sparse trees, one that makes padding nodes.

use alloc::vec::Vec;

/// Consecutive nodes of one level.
#[derive(Clone, PartialEq, Eq)]
pub struct Layer<N> {
    /// Position of the first node in its level.
    pub start: u64,
    /// The nodes.
    pub nodes: Vec<N>,
}

/// Consecutive levels of a tree.
#[derive(Clone, PartialEq, Eq)]
pub struct Subtree<N> {
    /// log2 of the number of leaves of the full tree.
    pub depth: u8,
    /// Level of the lowest layer; leaves are level 0.
    pub lowest: u8,
    /// The layers, lowest first; layer `i` holds nodes of level `lowest + i`.
    pub layers: Vec<Layer<N>>,
}

impl<N: Copy + Default> Subtree<N> {
    /// Builds `height` levels on top of `nodes`, which stand at positions `start..` of level `lowest`.
    ///
    /// `complete` is called on every layer, the lowest and the last included, before its parents are computed: it may
    /// put a node in front or at the back so that all nodes have siblings. `parents(level, first, children, out)` fills
    /// `out` with the nodes of `level` from position `first` on.
    ///
    /// # Panics
    /// If a layer with parents to come has an odd position in front or an odd length after `complete`.
    pub fn build(
        depth: u8,
        lowest: u8,
        height: u8,
        base: Layer<N>,
        mut complete: impl FnMut(&mut Layer<N>),
        mut parents: impl FnMut(u8, u64, &[N], &mut [N]),
    ) -> Self {
        let mut layers = Vec::with_capacity(usize::from(height) + 1);
        let mut layer = base;
        complete(&mut layer);
        for level in lowest + 1..=lowest + height {
            assert!(
                layer.start.is_multiple_of(2) && layer.nodes.len().is_multiple_of(2),
                "a layer is made of sibling pairs: completed above"
            );
            let mut nodes = alloc::vec![N::default(); layer.nodes.len() / 2];
            let start = layer.start / 2;
            parents(level, start, &layer.nodes, &mut nodes);
            layers.push(core::mem::replace(&mut layer, Layer { start, nodes }));
            complete(&mut layer);
        }
        layers.push(layer);
        Self { depth, lowest, layers }
    }

    /// The node of the highest layer that is an ancestor of everything: the first one.
    pub fn root(&self) -> N {
        let last = self.layers.last().expect("a subtree has at least one layer");
        last.nodes[0]
    }

    /// The siblings on the way from `position` in the lowest layer up to, and excluding, the last layer.
    ///
    /// `None` if the subtree does not hold one of them.
    pub fn path(&self, position: u64) -> Option<Vec<N>> {
        let below_root = self.layers.split_last()?.1;
        below_root
            .iter()
            .enumerate()
            .map(|(i, layer)| {
                let sibling = (position >> i) ^ 1;
                let index = usize::try_from(sibling.checked_sub(layer.start)?).ok()?;
                layer.nodes.get(index).copied()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A toy hash in which every node names its place: level * 1000 + position, checked against its children.
    fn parents(level: u8, first: u64, children: &[u64], out: &mut [u64]) {
        for (i, node) in out.iter_mut().enumerate() {
            let position = first + i as u64;
            let below = (u64::from(level) - 1) * 1000;
            for child in [0, 1] {
                let got = children[2 * i + child];
                assert!(
                    got == below + 2 * position + child as u64 || got == 9999,
                    "child of ({level}, {position})"
                );
            }
            *node = u64::from(level) * 1000 + position;
        }
    }

    /// Padding as in the specification: a front node if the start is odd, a back node if the end is even.
    fn pad(layer: &mut Layer<u64>) {
        if layer.start % 2 == 1 {
            layer.start -= 1;
            layer.nodes.insert(0, 9999);
        }
        if layer.nodes.len() % 2 == 1 {
            layer.nodes.push(9999);
        }
    }

    #[test]
    fn complete_tree_has_every_sibling() {
        let base = Layer { start: 8, nodes: (8..16).collect() };
        let tree = Subtree::build(4, 0, 3, base, |_| {}, parents);
        assert_eq!(tree.root(), 3001);
        assert_eq!(tree.path(13), Some(alloc::vec![12, 1007, 2002]));
        assert_eq!(tree.path(7), None, "outside");
        assert_eq!(tree.path(16), None, "outside");
    }

    #[test]
    fn sparse_tree_is_padded_on_every_level() {
        let base = Layer { start: 5, nodes: alloc::vec![5, 6, 7, 8] };
        let tree = Subtree::build(4, 0, 4, base, pad, parents);
        assert_eq!(tree.root(), 4000);
        let shape: Vec<_> = tree.layers.iter().map(|layer| (layer.start, layer.nodes.len())).collect();
        assert_eq!(shape, [(4, 6), (2, 4), (0, 4), (0, 2), (0, 2)]);
        assert_eq!(tree.path(5), Some(alloc::vec![9999, 1003, 9999, 3001]));
    }
}
