//! How the commitments of a statement lie beside each other: matrices under one code are one matrix whose columns lie in several
//! trees, and what is folded of different codes lies end to end (docs/ligerito.md, section 17). One commitment is the whole.
#![forbid(unsafe_code)]

use crate::batches;
use crate::binary::vectors::Factor;
use crate::binary::{BinaryField, Gf32};
use crate::shape::{Level, Shape, siblings_of};
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

/// Most commitments of one proof.
pub const MAX_COMMITMENTS: usize = 256;

/// No shape has more rows or columns: d + r and k, as powers of two.
const MAX_LOG2: u8 = 32;

/// A commitment among those under its code.
pub(super) struct Member {
    /// Its number in the statement.
    pub(super) commitment: usize,
    /// k: it has 2^k columns.
    pub(super) log2_columns: u8,
    /// Where they begin.
    pub(super) first_column: usize,
}

/// Commitments under one code, in the order of the statement.
pub(super) struct Group {
    /// The code and the queries: the number of columns is that of one of them.
    pub(super) level: Level,
    pub(super) members: Vec<Member>,
    /// Where the folded vector lies among those of all groups.
    pub(super) first_row: usize,
}

/// All of it.
pub(super) struct Layout {
    /// kappa: the columns of the widest group.
    pub(super) log2_columns: u8,
    /// D: the folded vectors, end to end.
    pub(super) log2_rows: u8,
    /// Rows of all groups: what follows up to 2^D are zeros.
    pub(super) rows: usize,
    pub(super) groups: Vec<Group>,
    /// The levels after that of the commitments.
    pub(super) later: Cow<'static, [Level]>,
    /// Work before the commitments are opened, in bits.
    pub(super) grinding_bits: u8,
    challenge_len_bytes: usize,
    pub(super) samples: bool,
}

impl Layout {
    /// That of a single commitment.
    pub(super) fn of(shape: &Shape) -> Self {
        let (first, later) = shape.levels().split_first().expect("a shape has at least one level");
        let layout = Self::new(&[shape], |level| Some(level.queries), |_| Some(later.to_vec().into()));
        Self { grinding_bits: first.grinding_bits, ..layout.expect("a shape fits itself") }
    }

    /// That of one or several commitments of registered shapes and this profile, if the suite takes them together.
    pub(super) fn registered(profile: u8, shapes: &[&Shape]) -> Option<Self> {
        if let [only] = shapes {
            return Some(Self::of(only));
        }
        let table = batches::table(profile)?;
        let layout = Self::new(shapes, |level| table.queries(level), |rows| table.later(rows))?;
        let points = layout.groups.iter().map(|group| 1_u64 << group.level.log2_rows()).sum();
        table.takes(layout.log2_columns, points).then_some(layout)
    }

    /// With what `queries` says of the code of a group, and `later` of D.
    pub(super) fn new(
        shapes: &[&Shape],
        queries: impl Fn(&Level) -> Option<u16>,
        later: impl FnOnce(u8) -> Option<Cow<'static, [Level]>>,
    ) -> Option<Self> {
        if !(1..=MAX_COMMITMENTS).contains(&shapes.len()) {
            return None;
        }
        let first: Vec<Level> = shapes.iter().map(|shape| shape.levels()[0]).collect();
        let (mut groups, mut columns, mut rows) = (Vec::new(), 1, 0);
        // Sorting would be a tenth of a small verifier's code.
        for code in codes() {
            let own = |level: &&Level| (level.log2_message, level.log2_inverse_rate) == code;
            let Some(mut level) = first.iter().find(own).copied() else { continue };
            level.queries = queries(&level)?;
            let members = first.iter().enumerate().filter(|(_, level)| own(level));
            let mut members: Vec<_> = members
                .map(|(commitment, level)| Member {
                    commitment,
                    log2_columns: level.log2_columns,
                    first_column: 0,
                })
                .collect();
            let mut next = 0;
            for log2_columns in (0..=MAX_LOG2).rev() {
                for member in members.iter_mut().filter(|member| member.log2_columns == log2_columns) {
                    member.first_column = next;
                    next += 1 << log2_columns;
                }
            }
            groups.push(Group { level, members, first_row: rows });
            columns = columns.max(next);
            rows += level.message_len();
        }
        let log2 = |x: usize| u8::try_from(x.next_power_of_two().ilog2()).expect("below 64");
        Some(Self {
            log2_columns: log2(columns),
            log2_rows: log2(rows),
            rows,
            groups,
            later: later(log2(rows))?,
            grinding_bits: 0,
            challenge_len_bytes: shapes[0].challenge_len_bytes(),
            samples: shapes[0].has_samples(),
        })
    }

    /// Variables of the whole.
    pub(super) fn variables(&self) -> usize {
        usize::from(self.log2_columns) + usize::from(self.log2_rows)
    }

    /// log2 of the final vector, with the zeros that are not sent.
    pub(super) fn log2_final(&self) -> u8 {
        self.later.last().map_or(self.log2_rows, |level| level.log2_message)
    }

    /// Elements of the final vector that are sent.
    pub(super) fn final_len(&self) -> usize {
        self.later.last().map_or(self.rows, |level| level.message_len())
    }

