//! Rescue: of each function the permutation, a hash of elements and one of bytes, and two digests merged.

use super::case::{Case, Check, answers, bytes, same, text};
use phalanx::rescue::{Digest, Function};
use serde::Deserialize;

#[derive(Deserialize)]
struct Answer {
    function: String,
    permutation: Elements,
    hash_elements: Elements,
    hash_bytes: Bytes,
    merge: Merged,
}

#[derive(Deserialize)]
struct Elements {
    r#in: Vec<String>,
    out: Vec<String>,
}

#[derive(Deserialize)]
struct Bytes {
    in_hex: String,
    out: Vec<String>,
}

#[derive(Deserialize)]
struct Merged {
    left: Vec<String>,
    right: Vec<String>,
    out: Vec<String>,
}

/// The cases.
pub(super) fn cases() -> Vec<Case> {
    let answers: Vec<Answer> = answers("rescue");
    answers.into_iter().map(|answer| Case::new(answer.function.clone(), move || check(&answer))).collect()
}

/// Words in decimal text.
fn words(texts: &[String]) -> Vec<u64> {
    texts.iter().map(|text| text.parse().expect("answers are numbers")).collect()
}

/// The digest that four words are.
fn digest(texts: &[String]) -> Digest {
    Digest::from_elements(words(texts).try_into().expect("a digest has four words"))
}

fn check(answer: &Answer) -> Check {
    let function = Function::from_name(&answer.function).expect("every version has the function");
    let mut states = words(&answer.permutation.r#in).repeat(17);
    function.permute(&mut states).map_err(text)?;
    same("permutation", states, words(&answer.permutation.out).repeat(17))?;

    let input = words(&answer.hash_elements.r#in);
    let wanted = digest(&answer.hash_elements.out);
    same("hash_elements", function.hash_elements(&input), wanted)?;
    same("hash_elements_many", function.hash_elements_many(&[&input[..]; 17]), vec![wanted; 17])?;

    let got = function.hash(&bytes(&answer.hash_bytes.in_hex));
    same("hash", got.map_err(text)?, digest(&answer.hash_bytes.out))?;

    let (left, right) = (digest(&answer.merge.left), digest(&answer.merge.right));
    let wanted = digest(&answer.merge.out);
    same("merge", function.merge(&left, &right), wanted)?;
    same("merge_pairs", function.merge_pairs(&[[left, right]; 17]), vec![wanted; 17])
}
