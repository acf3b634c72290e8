//! The hypercube against enumeration by brute force and at the edges of its bounds. (The published numbers are seen by
//! `cargo xtask vectors`.)

use alloc::{vec, vec::Vec};
use phalanx_testing::Random;

use super::*;

/// Dimension, base and last layer of the parameter sets in use.
const IN_USE: [(usize, usize, usize); 3] = [(64, 8, 77), (48, 10, 112), (32, 26, 231)];

/// `x * factor + term`, which must fit.
fn multiply_add<const N: usize>(x: &[u64; N], factor: u64, term: u64) -> [u64; N] {
    let mut above = u128::from(term);
    let product = x.map(|limb| {
        let (low, rest) = split(u128::from(limb) * u128::from(factor) + above);
        above = rest;
        low
    });
    assert_eq!(above, 0, "fits {N} limbs");
    product
}

/// `x mod modulus` by shifting and subtracting, one bit at a time: the plain definition that the reduction
/// obeys.
fn slow_reduce<const N: usize>(x: &[u64; N], modulus: &U192) -> U192 {
    let modulus = extend(modulus);
    let mut rest = [0; 4];
    for bit in (0..64 * N).rev() {
        rest = multiply_add(&rest, 2, x[bit / 64] >> (bit % 64) & 1);
        if !rest.iter().rev().lt(modulus.iter().rev()) {
            rest = subtract(&rest, &modulus).0;
        }
    }
    U192([rest[0], rest[1], rest[2]])
}

/// The integer with these digits in base `p`.
fn integer(digits: &[u32; DIGITS]) -> [u64; 8] {
    digits.iter().fold([0; 8], |x, &digit| multiply_add(&x, u64::from(P), u64::from(digit)))
}

/// The digits in base `p` of an integer below `p^15`.
fn digits_of(mut x: [u64; 8]) -> [u32; DIGITS] {
    let mut digits = [0; DIGITS];
    for digit in digits.iter_mut().rev() {
        let mut rest = 0u128;
        for limb in x.iter_mut().rev() {
            let dividend = rest << 64 | u128::from(*limb);
            (*limb, _) = split(dividend / u128::from(P));
            rest = dividend % u128::from(P);
        }
        *digit = u32::try_from(rest).expect("below p");
    }
    assert_eq!(x, [0; 8], "below p^15");
    digits
}

fn random_digits(random: &mut Random) -> [u32; DIGITS] {
    core::array::from_fn(|_| random.u32() % P)
}

/// Unranks into a fresh vertex.
fn vertex(cube: &Hypercube, layer: usize, offset: &U192) -> Vec<u8> {
    // Stale contents must not shine through.
    let mut coordinates = vec![0xa5; cube.dimension];
    cube.unrank(layer, offset, &mut coordinates);
    coordinates
}

fn sum(coordinates: &[u8]) -> usize {
    coordinates.iter().map(|&x| usize::from(x)).sum()
}

/// The number of vertices, `S`.
fn total(cube: &Hypercube) -> U192 {
    *cube.starts.last().expect("ends with the total")
}

#[test]
fn small_cubes_agree_with_brute_force() {
    for (dimension, base) in
        [(1, 2), (1, 256), (2, 8), (3, 2), (3, 4), (4, 3), (5, 2), (8, 2), (5, 5), (2, 26)]
    {
        let largest = u8::try_from(base - 1).expect("a coordinate");
        let mut vertices: Vec<Vec<u8>> = vec![vec![]];
        for _ in 0..dimension {
            vertices = vertices.iter().flat_map(|v| (0..=largest).map(|x| [v, &[x][..]].concat())).collect();
        }
        // Layers from the top, descending inside a layer.
        vertices.sort_by(|x, y| sum(y).cmp(&sum(x)).then_with(|| y.cmp(x)));
        let top = dimension * (base - 1);
        let cube = Hypercube::new(dimension, base, top);
        for (rank, expected) in (0..).zip(&vertices) {
            let (layer, offset) = cube.locate(&U192([rank, 0, 0]));
            assert_eq!(layer, top - sum(expected));
            assert_eq!(vertex(&cube, layer, &offset), *expected);
        }
        assert_eq!(total(&cube), U192([vertices.len() as u64, 0, 0]));
    }
}

