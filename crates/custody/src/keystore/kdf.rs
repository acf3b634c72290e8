//! From the password to the key of the cipher: argon2id, scrypt, pbkdf2, with bounds on their costs.
//!
//! Source: specification, section 2.2. All bounds are checked when a file is read, before any memory is taken.

use super::error::{Error, Verdict, malformed, refused};
use super::fields::{bytes, integer, object, text};
use super::password::Password;
use crate::json::{Object, Value};
use sha2::Sha256;
use std::sync::{Mutex, PoisonError};
use zeroize::Zeroizing;

/// Bytes that a derivation gives: the key of the cipher.
pub(super) const KEY_BYTES: usize = 32;

/// The derived key, wiped on drop.
pub(super) type DerivedKey = Zeroizing<Vec<u8>>;

/// A derivation whose costs are within the bounds.
pub(super) struct Kdf {
    cost: Cost,
    salt: Vec<u8>,
}

/// What one derivation costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cost {
    /// Argon2id, version 0x13 (RFC 9106): KiB of memory, passes, lanes.
    Argon2id { m: u32, t: u32, p: u32 },
    /// scrypt (RFC 7914): log2 of `n`, block size, parallelism.
    Scrypt { log2_n: u8, r: u32, p: u32 },
    /// PBKDF2 with HMAC-SHA-256: rounds.
    Pbkdf2 { c: u32 },
}

impl Cost {
    /// Memory in bytes that a derivation needs.
    fn memory_bytes(self) -> u64 {
        match self {
            Self::Argon2id { m, .. } => u64::from(m) << 10,
            Self::Scrypt { log2_n, r, .. } => (128 * u64::from(r)) << log2_n,
            Self::Pbkdf2 { .. } => 0,
        }
    }

    /// Whether guessing passwords is cheaper than the floor allows.
    fn is_weak(self) -> bool {
        match self {
            Self::Argon2id { m, t, .. } => m < 65_536 || t < 3,
            Self::Scrypt { .. } => self.memory_bytes() < 1 << 27,
            Self::Pbkdf2 { c } => c < 600_000,
        }
    }

    /// The costs that the members of `crypto.kdf.params` say.
    fn read(function: &str, params: &Object) -> Result<Self, Error> {
        match function {
            "argon2id" => {
                let [m, t, p] =
                    [integer(params, "m")?, integer(params, "t")?, integer(params, "p")?].map(u128::from);
                if t < 1 || p < 1 || m < 8 * p {
                    return Err(malformed("argon2id: t and p are at least 1, m at least 8 p"));
                }
                let fits = m <= 1 << 21 && t <= 64 && p <= 16 && m * t <= 1 << 24;
                let [m, t, p] = within(fits, [m, t, p], "argon2id costs too much")?;
                Ok(Self::Argon2id { m, t, p })
            }
            "scrypt" => {
                let n = integer(params, "n")?;
                let [r, p] = [integer(params, "r")?, integer(params, "p")?].map(u128::from);
                if n < 2 || !n.is_power_of_two() || r < 1 || p < 1 {
                    return Err(malformed("scrypt: n is a power of two from 2 on, r and p at least 1"));
                }
                // Integers have 53 bits at most: two of them and 128 do not overflow, and a third comes after the bounds.
                let memory = 128 * u128::from(n) * r;
                let fits = memory <= 1 << 31 && r <= 32 && p <= 16 && memory * p <= 1 << 32;
                let [r, p] = within(fits, [r, p], "scrypt costs too much")?;
                let log2_n = u8::try_from(n.trailing_zeros()).expect("at most 53");
                Ok(Self::Scrypt { log2_n, r, p })
            }
            "pbkdf2" => {
                if text(params, "prf")? != "hmac-sha256" {
                    return Err(refused(Verdict::UnsupportedFunction, "prf of pbkdf2"));
                }
                let c = u128::from(integer(params, "c")?);
                if c < 1 {
                    return Err(malformed("pbkdf2: c is at least 1"));
                }
                let [c] = within(c <= 1 << 26, [c], "pbkdf2 costs too much")?;
                Ok(Self::Pbkdf2 { c })
            }
            _ => Err(refused(Verdict::UnsupportedFunction, "crypto.kdf.function")),
        }
    }
}

