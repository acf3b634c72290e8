//! The times of an allowed signers file, read as ssh-keygen reads them.

/// A time as the file writes it: YYYYMMDD, then perhaps HHMM or HHMMSS, then perhaps `Z` or `UTC` in letters of any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Seconds from 1970-01-01 00:00 of the same clock.
    seconds: i64,
    is_utc: bool,
}

/// What is wrong with a time.
const PROBLEM: &str = "time is not YYYYMMDD[HHMM[SS]][Z]";

impl Stamp {
    /// Reads it. As with the C library's `strptime`, of which ssh-keygen asks each field, a field may begin with blanks, a
    /// month has 31 days (the last of February are the first of March), and a minute may have 62 seconds.
    pub(super) fn read(text: &[u8]) -> Result<Self, &'static str> {
        let without = |suffix: &[u8]| {
            let (digits, end) = text.split_at_checked(text.len().checked_sub(suffix.len())?)?;
            (!digits.is_empty() && end.eq_ignore_ascii_case(suffix)).then_some(digits)
        };
        let utc = without(b"Z").or_else(|| without(b"UTC"));
        let digits = utc.unwrap_or(text);
        if !matches!(digits.len(), 8 | 12 | 14) {
            return Err(PROBLEM);
        }
        let field = |from: usize, len: usize, range: core::ops::RangeInclusive<i64>| {
            let Some(text) = digits.get(from..from + len) else { return Ok(0) };
            let blanks = text.iter().take_while(|&&c| c == b' ').count();
            let number = text[blanks..]
                .iter()
                .try_fold(0, |number, c| c.is_ascii_digit().then(|| 10 * number + i64::from(c - b'0')));
            number.filter(|number| blanks < len && range.contains(number)).ok_or(PROBLEM)
        };
        let (year, month, day) = (field(0, 4, 0..=9999)?, field(4, 2, 1..=12)?, field(6, 2, 1..=31)?);
        let (hour, minute, second) = (field(8, 2, 0..=23)?, field(10, 2, 0..=59)?, field(12, 2, 0..=61)?);
        let seconds = 86_400 * days_from_1970(year, month, day) + 3600 * hour + 60 * minute + second;
        Ok(Self { seconds, is_utc: utc.is_some() })
    }

    /// Seconds since 1970, UTC. `utc_offset_at` is the local clock's distance from UTC at a time of its own. The first
    /// second of 1970 and what was before is no time, as in ssh-keygen.
    pub(super) fn unix_seconds(self, utc_offset_at: &dyn Fn(i64) -> i32) -> Result<i64, &'static str> {
        let offset = if self.is_utc { 0 } else { i64::from(utc_offset_at(self.seconds)) };
        let seconds = self.seconds - offset;
        if seconds > 0 { Ok(seconds) } else { Err("time is not after 1970 began") }
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar. Years are counted from March, so that the leap day is the
/// last of its year.
fn days_from_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    // Before the year 1 the quotients would be rounded up.
    let before_year = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // Months from March on have 31, 30, 31, 30, 31 days and again: 153 in five.
    let before_month = (153 * month + 2) / 5;
    // 719468 days lie between 0000-03-01 and 1970-01-01.
    before_year + before_month + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        // One hour east of Greenwich.
        let seconds =
            |text: &str| Stamp::read(text.as_bytes()).and_then(|stamp| stamp.unix_seconds(&|_| 3600));
        assert_eq!(seconds("197001010001Z"), Ok(60));
        assert_eq!(seconds("20000229Z"), Ok(951_782_400));
        assert_eq!(seconds("20000229z"), Ok(951_782_400));
        assert_eq!(seconds("20000229uTc"), Ok(951_782_400));
        assert_eq!(seconds("200003011200Z"), Ok(951_912_000));
        assert_eq!(seconds("20240131235959Z"), Ok(1_706_745_599));
        assert_eq!(seconds("19700102"), Ok(82_800));
        // Blanks before numbers, and days that their month does not have.
        assert_eq!(seconds("2024 1 2Z"), seconds("20240102Z"));
        assert_eq!(seconds("20240230Z"), seconds("20240301Z"));
        assert_eq!(seconds("20230229Z"), seconds("20230301Z"));
        assert_eq!(seconds("20240101000061Z"), seconds("20240101000101Z"));
        for text in [
            "",
            "Z",
            "UTC",
            "2024",
            "20241301",
            "20240100",
            "20240132",
            "202401012400",
            "202401010060",
            "20240101000062",
            "2024010a",
            "1969123123",
            "19691231Z",
            "19700101Z",
            "19700101",
            "20240101ZZ",
            "2024  01",
            "20241 01",
            "+0240101",
            "20240101 Z",
            "0000 101Z",
        ] {
            assert!(seconds(text).is_err(), "{text}");
        }
        // A clock that changed.
        let changed = |local: i64| if local < 82_800 { 0 } else { -3600 };
        let at = |text: &[u8]| Stamp::read(text).and_then(|stamp| stamp.unix_seconds(&changed));
        assert_eq!((at(b"197001011200"), at(b"19700102")), (Ok(43_200), Ok(90_000)));
    }
}
