//! The README's tables, made from committed measurements (`phalanx bench SYSTEM --json FILE`, and files of rows that
//! `compare` writes).

use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Before a table stands `<!-- table: FILE FILE... -->`, for Ed25519 `<!-- table: ed25519 FILE FILE... -->`, for Rescue
/// and Ligerito with `rescue` and `ligerito`, after it this.
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
    text += &about(measurement, "xmss")?;
    Some(text)
}

/// The line under a table.
fn about(measurement: &Value, system: &str) -> Option<String> {
    let (cpu, commit) = (measurement["machine"]["cpu"].as_str()?, measurement["commit"].as_str()?);
    let commit = commit.get(..12).unwrap_or(commit);
    Some(format!(
        "\nOne thread where nothing else is said, plain build, medians. {cpu}, commit {commit}. Command: `phalanx bench {system} --json FILE`.\n"
    ))
}

/// Columns of the table of Ed25519 over backends: title, name of the result, signatures in a call.
const ED25519_COLUMNS: [(&str, &str, u64); 8] = [
    ("sign", "ed25519/sign", 1),
    ("verify", "ed25519/verify", 1),
    ("sign 64", "ed25519/sign-many-per-signature", 64),
    ("verify 8", "ed25519/verify-many-per-signature", 8),
    ("verify 64", "ed25519/verify-many-per-signature", 64),
    ("verify 1024", "ed25519/verify-many-per-signature", 1024),
    ("batch 64", "ed25519/verify-batch-per-signature", 64),
    ("batch 1024", "ed25519/verify-batch-per-signature", 1024),
];

/// The tables of one measurement of Ed25519: a line per backend, and for the fastest one a line per number of signatures.
fn ed25519_table(measurement: &Value) -> Option<String> {
    let results = measurement["results"].as_array()?;
    let find = |name: &str, backend: &str, n: u64| {
        let row = results.iter().find(|row| {
            row["name"] == name && row["backend"] == backend && row["n"] == n && row["threads"] == 1
        })?;
        assert_eq!(row["unit"], "us", "{name}: the table's unit");
        row["median"].as_f64()
    };
    let mut text = String::from("| us a signature |");
    for (title, ..) in ED25519_COLUMNS {
        write!(text, " {title} |").expect("to a string");
    }
    text += "\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    let backends = ["avx512", "avx2", "portable"];
    for backend in backends {
        write!(text, "| {backend} |").expect("to a string");
        for (_, name, n) in ED25519_COLUMNS {
            write!(text, " {:.2} |", find(name, backend, n)?).expect("to a string");
        }
        text += "\n";
    }
    let fastest = backends[0];
    writeln!(
        text,
        "\n| n, {fastest}, us a signature | sign | verify | batch | sign 1 KiB | verify 1 KiB | batch 1 KiB |\n\
         |---:|---:|---:|---:|---:|---:|---:|"
    )
    .expect("to a string");
    for n in (0..=12).map(|log2| 1 << log2) {
        write!(text, "| {n} |").expect("to a string");
        for suffix in ["", "-1kib"] {
            for operation in ["sign-many", "verify-many", "verify-batch"] {
                let name = format!("ed25519/{operation}-per-signature{suffix}");
                write!(text, " {:.2} |", find(&name, fastest, n)?).expect("to a string");
            }
        }
        text += "\n";
    }
    text += &about(measurement, "ed25519")?;
    Some(text)
}

/// The table of the rows of `compare` for Ed25519, of several runs one after the other; microseconds a signature.
fn ed25519_comparison(runs: &[Value]) -> Option<String> {
    let mut text = String::from(
        "| operation | n | rule | ours | us | peer | us | ratio |\n|---|---:|---|---|---:|---|---:|---:|\n",
    );
    for row in runs.iter().map(|run| run.as_array()).collect::<Option<Vec<_>>>()?.into_iter().flatten() {
        let (text_of, number) = (|key: &str| row[key].as_str(), |key: &str| row[key].as_f64());
        assert_eq!(row["unit"], "ns", "the rows' unit");
        writeln!(
            text,
            "| `{}` | {} | {} | {} | {:.2} | {} {} | {:.2} | {:.2} |",
            text_of("operation")?,
            row["n"].as_u64()?,
            text_of("profile").unwrap_or("-"),
            text_of("backend")?,
            number("ours")? / 1e3,
            text_of("peer")?,
            text_of("peer_version")?,
            number("peer_value")? / 1e3,
            number("ratio")?
        )
        .expect("to a string");
    }
    Some(text)
}

