//! The rules of a signature's blocks, and their weights (spec sections 3.3 and 3.4).

use super::{BLOCKS_OF_A_SIGNATURE, Circuit, Error, RANDOMIZER_LEN, Statement, log2_blocks};
use crate::ligerito::{Large, eq};
use crate::xmss_blake2s::{CHAINS, HEIGHT, IV, Profile, STEPS, digits, encoding_digest, tweak};

/// Slots of a block of BLAKE2s that the wiring looks at.
pub const SLOTS: usize = 16;

/// What a slot has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Anything.
    Free,
    /// These 16 bytes.
    Public([u8; 16]),
    /// What stands in this slot of this block.
    Link(usize, usize),
}

/// The rules of every slot of every block, the padding's among them.
///
/// # Errors
///
/// `NoEncoding` for the first randomizer without one.
pub fn rules(statement: &Statement, rhos: &[u8]) -> Result<Vec<[Rule; SLOTS]>, Error> {
    let mut rules = Vec::new();
    for (index, (epoch, message, key)) in statement.each().enumerate() {
        let parameter = key[16..].try_into().expect("16 bytes");
        let rho = rhos[RANDOMIZER_LEN * index..][..RANDOMIZER_LEN].try_into().expect("24 bytes");
        let digest = encoding_digest(Profile::B, &parameter, epoch, message, &rho);
        let digits = digits(&digest).map_err(|_| Error::NoEncoding { index })?;
        append_rules(&mut rules, epoch, key, &digits);
        assert_eq!(rules.len(), BLOCKS_OF_A_SIGNATURE * (index + 1), "99 + 11 + 32 blocks");
    }
    rules.resize(1 << log2_blocks(statement.signatures()), [Rule::Free; SLOTS]);
    Ok(rules)
}

/// Appends those of one signature with these digits, which are not looked at.
pub fn append_rules(rules: &mut Vec<[Rule; SLOTS]>, epoch: u32, key: &[u8; 32], digits: &[u32; CHAINS]) {
    let (root, parameter) = (half(key, 0), half(key, 1));
    let tw = |kind, p, j| Rule::Public(tweak(Profile::B, kind, p, j));
    // The last block of every chain that has one.
    let mut ends = [Rule::Free; CHAINS];
    for (chain, end) in (0..).zip(&mut ends) {
        for k in digits[chain as usize]..STEPS {
            let value = *end;
            *end = Rule::Link(8, rules.len());
            let mut block = first_block(48, true);
            block[4..8].copy_from_slice(&[
                tw(1, 8 * chain + k, epoch),
                Rule::Public(parameter),
                value,
                Rule::Public([0; 16]),
            ]);
            rules.push(block);
        }
    }
    let mut content = vec![tw(2, 0, epoch), Rule::Public(parameter)];
    content.extend(ends);
    for (b, content) in content.chunks(4).enumerate() {
        let count = 64 * (u32::try_from(b).expect("eleven blocks") + 1);
        let mut block = first_block(count, b == 10);
        if b > 0 {
            (block[0], block[1]) = (Rule::Link(8, rules.len() - 1), Rule::Link(9, rules.len() - 1));
        }
        block[4..8].copy_from_slice(content);
        rules.push(block);
    }
    for level in 1..=HEIGHT {
        let index = u32::try_from(u64::from(epoch) >> level).expect("smaller than the epoch");
        let mut block = first_block(64, true);
        (block[4], block[5]) = (tw(3, level, index), Rule::Public(parameter));
        let side = epoch >> (level - 1) & 1;
        block[6 + side as usize] = Rule::Link(8, rules.len() - 1);
        if level == HEIGHT {
            block[8] = Rule::Public(root);
        }
        rules.push(block);
    }
}

/// A block whose chaining value is the start, with the counter and the flag of the last block.
fn first_block(count: u32, last: bool) -> [Rule; SLOTS] {
    let mut h = IV;
    h[0] ^= 0x0101_0020;
    let mut v = IV;
    v[4] ^= count;
    v[6] ^= if last { u32::MAX } else { 0 };
    let slot = |words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Rule::Public(bytes.try_into().expect("four words"))
    };
    let mut rules = [Rule::Free; SLOTS];
    rules[..4].copy_from_slice(&[slot(&h[..4]), slot(&h[4..]), slot(&v[..4]), slot(&v[4..])]);
    rules
}

fn half(key: &[u8; 32], number: usize) -> [u8; 16] {
    key[16 * number..][..16].try_into().expect("16 bytes")
}

/// The wiring as one claim: the weights of all slots, and what they add up to.
#[derive(Clone, Debug)]
pub struct Weights<N> {
    /// `W`, index `s + slots t`.
    pub w: Vec<N>,
    /// `S`.
    pub sum: N,
}

/// Combines all rules by `lambda`; public values are extended at `tau`.
pub fn weights<N: Large>(circuit: &Circuit, rules: &[Rule], tau: &[N], lambda: &[N]) -> Weights<N> {
    let (of_bits, of_rules) = (eq(tau), eq(lambda));
    let (mut w, mut sum) = (vec![N::default(); of_rules.len()], N::default());
    for (index, rule) in rules.iter().enumerate() {
        let l = of_rules[index];
        match rule {
            Rule::Free => continue,
            Rule::Public(bytes) => sum ^= l.times(extended(bytes, &of_bits)),
            Rule::Link(slot, block) => w[slot + circuit.slots() * block] ^= l,
        }
        w[index] ^= l;
    }
    Weights { w, sum }
}

/// The bits of a slot, extended: `k~` of spec section 3.3.
pub fn extended<N: Large>(slot: &[u8], of_bits: &[N]) -> N {
    let bits = of_bits.iter().enumerate().filter(|(b, _)| slot[b / 8] >> (b % 8) & 1 == 1);
    bits.fold(N::default(), |sum, (_, &weight)| sum ^ weight)
}
