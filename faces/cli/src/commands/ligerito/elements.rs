//! Elements of GF(2^128) on the command line: points and values.
//!
//! An element is its 128 bits as 32 hexadecimal digits, the highest bit first: bit i of that integer is the coefficient of
//! x^i. Elements stand between commas or blanks.

use crate::exit::Failure;
use crate::files;
use phalanx::ligerito::Gf128;
use std::path::Path;

/// Hexadecimal digits of an element.
const DIGITS: usize = 32;

/// The points that arguments of `--point` name, in their order: each argument is one point, or `@FILE` with one on every
/// line.
///
/// # Errors
/// Words that are no elements, points of different lengths, no point at all, files that cannot be read.
pub(super) fn points(arguments: &[String]) -> Result<Vec<Vec<Gf128>>, Failure> {
    let mut points: Vec<Vec<Gf128>> = Vec::new();
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

/// The values that arguments of `--value` name, in their order: each argument is one value or several, or `@FILE`.
///
/// # Errors
/// Words that are no elements, files that cannot be read.
pub(super) fn values(arguments: &[String]) -> Result<Vec<Gf128>, Failure> {
    let mut values = Vec::new();
    each_line("--value", arguments, |elements| values.extend(elements))?;
    Ok(values)
}

/// An element as text.
pub(super) fn digits(element: Gf128) -> String {
    format!("{:0DIGITS$x}", element.0)
}

/// Gives `take` the elements of every argument, or of every line of its file.
fn each_line(option: &str, arguments: &[String], mut take: impl FnMut(Vec<Gf128>)) -> Result<(), Failure> {
    let complain = |place: &str, problem: String| Failure::usage(format_args!("{option}: {place}{problem}"));
    for argument in arguments {
        let Some(file) = argument.strip_prefix('@') else {
            take(elements(argument).map_err(|problem| complain("", problem))?);
            continue;
        };
        let bytes = files::read(Path::new(file))?;
        let text = str::from_utf8(&bytes).map_err(|_| complain("", format!("'{file}' is no text")))?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        for (index, line) in lines {
            let place = format!("'{file}', line {}: ", index + 1);
            take(elements(line).map_err(|problem| complain(&place, problem))?);
        }
    }
    Ok(())
}

/// The elements between commas or blanks.
fn elements(text: &str) -> Result<Vec<Gf128>, String> {
    let text = text.trim();
    if text.contains(',') {
        text.split(',').map(|word| element(word.trim())).collect()
    } else {
        text.split_whitespace().map(element).collect()
    }
}

fn element(word: &str) -> Result<Gf128, String> {
    let is_plain = word.len() == DIGITS && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let parsed = u128::from_str_radix(word, 16).ok().filter(|_| is_plain);
    parsed.map(Gf128).ok_or_else(|| {
        let shown: String = word.chars().take(DIGITS + 8).collect();
        format!("'{shown}' is no element: wanted {DIGITS} hexadecimal digits")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert!(elements(bad).is_err(), "{bad}");
        }
    }
}
