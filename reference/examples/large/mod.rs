//! Elements of the large fields as they stand in the files.

use phalanx_reference::ligerito::{Large, large_bytes};

/// Big-endian digits of an element, as many as the field has.
pub(crate) fn digits<N: Large>(element: N) -> String {
    let mut bytes = large_bytes(&[element]);
    bytes.reverse();
    hex::encode(bytes)
}

/// A list of them.
pub(crate) fn list<N: Large>(elements: &[N]) -> Vec<String> {
    elements.iter().map(|&element| digits(element)).collect()
}
