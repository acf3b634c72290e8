//! What a key signs, byte for byte, and verification one by one and in batches.

use super::vector::{Context, SignatureVector, Valid};
use crate::json::{Bytes, Hex, Object};
use crate::report::{BATCH, Check, Recorder, ensure, same, text};
use phalanx::xmss::{
    Format, Signature, SignedMessage, SigningKey, VerifyingKey, hazmat, verify_many, verify_many_on,
};
use phalanx::{InvalidSignature, Threads};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Runs the signing cases of a key, and adds its valid signatures to `valid`.
pub(crate) fn run(
    recorder: &mut Recorder<'_>,
    context: &Context<'_>,
    lists: &mut Object,
    valid: &mut Vec<Valid>,
) {
    let signatures = lists.list(recorder, "signatures");
    recorder.cases(&context.part("signatures"), &signatures, |case| signature(context, case));
    valid.extend(signatures.iter().filter_map(|value| decoded(context, value)));

    // The key after one step, if any test asks for it.
    let advanced = || {
        let mut key = context.copy()?;
        let moved = key.advance().map_err(text)?;
        Ok((key, moved))
    };
    let after = lists.optional("after_advance_preparation");
    let cases = lists.list(recorder, "sign_out_of_range");
    let wants_advanced = |case: &Value| case["key_state"] != FRESH;
    let advanced = if after.is_some() || cases.iter().any(wants_advanced) {
        recorder.prepare(context.part("advance"), advanced)
    } else {
        None
    };
    if let (Some(after), Some((key, moved))) = (after, &advanced) {
        recorder.cases(&context.part("after_advance_preparation"), &[after], |case: &AfterAdvance| {
            ensure(*moved, "the key did not move on")?;
            after_advance(context, key, case)
        });
    }
    recorder.cases(&context.part("sign_out_of_range"), &cases, |case: &OutOfRange| {
        let key = match (case.key_state.as_str(), &advanced) {
            (FRESH, _) => context.key,
            (ADVANCED, Some((key, _))) => key,
            (ADVANCED, None) => return Err("the key could not be moved on".to_owned()),
            (state, _) => return Err(format!("this version does not know the key state '{state}'")),
        };
        out_of_range(context, key, case)
    });
}

/// How files call a key as it was generated.
const FRESH: &str = "fresh";

/// How files call a key that has moved on once.
const ADVANCED: &str = "after one advance_preparation";

fn signature(context: &Context<'_>, case: &SignatureVector) -> Check {
    let Context { set, key, ref public, .. } = *context;
    let (epoch, message) = (case.epoch, &case.message.0);
    let got = hazmat::sign_unrecorded(key, epoch, message).map_err(text)?;
    same("rho", &hazmat::randomness_of(&got), &case.rho)?;
    same("codeword", hazmat::codeword_of(public, epoch, message, &got).as_ref(), Some(&case.codeword))?;
    let (prf_key, parameter) = (hazmat::expose_prf_key(key), hazmat::parameter_of(public));
    let found = hazmat::find_encoding(set, &prf_key, &parameter, epoch, message);
    same("counter", found.map(|found| found.counter), Some(case.successful_counter))?;

    let bytes = |what: &str, bytes: &[u8], full: Option<&Bytes>, len: usize, hash: &Hex<32>| {
        same(&format!("length in {what}"), bytes.len(), len)?;
        same(&format!("SHA-256 in {what}"), hex::encode(Sha256::digest(bytes)), hex::encode(hash.0))?;
        ensure(full.is_none_or(|full| full.0 == bytes), &format!("bytes in {what} differ"))
    };
    ensure(got.to_bytes(Format::Ssz) == case.sig_ssz.0, "bytes in ssz differ")?;
    let (len, hash) = (case.sig_bincode1_len, &case.sig_bincode1_sha256);
    bytes("bincode", &got.to_bytes(Format::Bincode), case.sig_bincode1.as_ref(), len, hash)?;
    let (len, hash) = (case.sig_bincode2_standard_len, &case.sig_bincode2_standard_sha256);
    let full = case.sig_bincode2_standard.as_ref();
    bytes("bincode2", &got.to_bytes(Format::BincodeStandard), full, len, hash)?;

    for &format in Format::ALL {
        let again = Signature::from_bytes(set, format, &got.to_bytes(format)).map_err(text)?;
        ensure(again == got, &format!("decoding and encoding in {format} change the signature"))?;
    }
    check_verifies(public, epoch, message, &got)
}

/// The signature verifies, and not for another message or epoch.
fn check_verifies(public: &VerifyingKey, epoch: u32, message: &[u8; 32], signature: &Signature) -> Check {
    same("result", public.verify(epoch, message, signature), Ok(()))?;
    let mut other = *message;
    other[31] ^= 0x80;
    same("result on another message", public.verify(epoch, &other, signature), Err(InvalidSignature))?;
    same("result at another epoch", public.verify(epoch ^ 1, message, signature), Err(InvalidSignature))
}

