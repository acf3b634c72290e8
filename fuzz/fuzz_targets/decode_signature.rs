//! Any bytes, as a signature of every set in every format: no panic, and what decodes encodes to the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::xmss::{Format, ParameterSet, Signature};

fuzz_target!(|bytes: &[u8]| {
    for set in ParameterSet::ALL {
        for &format in Format::ALL {
            if let Ok(signature) = Signature::from_bytes(set, format, bytes) {
                let encoded = signature.to_bytes(format);
                // JSON allows white space and any order of fields; everything else has one form.
                assert!(format == Format::Json || encoded == bytes, "{set} {format}");
                assert!(Signature::from_bytes(set, format, &encoded) == Ok(signature), "{set} {format}");
            }
        }
    }
});
