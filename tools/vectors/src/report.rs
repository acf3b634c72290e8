//! What a run of vector files finds: cases that passed, cases that failed and why.

use phalanx::{Backend, Job, Pool, Threads};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::cell::Cell;
use std::fmt::{Debug, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a check found: nothing wrong, or what is.
pub(crate) type Check = Result<(), String>;

/// A case that failed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failed {
    /// Which case, such as `permutations.width16[3]`.
    pub(crate) case: String,
    /// What is wrong.
    pub(crate) reason: String,
}

/// How a file fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    /// Every case passed.
    Passed,
    /// Some case failed.
    Failed,
    /// It, or a part of it, is not of a form that this version knows: nothing may be skipped in silence.
    NotUnderstood,
    /// Documentation; nothing to run.
    Documentation,
}

/// The findings about one file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct FileReport {
    /// The file, as the user can find it.
    pub(crate) file: String,
    /// How it fared.
    pub(crate) status: Status,
    /// Cases that passed on every backend.
    pub(crate) passed: usize,
    /// Cases that did not, and parts that were not understood.
    pub(crate) failed: usize,
    /// Each of those.
    pub(crate) failures: Vec<Failed>,
}

impl FileReport {
    /// Documentation, which is not run.
    pub(crate) fn documentation(file: String) -> Self {
        Self { file, status: Status::Documentation, passed: 0, failed: 0, failures: Vec::new() }
    }

    /// A file, or a whole folder, that cannot be run for `reason`.
    pub(crate) fn not_understood(file: String, reason: impl Display) -> Self {
        let failures = vec![Failed { case: "file".to_owned(), reason: reason.to_string() }];
        Self { file, status: Status::NotUnderstood, passed: 0, failed: 1, failures }
    }
}

/// Runs the cases of one file.
pub(crate) struct Recorder<'a> {
    backends: &'a [Backend],
    passed: usize,
    failures: Vec<Failed>,
    understood: bool,
}

impl<'a> Recorder<'a> {
    /// Runs on `backends`, slowest first, of which there is at least one.
    pub(crate) fn new(backends: &'a [Backend]) -> Self {
        Self { backends, passed: 0, failures: Vec::new(), understood: true }
    }

    /// The JSON value that a file is; noted if it is none.
    pub(crate) fn json(&mut self, bytes: &[u8]) -> Option<Value> {
        serde_json::from_slice(bytes)
            .map_err(|error| self.not_understood("file", format_args!("not JSON: {error}")))
            .ok()
    }

    /// The backends, slowest first.
    pub(crate) fn backends(&self) -> &'a [Backend] {
        self.backends
    }

    /// The fastest backend.
    pub(crate) fn fastest(&self) -> Backend {
        *self.backends.last().expect("at least one backend was chosen")
    }

    /// Runs a case on every backend; it passes if it does on all.
    pub(crate) fn case(&mut self, name: impl Display, check: impl Fn() -> Check) {
        self.case_on(self.backends, name.to_string(), &check);
    }

    /// Runs a long case on the fastest backend only, or one that does not depend on backends.
    pub(crate) fn case_once(&mut self, name: impl Display, check: impl Fn() -> Check) {
        self.case_on(&[self.fastest()], name.to_string(), &check);
    }

    /// Of no type that a check has: hundreds of copies would be compiled.
    fn case_on(&mut self, backends: &[Backend], case: String, check: &dyn Fn() -> Check) {
        for backend in backends {
            if let Err(reason) = check_guarded(*backend, check) {
                let reason = format!("on {}: {reason}", backend.name());
                return self.failures.push(Failed { case, reason });
            }
        }
        self.passed += 1;
    }

    /// Runs every entry of a list of cases; entries that are not of the expected form fail.
    pub(crate) fn cases<T: DeserializeOwned>(
        &mut self,
        list: &str,
        values: &[Value],
        check: impl Fn(&T) -> Check,
    ) {
        if values.is_empty() {
            self.not_understood(list, "an empty list of cases");
        }
        for (i, value) in values.iter().enumerate() {
            let name = format!("{list}{}", case_name(i, value, "case"));
            match T::deserialize(value) {
                Ok(case) => self.case(name, || check(&case)),
                Err(error) => self.failures.push(Failed { case: name, reason: error.to_string() }),
            }
        }
    }

    /// Runs every entry of a list of cases on every backend, on the threads of `pool`. `check` is told the backend,
    /// which is forced meanwhile.
    pub(crate) fn cases_on<T: DeserializeOwned + Sync>(
        &mut self,
        pool: &Threads,
        list: &str,
        values: &[Value],
        check: impl Fn(&T, Backend) -> Check + Sync,
    ) {
        if values.is_empty() {
            self.not_understood(list, "an empty list of cases");
        }
        let backends = self.backends;
        let mut results: Vec<Check> = Vec::new();
        results.resize_with(values.len(), || Ok(()));
        let check = &check;
        let jobs = values.iter().zip(&mut results).map(|(value, result)| {
            let job = move || {
                *result = T::deserialize(value).map_err(text).and_then(|case| {
                    backends.iter().try_for_each(|&backend| {
                        let checked = guarded(backend, &|| check(&case, backend));
                        checked.map_err(|reason| format!("on {}: {reason}", backend.name()))
                    })
                });
            };
            Box::new(job) as Job<'_>
        });
        pool.run(jobs.collect());
        for (i, result) in results.into_iter().enumerate() {
            self.record(format_args!("{list}[{i}]"), result);
        }
    }

    /// Counts a case that was run elsewhere.
    pub(crate) fn record(&mut self, name: impl Display, result: Check) {
        match result {
            Ok(()) => self.passed += 1,
            Err(reason) => self.failures.push(Failed { case: name.to_string(), reason }),
        }
    }

    /// Does work that cases depend on, on the fastest backend; if it fails, that is the case's failure.
    pub(crate) fn prepare<T>(
        &mut self,
        name: impl Display,
        work: impl Fn() -> Result<T, String>,
    ) -> Option<T> {
        let case = name.to_string();
        match guarded(self.fastest(), &work) {
            Ok(done) => Some(done),
            Err(reason) => {
                self.failures.push(Failed { case, reason });
                None
            }
        }
    }

    /// The case that `value` is; if it is of another form, that is the case's failure.
    pub(crate) fn read<T: DeserializeOwned>(&mut self, name: impl Display, value: &Value) -> Option<T> {
        self.prepare(name, || T::deserialize(value).map_err(text))
    }

    /// Notes a part of the file that this version does not know, or that should be there and is not.
    pub(crate) fn not_understood(&mut self, part: impl Display, reason: impl Display) {
        self.understood = false;
        self.failures.push(Failed { case: part.to_string(), reason: reason.to_string() });
    }

    /// The report, for the file called `file`.
    pub(crate) fn finish(mut self, file: String) -> FileReport {
        if self.passed == 0 && self.failures.is_empty() {
            self.not_understood("file", "no cases to run");
        }
        let Self { passed, failures, understood, .. } = self;
        let status = match (understood, failures.len()) {
            (_, 0) => Status::Passed,
            (true, _) => Status::Failed,
            (false, _) => Status::NotUnderstood,
        };
        FileReport { file, status, passed, failed: failures.len(), failures }
    }
}

