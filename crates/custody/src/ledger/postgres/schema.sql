-- The store of a ledger for several hosts, to be run once by the owner of the database, then roles.sql. What the code above
-- it must keep, these constraints and triggers keep a second time. Tables and columns are those of SQLite, but for
-- ranges.holder and what only a server has: schema_version, system_identifier, timeline.
BEGIN;
CREATE SCHEMA phalanx; SET LOCAL search_path = phalanx;
CREATE TABLE ledger (
  id INTEGER PRIMARY KEY CHECK (id = 1), schema_version INTEGER NOT NULL DEFAULT 1 CHECK (schema_version = 1),
  ledger_id BYTEA NOT NULL CHECK (length(ledger_id) = 16), genesis_validators_root BYTEA CHECK (length(genesis_validators_root) = 32),
  genesis_time BIGINT, epoch_seconds BIGINT CHECK (epoch_seconds > 0),
  ahead BIGINT NOT NULL DEFAULT 4 CHECK (ahead >= 0), behind BIGINT NOT NULL DEFAULT 64 CHECK (behind >= 0),
  max_gap BIGINT NOT NULL DEFAULT 262144 CHECK (max_gap > 0), incarnation BIGINT NOT NULL DEFAULT 0,
  system_identifier BIGINT NOT NULL DEFAULT 0, timeline BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE keys (
  key_id BYTEA PRIMARY KEY CHECK (length(key_id) = 32), pubkey BYTEA UNIQUE,
  one_time_key_id BYTEA UNIQUE CHECK (length(one_time_key_id) = 32), scheme TEXT NOT NULL, role TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('synchronized','counter','hrs')), ordering TEXT NOT NULL CHECK (ordering IN ('strict','any')),
  start_epoch BIGINT NOT NULL CHECK (start_epoch >= 0), end_epoch BIGINT NOT NULL, implementation TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active','quarantined','retired')),
  low_watermark BIGINT NOT NULL, high_watermark BIGINT, highest BIGINT,
  is_ranged BIGINT NOT NULL DEFAULT 0 CHECK (is_ranged IN (0, 1)),   -- 1: signs in its ranges only, if any
  CHECK (start_epoch < end_epoch AND low_watermark BETWEEN start_epoch AND end_epoch)
);
CREATE TABLE entries (
  key_id BYTEA NOT NULL REFERENCES keys (key_id), domain TEXT NOT NULL,
  p0 BIGINT NOT NULL CHECK (p0 >= 0), p1 BIGINT NOT NULL CHECK (p1 >= 0), p2 BIGINT NOT NULL CHECK (p2 >= 0),
  digest BYTEA CHECK (length(digest) = 32), message BYTEA, signature BYTEA,
  witness_id BYTEA NOT NULL, grp BIGINT NOT NULL, lease_token BIGINT,
  PRIMARY KEY (key_id, domain, p0, p1, p2), CHECK (digest IS NOT NULL OR (message IS NULL AND signature IS NULL))
);
CREATE TABLE ranges (
  key_id BYTEA NOT NULL REFERENCES keys (key_id), range_id TEXT NOT NULL, holder TEXT NOT NULL DEFAULT '',
  start_epoch BIGINT NOT NULL, end_epoch BIGINT NOT NULL, CHECK (start_epoch < end_epoch), PRIMARY KEY (key_id, range_id)
);
CREATE TABLE witnesses (
  witness_id BYTEA PRIMARY KEY CHECK (length(witness_id) = 16), host TEXT NOT NULL, segment BIGINT NOT NULL, grp BIGINT NOT NULL,
  chain BYTEA NOT NULL, prev_chain BYTEA NOT NULL, last_lines BYTEA NOT NULL
);
CREATE TABLE leases (name TEXT PRIMARY KEY, holder BYTEA NOT NULL CHECK (length(holder) = 16), token BIGINT NOT NULL, expires TIMESTAMPTZ NOT NULL);
CREATE TABLE instances (
  instance_id BYTEA PRIMARY KEY CHECK (length(instance_id) = 16), witness_id BYTEA NOT NULL, incarnation BIGINT NOT NULL,
  machine_sha256 BYTEA NOT NULL, boot_id TEXT NOT NULL, files TEXT NOT NULL, started_at BIGINT NOT NULL, stopped_at BIGINT
);
CREATE TABLE audit (n BIGINT PRIMARY KEY, at BIGINT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, detail TEXT NOT NULL, chain BYTEA NOT NULL);
CREATE TABLE transfers (id BYTEA PRIMARY KEY CHECK (length(id) = 16));
CREATE FUNCTION entries_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.p0 >= (SELECT low_watermark FROM phalanx.keys WHERE key_id = OLD.key_id) THEN RAISE EXCEPTION 'only below the low watermark'; END IF;
    RETURN OLD;
  END IF;
  IF (NEW.key_id, NEW.domain, NEW.p0, NEW.p1, NEW.p2) IS DISTINCT FROM (OLD.key_id, OLD.domain, OLD.p0, OLD.p1, OLD.p2)
     OR (NEW.digest IS DISTINCT FROM OLD.digest AND NEW.digest IS NOT NULL) THEN RAISE EXCEPTION 'an entry may only be closed'; END IF;
  RETURN NEW; END $$;
