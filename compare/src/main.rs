//! phalanx beside the published peers: one process, interleaved samples, medians, the same work, one thread.
//!
//! `cargo run --release -p compare -- ed25519 --json rows.json`. Peers that choose their instructions when compiled are at
//! their best when built for the CPU: `cargo xtask compare` builds in several ways, and the rows say how the peers were
//! built. Ours chooses at run time either way.
#![allow(clippy::print_stdout, reason = "a command line tool speaks on standard output")]

mod blake2s;
mod ed25519;
mod ligerito;
mod rescue;
mod sample;
mod xmss;

use clap::Parser;
use phalanx::Backend;
use sample::Row;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs the published peers beside phalanx and prints the ratio: above 1, phalanx is faster.
#[derive(Parser)]
#[command(version, after_help = "Example: cargo run --release -p compare -- xmss --json rows.json")]
struct Args {
    /// The system to compare (default: all).
    #[arg(value_parser = ["xmss", "ed25519", "rescue", "ligerito"])]
    system: Option<String>,
    /// Also write the rows as JSON to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Only these backends of ours, between commas (default: all that this CPU has).
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = backend)]
    backend: Vec<Backend>,
    /// Only polynomials of 2^this coefficients (ligerito).
    #[arg(long, value_name = "LOG2")]
    variables: Option<u8>,
    /// Samples a side.
    #[arg(long, default_value_t = 101)]
    samples: usize,
}

/// A backend that this CPU has.
fn backend(name: &str) -> Result<Backend, String> {
    let found = Backend::ALL.into_iter().find(|backend| backend.name() == name && backend.is_available());
    found.ok_or_else(|| format!("this CPU or this build has no {name}"))
}

/// A number of nanoseconds or bytes, short enough for a column.
fn short(value: f64) -> String {
    if value >= 1e7 { format!("{:.3}e6", value / 1e6) } else { format!("{value:.1}") }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let (system, samples) = (args.system.as_deref(), args.samples.max(1));
    let mut backends: Vec<_> = Backend::ALL.into_iter().filter(|backend| backend.is_available()).collect();
    backends.retain(|backend| args.backend.is_empty() || args.backend.contains(backend));
    let mut rows = Vec::new();
    for backend in &backends {
        let forced = backend.force(|| {
            if matches!(system, None | Some("xmss")) {
                rows.extend(xmss::rows(samples));
                rows.extend(blake2s::rows(samples));
            }
            if matches!(system, None | Some("ed25519")) {
                rows.extend(ed25519::rows(samples));
            }
        });
        forced.expect("it is available");
    }
    if matches!(system, None | Some("rescue")) {
        rows.extend(rescue::rows(samples, &backends));
    }
    if matches!(system, None | Some("ligerito")) {
        rows.extend(ligerito::rows(samples, &backends, args.variables));
    }
    println!(
        "{:<36} {:<11} {:>8} {:<13} {:>10} {:>10} {:>7}  peer",
        "operation (ns each, or bytes)", "backend", "n", "profile", "ours", "peer", "ratio"
    );
    for Row { operation, ours, peer, peer_version, peer_value, n, profile, backend, more } in &rows {
        let (n, profile) = (n.map_or("-".to_owned(), |n| n.to_string()), profile.unwrap_or("-"));
        println!(
            "{operation:<36} {:<11} {n:>8} {profile:<13} {:>10} {:>10} {:>7.2}  {peer} {peer_version}{}",
            backend.name(),
            short(*ours),
            short(*peer_value),
            peer_value / ours,
            if more.threads == 1 { String::new() } else { format!(", {} threads", more.threads) },
        );
    }
    if let Some(path) = args.json {
        let rows: Vec<_> = rows.iter().map(Row::to_json).collect();
        if let Err(error) = std::fs::write(&path, serde_json::Value::Array(rows).to_string() + "\n") {
            println!("compare: error: {}: {error}", path.display());
            return ExitCode::from(4);
        }
    }
    ExitCode::SUCCESS
}
