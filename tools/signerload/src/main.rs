//! `phalanx-signerload`: load for a signer, and whether it keeps its limits.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout)]

mod limits;

use clap::Parser;
use phalanx_custody::remote::{Client, Endpoint, Identity, Options, Roots, Token};
use phalanx_signerload::load::{self, Plan, Target};
use phalanx_signerload::outcome::{Outcome, milliseconds};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Loads a signer; exit code 1 if an epoch was signed twice, a signature does not verify, or a limit is not kept
#[derive(Parser)]
#[command(version)]
enum Cli {
    /// Loads a signer that is there, with the keys that it lists
    Run(Run),
    /// Starts signers of its own and holds them against the limits: latency, many keys in one slot, borders of windows
    Limits(limits::Args),
}

#[derive(clap::Args)]
#[command(after_help = "\
It uses up epochs of the keys: from the first that nobody has asked for.

Example: phalanx-signerload run --url http://127.0.0.1:9000 --clients 32 --requests 10000 --rate 200 --conflicts 5")]
struct Run {
    /// The signer
    #[arg(long, value_name = "URL")]
    url: String,
    /// Authorities that vouch for it, in PEM
    #[arg(long, value_name = "F")]
    ca: Option<PathBuf>,
    /// The clients' certificate, in PEM
    #[arg(long, value_name = "F", requires = "client_key")]
    client_cert: Option<PathBuf>,
    /// Its key, in PEM
    #[arg(long, value_name = "F", requires = "client_cert")]
    client_key: Option<PathBuf>,
    /// File with a bearer token
    #[arg(long, value_name = "F")]
    token_file: Option<PathBuf>,
    /// Clients, each with a connection of its own
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1024))]
    clients: u16,
    /// Keys to use, of those that the signer lists [default: all]
    #[arg(long, value_name = "N")]
    keys: Option<usize>,
    /// Requests in all; every answer is kept until the end
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    requests: u64,
    /// Requests a second [default: as fast as answers come]
    #[arg(long, value_name = "R")]
    rate: Option<f64>,
    /// Percent of requests for another message at an epoch that was asked for before
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=50))]
    conflicts: u64,
    /// Percent of requests for the same message once more
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=50))]
    repeats: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let result = match Cli::parse() {
        Cli::Run(args) => run(&args),
        Cli::Limits(args) => limits::run(&args),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("phalanx-signerload: error: {problem}");
            ExitCode::from(4)
        }
    }
}

impl Run {
    fn client(&self) -> Result<Client, String> {
        let read = |path: &PathBuf| fs::read(path).map_err(|error| format!("'{}': {error}", path.display()));
        let mut options = Options::new(Endpoint::parse(&self.url).map_err(|error| error.to_string())?);
        if let Some(ca) = &self.ca {
            options.roots = Roots::Pem(read(ca)?);
        }
        if let (Some(chain), Some(key)) = (&self.client_cert, &self.client_key) {
            options.identity = Some(Identity { chain: read(chain)?, key: read(key)?.into() });
        }
        if let Some(token) = &self.token_file {
            options.token = Some(Token::from_file_content(&read(token)?).map_err(|error| error.to_string())?);
        }
        Client::new(options).map_err(|error| error.to_string())
    }
}

/// The keys that a signer lists, with their epochs that nobody has asked for.
fn targets(client: &Client) -> Result<Vec<Target>, String> {
    let keys = client.keys().map_err(|error| error.to_string())?;
    let target = |key: &phalanx_custody::remote::KeyStanding| {
        let epochs = key.epochs.clone()?;
        let first = key
            .highest
            .map_or(0, |highest| highest + 1)
            .max(key.low_watermark.unwrap_or(0))
            .max(epochs.start);
        let epochs = u32::try_from(first).ok()?..u32::try_from(epochs.end).unwrap_or(u32::MAX);
        Some(Target { key: key.verifying_key()?, epochs })
    };
    let targets: Vec<_> = keys.iter().filter(|key| key.state == "active").filter_map(target).collect();
    if targets.is_empty() { Err("the signer lists no active XMSS key".to_owned()) } else { Ok(targets) }
}

/// Loads a signer; `true` if it is sound.
fn run(args: &Run) -> Result<bool, String> {
    let clients = (0..args.clients).map(|_| args.client()).collect::<Result<Vec<_>, _>>()?;
    let mut targets = targets(&clients[0])?;
    targets.truncate(args.keys.unwrap_or(usize::MAX).max(1));
    let plan =
        Plan { requests: args.requests, rate: args.rate, conflicts: args.conflicts, repeats: args.repeats };
    let asked = load::requests(plan, &targets);
    let begun = Instant::now();
    let seen = load::run(plan, &targets, &asked, &clients);
    let took = begun.elapsed();
    let mut outcome = Outcome::default();
    outcome.add(&clients[0], &targets, &seen);
    let per_second = seen.len() as f64 / took.as_secs_f64();
    let of = |percent| milliseconds(outcome.percentile(percent));
    if args.json {
        let object = serde_json::json!({
            "requests": seen.len(), "keys": targets.len(), "clients": args.clients, "per_second": per_second,
            "latency_ms": { "p50": of(50), "p95": of(95), "p99": of(99), "max": of(100) },
            "answers": outcome.codes, "does_not_verify": outcome.bad, "signed_twice": outcome.double,
        });
        println!("{object:#}");
    } else {
        println!(
            "{} requests, {} keys, {} clients: {per_second:.1} a second",
            seen.len(),
            targets.len(),
            args.clients
        );
        println!(
            "latency of signatures: p50 {:.2} ms, p95 {:.2}, p99 {:.2}, max {:.2}",
            of(50),
            of(95),
            of(99),
            of(100)
        );
        for (code, count) in &outcome.codes {
            println!("{code}: {count}");
        }
        println!("signatures that do not verify: {}; epochs signed twice: {}", outcome.bad, outcome.double);
    }
    Ok(outcome.is_sound())
}
