//! Keys that sign only what their ledger has reserved.
#![forbid(unsafe_code)]

use super::record::KeyInstance;
use super::refused::{LedgerError, Problem, Refused};
use super::request::{EpochLedger, Health, InitialState, Position, Request, Reserved, xmss_instance};
use crate::identity::{KeyId, xmss_key_id};
use phalanx_core::{Job, Pool};
use phalanx_xmss::{Error, Format, Signature, SigningKey, VerifyingKey, hazmat};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Why a guarded key did not sign.
#[derive(Debug)]
#[non_exhaustive]
pub enum GuardError {
    /// The ledger did not take the key.
    Ledger(LedgerError),
    /// The ledger did not give the position.
    Refused(Refused),
    /// The key could not sign there.
    Signing(Error),
    /// What the key computed does not verify: it is damaged, and quarantined now.
    SelfCheck,
}

impl fmt::Display for GuardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ledger(error) => error.fmt(f),
            Self::Refused(refused) => refused.fmt(f),
            Self::Signing(error) => error.fmt(f),
            Self::SelfCheck => f.write_str("the signature does not verify: the key is damaged"),
        }
    }
}

impl std::error::Error for GuardError {}

impl From<LedgerError> for GuardError {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(error)
    }
}

impl From<Refused> for GuardError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<Error> for GuardError {
    fn from(error: Error) -> Self {
        Self::Signing(error)
    }
}

/// An XMSS key and the ledger that every signature of it goes through. The signature is released when its position is in
/// both files of the ledger; the same message again gives the identical signature.
pub struct Guarded<L: ?Sized> {
    key: Mutex<SigningKey>,
    verifying_key: VerifyingKey,
    key_id: KeyId,
    ledger: Arc<L>,
}

/// A signature, and whether the ledger had given its position to the same message before.
#[derive(Clone)]
pub struct Signed {
    /// The signature.
    pub signature: Signature,
    /// Whether this is the same signature again.
    pub repeated: bool,
}

/// A signature that is wanted: of which key, at which epoch, of which message.
pub type Wanted<'a, L> = (&'a Guarded<L>, u32, &'a [u8; 32]);

impl<L: EpochLedger + ?Sized> Guarded<L> {
    /// Guards `key` by `ledger`, which must know exactly this key.
    ///
    /// # Errors
    /// [`GuardError::Ledger`], with [`Problem::NoState`] for a key that the ledger does not know.
    pub fn new(key: SigningKey, ledger: Arc<L>) -> Result<Self, GuardError> {
        let verifying_key = key.verifying_key();
        let key_id = check_known(&*ledger, &key)?;
        Ok(Self { key: Mutex::new(key), verifying_key, key_id, ledger })
    }

    /// Signs `message` at `epoch`, if the ledger gives the position to it. If the epoch lies beyond the prepared interval
    /// the key moves on first, which computes bottom trees.
    ///
    /// # Errors
    /// [`GuardError`]; after [`GuardError::Signing`] the position may stay reserved for this message.
    pub fn sign(&self, epoch: u32, message: &[u8; 32]) -> Result<Signature, GuardError> {
        self.answer(epoch, message).map(|signed| signed.signature)
    }

    /// As [`sign`](Self::sign), and says whether it is a signature that was given before.
    ///
    /// # Errors
    /// As [`sign`](Self::sign).
    pub fn answer(&self, epoch: u32, message: &[u8; 32]) -> Result<Signed, GuardError> {
        self.check_prepared(epoch)?;
        let request = self.request(epoch, message);
        let reserved = self.ledger.reserve(request)?;
        self.release(&request, &reserved, epoch, message)
    }

