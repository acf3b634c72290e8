//! Ed25519: signing, verification one by one, many at once with a result for each, and in batches with one answer.
//!
//! Every signature has a key of its own. Names without a suffix are for messages of 32 bytes, those that end in `-1kib`
//! for 1024 bytes. Many-verification is under `strict`, batches are under `zip215`, where one equation may stand for
//! all.

use super::measure::{Contender, Plan, Row, Subject, measure, wrong};
use crate::exit::Failure;
use crate::output::Output;
use phalanx::ed25519::{
    PreparedKey, Profile, Signature, SignedMessage, SigningKey, VerifyingKey, sign_many, verify,
    verify_batch_on, verify_many_on,
};
use phalanx::{Backend, Threads};
use std::hint::black_box;

/// Most signatures in a call.
const MAX_COUNT: usize = 4096;

/// Signatures in a call from which more than one thread has work: the library's chunks are of 64.
const MIN_PARALLEL: usize = 128;

/// Lengths of messages, with the suffix of the rows' names.
const LENGTHS: [(usize, &str); 2] = [(32, ""), (1024, "-1kib")];

/// Measures all operations.
pub(super) fn run(plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
    let plan = &plan.brief();
    let mut rows = Vec::new();
    for (length, suffix) in LENGTHS {
        let signed = signed(length)?;
        rows.extend(one_by_one(plan, &signed, suffix)?);
        for n in counts(plan, length) {
            rows.extend(many(plan, &signed, suffix, n)?);
        }
    }
    Ok(rows)
}

/// Numbers of signatures in a call.
fn counts(plan: &Plan<'_>, length: usize) -> Vec<usize> {
    match (plan.quick, length) {
        (false, _) => (0..=12).map(|log2| 1 << log2).collect(),
        (true, 32) => vec![1, 8, 64, 1024],
        (true, _) => vec![64],
    }
}

/// Signed messages, each by a key of its own.
struct Signed {
    length: usize,
    keys: Vec<SigningKey>,
    public: Vec<[u8; 32]>,
    messages: Vec<Vec<u8>>,
    signatures: Vec<[u8; 64]>,
}

/// Signs and checks as many messages as any row needs.
fn signed(length: usize) -> Result<Signed, Failure> {
    let seed = |i: usize| {
        let mut seed = [0x5e; 32];
        seed[..8].copy_from_slice(&(i as u64).to_le_bytes());
        seed
    };
    let keys: Vec<SigningKey> = (0..MAX_COUNT).map(|i| SigningKey::from_seed(&seed(i))).collect();
    let messages: Vec<Vec<u8>> = (0..MAX_COUNT)
        .map(|i| {
            let mut message = vec![0x3c; length];
            message[..8].copy_from_slice(&(i as u64).to_le_bytes());
            message
        })
        .collect();
    let signatures = sign_all(&keys, &messages)?;
    for ((key, message), signature) in keys.iter().zip(&messages).zip(&signatures) {
        let result = key.verifying_key().verify(message, signature);
        result.map_err(|_| wrong("a signature does not verify"))?;
    }
    let public = keys.iter().map(|key| key.verifying_key().to_bytes()).collect();
    let signatures = signatures.iter().map(Signature::to_bytes).collect();
    Ok(Signed { length, keys, public, messages, signatures })
}

fn sign_all(keys: &[SigningKey], messages: &[Vec<u8>]) -> Result<Vec<Signature>, Failure> {
    let keys: Vec<&SigningKey> = keys.iter().collect();
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    Ok(sign_many(&keys, &messages)?)
}

impl Signed {
    fn element(&self, i: usize) -> SignedMessage<'_> {
        SignedMessage {
            public_key: &self.public[i],
            message: &self.messages[i],
            signature: &self.signatures[i],
        }
    }

    /// Adds what the rows of these messages have in common.
    fn mark(&self, mut rows: Vec<Row>, profile: Option<Profile>) -> Vec<Row> {
        for row in &mut rows {
            row.message_bytes = Some(self.length);
            row.profile = profile.map(Profile::name);
        }
        rows
    }
}

/// A contender on one thread for each backend.
fn on_each_backend<'a>(
    plan: &Plan<'_>,
    operations: usize,
    work: impl Fn() -> Result<(), Failure> + Clone + 'a,
) -> Vec<Contender<'a>> {
    let contender = |&backend: &Backend| Contender {
        backend,
        threads: 1,
        operations: operations as u64,
        work: Box::new(work.clone()),
    };
    plan.backends.iter().map(contender).collect()
}

