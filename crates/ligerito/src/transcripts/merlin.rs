//! The Merlin transcript of the published crate `ligerito` 0.8.0: protocol label `ligerito-v1`; bytes are absorbed
//! under one label, whatever theirs is.
#![forbid(unsafe_code)]

use merlin::Transcript;

/// What was said so far.
#[derive(Clone)]
pub(crate) struct Stream(Transcript);

impl Stream {
    pub(super) fn new() -> Self {
        Self(Transcript::new(b"ligerito-v1"))
    }

    pub(super) fn absorb_tagged(&mut self, tag: &'static str, data: &[u8]) {
        self.0.append_message(tag.as_bytes(), data);
    }

    pub(super) fn absorb(&mut self, data: &[u8]) {
        self.0.append_message(b"bound_data", data);
    }

    pub(super) fn squeeze(&mut self, label: &'static str, out: &mut [u8]) {
        self.0.challenge_bytes(label.as_bytes(), out);
    }
}
