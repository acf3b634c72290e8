//! Vector files for tests in languages without a JSON reader at hand: any JSON file as lines `path<TAB>value`.
//!
//! `[{"epoch": 3, "sig": "00ff"}]` becomes `#` = 1, `/0/epoch` = 3, `/0/sig` = 00ff: an array's path with `#` behind it
//! has its length, and line breaks and backslashes in texts are `\n`, `\r` and `\\`.

use serde_json::Value;
use std::fs;
use std::path::Path;

/// Writes every file `*/*.json` below `vectors` to `target`, as `*/*.lines`.
pub(super) fn write_all(vectors: &Path, target: &Path) -> Result<(), String> {
    let mut seen = 0;
    for folder in entries(vectors)?.into_iter().filter(|path| path.is_dir()) {
        for file in entries(&folder)? {
            if file.extension().is_some_and(|extension| extension == "json") {
                let told = |error: String| format!("{}: {error}", file.display());
                let lines = of_file(&file).map_err(told)?;
                let name = file.strip_prefix(vectors).map_err(|error| told(error.to_string()))?;
                let to = target.join(name).with_extension("lines");
                let written =
                    fs::create_dir_all(to.parent().unwrap_or(target)).and_then(|()| fs::write(&to, lines));
                written.map_err(|error| told(error.to_string()))?;
                seen += 1;
            }
        }
    }
    if seen > 20 { Ok(()) } else { Err(format!("only {seen} vector files")) }
}

fn entries(folder: &Path) -> Result<Vec<std::path::PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(|error| error.to_string())).collect()
}

fn of_file(file: &Path) -> Result<String, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut lines = String::new();
    flatten("", &value, &mut lines);
    if lines.lines().all(|line| line.split('\t').count() == 2) { Ok(lines) } else { Err("a tab".to_owned()) }
}

fn flatten(path: &str, value: &Value, lines: &mut String) {
    let line = |lines: &mut String, path: &str, value: &str| *lines += &format!("{path}\t{value}\n");
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| flatten(&format!("{path}/{name}"), member, lines));
        }
        Value::Array(elements) => {
            line(lines, &format!("{path}#"), &elements.len().to_string());
            let numbered = elements.iter().enumerate();
            numbered.for_each(|(i, element)| flatten(&format!("{path}/{i}"), element, lines));
        }
        Value::String(text) => {
            line(lines, path, &text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r"));
        }
        other => line(lines, path, &other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::flatten;

    #[test]
    fn lines_by_hand() {
        let value = serde_json::json!([
            {"epoch": 3, "ok": true, "none": null, "text": "a\n\\b", "empty": []}
        ]);
        let mut lines = String::new();
        flatten("", &value, &mut lines);
        let wanted = "#\t1\n/0/empty#\t0\n/0/epoch\t3\n/0/none\tnull\n/0/ok\ttrue\n/0/text\ta\\n\\\\b\n";
        assert_eq!(lines, wanted);
    }
}
