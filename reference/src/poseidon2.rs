//! Poseidon2 over KoalaBear, widths 16 and 24 (spec section 3.1).

use std::sync::OnceLock;

use crate::constants;
use crate::field::{add, cube, dot, mul, sum};

/// The block matrix of the external linear layer.
const M4: [[u32; 4]; 4] = [[2, 3, 1, 1], [1, 2, 3, 1], [1, 1, 2, 3], [3, 1, 1, 2]];

/// The constants of one width.
struct Constants {
    initial: Vec<Vec<u32>>,
    internal: Vec<u32>,
    terminal: Vec<Vec<u32>>,
    diagonal: Vec<u32>,
}

/// Applies the permutation in place.
///
/// # Panics
///
/// Panics unless the width is 16 or 24.
pub fn permute(state: &mut [u32]) {
    let constants = constants_of(state.len());
    // Step 1: an extra linear layer before the first round.
    external_layer(state);
    // Step 2.
    for round_constants in &constants.initial {
        external_round(state, round_constants);
    }
    // Step 3.
    for &round_constant in &constants.internal {
        state[0] = cube(add(state[0], round_constant));
        internal_layer(state, &constants.diagonal);
    }
    // Step 4.
    for round_constants in &constants.terminal {
        external_round(state, round_constants);
    }
}

fn external_round(state: &mut [u32], round_constants: &[u32]) {
    for (word, &constant) in state.iter_mut().zip(round_constants) {
        *word = cube(add(*word, constant));
    }
    external_layer(state);
}

/// The linear layer `E`: every block of four times `M4`, then to every word the sum of its residue class modulo 4.
fn external_layer(state: &mut [u32]) {
    let mixed: Vec<u32> =
        state.chunks_exact(4).flat_map(|block| M4.iter().map(|row| dot(row, block))).collect();
    for (i, word) in state.iter_mut().enumerate() {
        let column: Vec<u32> = mixed.iter().copied().skip(i % 4).step_by(4).collect();
        *word = add(mixed[i], sum(&column));
    }
}

/// The linear layer of an internal round: `s + D_i * state[i]`, with `s` the sum of all words.
fn internal_layer(state: &mut [u32], diagonal: &[u32]) {
    let total = sum(state);
    for (word, &d) in state.iter_mut().zip(diagonal) {
        *word = add(total, mul(d, *word));
    }
}

fn constants_of(width: usize) -> &'static Constants {
    static TABLES: OnceLock<[Constants; 2]> = OnceLock::new();
    let [width16, width24] = TABLES.get_or_init(|| [read("width16"), read("width24")]);
    match width {
        16 => width16,
        24 => width24,
        _ => panic!("Poseidon2 is defined for widths 16 and 24, not {width}"),
    }
}

fn read(width: &str) -> Constants {
    let file = constants::parse(include_str!("../../vectors/xmss/constants/poseidon2_koalabear.json"));
    Constants {
        initial: constants::rows(&file[width]["external_initial"]),
        internal: constants::elements(&file[width]["internal"]),
        terminal: constants::rows(&file[width]["external_terminal"]),
        diagonal: constants::elements(&file[width]["internal_diagonal"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{P, inverse, pow};

    /// `-x`.
    fn negative(x: u32) -> u32 {
        P - x
    }

    /// `2^-k`.
    fn half_power(k: u32) -> u32 {
        inverse(pow(2, k))
    }

    #[test]
    fn round_counts_are_those_of_the_specification() {
        for (width, internal_rounds) in [(16, 20), (24, 23)] {
            let constants = constants_of(width);
            assert_eq!((constants.initial.len(), constants.terminal.len()), (4, 4));
            assert!(constants.initial.iter().chain(&constants.terminal).all(|row| row.len() == width));
            assert_eq!(constants.internal.len(), internal_rounds);
        }
    }

    #[test]
    fn diagonals_are_the_fractions_of_the_specification() {
        let start =
            [negative(2), 1, 2, half_power(1), 3, 4, negative(half_power(1)), negative(3), negative(4)];
        let plus = |ks: &[u32]| ks.iter().map(|&k| half_power(k)).collect::<Vec<_>>();
        let minus = |ks: &[u32]| ks.iter().map(|&k| negative(half_power(k))).collect::<Vec<_>>();
        let width16 = [start.to_vec(), plus(&[8, 3, 24]), minus(&[8, 3, 4, 24])].concat();
        let width24 =
            [start.to_vec(), plus(&[8, 2, 3, 4, 5, 6, 24]), minus(&[8, 3, 4, 5, 6, 7, 9, 24])].concat();
        assert_eq!(constants_of(16).diagonal, width16);
        assert_eq!(constants_of(24).diagonal, width24);
    }
}
