//! The tables of both stores are those of the vectors and of each other, but for what is meant: that is listed here.

use phalanx_custody::ledger::{postgres, sqlite};
use std::fs;
use std::path::Path;

/// What is other on purpose: the text there, the text here, and why.
struct Difference {
    there: &'static str,
    here: &'static str,
    why: &'static str,
}

const fn other(there: &'static str, here: &'static str, why: &'static str) -> Difference {
    Difference { there, here, why }
}

const PUBLIC_KEY: &str = "a rebuild from the side log does not know public keys: section 9, 3.7";
const RANGED: &str = "a key that has given away all its ranges signs nothing: section 9, attack A";
const TRANSFERS: &str = "a transfer is imported once: section 9, 3.10";

/// Our SQLite against that of the vectors.
const SQLITE: &[Difference] = &[
    other("pubkey BLOB NOT NULL UNIQUE,", "pubkey BLOB UNIQUE,", PUBLIC_KEY),
    other(
        "OR NEW.pubkey IS NOT OLD.pubkey OR",
        "OR (OLD.pubkey IS NOT NULL AND NEW.pubkey IS NOT OLD.pubkey) OR",
        PUBLIC_KEY,
    ),
    other(
        "highest INTEGER, CHECK",
        "highest INTEGER, is_ranged INTEGER NOT NULL DEFAULT 0 CHECK (is_ranged IN (0, 1)), CHECK",
        RANGED,
    ),
    other(
        "OR NEW.low_watermark < OLD.low_watermark",
        "OR NEW.is_ranged < OLD.is_ranged OR NEW.low_watermark < OLD.low_watermark",
        RANGED,
    ),
    other(
        "CREATE TRIGGER entries_update",
        "CREATE TABLE transfers (id BLOB PRIMARY KEY CHECK (length(id) = 16)) STRICT, WITHOUT ROWID; \
         CREATE TRIGGER entries_update",
        TRANSFERS,
    ),
    other(
        "CREATE TRIGGER audit_update",
        "CREATE TRIGGER transfers_update BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'append only'); END; \
         CREATE TRIGGER transfers_delete BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'append only'); END; \
         CREATE TRIGGER audit_update",
        TRANSFERS,
    ),
];

const ONE_ROW: &str =
    "the first row of a ledger is the same statement on both stores, and is completed afterwards";

/// Our PostgreSQL against that of the vectors.
const POSTGRESQL: &[Difference] = &[
    other(
        "CREATE SCHEMA phalanx; SET search_path = phalanx;",
        "BEGIN; CREATE SCHEMA phalanx; SET LOCAL search_path = phalanx;",
        "all of it or nothing, and nothing is left in the session",
    ),
    other(
        "FOR EACH ROW EXECUTE FUNCTION audit_guard();",
        "FOR EACH ROW EXECUTE FUNCTION audit_guard(); CREATE TRIGGER transfers_guard BEFORE UPDATE OR DELETE ON \
         transfers FOR EACH ROW EXECUTE FUNCTION audit_guard(); COMMIT;",
        TRANSFERS,
    ),
    other(
        "schema_version INTEGER NOT NULL CHECK",
        "schema_version INTEGER NOT NULL DEFAULT 1 CHECK",
        ONE_ROW,
    ),
    other("system_identifier BIGINT NOT NULL,", "system_identifier BIGINT NOT NULL DEFAULT 0,", ONE_ROW),
    other(
        "timeline INTEGER NOT NULL)",
        "timeline BIGINT NOT NULL DEFAULT 0)",
        "a timeline has 32 bits without a sign",
    ),
    other("pubkey BYTEA NOT NULL UNIQUE,", "pubkey BYTEA UNIQUE,", PUBLIC_KEY),
    other(
        "IF (NEW.key_id, NEW.pubkey, NEW.scheme,",
        "IF (OLD.pubkey IS NOT NULL AND NEW.pubkey IS DISTINCT FROM OLD.pubkey) OR (NEW.key_id, NEW.scheme,",
        PUBLIC_KEY,
    ),
    other("FROM (OLD.key_id, OLD.pubkey, OLD.scheme,", "FROM (OLD.key_id, OLD.scheme,", PUBLIC_KEY),
    other(
        "highest BIGINT, CHECK",
        "highest BIGINT, is_ranged BIGINT NOT NULL DEFAULT 0 CHECK (is_ranged IN (0, 1)), CHECK",
        RANGED,
    ),
    other(
        "OR NEW.low_watermark < OLD.low_watermark",
        "OR NEW.is_ranged < OLD.is_ranged OR NEW.low_watermark < OLD.low_watermark",
        RANGED,
    ),
    other(
        "holder TEXT NOT NULL,",
        "holder TEXT NOT NULL DEFAULT '',",
        "a range is entered by the same statement on both stores",
    ),
    other(
        "CREATE FUNCTION entries_guard",
        "CREATE TABLE transfers (id BYTEA PRIMARY KEY CHECK (length(id) = 16)); CREATE FUNCTION entries_guard",
        TRANSFERS,
    ),
];

