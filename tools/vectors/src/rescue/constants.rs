//! `constants.json`: relations between the numbers, and the permutations made of them, by plain arithmetic, beside the
//! library's. A number that differs from the built-in one changes the permutation of almost every state.

use super::field::{EDGES, INV_ALPHA, P, power, product, reduced, words};
use crate::json::{Decimal, Object};
use crate::report::{Check, Recorder, ensure, same, text};
use phalanx::rescue::Function;
use serde::Deserialize;
use serde_json::Value;

/// States permuted: full groups of every backend, and one over.
const STATES: usize = 33;

/// The numbers of one width.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct System {
    mds: Vec<Vec<Decimal<1>>>,
    #[serde(default)]
    inv_mds: Option<Vec<Vec<Decimal<1>>>>,
    ark1: Vec<Vec<Decimal<1>>>,
    ark2: Vec<Vec<Decimal<1>>>,
}

/// The same as words.
struct Numbers {
    mds: Vec<Vec<u64>>,
    inv_mds: Option<Vec<Vec<u64>>>,
    ark1: Vec<Vec<u64>>,
    ark2: Vec<Vec<u64>>,
}

/// Runs the file.
pub(crate) fn run(recorder: &mut Recorder<'_>, file: &mut Object) {
    for (key, wanted) in [("modulus", P), ("alpha", 7), ("inv_alpha", INV_ALPHA)] {
        if let Some(value) = file.required(recorder, key) {
            let got = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            recorder.case_once(key, || same(key, &got, &wanted.to_string()));
        }
    }
    recorder.case_once("alpha inv_alpha = 1 modulo p - 1", || {
        same("product", 7 * u128::from(INV_ALPHA) % u128::from(P - 1), 1)
    });
    // RPX has the numbers of RPO.
    let systems: [(&str, usize, &[Function]); 3] = [
        ("rp64_256", 12, &[Function::Rp64_256]),
        ("rp64_256_jive", 8, &[Function::RpJive64_256]),
        ("rpo256", 12, &[Function::Rpo256, Function::Rpx256]),
    ];
    for (key, width, functions) in systems {
        let Some(value) = file.required(recorder, key) else { continue };
        let read = |value: Value| -> Result<Numbers, String> {
            let system = System::deserialize(value).map_err(text)?;
            let numbers = Numbers {
                mds: matrix("mds", &system.mds, width, width)?,
                inv_mds: system.inv_mds.map(|rows| matrix("inv_mds", &rows, width, width)).transpose()?,
                ark1: matrix("ark1", &system.ark1, 7, width)?,
                ark2: matrix("ark2", &system.ark2, 7, width)?,
            };
            Ok(numbers)
        };
        let numbers = match read(value) {
            Ok(numbers) => numbers,
            Err(error) => {
                recorder.not_understood(key, error);
                continue;
            }
        };
        if let Some(inverse) = &numbers.inv_mds {
            recorder.case_once(format_args!("{key}: mds inv_mds = 1"), || are_inverse(&numbers.mds, inverse));
        }
        for &function in functions {
            let states = states(width);
            let wanted: Vec<u64> =
                states.chunks_exact(width).flat_map(|state| numbers.permute(function, state)).collect();
            recorder.case(format_args!("{key}: permutation of {}", function.name()), || {
                agrees(function, &states, &wanted)
            });
        }
    }
}

/// Rows of canonical words.
fn matrix(
    name: &str,
    rows: &[Vec<Decimal<1>>],
    height: usize,
    width: usize,
) -> Result<Vec<Vec<u64>>, String> {
    let rows: Vec<Vec<u64>> = rows.iter().map(|row| words(row)).collect();
    ensure(
        rows.len() == height && rows.iter().all(|row| row.len() == width),
        &format!("{name}: not of its size"),
    )?;
    ensure(rows.iter().flatten().all(|&word| word < P), &format!("{name}: a number of p or more"))?;
    Ok(rows)
}

fn are_inverse(a: &[Vec<u64>], b: &[Vec<u64>]) -> Check {
    for (i, row) in a.iter().enumerate() {
        for j in 0..b.len() {
            let column: Vec<u64> = b.iter().map(|row| row[j]).collect();
            same(&format!("entry {i}, {j} of the product"), dot(row, &column), u64::from(i == j))?;
        }
    }
    Ok(())
}

