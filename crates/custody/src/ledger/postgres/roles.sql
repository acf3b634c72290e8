-- The role of signers, to be run once by the owner of the schema: what they may do and nothing else. They delete entries
-- and ranges only, which the triggers restrict further; they drop, truncate and alter nothing. Give it to a login role of each host:
--   CREATE ROLE host_a LOGIN; GRANT phalanx_signer TO host_a;
BEGIN;
CREATE ROLE phalanx_signer NOLOGIN;
GRANT USAGE ON SCHEMA phalanx TO phalanx_signer;
GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA phalanx TO phalanx_signer;
GRANT DELETE ON phalanx.entries, phalanx.ranges TO phalanx_signer;
GRANT EXECUTE ON FUNCTION pg_catalog.pg_control_system() TO phalanx_signer;
COMMIT;
