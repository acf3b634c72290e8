//! Ligerito's verifier, of both suites: a valid statement with some bytes changed, or any bytes in place of its proof. Every backend gives
//! the same verdict, nothing panics, and only the unchanged statement is believed.
//!
//! Input: which statement, claims to leave out, by how much the proof is longer or shorter (two bytes); then pairs of a
//! position (two bytes) and a byte to exclusive-or there, over commitment, points, values, context and proof. If the first
//! byte is 128 or more, what follows is the proof itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::ligerito::{
    self, Error, EvaluationClaim, Gf128, Level, PresetOf, ProofError, ProverData, Shape, provable128,
};
use phalanx::{Backend, Inline, Pool};
use std::sync::OnceLock;

/// A valid statement as bytes: commitment, points, values, context, proof.
struct Statement {
    shape: Shape,
    registered: bool,
    claims: usize,
    bytes: Vec<u8>,
    proof_at: usize,
    verify: Verify,
}

/// The verdict about the statement in these bytes, without its last claims. `None` if there is no commitment in them.
type Verify = fn(&Statement, &[u8], usize) -> Option<Result<(), ProofError>>;

const CONTEXT: &[u8] = b"what this proof is for";
const COMMITMENT_LEN_BYTES: usize = 34;

/// What the two suites have under the same names.
trait Suite: PresetOf {
    const ALL: &'static [Self];
    const ELEMENT_LEN_BYTES: usize;

    fn shape(self, variables: u8) -> Shape;
    fn element(bytes: &[u8]) -> Self::Challenge;
    fn bytes(element: Self::Challenge) -> Vec<u8>;
    fn test_shape(variables: u8, levels: Vec<Level>) -> Result<Shape, Error>;
    fn commit<'a>(
        pool: &dyn Pool,
        shape: Shape,
        f: &'a [u32],
    ) -> Result<ProverData<'a, Self::Challenge>, Error>;
    fn commit_registered(self, f: &[u32]) -> Result<ProverData<'_, Self::Challenge>, Error>;
    fn wire(self, variables: u8, root: [u8; 32]) -> [u8; 34];
    fn verify(
        registered: bool,
        shape: &Shape,
        commitment: &[u8],
        claims: &[EvaluationClaim<'_, Self::Challenge>],
        proof: &[u8],
        context: &[u8],
    ) -> Option<Result<(), ProofError>>;
}

macro_rules! suite {
    ($module:ident, $len:expr, $of_bytes:expr, $to_bytes:expr) => {
        impl Suite for $module::Preset {
            const ALL: &'static [Self] = &$module::Preset::ALL;
            const ELEMENT_LEN_BYTES: usize = $len;

            fn shape(self, variables: u8) -> Shape {
                self.shape(variables).expect("registered")
            }

            fn element(bytes: &[u8]) -> Self::Challenge {
                $of_bytes(bytes.try_into().expect("as many as an element has"))
            }

            fn bytes(element: Self::Challenge) -> Vec<u8> {
                $to_bytes(element).to_vec()
            }

            fn test_shape(variables: u8, levels: Vec<Level>) -> Result<Shape, Error> {
                $module::hazmat::TestShape::new(variables, levels).map(|test| test.shape().clone())
            }

            fn commit<'a>(
                pool: &dyn Pool,
                shape: Shape,
                f: &'a [u32],
            ) -> Result<ProverData<'a, Self::Challenge>, Error> {
                let test = $module::hazmat::TestShape::new(shape.variables(), shape.levels().to_vec())?;
                test.commit_on(pool, f)
            }

            fn commit_registered(self, f: &[u32]) -> Result<ProverData<'_, Self::Challenge>, Error> {
                $module::commit(self, f).map(|(_, data)| data)
            }

            fn wire(self, variables: u8, root: [u8; 32]) -> [u8; 34] {
                $module::Commitment::new(self, variables, root).to_bytes()
            }

            fn verify(
                registered: bool,
                shape: &Shape,
                commitment: &[u8],
                claims: &[EvaluationClaim<'_, Self::Challenge>],
                proof: &[u8],
                context: &[u8],
            ) -> Option<Result<(), ProofError>> {
                let commitment = $module::Commitment::from_bytes(commitment).ok()?;
                Some(if registered {
                    let accepted = $module::Accepted::up_to(&$module::Preset::ALL, 30);
                    $module::verify(&accepted, &commitment, claims, proof, context)
                } else {
                    let test = $module::hazmat::TestShape::new(shape.variables(), shape.levels().to_vec());
                    let test = test.expect("a test shape");
                    test.verify($module::hazmat::SUITE, commitment.root(), claims, proof, context)
                })
            }
        }
    };
}

suite!(ligerito, 16, |bytes| Gf128(u128::from_le_bytes(bytes)), |element: Gf128| element.0.to_le_bytes());
suite!(provable128, 24, provable128::Gf192::from_le_bytes, provable128::Gf192::to_le_bytes);

