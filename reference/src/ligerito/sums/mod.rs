//! The opening of weighted sums, `ligerito-v2` (spec sections 0, A, C and D): points, tensors, weights
//! that the caller describes, and planes of one commitment or several, in one proof. Commitments, codes, trees and hashes are those of the first suites; the suite string and the
//! beginning of the transcript are others.
//!
//! In the suite up to the Johnson radius (section E), which has this opening only, every committed vector has a *sample*: its
//! value at a point that is drawn when its root is known.
//!
//! Everything is a table: the committed matrices lie side by side and one above the other in a single matrix, whose
//! entries of nobody are zero, and so do their weights. Selectors need no mention then.

pub mod caller;
pub mod described;
mod prove;
mod verify;

pub use prove::{Lies, open, open_with};
pub use verify::{Without, verify, verify_in, verify_without};

use serde_json::Value;

use super::field::{Large, large_bytes};
use super::multilinear::{add_multiple, eq, tensor};
use super::planes::{orbit, values_of_planes};
use super::{Committed, Digest, Error, Level, Shape, Transcript, evaluate};

/// The suite string of registered shapes, and that of all others.
pub fn suites<N: Large>() -> [&'static str; 2] {
    if N::SAMPLES {
        [N::PRODUCTION, N::TEST]
    } else if N::FIELD.bits == 128 {
        ["ligerito-v2-provable100", "ligerito-v2-test-insecure"]
    } else {
        ["ligerito-v2-provable128", "ligerito-v2-128-test-insecure"]
    }
}

/// Tensors of all claims together beyond which there are closing rounds.
pub const MOST_TENSORS_WITHOUT_CLOSING_ROUNDS: usize = 128;

/// Commitments that one proof may be about.
pub const MOST_COMMITMENTS: usize = 256;

/// A level of a batch's table, `[d, k, r, Q]`: batches do no work.
fn later_level(list: &Value) -> Level {
    let number = |i: usize| u16::try_from(list[i].as_u64().expect("four numbers")).expect("16 bits");
    let small = |i| u8::try_from(number(i)).expect("eight bits");
    Level { d: small(0), k: small(1), r: small(2), queries: number(3), grind: 0 }
}

/// A scale, and for every coordinate the values of the factor at 0 and at 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor<N> {
    /// The scale.
    pub scale: N,
    /// `(u_0, u_1)` for every coordinate.
    pub factors: Vec<(N, N)>,
}

/// What is claimed of one committed polynomial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim<N> {
    /// Kind 0: the value at a point.
    Point(Vec<N>, N),
    /// Kind 1: the sum weighted by tensors.
    Tensors(Vec<Tensor<N>>, N),
    /// Kind 2: the sum by a weight of the caller's: the bytes that describe it, and its whole table.
    Described(Vec<u8>, Vec<N>, N),
    /// Kind 3: the 32 planes at a point.
    Planes(Vec<N>, Vec<N>),
}

impl<N: Large> Claim<N> {
    fn kind(&self) -> u8 {
        match self {
            Claim::Point(..) => 0,
            Claim::Tensors(..) => 1,
            Claim::Described(..) => 2,
            Claim::Planes(..) => 3,
        }
    }

    fn body(&self) -> Vec<u8> {
        match self {
            Claim::Point(z, _) | Claim::Planes(z, _) => large_bytes(z),
            Claim::Described(description, ..) => description.clone(),
            Claim::Tensors(tensors, _) => {
                let mut body = u32::try_from(tensors.len()).expect("few tensors").to_le_bytes().to_vec();
                for tensor in tensors {
                    body.extend(large_bytes(&[tensor.scale]));
                    tensor.factors.iter().for_each(|&(zero, one)| body.extend(large_bytes(&[zero, one])));
                }
                body
            }
        }
    }

    fn values(&self) -> Vec<N> {
        match self {
            Claim::Point(_, y) | Claim::Tensors(_, y) | Claim::Described(_, _, y) => vec![*y],
            Claim::Planes(_, s) => s.clone(),
        }
    }

    /// How many tensors it is; a described weight is none.
    pub fn tensors(&self) -> usize {
        match self {
            Claim::Point(..) => 1,
            Claim::Tensors(tensors, _) => tensors.len(),
            Claim::Described(..) => 0,
            Claim::Planes(..) => 32,
        }
    }

