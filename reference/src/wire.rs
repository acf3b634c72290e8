//! Bytes: SSZ and the two bincode encodings (spec section 13).
//!
//! Encoders write what they are given. Decoders are strict: they accept exactly the bytes that the encoder of the
//! same format produces for a value of the given parameter set, and nothing else.

use crate::field::{from_montgomery, is_canonical, to_montgomery};
use crate::key::{PublicKey, SecretKey};
use crate::params::{PARAMETER_LEN, Params};
use crate::sign::Signature;
use crate::tree::{Layer, Subtree};

/// Length of the fixed-size signature of early leanSpec (spec section 13.3).
pub const PADDED_SIGNATURE_LEN: usize = 3116;

/// The byte encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// SSZ: canonical elements, offsets before lists (spec section 13.1).
    Ssz,
    /// bincode with fixed-width integers: Montgomery elements, 64-bit counts (spec section 13.2).
    BincodeFixint,
    /// bincode 2 standard: the same with variable-length integers (spec section 13.2).
    BincodeStandard,
}

/// Encodes a public key: root, then parameter.
pub fn encode_public_key(format: Format, public_key: &PublicKey) -> Vec<u8> {
    let mut writer = Writer::new(format);
    writer.elements(&public_key.root);
    writer.elements(&public_key.parameter);
    writer.bytes
}

/// Encodes a signature: path, randomness, hashes.
///
/// # Panics
///
/// Panics if an SSZ offset does not fit 32 bits.
pub fn encode_signature(format: Format, signature: &Signature) -> Vec<u8> {
    let mut writer = Writer::new(format);
    let Signature { path, rho, hashes } = signature;
    match format {
        Format::Ssz => {
            let path_start = 8 + 4 * rho.len();
            let hashes_start = path_start + 4 + 4 * path.iter().map(Vec::len).sum::<usize>();
            writer.offset(path_start);
            writer.elements(rho);
            writer.offset(hashes_start);
            // The path is a container with one variable field, so it begins with an offset of its own.
            writer.offset(4);
            path.iter().chain(hashes).for_each(|digest| writer.elements(digest));
        }
        Format::BincodeFixint | Format::BincodeStandard => {
            writer.digests(path);
            writer.elements(rho);
            writer.digests(hashes);
        }
    }
    writer.bytes
}

/// Encodes a signature as fixint bincode padded with zeros to 3116 bytes; none if it is longer.
pub fn encode_signature_padded(signature: &Signature) -> Option<Vec<u8>> {
    let mut bytes = encode_signature(Format::BincodeFixint, signature);
    if bytes.len() > PADDED_SIGNATURE_LEN {
        return None;
    }
    bytes.resize(PADDED_SIGNATURE_LEN, 0);
    Some(bytes)
}

/// Encodes a secret key.
///
/// # Panics
///
/// Panics if an SSZ offset does not fit 32 bits.
pub fn encode_secret_key(format: Format, secret_key: &SecretKey) -> Vec<u8> {
    let mut writer = Writer::new(format);
    writer.bytes.extend(secret_key.prf_key);
    writer.elements(&secret_key.parameter);
    writer.u64(secret_key.activation_epoch);
    writer.u64(secret_key.active_epochs);
    let [top, left, right] = [&secret_key.top_tree, &secret_key.left_tree, &secret_key.right_tree]
        .map(|subtree| encode_subtree(format, subtree));
    match format {
        Format::Ssz => {
            // Still to come in the fixed part: three offsets and the left index, 3 * 4 + 8 bytes.
            let top_start = writer.bytes.len() + 20;
            writer.offset(top_start);
            writer.u64(secret_key.left_index);
            writer.offset(top_start + top.len());
            writer.offset(top_start + top.len() + left.len());
            writer.bytes.extend([top, left, right].concat());
        }
        Format::BincodeFixint | Format::BincodeStandard => {
            writer.bytes.extend(top);
            writer.u64(secret_key.left_index);
            writer.bytes.extend([left, right].concat());
        }
    }
    writer.bytes
}

