//! Files of `vectors/aggregate`: aggregates with one change each, and whether they verify.

use crate::files::VectorFile;
use crate::json::Bytes;
use crate::report::{Check, Recorder, ensure, same, text};
use phalanx::aggregate::{Limits, MAX_SIGNATURES, Profile, Statement, verify};
use phalanx_reference::xmss_blake2s::blake2s;
use serde::Deserialize;
use serde_json::Value;

/// Whether a file called `name`, in a folder called `folder`, is for [`run`].
pub(crate) fn is_ours(name: &str, folder: &str) -> bool {
    name.ends_with(".json") && folder == "aggregate"
}

/// Runs a file.
pub(crate) fn run(recorder: &mut Recorder<'_>, file: &VectorFile, value: Value) {
    let Value::Array(cases) = value else { return recorder.not_understood("file", "not a list of cases") };
    recorder.cases("", &cases, |case: &Case| case.check(file));
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "name")]
    _name: String,
    /// A file beside this one.
    statement: String,
    /// A file beside this one.
    aggregate: String,
    context_hex: Bytes,
    flip: Option<Flip>,
    cut: Option<Cut>,
    append: Option<Append>,
    blake2s_of_aggregate: Option<String>,
    verdict: Verdict,
}

/// Which of the two files is changed.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Of {
    Statement,
    Aggregate,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Flip {
    file: Of,
    offset: usize,
    xor: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cut {
    file: Of,
    length: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Append {
    file: Of,
    bytes_hex: Bytes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Accept,
    Refuse,
}

impl Case {
    fn check(&self, file: &VectorFile) -> Check {
        let mut files = [file.beside(&self.statement)?, file.beside(&self.aggregate)?];
        let mut changes = 0;
        if let Some(Flip { file, offset, xor }) = &self.flip {
            *files[*file as usize].get_mut(*offset).ok_or("an offset beyond the file")? ^= xor;
            changes += 1;
        }
        if let Some(Cut { file, length }) = &self.cut {
            files[*file as usize].truncate(*length);
            changes += 1;
        }
        if let Some(Append { file, bytes_hex }) = &self.append {
            files[*file as usize].extend(&bytes_hex.0);
            changes += 1;
        }
        ensure(changes <= 1, "more than one change")?;
        let [statement, aggregate] = files;
        if let Some(digest) = &self.blake2s_of_aggregate {
            same("BLAKE2s of the aggregate", &hex::encode(blake2s(&[], &aggregate)), digest)?;
        }
        let limits = Limits::new(&Profile::ALL).with_signatures(MAX_SIGNATURES);
        let verified = Statement::from_bytes(&statement).map_err(text).and_then(|read| {
            same("statement written again", &read.to_bytes(), &statement)?;
            verify(&limits, &read, &self.context_hex.0, &aggregate).map_err(text)
        });
        match (verified, self.verdict) {
            (Ok(()), Verdict::Refuse) => Err("accepted".to_owned()),
            (Err(reason), Verdict::Accept) => Err(format!("refused: {reason}")),
            _ => Ok(()),
        }
    }
}
