//! Many leaves of one tree opened together, without sending a node that can be computed.
//!
//! From the leaves upwards: where both children of a node are known, nothing is sent; where one is, its sibling is. The
//! order of the siblings follows from the positions, so they carry no labels and no count.
#![forbid(unsafe_code)]

use alloc::vec::Vec;

/// Calls `sibling(level, position)` for every node that the opening of `positions` sends, in its order. Level 0 are the
/// leaves of a tree of 2^`depth` of them; `positions` are ascending and distinct.
pub(crate) fn siblings(depth: u32, positions: &[usize], mut sibling: impl FnMut(u32, usize)) {
    let mut known = positions.to_vec();
    for level in 0..depth {
        let mut above = Vec::with_capacity(known.len());
        let mut rest = &known[..];
        while let [position, after @ ..] = rest {
            rest = match after {
                [next, after @ ..] if position % 2 == 0 && *next == position + 1 => after,
                _ => {
                    sibling(level, position ^ 1);
                    after
                }
            };
            above.push(position >> 1);
        }
        known = above;
    }
}

/// The root that `leaves`, standing at `positions`, and the siblings belong to. `sibling` hands out the next one, or
/// `None` when there are no more, and then the answer is `None`. `parents` hashes pairs of children, those of one level
/// together, to as many nodes.
///
/// # Panics
/// If there are no positions, or not as many leaves.
pub(crate) fn root_of<N: Copy>(
    depth: u32,
    positions: &[usize],
    leaves: Vec<N>,
    mut sibling: impl FnMut() -> Option<N>,
    parents: impl Fn(&[[N; 2]]) -> Vec<N>,
) -> Option<N> {
    assert!(!leaves.is_empty() && leaves.len() == positions.len(), "a leaf for every position");
    let mut known = positions.to_vec();
    let mut nodes = leaves;
    let mut pairs = Vec::with_capacity(nodes.len());
    for _ in 0..depth {
        pairs.clear();
        // A level is overwritten by the one above it: it is never longer.
        let mut read = 0;
        while read < known.len() {
            let (position, node) = (known[read], nodes[read]);
            let paired = position % 2 == 0 && known.get(read + 1) == Some(&(position + 1));
            known[pairs.len()] = position >> 1;
            pairs.push(if paired {
                [node, nodes[read + 1]]
            } else if position % 2 == 0 {
                [node, sibling()?]
            } else {
                [sibling()?, node]
            });
            read += 1 + usize::from(paired);
        }
        known.truncate(pairs.len());
        nodes = parents(&pairs);
    }
    Some(nodes[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node's name: level and position, checked by its parent.
    type Name = (u32, usize);

    fn parents(pairs: &[[Name; 2]]) -> Vec<Name> {
        let parent = |[left, right]: &[Name; 2]| {
            let siblings = left.0 == right.0 && left.1.is_multiple_of(2) && right.1 == left.1 + 1;
            assert!(siblings, "{left:?} {right:?}");
            (left.0 + 1, left.1 / 2)
        };
        pairs.iter().map(parent).collect()
    }

    #[test]
    fn every_set_of_positions_of_a_small_tree() {
        for set in 1u32..1 << 8 {
            let positions: Vec<usize> = (0..8).filter(|i| set >> i & 1 == 1).collect();
            let mut sent = Vec::new();
            siblings(3, &positions, |level, position| sent.push((level, position)));
            let leaves: Vec<Name> = positions.iter().map(|position| (0, *position)).collect();
            let mut given = sent.iter().copied();
            assert_eq!(root_of(3, &positions, leaves.clone(), || given.next(), parents), Some((3, 0)));
            assert_eq!(given.next(), None, "all of them are used");
            if let Some((_, fewer)) = sent.split_last() {
                let mut given = fewer.iter().copied();
                assert_eq!(root_of(3, &positions, leaves, || given.next(), parents), None);
            }
        }
    }

    #[test]
    fn a_tree_of_one_leaf() {
        assert_eq!(root_of(0, &[0], alloc::vec![(0, 0)], || None, parents), Some((0, 0)));
    }
}