/// The signature of a case as it stands in the file.
fn decoded(context: &Context<'_>, value: &Value) -> Option<Valid> {
    let case = SignatureVector::deserialize(value).ok()?;
    let signature = Signature::from_bytes(context.set, Format::Ssz, &case.sig_ssz.0).ok()?;
    Some(Valid { key: context.public, epoch: case.epoch, message: case.message.0, signature })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AfterAdvance {
    prepared_interval: [u64; 2],
    sk_ssz_len: usize,
    sk_ssz_sha256: Hex<32>,
    epoch: u32,
    message: Hex<32>,
    sig_ssz: Bytes,
}

fn after_advance(context: &Context<'_>, key: &SigningKey, case: &AfterAdvance) -> Check {
    let [start, end] = case.prepared_interval;
    same("prepared interval", key.prepared_interval(), start..end)?;
    let bytes = key.to_bytes(Format::Ssz);
    same("length of the key", bytes.len(), case.sk_ssz_len)?;
    let hash = hex::encode(Sha256::digest(&*bytes));
    same("SHA-256 of the key", hash, hex::encode(case.sk_ssz_sha256.0))?;
    let got = hazmat::sign_unrecorded(key, case.epoch, &case.message.0).map_err(text)?;
    ensure(got.to_bytes(Format::Ssz) == case.sig_ssz.0, "the signature differs")?;
    check_verifies(&context.public, case.epoch, &case.message.0, &got)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OutOfRange {
    #[serde(rename = "case")]
    _case: String,
    epoch: u64,
    #[serde(rename = "reference")]
    _reference: String,
    key_state: String,
    required: String,
}

fn out_of_range(context: &Context<'_>, key: &SigningKey, case: &OutOfRange) -> Check {
    let message = [0x5a; 32];
    // An epoch beyond 32 bits cannot even be asked for.
    let epoch = u32::try_from(case.epoch);
    let signed = epoch.ok().map(|epoch| (epoch, hazmat::sign_unrecorded(key, epoch, &message)));
    match (case.required.as_str(), signed) {
        ("error", None | Some((_, Err(_)))) => {}
        ("error", Some((_, Ok(_)))) => return Err("a signature was made".to_owned()),
        ("ok", Some((epoch, Ok(signature)))) => {
            return check_verifies(&context.public, epoch, &message, &signature);
        }
        ("ok", Some((_, Err(error)))) => return Err(format!("no signature was made: {error}")),
        ("ok", None) => return Err("the epoch does not fit 32 bits".to_owned()),
        (other, _) => return Err(format!("this version does not know the requirement '{other}'")),
    }
    // The public way must refuse as well, unless it may move on to the epoch by itself.
    if let Ok(epoch) = epoch
        && !key.activation_interval().contains(&case.epoch)
    {
        let refused = context.copy()?.sign(epoch, &message).is_err();
        ensure(refused, "`sign` made a signature")?;
    }
    Ok(())
}

/// Runs all valid signatures of a file in batches, and with one bad signature at every place of a batch.
pub(crate) fn batches(recorder: &mut Recorder<'_>, valid: &[Valid], threads: &Threads) {
    if valid.is_empty() {
        return;
    }
    for len in [1, 2, 7, 8, 9, 15, 16, 17, BATCH, 2 * BATCH - 1] {
        recorder.case(format_args!("verify-many of {len}"), || {
            let claims: Vec<SignedMessage<'_>> = valid.iter().cycle().take(len).map(Valid::claim).collect();
            same("results", verify_many(&claims), vec![Ok(()); len])?;
            same("results with threads", verify_many_on(threads, &claims), vec![Ok(()); len])
        });
    }
    // Another message gives other chain lengths, the next signature's gives wrong ends, and a flipped root or path
    // shows only at the very end: one of each kind.
    for bad in 0..BATCH {
        recorder.case(format_args!("verify-many of {BATCH}, the one at {bad} bad"), || {
            let others = valid.iter().cycle().skip(bad);
            let mut claims: Vec<SignedMessage<'_>> = others.take(BATCH).map(Valid::claim).collect();
            let broken = broken(claims[bad], bad)?;
            claims[bad] = broken.claim();
            let mut wanted = vec![Ok(()); BATCH];
            wanted[bad] = Err(InvalidSignature);
            same("results", verify_many(&claims), wanted)
        });
    }
}

/// The claim with one thing wrong: what, says `kind`.
fn broken(claim: SignedMessage<'_>, kind: usize) -> Result<Valid, String> {
    let set = claim.key.parameter_set();
    let (mut key, mut epoch, mut message) = (*claim.key, claim.epoch, *claim.message);
    let mut bytes = claim.signature.to_bytes(Format::Ssz);
    match kind % 5 {
        0 => message[kind % 32] ^= 1,
        1 => epoch ^= 1,
        2 => {
            let mut public = key.to_bytes(Format::Ssz);
            public[0] ^= 1;
            key = VerifyingKey::from_bytes(set, Format::Ssz, &public).map_err(text)?;
        }
        // The last chain value, and the first path node: behind offset, randomness, offset and inner offset.
        3 => {
            let at = bytes.len() - 4;
            bytes[at] ^= 1;
        }
        _ => bytes[12 + 4 * set.randomness_len()] ^= 1,
    }
    let signature = Signature::from_bytes(set, Format::Ssz, &bytes).map_err(text)?;
    Ok(Valid { key, epoch, message, signature })
}
