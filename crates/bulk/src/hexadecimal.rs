//! Hexadecimal digits: either case, `0x` before them or not.

/// The value of a digit; 255 for what is none.
const VALUES: [u8; 256] = {
    let mut values = [255; 256];
    let mut digit = 0_u8;
    while digit < 16 {
        values[b"0123456789abcdef"[digit as usize] as usize] = digit;
        values[b"0123456789ABCDEF"[digit as usize] as usize] = digit;
        digit += 1;
    }
    values
};

/// Appends the bytes that `text` writes to `out`.
///
/// # Errors
/// What is wrong with it; `out` then holds part of it.
pub(crate) fn decode(text: &[u8], out: &mut Vec<u8>) -> Result<(), &'static str> {
    let digits = text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X")).unwrap_or(text);
    let (pairs, rest) = digits.as_chunks::<2>();
    let mut seen = 0;
    out.extend(pairs.iter().map(|&[high, low]| {
        let (high, low) = (VALUES[usize::from(high)], VALUES[usize::from(low)]);
        seen |= high | low;
        high << 4 | low & 15
    }));
    if seen > 15 {
        return Err("not a hexadecimal number");
    }
    if rest.is_empty() { Ok(()) } else { Err("an odd number of hexadecimal digits") }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn every_digit_and_nothing_else() {
        let mut out = vec![9];
        assert_eq!(decode(b"0x00ffA9bC", &mut out), Ok(()));
        assert_eq!(out, [9, 0, 255, 0xa9, 0xbc]);
        for byte in 0..=255_u8 {
            let good = byte.is_ascii_hexdigit();
            assert_eq!(decode(&[b'0', byte], &mut Vec::new()).is_ok(), good || byte == b'x' || byte == b'X');
            assert_eq!(decode(&[byte, b'7'], &mut Vec::new()).is_ok(), good);
        }
        assert!(decode(b"abc", &mut Vec::new()).is_err() && decode(b"", &mut Vec::new()).is_ok());
    }
}
