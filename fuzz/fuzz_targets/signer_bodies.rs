//! Any bytes, as the body of a request to the signer: no panic, and what is read says the same when it is written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx_custody::signer::fuzzing;

fuzz_target!(|bytes: &[u8]| {
    fuzzing::body(bytes);
});
