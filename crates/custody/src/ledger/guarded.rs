//! Keys that sign only what their ledger has reserved.
#![forbid(unsafe_code)]

use super::position::Position;
use super::record::KeyInstance;
use super::refused::{LedgerError, Problem, Refused};
use super::request::{EpochLedger, Health, InitialState, Request, Reserved, xmss_instance};
use crate::epoch_key::EpochKey;
use crate::identity::KeyId;
use phalanx_core::{Inline, Job, Pool};
use phalanx_xmss::{Error, Signature, SigningKey};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
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
    /// The epoch is beyond the prepared interval, and the caller does not want to wait for trees.
    NotPrepared {
        /// The epoch.
        epoch: u64,
        /// The first epoch after the prepared interval.
        end: u64,
    },
    /// What the key computed does not verify: it is damaged, and quarantined now.
    SelfCheck,
    /// The bytes to be signed are no vote or proposal of the position that was asked for.
    Malformed,
}

impl fmt::Display for GuardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ledger(error) => error.fmt(f),
            Self::Refused(refused) => refused.fmt(f),
            Self::Signing(error) => error.fmt(f),
            Self::NotPrepared { epoch, end } => {
                write!(f, "epoch {epoch} is not prepared yet: the key is prepared up to {end}")
            }
            Self::SelfCheck => f.write_str("the signature does not verify: the key is damaged"),
            Self::Malformed => f.write_str("the sign bytes are no vote or proposal of that position"),
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

/// An XMSS key whose prepared interval moves on beside those who sign with it. It signs only through a [`Guarded`], and
/// outlives its ledger where that has to be opened anew.
pub struct SharedKey<K = SigningKey>(Arc<Mutex<K>>);

impl<K> Clone for SharedKey<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: EpochKey> SharedKey<K> {
    /// Takes a key over.
    #[must_use]
    pub fn new(key: K) -> Self {
        Self(Arc::new(Mutex::new(key)))
    }

    /// The epochs that the key can sign now, without computing a bottom tree.
    #[must_use]
    pub fn prepared(&self) -> Range<u64> {
        self.lock().prepared_interval()
    }

    /// The epochs that it can ever sign.
    #[must_use]
    pub fn activation_interval(&self) -> Range<u64> {
        self.lock().activation_interval()
    }

    /// The bottom trees by which `epoch` becomes the first tree of the prepared interval or, if that is the next one, its
    /// second: none if it is prepared, passed, or outside the key. To be computed while the key goes on signing.
    #[must_use]
    pub fn trees_to(&self, epoch: u64) -> Vec<K::NextTree> {
        self.lock().trees_to(epoch)
    }

    /// Moves the prepared interval on by trees that were computed. Nobody who signs waits for more than an exchange.
    ///
    /// # Errors
    /// As [`SigningKey::move_on_with`].
    pub fn move_on_with(&self, trees: Vec<K::NextTree>) -> Result<(), Error> {
        self.lock().move_on_with(trees)
    }

