//! The caller's transcript: openings as steps of a larger protocol, with one stream of challenges for all of it.
//!
//! What such a protocol has to keep to are the seven rules of section 15 of docs/ligerito.md. The types here keep those that
//! types can keep; each function says which.
#![forbid(unsafe_code)]

use crate::Gf128;
use crate::binary::{ChallengeField, le_bytes};
use crate::claims::SumClaim;
use crate::commitment::{AcceptedOf, CommitmentOf};
use crate::error::ProofError;
use crate::preset::PresetOf;
use crate::transcripts;
use alloc::format;
use alloc::vec::Vec;

/// What prover and verifier of a protocol have said so far: challenges are drawn from all of it.
///
/// Rule 2: every operation is framed, so the stream can be read back in one way only, and a challenge depends on everything
/// before it. There is no copy of a transcript: who has lost it to an error has lost it (rule 7).
pub struct Transcript<E = Gf128> {
    stream: transcripts::Transcript,
    rules: Option<Rules<E>>,
}

/// What is remembered of a caller's transcript for rule 4.
struct Rules<E> {
    /// The challenges that the caller has drawn.
    drawn: Vec<E>,
    /// Commitments, and how many of the challenges came before each.
    commitments: Vec<(Vec<u8>, usize)>,
}

#[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
impl<E: ChallengeField> Transcript<E> {
    /// The transcript of a protocol, which nobody else calls so, about a statement (rule 1): all that the verifier is to
    /// believe in the end and that is not said later, parameters included, in one encoding for each.
    ///
    /// The hash is BLAKE3 in key-derivation mode with the context `protocol`, a space, "transcript"; the first frame is
    /// "statement".
    #[must_use]
    pub fn new(protocol: &str, statement: &[u8]) -> Self {
        let mut stream = transcripts::Transcript::new(&format!("{protocol} transcript"));
        stream.absorb("statement", &[statement]);
        Self { stream, rules: Some(Rules { drawn: Vec::new(), commitments: Vec::new() }) }
    }

    /// That of an opening by itself, of which nothing is asked.
    pub(crate) fn of_an_opening(context: &str) -> Self {
        Self { stream: transcripts::Transcript::new(context), rules: None }
    }

    /// Absorbs what both sides know, and nobody has to send. What the verifier reads from the prover is for
    /// [`ProofReader::receive`].
    pub fn absorb(&mut self, label: &str, bytes: &[u8]) {
        self.stream.absorb(label, &[bytes]);
    }

    /// Absorbs a commitment, all of its bytes, before anything is drawn that claims about it will depend on (rule 4): an
    /// opening of a commitment that is not here, or only after a challenge that is in one of its claims, is refused.
    pub fn bind<P: PresetOf<Challenge = E>>(&mut self, commitment: &CommitmentOf<P>) {
        self.bind_bytes(commitment.to_bytes().as_ref());
    }

    pub(crate) fn bind_bytes(&mut self, commitment: &[u8]) {
        self.stream.absorb("commitment", &[commitment]);
        if let Some(rules) = &mut self.rules {
            rules.commitments.push((commitment.to_vec(), rules.drawn.len()));
        }
    }

    /// An element of the large field, any of them.
    pub fn challenge(&mut self, label: &str) -> E {
        let challenge = self.stream.challenge(label);
        if let Some(rules) = &mut self.rules {
            rules.drawn.push(challenge);
        }
        challenge
    }

    /// As many challenges, one after the other: a point, for instance.
    pub fn challenges(&mut self, label: &str, count: usize) -> Vec<E> {
        (0..count).map(|_| self.challenge(label)).collect()
    }

    /// Bytes that nobody could know before. What claims depend on is drawn as challenges, which are remembered.
    pub fn squeeze(&mut self, label: &str, out: &mut [u8]) {
        self.stream.squeeze(label, out);
    }

    /// What a transcript of another hash absorbs after an opening that was bound to it.
    pub(crate) fn bridge(&mut self) -> [u8; 32] {
        let mut out = [0; 32];
        self.stream.squeeze("out", &mut out);
        out
    }

    /// The stream.
    pub(crate) fn stream(&mut self) -> &mut transcripts::Transcript {
        &mut self.stream
    }