impl Statement {
    fn new<P: Suite>(profile: Option<P>, shape: Shape, claims: usize) -> Self {
        let variables = usize::from(shape.variables());
        let f: Vec<u32> = (0..1u32 << variables).map(|x| x.wrapping_mul(0x9e37_79b9) ^ x >> 3).collect();
        let coordinate = |i: usize, j: usize| {
            let mut bytes = (0x1234_5678_9abc_def1u128 << (7 * i + 3 * j)).to_le_bytes().to_vec();
            bytes.resize(P::ELEMENT_LEN_BYTES, 0xa5);
            P::element(&bytes)
        };
        let point = |i: usize| (0..variables).map(|j| coordinate(i, j)).collect();
        let points: Vec<Vec<P::Challenge>> = (0..claims).map(point).collect();
        let borrowed: Vec<&[P::Challenge]> = points.iter().map(|point| &**point).collect();
        let (root, opening) = match profile {
            Some(profile) => {
                let data = profile.commit_registered(&f).expect("registered");
                (data.root(), data.open(&borrowed, CONTEXT))
            }
            None => {
                let data = P::commit(&Inline, shape.clone(), &f).expect("a length of the shape");
                (data.root(), data.open(&borrowed, CONTEXT))
            }
        };
        let opening = opening.expect("points of the shape");
        let mut bytes = profile.unwrap_or(P::ALL[0]).wire(shape.variables(), root).to_vec();
        let elements = points.iter().flatten().chain(&opening.values);
        elements.for_each(|element| bytes.extend(P::bytes(*element)));
        bytes.extend(CONTEXT);
        let proof_at = bytes.len();
        bytes.extend(opening.proof);
        Self { shape, registered: profile.is_some(), claims, bytes, proof_at, verify: Self::verify::<P> }
    }

    fn verify<P: Suite>(&self, bytes: &[u8], left_out: usize) -> Option<Result<(), ProofError>> {
        let (commitment, rest) = bytes.split_at(COMMITMENT_LEN_BYTES);
        let (statement, proof) = rest.split_at(self.proof_at - COMMITMENT_LEN_BYTES);
        let (elements, context) = statement.split_at(statement.len() - CONTEXT.len());
        let elements: Vec<P::Challenge> =
            elements.chunks_exact(P::ELEMENT_LEN_BYTES).map(P::element).collect();
        let (points, values) = elements.split_at(elements.len() - self.claims);
        let points = points.chunks_exact(usize::from(self.shape.variables()));
        let mut claims: Vec<_> =
            points.zip(values).map(|(point, &value)| EvaluationClaim { point, value }).collect();
        claims.truncate(self.claims - left_out);
        P::verify(self.registered, &self.shape, commitment, &claims, proof, context)
    }
}

/// Registered shapes, and shapes for tests of one, two and three levels in which no change is lucky.
fn statements() -> Vec<Statement> {
    let mut statements = of_suite::<ligerito::Preset>();
    statements.extend(of_suite::<provable128::Preset>());
    statements
}

fn of_suite<P: Suite>() -> Vec<Statement> {
    let level = |&(d, k, r, queries, grinding_bits): &(u8, u8, u8, u16, u8)| Level {
        log2_message: d,
        log2_columns: k,
        log2_inverse_rate: r,
        queries,
        grinding_bits,
    };
    let registered =
        |(&profile, claims): (&P, usize)| Statement::new(Some(profile), profile.shape(10), claims);
    let mut statements: Vec<_> = P::ALL.iter().zip(1..).map(registered).collect();
    let shapes: [&[(u8, u8, u8, u16, u8)]; 3] = [
        &[(6, 3, 2, 10, 0)],
        &[(6, 2, 2, 8, 3), (4, 2, 3, 8, 0)],
        &[(5, 2, 3, 8, 0), (4, 1, 3, 8, 2), (3, 1, 4, 8, 0)],
    ];
    for (levels, claims) in shapes.iter().zip([1, 2, 3]) {
        let levels: Vec<_> = levels.iter().map(level).collect();
        let variables = levels[0].log2_message + levels[0].log2_columns;
        let shape = P::test_shape(variables, levels).expect("within the rules");
        statements.push(Statement::new::<P>(None, shape, claims));
    }
    statements
}

fuzz_target!(|input: &[u8]| {
    static STATEMENTS: OnceLock<Vec<Statement>> = OnceLock::new();
    let statements = STATEMENTS.get_or_init(statements);
    let [which, rest @ ..] = input else { return };
    let statement = &statements[usize::from(which % 128) % statements.len()];
    let mut bytes = statement.bytes.clone();
    let mut left_out = 0;
    if *which >= 128 {
        bytes.truncate(statement.proof_at);
        bytes.extend(rest);
    } else {
        let [fewer, low, high, changes @ ..] = rest else { return };
        left_out = usize::from(*fewer) % (statement.claims + 1);
        let proof_len = bytes.len() - statement.proof_at;
        let len = proof_len.saturating_add_signed(i16::from_le_bytes([*low, *high]).into());
        bytes.resize(statement.proof_at + len, 0);
        for change in changes.chunks_exact(3) {
            let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
            bytes[at] ^= change[2];
        }
    }

    // Neither profile nor size are in the transcript of a test shape, nor in any other part of its statement.
    let differs = |from: usize| bytes[from..] != statement.bytes[from..] || left_out > 0;
    let wanted = !differs(if statement.registered { 0 } else { 2 });
    let portable =
        Backend::Portable.force(|| (statement.verify)(statement, &bytes, left_out)).expect("always there");
    let Some(verdict) = portable else { return };
    assert_eq!(verdict.is_ok(), wanted, "{verdict:?}");
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        let got = backend.force(|| (statement.verify)(statement, &bytes, left_out)).expect("available");
        assert_eq!(got, Some(verdict), "{}", backend.name());
    }
});
