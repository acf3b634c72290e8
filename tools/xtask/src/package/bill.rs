//! What went in: a list of crates (CycloneDX), and the texts of their licences.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cargo::{cargo, root};
use crate::programs::said;

/// The crates that one of ours is made of.
pub(super) struct Bill {
    name: String,
    version: String,
    /// Ours and others', sorted.
    crates: Vec<Value>,
    /// Which identifier depends on which.
    edges: BTreeMap<String, BTreeSet<String>>,
}

impl Bill {
    /// Asks Cargo what `package` is made of for `target`, tests and build scripts left out.
    pub(super) fn of(package: &str, target: &str) -> Result<Self, String> {
        let mut ask = cargo("metadata --locked --format-version 1 --filter-platform");
        ask.arg(target).arg("--manifest-path").arg(root().join(manifest_of(package)?));
        let all: Value = serde_json::from_str(&said(&mut ask)?).map_err(|error| error.to_string())?;
        // Metadata has the features of the whole workspace; the tree has those of the package alone.
        let mut tree = cargo("tree --locked --edges normal --prefix none --format {p} --target");
        let tree = said(tree.args([target, "--package", package]))?;
        let linked: BTreeSet<(&str, &str)> = tree.lines().filter_map(in_tree).collect();
        Self::read(&all, package, &linked)
            .ok_or_else(|| format!("cargo metadata does not say what {package} is made of"))
    }

    fn read(all: &Value, package: &str, linked: &BTreeSet<(&str, &str)>) -> Option<Self> {
        let packages: BTreeMap<&str, &Value> = all["packages"]
            .as_array()?
            .iter()
            .map(|entry| Some((entry["id"].as_str()?, entry)))
            .collect::<Option<_>>()?;
        let nodes: BTreeMap<&str, &Value> = all["resolve"]["nodes"]
            .as_array()?
            .iter()
            .map(|node| Some((node["id"].as_str()?, node)))
            .collect::<Option<_>>()?;
        let top = packages.iter().find(|(_, entry)| entry["name"] == package)?;
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut open = vec![*top.0];
        let mut seen = BTreeSet::from([*top.0]);
        while let Some(id) = open.pop() {
            let from = identifier(packages.get(id)?)?;
            let below = edges.entry(from).or_default();
            for dependency in nodes.get(id)?["deps"].as_array()? {
                let normal = dependency["dep_kinds"].as_array()?.iter().any(|kind| kind["kind"].is_null());
                let other = dependency["pkg"].as_str()?;
                let entry = packages.get(other)?;
                if normal && linked.contains(&(entry["name"].as_str()?, entry["version"].as_str()?)) {
                    below.insert(identifier(entry)?);
                    if seen.insert(other) {
                        open.push(other);
                    }
                }
            }
        }
        let mut crates: Vec<Value> =
            seen.iter().filter_map(|id| packages.get(id)).map(|&entry| entry.clone()).collect();
        crates.sort_by_key(identifier);
        let text = |name: &str| Some(top.1[name].as_str()?.to_owned());
        Some(Self { name: text("name")?, version: text("version")?, crates, edges })
    }

    /// The crates that are not ours.
    fn foreign(&self) -> impl Iterator<Item = &Value> {
        self.crates.iter().filter(|entry| !entry["source"].is_null())
    }

    /// The list in CycloneDX 1.5, with the checksums of `Cargo.lock`.
    pub(super) fn cyclonedx(&self, lock: &str) -> String {
        let checksums = checksums(lock);
        let components: Vec<Value> = self
            .crates
            .iter()
            .filter(|entry| entry["name"] != self.name.as_str())
            .filter_map(|entry| {
                let id = identifier(entry)?;
                let mut component = json!({
                    "type": "library", "bom-ref": id, "name": entry["name"], "version": entry["version"], "purl": id,
                });
                if let Some(licence) = entry["license"].as_str() {
                    // The old way to write a choice is a slash.
                    component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
                }
                let key = (entry["name"].as_str()?, entry["version"].as_str()?);
                if let Some(hash) = checksums.get(&key) {
                    component["hashes"] = json!([{ "alg": "SHA-256", "content": hash }]);
                }
                Some(component)
            })
            .collect();
        let edges: Vec<Value> =
            self.edges.iter().map(|(from, to)| json!({ "ref": from, "dependsOn": to })).collect();
        let own = format!("pkg:cargo/{}@{}", self.name, self.version);
        let bill = json!({
            "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": { "component": {
                "type": "application", "bom-ref": own, "name": self.name, "version": self.version, "purl": own,
                "licenses": [{ "expression": "Apache-2.0 OR MIT" }],
            } },
            "components": components, "dependencies": edges,
        });
        format!("{bill:#}\n")
    }

