//! bincode, fixed and variable width (spec section 13.2). Elements are Montgomery words, sequences begin with their
//! length, arrays do not.
#![forbid(unsafe_code)]

use super::super::digest::Digest;
use super::super::key::{Parts, SigningKey, VerifyingKey};
use super::super::parameters::{ParameterSet, Parameters};
use super::super::prf_key::PrfKey;
use super::super::signature::Signature;
use super::rules::{canonical, layers_of_tree, max_signing_key_len, small, whole_trees};
use alloc::vec::Vec;
use phalanx_core::Malformed;
use phalanx_core::bytes::{Integers, Reader};
use phalanx_core::subtree::{Layer, Subtree};
use zeroize::Zeroizing;

// ---- reading ----

pub(super) fn verifying_key(
    set: ParameterSet,
    integers: Integers,
    bytes: &[u8],
) -> Result<VerifyingKey, Malformed> {
    let mut input = Input { set: set.parameters(), integers, reader: Reader::new(bytes) };
    let root = input.digest("element of the root", input.set.hash_len)?;
    let parameter = input.digest("element of the parameter", input.set.parameter_len)?;
    input.reader.finish()?;
    Ok(VerifyingKey { set, root, parameter })
}

/// The signature, and what stands after it.
pub(super) fn signature(
    set: ParameterSet,
    integers: Integers,
    bytes: &[u8],
) -> Result<(Signature, Reader<'_>), Malformed> {
    let mut input = Input { set: set.parameters(), integers, reader: Reader::new(bytes) };
    input.count_exactly("nodes of the path", input.set.path_len())?;
    let path = input.digests("element of the path", input.set.path_len())?;
    let randomness = input.digest("element of rho", input.set.randomness_len)?;
    input.count_exactly("number of hashes", input.set.chains)?;
    let hashes = input.digests("element of the hashes", input.set.chains)?;
    Ok((Signature { set, path, randomness, hashes }, input.reader))
}

pub(super) fn signing_key(set: ParameterSet, integers: Integers, bytes: &[u8]) -> Result<Parts, Malformed> {
    let p = set.parameters();
    let mut input = Input { set: p, integers, reader: Reader::new(bytes) };
    let prf_key: &[u8; 32] = input.reader.array("bytes of the PRF key")?;
    let parameter = input.digest("element of the parameter", p.parameter_len)?;
    let start = input.integer("activation epoch")?;
    let count = input.integer("active epochs")?;
    let top = input.subtree()?;
    let left_index = input.integer("index of the left bottom tree")?;
    let left = input.subtree()?;
    let right = input.subtree()?;
    input.reader.finish()?;
    let trees = whole_trees(p, start, count)?;
    let prf_key = PrfKey::filled_by(|key| key.copy_from_slice(prf_key));
    Ok(Parts { set, prf_key, parameter, trees, top, left_index, left, right })
}

/// Bytes of one width of integers and one parameter set.
struct Input<'a> {
    set: &'static Parameters,
    integers: Integers,
    reader: Reader<'a>,
}