/// Columns of the table of Rescue over backends: title, what of it is measured.
const RESCUE_COLUMNS: [(&str, &str); 7] = [
    ("permutation", "permute"),
    ("of 1024", "permute-many"),
    ("hash of 8", "hash-8"),
    ("of 1024", "hash-many-8"),
    ("hash of 128", "hash-128"),
    ("of 1024", "hash-many-128"),
    ("Merkle tree, a leaf", "merkle-per-leaf"),
];

/// The table of one measurement of Rescue: a line per backend, one thread.
fn rescue_table(measurement: &Value) -> Option<String> {
    let function = "rescue-rp64-256";
    let results = measurement["results"].as_array()?;
    let find = |name: &str, backend: &str| {
        let is_it = |row: &&Value| row["name"] == name && row["backend"] == backend && row["threads"] == 1;
        let row = results.iter().find(is_it)?;
        assert_eq!(row["unit"], "ns", "{name}: the table's unit");
        row["median"].as_f64()
    };
    let mut text = format!("| `{function}`, ns each |");
    for (title, _) in RESCUE_COLUMNS {
        write!(text, " {title} |").expect("to a string");
    }
    text += "\n|---|---:|---:|---:|---:|---:|---:|---:|\n";
    for backend in ["avx512", "avx2", "portable"] {
        write!(text, "| {backend} |").expect("to a string");
        for (_, operation) in RESCUE_COLUMNS {
            write!(text, " {:.0} |", find(&format!("{function}/{operation}"), backend)?)
                .expect("to a string");
        }
        text += "\n";
    }
    text += &about(measurement, "rescue")?;
    Some(text)
}

/// The table of the rows of `compare` for Rescue, of several runs one after the other; nanoseconds each.
fn rescue_comparison(runs: &[Value]) -> Option<String> {
    let mut text = String::from(
        "| operation | n | ours | ns | peer | ns | ratio |\n|---|---:|---|---:|---|---:|---:|\n",
    );
    for row in runs.iter().map(|run| run.as_array()).collect::<Option<Vec<_>>>()?.into_iter().flatten() {
        let (text_of, number) = (|key: &str| row[key].as_str(), |key: &str| row[key].as_f64());
        assert_eq!(row["unit"], "ns", "the rows' unit");
        writeln!(
            text,
            "| `{}` | {} | {} | {:.0} | {} {} | {:.0} | {:.2} |",
            text_of("operation")?,
            row["n"].as_u64()?,
            text_of("backend")?,
            number("ours")?,
            text_of("peer")?,
            text_of("peer_version")?,
            number("peer_value")?,
            number("ratio")?
        )
        .expect("to a string");
    }
    Some(text)
}

/// The tables of Rescue from rows as its benchmark and its comparison write them; rows that are missing are noticed.
#[test]
fn rescue_tables_are_made() {
    let mut results = Vec::new();
    for backend in ["portable", "avx2", "avx512"] {
        for (_, operation) in RESCUE_COLUMNS {
            results.push(serde_json::json!({
                "name": format!("rescue-rp64-256/{operation}"), "backend": backend, "threads": 1, "unit": "ns",
                "median": 1000.4 + results.len() as f64,
            }));
        }
    }
    let machine = serde_json::json!({ "cpu": "a CPU" });
    let mut measurement = serde_json::json!({ "machine": machine, "commit": "c0ffee", "results": results });
    let table = rescue_table(&measurement).expect("it is complete");
    assert!(table.contains("| avx512 | 1014 | 1015 | 1016 | 1017 | 1018 | 1019 | 1020 |\n"), "{table}");
    let _ = measurement["results"].as_array_mut().expect("a list").pop();
    assert_eq!(rescue_table(&measurement), None);
    let mut rows = serde_json::json!([{
        "operation": "rescue-rp64-256/permute", "n": 1, "backend": "avx2", "ours": 500.0, "peer": "winter-crypto",
        "peer_version": "0.13.1", "peer_value": 1000.0, "ratio": 2.0, "unit": "ns",
    }]);
    let table = rescue_comparison(std::slice::from_ref(&rows)).expect("it is complete");
    let line = "| `rescue-rp64-256/permute` | 1 | avx2 | 500 | winter-crypto 0.13.1 | 1000 | 2.00 |\n";
    assert!(table.ends_with(line), "{table}");
    rows[0]["ratio"] = Value::Null;
    assert_eq!(rescue_comparison(&[rows]), None);
}

