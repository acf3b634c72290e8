//! Openings `ligerito-v2`: several files in one proof, and files of bits or bytes.

use super::args::Set;
use super::commitment::{check_commitment, commit, read_commitment};
use super::elements::{self, Element};
use super::own::{Committed, Own};
use super::polynomial::Polynomial;
use crate::args::{ContextArgs, ThreadsArgs};
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::output::Output;
use phalanx::ligerito::{
    CommitmentOf, EvaluationClaim, Orbit, PLANES, PlanesClaim, Preset, ProofError, ProverData, SumClaim,
    Weight, aes_basis, value_of_planes,
};
use phalanx::{Pool, Threads};
use phalanx_identify::proof_file::{Coefficients, ProofFile};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What the words of the files hold.
#[derive(clap::Args, Clone, Copy, Debug)]
#[group(multiple = false)]
pub(super) struct CoefficientsArgs {
    /// The file holds bits, eight in a byte, the first one in its lowest bit: 2^15 to 2^35 of them
    #[arg(long)]
    bits: bool,
    /// The file holds bytes, elements of the field of AES, GF(2^8) modulo x^8 + x^4 + x^3 + x + 1: 2^12 to 2^32 of them
    #[arg(long)]
    bytes: bool,
}

impl CoefficientsArgs {
    pub(super) fn coefficients(self) -> Coefficients {
        match (self.bits, self.bytes) {
            (true, _) => Coefficients::Bits,
            (_, true) => Coefficients::Bytes,
            _ => Coefficients::Words,
        }
    }

    /// As options are refused.
    pub(super) fn given(self) -> [(&'static str, bool); 2] {
        [("--bits", self.bits), ("--bytes", self.bytes)]
    }
}

/// What `open` was told.
pub(super) struct OpenRequest<'a> {
    pub(super) files: &'a [PathBuf],
    pub(super) points: &'a [String],
    pub(super) commitments: &'a [String],
    pub(super) coefficients: Coefficients,
    pub(super) context: &'a ContextArgs,
    pub(super) profile: Option<Preset>,
    pub(super) threads: &'a ThreadsArgs,
    pub(super) out: &'a Path,
    pub(super) force: bool,
}

/// The same, read.
struct Opening<'a, S: Own> {
    request: &'a OpenRequest<'a>,
    profile: S,
    /// Of each point the number of its file, and the coordinates: those inside a word first.
    points: Vec<(usize, Vec<S::Challenge>)>,
}

/// Opens all files in one proof.
pub(super) fn open<S: Own>(request: &OpenRequest<'_>, output: &Output) -> Result<Exit, Failure> {
    let OpenRequest { files: paths, coefficients, .. } = *request;
    if request.points.is_empty() {
        return Err(S::SET.missing("--point"));
    }
    let points = elements::numbered_points::<S::Challenge>(request.points, paths.len())?;
    let context = request.context.read()?;
    let wanted = request.commitments.iter().map(|one| read_commitment::<S>(one));
    let wanted = wanted.collect::<Result<Vec<_>, _>>()?;
    if !(wanted.is_empty() || wanted.len() == paths.len()) {
        return Err(Failure::usage(format_args!(
            "--commitment: got {}, wanted {}: one for every file, in their order",
            wanted.len(),
            paths.len()
        )));
    }
    let named = request.profile.map(|profile| S::named("--profile", profile)).transpose()?;
    let profile = named.or(wanted.first().map(CommitmentOf::preset)).unwrap_or_default();
    check_together(paths.len(), profile)?;
    let polynomials = paths.iter().map(|path| Polynomial::read(path, coefficients));
    let polynomials = polynomials.collect::<Result<Vec<_>, _>>()?;
    check_points(&points, &polynomials, coefficients)?;

    let pool = request.threads.pool();
    let clock = Instant::now();
    let committed = polynomials.iter().map(|polynomial| commit(&pool, profile, polynomial, output));
    let committed: Vec<Committed<'_, S>> = committed.collect::<Result<_, _>>()?;
    let commit_seconds = clock.elapsed().as_secs_f64();
    for (file, (wanted, (commitment, _))) in paths.iter().zip(wanted.iter().zip(&committed)) {
        check_commitment(file, wanted, commitment)?;
    }
    let clock = Instant::now();
    let opening = Opening { request, profile, points };
    let (values, file) = opening.prove(&pool, &committed, &context)?;
    let open_seconds = clock.elapsed().as_secs_f64();
    for (polynomial, path) in polynomials.iter().zip(paths) {
        polynomial.check_unchanged(path)?;
    }
    files::write(request.out, &file, Privacy::Public, request.force)?;
    opening.tell(output, &committed, &values, file.len(), (commit_seconds, open_seconds))
}

