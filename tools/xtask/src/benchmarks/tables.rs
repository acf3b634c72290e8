//! Tables from rows of measurements. A number that a line lacks is an error; a line without any is left out.

use super::runs::{Contents, Run};
use serde_json::{Value, json};
use std::fmt::Write;

/// A column: its title, and the keys of the row it shows.
struct Column<'a> {
    title: &'a str,
    keys: Vec<(&'a str, Value)>,
}

/// A column of `threads` threads for a row of this name.
fn column<'a>(title: &'a str, name: &str, threads: u64, more: &[(&'a str, Value)]) -> Column<'a> {
    let mut keys = vec![("name", json!(name)), ("threads", json!(threads))];
    keys.extend_from_slice(more);
    Column { title, keys }
}

/// A line: what stands before its numbers, and the keys that its rows have in common.
type Line<'a> = (String, Vec<(&'a str, Value)>);

/// A table of medians with `digits` digits after the point. `head` has the titles of what stands before the numbers.
fn table(
    results: &[Value],
    head: &str,
    columns: &[Column<'_>],
    lines: &[Line<'_>],
    unit: &str,
    digits: usize,
) -> Result<String, String> {
    let before = head.matches('|').count() - 1;
    let mut text = head.to_owned();
    for column in columns {
        write!(text, " {} |", column.title).expect("to a string");
    }
    writeln!(text, "\n|{}{}", "---|".repeat(before), "---:|".repeat(columns.len())).expect("to a string");
    let mut count = 0;
    for (label, keys) in lines {
        let rows = columns.iter().map(|column| {
            let wanted = || column.keys.iter().chain(keys);
            results.iter().find(|row| wanted().all(|(key, value)| row[key] == *value))
        });
        let rows: Vec<Option<&Value>> = rows.collect();
        if rows.iter().all(Option::is_none) {
            continue;
        }
        count += 1;
        text += label;
        for (column, row) in columns.iter().zip(rows) {
            let missing = || format!("no row for {label} {}", column.title);
            let row = row.ok_or_else(missing)?;
            let digits = match row["unit"].as_str() {
                Some("bytes") => 0,
                Some(found) if found == unit => digits,
                found => return Err(format!("{label} {}: {unit} expected, not {found:?}", column.title)),
            };
            write!(text, " {:.digits$} |", row["median"].as_f64().ok_or_else(missing)?).expect("to a string");
        }
        text += "\n";
    }
    if count == 0 { Err(format!("no row for {head}")) } else { Ok(text) }
}

/// The backends of a measurement, the last and fastest first.
fn backends(measurement: &Value) -> Result<Vec<&str>, String> {
    let names = measurement["machine"]["backends"].as_array().map(|names| names.iter().rev());
    let names = names.and_then(|names| names.map(Value::as_str).collect::<Option<Vec<_>>>());
    names.ok_or_else(|| "it does not say its machine's backends".to_owned())
}

/// The tables of one measurement of a system.
pub(super) fn bench(system: &str, measurement: &Value) -> Result<String, String> {
    let results = measurement["results"].as_array().ok_or("it has no results")?;
    let backends = backends(measurement)?;
    match system {
        "ed25519" => ed25519(results, &backends),
        "xmss" => xmss(results, &backends),
        "rescue" => rescue(results, &backends),
        "ligerito" => ligerito(results, &backends),
        "aggregate" => super::aggregate::tables(measurement),
        _ => Err(format!("no tables are known for {system}")),
    }
}

/// A line per backend.
fn per_backend<'a>(backends: &[&str]) -> Vec<Line<'a>> {
    backends.iter().map(|name| (format!("| {name} |"), vec![("backend", json!(name))])).collect()
}

fn ed25519(results: &[Value], backends: &[&str]) -> Result<String, String> {
    let many = |title, operation: &str, n: u64| {
        column(title, &format!("ed25519/{operation}-per-signature"), 1, &[("n", json!(n))])
    };
    let columns = [
        column("sign", "ed25519/sign", 1, &[]),
        column("verify", "ed25519/verify", 1, &[]),
        many("sign 64", "sign-many", 64),
        many("verify 8", "verify-many", 8),
        many("verify 64", "verify-many", 64),
        many("verify 1024", "verify-many", 1024),
        many("batch 64", "verify-batch", 64),
        many("batch 1024", "verify-batch", 1024),
    ];
    let per_backend = table(results, "| us a signature |", &columns, &per_backend(backends), "us", 2)?;

    let fastest = backends.first().ok_or("it has no backends")?;
    let of = |title, name: &str| column(title, &format!("ed25519/{name}"), 1, &[("backend", json!(fastest))]);
    let columns = [
        of("sign", "sign-many-per-signature"),
        of("verify", "verify-many-per-signature"),
        of("batch", "verify-batch-per-signature"),
        of("sign 1 KiB", "sign-many-per-signature-1kib"),
        of("verify 1 KiB", "verify-many-per-signature-1kib"),
        of("batch 1 KiB", "verify-batch-per-signature-1kib"),
    ];
    let sizes = (0..=12).map(|log2| 1u64 << log2);
    let lines: Vec<_> = sizes.map(|n| (format!("| {n} |"), vec![("n", json!(n))])).collect();
    let head = format!("| signatures in a call, {fastest}, us each |");
    Ok(format!("{per_backend}\n{}", table(results, &head, &columns, &lines, "us", 2)?))
}

/// The parameter sets of XMSS that are shown: the newest of both generations.
const SETS: [&str; 2] = ["xmss-poseidon2-l32-d64b8", "xmss-poseidon1-l32-d46b8"];

fn xmss(results: &[Value], backends: &[&str]) -> Result<String, String> {
    let columns = [
        column("key generation, an epoch", "xmss/keygen-per-leaf", 1, &[]),
        column("sign", "xmss/sign", 1, &[]),
        column("verify", "xmss/verify", 1, &[]),
        column("verify many, each", "xmss/verify-many-per-signature", 1, &[]),
    ];
    let mut lines = Vec::new();
    for set in SETS {
        for backend in backends {
            let keys = vec![("scheme", json!(set)), ("backend", json!(backend))];
            lines.push((format!("| `{set}` | {backend} |"), keys));
        }
    }
    let sets = table(results, "| parameter set, us | backend |", &columns, &lines, "us", 1)?;

    let names = ["poseidon2-16", "poseidon2-24", "poseidon1-16", "poseidon1-24", "keccak-f1600"];
    let columns = names.map(|name| column(name, &format!("{name}/permute"), 1, &[]));
    let kernels = table(results, "| permutation, ns |", &columns, &per_backend(backends), "ns", 1)?;

    let key = [column("1024 active epochs of 2^32, two threads", "xmss/keygen-2^32-1024-active", 2, &[])];
    let of = |set: &&str| (format!("| `{set}` |"), vec![("scheme", json!(set))]);
    let keys = table(results, "| a key, s |", &key, &SETS.iter().map(of).collect::<Vec<_>>(), "s", 2)?;
    Ok(format!("{sets}\n{keys}\n{kernels}"))
}

fn rescue(results: &[Value], backends: &[&str]) -> Result<String, String> {
    let of = |title, name: &str| column(title, &format!("rescue-rp64-256/{name}"), 1, &[]);
    let columns = [
        of("permutation", "permute"),
        of("of 1024", "permute-many"),
        of("hash of 8", "hash-8"),
        of("of 1024", "hash-many-8"),
        of("hash of 128", "hash-128"),
        of("of 1024", "hash-many-128"),
        of("Merkle tree, a leaf", "merkle-per-leaf"),
    ];
    table(results, "| `rescue-rp64-256`, ns each |", &columns, &per_backend(backends), "ns", 0)
}

fn ligerito(results: &[Value], backends: &[&str]) -> Result<String, String> {
    let whole = [
        column("commit and open", "ligerito/prove", 1, &[]),
        column("on two threads", "ligerito/prove", 2, &[]),
        column("verify", "ligerito/verify", 1, &[]),
    ];
    let commitment = [column("commit alone", "ligerito/commit", 1, &[])];
    let proof = [column("proof", "ligerito/proof-bytes", 1, &[])];
    let suites = [
        ("ligerito-v1-provable100", Some("balanced")),
        ("ligerito-v1-provable100", Some("compact")),
        ("ligerito-v1-provable128", Some("balanced")),
        ("ligerito-ref-v08", None),
    ];
    let (mut lines, mut proofs) = (Vec::new(), Vec::new());
    for (suite, preset) in suites {
        for log2 in [16, 20, 24] {
            let label = format!("| `{suite}`, {} | 2^{log2} |", preset.unwrap_or("-"));
            let keys = [("scheme", json!(suite)), ("n", json!(1u64 << log2)), ("profile", json!(preset))];
            for backend in backends {
                let keys = [keys.to_vec(), vec![("backend", json!(backend))]].concat();
                lines.push((format!("{label} {backend} |"), keys));
            }
            proofs.push((label, keys.to_vec()));
        }
    }
    let head = "| suite, ms | size | backend |";
    let times = table(results, head, &whole, &lines, "ms", 2)?;
    let commits = table(results, head, &commitment, &lines, "ms", 2)?;
    let proofs = table(results, "| suite, bytes | size |", &proof, &proofs, "bytes", 0)?;
    Ok(format!("{times}\n{commits}\n{proofs}"))
}

/// The table of the rows of `compare`.
pub(super) fn comparison(rows: &[Value]) -> Result<String, String> {
    let mut text =
        String::from("| operation | n | phalanx | | peer | | ratio |\n|---|---:|---|---:|---|---:|---:|\n");
    for row in rows {
        let row = Compared::of(row)?;
        let n = match row.n {
            None => "-".to_owned(),
            Some(n) if n >= 1 << 16 && n.is_power_of_two() => format!("2^{}", n.ilog2()),
            Some(n) => n.to_string(),
        };
        let (ours, theirs) = (row.amount(row.ours)?, row.amount(row.peer_value)?);
        let Compared { operation, kernel, peer, ratio, .. } = &row;
        let ratio = if *ratio < 1.0 { format!("**{ratio:.2}**") } else { format!("{ratio:.2}") };
        writeln!(text, "| `{operation}` | {n} | {kernel} | {ours} | {peer} | {theirs} | {ratio} |")
            .expect("to a string");
    }
    Ok(text)
}

/// A row of `compare`.
struct Compared<'a> {
    operation: &'a str,
    n: Option<u64>,
    backend: &'a str,
    profile: Option<&'a str>,
    /// Backend, profile and number of threads of ours.
    kernel: String,
    peer: String,
    ours: f64,
    peer_value: f64,
    ratio: f64,
    unit: &'a str,
    threads: u64,
}

impl<'a> Compared<'a> {
    fn of(row: &'a Value) -> Result<Self, String> {
        let word = |key: &str| row[key].as_str().ok_or_else(|| format!("no {key} in {row}"));
        let number = |key: &str| row[key].as_f64().ok_or_else(|| format!("no {key} in {row}"));
        let (backend, profile) = (word("backend")?, row["profile"].as_str());
        let threads = row["threads"].as_u64().unwrap_or(1);
        let mut kernel = backend.to_owned();
        if let Some(profile) = profile {
            write!(kernel, ", {profile}").expect("to a string");
        }
        if threads != 1 {
            write!(kernel, ", {threads} threads").expect("to a string");
        }
        Ok(Self {
            operation: word("operation")?,
            n: row["n"].as_u64(),
            backend,
            profile,
            kernel,
            peer: format!("{} {}", word("peer")?, word("peer_version")?),
            ours: number("ours")?,
            peer_value: number("peer_value")?,
            ratio: number("ratio")?,
            unit: word("unit")?,
            threads,
        })
    }

    /// One of the row's amounts with a unit that suits it.
    fn amount(&self, value: f64) -> Result<String, String> {
        Ok(match self.unit {
            "bytes" => format!("{value:.0} bytes"),
            "ns" if value < 1e3 => format!("{value:.1} ns"),
            "ns" if value < 1e6 => format!("{:.2} us", value / 1e3),
            "ns" => format!("{:.2} ms", value / 1e6),
            other => return Err(format!("{}: unknown unit {other}", self.operation)),
        })
    }
}

/// A row of the README: its system, what the README calls it, the operation, its number of elements and its profile.
type Shown = (&'static str, &'static str, &'static str, Option<u64>, Option<&'static str>);

const SPEED: [Shown; 4] = [
    ("ed25519", "Ed25519: verify 64 signatures, each", "ed25519/verify-many-per-signature", Some(64), None),
    ("xmss", "XMSS: its hash, Poseidon2 of width 16", "poseidon2-16/permute", None, None),
    ("rescue", "Rescue: hash 64 inputs of 8 elements, each", "rescue-rp64-256/hash-many-8", Some(64), None),
    ("ligerito", "Ligerito: commit to 2^20 and open", "ligerito/prove", Some(1 << 20), Some("balanced")),
];

/// A table of the README: of each operation the row with our fastest backend and the fastest peer, and where that system
/// is slower than a peer; `only` of one backend, if that is said.
pub(super) fn speed(runs: &[&Run], only: Option<&str>) -> Result<String, String> {
    let mut text = String::from(
        "| one thread | phalanx | | fastest peer | | ratio | slower than a peer |\n|---|---|---:|---|---:|---:|---|\n",
    );
    for (system, title, operation, n, profile) in SPEED {
        let mut rows = Vec::new();
        for run in runs.iter().filter(|run| run.system == system) {
            if let Contents::Comparison(found) = &run.contents {
                for row in found.iter().filter(|row| only.is_none_or(|only| row["backend"] == only)) {
                    rows.push(Compared::of(row).map_err(|problem| format!("{}: {problem}", run.file))?);
                }
            }
        }
        let is_it = |row: &&Compared<'_>| {
            let same = row.operation == operation && row.n == n && row.threads == 1;
            same && profile.is_none_or(|profile| row.profile == Some(profile))
        };
        let backend = least(rows.iter().filter(is_it), |row| row.ours).map(|row| row.backend);
        let of_backend = rows.iter().filter(|row| is_it(row) && Some(row.backend) == backend);
        let best = least(of_backend, |row| row.peer_value).ok_or_else(|| format!("no row of {operation}"))?;
        let (ours, theirs) = (best.amount(best.ours)?, best.amount(best.peer_value)?);
        let Compared { kernel, ratio, .. } = best;
        // The name, its version, and how it was built: the rest stands in BENCHMARKS.md.
        let peer = best.peer.split_once(',').map_or(&*best.peer, |(name, _)| name);
        let (native, avx2) = (best.peer.contains("native"), best.peer.contains("AVX2 at compile time"));
        let built = match best.peer.contains("at compile time") {
            true if avx2 => ", built for AVX2",
            true => ", native build",
            false if native => ", native build",
            false => "",
        };
        let losses = losses(&rows);
        writeln!(text, "| {title} | {kernel} | {ours} | {peer}{built} | {theirs} | {ratio:.2} | {losses} |")
            .expect("to a string");
    }
    Ok(text)
}

