//! `phalanx bench` writes what the contract says: names, fields, files.

use crate::support::Folder;
use serde_json::Value;

/// The results of `phalanx bench` with these arguments.
fn bench(folder: &Folder, args: &str) -> Value {
    let mut command = folder.command(&format!("bench --quick --json - {args}"));
    command.env("PHALANX_COMMIT", "c0ffee").env("PHALANX_THREADS", "2");
    let output = command.output().expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object and nothing else")
}

/// The arguments for the fastest backend alone: that others are measured too is seen with kernels.
fn fastest(folder: &Folder) -> String {
    let cpu = folder.good("cpu --json").json();
    format!("--backend {}", cpu["chosen"].as_str().expect("a name"))
}

#[test]
fn kernels_are_measured_into_json_and_a_page() {
    let folder = Folder::new();
    let results = bench(&folder, "kernels --backend portable --report report.html");
    assert_eq!(results["commit"], "c0ffee");
    assert!(results["machine"]["cores"].as_u64().is_some_and(|cores| cores > 0));
    let rows = results["results"].as_array().expect("results");
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().expect("a name")).collect();
    let wanted = ["poseidon2-16", "poseidon2-24", "poseidon1-16", "poseidon1-24", "keccak-f1600"];
    let mut wanted: Vec<_> = wanted.map(|name| format!("{name}/permute")).into();
    wanted.push("blake2s/compress".to_owned());
    assert_eq!(names, wanted);
    for row in rows {
        let operation = row["name"].as_str().and_then(|name| name.split('/').nth(1)).expect("a name");
        assert_eq!(
            (&row["operation"], &row["backend"], &row["unit"]),
            (&operation.into(), &"portable".into(), &"ns".into())
        );
        let time = |key: &str| row[key].as_f64().expect("a time");
        assert!(0.0 < time("min") && time("min") <= time("median") && time("median") <= time("max"), "{row}");
        assert!(
            row["samples"].as_u64() >= Some(3) && row["n"].as_u64() > Some(0) && row["threads"] == 1,
            "{row}"
        );
    }
    let page = String::from_utf8(folder.read("report.html")).expect("the page");
    assert!(page.contains("<svg") && page.contains("poseidon2-16/permute"));
    assert!(!page.contains("http") && !page.contains("<script"), "the page loads nothing");
    assert!(
        page.contains("<code>phalanx bench --quick --json - kernels --backend portable --report"),
        "how to do it again"
    );
}

#[test]
fn a_report_has_curves_over_sizes_and_ratios_to_peers() {
    let folder = Folder::new();
    let peers = r#"[{"operation": "ed25519/<sign>", "backend": "x\"/><script>", "threads": 1, "n": 1, "ours": 2.0, "unit": "ns",
        "peer": "a", "peer_value": 1.0, "peer_version": "1, plain build", "ratio": 0.5}]"#;
    folder.write("peers.json", peers.as_bytes());
    let chosen = fastest(&folder);
    bench(&folder, &format!("ed25519 {chosen} --report report.html --peers peers.json"));
    let page = String::from_utf8(folder.read("report.html")).expect("the page");
    assert!(
        page.contains("class=\"curve\"") && page.contains("<h2>Ed25519</h2>"),
        "throughput over the size of a batch"
    );
    assert!(page.contains("ed25519/&lt;sign&gt;") && page.contains("var(--loss)"), "a loss is shown as one");
    assert!(!page.contains("<script") && !page.contains("/>\""), "text of a file stays text");

    folder.write("peers.json", b"[{}]");
    let refused = folder.bad("bench kernels --report r.html --peers peers.json", 2);
    assert!(refused.stderr.contains("peers.json: not what the comparison writes"), "{}", refused.stderr);
}

#[test]
fn rescue_is_measured() {
    let folder = Folder::new();
    let results = bench(&folder, "rescue --backend portable");
    let rows = results["results"].as_array().expect("results");
    for operation in
        ["permute", "permute-many", "hash-8", "hash-many-8", "hash-128", "hash-many-128", "merkle-per-leaf"]
    {
        let name = format!("rescue-rp64-256/{operation}");
        let mine: Vec<&Value> = rows.iter().filter(|row| row["name"] == name.as_str()).collect();
        assert!(mine.iter().any(|row| row["backend"] == "portable"), "{name}");
        assert!(mine.iter().all(|row| row["median"].as_f64().is_some_and(|time| time > 0.0)), "{name}");
    }
}