/// Columns of the table of Ligerito: title, what is measured, digits after the point.
const LIGERITO_COLUMNS: [(&str, &str, usize, usize); 5] = [
    ("commit", "commit", 1, 2),
    ("commit and open", "prove", 1, 2),
    ("on two threads", "prove", 2, 2),
    ("verify", "verify", 1, 2),
    ("proof, bytes", "proof-bytes", 1, 0),
];

/// The table of one measurement of Ligerito: a line per size, profile and backend.
fn ligerito_table(measurement: &Value) -> Option<String> {
    let scheme = "ligerito-v1-provable100";
    let results = measurement["results"].as_array()?;
    let mut text = format!("| `{scheme}`, ms | backend |");
    for (title, ..) in LIGERITO_COLUMNS {
        write!(text, " {title} |").expect("to a string");
    }
    text += "\n|---|---|---:|---:|---:|---:|---:|\n";
    for log2 in [16, 20, 24] {
        for profile in ["balanced", "compact"] {
            for backend in ["avx512", "avx2", "portable"] {
                let find = |operation: &str, threads: usize| {
                    let is_it = |row: &&Value| {
                        row["scheme"] == scheme
                            && row["operation"] == operation
                            && row["profile"] == profile
                            && row["n"] == 1u64 << log2
                            && row["threads"] == threads
                            && (row["backend"] == backend || operation == "proof-bytes")
                    };
                    results.iter().find(is_it)?["median"].as_f64()
                };
                if find("prove", 1).is_none() && backend == "portable" {
                    continue; // the largest size is not measured there
                }
                write!(text, "| 2^{log2} {profile} | {backend} |").expect("to a string");
                for (_, operation, threads, digits) in LIGERITO_COLUMNS {
                    write!(text, " {:.digits$} |", find(operation, threads)?).expect("to a string");
                }
                text += "\n";
            }
        }
    }
    text += &about(measurement, "ligerito")?;
    Some(text)
}

/// The table of the rows of `compare` for Ligerito, of several runs one after the other; milliseconds, or bytes of proofs.
fn ligerito_comparison(runs: &[Value]) -> Option<String> {
    let mut text = String::from(
        "| operation | size | ours | threads | | peer | | ratio |\n|---|---:|---|---:|---:|---|---:|---:|\n",
    );
    for row in runs.iter().map(|run| run.as_array()).collect::<Option<Vec<_>>>()?.into_iter().flatten() {
        let (text_of, number) = (|key: &str| row[key].as_str(), |key: &str| row[key].as_f64());
        let value = |key: &str| match text_of("unit") {
            Some("ns") => Some(format!("{:.2} ms", number(key)? / 1e6)),
            Some("bytes") => Some(format!("{:.0} bytes", number(key)?)),
            _ => None,
        };
        writeln!(
            text,
            "| `{}` | 2^{} | {}, {} | {} | {} | {} {} | {} | {:.2} |",
            text_of("operation")?,
            row["n"].as_u64()?.ilog2(),
            text_of("profile")?,
            text_of("backend")?,
            row["threads"].as_u64().unwrap_or(1),
            value("ours")?,
            text_of("peer")?,
            text_of("peer_version")?,
            value("peer_value")?,
            number("ratio")?
        )
        .expect("to a string");
    }
    Some(text)
}

