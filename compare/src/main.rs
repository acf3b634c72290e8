//! phalanx beside the published peers: one process, interleaved samples, medians, the same work, one thread.
//!
//! `cargo run --release -p compare -- xmss --json rows.json`. Peers that choose their instructions when compiled are at their
//! best with `RUSTFLAGS="-C target-cpu=native"`; the rows say how they were built. Ours chooses at run time either way.
#![allow(clippy::print_stdout, reason = "a command line tool speaks on standard output")]

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
    #[arg(value_parser = ["xmss"])]
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
    let rows = xmss::rows(args.samples.max(1));
    println!("backend: {}; peers built with {}", phalanx::Backend::current().name(), xmss::peer_build());
    println!("{:<22} {:>10} {:>10} {:>7}  peer", "operation (ns a lane)", "ours", "peer", "ratio");
    for Row { operation, ours, peer, peer_version, peer_value } in &rows {
        println!(
            "{operation:<22} {ours:>10.1} {peer_value:>10.1} {:>7.2}  {peer} {peer_version}",
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