/// The row with the least value.
fn least<'a, 'b: 'a>(
    rows: impl Iterator<Item = &'a Compared<'b>>,
    value: impl Fn(&Compared<'_>) -> f64,
) -> Option<&'a Compared<'b>> {
    rows.min_by(|a, b| value(a).total_cmp(&value(b)))
}

/// How many rows are below 1, and the worst of them.
fn losses(rows: &[Compared<'_>]) -> String {
    let below = rows.iter().filter(|row| row.ratio < 1.0).count();
    match rows.iter().min_by(|a, b| a.ratio.total_cmp(&b.ratio)) {
        Some(worst) if below > 0 => {
            let Compared { operation, backend, ratio, .. } = worst;
            format!("in {below} of {} rows, down to {ratio:.2}: `{operation}`, {backend}", rows.len())
        }
        Some(worst) => {
            format!("in none of {} rows, least {:.2}: `{}`", rows.len(), worst.ratio, worst.operation)
        }
        None => "-".to_owned(),
    }
}

/// The heading of a machine, with what a measurement says about it.
pub(super) fn machine(name: &str, facts: Option<&Value>) -> String {
    let known = facts.and_then(|facts| {
        let (cpu, os, arch) = (facts["cpu"].as_str()?, facts["os"].as_str()?, facts["arch"].as_str()?);
        let backends = facts["backends"].as_array()?.iter().filter_map(Value::as_str).collect::<Vec<_>>();
        Some(format!("{cpu}, {} cores, {os} on {arch}; backends {}.\n", facts["cores"], backends.join(", ")))
    });
    format!("\n## {name}\n\n{}", known.unwrap_or_else(|| "Comparisons only.\n".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, backend: &str, n: u64, unit: &str, median: f64) -> Value {
        json!({ "name": name, "backend": backend, "n": n, "threads": 1, "unit": unit, "median": median })
    }

    #[test]
    fn a_line_lacks_all_its_numbers_or_none() {
        let columns = [column("a", "x/a", 1, &[]), column("b", "x/b", 1, &[("n", json!(8))])];
        let lines = per_backend(&["avx2", "portable", "absent"]);
        let mut rows: Vec<_> = [("avx2", 1.25), ("portable", 2.0)]
            .into_iter()
            .flat_map(|(backend, time)| {
                [row("x/a", backend, 1, "us", time), row("x/b", backend, 8, "us", time)]
            })
            .collect();
        let made = table(&rows, "| us |", &columns, &lines, "us", 1).expect("it is complete");
        assert_eq!(made, "| us | a | b |\n|---|---:|---:|\n| avx2 | 1.2 | 1.2 |\n| portable | 2.0 | 2.0 |\n");
        assert!(table(&rows, "| us |", &columns, &lines, "ns", 1).is_err(), "another unit");
        assert!(table(&rows, "| us |", &columns, &[], "us", 1).is_err(), "no line");
        let _ = rows.pop();
        assert!(table(&rows, "| us |", &columns, &lines, "us", 1).is_err(), "a number is missing");
    }

    #[test]
    fn losses_stand_among_the_wins() {
        let mut rows = vec![
            json!({
                "operation": "ligerito/prove", "n": 1u64 << 20, "profile": "balanced", "backend": "avx2", "threads": 2,
                "ours": 5e6, "peer": "ligerito", "peer_version": "0.8.0", "peer_value": 1e8, "ratio": 20.0, "unit": "ns",
            }),
            json!({
                "operation": "keccak-f1600/permute", "backend": "portable", "ours": 500.0, "peer": "keccak",
                "peer_version": "0.2.2", "peer_value": 250.0, "ratio": 0.5, "unit": "ns",
            }),
        ];
        let made = comparison(&rows).expect("it is complete");
        let lines: Vec<_> = made.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "| `ligerito/prove` | 2^20 | avx2, balanced, 2 threads | 5.00 ms | ligerito 0.8.0 | 100.00 ms | 20.00 |",
                "| `keccak-f1600/permute` | - | portable | 500.0 ns | keccak 0.2.2 | 250.0 ns | **0.50** |",
            ]
        );
        let both: Vec<_> = rows.iter().map(|row| Compared::of(row).expect("it is complete")).collect();
        assert_eq!(losses(&both), "in 1 of 2 rows, down to 0.50: `keccak-f1600/permute`, portable");
        assert_eq!(losses(&both[..1]), "in none of 1 rows, least 20.00: `ligerito/prove`");
        rows[1]["unit"] = json!("years");
        assert!(comparison(&rows).is_err());
        rows[1]["ratio"] = Value::Null;
        assert!(comparison(&rows).is_err());
    }
}