CREATE TRIGGER entries_guard BEFORE UPDATE OR DELETE ON entries FOR EACH ROW EXECUTE FUNCTION entries_guard();
CREATE FUNCTION keys_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'keys are retired, not deleted'; END IF;
  IF (OLD.pubkey IS NOT NULL AND NEW.pubkey IS DISTINCT FROM OLD.pubkey) OR (NEW.key_id, NEW.scheme, NEW.role, NEW.mode, NEW.start_epoch, NEW.end_epoch, NEW.implementation)
     IS DISTINCT FROM (OLD.key_id, OLD.scheme, OLD.role, OLD.mode, OLD.start_epoch, OLD.end_epoch, OLD.implementation)
     OR (OLD.one_time_key_id IS NOT NULL AND NEW.one_time_key_id IS DISTINCT FROM OLD.one_time_key_id)
     OR (OLD.ordering = 'strict' AND NEW.ordering <> 'strict') OR (OLD.state = 'retired' AND NEW.state <> 'retired')
     OR NEW.is_ranged < OLD.is_ranged OR NEW.low_watermark < OLD.low_watermark OR (OLD.highest IS NOT NULL AND (NEW.highest IS NULL OR NEW.highest < OLD.highest))
  THEN RAISE EXCEPTION 'a key only moves forward'; END IF;
  RETURN NEW; END $$;
CREATE TRIGGER keys_guard BEFORE UPDATE OR DELETE ON keys FOR EACH ROW EXECUTE FUNCTION keys_guard();
CREATE FUNCTION ranges_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'UPDATE' THEN RAISE EXCEPTION 'ranges are given away, not changed'; END IF;
  PERFORM 1 FROM phalanx.keys WHERE key_id = NEW.key_id FOR UPDATE;          -- inserts for one key take turns
  IF EXISTS (SELECT 1 FROM phalanx.ranges r WHERE r.key_id = NEW.key_id AND NEW.start_epoch < r.end_epoch AND r.start_epoch < NEW.end_epoch)
  THEN RAISE EXCEPTION 'ranges overlap'; END IF;
  RETURN NEW; END $$;
CREATE TRIGGER ranges_guard BEFORE INSERT OR UPDATE ON ranges FOR EACH ROW EXECUTE FUNCTION ranges_guard();
CREATE FUNCTION audit_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'append only'; END $$;
CREATE TRIGGER audit_guard BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_guard();
CREATE TRIGGER transfers_guard BEFORE UPDATE OR DELETE ON transfers FOR EACH ROW EXECUTE FUNCTION audit_guard();
COMMIT;
