//! Rows as objects of JSON.

use crate::judge::Judge;
use crate::row::{Cell, Epoch, Row};
use crate::verdict::Verdict;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A line as it stands in the file.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    scheme: Option<&'a RawValue>,
    #[serde(borrow)]
    profile: Option<&'a RawValue>,
    #[serde(borrow)]
    public_key: Option<&'a RawValue>,
    #[serde(borrow)]
    epoch: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    signature: Option<&'a RawValue>,
}

/// Hands the row on a line to `judge`.
pub(crate) fn read(line: &[u8], position: u64, judge: &mut Judge<'_>) {
    let line: Line<'_> = match serde_json::from_slice(line) {
        Ok(line) => line,
        Err(error) => return judge.malformed(position, Verdict::Row, &error.to_string()),
    };
    let [scheme, profile, public_key, message, signature] =
        [line.scheme, line.profile, line.public_key, line.message, line.signature].map(text);
    let epoch = match line.epoch {
        None => Epoch::Absent,
        Some(value) => serde_json::from_str(value.get()).map_or(Epoch::Wrong, Epoch::Is),
    };
    judge.row(
        position,
        &Row {
            scheme: cell(&scheme),
            profile: cell(&profile),
            public_key: cell(&public_key),
            epoch,
            message: cell(&message),
            signature: cell(&signature),
        },
    );
}

/// `Err` for what is no text.
fn text(value: Option<&RawValue>) -> Option<Result<Cow<'_, str>, ()>> {
    let value = value?.get();
    let plain = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    Some(match plain {
        Some(plain) if !plain.contains('\\') => Ok(Cow::Borrowed(plain)),
        _ => serde_json::from_str(value).map(Cow::Owned).map_err(|_| ()),
    })
}

fn cell<'a>(text: &'a Option<Result<Cow<'_, str>, ()>>) -> Cell<'a> {
    match text {
        None => Cell::Absent,
        Some(Ok(text)) => Cell::Text(text.as_bytes()),
        Some(Err(())) => Cell::Wrong,
    }
}
