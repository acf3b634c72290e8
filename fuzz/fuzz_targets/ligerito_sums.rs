//! Openings `ligerito-v2`, of all three suites: points, tensors, described weights and planes of one commitment and of several, by
//! themselves, read from a caller's proof, and bridged. A valid statement with some bytes changed, or any bytes in place of its proof. Every backend gives the
//! same verdict, nothing panics, and only the unchanged statement is believed.
//!
//! Input: which statement, what to leave out of it, by how much the proof is longer or shorter (two bytes); then pairs of a
//! position (two bytes) and a byte to exclusive-or there, over commitments, claims, context and proof. If the first byte is
//! 128 or more, what follows is the proof itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::Backend;
use phalanx::ligerito::{
    self, DescribedClaim, EvaluationClaim, Gf128, Opening, PLANES, PlanesClaim, PresetOf, ProofError,
    ProofReader, ProofWriter, ProverData, PublicWeight, SumClaim, Tensor, TensorsClaim, Transcript, Weight,
    johnson128, provable128,
};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Of all polynomials.
const VARIABLES: usize = 10;
const CONTEXT: &[u8; 32] = b"what this proof of sums is for..";
/// What the caller's protocol sends after the opening, in elements.
const TRAILER: usize = 2;

/// What is claimed of one of the commitments.
#[derive(Clone, Copy)]
enum Kind {
    Point,
    /// A sum of so many tensors.
    Tensors(usize),
    /// A function of degree 1, [`Line`].
    Described,
    Planes,
}

impl Kind {
    /// Elements of the claim: what it is about, and its values.
    fn elements(self) -> usize {
        match self {
            Self::Point => VARIABLES + 1,
            Self::Tensors(count) => count * (1 + 2 * VARIABLES) + 1,
            Self::Described => VARIABLES + 1 + 1,
            Self::Planes => VARIABLES + PLANES,
        }
    }
}

/// How the proof is read.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// By the door for one commitment, ...
    Sums,
    /// ... and by that for several.
    Alone,
    Bridged,
    /// Commitments come in the proof, and elements after the opening.
    Read,
}

/// A valid statement as bytes: commitments, elements of the claims, context, proof.
struct Statement {
    mode: Mode,
    commitments: usize,
    claims: Vec<(usize, Kind)>,
    bytes: Vec<u8>,
    commitments_len_bytes: usize,
    context_at: usize,
    /// Of what comes after the opening: no check of the protocol is about it, so it may be anything.
    trailer_len_bytes: usize,
    verify: Verify,
}

/// The verdict about the statement in these bytes. `None` if there are no commitments in them.
type Verify = fn(&Statement, &[u8], usize) -> Option<Result<(), ProofError>>;

type Claims<'a, S> = [(usize, SumClaim<'a, <S as PresetOf>::Challenge>)];