    /// Whole tables of weights and the values of the sums: one, or the 32 of an orbit.
    pub fn expanded(&self) -> Vec<(Vec<N>, N)> {
        match self {
            Claim::Point(z, y) => vec![(eq(z), *y)],
            Claim::Tensors(tensors, y) => {
                let mut sum = vec![N::default(); 1 << tensors[0].factors.len()];
                for term in tensors {
                    add_multiple(&mut sum, term.scale, &tensor(N::FIELD, &term.factors));
                }
                vec![(sum, *y)]
            }
            Claim::Described(_, weight, y) => vec![(weight.clone(), *y)],
            Claim::Planes(z, s) => orbit(z).iter().map(|z| eq(z)).zip(values_of_planes(s)).collect(),
        }
    }

    /// Whether it is about a polynomial in `mu` variables.
    fn check(&self, mu: usize) -> Result<(), Error> {
        match self {
            Claim::Point(z, _) | Claim::Planes(z, _) if z.len() != mu => Err(Error::PointLength),
            Claim::Tensors(tensors, _) if tensors.is_empty() => Err(Error::ClaimBody),
            Claim::Tensors(tensors, _) if tensors.iter().any(|tensor| tensor.factors.len() != mu) => {
                Err(Error::ClaimBody)
            }
            _ => Ok(()),
        }
    }
}

/// A claim and the number of the commitment that it is about.
pub type Numbered<N> = (usize, Claim<N>);

/// A commitment as the statement has it: 34 bytes, or 58 with a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed34<N> {
    /// Its shape, of which only level 0 counts if there are several commitments.
    pub shape: Shape<N>,
    /// The profile; for shapes that are registered nowhere 0, and 4 with samples.
    pub profile: u8,
    /// The root of level 0.
    pub root: Digest,
    /// `y*`, the polynomial's value at [`sample_point`], in suites with samples.
    pub sample: Option<N>,
}

impl<N: Large> Committed34<N> {
    /// What is published of a polynomial; the suite string draws the point of the sample.
    pub fn of(committed: &Committed<N>, profile: u8, suite: &str) -> Committed34<N> {
        Committed34::under(committed, committed.root(), profile, suite)
    }

    /// The same with any root.
    pub fn under(committed: &Committed<N>, root: Digest, profile: u8, suite: &str) -> Committed34<N> {
        let shape = committed.shape.clone();
        let sample = N::SAMPLES.then(|| evaluate(&committed.polynomial, &sample_point(suite, &shape, &root)));
        Committed34 { shape, profile, root, sample }
    }

    /// The wire form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let sample: Vec<N> = self.sample.into_iter().collect();
        [&[self.profile, self.shape.mu()], &self.root[..], &large_bytes(&sample)].concat()
    }

    /// The claim that the sample is, before all others.
    fn sampled(&self, suite: &str) -> Option<Numbered<N>> {
        let point = |sample| Claim::Point(sample_point(suite, &self.shape, &self.root), sample);
        self.sample.map(|sample| (0, point(sample)))
    }
}

/// `z*`: what a transcript of its own draws when suite, shape and root are known (section E.2).
pub fn sample_point<N: Large>(suite: &str, shape: &Shape<N>, root: &Digest) -> Vec<N> {
    let mut transcript = Transcript::default();
    transcript.absorb("suite", suite.as_bytes());
    transcript.absorb("params", &shape.params_bytes());
    transcript.absorb("root0", root);
    out_of_domain(&mut transcript, shape.mu())
}

/// The point of a sample.
fn out_of_domain<N: Large>(transcript: &mut Transcript<N>, coordinates: u8) -> Vec<N> {
    (0..coordinates).map(|_| transcript.challenge("ood")).collect()
}

/// The claims as gamma combines them: the sample of the commitment is number 0, if it has one.
fn with_samples<N: Large>(
    commitments: &[Committed34<N>],
    suite: &str,
    claims: &[Numbered<N>],
) -> Vec<Numbered<N>> {
    assert!(
        !N::SAMPLES || commitments.len() == 1,
        "one commitment: batches have no table up to the Johnson radius"
    );
    commitments.iter().filter_map(|one| one.sampled(suite)).chain(claims.iter().cloned()).collect()
}

/// Step 5 where the next level may have a sample, its point and value: that claim has the first power of alpha, and those of
/// the rows, which `rows` adds, begin with the next one.
fn with_sample<N: Large>(
    sample: Option<(Vec<N>, N)>,
    alpha: N,
    sigma: &mut N,
    w: &mut [N],
    rows: impl FnOnce(&mut N, &mut [N]),
) {
    let Some((point, value)) = sample else { return rows(sigma, w) };
    let (mut sum, mut weights) = (value, eq(&point));
    let (mut of_rows, mut weights_of_rows) = (N::default(), vec![N::default(); w.len()]);
    rows(&mut of_rows, &mut weights_of_rows);
    sum ^= of_rows;
    weights.iter_mut().zip(weights_of_rows).for_each(|(weight, of_rows)| *weight ^= of_rows);
    *sigma ^= alpha.times(sum);
    add_multiple(w, alpha, &weights);
}

