//! Files of `vectors/ligerito-v2`: openings of weighted sums, made again, verified and refused; planes and the values that
//! they stand for.

use super::described::{Described, Element};
use super::elements::{Generator, large, one_large};
use super::params::{Levels, levels};
use super::replay_own::squeezes_after;
use super::suite::Suite;
use crate::json::Bytes;
use crate::report::{Check, Recorder, ensure, same, text};
use phalanx::ligerito::hazmat::TestShapeOf;
use phalanx::ligerito::hazmat::transcripts::Framed;
use phalanx::ligerito::{
    self, DescribedClaim, EvaluationClaim, Level, Orbit, PLANES, PlanesClaim, ProofError, ProverData,
    PublicWeight, SumClaim, Tensor, TensorsClaim, Weight, johnson128, provable128,
};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) name: String,
    pub(super) suite: String,
    pub(super) field_bits: u32,
    pub(super) ctx_hex: Bytes,
    /// d, k, r and Q of the first level of every commitment.
    pub(super) level0: Vec<(u8, u8, u8, u16)>,
    pub(super) later_levels: Levels,
    pub(super) seed: u64,
    pub(super) commitments_hex: Vec<Bytes>,
    pub(super) params_hex: Bytes,
    pub(super) claims: Vec<ClaimCase>,
    pub(super) squeezes: Vec<(String, Bytes)>,
    pub(super) proof_hex: Bytes,
    pub(super) verdict: String,
    pub(super) rejects: Vec<RejectCase>,
}

impl Case {
    /// Whether rounds follow the final vector; no file has as many tensors as have them, too.
    pub(super) fn closing(&self) -> bool {
        self.claims.iter().any(|claim| claim.kind == 2)
    }
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimCase {
    commitment: u32,
    kind: u8,
    #[serde(default)]
    point: Vec<Bytes>,
    #[serde(default)]
    tensors: Vec<TensorCase>,
    description_hex: Option<Bytes>,
    values: Vec<Bytes>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct TensorCase {
    scale: Bytes,
    factors: Vec<[Bytes; 2]>,
}

/// A case of the suite up to the Johnson radius.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SampledCase {
    name: String,
    suite: String,
    ctx_hex: Bytes,
    level0: (u8, u8, u8, u16),
    later_levels: Levels,
    seed: u64,
    commitment_hex: Bytes,
    /// Where the commitment's sample is.
    z_star: Vec<Bytes>,
    claims: Vec<ClaimCase>,
    squeezes: Vec<(String, Bytes)>,
    proof_hex: Bytes,
    verdict: String,
    rejects: Vec<RejectCase>,
}

/// One change, or two: other values, another proof, or a byte of the proof; and the sample of the commitment that is meant.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RejectCase {
    pub(super) what: String,
    claim: Option<usize>,
    values: Option<Vec<Bytes>>,
    proof_hex: Option<Bytes>,
    offset: Option<usize>,
    xor: Option<u8>,
    y_star: Option<Bytes>,
    error: String,
}

/// Runs a case of the suite up to the Johnson radius.
pub(super) fn run_sampled(recorder: &mut Recorder<'_>, name: &str, value: &Value) {
    type S = johnson128::Preset;
    let Some(case) = recorder.read::<SampledCase>(name, value) else { return };
    let (d, k, r, queries) = case.level0;
    let first = levels(&vec![(d, k, r, queries, 0)]);
    let params_hex = Bytes(params(first[0], &levels(&case.later_levels)));
    let z_star = case.z_star;
    let case = Case {
        name: case.name,
        suite: case.suite,
        field_bits: S::BITS,
        ctx_hex: case.ctx_hex,
        level0: vec![case.level0],
        later_levels: case.later_levels,
        seed: case.seed,
        commitments_hex: vec![case.commitment_hex],
        params_hex,
        claims: case.claims,
        squeezes: case.squeezes,
        proof_hex: case.proof_hex,
        verdict: case.verdict,
        rejects: case.rejects,
    };
    recorder.case_once(format_args!("{name}: z*"), || {
        let mut transcript = S::transcript();
        transcript.absorb("suite", case.suite.as_bytes());
        transcript.absorb("params", &form::<S>(&case)?.shape().to_bytes());
        transcript.absorb("root0", &commitment::<S>(&case)?.0);
        let drawn: Vec<_> = z_star.iter().map(|_| transcript.squeeze("ood", 24)).collect();
        let listed = large::<S>(&z_star)?;
        same("coordinates", listed.len(), usize::from(d + k))?;
        same("point", drawn, listed.iter().map(|z| S::le_bytes(*z)).collect::<Vec<_>>())
    });
    run_case::<S>(recorder, name, &case);
}

