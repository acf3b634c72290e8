//! The challenges of a proof of the published crate, drawn again from its bytes: part A of the specification, section
//! A8.

use super::elements::given;
use super::parts::Parts;
use phalanx::ligerito::Gf128;
use phalanx::ligerito::hazmat::fields::{Field, equal};
use phalanx::ligerito::hazmat::transcripts::Published;
use phalanx::ligerito::ref_v08::Config;

/// What is drawn and computed at a level.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Drawn {
    pub(crate) folding: Vec<Gf128>,
    pub(crate) queries: Vec<usize>,
    /// Not at the last level.
    pub(crate) alpha: Option<Gf128>,
    pub(crate) sum: Option<Gf128>,
    /// Not at the first either, where there are no claims.
    pub(crate) beta: Option<Gf128>,
}

/// All levels of a proof without claims.
pub(crate) fn drawn(
    mut transcript: Published,
    config: &Config,
    parts: &Parts<'_>,
) -> Result<Vec<Drawn>, String> {
    let levels = config.levels();
    if levels.len() != parts.levels.len() || config.rounds() != parts.rounds.len() {
        return Err("the proof has not the levels of the configuration".to_owned());
    }
    transcript.absorb_bytes("ligerito-v1-config", &config.to_bytes());
    transcript.absorb_root(&parts.roots[0]);
    transcript.absorb_bytes("ligerito-v1-claims", &0u64.to_le_bytes());
    let mut rounds = parts.rounds.iter();
    let mut all = Vec::new();
    for (index, level) in levels.iter().enumerate() {
        let mut drawn = Drawn::default();
        for _ in 0..level.log2_columns {
            // Without claims nothing is said while level 0 is folded.
            if index > 0 {
                for element in rounds.next().expect("counted above") {
                    given("element", transcript.absorb_element(Field::Gf128, element.0))?;
                }
            }
            drawn.folding.push(Gf128(transcript.challenge(Field::Gf128)));
        }
        let positions = 1u64 << (level.log2_message + config.log2_inverse_rate());
        if let Some(root) = parts.roots.get(index + 1) {
            transcript.absorb_root(root);
        } else {
            let last: Vec<u128> = parts.last_vector.iter().map(|x| x.0).collect();
            given("elements", transcript.absorb_elements(Field::Gf128, &last))?;
        }
        drawn.queries = transcript.queries(positions, 148);
        if index + 1 < levels.len() {
            let alpha = Gf128(transcript.challenge(Field::Gf128));
            let sum = sum_of_rows(index, &parts.levels[index].rows, &drawn.folding, alpha)?;
            given("sum", transcript.absorb_element(Field::Gf128, sum.0))?;
            (drawn.alpha, drawn.sum) = (Some(alpha), Some(sum));
            if index > 0 {
                drawn.beta = Some(Gf128(transcript.challenge(Field::Gf128)));
            }
        }
        all.push(drawn);
    }
    Ok(all)
}

/// The rows, each folded and by a power of alpha, beginning with 1.
fn sum_of_rows(index: usize, rows: &[&[u8]], folding: &[Gf128], alpha: Gf128) -> Result<Gf128, String> {
    let weights = equal(folding);
    let (mut sum, mut power) = (Gf128(0), Gf128(1));
    for row in rows {
        let elements: Vec<Gf128> = if index == 0 {
            let embed = |bytes: &[u8; 4]| Field::Gf32.embed(u32::from_le_bytes(*bytes).into(), Field::Gf128);
            let embedded: Option<Vec<u128>> = row.as_chunks().0.iter().map(embed).collect();
            given("row", embedded)?.into_iter().map(Gf128).collect()
        } else {
            row.as_chunks().0.iter().map(|bytes| Gf128(u128::from_le_bytes(*bytes))).collect()
        };
        if elements.len() != weights.len() {
            return Err("a row of another length".to_owned());
        }
        let folded = elements.iter().zip(&weights).fold(Gf128(0), |sum, (x, weight)| sum + *x * *weight);
        sum += power * folded;
        power *= alpha;
    }
    Ok(sum)
}

/// What the queries of level 0 induce: the rows of the generator matrix at them, each by a power of alpha.
pub(crate) fn induced_basis(config: &Config, drawn: &Drawn) -> Result<Vec<Gf128>, String> {
    let d = u32::from(config.levels()[0].log2_message);
    let points = d + u32::from(config.log2_inverse_rate());
    let norms = given("norms", Field::Gf32.norms(points))?;
    let alpha = drawn.alpha.ok_or("level 0 is the last")?;
    let low = d / 2;
    let mut basis = vec![Gf128(0); 1 << d];
    let mut power = Gf128(1);
    for &position in &drawn.queries {
        let factors = given("generator row", Field::Gf32.generator_factors(points, d, position))?;
        let factor = |(factor, norm): (&u128, &u128)| {
            let scaled = Field::Gf32.multiply(*factor, *norm)?;
            Field::Gf32.embed(scaled, Field::Gf128).map(Gf128)
        };
        let factors = given("factors", factors.iter().zip(&norms).map(factor).collect::<Option<Vec<_>>>())?;
        let (low_factors, high_factors) = factors.split_at(low as usize);
        let (low, high) = (tensor(Gf128(1), low_factors), tensor(power, high_factors));
        for (block, high) in basis.chunks_exact_mut(low.len()).zip(high) {
            for (sum, low) in block.iter_mut().zip(&low) {
                *sum += high * *low;
            }
        }
        power *= alpha;
    }
    Ok(basis)
}

/// The tensor of (1, factor), times `scale`; the first factor belongs to the lowest bit.
fn tensor(scale: Gf128, factors: &[Gf128]) -> Vec<Gf128> {
    let mut products = vec![scale];
    for factor in factors {
        let upper: Vec<Gf128> = products.iter().map(|x| *x * *factor).collect();
        products.extend(upper);
    }
    products
}
