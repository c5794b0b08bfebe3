-- What proves the ledger: the horizon behind which all is settled, the hash chain, snapshots, the guards on the tables.


-- Advances a horizon: up to which number of a sequence no running transaction can still commit one. The last number
-- is read before our own transaction id is drawn, and writers draw theirs before they draw a number: so whoever holds
-- a number up to it has a smaller id, and when all smaller ids are over, it is settled. Two calls at least.
CREATE FUNCTION ledger_settle(p_name text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    v_last bigint;
    v_xid bigint;
    v_row ledger_horizon%ROWTYPE;
BEGIN
    IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
        RAISE EXCEPTION 'a horizon is advanced in a transaction of its own' USING ERRCODE = 'LD003';
    END IF;
    IF p_name = 'transaction' THEN
        SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO v_last FROM ledger_transaction_id_seq;
    ELSE
        SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO v_last FROM ledger_deferred_seq;
    END IF;
    v_xid := pg_current_xact_id()::text::bigint;
    SELECT * INTO STRICT v_row FROM ledger_horizon WHERE name = p_name FOR NO KEY UPDATE;
    IF v_row.candidate > v_row.settled
        AND pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= v_row.candidate_xid
    THEN
        v_row.settled := v_row.candidate;
        UPDATE ledger_horizon SET settled = v_row.settled WHERE name = p_name;
    END IF;
    IF v_row.candidate = v_row.settled AND v_last > v_row.settled THEN
        UPDATE ledger_horizon SET candidate = v_last, candidate_xid = v_xid WHERE name = p_name;
    END IF;
    RETURN v_row.settled;
END $$;


-- What a link of the chain says about a transaction: everything that may never change.
CREATE FUNCTION ledger_canonical(p_transaction bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO'
AS $$
    SELECT concat_ws('|', t.id, t.business_id, t.external_ref, t.kind, t.description, t.effective_on, t.created_at,
                     coalesce(t.reverses_id, 0), coalesce(t.hold_id, 0), t.forced,
                     (SELECT string_agg(concat_ws(':', e.account_id, e.seq, e.amount, coalesce(e.balance_after::text, '-'),
                                                  e.posted_at, coalesce(e.note, '')), ',' ORDER BY e.account_id, e.seq)
                      FROM ledger_entry e WHERE e.transaction_id = t.id))
    FROM ledger_transaction t WHERE t.id = p_transaction
$$;


-- Links up to p_limit settled transactions to the chain; answers how many. One sealer at a time (the head's row).
CREATE FUNCTION ledger_seal_next(p_limit int DEFAULT 1000) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    v_row ledger_horizon%ROWTYPE;
    v_id bigint;
    v_count int := 0;
BEGIN
    SELECT * INTO STRICT v_row FROM ledger_horizon WHERE name = 'transaction' FOR NO KEY UPDATE;
    FOR v_id IN
        SELECT t.id FROM ledger_transaction t WHERE t.id > v_row.done AND t.id <= v_row.settled ORDER BY t.id LIMIT p_limit
    LOOP
        v_row.position := v_row.position + 1;
        v_row.head := sha256(v_row.head || convert_to(ledger_canonical(v_id), 'UTF8'));
        INSERT INTO ledger_seal (position, transaction_id, hash, sealed_at)
        VALUES (v_row.position, v_id, v_row.head, clock_timestamp());
        v_row.done := v_id;
        v_count := v_count + 1;
    END LOOP;
    UPDATE ledger_horizon
    SET position = v_row.position, head = v_row.head, done = CASE WHEN v_count < p_limit THEN settled ELSE v_row.done END
    WHERE name = 'transaction';
    RETURN v_count;
END $$;


-- Remembers balances: IMMEDIATE accounts at their last entry, DEFERRED ones at the settled horizon. Answers how many.
CREATE FUNCTION ledger_take_snapshots() RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    v_settled bigint;
    v_first int;
    v_second int;
BEGIN
    SELECT settled INTO STRICT v_settled FROM ledger_horizon WHERE name = 'deferred' FOR NO KEY UPDATE;
    INSERT INTO ledger_snapshot (account_id, seq, posted, taken_at)
    SELECT b.account_id, b.seq, b.posted, now() FROM ledger_balance b WHERE b.seq > 0
    ON CONFLICT (account_id, seq) DO NOTHING;
    GET DIAGNOSTICS v_first = ROW_COUNT;
    INSERT INTO ledger_snapshot (account_id, seq, posted, taken_at)
    SELECT a.id, tail.seq, coalesce(s.posted, 0) + tail.amount, now()
    FROM ledger_account a
    LEFT JOIN LATERAL (SELECT * FROM ledger_snapshot s WHERE s.account_id = a.id ORDER BY s.seq DESC LIMIT 1) s ON true
    CROSS JOIN LATERAL (
        SELECT max(e.seq) AS seq, sum(e.amount)::bigint AS amount FROM ledger_entry e
        WHERE e.account_id = a.id AND e.seq > coalesce(s.seq, 0) AND e.seq <= v_settled) tail
    WHERE a.mode = 'DEFERRED' AND tail.seq IS NOT NULL;
    GET DIAGNOSTICS v_second = ROW_COUNT;
    UPDATE ledger_horizon SET done = v_settled WHERE name = 'deferred';
    RETURN v_first + v_second;
END $$;


-- The proof, once per statement that adds entries: a transaction's entries are added together, and sum to zero in each
-- currency. (Deferred to the commit, per transaction, it cost a tenth of the postings more and held their locks longer.)
CREATE FUNCTION ledger_prove_entries() RETURNS trigger
LANGUAGE plpgsql AS $$  -- names qualified instead of a search path, which would cost each posting 3 microseconds
DECLARE
    v_transaction bigint;
    v_first record;
    v_entry record;
    v_count int := 0;
BEGIN
    -- Nearly always two entries of one transaction in one currency: looked at one by one, they cost half of what sums do.
    FOR v_entry IN SELECT e.transaction_id, e.currency, e.amount FROM added e LOOP
        v_count := v_count + 1;
        IF v_count = 1 THEN
            v_first := v_entry;
        ELSIF v_count > 2 OR v_entry.transaction_id <> v_first.transaction_id OR v_entry.currency <> v_first.currency
            OR v_entry.amount + v_first.amount <> 0
        THEN
            v_count := 3;
            EXIT;
        END IF;
    END LOOP;
    IF v_count = 2 THEN
        RETURN NULL;
    END IF;
    SELECT e.transaction_id INTO v_transaction
    FROM added e GROUP BY e.transaction_id, e.currency HAVING sum(e.amount) <> 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'transaction % does not balance', v_transaction USING ERRCODE = 'LD003';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_balances AFTER INSERT ON ledger_entry
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_prove_entries();


-- Append-only, for the owner too. Statement triggers: they cost an insert nothing.
CREATE FUNCTION ledger_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry
FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only();
CREATE TRIGGER ledger_transaction_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transaction
FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only();
CREATE TRIGGER ledger_seal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_seal
FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only();