/// Runs `work` on `backend`; a panic becomes an error, so that one bad case does not hide the others.
pub(crate) fn guarded<T>(backend: Backend, work: &impl Fn() -> Result<T, String>) -> Result<T, String> {
    let done = Cell::new(None);
    check_guarded(backend, &|| {
        done.set(Some(work()?));
        Ok(())
    })?;
    Ok(done.into_inner().expect("what did not fail is done"))
}

/// The same where nothing but the check's outcome is wanted.
fn check_guarded(backend: Backend, work: &dyn Fn() -> Check) -> Check {
    match catch_unwind(AssertUnwindSafe(|| backend.force(work))) {
        Ok(Ok(result)) => result,
        Ok(Err(unavailable)) => Err(unavailable.to_string()),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            Err(format!("panicked: {text}"))
        }
    }
}

/// An error as a reason.
pub(crate) fn text(error: impl Display) -> String {
    error.to_string()
}

/// `Ok` if the answer for `what` is the one in the file.
pub(crate) fn same<T: PartialEq<U> + Debug, U: Debug>(what: &str, got: T, wanted: U) -> Check {
    if got == wanted {
        return Ok(());
    }
    Err(format!("{what}: got {}, wanted {}", shortened(&got), shortened(&wanted)))
}

/// `Ok` if `holds`.
pub(crate) fn ensure(holds: bool, otherwise: &str) -> Check {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}

/// A value in at most about a line.
fn shortened(value: &impl Debug) -> String {
    let mut text = format!("{value:?}");
    if let Some((end, _)) = text.char_indices().nth(120) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}

/// What reports call the case `index` of a list: by the value of its key `key`, if it has one.
pub(crate) fn case_name(index: usize, case: &Value, key: &str) -> String {
    match case.get(key).and_then(Value::as_str) {
        Some(name) => format!("[{index}] {name}"),
        None => format!("[{index}]"),
    }
}

/// Batches used to fill lanes: one full group of the widest engine twice over, and a tail.
pub(crate) const BATCH: usize = 33;

/// Runs `item` in every lane, beside copies of `other`, and compares its answers with `wanted` and those of `other`
/// with what it gives alone.
pub(crate) fn in_every_lane<I: Clone, O: PartialEq + Debug>(
    what: &str,
    item: &I,
    other: &I,
    wanted: &O,
    run: impl Fn(&[I]) -> Vec<O>,
) -> Check {
    let alone = run(std::slice::from_ref(other));
    for parity in 0..2 {
        let is_item = |i: usize| i % 2 == parity;
        let batch: Vec<I> = (0..BATCH).map(|i| if is_item(i) { item } else { other }.clone()).collect();
        let answers = run(&batch);
        same("number of answers", answers.len(), BATCH)?;
        for (i, answer) in answers.iter().enumerate() {
            let place = format!("{what} at place {i} of {BATCH}");
            same(&place, answer, if is_item(i) { wanted } else { &alone[0] })?;
        }
    }
    Ok(())
}
