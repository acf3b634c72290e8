//! Runs the runner on damaged copies.

use phalanx::Backend;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs the runner.
pub(crate) fn run(arguments: &[&str], paths: &[PathBuf]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_phalanx-vectors"));
    command.args(arguments).args(paths).env_remove("PHALANX_BACKEND");
    command.output().expect("the program runs")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// A folder of `vectors`.
pub(crate) fn vectors(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(folder)
}

/// A JSON file of a folder of `vectors`.
pub(crate) fn read(folder: &str, name: &str) -> Value {
    let path = vectors(folder).join(name);
    let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).expect("vectors are JSON")
}

/// An empty folder of this call: tests run side by side, and some damage files of one name.
pub(crate) fn folder(name: &str) -> PathBuf {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed).to_string();
    let of_this_call = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vectors").join(call);
    if of_this_call.exists() {
        fs::remove_dir_all(&of_this_call).expect("the former run's folder goes away");
    }
    let folder = of_this_call.join(name);
    fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

/// A step into a value: a key, or an index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

/// The first place of every kind: `a[0].b` stands for all `a[i].b`. Lists of numbers count as one place.
pub(crate) fn places(value: &Value) -> BTreeMap<String, Vec<Step>> {
    fn visit(value: &Value, name: &str, way: &mut Vec<Step>, places: &mut BTreeMap<String, Vec<Step>>) {
        let mut below = |step: Step, value: &Value, name: &str| {
            way.push(step);
            visit(value, name, way, places);
            way.pop();
        };
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    below(Step::Key(key.clone()), value, &format!("{name}.{key}"));
                }
            }
            Value::Array(values) => {
                for (i, value) in values.iter().enumerate() {
                    below(Step::Index(i), value, &format!("{name}[]"));
                }
            }
            _ => {
                places.entry(name.to_owned()).or_insert_with(|| way.clone());
            }
        }
    }
    let mut found = BTreeMap::new();
    visit(value, "", &mut Vec::new(), &mut found);
    found
}

pub(crate) fn at<'a>(value: &'a mut Value, way: &[Step]) -> &'a mut Value {
    way.iter().fold(value, |value, step| match step {
        Step::Key(key) => &mut value[key],
        Step::Index(i) => &mut value[i],
    })
}

/// Changes a value a little, to one of the same form.
pub(crate) fn damage(value: &mut Value) {
    *value = match value.take() {
        Value::Bool(b) => json!(!b),
        Value::Number(n) => match n.as_u64() {
            Some(n) => json!(n ^ 1),
            None => json!(n.as_f64().expect("a number") + 0.01),
        },
        Value::String(mut text) => {
            match text.pop() {
                Some(last) => text.push(if last == '0' { '1' } else { '0' }),
                // An empty message gets a byte.
                None => text.push_str("00"),
            }
            json!(text)
        }
        Value::Null => json!(0),
        other => panic!("{other} is not a single value"),
    };
}

/// Writes a copy of `file` called `name` into a folder of its own.
pub(crate) fn put(root: &Path, number: usize, name: &str, file: &Value) -> PathBuf {
    let folder = root.join(format!("{number:03}"));
    fs::create_dir(&folder).expect("a temporary folder");
    fs::write(folder.join(name), file.to_string()).expect("a copy");
    folder
}

/// Damages `name` at every place but the `unnoticed`, one copy for each, and expects every copy to be reported; there
/// are `at_least` so many places. On one backend, the best: what another would notice is not enough.
pub(crate) fn bites(name: &str, file: &Value, unnoticed: &[&str], at_least: usize) {
    let root = folder(name);
    bites_in(name, file, unnoticed, at_least, &|number, file| put(&root, number, name, file));
}

/// [`bites`], where `put` writes the copy of a number and says where it is.
pub(crate) fn bites_in(
    name: &str,
    file: &Value,
    unnoticed: &[&str],
    at_least: usize,
    put: &dyn Fn(usize, &Value) -> PathBuf,
) {
    let mut damaged = Vec::new();
    let mut excused = BTreeSet::new();
    for (place, way) in places(file) {
        if unnoticed.iter().any(|end| place.ends_with(end)) {
            excused.insert(place);
            continue;
        }
        let mut copy = file.clone();
        damage(at(&mut copy, &way));
        damaged.push((place, put(damaged.len(), &copy)));
    }
    assert!(damaged.len() >= at_least, "{name}: only {} places found", damaged.len());
    for end in unnoticed {
        assert!(
            excused.iter().any(|place| place.ends_with(end)),
            "{name} has no place {end}: strike it from the list"
        );
    }
    let paths: Vec<PathBuf> = damaged.iter().map(|(_, path)| path.clone()).collect();
    let backend = Backend::ALL.into_iter().rfind(|backend| backend.is_available()).expect("one is portable");
    let output = run(&["--json", "--backend", backend.name()], &paths);
    assert_eq!(output.status.code(), Some(1), "{name}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let files = report["files"].as_array().expect("files");
    assert_eq!(files.len(), damaged.len(), "{name}: one report for each copy");
    let missed: Vec<&String> = files
        .iter()
        .zip(&damaged)
        .filter(|(file, _)| file["failed"] == 0)
        .map(|(_, (place, _))| place)
        .collect();
    assert!(missed.is_empty(), "{name}: changed, and not noticed: {missed:#?}");
}
