//! The transcript of a proof of one of our suites, said again from the proof's bytes: every output that the verifier
//! draws.

use super::suite::Suite;
use phalanx::ligerito::Shape;
use phalanx::ligerito::hazmat::transcripts::Framed;
use std::collections::BTreeSet;

/// What is proved.
pub(crate) struct Statement<'a, S: Suite> {
    pub(crate) suite: &'a str,
    pub(crate) shape: &'a Shape,
    pub(crate) root: &'a [u8; 32],
    pub(crate) claims: &'a [(Vec<S::Challenge>, S::Challenge)],
    pub(crate) context: &'a [u8],
}

/// `count` different positions below 2^`log2_positions` out of blocks of 512 bytes, ascending.
pub(crate) fn queries(log2_positions: u32, count: usize, mut block: impl FnMut() -> Vec<u8>) -> Vec<usize> {
    let mut found = BTreeSet::new();
    loop {
        for word in block().as_chunks::<4>().0 {
            let position = u64::from(u32::from_le_bytes(*word)) & ((1 << log2_positions) - 1);
            found.insert(usize::try_from(position).expect("below 2^32"));
            if found.len() >= count {
                return found.into_iter().collect();
            }
        }
    }
}

/// How many siblings an opening of a tree of 2^`depth` leaves sends.
pub(crate) fn siblings(depth: u32, positions: &[usize]) -> usize {
    let mut layer: BTreeSet<usize> = positions.iter().copied().collect();
    let mut count = 0;
    for _ in 0..depth {
        count += layer.iter().filter(|&position| !layer.contains(&(position ^ 1))).count();
        layer = layer.iter().map(|position| position >> 1).collect();
    }
    count
}

/// The labels and outputs of all squeezes, in order.
pub(crate) fn squeezes<S: Suite>(
    statement: &Statement<'_, S>,
    proof: &[u8],
) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut transcript = S::transcript();
    let Statement { suite, shape, root, claims, context } = statement;
    transcript.absorb("suite", suite.as_bytes());
    transcript.absorb("ctx", context);
    transcript.absorb("params", &shape.to_bytes());
    transcript.absorb("root0", *root);
    transcript.absorb("claims", &(claims.len() as u64).to_le_bytes());
    for (point, value) in *claims {
        let point: Vec<u8> = point.iter().flat_map(|x| S::le_bytes(*x)).collect();
        transcript.absorb("point", &point);
        transcript.absorb("value", &S::le_bytes(*value));
    }
    squeezes_after::<S>(transcript, shape, proof)
}

/// The same from gamma on, where the transcript has heard the statement.
pub(crate) fn squeezes_after<S: Suite>(
    mut transcript: Framed,
    shape: &Shape,
    proof: &[u8],
) -> Result<Vec<(String, Vec<u8>)>, String> {
    let len = S::BITS as usize / 8;
    let mut outputs = Vec::new();
    let mut squeeze = |transcript: &mut Framed, label: &str, len: usize| {
        let output = transcript.squeeze(label, len);
        outputs.push((label.to_owned(), output.clone()));
        output
    };
    let mut rest = proof;
    let mut take = |len: usize| -> Result<&[u8], String> {
        let (taken, left) = rest.split_at_checked(len).ok_or("the proof ends too early")?;
        rest = left;
        Ok(taken)
    };
    squeeze(&mut transcript, "gamma", len);
    let levels = shape.levels();
    for (index, level) in levels.iter().enumerate() {
        let is_last = index + 1 == levels.len();
        for _ in 0..level.log2_columns {
            transcript.absorb("round", take(2 * len)?);
            squeeze(&mut transcript, "fold", len);
        }
        if is_last {
            transcript.absorb("final", take(len << level.log2_message)?);
        } else {
            transcript.absorb("root", take(32)?);
            if shape.has_samples() {
                (0..level.log2_message).for_each(|_| _ = squeeze(&mut transcript, "ood", len));
                transcript.absorb("ood-value", take(len)?);
            }
        }
        if level.grinding_bits > 0 {
            let seed = squeeze(&mut transcript, "pow-seed", 32);
            let nonce: [u8; 8] = take(8)?.try_into().expect("8 bytes");
            let work = S::work(&seed.try_into().expect("32 bytes"), u64::from_le_bytes(nonce));
            if work.trailing_zeros() < level.grinding_bits.into() {
                return Err(format!("level {index}: the nonce has not done its work"));
            }
            transcript.absorb("pow-nonce", &nonce);
        }
        let depth = u32::from(level.log2_message) + u32::from(level.log2_inverse_rate);
        let drawn_there = transcript.clone().queries(depth, level.queries.into());
        let positions = queries(depth, level.queries.into(), || squeeze(&mut transcript, "query", 512));
        if drawn_there.as_ref() != Some(&positions) {
            return Err(format!("level {index}: other queries"));
        }
        let element = if index == 0 { 4 } else { len };
        take(positions.len() * (element << level.log2_columns))?;
        take(32 * siblings(depth, &positions))?;
        if !is_last {
            squeeze(&mut transcript, "alpha", len);
        }
    }
    if rest.is_empty() { Ok(outputs) } else { Err("the proof does not end at its end".to_owned()) }
}