const SERVER: &str = "a file is known by its number and its marks, a database by its row: 3.9";

/// The tables of our PostgreSQL against those of our SQLite, with the types of the former.
const TABLES: &[Difference] = &[
    other(
        "TABLE ledger (id BIGINT PRIMARY",
        "TABLE ledger (id INTEGER PRIMARY",
        "the number of the only row",
    ),
    other(
        "CHECK (id = 1), ledger_id",
        "CHECK (id = 1), schema_version INTEGER NOT NULL DEFAULT 1 CHECK (schema_version = 1), ledger_id",
        "SQLite has user_version",
    ),
    other(
        "incarnation BIGINT NOT NULL DEFAULT 0);",
        "incarnation BIGINT NOT NULL DEFAULT 0, system_identifier BIGINT NOT NULL DEFAULT 0, \
         timeline BIGINT NOT NULL DEFAULT 0);",
        SERVER,
    ),
    other(
        "range_id TEXT NOT NULL,",
        "range_id TEXT NOT NULL, holder TEXT NOT NULL DEFAULT '',",
        "3.9: whose it is",
    ),
    other(
        "expires BIGINT NOT NULL)",
        "expires TIMESTAMPTZ NOT NULL)",
        "the server's clock counts; SQLite has no lease",
    ),
];

/// A schema without comments, with one space where there is any.
fn plain(sql: &str) -> String {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
    let text = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    text.replace("( ", "(").replace(" )", ")")
}

/// `there` with each of `differences`, which must be there exactly once.
fn with(mut there: String, differences: &[Difference]) -> String {
    for Difference { there: old, here: new, why } in differences {
        assert!(!why.is_empty());
        assert_eq!(there.matches(old).count(), 1, "'{old}' ({why})");
        there = there.replace(old, new);
    }
    there
}

/// Two texts, compared statement by statement.
fn assert_same(here: &str, there: &str, what: &str) {
    let statements = |text: &str| text.split_inclusive(';').map(|s| s.trim().to_owned()).collect::<Vec<_>>();
    let (here, there) = (statements(here), statements(there));
    for (here, there) in here.iter().zip(&there) {
        assert_eq!(here, there, "{what}");
    }
    assert_eq!(here.len(), there.len(), "{what}: statements");
}

fn vector(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/custody/schema");
    plain(&fs::read_to_string(folder.join(name)).expect("a vector file"))
}

/// The statements that make tables.
fn tables(schema: &str) -> String {
    let tables = schema.split_inclusive(';').map(str::trim).filter(|text| text.starts_with("CREATE TABLE "));
    tables.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_tables_are_those_of_the_vectors_but_for_what_is_meant() {
    let (sqlite, postgresql) = (plain(sqlite::SCHEMA), plain(postgres::SCHEMA));
    assert_same(&sqlite, &with(vector("sqlite.sql"), SQLITE), "SQLite");
    assert_same(&postgresql, &with(vector("postgresql.sql"), POSTGRESQL), "PostgreSQL");
    let mut other_types = tables(&sqlite);
    for (old, new) in
        [(" BLOB", " BYTEA"), (" INTEGER", " BIGINT"), (" STRICT, WITHOUT ROWID;", ";"), (" STRICT;", ";")]
    {
        other_types = other_types.replace(old, new);
    }
    assert_same(&tables(&postgresql), &with(other_types, TABLES), "the tables of both stores");
}
