//! The model of the prover's work.
//!
//! Nanoseconds of one thread with AVX-512, measured at 2^20 in the library (AMD EPYC, Zen 5, 2026-11-22): butterflies over the
//! small field 0.12, over GF(2^128) 0.70; one compression of BLAKE3 5.5; 0.6 for every coefficient, which is read twice while
//! the first level is folded. A product in GF(2^192) takes 1.65 times as long as one in GF(2^128) (0.75 against 0.45), so a
//! butterfly 1.15. Every level is encoded once, its rows and its tree are hashed once.

use phalanx_reference::ligerito::{Field, Large, Level, Shape, T, U};

/// Of a level over `field`.
pub(crate) fn of_level(field: Field, level: &Level) -> f64 {
    let rows = f64::from(level.d + level.r).exp2();
    let columns = 1 << level.k;
    let butterflies = rows * f64::from(columns) * f64::from(level.d) / 2.0;
    let butterfly = if field == T {
        0.12
    } else if field == U {
        0.70
    } else {
        1.15
    };
    let row_bytes = u32::try_from(field.bytes()).expect("small") * columns;
    let compressions = rows * (1.0 + f64::from(row_bytes.div_ceil(64)));
    butterfly * butterflies + 5.5 * compressions
}

/// Of everything that does not depend on the shape.
pub(crate) fn of_folding(mu: u8) -> f64 {
    0.6 * f64::from(mu).exp2()
}

/// Of a shape.
pub(crate) fn of<N: Large>(shape: &Shape<N>) -> f64 {
    let levels = shape.levels().iter().enumerate();
    of_folding(shape.mu()) + levels.map(|(i, level)| of_level(shape.field(i), level)).sum::<f64>()
}