/// Runs a case of one commitment.
pub(super) fn run_case<S: Suite>(recorder: &mut Recorder<'_>, name: &str, case: &Case) {
    let Some(shape) = recorder.prepare(format_args!("{name}: form"), || form::<S>(case)) else { return };
    recorder.case(format_args!("{name}: prove"), || prove_again::<S>(case, &shape));
    recorder.case_once(format_args!("{name}: squeezes"), || replay::<S>(case, &shape));
    recorder.case(format_args!("{name}: verify"), || {
        same("result", verdict::<S>(case, &shape, None, &case.claims, &case.proof_hex.0)?, Ok(()))
    });
    if case.rejects.is_empty() {
        recorder.not_understood(name, "nothing is refused");
    }
    for (i, reject) in case.rejects.iter().enumerate() {
        let reason = || rejected::<S>(case, &shape, reject);
        recorder.case(format_args!("{name}.rejects[{i}] {}", reject.what), reason);
    }
}

/// What the case says of itself; its shape.
fn form<S: Suite>(case: &Case) -> Result<TestShapeOf<S>, String> {
    same("verdict", &*case.verdict, "accept")?;
    same("suite", &*case.suite, S::SUMS_TEST_NAME)?;
    same("field_bits", case.field_bits, S::BITS)?;
    ensure(!case.name.is_empty(), "a case without a name")?;
    let [(d, k, r, queries)] = case.level0[..] else { return Err("not one commitment".to_owned()) };
    let later = levels(&case.later_levels);
    let first = levels(&vec![(d, k, r, queries, 0)]);
    same("params_hex", params(first[0], &later), &case.params_hex.0[..])?;
    S::test_shape(d + k, [first, later].concat()).map_err(text)
}

/// The shape as the transcript has it.
fn params(first: Level, later: &[Level]) -> Vec<u8> {
    let sizes = |level: &Level| [level.log2_message, level.log2_columns, level.log2_inverse_rate];
    let [d, k, r] = sizes(&first);
    let mut bytes = vec![k, later.len().try_into().expect("few levels"), d, r];
    bytes.extend(first.queries.to_le_bytes());
    for level in later {
        bytes.extend(sizes(level));
        bytes.extend(level.queries.to_le_bytes());
        bytes.push(level.grinding_bits);
    }
    bytes.push(first.grinding_bits);
    bytes
}

/// A claim in the library's elements.
pub(super) struct Owned<E> {
    pub(super) commitment: usize,
    kind: u8,
    point: Vec<E>,
    tensors: Vec<(E, Vec<[E; 2]>)>,
    weight: Option<Described<E>>,
    values: Vec<E>,
}

impl<E: Element> Owned<E> {
    fn new<S: Suite<Challenge = E>>(case: &ClaimCase) -> Result<Self, String> {
        ensure(case.kind == 1 || case.tensors.is_empty(), "tensors of a point")?;
        ensure(case.kind == 0 || case.kind == 3 || case.point.is_empty(), "the point of no point")?;
        ensure(case.kind == 2 || case.description_hex.is_none(), "a description of another kind")?;
        ensure(case.kind != 2 || case.description_hex.is_some(), "a weight without a description")?;
        let weight = case.description_hex.as_ref().map(|bytes| Described::new::<S>(&bytes.0));
        let wanted = match case.kind {
            0..=2 => 1,
            3 => PLANES,
            _ => return Err("not a kind of claims that this version knows".to_owned()),
        };
        same("values", case.values.len(), wanted)?;
        let pair = |[zero, one]: &[Bytes; 2]| Ok([one_large::<S>(zero)?, one_large::<S>(one)?]);
        let tensor = |tensor: &TensorCase| {
            let factors = tensor.factors.iter().map(pair).collect::<Result<_, String>>()?;
            Ok((one_large::<S>(&tensor.scale)?, factors))
        };
        Ok(Self {
            commitment: usize::try_from(case.commitment).map_err(text)?,
            kind: case.kind,
            point: large::<S>(&case.point)?,
            tensors: case.tensors.iter().map(tensor).collect::<Result<_, String>>()?,
            weight: weight.transpose()?,
            values: large::<S>(&case.values)?,
        })
    }