/// What the suites have under the same names.
trait Suite: PresetOf<Challenge: Copy + Send + Sync> + Copy + Send + Sync + 'static {
    const ELEMENT_LEN_BYTES: usize;
    const COMMITMENT_LEN_BYTES: usize;

    fn first() -> Self;
    fn element(bytes: &[u8]) -> Self::Challenge;
    fn bytes(element: Self::Challenge) -> Vec<u8>;
    /// a_0 + the sum of a_(j + 1) z_j.
    fn line(a: &[Self::Challenge], z: &[Self::Challenge]) -> Self::Challenge;
    fn commit(f: &[u32]) -> (Vec<u8>, ProverData<'_, Self::Challenge>);
    fn send(writer: &mut ProofWriter<Self::Challenge>, commitment: &[u8]);
    fn open(
        mode: Mode,
        commitments: &[Vec<u8>],
        data: &[&ProverData<'_, Self::Challenge>],
        weights: &[(usize, Weight<'_, Self::Challenge>)],
    ) -> (Opening<Self::Challenge>, Vec<u8>);
    fn verify(
        mode: Mode,
        commitments: &[&[u8]],
        claims: &Claims<'_, Self>,
        context: &[u8; 32],
        proof: &[u8],
    ) -> Option<Result<(), ProofError>>;
}

macro_rules! suite {
    ($module:ident, $len:expr, $of_bytes:expr, $to_bytes:expr) => {
        impl Suite for $module::Preset {
            const ELEMENT_LEN_BYTES: usize = $len;
            const COMMITMENT_LEN_BYTES: usize = $module::Commitment::LEN_BYTES;

            fn first() -> Self {
                Self::Balanced
            }

            fn element(bytes: &[u8]) -> Self::Challenge {
                $of_bytes(bytes.try_into().expect("as many as an element has"))
            }

            fn bytes(element: Self::Challenge) -> Vec<u8> {
                $to_bytes(element).to_vec()
            }

            fn line(a: &[Self::Challenge], z: &[Self::Challenge]) -> Self::Challenge {
                a[1..].iter().zip(z).fold(a[0], |sum, (a, z)| sum + *a * *z)
            }

            fn commit(f: &[u32]) -> (Vec<u8>, ProverData<'_, Self::Challenge>) {
                let (commitment, data) = $module::commit(Self::first(), f).expect("registered");
                (commitment.to_bytes().to_vec(), data)
            }

            fn send(writer: &mut ProofWriter<Self::Challenge>, commitment: &[u8]) {
                writer.send_commitment(&$module::Commitment::from_bytes(commitment).expect("one of ours"));
            }

            fn open(
                mode: Mode,
                commitments: &[Vec<u8>],
                data: &[&ProverData<'_, Self::Challenge>],
                weights: &[(usize, Weight<'_, Self::Challenge>)],
            ) -> (Opening<Self::Challenge>, Vec<u8>) {
                if matches!(mode, Mode::Sums | Mode::Bridged) {
                    let weights: Vec<_> = weights.iter().map(|(_, weight)| *weight).collect();
                    let opening = if mode == Mode::Sums {
                        data[0].open_sums(&weights, CONTEXT)
                    } else {
                        data[0].open_sums_bridged(&weights, CONTEXT).map(|(opening, _)| opening)
                    };
                    let opening = opening.expect("weights of it");
                    let proof = opening.proof.clone();
                    return (opening, proof);
                }
                let opening = ProverData::open_together(data, weights, CONTEXT).expect("weights of them");
                let alone = opening.proof.clone();
                if mode == Mode::Alone {
                    return (opening, alone);
                }
                let mut writer = ProofWriter::new(Transcript::new("fuzz", b"a statement"));
                commitments.iter().for_each(|one| Self::send(&mut writer, one));
                let _: Self::Challenge = writer.transcript().challenge("drawn");
                ProverData::open_together_in(data, &mut writer, weights, CONTEXT).expect("bound before");
                writer.send("trailer", &opening.values[..1].repeat(TRAILER));
                (opening, writer.finish().0)
            }

            fn verify(
                mode: Mode,
                commitments: &[&[u8]],
                claims: &Claims<'_, Self>,
                context: &[u8; 32],
                proof: &[u8],
            ) -> Option<Result<(), ProofError>> {
                let accepted = $module::Accepted::up_to(&$module::Preset::ALL, 30);
                let commitments = commitments.iter().map(|bytes| $module::Commitment::from_bytes(bytes).ok());
                let mut commitments = commitments.collect::<Option<Vec<_>>>()?;
                Some(match mode {
                    Mode::Alone => $module::verify_together(&accepted, &commitments, claims, proof, context),
                    Mode::Sums => {
                        let claims: Vec<_> = claims.iter().map(|(_, claim)| *claim).collect();
                        $module::verify_sums(&accepted, &commitments[0], &claims, proof, context)
                    }
                    Mode::Bridged => {
                        let claims: Vec<_> = claims.iter().map(|(_, claim)| *claim).collect();
                        let verdict =
                            $module::verify_sums_bridged(&accepted, &commitments[0], &claims, proof, context);
                        verdict.map(|_| ())
                    }
                    Mode::Read => (|| {
                        let transcript = Transcript::new("fuzz", b"a statement");
                        let mut reader = ProofReader::new(transcript, proof);
                        for commitment in &mut commitments {
                            *commitment = reader.receive_commitment(&accepted)?;
                        }
                        let _: Self::Challenge = reader.transcript().challenge("drawn");
                        let mut reader =
                            $module::verify_together_in(reader, &accepted, &commitments, claims, context)?;
                        reader.receive("trailer", TRAILER)?;
                        reader.finish().map(|_| ())
                    })(),
                })
            }
        }
    };
}

suite!(ligerito, 16, |bytes| Gf128(u128::from_le_bytes(bytes)), |element: Gf128| element.0.to_le_bytes());
suite!(provable128, 24, provable128::Gf192::from_le_bytes, provable128::Gf192::to_le_bytes);
suite!(johnson128, 24, provable128::Gf192::from_le_bytes, provable128::Gf192::to_le_bytes);

/// A weight of degree 1, whose elements are its description.
struct Line<S: Suite>(Vec<S::Challenge>);

impl<S: Suite> PublicWeight<S::Challenge> for Line<S> {
    fn description(&self) -> Cow<'_, [u8]> {
        let elements = self.0.iter().flat_map(|element| S::bytes(*element));
        Cow::Owned(b"fuzz: line".iter().copied().chain(elements).collect())
    }

    fn fill(&self, table: &mut [S::Challenge], from: u64) {
        let bit = |x: u64, j: usize| {
            let mut bytes = [0; 24];
            bytes[0] = (x >> j & 1) as u8;
            S::element(&bytes[..S::ELEMENT_LEN_BYTES])
        };
        for (weight, x) in table.iter_mut().zip(from..) {
            *weight = self.evaluate(&(0..VARIABLES).map(|j| bit(x, j)).collect::<Vec<_>>());
        }
    }

    fn evaluate(&self, point: &[S::Challenge]) -> S::Challenge {
        S::line(&self.0, point)
    }
}

/// A claim's elements as what it is about and its values: of tensors their factors, for which there is `factors`.
fn weight_of<'a, E: Copy>(
    kind: Kind,
    elements: &'a [E],
    factors: &'a mut Vec<Vec<[E; 2]>>,
) -> (&'a [E], Vec<Tensor<'a, E>>, &'a [E]) {
    let Kind::Tensors(count) = kind else {
        let about = if let Kind::Described = kind { VARIABLES + 1 } else { VARIABLES };
        let (about, values) = elements.split_at(about);
        return (about, Vec::new(), values);
    };
    let (tensors, values) = elements.split_at(elements.len() - 1);
    let tensors: Vec<&[E]> = tensors.chunks(tensors.len() / count).collect();
    factors.extend(tensors.iter().map(|tensor| tensor[1..].as_chunks().0.to_vec()));
    let tensors = tensors.iter().zip(&*factors).map(|(tensor, factors)| Tensor { scale: tensor[0], factors });
    (&[], tensors.collect(), values)
}

impl Statement {
    fn new<S: Suite>(mode: Mode, commitments: usize, claims: &[(usize, Kind)]) -> Self {
        let word = |a: usize, x: u32| (x + 7 * a as u32).wrapping_mul(0x9e37_79b9) ^ x >> 3;
        let polynomials: Vec<Vec<u32>> =
            (0..commitments).map(|a| (0..1 << VARIABLES).map(|x| word(a, x)).collect()).collect();
        let (wires, data): (Vec<_>, Vec<_>) = polynomials.iter().map(|f| S::commit(f)).unzip();
        let mut next = 0u8;
        let mut element = || {
            let mut bytes = [0; 24];
            bytes.iter_mut().for_each(|byte| {
                next = next.wrapping_mul(29).wrapping_add(71);
                *byte = next ^ next >> 3;
            });
            S::element(&bytes[..S::ELEMENT_LEN_BYTES])
        };
        let about: Vec<Vec<S::Challenge>> =
            claims.iter().map(|(_, kind)| (0..kind.elements()).map(|_| element()).collect()).collect();
        let mut factors: Vec<Vec<_>> = claims.iter().map(|_| Vec::new()).collect();
        let parts = about.iter().zip(claims).zip(&mut factors);
        let parts: Vec<_> =
            parts.map(|((about, (_, kind)), factors)| weight_of(*kind, about, factors)).collect();
        let lines: Vec<_> = parts.iter().map(|(about, ..)| Line::<S>(about.to_vec())).collect();
        let orbits: Vec<_> = claims
            .iter()
            .zip(&parts)
            .map(|((a, kind), (point, ..))| match kind {
                Kind::Planes => Some(data[*a].orbit(point).expect("as many coordinates")),
                _ => None,
            })
            .collect();
        let weights: Vec<_> = claims
            .iter()
            .zip(&parts)
            .zip(orbits.iter().zip(&lines))
            .map(|(((a, kind), (point, tensors, _)), (orbit, line))| match (kind, orbit) {
                (Kind::Planes, Some(orbit)) => (*a, Weight::Planes(orbit)),
                (Kind::Tensors(_), _) => (*a, Weight::Tensors(tensors)),
                (Kind::Described, _) => (*a, Weight::Described(line)),
                _ => (*a, Weight::Point(point)),
            })
            .collect();
        let borrowed: Vec<_> = data.iter().collect();
        let (opening, proof) = S::open(mode, &wires, &borrowed, &weights);
        let mut bytes = wires.concat();
        let commitments_len_bytes = bytes.len();
        for ((about, value), orbit) in about.iter().zip(&opening.values).zip(&orbits) {
            let values: &[_] = orbit.as_ref().map_or(std::slice::from_ref(value), |orbit| orbit.planes());
            let about = &about[..about.len() - values.len()];
            about.iter().chain(values).for_each(|element| bytes.extend(S::bytes(*element)));
        }
        let context_at = bytes.len();
        bytes.extend(CONTEXT);
        bytes.extend(proof);
        let claims = claims.to_vec();
        let trailer_len_bytes = if mode == Mode::Read { TRAILER * S::ELEMENT_LEN_BYTES } else { 0 };
        let verify = Self::verify::<S>;
        Self {
            mode,
            commitments,
            claims,
            bytes,
            commitments_len_bytes,
            context_at,
            trailer_len_bytes,
            verify,
        }
    }

    fn verify<S: Suite>(&self, bytes: &[u8], left_out: usize) -> Option<Result<(), ProofError>> {
        let (statement, rest) = bytes.split_at(self.context_at);
        let (context, proof) = rest.split_first_chunk::<32>()?;
        let (wires, elements) = statement.split_at(self.commitments * S::COMMITMENT_LEN_BYTES);
        let wires: Vec<&[u8]> = wires.chunks_exact(S::COMMITMENT_LEN_BYTES).collect();
        let elements: Vec<S::Challenge> =
            elements.chunks_exact(S::ELEMENT_LEN_BYTES).map(S::element).collect();
        let mut factors: Vec<Vec<_>> = self.claims.iter().map(|_| Vec::new()).collect();
        let mut left = &elements[..];
        let mut parts = Vec::new();
        for ((_, kind), factors) in self.claims.iter().zip(&mut factors) {
            let (own, after) = left.split_at(kind.elements());
            left = after;
            parts.push(weight_of(*kind, own, factors));
        }
        let lines: Vec<_> = parts.iter().map(|(about, ..)| Line::<S>(about.to_vec())).collect();
        let claims: Vec<_> = self
            .claims
            .iter()
            .zip(parts.iter().zip(&lines))
            .map(|((a, kind), ((point, tensors, values), line))| {
                let claim = match kind {
                    Kind::Point => SumClaim::Point(EvaluationClaim { point, value: values[0] }),
                    Kind::Tensors(_) => SumClaim::Tensors(TensorsClaim { tensors, value: values[0] }),
                    Kind::Described => SumClaim::Described(DescribedClaim { weight: line, value: values[0] }),
                    Kind::Planes => {
                        let planes = (*values).try_into().expect("32 of them");
                        SumClaim::Planes(PlanesClaim { point, planes })
                    }
                };
                (*a, claim)
            })
            .collect();
        // Of several commitments the last one may be missing, too; without commitments there is nothing to bridge.
        let (claims_out, wires_out) = (left_out % (claims.len() + 1), left_out / (claims.len() + 1));
        let wires = &wires[..wires.len() - wires_out.min(wires.len() - 1)];
        S::verify(self.mode, wires, &claims[..claims.len() - claims_out], context, proof)
    }
}

/// Statements that came later: behind the others, so that seeds stay what they are.
fn described<S: Suite>(together: bool) -> Vec<Statement> {
    use Kind::{Described, Planes, Point, Tensors};
    let claims = [(0, Described), (0, Point), (0, Planes), (0, Described)];
    let plain = [(0, Point), (0, Planes), (0, Tensors(2))];
    let mut statements = vec![
        Statement::new::<S>(Mode::Sums, 1, &claims),
        Statement::new::<S>(Mode::Read, 1, &claims),
        Statement::new::<S>(Mode::Sums, 1, &plain),
    ];
    if together {
        let claims = [(1, Described), (0, Tensors(1)), (1, Planes), (0, Described)];
        statements.push(Statement::new::<S>(Mode::Alone, 2, &claims));
    }
    statements
}

fn of_suite<S: Suite>(together: bool) -> Vec<Statement> {
    use Kind::{Planes, Point, Tensors};
    let mut statements = Vec::new();
    for mode in [Mode::Alone, Mode::Bridged, Mode::Read] {
        statements.push(Statement::new::<S>(mode, 1, &[(0, Point), (0, Tensors(2)), (0, Planes)]));
    }
    // With closing rounds.
    statements.push(Statement::new::<S>(Mode::Alone, 1, &[(0, Tensors(129))]));
    if together {
        for mode in [Mode::Alone, Mode::Read] {
            let claims = [(1, Planes), (0, Point), (2, Tensors(1)), (0, Point)];
            statements.push(Statement::new::<S>(mode, 3, &claims));
        }
    }
    statements
}

fn statements() -> Vec<Statement> {
    let mut statements = of_suite::<ligerito::Preset>(true);
    statements.extend(of_suite::<provable128::Preset>(true));
    statements.extend(of_suite::<johnson128::Preset>(false));
    statements.extend(described::<ligerito::Preset>(true));
    statements.extend(described::<provable128::Preset>(true));
    statements.extend(described::<johnson128::Preset>(false));
    statements
}

fuzz_target!(|input: &[u8]| {
    static STATEMENTS: OnceLock<Vec<Statement>> = OnceLock::new();
    let statements = STATEMENTS.get_or_init(statements);
    let [which, rest @ ..] = input else { return };
    let statement = &statements[usize::from(which % 128) % statements.len()];
    let mut bytes = statement.bytes.clone();
    let proof_at = statement.context_at + CONTEXT.len();
    let mut left_out = 0;
    if *which >= 128 {
        bytes.truncate(proof_at);
        bytes.extend(rest);
    } else {
        let [fewer, low, high, changes @ ..] = rest else { return };
        left_out = usize::from(*fewer) % ((statement.claims.len() + 1) * statement.commitments);
        let len = (bytes.len() - proof_at).saturating_add_signed(i16::from_le_bytes([*low, *high]).into());
        bytes.resize(proof_at + len, 0);
        for change in changes.chunks_exact(3) {
            let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
            bytes[at] ^= change[2];
        }
    }

    // Commitments that are read from the proof do not count where they stand beside it.
    let from = if statement.mode == Mode::Read { statement.commitments_len_bytes } else { 0 };
    let to = statement.bytes.len() - statement.trailer_len_bytes;
    let is_whole = bytes.len() == statement.bytes.len() && left_out == 0;
    let wanted = is_whole && bytes[from..to] == statement.bytes[from..to];
    let portable =
        Backend::Portable.force(|| (statement.verify)(statement, &bytes, left_out)).expect("always there");
    let Some(verdict) = portable else { return };
    assert_eq!(verdict.is_ok(), wanted, "{verdict:?}");
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        let got = backend.force(|| (statement.verify)(statement, &bytes, left_out)).expect("available");
        assert_eq!(got, Some(verdict), "{}", backend.name());
    }
});
