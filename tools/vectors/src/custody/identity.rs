//! `identity.json`: names of keys, what one seed gives all sets, child seeds.

use crate::json::{Bytes, Hex, Object};
use crate::report::{Check, Recorder, ensure, same};
use phalanx::ed25519;
use phalanx::xmss::{Format, ParameterSet, SigningKey, hazmat};
use phalanx_custody::identity::{Derivation, Family, derive_seed, key_id, one_time_key_id};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    scheme: String,
    family: String,
    seed: Hex<32>,
    pubkey: Bytes,
    public_part: Bytes,
    key_id: Hex<32>,
    one_time_key_id: Option<Hex<32>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    scheme: String,
    key_id: Hex<32>,
    one_time_key_id: Hex<32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainStart {
    epoch: u32,
    chain: u8,
    n8: Vec<u32>,
    n7: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Child {
    master: Hex<32>,
    scheme: String,
    role: String,
    start: String,
    count: String,
    index: String,
    seed: Hex<32>,
}

/// Runs the file.
pub(super) fn run(recorder: &mut Recorder<'_>, file: &mut Object) {
    file.cases(recorder, "keys", key);
    if let Some(mut shared) = file.object(recorder, "one_seed_all_sets") {
        run_shared(recorder, &mut shared);
        shared.finish(recorder);
    }
    file.cases(recorder, "derive", child);
}

fn family(scheme: &str) -> Result<Family, String> {
    Family::of_scheme(scheme).ok_or_else(|| format!("this version has no scheme '{scheme}'"))
}

/// A key of a set with this seed. Its root is not that of a real interval; its parameter and PRF key are.
fn key_of(set: ParameterSet, seed: &[u8; 32]) -> SigningKey {
    hazmat::partial_key(set, seed, 0..1)
}

fn key(case: &Key) -> Check {
    let family = family(&case.scheme)?;
    same("family", family.name(), &case.family[..])?;
    let part = family.part_of(&case.pubkey.0).ok_or("a short public key")?;
    same("public part", part, &case.public_part.0[..])?;
    same("key id", key_id(family, part).0, case.key_id.0)?;
    let secret = match family {
        Family::KoalaBear => {
            let set = ParameterSet::from_name(&case.scheme).ok_or("no parameter set of this library")?;
            let key = key_of(set, &case.seed.0);
            let public = key.verifying_key().to_bytes(Format::Ssz);
            same("part of the seed's key", family.part_of(&public), Some(part))?;
            Some(hazmat::expose_prf_key(&key))
        }
        Family::Blake2s => Some(case.seed.0),
        Family::Ed25519 => {
            let key = ed25519::SigningKey::from_seed(&case.seed.0);
            same("the seed's public key", &key.verifying_key().to_bytes()[..], part)?;
            None
        }
    };
    let id = secret.map(|secret| one_time_key_id(family, &secret).0);
    same("one-time key id", id, case.one_time_key_id.map(|id| id.0))
}

fn run_shared(recorder: &mut Recorder<'_>, shared: &mut Object) {
    let mut read = |name: &str| shared.required(recorder, name);
    let (seed, parameter) = (read("seed"), read("parameter"));
    let (prf_key, blake2s) = (read("prf_key"), read("blake2s_parameter"));
    let values = (seed.as_ref(), parameter.as_ref(), prf_key.as_ref(), blake2s.as_ref());
    let (Some(seed), Some(parameter), Some(prf_key), Some(blake2s)) = values else { return };
    let Some(seed) = recorder.read::<Hex<32>>("seed", seed) else { return };
    let Some(parameter) = recorder.read::<[u32; 5]>("parameter", parameter) else { return };
    let Some(prf_key) = recorder.read::<Hex<32>>("prf_key", prf_key) else { return };
    let Some(blake2s) = recorder.read::<Hex<16>>("blake2s_parameter", blake2s) else { return };
    for set in ParameterSet::ALL {
        recorder.case(format_args!("{set}"), || {
            let key = key_of(set, &seed.0);
            same("parameter", hazmat::parameter_of(&key.verifying_key()), parameter)?;
            same("PRF key", hazmat::expose_prf_key(&key), prf_key.0)
        });
    }
    shared.cases::<Set>(recorder, "sets", |case| {
        let family = family(&case.scheme)?;
        let words: Vec<u8> = parameter.iter().flat_map(|word| word.to_le_bytes()).collect();
        let (part, secret) = match family {
            Family::Blake2s => (&blake2s.0[..], &seed.0),
            _ => (&words[..], &prf_key.0),
        };
        same("key id", key_id(family, part).0, case.key_id.0)?;
        same("one-time key id", one_time_key_id(family, secret).0, case.one_time_key_id.0)
    });
    shared.cases::<ChainStart>(recorder, "chain_starts", |case| {
        let index = u64::from(case.chain);
        let start = |set| hazmat::prf_chain_start(set, &prf_key.0, case.epoch, index);
        same("8 words", start(ParameterSet::POSEIDON2_L32_D64B8), case.n8.clone())?;
        same("7 words", start(ParameterSet::POSEIDON2_L18_D64B8), case.n7.clone())?;
        ensure(case.n8.starts_with(&case.n7), "the 7 words are not the first of the 8")
    });
}

fn child(case: &Child) -> Check {
    let number = |text: &str| text.parse().map_err(|_| format!("not a number: '{text}'"));
    let what = Derivation {
        scheme: &case.scheme,
        role: &case.role,
        start: number(&case.start)?,
        count: number(&case.count)?,
        index: number(&case.index)?,
    };
    same("seed", *derive_seed(&case.master.0, &what), case.seed.0)
}