#[test]
fn first_and_last_of_each_layer() {
    for (dimension, base, last) in IN_USE {
        let cube = Hypercube::new(dimension, base, last);
        for layer in 0..=last {
            let largest = cube.row(dimension)[layer].checked_sub(&U192::ONE).expect("not empty");
            // Descending order: the first vertex spends its steps on the last coordinates, the last on the
            // first.
            let mut coordinates = vertex(&cube, layer, &largest);
            assert!(coordinates.is_sorted());
            coordinates.reverse();
            assert_eq!(coordinates, vertex(&cube, layer, &U192::ZERO));
            assert_eq!(sum(&coordinates), dimension * (base - 1) - layer);
        }
    }
}

#[test]
fn layers_meet_without_gap_or_overlap() {
    for (dimension, base, last) in IN_USE {
        let cube = Hypercube::new(dimension, base, last);
        for layer in 0..=last {
            let [start, end] = [cube.starts[layer], cube.starts[layer + 1]];
            let final_rank = end.checked_sub(&U192::ONE).expect("not empty");
            let final_offset = final_rank.checked_sub(&start).expect("not empty");
            assert_eq!(cube.locate(&start), (layer, U192::ZERO));
            assert_eq!(cube.locate(&final_rank), (layer, final_offset));
            assert_eq!(cube.offset_in(&start, layer), Some(U192::ZERO));
            assert_eq!(cube.offset_in(&final_rank, layer), Some(final_offset));
            assert_eq!(cube.offset_in(&end, layer), None);
            if let Some(before) = start.checked_sub(&U192::ONE) {
                assert_eq!(cube.offset_in(&before, layer), None);
            }
        }
        assert_eq!(cube.offset_in(&total(&cube), last + 1), None);
        assert_eq!(cube.offset_in(&U192::ZERO, usize::MAX), None);
    }
}

/// Cubes whose `S` is small, a power of two, of full width, and as in use. 192/2/191 and 64/8/447 have
/// `S = 2^192 - 1`; 191/2/191 has `2^191`.
fn assorted_cubes() -> Vec<Hypercube> {
    let others = [
        (8, 4, 0),
        (3, 3, 6),
        (8, 4, 11),
        (10, 4, 30),
        (11, 4, 30),
        (191, 2, 191),
        (192, 2, 191),
        (64, 8, 447),
    ];
    others.into_iter().chain(IN_USE).map(|(v, w, last)| Hypercube::new(v, w, last)).collect()
}

#[test]
fn reduce_agrees_with_slow_reduction() {
    let mut random = Random::from_seed(1);
    for cube in assorted_cubes() {
        let check = |digits: &[u32; DIGITS]| {
            assert_eq!(cube.reduce(digits), slow_reduce(&integer(digits), &total(&cube)), "{digits:?}");
        };
        assert_eq!(cube.reduce(&[0; DIGITS]), U192::ZERO);
        for extreme in [1, P - 1] {
            check(&[extreme; DIGITS]);
            for i in 0..DIGITS {
                let mut digits = [0; DIGITS];
                digits[i] = extreme;
                check(&digits);
            }
        }
        for _ in 0..500 {
            check(&random_digits(&mut random));
        }
    }
}

#[test]
fn reduce_around_multiples() {
    let mut random = Random::from_seed(2);
    for cube in assorted_cubes() {
        let size = total(&cube);
        let largest = integer(&[P - 1; DIGITS]);
        for _ in 0..200 {
            // A multiple N - (N mod S) of S just below a random N of any length, and its neighbours.
            let mut digits = random_digits(&mut random);
            let leading = random.below(12);
            digits[..leading].fill(0);
            let n = integer(&digits);
            let rest = slow_reduce(&n, &size);
            let mut padded = [0; 8];
            padded[..3].copy_from_slice(&rest.0);
            let (multiple, _) = subtract(&n, &padded);
            assert_eq!(cube.reduce(&digits_of(multiple)), U192::ZERO);
            let (below, wrapped) = subtract(&multiple, &multiply_add(&[0; 8], 0, 1));
            if !wrapped {
                assert_eq!(Some(cube.reduce(&digits_of(below))), size.checked_sub(&U192::ONE));
            }
            let above = multiply_add(&multiple, 1, 1);
            if above.iter().rev().le(largest.iter().rev()) {
                assert_eq!(cube.reduce(&digits_of(above)), slow_reduce(&[1], &size));
            }
        }
    }
}

