//! Verification (spec section 7): the checks V0 to V9 in their order.

use super::code::Code;
use super::field::Large;
use super::multilinear::{dot, eq, eq_weights, fold};
use super::prove::combine;
use super::shape::{Shape, registered};
use super::transcript::{Squeeze, Transcript, pow};
use super::tree::{Digest, hash_leaf, recomputed_root};
use super::{Error, MAX_CLAIMS};

/// "The committed polynomial has this value at this point."
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim<N> {
    /// `z`, `mu` coordinates.
    pub point: Vec<N>,
    /// `y`.
    pub value: N,
}

/// A commitment under a registered shape, not trusted to name an acceptable one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// 1 for `balanced`, 2 for `compact`; 3 for `balanced` of the suite of 128 bits, 4 for that up to the
    /// Johnson radius.
    pub profile: u8,
    /// The polynomial has `2^mu` elements.
    pub mu: u8,
    /// The root of level 0.
    pub root: Digest,
}

/// What the verifier is willing to verify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// One profile and size.
    Exactly {
        /// The profile.
        profile: u8,
        /// The size.
        mu: u8,
    },
    /// Several profiles, sizes up to a limit.
    UpTo {
        /// The profiles.
        profiles: Vec<u8>,
        /// The greatest size.
        mu: u8,
    },
}

/// Verifies under a registered shape; returns everything that was squeezed.
///
/// # Errors
///
/// The first failed check of V0 to V9.
pub fn verify<N: Large>(
    accepted: &Accepted,
    commitment: &Commitment,
    claims: &[Claim<N>],
    proof: &[u8],
    ctx: &[u8],
) -> Result<Vec<Squeeze>, Error> {
    // V0.
    let &Commitment { profile, mu, ref root } = commitment;
    let wanted = match accepted {
        Accepted::Exactly { profile: p, mu: m } => (profile, mu) == (*p, *m),
        Accepted::UpTo { profiles, mu: limit } => profiles.contains(&profile) && mu <= *limit,
    };
    let shape = registered(profile, mu).filter(|_| wanted).ok_or(Error::UnacceptedParams)?;
    verify_shape(&shape, root, claims, proof, ctx)
}

/// Verifies under any shape, so also under those for tests.
///
/// # Errors
///
/// The first failed check of V1 to V9.
pub fn verify_shape<N: Large>(
    shape: &Shape<N>,
    root: &Digest,
    claims: &[Claim<N>],
    proof: &[u8],
    ctx: &[u8],
) -> Result<Vec<Squeeze>, Error> {
    verify_without(Omission::Nothing, shape, root, claims, proof, ctx)
}

/// What a broken verifier leaves out. A forgery that some omission lets through shows what the omitted step is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omission {
    /// Nothing: the verifier of the specification.
    Nothing,
    /// The check with this error, of this level; those that happen once belong to level 0.
    Check(Error, usize),
    /// Everything absorbed under this label.
    Absorb(&'static str),
    /// Step 5 of this level.
    Induced(usize),
}

impl Omission {
    /// One check.
    fn require(self, error: Error, level: usize, holds: bool) -> Result<(), Error> {
        if holds || self == Omission::Check(error, level) { Ok(()) } else { Err(error) }
    }

    /// The transcript of a verifier with this omission.
    fn transcript<N: Large>(self) -> Transcript<N> {
        Transcript::deaf_to(if let Omission::Absorb(label) = self { Some(label) } else { None })
    }
}