    pub(super) fn borrowed(&self) -> Vec<Tensor<'_, E>> {
        self.tensors.iter().map(|(scale, factors)| Tensor { scale: *scale, factors }).collect()
    }

    /// Whether an opening that gives `value` is of this; planes are compared before.
    pub(super) fn is_value(&self, value: E) -> bool {
        self.kind == 3 || self.values == [value]
    }

    pub(super) fn claim<'a>(&'a self, tensors: &'a [Tensor<'a, E>]) -> SumClaim<'a, E> {
        let (point, value) = (&*self.point, self.values[0]);
        match self.kind {
            0 => SumClaim::Point(EvaluationClaim { point, value }),
            1 => SumClaim::Tensors(TensorsClaim { tensors, value }),
            2 => SumClaim::Described(DescribedClaim { weight: self.weight(), value }),
            _ => {
                let planes = self.values.as_slice().try_into().expect("as many as there are planes");
                SumClaim::Planes(PlanesClaim { point, planes })
            }
        }
    }

    fn weight(&self) -> &dyn PublicWeight<E> {
        self.weight.as_ref().expect("a description")
    }

    /// Kind, number of the commitment, and body.
    fn bytes<S: Suite<Challenge = E>>(&self) -> Vec<u8> {
        let mut bytes = vec![self.kind];
        bytes.extend(u32::try_from(self.commitment).expect("four bytes").to_le_bytes());
        let mut put = |element: E| bytes.extend(S::le_bytes(element));
        if self.kind == 1 {
            bytes.extend(u32::try_from(self.tensors.len()).expect("few tensors").to_le_bytes());
            for (scale, factors) in &self.tensors {
                bytes.extend(S::le_bytes(*scale));
                factors.iter().flatten().for_each(|x| bytes.extend(S::le_bytes(*x)));
            }
        } else if let Some(weight) = &self.weight {
            bytes.extend(&*weight.description());
        } else {
            self.point.iter().for_each(|x| put(*x));
        }
        bytes
    }
}

/// Claims about the only commitment.
pub(super) fn owned<S: Suite>(claims: &[ClaimCase]) -> Result<Vec<Owned<S::Challenge>>, String> {
    let claims = numbered::<S>(claims)?;
    ensure(claims.iter().all(|claim| claim.commitment == 0), "a claim about another commitment")?;
    Ok(claims)
}

/// Claims about several.
pub(super) fn numbered<S: Suite>(claims: &[ClaimCase]) -> Result<Vec<Owned<S::Challenge>>, String> {
    claims.iter().map(Owned::new::<S>).collect()
}

/// The root of the only commitment, and its sample if the suite has samples.
fn commitment<S: Suite>(case: &Case) -> Result<([u8; 32], Option<S::Challenge>), String> {
    let [commitment] = &case.commitments_hex[..] else { return Err("not one commitment".to_owned()) };
    let Some(([code, variables], rest)) = commitment.0.split_first_chunk() else {
        return Err("short".to_owned());
    };
    same("profile of test shapes", *code, S::TEST_CODE)?;
    same("variables", *variables, case.level0[0].0 + case.level0[0].1)?;
    let (root, sample) = rest.split_first_chunk().ok_or("no root")?;
    let mut sample = sample.to_vec();
    sample.reverse();
    let has_sample = form::<S>(case)?.shape().has_samples();
    same("a sample", !sample.is_empty(), has_sample)?;
    Ok((*root, if has_sample { Some(one_large::<S>(&Bytes(sample))?) } else { None }))
}

