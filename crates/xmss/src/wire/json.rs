//! JSON, as serde writes leanSig's types. Elements are Montgomery words.
#![forbid(unsafe_code)]

use super::super::digest::Digest;
use super::super::key::{Parts, SigningKey, VerifyingKey};
use super::super::parameters::{ParameterSet, Parameters};
use super::super::prf_key::PrfKey;
use super::super::signature::Signature;
use super::rules::{canonical, small, whole_trees};
use alloc::vec::Vec;
use core::fmt;
use phalanx_core::Malformed;
use phalanx_core::subtree::{Layer, Subtree};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use std::io;
use zeroize::Zeroizing;

// ---- the forms ----
//
// Each is drawn once: `W` stands for a list of words, `N` for a list of nodes and `K` for the PRF key, which are
// borrowed when writing and owned when reading.

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VerifyingKeyForm<W> {
    root: W,
    parameter: W,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SignatureForm<W, N> {
    path: Object<PathForm<N>>,
    rho: W,
    hashes: N,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PathForm<N> {
    co_path: N,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SigningKeyForm<K, W, N> {
    prf_key: K,
    parameter: W,
    activation_epoch: u64,
    num_active_epochs: u64,
    top_tree: Object<TreeForm<N>>,
    left_bottom_tree_index: u64,
    left_bottom_tree: Object<TreeForm<N>>,
    right_bottom_tree: Object<TreeForm<N>>,
    /// A marker type of leanSig's: always null.
    #[serde(rename = "_encoding_type", default)]
    encoding_type: (),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TreeForm<N> {
    depth: u64,
    lowest_layer: u64,
    layers: Vec<Object<LayerForm<N>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LayerForm<N> {
    start_index: u64,
    nodes: N,
}

// ---- reading ----

pub(super) fn verifying_key(set: ParameterSet, bytes: &[u8]) -> Result<VerifyingKey, Malformed> {
    let p = set.parameters();
    let form: VerifyingKeyForm<Vec<u32>> = parse(bytes)?;
    let root = digest(p, ("length of the root", "element of the root"), &form.root, p.hash_len)?;
    let names = ("length of the parameter", "element of the parameter");
    let parameter = digest(p, names, &form.parameter, p.parameter_len)?;
    Ok(VerifyingKey { set, root, parameter })
}

pub(super) fn signature(set: ParameterSet, bytes: &[u8]) -> Result<Signature, Malformed> {
    let p = set.parameters();
    let form: SignatureForm<Vec<u32>, Nodes> = parse(bytes)?;
    let path = digests(p, "element of the path", &form.path.0.co_path)?;
    Malformed::unless_equal("nodes of the path", path.len() as u64, p.path_len() as u64)?;
    let randomness = digest(p, ("length of rho", "element of rho"), &form.rho, p.randomness_len)?;
    let hashes = digests(p, "element of the hashes", &form.hashes)?;
    Malformed::unless_equal("number of hashes", hashes.len() as u64, p.chains as u64)?;
    Ok(Signature { set, path, randomness, hashes })
}

pub(super) fn signing_key(set: ParameterSet, bytes: &[u8]) -> Result<Parts, Malformed> {
    let p = set.parameters();
    let form: SigningKeyForm<PrfKey, Vec<u32>, Nodes> = parse(bytes)?;
    let names = ("length of the parameter", "element of the parameter");
    Ok(Parts {
        set,
        prf_key: form.prf_key,
        parameter: digest(p, names, &form.parameter, p.parameter_len)?,
        trees: whole_trees(p, form.activation_epoch, form.num_active_epochs)?,
        top: subtree(p, form.top_tree.0)?,
        left_index: form.left_bottom_tree_index,
        left: subtree(p, form.left_bottom_tree.0)?,
        right: subtree(p, form.right_bottom_tree.0)?,
    })
}

/// The object that makes up `bytes`.
///
/// # Errors
/// [`Malformed`] with the number of bytes read before the first that is wrong as `got`, the length as `wanted`.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Malformed> {
    let object: Result<Object<T>, _> = serde_json::from_slice(bytes);
    object.map(|object| object.0).map_err(|error| {
        // The error's text may quote a value, perhaps a secret one: only its place is kept.
        let what =
            if error.is_data() { "bytes of JSON with the right fields" } else { "bytes of well-formed JSON" };
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        let before: usize = lines.take(error.line().saturating_sub(1)).map(<[u8]>::len).sum();
        Malformed { what, got: (before + error.column()) as u64, wanted: bytes.len() as u64 }
    })
}

/// Layers are given up one by one as they are turned into digests.
fn subtree(set: &Parameters, form: TreeForm<Nodes>) -> Result<Subtree<Digest>, Malformed> {
    let depth = small("depth of a tree", form.depth)?;
    let lowest = small("lowest level of a tree", form.lowest_layer)?;
    let layer = |Object(form): Object<LayerForm<Nodes>>| {
        Ok(Layer { start: form.start_index, nodes: digests(set, "element of a node", &form.nodes)? })
    };
    Ok(Subtree { depth, lowest, layers: form.layers.into_iter().map(layer).collect::<Result<_, _>>()? })
}

fn digests(set: &Parameters, what: &'static str, nodes: &Nodes) -> Result<Vec<Digest>, Malformed> {
    let Some(len) = nodes.node_len else { return Ok(Vec::new()) };
    // Before cutting, so that no pieces are empty.
    Malformed::unless_equal("elements of a node", len as u64, set.hash_len as u64)?;
    let names = ("elements of a node", what);
    let mut digests = Vec::with_capacity(nodes.words.len() / len);
    for words in nodes.words.chunks(len) {
        digests.push(digest(set, names, words, set.hash_len)?);
    }
    Ok(digests)
}

/// The digest of `len` words that `words` are. `names` are what the length and an element are called.
fn digest(
    set: &Parameters,
    names: (&'static str, &'static str),
    words: &[u32],
    len: usize,
) -> Result<Digest, Malformed> {
    Malformed::unless_equal(names.0, words.len() as u64, len as u64)?;
    let mut digest = Digest::default();
    for (word, &wire) in digest.0.iter_mut().zip(words) {
        *word = canonical(names.1, wire, set.family.check_word(wire).map(|()| wire))?;
    }
    Ok(digest)
}

/// A list of lists of words, all of the same length, in one piece of memory.
struct Nodes {
    words: Vec<u32>,
    /// The length of every inner list; `None` if there are none.
    node_len: Option<usize>,
}

impl<'de> Deserialize<'de> for Nodes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(NodesVisitor)
    }
}

struct NodesVisitor;

impl<'de> Visitor<'de> for NodesVisitor {
    type Value = Nodes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes of one length")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Nodes, A::Error> {
        let mut nodes = Nodes { words: Vec::new(), node_len: None };
        loop {
            let before = nodes.words.len();
            if seq.next_element_seed(Append(&mut nodes.words))?.is_none() {
                return Ok(nodes);
            }
            let len = nodes.words.len() - before;
            if *nodes.node_len.get_or_insert(len) != len {
                return Err(de::Error::invalid_length(len, &self));
            }
        }
    }
}

/// Reads a list of words to the end of another.
struct Append<'a>(&'a mut Vec<u32>);

