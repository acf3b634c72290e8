//! `phalanx.ligerito` itself: 100 bits of security, over GF(2^128).

super::suite::suite!("phalanx.ligerito", phalanx::ligerito, phalanx::ligerito::Gf128);