/// Commitments under one code (section C.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// `d`, `r` and `Q`.
    pub level: Level,
    /// Commitments in statement order, each with the offset of its columns.
    pub members: Vec<(usize, usize)>,
    /// Where the folded vector lies among those of all groups.
    pub position: usize,
}

/// How the commitments lie in one matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout<N> {
    /// The base-two logarithm of the number of columns.
    pub kappa: u8,
    /// The base-two logarithm of the number of rows.
    pub log_rows: u8,
    /// The groups.
    pub groups: Vec<Group>,
    /// Level 0 stands for the sizes of the whole; the others are the later levels.
    pub shape: Shape<N>,
    /// The proof of work of level 0.
    pub grind: u8,
    /// Elements of the final vector, where there is no later level.
    pub sent: usize,
}

impl<N: Large> Layout<N> {
    /// That of one shape.
    pub fn of(shape: &Shape<N>) -> Layout<N> {
        Layout::new(&[shape], &shape.levels()[1..])
    }

    /// That of several registered shapes, all of `profile`, if the suite accepts them together (sections C.2 and C.5): `Q` and
    /// the later levels are those of its table.
    pub fn batch(profile: u8, shapes: &[&Shape<N>]) -> Option<Layout<N>> {
        let (lambda, table) = match (profile, N::SAMPLES) {
            (1, false) => (100, include_str!("../../../../vectors/ligerito-v2/batch100.json")),
            (3, false) => (128, include_str!("../../../../vectors/ligerito-v2/batch128.json")),
            _ => return None,
        };
        let table: Value = serde_json::from_str(table).expect("the table is JSON");
        let mut layout = Layout::new(shapes, &[]);
        let later = table["tails"][layout.log_rows.to_string()].as_array()?;
        let later: Vec<Level> = later.iter().map(later_level).collect();
        layout = Layout::new(shapes, &later);
        let mut points = 0;
        for Group { level, .. } in &mut layout.groups {
            let queries = table["queries"][format!("{},{}", level.d, level.r)].as_u64()?;
            level.queries = u16::try_from(queries).expect("16 bits");
            points += 1_u64 << (level.d + level.r);
        }
        let narrow = u64::from(layout.kappa) * points <= 1 << 26 && layout.log_rows <= 23;
        let accepted = (2..=MOST_COMMITMENTS).contains(&shapes.len()) && (lambda == 128 || narrow);
        accepted.then_some(layout)
    }

    /// The layout of these shapes, with these levels after level 0.
    pub fn new(shapes: &[&Shape<N>], later: &[Level]) -> Layout<N> {
        let first = |a: usize| shapes[a].levels()[0];
        let mut codes: Vec<(u8, u8)> = (0..shapes.len()).map(|a| (first(a).d, first(a).r)).collect();
        codes.sort_by_key(|&(d, r)| (std::cmp::Reverse(d), r));
        codes.dedup();
        let (mut groups, mut kappa, mut rows) = (Vec::new(), 0, 0);
        for (d, r) in codes {
            let mut members: Vec<usize> =
                (0..shapes.len()).filter(|&a| (first(a).d, first(a).r) == (d, r)).collect();
            let level = first(members[0]);
            members.sort_by_key(|&a| (std::cmp::Reverse(first(a).k), a));
            let mut columns = 0usize;
            let mut placed = Vec::new();
            for a in members {
                placed.push((a, columns));
                columns += 1 << first(a).k;
            }
            placed.sort_unstable();
            kappa = kappa.max(columns.next_power_of_two().ilog2());
            groups.push(Group { level, members: placed, position: rows });
            rows += 1 << d;
        }
        let byte = |x: u32| u8::try_from(x).expect("small");
        let (kappa, log_rows) = (byte(kappa), byte(rows.next_power_of_two().ilog2()));
        let whole = Level { d: log_rows, k: kappa, r: 1, queries: 1, grind: 0 };
        let shape = Shape::of_batch(&[&[whole], later].concat());
        let grind = if let [only] = shapes { only.levels()[0].grind } else { 0 };
        Layout { kappa, log_rows, groups, shape, grind, sent: rows }
    }