/// Depth, lowest level, layers.
fn encode_subtree(format: Format, subtree: &Subtree) -> Vec<u8> {
    let mut writer = Writer::new(format);
    writer.u64(u64::from(subtree.depth));
    writer.u64(u64::from(subtree.lowest_level));
    let layers: Vec<Vec<u8>> = subtree.layers.iter().map(|layer| encode_layer(format, layer)).collect();
    match format {
        Format::Ssz => {
            writer.offset(20);
            // A list of variable-size items: their offsets from the start of the list, then the items.
            let mut start = 4 * layers.len();
            for layer in &layers {
                writer.offset(start);
                start += layer.len();
            }
        }
        Format::BincodeFixint | Format::BincodeStandard => writer.count(layers.len()),
    }
    writer.bytes.extend(layers.concat());
    writer.bytes
}

/// Start index, nodes.
fn encode_layer(format: Format, layer: &Layer) -> Vec<u8> {
    let mut writer = Writer::new(format);
    writer.u64(layer.start);
    match format {
        Format::Ssz => {
            writer.offset(12);
            layer.nodes.iter().for_each(|node| writer.elements(node));
        }
        Format::BincodeFixint | Format::BincodeStandard => writer.digests(&layer.nodes),
    }
    writer.bytes
}

/// Decodes a public key, strictly.
pub fn decode_public_key(format: Format, params: &Params, bytes: &[u8]) -> Option<PublicKey> {
    let mut reader = Reader { format, rest: bytes };
    let root = reader.elements(params.hash_len)?;
    let parameter = reader.elements(PARAMETER_LEN)?;
    reader.end()?;
    Some(PublicKey { root, parameter })
}

/// Decodes a signature, strictly.
pub fn decode_signature(format: Format, params: &Params, bytes: &[u8]) -> Option<Signature> {
    let mut reader = Reader { format, rest: bytes };
    let signature = reader.signature(params)?;
    reader.end()?;
    Some(signature)
}

/// Decodes a signature from its fixed 3116-byte form: fixint bincode and then nothing but zeros.
pub fn decode_signature_padded(params: &Params, bytes: &[u8]) -> Option<Signature> {
    if bytes.len() != PADDED_SIGNATURE_LEN {
        return None;
    }
    let mut reader = Reader { format: Format::BincodeFixint, rest: bytes };
    let signature = reader.signature(params)?;
    reader.rest.iter().all(|&byte| byte == 0).then_some(signature)
}

/// Writes numbers and elements in one format.
struct Writer {
    format: Format,
    bytes: Vec<u8>,
}

impl Writer {
    fn new(format: Format) -> Self {
        Self { format, bytes: Vec::new() }
    }

    fn u64(&mut self, value: u64) {
        match self.format {
            Format::Ssz | Format::BincodeFixint => self.bytes.extend(value.to_le_bytes()),
            Format::BincodeStandard => self.varint(value),
        }
    }

    /// Elements one after the other, without a count.
    fn elements(&mut self, elements: &[u32]) {
        for &x in elements {
            match self.format {
                Format::Ssz => self.bytes.extend(x.to_le_bytes()),
                Format::BincodeFixint => self.bytes.extend(to_montgomery(x).to_le_bytes()),
                Format::BincodeStandard => self.varint(u64::from(to_montgomery(x))),
            }
        }
    }

    /// A bincode sequence: the count, then the digests.
    fn digests(&mut self, digests: &[Vec<u32>]) {
        self.count(digests.len());
        digests.iter().for_each(|digest| self.elements(digest));
    }

    /// The count of a bincode sequence.
    fn count(&mut self, count: usize) {
        self.u64(u64::try_from(count).expect("lengths fit 64 bits"));
    }

    /// An SSZ offset.
    fn offset(&mut self, offset: usize) {
        let offset = u32::try_from(offset).expect("SSZ offsets fit 32 bits");
        self.bytes.extend(offset.to_le_bytes());
    }

    /// The shortest of the four bincode 2 forms.
    fn varint(&mut self, value: u64) {
        if let Ok(byte) = u8::try_from(value)
            && byte < 251
        {
            self.bytes.push(byte);
        } else if let Ok(short) = u16::try_from(value) {
            self.bytes.push(251);
            self.bytes.extend(short.to_le_bytes());
        } else if let Ok(word) = u32::try_from(value) {
            self.bytes.push(252);
            self.bytes.extend(word.to_le_bytes());
        } else {
            self.bytes.push(253);
            self.bytes.extend(value.to_le_bytes());
        }
    }
}

/// Reads numbers and elements in one format; every method takes its bytes from the front of `rest`.
struct Reader<'a> {
    format: Format,
    rest: &'a [u8],
}

