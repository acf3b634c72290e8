//! Ligerito. Elements of GF(2^128) are 16 little-endian bytes.

use crate::error::{array, named, of, unknown};
use phalanx::ligerito::ref_v08::{self, CoefficientClaim, Config, TranscriptKind};
use phalanx::ligerito::{self, Accepted, Commitment, EvaluationClaim, Gf128, PLANES, PlanesClaim, Preset};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

fn profile_called(name: &str) -> Result<Preset, JsValue> {
    Preset::from_name(name).ok_or_else(|| unknown("profile of ligerito", name))
}

fn gf128s(bytes: &[u8]) -> Result<Vec<Gf128>, JsValue> {
    let (whole, rest) = bytes.as_chunks::<16>();
    if !rest.is_empty() {
        array::<0>("bytes beyond whole elements", rest)?;
    }
    Ok(whole.iter().map(|bytes| Gf128(u128::from_le_bytes(*bytes))).collect())
}

fn bytes_of<'a>(elements: impl IntoIterator<Item = &'a Gf128>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for element in elements {
        bytes.extend_from_slice(&element.0.to_le_bytes());
    }
    bytes
}

/// The points that stand behind one another; `lengths` says how many coordinates each has.
fn points<'a>(elements: &'a [Gf128], lengths: &[u32]) -> Result<Vec<&'a [Gf128]>, JsValue> {
    let mut rest = elements;
    let mut points = Vec::with_capacity(lengths.len());
    for &len in lengths {
        let Some((point, after)) = rest.split_at_checked(len as usize) else { return Err(uneven()) };
        points.push(point);
        rest = after;
    }
    if rest.is_empty() { Ok(points) } else { Err(uneven()) }
}

fn uneven() -> JsValue {
    named("LengthMismatch", "points and values are not of one number")
}

/// Which commitments are accepted: `profiles` are names between commas.
fn acceptance(profiles: &str, variables: u8, exactly: bool) -> Result<Accepted, JsValue> {
    let profiles = profiles.split(',').map(profile_called).collect::<Result<Vec<_>, _>>()?;
    Ok(match profiles[..] {
        [profile] if exactly => Accepted::exactly(profile, variables),
        _ => Accepted::up_to(&profiles, variables),
    })
}

/// The names of all profiles.
#[wasm_bindgen(js_name = ligeritoProfiles)]
#[must_use]
pub fn profiles() -> Vec<String> {
    Preset::ALL.iter().map(|profile| profile.name().to_owned()).collect()
}

/// Verifies a proof of values at points or, `of_planes`, of planes, 32 for each point. `profiles` (names between commas) and
/// `variables` say which commitments are accepted.
///
/// # Errors
/// The check that failed; `Malformed` for bytes that are no commitment.
#[wasm_bindgen(js_name = ligeritoVerify)]
#[allow(clippy::too_many_arguments, reason = "JavaScript's side packs an object into them")]
pub fn verify(
    profiles: &str,
    variables: u8,
    exactly: bool,
    of_planes: bool,
    commitment: &[u8],
    coordinates: &[u8],
    lengths: &[u32],
    values: &[u8],
    proof: &[u8],
    context: &[u8],
) -> Result<(), JsValue> {
    let accepted = acceptance(profiles, variables, exactly)?;
    let commitment = Commitment::from_bytes(commitment).map_err(of)?;
    let (elements, values) = (gf128s(coordinates)?, gf128s(values)?);
    let points = points(&elements, lengths)?;
    let each = if of_planes { PLANES } else { 1 };
    if points.len().checked_mul(each) != Some(values.len()) {
        return Err(uneven());
    }
    if of_planes {
        let claim = |(point, planes)| PlanesClaim { point, planes };
        let claims: Vec<_> = points.into_iter().zip(values.as_chunks().0).map(claim).collect();
        return ligerito::verify_planes(&accepted, &commitment, &claims, proof, context).map_err(of);
    }
    let claim = |(point, value)| EvaluationClaim { point, value };
    let claims: Vec<_> = points.into_iter().zip(values).map(claim).collect();
    ligerito::verify(&accepted, &commitment, &claims, proof, context).map_err(of)
}

