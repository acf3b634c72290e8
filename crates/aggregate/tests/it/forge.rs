//! What forgers need: transcripts that do not hear everything, outer proofs of any rules, openings of any words.

use phalanx_aggregate::Statement;
use phalanx_ligerito::{self as ligerito, Accepted, Commitment, EvaluationClaim, Gf128, Preset};
use phalanx_reference::aggregate::{self as reference, Circuit, Outer, Rule, SLOTS, Suite};
use phalanx_reference::ligerito::{Large, Transcript, eq};
use phalanx_reference::xmss_blake2s::{
    CHAINS, NoEncoding, Profile, SecretKey, Signature, digits, encoding_digest, walk,
};

/// What a proof is bound to. Suite and profile may be another field's.
pub(crate) struct Bound<'a> {
    pub(crate) suite: &'static str,
    pub(crate) profile: u8,
    pub(crate) statement: &'a Statement,
    pub(crate) randomizers: &'a [u8],
    pub(crate) context: &'a [u8],
    pub(crate) root: [u8; 32],
}

/// Why a verifier of the forgers' choice refuses.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Before the opening.
    Refused(reference::Error),
    /// The opening.
    Opening(ligerito::ProofError),
}

impl<'a> Bound<'a> {
    /// In the suite of `N`.
    pub(crate) fn of<N: Suite>(statement: &'a Statement, randomizers: &'a [u8], root: [u8; 32]) -> Self {
        let (suite, profile) = (N::SUITE, N::PROFILE);
        Self { suite, profile, statement, randomizers, context: b"context", root }
    }

    /// The transcript up to the first challenge, without what it is deaf to.
    pub(crate) fn transcript<N: Large>(&self, deaf_to: Option<&str>) -> Transcript<N> {
        let mut transcript = Transcript::of_suite(self.suite);
        let variables = 9 + u8::try_from(log2_blocks(self.statement)).expect("at most 21");
        let absorbed: [(&str, &[u8]); 6] = [
            ("suite", self.suite.as_bytes()),
            ("circuit", &Circuit::blake2s().digest()),
            ("ctx", self.context),
            ("statement", &self.statement.to_bytes()),
            ("rho", self.randomizers),
            ("commitment", &[&[self.profile, variables][..], &self.root].concat()),
        ];
        for (label, bytes) in absorbed {
            if deaf_to != Some(label) {
                transcript.absorb(label, bytes);
            }
        }
        transcript
    }

    /// What a verifier says that is given the rules and hears what this transcript has heard.
    pub(crate) fn verdict(
        &self,
        transcript: Transcript<u128>,
        rules: &[[Rule; SLOTS]],
        outer: &[u8],
        opening: &[u8],
    ) -> Result<(), Verdict> {
        let claims = {
            let (circuit, rules) = (Circuit::blake2s(), rules.as_flattened());
            reference::claims_from(&circuit, transcript, reference::OPENING, rules, outer)
        };
        let (claims, context) = claims.map_err(Verdict::Refused)?;
        let points = claims.iter().map(|claim| claim.point.iter().copied().map(Gf128).collect());
        let points: Vec<Vec<Gf128>> = points.collect();
        let claims: Vec<EvaluationClaim<'_, Gf128>> = points
            .iter()
            .zip(&claims)
            .map(|(point, claim)| EvaluationClaim { point, value: Gf128(claim.value) })
            .collect();
        let variables = u8::try_from(points[0].len()).expect("at most 30");
        let accepted = Accepted::exactly(Preset::Balanced, variables);
        let commitment = Commitment::new(Preset::Balanced, variables, self.root);
        ligerito::verify(&accepted, &commitment, &claims, opening, &context).map_err(Verdict::Opening)
    }

    /// The aggregate.
    pub(crate) fn aggregate(&self, outer: &[u8], opening: &[u8]) -> Vec<u8> {
        [&b"PXA1"[..], &[self.profile], &self.root, self.randomizers, outer, opening].concat()
    }
}

pub(crate) fn log2_blocks(statement: &Statement) -> usize {
    reference::log2_blocks(statement.signatures())
}

/// As the reference has it.
pub(crate) fn plain(statement: &Statement) -> reference::Statement {
    reference::Statement::from_bytes(&statement.to_bytes()).expect("valid")
}

/// The rules of a statement under randomizers.
pub(crate) fn rules_of(statement: &Statement, randomizers: &[u8]) -> Vec<[Rule; SLOTS]> {
    reference::rules(&plain(statement), randomizers).expect("encodings")
}

/// Words that are committed to.
pub(crate) struct Committed<'a> {
    pub(crate) root: [u8; 32],
    data: ligerito::ProverData<'a, Gf128>,
}

impl<'a> Committed<'a> {
    pub(crate) fn new(words: &'a [u32]) -> Self {
        let (commitment, data) = ligerito::commit(Preset::Balanced, words).expect("a registered size");
        Self { root: *commitment.root(), data }
    }

    /// The honest proof of what is at the conjugates of three points.
    pub(crate) fn open(&self, points: &[Vec<u128>; 3], context: &[u8]) -> Vec<u8> {
        let points = points.each_ref().map(|point| point.iter().copied().map(Gf128).collect::<Vec<_>>());
        let orbits = points.each_ref().map(|point| self.data.orbit(point).expect("as many coordinates"));
        self.data.open_orbits(&orbits, context).expect("three points")
    }