    /// The factors that say which of the folded vectors is the group's: those of all bits above its own rows.
    pub(super) fn rows_of<E: BinaryField>(&self, group: &Group) -> impl Iterator<Item = Factor<E>> {
        let first = group.first_row;
        (group.level.log2_message..self.log2_rows).map(move |bit| is(first >> bit & 1))
    }

    /// Every commitment's place, by number.
    pub(super) fn places(&self) -> Vec<Place<'_>> {
        let count = self.groups.iter().map(|group| group.members.len()).sum();
        let mut all: Vec<Option<Place<'_>>> = (0..count).map(|_| None).collect();
        for group in &self.groups {
            group
                .members
                .iter()
                .for_each(|member| all[member.commitment] = Some(Place { layout: self, group, member }));
        }
        all.into_iter().map(|place| place.expect("every number once")).collect()
    }

    /// What the transcript absorbs: kappa, how many levels follow; d, r, Q of every group; d, k, r, Q, g of every later level; g
    /// of the first.
    pub(super) fn params(&self) -> Vec<u8> {
        let later = u8::try_from(self.later.len()).expect("at most 16 levels");
        let mut bytes = vec![self.log2_columns, later];
        for Group { level, .. } in &self.groups {
            bytes.extend([level.log2_message, level.log2_inverse_rate]);
            bytes.extend(level.queries.to_le_bytes());
        }
        for level in &*self.later {
            bytes.extend([level.log2_message, level.log2_columns, level.log2_inverse_rate]);
            bytes.extend(level.queries.to_le_bytes());
            bytes.push(level.grinding_bits);
        }
        bytes.push(self.grinding_bits);
        bytes
    }

    /// Length of the longest proof, in bytes. `closing` says whether there are rounds after the final vector.
    pub(super) fn max_proof_len_bytes(&self, closing: bool) -> usize {
        let element = self.challenge_len_bytes;
        let nonce = |bits| if bits > 0 { 8 } else { 0 };
        let last = if closing { self.log2_final() } else { 0 };
        let mut sum = 2 * element * usize::from(self.log2_columns + last);
        sum += element * self.final_len() + nonce(self.grinding_bits);
        for Place { group, member, .. } in self.places() {
            let row = Gf32::LEN_BYTES << member.log2_columns;
            sum += usize::from(group.level.queries) * row + 32 * siblings_of(group.level);
        }
        for level in &*self.later {
            sum += 32 + if self.samples { element } else { 0 };
            sum += 2 * element * usize::from(level.log2_columns) + nonce(level.grinding_bits);
            sum += usize::from(level.queries) * level.columns() * element + 32 * siblings_of(*level);
        }
        sum
    }
}

/// A commitment in the whole.
pub(super) struct Place<'l> {
    layout: &'l Layout,
    pub(super) group: &'l Group,
    member: &'l Member,
}

impl Place<'_> {
    /// The weight of the commitment whose factors are given as one of the whole: further factors say which columns and rows are
    /// the commitment's.
    pub(super) fn factors<E: BinaryField>(&self, factors: &[Factor<E>]) -> Vec<Factor<E>> {
        let (lower, upper) = factors.split_at(usize::from(self.member.log2_columns));
        let mut placed = lower.to_vec();
        placed.extend(self.columns());
        placed.extend_from_slice(upper);
        placed.extend(self.layout.rows_of(self.group));
        placed
    }

    /// The commitment's own coordinates of a point of the whole, and the product of the further factors at the others.
    pub(super) fn coordinates<E: BinaryField>(&self, point: &[E]) -> (Vec<E>, E) {
        let (columns, rows) = point.split_at(self.layout.log2_columns.into());
        let (own_columns, other_columns) = columns.split_at(self.member.log2_columns.into());
        let (own_rows, other_rows) = rows.split_at(self.group.level.log2_message.into());
        let further =
            self.columns::<E>().zip(other_columns).chain(self.layout.rows_of(self.group).zip(other_rows));
        let mut product = E::ONE;
        for (factor, coordinate) in further {
            if let Factor::Pair(zero, one) = factor {
                product *= zero + *coordinate * (zero + one);
            }
        }
        ([own_columns, own_rows].concat(), product)
    }

    /// The factors that say which of its group's columns are the commitment's.
    fn columns<E: BinaryField>(&self) -> impl Iterator<Item = Factor<E>> {
        let (member, all) = (self.member, self.layout.log2_columns);
        (member.log2_columns..all).map(move |bit| is(member.first_column >> bit & 1))
    }
}

impl Shape {
    /// Length of the longest proof, in bytes. Proofs differ in length, since neighbouring queries share nodes of the
    /// tree.
    #[must_use]
    pub fn max_proof_len_bytes(&self) -> usize {
        Layout::of(self).max_proof_len_bytes(false)
    }
}

/// d and r of all codes, in the order of groups.
fn codes() -> impl Iterator<Item = (u8, u8)> {
    (0..=MAX_LOG2).rev().flat_map(|log2_message| (0..=MAX_LOG2).map(move |rate| (log2_message, rate)))
}

/// The factor of a coordinate that is `bit`.
fn is<E: BinaryField>(bit: usize) -> Factor<E> {
    if bit == 0 { Factor::Pair(E::ONE, E::ZERO) } else { Factor::Pair(E::ZERO, E::ONE) }
}
