//! SSZ (spec section 13.1). Elements are canonical residues, four bytes each, little-endian.
#![forbid(unsafe_code)]

use super::super::digest::Digest;
use super::super::key::{Parts, SigningKey, VerifyingKey};
use super::super::parameters::{ParameterSet, Parameters};
use super::super::prf_key::PrfKey;
use super::super::signature::Signature;
use super::rules::{canonical, layers_of_tree, max_signing_key_len, small, whole_trees};
use alloc::vec::Vec;
use phalanx_core::Malformed;
use phalanx_core::bytes::{Reader, put_offset, sections};
use phalanx_core::subtree::{Layer, Subtree};
use zeroize::Zeroizing;

/// Bytes of an element.
const WORD: usize = 4;
/// Bytes of the fixed part of a layer: position of the first node, offset of the nodes.
const LAYER_FIXED: usize = 8 + 4;
/// Bytes of the fixed part of a tree: depth, lowest level, offset of the layers.
const TREE_FIXED: usize = 8 + 8 + 4;

/// Bytes of the fixed part of a signature: two offsets and the randomness.
fn signature_fixed(set: &Parameters) -> usize {
    4 + WORD * set.randomness_len + 4
}

/// Bytes of the fixed part of a signing key: PRF key, parameter, three integers and three offsets.
fn signing_key_fixed(set: &Parameters) -> usize {
    32 + WORD * set.parameter_len + 3 * 8 + 3 * 4
}

// ---- reading ----

pub(super) fn verifying_key(set: ParameterSet, bytes: &[u8]) -> Result<VerifyingKey, Malformed> {
    let p = set.parameters();
    let mut reader = Reader::new(bytes);
    let root = digest(p, &mut reader, "element of the root", p.hash_len)?;
    let parameter = digest(p, &mut reader, "element of the parameter", p.parameter_len)?;
    reader.finish()?;
    Ok(VerifyingKey { set, root, parameter })
}

pub(super) fn signature(set: ParameterSet, bytes: &[u8]) -> Result<Signature, Malformed> {
    let p = set.parameters();
    let mut reader = Reader::new(bytes);
    let path_at = reader.u32_le("offset of the path")?;
    let randomness = digest(p, &mut reader, "element of rho", p.randomness_len)?;
    let hashes_at = reader.u32_le("offset of the hashes")?;
    let offsets = [("offset of the path", path_at), ("offset of the hashes", hashes_at)];
    let [path, hashes] = sections(bytes, signature_fixed(p), &offsets)?[..] else {
        unreachable!("as many sections as offsets")
    };
    let mut path = Reader::new(path);
    path.offset_exactly("offset of the nodes in the path", 4)?;
    let path = digests(p, path.rest(), ("bytes of the path", "element of the path"), p.path_len())?;
    let hashes = digests(p, hashes, ("bytes of the hashes", "element of the hashes"), p.chains)?;
    Ok(Signature { set, path, randomness, hashes })
}

pub(super) fn signing_key(set: ParameterSet, bytes: &[u8]) -> Result<Parts, Malformed> {
    let p = set.parameters();
    let mut reader = Reader::new(bytes);
    let prf_key: &[u8; 32] = reader.array("bytes of the PRF key")?;
    let parameter = digest(p, &mut reader, "element of the parameter", p.parameter_len)?;
    let start = reader.u64_le("activation epoch")?;
    let count = reader.u64_le("active epochs")?;
    let top = reader.u32_le("offset of the top tree")?;
    let left_index = reader.u64_le("index of the left bottom tree")?;
    let left = reader.u32_le("offset of the left bottom tree")?;
    let right = reader.u32_le("offset of the right bottom tree")?;
    let offsets = [
        ("offset of the top tree", top),
        ("offset of the left bottom tree", left),
        ("offset of the right bottom tree", right),
    ];
    let [top, left, right] = sections(bytes, signing_key_fixed(p), &offsets)?[..] else {
        unreachable!("as many sections as offsets")
    };
    Ok(Parts {
        set,
        parameter,
        trees: whole_trees(p, start, count)?,
        top: subtree(p, top)?,
        left_index,
        left: subtree(p, left)?,
        right: subtree(p, right)?,
        prf_key: PrfKey::filled_by(|key| key.copy_from_slice(prf_key)),
    })
}

fn subtree(set: &Parameters, bytes: &[u8]) -> Result<Subtree<Digest>, Malformed> {
    let mut reader = Reader::new(bytes);
    let depth = small("depth of a tree", reader.u64_le("depth of a tree")?)?;
    let lowest = small("lowest level of a tree", reader.u64_le("lowest level of a tree")?)?;
    reader.offset_exactly("offset of the layers of a tree", TREE_FIXED)?;
    let list = reader.rest();
    let count = layers_of_tree(set);
    let offset = |_| reader.u32_le("offset of a layer").map(|offset| ("offset of a layer", offset));
    let offsets = (0..count).map(offset).collect::<Result<Vec<_>, _>>()?;
    let layers = sections(list, 4 * count, &offsets)?;
    Ok(Subtree {
        depth,
        lowest,
        layers: layers.into_iter().map(|bytes| layer(set, bytes)).collect::<Result<_, _>>()?,
    })
}

