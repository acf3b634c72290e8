//! Generalized XMSS: key generation per leaf, signing, verification.
//!
//! Keys come from [`hazmat::partial_key`]: real at the epochs that are signed, with zeros for all other leaves. Signing
//! and verifying cost the same as with a key whose 131072 leaves were all computed, and every signature verifies.

use super::measure::{Contender, Plan, Row, Subject, measure, measure_once, wrong};
use crate::exit::Failure;
use phalanx::Threads;
use phalanx::xmss::{
    ParameterSet, Signature, SignedMessage, SigningKey, VerifyingKey, hazmat, verify_many_on,
};
use std::hint::black_box;

/// Seed of everything here.
const SEED: [u8; 32] = [0x5e; 32];

/// Epochs at which the keys are real.
const EPOCHS: u32 = 8;

/// Measures all operations of the parameter sets of the plan.
pub(super) fn run(plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
    let large = [ParameterSet::POSEIDON2_L32_D64B8, ParameterSet::POSEIDON1_L32_D46B8];
    let others = ParameterSet::ALL.into_iter().filter(|set| !plan.quick && set.lifetime() < 1 << 32);
    let mut rows = Vec::new();
    for set in large.into_iter().chain(others) {
        rows.extend(keygen_per_leaf(plan, set)?);
        let signed = signed(plan, set)?;
        rows.extend(sign(plan, &signed)?);
        rows.extend(verify(plan, &signed)?);
        rows.extend(verify_many(plan, &signed)?);
    }
    if !plan.quick {
        for set in large {
            rows.push(whole_key(plan, set)?);
        }
    }
    Ok(rows)
}

/// A key with many signed messages.
struct Signed {
    set: ParameterSet,
    key: SigningKey,
    public: VerifyingKey,
    signed: Vec<(u32, [u8; 32], Signature)>,
}

/// Whether `set` is of the kind that tries hundreds of encodings for one signature.
fn tries_long(set: ParameterSet) -> bool {
    hazmat::domain_size(set).is_none()
}

/// Messages of one sample of signing. How many encodings a message needs varies, so samples sign the same many
/// messages.
fn messages(plan: &Plan<'_>, set: ParameterSet) -> u32 {
    match (tries_long(set), plan.quick) {
        (true, true) => 100,
        (true, false) => 400,
        (false, true) => 200,
        (false, false) => 1000,
    }
}

/// Signs the messages of the plan, and checks every signature.
fn signed(plan: &Plan<'_>, set: ParameterSet) -> Result<Signed, Failure> {
    let key = hazmat::partial_key(set, &SEED, 0..EPOCHS);
    let public = key.verifying_key();
    let mut signed = Vec::new();
    for i in 0..messages(plan, set) {
        let mut message = [0x3c; 32];
        message[..4].copy_from_slice(&i.to_le_bytes());
        let epoch = i % EPOCHS;
        let signature = hazmat::sign_unrecorded(&key, epoch, &message)?;
        public.verify(epoch, &message, &signature).map_err(|_| wrong("a signature does not verify"))?;
        signed.push((epoch, message, signature));
    }
    Ok(Signed { set, key, public, signed })
}

fn keygen_per_leaf(plan: &Plan<'_>, set: ParameterSet) -> Result<Vec<Row>, Failure> {
    let wanted_height = if plan.quick { 9 } else { 11 };
    let height = u8::try_from(set.lifetime().ilog2()).expect("at most 32").min(wanted_height);
    let (parameter, prf_key, _) = hazmat::draw_key_material(set, &SEED, 0);
    let root = move |pool: &Threads| hazmat::bottom_subtree_root(pool, set, &prf_key, &parameter, 0, height);
    let wanted = plan.fastest().force(|| root(&plan.threads)).map_err(Failure::system)?;
    let (root, wanted) = (&root, &wanted);
    let mut contenders = Vec::new();
    for &backend in &plan.backends {
        for pool in plan.pools() {
            let threads = pool.count();
            let work = move || {
                if root(&pool) == *wanted {
                    Ok(())
                } else {
                    Err(wrong("backends or threads give different trees"))
                }
            };
            contenders.push(Contender { backend, threads, operations: 1 << height, work: Box::new(work) });
        }
    }
    measure(plan, &Subject { name: "xmss/keygen-per-leaf", scheme: set.name(), unit: "us" }, &contenders)
}