/// The tables of Ligerito from rows as its benchmark and its comparison write them; rows that are missing are noticed.
#[test]
fn ligerito_tables_are_made() {
    let mut results = Vec::new();
    for log2 in [16, 20, 24] {
        for profile in ["balanced", "compact"] {
            for backend in ["portable", "avx2", "avx512"] {
                for (_, operation, threads, _) in LIGERITO_COLUMNS {
                    results.push(serde_json::json!({
                        "scheme": "ligerito-v1-provable100", "operation": operation, "backend": backend, "threads": threads,
                        "profile": profile, "n": 1u64 << log2, "median": 1000.25 + results.len() as f64,
                    }));
                }
            }
        }
    }
    let machine = serde_json::json!({ "cpu": "a CPU" });
    let mut measurement = serde_json::json!({ "machine": machine, "commit": "c0ffee", "results": results });
    let table = ligerito_table(&measurement).expect("it is complete");
    assert!(
        table.contains("| 2^16 balanced | avx512 | 1010.25 | 1011.25 | 1012.25 | 1013.25 | 1004 |\n"),
        "{table}"
    );
    let _ = measurement["results"].as_array_mut().expect("a list").pop();
    let _ = measurement["results"].as_array_mut().expect("a list").pop();
    assert_eq!(ligerito_table(&measurement), None);
    let mut rows = serde_json::json!([{
        "operation": "ligerito/prove", "n": 1u64 << 20, "profile": "balanced", "backend": "avx2", "threads": 1,
        "ours": 5e6, "peer": "ligerito", "peer_version": "0.8.0", "peer_value": 1e8, "ratio": 20.0, "unit": "ns",
    }]);
    let table = ligerito_comparison(std::slice::from_ref(&rows)).expect("it is complete");
    let line =
        "| `ligerito/prove` | 2^20 | balanced, avx2 | 1 | 5.00 ms | ligerito 0.8.0 | 100.00 ms | 20.00 |\n";
    assert!(table.ends_with(line), "{table}");
    rows[0]["unit"] = Value::Null;
    assert_eq!(ligerito_comparison(&[rows]), None);
}

/// The table of the rows of `compare`, of several runs one after the other.
fn comparison(runs: &[Value]) -> Option<String> {
    let mut text = String::from(
        "| operation | ours | ns a lane | peer | ns a lane | ratio |\n|---|---|---:|---|---:|---:|\n",
    );
    for row in runs.iter().map(|run| run.as_array()).collect::<Option<Vec<_>>>()?.into_iter().flatten() {
        let (text_of, number) = (|key: &str| row[key].as_str(), |key: &str| row[key].as_f64());
        writeln!(
            text,
            "| `{}` | {} | {:.1} | {} {} | {:.1} | {:.2} |",
            text_of("operation")?,
            text_of("backend")?,
            number("ours")?,
            text_of("peer")?,
            text_of("peer_version")?,
            number("peer_value")?,
            number("ratio")?
        )
        .expect("to a string");
    }
    Some(text)
}

/// `readme` with every table between marks made anew, and how many there are.
fn updated(root: &Path, readme: &str) -> Option<(String, usize)> {
    let (mut text, mut rest, mut count) = (String::new(), readme, 0);
    while let Some(begin) = rest.find(BEGIN) {
        let names_end = begin + rest[begin..].find(" -->")?;
        let end = names_end + rest[names_end..].find(END)?;
        let names = &rest[begin + BEGIN.len()..names_end];
        let (system, names) = match names.split_once(' ') {
            Some((system @ ("ed25519" | "rescue" | "ligerito"), names)) => (system, names),
            _ => ("xmss", names),
        };
        let measurements = names
            .split(' ')
            .map(|name| serde_json::from_str(&fs::read_to_string(root.join(name)).ok()?).ok())
            .collect::<Option<Vec<Value>>>()?;
        let made = match (measurements.as_slice(), system) {
            ([one], "ed25519") if one.is_object() => ed25519_table(one)?,
            ([one], "rescue") if one.is_object() => rescue_table(one)?,
            ([one], "ligerito") if one.is_object() => ligerito_table(one)?,
            ([one], _) if one.is_object() => table(one)?,
            (runs, "ed25519") => ed25519_comparison(runs)?,
            (runs, "rescue") => rescue_comparison(runs)?,
            (runs, "ligerito") => ligerito_comparison(runs)?,
            (runs, _) => comparison(runs)?,
        };
        write!(text, "{} -->\n{made}{END}", &rest[..names_end]).expect("to a string");
        rest = &rest[end + END.len()..];
        count += 1;
    }
    Some((text + rest, count))
}

/// `UPDATE_README=1 cargo test -p phalanx --test house` writes the table instead of comparing it.
#[test]
fn readme_tables_are_the_recorded_measurements() {
    let root = super::root();
    let path = root.join("README.md");
    let readme = fs::read_to_string(&path).expect("there is a README.md").replace("\r\n", "\n");
    let (wanted, tables) =
        updated(&root, &readme).expect("the measurements that README.md names are complete");
    assert!(tables > 0, "README.md has a marked table");
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(&path, wanted).expect("README.md can be written");
    } else {
        assert!(
            readme == wanted,
            "README.md's tables are not what their measurements say; set UPDATE_README=1 to renew it"
        );
    }
}