    /// Where entry `i` of commitment `a`, of `2^k` columns, lies.
    fn place(&self, a: usize, k: u8, i: usize) -> usize {
        let group = |group: &&Group| group.members.iter().any(|member| member.0 == a);
        let group = self.groups.iter().find(group).expect("every commitment has a group");
        let (_, offset) = group.members.iter().find(|member| member.0 == a).expect("found before");
        (group.position + (i >> k)) << self.kappa | (offset + (i & ((1 << k) - 1)))
    }

    /// Of one table for each commitment, one of the whole.
    fn laid<'a>(&self, tables: impl Iterator<Item = (usize, u8, &'a [N])>) -> Vec<N> {
        let mut whole = vec![N::default(); 1 << self.shape.mu()];
        for (a, k, table) in tables {
            for (i, &entry) in table.iter().enumerate() {
                whole[self.place(a, k, i)] ^= entry;
            }
        }
        whole
    }

    /// What the transcript absorbs of it.
    pub fn params_bytes(&self) -> Vec<u8> {
        let later = &self.shape.levels()[1..];
        let mut bytes = vec![self.kappa, u8::try_from(later.len()).expect("few levels")];
        for group in &self.groups {
            bytes.extend([group.level.d, group.level.r]);
            bytes.extend(group.level.queries.to_le_bytes());
        }
        for level in later {
            bytes.extend([level.d, level.k, level.r]);
            bytes.extend(level.queries.to_le_bytes());
            bytes.push(level.grind);
        }
        bytes.push(self.grind);
        bytes
    }

    /// Elements of the final vector.
    fn final_len(&self) -> usize {
        if self.shape.last() == 0 { self.sent } else { self.shape.final_len() }
    }

    /// The rounds that follow the final vector, if there are any: for a described weight, and for many tensors.
    fn closing_rounds(&self, claims: &[Numbered<N>]) -> u8 {
        let tensors: usize = claims.iter().map(|(_, claim)| claim.tensors()).sum();
        let last = self.shape.levels()[self.shape.last()].d;
        let described = claims.iter().any(|(_, claim)| matches!(claim, Claim::Described(..)));
        if described || tensors > MOST_TENSORS_WITHOUT_CLOSING_ROUNDS { last } else { 0 }
    }

    /// The weights of all claims in the whole, and what they add up to.
    fn weights(&self, shapes: &[&Shape<N>], claims: &[Numbered<N>], gamma: N) -> (Vec<N>, N) {
        let (mut w, mut sigma, mut power) =
            (vec![N::default(); 1 << self.shape.mu()], N::default(), N::one());
        for (a, claim) in claims {
            for (table, value) in claim.expanded() {
                let k = shapes[*a].levels()[0].k;
                add_multiple(&mut w, power, &self.laid([(*a, k, &table[..])].into_iter()));
                sigma ^= power.times(value);
                power = power.times(gamma);
            }
        }
        (w, sigma)
    }
}

/// The common start of both sides.
fn start<N: Large>(
    transcript: &mut Transcript<N>,
    suite: &str,
    layout: &Layout<N>,
    commitments: &[Committed34<N>],
    claims: &[Numbered<N>],
    ctx: &[u8],
) -> N {
    transcript.absorb("suite", suite.as_bytes());
    transcript.absorb("ctx", ctx);
    transcript.absorb("params", &layout.params_bytes());
    transcript
        .absorb("commitments", &commitments.iter().flat_map(Committed34::to_bytes).collect::<Vec<u8>>());
    transcript.absorb("claims", &(claims.len() as u64).to_le_bytes());
    for (a, claim) in claims {
        let number = u32::try_from(*a).expect("few commitments").to_le_bytes();
        transcript.absorb("claim", &[&[claim.kind()], &number[..], &claim.body()].concat());
        transcript.absorb("value", &large_bytes(&claim.values()));
    }
    transcript.challenge("gamma")
}

/// Step 5 of level 0, where the rows of all groups become claims about the folded vectors end to end: the powers of alpha
/// run on through the groups.
fn combine_groups<N: Large>(
    layout: &Layout<N>,
    shapes: &[&Shape<N>],
    opened: &[(Vec<u64>, Vec<Vec<N>>)],
    alpha: N,
    sigma: &mut N,
    w: &mut [N],
) {
    let mut power = alpha;
    for (group, (positions, folded)) in layout.groups.iter().zip(opened) {
        let code = shapes[group.members[0].0].code(0);
        for (t, &q) in positions.iter().enumerate() {
            folded.iter().for_each(|rows| *sigma ^= power.times(rows[t]));
            let row = code.generator_row_in_large(q);
            add_multiple(&mut w[group.position..group.position + row.len()], power, &row);
            power = power.times(alpha);
        }
    }
}
