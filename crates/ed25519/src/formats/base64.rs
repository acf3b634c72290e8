//! Base64 (RFC 4648) of secrets: `base64ct` computes each character and looks nothing up. Only canonical text is read:
//! padding as the alphabet wants it, no stray bits in the last character, no white space.

use crate::error::{Error, invalid};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use base64ct::Encoding;
pub(super) use base64ct::{Base64 as Standard, Base64UrlUnpadded as Url};
use zeroize::{Zeroize, Zeroizing};

pub(super) fn decode<A: Encoding>(text: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut bytes = Zeroizing::new(vec![0; text.len() / 4 * 3 + 3]);
    let len = A::decode(text, &mut bytes).map_err(|_| invalid("base64"))?.len();
    bytes.truncate(len);
    Ok(bytes)
}

/// Exactly `N` bytes; `what` names them in the error.
pub(super) fn decode_array<A: Encoding, const N: usize>(
    text: &[u8],
    what: &'static str,
) -> Result<Zeroizing<[u8; N]>, Error> {
    let bytes = decode::<A>(text)?;
    let mut array = Zeroizing::new([0; N]);
    if bytes.len() != N {
        return Err(Error::InvalidLength { what, got: bytes.len(), wanted: N });
    }
    array.copy_from_slice(&bytes);
    Ok(array)
}

pub(super) fn encode<A: Encoding>(bytes: &[u8]) -> Zeroizing<String> {
    let mut text = vec![0; A::encoded_len(bytes)];
    let len = A::encode(bytes, &mut text).expect("as long as base64ct says").len();
    text.truncate(len);
    Zeroizing::new(String::from_utf8(text).unwrap_or_else(|error| {
        error.into_bytes().zeroize();
        String::new()
    }))
}
