//! Any bytes, as what a validator of a consensus signs: no panic; of two texts that say the same there is one, and those that
//! differ in their time alone say the same place.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx_custody::signer::fuzzing;

fuzz_target!(|bytes: &[u8]| {
    fuzzing::sign_bytes(bytes);
});
