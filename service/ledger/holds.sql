-- Accounts and holds: opening, freezing, reserving, giving back. See function.sql for the errors.


-- An account, made once per (business, kind, currency, holder); an IMMEDIATE one with its balance row.
CREATE OR REPLACE FUNCTION ledger_open_account(
    p_business text, p_kind text, p_currency text, p_holder_type text, p_holder_id text,
    p_mode text, p_allow_negative boolean)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE v_id bigint;
BEGIN
    IF p_mode NOT IN ('IMMEDIATE', 'DEFERRED') OR p_currency !~ '^[A-Z]{3}$' THEN
        RAISE EXCEPTION 'no such mode or currency' USING ERRCODE = 'LD003';
    END IF;
    INSERT INTO ledger_account
        (business_id, kind, currency, holder_type, holder_id, mode, allow_negative, frozen, created_at)
    VALUES (p_business, p_kind, p_currency, p_holder_type, p_holder_id, p_mode, p_allow_negative, false, now())
    ON CONFLICT (business_id, kind, currency, holder_type, holder_id) DO NOTHING
    RETURNING id INTO v_id;
    IF v_id IS NULL THEN
        SELECT a.id INTO STRICT v_id FROM ledger_account a
        WHERE a.business_id = p_business AND a.kind = p_kind AND a.currency = p_currency
          AND a.holder_type = p_holder_type AND a.holder_id = p_holder_id;
    ELSIF p_mode = 'IMMEDIATE' THEN
        INSERT INTO ledger_balance
            (account_id, posted, pending_in, pending_out, seq, run_seq, holds, changed_at, minimum, floor, currency,
             frozen, business_id)
        VALUES (v_id, 0, 0, 0, 0, 0, 0, now(), CASE WHEN p_allow_negative THEN -1e18 ELSE 0 END,
                CASE WHEN p_allow_negative THEN -1e18 ELSE 0 END, p_currency, false, p_business);
    END IF;
    RETURN v_id;
END $$;


-- A frozen account refuses debits and takes credits.
CREATE OR REPLACE FUNCTION ledger_freeze(p_business text, p_account bigint, p_frozen boolean)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    UPDATE ledger_account SET frozen = p_frozen WHERE id = p_account AND business_id = p_business;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'account % is not one of this business', p_account USING ERRCODE = 'LD004';
    END IF;
    UPDATE ledger_balance SET frozen = p_frozen WHERE account_id = p_account;
END $$;


-- Reserves funds (or, incoming, notes what is expected), once per reference.
CREATE OR REPLACE FUNCTION ledger_place_hold(
    p_business text, p_account bigint, p_amount bigint, p_ref text, p_expires_at timestamptz DEFAULT NULL,
    p_incoming boolean DEFAULT false, OUT hold_id bigint, OUT already boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    v_account ledger_account%ROWTYPE;
    v_found ledger_hold%ROWTYPE;
BEGIN
    already := false;
    IF p_amount IS NULL OR p_amount <= 0 THEN
        RAISE EXCEPTION 'a hold is of more than nothing' USING ERRCODE = 'LD003';
    END IF;
    SELECT * INTO v_account FROM ledger_account a WHERE a.id = p_account AND a.business_id = p_business;
    IF v_account.id IS NULL OR v_account.mode <> 'IMMEDIATE' THEN
        RAISE EXCEPTION 'account % cannot hold', p_account USING ERRCODE = 'LD004';
    END IF;
    INSERT INTO ledger_hold
        (business_id, account_id, incoming, ref, amount, captured, status, created_at, expires_at, closed_ref)
    VALUES (p_business, p_account, p_incoming, p_ref, p_amount, 0, 'PENDING', now(), p_expires_at, '')
    ON CONFLICT (business_id, ref) DO NOTHING RETURNING id INTO hold_id;
    IF hold_id IS NULL THEN
        SELECT * INTO STRICT v_found FROM ledger_hold h WHERE h.business_id = p_business AND h.ref = p_ref;
        IF v_found.account_id <> p_account OR v_found.amount <> p_amount OR v_found.incoming <> p_incoming THEN
            RAISE EXCEPTION 'the reference % holds something else', p_ref USING ERRCODE = 'LD002';
        END IF;
        hold_id := v_found.id;
        already := true;
        RETURN;
    END IF;
    INSERT INTO ledger_changed (account_id) VALUES (p_account);
    IF p_incoming THEN
        UPDATE ledger_balance SET pending_in = pending_in + p_amount, holds = holds + 1, changed_at = clock_timestamp()
        WHERE account_id = p_account;
        RETURN;
    END IF;
    IF v_account.frozen THEN
        RAISE EXCEPTION 'account % is frozen', p_account USING ERRCODE = 'LD006';
    END IF;
    UPDATE ledger_balance SET pending_out = pending_out + p_amount, holds = holds + 1, changed_at = clock_timestamp()
    WHERE account_id = p_account AND posted - pending_out - p_amount >= minimum;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'account % has not enough available', p_account USING ERRCODE = 'LD001';
    END IF;
END $$;


-- Gives back what is left of a hold: VOIDED or EXPIRED, POSTED where something was captured. False if it was closed.
CREATE OR REPLACE FUNCTION ledger_release_hold(p_business text, p_hold bigint, p_ref text, p_status text DEFAULT 'VOIDED')
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE v_hold ledger_hold%ROWTYPE;
BEGIN
    SELECT * INTO v_hold FROM ledger_hold h WHERE h.id = p_hold AND h.business_id = p_business FOR NO KEY UPDATE;
    IF v_hold.id IS NULL OR p_status NOT IN ('VOIDED', 'EXPIRED') THEN
        RAISE EXCEPTION 'no such hold' USING ERRCODE = 'LD007';
    END IF;
    IF v_hold.status <> 'PENDING' THEN
        RETURN false;
    END IF;
    UPDATE ledger_balance b
    SET pending_out = b.pending_out - CASE WHEN v_hold.incoming THEN 0 ELSE v_hold.amount - v_hold.captured END,
        pending_in = b.pending_in - CASE WHEN v_hold.incoming THEN v_hold.amount ELSE 0 END,
        holds = b.holds + 1, changed_at = clock_timestamp()
    WHERE b.account_id = v_hold.account_id;
    INSERT INTO ledger_changed (account_id) VALUES (v_hold.account_id);
    UPDATE ledger_hold SET status = CASE WHEN captured > 0 THEN 'POSTED' ELSE p_status END,
        closed_at = clock_timestamp(), closed_ref = p_ref
    WHERE id = p_hold;
    RETURN true;
END $$;


-- Ends holds whose time is over; answers which.
CREATE OR REPLACE FUNCTION ledger_expire_holds(p_limit int DEFAULT 500)
RETURNS SETOF bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE v_due record;
BEGIN
    FOR v_due IN
        SELECT h.id, h.business_id FROM (
            SELECT id, business_id, account_id FROM ledger_hold
            WHERE status = 'PENDING' AND expires_at <= now() ORDER BY expires_at LIMIT p_limit
            FOR NO KEY UPDATE SKIP LOCKED) h
        ORDER BY h.account_id, h.id
    LOOP
        PERFORM ledger_release_hold(v_due.business_id, v_due.id, 'expired', 'EXPIRED');
        RETURN NEXT v_due.id;
    END LOOP;
END $$;
