//! Any bytes, as a verifying key of every set in every format: no panic, and what decodes encodes to the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::xmss::{Format, ParameterSet, VerifyingKey};

fuzz_target!(|bytes: &[u8]| {
    for set in ParameterSet::ALL {
        for &format in Format::ALL {
            if let Ok(key) = VerifyingKey::from_bytes(set, format, bytes) {
                let encoded = key.to_bytes(format);
                // JSON allows white space and any order of fields; everything else has one form.
                assert!(format == Format::Json || encoded == bytes, "{set} {format}");
                assert!(VerifyingKey::from_bytes(set, format, &encoded) == Ok(key), "{set} {format}");
            }
        }
    }
});
