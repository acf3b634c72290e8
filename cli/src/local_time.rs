//! The machine's local time, as the C library knows it.

#![cfg_attr(unix, allow(unsafe_code, reason = "a function of the C library"))]
#![allow(clippy::useless_conversion, reason = "the C library's seconds are 32 bits on some systems")]

/// Local standard time minus UTC, in seconds, at a local time: seconds since 1970-01-01 00:00 of that clock. It is what
/// ssh-keygen makes of a time without zone, which in summer is an hour off the clock on the wall.
#[cfg(unix)]
pub(crate) fn utc_offset_at(local_s: i64) -> i32 {
    let number = |value: i64| i32::try_from(value).unwrap_or(i32::MAX);
    // SAFETY: all its fields are numbers and a pointer, for which zero is a value. No daylight saving is a zero, too.
    let mut time: libc::tm = unsafe { std::mem::zeroed() };
    (time.tm_year, time.tm_mday) = (70, number(1 + local_s.div_euclid(86_400)));
    time.tm_sec = number(local_s.rem_euclid(86_400));
    // SAFETY: it reads and writes `time`, which nobody else has. Its variables of the zone are read from the environment, and
    // this program never writes there.
    let utc_s = i64::from(unsafe { libc::mktime(&raw mut time) });
    i32::try_from(local_s - utc_s).unwrap_or(0)
}

/// Without such a C library such times are taken as UTC.
#[cfg(not(unix))]
pub(crate) fn utc_offset_at(_local_s: i64) -> i32 {
    0
}
