//! Any text, as the configuration of the signer and as its file of tokens: no panic; what is accepted listens to nobody
//! without TLS but on this machine, and lets nobody in unasked unless that is said.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx_custody::signer::fuzzing;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    fuzzing::tokens(text);
    fuzzing::configuration(text);
});
