//! The limits that a signer has to keep on a local disk.
//!
//! | measure | limit |
//! |---|---|
//! | 99th percentile of one signature at a time, both flushes included | 25 ms |
//! | 64 keys asked at the same moment, until the last has its signature | 250 ms |
//! | borders of windows, an epoch after the other: the slowest signature | 2 x the median, and none missed |

use phalanx_custody::keystore::Role;
use phalanx_custody::remote::Client;
use phalanx_signerload::load::{self, Asked, Plan, Seen, Target};
use phalanx_signerload::outcome::{Outcome, milliseconds};
use phalanx_signerload::rig::{Rig, Wanted, plain_client};
use phalanx_xmss::{ParameterSet, any};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Holds a signer against its limits
#[derive(clap::Args)]
#[command(after_help = "\
Takes about two minutes. On a machine that does nothing else, with a program built for release:

  cargo build --release -p phalanx-cli -p phalanx-signerload
  target/release/phalanx-signerload limits --program target/release/phalanx --folder /var/lib/phalanx-load")]
pub(crate) struct Args {
    /// The command line, built
    #[arg(long, value_name = "F")]
    program: PathBuf,
    /// A folder on the disk that is to be measured: made, and taken away afterwards
    #[arg(long, value_name = "DIR")]
    folder: PathBuf,
    /// A tenth of the requests: whether it works, not how fast
    #[arg(long)]
    quick: bool,
}

/// What was measured.
struct Measure {
    name: &'static str,
    measured: f64,
    limit: f64,
    unit: &'static str,
    /// What else there is to say.
    note: String,
    /// Whether answers were sound and complete.
    complete: bool,
}

impl Measure {
    fn passed(&self) -> bool {
        self.complete && self.measured <= self.limit
    }
}

/// Keys at the same moment.
const SLOT_KEYS: usize = 64;

/// Epochs of a tree of the set whose borders are crossed.
const TREE: u32 = 16;

/// Runs all; `true` if every limit is kept.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    let program =
        fs::canonicalize(&args.program).map_err(|error| format!("{}: {error}", args.program.display()))?;
    if args.folder.exists() {
        return Err(format!("'{}' exists: name a folder that can be taken away", args.folder.display()));
    }
    let measures = measure(&program, &args.folder, args.quick);
    // Whatever came of it: the keys are of no use to anybody.
    fs::remove_dir_all(&args.folder).map_err(|error| error.to_string())?;
    let measures = measures?;
    for measure in &measures {
        let Measure { name, measured, limit, unit, note, .. } = measure;
        let passed = if measure.passed() { "pass" } else { "FAIL" };
        println!("{passed}  {name}: {measured:.2} {unit}, limit {limit} {unit} ({note})");
    }
    Ok(measures.iter().all(Measure::passed))
}

fn measure(program: &Path, folder: &Path, quick: bool) -> Result<Vec<Measure>, String> {
    println!("making {SLOT_KEYS} keys");
    let many = |set, epochs: Range<u64>, count| {
        let set = any::ParameterSet::KoalaBear(set);
        vec![Wanted { set, epochs, role: Role::Attester }; count]
    };
    let rig = Rig::make(&folder.join("many"), &many(ParameterSet::POSEIDON2_L18_D64B8, 0..1024, SLOT_KEYS))?;
    let (signer, url) = rig.serve(program)?;
    let targets: Vec<_> = rig.keys().iter().map(|key| Target { key: *key, epochs: 0..1024 }).collect();
    let single = single(&url, &targets, quick)?;
    let slot = slot(&url, &targets, quick)?;
    signer.stop().map_err(|error| error.to_string())?;

    let rig = Rig::make(&folder.join("one"), &many(ParameterSet::POSEIDON2_L8_D64B8, 0..256, 1))?;
    let (signer, url) = rig.serve(program)?;
    let key = rig.keys()[0];
    let borders = borders(&clients(&url, 1)?[0], &Target { key, epochs: 0..256 }, quick);
    signer.stop().map_err(|error| error.to_string())?;
    Ok(vec![single, slot, borders])
}

