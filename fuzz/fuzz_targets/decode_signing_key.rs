//! Any bytes, as a signing key of every set in every format: no panic; what decodes encodes to the same bytes, and signs
//! what its public key verifies.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::xmss::any::{ParameterSet, SigningKey};
use phalanx::xmss::{Format, hazmat};

fuzz_target!(|bytes: &[u8]| {
    for set in ParameterSet::ALL {
        for &format in Format::ALL {
            let Ok(mut key) = SigningKey::from_bytes(set, format, bytes) else { continue };
            let encoded = key.to_bytes(format).expect("it was read so");
            assert!(format == Format::Json || encoded[..] == *bytes, "{set} {format}");
            let epoch = u32::try_from(key.prepared_interval().start).expect("epochs are below 2^32");
            let message = [7; 32];
            // Without the record of the process: changed intervals over one seed are other keys.
            let signature =
                hazmat::any::sign_reserved(&mut key, epoch, &message).expect("a key that loads signs");
            assert!(key.verifying_key().verify(epoch, &message, &signature).is_ok(), "{set} {format}");
        }
    }
});
