//! Compressions with public and hidden slots, suites `phalanx-compressions-v1-provable100` and `…-provable128`: the stage M0
//! of spec section 7.4; and the same of SHA-256, suites `phalanx-sha256-compressions-v1-provable100` and `…-provable128`
//! (section 8 of docs/aggregate.md). All is as for aggregates, but for the statement, its rules, and four strings.

mod function;

use super::prove::Outer;
use super::verify::claims_from;
use super::{Error, Rule, Suite, Witness, begin_of, compress, outer_from};
use crate::ligerito::{Accepted, Commitment, Transcript, commit, registered, verify as verify_opening};
pub use function::{Function, constants};

/// Which slots of a compression are public, and what is in them.
pub type Public = Vec<Option<[u8; 16]>>;

/// What compressions are like.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Of which function.
    pub function: Function,
    /// Of each its public slots.
    pub blocks: Vec<Public>,
}

impl Statement {
    /// Its bytes: `le32(K)`, then for each block a mask of 16 bits, and 16 bytes for every bit of it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = u32::try_from(self.blocks.len()).expect("32 bits").to_le_bytes().to_vec();
        for block in &self.blocks {
            let bits = block.iter().enumerate().map(|(slot, value)| u16::from(value.is_some()) << slot);
            bytes.extend(bits.sum::<u16>().to_le_bytes());
            bytes.extend(block.iter().flatten().flatten());
        }
        bytes
    }

    /// From its bytes, checked in reading order.
    ///
    /// # Errors
    ///
    /// The first rule that is broken.
    pub fn from_bytes(function: Function, bytes: &[u8]) -> Result<Statement, Error> {
        let (count, mut rest) = bytes.split_first_chunk().ok_or(Error::StatementLength)?;
        let count = u32::from_le_bytes(*count) as usize;
        if count == 0 {
            return Err(Error::NoBlocks);
        }
        if count > function.most {
            return Err(Error::TooManyBlocks);
        }
        let mut blocks = Vec::new();
        for block in 0..count {
            let (mask, after) = rest.split_first_chunk().ok_or(Error::StatementLength)?;
            let mask = u16::from_le_bytes(*mask);
            if mask >> function.public_slots != 0 {
                return Err(Error::UnknownSlot { block });
            }
            rest = after;
            let mut public = vec![None; function.public_slots];
            for (slot, value) in public.iter_mut().enumerate() {
                if mask >> slot & 1 == 1 {
                    let (bytes, after) = rest.split_first_chunk().ok_or(Error::StatementLength)?;
                    *value = Some(*bytes);
                    rest = after;
                }
            }
            blocks.push(public);
        }
        if rest.is_empty() { Ok(Statement { function, blocks }) } else { Err(Error::StatementLength) }
    }

    /// log2 of the number of blocks: the smallest `n >= 1` with `2^n >= K`.
    pub fn log2_blocks(&self) -> usize {
        self.blocks.len().next_power_of_two().trailing_zeros().max(1) as usize
    }

    /// The rules of every slot of every block, the padding's among them.
    pub fn rules(&self) -> Vec<Rule> {
        let slots = self.function.circuit.slots();
        let mut rules = vec![Rule::Free; slots << self.log2_blocks()];
        for (rules, public) in rules.chunks_mut(slots).zip(&self.blocks) {
            for (rule, value) in rules.iter_mut().zip(public) {
                *rule = value.map_or(Rule::Free, |value| Rule::Public(self.function.reordered(value)));
            }
            for (slot, bytes) in &self.function.constants {
                rules[*slot] = Rule::Public(*bytes);
            }
        }
        rules
    }

    /// The suite string over a field.
    pub fn suite<N: Suite>(&self) -> &'static str {
        match N::PROFILE {
            1 => self.function.suites[0],
            _ => self.function.suites[1],
        }
    }

    /// Variables of the committed polynomial.
    fn variables(&self) -> u8 {
        u8::try_from(self.function.circuit.log2_bits - 5 + self.log2_blocks()).expect("at most 30")
    }

    /// The transcript up to the first challenge: that of aggregates, without randomizers.
    pub fn begin<N: Suite>(&self, ctx: &[u8], root: &[u8; 32]) -> Transcript<N> {
        begin_of(
            &self.function.circuit,
            self.suite::<N>(),
            self.log2_blocks(),
            &self.to_bytes(),
            &[],
            ctx,
            root,
        )
    }

    /// All words of the compressions of these inputs, constants left out, and of the padding.
    pub fn words(&self, inputs: &[impl AsRef<[u32]>]) -> Vec<u32> {
        let Function { circuit, .. } = &self.function;
        let of_block = |given: &[u32]| compress(circuit, &self.function.inputs(given));
        let mut words: Vec<u32> = inputs.iter().flat_map(|given| of_block(given.as_ref())).collect();
        words.resize(circuit.words() << self.log2_blocks(), 0);
        words
    }

    /// The proof without its opening, for any words and any root.
    pub fn outer<N: Suite>(&self, words: Vec<u32>, ctx: &[u8], root: &[u8; 32]) -> Outer<N> {
        let Function { circuit, opening, .. } = &self.function;
        let witness = Witness::of(circuit, words);
        outer_from(circuit, self.begin(ctx, root), opening, &self.rules(), &witness, |_, _, _| ())
    }
}

