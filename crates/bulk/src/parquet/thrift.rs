//! Thrift's compact protocol, as far as Parquet uses it
//! (<https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>).

/// How deep values may lie in what is skipped. Parquet has about ten levels.
const MAX_DEPTH: usize = 32;

/// Why bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// They end too early.
    Short,
    /// They hold something that cannot be.
    Wrong,
}

/// The type of a field, as it stands before it.
pub(super) const TRUE: u8 = 1;
pub(super) const FALSE: u8 = 2;
pub(super) const BYTE: u8 = 3;
pub(super) const I16: u8 = 4;
pub(super) const I32: u8 = 5;
pub(super) const I64: u8 = 6;
pub(super) const DOUBLE: u8 = 7;
pub(super) const BINARY: u8 = 8;
pub(super) const LIST: u8 = 9;
pub(super) const SET: u8 = 10;
pub(super) const MAP: u8 = 11;
pub(super) const STRUCT: u8 = 12;
pub(super) const UUID: u8 = 13;

/// A reader of bytes.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Bytes that are left.
    pub(super) fn remaining(&self) -> usize {
        self.rest.len()
    }

    fn byte(&mut self) -> Result<u8, Broken> {
        let (byte, rest) = self.rest.split_first().ok_or(Broken::Short)?;
        self.rest = rest;
        Ok(*byte)
    }

    fn skip_bytes(&mut self, count: usize) -> Result<&'a [u8], Broken> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or(Broken::Short)?;
        self.rest = rest;
        Ok(bytes)
    }

    fn varint(&mut self) -> Result<u64, Broken> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Broken::Wrong)
    }

    /// An integer of any width.
    pub(super) fn integer(&mut self) -> Result<i64, Broken> {
        let value = self.varint()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// An integer that fits, else the message is wrong.
    pub(super) fn number<T: TryFrom<i64>>(&mut self) -> Result<T, Broken> {
        T::try_from(self.integer()?).map_err(|_| Broken::Wrong)
    }

    pub(super) fn binary(&mut self) -> Result<&'a [u8], Broken> {
        let count = usize::try_from(self.varint()?).map_err(|_| Broken::Wrong)?;
        self.skip_bytes(count)
    }

    /// The head of a list: the type of its elements, and how many there are, each of which takes a byte at least.
    pub(super) fn list(&mut self) -> Result<(u8, usize), Broken> {
        let head = self.byte()?;
        let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        let count = usize::try_from(count).map_err(|_| Broken::Wrong)?;
        if count > self.remaining() { Err(Broken::Short) } else { Ok((head & 15, count)) }
    }

    /// A list of structures: `each` reads one.
    pub(super) fn structures(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        let (kind, count) = self.list()?;
        if kind != STRUCT {
            return Err(Broken::Wrong);
        }
        (0..count).try_for_each(|_| each(self))
    }

    /// A structure: `field` is called with the number and the type of each field, and says whether it has read it.
    pub(super) fn structure(
        &mut self,
        mut field: impl FnMut(&mut Self, i16, u8) -> Result<bool, Broken>,
    ) -> Result<(), Broken> {
        let mut number = 0_i16;
        while let Some(kind) = self.field(&mut number)? {
            if !field(self, number, kind)? {
                self.skip(kind, MAX_DEPTH)?;
            }
        }
        Ok(())
    }

    /// The type of the next field; `None` where the structure ends.
    fn field(&mut self, number: &mut i16) -> Result<Option<u8>, Broken> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        *number = match head >> 4 {
            0 => self.number()?,
            more => number.checked_add(i16::from(more)).ok_or(Broken::Wrong)?,
        };
        Ok(Some(head & 15))
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Result<(), Broken> {
        let depth = depth.checked_sub(1).ok_or(Broken::Wrong)?;
        match kind {
            // The type is the value.
            TRUE | FALSE => {}
            BYTE => drop(self.byte()?),
            I16 | I32 | I64 => drop(self.varint()?),
            DOUBLE => drop(self.skip_bytes(8)?),
            UUID => drop(self.skip_bytes(16)?),
            BINARY => drop(self.binary()?),
            LIST | SET => {
                let (kind, count) = self.list()?;
                (0..count).try_for_each(|_| self.skip_element(kind, depth))?;
            }
            MAP => {
                let count = self.varint()?;
                let kinds = if count == 0 { 0 } else { self.byte()? };
                for _ in 0..count {
                    self.skip_element(kinds >> 4, depth)?;
                    self.skip_element(kinds & 15, depth)?;
                }
            }
            STRUCT => {
                let mut number = 0;
                while let Some(kind) = self.field(&mut number)? {
                    self.skip(kind, depth)?;
                }
            }
            _ => return Err(Broken::Wrong),
        }
        Ok(())
    }

    /// In lists a truth value is a byte.
    fn skip_element(&mut self, kind: u8, depth: usize) -> Result<(), Broken> {
        match kind {
            TRUE | FALSE => self.byte().map(drop),
            _ => self.skip(kind, depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_and_skipped() {
        // 1: i32 -2; 2: list of 2 truth values; 3: map of one byte to a byte; 20: structure with 1: true; 21: text.
        let bytes =
            [0x15, 3, 0x19, 0x21, 1, 2, 0x1b, 1, 0x33, 7, 8, 0x0c, 40, 0x11, 0, 0x18, 2, b'h', b'i', 0, 99];
        let (mut seen, mut reader) = (Vec::new(), Reader::new(&bytes));
        let read = reader.structure(|reader, number, kind| {
            match number {
                1 => seen.push(reader.integer()?.to_string()),
                21 => seen.push(String::from_utf8_lossy(reader.binary()?).into_owned()),
                _ => {
                    seen.push(format!("{number}: {kind}"));
                    return Ok(false);
                }
            }
            Ok(true)
        });
        assert_eq!((read, reader.remaining()), (Ok(()), 1));
        assert_eq!(seen, ["-2", "2: 9", "3: 11", "20: 12", "hi"]);
        for len in 0..bytes.len() - 1 {
            let short = Reader::new(&bytes[..len]).structure(|_, _, _| Ok(false));
            assert_eq!(short, Err(Broken::Short), "{len} bytes");
        }
    }

    #[test]
    fn what_cannot_be_is_wrong() {
        let skip = |bytes: &[u8]| Reader::new(bytes).structure(|_, _, _| Ok(false));
        assert_eq!(skip(&[0x1c; 40]), Err(Broken::Wrong), "forty structures in each other");
        assert_eq!(skip(&[0x1e, 0]), Err(Broken::Wrong), "no type");
        assert_eq!(skip(&[0x16, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0]), Err(Broken::Wrong));
        assert_eq!(skip(&[0x19, 0xf3, 255, 255, 127, 0]), Err(Broken::Short), "a list of two million bytes");
    }
}
