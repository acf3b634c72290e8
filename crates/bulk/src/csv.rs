//! Rows as lines of comma-separated values, under a line of names.
//!
//! Every value is digits or a name, so a row is a line: what stands between quotes holds no end of a line, and one stray
//! quote spoils one row.

use crate::judge::Judge;
use crate::row::{Cell, Epoch, Row};
use crate::verdict::Verdict;

/// The names that are looked for: the first four must be there, `scheme` unless all rows have one.
const NAMES: [&str; 6] = ["public_key", "message", "signature", "scheme", "epoch", "profile"];

/// Where the values of a row stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    at: [Option<usize>; NAMES.len()],
    count: usize,
}

impl Columns {
    /// Reads the line of names.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(line: &[u8], scheme_is_given: bool) -> Result<Self, String> {
        let mut columns = Self { at: [None; NAMES.len()], count: 0 };
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let mut twice = None;
        columns.count = split(line, |number, name| {
            let known = NAMES.iter().position(|known| known.as_bytes() == name.trim_ascii());
            if let Some(known) = known
                && columns.at[known].replace(number).is_some()
            {
                twice = Some(NAMES[known]);
            }
        })?;
        if let Some(name) = twice {
            return Err(format!("two columns are called {name}"));
        }
        let required = if scheme_is_given { 3 } else { 4 };
        match (0..required).find(|name| columns.at[*name].is_none()) {
            Some(name) => Err(format!("no column is called {}", NAMES[name])),
            None => Ok(columns),
        }
    }

    /// Hands the row on a line to `judge`.
    pub(crate) fn row(&self, line: &[u8], position: u64, judge: &mut Judge<'_>) {
        let mut cells = [Cell::Absent; NAMES.len()];
        let count = split(line, |number, value| {
            if let Some(name) = self.at.iter().position(|at| *at == Some(number)) {
                cells[name] = if value.is_empty() { Cell::Absent } else { Cell::Text(value) };
            }
        });
        let [public_key, mut message, signature, scheme, epoch, profile] = cells;
        match count {
            Err(problem) => return judge.malformed(position, Verdict::Row, problem),
            Ok(count) if count != self.count => {
                let problem = format!("{count} values, wanted {}", self.count);
                return judge.malformed(position, Verdict::Row, &problem);
            }
            Ok(_) => {}
        }
        // A message may be empty, and there is no other way to write that.
        if matches!(message, Cell::Absent) {
            message = Cell::Text(b"");
        }
        let epoch = if let Cell::Text(digits) = epoch { Epoch::from_digits(digits) } else { Epoch::Absent };
        judge.row(position, &Row { scheme, profile, public_key, epoch, message, signature });
    }
}

/// Calls `value` with every value of a line, and its number; returns how many there are.
fn split<'a>(line: &'a [u8], mut value: impl FnMut(usize, &'a [u8])) -> Result<usize, &'static str> {
    let (mut rest, mut count) = (line, 0);
    loop {
        let (this, after) = if let Some(quoted) = rest.strip_prefix(b"\"") {
            let end = memchr::memchr(b'"', quoted).ok_or("a quote that does not end")?;
            (&quoted[..end], &quoted[end + 1..])
        } else {
            rest.split_at(memchr::memchr(b',', rest).unwrap_or(rest.len()))
        };
        value(count, this);
        count += 1;
        rest = match after.split_first() {
            None => return Ok(count),
            Some((b',', after)) => after,
            Some(_) => return Err("something after a quote"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split() {
        let values = |line: &str| {
            let mut values = Vec::new();
            split(line.as_bytes(), |_, value| values.push(String::from_utf8_lossy(value).into_owned()))
                .map(|count| (count, values))
        };
        let split_into = |line, wanted: &[&str]| {
            assert_eq!(values(line), Ok((wanted.len(), wanted.iter().map(ToString::to_string).collect())));
        };
        split_into("a,b,,c", &["a", "b", "", "c"]);
        split_into("", &[""]);
        split_into("\"a,b\",\"\",c,", &["a,b", "", "c", ""]);
        split_into("a\"b,c", &["a\"b", "c"]);
        assert!(values("a,\"b").is_err() && values("\"a\"b,c").is_err());
    }

    #[test]
    fn the_line_of_names_says_where_values_stand() {
        let columns = Columns::read(b"\xef\xbb\xbfx,signature,\"message\", public_key ,scheme", false);
        let at = [Some(3), Some(2), Some(1), Some(4), None, None];
        assert_eq!(columns, Ok(Columns { at, count: 5 }));
        for (bad, problem) in [
            ("message,public_key,scheme", "no column is called signature"),
            ("message,public_key,signature", "no column is called scheme"),
            ("message,message,public_key,scheme,signature", "two columns are called message"),
        ] {
            assert_eq!(Columns::read(bad.as_bytes(), false), Err(problem.to_owned()));
        }
        assert!(Columns::read(b"message,public_key,signature", true).is_ok());
    }
}
