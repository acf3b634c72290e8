//! The bytes of a proof, as bincode 1.3 writes the crate's structures: little-endian, lengths and counts as `u64`, one
//! byte 1 before a root.
//!
//! Reading is strict: every length is the one that the configuration demands, except that the siblings are as many as
//! there are said to be and the bytes have room for, and nothing follows the end. The parts are borrowed; nothing is
//! copied.
#![forbid(unsafe_code)]

use super::config::Config;
use super::error::ProofError;
use alloc::vec::Vec;
use phalanx_core::Malformed;
use phalanx_core::bytes::Reader;

/// A proof's parts.
pub(super) struct Parts<'a> {
    /// The root of every level.
    pub(super) roots: Vec<&'a [u8; 32]>,
    /// The opened rows of every level.
    pub(super) openings: Vec<Opened<'a>>,
    /// The final vector.
    pub(super) last: &'a [[u8; 16]],
    /// The messages of the rounds after level 0.
    pub(super) rounds: &'a [[u8; 48]],
    /// The messages of level 0, if there are claims.
    pub(super) evaluation: &'a [[u8; 48]],
}

/// Opened rows and their siblings.
pub(super) struct Opened<'a> {
    rows: &'a [u8],
    row_len: usize,
    /// The nodes that complete the way to the root.
    pub(super) siblings: &'a [[u8; 32]],
}

impl<'a> Opened<'a> {
    /// The rows, in order.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.rows.chunks_exact(8 + self.row_len).map(|row| &row[8..])
    }
}

/// Cuts `proof` into its parts.
///
/// # Errors
/// [`ProofError::Encoding`].
pub(super) fn read<'a>(config: &Config, claims: bool, proof: &'a [u8]) -> Result<Parts<'a>, ProofError> {
    let mut proof = Proof(Reader::new(proof));
    let levels = config.levels().len();
    let last = config.last();
    let mut roots = Vec::with_capacity(levels);
    let mut openings = Vec::with_capacity(levels);
    roots.push(proof.root(0)?);
    openings.push(proof.opened(config, 0)?);
    proof.count(1, "roots", last)?;
    for level in 1..levels {
        roots.push(proof.root(level)?);
    }
    proof.count(1, "openings", last - 1)?;
    for level in 1..last {
        openings.push(proof.opened(config, level)?);
    }
    let message = proof.list(last, "elements of the final vector", 1 << config.log2_final())?;
    openings.push(proof.opened(config, last)?);
    let rounds = proof.list(1, "rounds", config.rounds())?;
    let evaluation_rounds = if claims { usize::from(config.first().log2_columns) } else { 0 };
    let evaluation = proof.list(0, "evaluation rounds", evaluation_rounds)?;
    proof.0.finish().map_err(|malformed| error(last, malformed))?;
    Ok(Parts { roots, openings, last: message, rounds, evaluation })
}

fn error(level: usize, malformed: Malformed) -> ProofError {
    ProofError::Encoding { level: u8::try_from(level).expect("at most 16 levels"), malformed }
}

/// What is left to read.
struct Proof<'a>(Reader<'a>);

impl<'a> Proof<'a> {
    /// A count, which can only be `wanted`.
    fn count(&mut self, level: usize, what: &'static str, wanted: usize) -> Result<(), ProofError> {
        let got = self.0.u64_le(what).map_err(|malformed| error(level, malformed))?;
        Malformed::unless_equal(what, got, wanted as u64).map_err(|malformed| error(level, malformed))
    }

    /// `count` items of `N` bytes, after their count.
    fn list<const N: usize>(
        &mut self,
        level: usize,
        what: &'static str,
        count: usize,
    ) -> Result<&'a [[u8; N]], ProofError> {
        self.count(level, what, count)?;
        self.items(level, what, count as u64)
    }

    fn items<const N: usize>(
        &mut self,
        level: usize,
        what: &'static str,
        count: u64,
    ) -> Result<&'a [[u8; N]], ProofError> {
        let bytes =
            self.0.take(what, count.saturating_mul(N as u64)).map_err(|malformed| error(level, malformed))?;
        Ok(bytes.as_chunks().0)
    }

    /// A root, which is there.
    fn root(&mut self, level: usize) -> Result<&'a [u8; 32], ProofError> {
        let read = |proof: &mut Reader<'a>| {
            let [tag] = *proof.array("tag of a root")?;
            Malformed::unless_equal("tag of a root", tag.into(), 1)?;
            proof.array("root")
        };
        read(&mut self.0).map_err(|malformed| error(level, malformed))
    }

    /// The rows of a level and their siblings.
    fn opened(&mut self, config: &Config, level: usize) -> Result<Opened<'a>, ProofError> {
        let (queries, row_len) = (config.queries(level), config.row_len_bytes(level));
        let columns = 1u64 << config.levels()[level].log2_columns;
        self.count(level, "opened rows", queries)?;
        let rows = self.0.take("opened rows", (queries * (8 + row_len)) as u64);
        let rows = rows.map_err(|malformed| error(level, malformed))?;
        for row in rows.chunks_exact(8 + row_len) {
            let len = u64::from_le_bytes(*row.first_chunk().expect("eight bytes and the row"));
            Malformed::unless_equal("elements of a row", len, columns)
                .map_err(|malformed| error(level, malformed))?;
        }
        let count = self.0.u64_le("siblings").map_err(|malformed| error(level, malformed))?;
        // How many there have to be follows from the queries, which are not drawn yet.
        Ok(Opened { rows, row_len, siblings: self.items(level, "siblings", count)? })
    }
}

/// A count or a length.
pub(super) fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend((count as u64).to_le_bytes());
}

/// A root.
pub(super) fn put_root(out: &mut Vec<u8>, root: &[u8; 32]) {
    out.push(1);
    out.extend(root);
}
