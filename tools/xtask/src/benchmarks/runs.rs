//! The files of `docs/measurements/`: what their names say, and which are shown.

use serde_json::Value;
use std::path::Path;

/// Commands and commits of files of plain rows, which do not carry their own.
pub(crate) const INDEX: &str = "runs.json";

/// One system in one file.
pub(super) struct Run {
    pub(super) file: String,
    date: String,
    pub(super) machine: String,
    pub(super) system: &'static str,
    /// How the peers were built: `plain`, `haswell`, `native`.
    pub(super) build: String,
    pub(super) contents: Contents,
    command: String,
    commit: String,
}

/// What a file holds.
pub(super) enum Contents {
    /// The answer of `phalanx bench --json`, or of another command that says which.
    Bench(Value),
    /// Rows of `compare`.
    Comparison(Vec<Value>),
}

impl Run {
    /// The line below a table: when, at which commit, by which command.
    pub(super) fn origin(&self) -> String {
        let Self { file, date, command, commit, .. } = self;
        let commit = commit.get(..12).unwrap_or(commit);
        format!("{date}, commit {commit}: `{command}` ([rows]({}/{file})).", super::FOLDER)
    }

    /// What a newer run replaces an older one in.
    fn place(&self) -> (&str, &str, bool, &str) {
        (&self.machine, self.system, matches!(self.contents, Contents::Comparison(_)), &self.build)
    }
}

/// All runs of a folder.
pub(super) fn read(folder: &Path) -> Result<Vec<Run>, String> {
    let index = parse(&folder.join(INDEX))?;
    let mut known = index.as_object().ok_or(format!("{INDEX} is no object"))?.clone();
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<std::io::Result<Vec<String>>>().map_err(|error| error.to_string())?;
    names.retain(|name| name.ends_with(".json") && name != INDEX);
    names.sort_unstable();
    let mut runs = Vec::new();
    for name in names {
        let found = of_file(&name, &parse(&folder.join(&name))?, known.remove(&name).as_ref());
        runs.extend(found.map_err(|problem| format!("{name}: {problem}"))?);
    }
    match known.keys().next() {
        Some(gone) => {
            Err(format!("{INDEX} names {gone}, which is not there or says itself where it is from"))
        }
        None => Ok(runs),
    }
}

fn parse(path: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The runs in a file, one for each system that its rows name.
fn of_file(name: &str, json: &Value, known: Option<&Value>) -> Result<Vec<Run>, String> {
    let named =
        || name.strip_suffix(".json")?.split_at_checked(10).filter(|(date, _)| date.starts_with("20"));
    let (date, rest) = named().ok_or("its name is not DATE-MACHINE[-compare[-BUILD]][-SYSTEM].json")?;
    let rest = rest.trim_start_matches('-');
    let rest = ALL.iter().find_map(|system| rest.strip_suffix(&format!("-{system}"))).unwrap_or(rest);
    let (machine, build) = match rest.split_once("-compare") {
        Some((machine, build)) => (machine, build.trim_start_matches('-')),
        None => (rest, ""),
    };
    let rows = json.as_array().or_else(|| json["results"].as_array()).ok_or("it has no rows")?;
    let mut runs = Vec::new();
    for system in ALL {
        let is_of_it = |row: &&Value| system_of(row) == Some(system);
        let own: Vec<Value> = rows.iter().filter(is_of_it).cloned().collect();
        if own.is_empty() {
            continue;
        }
        let (contents, command, commit) = if json.is_array() {
            let said = |key: &str| {
                let said = known.and_then(|known| known[key].as_str());
                said.ok_or(format!("{INDEX} does not say its {key}")).map(str::to_owned)
            };
            (Contents::Comparison(own), said("command")?, said("commit")?)
        } else {
            let quick = if json["quick"] == true { " --quick" } else { "" };
            let commit = json["commit"].as_str().ok_or("it does not say its commit")?;
            let bench = format!("phalanx bench {system} --json FILE{quick}");
            let command = json["command"].as_str().map_or(bench, str::to_owned);
            (Contents::Bench(json.clone()), command, commit.to_owned())
        };
        let (machine, build) = (machine.to_owned(), build.to_owned());
        runs.push(Run {
            file: name.to_owned(),
            date: date.to_owned(),
            machine,
            system,
            build,
            contents,
            command,
            commit,
        });
    }
    let nameless = rows.iter().find(|row| system_of(row).is_none());
    match nameless {
        Some(row) => Err(format!("a row of no system: {row}")),
        None if json.is_object() && known.is_some() => Err(format!("{INDEX} names it, but it says itself")),
        None => Ok(runs),
    }
}

const ALL: [&str; 5] = ["ed25519", "xmss", "rescue", "ligerito", "aggregate"];

/// The system that a row measures, by the first part of its stable name.
fn system_of(row: &Value) -> Option<&'static str> {
    let name = row["name"].as_str().or_else(|| row["operation"].as_str())?;
    let is = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    Some(match name {
        _ if is(&["ed25519/"]) => "ed25519",
        _ if is(&["xmss/", "poseidon", "keccak-", "blake2s/"]) => "xmss",
        _ if is(&["rescue-", "rpo-", "rpx-"]) => "rescue",
        _ if is(&["ligerito/", "gf128/"]) => "ligerito",
        _ if is(&["aggregate/"]) => "aggregate",
        _ => return None,
    })
}

