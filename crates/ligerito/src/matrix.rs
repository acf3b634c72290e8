//! One level's commitment on the prover's side: the encoded matrix and the tree over its rows.
#![forbid(unsafe_code)]

use super::row_hash::RowHash;
use crate::codes::{self, Basis, Encoder, Transform};
use crate::hashes::blake3::Digest;
use crate::opening;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};
use phalanx_core::memory::{AlignedBuf, UninitBuf, zeros};
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Job, Pool, jobs_at_once};

/// Levels of the tree that are not kept: below them, 2^4 rows hang, and their nodes are computed again where one is
/// opened. With rows of 256 bytes the layers kept take 1.6 % of the matrix; all of them would take a quarter.
const LEVELS_LEFT_OUT: usize = 4;

/// Nodes of the lowest layer kept whose descendants' tree is one job, some 10 microseconds of work in lanes.
const NODES_OF_A_JOB: usize = 2048;

/// Nodes of the lowest kept layer whose rows one job hashes again, some 10 microseconds of work.
const GROUPS_OF_A_JOB: usize = 10;

/// A code for matrices: what a level encodes with.
pub(super) struct Code<F> {
    /// The domain.
    pub(super) basis: Basis<F>,
    /// A factor for every row of the message, or nothing.
    pub(super) scales: Vec<F>,
    /// d.
    pub(super) log2_message: usize,
    /// k.
    pub(super) log2_columns: usize,
    /// How rows and nodes are hashed.
    pub(super) hash: RowHash,
}

impl<F: Transform> Code<F> {
    fn log2_rows(&self) -> usize {
        self.basis.log2_points()
    }

    pub(super) fn columns(&self) -> usize {
        1 << self.log2_columns
    }

    /// Levels of the tree that hang below the lowest layer kept.
    fn lowest(&self) -> usize {
        LEVELS_LEFT_OUT.min(self.log2_message)
    }

    /// Memory for the rows of one coset.
    fn buffer(&self) -> UninitBuf<F> {
        UninitBuf::new(self.columns() << self.log2_message)
    }

    fn encoder(&self, isa: Isa) -> Encoder<'_, F> {
        let Self { basis, log2_message, log2_columns, .. } = self;
        Encoder { isa, basis, log2_message: *log2_message, log2_columns: *log2_columns }
    }

    /// Encodes on the cosets from `first` on that `buffer` has place for, and hashes the rows into `nodes`.
    #[expect(clippy::too_many_arguments, reason = "what comes in, where it goes, and who hears of it")]
    fn encode(
        &self,
        pool: &dyn Pool,
        isa: Isa,
        message: &[F],
        first: usize,
        buffer: UninitBuf<F>,
        nodes: &mut [Digest],
        progress: &(dyn Fn(usize) + Sync),
    ) -> AlignedBuf<F> {
        let lowest = self.lowest();
        let finish = |rows: &[F], nodes: &mut [Digest]| {
            self.hash.rows(isa, rows, self.columns(), lowest, nodes);
            progress(rows.len() >> self.log2_columns);
        };
        codes::encode(
            pool,
            self.encoder(isa),
            message,
            &self.scales,
            first,
            buffer,
            nodes,
            1 << lowest,
            &finish,
        )
    }
}

/// A committed matrix: its tree, and its rows or the message they can be encoded from again.
pub(super) struct Matrix<F> {
    rows: Rows<F>,
    /// Layers of nodes, from the lowest one kept to the root.
    layers: Vec<Vec<Digest>>,
}

enum Rows<F> {
    Kept(AlignedBuf<F>),
    Encodable(Vec<F>),
}

/// Opened rows, one after the other, and the siblings that lead from them to the root.
pub(super) struct Opened<F> {
    pub(super) rows: Vec<F>,
    pub(super) siblings: Vec<Digest>,
}

