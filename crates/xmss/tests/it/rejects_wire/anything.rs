//! Bytes at random, and near valid ones: no panic, and no second form of anything.

use super::{Decoded, SET, signature, signing_key, verifying_key, with};
use phalanx_xmss::{Format, Signature, SigningKey, VerifyingKey};
use proptest::prelude::*;

/// Bytes near valid ones: some of them changed, and perhaps a piece cut out or doubled.
fn damaged(good: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let len = good.len();
    let change = (0..len, prop_oneof![any::<u8>(), Just(0), Just(255), Just(b'[')]);
    let cut = prop_oneof![3 => Just(None), 1 => (0..len, 0..64usize, any::<bool>()).prop_map(Some)];
    (proptest::collection::vec(change, 0..4), cut).prop_map(move |(changes, cut)| {
        let mut bytes = good.clone();
        changes.into_iter().for_each(|(at, byte)| bytes[at] = byte);
        if let Some((at, count, double)) = cut {
            let end = (at + count).min(len);
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..if double { at } else { end }, if double { piece } else { Vec::new() });
        }
        bytes
    })
}

/// Decodes without panic; and whatever decodes from a binary format is the one form of its value.
fn check_any<T: Decoded>(format: Format, bytes: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(value) = T::decode(SET, format, bytes)
        && format != Format::Json
    {
        prop_assert_eq!(value.encode(format), bytes, "{} has two forms", format);
    }
    Ok(())
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        for &format in Format::ALL {
            check_any::<VerifyingKey>(format, &bytes)?;
            check_any::<Signature>(format, &bytes)?;
            check_any::<SigningKey>(format, &bytes)?;
        }
    }

    #[test]
    fn damaged_verifying_keys_never_panic((format, bytes) in any_format(|f| verifying_key().to_bytes(f))) {
        check_any::<VerifyingKey>(format, &bytes)?;
    }

    #[test]
    fn damaged_signatures_never_panic((format, bytes) in any_format(|f| signature().to_bytes(f))) {
        check_any::<Signature>(format, &bytes)?;
    }

    #[test]
    fn damaged_signing_keys_never_panic((format, bytes) in any_format(signing_key)) {
        check_any::<SigningKey>(format, &bytes)?;
    }

    #[test]
    fn damaged_headers_never_panic(
        (format, header) in prop_oneof![Just((Format::Ssz, 128)), Just((Format::Bincode, 110)), Just((Format::BincodeStandard, 70))],
        at in 32..70usize,
        value in prop_oneof![any::<u64>(), Just(u64::MAX), Just(1 << 32), Just(u64::MAX - 15), 0..300u64],
    ) {
        let good = signing_key(format);
        let at = at.min(header - 8);
        check_any::<SigningKey>(format, &with(&good, at, &value.to_le_bytes()))?;
    }
}

/// A format, and damaged bytes of it.
fn any_format(good: impl Fn(Format) -> Vec<u8>) -> impl Strategy<Value = (Format, Vec<u8>)> {
    let goods: Vec<_> = Format::ALL.iter().map(|&format| (format, good(format))).collect();
    proptest::sample::select(goods).prop_flat_map(|(format, good)| (Just(format), damaged(good)))
}
