//! Errors: each variant of the library's becomes the Python exception of its name, with its sentence and its fields.
//!
//! The classes are in `python/phalanx/errors.py`; [`NAMES`](crate::errors) of those raised here are checked by a test.

use phalanx::{InvalidSignature, Malformed};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An exception on its way.
pub(crate) struct Raised<'py> {
    py: Python<'py>,
    name: &'static str,
    text: String,
    fields: Bound<'py, PyDict>,
    problem: Option<PyErr>,
}

impl<'py> Raised<'py> {
    /// The exception called `name`, with its sentence.
    pub(crate) fn new(py: Python<'py>, name: &'static str, text: impl ToString) -> Self {
        Self { py, name, text: text.to_string(), fields: PyDict::new(py), problem: None }
    }

    /// With a field.
    pub(crate) fn with(mut self, field: &str, value: impl IntoPyObjectExt<'py>) -> Self {
        let value = value.into_py_any(self.py);
        if let Err(problem) = value.and_then(|value| self.fields.set_item(field, value)) {
            self.problem = Some(problem);
        }
        self
    }

    fn build(self) -> PyResult<PyErr> {
        match self.problem {
            Some(problem) => Err(problem),
            None => {
                let class = self.py.import("phalanx.errors")?.getattr(self.name)?;
                Ok(PyErr::from_value(class.call((self.text,), Some(&self.fields))?))
            }
        }
    }
}

impl From<Raised<'_>> for PyErr {
    fn from(raised: Raised<'_>) -> Self {
        raised.build().unwrap_or_else(|problem| problem)
    }
}

/// `InvalidSignature`.
pub(crate) fn invalid_signature(py: Python<'_>) -> PyErr {
    Raised::new(py, "InvalidSignature", InvalidSignature).into()
}

