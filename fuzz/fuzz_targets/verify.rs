//! A valid signature with some bytes changed: every backend, alone and among many, gives the same verdict, and only the
//! unchanged one verifies.
//!
//! Input: pairs of a position (two bytes) and a byte to exclusive-or there, over key, epoch, message and signature.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::Backend;
use phalanx::xmss::{Format, ParameterSet, Signature, SignedMessage, SigningKey, VerifyingKey, verify_many};
use std::sync::OnceLock;

/// Key (SSZ), epoch (four bytes), message, signature (SSZ), one after the other, of two parameter sets.
fn valid(set: ParameterSet) -> Vec<u8> {
    let mut key = SigningKey::from_seed(set, &[9; 32], 0..256).expect("the whole lifetime");
    let (epoch, message) = (5u32, [3; 32]);
    let signature = key.sign(epoch, &message).expect("epoch 5 is active");
    let mut bytes = key.verifying_key().to_bytes(Format::Ssz);
    bytes.extend(epoch.to_le_bytes());
    bytes.extend(message);
    bytes.extend(signature.to_bytes(Format::Ssz));
    bytes
}

const SETS: [ParameterSet; 2] = [ParameterSet::POSEIDON2_L8_D64B8, ParameterSet::POSEIDON1_L8_D4B8_TEST];

fuzz_target!(|changes: &[u8]| {
    static VALID: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    let originals = VALID.get_or_init(|| SETS.map(valid));
    let Some((&which, changes)) = changes.split_first() else { return };
    let (set, original) = (SETS[usize::from(which) % 2], &originals[usize::from(which) % 2]);
    let mut bytes = original.clone();
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
        bytes[at] ^= change[2];
    }
    let (key, rest) = bytes.split_at(52);
    let (epoch, rest) = rest.split_at(4);
    let (message, signature) = rest.split_at(32);
    let Ok(key) = VerifyingKey::from_bytes(set, Format::Ssz, key) else { return };
    let Ok(signature) = Signature::from_bytes(set, Format::Ssz, signature) else { return };
    let epoch = u32::from_le_bytes(epoch.try_into().expect("four bytes"));
    let message: &[u8; 32] = message.try_into().expect("32 bytes");

    let wanted = bytes == *original;
    let lanes = usize::from(which) / 2 % 20 + 1;
    let claims = vec![SignedMessage { key: &key, epoch, message, signature: &signature }; lanes];
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        let (one, many) = backend
            .force(|| (key.verify(epoch, message, &signature).is_ok(), verify_many(&claims)))
            .expect("available");
        assert_eq!(one, wanted, "{} alone", backend.name());
        assert!(many.iter().all(|verdict| verdict.is_ok() == wanted), "{} among many", backend.name());
    }
});