    /// Rule 4: the first claim that has an element drawn before its commitment was bound; or whose commitment never was.
    pub(crate) fn late(
        &self,
        commitments: &[impl AsRef<[u8]>],
        claims: &[(usize, SumClaim<'_, E>)],
    ) -> Option<usize> {
        let rules = self.rules.as_ref()?;
        let early = |commitment: &[u8]| {
            let (_, before) = rules.commitments.iter().find(|(bound, _)| bound == commitment)?;
            Some(&rules.drawn[..*before])
        };
        let early: Vec<_> = commitments.iter().map(|commitment| early(commitment.as_ref())).collect();
        claims.iter().position(|(commitment, claim)| {
            early[*commitment]
                .is_none_or(|early| !early.is_empty() && claim.any_element(|element| early.contains(element)))
        })
    }
}

/// The prover's side of a protocol: what it sends is absorbed and stands in the proof, in order, with nothing between.
pub struct ProofWriter<E = Gf128> {
    transcript: Transcript<E>,
    proof: Vec<u8>,
}

#[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
impl<E: ChallengeField> ProofWriter<E> {
    /// Nothing sent yet.
    #[must_use]
    pub fn new(transcript: Transcript<E>) -> Self {
        Self { transcript, proof: Vec::new() }
    }

    /// To draw challenges and absorb what need not be sent.
    pub fn transcript(&mut self) -> &mut Transcript<E> {
        &mut self.transcript
    }

    /// Sends elements: messages of the protocol, and values before they are opened (rules 3 and 5).
    pub fn send(&mut self, label: &str, elements: &[E]) {
        self.send_bytes(label, &le_bytes(elements));
    }

    /// Sends bytes.
    pub fn send_bytes(&mut self, label: &str, bytes: &[u8]) {
        self.transcript.absorb(label, bytes);
        self.proof.extend_from_slice(bytes);
    }

    /// Sends a commitment that the verifier has not got, and binds it ([`Transcript::bind`]).
    pub fn send_commitment<P: PresetOf<Challenge = E>>(&mut self, commitment: &CommitmentOf<P>) {
        self.proof.extend_from_slice(commitment.to_bytes().as_ref());
        self.transcript.bind(commitment);
    }

    /// The transcript, and what an opening has to say.
    pub(crate) fn parts(&mut self) -> (&mut Transcript<E>, &mut Vec<u8>) {
        (&mut self.transcript, &mut self.proof)
    }

    /// The proof, and the transcript as the verifier will have it.
    #[must_use]
    pub fn finish(self) -> (Vec<u8>, Transcript<E>) {
        (self.proof, self.transcript)
    }
}

/// The verifier's side: nothing is read from the proof that is not absorbed (rules 3 and 5). Rows and siblings of openings
/// are not absorbed: the transcript determines them.
///
/// After an error nothing more can be read, and [`finish`](Self::finish) fails (rule 7).
pub struct ProofReader<'a, E = Gf128> {
    transcript: Transcript<E>,
    proof: Proof<'a>,
}

#[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
impl<'a, E: ChallengeField> ProofReader<'a, E> {
    /// Nothing read yet.
    #[must_use]
    pub fn new(transcript: Transcript<E>, proof: &'a [u8]) -> Self {
        Self { transcript, proof: Proof::new(proof) }
    }

    /// To draw challenges and absorb what is not received.
    pub fn transcript(&mut self) -> &mut Transcript<E> {
        &mut self.transcript
    }

    /// Elements that the prover [sent](ProofWriter::send).
    ///
    /// # Errors
    /// [`ProofError::ProofLength`] if the proof ends before.
    pub fn receive(&mut self, label: &str, count: usize) -> Result<Vec<E>, ProofError> {
        let len = count.checked_mul(E::LEN_BYTES).ok_or(ProofError::ProofLength)?;
        Ok(self.receive_bytes(label, len)?.chunks_exact(E::LEN_BYTES).map(E::from_le_slice).collect())
    }

    /// Bytes that the prover sent.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
    pub fn receive_bytes(&mut self, label: &str, len: usize) -> Result<&'a [u8], ProofError> {
        let bytes = self.proof.take(len)?;
        self.transcript.absorb(label, bytes);
        Ok(bytes)
    }

    /// A commitment that the prover sent, which is bound ([`Transcript::bind`]).
    ///
    /// # Errors
    /// As [`receive`](Self::receive), and [`ProofError::UnacceptedParams`] if it is none that `accepted` has.
    pub fn receive_commitment<P: PresetOf<Challenge = E>>(
        &mut self,
        accepted: &AcceptedOf<P>,
    ) -> Result<CommitmentOf<P>, ProofError> {
        let bytes = self.proof.take(CommitmentOf::<P>::LEN_BYTES)?;
        let commitment = CommitmentOf::from_bytes(bytes).map_err(|_| ProofError::UnacceptedParams);
        let accepted = commitment.and_then(|commitment| accepted.shape(&commitment).map(|_| commitment));
        match &accepted {
            Ok(commitment) => self.transcript.bind(commitment),
            Err(_) => self.proof.fail(),
        }
        accepted
    }

    /// The transcript, and what is left of the proof.
    pub(crate) fn parts(&mut self) -> (&mut Transcript<E>, &mut Proof<'a>) {
        (&mut self.transcript, &mut self.proof)
    }

    /// The transcript as the prover has it. The proof must have come to its end.
    ///
    /// # Errors
    /// [`ProofError::ProofLength`] if it has not, or if something failed before.
    pub fn finish(self) -> Result<Transcript<E>, ProofError> {
        self.proof.finish()?;
        Ok(self.transcript)
    }
}

/// What is left to read of a proof; nothing for ever once a read has failed.
pub(crate) struct Proof<'a>(Option<&'a [u8]>);

impl<'a> Proof<'a> {
    pub(crate) fn new(proof: &'a [u8]) -> Self {
        Self(Some(proof))
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], ProofError> {
        let split = self.0.and_then(|rest| rest.split_at_checked(len));
        self.0 = split.map(|(_, rest)| rest);
        split.map(|(taken, _)| taken).ok_or(ProofError::ProofLength)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<&'a [u8; N], ProofError> {
        Ok(self.take(N)?.try_into().expect("as many bytes as were asked for"))
    }

    pub(crate) fn element<E: ChallengeField>(&mut self) -> Result<E, ProofError> {
        self.take(E::LEN_BYTES).map(E::from_le_slice)
    }

    /// Nothing more will be read.
    fn fail(&mut self) {
        self.0 = None;
    }

    /// Nothing may be left.
    pub(crate) fn finish(&self) -> Result<(), ProofError> {
        if self.0 == Some(&[]) { Ok(()) } else { Err(ProofError::ProofLength) }
    }
}
