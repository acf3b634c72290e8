//! Commitments to polynomials that are not in memory: the same root, from a source that is read several times.
//!
//! The codeword is made and hashed a *block* of 2^(d - t) rows at a time. The layers of the transform above a block are
//! linear, so the block begins as the sum over the 2^t parts of the message, in their order, of part a times the product
//! of h_(d - t + j), at the block's first point, over the bits j of a. What is left are the layers of a smaller transform,
//! on the coset that the block is of its code. A block takes one walk over the polynomial, and there are 2^(r + t) blocks.
#![forbid(unsafe_code)]

use super::commitment::CommitmentOf;
use super::error::{Error, StreamError};
use super::matrix::{Code, Matrix};
use super::parallel;
use super::preset::PresetOf;
use super::rounds;
use super::shape::{Level, Shape};
use super::statement;
use super::terms::equal;
use crate::binary::vectors;
use crate::binary::{BinaryField, ChallengeField, Gf32, gf32s};
use crate::codes::{self, Basis, Encoder};
use alloc::boxed::Box;
use alloc::vec;
use phalanx_core::memory::UninitBuf;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Job, Pool};

/// Words that are asked for at a time, at most.
const WORDS_AT_A_TIME: u64 = 1 << 20;

/// Words that one job multiplies and adds.
const WORDS_OF_A_JOB: usize = 1 << 13;

/// log2 of the rows of the smallest block: fewer are not worth a walk.
const LOG2_LEAST_ROWS: u8 = 10;

/// What is held beside blocks and nodes, at most: words that were read, what threads work on, and the code.
const OTHER_BYTES: u64 = 24 << 20;

/// Fills words, the first of which has the number that is given.
pub(crate) type Read<'r, R> = dyn FnMut(u64, &mut [u32]) -> Result<(), R> + 'r;

/// Commits to the polynomial of 2^`variables` words that `read` gives, holding `memory` bytes at most.
pub(crate) fn commit<P: PresetOf, R>(
    pool: &dyn Pool,
    preset: P,
    variables: u8,
    memory: u64,
    read: &mut Read<'_, R>,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<CommitmentOf<P>, StreamError<R>> {
    let words = 1_usize.checked_shl(variables.into());
    let unregistered = Error::PolynomialLength { got: words.unwrap_or(usize::MAX) };
    let shape = preset.shape(variables).ok_or(StreamError::Refused(unregistered))?;
    let first = shape.levels()[0];
    let log2_blocks = log2_blocks(&first, memory).map_err(StreamError::Refused)?;
    let mut stream = Stream { words: 1 << variables, read };
    let names = preset.names();
    let code = rounds::code(names.hashing, first);
    let isa = Isa::current();
    let root = stream.root(pool, isa, code, log2_blocks, progress).map_err(StreamError::Read)?;
    let sample = if P::SAMPLES {
        let point = statement::sample_point(names.hashing, names.sums, &shape, &root);
        Some(stream.evaluate(pool, isa, &first, &point).map_err(StreamError::Read)?)
    } else {
        None
    };
    Ok(CommitmentOf::of(preset, variables, root, sample))
}

/// What is held at most where a coset has 2^`log2_blocks` blocks: two blocks, of which one is what the other is encoded from,
/// with a 32nd for lists of what lies where in them; the kept nodes of the tree; and the rest.
fn held_bytes(level: &Level, log2_blocks: u8) -> u64 {
    let block = 4_u64 << (level.log2_message + level.log2_columns - log2_blocks);
    let rows = 1_u64 << level.log2_rows();
    2 * block + block / 16 + 4 * rows + OTHER_BYTES
}

/// t, the least for which that is not more than `memory`.
fn log2_blocks(level: &Level, memory: u64) -> Result<u8, Error> {
    let most = level.log2_message.saturating_sub(LOG2_LEAST_ROWS);
    let fits = |log2_blocks: &u8| held_bytes(level, *log2_blocks) <= memory;
    (0..=most)
        .find(fits)
        .ok_or_else(|| Error::StreamingMemory { got: memory, wanted: held_bytes(level, most) })
}

impl Shape {
    /// Bytes that `commit_streamed` holds at most where it may hold many, and where it may hold few: with
    /// [`Error::StreamingMemory`] less than the second number is refused. With mu variables, 2^d rows and rate 2^-r they are
    /// 8.25 2^(mu - t) + 4 2^(d + r) + 24 MiB for t = 0 and t = d - 10; with each step of t the walks over the polynomial become
    /// twice as many, 2^(r + t) in all, or one for t = 0.
    #[must_use]
    pub fn streaming_memory_bytes(&self) -> (u64, u64) {
        let first = &self.levels()[0];
        let most = first.log2_message.saturating_sub(LOG2_LEAST_ROWS);
        (held_bytes(first, 0), held_bytes(first, most))
    }
}

