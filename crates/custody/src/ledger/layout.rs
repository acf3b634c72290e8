//! What the files of a ledger are called, and how they begin: for whoever looks at them without opening it.
#![forbid(unsafe_code)]

use crate::hexadecimal;
use std::fmt;

/// The store, in the folder of a ledger.
pub const STORE: &str = "ledger.sqlite3";

/// What stands there of a ledger whose store is in a database: [`Names`].
pub const IN_DATABASE: &str = "ledger.postgres";

/// What a reconciliation leaves there that was not finished: the ledger does not open before it has been.
pub const RECONCILING: &str = "ledger.reconciling";

/// How a side log begins.
pub const LOG_BEGINNING: &str = "phalanx-ledger-log 1 ";

/// What a host knows of a ledger in a database: three words on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The ledger.
    pub ledger_id: [u8; 16],
    /// The side log here.
    pub witness_id: [u8; 16],
    /// Where the store is.
    pub url: String,
}

impl Names {
    /// What `text` says, if it is three words of this kind and nothing more.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let mut id = || words.next().and_then(hexadecimal::array::<16>);
        let (ledger_id, witness_id) = (id()?, id()?);
        let url = words.next()?.to_owned();
        words.next().is_none().then_some(Self { ledger_id, witness_id, url })
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [ledger, witness] = [self.ledger_id, self.witness_id].map(|id| hexadecimal::text(&id));
        writeln!(f, "{ledger} {witness} {}", self.url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_three_words() {
        let names = Names { ledger_id: [1; 16], witness_id: [2; 16], url: "postgres:///keys".to_owned() };
        let text = names.to_string();
        assert_eq!(text, format!("{} {} postgres:///keys\n", "01".repeat(16), "02".repeat(16)));
        assert_eq!(Names::parse(&text), Some(names));
        let (short, odd) = (text.replacen("01", "", 1), text.replacen("01", "0g", 1));
        for wrong in [&text[..66], &text[33..], &format!("{text}more"), &short, &odd] {
            assert_eq!(Names::parse(wrong), None, "{wrong}");
        }
    }
}
