-- Whose balance changed: noted by postings and holds, taken by whoever tells of it (service/accounts/balance_events.py).


-- The accounts whose balance changed since they were last taken, each once. A second of the clock gives them out at
-- most once, so that an account is never told of twice in the same one.
CREATE OR REPLACE FUNCTION ledger_take_changed() RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE v_second bigint := floor(extract(epoch FROM clock_timestamp()));
BEGIN
    UPDATE ledger_horizon SET done = v_second WHERE name = 'changed' AND done <> v_second;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY
        WITH taken AS (DELETE FROM ledger_changed RETURNING account_id)
        SELECT DISTINCT t.account_id FROM taken t ORDER BY t.account_id;
END $$;


-- Whether there are any: the schedule asks it each second, and only then asks a worker.
CREATE OR REPLACE FUNCTION ledger_has_changed() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$ SELECT EXISTS (SELECT FROM ledger_changed) $$;