impl<'de> DeserializeSeed<'de> for Append<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Append<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of words")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(word) = seq.next_element()? {
            self.0.push(word);
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for PrfKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(PrfKeyVisitor)
    }
}

struct PrfKeyVisitor;

impl<'de> Visitor<'de> for PrfKeyVisitor {
    type Value = PrfKey;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of 32 bytes")
    }

    /// Straight into the place where they stay and are wiped. More than 32 are the deserializer's complaint.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<PrfKey, A::Error> {
        let mut outcome = Ok(());
        let key = PrfKey::filled_by(|bytes| {
            outcome = bytes.iter_mut().enumerate().try_for_each(|(i, byte)| {
                *byte = seq.next_element()?.ok_or_else(|| de::Error::invalid_length(i, &self))?;
                Ok(())
            });
        });
        outcome.map(|()| key)
    }
}

/// A struct that is an object in JSON. (By itself, serde would also read one from a list of its fields' values.)
struct Object<T>(T);

impl<T: Serialize> Serialize for Object<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(MapsOnly(deserializer)).map(Self)
    }
}

/// Asks for a map, whatever it is asked for.
struct MapsOnly<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for MapsOnly<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

// ---- writing ----

pub(super) fn put_verifying_key(key: &VerifyingKey) -> Vec<u8> {
    let set = key.set.parameters();
    to_vec(&VerifyingKeyForm {
        root: &key.root.0[..set.hash_len],
        parameter: &key.parameter.0[..set.parameter_len],
    })
}

pub(super) fn put_signature(signature: &Signature) -> Vec<u8> {
    let set = signature.set.parameters();
    to_vec(&SignatureForm {
        path: Object(PathForm { co_path: Digests { set, digests: &signature.path } }),
        rho: &signature.randomness.0[..set.randomness_len],
        hashes: Digests { set, digests: &signature.hashes },
    })
}

pub(super) fn put_signing_key(key: &SigningKey) -> Zeroizing<Vec<u8>> {
    let set = key.set.parameters();
    let (activation_epoch, num_active_epochs, trees) = key.epochs_and_trees();
    let [top_tree, left_bottom_tree, right_bottom_tree] = trees.map(|tree| Object(tree_form(set, tree)));
    Zeroizing::new(to_vec(&SigningKeyForm {
        prf_key: key.prf_key.bytes(),
        parameter: &key.parameter.0[..set.parameter_len],
        activation_epoch,
        num_active_epochs,
        top_tree,
        left_bottom_tree_index: key.left_index,
        left_bottom_tree,
        right_bottom_tree,
        encoding_type: (),
    }))
}

fn tree_form<'a>(set: &'a Parameters, tree: &'a Subtree<Digest>) -> TreeForm<Digests<'a>> {
    let layer = |layer: &'a Layer<Digest>| {
        Object(LayerForm { start_index: layer.start, nodes: Digests { set, digests: &layer.nodes } })
    };
    TreeForm {
        depth: u64::from(tree.depth),
        lowest_layer: u64::from(tree.lowest),
        layers: tree.layers.iter().map(layer).collect(),
    }
}

struct Digests<'a> {
    set: &'a Parameters,
    digests: &'a [Digest],
}

impl Serialize for Digests<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.digests.iter().map(|digest| &digest.0[..self.set.hash_len]))
    }
}

/// The text of `form`, in a buffer of exactly its length: one that grows would leave copies of a secret behind.
fn to_vec(form: &impl Serialize) -> Vec<u8> {
    let infallible = "numbers and field names are written to memory";
    let mut text = Text { len: 0, out: Vec::new() };
    serde_json::to_writer(&mut text, form).expect(infallible);
    text = Text { len: 0, out: Vec::with_capacity(text.len) };
    let capacity = text.out.capacity();
    serde_json::to_writer(&mut text, form).expect(infallible);
    debug_assert_eq!(text.out.capacity(), capacity, "the buffer never moves: its length was counted");
    text.out
}

/// Counts what is written, and keeps it if there is room at all. (One writer for both: what writes is compiled once.)
struct Text {
    len: usize,
    out: Vec<u8>,
}

impl io::Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.len += bytes.len();
        if self.out.capacity() > 0 {
            self.out.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