#[test]
fn ed25519_is_measured_over_n() {
    let folder = Folder::new();
    let results = bench(&folder, &format!("ed25519 {}", fastest(&folder)));
    let rows = results["results"].as_array().expect("results");
    let backends = results["machine"]["backends"].as_array().expect("backends");
    let has = |name: &str, backend: &Value, threads: u64, n: u64, length: u64| {
        rows.iter().any(|row| {
            row["name"] == name
                && row["backend"] == *backend
                && row["threads"] == threads
                && row["n"] == n
                && row["message_bytes"] == length
                && row["unit"] == "us"
                && row["median"].as_f64().is_some_and(|time| time > 0.0)
        })
    };
    for backend in backends {
        for (length, suffix) in [(32, ""), (1024, "-1kib")] {
            for name in ["sign", "verify", "verify-decoded"] {
                let name = format!("ed25519/{name}{suffix}");
                assert!(has(&name, backend, 1, 1, length), "{name} on {backend}");
            }
            for name in ["sign-many", "verify-many", "verify-batch"] {
                let name = format!("ed25519/{name}-per-signature{suffix}");
                assert!(has(&name, backend, 1, 64, length), "{name} on {backend}");
            }
        }
        for name in ["ed25519/verify-many-per-signature", "ed25519/verify-batch-per-signature"] {
            for (threads, n) in [(1, 1), (1, 8), (1, 64), (1, 1024), (2, 1024)] {
                assert!(
                    has(name, backend, threads, n, 32),
                    "{name} on {backend}, {threads} threads, n = {n}"
                );
            }
        }
    }
    let named: Vec<_> = rows.iter().filter(|row| row["name"] == "ed25519/verify").collect();
    assert_eq!(named.len(), backends.len(), "a name, a backend, threads and n are one row");
    assert!(named.iter().all(|row| row["profile"] == "strict"));
}

#[test]
fn every_backend_is_measured_unless_one_is_named() {
    let folder = Folder::new();
    let results = bench(&folder, "kernels");
    let available = folder.good("cpu --json").json();
    let available = available["backends"].as_array().expect("a list").iter();
    let names: Vec<&Value> =
        available.filter(|backend| backend["available"] == true).map(|backend| &backend["name"]).collect();
    let rows = results["results"].as_array().expect("results").iter();
    let measured: Vec<&Value> =
        rows.filter(|row| row["name"] == "poseidon2-16/permute").map(|row| &row["backend"]).collect();
    assert_eq!(measured, names);
    folder.bad("bench abacus", 2);
    folder.bad("bench --backend=abacus", 2);
}

#[test]
fn ligerito_is_measured_and_broken_down() {
    let folder = Folder::new();
    let results = bench(&folder, &format!("ligerito {}", fastest(&folder)));
    let rows = results["results"].as_array().expect("results");
    let find = |name: &str, scheme: &str, profile: Option<&str>, backend: &Value, threads: u64, n: u64| {
        let mut found = rows.iter().filter(|row| {
            row["name"] == name
                && row["scheme"] == scheme
                && row["profile"].as_str() == profile
                && row["backend"] == *backend
                && row["threads"] == threads
                && row["n"] == n
        });
        let row = found.next().unwrap_or_else(|| panic!("{name} of {scheme} on {backend}, n = {n}"));
        assert!(found.next().is_none(), "a name, a scheme, a profile, a backend, threads and n are one row");
        assert!(row["median"].as_f64().is_some_and(|value| value > 0.0), "{row}");
        row.clone()
    };
    let backends = results["machine"]["backends"].as_array().expect("backends");
    for n in [1 << 16, 1 << 20] {
        for (scheme, profile) in [
            ("ligerito-v1-provable100", Some("balanced")),
            ("ligerito-v1-provable100", Some("compact")),
            ("ligerito-v1-provable128", Some("balanced")),
            ("ligerito-ref-v08", None),
        ] {
            for backend in backends {
                for threads in [1, 2] {
                    assert_eq!(find("ligerito/prove", scheme, profile, backend, threads, n)["unit"], "ms");
                }
                find("ligerito/verify", scheme, profile, backend, 1, n);
            }
            let last = backends.last().expect("a backend");
            for threads in [1, 2] {
                find("ligerito/control", scheme, profile, last, threads, n);
            }
            let bytes = find("ligerito/proof-bytes", scheme, profile, last, 1, n);
            assert_eq!(bytes["unit"], "bytes");
            assert!(bytes["median"].as_f64().is_some_and(|bytes| (50e3..210e3).contains(&bytes)), "{bytes}");
        }
        for part in [
            "commit",
            "part-transform",
            "part-rows",
            "part-tree",
            "transform-per-butterfly",
            "hash-per-row",
            "tree-per-node",
        ] {
            for backend in backends {
                find(&format!("ligerito/{part}"), "ligerito-v1-provable100", Some("balanced"), backend, 1, n);
            }
        }
    }
}
