//! The lists of one function: its permutation, and everything that is hashed with it.

use super::field::words;
use super::groups::{self, Case, MAX_GROUP};
use crate::json::{Bytes, Decimal, Hex, Object};
use crate::report::{Check, Recorder, ensure, same, text};
use phalanx::Threads;
use phalanx::rescue::hazmat::MODULUS;
use phalanx::rescue::{Digest, Error, Function, Hasher};
use serde::Deserialize;
use std::sync::OnceLock;

/// Runs the lists of a file of `function`.
pub(crate) fn run(recorder: &mut Recorder<'_>, function: Function, file: &mut Object, pool: &Threads) {
    groups::run::<Permuted>(recorder, function, file, "permutation", pool);
    groups::run::<Elements>(recorder, function, file, "hash_elements", pool);
    groups::run::<HashedBytes>(recorder, function, file, "hash_bytes", pool);
    groups::run::<Merged>(recorder, function, file, "merge", pool);
    if matches!(function, Function::Rp64_256 | Function::RpJive64_256) {
        groups::run::<MergedMany>(recorder, function, file, "merge_many", pool);
        groups::run::<WithInt>(recorder, function, file, "merge_with_int", pool);
        file.cases(recorder, "digest_decode", digest_decode);
    } else {
        groups::run::<InDomain>(recorder, function, file, "hash_elements_in_domain", pool);
    }
}

/// Four words of a digest.
type Four = [Decimal<1>; 4];

/// A digest beside the words, and if there are any the bytes, of the file.
fn is_digest(what: &str, got: Digest, wanted: &Four, bytes: Option<&Hex<32>>) -> Check {
    same(what, got.to_elements(), wanted.map(|word| word.0[0]))?;
    match bytes {
        Some(wanted) => same(&format!("{what} in bytes"), hex::encode(got.to_bytes()), hex::encode(wanted.0)),
        None => Ok(()),
    }
}

/// The digest that four words of an input are.
fn digest(words: &Four) -> Digest {
    Digest::from_elements(words.map(|word| word.0[0]))
}

/// The same elements, not canonical where a word has room for that.
fn redundant(words: &[u64]) -> Vec<u64> {
    words.iter().map(|&word| word.checked_add(MODULUS).unwrap_or(word)).collect()
}