impl Input<'_> {
    fn integer(&mut self, what: &'static str) -> Result<u64, Malformed> {
        self.integers.read_u64(&mut self.reader, what)
    }

    /// The length of a sequence, which can only be `wanted`.
    fn count_exactly(&mut self, what: &'static str, wanted: usize) -> Result<(), Malformed> {
        let got = self.integer(what)?;
        Malformed::unless_equal(what, got, wanted as u64)
    }

    fn subtree(&mut self) -> Result<Subtree<Digest>, Malformed> {
        let depth = small("depth of a tree", self.integer("depth of a tree")?)?;
        let lowest = small("lowest level of a tree", self.integer("lowest level of a tree")?)?;
        let count = layers_of_tree(self.set);
        self.count_exactly("layers of a tree", count)?;
        let layers = (0..count).map(|_| self.layer()).collect::<Result<_, _>>()?;
        Ok(Subtree { depth, lowest, layers })
    }

    fn layer(&mut self) -> Result<Layer<Digest>, Malformed> {
        let what = "nodes of a layer";
        let start = self.integer("first position of a layer")?;
        let got = self.integer(what)?;
        // How many nodes are right is known only when all parts are there. More than the rest of the input can hold are
        // not, and nothing is allocated for them.
        let most = self.reader.rest().len() / (self.set.hash_len * self.integers.min_u32_bytes());
        let count = usize::try_from(got).ok().filter(|&count| count <= most);
        let count = count.ok_or(Malformed { what, got, wanted: most as u64 })?;
        Ok(Layer { start, nodes: self.digests("element of a node", count)? })
    }

    /// The next `count` nodes, in an allocation of that size.
    fn digests(&mut self, what: &'static str, count: usize) -> Result<Vec<Digest>, Malformed> {
        let mut digests = Vec::with_capacity(count);
        for _ in 0..count {
            digests.push(self.digest(what, self.set.hash_len)?);
        }
        Ok(digests)
    }

    /// The next `len` elements.
    fn digest(&mut self, what: &'static str, len: usize) -> Result<Digest, Malformed> {
        let mut digest = Digest::default();
        for word in &mut digest.0[..len] {
            let wire = self.integers.read_u32(&mut self.reader, what)?;
            *word = canonical(what, wire, self.set.family.check_word(wire).map(|()| wire))?;
        }
        Ok(digest)
    }
}

// ---- writing ----

pub(super) fn put_verifying_key(key: &VerifyingKey, integers: Integers) -> Vec<u8> {
    let set = key.set.parameters();
    let mut out = Vec::with_capacity((set.hash_len + set.parameter_len) * integers.max_u32_bytes());
    put_words(&mut out, integers, &key.root.0[..set.hash_len]);
    put_words(&mut out, integers, &key.parameter.0[..set.parameter_len]);
    out
}

pub(super) fn put_signature(signature: &Signature, integers: Integers) -> Vec<u8> {
    let set = signature.set.parameters();
    let words = (set.path_len() + set.chains) * set.hash_len + set.randomness_len;
    let mut out = Vec::with_capacity(2 * integers.max_u64_bytes() + words * integers.max_u32_bytes());
    integers.put_u64(&mut out, signature.path.len() as u64);
    put_digests(&mut out, integers, set, &signature.path);
    put_words(&mut out, integers, &signature.randomness.0[..set.randomness_len]);
    integers.put_u64(&mut out, signature.hashes.len() as u64);
    put_digests(&mut out, integers, set, &signature.hashes);
    out
}

pub(super) fn put_signing_key(key: &SigningKey, integers: Integers) -> Zeroizing<Vec<u8>> {
    let set = key.set.parameters();
    let (start, count, trees) = key.epochs_and_trees();
    let mut out =
        Zeroizing::new(Vec::with_capacity(max_signing_key_len(set, trees, integers.max_u32_bytes())));
    let capacity = out.capacity();
    out.extend_from_slice(key.prf_key.bytes());
    put_words(&mut out, integers, &key.parameter.0[..set.parameter_len]);
    integers.put_u64(&mut out, start);
    integers.put_u64(&mut out, count);
    let [top, left, right] = trees;
    put_subtree(&mut out, integers, set, top);
    integers.put_u64(&mut out, key.left_index);
    put_subtree(&mut out, integers, set, left);
    put_subtree(&mut out, integers, set, right);
    debug_assert_eq!(out.capacity(), capacity, "the buffer never moves: its bound holds");
    out
}

fn put_subtree(out: &mut Vec<u8>, integers: Integers, set: &Parameters, tree: &Subtree<Digest>) {
    integers.put_u64(out, u64::from(tree.depth));
    integers.put_u64(out, u64::from(tree.lowest));
    integers.put_u64(out, tree.layers.len() as u64);
    for layer in &tree.layers {
        integers.put_u64(out, layer.start);
        integers.put_u64(out, layer.nodes.len() as u64);
        put_digests(out, integers, set, &layer.nodes);
    }
}

fn put_digests(out: &mut Vec<u8>, integers: Integers, set: &Parameters, digests: &[Digest]) {
    digests.iter().for_each(|digest| put_words(out, integers, &digest.0[..set.hash_len]));
}

fn put_words(out: &mut Vec<u8>, integers: Integers, words: &[u32]) {
    words.iter().for_each(|&word| integers.put_u32(out, word));
}