/// [`verify_shape`] by a verifier that leaves something out.
///
/// # Errors
///
/// The first failed check of those that are left.
pub fn verify_without<N: Large>(
    omission: Omission,
    shape: &Shape<N>,
    root: &Digest,
    claims: &[Claim<N>],
    proof: &[u8],
    ctx: &[u8],
) -> Result<Vec<Squeeze>, Error> {
    let require = |error, level, holds| omission.require(error, level, holds);
    require(Error::NoClaims, 0, !claims.is_empty())?; // V1
    require(Error::TooManyClaims, 0, claims.len() <= MAX_CLAIMS)?; // V2
    let mu = usize::from(shape.mu());
    require(Error::PointLength, 0, claims.iter().all(|claim| claim.point.len() == mu))?; // V3
    require(Error::ProofLength, 0, proof.len() as u64 <= shape.max_len())?; // V4

    let mut transcript = omission.transcript();
    let statement = claims.iter().map(|claim| (&claim.point, claim.value));
    let gamma = transcript.start(shape, root, statement, ctx);
    let mut sigma = claims.iter().rev().fold(N::default(), |sigma, claim| sigma.times(gamma) ^ claim.value);
    let mut w = eq_weights(shape.mu(), claims.iter().map(|claim| &claim.point), gamma);

    let size = N::FIELD.bytes();
    let mut proof = Reader { rest: proof };
    let mut root = *root;
    let mut yr = Vec::new();
    for (i, level) in shape.levels().iter().enumerate() {
        // Step 1.
        let mut rho = Vec::new();
        for _ in 0..level.k {
            let message = proof.take(2 * size)?;
            let (e0, e2) = (N::of_le(&message[..size]), N::of_le(&message[size..]));
            transcript.absorb("round", message);
            let r = transcript.challenge("fold");
            sigma = next_sigma(sigma, (e0, e2), r);
            w = fold(&w, r);
            rho.push(r);
        }
        // Step 2.
        let mut next_root = root;
        if i < shape.last() {
            next_root = proof.digest()?;
            transcript.absorb("root", &next_root);
        } else {
            let message = proof.take(size * shape.final_len())?;
            transcript.absorb("final", message);
            yr = message.chunks_exact(size).map(N::of_le).collect();
        }
        // Step 3.
        if level.grind > 0 {
            let seed = transcript.squeeze("pow-seed", 32);
            let nonce = proof.take(8)?;
            let number = u64::from_le_bytes(nonce.try_into().expect("eight bytes"));
            let done = pow::<N>(&seed, number).is_multiple_of(1 << level.grind);
            require(Error::ProofOfWork, i, done)?; // V5
            transcript.absorb("pow-nonce", nonce);
        }
        // Step 4.
        let positions = transcript.queries(level.d + level.r, level.queries);
        let field = shape.field(i);
        let (mut rows, mut leaves) = (Vec::new(), Vec::new());
        for &q in &positions {
            let bytes = proof.take(field.bytes() << level.k)?;
            leaves.push((q, hash_leaf::<N>(bytes)));
            let entries = bytes.chunks_exact(field.bytes()).map(N::of_le);
            rows.push(entries.map(|entry| field.into_large(entry)).collect::<Vec<N>>());
        }
        let recomputed = recomputed_root::<N>(level.d + level.r, leaves, || proof.digest())?;
        require(Error::MerkleRoot, i, recomputed == root)?; // V6
        // Step 5.
        if i < shape.last() {
            let alpha = transcript.challenge("alpha");
            if omission != Omission::Induced(i) {
                combine(shape, i, &positions, &rows, &rho, alpha, &mut sigma, &mut w);
            }
        } else {
            let fits = final_rows_fit(&shape.code(i), &positions, &rows, &rho, &yr);
            require(Error::FinalRow, 0, fits)?; // V7
        }
        root = next_root;
    }
    require(Error::FinalClaim, 0, sigma == dot(N::FIELD, &yr, &w))?; // V8
    require(Error::ProofLength, 0, proof.rest.is_empty())?; // V9
    Ok(transcript.squeezes)
}

/// `g(r)`, where `g(0) = e0`, `g(0) + g(1) = sigma` and `e2` is the coefficient of `X^2`.
pub fn next_sigma<N: Large>(sigma: N, (e0, e2): (N, N), r: N) -> N {
    e0 ^ r.times(sigma ^ e2) ^ e2.times(r.times(r))
}

/// V7: every opened row of the last level, folded, is the entry of the final vector's encoding.
fn final_rows_fit<N: Large>(code: &Code<N>, positions: &[u64], rows: &[Vec<N>], rho: &[N], yr: &[N]) -> bool {
    let weights = eq(rho);
    let fits = |(&q, row): (&u64, &Vec<N>)| {
        dot(N::FIELD, row, &weights) == dot(N::FIELD, yr, &code.generator_row_in_large(q))
    };
    positions.iter().zip(rows).all(fits)
}

/// The proof, read from the front.
pub(crate) struct Reader<'a> {
    pub(crate) rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(Error::ProofLength)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn digest(&mut self) -> Result<Digest, Error> {
        Ok(self.take(32)?.try_into().expect("32 bytes"))
    }
}
