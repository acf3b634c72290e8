//! What is verified.

use crate::json::Bytes;
use phalanx::ed25519::SignedMessage;
use serde::Deserialize;

/// Something signed, with lengths as they come.
#[derive(Deserialize, Clone)]
pub(crate) struct Entry {
    pub(crate) pk: Bytes,
    pub(crate) msg: Bytes,
    pub(crate) sig: Bytes,
}

impl Entry {
    fn element(&self) -> SignedMessage<'_> {
        SignedMessage { public_key: &self.pk.0, message: &self.msg.0, signature: &self.sig.0 }
    }
}

/// The entries as the library wants them.
pub(crate) fn elements(entries: &[Entry]) -> Vec<SignedMessage<'_>> {
    entries.iter().map(Entry::element).collect()
}

/// As reports say it.
pub(crate) fn answer_name(valid: bool) -> &'static str {
    if valid { "valid" } else { "invalid" }
}