impl<S: Own> Opening<'_, S> {
    /// The values, and the file of the proof.
    fn prove(
        &self,
        pool: &Threads,
        committed: &[Committed<'_, S>],
        context: &[u8],
    ) -> Result<(Vec<S::Challenge>, Vec<u8>), Failure> {
        let (pool, low): (&dyn Pool, _) = (pool, usize::from(self.request.coefficients.variables()));
        let data: Vec<&ProverData<'_, S::Challenge>> = committed.iter().map(|(_, data)| data).collect();
        let orbits: Vec<Orbit<S::Challenge>> = if self.request.coefficients == Coefficients::Words {
            Vec::new()
        } else {
            let orbit = |(of, point): &(usize, Vec<_>)| data[*of].orbit_on(pool, &point[low..]);
            self.points.iter().map(orbit).collect::<Result<_, _>>()?
        };
        let weights: Vec<(usize, Weight<'_, S::Challenge>)> = if orbits.is_empty() {
            self.points.iter().map(|(of, point)| (*of, Weight::Point(point))).collect()
        } else {
            self.points.iter().zip(&orbits).map(|((of, _), orbit)| (*of, Weight::Planes(orbit))).collect()
        };
        let opening = ProverData::open_together_on(pool, &data, &weights, context)?;
        let commitments: Vec<_> = committed.iter().map(|(commitment, _)| *commitment).collect();
        let mut file = head(&commitments, self.request.coefficients, self.points.len())?.to_bytes().to_vec();
        let mut values = opening.values;
        if !orbits.is_empty() {
            values.clear();
        }
        for (orbit, (_, point)) in orbits.iter().zip(&self.points) {
            orbit.planes().iter().for_each(|plane| file.extend(plane.to_le_bytes()));
            values.push(value::<S>(self.request.coefficients, &point[..low], orbit.planes())?);
        }
        file.extend(opening.proof);
        Ok((values, file))
    }

    /// Says what came of it.
    fn tell(
        &self,
        output: &Output,
        committed: &[Committed<'_, S>],
        values: &[S::Challenge],
        file_bytes: usize,
        (commit_seconds, open_seconds): (f64, f64),
    ) -> Result<Exit, Failure> {
        let values: Vec<String> = values.iter().copied().map(elements::digits).collect();
        let out = self.request.out;
        if !files::is_standard(out) {
            for value in &values {
                output.line(format_args!("value {value}"))?;
            }
            output.line(format_args!(
                "proof in '{}' ({file_bytes} bytes; {:.1} ms to commit, {:.1} ms to open)",
                out.display(),
                commit_seconds * 1e3,
                open_seconds * 1e3
            ))?;
            S::SET.say_condition(output)?;
        }
        let commitments = committed.iter().map(|(commitment, _)| {
            serde_json::json!({
                "variables": commitment.variables(), "commitment": hex::encode(commitment.to_bytes()),
                "root": hex::encode(commitment.root()),
            })
        });
        output.object(&serde_json::json!({
            "params": S::SET.name(), "profile": self.profile.name(), "holds": self.request.coefficients.name(),
            "commitments": commitments.collect::<Vec<_>>(), "values": values, "proof_file": out,
            "proof_bytes": file_bytes, "commit_seconds": commit_seconds, "open_seconds": open_seconds,
        }))?;
        Ok(Exit::Good)
    }
}

/// Refuses points that are none of their polynomials, before the work begins.
fn check_points<E>(
    points: &[(usize, Vec<E>)],
    polynomials: &[Polynomial],
    coefficients: Coefficients,
) -> Result<(), Failure> {
    for (index, (of, point)) in points.iter().enumerate() {
        let low = usize::from(coefficients.variables());
        let (got, wanted) = (point.len(), polynomials[*of].len().ilog2() as usize + low);
        if got != wanted {
            return Err(Failure::usage(format_args!(
                "--point: got {got} coordinates in point {index}, wanted {wanted}: file {of} has 2^{wanted} {}",
                coefficients.name()
            )));
        }
    }
    Ok(())
}

/// Refuses several polynomials of a profile under which they have no proof together.
fn check_together<S: Own>(count: usize, profile: S) -> Result<(), Failure> {
    if count > 1 && (S::SET == Set::Johnson128 || profile.name() != Preset::Balanced.name()) {
        let (set, profile) = (S::SET.name(), profile.name());
        return Err(Failure::usage(format_args!(
            "several polynomials have no proof together under profile {profile} of {set}"
        ))
        .hint(
            "they have one under profile balanced of ligerito-v1-provable100 and ligerito-v1-provable128",
        ));
    }
    Ok(())
}

/// What the file of a proof begins with.
fn head<S: Own>(
    commitments: &[CommitmentOf<S>],
    coefficients: Coefficients,
    claims: usize,
) -> Result<ProofFile, Failure> {
    let first = commitments.first().expect("at least one polynomial").to_bytes();
    Ok(ProofFile {
        profile: first.as_ref()[0],
        coefficients,
        commitments: u16::try_from(commitments.len()).map_err(Failure::usage)?,
        claims: u32::try_from(claims).map_err(Failure::usage)?,
    })
}

/// The value of bits or bytes at a point, of which `low` are the coordinates inside a word.
fn value<S: Own>(
    coefficients: Coefficients,
    low: &[S::Challenge],
    planes: &[S::Challenge; PLANES],
) -> Result<S::Challenge, Failure> {
    let basis = aes_basis();
    // A bit stands for itself, as the first element of that basis does.
    let basis = if coefficients == Coefficients::Bits { &basis[..1] } else { &basis };
    Ok(value_of_planes(low, basis, planes)?)
}

/// What `verify` was told.
pub(super) struct VerifyRequest<'a, S> {
    pub(super) commitments: &'a [String],
    pub(super) points: &'a [String],
    pub(super) values: &'a [String],
    pub(super) proof: &'a Path,
    pub(super) coefficients: Coefficients,
    pub(super) context: &'a ContextArgs,
    /// What is accepted, at least one.
    pub(super) profiles: &'a [S],
    pub(super) variables: Option<u8>,
    pub(super) max_variables: Option<u8>,
}

