//! Integers as bincode writes them: of fixed width, or as few bytes as they need.
//!
//! Source: bincode's `docs/spec.md`. Fixed width is the default of bincode 1.3 and an option of bincode 2; variable
//! width is the default of bincode 2 (`config::standard()`). Strictness: a varint has its shortest form.

use super::Reader;
use crate::error::Malformed;
use alloc::vec::Vec;

/// How integers of more than one byte are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Integers {
    /// Little-endian, four bytes for `u32` and eight for `u64`.
    Fixed,
    /// One byte below 251; else 251, 252 or 253 and then two, four or eight bytes, little-endian.
    Variable,
}

impl Integers {
    /// Fewest bytes of a `u32`.
    pub fn min_u32_bytes(self) -> usize {
        if self == Self::Fixed { 4 } else { 1 }
    }

    /// Most bytes of a `u32`.
    pub fn max_u32_bytes(self) -> usize {
        if self == Self::Fixed { 4 } else { 5 }
    }

    /// Most bytes of a `u64`.
    pub fn max_u64_bytes(self) -> usize {
        if self == Self::Fixed { 8 } else { 9 }
    }

    /// Reads a `u32`.
    ///
    /// # Errors
    /// [`Malformed`] if the input ends, the form is not the shortest, or the value does not fit.
    pub fn read_u32(self, reader: &mut Reader<'_>, what: &'static str) -> Result<u32, Malformed> {
        match self {
            Self::Fixed => reader.u32_le(what),
            Self::Variable => {
                let got = read_varint(reader, what)?;
                u32::try_from(got).map_err(|_| Malformed { what, got, wanted: u64::from(u32::MAX) })
            }
        }
    }

    /// Reads a `u64`.
    ///
    /// # Errors
    /// [`Malformed`] if the input ends or the form is not the shortest.
    pub fn read_u64(self, reader: &mut Reader<'_>, what: &'static str) -> Result<u64, Malformed> {
        match self {
            Self::Fixed => reader.u64_le(what),
            Self::Variable => read_varint(reader, what),
        }
    }

    /// Writes a `u32`.
    pub fn put_u32(self, out: &mut Vec<u8>, value: u32) {
        match self {
            Self::Fixed => out.extend(value.to_le_bytes()),
            Self::Variable => put_varint(out, u64::from(value)),
        }
    }

    /// Writes a `u64`.
    pub fn put_u64(self, out: &mut Vec<u8>, value: u64) {
        match self {
            Self::Fixed => out.extend(value.to_le_bytes()),
            Self::Variable => put_varint(out, value),
        }
    }
}

/// The first byte says how many follow, and which values need that many.
fn read_varint(reader: &mut Reader<'_>, what: &'static str) -> Result<u64, Malformed> {
    let [tag] = *reader.array(what)?;
    let (value, least) = match tag {
        0..=250 => return Ok(u64::from(tag)),
        251 => (u64::from(u16::from_le_bytes(*reader.array(what)?)), 251),
        252 => (u64::from(reader.u32_le(what)?), 1 << 16),
        253 => (reader.u64_le(what)?, 1 << 32),
        254 | 255 => {
            return Err(Malformed { what: "first byte of a varint", got: u64::from(tag), wanted: 253 });
        }
    };
    if value < least {
        return Err(Malformed { what: "varint written longer than needed", got: value, wanted: least });
    }
    Ok(value)
}

fn put_varint(out: &mut Vec<u8>, value: u64) {
    match (u8::try_from(value), u16::try_from(value), u32::try_from(value)) {
        (Ok(byte @ 0..=250), _, _) => out.push(byte),
        (_, Ok(value), _) => {
            out.push(251);
            out.extend(value.to_le_bytes());
        }
        (_, _, Ok(value)) => {
            out.push(252);
            out.extend(value.to_le_bytes());
        }
        _ => {
            out.push(253);
            out.extend(value.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values around every edge of the variable form, and that form.
    const EDGES: [(u64, &[u8]); 8] = [
        (0, &[0]),
        (250, &[250]),
        (251, &[251, 251, 0]),
        (0xffff, &[251, 255, 255]),
        (0x1_0000, &[252, 0, 0, 1, 0]),
        (0xffff_ffff, &[252, 255, 255, 255, 255]),
        (0x1_0000_0000, &[253, 0, 0, 0, 0, 1, 0, 0, 0]),
        (u64::MAX, &[253, 255, 255, 255, 255, 255, 255, 255, 255]),
    ];

    #[test]
    fn varints_at_the_edges() {
        for (value, bytes) in EDGES {
            let mut out = Vec::new();
            Integers::Variable.put_u64(&mut out, value);
            assert_eq!(out, bytes, "{value}");
            assert_eq!(Integers::Variable.read_u64(&mut Reader::new(bytes), "a"), Ok(value));
            assert!(out.len() <= Integers::Variable.max_u64_bytes());
            let as_u32 = Integers::Variable.read_u32(&mut Reader::new(bytes), "a");
            match u32::try_from(value) {
                Ok(value) => assert_eq!(as_u32, Ok(value)),
                Err(_) => assert_eq!(as_u32, Err(Malformed { what: "a", got: value, wanted: 0xffff_ffff })),
            }
            for len in 0..bytes.len() {
                let short = Integers::Variable.read_u64(&mut Reader::new(&bytes[..len]), "a");
                assert_eq!(short.expect_err("cut short").what, "a");
            }
        }
    }

    #[test]
    fn varints_are_shortest() {
        for bytes in [
            &[251, 250, 0][..],
            &[252, 255, 255, 0, 0],
            &[253, 255, 255, 255, 255, 0, 0, 0, 0],
            &[253, 0, 0, 0, 0, 0, 0, 0, 0],
        ] {
            let error = Integers::Variable.read_u64(&mut Reader::new(bytes), "a").expect_err("too long");
            assert_eq!(error.what, "varint written longer than needed");
        }
        for tag in [254, 255] {
            let error =
                Integers::Variable.read_u64(&mut Reader::new(&[tag; 17]), "a").expect_err("no such form");
            assert_eq!(error, Malformed { what: "first byte of a varint", got: u64::from(tag), wanted: 253 });
        }
    }

    #[test]
    fn fixed_width_is_little_endian() {
        let mut out = Vec::new();
        Integers::Fixed.put_u32(&mut out, 0x0102_0304);
        Integers::Fixed.put_u64(&mut out, 0x0102_0304_0506_0708);
        assert_eq!(out, [4, 3, 2, 1, 8, 7, 6, 5, 4, 3, 2, 1]);
        let mut reader = Reader::new(&out);
        assert_eq!(Integers::Fixed.read_u32(&mut reader, "a"), Ok(0x0102_0304));
        assert_eq!(Integers::Fixed.read_u64(&mut reader, "a"), Ok(0x0102_0304_0506_0708));
    }
}
