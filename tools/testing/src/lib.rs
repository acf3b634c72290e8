//! What the tests of the crates share: every backend in turn, randomness that can be repeated, programs of others,
//! a PostgreSQL, an allocator that counts, and patience.

pub mod memory;
#[cfg(unix)]
pub mod postgres;
pub mod programs;
pub mod times;

use phalanx_core::Backend;
use phalanx_core::simd::Isa;
use phalanx_reference::field::P;
use phalanx_reference::rng::Rng;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Where tests make their folders: in memory where there is such a place. What a flush costs is not what they test.
#[must_use]
pub fn place() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let place = if memory.is_dir() { memory } else { std::env::temp_dir() };
    place.canonicalize().expect("a place for files")
}

/// The file or folder `path` of `vectors/`.
#[must_use]
pub fn vectors(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(path)
}

/// Set where programs of tests run again with a backend forced: what tries every backend by itself did so before.
const AGAIN: &str = "PHALANX_TESTS_AGAIN";

/// Set where one backend is forced and no other is of interest, as in emulation.
const ALONE: &str = "PHALANX_TESTS_ONE_BACKEND";

/// The backends of this CPU, the portable one first, for a test that tries them all; those that it lacks are named. Only
/// the forced one if `PHALANX_TESTS_AGAIN` or `PHALANX_TESTS_ONE_BACKEND` is set.
#[must_use]
pub fn backends() -> Vec<Backend> {
    if [AGAIN, ALONE].into_iter().any(|variable| std::env::var_os(variable).is_some()) {
        return vec![Backend::current()];
    }
    let (here, absent): (Vec<_>, Vec<_>) =
        Backend::ALL.into_iter().partition(|backend| backend.is_available());
    absent.iter().for_each(|backend| eprintln!("not run: {}", backend.name()));
    here
}

/// The instruction sets of [`backends`].
pub fn isas() -> impl Iterator<Item = Isa> {
    backends().into_iter().filter_map(Isa::of)
}

/// Whether `PHALANX_TESTS_AGAIN` is set. Then a test has nothing to do that tries every backend by itself, or that no backend has
/// to do with.
#[must_use]
pub fn again() -> bool {
    let again = std::env::var_os(AGAIN).is_some();
    if again {
        eprintln!("not run again: the forced backend is nothing new to it");
    }
    again
}

/// Runs `test` with every backend of [`backends`]. One that the CPU lacks is a failure if the variable
/// `PHALANX_REQUIRE_BACKENDS` (names between commas) has it.
///
/// Does nothing if `PHALANX_TESTS_AGAIN` is set, as `cargo xtask test --all` does for its second rounds.
pub fn on_every_backend(mut test: impl FnMut(Backend)) {
    if again() {
        return;
    }
    let required = std::env::var("PHALANX_REQUIRE_BACKENDS").unwrap_or_default();
    let mut required: Vec<&str> =
        required.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    for backend in backends() {
        let name = backend.name();
        let _note = OnPanic(format!("backend: {name}"));
        backend.force(|| test(backend)).expect("available");
        required.retain(|wanted| *wanted != name);
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
pub struct Random {
    state: u64,
    _note: Option<OnPanic>,
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}

impl Random {
    /// A new stream.
    pub fn new() -> Self {
        let given = std::env::var("PHALANX_TEST_SEED").ok();
        let given = given.map(|seed| seed.parse().expect("PHALANX_TEST_SEED is a number"));
        let seed = given.unwrap_or_else(|| RandomState::new().hash_one(0));
        Self { _note: Some(OnPanic(format!("seed: PHALANX_TEST_SEED={seed}"))), ..Self::from_seed(seed) }
    }

    /// The stream of `seed`, always the same.
    pub fn from_seed(seed: u64) -> Self {
        Self { state: seed, _note: None }
    }

    /// Any 64 bits: splitmix64 (Steele, Lea and Flood, 2014).
    pub fn u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Any 32 bits.
    pub fn u32(&mut self) -> u32 {
        u32::try_from(self.u64() >> 32).expect("32 bits")
    }

    /// Any byte.
    pub fn u8(&mut self) -> u8 {
        self.u64().to_le_bytes()[0]
    }

    /// A number of `range`.
    pub fn within(&mut self, range: Range<u64>) -> u64 {
        range.start + self.u64() % (range.end - range.start)
    }

    /// A place below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.u64() % end as u64).expect("below a usize")
    }

    /// One of `items`, if there is one.
    pub fn choice<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())].clone()) }
    }

    /// Any bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.u8()).collect()
    }

    /// A field element: one in four is 0, 1 or `p - 1`.
    pub fn element(&mut self) -> u32 {
        match self.u32() % 12 {
            0 => 0,
            1 => 1,
            2 => P - 1,
            _ => self.u32() % P,
        }
    }

    /// `count` field elements.
    pub fn elements(&mut self, count: usize) -> Vec<u32> {
        (0..count).map(|_| self.element()).collect()
    }

    /// A public parameter of XMSS.
    pub fn parameter(&mut self) -> [u32; 5] {
        std::array::from_fn(|_| self.element())
    }

    /// 32 bytes, one time in eight all equal to 0 or 255.
    pub fn bytes32(&mut self) -> [u8; 32] {
        match self.u32() % 16 {
            0 => [0; 32],
            1 => [255; 32],
            _ => std::array::from_fn(|_| self.u8()),
        }
    }

    /// An epoch below `2^32`, one time in three at a border.
    pub fn epoch(&mut self) -> u32 {
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
pub const LENGTHS: [usize; 11] = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 35];

/// The longest of [`LENGTHS`].
pub const LONGEST: usize = 35;

/// The parameter and the PRF key that key generation draws from `seed`, by the reference.
pub fn secrets_of_seed(seed: &[u8; 32]) -> (Vec<u32>, [u8; 32]) {
    let mut rng = Rng::from_seed(seed);
    (rng.elements(5), rng.bytes32())
}
