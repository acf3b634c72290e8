//! What the parts refuse. What they give is checked by `cargo xtask vectors`, on every backend.

use super::fields::{Field, MAX_LOG2_POINTS, evaluate};
use super::trees::Hashing;

#[test]
fn domains_that_do_not_lie_in_the_field_are_refused() {
    assert!(Field::Gf16.norms(16).is_some());
    assert_eq!(Field::Gf16.norms(17), None);
    assert_eq!(Field::Gf16.encode(&[0; 2], 0, 16), None);
    assert_eq!(Field::Gf16.encode_unnormalised(&[0; 2], 0, 16), None);
    assert_eq!(Field::Gf16.transform(&alloc::vec![0; 1 << 17]), None);
    assert_eq!(Field::Gf128.twiddles(MAX_LOG2_POINTS + 1), None);
    assert_eq!(Field::Gf32.encode(&[0; 2], 0, u32::MAX), None);
    assert_eq!(Field::Gf32.encode(&[0; 3], 0, 1), None, "no power of two");
    assert_eq!(Field::Gf32.encode(&[0; 2], 2, 1), None, "fewer elements than columns");
    assert_eq!(Field::Gf32.encode(&[1 << 32, 0], 0, 1), None, "no element");
    assert_eq!(Field::Gf16.multiply(0x1_0000, 1), None);
    assert_eq!(Field::Gf32.invert(1 << 32), None);
    assert_eq!(Field::Gf32.embed(7, Field::Gf16), None);
    assert_eq!(Field::Gf32.generator_factors(3, 3, 8), None, "no point of the domain");
}

#[test]
fn trees_refuse_what_is_no_tree_and_no_opening() {
    for hashing in [Hashing::Own, Hashing::Own128] {
        assert_eq!(hashing.tree(&[]), None);
        assert_eq!(hashing.tree(&[[0; 32]; 3]), None);
        for positions in [&[][..], &[1, 1], &[2, 1], &[4]] {
            assert_eq!(hashing.siblings(&[[0; 32]; 4], positions), None);
            assert_eq!(hashing.root_of(2, positions, &[[0; 32]; 1], &[]), None);
        }
        assert_eq!(hashing.root_of(2, &[0, 1], &[[0; 32]; 1], &[[0; 32]; 1]), None, "a leaf too few");
        assert_eq!(hashing.root_of(u32::MAX, &[0], &[[0; 32]; 1], &[]), None);
    }
}

#[test]
fn an_evaluation_needs_a_value_for_every_corner() {
    assert_eq!(evaluate(&[7; 4], &[crate::Gf128(1); 2]), Some(crate::binary::Gf32(7).into()));
    assert_eq!(evaluate(&[7; 3], &[crate::Gf128(1); 2]), None);
}