/// The numbers, if they are within the bounds; then they have 32 bits at most.
fn within<const N: usize>(fits: bool, numbers: [u128; N], what: &'static str) -> Result<[u32; N], Error> {
    if !fits {
        return Err(refused(Verdict::KdfBounds, what));
    }
    Ok(numbers.map(|number| u32::try_from(number).expect("bounded above")))
}

impl Kdf {
    /// The derivation that the object `crypto.kdf` describes, whose form has been checked.
    pub(super) fn read(kdf: &Object) -> Result<Self, Error> {
        let (function, params) = (text(kdf, "function")?, object(kdf, "params")?);
        let cost = Cost::read(function, params);
        // An unknown function says more than what is wrong with its members, and these more than the costs.
        if let Err(error @ Error::Refused { verdict: Verdict::UnsupportedFunction, .. }) = cost {
            return Err(error);
        }
        let salt = bytes(params, "salt")?;
        if !(16..=64).contains(&salt.len()) {
            return Err(malformed("salt: 16 to 64 bytes"));
        }
        let may_lack_length = function == "argon2id";
        match params.get("dklen").map(Value::as_integer) {
            None if may_lack_length => {}
            Some(Some(32)) => {}
            _ => return Err(malformed("dklen: 32")),
        }
        Ok(Self { cost: cost?, salt })
    }

    /// A derivation with a salt that was drawn for it.
    pub(super) fn new(cost: Cost, salt: [u8; 32]) -> Self {
        Self { cost, salt: salt.to_vec() }
    }

    /// The object `crypto.kdf`.
    pub(super) fn to_json(&self) -> Value {
        let salt = ("salt", Value::text(hex::encode(&self.salt)));
        let number = |number: u32| Value::Integer(number.into());
        let dklen = ("dklen", Value::Integer(32));
        let (function, params) = match self.cost {
            Cost::Argon2id { m, t, p } => (
                "argon2id",
                Value::object([dklen, ("m", number(m)), ("t", number(t)), ("p", number(p)), salt]),
            ),
            Cost::Scrypt { log2_n, r, p } => (
                "scrypt",
                Value::object([
                    dklen,
                    ("n", Value::Integer(1 << log2_n)),
                    ("r", number(r)),
                    ("p", number(p)),
                    salt,
                ]),
            ),
            Cost::Pbkdf2 { c } => (
                "pbkdf2",
                Value::object([dklen, ("c", number(c)), ("prf", Value::text("hmac-sha256")), salt]),
            ),
        };
        Value::object([("function", Value::text(function)), ("params", params), ("message", Value::text(""))])
    }

    /// Whether guessing passwords is cheaper than the floor allows.
    pub(super) fn is_weak(&self) -> bool {
        self.cost.is_weak()
    }

    /// The key that `password` gives. One derivation runs at a time in a process: each may take much memory.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(super) fn derive(&self, password: &Password) -> Result<DerivedKey, Error> {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let mut key = Zeroizing::new(vec![0; KEY_BYTES]);
        let (password, salt) = (password.expose(), self.salt.as_slice());
        let out_of_memory = Error::OutOfMemory { bytes: self.cost.memory_bytes() };
        match self.cost {
            Cost::Argon2id { m, t, p } => {
                let params = argon2::Params::new(m, t, p, Some(KEY_BYTES)).expect("checked when it was read");
                argon2::Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params)
                    .hash_password_into(password, salt, &mut key)
                    // Lengths and costs are those that it takes: what is left is memory.
                    .map_err(|_| out_of_memory)?;
            }
            Cost::Scrypt { log2_n, r, p } => {
                let params = scrypt::Params::new(log2_n, r, p).expect("checked when it was read");
                // scrypt ends the process where there is no memory: asked for here, where it is an answer.
                let bytes = usize::try_from(self.cost.memory_bytes()).map_err(|_| out_of_memory)?;
                Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| out_of_memory)?;
                scrypt::scrypt(password, salt, &params, &mut key)
                    .expect("32 bytes are a length that it gives");
            }
            Cost::Pbkdf2 { c } => pbkdf2::pbkdf2_hmac::<Sha256>(password, salt, c, &mut key),
        }
        Ok(key)
    }
}
