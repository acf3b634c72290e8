//! What tests share: every backend in turn, randomness that can be repeated, and bridges between the library and the plain
//! reference.

#![allow(dead_code, reason = "every test file uses a part of its own")]

#[cfg(feature = "xmss")]
pub(crate) mod forge;
#[cfg(feature = "ligerito")]
pub(crate) mod ligerito;

use phalanx::Backend;
#[cfg(feature = "xmss")]
use phalanx::xmss::{Format, ParameterSet, Signature, VerifyingKey};
use phalanx_reference as plain;
use plain::field::P;
use plain::rng::Rng;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

/// Runs `test` with every backend of this CPU. One that the CPU lacks is reported as not run, which is a failure if the
/// variable `PHALANX_REQUIRE_BACKENDS` (names between commas) has it.
pub(crate) fn on_every_backend(mut test: impl FnMut(Backend)) {
    let required = std::env::var("PHALANX_REQUIRE_BACKENDS").unwrap_or_default();
    let mut required: Vec<&str> =
        required.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    for backend in Backend::ALL {
        let name = backend.name();
        let ran = backend.force(|| {
            let _note = OnPanic(format!("backend: {name}"));
            test(backend);
        });
        match ran {
            Ok(()) => required.retain(|wanted| *wanted != name),
            Err(_) => eprintln!("not run: {name}"),
        }
    }
    assert!(required.is_empty(), "PHALANX_REQUIRE_BACKENDS names {required:?}, not run on this machine");
}

/// Says something if the test that holds it fails.
struct OnPanic(String);

impl Drop for OnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

/// Random inputs, with edges among them. Another seed on every run; a failing test prints its own, and
/// `PHALANX_TEST_SEED` repeats it.
pub(crate) struct Random {
    rng: Rng,
    _note: OnPanic,
}

impl Random {
    /// A new stream.
    pub(crate) fn new() -> Self {
        let given = std::env::var("PHALANX_TEST_SEED").ok();
        let given = given.map(|seed| seed.parse().expect("PHALANX_TEST_SEED is a number"));
        Self::from_seed(given.unwrap_or_else(|| RandomState::new().hash_one(0)))
    }

    /// The stream of `seed`, always the same.
    pub(crate) fn from_seed(seed: u64) -> Self {
        let note = OnPanic(format!("seed: PHALANX_TEST_SEED={seed}"));
        Self { rng: Rng::seed_from_u64(seed), _note: note }
    }

    pub(crate) fn u32(&mut self) -> u32 {
        self.rng.next_u32()
    }

    pub(crate) fn u64(&mut self) -> u64 {
        u64::from(self.u32()) << 32 | u64::from(self.u32())
    }

    pub(crate) fn u8(&mut self) -> u8 {
        self.u32().to_le_bytes()[0]
    }

    /// A number of `range`.
    pub(crate) fn within(&mut self, range: Range<u64>) -> u64 {
        range.start + self.u64() % (range.end - range.start)
    }

    /// A field element: one in four is 0, 1 or `p - 1`.
    pub(crate) fn element(&mut self) -> u32 {
        match self.u32() % 12 {
            0 => 0,
            1 => 1,
            2 => P - 1,
            _ => self.u32() % P,
        }
    }

    pub(crate) fn elements(&mut self, count: usize) -> Vec<u32> {
        (0..count).map(|_| self.element()).collect()
    }

    pub(crate) fn parameter(&mut self) -> [u32; 5] {
        std::array::from_fn(|_| self.element())
    }

    /// `count` digests of `set`.
    #[cfg(feature = "xmss")]
    pub(crate) fn digests(&mut self, set: ParameterSet, count: usize) -> Vec<Vec<u32>> {
        (0..count).map(|_| self.elements(set.hash_len())).collect()
    }

    /// 32 bytes, one time in eight all equal to 0 or 255.
    pub(crate) fn bytes32(&mut self) -> [u8; 32] {
        match self.u32() % 16 {
            0 => [0; 32],
            1 => [255; 32],
            _ => std::array::from_fn(|_| self.u8()),
        }
    }

    /// An epoch below `2^32`, one time in three at a border.
    pub(crate) fn epoch(&mut self) -> u32 {
        const BORDERS: [u32; 12] =
            [0, 1, 15, 16, 255, 256, 65_535, 65_536, 1 << 24, (1 << 31) - 1, u32::MAX - 1, u32::MAX];
        match self.u32() % 3 {
            0 => BORDERS[usize::from(self.u8()) % BORDERS.len()],
            _ => self.u32(),
        }
    }
}

/// Batch lengths around the edges of engines with 1, 8 and 16 lanes: 0, 1, lanes - 1, lanes, lanes + 1, two batches and
/// a tail.
pub(crate) const LENGTHS: [usize; 11] = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 35];

/// The longest of [`LENGTHS`].
pub(crate) const LONGEST: usize = 35;

/// The reference's description of `set`.
#[cfg(feature = "xmss")]
pub(crate) fn params(set: ParameterSet) -> &'static plain::Params {
    plain::params::by_name(set.name()).expect("the reference knows every set")
}

/// The library's form of a key of the reference, under any label of the right shape.
#[cfg(feature = "xmss")]
pub(crate) fn verifying_key(set: ParameterSet, key: &plain::PublicKey) -> VerifyingKey {
    let bytes = plain::wire::encode_public_key(plain::wire::Format::Ssz, key);
    VerifyingKey::from_bytes(set, Format::Ssz, &bytes).expect("well formed")
}

/// The library's form of a signature of the reference.
#[cfg(feature = "xmss")]
pub(crate) fn signature(set: ParameterSet, signature: &plain::Signature) -> Signature {
    let bytes = plain::wire::encode_signature(plain::wire::Format::Ssz, signature);
    Signature::from_bytes(set, Format::Ssz, &bytes).expect("well formed")
}

/// The parameter and the PRF key that key generation draws from `seed`, by the reference.
pub(crate) fn secrets_of_seed(seed: &[u8; 32]) -> (Vec<u32>, [u8; 32]) {
    let mut rng = Rng::from_seed(seed);
    (rng.elements(5), rng.bytes32())
}