impl<F: Transform> Matrix<F> {
    /// Encodes `message`, a matrix of 2^d rows of 2^k elements, to 2^r times as many rows, keeps and hashes them.
    /// `progress` hears of rows done and rows in all.
    pub(super) fn commit(
        pool: &dyn Pool,
        isa: Isa,
        code: &Code<F>,
        message: &[F],
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Self {
        let buffer = UninitBuf::new(code.columns() << code.log2_rows());
        let mut nodes = vec![[0; 32]; 1 << (code.log2_rows() - code.lowest())];
        let done = AtomicUsize::new(0);
        let rows = code.encode(pool, isa, message, 0, buffer, &mut nodes, &|finished| {
            let before = done.fetch_add(finished, Ordering::Relaxed);
            progress((before + finished) as u64, 1 << code.log2_rows());
        });
        Self { rows: Rows::Kept(rows), layers: layers(pool, isa, code.hash, nodes) }
    }

    /// As [`commit`](Self::commit), but the rows are forgotten, coset after coset, once they are hashed, and the
    /// message is kept: opening encodes it again. This is how a level whose matrix is an eighth of the first one's, and
    /// which is opened once, does without the buffer, except for one coset on each thread.
    pub(super) fn commit_and_forget(pool: &dyn Pool, isa: Isa, code: &Code<F>, message: Vec<F>) -> Self {
        let mut nodes = vec![[0; 32]; 1 << (code.log2_rows() - code.lowest())];
        let mut cosets: Vec<_> =
            nodes.chunks_exact_mut(1 << (code.log2_message - code.lowest())).enumerate().collect();
        let cosets_of_a_job = cosets.len().div_ceil(jobs_at_once(pool));
        let jobs = cosets.chunks_mut(cosets_of_a_job).map(|cosets| {
            let message = &message;
            Box::new(move || {
                let mut buffer = code.buffer();
                for (coset, nodes) in cosets {
                    buffer = code.encode(&Inline, isa, message, *coset, buffer, nodes, &|_| ()).into_uninit();
                }
            }) as Job<'_>
        });
        pool.run(jobs.collect());
        Self { rows: Rows::Encodable(message), layers: layers(pool, isa, code.hash, nodes) }
    }

    /// The root of a codeword each of whose cosets is encoded from a message of its own, which `message` makes of the last one.
    /// Nothing is kept but the nodes, and what is held beside them is one message and one coset.
    pub(super) fn root_of_cosets<R>(
        pool: &dyn Pool,
        isa: Isa,
        code: &Code<F>,
        mut message: impl FnMut(usize, &mut [F]) -> Result<(), R>,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Digest, R> {
        let mut nodes = vec![[0; 32]; 1 << (code.log2_rows() - code.lowest())];
        let mut held = zeros(code.columns() << code.log2_message);
        let (mut buffer, done) = (code.buffer(), AtomicUsize::new(0));
        let cosets = nodes.chunks_exact_mut(1 << (code.log2_message - code.lowest()));
        for (coset, nodes) in cosets.enumerate() {
            message(coset, &mut held)?;
            buffer = code
                .encode(pool, isa, &held, coset, buffer, nodes, &|finished| {
                    let before = done.fetch_add(finished, Ordering::Relaxed);
                    progress((before + finished) as u64, 1 << code.log2_rows());
                })
                .into_uninit();
        }
        drop((held, buffer));
        let layers = layers(pool, isa, code.hash, nodes);
        Ok(layers.last().expect("at least the lowest layer")[0])
    }

    /// The message, of a matrix whose rows are forgotten.
    ///
    /// # Panics
    /// If they are kept.
    pub(super) fn message(&self) -> &[F] {
        match &self.rows {
            Rows::Kept(..) => panic!("a matrix keeps its rows or its message"),
            Rows::Encodable(message) => message,
        }
    }

    /// The root of the tree.
    pub(super) fn root(&self) -> Digest {
        self.layers.last().expect("at least the lowest layer")[0]
    }

    /// The rows at `positions`, ascending and distinct, and the siblings that lead from them to the root. `code` is the
    /// one that the matrix was committed with.
    pub(super) fn open(&self, pool: &dyn Pool, isa: Isa, code: &Code<F>, positions: &[usize]) -> Opened<F> {
        let groups: Vec<&[usize]> =
            positions.chunk_by(|a, b| a >> code.lowest() == b >> code.lowest()).collect();
        let pieces: Vec<&[&[usize]]> = match &self.rows {
            Rows::Kept(_) => groups.chunks(GROUPS_OF_A_JOB).collect(),
            Rows::Encodable(_) => {
                let coset = |group: &[usize]| group[0] >> code.log2_message;
                groups.chunk_by(|a, b| coset(a) == coset(b)).collect()
            }
        };
        let mut parts: Vec<Part<F>> = pieces.iter().map(|_| Part::default()).collect();
        let mut work: Vec<_> = pieces.into_iter().zip(&mut parts).collect();
        let work_of_a_job = match &self.rows {
            Rows::Kept(_) => 1,
            Rows::Encodable(_) => work.len().div_ceil(jobs_at_once(pool)).max(1),
        };
        let jobs = work.chunks_mut(work_of_a_job).map(|work| {
            Box::new(move || match &self.rows {
                Rows::Kept(rows) => {
                    work.iter_mut().for_each(|(groups, part)| part.take(isa, code, rows, 0, groups));
                }
                Rows::Encodable(message) => {
                    let mut buffer = code.buffer();
                    for (groups, part) in work {
                        buffer = part.take_encoded(isa, code, message, groups, buffer);
                    }
                }
            }) as Job<'_>
        });
        pool.run(jobs.collect());
        self.finish(code, positions, parts)
    }

    /// The siblings, from the parts that were computed again and the layers that were kept.
    fn finish(&self, code: &Code<F>, positions: &[usize], parts: Vec<Part<F>>) -> Opened<F> {
        let lowest = code.lowest();
        let mut rows = Vec::with_capacity(positions.len() << code.log2_columns);
        parts.iter().for_each(|part| rows.extend_from_slice(&part.rows));
        let groups: Vec<&Group> = parts.iter().flat_map(|part| &part.groups).collect();
        let depth = u32::try_from(code.log2_rows()).expect("at most 32");
        let mut siblings = Vec::new();
        opening::siblings(depth, positions, |height, position| {
            let height = height as usize;
            siblings.push(if height >= lowest {
                self.layers[height - lowest][position]
            } else {
                // A sibling below the lowest kept layer stands beside an ancestor of an opened row.
                let node = position >> (lowest - height);
                let found = groups.binary_search_by_key(&node, |group| group.node);
                let group = groups[found.expect("a group for every node with opened rows")];
                group.digests[Group::layer(lowest, height)][position - (node << (lowest - height))]
            });
        });
        Opened { rows, siblings }
    }
}

/// All layers from the lowest one up. The lower ones are made by a job per subtree, whose nodes stay in its cache.
fn layers(pool: &dyn Pool, isa: Isa, hash: RowHash, lowest: Vec<Digest>) -> Vec<Vec<Digest>> {
    let subtree = lowest.len().min(NODES_OF_A_JOB);
    let mut above: Vec<_> = (0..lowest.len().ilog2()).rev().map(|log2| vec![[0; 32]; 1 << log2]).collect();
    let (lower, upper) = above.split_at_mut(subtree.ilog2() as usize);
    let mut parts: Vec<_> =
        lower.iter_mut().zip(1..).map(|(layer, height)| layer.chunks_exact_mut(subtree >> height)).collect();
    let jobs = lowest.chunks_exact(subtree).map(|mut below| {
        let parts: Vec<_> =
            parts.iter_mut().map(|layer| layer.next().expect("a part for every subtree")).collect();
        Box::new(move || {
            for part in parts {
                hash.parents(isa, below, part);
                below = part;
            }
        }) as Job<'_>
    });
    pool.run(jobs.collect());
    if let Some(mut below) = lower.last() {
        for layer in upper {
            hash.parents(isa, below, layer);
            below = layer;
        }
    }
    let mut layers = vec![lowest];
    layers.append(&mut above);
    layers
}

/// Opened rows and what is around them.
struct Part<F> {
    groups: Vec<Group>,
    rows: Vec<F>,
}

/// What hangs below a node of the lowest kept layer that has opened rows below it.
struct Group {
    /// Its position.
    node: usize,
    /// The layers below it one after the other, leaves first.
    digests: [Digest; 2 << LEVELS_LEFT_OUT],
}

impl Group {
    /// Where the layer at this height lies, if `lowest` is the height of the node.
    fn layer(lowest: usize, height: usize) -> Range<usize> {
        let end = (2 << lowest) - (1 << (lowest - height));
        end - (1 << (lowest - height))..end
    }
}

impl<F> Default for Part<F> {
    fn default() -> Self {
        Self { groups: Vec::new(), rows: Vec::new() }
    }
}

impl<F: Transform> Part<F> {
    /// [`take`](Self::take) for groups of one coset of an encodable matrix: encodes again what is needed for them, in
    /// `buffer`, which is given back.
    fn take_encoded(
        &mut self,
        isa: Isa,
        code: &Code<F>,
        message: &[F],
        groups: &[&[usize]],
        buffer: UninitBuf<F>,
    ) -> UninitBuf<F> {
        let coset = groups[0][0] >> code.log2_message;
        let first = coset << code.log2_message;
        let wanted: Vec<usize> = groups.iter().map(|positions| positions[0] - first).collect();
        let rows_per_block = 1 << code.lowest();
        let encoder = code.encoder(isa);
        let rows = codes::encode_some(encoder, message, &code.scales, coset, &wanted, rows_per_block, buffer);
        self.take(isa, code, &rows, first, groups);
        rows.into_uninit()
    }

    /// Takes the rows at the positions of `groups`, each below one node of the lowest kept layer, from `rows`, which
    /// begin at position `first`, and hashes all that are below these nodes again.
    fn take(&mut self, isa: Isa, code: &Code<F>, rows: &[F], first: usize, groups: &[&[usize]]) {
        let lowest = code.lowest();
        let columns = code.columns();
        self.groups.reserve_exact(groups.len());
        self.rows.reserve_exact(groups.iter().map(|positions| positions.len()).sum::<usize>() * columns);
        for positions in groups {
            for position in *positions {
                self.rows.extend_from_slice(&rows[(position - first) * columns..][..columns]);
            }
            let node = positions[0] >> lowest;
            let below = &rows[((node << lowest) - first) * columns..][..columns << lowest];
            let mut digests = [[0; 32]; 2 << LEVELS_LEFT_OUT];
            code.hash.rows(isa, below, columns, 0, &mut digests[Group::layer(lowest, 0)]);
            for height in 1..lowest {
                let (layers, above) = digests.split_at_mut(Group::layer(lowest, height).start);
                let children = &layers[Group::layer(lowest, height - 1)];
                code.hash.parents(isa, children, &mut above[..1 << (lowest - height)]);
            }
            self.groups.push(Group { node, digests });
        }
    }
}