/// The value of a polynomial of small coefficients, from its planes at a point.
///
/// # Errors
/// `BasisLength`, `LengthMismatch`.
#[wasm_bindgen(js_name = ligeritoValueOfPlanes)]
pub fn value_of_planes(low: &[u8], basis: &[u8], of_point: &[u8]) -> Result<Vec<u8>, JsValue> {
    let planes = gf128s(of_point)?;
    let planes = planes[..].try_into().map_err(|_| uneven())?;
    // Its one error by hand: verifiers have none of the sentences of `Error`, which weigh more than all this.
    let value =
        ligerito::value_of_planes(&gf128s(low)?, &gf128s(basis)?, planes).map_err(|error| match error {
            ligerito::Error::BasisLength { got, wanted } => named(
                "BasisLength",
                &format!("the basis of a coefficient has {got} elements, wanted {wanted}"),
            ),
            _ => uneven(),
        })?;
    Ok(bytes_of([&value]))
}

/// The images of 1, x, ..., x^7 of the field of AES.
#[wasm_bindgen(js_name = ligeritoAesBasis)]
#[must_use]
pub fn aes_basis() -> Vec<u8> {
    bytes_of(&ligerito::aes_basis())
}

/// Verifies a proof of the published crate `ligerito` 0.8.0. `sizes` is `published` or `autosized`.
///
/// # Errors
/// The check that failed.
#[wasm_bindgen(js_name = ligeritoVerifyRefV08)]
pub fn verify_ref_v08(
    sizes: &str,
    variables: u8,
    transcript: &str,
    root: &[u8],
    indices: &[u64],
    values: &[u32],
    proof: &[u8],
) -> Result<(), JsValue> {
    let config = match sizes {
        "published" => Config::published(variables),
        "autosized" => Config::autosized(variables),
        _ => return Err(unknown("table of sizes", sizes)),
    };
    let none = || unknown("size", &format!("{sizes} with {variables} variables"));
    let config = config.ok_or_else(none)?;
    let kind = TranscriptKind::from_name(transcript).ok_or_else(|| unknown("transcript", transcript))?;
    if indices.len() != values.len() {
        return Err(uneven());
    }
    let claim = |(&index, &value)| CoefficientClaim { index, value };
    let claims: Vec<_> = indices.iter().zip(values).map(claim).collect();
    ref_v08::verify(&config, kind, &array("length of the root in bytes", root)?, &claims, proof).map_err(of)
}

/// Verifies a proof about several commitments, which stand behind one another; `numbers` says which one each claim is about.
///
/// Not among the verifiers alone, whose module would be over its limit.
///
/// # Errors
/// As [`verify`].
#[cfg(feature = "full")]
#[wasm_bindgen(js_name = ligeritoVerifyTogether)]
#[allow(clippy::too_many_arguments, reason = "JavaScript's side packs an object into them")]
pub fn verify_together(
    profiles: &str,
    variables: u8,
    exactly: bool,
    commitments: &[u8],
    numbers: &[u32],
    coordinates: &[u8],
    lengths: &[u32],
    values: &[u8],
    proof: &[u8],
    context: &[u8],
) -> Result<(), JsValue> {
    let accepted = acceptance(profiles, variables, exactly)?;
    let commitments = commitments.chunks(Commitment::LEN_BYTES).map(Commitment::from_bytes);
    let commitments = commitments.collect::<Result<Vec<_>, _>>().map_err(of)?;
    let (elements, values) = (gf128s(coordinates)?, gf128s(values)?);
    let points = points(&elements, lengths)?;
    if points.len() != values.len() || points.len() != numbers.len() {
        return Err(uneven());
    }
    let claims: Vec<_> = points
        .into_iter()
        .zip(values)
        .zip(numbers)
        .map(|((point, value), &number)| {
            (number as usize, ligerito::SumClaim::Point(EvaluationClaim { point, value }))
        })
        .collect();
    ligerito::verify_together(&accepted, &commitments, &claims, proof, context).map_err(of)
}

#[cfg(feature = "full")]
mod proving {
    use super::{bytes_of, gf128s, named, of, points, profile_called, uneven};
    use phalanx::ligerito::{self, ProverData, Weight};
    use wasm_bindgen::JsValue;
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Most coefficients of a polynomial here: a proof of more would want more memory than a module may have.
    const MAX_COEFFICIENTS: usize = 1 << 20;

    fn check(polynomial: &[u32]) -> Result<(), JsValue> {
        if polynomial.len() <= MAX_COEFFICIENTS {
            return Ok(());
        }
        let got = polynomial.len();
        Err(named(
            "PolynomialLength",
            &format!("polynomial of {got} coefficients: at most 2^20 in WebAssembly"),
        ))
    }

    /// The commitment to a polynomial.
    ///
    /// # Errors
    /// `PolynomialLength`.
    #[wasm_bindgen(js_name = ligeritoCommit)]
    pub fn commit(profile: &str, polynomial: &[u32]) -> Result<Vec<u8>, JsValue> {
        check(polynomial)?;
        let (commitment, _) = ligerito::commit(profile_called(profile)?, polynomial).map_err(of)?;
        Ok(commitment.to_bytes().to_vec())
    }

