//! Cases that say for every profile whether it accepts: through single verification, many, aggregates and threads, on
//! every backend.

use super::entries::{Entry, answer_name, elements};
use super::lanes::{self, Pass};
use crate::json::Bytes;
use crate::report::{Check, Recorder, guarded};
use phalanx::ed25519::{
    BatchVerifier, PreparedKey, Profile, Reason, Signature, SignedMessage, VerifyingKey, explain, verify,
    verify_batch, verify_batch_deterministic, verify_batch_on, verify_many, verify_many_on,
};
use phalanx::{Backend, Job, Pool, Threads};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    pk: Bytes,
    msg: Bytes,
    sig: Bytes,
    /// What the source says; nothing to compare.
    #[serde(default)]
    #[allow(dead_code, reason = "its form is checked by reading it")]
    tags: Vec<String>,
    verdict: BTreeMap<String, bool>,
    /// What group the public key lies in.
    #[serde(default)]
    key_order: Option<Order>,
}

/// The order of a point.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum Order {
    /// That of the base point.
    Prime,
    /// 1, 2, 4 or 8.
    Small,
    /// A multiple of the base point's.
    Mixed,
}

impl Order {
    fn of(key: &VerifyingKey) -> Self {
        match (key.is_weak(), key.is_torsion_free()) {
            (true, _) => Self::Small,
            (false, true) => Self::Prime,
            (false, false) => Self::Mixed,
        }
    }
}

/// Runs the cases.
pub(crate) fn run(recorder: &mut Recorder<'_>, profiles: &[Profile], list: &[Value], pool: &Threads) {
    let (mut names, mut entries, mut answers, mut orders) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (i, value) in list.iter().enumerate() {
        match Case::deserialize(value) {
            Ok(case) => {
                names.push(format!("cases[{i}] {}", case.id));
                entries.push(Entry { pk: case.pk, msg: case.msg, sig: case.sig });
                answers.push(case.verdict);
                orders.push(case.key_order);
            }
            Err(error) => recorder.record(format_args!("cases[{i}]"), Err(error.to_string())),
        }
    }
    for (name, answers) in names.iter().zip(&answers) {
        let known = answers.keys().all(|key| profiles.iter().any(|profile| profile.name() == key));
        if answers.len() != profiles.len() || !known {
            recorder.not_understood(name, "answers for other profiles than the file lists");
            return;
        }
    }
    if entries.is_empty() {
        return;
    }
    let runs: Vec<Run<'_>> = profiles
        .iter()
        .flat_map(|&profile| {
            let wanted: Vec<bool> = answers.iter().map(|answers| answers[profile.name()]).collect();
            let is_fastest = |backend: &Backend| *backend == recorder.fastest();
            let run = |backend: &Backend| Run {
                backend: *backend,
                is_fastest: is_fastest(backend),
                profile,
                entries: &entries,
                orders: &orders,
                elements: elements(&entries),
                wanted: wanted.clone(),
                problems: vec![None; entries.len()],
            };
            recorder.backends().iter().map(run).collect::<Vec<_>>()
        })
        .collect();
    let runs = run_all(runs, pool);
    for (i, name) in names.iter().enumerate() {
        for &profile in profiles {
            let problem = runs
                .iter()
                .filter(|run| run.profile == profile)
                .find_map(|run| Some(format!("on {}: {}", run.backend.name(), run.problems[i].as_ref()?)));
            recorder.record(format_args!("{name} {}", profile.name()), problem.map_or(Ok(()), Err));
        }
    }
}

/// Runs everything, on the threads of `pool`.
fn run_all<'a>(mut runs: Vec<Run<'a>>, pool: &Threads) -> Vec<Run<'a>> {
    let jobs = runs.iter_mut().map(|run| {
        let job = move || {
            let mut problems = vec![None; run.entries.len()];
            let checked = guarded(run.backend, &|| Ok(run.check()));
            match checked {
                Ok(found) => problems = found,
                // Which case it was is not known.
                Err(panic) => problems.fill(Some(panic)),
            }
            run.problems = problems;
        };
        Box::new(job) as Job<'_>
    });
    pool.run(jobs.collect());
    runs
}

