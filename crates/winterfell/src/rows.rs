//! The commitment to a matrix: its rows hashed in lanes, then the tree over them.

use crate::hashers::{PackedHasher, digest_to};
use crate::pool::POOL;
use crate::tree::PackedMerkleTree;
use alloc::boxed::Box;
use alloc::vec::Vec;
use phalanx_rescue::{Digest, Function, Job};
use winter_air::PartitionOptions;
use winter_crypto::VectorCommitment;
use winter_math::FieldElement;
use winter_math::fields::f64::BaseElement;
use winter_prover::matrix::RowMatrix;

/// Rows of one job: many times the lanes, and words of a row of eight that fill half of the nearest cache.
const ROWS: usize = 256;

/// The commitment to the rows of `matrix`: of each the digest, or with several partitions the digest of their digests.
pub(crate) fn commit<E: FieldElement<BaseField = BaseElement>, H: PackedHasher>(
    matrix: &RowMatrix<E>,
    options: PartitionOptions,
) -> PackedMerkleTree<H> {
    let partition = options.partition_size::<E>(matrix.num_cols());
    // Of one partition that is wider than the row, the digest is hashed once more.
    let is_whole = partition == matrix.num_cols();
    let mut digests = alloc::vec![H::Digest::default(); matrix.num_rows()];
    let hash = |first: usize, digests: &mut [H::Digest]| {
        let rows = (first..first + digests.len()).map(|row| matrix.row(row));
        let parts = hash_parts(H::FUNCTION, rows, partition);
        let hashed = if is_whole { parts } else { join(H::FUNCTION, &parts, digests.len()) };
        digests.iter_mut().zip(hashed).for_each(|(digest, hashed)| *digest = digest_to(hashed));
    };
    let hash = &hash;
    let jobs = digests.chunks_mut(ROWS).enumerate();
    POOL.run(jobs.map(|(i, part)| Box::new(move || hash(i * ROWS, part)) as Job<'_>).collect());
    PackedMerkleTree::new(digests).expect("an extended domain has a power of two of rows, two at least")
}

/// The digests of each row's parts, which have this many elements; the last of a row may have fewer.
fn hash_parts<'a, E: FieldElement<BaseField = BaseElement> + 'a>(
    function: Function,
    rows: impl Iterator<Item = &'a [E]>,
    partition: usize,
) -> Vec<Digest> {
    let (mut words, mut ends) = (Vec::new(), Vec::new());
    for part in rows.flat_map(|row| row.chunks(partition)) {
        words.extend(E::slice_as_base_elements(part).iter().map(BaseElement::as_int));
        ends.push(words.len());
    }
    let mut start = 0;
    let parts = ends.into_iter().map(|end| &words[core::mem::replace(&mut start, end)..end]);
    function.hash_elements_many(&parts.collect::<Vec<_>>())
}

/// For each of `rows` rows, the digest of the digests of its parts.
fn join(function: Function, parts: &[Digest], rows: usize) -> Vec<Digest> {
    let words: Vec<u64> = parts.iter().flat_map(|digest| digest.to_elements()).collect();
    function.hash_elements_many(&words.chunks_exact(words.len() / rows).collect::<Vec<_>>())
}