fn verdict<S: Suite>(
    case: &Case,
    shape: &TestShapeOf<S>,
    other_sample: Option<S::Challenge>,
    claims: &[ClaimCase],
    proof: &[u8],
) -> Result<Result<(), ProofError>, String> {
    let owned = owned::<S>(claims)?;
    let tensors: Vec<_> = owned.iter().map(Owned::borrowed).collect();
    let claims: Vec<_> = owned.iter().zip(&tensors).map(|(owned, tensors)| owned.claim(tensors)).collect();
    let (root, sample) = commitment::<S>(case)?;
    let commitment = (&root, other_sample.or(sample));
    Ok(S::test_verify_sums(&case.suite, shape, commitment, &claims, proof, &case.ctx_hex.0))
}

fn prove_again<S: Suite>(case: &Case, shape: &TestShapeOf<S>) -> Check {
    let polynomial = Generator(case.seed).polynomial(shape.shape().variables());
    let data = S::test_commit(shape, &polynomial).map_err(text)?;
    ensure((data.root(), data.sample()) == commitment::<S>(case)?, "another commitment")?;
    let owned = owned::<S>(&case.claims)?;
    let opened = with_weights::<S, _>(&data, &owned, |weights| data.open_sums(weights, &case.ctx_hex.0))?;
    let opening = opened.map_err(text)?;
    for (owned, value) in owned.iter().zip(opening.values) {
        ensure(owned.is_value(value), "another value")?;
    }
    ensure(opening.proof == case.proof_hex.0, "another proof")
}

