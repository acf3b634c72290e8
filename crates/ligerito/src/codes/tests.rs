use super::*;
use crate::binary::{Gf16, Gf32, Gf128, Gf192};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::memory::UninitBuf;
use phalanx_core::simd::Isa;
use phalanx_core::threads::Inline;

/// One column, every coset.
fn encode_column<F: Transform>(d: usize, r: usize, message: &[F], scales: &[F]) -> Vec<F> {
    let basis = Basis::new(u32::try_from(d + r).expect("small"));
    let encoder = Encoder { isa: Isa::current(), basis: &basis, log2_message: d, log2_columns: 0 };
    let mut nodes = vec![(); message.len() << r];
    encode(
        &Inline,
        encoder,
        message,
        scales,
        0,
        UninitBuf::new(message.len() << r),
        &mut nodes,
        1,
        &|_, _| (),
    )
    .to_vec()
}

/// By the definition: h_j is linear over GF(2), zero on the integers below 2^j, and 1 at 2^j; and a codeword is the
/// values of the sum of v_i H_i, H_i the product of h_j over the bits j of i. (Against the vectors: `cargo xtask
/// vectors`.)
fn definition<F: Transform + core::fmt::Debug>() {
    let (d, r) = (3, 2);
    let basis = Basis::<F>::new(5);
    for j in 0..5 {
        assert!((0..1 << j).all(|q| basis.at(j, q) == F::ZERO), "h_{j} of the integers below 2^{j}");
        assert_eq!(basis.at(j, 1 << j), F::ONE);
        for q in 0..32 {
            assert_eq!(basis.at(j, q) + basis.at(j, 5), basis.at(j, q ^ 5), "h_{j} is linear");
        }
    }
    let product = |i: usize, q: usize| {
        (0..d).filter(|j| i >> j & 1 == 1).fold(F::ONE, |product, j| product * basis.at(j, q))
    };
    let message: Vec<F> = (0..8).map(|i| F::from_integer(3 * i + 1)).collect();
    let codeword = encode_column(d, r, &message, &[]);
    for (q, entry) in codeword.iter().enumerate() {
        let sum = (0..8).fold(F::ZERO, |sum, i| sum + message[i] * product(i, q));
        assert_eq!(*entry, sum, "row {q}");
        // The row of the generator matrix is the tensor of its factors.
        let factors: Vec<F> = basis.generator_factors(q, d).collect();
        for i in 0..8 {
            let tensor = (0..d).filter(|j| i >> j & 1 == 1).fold(F::ONE, |product, j| product * factors[j]);
            assert_eq!(tensor, product(i, q));
        }
    }
}

#[test]
fn codewords_and_generator_rows_by_definition() {
    definition::<Gf16>();
    definition::<Gf32>();
    definition::<Gf128>();
    definition::<Gf192>();
}

#[test]
#[should_panic(expected = "the domain lies in the field")]
fn a_domain_larger_than_the_field_is_refused() {
    let _ = Basis::<Gf16>::new(17);
}
