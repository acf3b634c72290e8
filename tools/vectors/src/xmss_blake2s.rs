//! Files of `vectors/xmss-blake2s`: the key `profile` says which definition they are of.

use crate::json::{Bytes, Hex, Object};
use crate::report::{Check, Recorder, ensure, in_every_lane, same, text};
use phalanx::Threads;
use phalanx::xmss::blake2s::{ParameterSet, Signature, SignedMessage, SigningKey, VerifyingKey, verify_many};
use phalanx::xmss::hazmat::blake2s::{self as hazmat, ChainWalk, EncodingInput};
use phalanx_reference::xmss_blake2s as reference;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Whether a file called `name`, in a folder called `folder`, is for [`run`].
pub(crate) fn is_ours(name: &str, folder: &str) -> bool {
    name.ends_with(".json")
        && (folder == "xmss-blake2s"
            || ["profile-a", "profile-b", "upstream-a", "upstream-b"]
                .iter()
                .any(|start| name.starts_with(start)))
}

/// Runs a file.
pub(crate) fn run(recorder: &mut Recorder<'_>, file: Value, threads: &Threads) {
    let Some(mut file) = Object::new(recorder, "", file) else { return };
    let set = match file.required(recorder, "profile").as_ref().and_then(Value::as_str) {
        Some("A") => ParameterSet::A_L32_D42B8,
        Some("B") => ParameterSet::L32_D42B8,
        _ => return recorder.not_understood("profile", "neither A nor B"),
    };
    file.note(recorder, "source");
    if file.has("blake2s") {
        file.cases(recorder, "blake2s", digest);
    }
    if file.has("tweak_hash") {
        file.cases(recorder, "tweak_hash", |case| tweak_hash(set, case));
    }
    if file.has("chain") {
        file.cases(recorder, "chain", |case| chain(set, case));
    }
    if file.has("seed_derivation") {
        file.cases(recorder, "seed_derivation", seed_derivation);
    }
    if file.has("decode_digest") {
        file.cases(recorder, "decode_digest", decode_digest);
    }
    if file.has("encode") {
        file.cases(recorder, "encode", |case| encode(set, case));
    }
    if let Some(value) = file.optional("tree") {
        recorder.cases("tree", &[value], tree);
    }
    if file.has("key_gen") {
        file.cases(recorder, "key_gen", |case| key_gen(set, case, threads));
    }
    if file.has("sign") {
        file.cases(recorder, "sign", |case| sign(case, threads));
    }
    if file.has("verify") {
        file.cases(recorder, "verify", |case| verify(set, case));
    }
    file.finish(recorder);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Digest {
    message: Bytes,
    digest: Hex<32>,
}

/// Lanes hash whole words: a message of another length is one for the plain version alone.
fn digest(case: &Digest) -> Check {
    same("plain digest", reference::blake2s(&[], &case.message.0), case.digest.0)?;
    if !case.message.0.len().is_multiple_of(4) {
        return Ok(());
    }
    let other = vec![0x5a; case.message.0.len()];
    in_every_lane("digest", &case.message.0, &other, &case.digest.0, hazmat::digests)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TweakHash {
    r#type: u8,
    name: Option<String>,
    sub_position: u32,
    index: u32,
    public_param: Hex<16>,
    payload: Bytes,
    tweak: Option<Hex<16>>,
    digest: Hex<16>,
}

fn tweak_hash(set: ParameterSet, case: &TweakHash) -> Check {
    let names = ["prf", "chain", "leaf", "node", "encoding", "parameter", "filler", "randomizer"];
    ensure(case.name.is_none() || usize::from(case.r#type) < names.len(), "a name of no type")?;
    let tweak = hazmat::tweak(set, case.r#type, case.sub_position, case.index);
    if let Some(wanted) = &case.tweak {
        same("tweak", tweak, wanted.0)?;
    }
    let message = [&tweak[..], &case.public_param.0, &case.payload.0].concat();
    let plain = reference::blake2s(&[], &message);
    same("plain digest", &plain[..16], &case.digest.0[..])?;
    if !message.len().is_multiple_of(4) {
        return Ok(());
    }
    let half = |messages: &[Vec<u8>]| -> Vec<Vec<u8>> {
        hazmat::digests(messages).iter().map(|digest| digest[..16].to_vec()).collect()
    };
    in_every_lane("digest", &message, &vec![0xa5; message.len()], &case.digest.0.to_vec(), half)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Chain {
    public_param: Hex<16>,
    epoch: u32,
    chain: u8,
    start: u8,
    steps: u8,
    value: Hex<16>,
    result: Hex<16>,
}

fn chain(set: ParameterSet, case: &Chain) -> Check {
    let walk = ChainWalk {
        parameter: case.public_param.0,
        epoch: case.epoch,
        chain: case.chain,
        position: case.start,
        steps: case.steps,
        value: case.value.0,
    };
    let other = ChainWalk { epoch: !case.epoch, position: 1, steps: 6 - case.steps.min(6), ..walk.clone() };
    in_every_lane("end", &walk, &other, &case.result.0, |walks| hazmat::walk_chains(set, walks))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeedDerivation {
    seed: Hex<32>,
    public_param: Hex<16>,
    epoch: u32,
    chain_start_0: Hex<16>,
    chain_start_41: Hex<16>,
    filler_level_0: Filler,
    filler_level_31: Filler,
    leaf: Hex<16>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Filler {
    index: u64,
    node: Hex<16>,
}

fn seed_derivation(case: &SeedDerivation) -> Check {
    let seed = &case.seed.0;
    same("parameter", hazmat::parameter(seed), case.public_param.0)?;
    let starts = hazmat::chain_starts(seed, case.epoch);
    same("start of chain 0", starts[0], case.chain_start_0.0)?;
    same("start of chain 41", starts[41], case.chain_start_41.0)?;
    for (level, filler) in [(0, &case.filler_level_0), (31, &case.filler_level_31)] {
        same("filler", hazmat::filler(seed, level, filler.index), filler.node.0)?;
    }
    // Beside others and alone.
    let before = case.epoch.saturating_sub(20);
    let at = usize::try_from(case.epoch - before).map_err(text)?;
    same("leaf among others", hazmat::leaves(seed, before, at + 1)[at], case.leaf.0)?;
    same("leaf", hazmat::leaves(seed, case.epoch, 1)[0], case.leaf.0)
}

/// Digits as files have them, or none.
fn same_digits(got: Option<[u8; 42]>, wanted: Option<&Vec<u8>>) -> Check {
    same("digits", got.map(|digits| digits.to_vec()).as_ref(), wanted)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DecodeDigest {
    digest: Hex<16>,
    digits: Option<Vec<u8>>,
    #[serde(rename = "note")]
    _note: String,
}

fn decode_digest(case: &DecodeDigest) -> Check {
    same_digits(hazmat::digits(&case.digest.0), case.digits.as_ref())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Encode {
    public_param: Hex<16>,
    message: Hex<32>,
    randomness: Hex<24>,
    epoch: u32,
    digest: Option<Hex<16>>,
    digits: Option<Vec<u8>>,
    reason: Option<String>,
}

fn encode(set: ParameterSet, case: &Encode) -> Check {
    let input = EncodingInput {
        parameter: case.public_param.0,
        epoch: case.epoch,
        message: case.message.0,
        randomizer: case.randomness.0,
    };
    let other = EncodingInput { epoch: !case.epoch, ..input.clone() };
    let digests = |inputs: &[EncodingInput]| hazmat::encoding_digests(set, inputs);
    let digest = digests(core::slice::from_ref(&input))[0];
    if let Some(wanted) = &case.digest {
        same("digest", digest, wanted.0)?;
    }
    in_every_lane("digest", &input, &other, &digest, digests)?;
    let reason = [7, 15].iter().any(|&at| digest[at] >> 7 == 1).then_some("spare_bit_set");
    if let (Some(wanted), None) = (&case.reason, &case.digits) {
        same("reason", reason.unwrap_or("off_target"), &wanted[..])?;
    }
    same_digits(hazmat::digits(&digest), case.digits.as_ref())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tree {
    seed: Hex<32>,
    epoch_start: u32,
    epoch_end: u32,
    public_param: Hex<16>,
    leaves: BTreeMap<u32, Hex<16>>,
    level_1: BTreeMap<u64, Hex<16>>,
    level_2: BTreeMap<u64, Hex<16>>,
    level_3: BTreeMap<u64, Hex<16>>,
    filler_level_2_index_0: Hex<16>,
    root: Hex<16>,
    auth_path_epoch_6: Vec<Hex<16>>,
}

fn tree(case: &Tree) -> Check {
    let (seed, parameter) = (&case.seed.0, &case.public_param.0);
    same("parameter", hazmat::parameter(seed), *parameter)?;
    for (&epoch, leaf) in &case.leaves {
        same("leaf", hazmat::leaves(seed, epoch, 1)[0], leaf.0)?;
    }
    let leaves: BTreeMap<u64, Hex<16>> = case.leaves.iter().map(|(&at, &leaf)| (at.into(), leaf)).collect();
    let filler = case.filler_level_2_index_0.0;
    same("filler", hazmat::filler(seed, 2, 0), filler)?;
    for (level, below, nodes) in
        [(1, &leaves, &case.level_1), (2, &case.level_1, &case.level_2), (3, &case.level_2, &case.level_3)]
    {
        for (&index, node) in nodes {
            let child = |at: u64| match below.get(&at) {
                Some(child) => Ok(child.0),
                None if (level, at) == (3, 0) => Ok(filler),
                None => Err(format!("no child {at} of level {level}")),
            };
            let children = [child(2 * index)?, child(2 * index + 1)?];
            let set = ParameterSet::L32_D42B8;
            same("node", hazmat::tree_nodes(set, parameter, level, index, &children)[0], node.0)?;
        }
    }
    let key = key_of(seed, case.epoch_start, case.epoch_end, &phalanx::Inline)?;
    same("root", &key.verifying_key().to_bytes()[..16], &case.root.0[..])?;
    let signature = hazmat::sign_unrecorded(&key, 6, &[0; 32]).map_err(text)?.0.to_bytes();
    let path: Vec<u8> = case.auth_path_epoch_6.iter().flat_map(|node| node.0).collect();
    same("path", &signature[696..], &path[..])
}

/// The key of an inclusive range.
fn key_of(seed: &[u8; 32], first: u32, last: u32, pool: &dyn phalanx::Pool) -> Result<SigningKey, String> {
    SigningKey::from_seed_on(pool, seed, u64::from(first)..u64::from(last) + 1).map_err(text)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyGen {
    seed: Hex<32>,
    epoch_start: u32,
    epoch_end: u32,
    public_key: Option<Hex<32>>,
    #[serde(rename = "reason")]
    _reason: Option<String>,
}

/// Keys of profile A are not made by the library: the plain version makes them.
fn key_gen(set: ParameterSet, case: &KeyGen, threads: &Threads) -> Check {
    let KeyGen { seed, epoch_start, epoch_end, .. } = case;
    let got = if set.signs() {
        key_of(&seed.0, *epoch_start, *epoch_end, threads)
            .ok()
            .map(|key| key.verifying_key().to_bytes().to_vec())
    } else {
        reference::SecretKey::new(reference::Profile::A, &seed.0, *epoch_start, *epoch_end)
            .map(|key| key.public_key().to_bytes())
    };
    same("public key", got, case.public_key.map(|key| key.0.to_vec()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sign {
    seed: Hex<32>,
    epoch_start: u32,
    epoch_end: u32,
    epoch: u32,
    message: Hex<32>,
    trial: Option<u32>,
    randomness: Option<Hex<24>>,
    signature: Bytes,
    #[serde(rename = "note")]
    _note: Option<String>,
}

fn sign(case: &Sign, threads: &Threads) -> Check {
    let mut key = key_of(&case.seed.0, case.epoch_start, case.epoch_end, threads)?;
    while u64::from(case.epoch) >= key.prepared_interval().end && key.advance().map_err(text)? {}
    let (signature, trial) = hazmat::sign_unrecorded(&key, case.epoch, &case.message.0).map_err(text)?;
    let bytes = signature.to_bytes();
    same("signature", &bytes[..], &case.signature.0[..])?;
    if let Some(wanted) = case.trial {
        same("trial", trial, wanted)?;
    }
    if let Some(wanted) = &case.randomness {
        same("randomizer", &bytes[672..696], &wanted.0[..])?;
    }
    let verified = key.verifying_key().verify(case.epoch, &case.message.0, &signature);
    same("verification", verified, Ok(()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Verify {
    #[serde(rename = "case")]
    _case: Option<String>,
    #[serde(rename = "seed")]
    _seed: Option<Hex<32>>,
    #[serde(rename = "epoch_start")]
    _epoch_start: Option<u32>,
    #[serde(rename = "epoch_end")]
    _epoch_end: Option<u32>,
    public_key: Bytes,
    epoch: u32,
    message: Hex<32>,
    signature: Bytes,
    result: String,
}

fn verify(set: ParameterSet, case: &Verify) -> Check {
    let key = VerifyingKey::from_bytes(set, &case.public_key.0);
    let signature = Signature::from_bytes(set, &case.signature.0);
    let wanted = match &case.result[..] {
        "valid" => true,
        "invalid" | "invalid_encoding" | "invalid_root" => false,
        "bad_length" => {
            return ensure(key.is_err() || signature.is_err(), "an error of decoding was wanted");
        }
        other => return Err(format!("unknown result '{other}'")),
    };
    let (key, signature) = (key.map_err(text)?, signature.map_err(text)?);
    same("bytes of the key", &key.to_bytes()[..], &case.public_key.0[..])?;
    same("bytes of the signature", &signature.to_bytes()[..], &case.signature.0[..])?;
    same("verifies", key.verify(case.epoch, &case.message.0, &signature).is_ok(), wanted)?;
    // With others in the lanes: the same message, and one of another epoch, which is not signed.
    let item = (case.epoch, wanted);
    let other = (!case.epoch, false);
    in_every_lane("verifies", &item, &other, &wanted, |items| {
        let signed: Vec<_> = items
            .iter()
            .map(|(epoch, _)| SignedMessage {
                key: &key,
                epoch: *epoch,
                message: &case.message.0,
                signature: &signature,
            })
            .collect();
        verify_many(&signed).iter().map(Result::is_ok).collect()
    })
}