/// One signature at a time, 20 a second, each key in its turn.
fn single(url: &str, targets: &[Target], quick: bool) -> Result<Measure, String> {
    let clients = clients(url, 4)?;
    let plan = Plan { requests: if quick { 100 } else { 1000 }, rate: Some(20.0), conflicts: 0, repeats: 0 };
    let asked = load::requests(plan, targets);
    let mut outcome = Outcome::default();
    outcome.add(&clients[0], targets, &load::run(plan, targets, &asked, &clients));
    let of = |percent| milliseconds(outcome.percentile(percent));
    Ok(Measure {
        name: "one signature, p99",
        measured: of(99),
        limit: 25.0,
        unit: "ms",
        note: format!(
            "p50 {:.2}, p95 {:.2}, max {:.2}, {} signed",
            of(50),
            of(95),
            of(100),
            outcome.took.len()
        ),
        complete: outcome.is_sound() && outcome.count("signed") == asked.len() as u64,
    })
}

/// All keys at the same moment, slot after slot; the slowest slot counts.
fn slot(url: &str, targets: &[Target], quick: bool) -> Result<Measure, String> {
    let clients = clients(url, targets.len())?;
    let (mut outcome, mut slots) = (Outcome::default(), Vec::new());
    // Beyond the epochs that were used before.
    for epoch in 600..if quick { 604 } else { 640 } {
        let asked: Vec<_> = (0..targets.len()).map(|target| Asked { target, epoch, variant: 0 }).collect();
        let (seen, took) = load::at_once(targets, &asked, &clients);
        outcome.add(&clients[0], targets, &seen);
        // The first opens the connections.
        slots.push(took);
        std::thread::sleep(Duration::from_millis(100));
    }
    let wanted = (slots.len() * targets.len()) as u64;
    let first = slots.remove(0);
    let worst = slots.iter().copied().max().unwrap_or_default();
    slots.sort_unstable();
    let median = slots.get(slots.len() / 2).copied().unwrap_or_default();
    Ok(Measure {
        name: "64 keys in one slot, the slowest of all slots",
        measured: milliseconds(worst),
        limit: 250.0,
        unit: "ms",
        note: format!("median {:.2}, with new connections {:.2}", milliseconds(median), milliseconds(first)),
        complete: outcome.is_sound() && outcome.count("signed") == wanted,
    })
}

/// An epoch after the other across eight borders.
fn borders(client: &Client, target: &Target, quick: bool) -> Measure {
    let count = if quick { 3 } else { 8 };
    let targets = std::slice::from_ref(target);
    let asked: Vec<_> = (0..(count + 1) * TREE).map(|epoch| Asked { target: 0, epoch, variant: 0 }).collect();
    let plan = Plan { requests: asked.len() as u64, rate: Some(10.0), conflicts: 0, repeats: 0 };
    let seen = load::run(plan, targets, &asked, std::slice::from_ref(client));
    let mut outcome = Outcome::default();
    outcome.add(client, targets, &seen);
    let (median, slowest) = (outcome.percentile(50), outcome.percentile(100));
    let at_borders = |seen: &&Seen| seen.asked.epoch >= TREE - 1 && matches!(seen.asked.epoch % TREE, 0 | 15);
    let there = seen.iter().filter(at_borders).map(|seen| seen.took).max().unwrap_or_default();
    Measure {
        name: "borders of windows, the slowest signature",
        measured: slowest.as_secs_f64() / median.as_secs_f64().max(f64::EPSILON),
        limit: 2.0,
        unit: "x the median",
        note: format!(
            "{count} borders, median {:.2} ms, slowest {:.2}, slowest beside a border {:.2}, {} of {} signed",
            milliseconds(median),
            milliseconds(slowest),
            milliseconds(there),
            outcome.count("signed"),
            asked.len()
        ),
        complete: outcome.is_sound() && outcome.count("signed") == asked.len() as u64,
    }
}

fn clients(url: &str, count: usize) -> Result<Vec<Client>, String> {
    (0..count).map(|_| plain_client(url).map_err(|error| error.to_string())).collect()
}