    /// Signs all that is wanted, on the threads of `pool`. The positions are made durable together where the keys are of
    /// one ledger.
    pub fn sign_many(wanted: &[Wanted<'_, L>], pool: &dyn Pool) -> Vec<Result<Signature, GuardError>> {
        let answers = Self::answer_many(wanted, pool).into_iter();
        answers.map(|answer| answer.map(|signed| signed.signature)).collect()
    }

    /// As [`sign_many`](Self::sign_many), and says which signatures were given before.
    pub fn answer_many(wanted: &[Wanted<'_, L>], pool: &dyn Pool) -> Vec<Result<Signed, GuardError>> {
        let Some((first, ..)) = wanted.first() else { return Vec::new() };
        let is_one = wanted.iter().all(|(key, ..)| Arc::ptr_eq(&key.ledger, &first.ledger));
        let mut signed: Vec<Option<Result<Signed, GuardError>>> = wanted
            .iter()
            .map(|(key, epoch, _)| key.check_prepared(*epoch).err().map(|error| Err(error.into())))
            .collect();
        let is_open = |i: &usize| signed[*i].is_none();
        let open: Vec<usize> = (0..wanted.len()).filter(is_open).collect();
        let request = |&i: &usize| wanted[i].0.request(wanted[i].1, wanted[i].2);
        let requests: Vec<Request<'_>> = open.iter().map(request).collect();
        let reserved = if is_one {
            first.ledger.reserve_many(&requests)
        } else {
            let each = open.iter().zip(&requests);
            each.map(|(&i, request)| wanted[i].0.ledger.reserve(*request)).collect()
        };
        let mut answers = reserved.into_iter().zip(&requests);
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for (slot, &(key, epoch, message)) in signed.iter_mut().zip(wanted) {
            if slot.is_some() {
                continue;
            }
            let (reserved, request) = answers.next().expect("there is an answer for every request");
            let job = move || {
                let done = reserved.map_err(GuardError::from);
                *slot = Some(done.and_then(|reserved| key.release(request, &reserved, epoch, message)));
            };
            jobs.push(Box::new(job));
        }
        pool.run(jobs);
        let answer = |signed: Option<_>| signed.unwrap_or(Err(GuardError::Refused(Refused::Poisoned)));
        signed.into_iter().map(answer).collect()
    }

    /// The key that verifies what this one signs.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying_key
    }

    /// The name of the key.
    #[must_use]
    pub fn key_id(&self) -> KeyId {
        self.key_id
    }

    /// The epochs that the key can sign now, without computing a bottom tree.
    #[must_use]
    pub fn prepared(&self) -> Range<u64> {
        self.lock().prepared_interval()
    }

    fn lock(&self) -> MutexGuard<'_, SigningKey> {
        // A key is whole after every step, so a panic elsewhere does not spoil it.
        self.key.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn request<'a>(&'a self, epoch: u32, message: &'a [u8; 32]) -> Request<'a> {
        Request { key: &self.key_id, position: Position::Epoch(epoch), message }
    }

    /// Nothing is reserved where the key could not sign any more.
    fn check_prepared(&self, epoch: u32) -> Result<(), Error> {
        check_prepared(epoch, &self.prepared())
    }

    /// The signature of a position that is reserved for it.
    fn release(
        &self,
        request: &Request<'_>,
        reserved: &Reserved<'_>,
        epoch: u32,
        message: &[u8; 32],
    ) -> Result<Signed, GuardError> {
        let sign = || hazmat::sign_reserved(&mut self.lock(), epoch, message);
        release(&*self.ledger, &self.verifying_key, (request, reserved), (epoch, message), sign)
    }
}

/// Signs with a key that stays with its holder, as a [`Guarded`] one does: if `ledger` knows exactly this key, and gives
/// the position.
///
/// # Errors
/// As [`Guarded::new`] and [`Guarded::sign`].
pub fn sign_through<L: EpochLedger + ?Sized>(
    ledger: &L,
    key: &mut SigningKey,
    epoch: u32,
    message: &[u8; 32],
) -> Result<Signed, GuardError> {
    let (verifying_key, key_id) = (key.verifying_key(), check_known(ledger, key)?);
    check_prepared(epoch, &key.prepared_interval())?;
    let request = Request { key: &key_id, position: Position::Epoch(epoch), message };
    let reserved = ledger.reserve(request)?;
    let sign = || hazmat::sign_reserved(key, epoch, message);
    release(ledger, &verifying_key, (&request, &reserved), (epoch, message), sign)
}

/// The name of `key`, if `ledger` knows exactly it: what [`Guarded::new`] asks, which takes the key over.
///
/// # Errors
/// As [`Guarded::new`].
pub fn check_known<L: EpochLedger + ?Sized>(ledger: &L, key: &SigningKey) -> Result<KeyId, GuardError> {
    let verifying_key = key.verifying_key();
    let key_id = xmss_key_id(&verifying_key);
    let without_state = |error: LedgerError| match error.problem() {
        Problem::UnknownKey => LedgerError::new(Problem::NoState, error),
        _ => error,
    };
    let known = ledger.standing(&key_id).map_err(without_state)?.instance;
    // What the key does not say itself is as it was registered.
    let KeyInstance { role, mode, ordering, .. } = known;
    let instance = KeyInstance { mode, ordering, ..xmss_instance(key, &role) };
    ledger.register(&instance, &verifying_key.to_bytes(Format::Ssz), InitialState::Known)?;
    Ok(key_id)
}

fn check_prepared(epoch: u32, prepared: &Range<u64>) -> Result<(), Error> {
    let (epoch, prepared) = (u64::from(epoch), prepared.start);
    if epoch < prepared { Err(Error::Passed { epoch, prepared }) } else { Ok(()) }
}

/// What `sign` computes, if the position is reserved for it and nothing has happened since.
fn release<L: EpochLedger + ?Sized>(
    ledger: &L,
    verifying_key: &VerifyingKey,
    (request, reserved): (&Request<'_>, &Reserved<'_>),
    (epoch, message): (u32, &[u8; 32]),
    sign: impl FnOnce() -> Result<Signature, Error>,
) -> Result<Signed, GuardError> {
    if !reserved.is_for(request) {
        return Err(Refused::Poisoned.into());
    }
    let signature = sign()?;
    // A wrong codeword that leaves would be a second one: nothing that does not verify does.
    if verifying_key.verify(epoch, message, &signature).is_err() {
        // The key may be quarantined already; what matters is that nothing leaves.
        let _ = ledger.quarantine(request.key, "a signature did not verify");
        return Err(GuardError::SelfCheck);
    }
    match ledger.health() {
        Health::Open => Ok(Signed { signature, repeated: reserved.is_repeat() }),
        Health::Forked => Err(Refused::Forked.into()),
        Health::Fenced => Err(Refused::Fenced.into()),
        Health::Poisoned(_) => Err(Refused::Poisoned.into()),
    }
}