/// Of runs of the same machine, system, kind and build the newest, in an order that does not depend on the folder's.
pub(super) fn newest(mut runs: Vec<Run>) -> Vec<Run> {
    runs.sort_by(|a, b| a.place().cmp(&b.place()).then_with(|| b.file.cmp(&a.file)));
    runs.dedup_by(|later, kept| later.place() == kept.place());
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn bench(commit: &str, name: &str) -> Value {
        json!({ "machine": {}, "commit": commit, "quick": true, "results": [{ "name": name }] })
    }

    #[test]
    fn names_and_rows_say_what_a_file_is() {
        let known = json!({ "command": "compare", "commit": "c0ffee" });
        let rows = json!([{ "operation": "rpo-256/permute" }, { "operation": "keccak-f1600/permute" }]);
        let runs = of_file("2026-11-22-a-b-compare-native.json", &rows, Some(&known)).expect("it is sound");
        assert_eq!(
            runs.iter().map(Run::place).collect::<Vec<_>>(),
            [("a-b", "xmss", true, "native"), ("a-b", "rescue", true, "native")]
        );
        let bench = bench("0123456789abcdef", "ed25519/sign");
        let runs = of_file("2026-11-22-a-b-ed25519.json", &bench, None).expect("it is sound");
        assert_eq!(runs[0].place(), ("a-b", "ed25519", false, ""));
        assert_eq!(
            runs[0].origin(),
            "2026-11-22, commit 0123456789ab: `phalanx bench ed25519 --json FILE --quick` \
             ([rows](docs/measurements/2026-11-22-a-b-ed25519.json))."
        );
        let mut other = self::bench("c0ffee", "aggregate/in all");
        other["command"] = json!("stages 461");
        let runs = of_file("2026-11-22-a-aggregate.json", &other, None).expect("it is sound");
        assert_eq!(runs[0].place(), ("a", "aggregate", false, ""));
        assert!(runs[0].origin().contains("`stages 461`"));
        assert!(of_file("2026-11-22-a-compare.json", &rows, None).is_err(), "rows that nobody vouches for");
        assert!(of_file("2026-11-22-a.json", &bench, Some(&known)).is_err(), "two origins");
        assert!(of_file("a.json", &bench, None).is_err(), "no date");
        assert!(
            of_file("2026-11-22-a.json", &self::bench("c", "other/thing"), None).is_err(),
            "an unknown system"
        );
    }

    #[test]
    fn the_newest_run_is_shown() {
        let of = |name: &str| of_file(name, &bench("c0ffee", "ed25519/sign"), None).expect("it is sound");
        let runs = ["2026-11-20-a.json", "2026-11-22-a.json", "2026-11-21-a.json", "2026-11-19-b.json"];
        let shown = newest(runs.into_iter().flat_map(of).collect());
        let shown: Vec<_> = shown.iter().map(|run| &*run.file).collect();
        assert_eq!(shown, ["2026-11-22-a.json", "2026-11-19-b.json"]);
    }
}