/// Signing and verification of one signature at a time: from the bytes of the key, and with the key decoded.
fn one_by_one(plan: &Plan<'_>, signed: &Signed, suffix: &str) -> Result<Vec<Row>, Failure> {
    let (key, message, signature) = (&signed.keys[0], &signed.messages[0], &signed.signatures[0]);
    let subject = |name: &str| format!("ed25519/{name}{suffix}");

    let name = subject("sign");
    let sign = || {
        let got = black_box(key).sign(black_box(message));
        if got.to_bytes() == *signature { Ok(()) } else { Err(wrong("backends sign differently")) }
    };
    let contenders = on_each_backend(plan, 1, sign);
    let measured = measure(plan, &Subject { name: &name, scheme: SCHEME, unit: "us" }, &contenders)?;
    let mut rows = signed.mark(measured, None);

    let name = subject("verify");
    let from_bytes = || {
        let result = verify(Profile::Strict, black_box(&signed.public[0]), message, signature);
        result.map_err(|_| wrong("a signature does not verify"))
    };
    let contenders = on_each_backend(plan, 1, from_bytes);
    let measured = measure(plan, &Subject { name: &name, scheme: SCHEME, unit: "us" }, &contenders)?;
    rows.extend(signed.mark(measured, Some(Profile::Strict)));

    let name = subject("verify-decoded");
    let public: VerifyingKey = *key.verifying_key();
    let value = Signature::from_bytes(signature);
    let decoded = || {
        let result = black_box(&public).verify(message, &value);
        result.map_err(|_| wrong("a signature does not verify"))
    };
    let contenders = on_each_backend(plan, 1, decoded);
    let measured = measure(plan, &Subject { name: &name, scheme: SCHEME, unit: "us" }, &contenders)?;
    rows.extend(signed.mark(measured, Some(Profile::Strict)));

    let name = subject("verify-prepared");
    let prepared = PreparedKey::new(&public);
    let tabled = || {
        let result = black_box(&prepared).verify(message, &value);
        result.map_err(|_| wrong("a signature does not verify"))
    };
    let contenders = on_each_backend(plan, 1, tabled);
    let measured = measure(plan, &Subject { name: &name, scheme: SCHEME, unit: "us" }, &contenders)?;
    rows.extend(signed.mark(measured, Some(Profile::Strict)));
    Ok(rows)
}

/// What rows call the scheme.
const SCHEME: &str = "ed25519";

/// `n` signatures in a call.
fn many(plan: &Plan<'_>, signed: &Signed, suffix: &str, n: usize) -> Result<Vec<Row>, Failure> {
    let name = |operation: &str| format!("ed25519/{operation}-per-signature{suffix}");
    let keys: Vec<&SigningKey> = signed.keys[..n].iter().collect();
    let messages: Vec<&[u8]> = signed.messages[..n].iter().map(Vec::as_slice).collect();
    let sign = || {
        let signatures = sign_many(black_box(&keys), &messages)?;
        let is_wanted = |(got, wanted): (&Signature, &[u8; 64])| got.to_bytes() == *wanted;
        if signatures.iter().zip(&signed.signatures).all(is_wanted) {
            Ok(())
        } else {
            Err(wrong("sign_many signs differently"))
        }
    };
    let sign_name = name("sign-many");
    let contenders = on_each_backend(plan, n, sign);
    let measured = measure(plan, &Subject { name: &sign_name, scheme: SCHEME, unit: "us" }, &contenders)?;
    let mut rows = signed.mark(measured, None);

    let elements: Vec<SignedMessage<'_>> = (0..n).map(|i| signed.element(i)).collect();
    let elements = &elements;
    let one_by_one = |pool: &Threads| {
        let results = verify_many_on(pool, Profile::Strict, black_box(elements));
        if results.iter().all(Result::is_ok) { Ok(()) } else { Err(wrong("a signature does not verify")) }
    };
    let together = |pool: &Threads| {
        let result = verify_batch_on(pool, Profile::Zip215, black_box(elements));
        result.map_err(|_| wrong("a batch does not verify"))
    };
    type OnThreads<'a> = &'a dyn Fn(&Threads) -> Result<(), Failure>;
    let subjects: [(&str, Profile, OnThreads<'_>); 2] =
        [("verify-many", Profile::Strict, &one_by_one), ("verify-batch", Profile::Zip215, &together)];
    for (operation, profile, work) in subjects {
        let mut contenders = Vec::new();
        for &backend in &plan.backends {
            for pool in plan.pools().into_iter().filter(|pool| pool.count() == 1 || n >= MIN_PARALLEL) {
                let (threads, operations) = (pool.count(), n as u64);
                contenders.push(Contender {
                    backend,
                    threads,
                    operations,
                    work: Box::new(move || work(&pool)),
                });
            }
        }
        let name = name(operation);
        let measured = measure(plan, &Subject { name: &name, scheme: SCHEME, unit: "us" }, &contenders)?;
        rows.extend(signed.mark(measured, Some(profile)));
    }
    Ok(rows)
}

/// Prints the table over n: microseconds for a signature, on the fastest backend measured.
pub(super) fn print_table(rows: &[Row], output: &Output) -> Result<(), Failure> {
    let mine = |row: &&Row| row.message_bytes.is_some();
    let Some(backend) = rows.iter().rfind(mine).map(|row| row.backend) else { return Ok(()) };
    let mut threads: Vec<usize> = rows.iter().filter(mine).map(|row| row.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    for (length, suffix) in LENGTHS {
        for &threads in &threads {
            let find = |operation: &str, n: u64| {
                let name = format!("ed25519/{operation}-per-signature{suffix}");
                let is_it = |row: &&Row| {
                    row.name == name && row.n == n && row.backend == backend && row.threads == threads
                };
                rows.iter().find(is_it).map(|row| row.median)
            };
            let lines: Vec<u64> =
                (0..=12).map(|log2| 1 << log2).filter(|&n| find("verify-many", n).is_some()).collect();
            if lines.is_empty() {
                continue;
            }
            let plural = if threads == 1 { "" } else { "s" };
            output.line(format_args!(
                "\ned25519 on {backend}, {threads} thread{plural}, messages of {length} bytes: us a signature"
            ))?;
            output.line(format_args!("{:>6} {:>10} {:>10} {:>10}", "n", "sign", "verify", "batch"))?;
            for n in lines {
                let cell = |operation| find(operation, n).map_or("-".to_owned(), |us| format!("{us:.2}"));
                let (sign, verify, batch) = (cell("sign-many"), cell("verify-many"), cell("verify-batch"));
                output.line(format_args!("{n:>6} {sign:>10} {verify:>10} {batch:>10}"))?;
            }
        }
    }
    Ok(())
}