fn dot(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).fold(0, |sum, (&a, &b)| reduced(u128::from(sum) + u128::from(product(a, b))))
}

/// States to permute: zeros, every edge value in all words, edge values by turns, then anything.
fn states(width: usize) -> Vec<u64> {
    let mut random = 0x5eed_u64;
    let mut next = || {
        // splitmix64, Steele, Lea and Flood 2014.
        random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (random ^ random >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    let mut states = Vec::new();
    for state in 0..STATES {
        for word in 0..width {
            states.push(match state {
                n if n < EDGES.len() => EDGES[n],
                n if n < 2 * EDGES.len() => EDGES[(n + word) % EDGES.len()],
                _ => next(),
            });
        }
    }
    states
}

/// The library permutes the states as `wanted` says: together, alone, and without branches.
fn agrees(function: Function, states: &[u64], wanted: &[u64]) -> Check {
    let error = |error: phalanx::rescue::Error| error.to_string();
    let mut together = states.to_vec();
    function.permute(&mut together).map_err(error)?;
    let mut secret = states.to_vec();
    function.permute_secret(&mut secret).map_err(error)?;
    let width = function.width();
    for (i, state) in states.chunks_exact(width).enumerate() {
        let range = i * width..(i + 1) * width;
        let mut alone = state.to_vec();
        function.permute(&mut alone).map_err(error)?;
        same(&format!("state {i} alone"), &alone[..], &wanted[range.clone()])?;
        same(&format!("state {i} of {STATES}"), &together[range.clone()], &wanted[range.clone()])?;
        same(&format!("state {i} by permute_secret"), &secret[range.clone()], &wanted[range])?;
    }
    Ok(())
}

impl Numbers {
    /// The permutation of `function`, word by word as its definition has it.
    fn permute(&self, function: Function, state: &[u64]) -> Vec<u64> {
        let mut s: Vec<u64> = state.iter().map(|&word| reduced(word.into())).collect();
        for round in 0..7 {
            let (ark1, ark2) = (&self.ark1[round], &self.ark2[round]);
            match function {
                Function::Rpx256 if round == 6 => {
                    self.mix(&mut s);
                    add(&mut s, ark1);
                }
                Function::Rpx256 if round % 2 == 1 => {
                    add(&mut s, ark1);
                    s.as_chunks_mut().0.iter_mut().for_each(|x| *x = seventh_power(*x));
                }
                Function::Rpo256 | Function::Rpx256 => {
                    self.mix(&mut s);
                    add(&mut s, ark1);
                    raise(&mut s, 7);
                    self.mix(&mut s);
                    add(&mut s, ark2);
                    raise(&mut s, INV_ALPHA);
                }
                _ => {
                    raise(&mut s, 7);
                    self.mix(&mut s);
                    add(&mut s, ark1);
                    raise(&mut s, INV_ALPHA);
                    self.mix(&mut s);
                    add(&mut s, ark2);
                }
            }
        }
        s
    }

    fn mix(&self, s: &mut Vec<u64>) {
        *s = self.mds.iter().map(|row| dot(row, s)).collect();
    }
}

fn add(s: &mut [u64], constants: &[u64]) {
    for (word, &constant) in s.iter_mut().zip(constants) {
        *word = reduced(u128::from(*word) + u128::from(constant));
    }
}

fn raise(s: &mut [u64], exponent: u64) {
    s.iter_mut().for_each(|word| *word = power(*word, exponent));
}

/// x^7 in F[X]/(X^3 - X - 1).
fn seventh_power(x: [u64; 3]) -> [u64; 3] {
    (0..6).fold(x, |power, _| cubic_product(power, x))
}

/// X^3 = X + 1 and X^4 = X^2 + X.
fn cubic_product(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    let mut degree = [0_u128; 5];
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            degree[i + j] += u128::from(product(a, b));
        }
    }
    let [d0, d1, d2, d3, d4] = degree;
    [d0 + d3, d1 + d3 + d4, d2 + d4].map(reduced)
}