/// As many answers as inputs, each compared.
fn each<T, C>(group: &[&C], answers: Vec<T>, check: impl Fn(&C, T) -> Check) -> Result<Vec<Check>, String> {
    same("number of answers", answers.len(), group.len())?;
    Ok(group.iter().zip(answers).map(|(case, answer)| check(case, answer)).collect())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Permuted {
    r#in: Vec<Decimal<1>>,
    out: Vec<Decimal<1>>,
}

impl Case for Permuted {
    fn alone(&self, function: Function) -> Check {
        let (input, wanted) = (words(&self.r#in), words(&self.out));
        same("words of the state", input.len(), function.width())?;
        for (what, input) in [("out", input.clone()), ("out of words not canonical", redundant(&input))] {
            let mut state = input.clone();
            function.permute(&mut state).map_err(text)?;
            same(what, &state, &wanted)?;
            let mut state = input;
            function.permute_secret(&mut state).map_err(text)?;
            same(&format!("{what}, by permute_secret"), &state, &wanted)?;
        }
        let mut short = input[1..].to_vec();
        let wanted = Error::PartialState { got: short.len(), width: function.width() };
        same("a state without a word", function.permute(&mut short), Err(wanted))
    }

    fn together(function: Function, group: &[&Self]) -> Result<Vec<Check>, String> {
        let width = function.width();
        let mut states: Vec<u64> = Vec::new();
        for case in group {
            let mut state = words(&case.r#in);
            // Told where it is alone.
            state.resize(width, 0);
            states.extend(state);
        }
        let mut secret = states.clone();
        function.permute(&mut states).map_err(text)?;
        // One state after the other: groups of one size tell.
        if group.len() == MAX_GROUP {
            function.permute_secret(&mut secret).map_err(text)?;
            same("permute_secret of the group", &secret, &states)?;
        }
        each(group, states.chunks_exact(width).collect(), |case, state| same("out", state, words(&case.out)))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Elements {
    len: usize,
    r#in: Vec<Decimal<1>>,
    out: Four,
    digest_hex: Hex<32>,
}

impl Case for Elements {
    fn alone(&self, function: Function) -> Check {
        let input = words(&self.r#in);
        same("len", input.len(), self.len)?;
        is_digest("out", function.hash_elements(&input), &self.out, Some(&self.digest_hex))?;
        is_digest("out by hash_elements_secret", function.hash_elements_secret(&input), &self.out, None)?;
        let again = function.hash_elements(&redundant(&input));
        is_digest("out of words not canonical", again, &self.out, None)?;
        if let (digests, []) = input.as_chunks::<4>()
            && input.iter().all(|&word| word < MODULUS)
        {
            let digests: Vec<Digest> = digests.iter().map(|&words| Digest::from_elements(words)).collect();
            is_digest(
                "merge_many of the digests that these words are",
                function.merge_many(&digests),
                &self.out,
                None,
            )?;
        }
        Ok(())
    }

    fn together(function: Function, group: &[&Self]) -> Result<Vec<Check>, String> {
        let inputs: Vec<Vec<u64>> = group.iter().map(|case| words(&case.r#in)).collect();
        let inputs: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
        each(group, function.hash_elements_many(&inputs), |case, got| is_digest("out", got, &case.out, None))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HashedBytes {
    len: usize,
    in_hex: Bytes,
    out: Option<Four>,
    #[serde(default)]
    digest_hex: Option<Hex<32>>,
    #[serde(default)]
    reference_panics: bool,
    /// What [`Function::hash_padded`] has to give, once it is known.
    #[serde(skip)]
    padded: OnceLock<Result<Digest, String>>,
}

impl HashedBytes {
    fn padded(&self, function: Function) -> Result<Digest, String> {
        self.padded.get_or_init(|| padded(function, &self.in_hex.0)).clone()
    }
}

/// Whether [`Function::hash`] has an answer for so many bytes.
fn is_defined(function: Function, len: usize) -> bool {
    function != Function::Rp64_256 || len <= 56 || len.is_multiple_of(7)
}

/// What [`Function::hash_padded`] has to give: where [`Function::hash`] does not tell, by the sponge of Rp64_256
/// itself.
fn padded(function: Function, bytes: &[u8]) -> Result<Digest, String> {
    if function != Function::Rp64_256 || bytes.len() <= 56 {
        return function.hash(bytes).map_err(text);
    }
    let mut state = [0; 12];
    state[0] = bytes.len().div_ceil(7) as u64;
    let last = bytes.len().div_ceil(7) - 1;
    for (i, chunk) in bytes.chunks(7).enumerate() {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        if i == last {
            word[chunk.len()] = 1;
        }
        let sum = (u128::from(state[4 + i % 8]) + u128::from(u64::from_le_bytes(word))) % u128::from(MODULUS);
        state[4 + i % 8] = u64::try_from(sum).map_err(text)?;
        if i % 8 == 7 || i == last {
            // On no backend: what is asked is not who answers.
            function.permute_secret(&mut state).map_err(text)?;
        }
    }
    Ok(Digest::from_elements([state[4], state[5], state[6], state[7]]))
}

/// Both hashes of the bytes in pieces of several lengths; and of fewer and more bytes than were announced there is
/// none.
fn pieces(function: Function, bytes: &[u8], hash: Result<Digest, Error>, padded: Digest) -> Check {
    let length = bytes.len() as u64;
    for size in [1, 7, 13, 56, 64] {
        let hashed = |mut hasher: Hasher, bytes: &[u8]| {
            bytes.chunks(size).for_each(|piece| hasher.update(piece));
            hasher.finalize()
        };
        let what = format!("Hasher in pieces of {size}");
        same(&what, Hasher::new(function, length).and_then(|hasher| hashed(hasher, bytes)), hash)?;
        let hasher = Hasher::new_padded(function, length);
        same(&format!("{what}, padded"), hashed(hasher.clone(), bytes), Ok(padded))?;
        let longer = [bytes, &[1]].concat();
        let wanted = Err(Error::Length { got: length + 1, wanted: length });
        same(&format!("{what} and a byte more"), hashed(hasher.clone(), &longer), wanted)?;
        if let Some((_, shorter)) = bytes.split_last() {
            let wanted = Err(Error::Length { got: length - 1, wanted: length });
            same(&format!("{what} and a byte less"), hashed(hasher, shorter), wanted)?;
        }
    }
    Ok(())
}

impl Case for HashedBytes {
    fn alone(&self, function: Function) -> Check {
        let bytes = &self.in_hex.0;
        same("len", bytes.len(), self.len)?;
        let got = function.hash(bytes);
        let wanted = self.padded(function)?;
        same("hash_padded", function.hash_padded(bytes), wanted)?;
        same("hash_padded_secret", function.hash_padded_secret(bytes), wanted)?;
        same("hash_secret", function.hash_secret(bytes), got)?;
        pieces(function, bytes, got, wanted)?;
        let Some(out) = &self.out else {
            ensure(self.reference_panics && self.digest_hex.is_none(), "no answer, and no panic either")?;
            return same("hash", got, Err(Error::UndefinedLength { got: self.len }));
        };
        ensure(!self.reference_panics, "an answer, and a panic too")?;
        is_digest("out", got.map_err(text)?, out, self.digest_hex.as_ref())
    }

    fn together(function: Function, group: &[&Self]) -> Result<Vec<Check>, String> {
        let all: Vec<&[u8]> = group.iter().map(|case| &case.in_hex.0[..]).collect();
        let padded = each(group, function.hash_padded_many(&all), |case, got| {
            same("hash_padded", got, case.padded(function)?)
        })?;
        let is_whole = all.iter().all(|bytes| is_defined(function, bytes.len()));
        same("hash_many has an answer", function.hash_many(&all).is_ok(), is_whole)?;
        let defined: Vec<&[u8]> =
            all.iter().copied().filter(|bytes| is_defined(function, bytes.len())).collect();
        let mut hashed = function.hash_many(&defined).map_err(text)?.into_iter();
        let plain = group.iter().map(|case| match &case.out {
            _ if !is_defined(function, case.in_hex.0.len()) => Ok(()),
            Some(out) => is_digest("out", hashed.next().ok_or("too few answers")?, out, None),
            None => {
                hashed.next();
                Err("hash has an answer".to_owned())
            }
        });
        Ok(padded.into_iter().zip(plain.collect::<Vec<Check>>()).map(|(a, b)| a.and(b)).collect())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Merged {
    left: Four,
    right: Four,
    out: Four,
    #[serde(default)]
    digest_hex: Option<Hex<32>>,
    #[serde(default)]
    domain: Option<Decimal<1>>,
    #[serde(default)]
    out_in_domain: Option<Four>,
}

impl Case for Merged {
    fn alone(&self, function: Function) -> Check {
        let (left, right) = (digest(&self.left), digest(&self.right));
        is_digest("out", function.merge(&left, &right), &self.out, self.digest_hex.as_ref())?;
        is_digest("out by merge_secret", function.merge_secret(&left, &right), &self.out, None)?;
        if function != Function::RpJive64_256 {
            is_digest("out by merge_many", function.merge_many(&[left, right]), &self.out, None)?;
        }
        let has_domain = matches!(function, Function::Rpo256 | Function::Rpx256);
        let elements = [words(&self.left), words(&self.right)].concat();
        match (&self.domain, &self.out_in_domain) {
            (Some(domain), Some(out)) if has_domain => {
                let got = function.hash_elements_in_domain(&elements, domain.0[0]).map_err(text)?;
                is_digest("out_in_domain by hash_elements_in_domain", got, out, None)?;
                let got = function.merge_in_domain(&left, &right, domain.0[0]).map_err(text)?;
                is_digest("out_in_domain", got, out, None)
            }
            (None, None) if !has_domain => {
                same("merge in a domain", function.merge_in_domain(&left, &right, 1), Err(Error::NoDomain))?;
                same("in a domain", function.hash_elements_in_domain(&elements, 1), Err(Error::NoDomain))
            }
            _ => Err("domain and out_in_domain: both or none, as the function has domains or not".to_owned()),
        }
    }

    fn together(function: Function, group: &[&Self]) -> Result<Vec<Check>, String> {
        let pairs: Vec<[Digest; 2]> =
            group.iter().map(|case| [digest(&case.left), digest(&case.right)]).collect();
        each(group, function.merge_pairs(&pairs), |case, got| is_digest("out", got, &case.out, None))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MergedMany {
    digests: Vec<Four>,
    out: Four,
}

impl Case for MergedMany {
    fn alone(&self, function: Function) -> Check {
        let digests: Vec<Digest> = self.digests.iter().map(digest).collect();
        is_digest("out", function.merge_many(&digests), &self.out, None)
    }

    fn together(function: Function, group: &[&Self]) -> Result<Vec<Check>, String> {
        let inputs: Vec<Vec<u64>> = group.iter().map(|case| words(case.digests.as_flattened())).collect();
        let inputs: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
        each(group, function.hash_elements_many(&inputs), |case, got| is_digest("out", got, &case.out, None))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WithInt {
    seed: Four,
    value: Decimal<1>,
    out: Four,
    digest_hex: Hex<32>,
}

impl Case for WithInt {
    fn alone(&self, function: Function) -> Check {
        let got = function.merge_with_int(&digest(&self.seed), self.value.0[0]);
        is_digest("out", got, &self.out, Some(&self.digest_hex))
    }

    fn together(function: Function, group: &[&Self]) -> Result<Vec<Check>, String> {
        // A call has one seed: as many calls as cases, of which each looks at its own place.
        let values: Vec<u64> = group.iter().map(|case| case.value.0[0]).collect();
        let answers = group
            .iter()
            .enumerate()
            .map(|(place, case)| function.merge_with_ints(&digest(&case.seed), &values).get(place).copied());
        let answers: Option<Vec<Digest>> = answers.collect();
        each(group, answers.ok_or("too few answers")?, |case, got| is_digest("out", got, &case.out, None))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InDomain {
    r#in: Vec<Decimal<1>>,
    domain: Decimal<1>,
    out: Four,
}

impl Case for InDomain {
    fn alone(&self, function: Function) -> Check {
        let got = function.hash_elements_in_domain(&words(&self.r#in), self.domain.0[0]).map_err(text)?;
        is_digest("out", got, &self.out, None)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decoded {
    in_hex: Hex<32>,
    elements: Four,
    reencoded_hex: Hex<32>,
}

fn digest_decode(case: &Decoded) -> Check {
    let lenient = Digest::from_bytes_lenient(&case.in_hex.0);
    is_digest("elements", lenient, &case.elements, Some(&case.reencoded_hex))?;
    let is_canonical = case.in_hex == case.reencoded_hex;
    let wanted = is_canonical.then_some(lenient);
    same("the strict decoder", Digest::from_bytes(&case.in_hex.0).ok(), wanted)?;
    same("the bytes decoded again", Digest::from_bytes(&lenient.to_bytes()).ok(), Some(lenient))
}