    /// Looks at the key, while nobody signs with it.
    #[cfg(feature = "signer")]
    pub(crate) fn look<T>(&self, at: impl FnOnce(&K) -> T) -> T {
        at(&self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, K> {
        // A key is whole after every step, so a panic elsewhere does not spoil it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An XMSS key and the ledger that every signature of it goes through. The signature is released when its position is in
/// both files of the ledger; the same message again gives the identical signature.
///
/// The key is one over KoalaBear, or, as a [`phalanx_xmss::any::SigningKey`], one of any generation.
pub struct Guarded<L: ?Sized, K: EpochKey = SigningKey> {
    key: SharedKey<K>,
    verifying_key: K::VerifyingKey,
    key_id: KeyId,
    ledger: Arc<L>,
}

/// A signature, and whether the ledger had given its position to the same message before.
#[derive(Clone)]
pub struct Signed<S = Signature> {
    /// The signature.
    pub signature: S,
    /// Whether this is the same signature again.
    pub repeated: bool,
}

/// A signature that is wanted: of which key, at which epoch, of which message.
pub type Wanted<'a, L, K = SigningKey> = (&'a Guarded<L, K>, u32, &'a [u8; 32]);

/// What becomes of a request.
type Answer<K> = Result<Signed<<K as EpochKey>::Signature>, GuardError>;

impl<L: EpochLedger + ?Sized, K: EpochKey> Guarded<L, K> {
    /// Guards `key` by `ledger`, which must know exactly this key.
    ///
    /// # Errors
    /// [`GuardError::Ledger`], with [`Problem::NoState`] for a key that the ledger does not know.
    pub fn new(key: K, ledger: Arc<L>) -> Result<Self, GuardError> {
        Self::sharing(&SharedKey::new(key), ledger)
    }

    /// The same for a key that others move on.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn sharing(shared: &SharedKey<K>, ledger: Arc<L>) -> Result<Self, GuardError> {
        let key = shared.lock();
        let verifying_key = key.verifying_key();
        let key_id = check_known(&*ledger, &*key)?;
        drop(key);
        Ok(Self { key: shared.clone(), verifying_key, key_id, ledger })
    }

    /// Signs `message` at `epoch`, if the ledger gives the position to it. If the epoch lies beyond the prepared interval
    /// the key moves on first, which computes bottom trees; if it lies before, it signs only what it has signed there, for
    /// which a bottom tree is computed.
    ///
    /// # Errors
    /// [`GuardError`]; after [`GuardError::Signing`] the position may stay reserved for this message.
    pub fn sign(&self, epoch: u32, message: &[u8; 32]) -> Result<K::Signature, GuardError> {
        self.answer(epoch, message).map(|signed| signed.signature)
    }

    /// As [`sign`](Self::sign), and says whether it is a signature that was given before.
    ///
    /// # Errors
    /// As [`sign`](Self::sign).
    pub fn answer(&self, epoch: u32, message: &[u8; 32]) -> Result<Signed<K::Signature>, GuardError> {
        let request = self.request(epoch, message);
        check_passed(&*self.ledger, request, epoch, &self.prepared())?;
        let reserved = self.ledger.reserve(request)?;
        self.release(&request, &reserved, (epoch, message), &Patience::Unlimited)
    }

    /// Signs all that is wanted, on the threads of `pool`. The positions are made durable together where the keys are of
    /// one ledger.
    pub fn sign_many(wanted: &[Wanted<'_, L, K>], pool: &dyn Pool) -> Vec<Result<K::Signature, GuardError>> {
        let answers = Self::answer_many(wanted, pool).into_iter();
        answers.map(|answer| answer.map(|signed| signed.signature)).collect()
    }

    /// As [`sign_many`](Self::sign_many), and says which signatures were given before.
    pub fn answer_many(
        wanted: &[Wanted<'_, L, K>],
        pool: &dyn Pool,
    ) -> Vec<Result<Signed<K::Signature>, GuardError>> {
        Self::answer_by(wanted, pool, &Patience::Unlimited)
    }

    /// As [`answer_many`](Self::answer_many), where nobody waits for a tree: an epoch beyond the prepared interval is
    /// refused, and nothing is reserved there. What was signed in trees that keys have left behind is signed again, one
    /// such signature at a time: others are refused as not prepared.
    pub fn answer_prepared(
        wanted: &[Wanted<'_, L, K>],
        pool: &dyn Pool,
    ) -> Vec<Result<Signed<K::Signature>, GuardError>> {
        Self::answer_by(wanted, pool, &Patience::OneTree(AtomicBool::new(true)))
    }

    fn answer_by(
        wanted: &[Wanted<'_, L, K>],
        pool: &dyn Pool,
        patience: &Patience,
    ) -> Vec<Result<Signed<K::Signature>, GuardError>> {
        let Some((first, ..)) = wanted.first() else { return Vec::new() };
        let is_one = wanted.iter().all(|(key, ..)| Arc::ptr_eq(&key.ledger, &first.ledger));
        let mut signed: Vec<Option<Answer<K>>> =
            wanted.iter().map(|wish| wish.0.check(wish.1, wish.2, patience).err().map(Err)).collect();
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
                *slot = Some(
                    done.and_then(|reserved| key.release(request, &reserved, (epoch, message), patience)),
                );
            };
            jobs.push(Box::new(job));
        }
        pool.run(jobs);
        let answer = |signed: Option<_>| signed.unwrap_or(Err(GuardError::Refused(Refused::Poisoned)));
        signed.into_iter().map(answer).collect()
    }

    /// The key that verifies what this one signs.
    #[must_use]
    pub fn verifying_key(&self) -> &K::VerifyingKey {
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
        self.key.prepared()
    }

    fn request<'a>(&'a self, epoch: u32, message: &'a [u8; 32]) -> Request<'a> {
        Request { key: &self.key_id, position: Position::Epoch(epoch), message }
    }

    /// Nothing is reserved where the key cannot sign any more or, if nobody waits for trees, not yet. What it cannot ever
    /// sign is the ledger's to refuse.
    fn check(&self, epoch: u32, message: &[u8; 32], patience: &Patience) -> Result<(), GuardError> {
        let prepared = self.prepared();
        check_passed(&*self.ledger, self.request(epoch, message), epoch, &prepared)?;
        let (epoch, end) = (u64::from(epoch), prepared.end);
        let waits = matches!(patience, Patience::Unlimited);
        if !waits && epoch >= end && epoch < self.key.activation_interval().end {
            return Err(GuardError::NotPrepared { epoch, end });
        }
        Ok(())
    }

    /// The signature of a position that is reserved for it.
    fn release(
        &self,
        request: &Request<'_>,
        reserved: &Reserved<'_>,
        (epoch, message): (u32, &[u8; 32]),
        patience: &Patience,
    ) -> Result<Signed<K::Signature>, GuardError> {
        let sign = || {
            let passed = self.key.lock().passed_tree(epoch);
            let Some(tree) = passed else {
                return Ok(self.key.lock().sign_reserved(epoch, message)?);
            };
            // Beside the key, which others sign with meanwhile.
            let end = self.prepared().end;
            let computed =
                patience.compute::<K>(tree)?.ok_or(GuardError::NotPrepared { epoch: epoch.into(), end })?;
            Ok(self.key.lock().sign_passed(computed, epoch, message)?)
        };
        release::<L, K>(&*self.ledger, &self.verifying_key, (request, reserved), (epoch, message), sign)
    }
}

/// Signs with a key that stays with its holder, as a [`Guarded`] one does: if `ledger` knows exactly this key, and gives
/// the position.
///
/// # Errors
/// As [`Guarded::new`] and [`Guarded::sign`].
pub fn sign_through<L: EpochLedger + ?Sized, K: EpochKey>(
    ledger: &L,
    key: &mut K,
    epoch: u32,
    message: &[u8; 32],
) -> Result<Signed<K::Signature>, GuardError> {
    let (verifying_key, key_id) = (key.verifying_key(), check_known(ledger, key)?);
    let request = Request { key: &key_id, position: Position::Epoch(epoch), message };
    check_passed(ledger, request, epoch, &key.prepared_interval())?;
    let reserved = ledger.reserve(request)?;
    let sign = || match key.passed_tree(epoch).map(|tree| Patience::Unlimited.compute::<K>(tree)) {
        Some(tree) => Ok(key.sign_passed(tree?.expect("it waits"), epoch, message)?),
        None => Ok(key.sign_reserved(epoch, message)?),
    };
    release::<L, K>(ledger, &verifying_key, (&request, &reserved), (epoch, message), sign)
}

/// The name of `key`, if `ledger` knows exactly it: what [`Guarded::new`] asks, which takes the key over.
///
/// # Errors
/// As [`Guarded::new`].
pub fn check_known<L: EpochLedger + ?Sized, K: EpochKey>(ledger: &L, key: &K) -> Result<KeyId, GuardError> {
    let key_id = key.key_id();
    let without_state = |error: LedgerError| match error.problem() {
        Problem::UnknownKey => LedgerError::new(Problem::NoState, error),
        _ => error,
    };
    let known = ledger.standing(&key_id).map_err(without_state)?.instance;
    // What the key does not say itself is as it was registered.
    let KeyInstance { role, mode, ordering, .. } = known;
    let instance = KeyInstance { mode, ordering, ..xmss_instance(key, &role) };
    ledger.register(&instance, &K::public_key(&key.verifying_key()), InitialState::Known)?;
    Ok(key_id)
}

/// An epoch that the key has left behind is signed only again; what else it is there is the ledger's answer.
fn check_passed<L: EpochLedger + ?Sized>(
    ledger: &L,
    request: Request<'_>,
    epoch: u32,
    prepared: &Range<u64>,
) -> Result<(), GuardError> {
    let (epoch, prepared) = (u64::from(epoch), prepared.start);
    if epoch >= prepared || ledger.look(request)? {
        return Ok(());
    }
    Err(Error::Passed { epoch, prepared }.into())
}

/// How long is waited for trees.
enum Patience {
    /// Until they are computed.
    Unlimited,
    /// Of those that keys have left behind one is computed, while nobody else computes any; none of those to come.
    OneTree(AtomicBool),
}

/// Held by who computes a tree that a key has left behind, where others do not wait for it.
static ONE_TREE: Mutex<()> = Mutex::new(());

impl Patience {
    /// The tree, computed; `None` if that would be too much.
    fn compute<K: EpochKey>(&self, mut tree: K::NextTree) -> Result<Option<K::NextTree>, Error> {
        let _one = match self {
            Self::Unlimited => None,
            Self::OneTree(is_left) => match ONE_TREE.try_lock() {
                Ok(one) if is_left.swap(false, Relaxed) => Some(one),
                _ => return Ok(None),
            },
        };
        K::compute(&mut tree, &Inline)?;
        Ok(Some(tree))
    }
}

/// What `sign` computes, if the position is reserved for it and nothing has happened since.
fn release<L: EpochLedger + ?Sized, K: EpochKey>(
    ledger: &L,
    verifying_key: &K::VerifyingKey,
    (request, reserved): (&Request<'_>, &Reserved<'_>),
    (epoch, message): (u32, &[u8; 32]),
    sign: impl FnOnce() -> Result<K::Signature, GuardError>,
) -> Result<Signed<K::Signature>, GuardError> {
    if !reserved.is_for(request) {
        return Err(Refused::Poisoned.into());
    }
    let signature = sign()?;
    // A wrong codeword that leaves would be a second one: nothing that does not verify does.
    if K::verify(verifying_key, epoch, message, &signature).is_err() {
        // The key may be quarantined already; what matters is that nothing leaves.
        let _ = ledger.quarantine(request.key, "a signature did not verify");
        return Err(GuardError::SelfCheck);
    }
    still_open(ledger)?;
    Ok(Signed { signature, repeated: reserved.is_repeat() })
}

/// Whether a signature that has been computed may leave.
pub(super) fn still_open<L: EpochLedger + ?Sized>(ledger: &L) -> Result<(), Refused> {
    match ledger.health() {
        Health::Open => Ok(()),
        Health::Forked => Err(Refused::Forked),
        Health::Fenced => Err(Refused::Fenced),
        Health::Poisoned(_) => Err(Refused::Poisoned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::MemoryLedger;
    use crate::ledger::record::KeyState;
    use phalanx_xmss::{Format, ParameterSet, hazmat};

    /// A damaged key would give what is given here: a signature of something else.
    #[test]
    fn what_does_not_verify_does_not_leave() {
        let new = || SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[1; 32], 0..32).expect("a key");
        let (ledger, mut key, mut copy) = (MemoryLedger::default(), new(), new());
        let verifying_key = key.verifying_key();
        let public_key = verifying_key.to_bytes(Format::Ssz);
        ledger.register(&xmss_instance(&key, "attester"), &public_key, InitialState::New).expect("a new key");
        let (key_id, message) = (EpochKey::key_id(&key), [1; 32]);
        let request = |epoch| Request { key: &key_id, position: Position::Epoch(epoch), message: &message };
        let mut released = |reserved: Request<'_>, signed: u32, message: &[u8; 32]| {
            let reserved = ledger.reserve(reserved).expect("a new epoch");
            let sign = || Ok(hazmat::sign_reserved(&mut key, signed, message)?);
            let asked = (&request(signed), &reserved);
            release::<_, SigningKey>(&ledger, &verifying_key, asked, (signed, &[1; 32]), sign)
        };
        assert!(released(request(3), 3, &message).is_ok());
        let other = released(request(4), 5, &message);
        assert!(matches!(other, Err(GuardError::Refused(Refused::Poisoned))), "reserved for another epoch");
        let state = || ledger.standing(&key_id).expect("it is known").state;
        assert_eq!(state(), KeyState::Active);
        let wrong = released(request(6), 6, &[2; 32]);
        assert!(matches!(wrong, Err(GuardError::SelfCheck)));
        assert_eq!(state(), KeyState::Quarantined);
        let refused = sign_through(&ledger, &mut copy, 7, &message);
        assert!(matches!(refused, Err(GuardError::Refused(Refused::Quarantined))));
    }
}
