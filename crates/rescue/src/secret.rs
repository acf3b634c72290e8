//! Secret inputs: scalar kernels without branches on words, and memory wiped behind them.

use crate::digest::Digest;
use crate::error::Error;
use crate::function::{Function, join};
use crate::permutation::permute_secret;
use crate::sponge::{Bytes, Elements, MAX_RATE, MAX_WIDTH, Message, Secretly};
use zeroize::Zeroizing;

/// For secret inputs: no branch and no address depends on a word, only on lengths. Scalar, and slower. The states that a
/// call worked in are wiped before it returns; the input and the digest are the caller's to wipe.
impl Function {
    /// [`permute`](Self::permute) for secret states. What comes out is the caller's to wipe.
    ///
    /// # Errors
    /// [`Error::PartialState`] if the length is no multiple of [`width`](Self::width).
    pub fn permute_secret(self, words: &mut [u64]) -> Result<(), Error> {
        self.whole_states(words)?;
        permute_secret(self.permutation(), words);
        Ok(())
    }

    /// [`hash_elements`](Self::hash_elements) for secret elements.
    #[must_use]
    pub fn hash_elements_secret(self, elements: &[u64]) -> Digest {
        self.hash_one_secret(&Elements(elements))
    }

    /// [`hash`](Self::hash) for secret bytes. Their number is no secret.
    ///
    /// # Errors
    /// [`Error::UndefinedLength`] where the reference panics: Rp64_256, above 56 bytes, no multiple of 7.
    pub fn hash_secret(self, bytes: &[u8]) -> Result<Digest, Error> {
        let terminated = self.terminated(bytes.len() as u64)?;
        Ok(self.hash_one_secret(&Bytes { bytes, terminated }))
    }

    /// [`hash_padded`](Self::hash_padded) for secret bytes. Their number is no secret.
    #[must_use]
    pub fn hash_padded_secret(self, bytes: &[u8]) -> Digest {
        self.hash_one_secret(&Bytes { bytes, terminated: true })
    }

    /// [`merge`](Self::merge) for secret digests.
    #[must_use]
    pub fn merge_secret(self, left: &Digest, right: &Digest) -> Digest {
        let permutation = self.permutation();
        let x = Zeroizing::new(join(left, right));
        let mut state = Zeroizing::new([0; MAX_WIDTH]);
        permutation.compress(&x, (8, 0), &mut state, Secretly)
    }

    fn hash_one_secret<M: Message>(self, message: &M) -> Digest {
        let permutation = self.permutation();
        let (mut state, mut words) = (Zeroizing::new([0; MAX_WIDTH]), Zeroizing::new([0; MAX_RATE]));
        permutation.hash(message, 0, &mut state, &mut words, Secretly)
    }
}