/// What is to be verified.
struct Statement<S: Own> {
    coefficients: Coefficients,
    commitments: Vec<CommitmentOf<S>>,
    points: Vec<(usize, Vec<S::Challenge>)>,
    values: Vec<S::Challenge>,
    context: Vec<u8>,
}

/// Why a file does not convince.
enum Refusal {
    /// It does not begin as this statement's, or ends before its planes do.
    File,
    /// The planes give another value than the claim of this number.
    Value(usize),
    /// The proof itself.
    Proof(ProofError),
}

impl Refusal {
    fn name(&self) -> &'static str {
        match self {
            Self::File => "ProofFile",
            Self::Value(_) => "Value",
            Self::Proof(error) => error.name(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("the file is not one for these commitments and claims"),
            Self::Value(claim) => write!(f, "the planes give another value than claim {claim}"),
            Self::Proof(error) => error.fmt(f),
        }
    }
}

/// Verifies claims about all commitments.
pub(super) fn verify<S: Own>(request: &VerifyRequest<'_, S>, output: &Output) -> Result<Exit, Failure> {
    let statement = Statement::<S>::read(request)?;
    let file = files::read(request.proof)?;
    let clock = Instant::now();
    let result = statement.verify(request, &file);
    let seconds = clock.elapsed().as_secs_f64();
    let set = S::SET;
    let (profile, count) = (statement.commitments[0].preset().name(), statement.commitments.len());
    let variables: Vec<u8> = statement.commitments.iter().map(CommitmentOf::variables).collect();
    let refusal = result.as_ref().err();
    output.object(&serde_json::json!({
        "valid": result.is_ok(), "params": set.name(), "profile": profile, "holds": statement.coefficients.name(),
        "variables": variables, "claims": statement.points.len(), "check": refusal.map(Refusal::name),
        "reason": refusal.map(ToString::to_string), "seconds": seconds,
    }))?;
    if let Some(refusal) = refusal {
        let problem = format_args!("proof does not verify: {refusal} ({})", refusal.name());
        return Err(statement.hint(refusal, request, Failure::new(Exit::DoesNotVerify, problem)));
    }
    let claims = statement.points.len();
    output.line(format_args!(
        "proof verifies for {claims} {} of {count} {} of {} ({}, profile {profile}, {:.2} ms)",
        if claims == 1 { "value" } else { "values" },
        if count == 1 { "polynomial" } else { "polynomials" },
        statement.coefficients.name(),
        set.name(),
        seconds * 1e3
    ))?;
    set.say_condition(output)?;
    Ok(Exit::Good)
}