/// Calls with what the claims are about, as the prover takes it; the planes have to be the file's.
pub(super) fn with_weights<S: Suite, R>(
    data: &ProverData<'_, S::Challenge>,
    owned: &[Owned<S::Challenge>],
    then: impl FnOnce(&[Weight<'_, S::Challenge>]) -> R,
) -> Result<R, String> {
    with_weights_of::<S, R>(&[data], owned, then)
}

/// The same of several polynomials.
pub(super) fn with_weights_of<S: Suite, R>(
    data: &[&ProverData<'_, S::Challenge>],
    owned: &[Owned<S::Challenge>],
    then: impl FnOnce(&[Weight<'_, S::Challenge>]) -> R,
) -> Result<R, String> {
    let tensors: Vec<_> = owned.iter().map(Owned::borrowed).collect();
    let orbit = |owned: &Owned<S::Challenge>| {
        let data = data.get(owned.commitment).ok_or("no such commitment")?;
        data.orbit(&owned.point).map_err(text)
    };
    let orbits: Vec<Result<Orbit<_>, String>> = owned.iter().map(orbit).collect();
    let mut weights = Vec::new();
    for ((owned, tensors), orbit) in owned.iter().zip(&tensors).zip(&orbits) {
        weights.push(match owned.kind {
            0 => Weight::Point(&owned.point),
            1 => Weight::Tensors(tensors),
            2 => Weight::Described(owned.weight()),
            _ => {
                let orbit = orbit.as_ref()?;
                ensure(owned.values == orbit.planes(), "other planes")?;
                Weight::Planes(orbit)
            }
        });
    }
    Ok(then(&weights))
}

/// The transcript when it has heard the statement.
pub(super) fn begun<S: Suite>(case: &Case) -> Result<Framed, String> {
    let mut transcript = S::transcript();
    transcript.absorb("suite", case.suite.as_bytes());
    transcript.absorb("ctx", &case.ctx_hex.0);
    transcript.absorb("params", &case.params_hex.0);
    let commitments: Vec<u8> = case.commitments_hex.iter().flat_map(|bytes| bytes.0.clone()).collect();
    transcript.absorb("commitments", &commitments);
    transcript.absorb("claims", &(case.claims.len() as u64).to_le_bytes());
    for claim in numbered::<S>(&case.claims)? {
        transcript.absorb("claim", &claim.bytes::<S>());
        let values: Vec<u8> = claim.values.iter().flat_map(|x| S::le_bytes(*x)).collect();
        transcript.absorb("value", &values);
    }
    Ok(transcript)
}

fn replay<S: Suite>(case: &Case, shape: &TestShapeOf<S>) -> Check {
    squeezed(case, squeezes_after::<S>(begun::<S>(case)?, shape.shape(), case.closing(), &case.proof_hex.0)?)
}

/// Whether this is what the file lists: all but the queries.
pub(super) fn squeezed(case: &Case, mut got: Vec<(String, Vec<u8>)>) -> Check {
    got.retain(|(label, _)| label != "query");
    let listed = case.squeezes.iter().map(|(label, output)| (label.clone(), output.0.clone()));
    same("squeezes", got, listed.collect::<Vec<_>>())
}

/// The claims and the proof with what a reject changes.
pub(super) fn changed(case: &Case, reject: &RejectCase) -> Result<(Vec<ClaimCase>, Vec<u8>), String> {
    let (mut claims, mut proof) = (case.claims.clone(), case.proof_hex.0.clone());
    if let (Some(claim), Some(values)) = (reject.claim, &reject.values) {
        let claim = claims.get_mut(claim).ok_or("there is no such claim")?;
        claim.values.clone_from(values);
    } else if reject.claim.is_some() || reject.values.is_some() {
        return Err("a claim without values, or values without a claim".to_owned());
    }
    if let Some(other) = &reject.proof_hex {
        proof.clone_from(&other.0);
    }
    if let (Some(offset), Some(xor)) = (reject.offset, reject.xor) {
        *proof.get_mut(offset).ok_or("there is no such byte")? ^= xor;
    }
    Ok((claims, proof))
}

/// The error is the one that is listed. Of a root, the level and the number of the commitment are told, too.
pub(super) fn is_reason(verdict: Result<(), ProofError>, reject: &RejectCase) -> Check {
    let (name, place) =
        reject.error.split_at(reject.error.find(char::is_numeric).unwrap_or(reject.error.len()));
    let error = verdict.err().ok_or("accepted")?;
    same("reason", error.name(), name)?;
    match error {
        ProofError::MerkleRoot { level: 0 } => same("place", place, "0.0"),
        ProofError::MerkleRoot { level } => same("place", place, &*level.to_string()),
        ProofError::MerkleRootOf { commitment } => same("place", place, &*format!("0.{commitment}")),
        _ => same("place", place, ""),
    }
}

fn rejected<S: Suite>(case: &Case, shape: &TestShapeOf<S>, reject: &RejectCase) -> Check {
    let (claims, proof) = changed(case, reject)?;
    let sample = reject.y_star.as_ref().map(one_large::<S>).transpose()?;
    ensure(sample.is_none() || shape.shape().has_samples(), "a sample of a suite without")?;
    is_reason(verdict::<S>(case, shape, sample, &claims, &proof)?, reject)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanesCase {
    field_bits: u32,
    f: Vec<Bytes>,
    z: Vec<Bytes>,
    /// The planes.
    s: Vec<Bytes>,
    /// The values at the orbit.
    t: Vec<Bytes>,
}

/// Runs `planes_algebra.json`.
pub(crate) fn run_planes(recorder: &mut Recorder<'_>, list: &[Value]) {
    recorder.cases("planes", list, |case: &PlanesCase| match case.field_bits {
        128 => planes::<ligerito::Preset>(case),
        192 => planes::<provable128::Preset>(case),
        bits => Err(format!("no field of {bits} bits")),
    });
}

fn planes<S: Suite>(case: &PlanesCase) -> Check {
    let word = |digits: &Bytes| <[u8; 4]>::try_from(&*digits.0).map(u32::from_be_bytes).map_err(text);
    let f = case.f.iter().map(word).collect::<Result<Vec<u32>, String>>()?;
    let (z, s, t) = (large::<S>(&case.z)?, large::<S>(&case.s)?, large::<S>(&case.t)?);
    let variables = u8::try_from(z.len()).map_err(text)?;
    ensure(variables >= 2, "too small for a shape")?;
    let shape = S::test_shape(variables, levels(&vec![(variables - 1, 1, 1, 1, 0)])).map_err(text)?;
    let data = S::test_commit(&shape, &f).map_err(text)?;
    let orbit = data.orbit(&z).map_err(text)?;
    ensure(s == orbit.planes(), "other planes")?;
    let mut points = vec![z];
    while points.len() < PLANES {
        points.push(points[points.len() - 1].iter().map(|x| S::square(*x)).collect());
    }
    let points: Vec<&[S::Challenge]> = points.iter().map(|point| &**point).collect();
    let opening = data.open(&points, b"").map_err(text)?;
    ensure(opening.values == t, "other values")?;
    ensure(data.open_orbits(&[orbit], b"").map_err(text)? == opening.proof, "another proof in one pass")
}
