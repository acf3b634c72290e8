//! What the slots of blocks have to be: free, public, or equal to another slot; and the claim that these rules are
//! (docs/aggregate.md, section 3.3).
#![forbid(unsafe_code)]

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use phalanx_core::simd::Isa;
use phalanx_ligerito::parts::Field;

/// Bytes of a slot.
pub(crate) const SLOT_LEN: usize = 16;

/// What a slot has to be. A slot without a rule is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// These bytes.
    Public([u8; SLOT_LEN]),
    /// What stands in that slot of that block.
    Link {
        /// The slot.
        slot: usize,
        /// The block.
        block: usize,
    },
}

/// A statement as rules.
pub(crate) trait Wiring: Sync {
    /// Of how many units it is.
    fn units(&self) -> usize;

    /// Blocks of a unit. Links lead to blocks of their own unit.
    fn blocks_of_a_unit(&self) -> usize;

    /// Calls `visit(block, slot, rule)` for every rule of some units, blocks in order.
    fn rules_of(&self, units: Range<usize>, visit: &mut dyn FnMut(usize, usize, Rule));

    /// Of all.
    fn rules(&self, visit: &mut dyn FnMut(usize, usize, Rule)) {
        self.rules_of(0..self.units(), visit);
    }
}

/// Public slots, extended at tau.
pub(crate) struct Extension<E> {
    /// For every byte of a slot what its 256 values are worth.
    tables: Vec<[E; 256]>,
}

impl<E: Field> Extension<E> {
    /// For the seven coordinates of `tau`.
    pub(crate) fn new(isa: Isa, tau: &[E]) -> Self {
        let bits = E::equal(isa, E::ONE, tau);
        let table = |bits: &[E]| {
            let mut table = [E::ZERO; 256];
            for (bit, weight) in bits.iter().enumerate() {
                for value in 0..1 << bit {
                    table[value | 1 << bit] = table[value] + *weight;
                }
            }
            table
        };
        Self { tables: bits.chunks(8).map(table).collect() }
    }

    /// k~ of a slot's bytes.
    pub(crate) fn at(&self, bytes: &[u8; SLOT_LEN]) -> E {
        let terms = self.tables.iter().zip(bytes).map(|(table, byte)| table[usize::from(*byte)]);
        terms.fold(E::ZERO, |sum, term| sum + term)
    }
}

/// S: what the public slots add up to, L(s, t) = l_s l_t their weights.
///
/// Where a slot has the same bytes in one block after the other, their weights are added up first.
pub(crate) fn public_sum<E: Field>(
    isa: Isa,
    wiring: &(impl Wiring + ?Sized),
    extension: &Extension<E>,
    of_slots: &[E],
    of_blocks: &[E],
) -> E {
    let mut sums: Vec<Products<E>> = of_slots.iter().map(|_| Products::new()).collect();
    let mut runs = vec![([0; SLOT_LEN], E::ZERO); of_slots.len()];
    wiring.rules(&mut |block, slot, rule| {
        if let Rule::Public(bytes) = rule {
            let (of_run, weight) = &mut runs[slot];
            if *of_run != bytes {
                sums[slot].add(isa, *weight, extension.at(of_run));
                (*of_run, *weight) = (bytes, E::ZERO);
            }
            *weight += of_blocks[block];
        }
    });
    let mut sum = E::ZERO;
    for ((mut products, (bytes, weight)), of_slot) in sums.into_iter().zip(runs).zip(of_slots) {
        products.add(isa, weight, extension.at(&bytes));
        sum += products.sum(isa) * *of_slot;
    }
    sum
}

/// The tensors of lambda and of the point that the sumcheck ended at, slots and blocks apart.
pub(crate) struct AtPoint<'a, E> {
    pub(crate) lambda_slots: &'a [E],
    pub(crate) lambda_blocks: &'a [E],
    pub(crate) point_slots: &'a [E],
    pub(crate) point_blocks: &'a [E],
}

/// W~: the weights of all rules at a point. A slot (s, t) with a rule adds l_s l_t at its own place, and, if it is a link
/// to (s', t'), the same at that place. Terms with the same slots are added up over blocks first.
pub(crate) fn weight_at<E: Field>(isa: Isa, wiring: &(impl Wiring + ?Sized), at: &AtPoint<'_, E>) -> E {
    let AtPoint { lambda_slots, lambda_blocks, point_slots, point_blocks } = at;
    // Blocks by the set of their slots that have a rule, of which there are a few; links by their two slots.
    let mut sets: Vec<(u32, Products<E>)> = Vec::new();
    let slots = lambda_slots.len();
    let mut links: Vec<Products<E>> = (0..slots * slots).map(|_| Products::new()).collect();
    let (mut current, mut set) = (0, 0);
    let mut close = |block: usize, set: u32| {
        if set != 0 {
            let known = sets.iter().position(|(known, _)| *known == set).unwrap_or(sets.len());
            if known == sets.len() {
                sets.push((set, Products::new()));
            }
            sets[known].1.add(isa, lambda_blocks[block], point_blocks[block]);
        }
    };
    wiring.rules(&mut |block, slot, rule| {
        if block != current {
            close(current, set);
            (current, set) = (block, 0);
        }
        set |= 1 << slot;
        if let Rule::Link { slot: to, block: of } = rule {
            links[slot * slots + to].add(isa, lambda_blocks[block], point_blocks[of]);
        }
    });
    close(current, set);
    let mut sum = E::ZERO;
    for (set, products) in &mut sets {
        let of_set = (0..slots).filter(|slot| *set >> slot & 1 == 1);
        let weight = of_set.fold(E::ZERO, |sum, slot| sum + lambda_slots[slot] * point_slots[slot]);
        sum += weight * products.sum(isa);
    }
    for (index, products) in links.iter_mut().enumerate() {
        sum += lambda_slots[index / slots] * point_slots[index % slots] * products.sum(isa);
    }
    sum
}

/// A sum of products, many at a time.
struct Products<E> {
    left: Vec<E>,
    right: Vec<E>,
    sum: E,
}

impl<E: Field> Products<E> {
    /// Products that are computed together.
    const TOGETHER: usize = 64;

    fn new() -> Self {
        Self { left: vec![], right: vec![], sum: E::ZERO }
    }

    fn add(&mut self, isa: Isa, left: E, right: E) {
        self.left.push(left);
        self.right.push(right);
        if self.left.len() == Self::TOGETHER {
            self.sum(isa);
        }
    }

    /// The sum of all products so far.
    fn sum(&mut self, isa: Isa) -> E {
        self.sum += E::inner(isa, &self.left, &self.right);
        self.left.clear();
        self.right.clear();
        self.sum
    }
}