/// `MalformedSignature`: what stands where a signature should is none. What was looked at, got and wanted.
pub(crate) fn malformed_signature(
    py: Python<'_>,
    text: impl ToString,
    (what, got, wanted): (&'static str, u64, u64),
) -> PyErr {
    Raised::new(py, "MalformedSignature", text)
        .with("what", what)
        .with("got", got)
        .with("wanted", wanted)
        .into()
}

/// `Malformed`.
pub(crate) fn malformed(py: Python<'_>, error: Malformed) -> PyErr {
    Raised::new(py, "Malformed", error)
        .with("what", error.what)
        .with("got", error.got)
        .with("wanted", error.wanted)
        .into()
}

/// The errors of XMSS.
pub(crate) fn xmss(py: Python<'_>, error: phalanx::xmss::Error) -> PyErr {
    use phalanx::xmss::Error;
    let raised = |name| Raised::new(py, name, error);
    match error {
        Error::Interval { start, count, lifetime } => {
            raised("Interval").with("start", start).with("count", count).with("lifetime", lifetime)
        }
        Error::NotActive { epoch, start, end } => {
            raised("NotActive").with("epoch", epoch).with("start", start).with("end", end)
        }
        Error::Exhausted { epoch, end } => raised("Exhausted").with("epoch", epoch).with("end", end),
        Error::Passed { epoch, prepared } => raised("Passed").with("epoch", epoch).with("prepared", prepared),
        Error::NotPrepared { epoch, end } => raised("NotPrepared").with("epoch", epoch).with("end", end),
        Error::EpochUsed { epoch } => raised("EpochUsed").with("epoch", epoch),
        Error::OtherInstance { scheme, start, end } => {
            raised("OtherInstance").with("scheme", scheme).with("start", start).with("end", end)
        }
        Error::Forked => raised("Forked"),
        Error::EncodingAttempts { attempts } => raised("EncodingAttempts").with("attempts", attempts),
        Error::Unfinished => raised("Unfinished"),
        Error::WrongTree { got, wanted } => raised("WrongTree").with("got", got).with("wanted", wanted),
        Error::VerificationOnly { scheme } => raised("VerificationOnly").with("scheme", scheme),
        Error::NoEncoding { scheme, what, format } => {
            raised("NoEncoding").with("scheme", scheme).with("what", what).with("format", format)
        }
        Error::Malformed(error) => return malformed(py, error),
        _ => raised("PhalanxError"),
    }
    .into()
}

/// The errors of Ed25519.
pub(crate) fn ed25519(py: Python<'_>, error: phalanx::ed25519::Error) -> PyErr {
    use phalanx::ed25519::Error;
    let raised = |name| Raised::new(py, name, error);
    match error {
        Error::InvalidLength { what, got, wanted } => {
            raised("InvalidLength").with("what", what).with("got", got).with("wanted", wanted)
        }
        Error::InvalidPublicKey => raised("InvalidPublicKey"),
        Error::KeyMismatch => raised("KeyMismatch"),
        Error::InvalidKeyFormat(problem) => raised("InvalidKeyFormat").with("problem", problem),
        Error::EncryptedKey => raised("EncryptedKey"),
        Error::WrongPassword => raised("WrongPassword"),
        Error::ContextTooLong { got } => raised("ContextTooLong").with("got", got),
        Error::ContextEmpty => raised("ContextEmpty"),
        Error::RngFailed => raised("RngFailed"),
        Error::LengthMismatch { wanted, got } => {
            raised("LengthMismatch").with("wanted", wanted).with("got", got)
        }
        Error::SelfCheckFailed => raised("SelfCheckFailed"),
        _ => raised("PhalanxError"),
    }
    .into()
}

/// A file that was refused: `Refusal`, with the name of the reason.
pub(crate) fn refusal(py: Python<'_>, name: &'static str, text: impl ToString) -> PyErr {
    Raised::new(py, "Refusal", text).with("name", name).into()
}

/// The errors of Rescue.
pub(crate) fn rescue(py: Python<'_>, error: phalanx::rescue::Error) -> PyErr {
    use phalanx::rescue::Error;
    let raised = |name| Raised::new(py, name, error);
    match error {
        Error::UndefinedLength { got } => raised("UndefinedLength").with("got", got),
        Error::PartialState { got, width } => raised("PartialState").with("got", got).with("width", width),
        Error::NoDomain => raised("NoDomain"),
        Error::Length { got, wanted } => raised("Length").with("got", got).with("wanted", wanted),
        Error::LeafCount { got } => raised("LeafCount").with("got", got),
        Error::LeafIndex { got, leaves } => raised("LeafIndex").with("got", got).with("leaves", leaves),
        Error::PathLength { got, wanted } => raised("PathLength").with("got", got).with("wanted", wanted),
        Error::WrongRoot => raised("WrongRoot"),
        _ => raised("PhalanxError"),
    }
    .into()
}

/// The errors of those who commit and open.
pub(crate) fn ligerito(py: Python<'_>, error: phalanx::ligerito::Error) -> PyErr {
    use phalanx::ligerito::Error;
    let raised = |name| Raised::new(py, name, error);
    match error {
        Error::PolynomialLength { got } => raised("PolynomialLength").with("got", got),
        Error::NoClaims => raised("NoClaims"),
        Error::TooManyClaims { got } => raised("TooManyClaims").with("got", got),
        Error::PointLength { claim, got, wanted } => {
            raised("PointLength").with("claim", claim).with("got", got).with("wanted", wanted)
        }
        Error::TooLarge => raised("TooLarge"),
        Error::OtherPolynomial { orbit } => raised("OtherPolynomial").with("orbit", orbit),
        Error::NoTensors { claim } => raised("NoTensors").with("claim", claim),
        Error::Together => raised("Together"),
        Error::CommitmentIndex { claim } => raised("CommitmentIndex").with("claim", claim),
        Error::BasisLength { got, wanted } => raised("BasisLength").with("got", got).with("wanted", wanted),
        _ => raised("PhalanxError"),
    }
    .into()
}

/// Why a proof is not accepted.
pub(crate) fn proof(py: Python<'_>, error: phalanx::ligerito::ProofError) -> PyErr {
    use phalanx::ligerito::ProofError;
    let raised = Raised::new(py, "ProofError", error).with("name", error.name());
    match error {
        ProofError::PointLength { claim }
        | ProofError::ClaimBody { claim }
        | ProofError::CommitmentIndex { claim } => raised.with("claim", claim),
        ProofError::ProofOfWork { level } | ProofError::MerkleRoot { level } => raised.with("level", level),
        ProofError::FinalRow { position } => raised.with("position", position),
        _ => raised,
    }
    .into()
}

/// The errors of those who state and aggregate.
pub(crate) fn aggregate(py: Python<'_>, error: phalanx::aggregate::Error) -> PyErr {
    use phalanx::aggregate::Error;
    let raised = |name| Raised::new(py, name, error);
    match error {
        Error::NoGroups => raised("NoGroups"),
        Error::EmptyGroup => raised("EmptyGroup"),
        Error::GroupOrder => raised("GroupOrder"),
        Error::KeyOrder => raised("KeyOrder"),
        Error::TooManySignatures => raised("TooManySignatures"),
        Error::StatementLength => raised("StatementLength"),
        Error::ParameterSet => raised("ParameterSet"),
        Error::SignatureCount { got, wanted } => {
            raised("SignatureCount").with("got", got).with("wanted", wanted)
        }
        Error::InvalidSignature { index } => raised("InvalidSignature").with("index", index),
        Error::Memory { wanted, limit } => raised("Memory").with("wanted", wanted).with("limit", limit),
        Error::TooLarge => raised("TooLarge"),
        _ => raised("PhalanxError"),
    }
    .into()
}

/// The errors of bulk verification.
pub(crate) fn bulk(py: Python<'_>, error: &phalanx_bulk::Error) -> PyErr {
    use phalanx_bulk::Error;
    let name = match error {
        Error::Usage(_) => "Usage",
        Error::System(_) => "System",
        Error::Stopped => "Stopped",
        _ => "PhalanxError",
    };
    Raised::new(py, name, error).into()
}

/// `MalformedSignature`: what stands where signature `index` of a statement should is none.
pub(crate) fn aggregated_signature(py: Python<'_>, error: Malformed, index: usize) -> PyErr {
    Raised::new(py, "MalformedSignature", format!("signature {index}: {error}"))
        .with("index", index)
        .with("what", error.what)
        .with("got", error.got)
        .with("wanted", error.wanted)
        .into()
}

/// Why an aggregate is not accepted.
pub(crate) fn aggregate_proof(py: Python<'_>, error: phalanx::aggregate::ProofError) -> PyErr {
    use phalanx::aggregate::ProofError;
    let raised = Raised::new(py, "ProofError", error).with("name", error.name());
    match error {
        ProofError::NoEncoding { index } => raised.with("index", index),
        ProofError::Opening(reason) => raised.with("reason", reason.name()),
        _ => raised,
    }
    .into()
}

/// The errors of those who prove as the published crate does.
pub(crate) fn ref_v08(py: Python<'_>, error: phalanx::ligerito::ref_v08::Error) -> PyErr {
    use phalanx::ligerito::ref_v08::Error;
    let raised = |name| Raised::new(py, name, error);
    match error {
        Error::PolynomialLength { got, wanted } => {
            raised("PolynomialLength").with("got", got).with("wanted", wanted)
        }
        Error::ClaimIndex { claim, got, len } => {
            raised("ClaimIndex").with("claim", claim).with("got", got).with("len", len)
        }
        Error::ClaimValue { claim, got, wanted } => {
            raised("ClaimValue").with("claim", claim).with("got", got).with("wanted", wanted)
        }
        Error::TooLarge => raised("TooLarge"),
        _ => raised("PhalanxError"),
    }
    .into()
}

/// Why a proof of the published crate's kind is not accepted.
pub(crate) fn ref_v08_proof(py: Python<'_>, error: phalanx::ligerito::ref_v08::ProofError) -> PyErr {
    use phalanx::ligerito::ref_v08::ProofError;
    let raised = |name| Raised::new(py, "ProofError", error).with("name", name);
    match error {
        ProofError::ClaimIndex { claim } => raised("ClaimIndex").with("claim", claim),
        ProofError::Encoding { level, .. } => raised("Encoding").with("level", level),
        ProofError::InitialRoot => raised("InitialRoot"),
        ProofError::Round { level, round } => raised("Round").with("level", level).with("round", round),
        ProofError::Siblings { level } => raised("Siblings").with("level", level),
        ProofError::MerkleRoot { level } => raised("MerkleRoot").with("level", level),
        ProofError::FinalRow { query, position } => {
            raised("FinalRow").with("query", query).with("position", position)
        }
        ProofError::FinalSum => raised("FinalSum"),
        _ => raised("ProofError"),
    }
    .into()
}
