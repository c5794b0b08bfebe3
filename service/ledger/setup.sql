-- What the functions stand on, done once.

CREATE SEQUENCE ledger_deferred_seq;
ALTER TABLE ledger_balance SET (fillfactor = 50);
-- text, not varchar(n): a length check is a function call in each posting. The callers' fields have the lengths.
ALTER TABLE ledger_transaction ALTER business_id TYPE text, ALTER external_ref TYPE text, ALTER kind TYPE text;
ALTER TABLE ledger_entry ALTER currency TYPE text;
ALTER TABLE ledger_balance ALTER currency TYPE text, ALTER business_id TYPE text;
ALTER TABLE ledger_hold SET (fillfactor = 80);
INSERT INTO ledger_horizon (name, settled, done, candidate, candidate_xid, position, head)
VALUES ('transaction', 0, 0, 0, 0, 0, ''), ('deferred', 0, 0, 0, 0, 0, '');