    /// What [`open`] gives.
    #[wasm_bindgen]
    pub struct LigeritoOpening {
        commitment: Vec<u8>,
        values: Vec<u8>,
        proof: Vec<u8>,
    }

    #[wasm_bindgen]
    impl LigeritoOpening {
        /// The 34 bytes of the commitment.
        #[must_use]
        #[wasm_bindgen(getter)]
        pub fn commitment(&self) -> Vec<u8> {
            self.commitment.clone()
        }

        /// The values at the points, 16 bytes each.
        #[must_use]
        #[wasm_bindgen(getter)]
        pub fn values(&self) -> Vec<u8> {
            self.values.clone()
        }

        /// The proof.
        #[must_use]
        #[wasm_bindgen(getter)]
        pub fn proof(&self) -> Vec<u8> {
            self.proof.clone()
        }
    }

    /// Commits to a polynomial and opens it at points.
    ///
    /// # Errors
    /// `PolynomialLength`, `NoClaims`, `TooManyClaims`, `PointLength`.
    #[wasm_bindgen(js_name = ligeritoOpen)]
    pub fn open(
        profile: &str,
        polynomial: &[u32],
        coordinates: &[u8],
        lengths: &[u32],
        context: &[u8],
    ) -> Result<LigeritoOpening, JsValue> {
        check(polynomial)?;
        let profile = profile_called(profile)?;
        let elements = gf128s(coordinates)?;
        let points = points(&elements, lengths)?;
        let (commitment, data) = ligerito::commit(profile, polynomial).map_err(of)?;
        let opening = data.open(&points, context).map_err(of)?;
        Ok(LigeritoOpening {
            commitment: commitment.to_bytes().to_vec(),
            values: bytes_of(&opening.values),
            proof: opening.proof,
        })
    }

    /// Commits to a polynomial and opens all planes at points.
    ///
    /// # Errors
    /// As [`open`].
    #[wasm_bindgen(js_name = ligeritoOpenPlanes)]
    pub fn open_planes(
        profile: &str,
        polynomial: &[u32],
        coordinates: &[u8],
        lengths: &[u32],
        context: &[u8],
    ) -> Result<LigeritoOpening, JsValue> {
        check(polynomial)?;
        let elements = gf128s(coordinates)?;
        let points = points(&elements, lengths)?;
        let (commitment, data) = ligerito::commit(profile_called(profile)?, polynomial).map_err(of)?;
        let orbits = points.iter().map(|point| data.orbit(point));
        let orbits = orbits.collect::<Result<Vec<_>, _>>().map_err(of)?;
        let proof = data.open_orbits(&orbits, context).map_err(of)?;
        Ok(LigeritoOpening {
            commitment: commitment.to_bytes().to_vec(),
            values: bytes_of(orbits.iter().flat_map(|orbit| orbit.planes())),
            proof,
        })
    }

    /// Commits to polynomials, which stand behind one another, and opens them with one proof; `numbers` says which one each point
    /// is of.
    ///
    /// # Errors
    /// As [`open`], `Together`, `CommitmentIndex`.
    #[wasm_bindgen(js_name = ligeritoOpenTogether)]
    pub fn open_together(
        profile: &str,
        polynomials: &[u32],
        sizes: &[u32],
        numbers: &[u32],
        coordinates: &[u8],
        lengths: &[u32],
        context: &[u8],
    ) -> Result<LigeritoOpening, JsValue> {
        check(polynomials)?;
        let (profile, elements) = (profile_called(profile)?, gf128s(coordinates)?);
        let points = points(&elements, lengths)?;
        let (mut rest, mut commitments, mut data) = (polynomials, Vec::new(), Vec::new());
        for &size in sizes {
            let (polynomial, after) = rest.split_at_checked(size as usize).ok_or_else(uneven)?;
            rest = after;
            let (commitment, one) = ligerito::commit(profile, polynomial).map_err(of)?;
            commitments.extend(commitment.to_bytes());
            data.push(one);
        }
        if points.len() != numbers.len() {
            return Err(uneven());
        }
        let weight = |(point, &number): (_, &u32)| (number as usize, Weight::Point(point));
        let weights: Vec<_> = points.into_iter().zip(numbers).map(weight).collect();
        let data: Vec<_> = data.iter().collect();
        let opening = ProverData::open_together(&data, &weights, context).map_err(of)?;
        Ok(LigeritoOpening {
            commitment: commitments,
            values: bytes_of(&opening.values),
            proof: opening.proof,
        })
    }
}
