//! SSZ: containers whose parts of variable size stand at the end, each found by an offset in the fixed part.
//!
//! Source: the Ethereum consensus specification, `ssz/simple-serialize.md`. Strictness: the first offset is the length
//! of the fixed part, and the parts follow each other without gap or overlap, which is the one form a writer gives.

use super::Reader;
use crate::error::Malformed;
use alloc::vec::Vec;

impl Reader<'_> {
    /// The next offset, which can only be `wanted`.
    ///
    /// # Errors
    /// [`Malformed`] if it is not, or the input ends.
    pub fn offset_exactly(&mut self, what: &'static str, wanted: usize) -> Result<(), Malformed> {
        let got = self.u32_le(what)?;
        Malformed::unless_equal(what, u64::from(got), wanted as u64)
    }
}

/// Cuts `container` into its parts of variable size, in order. The fixed part has `fixed_len` bytes; `offsets` holds
/// what each part's offset is called and its value.
///
/// # Errors
/// [`Malformed`] if the first offset is not `fixed_len`, or one is smaller than the one before it (`wanted`) or greater
/// than the length of the container (`wanted`).
pub fn sections<'a>(
    container: &'a [u8],
    fixed_len: usize,
    offsets: &[(&'static str, u32)],
) -> Result<Vec<&'a [u8]>, Malformed> {
    let len = container.len() as u64;
    let mut before = fixed_len as u64;
    for (i, &(what, offset)) in offsets.iter().enumerate() {
        let got = u64::from(offset);
        if i == 0 || got < before {
            Malformed::unless_equal(what, got, before)?;
        }
        if got > len {
            return Err(Malformed { what, got, wanted: len });
        }
        before = got;
    }
    let place = |&(_, offset): &(_, u32)| usize::try_from(offset).expect("at most the container's length");
    let starts = offsets.iter().map(place);
    let ends = offsets.iter().skip(1).map(place).chain([container.len()]);
    Ok(starts.zip(ends).map(|(start, end)| &container[start..end]).collect())
}

/// Writes an offset.
///
/// # Panics
/// If it does not fit 32 bits, which no container of ours can reach.
pub fn put_offset(out: &mut Vec<u8>, offset: usize) {
    out.extend(u32::try_from(offset).expect("containers are smaller than 4 GiB").to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(offsets: &[(&'static str, u32)]) -> Result<Vec<&'static [u8]>, Malformed> {
        sections(&[0, 1, 2, 3, 4, 5], 2, offsets)
    }

    #[test]
    fn sections_follow_each_other() {
        assert_eq!(cut(&[("a", 2), ("b", 2), ("c", 5)]), Ok(alloc::vec![&[][..], &[2, 3, 4], &[5]]));
        assert_eq!(cut(&[("a", 2), ("b", 6)]), Ok(alloc::vec![&[2, 3, 4, 5][..], &[]]));
    }

    #[test]
    fn every_offset_is_bounded_on_both_sides() {
        assert_eq!(cut(&[("a", 1)]), Err(Malformed { what: "a", got: 1, wanted: 2 }));
        assert_eq!(cut(&[("a", 3)]), Err(Malformed { what: "a", got: 3, wanted: 2 }));
        assert_eq!(cut(&[("a", 2), ("b", 5), ("c", 4)]), Err(Malformed { what: "c", got: 4, wanted: 5 }));
        assert_eq!(cut(&[("a", 2), ("b", 7)]), Err(Malformed { what: "b", got: 7, wanted: 6 }));
        let beyond = Err(Malformed { what: "b", got: u64::from(u32::MAX), wanted: 6 });
        assert_eq!(cut(&[("a", 2), ("b", u32::MAX), ("c", 5)]), beyond);
        assert_eq!(sections(&[0], 2, &[("a", 2)]), Err(Malformed { what: "a", got: 2, wanted: 1 }));
    }

    #[test]
    fn offsets_are_exact() {
        assert_eq!(Reader::new(&[4, 0, 0, 0]).offset_exactly("a", 4), Ok(()));
        let wrong = Err(Malformed { what: "a", got: 260, wanted: 4 });
        assert_eq!(Reader::new(&[4, 1, 0, 0]).offset_exactly("a", 4), wrong);
    }
}
