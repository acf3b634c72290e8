//! phalanx beside the published peers: one process, interleaved samples, medians, the same work, one thread.
//!
//! `cargo run --release -p compare -- ed25519 --json rows.json`. Peers that choose their instructions when compiled are at their
//! best with `RUSTFLAGS="-C target-cpu=native"`; the rows say how they were built. Ours chooses at run time either way.
#![allow(clippy::print_stdout, reason = "a command line tool speaks on standard output")]

mod ed25519;
mod rescue;
mod sample;
mod xmss;

use clap::Parser;
use sample::Row;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs the published peers beside phalanx and prints the ratio: above 1, phalanx is faster.
#[derive(Parser)]
#[command(version, after_help = "Example: cargo run --release -p compare -- xmss --json rows.json")]
struct Args {
    /// The system to compare (default: all).
    #[arg(value_parser = ["xmss", "ed25519", "rescue"])]
    system: Option<String>,
    /// Also write the rows as JSON to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Samples a side.
    #[arg(long, default_value_t = 101)]
    samples: usize,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let (system, samples) = (args.system.as_deref(), args.samples.max(1));
    let mut rows = Vec::new();
    if matches!(system, None | Some("xmss")) {
        rows.extend(xmss::rows(samples));
    }
    if matches!(system, None | Some("ed25519")) {
        rows.extend(ed25519::rows(samples));
    }
    if matches!(system, None | Some("rescue")) {
        rows.extend(rescue::rows(samples));
    }
    println!(
        "{:<36} {:<8} {:>5} {:<13} {:>10} {:>10} {:>7}  peer",
        "operation (ns each)", "backend", "n", "profile", "ours", "peer", "ratio"
    );
    for Row { operation, ours, peer, peer_version, peer_value, n, profile, backend } in &rows {
        let (n, profile) = (n.map_or("-".to_owned(), |n| n.to_string()), profile.unwrap_or("-"));
        println!(
            "{operation:<36} {:<8} {n:>5} {profile:<13} {ours:>10.1} {peer_value:>10.1} {:>7.2}  {peer} {peer_version}",
            backend.name(),
            peer_value / ours
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
