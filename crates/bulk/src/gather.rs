//! From the results of chunks to the report.

use crate::error::Error;
use crate::files::{Atomic, chunk_file, write};
use crate::html;
use crate::merkle::Tree;
use crate::plan::Plan;
use crate::report::{BadRow, Quarantined, Rates, Report};
use crate::result::ChunkResult;
use crate::verdict::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Bad rows that `report.json` lists; all are in `results.csv`.
const MAX_LISTED: usize = 10_000;

/// Verdicts of a quarantined chunk, piece by piece.
static UNREADABLE: [u8; 1 << 10] = [Verdict::Unreadable as u8; 1 << 10];

/// Chunks without a result, by their numbers, and why.
pub type Quarantine = BTreeMap<usize, String>;

/// Puts the results of all chunks in `folder` together, and writes the report there. It names those in `quarantine`, whose
/// rows count as malformed.
///
/// # Errors
/// [`Error::Usage`] if another result is missing, damaged or of another plan; [`Error::System`] if something cannot be
/// written.
pub fn report(
    plan: &Plan,
    folder: &Path,
    quarantine: &Quarantine,
    rates: Option<&Rates>,
) -> Result<Report, Error> {
    let digest = plan.digest();
    let mut report = Report::empty(plan);
    let mut tree = Tree::default();
    let mut verdicts = Atomic::create(folder.join("verdicts.bin"))?;
    let mut results = Atomic::create(folder.join("results.csv"))?;
    results.write(b"input,position,verdict,reason\n")?;
    for (index, chunk) in plan.chunks.iter().enumerate() {
        let file = chunk_file(folder, index);
        let no_result = || Error::usage(format_args!("'{}' is no result of this plan", file.display()));
        let result = if let Some(reason) = quarantine.get(&index) {
            report.quarantined.push(Quarantined::new(index, chunk, reason));
            let mut left = chunk.rows;
            while left > 0 {
                let own = UNREADABLE.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                tree.extend(&UNREADABLE[..own]);
                verdicts.write(&UNREADABLE[..own])?;
                left -= own as u64;
            }
            ChunkResult::of_quarantined(chunk, &format!("chunk {index} was not verified: {reason}"))
        } else {
            let bytes = fs::read(&file).map_err(|error| Error::read(&file, &error))?;
            ChunkResult::from_bytes(&digest, index, chunk.rows, &bytes).ok_or_else(no_result)?
        };
        tree.extend(&result.verdicts);
        verdicts.write(&result.verdicts)?;
        let input = report.inputs.get_mut(chunk.input).ok_or_else(no_result)?;
        for (scheme, totals) in result.schemes {
            report.schemes.entry(scheme).or_default().add(totals);
            report.totals.add(totals);
            input.totals.add(totals);
        }
        for bad in result.bad {
            let reason = quoted(&bad.reason);
            let line = format!("{},{},{},{reason}\n", quoted(&input.path), bad.position, bad.verdict);
            results.write(line.as_bytes())?;
            if report.bad.len() < MAX_LISTED {
                report.bad.push(BadRow { input: chunk.input, bad });
            } else {
                report.bad_unlisted += 1;
            }
        }
    }
    report.verdicts_root = tree.root().iter().map(|byte| format!("{byte:02x}")).collect();
    verdicts.finish()?;
    results.finish()?;
    write(&folder.join("report.json"), &report.to_json())?;
    if let Some(rates) = rates {
        write(&folder.join("rates.json"), &json(rates))?;
    }
    write(&folder.join("report.html"), html::page(&report, rates).as_bytes())?;
    Ok(report)
}

impl Report {
    /// What `report.json` holds.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        json(self)
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    let mut json = serde_json::to_vec_pretty(value).expect("numbers and text are JSON");
    json.push(b'\n');
    json
}

/// A value of a CSV file, in quotes where it needs them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
