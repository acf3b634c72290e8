//! `phalanx.ligerito.provable128`: 128 bits of security, over GF(2^192).

super::suite::suite!(
    "phalanx.ligerito.provable128",
    phalanx::ligerito::provable128,
    phalanx::ligerito::provable128::Gf192
);