/// All cases under one profile on one backend.
struct Run<'a> {
    backend: Backend,
    is_fastest: bool,
    profile: Profile,
    entries: &'a [Entry],
    orders: &'a [Option<Order>],
    elements: Vec<SignedMessage<'a>>,
    wanted: Vec<bool>,
    /// The first problem of each case.
    problems: Vec<Option<String>>,
}

/// The first problem of each case.
struct Problems(Vec<Option<String>>);

impl Problems {
    /// Notes a problem of case `i` unless it has one.
    fn note(&mut self, i: usize, problem: impl FnOnce() -> String) {
        if self.0[i].is_none() {
            self.0[i] = Some(problem());
        }
    }

    /// Compares the answer for case `i` with the wanted one.
    fn compare(&mut self, i: usize, got: bool, wanted: bool, path: impl FnOnce() -> String) {
        if got != wanted {
            self.note(i, || format!("{}: got {}, wanted {}", path(), answer_name(got), answer_name(wanted)));
        }
    }
}

impl Run<'_> {
    /// Every path.
    fn check(&self) -> Vec<Option<String>> {
        let mut problems = Problems(vec![None; self.entries.len()]);
        for i in 0..self.entries.len() {
            if let Err(problem) = self.single(i) {
                problems.note(i, || problem);
            }
        }
        let passes = if self.backend == Backend::Portable { lanes::brief() } else { lanes::thorough() };
        for pass in &passes {
            self.many(pass, &mut problems);
        }
        for pass in &lanes::brief() {
            self.batches(pass, &mut problems);
        }
        if self.profile.is_batch_consistent() {
            self.aggregates(&mut problems);
        }
        self.threads(&mut problems);
        problems.0
    }

    /// One signature: as bytes, with its reason, and as values.
    fn single(&self, i: usize) -> Check {
        let (Entry { pk, msg, sig }, wanted) = (&self.entries[i], self.wanted[i]);
        let compare = |path: &str, got: bool| {
            if got == wanted {
                return Ok(());
            }
            Err(format!("{path}: got {}, wanted {}", answer_name(got), answer_name(wanted)))
        };
        compare("verify", verify(self.profile, &pk.0, &msg.0, &sig.0).is_ok())?;
        let explained = explain(self.profile, &pk.0, &msg.0, &sig.0);
        compare("explain", explained.is_ok())?;
        let is_length = matches!(explained, Err(Reason::InvalidLength { .. }));
        if is_length != (pk.0.len() != 32 || sig.0.len() != 64) {
            return Err(format!("explain: got {explained:?} for {} and {} bytes", pk.0.len(), sig.0.len()));
        }
        if let Some(wanted) = self.orders[i] {
            let got = VerifyingKey::try_from(&pk.0[..]).map(|key| Order::of(&key));
            if got != Ok(wanted) {
                return Err(format!("order of the key: got {got:?}, wanted {wanted:?}"));
            }
        }
        match (VerifyingKey::try_from(&pk.0[..]), Signature::try_from(&sig.0[..])) {
            (Ok(key), Ok(signature)) => {
                let decoded = key.verify_with(self.profile, &msg.0, &signature);
                compare("verify_with of a decoded key", decoded.is_ok())?;
                let prepared = PreparedKey::new(&key).verify_with(self.profile, &msg.0, &signature);
                compare("verify_with of a prepared key", prepared.is_ok())
            }
            _ => compare("decoding", false),
        }
    }

    /// Many at once, each on its own.
    fn many(&self, pass: &Pass, problems: &mut Problems) {
        let visited = pass.for_each_group(self.entries.len(), |group| {
            let elements: Vec<_> = group.iter().map(|&i| self.elements[i]).collect();
            let results = verify_many(self.profile, &elements);
            for (at, (&i, got)) in group.iter().zip(results).enumerate() {
                let path = || format!("verify_many at place {at} of {}", group.len());
                problems.compare(i, got.is_ok(), self.wanted[i], path);
            }
            Ok(())
        });
        if let Err(error) = visited {
            problems.note(0, || error);
        }
    }

    /// Batches with a result for every entry, and one answer for all.
    fn batches(&self, pass: &Pass, problems: &mut Problems) {
        let visited = pass.for_each_group(self.entries.len(), |group| {
            self.batch(group, problems);
            Ok(())
        });
        if let Err(error) = visited {
            problems.note(0, || error);
        }
    }

    fn batch(&self, group: &[usize], problems: &mut Problems) {
        let mut batch = BatchVerifier::new(self.profile);
        for &i in group {
            let Entry { pk, msg, sig } = &self.entries[i];
            batch.add(&pk.0, &sig.0, &msg.0);
        }
        let report = batch.verify();
        for (at, (&i, got)) in group.iter().zip(report.results()).enumerate() {
            let path = || format!("BatchVerifier at place {at} of {}", group.len());
            problems.compare(i, got.is_ok(), self.wanted[i], path);
        }
        let wanted = group.iter().all(|&i| self.wanted[i]);
        let elements: Vec<_> = group.iter().map(|&i| self.elements[i]).collect();
        let got = verify_batch(self.profile, &elements).is_ok();
        problems
            .compare(group[0], got, wanted, || format!("verify_batch of {} from this case on", group.len()));
        let got = verify_batch_deterministic(self.profile, &elements).is_ok();
        problems.compare(group[0], got, wanted, || {
            format!("verify_batch_deterministic of {} from this case on", group.len())
        });
        problems.compare(group[0], report.all_valid(), wanted, || {
            format!("BatchReport::all_valid of {} from this case on", group.len())
        });
    }

    /// Batches of valid cases only, where the aggregate equation alone decides; and each bad case in the midst of them.
    fn aggregates(&self, problems: &mut Problems) {
        let of = |wanted: bool| -> Vec<usize> {
            (0..self.entries.len()).filter(|&i| self.wanted[i] == wanted).collect()
        };
        let (valid, invalid) = (of(true), of(false));
        if valid.is_empty() {
            return;
        }
        for pass in &lanes::brief() {
            let visited = pass.for_each_group(valid.len(), |group| {
                let group: Vec<usize> = group.iter().map(|&at| valid[at]).collect();
                self.batch(&group, problems);
                Ok(())
            });
            if let Err(error) = visited {
                problems.note(valid[0], || error);
            }
        }
        for (n, &bad) in invalid.iter().enumerate() {
            let len = n % lanes::MAX_GROUP;
            let mut group: Vec<usize> = (0..len).map(|at| valid[(n + at) % valid.len()]).collect();
            group.insert(n % (len + 1), bad);
            self.batch(&group, problems);
        }
    }

    /// All of the file in one call, on 1 to 8 threads.
    fn threads(&self, problems: &mut Problems) {
        let counts: &[usize] = if self.is_fastest { &[1, 2, 3, 4, 5, 6, 7, 8] } else { &[3] };
        for &count in counts {
            let pool = Threads::new(count);
            let results = verify_many_on(&pool, self.profile, &self.elements);
            for (i, got) in results.into_iter().enumerate() {
                problems
                    .compare(i, got.is_ok(), self.wanted[i], || format!("verify_many on {count} threads"));
            }
            let got = verify_batch_on(&pool, self.profile, &self.elements).is_ok();
            let wanted = self.wanted.iter().all(|&valid| valid);
            problems.compare(0, got, wanted, || format!("verify_batch of all on {count} threads"));
        }
    }
}
