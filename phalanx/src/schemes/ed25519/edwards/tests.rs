//! The group law against plain facts.

use super::*;
use crate::fields::scalar25519::Scalar;
use crate::simd::Level;

#[test]
fn base_point_times_small_numbers() {
    let base = decode(&BASE_POINT).expect("B decodes").point;
    assert_eq!(base.encode(), BASE_POINT);
    let mut sum = Point::IDENTITY;
    for n in 0..20u8 {
        let mut scalar = [0; 32];
        scalar[0] = n;
        let scalar = Scalar::from_bytes_reduced(&scalar);
        assert_eq!(base_mul(Level::Portable, &scalar).encode(), sum.encode(), "{n} B");
        assert_eq!(double_base_mul_vartime(&scalar, &base, &Scalar::ZERO).encode(), sum.encode(), "{n} B");
        assert_eq!(double_base_mul_vartime(&Scalar::ZERO, &base, &scalar).encode(), sum.encode(), "{n} B");
        sum = sum.add(&base);
    }
    assert!(sum.add(&sum.negate()).is_identity());
}