fn layer(set: &Parameters, bytes: &[u8]) -> Result<Layer<Digest>, Malformed> {
    let mut reader = Reader::new(bytes);
    let start = reader.u64_le("first position of a layer")?;
    reader.offset_exactly("offset of the nodes of a layer", LAYER_FIXED)?;
    let nodes = reader.rest();
    // Not a whole number of nodes: `digests` then wants the next smaller number of bytes.
    let count = nodes.len() / (WORD * set.hash_len);
    Ok(Layer {
        start,
        nodes: digests(set, nodes, ("bytes of the nodes of a layer", "element of a node"), count)?,
    })
}

/// The `count` nodes that make up `bytes`. `names` are what the length and an element are called.
fn digests(
    set: &Parameters,
    bytes: &[u8],
    names: (&'static str, &'static str),
    count: usize,
) -> Result<Vec<Digest>, Malformed> {
    Malformed::unless_equal(names.0, bytes.len() as u64, (count * set.hash_len * WORD) as u64)?;
    let mut reader = Reader::new(bytes);
    let mut digests = Vec::with_capacity(count);
    for _ in 0..count {
        digests.push(digest(set, &mut reader, names.1, set.hash_len)?);
    }
    Ok(digests)
}

/// The next `len` elements.
fn digest(
    set: &Parameters,
    reader: &mut Reader<'_>,
    what: &'static str,
    len: usize,
) -> Result<Digest, Malformed> {
    let mut digest = Digest::default();
    for word in &mut digest.0[..len] {
        let wire = reader.u32_le(what)?;
        *word = canonical(what, wire, set.family.word_from_ssz(wire))?;
    }
    Ok(digest)
}

// ---- writing ----

pub(super) fn put_verifying_key(key: &VerifyingKey) -> Vec<u8> {
    let set = key.set.parameters();
    let mut out = Vec::with_capacity(WORD * (set.hash_len + set.parameter_len));
    put_digest(&mut out, set, &key.root, set.hash_len);
    put_digest(&mut out, set, &key.parameter, set.parameter_len);
    out
}

pub(super) fn put_signature(signature: &Signature) -> Vec<u8> {
    let set = signature.set.parameters();
    let path_at = signature_fixed(set);
    let hashes_at = path_at + 4 + WORD * set.hash_len * signature.path.len();
    let mut out = Vec::with_capacity(hashes_at + WORD * set.hash_len * signature.hashes.len());
    put_offset(&mut out, path_at);
    put_digest(&mut out, set, &signature.randomness, set.randomness_len);
    put_offset(&mut out, hashes_at);
    put_offset(&mut out, 4);
    put_digests(&mut out, set, &signature.path);
    put_digests(&mut out, set, &signature.hashes);
    out
}

pub(super) fn put_signing_key(key: &SigningKey) -> Zeroizing<Vec<u8>> {
    let set = key.set.parameters();
    let (start, count, trees) = key.epochs_and_trees();
    let mut out = Zeroizing::new(Vec::with_capacity(max_signing_key_len(set, trees, WORD)));
    let capacity = out.capacity();
    let [top, left, _] = trees.map(|tree| subtree_len(set, tree));
    let top_at = signing_key_fixed(set);
    out.extend_from_slice(key.prf_key.bytes());
    put_digest(&mut out, set, &key.parameter, set.parameter_len);
    out.extend(start.to_le_bytes());
    out.extend(count.to_le_bytes());
    put_offset(&mut out, top_at);
    out.extend(key.left_index.to_le_bytes());
    put_offset(&mut out, top_at + top);
    put_offset(&mut out, top_at + top + left);
    trees.into_iter().for_each(|tree| put_subtree(&mut out, set, tree));
    debug_assert_eq!(out.capacity(), capacity, "the buffer never moves: its bound holds");
    out
}

fn layer_len(set: &Parameters, layer: &Layer<Digest>) -> usize {
    LAYER_FIXED + WORD * set.hash_len * layer.nodes.len()
}

fn subtree_len(set: &Parameters, tree: &Subtree<Digest>) -> usize {
    TREE_FIXED + tree.layers.iter().map(|layer| 4 + layer_len(set, layer)).sum::<usize>()
}

fn put_subtree(out: &mut Vec<u8>, set: &Parameters, tree: &Subtree<Digest>) {
    out.extend(u64::from(tree.depth).to_le_bytes());
    out.extend(u64::from(tree.lowest).to_le_bytes());
    put_offset(out, TREE_FIXED);
    let mut at = 4 * tree.layers.len();
    for layer in &tree.layers {
        put_offset(out, at);
        at += layer_len(set, layer);
    }
    for layer in &tree.layers {
        out.extend(layer.start.to_le_bytes());
        put_offset(out, LAYER_FIXED);
        put_digests(out, set, &layer.nodes);
    }
}

fn put_digests(out: &mut Vec<u8>, set: &Parameters, digests: &[Digest]) {
    digests.iter().for_each(|digest| put_digest(out, set, digest, set.hash_len));
}

fn put_digest(out: &mut Vec<u8>, set: &Parameters, digest: &Digest, len: usize) {
    digest.0[..len].iter().for_each(|&word| out.extend(set.family.word_to_ssz(word).to_le_bytes()));
}
