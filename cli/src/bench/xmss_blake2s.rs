//! XMSS over BLAKE2s: the compression function, key generation per leaf, signing, verification.

use super::measure::{Contender, Plan, Row, Subject, measure, wrong};
use crate::exit::Failure;
use phalanx::Backend;
use phalanx::xmss::blake2s::{
    KeyGeneration, ParameterSet, Signature, SignedMessage, SigningKey, verify_many_on,
};
use phalanx::xmss::hazmat::blake2s::{compressions, lanes, sign_unrecorded};
use std::hint::black_box;

/// Seed of everything here.
const SEED: [u8; 32] = [0x5e; 32];

/// Epochs of the key: one bottom tree.
const EPOCHS: u32 = 128;

/// The set that signs.
const SET: ParameterSet = ParameterSet::L32_D42B8;

/// Measures the compression function: nanoseconds for each message, lanes full.
pub(super) fn kernels(plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
    const TIMES: u32 = 20_000;
    let compressed = || {
        let mut states = [[1; 16]; 8];
        compressions(&mut states, TIMES);
        // The lane that every backend has.
        states.map(|words| words[0])
    };
    let wanted = Backend::Portable.force(compressed).map_err(Failure::system)?;
    let mut contenders = Vec::new();
    for &backend in &plan.backends {
        let operations = backend.force(lanes).map_err(Failure::system)? as u64 * u64::from(TIMES);
        let work = move || {
            if compressed() == wanted {
                Ok(())
            } else {
                Err(wrong("a compression differs from the portable one"))
            }
        };
        contenders.push(Contender { backend, threads: 1, operations, work: Box::new(work) });
    }
    measure(plan, &Subject { name: "blake2s/compress", scheme: "blake2s", unit: "ns" }, &contenders)
}

/// Measures all operations.
pub(super) fn run(plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
    let key = SigningKey::from_seed_on(&plan.threads, &SEED, 0..EPOCHS.into())?;
    let count = if plan.quick { 16 } else { EPOCHS };
    let mut signed = Vec::new();
    for epoch in 0..count {
        let message = [u8::try_from(epoch).expect("small"); 32];
        let (signature, _) = sign_unrecorded(&key, epoch, &message)?;
        signed.push((epoch, message, signature));
    }
    let mut rows = keygen_per_leaf(plan)?;
    rows.extend(sign(plan, &key, &signed)?);
    rows.extend(verify(plan, &key, &signed)?);
    rows.extend(verify_many(plan, &key, &signed)?);
    Ok(rows)
}

/// What is measured.
fn subject(name: &str) -> Subject<'_> {
    Subject { name, scheme: SET.name(), unit: "us" }
}

fn keygen_per_leaf(plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
    let leaves: u32 = if plan.quick { 256 } else { 1024 };
    let root = move |pool: &phalanx::Threads| -> Result<_, Failure> {
        let mut generation = KeyGeneration::from_seed(&SEED, 0..leaves.into())?;
        while generation.step_on(pool, &|_| std::ops::ControlFlow::Continue(()))?.is_some() {}
        Ok(generation.finish()?.verifying_key())
    };
    let wanted = plan.fastest().force(|| root(&plan.threads)).map_err(Failure::system)??;
    let mut contenders = Vec::new();
    for &backend in &plan.backends {
        for pool in plan.pools() {
            let threads = pool.count();
            let work = move || {
                if root(&pool)? == wanted {
                    Ok(())
                } else {
                    Err(wrong("backends or threads give different trees"))
                }
            };
            contenders.push(Contender { backend, threads, operations: leaves.into(), work: Box::new(work) });
        }
    }
    measure(plan, &subject("xmss/keygen-per-leaf"), &contenders)
}

/// How many trials a message needs varies, so samples sign the same messages.
fn sign(
    plan: &Plan<'_>,
    key: &SigningKey,
    signed: &[(u32, [u8; 32], Signature)],
) -> Result<Vec<Row>, Failure> {
    let work = || {
        for (epoch, message, wanted) in signed {
            if sign_unrecorded(key, *epoch, message)?.0 != *wanted {
                return Err(wrong("backends sign differently"));
            }
        }
        Ok(())
    };
    let operations = signed.len() as u64;
    let contender = |&backend| Contender { backend, threads: 1, operations, work: Box::new(work) };
    let contenders: Vec<_> = plan.backends.iter().map(contender).collect();
    measure(plan, &subject("xmss/sign"), &contenders)
}

fn verify(
    plan: &Plan<'_>,
    key: &SigningKey,
    signed: &[(u32, [u8; 32], Signature)],
) -> Result<Vec<Row>, Failure> {
    let public = key.verifying_key();
    let work = || {
        for (epoch, message, signature) in signed {
            let result = black_box(&public).verify(*epoch, message, signature);
            result.map_err(|_| wrong("a signature does not verify"))?;
        }
        Ok(())
    };
    let operations = signed.len() as u64;
    let contender = |&backend| Contender { backend, threads: 1, operations, work: Box::new(work) };
    let contenders: Vec<_> = plan.backends.iter().map(contender).collect();
    measure(plan, &subject("xmss/verify"), &contenders)
}

fn verify_many(
    plan: &Plan<'_>,
    key: &SigningKey,
    signed: &[(u32, [u8; 32], Signature)],
) -> Result<Vec<Row>, Failure> {
    /// Signatures in a batch: jobs for many threads.
    const COUNT: usize = 1024;
    let public = key.verifying_key();
    let parts = signed.iter().cycle().take(COUNT);
    let messages: Vec<SignedMessage<'_>> = parts
        .map(|(epoch, message, signature)| SignedMessage { key: &public, epoch: *epoch, message, signature })
        .collect();
    let messages = &messages;
    let mut contenders = Vec::new();
    for &backend in &plan.backends {
        for pool in plan.pools() {
            let threads = pool.count();
            let work = move || {
                if verify_many_on(&pool, black_box(messages)).iter().all(Result::is_ok) {
                    Ok(())
                } else {
                    Err(wrong("a signature does not verify"))
                }
            };
            contenders.push(Contender { backend, threads, operations: COUNT as u64, work: Box::new(work) });
        }
    }
    measure(plan, &subject("xmss/verify-many-per-signature"), &contenders)
}
