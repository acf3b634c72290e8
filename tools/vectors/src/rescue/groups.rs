//! Cases side by side: in groups of every size from 1 to 17, every case at every place of them.

use crate::json::Object;
use crate::report::{Check, Recorder, guarded, text};
use phalanx::rescue::Function;
use phalanx::{Backend, Job, Pool, Threads};
use serde::de::DeserializeOwned;
use std::sync::Mutex;

/// The largest group: two full ones of eight lanes, and one over.
pub(crate) const MAX_GROUP: usize = 17;

/// A case of a list.
pub(crate) trait Case: DeserializeOwned + Sync {
    /// Every path that takes one input.
    fn alone(&self, function: Function) -> Check;

    /// Every path that takes many: what each case of the group is told.
    ///
    /// # Errors
    /// If the group has no answers at all.
    fn together(_function: Function, group: &[&Self]) -> Result<Vec<Check>, String> {
        Ok(group.iter().map(|_| Ok(())).collect())
    }
}

/// Runs every entry of a list on every backend, alone and in groups, on the threads of `pool`.
pub(crate) fn run<C: Case>(
    recorder: &mut Recorder<'_>,
    function: Function,
    file: &mut Object,
    list: &str,
    pool: &Threads,
) {
    let values = file.list(recorder, list);
    let parsed: Vec<Result<C, String>> =
        values.iter().map(|value| C::deserialize(value).map_err(text)).collect();
    // Those of an unknown form have failed; the others are run without them.
    let cases: Vec<(usize, &C)> =
        parsed.iter().enumerate().filter_map(|(i, case)| Some((i, case.as_ref().ok()?))).collect();
    let problems: Problems = Mutex::new(parsed.iter().map(|case| case.as_ref().err().cloned()).collect());
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for &backend in recorder.backends() {
        let (cases, problems) = (&cases, &problems);
        jobs.push(Box::new(move || {
            for &(i, case) in cases {
                note(problems, i, backend, guarded(backend, &|| case.alone(function)));
            }
        }));
        for size in 1..=MAX_GROUP.min(cases.len().max(8)) {
            jobs.push(Box::new(move || in_groups(function, cases, size, backend, problems)));
        }
    }
    pool.run(jobs);
    let problems = problems.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    for (i, problem) in problems.into_iter().enumerate() {
        recorder.record(format_args!("{list}[{i}]"), problem.map_or(Ok(()), Err));
    }
}

/// The first problem of each case.
type Problems = Mutex<Vec<Option<String>>>;

fn note(problems: &Problems, i: usize, backend: Backend, check: Check) {
    if let Err(problem) = check {
        let mut problems = problems.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        problems[i].get_or_insert_with(|| format!("on {}: {problem}", backend.name()));
    }
}

/// Groups of `size`, begun at every shift: so every case stands at every place.
fn in_groups<C: Case>(
    function: Function,
    cases: &[(usize, &C)],
    size: usize,
    backend: Backend,
    problems: &Problems,
) {
    if cases.is_empty() {
        return;
    }
    // One state after the other: places are all the same there.
    let shifts = if backend == Backend::Portable { 1 } else { size };
    for shift in 0..shifts {
        // The first cases come once more in the end: at the beginning they are at the first places only.
        for start in (shift..shift + cases.len() + size).step_by(size) {
            let group: Vec<(usize, &C)> = (start..start + size).map(|at| cases[at % cases.len()]).collect();
            let of_group: Vec<&C> = group.iter().map(|&(_, case)| case).collect();
            match guarded(backend, &|| C::together(function, &of_group)) {
                Ok(checks) => {
                    for (place, (&(i, _), check)) in group.iter().zip(checks).enumerate() {
                        let check = check.map_err(|problem| format!("at place {place} of {size}: {problem}"));
                        note(problems, i, backend, check);
                    }
                }
                Err(problem) => {
                    for &(i, _) in &group {
                        note(problems, i, backend, Err(format!("in a group of {size}: {problem}")));
                    }
                }
            }
        }
    }
}