fn sign(plan: &Plan<'_>, signed: &Signed) -> Result<Vec<Row>, Failure> {
    let work = || {
        for (epoch, message, wanted) in &signed.signed {
            let signature = hazmat::sign_unrecorded(&signed.key, *epoch, message)?;
            if signature != *wanted {
                return Err(wrong("backends sign differently"));
            }
        }
        Ok(())
    };
    let operations = signed.signed.len() as u64;
    let contender = |&backend| Contender { backend, threads: 1, operations, work: Box::new(work) };
    let contenders: Vec<_> = plan.backends.iter().map(contender).collect();
    measure(plan, &Subject { name: "xmss/sign", scheme: signed.set.name(), unit: "us" }, &contenders)
}

fn verify(plan: &Plan<'_>, signed: &Signed) -> Result<Vec<Row>, Failure> {
    /// Signatures verified in turn.
    const COUNT: usize = 64;
    let work = || {
        for (epoch, message, signature) in &signed.signed[..COUNT] {
            let result = black_box(&signed.public).verify(*epoch, message, signature);
            result.map_err(|_| wrong("a signature does not verify"))?;
        }
        Ok(())
    };
    let contender =
        |&backend| Contender { backend, threads: 1, operations: COUNT as u64, work: Box::new(work) };
    let contenders: Vec<_> = plan.backends.iter().map(contender).collect();
    measure(plan, &Subject { name: "xmss/verify", scheme: signed.set.name(), unit: "us" }, &contenders)
}

fn verify_many(plan: &Plan<'_>, signed: &Signed) -> Result<Vec<Row>, Failure> {
    /// Signatures in a batch: jobs for many threads.
    const COUNT: usize = 1024;
    let parts = signed.signed.iter().cycle().take(COUNT);
    let claims: Vec<SignedMessage<'_>> = parts
        .map(|(epoch, message, signature)| SignedMessage {
            key: &signed.public,
            epoch: *epoch,
            message,
            signature,
        })
        .collect();
    let claims = &claims;
    let mut contenders = Vec::new();
    for &backend in &plan.backends {
        for pool in plan.pools() {
            let threads = pool.count();
            let work = move || {
                let results = verify_many_on(&pool, black_box(claims));
                if results.iter().all(Result::is_ok) {
                    Ok(())
                } else {
                    Err(wrong("a signature does not verify"))
                }
            };
            contenders.push(Contender { backend, threads, operations: COUNT as u64, work: Box::new(work) });
        }
    }
    let subject = Subject { name: "xmss/verify-many-per-signature", scheme: signed.set.name(), unit: "us" };
    measure(plan, &subject, &contenders)
}

/// A whole key of the longest lifetime with the fewest active epochs there can be, on all threads.
fn whole_key(plan: &Plan<'_>, set: ParameterSet) -> Result<Row, Failure> {
    let work = || {
        let key = SigningKey::from_seed_on(&plan.threads, set, &SEED, 0..1024)?;
        let signature = hazmat::sign_unrecorded(&key, 1023, &SEED)?;
        let result = key.verifying_key().verify(1023, &SEED, &signature);
        result.map_err(|_| wrong("a signature does not verify"))
    };
    let (backend, threads) = (plan.fastest(), plan.threads.count());
    let contender = Contender { backend, threads, operations: 1, work: Box::new(work) };
    let subject = Subject { name: "xmss/keygen-2^32-1024-active", scheme: set.name(), unit: "s" };
    measure_once(plan, &subject, &contender)
}
