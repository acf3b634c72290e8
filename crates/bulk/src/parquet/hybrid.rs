//! The hybrid of run-length encoding and bit packing, in which levels and numbers into dictionaries are written.

/// A reader of such numbers. It holds no bytes, they are handed to every call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hybrid {
    bit_width: u32,
    /// Where the next run begins, and where all ends.
    at: usize,
    end: usize,
    /// Numbers left of the current run.
    left: u64,
    run: Run,
}

#[derive(Clone, Copy, Debug)]
enum Run {
    /// The same number again and again.
    Same(u32),
    /// Packed numbers: where they begin, and the number of the next one.
    Packed { start: usize, next: usize },
}

impl Hybrid {
    /// The numbers of `bit_width` bits in `bytes[at..end]`.
    pub(super) fn new(bit_width: u32, at: usize, end: usize) -> Result<Self, String> {
        if bit_width > 32 {
            return Err(format!("numbers of {bit_width} bits"));
        }
        Ok(Self { bit_width, at, end, left: 0, run: Run::Same(0) })
    }

    /// The next number.
    pub(super) fn next(&mut self, bytes: &[u8]) -> Result<u32, String> {
        while self.left == 0 {
            self.next_run(bytes)?;
        }
        self.left -= 1;
        match &mut self.run {
            Run::Same(value) => Ok(*value),
            Run::Packed { start, next } => {
                let bit = *next * self.bit_width as usize;
                *next += 1;
                Ok(packed(&bytes[*start..self.at], bit, self.bit_width))
            }
        }
    }

    fn next_run(&mut self, bytes: &[u8]) -> Result<(), String> {
        let short = || "a page ends too early".to_owned();
        let mut rest = bytes.get(self.at..self.end).ok_or_else(short)?;
        let mut head = 0_u64;
        for shift in (0..).step_by(7) {
            let (byte, after) = rest.split_first().ok_or_else(short)?;
            rest = after;
            if shift > 28 {
                return Err("a run of more than 2^32 numbers".to_owned());
            }
            head |= u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                break;
            }
        }
        let start = self.end - rest.len();
        if head & 1 == 0 {
            let len = self.bit_width.div_ceil(8) as usize;
            let mut value = [0; 4];
            value[..len].copy_from_slice(rest.get(..len).ok_or_else(short)?);
            (self.left, self.run, self.at) = (head >> 1, Run::Same(u32::from_le_bytes(value)), start + len);
        } else {
            // Groups of eight numbers; the last bytes of the last run may be missing.
            let groups = head >> 1;
            let len = usize::try_from(groups * u64::from(self.bit_width)).map_err(|_| short())?;
            let there = len.min(rest.len());
            self.left = match self.bit_width {
                0 => 8 * groups,
                bits => (8 * groups).min(8 * there as u64 / u64::from(bits)),
            };
            (self.run, self.at) = (Run::Packed { start, next: 0 }, start + there);
            if self.left == 0 && groups > 0 {
                return Err(short());
            }
        }
        Ok(())
    }
}

/// The number of `bit_width` bits from `bit` on, low bits first.
fn packed(bytes: &[u8], bit: usize, bit_width: u32) -> u32 {
    let mut window = [0; 8];
    let from = &bytes[(bit / 8).min(bytes.len())..];
    let len = from.len().min(8);
    window[..len].copy_from_slice(&from[..len]);
    let shifted = u64::from_le_bytes(window) >> (bit % 8);
    let mask = (1_u64 << bit_width) - 1;
    u32::try_from(shifted & mask).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bit_width: u32, bytes: &[u8], count: usize) -> Result<Vec<u32>, String> {
        let mut hybrid = Hybrid::new(bit_width, 0, bytes.len())?;
        (0..count).map(|_| hybrid.next(bytes)).collect()
    }

    /// The example of the format's specification, and runs around it.
    #[test]
    fn runs_of_both_kinds() {
        let bytes = [0x03, 0x88, 0xc6, 0xfa, 0x0a, 0x05, 0x06, 0x02];
        assert_eq!(read(3, &bytes, 16), Ok(vec![0, 1, 2, 3, 4, 5, 6, 7, 5, 5, 5, 5, 5, 2, 2, 2]));
        assert!(read(3, &bytes, 17).is_err() && read(33, &bytes, 1).is_err());
        assert_eq!(read(0, &[0x03, 0x04], 10), Ok(vec![0; 10]));
        assert_eq!(read(20, &[0x04, 1, 2, 3], 2), Ok(vec![0x3_0201; 2]));
        assert_eq!(read(32, &[0x03, 1, 0, 0, 0, 2, 0, 0, 255, 9, 9], 2), Ok(vec![1, 0xff00_0002]));
        assert!(
            read(32, &[0x03, 1, 0, 0], 1).is_err() && read(8, &[0x81, 0x80, 0x80, 0x80, 0x80, 0], 1).is_err()
        );
        // Runs of nothing do not hold it up for ever.
        assert!(read(8, &[0, 7, 0, 7, 1], 1).is_err());
    }
}
