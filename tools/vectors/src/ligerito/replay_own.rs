//! The transcript of a proof of one of our suites, said again from the proof's bytes: every output that the verifier
//! draws.

use super::suite::Suite;
use phalanx::ligerito::hazmat::transcripts::Framed;
use phalanx::ligerito::{Level, Shape};
use std::collections::BTreeSet;
use std::marker::PhantomData;

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
    squeezes_after::<S>(transcript, shape, false, proof)
}

/// The same from gamma on, where the transcript has heard the statement. With `closing`, rounds follow the final vector.
pub(crate) fn squeezes_after<S: Suite>(
    transcript: Framed,
    shape: &Shape,
    closing: bool,
    proof: &[u8],
) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut replay = Replay::<S>::new(transcript, closing, proof);
    replay.later(shape.levels(), shape.has_samples(), 0)?;
    replay.finish()
}

/// A transcript and what is left of the proof that it hears.
pub(crate) struct Replay<'a, S> {
    transcript: Framed,
    rest: &'a [u8],
    outputs: Vec<(String, Vec<u8>)>,
    closing: bool,
    suite: PhantomData<S>,
}

impl<'a, S: Suite> Replay<'a, S> {
    const LEN: usize = S::BITS as usize / 8;

    /// Draws gamma.
    pub(crate) fn new(transcript: Framed, closing: bool, proof: &'a [u8]) -> Self {
        let outputs = Vec::new();
        let mut replay = Self { transcript, rest: proof, outputs, closing, suite: PhantomData };
        replay.squeeze("gamma", Self::LEN);
        replay
    }

    pub(crate) fn squeeze(&mut self, label: &str, len: usize) -> Vec<u8> {
        let output = self.transcript.squeeze(label, len);
        self.outputs.push((label.to_owned(), output.clone()));
        output
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], String> {
        let (taken, left) = self.rest.split_at_checked(len).ok_or("the proof ends too early")?;
        self.rest = left;
        Ok(taken)
    }

    /// What the prover sends, absorbed.
    pub(crate) fn hear(&mut self, label: &str, len: usize) -> Result<(), String> {
        let message = self.take(len)?;
        self.transcript.absorb(label, message);
        Ok(())
    }

    pub(crate) fn rounds(&mut self, count: u8) -> Result<(), String> {
        for _ in 0..count {
            self.hear("round", 2 * Self::LEN)?;
            self.squeeze("fold", Self::LEN);
        }
        Ok(())
    }

    /// The rounds that follow a final vector of so many variables, if any do.
    pub(crate) fn closing_rounds(&mut self, variables: u8) -> Result<(), String> {
        if self.closing { self.rounds(variables) } else { Ok(()) }
    }

    /// Positions in a tree of 2^`depth` leaves, as the library draws them, too.
    pub(crate) fn queries(&mut self, depth: u32, count: u16) -> Result<Vec<usize>, String> {
        let drawn_there = self.transcript.clone().queries(depth, count.into());
        let positions = queries(depth, count.into(), || self.squeeze("query", 512));
        if drawn_there.as_ref() == Some(&positions) { Ok(positions) } else { Err("other queries".to_owned()) }
    }

    /// Reads over the rows of a tree at these positions, and their siblings.
    pub(crate) fn opened(&mut self, depth: u32, positions: &[usize], row_len: usize) -> Result<(), String> {
        self.take(positions.len() * row_len)?;
        self.take(32 * siblings(depth, positions)).map(|_| ())
    }

    /// These levels and all that follow; `first` is the number of the first of them.
    pub(crate) fn later(&mut self, levels: &[Level], samples: bool, first: usize) -> Result<(), String> {
        let len = Self::LEN;
        for (index, level) in (first..).zip(levels) {
            let is_last = index + 1 == first + levels.len();
            self.rounds(level.log2_columns)?;
            if is_last {
                self.hear("final", len << level.log2_message)?;
                self.closing_rounds(level.log2_message)?;
            } else {
                self.hear("root", 32)?;
                if samples {
                    (0..level.log2_message).for_each(|_| _ = self.squeeze("ood", len));
                    self.hear("ood-value", len)?;
                }
            }
            if level.grinding_bits > 0 {
                let seed = self.squeeze("pow-seed", 32);
                let nonce: [u8; 8] = self.take(8)?.try_into().expect("8 bytes");
                let work = S::work(&seed.try_into().expect("32 bytes"), u64::from_le_bytes(nonce));
                if work.trailing_zeros() < level.grinding_bits.into() {
                    return Err(format!("level {index}: the nonce has not done its work"));
                }
                self.transcript.absorb("pow-nonce", &nonce);
            }
            let depth = u32::from(level.log2_message) + u32::from(level.log2_inverse_rate);
            let positions = self.queries(depth, level.queries)?;
            let element = if index == 0 { 4 } else { len };
            self.opened(depth, &positions, element << level.log2_columns)?;
            if !is_last {
                self.squeeze("alpha", len);
            }
        }
        Ok(())
    }

    /// All that was squeezed.
    pub(crate) fn finish(self) -> Result<Vec<(String, Vec<u8>)>, String> {
        let Self { rest, outputs, .. } = self;
        if rest.is_empty() { Ok(outputs) } else { Err("the proof does not end at its end".to_owned()) }
    }
}
