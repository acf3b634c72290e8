//! Compressions with public and hidden slots, suites `phalanx-compressions-v1-provable100` and `…-provable128`: the stage M0
//! of spec section 7.4. All is as for aggregates, but for the statement, its rules, and four strings.

use super::prove::Outer;
use super::verify::claims_from;
use super::{Error, Rule, SLOTS, Suite, Witness, begin_of, compress, outer_from};
use crate::ligerito::{Accepted, Commitment, Transcript, commit, registered, verify as verify_opening};

/// Slots that are inputs or outputs: 8 of a block's input, 2 of its output.
pub const PUBLIC_SLOTS: usize = 10;
/// The most compressions of a statement.
pub const MAX_BLOCKS: usize = 1 << 21;
/// What the context of an opening begins with.
pub const OPENING: &str = "phalanx-compressions-v1";

/// Which slots of a compression are public, and what is in them.
pub type Public = [Option<[u8; 16]>; PUBLIC_SLOTS];

/// The suite string over a field.
pub fn suite<N: Suite>() -> &'static str {
    match N::PROFILE {
        1 => "phalanx-compressions-v1-provable100",
        _ => "phalanx-compressions-v1-provable128",
    }
}

/// What compressions are like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
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
    pub fn from_bytes(bytes: &[u8]) -> Result<Statement, Error> {
        let (count, mut rest) = bytes.split_first_chunk().ok_or(Error::StatementLength)?;
        let count = u32::from_le_bytes(*count) as usize;
        if count == 0 {
            return Err(Error::NoBlocks);
        }
        if count > MAX_BLOCKS {
            return Err(Error::TooManyBlocks);
        }
        let mut blocks = Vec::new();
        for block in 0..count {
            let (mask, after) = rest.split_first_chunk().ok_or(Error::StatementLength)?;
            let mask = u16::from_le_bytes(*mask);
            if mask >> PUBLIC_SLOTS != 0 {
                return Err(Error::UnknownSlot { block });
            }
            rest = after;
            let mut public = [None; PUBLIC_SLOTS];
            for (slot, value) in public.iter_mut().enumerate() {
                if mask >> slot & 1 == 1 {
                    let (bytes, after) = rest.split_first_chunk().ok_or(Error::StatementLength)?;
                    *value = Some(*bytes);
                    rest = after;
                }
            }
            blocks.push(public);
        }
        if rest.is_empty() { Ok(Statement { blocks }) } else { Err(Error::StatementLength) }
    }

    /// log2 of the number of blocks: the smallest `n >= 1` with `2^n >= K`.
    pub fn log2_blocks(&self) -> usize {
        self.blocks.len().next_power_of_two().trailing_zeros().max(1) as usize
    }

    /// The rules of every slot of every block, the padding's among them.
    pub fn rules(&self) -> Vec<[Rule; SLOTS]> {
        let mut rules = vec![[Rule::Free; SLOTS]; 1 << self.log2_blocks()];
        for (rules, public) in rules.iter_mut().zip(&self.blocks) {
            for (rule, value) in rules.iter_mut().zip(public) {
                *rule = value.map_or(Rule::Free, Rule::Public);
            }
        }
        rules
    }

    /// The transcript up to the first challenge: that of aggregates, without randomizers.
    pub fn begin<N: Suite>(&self, ctx: &[u8], root: &[u8; 32]) -> Transcript<N> {
        begin_of(suite::<N>(), self.log2_blocks(), &self.to_bytes(), &[], ctx, root)
    }

    /// All words of the compressions of these inputs, and of the padding.
    pub fn words(&self, inputs: &[[u32; 32]]) -> Vec<u32> {
        let mut words: Vec<u32> = inputs.iter().flat_map(compress).collect();
        words.resize(512 << self.log2_blocks(), 0);
        words
    }

    /// The proof without its opening, for any words and any root.
    pub fn outer<N: Suite>(&self, words: Vec<u32>, ctx: &[u8], root: &[u8; 32]) -> Outer<N> {
        outer_from(self.begin(ctx, root), OPENING, &self.rules(), &Witness::of(words), |_, _, _| ())
    }
}

/// The proof that compressions of these inputs have the statement's public slots, which is not looked at.
///
/// # Errors
///
/// `Opening` if there are more than can be committed to.
pub fn prove<N: Suite>(statement: &Statement, inputs: &[[u32; 32]], ctx: &[u8]) -> Result<Vec<u8>, Error> {
    let words = statement.words(inputs);
    let variables = u8::try_from(statement.log2_blocks() + 9).expect("at most 30");
    let shape = registered::<N>(N::PROFILE, variables).expect("10 to 30 variables");
    let committed = commit(&shape, &words).map_err(Error::Opening)?;
    let outer = statement.outer::<N>(words.clone(), ctx, &committed.root());
    let opened = committed.open(&outer.points, &outer.context).map_err(Error::Opening)?;
    Ok([&b"PXC1"[..], &[N::PROFILE], &committed.root(), &outer.bytes, &opened.proof].concat())
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
    if proof[..5] != [b'P', b'X', b'C', b'1', N::PROFILE] {
        return Err(Error::UnacceptedProfile);
    }
    let n = statement.log2_blocks();
    let mu = u8::try_from(n + 9).expect("at most 30");
    let shape = registered::<N>(N::PROFILE, mu).expect("10 to 30 variables");
    let fixed = 37 + (162 + 4 * n) * N::FIELD.bytes();
    if proof.len() <= fixed || proof.len() as u64 > fixed as u64 + shape.max_len() {
        return Err(Error::Length);
    }
    let root: [u8; 32] = proof[5..37].try_into().expect("32 bytes");
    let (outer, opening) = proof[37..].split_at(fixed - 37);
    let (claims, context) =
        claims_from::<N>(statement.begin(ctx, &root), OPENING, &statement.rules(), outer)?;
    let accepted = Accepted::Exactly { profile: N::PROFILE, mu };
    let commitment = Commitment { profile: N::PROFILE, mu, root };
    verify_opening(&accepted, &commitment, &claims, opening, &context).map(|_| ()).map_err(Error::Opening)
}