    /// The values at some points.
    pub(crate) fn values(&self, points: &[Vec<u128>]) -> Vec<u128> {
        let points: Vec<Vec<Gf128>> =
            points.iter().map(|point| point.iter().copied().map(Gf128).collect()).collect();
        let points: Vec<&[Gf128]> = points.iter().map(Vec::as_slice).collect();
        let opening = self.data.open(&points, &[]).expect("as many coordinates");
        opening.values.iter().map(|value| value.0).collect()
    }
}

/// Changes two slices of the point `number` so that their sum, which the next check looks at, is what it was.
pub(crate) fn neighbours_bent(number: usize) -> impl FnMut(usize, &[u128], &mut [u128]) {
    move |of, low, slices| {
        if of == number {
            let weights = eq(low);
            slices[0] ^= weights[1];
            slices[1] ^= weights[0];
        }
    }
}

/// The three points that an outer proof has the conjugates of.
pub(crate) fn three_points(points: &[Vec<u128>]) -> [Vec<u128>; 3] {
    [0, 32, 64].map(|first| points[first].clone())
}

/// The outer proof of words under rules, by the reference.
pub(crate) fn outer<N: Suite>(
    transcript: Transcript<N>,
    rules: &[[Rule; SLOTS]],
    words: Vec<u32>,
    bend: impl FnMut(usize, &[N], &mut [N]),
) -> Outer<N> {
    let circuit = Circuit::blake2s();
    let witness = reference::Witness::of(&circuit, words);
    reference::outer_from(&circuit, transcript, reference::OPENING, rules.as_flattened(), &witness, bend)
}

/// The key of the published signature, and what it signs.
pub(crate) fn published() -> (SecretKey, u32, [u8; 32]) {
    let (seed, epoch) = (std::array::from_fn(|i| u8::try_from(i).expect("small")), 0x89ab_cdef);
    let key = SecretKey::new(Profile::B, &seed, epoch, epoch).expect("one epoch");
    (key, epoch, std::array::from_fn(|i| 100 + u8::try_from(i).expect("small")))
}

/// The first randomizers, counted up, whose encoding has these spare bits, and digits of that sum.
pub(crate) fn randomizers_with(
    parameter: &[u8; 16],
    epoch: u32,
    message: &[u8; 32],
    spare: [bool; 2],
) -> impl Iterator<Item = ([u8; 24], [u32; CHAINS])> {
    let (parameter, message) = (*parameter, *message);
    (0_u64..).filter_map(move |trial| {
        let mut randomizer = [0; 24];
        randomizer[..8].copy_from_slice(&trial.to_le_bytes());
        let mut digest = encoding_digest(Profile::B, &parameter, epoch, &message, &randomizer);
        if [7, 15].map(|at| digest[at] >> 7 == 1) != spare {
            return None;
        }
        digest[7] &= 0x7f;
        digest[15] &= 0x7f;
        match digits(&digest) {
            Ok(digits) => Some((randomizer, digits)),
            Err(NoEncoding::OffTarget | NoEncoding::SpareBitSet) => None,
        }
    })
}

/// What a key's owner would send for any randomizer and digits.
pub(crate) fn signature(
    key: &SecretKey,
    epoch: u32,
    randomizer: [u8; 24],
    digits: &[u32; CHAINS],
) -> Signature {
    let value = |(chain, digit): (u32, &u32)| {
        walk(key.profile, &key.parameter, epoch, chain, 0, *digit, key.start(epoch, chain))
    };
    let values = (0..).zip(digits).map(value).collect();
    Signature { values, randomness: randomizer, path: key.path(epoch) }
}

/// The columns that add up to a target over GF(2), if there are such.
pub(crate) fn subset(columns: &[Vec<u128>], target: &[u128]) -> Option<Vec<usize>> {
    let rows = target.len();
    // Below a column stands which columns it is the sum of.
    let of = |column: &[u128], number: Option<usize>| {
        let mut of = column.to_vec();
        of.resize(rows + columns.len().div_ceil(128), 0);
        if let Some(number) = number {
            of[rows + number / 128] |= 1 << (number % 128);
        }
        of
    };
    // Each with a bit that the later ones do not have.
    let mut basis: Vec<((usize, u32), Vec<u128>)> = Vec::new();
    let reduced = |basis: &[((usize, u32), Vec<u128>)], mut column: Vec<u128>| {
        for ((word, bit), other) in basis {
            if column[*word] >> bit & 1 == 1 {
                column.iter_mut().zip(other).for_each(|(x, y)| *x ^= y);
            }
        }
        column
    };
    for (number, column) in columns.iter().enumerate() {
        let column = reduced(&basis, of(column, Some(number)));
        if let Some(word) = (0..rows).find(|word| column[*word] != 0) {
            basis.push(((word, column[word].trailing_zeros()), column));
        }
    }
    let left = reduced(&basis, of(target, None));
    let (sum, which) = left.split_at(rows);
    let is_in = |number: &usize| which[number / 128] >> (number % 128) & 1 == 1;
    sum.iter().all(|word| *word == 0).then(|| (0..columns.len()).filter(is_in).collect())
}

#[test]
fn subsets_add_up() {
    let columns: Vec<Vec<u128>> = [5, 6, 3, 8 << 64, 12].map(|x| vec![x, x << 100]).to_vec();
    for target in [0, 5, 3, 9, 15, 8 << 64 | 10] {
        let found = subset(&columns, &[target, target << 100]).expect("in their span");
        assert_eq!(found.iter().fold(0, |sum, number| sum ^ columns[*number][0]), target);
    }
    assert_eq!(subset(&columns, &[16, 16 << 100]), None);
    assert_eq!(subset(&columns, &[1, 0]), None);
}
