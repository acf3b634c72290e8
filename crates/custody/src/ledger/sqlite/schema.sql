-- The store of a ledger. What the code above it must keep, these constraints and triggers keep a second time: one digest
-- for each position, watermarks that do not fall, one instance of a key, ranges that do not overlap, no way back from retired.
PRAGMA application_id = 1346915416;            -- 'PHLX'
PRAGMA user_version = 1;
CREATE TABLE ledger (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  ledger_id BLOB NOT NULL CHECK (length(ledger_id) = 16),
  genesis_validators_root BLOB CHECK (length(genesis_validators_root) = 32),
  genesis_time INTEGER, epoch_seconds INTEGER CHECK (epoch_seconds > 0),
  ahead INTEGER NOT NULL DEFAULT 4 CHECK (ahead >= 0), behind INTEGER NOT NULL DEFAULT 64 CHECK (behind >= 0),
  max_gap INTEGER NOT NULL DEFAULT 262144 CHECK (max_gap > 0),
  incarnation INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE keys (
  key_id BLOB PRIMARY KEY CHECK (length(key_id) = 32),
  pubkey BLOB UNIQUE,                            -- NULL after a rebuild, until the key is seen
  one_time_key_id BLOB UNIQUE CHECK (length(one_time_key_id) = 32),
  scheme TEXT NOT NULL, role TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('synchronized','counter','hrs')),
  ordering TEXT NOT NULL CHECK (ordering IN ('strict','any')),
  start_epoch INTEGER NOT NULL CHECK (start_epoch >= 0), end_epoch INTEGER NOT NULL,
  implementation TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active','quarantined','retired')),
  low_watermark INTEGER NOT NULL, high_watermark INTEGER, highest INTEGER,
  is_ranged INTEGER NOT NULL DEFAULT 0 CHECK (is_ranged IN (0, 1)),   -- 1: signs in its ranges only, if any
  CHECK (start_epoch < end_epoch AND low_watermark BETWEEN start_epoch AND end_epoch)
) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
  key_id BLOB NOT NULL REFERENCES keys (key_id),
  domain TEXT NOT NULL, p0 INTEGER NOT NULL CHECK (p0 >= 0), p1 INTEGER NOT NULL CHECK (p1 >= 0), p2 INTEGER NOT NULL CHECK (p2 >= 0),
  digest BLOB CHECK (length(digest) = 32),       -- NULL: closed for every message
  message BLOB, signature BLOB,                  -- what is known of them; never needed for safety
  witness_id BLOB NOT NULL, grp INTEGER NOT NULL, lease_token INTEGER,
  PRIMARY KEY (key_id, domain, p0, p1, p2),
  CHECK (digest IS NOT NULL OR (message IS NULL AND signature IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE ranges (
  key_id BLOB NOT NULL REFERENCES keys (key_id), range_id TEXT NOT NULL,
  start_epoch INTEGER NOT NULL, end_epoch INTEGER NOT NULL, CHECK (start_epoch < end_epoch),
  PRIMARY KEY (key_id, range_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE witnesses (
  witness_id BLOB PRIMARY KEY CHECK (length(witness_id) = 16), host TEXT NOT NULL,
  segment INTEGER NOT NULL, grp INTEGER NOT NULL, chain BLOB NOT NULL, prev_chain BLOB NOT NULL, last_lines BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE leases (
  name TEXT PRIMARY KEY, holder BLOB NOT NULL CHECK (length(holder) = 16), token INTEGER NOT NULL, expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE instances (
  instance_id BLOB PRIMARY KEY CHECK (length(instance_id) = 16), witness_id BLOB NOT NULL, incarnation INTEGER NOT NULL,
  machine_sha256 BLOB NOT NULL, boot_id TEXT NOT NULL, files TEXT NOT NULL, started_at INTEGER NOT NULL, stopped_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE audit (
  n INTEGER PRIMARY KEY, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, detail TEXT NOT NULL, chain BLOB NOT NULL
) STRICT;
CREATE TABLE transfers (id BLOB PRIMARY KEY CHECK (length(id) = 16)) STRICT, WITHOUT ROWID;
CREATE TRIGGER entries_update BEFORE UPDATE ON entries
WHEN NEW.key_id IS NOT OLD.key_id OR NEW.domain IS NOT OLD.domain OR NEW.p0 IS NOT OLD.p0 OR NEW.p1 IS NOT OLD.p1 OR NEW.p2 IS NOT OLD.p2
  OR (NEW.digest IS NOT OLD.digest AND NEW.digest IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'an entry may only be closed'); END;
CREATE TRIGGER entries_delete BEFORE DELETE ON entries
WHEN OLD.p0 >= (SELECT low_watermark FROM keys WHERE key_id = OLD.key_id)
BEGIN SELECT RAISE(ABORT, 'only below the low watermark'); END;
CREATE TRIGGER keys_update BEFORE UPDATE ON keys
WHEN NEW.key_id IS NOT OLD.key_id OR (OLD.pubkey IS NOT NULL AND NEW.pubkey IS NOT OLD.pubkey) OR NEW.scheme IS NOT OLD.scheme OR NEW.role IS NOT OLD.role OR NEW.mode IS NOT OLD.mode
  OR NEW.start_epoch IS NOT OLD.start_epoch OR NEW.end_epoch IS NOT OLD.end_epoch OR NEW.implementation IS NOT OLD.implementation
  OR (OLD.one_time_key_id IS NOT NULL AND NEW.one_time_key_id IS NOT OLD.one_time_key_id)
  OR (OLD.ordering = 'strict' AND NEW.ordering IS NOT 'strict') OR (OLD.state = 'retired' AND NEW.state IS NOT 'retired')
  OR NEW.is_ranged < OLD.is_ranged OR NEW.low_watermark < OLD.low_watermark OR (OLD.highest IS NOT NULL AND (NEW.highest IS NULL OR NEW.highest < OLD.highest))
BEGIN SELECT RAISE(ABORT, 'a key only moves forward'); END;
CREATE TRIGGER keys_delete BEFORE DELETE ON keys BEGIN SELECT RAISE(ABORT, 'keys are retired, not deleted'); END;
CREATE TRIGGER ranges_insert BEFORE INSERT ON ranges
WHEN EXISTS (SELECT 1 FROM ranges r WHERE r.key_id = NEW.key_id AND NEW.start_epoch < r.end_epoch AND r.start_epoch < NEW.end_epoch)
BEGIN SELECT RAISE(ABORT, 'ranges overlap'); END;
CREATE TRIGGER ranges_update BEFORE UPDATE ON ranges BEGIN SELECT RAISE(ABORT, 'ranges are given away, not changed'); END;
CREATE TRIGGER transfers_update BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER transfers_delete BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER audit_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER audit_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'append only'); END;
