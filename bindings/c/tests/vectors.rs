//! Vector files for tests in languages without a JSON reader at hand: any JSON file as lines `path<TAB>value`.
//!
//! `[{"epoch": 3, "sig": "00ff"}]` becomes `#` = 1, `/0/epoch` = 3, `/0/sig` = 00ff: an array's path with `#` behind it
//! has its length, and line breaks and backslashes in texts are `\n`, `\r` and `\\`.
//!
//! With `PHALANX_FLATTEN_TO` set, every file `vectors/*/*.json` is written there, as `*/*.lines`.

use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

fn flatten(path: &str, value: &Value, lines: &mut String) {
    let line = |lines: &mut String, path: &str, value: &str| {
        writeln!(lines, "{path}\t{value}").expect("a String takes everything");
    };
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| flatten(&format!("{path}/{name}"), member, lines));
        }
        Value::Array(elements) => {
            line(lines, &format!("{path}#"), &elements.len().to_string());
            elements
                .iter()
                .enumerate()
                .for_each(|(i, element)| flatten(&format!("{path}/{i}"), element, lines));
        }
        Value::String(text) => {
            line(lines, path, &text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r"));
        }
        other => line(lines, path, &other.to_string()),
    }
}

#[test]
fn lines_by_hand() {
    let value = serde_json::json!([{"epoch": 3, "ok": true, "none": null, "text": "a\n\\b", "empty": []}]);
    let mut lines = String::new();
    flatten("", &value, &mut lines);
    assert_eq!(lines, "#\t1\n/0/empty#\t0\n/0/epoch\t3\n/0/none\tnull\n/0/ok\ttrue\n/0/text\ta\\n\\\\b\n");
}

#[test]
fn every_vector_file_becomes_lines() {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let target = std::env::var_os("PHALANX_FLATTEN_TO");
    let mut seen = 0;
    for folder in std::fs::read_dir(vectors).expect("the folder of vectors") {
        let folder = folder.expect("an entry").path();
        if !folder.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(&folder).expect("a folder of vectors") {
            let file = file.expect("an entry").path();
            if file.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("a text");
            let mut lines = String::new();
            flatten("", &serde_json::from_str(&text).expect("JSON"), &mut lines);
            assert!(lines.lines().all(|line| line.split('\t').count() == 2), "{}: a tab", file.display());
            seen += 1;
            if let Some(target) = &target {
                let target = Path::new(target).join(folder.file_name().expect("a name"));
                std::fs::create_dir_all(&target).expect("the target folder can be made");
                let mut name = file.file_stem().expect("a name").to_owned();
                name.push(".lines");
                std::fs::write(target.join(name), lines).expect("the target folder can be written");
            }
        }
    }
    assert!(seen > 20, "only {seen} vector files");
}