impl Reader<'_> {
    /// Reads a signature; the lengths come from the parameter set, never from the input.
    fn signature(&mut self, params: &Params) -> Option<Signature> {
        let (path_len, chains) = (usize::from(params.log_lifetime), usize::from(params.chains));
        match self.format {
            Format::Ssz => {
                let path_start = 8 + 4 * params.rand_len;
                let hashes_start = path_start + 4 + 4 * path_len * params.hash_len;
                self.expect_offset(path_start)?;
                let rho = self.elements(params.rand_len)?;
                self.expect_offset(hashes_start)?;
                self.expect_offset(4)?;
                let path = self.digests(path_len, params.hash_len)?;
                let hashes = self.digests(chains, params.hash_len)?;
                Some(Signature { path, rho, hashes })
            }
            Format::BincodeFixint | Format::BincodeStandard => {
                self.expect_count(path_len)?;
                let path = self.digests(path_len, params.hash_len)?;
                let rho = self.elements(params.rand_len)?;
                self.expect_count(chains)?;
                let hashes = self.digests(chains, params.hash_len)?;
                Some(Signature { path, rho, hashes })
            }
        }
    }

    fn end(&self) -> Option<()> {
        self.rest.is_empty().then_some(())
    }

    fn expect_offset(&mut self, expected: usize) -> Option<()> {
        let offset = u32::from_le_bytes(self.take()?);
        (usize::try_from(offset) == Ok(expected)).then_some(())
    }

    fn expect_count(&mut self, expected: usize) -> Option<()> {
        let count = match self.format {
            Format::Ssz | Format::BincodeFixint => u64::from_le_bytes(self.take()?),
            Format::BincodeStandard => self.varint()?,
        };
        (usize::try_from(count) == Ok(expected)).then_some(())
    }

    fn digests(&mut self, count: usize, hash_len: usize) -> Option<Vec<Vec<u32>>> {
        (0..count).map(|_| self.elements(hash_len)).collect()
    }

    fn elements(&mut self, count: usize) -> Option<Vec<u32>> {
        (0..count).map(|_| self.element()).collect()
    }

    /// One element. A representation that is not below `p` is refused in every format.
    fn element(&mut self) -> Option<u32> {
        let representation = match self.format {
            Format::Ssz | Format::BincodeFixint => u32::from_le_bytes(self.take()?),
            Format::BincodeStandard => u32::try_from(self.varint()?).ok()?,
        };
        if !is_canonical(representation) {
            return None;
        }
        match self.format {
            Format::Ssz => Some(representation),
            Format::BincodeFixint | Format::BincodeStandard => Some(from_montgomery(representation)),
        }
    }

    /// A bincode 2 integer in its shortest form; a longer form than needed is refused.
    fn varint(&mut self) -> Option<u64> {
        let [first] = self.take()?;
        let (value, least) = match first {
            0..251 => (u64::from(first), 0),
            251 => (u64::from(u16::from_le_bytes(self.take()?)), 251),
            252 => (u64::from(u32::from_le_bytes(self.take()?)), 1 << 16),
            253 => (u64::from_le_bytes(self.take()?), 1 << 32),
            _ => return None,
        };
        (value >= least).then_some(value)
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (front, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*front)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The boundaries of the four forms, written out.
    #[test]
    fn variable_length_integers_are_shortest() {
        for (value, bytes) in [
            (0, &[0][..]),
            (250, &[250]),
            (251, &[251, 251, 0]),
            (0xffff, &[251, 0xff, 0xff]),
            (0x1_0000, &[252, 0, 0, 1, 0]),
            (0xffff_ffff, &[252, 0xff, 0xff, 0xff, 0xff]),
            (0x1_0000_0000, &[253, 0, 0, 0, 0, 1, 0, 0, 0]),
        ] {
            let mut writer = Writer::new(Format::BincodeStandard);
            writer.varint(value);
            assert_eq!(writer.bytes, bytes);
            assert_eq!(Reader { format: Format::BincodeStandard, rest: bytes }.varint(), Some(value));
        }
        for longer_than_needed in
            [&[251, 250, 0][..], &[252, 0xff, 0xff, 0, 0], &[253, 1, 0, 0, 0, 0, 0, 0, 0]]
        {
            assert_eq!(Reader { format: Format::BincodeStandard, rest: longer_than_needed }.varint(), None);
        }
        for no_form in [&[254, 0][..], &[255], &[251, 0], &[]] {
            assert_eq!(Reader { format: Format::BincodeStandard, rest: no_form }.varint(), None);
        }
    }
}