/// The reduction itself over its whole range `x < 2^35 * S`: here the quotient is known, so each case states
/// where the estimate must land.
#[test]
fn modulus_at_its_bounds() {
    let mut random = Random::from_seed(3);
    let mut moduli: Vec<U192> = assorted_cubes().iter().map(total).collect();
    for bit in [1, 2, 19, 20, 21, 22, 63, 64, 65, 84, 85, 86, 127, 128, 135, 136, 148, 149, 150, 190, 191] {
        let mut power = [0; 3];
        power[bit / 64] = 1 << (bit % 64);
        let (below, _) = subtract(&power, &[1, 0, 0]);
        moduli.extend([U192(power), U192(add(&power, &[1, 0, 0]).0), U192(below)]);
    }
    // 2^b + 5 * 2^(b - 34) - 1: times 2^34, the low `b` bits are nearly all ones, so that an estimate from
    // the bits above `b` alone (no guard bits) falls short by 2.
    for bit in [100, 128, 135, 164, 191] {
        let [mut high, mut low] = [[0; 3]; 2];
        high[bit / 64] = 1 << (bit % 64);
        low[(bit - 34) / 64] = 1 << ((bit - 34) % 64);
        let low = multiply_add(&low, 5, 0);
        moduli.push(U192(subtract(&add(&high, &low).0, &[1, 0, 0]).0));
    }
    moduli.extend((0..50).map(|i| U192([random.u64(), random.u64(), random.u64() >> i])));
    for size in moduli {
        let modulus = Modulus::new(size);
        let last = size.checked_sub(&U192::ONE).expect("not zero");
        let bound = 1 << 35;
        let mut quotients = vec![0, 1, 2, 3, bound / 2 - 1, bound / 2, bound - 2, bound - 1];
        quotients.extend((0..50).map(|_| random.u64() >> 29));
        for quotient in quotients {
            let multiple = size.times(quotient);
            assert_eq!(modulus.reduce(multiple), U192::ZERO, "{quotient} * {size:?}");
            let (top, _) = add(&multiple, &extend(&last));
            assert_eq!(modulus.reduce(top), last, "{quotient} * {size:?} - 1");
            if size != U192::ONE {
                assert_eq!(
                    modulus.reduce(multiply_add(&multiple, 1, 1)),
                    U192::ONE,
                    "{quotient} * {size:?} + 1"
                );
            }
        }
    }
}

#[test]
fn u192_orders_carries_and_measures() {
    let largest = U192([u64::MAX; 3]);
    assert_eq!(largest.checked_add(&U192::ONE), None);
    assert_eq!(U192::ZERO.checked_sub(&U192::ONE), None);
    assert_eq!(U192([u64::MAX, u64::MAX, 0]).checked_add(&U192::ONE), Some(U192([0, 0, 1])));
    assert_eq!(U192([0, 0, 1]).checked_sub(&U192::ONE), Some(U192([u64::MAX, u64::MAX, 0])));
    assert_eq!(largest.times(u64::MAX), [1, u64::MAX, u64::MAX, u64::MAX - 1]);
    let ascending =
        [[0, 0, 0], [1, 0, 0], [u64::MAX, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [u64::MAX; 3]].map(U192);
    assert!(ascending.is_sorted_by(|x, y| x < y));
    assert_eq!(ascending.map(|x| x.bits()), [0, 1, 64, 65, 65, 129, 192]);
}

#[test]
#[should_panic(expected = "layer counts fit 192 bits")]
fn a_cube_of_2_to_the_192_is_refused() {
    Hypercube::new(64, 8, 448);
}

#[test]
#[should_panic(expected = "layer counts fit 192 bits")]
fn a_layer_beyond_192_bits_is_refused() {
    Hypercube::new(256, 2, 128);
}

#[test]
#[should_panic(expected = "a vertex has coordinates")]
fn a_cube_without_coordinates_is_refused() {
    Hypercube::new(0, 8, 0);
}

#[test]
#[should_panic(expected = "coordinates fit a u8 and take at least two values")]
fn a_base_of_one_is_refused() {
    Hypercube::new(8, 1, 0);
}

#[test]
#[should_panic(expected = "coordinates fit a u8 and take at least two values")]
fn a_base_beyond_a_byte_is_refused() {
    Hypercube::new(8, 257, 0);
}

#[test]
#[should_panic(expected = "layer 0..=dimension * (base - 1)")]
fn a_layer_that_does_not_exist_is_refused() {
    Hypercube::new(3, 3, 7);
}

#[test]
#[should_panic(expected = "the offset lies inside its layer")]
fn an_offset_outside_its_layer_is_refused() {
    vertex(&Hypercube::new(3, 3, 6), 1, &U192([3, 0, 0]));
}

#[test]
#[should_panic(expected = "one entry per coordinate")]
fn a_vertex_of_another_length_is_refused() {
    Hypercube::new(3, 3, 6).unrank(0, &U192::ZERO, &mut [0; 4]);
}