/// The proof that compressions of these inputs have the statement's public slots, which is not looked at.
///
/// # Errors
///
/// `Opening` if there are more than can be committed to.
pub fn prove<N: Suite>(
    statement: &Statement,
    inputs: &[impl AsRef<[u32]>],
    ctx: &[u8],
) -> Result<Vec<u8>, Error> {
    let words = statement.words(inputs);
    let shape = registered::<N>(N::PROFILE, statement.variables()).expect("10 to 30 variables");
    let committed = commit(&shape, &words).map_err(Error::Opening)?;
    let outer = statement.outer::<N>(words.clone(), ctx, &committed.root());
    let opened = committed.open(&outer.points, &outer.context).map_err(Error::Opening)?;
    Ok([&statement.function.magic[..], &[N::PROFILE], &committed.root(), &outer.bytes, &opened.proof]
        .concat())
}

/// Verifies, with at most `limit` compressions.
///
/// # Errors
///
/// The first check that fails.
pub fn verify<N: Suite>(limit: usize, statement: &Statement, ctx: &[u8], proof: &[u8]) -> Result<(), Error> {
    if statement.blocks.len() > limit {
        return Err(Error::TooManyBlocks);
    }
    if proof.len() < 5 {
        return Err(Error::Length);
    }
    if !proof.starts_with(statement.function.magic) || proof[4] != N::PROFILE {
        return Err(Error::UnacceptedProfile);
    }
    let n = statement.log2_blocks();
    let (mu, Function { circuit, opening, .. }) = (statement.variables(), &statement.function);
    let shape = registered::<N>(N::PROFILE, mu).expect("10 to 30 variables");
    let elements = 98 + 4 * circuit.log2_bits + 2 * circuit.log2_slots + 4 * n;
    let fixed = 37 + elements * N::FIELD.bytes();
    if proof.len() <= fixed || proof.len() as u64 > fixed as u64 + shape.max_len() {
        return Err(Error::Length);
    }
    let root: [u8; 32] = proof[5..37].try_into().expect("32 bytes");
    let (outer, opened) = proof[37..].split_at(fixed - 37);
    let transcript = statement.begin(ctx, &root);
    let (claims, context) = claims_from::<N>(circuit, transcript, opening, &statement.rules(), outer)?;
    let accepted = Accepted::Exactly { profile: N::PROFILE, mu };
    let commitment = Commitment { profile: N::PROFILE, mu, root };
    verify_opening(&accepted, &commitment, &claims, opened, &context).map(|_| ()).map_err(Error::Opening)
}
