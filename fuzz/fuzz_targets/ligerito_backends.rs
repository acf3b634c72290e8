//! Ligerito's prover on every backend, with and without threads, against the portable one: the same root, values and proof,
//! for any small shape, polynomial, points and context; and the verifier believes it on every backend.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::ligerito::hazmat::TestShape;
use phalanx::ligerito::{EvaluationClaim, Gf128, Level, Opening, hazmat};
use phalanx::{Backend, Inline, Pool, Threads};

/// An endless supply of words: the input over and over, each round changed a little.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Words<'_> {
    fn byte(&mut self) -> u8 {
        let (round, index) = (self.at / self.bytes.len(), self.at % self.bytes.len());
        self.at += 1;
        self.bytes[index].wrapping_add((round % 251) as u8)
    }

    /// A number from 1 to `most`.
    fn up_to(&mut self, most: u8) -> u8 {
        1 + self.byte() % most
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    fn element(&mut self) -> Gf128 {
        Gf128(u128::from_le_bytes(std::array::from_fn(|_| self.byte())))
    }

    /// One to four levels and at most ten variables. Most codes are short, because a fuzzer wants many runs.
    fn shape(&mut self) -> TestShape {
        let longest = if self.byte() % 16 == 0 { 12 } else { 9 };
        let mut levels = Vec::new();
        let mut d = self.up_to(3);
        for _ in 0..self.up_to(4) {
            let k = self.up_to(if d > 4 { 1 } else { 3 });
            let r = self.up_to((longest - d.min(longest - 1)).min(8));
            let queries = 1 + u16::from(self.byte()) % (1 << (d + r - 1)).min(100);
            let grinding_bits = self.byte() % 4;
            levels.insert(
                0,
                Level { log2_message: d, log2_columns: k, log2_inverse_rate: r, queries, grinding_bits },
            );
            d += k;
        }
        TestShape::new(d, levels).expect("within the rules")
    }
}

struct Statement {
    shape: TestShape,
    polynomial: Vec<u32>,
    points: Vec<Vec<Gf128>>,
    context: Vec<u8>,
}

impl Statement {
    fn open(&self, pool: &dyn Pool) -> ([u8; 32], Opening) {
        let points: Vec<&[Gf128]> = self.points.iter().map(|point| &**point).collect();
        let data = self.shape.commit_on(pool, &self.polynomial).expect("a length of the shape");
        (data.root(), data.open_on(pool, &points, &self.context).expect("points of the shape"))
    }
}

fuzz_target!(|bytes: &[u8]| {
    if bytes.is_empty() {
        return;
    }
    let words = &mut Words { bytes, at: 0 };
    let shape = words.shape();
    let variables = shape.shape().variables();
    let statement = Statement {
        points: (0..words.up_to(3)).map(|_| (0..variables).map(|_| words.element()).collect()).collect(),
        context: (0..words.byte()).map(|_| words.byte()).collect(),
        polynomial: (0..1 << variables).map(|_| words.word()).collect(),
        shape,
    };
    let (root, wanted) = Backend::Portable.force(|| statement.open(&Inline)).expect("always there");
    let claims: Vec<_> = statement
        .points
        .iter()
        .zip(&wanted.values)
        .map(|(point, &value)| EvaluationClaim { point, value })
        .collect();
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        for pool in [&Inline as &dyn Pool, &Threads::new(2)] {
            let got = backend.force(|| statement.open(pool)).expect("available");
            assert!(got == (root, wanted.clone()), "{} differs from portable", backend.name());
        }
        let verdict = backend
            .force(|| {
                let Statement { shape, context, .. } = &statement;
                shape.verify(hazmat::SUITE, &root, &claims, &wanted.proof, context)
            })
            .expect("available");
        assert_eq!(verdict, Ok(()), "{}", backend.name());
    }
});