impl<S: Own> Statement<S> {
    fn read(request: &VerifyRequest<'_, S>) -> Result<Self, Failure> {
        let set = S::SET;
        if request.commitments.is_empty() {
            return Err(set.missing("--commitment"));
        }
        if request.points.is_empty() {
            return Err(set.missing("--point"));
        }
        let points = elements::numbered_points(request.points, request.commitments.len())?;
        let values = elements::values(request.values)?;
        elements::check_counts(points.len(), values.len())?;
        let commitments = request.commitments.iter().map(|one| read_commitment::<S>(one));
        Ok(Self {
            coefficients: request.coefficients,
            commitments: commitments.collect::<Result<_, _>>()?,
            points,
            values,
            context: request.context.read()?,
        })
    }

    fn verify(&self, request: &VerifyRequest<'_, S>, file: &[u8]) -> Result<(), Refusal> {
        let low = usize::from(self.coefficients.variables());
        let head =
            head(&self.commitments, self.coefficients, self.points.len()).map_err(|_| Refusal::File)?;
        let rest = ProofFile::read(file).filter(|(read, _)| *read == head).ok_or(Refusal::File)?.1;
        let len = head.planes_len_bytes(S::Challenge::LEN_BYTES);
        let (planes, proof) = rest.split_at_checked(len).ok_or(Refusal::File)?;
        let planes: Vec<S::Challenge> = planes
            .chunks_exact(S::Challenge::LEN_BYTES)
            .map(|bytes| S::Challenge::from_le_slice(bytes).ok_or(Refusal::File))
            .collect::<Result<_, _>>()?;
        let planes = planes.as_chunks::<PLANES>().0;

        let mut claims = Vec::with_capacity(self.points.len());
        for (claim, ((of, point), claimed)) in self.points.iter().zip(&self.values).enumerate() {
            let Some(planes) = planes.get(claim) else {
                claims.push((*of, SumClaim::Point(EvaluationClaim { point, value: *claimed })));
                continue;
            };
            let inside = ProofError::PointLength { claim };
            let (inside, point) = point.split_at_checked(low).ok_or(Refusal::Proof(inside))?;
            let value = value::<S>(self.coefficients, inside, planes).map_err(|_| Refusal::File)?;
            if value != *claimed {
                return Err(Refusal::Value(claim));
            }
            claims.push((*of, SumClaim::Planes(PlanesClaim { point, planes })));
        }
        let longest = self.points.iter().map(|(_, point)| point.len()).max().unwrap_or_default();
        let variables = u8::try_from(longest.saturating_sub(low)).unwrap_or(u8::MAX);
        let preset = self.commitments[0].preset();
        let profile = if request.profiles.contains(&preset) { preset } else { request.profiles[0] };
        let accepted = match request.variables {
            Some(variables) => profile.accept_exactly(variables),
            None => S::accept_up_to(request.profiles, request.max_variables.unwrap_or(variables)),
        };
        S::verify_together(&accepted, &self.commitments, &claims, proof, &self.context)
            .map_err(Refusal::Proof)
    }

    /// What the user may do about it.
    fn hint(&self, refusal: &Refusal, request: &VerifyRequest<'_, S>, failure: Failure) -> Failure {
        match refusal {
            Refusal::File => failure.hint(
                "--bits or --bytes, the commitments with their order, and the number of points are to be those of 'open'",
            ),
            Refusal::Proof(ProofError::UnacceptedParams) => {
                let of = |one: &CommitmentOf<S>| format!("{} and {}", one.preset().name(), one.variables());
                let all: Vec<String> = self.commitments.iter().map(of).collect();
                failure.hint(format_args!(
                    "profile and variables of the commitments are {}; see --accept-profile and --max-variables",
                    all.join(", ")
                ))
            }
            Refusal::Proof(ProofError::MerkleRoot { level: 0 } | ProofError::FinalClaim)
                if !request.context.is_given() =>
            {
                failure.hint(
                    "another proof, another point, another value, or a context that --context-hex has to name",
                )
            }
            _ => failure,
        }
    }
}