    /// The texts of the licences of all crates that are not ours; each text once.
    pub(super) fn notices(&self, beside: &[&str]) -> Result<String, String> {
        let mut text = format!(
            "{} {} contains work of others.\n\nThe Rust standard library: MIT OR Apache-2.0, https://rust-lang.org\n",
            self.name, self.version
        );
        for other in beside {
            text += &format!("{other}\n");
        }
        let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for entry in self.foreign() {
            let (name, version) =
                (entry["name"].as_str().unwrap_or_default(), entry["version"].as_str().unwrap_or_default());
            let licence = entry["license"].as_str().unwrap_or("see its text");
            text += &format!("{name} {version}: {licence}\n");
            let manifest = Path::new(entry["manifest_path"].as_str().unwrap_or_default());
            for file in licence_files(manifest)? {
                texts.entry(file).or_default().insert(format!("{name} {version}"));
            }
        }
        for (licence, names) in &texts {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            text += &format!("\n{}\n{}\n\n{}\n", "-".repeat(80), names.join(", "), licence.trim_end());
        }
        Ok(text)
    }
}

/// The folder of a member of the workspace that is shipped.
fn manifest_of(package: &str) -> Result<&'static str, String> {
    match package {
        "phalanx-c" => Ok("bindings/c/Cargo.toml"),
        "phalanx-cli" => Ok("cli/Cargo.toml"),
        "phalanx-bulk" => Ok("crates/bulk/Cargo.toml"),
        "phalanx-python" => Ok("bindings/python/Cargo.toml"),
        "phalanx-wasm" => Ok("bindings/wasm/Cargo.toml"),
        other => Err(format!("{other} is not shipped")),
    }
}

/// Name and version in a line of `cargo tree`, such as `ring v0.17.14` or `phalanx v0.1.0 (/folder) (*)`.
fn in_tree(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace();
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

/// The URL by which a crate is known.
fn identifier(entry: &Value) -> Option<String> {
    Some(format!("pkg:cargo/{}@{}", entry["name"].as_str()?, entry["version"].as_str()?))
}

/// The licence texts beside a manifest, without differences of line ends.
fn licence_files(manifest: &Path) -> Result<Vec<String>, String> {
    let folder = manifest.parent().ok_or("a manifest without a folder")?;
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let starts = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];
        path.is_file() && starts.iter().any(|start| name.starts_with(start))
    });
    paths.sort();
    let read =
        |path: &std::path::PathBuf| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    paths.iter().map(|path| Ok(String::from_utf8_lossy(&read(path)?).replace("\r\n", "\n"))).collect()
}

/// Name and version of each package of a lock file that has a checksum, with it.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let value = |block: &'_ str, name: &str| -> Option<(usize, usize)> {
        let begins = block.find(&format!("\n{name} = \""))? + name.len() + 5;
        Some((begins, begins + block[begins..].find('"')?))
    };
    lock.split("[[package]]")
        .skip(1)
        .filter_map(|block| {
            let part = |name| value(block, name).map(|(from, to)| &block[from..to]);
            Some(((part("name")?, part("version")?), part("checksum")?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Bill, checksums, in_tree};
    use serde_json::json;

    const LOCK: &str = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"x\"\nchecksum = \
                        \"00ff\"\n\n[[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n";

    #[test]
    fn a_lock_file_gives_its_checksums() {
        assert_eq!(checksums(LOCK).into_iter().collect::<Vec<_>>(), [(("a", "1.0.0"), "00ff")]);
    }

    #[test]
    fn what_is_only_for_tests_is_in_no_bill() {
        let node = |id: &str, deps: serde_json::Value| json!({ "id": id, "deps": deps });
        let to = |id: &str, kind: serde_json::Value| json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] });
        let entry = |id: &str, source: serde_json::Value| json!({ "id": id, "name": id, "version": "1.0.0", "license": "MIT/Apache-2.0", "source": source });
        let all = json!({
            "packages": [entry("ours", json!(null)), entry("a", json!("x")), entry("b", json!("x"))],
            "resolve": { "nodes": [
                node("ours", json!([to("a", json!(null)), to("b", json!("dev"))])),
                node("a", json!([])), node("b", json!([])),
            ] },
        });
        let linked =
            ["ours v1.0.0 (/x)", "a v1.0.0 (*)", "b v1.0.0"].into_iter().filter_map(in_tree).collect();
        let bill = Bill::read(&all, "ours", &linked).expect("it is whole");
        let names: Vec<_> = bill.foreign().map(|entry| entry["name"].clone()).collect();
        assert_eq!(names, ["a"]);
        let list: serde_json::Value = serde_json::from_str(&bill.cyclonedx(LOCK)).expect("JSON");
        assert_eq!(list["components"].as_array().map(Vec::len), Some(1));
        assert_eq!(list["components"][0]["hashes"][0]["content"], "00ff");
        assert_eq!(list["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert!(Bill::read(&all, "theirs", &linked).is_none());
    }
}
