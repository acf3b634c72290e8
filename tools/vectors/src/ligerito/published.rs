//! Proofs of the published crate: `proofs.json`, `eval_proofs.json` and `tampered.json`.

use super::elements::{Generator, Large, plain, sha256, sha256_of_words};
use super::parts::Parts;
use super::replay_published::{Drawn, drawn, induced_basis};
use crate::files::VectorFile;
use crate::json::{Bytes, Hex, Object};
use crate::report::{Check, Recorder, case_name, ensure, same, text};
use phalanx::Threads;
use phalanx::ligerito::Gf128;
use phalanx::ligerito::hazmat::transcripts::Published;
use phalanx::ligerito::ref_v08::{self, CoefficientClaim, Config, ProofError, TranscriptKind};
use serde::Deserialize;
use serde_json::Value;

/// Polynomials up to 2^this are proved on every backend, longer ones on the fastest.
const MAX_EVERYWHERE: u8 = 16;

/// Longer polynomials than 2^this take too long for a test.
const MAX_MADE: u8 = 24;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProofCase {
    log_n: u8,
    file: Option<String>,
    poly: String,
    poly_sha256: Hex<32>,
    sha256_transcript: Summary,
    merlin_transcript: Option<Summary>,
    trace: Trace,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Summary {
    bincode_bytes: usize,
    bincode_sha256: Hex<32>,
    payload_bytes: usize,
    initial_root: Hex<32>,
    recursive_roots: Vec<Hex<32>>,
    initial_siblings: usize,
    final_siblings: usize,
    sumcheck_rounds: Vec<[Large; 3]>,
    yr_sha256: Hex<32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Trace {
    config_header_hex: Bytes,
    levels: Vec<LevelTrace>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelTrace {
    rho: Vec<Large>,
    queries: Vec<usize>,
    alpha: Option<Large>,
    s: Option<Large>,
    beta: Option<Large>,
    induced_basis_first4: Option<Vec<Large>>,
    induced_basis_sha256: Option<Hex<32>>,
    r#final: Option<bool>,
}

/// The polynomial that a case describes in words.
fn polynomial(description: &str, variables: u8) -> Result<Vec<u32>, String> {
    ensure(variables <= MAX_MADE, "longer than anything that is made here")?;
    let unknown = || format!("not a description of a polynomial: '{description}'");
    if let Some(seed) = description.strip_prefix("xorshift:") {
        let seed = u64::from_str_radix(seed, 16).map_err(|_| unknown())?;
        return Ok(Generator(seed).polynomial(variables));
    }
    let mut polynomial = vec![0; 1 << variables];
    if let Some(entries) = description.strip_prefix("sparse:") {
        for entry in entries.split(',') {
            let (index, value) = entry.split_once('=').ok_or_else(unknown)?;
            let index: usize = index.parse().map_err(|_| unknown())?;
            let place = polynomial.get_mut(index).ok_or_else(unknown)?;
            *place = u32::from_str_radix(value, 16).map_err(|_| unknown())?;
        }
    } else if description != "all-zero" {
        return Err(unknown());
    }
    Ok(polynomial)
}

/// Runs `proofs.json`.
pub(crate) fn run_proofs(recorder: &mut Recorder<'_>, file: &VectorFile, list: &[Value], pool: &Threads) {
    for (i, value) in list.iter().enumerate() {
        let name = case_name(i, value, "file");
        let Some(case) = recorder.read::<ProofCase>(&name, value) else { continue };
        let config = || {
            let configs = [Config::published(case.log_n), Config::autosized(case.log_n)];
            let mine = |config: &Config| config.to_bytes() == case.trace.config_header_hex.0;
            configs.into_iter().flatten().find(mine).ok_or_else(|| "no such configuration".to_owned())
        };
        let Some(config) = recorder.prepare(format_args!("{name}: config_header_hex"), config) else {
            continue;
        };
        let make = || polynomial(&case.poly, case.log_n);
        let Some(polynomial) = recorder.prepare(format_args!("{name}: poly"), make) else { continue };
        recorder.case_once(format_args!("{name}: poly_sha256"), || {
            same("SHA-256", sha256_of_words(&polynomial), case.poly_sha256.0)
        });
        let mut kinds = vec![(TranscriptKind::Sha256, &case.sha256_transcript)];
        kinds.extend(case.merlin_transcript.iter().map(|summary| (TranscriptKind::Merlin, summary)));
        for (kind, summary) in kinds {
            let name = format!("{name}: {}", kind.name());
            let prove = || ref_v08::prove_on(pool, &config, kind, &polynomial, &[]).map_err(text);
            let Some(proof) = recorder.prepare(format_args!("{name}: prove"), prove) else { continue };
            if kind == TranscriptKind::Sha256 {
                if let Some(wanted) = &case.file {
                    recorder.case_once(format_args!("{name}: file"), || {
                        ensure(proof == file.beside(wanted)?, "another proof than that of the file")
                    });
                }
                recorder.case_once(format_args!("{name}: trace"), || trace(&config, &proof, &case.trace));
            }
            recorder.case_once(format_args!("{name}: summary"), || summary.check(&proof));
            let again = || {
                let proof_again = ref_v08::prove(&config, kind, &polynomial, &[]);
                ensure(proof_again.as_ref() == Ok(&proof), "another proof")?;
                same("root", ref_v08::commit(&config, &polynomial), Ok(summary.initial_root.0))
            };
            if case.log_n <= MAX_EVERYWHERE {
                recorder.case(format_args!("{name}: prove on every backend"), again);
            }
            recorder.case(format_args!("{name}: verify"), || {
                let result = ref_v08::verify(&config, kind, &summary.initial_root.0, &[], &proof);
                same("result", result, Ok(()))
            });
        }
    }
}

impl Summary {
    fn check(&self, proof: &[u8]) -> Check {
        same("bincode_bytes", proof.len(), self.bincode_bytes)?;
        same("bincode_sha256", sha256(proof), self.bincode_sha256.0)?;
        let parts = Parts::read(proof)?;
        same("payload_bytes", parts.payload_len(), self.payload_bytes)?;
        let [initial, recursive @ ..] = &parts.roots[..] else { unreachable!("at least one root") };
        same("initial_root", *initial, self.initial_root.0)?;
        let wanted: Vec<[u8; 32]> = self.recursive_roots.iter().map(|root| root.0).collect();
        same("recursive_roots", recursive, &wanted[..])?;
        let siblings = |index: usize| parts.levels[index].siblings.len();
        same("initial_siblings", siblings(0), self.initial_siblings)?;
        same("final_siblings", siblings(parts.levels.len() - 1), self.final_siblings)?;
        same("sumcheck_rounds", &parts.rounds, &rounds(&self.sumcheck_rounds))?;
        same("yr_sha256", sha256_of(&parts.last_vector), self.yr_sha256.0)
    }
}

fn rounds(rounds: &[[Large; 3]]) -> Vec<[Gf128; 3]> {
    rounds.iter().map(|round| round.map(|element| element.0)).collect()
}

fn sha256_of(elements: &[Gf128]) -> [u8; 32] {
    let bytes: Vec<u8> = elements.iter().flat_map(|x| x.0.to_le_bytes()).collect();
    sha256(&bytes)
}

/// The challenges, queries and sums of every level.
fn trace(config: &Config, proof: &[u8], trace: &Trace) -> Check {
    let all = drawn(Published::sha256(1234), config, &Parts::read(proof)?)?;
    same("number of levels", all.len(), trace.levels.len())?;
    for (i, (got, level)) in all.iter().zip(&trace.levels).enumerate() {
        let at = |what: &str| format!("level {i}: {what}");
        let optional = |element: &Option<Large>| element.map(|element| element.0);
        same(&at("rho"), &got.folding, &plain(&level.rho))?;
        same(&at("queries"), &got.queries, &level.queries)?;
        same(&at("alpha"), got.alpha, optional(&level.alpha))?;
        same(&at("s"), got.sum, optional(&level.s))?;
        same(&at("beta"), got.beta, optional(&level.beta))?;
        same(&at("final"), level.r#final == Some(true), i + 1 == all.len())?;
        let has_basis = level.induced_basis_first4.is_some() && level.induced_basis_sha256.is_some();
        same(&at("whether there is an induced basis"), has_basis, i == 0)?;
    }
    induced(config, &all[0], &trace.levels[0])
}

fn induced(config: &Config, drawn: &Drawn, level: &LevelTrace) -> Check {
    let basis = induced_basis(config, drawn)?;
    let first = level.induced_basis_first4.as_ref().map(|first| plain(first));
    same("induced_basis_first4", Some(&basis[..4]), first.as_deref())?;
    let digest = level.induced_basis_sha256.map(|digest| digest.0);
    same("induced_basis_sha256", Some(sha256_of(&basis)), digest)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimsCase {
    claims: Vec<ClaimCase>,
    eval_rounds: Vec<[Large; 3]>,
    file: String,
    poly: String,
    summary: Summary,
    verdict: bool,
    verdict_with_first_claim_value_plus_one: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimCase {
    index: u64,
    value: Hex<4>,
}

/// Runs `eval_proofs.json`.
pub(crate) fn run_claims(recorder: &mut Recorder<'_>, file: &VectorFile, list: &[Value]) {
    for (i, value) in list.iter().enumerate() {
        let name = case_name(i, value, "file");
        let Some(case) = recorder.read::<ClaimsCase>(&name, value) else { continue };
        let Some(proof) = recorder.prepare(&name, || file.beside(&case.file)) else { continue };
        let config =
            || Parts::read(&proof)?.config().ok_or_else(|| "of no published configuration".to_owned());
        let Some(config) = recorder.prepare(format_args!("{name}: file"), config) else { continue };
        let make = || polynomial(&case.poly, config.variables());
        let Some(polynomial) = recorder.prepare(format_args!("{name}: poly"), make) else { continue };
        let claim = |claim: &ClaimCase| CoefficientClaim {
            index: claim.index,
            value: u32::from_be_bytes(claim.value.0),
        };
        let claims: Vec<_> = case.claims.iter().map(claim).collect();
        recorder.case_once(format_args!("{name}: summary"), || case.summary.check(&proof));
        recorder.case_once(format_args!("{name}: eval_rounds"), || {
            same("eval_rounds", &Parts::read(&proof)?.claim_rounds, &rounds(&case.eval_rounds))
        });
        recorder.case(format_args!("{name}: prove"), || {
            let again = ref_v08::prove(&config, TranscriptKind::Sha256, &polynomial, &claims);
            ensure(again.map_err(text)? == proof, "another proof")
        });
        let verify = |claims: &[CoefficientClaim]| {
            ref_v08::verify(&config, TranscriptKind::Sha256, &case.summary.initial_root.0, claims, &proof)
        };
        recorder
            .case(format_args!("{name}: verify"), || same("result", verify(&claims).is_ok(), case.verdict));
        recorder.case(format_args!("{name}: first claim changed"), || {
            let mut wrong = claims.clone();
            wrong.first_mut().ok_or("no claims")?.value ^= 1;
            same("result", verify(&wrong).is_ok(), case.verdict_with_first_claim_value_plus_one)
        });
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TamperedCase {
    file: String,
    reference_verdict: bool,
    /// For readers.
    #[serde(rename = "what")]
    _what: String,
}

/// Runs `tampered.json`.
pub(crate) fn run_tampered(
    recorder: &mut Recorder<'_>,
    file: &VectorFile,
    keys: &mut Object,
    pool: &Threads,
) {
    let files = keys.list(recorder, "files");
    let flips = keys.list(recorder, "xor_flips_offset_mask_verdict");
    let Some(base) = keys.required(recorder, "base_file") else { return };
    let read = || file.beside(base.as_str().ok_or("not a name")?);
    let Some(base) = recorder.prepare("base_file", read) else { return };
    let config = || {
        let parts = Parts::read(&base)?;
        let config = parts.config().ok_or_else(|| "of no published configuration".to_owned())?;
        Ok((config, parts.roots[0]))
    };
    let Some((config, root)) = recorder.prepare("base_file: form", config) else { return };
    let verify = |proof: &[u8]| ref_v08::verify(&config, TranscriptKind::Sha256, &root, &[], proof);
    recorder.case("base_file: verify", || same("result", verify(&base), Ok(())));
    for (i, value) in files.iter().enumerate() {
        let name = format!("files{}", case_name(i, value, "file"));
        let Some(case) = recorder.read::<TamperedCase>(&name, value) else { continue };
        let Some(proof) = recorder.prepare(&name, || file.beside(&case.file)) else { continue };
        recorder.case(&name, || {
            ensure(proof != base, "not tampered with")?;
            same("result", verify(&proof).is_ok(), case.reference_verdict)
        });
    }
    let list = "xor_flips_offset_mask_verdict";
    recorder.cases_on(pool, list, &flips, |(offset, mask, verdict): &(usize, u8, String), _| {
        let mut flipped = base.clone();
        let byte = flipped.get_mut(*offset).ok_or("there is no such byte")?;
        ensure(*mask != 0, "nothing is flipped")?;
        *byte ^= mask;
        let error = verify(&flipped).err().ok_or("it is accepted")?;
        match &**verdict {
            "decode-error" => ensure(matches!(error, ProofError::Encoding { .. }), "rejected, but decoded"),
            // Lengths that the crate reads and then finds wrong are wrong for our reader already.
            "false" => Ok(()),
            _ => Err("an answer that this version does not know".to_owned()),
        }
    });
}
