//! Elements of GF(2^128) or GF(2^192) on the command line: points and values.
//!
//! An element is its bits as 32 or 48 hexadecimal digits, the highest bit first: bit i of that integer is the
//! coefficient of x^i. Elements stand between commas or blanks.

use crate::exit::Failure;
use crate::files;
use phalanx::ligerito::MAX_CLAIMS;
use phalanx_identify::hexadecimal;
use std::path::Path;

/// A field of points and values.
pub(crate) trait Element: Copy {
    /// Bytes of an element.
    const LEN_BYTES: usize;

    /// The element of the integer with these bytes, the highest first; `None` unless there are as many.
    fn from_be_slice(bytes: &[u8]) -> Option<Self>;

    /// The bytes of its integer, the highest first.
    fn to_be_bytes(self) -> Vec<u8>;

    /// The element of little-endian bytes.
    fn from_le_slice(bytes: &[u8]) -> Option<Self> {
        let bytes: Vec<u8> = bytes.iter().rev().copied().collect();
        Self::from_be_slice(&bytes)
    }

    /// Its bytes, little-endian.
    fn to_le_bytes(self) -> Vec<u8> {
        let mut bytes = self.to_be_bytes();
        bytes.reverse();
        bytes
    }
}

/// The points that arguments of `--point` name, in their order: each argument is one point, or `@FILE` with one on
/// every line.
///
/// # Errors
/// Words that are no elements, points of different lengths, no point at all, files that cannot be read.
pub(super) fn points<E: Element>(arguments: &[String]) -> Result<Vec<Vec<E>>, Failure> {
    let mut points: Vec<Vec<E>> = Vec::new();
    each_line("--point", arguments, |elements| points.push(elements))?;
    let Some(first) = points.first() else { return Err(Failure::usage("--point: there is no point")) };
    let wanted = first.len();
    if let Some((index, other)) = points.iter().enumerate().find(|(_, point)| point.len() != wanted) {
        return Err(Failure::usage(format_args!(
            "--point: points have as many coordinates each: got {} in point {index}, wanted {wanted} as in point 0",
            other.len()
        )));
    }
    Ok(points)
}

/// The points that arguments of `--point` name, as [`points`], of any lengths; before a point and a colon stands the number of
/// the polynomial that it is a point of, which is not needed where there is one.
///
/// # Errors
/// As [`points`]; a number that is missing or not below `polynomials`.
pub(super) fn numbered_points<E: Element>(
    arguments: &[String],
    polynomials: usize,
) -> Result<Vec<(usize, Vec<E>)>, Failure> {
    let mut points = Vec::new();
    each_text("--point", arguments, |text| {
        let (number, point) = match text.split_once(':') {
            Some((number, point)) => {
                let known = number.trim().parse().ok().filter(|number| *number < polynomials);
                let last = polynomials - 1;
                (known.ok_or_else(|| format!("'{}' is no number from 0 to {last}", number.trim()))?, point)
            }
            None if polynomials == 1 => (0, text),
            None => {
                return Err("N: is missing before the point: of which polynomial, counted from 0".to_owned());
            }
        };
        points.push((number, elements(point)?));
        Ok(())
    })?;
    if points.is_empty() { Err(Failure::usage("--point: there is no point")) } else { Ok(points) }
}

/// The values that arguments of `--value` name, in their order: each argument is one value or several, or `@FILE`.
///
/// # Errors
/// Words that are no elements, files that cannot be read.
pub(super) fn values<E: Element>(arguments: &[String]) -> Result<Vec<E>, Failure> {
    let mut values = Vec::new();
    each_line("--value", arguments, |elements: Vec<E>| values.extend(elements))?;
    Ok(values)
}

/// Refuses points without values, values without points, and too many of them.
pub(super) fn check_counts(points: usize, values: usize) -> Result<(), Failure> {
    if points != values {
        return Err(Failure::usage(format_args!(
            "a value belongs to every point: got {values} values for {points} points"
        )));
    }
    if points > MAX_CLAIMS {
        return Err(Failure::usage(format_args!("got {points} points, wanted at most {MAX_CLAIMS}")));
    }
    Ok(())
}

/// An element as text.
pub(super) fn digits<E: Element>(element: E) -> String {
    hex::encode(element.to_be_bytes())
}

/// Gives `take` the elements of every argument, or of every line of its file.
fn each_line<E: Element>(
    option: &str,
    arguments: &[String],
    mut take: impl FnMut(Vec<E>),
) -> Result<(), Failure> {
    each_text(option, arguments, |text| elements(text).map(&mut take))
}

/// Gives `take` every argument, or every line of its file, and says where what it does not take stands.
fn each_text(
    option: &str,
    arguments: &[String],
    mut take: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), Failure> {
    let complain = |place: &str, problem: String| Failure::usage(format_args!("{option}: {place}{problem}"));
    for argument in arguments {
        let Some(file) = argument.strip_prefix('@') else {
            take(argument).map_err(|problem| complain("", problem))?;
            continue;
        };
        let bytes = files::read(Path::new(file))?;
        let text = str::from_utf8(&bytes).map_err(|_| complain("", format!("'{file}' is no text")))?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        for (index, line) in lines {
            let place = format!("'{file}', line {}: ", index + 1);
            take(line).map_err(|problem| complain(&place, problem))?;
        }
    }
    Ok(())
}

/// The elements between commas or blanks.
fn elements<E: Element>(text: &str) -> Result<Vec<E>, String> {
    let text = text.trim();
    if text.contains(',') {
        text.split(',').map(|word| element(word.trim())).collect()
    } else {
        text.split_whitespace().map(element).collect()
    }
}

fn element<E: Element>(word: &str) -> Result<E, String> {
    let digits = 2 * E::LEN_BYTES;
    let bytes = hexadecimal::decode(word.as_bytes()).ok();
    bytes.and_then(|bytes| E::from_be_slice(&bytes)).ok_or_else(|| {
        let shown: String = word.chars().take(digits + 8).collect();
        format!("'{shown}' is no element: wanted {digits} hexadecimal digits")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use phalanx::ligerito::Gf128;
    use phalanx::ligerito::provable128::Gf192;

    #[test]
    fn elements_are_read_and_others_are_not() {
        let one = "00000000000000000000000000000001";
        let large = "F000000000000000000000000000000a";
        assert_eq!(elements(one), Ok(vec![Gf128(1)]));
        assert_eq!(elements(&format!(" {one}, {large} ")), Ok(vec![Gf128(1), Gf128(15 << 124 | 10)]));
        assert_eq!(elements(&format!("{one}\t{large}")), Ok(vec![Gf128(1), Gf128(15 << 124 | 10)]));
        assert_eq!(elements(&digits(Gf128(15 << 124 | 10))), Ok(vec![Gf128(15 << 124 | 10)]));
        let signed = format!("+{}", &one[1..]);
        let prefixed = format!("0x{}", &one[2..]);
        let umlaut = format!("{}ü", &one[2..]);
        for bad in
            [&one[1..], &format!("{one}0"), &signed, &prefixed, &umlaut, &format!("{one},"), ",", "one", "1"]
        {
            assert!(elements::<Gf128>(bad).is_err(), "{bad}");
            assert!(elements::<Gf192>(bad).is_err(), "{bad}");
        }
        let wide = "f0000000000000000000000000000000000000000000000a";
        let element = Gf192([10, 0, 15 << 60]);
        assert_eq!(elements(wide), Ok(vec![element]));
        assert_eq!(digits(element), wide);
        assert!(elements::<Gf128>(wide).is_err());
        assert!(elements::<Gf192>(one).is_err());
    }
}