/// A source of words, which is read from the first to the last, several times.
struct Stream<'s, R> {
    words: u64,
    read: &'s mut Read<'s, R>,
}

impl<R> Stream<'_, R> {
    /// Reads all words once, and gives `take` each piece and the number of its first word. All pieces are as long, a power of two,
    /// and at most `longest`.
    fn walk(&mut self, longest: u64, mut take: impl FnMut(u64, &[Gf32])) -> Result<(), R> {
        let len = self.words.min(longest).min(WORDS_AT_A_TIME);
        let mut words = vec![0; usize::try_from(len).expect("at most as many as are asked for")];
        let mut first = 0;
        while first < self.words {
            (self.read)(first, &mut words)?;
            take(first, gf32s(&words));
            first += len;
        }
        Ok(())
    }

    /// The root, with 2^`log2_blocks` blocks in a coset.
    fn root(
        &mut self,
        pool: &dyn Pool,
        isa: Isa,
        code: Code<Gf32>,
        log2_blocks: u8,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<[u8; 32], R> {
        let block = Code { log2_message: code.log2_message - usize::from(log2_blocks), ..code };
        Matrix::root_of_cosets(
            pool,
            isa,
            &block,
            |number, message| self.block(pool, isa, &block, log2_blocks, number, message),
            progress,
        )
    }

    /// What block `number` of the codeword is encoded from; `message` is what the one before was.
    fn block(
        &mut self,
        pool: &dyn Pool,
        isa: Isa,
        block: &Code<Gf32>,
        log2_blocks: u8,
        number: usize,
        message: &mut [Gf32],
    ) -> Result<(), R> {
        if log2_blocks == 0 && number > 0 {
            // All cosets are those of one message.
            return Ok(());
        }
        let part_len = message.len() as u64;
        let point = number << block.log2_message;
        self.walk(part_len, |first, words| {
            let (part, at) = (first / part_len, usize::try_from(first % part_len).expect("in a block"));
            let message = &mut message[at..][..words.len()];
            if part == 0 {
                return message.copy_from_slice(words);
            }
            let bits = (0..usize::from(log2_blocks)).filter(|j| part >> j & 1 == 1);
            let factors = bits.map(|j| block.basis.at(block.log2_message + j, point));
            let scale = factors.fold(Gf32::ONE, |product, factor| product * factor);
            add_multiple(pool, isa, message, scale, words);
        })
    }

    /// The value of the polynomial's multilinear extension at a point.
    fn evaluate<E: ChallengeField>(
        &mut self,
        pool: &dyn Pool,
        isa: Isa,
        level: &Level,
        point: &[E],
    ) -> Result<E, R> {
        let factors = equal(point);
        let (lower, upper) = factors.split_at(usize::from(level.log2_columns));
        let rows_of_a_piece = self.words.min(WORDS_AT_A_TIME) >> level.log2_columns;
        let (within, across) = upper.split_at(rows_of_a_piece.ilog2() as usize);
        let mut scales = vectors::tensor(isa, E::ONE, across).into_iter();
        let mut sums = vec![E::ZERO; level.columns()];
        self.walk(WORDS_AT_A_TIME, |_, words| {
            let part = parallel::combine_rows(pool, isa, words, level.columns(), within);
            let scale = scales.next().expect("one for every piece");
            vectors::add_products(isa, &mut sums, &part, &vec![scale; part.len()]);
        })?;
        Ok(vectors::inner(isa, &sums, &vectors::tensor(isa, E::ONE, lower)))
    }
}

/// Adds `scale` times `words` to `sum`: the first of two layers' results of a code of two rows whose twiddle is the scale, so that
/// the kernels of the transform do it.
fn add_multiple(pool: &dyn Pool, isa: Isa, sum: &mut [Gf32], scale: Gf32, words: &[Gf32]) {
    let basis = &Basis::of_twiddle(scale);
    let parts = sum.chunks_mut(WORDS_OF_A_JOB).zip(words.chunks(WORDS_OF_A_JOB));
    let jobs = parts.map(|(sum, words)| {
        Box::new(move || {
            let log2_columns = words.len().ilog2() as usize;
            let encoder = Encoder { isa, basis, log2_message: 1, log2_columns };
            let message = [&*sum, words].concat();
            let buffer = UninitBuf::new(message.len());
            let rows = codes::encode(
                &Inline,
                encoder,
                &message,
                &[],
                1,
                buffer,
                &mut [()],
                2,
                &|_, _: &mut [()]| (),
            );
            sum.copy_from_slice(&rows[..words.len()]);
        }) as Job<'_>
    });
    pool.run(jobs.collect());
}
