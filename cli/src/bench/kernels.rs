//! The permutations: nanoseconds for each state, lanes full.

use super::measure::{Contender, Plan, Row, Subject, measure, wrong};
use crate::exit::Failure;
use phalanx::Backend;
use phalanx::xmss::hazmat::{self, Permutation};

/// States side by side: full groups of every backend.
const STATES: usize = 64;

/// Permutations of a state in one call. States are converted and put into lanes once for all of them, as a walk along
/// hash chains does; at this number that costs less than a hundredth.
const TIMES: usize = 1000;

/// Measures all permutations.
pub(super) fn run(plan: &Plan<'_>) -> Result<Vec<Row>, Failure> {
    use Permutation::{Poseidon1, Poseidon2};
    let mut rows = Vec::new();
    for (name, permutation) in [("poseidon2", Poseidon2), ("poseidon1", Poseidon1)] {
        rows.extend(kernel::<16, _>(plan, &format!("{name}-16"), first, |states, times| {
            hazmat::permute_16(permutation, states, times);
        })?);
        rows.extend(kernel::<24, _>(plan, &format!("{name}-24"), first, |states, times| {
            hazmat::permute_24(permutation, states, times);
        })?);
    }
    let lane = |state, word| u64::from(first(state, word)) << 20;
    rows.extend(kernel::<25, u64>(plan, "keccak-f1600", lane, hazmat::keccak_f1600)?);
    Ok(rows)
}

/// Word `word` of state `state` before the first permutation.
fn first(state: usize, word: usize) -> u32 {
    u32::try_from(state * 1_000_003 + word * 7_919).expect("small")
}

/// Measures one permutation of `N` words of type `W`.
fn kernel<const N: usize, W: Copy + PartialEq>(
    plan: &Plan<'_>,
    scheme: &str,
    first: impl Fn(usize, usize) -> W,
    permute: impl Fn(&mut [[W; N]], usize),
) -> Result<Vec<Row>, Failure> {
    let states: Vec<[W; N]> =
        (0..STATES).map(|state| std::array::from_fn(|word| first(state, word))).collect();
    let permuted = || {
        let mut states = states.clone();
        permute(&mut states, TIMES);
        states
    };
    let wanted = Backend::Portable.force(permuted).map_err(Failure::system)?;
    let contender = |&backend: &Backend| Contender {
        backend,
        threads: 1,
        operations: (STATES * TIMES) as u64,
        work: Box::new(|| {
            if permuted() == wanted {
                Ok(())
            } else {
                Err(wrong("a permutation differs from the portable one"))
            }
        }),
    };
    let contenders: Vec<_> = plan.backends.iter().map(contender).collect();
    measure(plan, &Subject { name: &format!("{scheme}/permute"), scheme, unit: "ns" }, &contenders)
}
