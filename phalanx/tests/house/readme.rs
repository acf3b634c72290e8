//! The README's table, made from a committed measurement (`phalanx bench xmss --json FILE`).

use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Before the table stands `<!-- table: FILE -->`, after it this.
const END: &str = "<!-- /table -->";
const BEGIN: &str = "<!-- table: ";

/// Columns: title, name of the result, and what it is divided by to come in the title's unit.
const COLUMNS: [(&str, &str, f64); 4] = [
    ("key generation, us per epoch", "xmss/keygen-per-leaf", 1.0),
    ("sign, us", "xmss/sign", 1.0),
    ("verify, us", "xmss/verify", 1.0),
    ("verify many, us each", "xmss/verify-many-per-signature", 1.0),
];

/// The table of one measurement: a line per parameter set and backend, one thread.
fn table(measurement: &Value) -> Option<String> {
    let results = measurement["results"].as_array()?;
    let find = |name: &str, scheme: &str, backend: &str| {
        let row = results.iter().find(|row| {
            row["name"] == name && row["scheme"] == scheme && row["backend"] == backend && row["threads"] == 1
        })?;
        assert_eq!(row["unit"], "us", "{name}: the table's unit");
        row["median"].as_f64()
    };
    let mut text = String::from("| parameter set | backend |");
    for (title, ..) in COLUMNS {
        write!(text, " {title} |").expect("to a string");
    }
    text += "\n|---|---|---:|---:|---:|---:|\n";
    for scheme in ["xmss-poseidon2-l32-d64b8", "xmss-poseidon1-l32-d46b8"] {
        for backend in ["avx512", "avx2", "portable"] {
            write!(text, "| `{scheme}` | {backend} |").expect("to a string");
            for (_, name, divisor) in COLUMNS {
                write!(text, " {:.1} |", find(name, scheme, backend)? / divisor).expect("to a string");
            }
            text += "\n";
        }
    }
    let (cpu, commit) = (measurement["machine"]["cpu"].as_str()?, measurement["commit"].as_str()?);
    write!(
        text,
        "\nOne thread, plain build, medians. {cpu}, commit {}. ",
        commit.get(..12).unwrap_or(commit)
    )
    .expect("to a string");
    text += "Command: `phalanx bench xmss --json FILE`.\n";
    Some(text)
}

/// `readme` with the table between the marks made anew, and the file it was made from.
fn updated(root: &Path, readme: &str) -> Option<String> {
    let begin = readme.find(BEGIN)?;
    let name_end = begin + readme[begin..].find(" -->")?;
    let name = &readme[begin + BEGIN.len()..name_end];
    let end = name_end + readme[name_end..].find(END)?;
    let measurement = fs::read_to_string(root.join(name)).ok()?;
    let table = table(&serde_json::from_str(&measurement).ok()?)?;
    Some(format!("{} -->\n{table}{}", &readme[..name_end], &readme[end..]))
}

/// `UPDATE_README=1 cargo test -p phalanx --test house` writes the table instead of comparing it.
#[test]
fn readme_table_is_the_recorded_measurement() {
    let root = super::root();
    let path = root.join("README.md");
    let readme = fs::read_to_string(&path).expect("there is a README.md").replace("\r\n", "\n");
    let wanted =
        updated(&root, &readme).expect("README.md has a marked table, and its measurement is complete");
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(&path, wanted).expect("README.md can be written");
    } else {
        assert!(
            readme == wanted,
            "README.md's table is not what its measurement says; set UPDATE_README=1 to renew it"
        );
    }
}
