//! Poseidon (version 1) over KoalaBear, widths 16 and 24, in its textbook form (spec section 3.2).

use std::sync::OnceLock;

use crate::constants;
use crate::field::{add, cube, dot};

/// Full rounds before and after the partial ones.
const HALF_FULL_ROUNDS: usize = 4;

/// The constants of one width.
struct Constants {
    rounds: Vec<Vec<u32>>,
    matrix: Vec<Vec<u32>>,
}

/// Applies the permutation in place.
///
/// # Panics
///
/// Panics unless the width is 16 or 24.
pub fn permute(state: &mut [u32]) {
    let constants = constants_of(state.len());
    let partial_end = constants.rounds.len() - HALF_FULL_ROUNDS;
    for (round, round_constants) in constants.rounds.iter().enumerate() {
        for (word, &constant) in state.iter_mut().zip(round_constants) {
            *word = add(*word, constant);
        }
        if (HALF_FULL_ROUNDS..partial_end).contains(&round) {
            state[0] = cube(state[0]);
        } else {
            state.iter_mut().for_each(|word| *word = cube(*word));
        }
        // The matrix is applied in every round, the last one included.
        let product: Vec<u32> = constants.matrix.iter().map(|row| dot(row, state)).collect();
        state.copy_from_slice(&product);
    }
}

fn constants_of(width: usize) -> &'static Constants {
    static TABLES: OnceLock<[Constants; 2]> = OnceLock::new();
    let [width16, width24] = TABLES.get_or_init(|| [read("width16"), read("width24")]);
    match width {
        16 => width16,
        24 => width24,
        _ => panic!("Poseidon is defined for widths 16 and 24, not {width}"),
    }
}

fn read(width: &str) -> Constants {
    let file = constants::parse(include_str!("../../vectors/xmss/constants/poseidon1_koalabear.json"));
    let first_row = constants::elements(&file[width]["mds_first_row"]);
    Constants { rounds: constants::rows(&file[width]["round_constants"]), matrix: circulant(&first_row) }
}

/// The matrix with `M[i][j] = row[(j - i) mod t]`.
fn circulant(row: &[u32]) -> Vec<Vec<u32>> {
    let t = row.len();
    (0..t).map(|i| (0..t).map(|j| row[(j + t - i) % t]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_counts_are_those_of_the_specification() {
        for (width, partial_rounds) in [(16, 20), (24, 23)] {
            let constants = constants_of(width);
            assert_eq!(constants.rounds.len(), 2 * HALF_FULL_ROUNDS + partial_rounds);
            assert!(constants.rounds.iter().all(|row| row.len() == width));
            assert_eq!(constants.matrix.len(), width);
        }
    }

    #[test]
    fn first_row_of_width_16_is_that_of_the_specification() {
        let row = [1, 1, 51, 1, 11, 17, 2, 1, 101, 63, 15, 2, 67, 22, 13, 3];
        assert_eq!(constants_of(16).matrix[0], row);
        assert_eq!(constants_of(16).matrix[1][..3], [3, 1, 1]);
    }
}
