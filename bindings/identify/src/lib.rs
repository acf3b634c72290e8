//! What some bytes are: keys, signatures, commitments and proofs, recognised by their content, never by a name.
//!
//! Shared by the command line's `inspect` and `convert` and the WebAssembly package's `identify`. No algorithm of its
//! own: every reading is what one of the library's strict decoders accepts.
#![forbid(unsafe_code)]

#[cfg(feature = "aggregate")]
pub mod aggregate;
pub mod base64;
pub mod documents;
pub mod ed25519;
pub mod hexadecimal;
pub mod ligerito;
mod next;
pub mod proof_file;
mod reading;
pub mod xmss;

pub use next::next_command;
pub use reading::{Confidence, Kind, Reading, rank};

/// What is known of some bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Every reading; none if the bytes are unknown.
    pub readings: Vec<Reading>,
    /// What is wrong.
    pub problems: Vec<String>,
}

/// All readings of `bytes`: XMSS and Ed25519 together, else aggregates, else Ligerito, whose proofs carry no mark.
#[must_use]
pub fn identify(bytes: &[u8]) -> Report {
    let mut report = all(bytes);
    report.readings.sort_by_key(|reading| rank(reading.confidence, reading.kind));
    report
}

fn all(bytes: &[u8]) -> Report {
    match (xmss::candidates(bytes, xmss::Filter::default()), ed25519::readings(bytes, None)) {
        (Ok(found), of_ed25519) => {
            let of_ed25519 = of_ed25519.unwrap_or_default();
            let readings =
                found.iter().map(xmss::describe).chain(of_ed25519.iter().map(ed25519::describe)).collect();
            Report { readings, ..Report::default() }
        }
        (Err(_), Ok(found)) => {
            let readings = xmss::within_hex(bytes).into_iter().chain(found.iter().map(ed25519::describe));
            Report { readings: readings.collect(), ..Report::default() }
        }
        (Err(_), Err(Some(phalanx::ed25519::Error::EncryptedKey))) => {
            Report { readings: vec![ed25519::encrypted()], ..Report::default() }
        }
        (Err(nearest), Err(problem)) => {
            if let Some(document) = documents::read(bytes) {
                let problems = document.validators.as_ref().map(|found| found.problems.clone());
                return Report {
                    readings: documents::describe(&document),
                    problems: problems.unwrap_or_default(),
                };
            }
            let readings = others(bytes);
            let problems =
                if readings.is_empty() { vec![unknown(bytes, nearest, problem)] } else { Vec::new() };
            Report { readings, problems }
        }
    }
}

/// What may be said once nothing stricter reads the bytes: of aggregates, and by length alone of Ligerito and of older
/// keys.
#[must_use]
pub fn others(bytes: &[u8]) -> Vec<Reading> {
    #[cfg(feature = "aggregate")]
    if let found @ [_, ..] = &aggregate::readings(bytes)[..] {
        return found.to_vec();
    }
    let found = ligerito::readings(bytes);
    if found.is_empty() { xmss::older(bytes).into_iter().collect() } else { found }
}

/// What is said of bytes that are nothing known.
#[must_use]
pub fn unknown(
    bytes: &[u8],
    nearest: Option<xmss::Nearest>,
    problem: Option<phalanx::ed25519::Error>,
) -> String {
    // Any object is tried as a JSON Web Key; one that does not call itself that was not meant to be one.
    let is_other_json =
        bytes.trim_ascii_start().starts_with(b"{") && !bytes.windows(5).any(|five| five == b"\"kty\"");
    match (problem.filter(|_| !is_other_json), nearest) {
        _ if bytes.is_empty() => "it is empty".to_owned(),
        (Some(problem), _) => format!("as a file of ed25519: {problem}"),
        (None, Some(nearest)) => nearest.to_string(),
        (None, None) if is_other_json => "JSON without a key or signature that is known".to_owned(),
        (None, None) => "no reading comes near".to_owned(),
    }
}
