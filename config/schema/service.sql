-- Written by `python3 manage.py write_schema`; not by hand.
-- digest 7a7cddfc0a67dbb58aadc1c2f1ead63ee789c5b979ab3223a0cf3413590b83b0
ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON TABLES FROM service_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON SEQUENCES FROM service_app;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
CREATE FUNCTION public.audit_is_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    raise exception 'audit rows are never changed' using errcode = 'insufficient_privilege';
end $$;
CREATE FUNCTION public.ledger_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE FUNCTION public.ledger_canonical(p_transaction bigint) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO'
    AS $$
    SELECT concat_ws('|', t.id, t.business_id, t.external_ref, t.kind, t.description, t.effective_on, t.created_at,
                     coalesce(t.reverses_id, 0), coalesce(t.hold_id, 0), t.forced,
                     (SELECT string_agg(concat_ws(':', e.account_id, e.seq, e.amount, coalesce(e.balance_after::text, '-'),
                                                  e.posted_at, coalesce(e.note, '')), ',' ORDER BY e.account_id, e.seq)
                      FROM ledger_entry e WHERE e.transaction_id = t.id))
    FROM ledger_transaction t WHERE t.id = p_transaction
$$;
CREATE FUNCTION public.ledger_deferred_currency(p_business text, p_account bigint, p_net bigint, p_taken bigint, p_force boolean) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE v_account ledger_account%ROWTYPE;
BEGIN
    SELECT * INTO v_account FROM ledger_account a WHERE a.id = p_account AND a.business_id = p_business;
    IF v_account.id IS NULL THEN
        RAISE EXCEPTION 'account % is not one of this business', p_account USING ERRCODE = 'LD004';
    ELSIF v_account.mode = 'DEFERRED' THEN
        RETURN v_account.currency;
    ELSIF p_net IS NULL OR p_net = 0 THEN
        RAISE EXCEPTION 'a leg without an amount' USING ERRCODE = 'LD003';
    ELSIF v_account.frozen AND p_net < 0 AND p_taken = 0 AND NOT p_force THEN
        RAISE EXCEPTION 'account % is frozen', p_account USING ERRCODE = 'LD006';
    END IF;
    RAISE EXCEPTION 'account % has not enough available', p_account USING ERRCODE = 'LD001';
END $$;
CREATE FUNCTION public.ledger_expire_holds(p_limit integer DEFAULT 500) RETURNS SETOF bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
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
CREATE FUNCTION public.ledger_freeze(p_business text, p_account bigint, p_frozen boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    UPDATE ledger_account SET frozen = p_frozen WHERE id = p_account AND business_id = p_business;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'account % is not one of this business', p_account USING ERRCODE = 'LD004';
    END IF;
    UPDATE ledger_balance SET frozen = p_frozen WHERE account_id = p_account;
END $$;
CREATE FUNCTION public.ledger_has_changed() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$ SELECT EXISTS (SELECT FROM ledger_changed) $$;
CREATE FUNCTION public.ledger_open_account(p_business text, p_kind text, p_currency text, p_holder_type text, p_holder_id text, p_mode text, p_allow_negative boolean) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
END $_$;
CREATE FUNCTION public.ledger_open_hold(p_business text, p_hold bigint, p_force boolean, OUT account_id bigint, OUT remaining bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE v_hold ledger_hold%ROWTYPE;
BEGIN
    SELECT * INTO v_hold FROM ledger_hold h WHERE h.id = p_hold AND h.business_id = p_business FOR NO KEY UPDATE;
    IF v_hold.id IS NULL OR v_hold.incoming OR (v_hold.status <> 'PENDING' AND NOT p_force) THEN
        RAISE EXCEPTION 'the hold is not open' USING ERRCODE = 'LD007';
    END IF;
    account_id := v_hold.account_id;
    remaining := CASE WHEN v_hold.status = 'PENDING' THEN v_hold.amount - v_hold.captured ELSE 0 END;
END $$;
CREATE FUNCTION public.ledger_place_hold(p_business text, p_account bigint, p_amount bigint, p_ref text, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_incoming boolean DEFAULT false, OUT hold_id bigint, OUT already boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
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
CREATE FUNCTION public.ledger_post(p_business text, p_ref text, p_kind text, p_accounts bigint[], p_amounts bigint[], p_description text DEFAULT ''::text, p_effective_on date DEFAULT NULL::date, p_notes text[] DEFAULT NULL::text[], p_hold bigint DEFAULT NULL::bigint, p_over boolean DEFAULT false, p_force boolean DEFAULT false, p_reverses bigint DEFAULT NULL::bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    v_id bigint;
    v_xid xid8 := pg_current_xact_id();  -- before the first number is drawn: see ledger_settle
    v_day date;
    v_now timestamptz;
    v_account1 bigint;
    v_amount1 bigint;
    v_after1 bigint;
    v_seq1 bigint;
    v_run1 bigint;
    v_currency1 text;
    v_account2 bigint;
    v_amount2 bigint;
    v_after2 bigint;
    v_seq2 bigint;
    v_run2 bigint;
    v_currency2 text;
BEGIN
    INSERT INTO ledger_transaction
        (business_id, external_ref, kind, description, effective_on, created_at, reverses_id, hold_id, forced)
    SELECT p_business, p_ref, p_kind, p_description, coalesce(p_effective_on, (now() AT TIME ZONE b.time_zone)::date),
           now(), p_reverses, p_hold, p_force
    FROM businesses_business b
    WHERE b.id = p_business
      AND (b.books_closed_until IS NULL
           OR b.books_closed_until < coalesce(p_effective_on, (now() AT TIME ZONE b.time_zone)::date))
    ON CONFLICT (external_ref, business_id) DO NOTHING
    RETURNING id, effective_on INTO v_id, v_day;
    IF v_id IS NULL THEN
        RETURN -ledger_same_content(p_business, p_ref, p_kind, p_accounts, p_amounts, p_effective_on, p_hold,
                                    p_reverses);
    END IF;

    IF p_hold IS NOT NULL OR p_notes IS NOT NULL OR p_force OR p_reverses IS NOT NULL
        OR cardinality(p_accounts) <> 2 OR cardinality(p_amounts) <> 2 OR p_accounts[1] = p_accounts[2]
    THEN
        PERFORM ledger_post_legs(v_id, p_business, p_ref, v_day, p_accounts, p_amounts, p_notes,
                                 p_hold, p_over, p_force, p_reverses);
        RETURN v_id;
    END IF;

    IF p_accounts[1] < p_accounts[2] THEN
        v_account1 := p_accounts[1]; v_amount1 := p_amounts[1];
        v_account2 := p_accounts[2]; v_amount2 := p_amounts[2];
    ELSE
        v_account1 := p_accounts[2]; v_amount1 := p_amounts[2];
        v_account2 := p_accounts[1]; v_amount2 := p_amounts[1];
    END IF;
    UPDATE ledger_balance b
    SET posted = b.posted + v_amount1, seq = b.seq + 1, changed_at = clock_timestamp(), day = v_day,
        run_seq = CASE WHEN b.day = v_day THEN b.run_seq ELSE b.seq + 1 END
    WHERE b.account_id = v_account1 AND b.business_id = p_business
      AND (v_amount1 > 0 OR b.posted + v_amount1 - b.pending_out >= b.minimum AND NOT b.frozen)
    RETURNING b.posted, b.seq, b.run_seq, b.currency INTO v_after1, v_seq1, v_run1, v_currency1;
    IF v_seq1 IS NULL THEN
        v_currency1 := ledger_deferred_currency(p_business, v_account1, v_amount1, 0, false);
        v_seq1 := nextval('ledger_deferred_seq');
    END IF;
    UPDATE ledger_balance b
    SET posted = b.posted + v_amount2, seq = b.seq + 1, changed_at = clock_timestamp(), day = v_day,
        run_seq = CASE WHEN b.day = v_day THEN b.run_seq ELSE b.seq + 1 END
    WHERE b.account_id = v_account2 AND b.business_id = p_business
      AND (v_amount2 > 0 OR b.posted + v_amount2 - b.pending_out >= b.minimum AND NOT b.frozen)
    RETURNING b.posted, b.seq, b.run_seq, b.currency INTO v_after2, v_seq2, v_run2, v_currency2;
    IF v_seq2 IS NULL THEN
        v_currency2 := ledger_deferred_currency(p_business, v_account2, v_amount2, 0, false);
        v_seq2 := nextval('ledger_deferred_seq');
    END IF;
    IF v_amount1 + v_amount2 <> 0 OR v_amount1 = 0 OR v_currency1 <> v_currency2 THEN
        RAISE EXCEPTION 'the legs do not sum to zero in each currency' USING ERRCODE = 'LD003';
    END IF;
    v_now := clock_timestamp();  -- under the locks: within an account, time follows seq
    INSERT INTO ledger_entry (account_id, seq, transaction_id, amount, balance_after, currency, posted_at)
    VALUES (v_account1, v_seq1, v_id, v_amount1, v_after1, v_currency1, v_now),
           (v_account2, v_seq2, v_id, v_amount2, v_after2, v_currency2, v_now);
    IF v_run1 = v_seq1 OR v_run2 = v_seq2 THEN  -- null for a deferred account, which has no runs
        INSERT INTO ledger_run (account_id, seq, effective_on, opening)
        SELECT r.account_id, r.seq, v_day, r.opening
        FROM (VALUES (v_account1, v_seq1, v_after1 - v_amount1, v_run1 = v_seq1),
                     (v_account2, v_seq2, v_after2 - v_amount2, v_run2 = v_seq2)) AS r(account_id, seq, opening, begins)
        WHERE r.begins;
    END IF;
    IF v_run1 IS NOT NULL AND v_run2 IS NOT NULL THEN
        INSERT INTO ledger_changed (account_id) VALUES (v_account1), (v_account2);
    ELSIF v_run1 IS NOT NULL OR v_run2 IS NOT NULL THEN
        INSERT INTO ledger_changed (account_id) VALUES (CASE WHEN v_run1 IS NULL THEN v_account2 ELSE v_account1 END);
    END IF;
    RETURN v_id;
END $$;
CREATE FUNCTION public.ledger_post_legs(p_transaction bigint, p_business text, p_ref text, p_day date, p_accounts bigint[], p_amounts bigint[], p_notes text[], p_hold bigint, p_over boolean, p_force boolean, p_reverses bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    v_hold_account bigint;
    v_left bigint := 0;  -- of the hold
    v_taken bigint;      -- out of the hold, by this account's legs
    v_ids bigint[];
    v_nets bigint[];
    v_counts bigint[];
    v_seqs bigint[];
    v_runs bigint[];
    v_afters bigint[];
    v_currencies text[];
    v_net bigint;
    v_after bigint;
    v_seq bigint;
    v_run bigint;
    v_currency text;
    v_now timestamptz;
BEGIN
    PERFORM ledger_prove_balanced(p_accounts, p_amounts);
    IF p_hold IS NOT NULL THEN
        SELECT h.account_id, h.remaining INTO v_hold_account, v_left FROM ledger_open_hold(p_business, p_hold, p_force) h;
    END IF;
    SELECT array_agg(l.account_id), array_agg(l.net), array_agg(l.n) INTO v_ids, v_nets, v_counts
    FROM (SELECT u.account_id, sum(u.amount)::bigint AS net, count(*) AS n
          FROM unnest(p_accounts, p_amounts) AS u(account_id, amount)
          GROUP BY u.account_id ORDER BY u.account_id) l;

    FOR i IN 1 .. cardinality(v_ids) LOOP
        v_net := v_nets[i];
        v_taken := 0;
        IF v_ids[i] = v_hold_account AND v_net < 0 THEN
            IF -v_net > v_left AND NOT (p_over OR p_force) THEN
                RAISE EXCEPTION 'the hold has % left', v_left USING ERRCODE = 'LD009';
            END IF;
            v_taken := least(v_left, -v_net);
        END IF;
        UPDATE ledger_balance b
        SET posted = b.posted + v_net, pending_out = b.pending_out - v_taken,
            seq = b.seq + v_counts[i], changed_at = clock_timestamp(), day = p_day,
            run_seq = CASE WHEN b.day = p_day THEN b.run_seq ELSE b.seq + 1 END,
            -- A forced capture lowers the floor as far as it needs; any other posting lifts it again where it can.
            floor = least(b.minimum, CASE WHEN p_force THEN least(b.floor, b.posted + v_net - b.pending_out + v_taken)
                                     ELSE greatest(b.floor, b.posted + v_net - b.pending_out + v_taken) END)
        WHERE b.account_id = v_ids[i] AND b.business_id = p_business
          AND (v_net >= 0 OR p_force OR v_taken > 0 OR NOT b.frozen)
          AND (v_net + v_taken >= 0 OR p_force OR b.posted + v_net - b.pending_out + v_taken >= b.minimum)
        RETURNING b.posted, b.seq, b.run_seq, b.currency INTO v_after, v_seq, v_run, v_currency;
        IF v_seq IS NULL THEN
            v_currency := ledger_deferred_currency(p_business, v_ids[i], v_net, v_taken, p_force);
        END IF;
        v_currencies[i] := v_currency;
        v_seqs[i] := v_seq;
        v_runs[i] := v_run;
        v_afters[i] := v_after;
        IF v_taken > 0 THEN
            UPDATE ledger_hold h
            SET captured = h.captured + v_taken,
                status = CASE WHEN v_taken = v_left THEN 'POSTED' ELSE 'PENDING' END,
                closed_at = CASE WHEN v_taken = v_left THEN clock_timestamp() END,
                closed_ref = CASE WHEN v_taken = v_left THEN p_ref ELSE '' END
            WHERE h.id = p_hold;
        END IF;
    END LOOP;

    v_now := clock_timestamp();
    -- Several legs on an account: its credits first, so that no entry on the way is below what it ends with.
    INSERT INTO ledger_entry (account_id, seq, transaction_id, amount, balance_after, currency, posted_at, note)
    SELECT l.account_id,
           CASE WHEN b.seq IS NULL THEN nextval('ledger_deferred_seq')
                ELSE b.seq - count(*) OVER account + row_number() OVER legs END,
           p_transaction, l.amount, (b.after - b.net + sum(l.amount) OVER legs)::bigint, b.currency, v_now, l.note
    FROM unnest(p_accounts, p_amounts, p_notes) WITH ORDINALITY AS l(account_id, amount, note, place)
    JOIN unnest(v_ids, v_seqs, v_nets, v_afters, v_currencies) AS b(id, seq, net, after, currency)
        ON b.id = l.account_id
    WINDOW account AS (PARTITION BY l.account_id),
           legs AS (PARTITION BY l.account_id ORDER BY (l.amount < 0), l.place);
    INSERT INTO ledger_run (account_id, seq, effective_on, opening)
    SELECT r.account_id, r.run_seq, p_day, r.after - r.net
    FROM unnest(v_ids, v_seqs, v_runs, v_counts, v_nets, v_afters) AS r(account_id, seq, run_seq, n, net, after)
    WHERE r.run_seq = r.seq - r.n + 1;
    INSERT INTO ledger_changed (account_id)
    SELECT r.account_id FROM unnest(v_ids, v_seqs) AS r(account_id, seq) WHERE r.seq IS NOT NULL;
    IF p_reverses IS NOT NULL THEN
        PERFORM ledger_prove_reversal(p_business, p_reverses, p_transaction);
    END IF;
END $$;
CREATE FUNCTION public.ledger_prove_balanced(p_accounts bigint[], p_amounts bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF cardinality(p_accounts) IS DISTINCT FROM cardinality(p_amounts) OR coalesce(cardinality(p_accounts), 0) < 2
        OR EXISTS (SELECT FROM unnest(p_accounts, p_amounts) AS u(account_id, amount)
                   WHERE u.account_id IS NULL OR coalesce(u.amount, 0) = 0)
    THEN
        RAISE EXCEPTION 'a posting has at least two legs, each of more or less than nothing' USING ERRCODE = 'LD003';
    END IF;
    IF EXISTS (
        SELECT FROM unnest(p_accounts, p_amounts) AS u(account_id, amount)
        JOIN ledger_account a ON a.id = u.account_id
        GROUP BY a.currency HAVING sum(u.amount) <> 0)
    THEN
        RAISE EXCEPTION 'the legs do not sum to zero in each currency' USING ERRCODE = 'LD003';
    END IF;
END $$;
CREATE FUNCTION public.ledger_prove_entries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$  -- names qualified instead of a search path, which would cost each posting 3 microseconds
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
CREATE FUNCTION public.ledger_prove_reversal(p_business text, p_reversed bigint, p_reversal bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM ledger_transaction t
                   WHERE t.id = p_reversed AND t.business_id = p_business AND t.reverses_id IS NULL)
        OR EXISTS (SELECT FROM ledger_entry e WHERE e.transaction_id IN (p_reversed, p_reversal)
                   GROUP BY e.account_id HAVING sum(e.amount) <> 0)
    THEN
        RAISE EXCEPTION 'transaction % cannot be reversed so', p_reversed USING ERRCODE = 'LD008';
    END IF;
END $$;
CREATE FUNCTION public.ledger_release_hold(p_business text, p_hold bigint, p_ref text, p_status text DEFAULT 'VOIDED'::text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
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
CREATE FUNCTION public.ledger_reverse(p_business text, p_transaction bigint, p_ref text, p_description text DEFAULT ''::text, p_effective_on date DEFAULT NULL::date, p_force boolean DEFAULT false) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    v_accounts bigint[];
    v_amounts bigint[];
BEGIN
    SELECT array_agg(e.account_id ORDER BY e.account_id, e.seq), array_agg(-e.amount ORDER BY e.account_id, e.seq)
    INTO v_accounts, v_amounts
    FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id
    WHERE t.id = p_transaction AND t.business_id = p_business AND t.reverses_id IS NULL;
    IF v_accounts IS NULL THEN
        RAISE EXCEPTION 'transaction % cannot be reversed', p_transaction USING ERRCODE = 'LD008';
    END IF;
    RETURN ledger_post(p_business, p_ref, 'REVERSAL', v_accounts, v_amounts, p_description, p_effective_on,
                       p_force => p_force, p_reverses => p_transaction);
END $$;
CREATE FUNCTION public.ledger_same_content(p_business text, p_ref text, p_kind text, p_accounts bigint[], p_amounts bigint[], p_day date, p_hold bigint, p_reverses bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE v_found ledger_transaction%ROWTYPE;
BEGIN
    SELECT * INTO v_found FROM ledger_transaction t WHERE t.business_id = p_business AND t.external_ref = p_ref;
    IF v_found.id IS NULL AND EXISTS (SELECT FROM businesses_business b WHERE b.id = p_business) THEN
        RAISE EXCEPTION 'the book is closed on %', p_day USING ERRCODE = 'LD005';
    ELSIF v_found.id IS NULL THEN
        RAISE EXCEPTION 'there is no such business' USING ERRCODE = 'LD004';
    END IF;
    IF v_found.kind <> p_kind
        OR v_found.hold_id IS DISTINCT FROM p_hold
        OR v_found.reverses_id IS DISTINCT FROM p_reverses
        OR EXISTS (
            SELECT FROM (
                SELECT e.account_id, e.amount, 1 AS side FROM ledger_entry e WHERE e.transaction_id = v_found.id
                UNION ALL
                SELECT u.account_id, u.amount, -1 FROM unnest(p_accounts, p_amounts) AS u(account_id, amount)) legs
            GROUP BY account_id, amount HAVING sum(side) <> 0)
    THEN
        RAISE EXCEPTION 'the reference % was posted with other content', p_ref USING ERRCODE = 'LD002';
    END IF;
    RETURN v_found.id;
END $$;
CREATE FUNCTION public.ledger_seal_next(p_limit integer DEFAULT 1000) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
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
CREATE FUNCTION public.ledger_settle(p_name text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
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
CREATE FUNCTION public.ledger_take_changed() RETURNS SETOF bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
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
CREATE FUNCTION public.ledger_take_snapshots() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
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
CREATE FUNCTION public.transaction_parts_whole() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    whole CONSTANT varchar := coalesce(NEW.transaction_id, OLD.transaction_id);
BEGIN
    IF (SELECT sum(amount_minor) FROM transactions_transactionpart WHERE transaction_id = whole)
        <> (SELECT amount_minor FROM transactions_transaction WHERE id = whole) THEN
        RAISE check_violation USING MESSAGE = format('the parts of transaction %s do not come to its amount', whole);
    END IF;
    RETURN NULL;
END $$;
CREATE TABLE public.wallet_policies_policyaudit (
    id character varying(24) NOT NULL,
    seq bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor character varying(80) NOT NULL,
    acting_employee character varying(24),
    policy_id character varying(24) NOT NULL,
    wallet_id character varying(24) NOT NULL,
    employee_id character varying(24) NOT NULL,
    action character varying(20) NOT NULL,
    before jsonb,
    after jsonb,
    request_id character varying(128) NOT NULL,
    ip character varying(45) NOT NULL,
    prev_hash character varying(64) NOT NULL,
    hash character varying(64) NOT NULL,
    business_id character varying(24) NOT NULL
);
CREATE FUNCTION public.wallet_policy_audit_hash(line public.wallet_policies_policyaudit) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT encode(sha256(convert_to(line.prev_hash || jsonb_build_array(
        line.business_id, line.seq, line.id, to_char(line.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
        line.actor, line.acting_employee, line.policy_id, line.wallet_id, line.employee_id, line.action, line.before,
        line.after, line.request_id, line.ip)::text, 'UTF8')), 'hex')
$$;
CREATE FUNCTION public.wallet_policy_audit_link() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    head wallet_policies_policyaudithead;
BEGIN
    INSERT INTO wallet_policies_policyaudithead (business_id, seq, hash) VALUES (NEW.business_id, 0, '')
        ON CONFLICT (business_id) DO NOTHING;
    SELECT * INTO head FROM wallet_policies_policyaudithead WHERE business_id = NEW.business_id FOR NO KEY UPDATE;
    NEW.seq := head.seq + 1;
    NEW.prev_hash := head.hash;
    NEW.hash := wallet_policy_audit_hash(NEW);
    UPDATE wallet_policies_policyaudithead SET seq = NEW.seq, hash = NEW.hash WHERE business_id = NEW.business_id;
    RETURN NEW;
END $$;
CREATE FUNCTION public.wallet_policy_audit_stays() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'the audit of wallet policies is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TABLE public.accounting_accountday (
    effective_on date NOT NULL,
    entries bigint NOT NULL,
    debit bigint NOT NULL,
    credit bigint NOT NULL,
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    account_id bigint NOT NULL,
    business_id character varying(24) NOT NULL
);
CREATE TABLE public.accounting_bankmatch (
    id character varying(24) NOT NULL,
    rule character varying(9) NOT NULL,
    reason character varying(500) NOT NULL,
    difference_minor bigint NOT NULL,
    tolerance_minor bigint NOT NULL,
    ledger_transaction_id bigint,
    matched_by character varying(80) NOT NULL,
    matched_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    wallet_id character varying(24) NOT NULL,
    CONSTRAINT bank_match_within_tolerance CHECK (((difference_minor >= ('-1'::integer * tolerance_minor)) AND (difference_minor <= tolerance_minor)))
);
CREATE TABLE public.accounting_bankrule (
    id character varying(24) NOT NULL,
    name character varying(100) NOT NULL,
    text character varying(100) NOT NULL,
    reference character varying(100) NOT NULL,
    amount_minor bigint,
    currency character varying(3) NOT NULL,
    kind character varying(32) NOT NULL,
    created_by character varying(80) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT bank_rule_amount_has_a_currency CHECK ((((amount_minor IS NULL) AND ((currency)::text = ''::text)) OR ((amount_minor IS NOT NULL) AND (NOT ((currency)::text = ''::text))))),
    CONSTRAINT bank_rule_has_a_condition CHECK ((NOT ((amount_minor IS NULL) AND ((reference)::text = ''::text) AND ((text)::text = ''::text))))
);
CREATE TABLE public.accounting_bankstatement (
    id character varying(24) NOT NULL,
    file_name character varying(120) NOT NULL,
    sha256 character varying(64) NOT NULL,
    source_format character varying(7) NOT NULL,
    account character varying(40) NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    opening_minor bigint,
    closing_minor bigint,
    line_count integer NOT NULL,
    skipped_count integer NOT NULL,
    imported_by character varying(80) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    wallet_id character varying(24) NOT NULL,
    CONSTRAINT accounting_bankstatement_line_count_check CHECK ((line_count >= 0)),
    CONSTRAINT accounting_bankstatement_skipped_count_check CHECK ((skipped_count >= 0)),
    CONSTRAINT bank_statement_balances_whole CHECK ((((closing_minor IS NULL) AND (opening_minor IS NULL)) OR ((closing_minor IS NOT NULL) AND (opening_minor IS NOT NULL))))
);
CREATE TABLE public.accounting_exportedentry (
    id bigint NOT NULL,
    number integer NOT NULL,
    live boolean NOT NULL,
    ledger_account_id bigint NOT NULL,
    entry_seq bigint NOT NULL,
    ledger_transaction_id bigint NOT NULL,
    subcategory_id character varying(24) NOT NULL,
    team_id character varying(24) NOT NULL,
    tax_id character varying(24) NOT NULL,
    tag_ids character varying(24)[] NOT NULL,
    correction smallint DEFAULT 0 NOT NULL,
    corrected_export integer,
    parts text[] NOT NULL,
    export_id character varying(24) NOT NULL,
    CONSTRAINT accounting_exportedentry_corrected_export_check CHECK ((corrected_export >= 0)),
    CONSTRAINT accounting_exportedentry_number_check CHECK ((number >= 0))
);
ALTER TABLE public.accounting_exportedentry ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounting_exportedentry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounting_journalexport (
    id character varying(24) NOT NULL,
    number integer NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    line_count integer NOT NULL,
    posting_count integer NOT NULL,
    correction_count integer DEFAULT 0 NOT NULL,
    is_partial boolean DEFAULT false NOT NULL,
    sha256 character varying(64) NOT NULL,
    status character varying(6) NOT NULL,
    exported_by character varying(80) NOT NULL,
    undo_proposed_by character varying(80) NOT NULL,
    undone_by character varying(80) NOT NULL,
    undo_reason character varying(500) NOT NULL,
    undone_at timestamp with time zone,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT accounting_journalexport_correction_count_check CHECK ((correction_count >= 0)),
    CONSTRAINT accounting_journalexport_line_count_check CHECK ((line_count >= 0)),
    CONSTRAINT accounting_journalexport_number_check CHECK ((number >= 0)),
    CONSTRAINT accounting_journalexport_posting_count_check CHECK ((posting_count >= 0)),
    CONSTRAINT accounting_journalexport_version_check CHECK ((version >= 0)),
    CONSTRAINT journal_export_undone_by_two CHECK (((((status)::text = 'LIVE'::text) AND ((undo_proposed_by)::text = ''::text) AND (undone_at IS NULL)) OR (((status)::text = 'UNDONE'::text) AND (undone_at IS NOT NULL) AND (NOT ((undo_proposed_by)::text = ''::text)) AND (NOT ((undo_proposed_by)::text = (undone_by)::text)))))
);
CREATE TABLE public.accounting_matchedentry (
    id bigint NOT NULL,
    ledger_account_id bigint NOT NULL,
    entry_seq bigint NOT NULL,
    ledger_transaction_id bigint NOT NULL,
    effective_on date NOT NULL,
    amount_minor bigint NOT NULL,
    match_id character varying(24) NOT NULL
);
ALTER TABLE public.accounting_matchedentry ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounting_matchedentry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounting_openingdifference (
    id character varying(24) NOT NULL,
    amount_minor bigint NOT NULL,
    reason character varying(500) NOT NULL,
    proposed_by character varying(24) NOT NULL,
    accepted_by character varying(80) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    withdrawn_at timestamp with time zone,
    withdrawn_by character varying(80) NOT NULL,
    withdrawal_reason character varying(500) NOT NULL,
    withdrawal_proposed_by character varying(24) NOT NULL,
    business_id character varying(24) NOT NULL,
    wallet_id character varying(24) NOT NULL,
    CONSTRAINT opening_difference_whole CHECK (((NOT (amount_minor = 0)) AND (NOT ((reason)::text = ''::text)))),
    CONSTRAINT opening_difference_withdrawn CHECK (((withdrawn_at IS NULL) OR ((NOT ((withdrawal_reason)::text = ''::text)) AND (NOT ((withdrawn_by)::text = ''::text)))))
);
CREATE TABLE public.accounting_period (
    id character varying(24) NOT NULL,
    first_day date NOT NULL,
    status character varying(6) NOT NULL,
    changed_by character varying(80) NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    reason character varying(500) NOT NULL,
    version integer NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT accounting_period_version_check CHECK ((version >= 0))
);
CREATE TABLE public.accounting_repeatedline (
    id bigint NOT NULL,
    line_id character varying(24) NOT NULL,
    statement_id character varying(24) NOT NULL
);
ALTER TABLE public.accounting_repeatedline ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounting_repeatedline_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounting_statementline (
    id character varying(24) NOT NULL,
    number integer NOT NULL,
    day date NOT NULL,
    amount_minor bigint NOT NULL,
    description character varying(300) NOT NULL,
    reference character varying(100) NOT NULL,
    fingerprint character varying(64) NOT NULL,
    status character varying(9) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    match_id character varying(24),
    statement_id character varying(24) NOT NULL,
    wallet_id character varying(24) NOT NULL,
    CONSTRAINT accounting_statementline_number_check CHECK ((number >= 0)),
    CONSTRAINT accounting_statementline_version_check CHECK ((version >= 0)),
    CONSTRAINT statement_line_matched_whole CHECK ((((match_id IS NOT NULL) AND ((status)::text = 'MATCHED'::text)) OR ((match_id IS NULL) AND ((status)::text = 'UNMATCHED'::text))))
);
CREATE TABLE public.accounting_summedaccount (
    seq bigint NOT NULL,
    account_id bigint NOT NULL,
    business_id character varying(24) NOT NULL
);
CREATE TABLE public.accounts_currency (
    id character varying(24) NOT NULL,
    code character varying(3) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL
);
CREATE TABLE public.accounts_wallet (
    id character varying(24) NOT NULL,
    org_wallet_ref character varying(40) NOT NULL,
    currency character varying(3) NOT NULL,
    wallet_type character varying(40) NOT NULL,
    name character varying(100) NOT NULL,
    accno character varying(24) NOT NULL,
    status character varying(9) NOT NULL,
    holder_id character varying(24) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    ledger_account_id bigint NOT NULL,
    CONSTRAINT accounts_wallet_version_check CHECK ((version >= 0))
);
CREATE TABLE public.approvals_approval (
    id character varying(24) NOT NULL,
    kind character varying(20) NOT NULL,
    action_type smallint NOT NULL,
    ref character varying(64) NOT NULL,
    subject_id character varying(24) NOT NULL,
    title character varying(200) NOT NULL,
    payee character varying(200) NOT NULL,
    amount_minor bigint NOT NULL,
    currency character varying(3) NOT NULL,
    org_wallet_ref character varying(40) NOT NULL,
    requested_label character varying(80) NOT NULL,
    maker_ids character varying(24)[] NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    expires_at timestamp with time zone,
    status character varying(9) NOT NULL,
    approvals_required smallint NOT NULL,
    approvals_given smallint NOT NULL,
    mandate_snapshot jsonb NOT NULL,
    risk_at_request jsonb NOT NULL,
    risk_at_decision jsonb,
    risk_level character varying(8) NOT NULL,
    decided_at timestamp with time zone,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    requested_by_id character varying(24),
    CONSTRAINT approval_needs_votes CHECK ((approvals_required >= 1)),
    CONSTRAINT approvals_approval_action_type_check CHECK ((action_type >= 0)),
    CONSTRAINT approvals_approval_approvals_given_check CHECK ((approvals_given >= 0)),
    CONSTRAINT approvals_approval_approvals_required_check CHECK ((approvals_required >= 0)),
    CONSTRAINT approvals_approval_version_check CHECK ((version >= 0))
);
CREATE TABLE public.approvals_mandate (
    id character varying(24) NOT NULL,
    action_type smallint NOT NULL,
    name character varying(100) NOT NULL,
    currency character varying(3) NOT NULL,
    min_amount_minor bigint NOT NULL,
    max_amount_minor bigint,
    min_approvers smallint NOT NULL,
    sequential boolean NOT NULL,
    code_required boolean NOT NULL,
    active boolean NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT approvals_mandate_action_type_check CHECK ((action_type >= 0)),
    CONSTRAINT approvals_mandate_min_approvers_check CHECK ((min_approvers >= 0)),
    CONSTRAINT approvals_mandate_version_check CHECK ((version >= 0)),
    CONSTRAINT mandate_makes_sense CHECK (((min_approvers >= 1) AND ((max_amount_minor IS NULL) OR (max_amount_minor >= min_amount_minor))))
);
CREATE TABLE public.approvals_mandateapprover (
    id character varying(24) NOT NULL,
    required boolean NOT NULL,
    max_amount_minor bigint,
    "order" smallint NOT NULL,
    active boolean NOT NULL,
    employee_id character varying(24) NOT NULL,
    mandate_id character varying(24) NOT NULL,
    CONSTRAINT approvals_mandateapprover_order_check CHECK (("order" >= 0))
);
CREATE TABLE public.approvals_vote (
    id character varying(24) NOT NULL,
    decision character varying(7) NOT NULL,
    reason character varying(500) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    approval_id character varying(24) NOT NULL,
    voter_id character varying(24) NOT NULL
);
CREATE TABLE public.approvals_workflow (
    id character varying(24) NOT NULL,
    action_type smallint NOT NULL,
    name character varying(100) NOT NULL,
    active boolean NOT NULL,
    priority integer NOT NULL,
    conditions jsonb NOT NULL,
    steps jsonb NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT approvals_workflow_action_type_check CHECK ((action_type >= 0)),
    CONSTRAINT approvals_workflow_priority_check CHECK ((priority >= 0)),
    CONSTRAINT approvals_workflow_version_check CHECK ((version >= 0))
);
CREATE TABLE public.auth_group (
    id integer NOT NULL,
    name character varying(150) NOT NULL
);
ALTER TABLE public.auth_group ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_group_permissions (
    id bigint NOT NULL,
    group_id integer NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE public.auth_group_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_permission (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    content_type_id integer NOT NULL,
    codename character varying(100) NOT NULL
);
ALTER TABLE public.auth_permission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_permission_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_user (
    id integer NOT NULL,
    password character varying(128) NOT NULL,
    last_login timestamp with time zone,
    is_superuser boolean NOT NULL,
    username character varying(150) NOT NULL,
    first_name character varying(150) NOT NULL,
    last_name character varying(150) NOT NULL,
    email character varying(254) NOT NULL,
    is_staff boolean NOT NULL,
    is_active boolean NOT NULL,
    date_joined timestamp with time zone NOT NULL
);
CREATE TABLE public.auth_user_groups (
    id bigint NOT NULL,
    user_id integer NOT NULL,
    group_id integer NOT NULL
);
ALTER TABLE public.auth_user_groups ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_user_groups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE public.auth_user ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_user_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_user_user_permissions (
    id bigint NOT NULL,
    user_id integer NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE public.auth_user_user_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_user_user_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.bill_schedules_billschedule (
    id character varying(24) NOT NULL,
    number_prefix character varying(40) NOT NULL,
    currency character varying(3) NOT NULL,
    lines jsonb NOT NULL,
    total_minor bigint NOT NULL,
    "interval" character varying(9) NOT NULL,
    day smallint NOT NULL,
    starts_on date NOT NULL,
    ends_on date,
    count integer,
    due_in_days smallint NOT NULL,
    subcategory_id character varying(24) NOT NULL,
    memo character varying(1000) NOT NULL,
    status character varying(6) NOT NULL,
    trouble character varying(300) NOT NULL,
    bills_entered integer NOT NULL,
    next_on date,
    due_at timestamp with time zone,
    created_by character varying(80) NOT NULL,
    maker_ids character varying(24)[] NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    budget_id character varying(24),
    business_id character varying(24) NOT NULL,
    team_id character varying(24),
    vendor_id character varying(24) NOT NULL,
    CONSTRAINT bill_schedule_day CHECK (((((day >= 1) AND (day <= 7)) AND (("interval")::text = 'WEEKLY'::text)) OR ((NOT (("interval")::text = 'WEEKLY'::text)) AND ((day >= 1) AND (day <= 31))))),
    CONSTRAINT bill_schedule_due_active CHECK (((due_at IS NULL) OR ((status)::text = 'ACTIVE'::text))),
    CONSTRAINT bill_schedules_billschedule_bills_entered_check CHECK ((bills_entered >= 0)),
    CONSTRAINT bill_schedules_billschedule_count_check CHECK ((count >= 0)),
    CONSTRAINT bill_schedules_billschedule_day_check CHECK ((day >= 0)),
    CONSTRAINT bill_schedules_billschedule_due_in_days_check CHECK ((due_in_days >= 0)),
    CONSTRAINT bill_schedules_billschedule_version_check CHECK ((version >= 0))
);
CREATE TABLE public.bill_schedules_scheduledbill (
    id character varying(24) NOT NULL,
    "on" date NOT NULL,
    created_at timestamp with time zone NOT NULL,
    bill_id character varying(24) NOT NULL,
    schedule_id character varying(24) NOT NULL
);
CREATE TABLE public.bills_attempt (
    id character varying(24) NOT NULL,
    number smallint NOT NULL,
    net_minor bigint NOT NULL,
    withholding jsonb NOT NULL,
    receiver_name character varying(100) NOT NULL,
    channel character varying(20) NOT NULL,
    account character varying(34) NOT NULL,
    bank_code character varying(11) NOT NULL,
    account_reference character varying(40) NOT NULL,
    fee_minor bigint NOT NULL,
    status character varying(9) NOT NULL,
    provider_ref character varying(40) NOT NULL,
    failure_code character varying(40) NOT NULL,
    sent_at timestamp with time zone,
    settled_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    instruction_id character varying(24) NOT NULL,
    payment_id character varying(24) NOT NULL,
    CONSTRAINT bills_attempt_number_check CHECK ((number >= 0))
);
CREATE TABLE public.bills_bill (
    id character varying(24) NOT NULL,
    bill_no character varying(60) NOT NULL,
    bill_no_key character varying(60) NOT NULL,
    currency character varying(3) NOT NULL,
    subtotal_minor bigint NOT NULL,
    tax_minor bigint NOT NULL,
    total_minor bigint NOT NULL,
    paid_minor bigint NOT NULL,
    credited_minor bigint NOT NULL,
    issued_on date NOT NULL,
    due_on date NOT NULL,
    subcategory_id character varying(24) NOT NULL,
    withholding_tax_ids character varying(24)[] NOT NULL,
    memo character varying(1000) NOT NULL,
    purchase_order character varying(60) NOT NULL,
    discount_bps integer NOT NULL,
    discount_until date,
    discount_from_vendor boolean NOT NULL,
    discounted_minor bigint NOT NULL,
    status character varying(14) NOT NULL,
    duplicate_reason character varying(20) NOT NULL,
    created_by character varying(80) NOT NULL,
    maker_ids character varying(24)[] NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    budget_id character varying(24),
    business_id character varying(24) NOT NULL,
    duplicate_of_id character varying(24),
    team_id character varying(24),
    vendor_id character varying(24) NOT NULL,
    CONSTRAINT bill_amounts CHECK (((credited_minor >= 0) AND (paid_minor >= 0) AND (tax_minor >= 0) AND (total_minor > 0) AND (total_minor >= (paid_minor + credited_minor)))),
    CONSTRAINT bill_discount CHECK (((discount_bps < 10000) AND (discounted_minor >= 0) AND (discounted_minor <= credited_minor) AND ((discount_bps = 0) OR (discount_until IS NOT NULL)))),
    CONSTRAINT bills_bill_discount_bps_check CHECK ((discount_bps >= 0)),
    CONSTRAINT bills_bill_version_check CHECK ((version >= 0))
);
CREATE TABLE public.bills_billfile (
    id character varying(24) NOT NULL,
    file_name character varying(150) NOT NULL,
    mime character varying(100) NOT NULL,
    size integer NOT NULL,
    sha256 character varying(64) NOT NULL,
    path character varying(200) NOT NULL,
    uploaded_by character varying(80) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    bill_id character varying(24),
    business_id character varying(24) NOT NULL,
    CONSTRAINT bills_billfile_size_check CHECK ((size >= 0))
);
CREATE TABLE public.bills_billline (
    id character varying(24) NOT NULL,
    "position" smallint NOT NULL,
    description character varying(200) NOT NULL,
    quantity numeric(12,3) NOT NULL,
    unit_price_minor bigint NOT NULL,
    tax_rate_bps integer NOT NULL,
    amount_minor bigint NOT NULL,
    tax_minor bigint NOT NULL,
    subcategory_id character varying(24) NOT NULL,
    bill_id character varying(24) NOT NULL,
    CONSTRAINT bills_billline_position_check CHECK (("position" >= 0)),
    CONSTRAINT bills_billline_tax_rate_bps_check CHECK ((tax_rate_bps >= 0))
);
CREATE TABLE public.bills_billpayment (
    id character varying(24) NOT NULL,
    ref character varying(40) NOT NULL,
    receiver_name character varying(100) NOT NULL,
    channel character varying(20) NOT NULL,
    account character varying(34) NOT NULL,
    bank_code character varying(11) NOT NULL,
    account_reference character varying(40) NOT NULL,
    currency character varying(3) NOT NULL,
    amount_minor bigint NOT NULL,
    withheld_minor bigint NOT NULL,
    net_minor bigint NOT NULL,
    discount_minor bigint NOT NULL,
    fee_minor bigint NOT NULL,
    withholding jsonb NOT NULL,
    status character varying(16) NOT NULL,
    approval_status character varying(12) NOT NULL,
    hold_reason character varying(40) NOT NULL,
    failure_code character varying(40) NOT NULL,
    provider_ref character varying(40) NOT NULL,
    scheduled_for timestamp with time zone,
    round integer NOT NULL,
    attempts_made smallint NOT NULL,
    policies jsonb NOT NULL,
    counts_at timestamp with time zone,
    portions jsonb NOT NULL,
    ledger_hold_id bigint,
    ledger_transaction_id bigint,
    effect character varying(24) NOT NULL,
    created_by character varying(80) NOT NULL,
    requested_by character varying(80) NOT NULL,
    maker_ids character varying(24)[] NOT NULL,
    settled_at timestamp with time zone,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    bill_id character varying(24) NOT NULL,
    business_id character varying(24) NOT NULL,
    instruction_id character varying(24) NOT NULL,
    vendor_id character varying(24) NOT NULL,
    wallet_id character varying(24) NOT NULL,
    CONSTRAINT bill_payment_amounts CHECK (((amount_minor > 0) AND (discount_minor >= 0) AND (fee_minor >= 0) AND (net_minor > 0) AND (withheld_minor = (amount_minor - net_minor)))),
    CONSTRAINT bills_billpayment_attempts_made_check CHECK ((attempts_made >= 0)),
    CONSTRAINT bills_billpayment_round_check CHECK ((round >= 0)),
    CONSTRAINT bills_billpayment_version_check CHECK ((version >= 0))
);
CREATE TABLE public.bills_linesplit (
    id character varying(24) NOT NULL,
    "position" smallint NOT NULL,
    percent_bps integer,
    share_minor bigint NOT NULL,
    upto_minor bigint NOT NULL,
    bill_id character varying(24) NOT NULL,
    line_id character varying(24) NOT NULL,
    team_id character varying(24) NOT NULL,
    CONSTRAINT bills_linesplit_percent_bps_check CHECK ((percent_bps >= 0)),
    CONSTRAINT bills_linesplit_position_check CHECK (("position" >= 0)),
    CONSTRAINT line_split_amounts CHECK (((share_minor >= 0) AND (upto_minor >= share_minor)))
);
CREATE TABLE public.budgets_budget (
    id character varying(24) NOT NULL,
    name character varying(100) NOT NULL,
    currency character varying(3) NOT NULL,
    period character varying(7) NOT NULL,
    amount_minor bigint NOT NULL,
    alert_percents smallint[] NOT NULL,
    active boolean NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    category_id character varying(24),
    team_id character varying(24),
    CONSTRAINT budget_amount CHECK ((amount_minor > 0)),
    CONSTRAINT budgets_budget_version_check CHECK ((version >= 0))
);
CREATE TABLE public.budgets_budgetalert (
    id bigint NOT NULL,
    period_start date NOT NULL,
    percent smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    budget_id character varying(24) NOT NULL,
    CONSTRAINT budgets_budgetalert_percent_check CHECK ((percent >= 0))
);
ALTER TABLE public.budgets_budgetalert ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.budgets_budgetalert_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.business_policies_businesspolicy (
    id character varying(24) NOT NULL,
    type character varying(11) NOT NULL,
    name character varying(100) NOT NULL,
    target character varying(40) NOT NULL,
    limit_minor bigint,
    currency character varying(3) NOT NULL,
    period character varying(5) NOT NULL,
    per_person boolean NOT NULL,
    "window" jsonb NOT NULL,
    action character varying(16) NOT NULL,
    exempt_team_ids character varying(24)[] NOT NULL,
    exempt_employee_ids character varying(24)[] NOT NULL,
    status character varying(8) NOT NULL,
    created_by character varying(80) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    workflow_id character varying(24),
    group_id character varying(24) NOT NULL,
    CONSTRAINT business_policies_businesspolicy_version_check CHECK ((version >= 0)),
    CONSTRAINT policy_limit_has_currency CHECK (((((currency)::text = ''::text) AND (limit_minor IS NULL) AND ((period)::text = ''::text)) OR ((limit_minor >= 0) AND (NOT ((currency)::text = ''::text))))),
    CONSTRAINT policy_per_person_has_period CHECK (((NOT per_person) OR (NOT ((period)::text = ''::text))))
);
CREATE TABLE public.business_policies_policygroup (
    id character varying(24) NOT NULL,
    code character varying(20) NOT NULL,
    name character varying(100) NOT NULL,
    description character varying(300) NOT NULL,
    types character varying(11)[] NOT NULL,
    "position" smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT business_policies_policygroup_position_check CHECK (("position" >= 0))
);
CREATE TABLE public.businesses_apikey (
    id character varying(24) NOT NULL,
    name character varying(100) NOT NULL,
    key_hash character varying(64) NOT NULL,
    rate_plan character varying(16) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    business_id character varying(24) NOT NULL
);
CREATE TABLE public.businesses_business (
    id character varying(24) NOT NULL,
    name character varying(200) NOT NULL,
    country character varying(2) NOT NULL,
    time_zone character varying(64) NOT NULL,
    currency character varying(3) NOT NULL,
    books_closed_until date,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.businesses_client (
    id bigint NOT NULL,
    client_id character varying(255) NOT NULL,
    redirect_uris text NOT NULL,
    post_logout_redirect_uris text NOT NULL,
    client_type character varying(32) NOT NULL,
    authorization_grant_type character varying(44) NOT NULL,
    client_secret character varying(255) NOT NULL,
    hash_client_secret boolean NOT NULL,
    name character varying(255) NOT NULL,
    skip_authorization boolean NOT NULL,
    created timestamp with time zone NOT NULL,
    updated timestamp with time zone NOT NULL,
    algorithm character varying(5) NOT NULL,
    allowed_origins text NOT NULL,
    registration_source character varying(32) NOT NULL,
    cimd_expires_at timestamp with time zone,
    second_secret character varying(255) NOT NULL,
    caller_role character varying(16) NOT NULL,
    entitlements character varying(40)[] NOT NULL,
    allowed_scopes character varying(40)[] NOT NULL,
    default_scopes character varying(40)[] NOT NULL,
    rate_plan character varying(16) NOT NULL,
    business_id character varying(24) NOT NULL,
    user_id integer,
    employee_id character varying(24)
);
ALTER TABLE public.businesses_client ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.businesses_client_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.businesses_storedanswer (
    id bigint NOT NULL,
    client_id bigint NOT NULL,
    business_id character varying(24) NOT NULL,
    method character varying(8) NOT NULL,
    route character varying(200) NOT NULL,
    key character varying(255) NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint,
    headers jsonb NOT NULL,
    body bytea,
    created_at timestamp with time zone NOT NULL,
    keep_until timestamp with time zone NOT NULL,
    CONSTRAINT businesses_storedanswer_status_check CHECK ((status >= 0))
);
ALTER TABLE public.businesses_storedanswer ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.businesses_storedanswer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.cards_authorization (
    id character varying(24) NOT NULL,
    status character varying(10) NOT NULL,
    code character varying(30) NOT NULL,
    checks jsonb NOT NULL,
    amount_minor bigint NOT NULL,
    captured_minor bigint NOT NULL,
    currency character varying(3) NOT NULL,
    funding character varying(16) NOT NULL,
    remaining_minor bigint,
    merchant character varying(150) NOT NULL,
    merchant_id character varying(60) NOT NULL,
    mcc character varying(4) NOT NULL,
    country character varying(2) NOT NULL,
    channel character varying(20) NOT NULL,
    ledger_hold_id bigint,
    expires_at timestamp with time zone,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    expense_id character varying(24),
    card_id character varying(24) NOT NULL,
    CONSTRAINT cards_authorization_version_check CHECK ((version >= 0))
);
CREATE TABLE public.cards_capture (
    id bigint NOT NULL,
    amount_minor bigint NOT NULL,
    ledger_transaction_id bigint NOT NULL,
    effect character varying(24) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    authorization_id character varying(24) NOT NULL,
    expense_id character varying(24) NOT NULL
);
ALTER TABLE public.cards_capture ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.cards_capture_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.cards_card (
    id character varying(24) NOT NULL,
    type character varying(12) NOT NULL,
    status character varying(12) NOT NULL,
    blocked_by character varying(10) NOT NULL,
    blocker character varying(80) NOT NULL,
    reason character varying(500) NOT NULL,
    org_wallet_ref character varying(40) NOT NULL,
    currency character varying(3) NOT NULL,
    funding character varying(16) NOT NULL,
    name character varying(100) NOT NULL,
    token character varying(60) NOT NULL,
    last_four character varying(4) NOT NULL,
    brand character varying(20) NOT NULL,
    expiry_month smallint NOT NULL,
    expiry_year smallint NOT NULL,
    controls jsonb NOT NULL,
    replaced_by character varying(24) NOT NULL,
    lineage character varying(24) NOT NULL,
    created_by character varying(80) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    employee_id character varying(24) NOT NULL,
    replaces_id character varying(24),
    CONSTRAINT card_of_business_wallet_limited CHECK ((((funding)::text <> 'BUSINESS_WALLET'::text) OR jsonb_path_exists(controls, '$."limits"[*]?(!(exists (@."mcc"[*])))'::jsonpath))),
    CONSTRAINT cards_card_expiry_month_check CHECK ((expiry_month >= 0)),
    CONSTRAINT cards_card_expiry_year_check CHECK ((expiry_year >= 0)),
    CONSTRAINT cards_card_version_check CHECK ((version >= 0))
);
CREATE TABLE public.cards_cardorder (
    id character varying(24) NOT NULL,
    status character varying(10) NOT NULL,
    shipping jsonb,
    requested_by character varying(80) NOT NULL,
    decided_by character varying(80) NOT NULL,
    decided_at timestamp with time zone,
    reason character varying(500) NOT NULL,
    shipped_at timestamp with time zone,
    delivered_at timestamp with time zone,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    card_id character varying(24) NOT NULL,
    CONSTRAINT cards_cardorder_version_check CHECK ((version >= 0))
);
CREATE TABLE public.cards_singleusepolicy (
    business_id character varying(24) NOT NULL,
    enabled boolean NOT NULL,
    limits jsonb NOT NULL,
    valid_days smallint NOT NULL,
    max_open smallint NOT NULL,
    version integer NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT cards_singleusepolicy_max_open_check CHECK ((max_open >= 0)),
    CONSTRAINT cards_singleusepolicy_valid_days_check CHECK ((valid_days >= 0)),
    CONSTRAINT cards_singleusepolicy_version_check CHECK ((version >= 0))
);
CREATE TABLE public.cards_singleuserequest (
    id character varying(24) NOT NULL,
    org_wallet_ref character varying(40) NOT NULL,
    currency character varying(3) NOT NULL,
    amount_minor bigint NOT NULL,
    comparison character varying(6) NOT NULL,
    merchant character varying(100) NOT NULL,
    purpose character varying(300) NOT NULL,
    status character varying(10) NOT NULL,
    approval_id character varying(24) NOT NULL,
    decided_by character varying(80) NOT NULL,
    decided_at timestamp with time zone,
    reason character varying(500) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    card_id character varying(24),
    employee_id character varying(24) NOT NULL,
    CONSTRAINT cards_singleuserequest_version_check CHECK ((version >= 0))
);
CREATE TABLE public.categories_category (
    id character varying(24) NOT NULL,
    name character varying(100) NOT NULL,
    code character varying(40) NOT NULL,
    "group" character varying(60) NOT NULL,
    type character varying(40) NOT NULL,
    status character varying(16) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT categories_category_version_check CHECK ((version >= 0))
);
CREATE TABLE public.categories_subcategory (
    id character varying(24) NOT NULL,
    name character varying(100) NOT NULL,
    code character varying(40) NOT NULL,
    status character varying(16) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    category_id character varying(24) NOT NULL,
    CONSTRAINT categories_subcategory_version_check CHECK ((version >= 0))
);
CREATE TABLE public.credit_notes_creditapplication (
    id character varying(24) NOT NULL,
    amount_minor bigint NOT NULL,
    effect character varying(24) NOT NULL,
    created_by character varying(80) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    bill_id character varying(24) NOT NULL,
    note_id character varying(24) NOT NULL,
    CONSTRAINT credit_application_amount CHECK ((amount_minor > 0))
);
CREATE TABLE public.credit_notes_creditnote (
    id character varying(24) NOT NULL,
    credit_no character varying(60) NOT NULL,
    credit_no_key character varying(60) NOT NULL,
    currency character varying(3) NOT NULL,
    amount_minor bigint NOT NULL,
    applied_minor bigint NOT NULL,
    issued_on date NOT NULL,
    reason character varying(500) NOT NULL,
    created_by character varying(80) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    bill_id character varying(24),
    business_id character varying(24) NOT NULL,
    vendor_id character varying(24) NOT NULL,
    CONSTRAINT credit_note_amounts CHECK (((amount_minor > 0) AND (applied_minor >= 0) AND (applied_minor <= amount_minor))),
    CONSTRAINT credit_notes_creditnote_version_check CHECK ((version >= 0))
);
CREATE TABLE public.customers_customer (
    id character varying(24) NOT NULL,
    type character varying(8) NOT NULL,
    name character varying(100) NOT NULL,
    email character varying(254) NOT NULL,
    phone character varying(20) NOT NULL,
    address character varying(300) NOT NULL,
    tax_pin character varying(40) NOT NULL,
    person character varying(100) NOT NULL,
    status character varying(8) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT customer_walk_in_has_its_name CHECK ((((type)::text = 'regular'::text) OR (((name)::text = 'WalkIn'::text) AND ((type)::text = 'walkIn'::text)))),
    CONSTRAINT customers_customer_version_check CHECK ((version >= 0))
);
CREATE TABLE public.customers_customerterm (
    id bigint NOT NULL,
    rank smallint NOT NULL,
    term character varying(80) NOT NULL COLLATE pg_catalog."C",
    line character varying(400) NOT NULL COLLATE pg_catalog."C",
    business_id character varying(24) NOT NULL,
    customer_id character varying(24) NOT NULL,
    CONSTRAINT customers_customerterm_rank_check CHECK ((rank >= 0))
);
ALTER TABLE public.customers_customerterm ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.customers_customerterm_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_content_type (
    id integer NOT NULL,
    app_label character varying(100) NOT NULL,
    model character varying(100) NOT NULL
);
ALTER TABLE public.django_content_type ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_content_type_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_migrations (
    id bigint NOT NULL,
    app character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    applied timestamp with time zone NOT NULL
);
ALTER TABLE public.django_migrations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_migrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.employees_employee (
    id character varying(24) NOT NULL,
    name character varying(150) NOT NULL,
    email character varying(254) NOT NULL,
    phone character varying(20) NOT NULL,
    role character varying(16) NOT NULL,
    role_changed_at timestamp with time zone NOT NULL,
    status character varying(16) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    replaces_id character varying(24),
    supervisor_id character varying(24),
    team_id character varying(24),
    CONSTRAINT employees_employee_version_check CHECK ((version >= 0))
);
CREATE TABLE public.events_auditevent (
    id character varying(24) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    actor character varying(80) NOT NULL,
    acting_employee_id character varying(24),
    action character varying(80) NOT NULL,
    resource_type character varying(40) NOT NULL,
    resource_id character varying(40) NOT NULL,
    before jsonb,
    after jsonb,
    request_id character varying(128) NOT NULL,
    business_id character varying(24) NOT NULL
);
CREATE TABLE public.events_event (
    id character varying(24) NOT NULL,
    sequence bigint,
    kind character varying(60) NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL
);
CREATE TABLE public.events_eventcounter (
    business_id character varying(24) NOT NULL,
    last bigint NOT NULL
);
CREATE TABLE public.expenses_expense (
    id character varying(24) NOT NULL,
    org_wallet_ref character varying(40) NOT NULL,
    funding character varying(16) NOT NULL,
    status character varying(20) NOT NULL,
    type character varying(20) NOT NULL,
    currency character varying(3) NOT NULL,
    amount_minor bigint NOT NULL,
    fees_minor bigint NOT NULL,
    original_amount_minor bigint,
    original_currency character varying(3) NOT NULL,
    fx_rate numeric(20,10),
    transaction_ref character varying(80) NOT NULL,
    provider_ref character varying(80) NOT NULL,
    transaction_date timestamp with time zone NOT NULL,
    payment_type character varying(20) NOT NULL,
    channel character varying(20) NOT NULL,
    mcc character varying(4) NOT NULL,
    merchant_id character varying(60) NOT NULL,
    receiver character varying(150) NOT NULL,
    account_number character varying(60) NOT NULL,
    card_id character varying(24) NOT NULL,
    card_token character varying(60) NOT NULL,
    description character varying(500) NOT NULL,
    notes text NOT NULL,
    tags character varying(40)[] NOT NULL,
    risk smallint NOT NULL,
    risk_notes character varying(300) NOT NULL,
    policy_flags character varying(40)[] NOT NULL,
    judged_anew jsonb NOT NULL,
    receipt_required boolean NOT NULL,
    reviewed_at timestamp with time zone,
    review_reason character varying(2000) NOT NULL,
    ledger_hold_id bigint,
    ledger_transaction_id bigint,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    employee_id character varying(24),
    reviewed_by_id character varying(24),
    subcategory_id character varying(24),
    part_count smallint DEFAULT 0 NOT NULL,
    team_id character varying(24),
    CONSTRAINT expenses_expense_part_count_check CHECK ((part_count >= 0)),
    CONSTRAINT expenses_expense_risk_check CHECK ((risk >= 0)),
    CONSTRAINT expenses_expense_version_check CHECK ((version >= 0))
);
CREATE TABLE public.expenses_receipt (
    id character varying(24) NOT NULL,
    file_name character varying(150) NOT NULL,
    mime character varying(60) NOT NULL,
    size integer NOT NULL,
    sha256 character varying(64) NOT NULL,
    path character varying(200) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expense_id character varying(24) NOT NULL,
    CONSTRAINT expenses_receipt_size_check CHECK ((size >= 0))
);
CREATE TABLE public.expenses_receiptsexport (
    id character varying(24) NOT NULL,
    requested_by character varying(80) NOT NULL,
    request_id character varying(128) NOT NULL,
    filters jsonb NOT NULL,
    fingerprint character varying(64) NOT NULL,
    expense_ids character varying(24)[] NOT NULL,
    status character varying(12) NOT NULL,
    processed integer NOT NULL,
    missing integer NOT NULL,
    attempts smallint NOT NULL,
    heartbeat_at timestamp with time zone,
    path character varying(200) NOT NULL,
    file_size bigint NOT NULL,
    error character varying(200) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    business_id character varying(24) NOT NULL,
    employee_id character varying(24),
    CONSTRAINT expenses_receiptsexport_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT expenses_receiptsexport_missing_check CHECK ((missing >= 0)),
    CONSTRAINT expenses_receiptsexport_processed_check CHECK ((processed >= 0))
);
CREATE TABLE public.expenses_tag (
    id character varying(24) NOT NULL,
    name character varying(40) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT expenses_tag_version_check CHECK ((version >= 0))
);
CREATE TABLE public.fx_fxtransfer (
    id character varying(24) NOT NULL,
    source_minor bigint NOT NULL,
    target_minor bigint NOT NULL,
    fee_minor bigint NOT NULL,
    rate numeric(28,8) NOT NULL,
    note character varying(200) NOT NULL,
    status character varying(16) NOT NULL,
    failure_code character varying(40) NOT NULL,
    requested_by character varying(80) NOT NULL,
    ledger_hold_id bigint,
    ledger_transaction_id bigint,
    effective_on date,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    source_wallet_id character varying(24) NOT NULL,
    target_wallet_id character varying(24) NOT NULL,
    quote_id character varying(24),
    CONSTRAINT fx_fxtransfer_version_check CHECK ((version >= 0)),
    CONSTRAINT fx_transfer_amounts CHECK (((fee_minor >= 0) AND (source_minor > 0) AND (target_minor > 0)))
);
CREATE TABLE public.fx_quote (
    id character varying(24) NOT NULL,
    source_currency character varying(3) NOT NULL,
    target_currency character varying(3) NOT NULL,
    side character varying(4) NOT NULL,
    amount_minor bigint,
    mid numeric(28,10) NOT NULL,
    buy numeric(28,8) NOT NULL,
    sell numeric(28,8) NOT NULL,
    markup_bps smallint NOT NULL,
    source character varying(20) NOT NULL,
    as_of timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT fx_quote_markup_bps_check CHECK ((markup_bps >= 0))
);
CREATE TABLE public.fx_rate (
    id bigint NOT NULL,
    currency character varying(3) NOT NULL,
    as_of timestamp with time zone NOT NULL,
    day date NOT NULL,
    fixing boolean NOT NULL,
    per_dollar numeric(24,12) NOT NULL,
    source character varying(20) NOT NULL,
    CONSTRAINT rate_positive CHECK ((per_dollar > (0)::numeric))
);
ALTER TABLE public.fx_rate ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.fx_rate_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.investments_fund (
    id character varying(24) NOT NULL,
    code character varying(24) NOT NULL,
    name character varying(100) NOT NULL,
    manager character varying(100) NOT NULL,
    currency character varying(3) NOT NULL,
    type character varying(12) NOT NULL,
    annual_yield_bps integer NOT NULL,
    yield_as_of date NOT NULL,
    min_initial_minor bigint NOT NULL,
    min_topup_minor bigint NOT NULL,
    min_withdrawal_minor bigint NOT NULL,
    notice_days smallint NOT NULL,
    status character varying(6) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT investments_fund_notice_days_check CHECK ((notice_days >= 0))
);
CREATE TABLE public.investments_fundaccount (
    id character varying(24) NOT NULL,
    status character varying(14) NOT NULL,
    units numeric(28,8) NOT NULL,
    held_units numeric(28,8) NOT NULL,
    accrued numeric(28,8) NOT NULL,
    accrued_until date,
    interest_minor bigint NOT NULL,
    operators_version integer NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    cash_id character varying(24),
    fund_id character varying(24) NOT NULL,
    holding_id bigint,
    CONSTRAINT fund_units_held CHECK (((accrued >= (0)::numeric) AND (held_units >= (0)::numeric) AND (units >= held_units))),
    CONSTRAINT investments_fundaccount_operators_version_check CHECK ((operators_version >= 0)),
    CONSTRAINT investments_fundaccount_version_check CHECK ((version >= 0))
);
CREATE TABLE public.investments_fundprice (
    id bigint NOT NULL,
    day date NOT NULL,
    price numeric(28,8) NOT NULL,
    fund_id character varying(24) NOT NULL,
    CONSTRAINT fund_price_positive CHECK ((price > (0)::numeric))
);
ALTER TABLE public.investments_fundprice ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.investments_fundprice_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.investments_movement (
    id character varying(24) NOT NULL,
    ref character varying(32) NOT NULL,
    kind character varying(8) NOT NULL,
    status character varying(16) NOT NULL,
    amount_minor bigint NOT NULL,
    units numeric(28,8) NOT NULL,
    price numeric(28,8),
    value_date date NOT NULL,
    requested_by character varying(80) NOT NULL,
    ledger_hold_id bigint,
    ledger_transaction_id bigint,
    provider_ref character varying(40) NOT NULL,
    failure_code character varying(40) NOT NULL,
    sent_at timestamp with time zone,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    account_id character varying(24) NOT NULL,
    business_id character varying(24) NOT NULL,
    wallet_id character varying(24),
    CONSTRAINT investments_movement_version_check CHECK ((version >= 0)),
    CONSTRAINT movement_amounts CHECK (((amount_minor >= 0) AND (units >= (0)::numeric)))
);
CREATE TABLE public.investments_operator (
    id bigint NOT NULL,
    can_invest boolean NOT NULL,
    can_withdraw boolean NOT NULL,
    confirmed_invest boolean NOT NULL,
    confirmed_withdraw boolean NOT NULL,
    named_by character varying(80) NOT NULL,
    named_at timestamp with time zone,
    confirmed_by character varying(24) NOT NULL,
    confirmed_at timestamp with time zone,
    account_id character varying(24) NOT NULL,
    employee_id character varying(24) NOT NULL,
    CONSTRAINT operator_confirmed_by_another CHECK ((((NOT confirmed_invest) OR can_invest) AND ((NOT confirmed_withdraw) OR can_withdraw) AND ((confirmed_at IS NOT NULL) OR ((NOT confirmed_invest) AND (NOT confirmed_withdraw))) AND (NOT ((confirmed_by)::text = (employee_id)::text)) AND (((confirmed_by)::text = ''::text) OR (NOT ((confirmed_by)::text = (named_by)::text)))))
);
ALTER TABLE public.investments_operator ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.investments_operator_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.investments_optin (
    id character varying(24) NOT NULL,
    ref character varying(32) NOT NULL,
    status character varying(8) NOT NULL,
    note character varying(500) NOT NULL,
    requested_by character varying(80) NOT NULL,
    maker_ids character varying(24)[] NOT NULL,
    approval_id character varying(24) NOT NULL,
    decided_by character varying(80) NOT NULL,
    decided_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    account_id character varying(24) NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT investments_optin_version_check CHECK ((version >= 0))
);
CREATE TABLE public.investments_valuation (
    id bigint NOT NULL,
    day date NOT NULL,
    units numeric(28,8) NOT NULL,
    price numeric(28,8) NOT NULL,
    book_minor bigint NOT NULL,
    market_minor bigint NOT NULL,
    account_id character varying(24) NOT NULL
);
ALTER TABLE public.investments_valuation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.investments_valuation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ledger_account (
    id bigint NOT NULL,
    kind character varying(32) NOT NULL,
    currency character varying(3) NOT NULL,
    holder_type character varying(24) NOT NULL,
    holder_id character varying(64) NOT NULL,
    mode character varying(9) NOT NULL,
    allow_negative boolean NOT NULL,
    frozen boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL
);
ALTER TABLE public.ledger_account ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ledger_account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ledger_balance (
    account_id bigint NOT NULL,
    posted bigint NOT NULL,
    pending_in bigint NOT NULL,
    pending_out bigint NOT NULL,
    seq bigint NOT NULL,
    day date,
    run_seq bigint NOT NULL,
    holds bigint NOT NULL,
    changed_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    minimum bigint NOT NULL,
    floor bigint NOT NULL,
    currency text NOT NULL,
    frozen boolean NOT NULL,
    business_id text NOT NULL,
    CONSTRAINT ledger_balance_available CHECK ((posted >= (pending_out + floor)))
)
WITH (fillfactor='50');
CREATE TABLE public.ledger_changed (
    account_id bigint NOT NULL
);
CREATE SEQUENCE public.ledger_deferred_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.ledger_entry (
    seq bigint NOT NULL,
    amount bigint NOT NULL,
    balance_after bigint,
    currency text NOT NULL,
    posted_at timestamp with time zone NOT NULL,
    note text,
    account_id bigint NOT NULL,
    transaction_id bigint NOT NULL
);
CREATE TABLE public.ledger_hold (
    id bigint NOT NULL,
    incoming boolean NOT NULL,
    ref character varying(200) NOT NULL,
    amount bigint NOT NULL,
    captured bigint NOT NULL,
    status character varying(7) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    closed_at timestamp with time zone,
    closed_ref character varying(200) NOT NULL,
    account_id bigint NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT ledger_hold_amounts CHECK (((amount > 0) AND (captured >= 0) AND (captured <= amount)))
)
WITH (fillfactor='80');
ALTER TABLE public.ledger_hold ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ledger_hold_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ledger_horizon (
    name character varying(16) NOT NULL,
    settled bigint NOT NULL,
    done bigint NOT NULL,
    candidate bigint NOT NULL,
    candidate_xid bigint NOT NULL,
    "position" bigint NOT NULL,
    head bytea NOT NULL
);
CREATE TABLE public.ledger_run (
    seq bigint NOT NULL,
    effective_on date NOT NULL,
    opening bigint NOT NULL,
    account_id bigint NOT NULL
);
CREATE TABLE public.ledger_seal (
    "position" bigint NOT NULL,
    hash bytea NOT NULL,
    sealed_at timestamp with time zone NOT NULL,
    transaction_id bigint NOT NULL
);
CREATE TABLE public.ledger_snapshot (
    id bigint NOT NULL,
    seq bigint NOT NULL,
    posted bigint NOT NULL,
    taken_at timestamp with time zone NOT NULL,
    account_id bigint NOT NULL
);
ALTER TABLE public.ledger_snapshot ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ledger_snapshot_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ledger_transaction (
    id bigint NOT NULL,
    external_ref text NOT NULL,
    kind text NOT NULL,
    description text NOT NULL,
    effective_on date NOT NULL,
    created_at timestamp with time zone NOT NULL,
    hold_id bigint,
    forced boolean NOT NULL,
    business_id text NOT NULL,
    reverses_id bigint
);
ALTER TABLE public.ledger_transaction ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ledger_transaction_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.oauth2_provider_accesstoken (
    id bigint NOT NULL,
    token text NOT NULL,
    expires timestamp with time zone NOT NULL,
    scope text NOT NULL,
    application_id bigint,
    user_id integer,
    created timestamp with time zone NOT NULL,
    updated timestamp with time zone NOT NULL,
    source_refresh_token_id bigint,
    id_token_id bigint,
    token_checksum character varying(64) NOT NULL,
    resource jsonb NOT NULL
);
ALTER TABLE public.oauth2_provider_accesstoken ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.oauth2_provider_accesstoken_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.oauth2_provider_devicegrant (
    id bigint NOT NULL,
    device_code character varying(100) NOT NULL,
    user_code character varying(100) NOT NULL,
    scope text NOT NULL,
    "interval" integer NOT NULL,
    expires timestamp with time zone NOT NULL,
    status character varying(64) NOT NULL,
    client_id character varying(100) NOT NULL,
    last_checked timestamp with time zone NOT NULL,
    user_id integer
);
ALTER TABLE public.oauth2_provider_devicegrant ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.oauth2_provider_devicegrant_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.oauth2_provider_grant (
    id bigint NOT NULL,
    code character varying(255) NOT NULL,
    expires timestamp with time zone NOT NULL,
    redirect_uri text NOT NULL,
    scope text NOT NULL,
    application_id bigint NOT NULL,
    user_id integer NOT NULL,
    created timestamp with time zone NOT NULL,
    updated timestamp with time zone NOT NULL,
    code_challenge character varying(128) NOT NULL,
    code_challenge_method character varying(10) NOT NULL,
    nonce character varying(255) NOT NULL,
    claims text NOT NULL,
    resource jsonb NOT NULL
);
ALTER TABLE public.oauth2_provider_grant ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.oauth2_provider_grant_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.oauth2_provider_idtoken (
    id bigint NOT NULL,
    jti uuid NOT NULL,
    expires timestamp with time zone NOT NULL,
    scope text NOT NULL,
    created timestamp with time zone NOT NULL,
    updated timestamp with time zone NOT NULL,
    application_id bigint,
    user_id integer
);
ALTER TABLE public.oauth2_provider_idtoken ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.oauth2_provider_idtoken_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.oauth2_provider_refreshtoken (
    id bigint NOT NULL,
    token text NOT NULL,
    access_token_id bigint,
    application_id bigint NOT NULL,
    user_id integer NOT NULL,
    created timestamp with time zone NOT NULL,
    updated timestamp with time zone NOT NULL,
    revoked timestamp with time zone,
    token_family uuid,
    token_checksum character varying(64) NOT NULL,
    resource jsonb NOT NULL
);
ALTER TABLE public.oauth2_provider_refreshtoken ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.oauth2_provider_refreshtoken_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.payments_batch (
    id character varying(24) NOT NULL,
    batch_no character varying(24) NOT NULL,
    kind character varying(16) NOT NULL,
    name character varying(100) NOT NULL,
    template character varying(40) NOT NULL,
    currency character varying(3) NOT NULL,
    total_minor bigint NOT NULL,
    fees_minor bigint NOT NULL,
    item_count integer NOT NULL,
    succeeded_count integer NOT NULL,
    failed_count integer NOT NULL,
    status character varying(20) NOT NULL,
    hold_reason character varying(40) NOT NULL,
    team_id character varying(24) NOT NULL,
    note character varying(500) NOT NULL,
    scheduled_for timestamp with time zone,
    created_by character varying(80) NOT NULL,
    initiated_by character varying(80) NOT NULL,
    maker_ids character varying(24)[] NOT NULL,
    code_required boolean NOT NULL,
    round integer NOT NULL,
    policies jsonb NOT NULL,
    ledger_hold_id bigint,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    wallet_id character varying(24) NOT NULL,
    CONSTRAINT payments_batch_failed_count_check CHECK ((failed_count >= 0)),
    CONSTRAINT payments_batch_item_count_check CHECK ((item_count >= 0)),
    CONSTRAINT payments_batch_round_check CHECK ((round >= 0)),
    CONSTRAINT payments_batch_succeeded_count_check CHECK ((succeeded_count >= 0)),
    CONSTRAINT payments_batch_version_check CHECK ((version >= 0))
);
CREATE TABLE public.payments_batchnumber (
    id bigint NOT NULL,
    day date NOT NULL,
    last integer NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT payments_batchnumber_last_check CHECK ((last >= 0))
);
ALTER TABLE public.payments_batchnumber ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.payments_batchnumber_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.payments_intent (
    id character varying(24) NOT NULL,
    channel character varying(5) NOT NULL,
    status character varying(22) NOT NULL,
    code_hash character varying(64) NOT NULL,
    digest character varying(64) NOT NULL,
    wrong smallint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_by character varying(80) NOT NULL,
    confirmed_by character varying(80) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    batch_id character varying(24) NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT payments_intent_wrong_check CHECK ((wrong >= 0))
);
CREATE TABLE public.payments_item (
    id character varying(24) NOT NULL,
    "position" integer NOT NULL,
    vendor_id character varying(24) NOT NULL,
    receiver_name character varying(100) NOT NULL,
    channel character varying(20) NOT NULL,
    account character varying(34) NOT NULL,
    bank_code character varying(11) NOT NULL,
    account_reference character varying(40) NOT NULL,
    amount_minor bigint NOT NULL,
    fee_minor bigint NOT NULL,
    subcategory_id character varying(24) NOT NULL,
    note character varying(200) NOT NULL,
    status character varying(9) NOT NULL,
    provider_ref character varying(40) NOT NULL,
    failure_code character varying(40) NOT NULL,
    sent_at timestamp with time zone,
    settled_at timestamp with time zone,
    batch_id character varying(24) NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT item_amounts CHECK (((amount_minor > 0) AND (fee_minor >= 0))),
    CONSTRAINT payments_item_position_check CHECK (("position" >= 0))
);
CREATE TABLE public.payments_mobilemoneypush (
    id character varying(24) NOT NULL,
    phone character varying(15) NOT NULL,
    amount_minor bigint NOT NULL,
    currency character varying(3) NOT NULL,
    account_reference character varying(40) NOT NULL,
    checkout_request_id character varying(64) NOT NULL,
    merchant_request_id character varying(64) NOT NULL,
    status character varying(9) NOT NULL,
    result_code integer,
    result_text character varying(200) NOT NULL,
    receipt character varying(40) NOT NULL,
    requested_by character varying(80) NOT NULL,
    ledger_hold_id bigint,
    ledger_transaction_id bigint,
    asked_until timestamp with time zone NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    wallet_id character varying(24) NOT NULL,
    CONSTRAINT payments_mobilemoneypush_version_check CHECK ((version >= 0))
);
CREATE TABLE public.permissions_employeerights (
    employee_id character varying(24) NOT NULL,
    granted character varying(40)[] NOT NULL,
    denied character varying(40)[] NOT NULL,
    version integer NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT permissions_employeerights_version_check CHECK ((version >= 0))
);
CREATE TABLE public.permissions_rolerights (
    id character varying(24) NOT NULL,
    role character varying(16) NOT NULL,
    permissions character varying(40)[] NOT NULL,
    version integer NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT permissions_rolerights_version_check CHECK ((version >= 0))
);
CREATE TABLE public.rails_message (
    id character varying(24) NOT NULL,
    employee_id character varying(24) NOT NULL,
    channel character varying(5) NOT NULL,
    address character varying(254) NOT NULL,
    kind character varying(40) NOT NULL,
    subject_ref character varying(64) NOT NULL,
    text text NOT NULL,
    code character varying(12) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL
);
CREATE TABLE public.sandbox_demoprogress (
    business_id character varying(24) NOT NULL,
    seed integer NOT NULL,
    expenses integer NOT NULL,
    until timestamp with time zone NOT NULL,
    months smallint NOT NULL,
    made smallint NOT NULL,
    whole_at timestamp with time zone,
    CONSTRAINT demo_months_made CHECK (((made >= 0) AND (made <= months))),
    CONSTRAINT demo_whole_with_all_months CHECK (((whole_at IS NULL) OR (made = months)))
);
CREATE TABLE public.subscriptions_charge (
    id bigint NOT NULL,
    expense_id character varying(24) NOT NULL,
    subscription_id character varying(24) NOT NULL
);
ALTER TABLE public.subscriptions_charge ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.subscriptions_charge_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.subscriptions_subscription (
    id character varying(24) NOT NULL,
    name character varying(100) NOT NULL,
    vendor character varying(150) NOT NULL,
    merchant_key character varying(150) NOT NULL,
    currency character varying(3) NOT NULL,
    amount_minor bigint NOT NULL,
    limit_minor bigint,
    billing_frequency character varying(9) NOT NULL,
    status character varying(6) NOT NULL,
    next_charge_at timestamp with time zone,
    last_charge_at timestamp with time zone,
    generated boolean NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    card_id character varying(24),
    employee_id character varying(24),
    subcategory_id character varying(24),
    team_id character varying(24),
    CONSTRAINT subscription_amounts CHECK (((amount_minor > 0) AND ((limit_minor IS NULL) OR (limit_minor > 0)))),
    CONSTRAINT subscriptions_subscription_version_check CHECK ((version >= 0))
);
CREATE TABLE public.taxes_remittance (
    id character varying(24) NOT NULL,
    reference character varying(40) NOT NULL,
    remitted_on date NOT NULL,
    currency character varying(3) NOT NULL,
    amount_minor bigint NOT NULL,
    ledger_transaction_id bigint NOT NULL,
    created_by character varying(80) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT remittance_amount CHECK ((amount_minor > 0))
);
CREATE TABLE public.taxes_tax (
    id character varying(24) NOT NULL,
    code character varying(40) NOT NULL,
    name character varying(100) NOT NULL,
    currency character varying(3) NOT NULL,
    status character varying(8) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT taxes_tax_version_check CHECK ((version >= 0))
);
CREATE TABLE public.taxes_taxrate (
    id character varying(24) NOT NULL,
    base character varying(10) NOT NULL,
    resident_rate_bps integer NOT NULL,
    non_resident_rate_bps integer NOT NULL,
    threshold_minor bigint NOT NULL,
    final boolean NOT NULL,
    effective_from date NOT NULL,
    note character varying(500) NOT NULL,
    created_by character varying(80) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    tax_id character varying(24) NOT NULL,
    CONSTRAINT tax_rate_makes_sense CHECK (((non_resident_rate_bps <= 10000) AND (resident_rate_bps <= 10000) AND (threshold_minor >= 0))),
    CONSTRAINT taxes_taxrate_non_resident_rate_bps_check CHECK ((non_resident_rate_bps >= 0)),
    CONSTRAINT taxes_taxrate_resident_rate_bps_check CHECK ((resident_rate_bps >= 0))
);
CREATE TABLE public.taxes_taxtransaction (
    id character varying(24) NOT NULL,
    vendor_tax_pin character varying(20) NOT NULL,
    bill_payment_ref character varying(40) NOT NULL,
    base_minor bigint NOT NULL,
    rate_bps integer NOT NULL,
    tax_minor bigint NOT NULL,
    currency character varying(3) NOT NULL,
    status character varying(8) NOT NULL,
    certificate_no character varying(40) NOT NULL,
    ledger_transaction_id bigint NOT NULL,
    deducted_at timestamp with time zone NOT NULL,
    due_on date NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    rate_id character varying(24) NOT NULL,
    remittance_id character varying(24),
    tax_id character varying(24) NOT NULL,
    vendor_id character varying(24) NOT NULL,
    CONSTRAINT remitted_tax_has_its_remittance CHECK ((((remittance_id IS NOT NULL) AND ((status)::text = 'REMITTED'::text)) OR ((NOT ((status)::text = 'REMITTED'::text)) AND (remittance_id IS NULL)))),
    CONSTRAINT taxes_taxtransaction_rate_bps_check CHECK ((rate_bps >= 0))
);
CREATE TABLE public.teams_team (
    id character varying(24) NOT NULL,
    name character varying(100) NOT NULL,
    code character varying(40) NOT NULL,
    description character varying(500) NOT NULL,
    status character varying(16) NOT NULL,
    updated_by character varying(24) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    CONSTRAINT teams_team_version_check CHECK ((version >= 0))
);
CREATE TABLE public.teams_teamreviewer (
    id character varying(24) NOT NULL,
    read_only boolean NOT NULL,
    added_on timestamp with time zone NOT NULL,
    employee_id character varying(24) NOT NULL,
    team_id character varying(24) NOT NULL
);
CREATE TABLE public.transactions_filedeletion (
    id bigint NOT NULL,
    path character varying(200) NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE public.transactions_filedeletion ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.transactions_filedeletion_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.transactions_transaction (
    id character varying(24) NOT NULL,
    origin character varying(7) NOT NULL,
    type character varying(7) NOT NULL,
    status character varying(8) NOT NULL,
    org_wallet_ref character varying(40) NOT NULL,
    to_org_wallet_ref character varying(40) NOT NULL,
    direction character varying(3) NOT NULL,
    currency character varying(3) NOT NULL,
    amount_minor bigint NOT NULL,
    fees_minor bigint NOT NULL,
    counterparty character varying(150) NOT NULL,
    ref character varying(200) NOT NULL,
    channel character varying(20) NOT NULL,
    description character varying(500) NOT NULL,
    expense_id character varying(24) NOT NULL,
    employee_id character varying(24) NOT NULL,
    team_id character varying(24) NOT NULL,
    ledger_transaction_id bigint,
    effective_on date,
    value_date date,
    occurred_at timestamp with time zone NOT NULL,
    created_by character varying(80) NOT NULL,
    maker_ids jsonb NOT NULL,
    decided_by character varying(80) NOT NULL,
    decided_at timestamp with time zone,
    reason character varying(500) NOT NULL,
    failure_code character varying(40) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    subcategory_id character varying(24),
    unsplit_subcategory_id character varying(24) DEFAULT ''::character varying NOT NULL,
    CONSTRAINT transaction_amounts CHECK (((amount_minor >= 0) AND (fees_minor >= 0) AND ((amount_minor > 0) OR (fees_minor > 0)))),
    CONSTRAINT transaction_posted_has_its_posting CHECK ((((effective_on IS NOT NULL) AND (ledger_transaction_id IS NOT NULL) AND ((status)::text = ANY ((ARRAY['POSTED'::character varying, 'REVERSED'::character varying])::text[]))) OR ((NOT ((status)::text = ANY ((ARRAY['POSTED'::character varying, 'REVERSED'::character varying])::text[]))) AND (effective_on IS NULL) AND (ledger_transaction_id IS NULL)))),
    CONSTRAINT transactions_transaction_version_check CHECK ((version >= 0))
);
CREATE TABLE public.transactions_transactiondocument (
    id character varying(24) NOT NULL,
    file_name character varying(120) NOT NULL,
    kind character varying(4) NOT NULL,
    mime character varying(100) NOT NULL,
    size integer NOT NULL,
    sha256 character varying(64) NOT NULL,
    path character varying(200) NOT NULL,
    uploaded_by character varying(80) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    transaction_id character varying(24) NOT NULL,
    CONSTRAINT transactions_transactiondocument_size_check CHECK ((size >= 0))
);
CREATE TABLE public.transactions_transactionpart (
    id bigint NOT NULL,
    "position" smallint NOT NULL,
    amount_minor bigint NOT NULL,
    description character varying(200) NOT NULL,
    expense_id character varying(24),
    subcategory_id character varying(24) NOT NULL,
    transaction_id character varying(24) NOT NULL,
    CONSTRAINT transaction_part_amount CHECK (((amount_minor > 0) AND ("position" > 0))),
    CONSTRAINT transactions_transactionpart_position_check CHECK (("position" >= 0))
);
ALTER TABLE public.transactions_transactionpart ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.transactions_transactionpart_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.vendors_paymentinstruction (
    id character varying(24) NOT NULL,
    channel character varying(20) NOT NULL,
    account character varying(34) NOT NULL,
    account_key character varying(34) NOT NULL,
    bank_code character varying(11) NOT NULL,
    branch_code character varying(11) NOT NULL,
    account_name character varying(100) NOT NULL,
    account_reference character varying(40) NOT NULL,
    is_default boolean NOT NULL,
    verified boolean NOT NULL,
    status character varying(11) NOT NULL,
    editor_ids character varying(24)[] NOT NULL,
    editor_label character varying(80) NOT NULL,
    proposal_reason character varying(500) NOT NULL,
    decided_by character varying(80) NOT NULL,
    decided_at timestamp with time zone,
    reason character varying(500) NOT NULL,
    call_back_number character varying(16) NOT NULL,
    call_back_name character varying(100) NOT NULL,
    called_back_at timestamp with time zone,
    changed_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    replaces_id character varying(24),
    vendor_id character varying(24) NOT NULL
);
CREATE TABLE public.vendors_vendor (
    id character varying(24) NOT NULL,
    name character varying(100) NOT NULL,
    email character varying(254) NOT NULL,
    phone character varying(16) NOT NULL,
    tax_pin character varying(20) NOT NULL,
    type character varying(10) NOT NULL,
    country character varying(2) NOT NULL,
    currency character varying(3) NOT NULL,
    discount_bps integer NOT NULL,
    discount_days smallint NOT NULL,
    status character varying(7) NOT NULL,
    also_known_as character varying(100)[] NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    merged_into_id character varying(24),
    CONSTRAINT vendor_discount CHECK ((((discount_bps = 0) AND (discount_days = 0)) OR (((discount_bps >= 1) AND (discount_bps <= 9999)) AND (discount_days > 0)))),
    CONSTRAINT vendors_vendor_discount_bps_check CHECK ((discount_bps >= 0)),
    CONSTRAINT vendors_vendor_discount_days_check CHECK ((discount_days >= 0)),
    CONSTRAINT vendors_vendor_version_check CHECK ((version >= 0))
);
CREATE TABLE public.vendors_vendorcontact (
    id character varying(24) NOT NULL,
    name character varying(100) NOT NULL,
    role character varying(60) NOT NULL,
    email character varying(254) NOT NULL,
    phone character varying(16) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    vendor_id character varying(24) NOT NULL
);
CREATE TABLE public.vendors_vendordocument (
    id character varying(24) NOT NULL,
    kind character varying(11) NOT NULL,
    title character varying(100) NOT NULL,
    ends_on date,
    file_name character varying(150) NOT NULL,
    mime character varying(100) NOT NULL,
    size integer NOT NULL,
    sha256 character varying(64) NOT NULL,
    path character varying(200) NOT NULL,
    uploaded_by character varying(80) NOT NULL,
    removed_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    vendor_id character varying(24) NOT NULL,
    CONSTRAINT vendors_vendordocument_size_check CHECK ((size >= 0))
);
CREATE TABLE public.wallet_policies_policyaudithead (
    business_id character varying(24) NOT NULL,
    seq bigint NOT NULL,
    hash character varying(64) NOT NULL
);
CREATE TABLE public.wallet_policies_walletpermission (
    name character varying(40) NOT NULL,
    title character varying(100) NOT NULL,
    "group" character varying(20) NOT NULL,
    moves_money boolean NOT NULL,
    "position" smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT wallet_policies_walletpermission_position_check CHECK (("position" >= 0))
);
CREATE TABLE public.wallet_policies_walletpolicy (
    id character varying(24) NOT NULL,
    permissions character varying(40)[] NOT NULL,
    per_transaction_minor bigint,
    daily_minor bigint,
    monthly_minor bigint,
    valid_from timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    status character varying(9) NOT NULL,
    granted_by character varying(80) NOT NULL,
    reason character varying(500) NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL,
    employee_id character varying(24) NOT NULL,
    wallet_id character varying(24) NOT NULL,
    CONSTRAINT wallet_policies_walletpolicy_version_check CHECK ((version >= 0)),
    CONSTRAINT wallet_policy_ends_after_start CHECK (((expires_at IS NULL) OR (expires_at > valid_from))),
    CONSTRAINT wallet_policy_limits_not_negative CHECK ((((per_transaction_minor IS NULL) OR (per_transaction_minor >= 0)) AND ((daily_minor IS NULL) OR (daily_minor >= 0)) AND ((monthly_minor IS NULL) OR (monthly_minor >= 0))))
);
CREATE TABLE public.wallet_policies_walletuse (
    id character varying(24) NOT NULL,
    permission character varying(40) NOT NULL,
    amount_minor bigint NOT NULL,
    ref character varying(80) NOT NULL,
    at timestamp with time zone NOT NULL,
    employee_id character varying(24) NOT NULL,
    policy_id character varying(24) NOT NULL,
    wallet_id character varying(24) NOT NULL
);
CREATE TABLE public.webhooks_delivery (
    id bigint NOT NULL,
    status character varying(16) NOT NULL,
    attempts smallint NOT NULL,
    due_at timestamp with time zone NOT NULL,
    last_status smallint,
    last_error character varying(200) NOT NULL,
    delivered_at timestamp with time zone,
    event_id character varying(24) NOT NULL,
    endpoint_id character varying(24) NOT NULL,
    CONSTRAINT webhooks_delivery_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT webhooks_delivery_last_status_check CHECK ((last_status >= 0))
);
ALTER TABLE public.webhooks_delivery ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.webhooks_delivery_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.webhooks_webhookendpoint (
    id character varying(24) NOT NULL,
    url character varying(500) NOT NULL,
    kinds character varying(60)[] NOT NULL,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_until timestamp with time zone,
    status character varying(16) NOT NULL,
    disabled_reason character varying(200) NOT NULL,
    failing_since timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id character varying(24) NOT NULL
);
INSERT INTO public.auth_permission (id, name, content_type_id, codename) VALUES
	(1, 'Can add content type', 1, 'add_contenttype'),
	(2, 'Can change content type', 1, 'change_contenttype'),
	(3, 'Can delete content type', 1, 'delete_contenttype'),
	(4, 'Can view content type', 1, 'view_contenttype'),
	(5, 'Can add permission', 2, 'add_permission'),
	(6, 'Can change permission', 2, 'change_permission'),
	(7, 'Can delete permission', 2, 'delete_permission'),
	(8, 'Can view permission', 2, 'view_permission'),
	(9, 'Can add group', 3, 'add_group'),
	(10, 'Can change group', 3, 'change_group'),
	(11, 'Can delete group', 3, 'delete_group'),
	(12, 'Can view group', 3, 'view_group'),
	(13, 'Can add user', 4, 'add_user'),
	(14, 'Can change user', 4, 'change_user'),
	(15, 'Can delete user', 4, 'delete_user'),
	(16, 'Can view user', 4, 'view_user'),
	(17, 'Can add access token', 5, 'add_accesstoken'),
	(18, 'Can change access token', 5, 'change_accesstoken'),
	(19, 'Can delete access token', 5, 'delete_accesstoken'),
	(20, 'Can view access token', 5, 'view_accesstoken'),
	(21, 'Can add grant', 6, 'add_grant'),
	(22, 'Can change grant', 6, 'change_grant'),
	(23, 'Can delete grant', 6, 'delete_grant'),
	(24, 'Can view grant', 6, 'view_grant'),
	(25, 'Can add refresh token', 7, 'add_refreshtoken'),
	(26, 'Can change refresh token', 7, 'change_refreshtoken'),
	(27, 'Can delete refresh token', 7, 'delete_refreshtoken'),
	(28, 'Can view refresh token', 7, 'view_refreshtoken'),
	(29, 'Can add id token', 8, 'add_idtoken'),
	(30, 'Can change id token', 8, 'change_idtoken'),
	(31, 'Can delete id token', 8, 'delete_idtoken'),
	(32, 'Can view id token', 8, 'view_idtoken'),
	(33, 'Can add device grant', 9, 'add_devicegrant'),
	(34, 'Can change device grant', 9, 'change_devicegrant'),
	(35, 'Can delete device grant', 9, 'delete_devicegrant'),
	(36, 'Can view device grant', 9, 'view_devicegrant'),
	(37, 'Can add business', 10, 'add_business'),
	(38, 'Can change business', 10, 'change_business'),
	(39, 'Can delete business', 10, 'delete_business'),
	(40, 'Can view business', 10, 'view_business'),
	(41, 'Can add api key', 11, 'add_apikey'),
	(42, 'Can change api key', 11, 'change_apikey'),
	(43, 'Can delete api key', 11, 'delete_apikey'),
	(44, 'Can view api key', 11, 'view_apikey'),
	(45, 'Can add employee', 12, 'add_employee'),
	(46, 'Can change employee', 12, 'change_employee'),
	(47, 'Can delete employee', 12, 'delete_employee'),
	(48, 'Can view employee', 12, 'view_employee'),
	(49, 'Can add client', 13, 'add_client'),
	(50, 'Can change client', 13, 'change_client'),
	(51, 'Can delete client', 13, 'delete_client'),
	(52, 'Can view client', 13, 'view_client'),
	(53, 'Can add stored answer', 14, 'add_storedanswer'),
	(54, 'Can change stored answer', 14, 'change_storedanswer'),
	(55, 'Can delete stored answer', 14, 'delete_storedanswer'),
	(56, 'Can view stored answer', 14, 'view_storedanswer'),
	(57, 'Can add team', 15, 'add_team'),
	(58, 'Can change team', 15, 'change_team'),
	(59, 'Can delete team', 15, 'delete_team'),
	(60, 'Can view team', 15, 'view_team'),
	(61, 'Can add team reviewer', 16, 'add_teamreviewer'),
	(62, 'Can change team reviewer', 16, 'change_teamreviewer'),
	(63, 'Can delete team reviewer', 16, 'delete_teamreviewer'),
	(64, 'Can view team reviewer', 16, 'view_teamreviewer'),
	(65, 'Can add category', 17, 'add_category'),
	(66, 'Can change category', 17, 'change_category'),
	(67, 'Can delete category', 17, 'delete_category'),
	(68, 'Can view category', 17, 'view_category'),
	(69, 'Can add subcategory', 18, 'add_subcategory'),
	(70, 'Can change subcategory', 18, 'change_subcategory'),
	(71, 'Can delete subcategory', 18, 'delete_subcategory'),
	(72, 'Can view subcategory', 18, 'view_subcategory'),
	(73, 'Can add customer', 19, 'add_customer'),
	(74, 'Can change customer', 19, 'change_customer'),
	(75, 'Can delete customer', 19, 'delete_customer'),
	(76, 'Can view customer', 19, 'view_customer'),
	(77, 'Can add customer term', 20, 'add_customerterm'),
	(78, 'Can change customer term', 20, 'change_customerterm'),
	(79, 'Can delete customer term', 20, 'delete_customerterm'),
	(80, 'Can view customer term', 20, 'view_customerterm'),
	(81, 'Can add expense', 21, 'add_expense'),
	(82, 'Can change expense', 21, 'change_expense'),
	(83, 'Can delete expense', 21, 'delete_expense'),
	(84, 'Can view expense', 21, 'view_expense'),
	(85, 'Can add receipt', 22, 'add_receipt'),
	(86, 'Can change receipt', 22, 'change_receipt'),
	(87, 'Can delete receipt', 22, 'delete_receipt'),
	(88, 'Can view receipt', 22, 'view_receipt'),
	(89, 'Can add receipts export', 23, 'add_receiptsexport'),
	(90, 'Can change receipts export', 23, 'change_receiptsexport'),
	(91, 'Can delete receipts export', 23, 'delete_receiptsexport'),
	(92, 'Can view receipts export', 23, 'view_receiptsexport'),
	(93, 'Can add tag', 24, 'add_tag'),
	(94, 'Can change tag', 24, 'change_tag'),
	(95, 'Can delete tag', 24, 'delete_tag'),
	(96, 'Can view tag', 24, 'view_tag'),
	(97, 'Can add transaction part', 25, 'add_transactionpart'),
	(98, 'Can change transaction part', 25, 'change_transactionpart'),
	(99, 'Can delete transaction part', 25, 'delete_transactionpart'),
	(100, 'Can view transaction part', 25, 'view_transactionpart'),
	(101, 'Can add single use policy', 26, 'add_singleusepolicy'),
	(102, 'Can change single use policy', 26, 'change_singleusepolicy'),
	(103, 'Can delete single use policy', 26, 'delete_singleusepolicy'),
	(104, 'Can view single use policy', 26, 'view_singleusepolicy'),
	(105, 'Can add card', 27, 'add_card'),
	(106, 'Can change card', 27, 'change_card'),
	(107, 'Can delete card', 27, 'delete_card'),
	(108, 'Can view card', 27, 'view_card'),
	(109, 'Can add authorization', 28, 'add_authorization'),
	(110, 'Can change authorization', 28, 'change_authorization'),
	(111, 'Can delete authorization', 28, 'delete_authorization'),
	(112, 'Can view authorization', 28, 'view_authorization'),
	(113, 'Can add card order', 29, 'add_cardorder'),
	(114, 'Can change card order', 29, 'change_cardorder'),
	(115, 'Can delete card order', 29, 'delete_cardorder'),
	(116, 'Can view card order', 29, 'view_cardorder'),
	(117, 'Can add single use request', 30, 'add_singleuserequest'),
	(118, 'Can change single use request', 30, 'change_singleuserequest'),
	(119, 'Can delete single use request', 30, 'delete_singleuserequest'),
	(120, 'Can view single use request', 30, 'view_singleuserequest'),
	(121, 'Can add capture', 31, 'add_capture'),
	(122, 'Can change capture', 31, 'change_capture'),
	(123, 'Can delete capture', 31, 'delete_capture'),
	(124, 'Can view capture', 31, 'view_capture'),
	(125, 'Can add event counter', 32, 'add_eventcounter'),
	(126, 'Can change event counter', 32, 'change_eventcounter'),
	(127, 'Can delete event counter', 32, 'delete_eventcounter'),
	(128, 'Can view event counter', 32, 'view_eventcounter'),
	(129, 'Can add audit event', 33, 'add_auditevent'),
	(130, 'Can change audit event', 33, 'change_auditevent'),
	(131, 'Can delete audit event', 33, 'delete_auditevent'),
	(132, 'Can view audit event', 33, 'view_auditevent'),
	(133, 'Can add event', 34, 'add_event'),
	(134, 'Can change event', 34, 'change_event'),
	(135, 'Can delete event', 34, 'delete_event'),
	(136, 'Can view event', 34, 'view_event'),
	(137, 'Can add webhook endpoint', 35, 'add_webhookendpoint'),
	(138, 'Can change webhook endpoint', 35, 'change_webhookendpoint'),
	(139, 'Can delete webhook endpoint', 35, 'delete_webhookendpoint'),
	(140, 'Can view webhook endpoint', 35, 'view_webhookendpoint'),
	(141, 'Can add delivery', 36, 'add_delivery'),
	(142, 'Can change delivery', 36, 'change_delivery'),
	(143, 'Can delete delivery', 36, 'delete_delivery'),
	(144, 'Can view delivery', 36, 'view_delivery'),
	(145, 'Can add demo progress', 37, 'add_demoprogress'),
	(146, 'Can change demo progress', 37, 'change_demoprogress'),
	(147, 'Can delete demo progress', 37, 'delete_demoprogress'),
	(148, 'Can view demo progress', 37, 'view_demoprogress'),
	(149, 'Can add ledger account', 38, 'add_ledgeraccount'),
	(150, 'Can change ledger account', 38, 'change_ledgeraccount'),
	(151, 'Can delete ledger account', 38, 'delete_ledgeraccount'),
	(152, 'Can view ledger account', 38, 'view_ledgeraccount'),
	(153, 'Can add ledger horizon', 39, 'add_ledgerhorizon'),
	(154, 'Can change ledger horizon', 39, 'change_ledgerhorizon'),
	(155, 'Can delete ledger horizon', 39, 'delete_ledgerhorizon'),
	(156, 'Can view ledger horizon', 39, 'view_ledgerhorizon'),
	(157, 'Can add ledger hold', 40, 'add_ledgerhold'),
	(158, 'Can change ledger hold', 40, 'change_ledgerhold'),
	(159, 'Can delete ledger hold', 40, 'delete_ledgerhold'),
	(160, 'Can view ledger hold', 40, 'view_ledgerhold'),
	(161, 'Can add ledger run', 41, 'add_ledgerrun'),
	(162, 'Can change ledger run', 41, 'change_ledgerrun'),
	(163, 'Can delete ledger run', 41, 'delete_ledgerrun'),
	(164, 'Can view ledger run', 41, 'view_ledgerrun'),
	(165, 'Can add ledger snapshot', 42, 'add_ledgersnapshot'),
	(166, 'Can change ledger snapshot', 42, 'change_ledgersnapshot'),
	(167, 'Can delete ledger snapshot', 42, 'delete_ledgersnapshot'),
	(168, 'Can view ledger snapshot', 42, 'view_ledgersnapshot'),
	(169, 'Can add ledger transaction', 43, 'add_ledgertransaction'),
	(170, 'Can change ledger transaction', 43, 'change_ledgertransaction'),
	(171, 'Can delete ledger transaction', 43, 'delete_ledgertransaction'),
	(172, 'Can view ledger transaction', 43, 'view_ledgertransaction'),
	(173, 'Can add ledger seal', 44, 'add_ledgerseal'),
	(174, 'Can change ledger seal', 44, 'change_ledgerseal'),
	(175, 'Can delete ledger seal', 44, 'delete_ledgerseal'),
	(176, 'Can view ledger seal', 44, 'view_ledgerseal'),
	(177, 'Can add ledger entry', 45, 'add_ledgerentry'),
	(178, 'Can change ledger entry', 45, 'change_ledgerentry'),
	(179, 'Can delete ledger entry', 45, 'delete_ledgerentry'),
	(180, 'Can view ledger entry', 45, 'view_ledgerentry'),
	(181, 'Can add ledger balance', 46, 'add_ledgerbalance'),
	(182, 'Can change ledger balance', 46, 'change_ledgerbalance'),
	(183, 'Can delete ledger balance', 46, 'delete_ledgerbalance'),
	(184, 'Can view ledger balance', 46, 'view_ledgerbalance'),
	(185, 'Can add currency', 47, 'add_currency'),
	(186, 'Can change currency', 47, 'change_currency'),
	(187, 'Can delete currency', 47, 'delete_currency'),
	(188, 'Can view currency', 47, 'view_currency'),
	(189, 'Can add wallet', 48, 'add_wallet'),
	(190, 'Can change wallet', 48, 'change_wallet'),
	(191, 'Can delete wallet', 48, 'delete_wallet'),
	(192, 'Can view wallet', 48, 'view_wallet'),
	(193, 'Can add message', 49, 'add_message'),
	(194, 'Can change message', 49, 'change_message'),
	(195, 'Can delete message', 49, 'delete_message'),
	(196, 'Can view message', 49, 'view_message'),
	(197, 'Can add approval', 50, 'add_approval'),
	(198, 'Can change approval', 50, 'change_approval'),
	(199, 'Can delete approval', 50, 'delete_approval'),
	(200, 'Can view approval', 50, 'view_approval'),
	(201, 'Can add mandate', 51, 'add_mandate'),
	(202, 'Can change mandate', 51, 'change_mandate'),
	(203, 'Can delete mandate', 51, 'delete_mandate'),
	(204, 'Can view mandate', 51, 'view_mandate'),
	(205, 'Can add mandate approver', 52, 'add_mandateapprover'),
	(206, 'Can change mandate approver', 52, 'change_mandateapprover'),
	(207, 'Can delete mandate approver', 52, 'delete_mandateapprover'),
	(208, 'Can view mandate approver', 52, 'view_mandateapprover'),
	(209, 'Can add vote', 53, 'add_vote'),
	(210, 'Can change vote', 53, 'change_vote'),
	(211, 'Can delete vote', 53, 'delete_vote'),
	(212, 'Can view vote', 53, 'view_vote'),
	(213, 'Can add workflow', 54, 'add_workflow'),
	(214, 'Can change workflow', 54, 'change_workflow'),
	(215, 'Can delete workflow', 54, 'delete_workflow'),
	(216, 'Can view workflow', 54, 'view_workflow'),
	(217, 'Can add batch', 55, 'add_batch'),
	(218, 'Can change batch', 55, 'change_batch'),
	(219, 'Can delete batch', 55, 'delete_batch'),
	(220, 'Can view batch', 55, 'view_batch'),
	(221, 'Can add batch number', 56, 'add_batchnumber'),
	(222, 'Can change batch number', 56, 'change_batchnumber'),
	(223, 'Can delete batch number', 56, 'delete_batchnumber'),
	(224, 'Can view batch number', 56, 'view_batchnumber'),
	(225, 'Can add intent', 57, 'add_intent'),
	(226, 'Can change intent', 57, 'change_intent'),
	(227, 'Can delete intent', 57, 'delete_intent'),
	(228, 'Can view intent', 57, 'view_intent'),
	(229, 'Can add payout item', 58, 'add_item'),
	(230, 'Can change payout item', 58, 'change_item'),
	(231, 'Can delete payout item', 58, 'delete_item'),
	(232, 'Can view payout item', 58, 'view_item'),
	(233, 'Can add mobile money push', 59, 'add_mobilemoneypush'),
	(234, 'Can change mobile money push', 59, 'change_mobilemoneypush'),
	(235, 'Can delete mobile money push', 59, 'delete_mobilemoneypush'),
	(236, 'Can view mobile money push', 59, 'view_mobilemoneypush'),
	(237, 'Can add vendor', 60, 'add_vendor'),
	(238, 'Can change vendor', 60, 'change_vendor'),
	(239, 'Can delete vendor', 60, 'delete_vendor'),
	(240, 'Can view vendor', 60, 'view_vendor'),
	(241, 'Can add payment instruction', 61, 'add_paymentinstruction'),
	(242, 'Can change payment instruction', 61, 'change_paymentinstruction'),
	(243, 'Can delete payment instruction', 61, 'delete_paymentinstruction'),
	(244, 'Can view payment instruction', 61, 'view_paymentinstruction'),
	(245, 'Can add vendor contact', 62, 'add_vendorcontact'),
	(246, 'Can change vendor contact', 62, 'change_vendorcontact'),
	(247, 'Can delete vendor contact', 62, 'delete_vendorcontact'),
	(248, 'Can view vendor contact', 62, 'view_vendorcontact'),
	(249, 'Can add vendor document', 63, 'add_vendordocument'),
	(250, 'Can change vendor document', 63, 'change_vendordocument'),
	(251, 'Can delete vendor document', 63, 'delete_vendordocument'),
	(252, 'Can view vendor document', 63, 'view_vendordocument'),
	(253, 'Can add remittance', 64, 'add_remittance'),
	(254, 'Can change remittance', 64, 'change_remittance'),
	(255, 'Can delete remittance', 64, 'delete_remittance'),
	(256, 'Can view remittance', 64, 'view_remittance'),
	(257, 'Can add tax', 65, 'add_tax'),
	(258, 'Can change tax', 65, 'change_tax'),
	(259, 'Can delete tax', 65, 'delete_tax'),
	(260, 'Can view tax', 65, 'view_tax'),
	(261, 'Can add tax rate', 66, 'add_taxrate'),
	(262, 'Can change tax rate', 66, 'change_taxrate'),
	(263, 'Can delete tax rate', 66, 'delete_taxrate'),
	(264, 'Can view tax rate', 66, 'view_taxrate'),
	(265, 'Can add tax transaction', 67, 'add_taxtransaction'),
	(266, 'Can change tax transaction', 67, 'change_taxtransaction'),
	(267, 'Can delete tax transaction', 67, 'delete_taxtransaction'),
	(268, 'Can view tax transaction', 67, 'view_taxtransaction'),
	(269, 'Can add budget', 68, 'add_budget'),
	(270, 'Can change budget', 68, 'change_budget'),
	(271, 'Can delete budget', 68, 'delete_budget'),
	(272, 'Can view budget', 68, 'view_budget'),
	(273, 'Can add budget alert', 69, 'add_budgetalert'),
	(274, 'Can change budget alert', 69, 'change_budgetalert'),
	(275, 'Can delete budget alert', 69, 'delete_budgetalert'),
	(276, 'Can view budget alert', 69, 'view_budgetalert'),
	(277, 'Can add bill', 70, 'add_bill'),
	(278, 'Can change bill', 70, 'change_bill'),
	(279, 'Can delete bill', 70, 'delete_bill'),
	(280, 'Can view bill', 70, 'view_bill'),
	(281, 'Can add bill file', 71, 'add_billfile'),
	(282, 'Can change bill file', 71, 'change_billfile'),
	(283, 'Can delete bill file', 71, 'delete_billfile'),
	(284, 'Can view bill file', 71, 'view_billfile'),
	(285, 'Can add bill line', 72, 'add_billline'),
	(286, 'Can change bill line', 72, 'change_billline'),
	(287, 'Can delete bill line', 72, 'delete_billline'),
	(288, 'Can view bill line', 72, 'view_billline'),
	(289, 'Can add bill payment', 73, 'add_billpayment'),
	(290, 'Can change bill payment', 73, 'change_billpayment'),
	(291, 'Can delete bill payment', 73, 'delete_billpayment'),
	(292, 'Can view bill payment', 73, 'view_billpayment'),
	(293, 'Can add attempt', 74, 'add_attempt'),
	(294, 'Can change attempt', 74, 'change_attempt'),
	(295, 'Can delete attempt', 74, 'delete_attempt'),
	(296, 'Can view attempt', 74, 'view_attempt'),
	(297, 'Can add line split', 75, 'add_linesplit'),
	(298, 'Can change line split', 75, 'change_linesplit'),
	(299, 'Can delete line split', 75, 'delete_linesplit'),
	(300, 'Can view line split', 75, 'view_linesplit'),
	(301, 'Can add credit note', 76, 'add_creditnote'),
	(302, 'Can change credit note', 76, 'change_creditnote'),
	(303, 'Can delete credit note', 76, 'delete_creditnote'),
	(304, 'Can view credit note', 76, 'view_creditnote'),
	(305, 'Can add credit application', 77, 'add_creditapplication'),
	(306, 'Can change credit application', 77, 'change_creditapplication'),
	(307, 'Can delete credit application', 77, 'delete_creditapplication'),
	(308, 'Can view credit application', 77, 'view_creditapplication'),
	(309, 'Can add bill schedule', 78, 'add_billschedule'),
	(310, 'Can change bill schedule', 78, 'change_billschedule'),
	(311, 'Can delete bill schedule', 78, 'delete_billschedule'),
	(312, 'Can view bill schedule', 78, 'view_billschedule'),
	(313, 'Can add scheduled bill', 79, 'add_scheduledbill'),
	(314, 'Can change scheduled bill', 79, 'change_scheduledbill'),
	(315, 'Can delete scheduled bill', 79, 'delete_scheduledbill'),
	(316, 'Can view scheduled bill', 79, 'view_scheduledbill'),
	(317, 'Can add subscription', 80, 'add_subscription'),
	(318, 'Can change subscription', 80, 'change_subscription'),
	(319, 'Can delete subscription', 80, 'delete_subscription'),
	(320, 'Can view subscription', 80, 'view_subscription'),
	(321, 'Can add charge', 81, 'add_charge'),
	(322, 'Can change charge', 81, 'change_charge'),
	(323, 'Can delete charge', 81, 'delete_charge'),
	(324, 'Can view charge', 81, 'view_charge'),
	(325, 'Can add policy audit head', 82, 'add_policyaudithead'),
	(326, 'Can change policy audit head', 82, 'change_policyaudithead'),
	(327, 'Can delete policy audit head', 82, 'delete_policyaudithead'),
	(328, 'Can view policy audit head', 82, 'view_policyaudithead'),
	(329, 'Can add wallet permission', 83, 'add_walletpermission'),
	(330, 'Can change wallet permission', 83, 'change_walletpermission'),
	(331, 'Can delete wallet permission', 83, 'delete_walletpermission'),
	(332, 'Can view wallet permission', 83, 'view_walletpermission'),
	(333, 'Can add wallet policy', 84, 'add_walletpolicy'),
	(334, 'Can change wallet policy', 84, 'change_walletpolicy'),
	(335, 'Can delete wallet policy', 84, 'delete_walletpolicy'),
	(336, 'Can view wallet policy', 84, 'view_walletpolicy'),
	(337, 'Can add wallet use', 85, 'add_walletuse'),
	(338, 'Can change wallet use', 85, 'change_walletuse'),
	(339, 'Can delete wallet use', 85, 'delete_walletuse'),
	(340, 'Can view wallet use', 85, 'view_walletuse'),
	(341, 'Can add policy audit', 86, 'add_policyaudit'),
	(342, 'Can change policy audit', 86, 'change_policyaudit'),
	(343, 'Can delete policy audit', 86, 'delete_policyaudit'),
	(344, 'Can view policy audit', 86, 'view_policyaudit'),
	(345, 'Can add employee rights', 87, 'add_employeerights'),
	(346, 'Can change employee rights', 87, 'change_employeerights'),
	(347, 'Can delete employee rights', 87, 'delete_employeerights'),
	(348, 'Can view employee rights', 87, 'view_employeerights'),
	(349, 'Can add role rights', 88, 'add_rolerights'),
	(350, 'Can change role rights', 88, 'change_rolerights'),
	(351, 'Can delete role rights', 88, 'delete_rolerights'),
	(352, 'Can view role rights', 88, 'view_rolerights'),
	(353, 'Can add policy group', 89, 'add_policygroup'),
	(354, 'Can change policy group', 89, 'change_policygroup'),
	(355, 'Can delete policy group', 89, 'delete_policygroup'),
	(356, 'Can view policy group', 89, 'view_policygroup'),
	(357, 'Can add business policy', 90, 'add_businesspolicy'),
	(358, 'Can change business policy', 90, 'change_businesspolicy'),
	(359, 'Can delete business policy', 90, 'delete_businesspolicy'),
	(360, 'Can view business policy', 90, 'view_businesspolicy'),
	(361, 'Can add transaction', 91, 'add_transaction'),
	(362, 'Can change transaction', 91, 'change_transaction'),
	(363, 'Can delete transaction', 91, 'delete_transaction'),
	(364, 'Can view transaction', 91, 'view_transaction'),
	(365, 'Can add file deletion', 92, 'add_filedeletion'),
	(366, 'Can change file deletion', 92, 'change_filedeletion'),
	(367, 'Can delete file deletion', 92, 'delete_filedeletion'),
	(368, 'Can view file deletion', 92, 'view_filedeletion'),
	(369, 'Can add transaction document', 93, 'add_transactiondocument'),
	(370, 'Can change transaction document', 93, 'change_transactiondocument'),
	(371, 'Can delete transaction document', 93, 'delete_transactiondocument'),
	(372, 'Can view transaction document', 93, 'view_transactiondocument'),
	(373, 'Can add quote', 94, 'add_quote'),
	(374, 'Can change quote', 94, 'change_quote'),
	(375, 'Can delete quote', 94, 'delete_quote'),
	(376, 'Can view quote', 94, 'view_quote'),
	(377, 'Can add rate', 95, 'add_rate'),
	(378, 'Can change rate', 95, 'change_rate'),
	(379, 'Can delete rate', 95, 'delete_rate'),
	(380, 'Can view rate', 95, 'view_rate'),
	(381, 'Can add fx transfer', 96, 'add_fxtransfer'),
	(382, 'Can change fx transfer', 96, 'change_fxtransfer'),
	(383, 'Can delete fx transfer', 96, 'delete_fxtransfer'),
	(384, 'Can view fx transfer', 96, 'view_fxtransfer'),
	(385, 'Can add fund', 97, 'add_fund'),
	(386, 'Can change fund', 97, 'change_fund'),
	(387, 'Can delete fund', 97, 'delete_fund'),
	(388, 'Can view fund', 97, 'view_fund'),
	(389, 'Can add fund account', 98, 'add_fundaccount'),
	(390, 'Can change fund account', 98, 'change_fundaccount'),
	(391, 'Can delete fund account', 98, 'delete_fundaccount'),
	(392, 'Can view fund account', 98, 'view_fundaccount'),
	(393, 'Can add fund price', 99, 'add_fundprice'),
	(394, 'Can change fund price', 99, 'change_fundprice'),
	(395, 'Can delete fund price', 99, 'delete_fundprice'),
	(396, 'Can view fund price', 99, 'view_fundprice'),
	(397, 'Can add movement', 100, 'add_movement'),
	(398, 'Can change movement', 100, 'change_movement'),
	(399, 'Can delete movement', 100, 'delete_movement'),
	(400, 'Can view movement', 100, 'view_movement'),
	(401, 'Can add operator', 101, 'add_operator'),
	(402, 'Can change operator', 101, 'change_operator'),
	(403, 'Can delete operator', 101, 'delete_operator'),
	(404, 'Can view operator', 101, 'view_operator'),
	(405, 'Can add opt in', 102, 'add_optin'),
	(406, 'Can change opt in', 102, 'change_optin'),
	(407, 'Can delete opt in', 102, 'delete_optin'),
	(408, 'Can view opt in', 102, 'view_optin'),
	(409, 'Can add valuation', 103, 'add_valuation'),
	(410, 'Can change valuation', 103, 'change_valuation'),
	(411, 'Can delete valuation', 103, 'delete_valuation'),
	(412, 'Can view valuation', 103, 'view_valuation'),
	(413, 'Can add bank match', 104, 'add_bankmatch'),
	(414, 'Can change bank match', 104, 'change_bankmatch'),
	(415, 'Can delete bank match', 104, 'delete_bankmatch'),
	(416, 'Can view bank match', 104, 'view_bankmatch'),
	(417, 'Can add bank rule', 105, 'add_bankrule'),
	(418, 'Can change bank rule', 105, 'change_bankrule'),
	(419, 'Can delete bank rule', 105, 'delete_bankrule'),
	(420, 'Can view bank rule', 105, 'view_bankrule'),
	(421, 'Can add bank statement', 106, 'add_bankstatement'),
	(422, 'Can change bank statement', 106, 'change_bankstatement'),
	(423, 'Can delete bank statement', 106, 'delete_bankstatement'),
	(424, 'Can view bank statement', 106, 'view_bankstatement'),
	(425, 'Can add journal export', 107, 'add_journalexport'),
	(426, 'Can change journal export', 107, 'change_journalexport'),
	(427, 'Can delete journal export', 107, 'delete_journalexport'),
	(428, 'Can view journal export', 107, 'view_journalexport'),
	(429, 'Can add opening difference', 108, 'add_openingdifference'),
	(430, 'Can change opening difference', 108, 'change_openingdifference'),
	(431, 'Can delete opening difference', 108, 'delete_openingdifference'),
	(432, 'Can view opening difference', 108, 'view_openingdifference'),
	(433, 'Can add exported entry', 109, 'add_exportedentry'),
	(434, 'Can change exported entry', 109, 'change_exportedentry'),
	(435, 'Can delete exported entry', 109, 'delete_exportedentry'),
	(436, 'Can view exported entry', 109, 'view_exportedentry'),
	(437, 'Can add matched entry', 110, 'add_matchedentry'),
	(438, 'Can change matched entry', 110, 'change_matchedentry'),
	(439, 'Can delete matched entry', 110, 'delete_matchedentry'),
	(440, 'Can view matched entry', 110, 'view_matchedentry'),
	(441, 'Can add period', 111, 'add_period'),
	(442, 'Can change period', 111, 'change_period'),
	(443, 'Can delete period', 111, 'delete_period'),
	(444, 'Can view period', 111, 'view_period'),
	(445, 'Can add statement line', 112, 'add_statementline'),
	(446, 'Can change statement line', 112, 'change_statementline'),
	(447, 'Can delete statement line', 112, 'delete_statementline'),
	(448, 'Can view statement line', 112, 'view_statementline'),
	(449, 'Can add repeated line', 113, 'add_repeatedline'),
	(450, 'Can change repeated line', 113, 'change_repeatedline'),
	(451, 'Can delete repeated line', 113, 'delete_repeatedline'),
	(452, 'Can view repeated line', 113, 'view_repeatedline'),
	(453, 'Can add summed account', 114, 'add_summedaccount'),
	(454, 'Can change summed account', 114, 'change_summedaccount'),
	(455, 'Can delete summed account', 114, 'delete_summedaccount'),
	(456, 'Can view summed account', 114, 'view_summedaccount'),
	(457, 'Can add account day', 115, 'add_accountday'),
	(458, 'Can change account day', 115, 'change_accountday'),
	(459, 'Can delete account day', 115, 'delete_accountday'),
	(460, 'Can view account day', 115, 'view_accountday');
INSERT INTO public.django_content_type (id, app_label, model) VALUES
	(1, 'contenttypes', 'contenttype'),
	(2, 'auth', 'permission'),
	(3, 'auth', 'group'),
	(4, 'auth', 'user'),
	(5, 'oauth2_provider', 'accesstoken'),
	(6, 'oauth2_provider', 'grant'),
	(7, 'oauth2_provider', 'refreshtoken'),
	(8, 'oauth2_provider', 'idtoken'),
	(9, 'oauth2_provider', 'devicegrant'),
	(10, 'businesses', 'business'),
	(11, 'businesses', 'apikey'),
	(12, 'businesses', 'employee'),
	(13, 'businesses', 'client'),
	(14, 'businesses', 'storedanswer'),
	(15, 'businesses', 'team'),
	(16, 'businesses', 'teamreviewer'),
	(17, 'categories', 'category'),
	(18, 'categories', 'subcategory'),
	(19, 'customers', 'customer'),
	(20, 'customers', 'customerterm'),
	(21, 'expenses', 'expense'),
	(22, 'expenses', 'receipt'),
	(23, 'expenses', 'receiptsexport'),
	(24, 'expenses', 'tag'),
	(25, 'expenses', 'transactionpart'),
	(26, 'cards', 'singleusepolicy'),
	(27, 'cards', 'card'),
	(28, 'cards', 'authorization'),
	(29, 'cards', 'cardorder'),
	(30, 'cards', 'singleuserequest'),
	(31, 'cards', 'capture'),
	(32, 'events', 'eventcounter'),
	(33, 'events', 'auditevent'),
	(34, 'events', 'event'),
	(35, 'webhooks', 'webhookendpoint'),
	(36, 'webhooks', 'delivery'),
	(37, 'sandbox', 'demoprogress'),
	(38, 'ledger', 'ledgeraccount'),
	(39, 'ledger', 'ledgerhorizon'),
	(40, 'ledger', 'ledgerhold'),
	(41, 'ledger', 'ledgerrun'),
	(42, 'ledger', 'ledgersnapshot'),
	(43, 'ledger', 'ledgertransaction'),
	(44, 'ledger', 'ledgerseal'),
	(45, 'ledger', 'ledgerentry'),
	(46, 'ledger', 'ledgerbalance'),
	(47, 'accounts', 'currency'),
	(48, 'accounts', 'wallet'),
	(49, 'rails', 'message'),
	(50, 'approvals', 'approval'),
	(51, 'approvals', 'mandate'),
	(52, 'approvals', 'mandateapprover'),
	(53, 'approvals', 'vote'),
	(54, 'approvals', 'workflow'),
	(55, 'payments', 'batch'),
	(56, 'payments', 'batchnumber'),
	(57, 'payments', 'intent'),
	(58, 'payments', 'item'),
	(59, 'payments', 'mobilemoneypush'),
	(60, 'vendors', 'vendor'),
	(61, 'vendors', 'paymentinstruction'),
	(62, 'vendors', 'vendorcontact'),
	(63, 'vendors', 'vendordocument'),
	(64, 'taxes', 'remittance'),
	(65, 'taxes', 'tax'),
	(66, 'taxes', 'taxrate'),
	(67, 'taxes', 'taxtransaction'),
	(68, 'budgets', 'budget'),
	(69, 'budgets', 'budgetalert'),
	(70, 'bills', 'bill'),
	(71, 'bills', 'billfile'),
	(72, 'bills', 'billline'),
	(73, 'bills', 'billpayment'),
	(74, 'bills', 'attempt'),
	(75, 'bills', 'linesplit'),
	(76, 'credit_notes', 'creditnote'),
	(77, 'credit_notes', 'creditapplication'),
	(78, 'bill_schedules', 'billschedule'),
	(79, 'bill_schedules', 'scheduledbill'),
	(80, 'subscriptions', 'subscription'),
	(81, 'subscriptions', 'charge'),
	(82, 'wallet_policies', 'policyaudithead'),
	(83, 'wallet_policies', 'walletpermission'),
	(84, 'wallet_policies', 'walletpolicy'),
	(85, 'wallet_policies', 'walletuse'),
	(86, 'wallet_policies', 'policyaudit'),
	(87, 'permissions', 'employeerights'),
	(88, 'permissions', 'rolerights'),
	(89, 'business_policies', 'policygroup'),
	(90, 'business_policies', 'businesspolicy'),
	(91, 'journal', 'transaction'),
	(92, 'journal', 'filedeletion'),
	(93, 'journal', 'transactiondocument'),
	(94, 'fx', 'quote'),
	(95, 'fx', 'rate'),
	(96, 'fx', 'fxtransfer'),
	(97, 'investments', 'fund'),
	(98, 'investments', 'fundaccount'),
	(99, 'investments', 'fundprice'),
	(100, 'investments', 'movement'),
	(101, 'investments', 'operator'),
	(102, 'investments', 'optin'),
	(103, 'investments', 'valuation'),
	(104, 'accounting', 'bankmatch'),
	(105, 'accounting', 'bankrule'),
	(106, 'accounting', 'bankstatement'),
	(107, 'accounting', 'journalexport'),
	(108, 'accounting', 'openingdifference'),
	(109, 'accounting', 'exportedentry'),
	(110, 'accounting', 'matchedentry'),
	(111, 'accounting', 'period'),
	(112, 'accounting', 'statementline'),
	(113, 'accounting', 'repeatedline'),
	(114, 'accounting', 'summedaccount'),
	(115, 'accounting', 'accountday');
INSERT INTO public.django_migrations (id, app, name, applied) VALUES
	(1, 'contenttypes', '0001_initial', now()),
	(2, 'auth', '0001_initial', now()),
	(3, 'businesses', '0001_initial', now()),
	(4, 'oauth2_provider', '0001_initial', now()),
	(5, 'oauth2_provider', '0002_auto_20190406_1805', now()),
	(6, 'oauth2_provider', '0003_auto_20201211_1314', now()),
	(7, 'oauth2_provider', '0004_auto_20200902_2022', now()),
	(8, 'oauth2_provider', '0005_auto_20211222_2352', now()),
	(9, 'oauth2_provider', '0006_alter_application_client_secret', now()),
	(10, 'oauth2_provider', '0007_application_post_logout_redirect_uris', now()),
	(11, 'oauth2_provider', '0008_alter_accesstoken_token', now()),
	(12, 'oauth2_provider', '0009_add_hash_client_secret', now()),
	(13, 'oauth2_provider', '0010_application_allowed_origins', now()),
	(14, 'oauth2_provider', '0011_refreshtoken_token_family', now()),
	(15, 'oauth2_provider', '0012_add_token_checksum', now()),
	(16, 'oauth2_provider', '0013_alter_application_authorization_grant_type_device', now()),
	(17, 'oauth2_provider', '0014_alter_help_text', now()),
	(18, 'oauth2_provider', '0015_refreshtoken_token_checksum', now()),
	(19, 'oauth2_provider', '0016_alter_devicegrant_scope', now()),
	(20, 'oauth2_provider', '0017_application_dcr_created', now()),
	(21, 'oauth2_provider', '0018_resource_indicators', now()),
	(22, 'oauth2_provider', '0019_application_registration_source', now()),
	(23, 'oauth2_provider', '0020_cimd_application_fields', now()),
	(24, 'oauth2_provider', '0021_translatable_field_labels', now()),
	(25, 'oauth2_provider', '0022_refreshtoken_token_family_index', now()),
	(26, 'contenttypes', '0002_remove_content_type_name', now()),
	(27, 'auth', '0002_alter_permission_name_max_length', now()),
	(28, 'auth', '0003_alter_user_email_max_length', now()),
	(29, 'auth', '0004_alter_user_username_opts', now()),
	(30, 'auth', '0005_alter_user_last_login_null', now()),
	(31, 'auth', '0006_require_contenttypes_0002', now()),
	(32, 'auth', '0007_alter_validators_add_error_messages', now()),
	(33, 'auth', '0008_alter_user_username_max_length', now()),
	(34, 'auth', '0009_alter_user_last_name_max_length', now()),
	(35, 'auth', '0010_alter_group_name_max_length', now()),
	(36, 'auth', '0011_update_proxy_permissions', now()),
	(37, 'auth', '0012_alter_user_first_name_max_length', now()),
	(38, 'ledger', '0001_initial', now()),
	(39, 'accounts', '0001_initial', now()),
	(40, 'accounting', '0001_initial', now()),
	(41, 'approvals', '0001_initial', now()),
	(42, 'vendors', '0001_initial', now()),
	(43, 'categories', '0001_initial', now()),
	(44, 'budgets', '0001_initial', now()),
	(45, 'bills', '0001_initial', now()),
	(46, 'bill_schedules', '0001_initial', now()),
	(47, 'business_policies', '0001_initial', now()),
	(48, 'journal', '0001_initial', now()),
	(49, 'expenses', '0001_initial', now()),
	(50, 'cards', '0001_initial', now()),
	(51, 'credit_notes', '0001_initial', now()),
	(52, 'customers', '0001_initial', now()),
	(53, 'events', '0001_initial', now()),
	(54, 'fx', '0001_initial', now()),
	(55, 'investments', '0001_initial', now()),
	(56, 'payments', '0001_initial', now()),
	(57, 'permissions', '0001_initial', now()),
	(58, 'rails', '0001_initial', now()),
	(59, 'sandbox', '0001_initial', now()),
	(60, 'subscriptions', '0001_initial', now()),
	(61, 'taxes', '0001_initial', now()),
	(62, 'wallet_policies', '0001_initial', now()),
	(63, 'webhooks', '0001_initial', now());
INSERT INTO public.ledger_horizon (name, settled, done, candidate, candidate_xid, "position", head) VALUES
	('changed', 0, 0, 0, 0, 0, '\x'),
	('transaction', 0, 0, 0, 0, 0, '\x'),
	('deferred', 0, 0, 0, 0, 0, '\x');
INSERT INTO public.wallet_policies_walletpermission (name, title, "group", moves_money, "position", created_at, updated_at) VALUES
	('WALLET_VIEW', 'See the wallet', 'VIEW', false, 0, now(), now()),
	('WALLET_VIEW_BALANCE', 'See its balance', 'VIEW', false, 1, now(), now()),
	('WALLET_VIEW_TRANSACTIONS', 'See its transactions', 'VIEW', false, 2, now(), now()),
	('WALLET_EXPORT_STATEMENT', 'Export its statement', 'VIEW', false, 3, now(), now()),
	('WALLET_TOPUP', 'Top it up', 'FUND', false, 4, now(), now()),
	('WALLET_TRANSFER_INTERNAL', 'Transfer to another wallet', 'MOVE', true, 5, now(), now()),
	('WALLET_FX', 'Make FX transfers from it', 'MOVE', true, 6, now(), now()),
	('WALLET_PAY_VENDOR', 'Pay vendors from it', 'MOVE', true, 7, now(), now()),
	('WALLET_PAYOUT_INITIATE', 'Initiate payouts from it', 'MOVE', true, 8, now(), now()),
	('WALLET_PAYOUT_APPROVE', 'Approve payouts from it', 'MOVE', true, 9, now(), now()),
	('WALLET_ALLOCATE', 'Allocate to employees from it', 'MOVE', true, 10, now(), now()),
	('WALLET_DEALLOCATE', 'Take allocations back into it', 'FUND', false, 11, now(), now()),
	('WALLET_CARD_FUND', 'Spend from it by card', 'MOVE', true, 12, now(), now()),
	('WALLET_INVEST', 'Invest from it', 'MOVE', true, 13, now(), now()),
	('WALLET_MANAGE_POLICY', 'Manage who may use it', 'MANAGE', false, 14, now(), now());
SELECT pg_catalog.setval('public.accounting_exportedentry_id_seq', 1, false);
SELECT pg_catalog.setval('public.accounting_matchedentry_id_seq', 1, false);
SELECT pg_catalog.setval('public.accounting_repeatedline_id_seq', 1, false);
SELECT pg_catalog.setval('public.auth_group_id_seq', 1, false);
SELECT pg_catalog.setval('public.auth_group_permissions_id_seq', 1, false);
SELECT pg_catalog.setval('public.auth_permission_id_seq', 460, true);
SELECT pg_catalog.setval('public.auth_user_groups_id_seq', 1, false);
SELECT pg_catalog.setval('public.auth_user_id_seq', 1, false);
SELECT pg_catalog.setval('public.auth_user_user_permissions_id_seq', 1, false);
SELECT pg_catalog.setval('public.budgets_budgetalert_id_seq', 1, false);
SELECT pg_catalog.setval('public.businesses_client_id_seq', 1, false);
SELECT pg_catalog.setval('public.businesses_storedanswer_id_seq', 1, false);
SELECT pg_catalog.setval('public.cards_capture_id_seq', 1, false);
SELECT pg_catalog.setval('public.customers_customerterm_id_seq', 1, false);
SELECT pg_catalog.setval('public.django_content_type_id_seq', 115, true);
SELECT pg_catalog.setval('public.django_migrations_id_seq', 63, true);
SELECT pg_catalog.setval('public.fx_rate_id_seq', 1, false);
SELECT pg_catalog.setval('public.investments_fundprice_id_seq', 1, false);
SELECT pg_catalog.setval('public.investments_operator_id_seq', 1, false);
SELECT pg_catalog.setval('public.investments_valuation_id_seq', 1, false);
SELECT pg_catalog.setval('public.ledger_account_id_seq', 1, false);
SELECT pg_catalog.setval('public.ledger_deferred_seq', 1, false);
SELECT pg_catalog.setval('public.ledger_hold_id_seq', 1, false);
SELECT pg_catalog.setval('public.ledger_snapshot_id_seq', 1, false);
SELECT pg_catalog.setval('public.ledger_transaction_id_seq', 1, false);
SELECT pg_catalog.setval('public.oauth2_provider_accesstoken_id_seq', 1, false);
SELECT pg_catalog.setval('public.oauth2_provider_devicegrant_id_seq', 1, false);
SELECT pg_catalog.setval('public.oauth2_provider_grant_id_seq', 1, false);
SELECT pg_catalog.setval('public.oauth2_provider_idtoken_id_seq', 1, false);
SELECT pg_catalog.setval('public.oauth2_provider_refreshtoken_id_seq', 1, false);
SELECT pg_catalog.setval('public.payments_batchnumber_id_seq', 1, false);
SELECT pg_catalog.setval('public.subscriptions_charge_id_seq', 1, false);
SELECT pg_catalog.setval('public.transactions_filedeletion_id_seq', 1, false);
SELECT pg_catalog.setval('public.transactions_transactionpart_id_seq', 1, false);
SELECT pg_catalog.setval('public.webhooks_delivery_id_seq', 1, false);
ALTER TABLE ONLY public.accounting_accountday
    ADD CONSTRAINT accounting_accountday_pkey PRIMARY KEY (business_id, account_id, effective_on);
ALTER TABLE ONLY public.accounting_bankmatch
    ADD CONSTRAINT accounting_bankmatch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounting_bankrule
    ADD CONSTRAINT accounting_bankrule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounting_bankstatement
    ADD CONSTRAINT accounting_bankstatement_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounting_exportedentry
    ADD CONSTRAINT accounting_exportedentry_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounting_journalexport
    ADD CONSTRAINT accounting_journalexport_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounting_matchedentry
    ADD CONSTRAINT accounting_matchedentry_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounting_openingdifference
    ADD CONSTRAINT accounting_openingdifference_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounting_period
    ADD CONSTRAINT accounting_period_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounting_repeatedline
    ADD CONSTRAINT accounting_repeatedline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounting_statementline
    ADD CONSTRAINT accounting_statementline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounting_summedaccount
    ADD CONSTRAINT accounting_summedaccount_pkey PRIMARY KEY (business_id, account_id);
ALTER TABLE ONLY public.accounts_currency
    ADD CONSTRAINT accounts_currency_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts_wallet
    ADD CONSTRAINT accounts_wallet_ledger_account_id_key UNIQUE (ledger_account_id);
ALTER TABLE ONLY public.accounts_wallet
    ADD CONSTRAINT accounts_wallet_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.approvals_approval
    ADD CONSTRAINT approvals_approval_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.approvals_mandate
    ADD CONSTRAINT approvals_mandate_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.approvals_mandateapprover
    ADD CONSTRAINT approvals_mandateapprover_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.approvals_vote
    ADD CONSTRAINT approvals_vote_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.approvals_workflow
    ADD CONSTRAINT approvals_workflow_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.approvals_mandateapprover
    ADD CONSTRAINT approver_once_per_mandate UNIQUE (mandate_id, employee_id);
ALTER TABLE ONLY public.bills_attempt
    ADD CONSTRAINT attempt_number_once UNIQUE (payment_id, number);
ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_name_key UNIQUE (name);
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_permission_id_0cd325b0_uniq UNIQUE (group_id, permission_id);
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_codename_01ab375a_uniq UNIQUE (content_type_id, codename);
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_user_groups
    ADD CONSTRAINT auth_user_groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_user_groups
    ADD CONSTRAINT auth_user_groups_user_id_group_id_94350c0c_uniq UNIQUE (user_id, group_id);
ALTER TABLE ONLY public.auth_user
    ADD CONSTRAINT auth_user_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_user_user_permissions
    ADD CONSTRAINT auth_user_user_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_user_user_permissions
    ADD CONSTRAINT auth_user_user_permissions_user_id_permission_id_14a6b632_uniq UNIQUE (user_id, permission_id);
ALTER TABLE ONLY public.auth_user
    ADD CONSTRAINT auth_user_username_key UNIQUE (username);
ALTER TABLE ONLY public.accounting_statementline
    ADD CONSTRAINT bank_line_once UNIQUE (wallet_id, fingerprint);
ALTER TABLE ONLY public.accounting_bankrule
    ADD CONSTRAINT bank_rule_once UNIQUE (business_id, name);
ALTER TABLE ONLY public.accounting_bankstatement
    ADD CONSTRAINT bank_statement_once UNIQUE (wallet_id, sha256);
ALTER TABLE ONLY public.payments_batch
    ADD CONSTRAINT batch_no_once UNIQUE (business_id, batch_no);
ALTER TABLE ONLY public.payments_batchnumber
    ADD CONSTRAINT batch_number_of_day UNIQUE (business_id, day);
ALTER TABLE ONLY public.bills_billline
    ADD CONSTRAINT bill_line_position_once UNIQUE (bill_id, "position");
ALTER TABLE ONLY public.bills_billpayment
    ADD CONSTRAINT bill_payment_ref_once UNIQUE (business_id, ref);
ALTER TABLE ONLY public.bill_schedules_billschedule
    ADD CONSTRAINT bill_schedules_billschedule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bill_schedules_scheduledbill
    ADD CONSTRAINT bill_schedules_scheduledbill_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bills_attempt
    ADD CONSTRAINT bills_attempt_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bills_bill
    ADD CONSTRAINT bills_bill_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bills_billfile
    ADD CONSTRAINT bills_billfile_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bills_billline
    ADD CONSTRAINT bills_billline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bills_billpayment
    ADD CONSTRAINT bills_billpayment_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bills_linesplit
    ADD CONSTRAINT bills_linesplit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.budgets_budgetalert
    ADD CONSTRAINT budget_alert_once UNIQUE (budget_id, period_start, percent);
ALTER TABLE ONLY public.budgets_budget
    ADD CONSTRAINT budget_name_once_per_business UNIQUE (business_id, name);
ALTER TABLE ONLY public.budgets_budget
    ADD CONSTRAINT budgets_budget_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.budgets_budgetalert
    ADD CONSTRAINT budgets_budgetalert_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.business_policies_businesspolicy
    ADD CONSTRAINT business_policies_businesspolicy_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.business_policies_policygroup
    ADD CONSTRAINT business_policies_policygroup_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.businesses_apikey
    ADD CONSTRAINT businesses_apikey_key_hash_key UNIQUE (key_hash);
ALTER TABLE ONLY public.businesses_apikey
    ADD CONSTRAINT businesses_apikey_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.businesses_business
    ADD CONSTRAINT businesses_business_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.businesses_client
    ADD CONSTRAINT businesses_client_client_id_key UNIQUE (client_id);
ALTER TABLE ONLY public.businesses_client
    ADD CONSTRAINT businesses_client_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.businesses_storedanswer
    ADD CONSTRAINT businesses_storedanswer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.cards_authorization
    ADD CONSTRAINT cards_authorization_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.cards_capture
    ADD CONSTRAINT cards_capture_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.cards_card
    ADD CONSTRAINT cards_card_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.cards_card
    ADD CONSTRAINT cards_card_replaces_id_key UNIQUE (replaces_id);
ALTER TABLE ONLY public.cards_card
    ADD CONSTRAINT cards_card_token_key UNIQUE (token);
ALTER TABLE ONLY public.cards_cardorder
    ADD CONSTRAINT cards_cardorder_card_id_key UNIQUE (card_id);
ALTER TABLE ONLY public.cards_cardorder
    ADD CONSTRAINT cards_cardorder_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.cards_singleusepolicy
    ADD CONSTRAINT cards_singleusepolicy_pkey PRIMARY KEY (business_id);
ALTER TABLE ONLY public.cards_singleuserequest
    ADD CONSTRAINT cards_singleuserequest_card_id_key UNIQUE (card_id);
ALTER TABLE ONLY public.cards_singleuserequest
    ADD CONSTRAINT cards_singleuserequest_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.categories_category
    ADD CONSTRAINT categories_category_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.categories_subcategory
    ADD CONSTRAINT categories_subcategory_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.categories_category
    ADD CONSTRAINT category_code_once_per_business UNIQUE (business_id, code);
ALTER TABLE ONLY public.subscriptions_charge
    ADD CONSTRAINT charge_once UNIQUE (subscription_id, expense_id);
ALTER TABLE ONLY public.credit_notes_creditapplication
    ADD CONSTRAINT credit_notes_creditapplication_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.credit_notes_creditnote
    ADD CONSTRAINT credit_notes_creditnote_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.credit_notes_creditnote
    ADD CONSTRAINT credit_number_once_per_vendor UNIQUE (business_id, vendor_id, credit_no_key);
ALTER TABLE ONLY public.accounts_currency
    ADD CONSTRAINT currency_once_per_business UNIQUE (business_id, code);
ALTER TABLE ONLY public.customers_customer
    ADD CONSTRAINT customers_customer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.customers_customerterm
    ADD CONSTRAINT customers_customerterm_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_app_label_model_76bd3d3b_uniq UNIQUE (app_label, model);
ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_migrations
    ADD CONSTRAINT django_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.transactions_transactiondocument
    ADD CONSTRAINT document_once_per_transaction UNIQUE (transaction_id, sha256);
ALTER TABLE ONLY public.employees_employee
    ADD CONSTRAINT employees_employee_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks_delivery
    ADD CONSTRAINT event_once_per_endpoint UNIQUE (endpoint_id, event_id);
ALTER TABLE ONLY public.events_event
    ADD CONSTRAINT event_sequence_once UNIQUE (business_id, sequence);
ALTER TABLE ONLY public.events_auditevent
    ADD CONSTRAINT events_auditevent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.events_event
    ADD CONSTRAINT events_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.events_eventcounter
    ADD CONSTRAINT events_eventcounter_pkey PRIMARY KEY (business_id);
ALTER TABLE ONLY public.expenses_expense
    ADD CONSTRAINT expense_transaction_once UNIQUE (business_id, transaction_ref);
ALTER TABLE ONLY public.expenses_expense
    ADD CONSTRAINT expenses_expense_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.expenses_receipt
    ADD CONSTRAINT expenses_receipt_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.expenses_receiptsexport
    ADD CONSTRAINT expenses_receiptsexport_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.expenses_tag
    ADD CONSTRAINT expenses_tag_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounting_exportedentry
    ADD CONSTRAINT exported_entry_number_once UNIQUE (export_id, number);
ALTER TABLE ONLY public.investments_fundprice
    ADD CONSTRAINT fund_price_once UNIQUE (fund_id, day);
ALTER TABLE ONLY public.fx_fxtransfer
    ADD CONSTRAINT fx_fxtransfer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.fx_fxtransfer
    ADD CONSTRAINT fx_fxtransfer_quote_id_key UNIQUE (quote_id);
ALTER TABLE ONLY public.fx_quote
    ADD CONSTRAINT fx_quote_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.fx_rate
    ADD CONSTRAINT fx_rate_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.investments_fund
    ADD CONSTRAINT investments_fund_code_key UNIQUE (code);
ALTER TABLE ONLY public.investments_fund
    ADD CONSTRAINT investments_fund_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.investments_fundaccount
    ADD CONSTRAINT investments_fundaccount_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.investments_fundprice
    ADD CONSTRAINT investments_fundprice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.investments_movement
    ADD CONSTRAINT investments_movement_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.investments_operator
    ADD CONSTRAINT investments_operator_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.investments_optin
    ADD CONSTRAINT investments_optin_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.investments_valuation
    ADD CONSTRAINT investments_valuation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payments_item
    ADD CONSTRAINT item_position_once UNIQUE (batch_id, "position");
ALTER TABLE ONLY public.accounting_journalexport
    ADD CONSTRAINT journal_export_number_once UNIQUE (business_id, number);
ALTER TABLE ONLY public.ledger_account
    ADD CONSTRAINT ledger_account_once UNIQUE (business_id, kind, currency, holder_type, holder_id);
ALTER TABLE ONLY public.ledger_account
    ADD CONSTRAINT ledger_account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ledger_balance
    ADD CONSTRAINT ledger_balance_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY public.accounting_matchedentry
    ADD CONSTRAINT ledger_entry_matched_once UNIQUE (ledger_account_id, entry_seq);
ALTER TABLE ONLY public.ledger_entry
    ADD CONSTRAINT ledger_entry_pkey PRIMARY KEY (account_id, seq);
ALTER TABLE ONLY public.ledger_hold
    ADD CONSTRAINT ledger_hold_once UNIQUE (business_id, ref);
ALTER TABLE ONLY public.ledger_hold
    ADD CONSTRAINT ledger_hold_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ledger_horizon
    ADD CONSTRAINT ledger_horizon_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.ledger_run
    ADD CONSTRAINT ledger_run_pkey PRIMARY KEY (account_id, seq);
ALTER TABLE ONLY public.ledger_seal
    ADD CONSTRAINT ledger_seal_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.ledger_seal
    ADD CONSTRAINT ledger_seal_transaction_id_key UNIQUE (transaction_id);
ALTER TABLE ONLY public.ledger_snapshot
    ADD CONSTRAINT ledger_snapshot_once UNIQUE (account_id, seq);
ALTER TABLE ONLY public.ledger_snapshot
    ADD CONSTRAINT ledger_snapshot_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ledger_transaction
    ADD CONSTRAINT ledger_transaction_once UNIQUE (external_ref, business_id);
ALTER TABLE ONLY public.ledger_transaction
    ADD CONSTRAINT ledger_transaction_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bills_linesplit
    ADD CONSTRAINT line_split_once_per_team UNIQUE (line_id, team_id);
ALTER TABLE ONLY public.investments_movement
    ADD CONSTRAINT movement_ref_once UNIQUE (business_id, ref);
ALTER TABLE ONLY public.oauth2_provider_accesstoken
    ADD CONSTRAINT oauth2_provider_accesstoken_id_token_id_key UNIQUE (id_token_id);
ALTER TABLE ONLY public.oauth2_provider_accesstoken
    ADD CONSTRAINT oauth2_provider_accesstoken_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.oauth2_provider_accesstoken
    ADD CONSTRAINT oauth2_provider_accesstoken_source_refresh_token_id_key UNIQUE (source_refresh_token_id);
ALTER TABLE ONLY public.oauth2_provider_accesstoken
    ADD CONSTRAINT oauth2_provider_accesstoken_token_checksum_85319a26_uniq UNIQUE (token_checksum);
ALTER TABLE ONLY public.oauth2_provider_devicegrant
    ADD CONSTRAINT oauth2_provider_devicegrant_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.oauth2_provider_devicegrant
    ADD CONSTRAINT oauth2_provider_devicegrant_unique_device_code UNIQUE (device_code);
ALTER TABLE ONLY public.oauth2_provider_grant
    ADD CONSTRAINT oauth2_provider_grant_code_key UNIQUE (code);
ALTER TABLE ONLY public.oauth2_provider_grant
    ADD CONSTRAINT oauth2_provider_grant_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.oauth2_provider_idtoken
    ADD CONSTRAINT oauth2_provider_idtoken_jti_key UNIQUE (jti);
ALTER TABLE ONLY public.oauth2_provider_idtoken
    ADD CONSTRAINT oauth2_provider_idtoken_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.oauth2_provider_refreshtoken
    ADD CONSTRAINT oauth2_provider_refresht_token_checksum_revoked_46c81d1d_uniq UNIQUE (token_checksum, revoked);
ALTER TABLE ONLY public.oauth2_provider_refreshtoken
    ADD CONSTRAINT oauth2_provider_refreshtoken_access_token_id_key UNIQUE (access_token_id);
ALTER TABLE ONLY public.oauth2_provider_refreshtoken
    ADD CONSTRAINT oauth2_provider_refreshtoken_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.businesses_storedanswer
    ADD CONSTRAINT one_answer_per_key UNIQUE (client_id, business_id, method, route, key);
ALTER TABLE ONLY public.taxes_taxrate
    ADD CONSTRAINT one_rate_from_a_day UNIQUE (tax_id, effective_from);
ALTER TABLE ONLY public.approvals_vote
    ADD CONSTRAINT one_vote_each UNIQUE (approval_id, voter_id);
ALTER TABLE ONLY public.investments_operator
    ADD CONSTRAINT operator_once UNIQUE (account_id, employee_id);
ALTER TABLE ONLY public.investments_optin
    ADD CONSTRAINT opt_in_ref_once UNIQUE (business_id, ref);
ALTER TABLE ONLY public.payments_batch
    ADD CONSTRAINT payments_batch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payments_batchnumber
    ADD CONSTRAINT payments_batchnumber_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payments_intent
    ADD CONSTRAINT payments_intent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payments_item
    ADD CONSTRAINT payments_item_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payments_mobilemoneypush
    ADD CONSTRAINT payments_mobilemoneypush_checkout_request_id_key UNIQUE (checkout_request_id);
ALTER TABLE ONLY public.payments_mobilemoneypush
    ADD CONSTRAINT payments_mobilemoneypush_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounting_period
    ADD CONSTRAINT period_once UNIQUE (business_id, first_day);
ALTER TABLE ONLY public.permissions_employeerights
    ADD CONSTRAINT permissions_employeerights_pkey PRIMARY KEY (employee_id);
ALTER TABLE ONLY public.permissions_rolerights
    ADD CONSTRAINT permissions_rolerights_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.wallet_policies_policyaudit
    ADD CONSTRAINT policy_audit_one_chain UNIQUE (business_id, seq);
ALTER TABLE ONLY public.business_policies_policygroup
    ADD CONSTRAINT policy_group_once UNIQUE (business_id, code);
ALTER TABLE ONLY public.rails_message
    ADD CONSTRAINT rails_message_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.fx_rate
    ADD CONSTRAINT rate_once UNIQUE (currency, as_of, fixing);
ALTER TABLE ONLY public.accounting_repeatedline
    ADD CONSTRAINT repeated_line_once UNIQUE (line_id, statement_id);
ALTER TABLE ONLY public.teams_teamreviewer
    ADD CONSTRAINT reviewer_once_per_team UNIQUE (team_id, employee_id);
ALTER TABLE ONLY public.permissions_rolerights
    ADD CONSTRAINT rights_once_per_role UNIQUE (business_id, role);
ALTER TABLE ONLY public.sandbox_demoprogress
    ADD CONSTRAINT sandbox_demoprogress_pkey PRIMARY KEY (business_id);
ALTER TABLE ONLY public.bill_schedules_scheduledbill
    ADD CONSTRAINT scheduled_bill_once_per_day UNIQUE (schedule_id, "on");
ALTER TABLE ONLY public.accounting_statementline
    ADD CONSTRAINT statement_line_once UNIQUE (statement_id, number);
ALTER TABLE ONLY public.categories_subcategory
    ADD CONSTRAINT subcategory_code_once_per_category UNIQUE (category_id, code);
ALTER TABLE ONLY public.subscriptions_subscription
    ADD CONSTRAINT subscription_once_per_merchant_and_card UNIQUE NULLS NOT DISTINCT (business_id, merchant_key, currency, card_id);
ALTER TABLE ONLY public.subscriptions_charge
    ADD CONSTRAINT subscriptions_charge_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.subscriptions_subscription
    ADD CONSTRAINT subscriptions_subscription_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.taxes_tax
    ADD CONSTRAINT tax_code_once_per_business UNIQUE (business_id, code);
ALTER TABLE ONLY public.taxes_taxtransaction
    ADD CONSTRAINT tax_once_per_payment UNIQUE (business_id, bill_payment_ref, tax_id);
ALTER TABLE ONLY public.taxes_remittance
    ADD CONSTRAINT taxes_remittance_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.taxes_tax
    ADD CONSTRAINT taxes_tax_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.taxes_taxrate
    ADD CONSTRAINT taxes_taxrate_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.taxes_taxtransaction
    ADD CONSTRAINT taxes_taxtransaction_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.teams_team
    ADD CONSTRAINT teams_team_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.teams_teamreviewer
    ADD CONSTRAINT teams_teamreviewer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.transactions_transaction
    ADD CONSTRAINT transaction_once UNIQUE (business_id, origin, ref, type, org_wallet_ref, direction);
ALTER TABLE ONLY public.transactions_transactionpart
    ADD CONSTRAINT transaction_part_once UNIQUE (transaction_id, "position");
ALTER TABLE ONLY public.transactions_filedeletion
    ADD CONSTRAINT transactions_filedeletion_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.transactions_transaction
    ADD CONSTRAINT transactions_transaction_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.transactions_transactiondocument
    ADD CONSTRAINT transactions_transactiondocument_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.transactions_transactionpart
    ADD CONSTRAINT transactions_transactionpart_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.investments_valuation
    ADD CONSTRAINT valuation_once UNIQUE (account_id, day);
ALTER TABLE ONLY public.vendors_paymentinstruction
    ADD CONSTRAINT vendors_paymentinstruction_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.vendors_vendor
    ADD CONSTRAINT vendors_vendor_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.vendors_vendorcontact
    ADD CONSTRAINT vendors_vendorcontact_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.vendors_vendordocument
    ADD CONSTRAINT vendors_vendordocument_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.wallet_policies_policyaudit
    ADD CONSTRAINT wallet_policies_policyaudit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.wallet_policies_policyaudithead
    ADD CONSTRAINT wallet_policies_policyaudithead_pkey PRIMARY KEY (business_id);
ALTER TABLE ONLY public.wallet_policies_walletpermission
    ADD CONSTRAINT wallet_policies_walletpermission_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.wallet_policies_walletpolicy
    ADD CONSTRAINT wallet_policies_walletpolicy_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.wallet_policies_walletuse
    ADD CONSTRAINT wallet_policies_walletuse_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks_delivery
    ADD CONSTRAINT webhooks_delivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks_webhookendpoint
    ADD CONSTRAINT webhooks_webhookendpoint_pkey PRIMARY KEY (id);
CREATE INDEX accounting_bankmatch_id_9625e4d5_like ON public.accounting_bankmatch USING btree (id varchar_pattern_ops);
CREATE INDEX accounting_bankrule_id_e022e01c_like ON public.accounting_bankrule USING btree (id varchar_pattern_ops);
CREATE INDEX accounting_bankstatement_business_id_64c194d9 ON public.accounting_bankstatement USING btree (business_id);
CREATE INDEX accounting_bankstatement_business_id_64c194d9_like ON public.accounting_bankstatement USING btree (business_id varchar_pattern_ops);
CREATE INDEX accounting_bankstatement_id_61bff4a9_like ON public.accounting_bankstatement USING btree (id varchar_pattern_ops);
CREATE INDEX accounting_bankstatement_wallet_id_d311da82 ON public.accounting_bankstatement USING btree (wallet_id);
CREATE INDEX accounting_bankstatement_wallet_id_d311da82_like ON public.accounting_bankstatement USING btree (wallet_id varchar_pattern_ops);
CREATE INDEX accounting_journalexport_id_f48a178c_like ON public.accounting_journalexport USING btree (id varchar_pattern_ops);
CREATE INDEX accounting_matchedentry_match_id_f5a84725 ON public.accounting_matchedentry USING btree (match_id);
CREATE INDEX accounting_matchedentry_match_id_f5a84725_like ON public.accounting_matchedentry USING btree (match_id varchar_pattern_ops);
CREATE INDEX accounting_openingdifference_id_968a6193_like ON public.accounting_openingdifference USING btree (id varchar_pattern_ops);
CREATE INDEX accounting_period_business_id_79906462 ON public.accounting_period USING btree (business_id);
CREATE INDEX accounting_period_business_id_79906462_like ON public.accounting_period USING btree (business_id varchar_pattern_ops);
CREATE INDEX accounting_period_id_c8ba46ce_like ON public.accounting_period USING btree (id varchar_pattern_ops);
CREATE INDEX accounting_repeatedline_statement_id_fadfae40 ON public.accounting_repeatedline USING btree (statement_id);
CREATE INDEX accounting_repeatedline_statement_id_fadfae40_like ON public.accounting_repeatedline USING btree (statement_id varchar_pattern_ops);
CREATE INDEX accounting_statementline_id_356a1ab9_like ON public.accounting_statementline USING btree (id varchar_pattern_ops);
CREATE INDEX accounting_statementline_match_id_7441af91 ON public.accounting_statementline USING btree (match_id);
CREATE INDEX accounting_statementline_match_id_7441af91_like ON public.accounting_statementline USING btree (match_id varchar_pattern_ops);
CREATE INDEX accounts_currency_business_id_7fc6d43f ON public.accounts_currency USING btree (business_id);
CREATE INDEX accounts_currency_business_id_7fc6d43f_like ON public.accounts_currency USING btree (business_id varchar_pattern_ops);
CREATE INDEX accounts_currency_id_356f3df4_like ON public.accounts_currency USING btree (id varchar_pattern_ops);
CREATE INDEX accounts_wallet_business_id_95b04c6b ON public.accounts_wallet USING btree (business_id);
CREATE INDEX accounts_wallet_business_id_95b04c6b_like ON public.accounts_wallet USING btree (business_id varchar_pattern_ops);
CREATE INDEX accounts_wallet_id_dbbbaf69_like ON public.accounts_wallet USING btree (id varchar_pattern_ops);
CREATE INDEX approval_by_ref ON public.approvals_approval USING btree (business_id, ref);
CREATE INDEX approval_due ON public.approvals_approval USING btree (expires_at) WHERE ((status)::text = 'PENDING'::text);
CREATE INDEX approval_newest ON public.approvals_approval USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX approvals_approval_business_id_2f2d425d ON public.approvals_approval USING btree (business_id);
CREATE INDEX approvals_approval_business_id_2f2d425d_like ON public.approvals_approval USING btree (business_id varchar_pattern_ops);
CREATE INDEX approvals_approval_id_487e7ab4_like ON public.approvals_approval USING btree (id varchar_pattern_ops);
CREATE INDEX approvals_approval_requested_by_id_8ea6ded8 ON public.approvals_approval USING btree (requested_by_id);
CREATE INDEX approvals_approval_requested_by_id_8ea6ded8_like ON public.approvals_approval USING btree (requested_by_id varchar_pattern_ops);
CREATE INDEX approvals_mandate_business_id_cabc365f ON public.approvals_mandate USING btree (business_id);
CREATE INDEX approvals_mandate_business_id_cabc365f_like ON public.approvals_mandate USING btree (business_id varchar_pattern_ops);
CREATE INDEX approvals_mandate_id_5b8c5755_like ON public.approvals_mandate USING btree (id varchar_pattern_ops);
CREATE INDEX approvals_mandateapprover_employee_id_764c10cb ON public.approvals_mandateapprover USING btree (employee_id);
CREATE INDEX approvals_mandateapprover_employee_id_764c10cb_like ON public.approvals_mandateapprover USING btree (employee_id varchar_pattern_ops);
CREATE INDEX approvals_mandateapprover_id_3a5008b6_like ON public.approvals_mandateapprover USING btree (id varchar_pattern_ops);
CREATE INDEX approvals_mandateapprover_mandate_id_0d84457b ON public.approvals_mandateapprover USING btree (mandate_id);
CREATE INDEX approvals_mandateapprover_mandate_id_0d84457b_like ON public.approvals_mandateapprover USING btree (mandate_id varchar_pattern_ops);
CREATE INDEX approvals_vote_approval_id_5b397772 ON public.approvals_vote USING btree (approval_id);
CREATE INDEX approvals_vote_approval_id_5b397772_like ON public.approvals_vote USING btree (approval_id varchar_pattern_ops);
CREATE INDEX approvals_vote_id_2f51c43c_like ON public.approvals_vote USING btree (id varchar_pattern_ops);
CREATE INDEX approvals_vote_voter_id_c7a893c8 ON public.approvals_vote USING btree (voter_id);
CREATE INDEX approvals_vote_voter_id_c7a893c8_like ON public.approvals_vote USING btree (voter_id varchar_pattern_ops);
CREATE INDEX approvals_workflow_business_id_c1f1d4a9 ON public.approvals_workflow USING btree (business_id);
CREATE INDEX approvals_workflow_business_id_c1f1d4a9_like ON public.approvals_workflow USING btree (business_id varchar_pattern_ops);
CREATE INDEX approvals_workflow_id_62b41801_like ON public.approvals_workflow USING btree (id varchar_pattern_ops);
CREATE INDEX audit_newest_first ON public.events_auditevent USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX auth_group_name_a6ea08ec_like ON public.auth_group USING btree (name varchar_pattern_ops);
CREATE INDEX auth_group_permissions_group_id_b120cbf9 ON public.auth_group_permissions USING btree (group_id);
CREATE INDEX auth_group_permissions_permission_id_84c5c92e ON public.auth_group_permissions USING btree (permission_id);
CREATE INDEX auth_permission_content_type_id_2f476e4b ON public.auth_permission USING btree (content_type_id);
CREATE INDEX auth_user_groups_group_id_97559544 ON public.auth_user_groups USING btree (group_id);
CREATE INDEX auth_user_groups_user_id_6a12ed8b ON public.auth_user_groups USING btree (user_id);
CREATE INDEX auth_user_user_permissions_permission_id_1fbb5f2c ON public.auth_user_user_permissions USING btree (permission_id);
CREATE INDEX auth_user_user_permissions_user_id_a95ead1b ON public.auth_user_user_permissions USING btree (user_id);
CREATE INDEX auth_user_username_6821ab7c_like ON public.auth_user USING btree (username varchar_pattern_ops);
CREATE INDEX authorization_expiring ON public.cards_authorization USING btree (expires_at) WHERE ((status)::text = 'APPROVED'::text);
CREATE INDEX authorization_newest ON public.cards_authorization USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX authorization_of_card ON public.cards_authorization USING btree (card_id, created_at);
CREATE INDEX bank_match_newest ON public.accounting_bankmatch USING btree (wallet_id, matched_at DESC, id DESC);
CREATE INDEX bank_statement_newest ON public.accounting_bankstatement USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX batch_newest ON public.payments_batch USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX batch_to_work_on ON public.payments_batch USING btree (status) WHERE ((status)::text = ANY ((ARRAY['APPROVED'::character varying, 'ON_HOLD'::character varying, 'PROCESSING'::character varying])::text[]));
CREATE INDEX bill_by_amount ON public.bills_bill USING btree (vendor_id, total_minor, issued_on);
CREATE INDEX bill_file_by_content ON public.bills_billfile USING btree (business_id, sha256);
CREATE INDEX bill_newest ON public.bills_bill USING btree (business_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX bill_number_once_per_vendor ON public.bills_bill USING btree (business_id, vendor_id, bill_no_key) WHERE (NOT ((status)::text = 'CANCELLED'::text));
CREATE INDEX bill_payment_by_day ON public.bills_billpayment USING btree (business_id, settled_at) WHERE ((status)::text = 'SUCCEEDED'::text);
CREATE INDEX bill_payment_by_name ON public.bills_billpayment USING btree (business_id, lower((receiver_name)::text), channel, id);
CREATE INDEX bill_payment_by_payee ON public.bills_billpayment USING btree (business_id, account, channel, id);
CREATE INDEX bill_payment_for_policies ON public.bills_billpayment USING btree (business_id, currency, counts_at) WHERE (counts_at IS NOT NULL);
CREATE INDEX bill_payment_of_vendor ON public.bills_billpayment USING btree (vendor_id) WHERE ((status)::text = 'SUCCEEDED'::text);
CREATE INDEX bill_payment_paid ON public.bills_billpayment USING btree (business_id, id DESC) WHERE ((status)::text = 'SUCCEEDED'::text);
CREATE INDEX bill_payment_to_work_on ON public.bills_billpayment USING btree (status) WHERE ((status)::text = ANY ((ARRAY['APPROVED'::character varying, 'SCHEDULED'::character varying, 'PROCESSING'::character varying, 'UNKNOWN'::character varying])::text[]));
CREATE INDEX bill_schedule_due ON public.bill_schedules_billschedule USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX bill_schedule_newest ON public.bill_schedules_billschedule USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX bill_schedules_billschedule_budget_id_1fa73aa4 ON public.bill_schedules_billschedule USING btree (budget_id);
CREATE INDEX bill_schedules_billschedule_budget_id_1fa73aa4_like ON public.bill_schedules_billschedule USING btree (budget_id varchar_pattern_ops);
CREATE INDEX bill_schedules_billschedule_id_af3849c5_like ON public.bill_schedules_billschedule USING btree (id varchar_pattern_ops);
CREATE INDEX bill_schedules_billschedule_team_id_2f305dc0 ON public.bill_schedules_billschedule USING btree (team_id);
CREATE INDEX bill_schedules_billschedule_team_id_2f305dc0_like ON public.bill_schedules_billschedule USING btree (team_id varchar_pattern_ops);
CREATE INDEX bill_schedules_billschedule_vendor_id_72ce7b8d ON public.bill_schedules_billschedule USING btree (vendor_id);
CREATE INDEX bill_schedules_billschedule_vendor_id_72ce7b8d_like ON public.bill_schedules_billschedule USING btree (vendor_id varchar_pattern_ops);
CREATE INDEX bill_schedules_scheduledbill_bill_id_a326c7c6 ON public.bill_schedules_scheduledbill USING btree (bill_id);
CREATE INDEX bill_schedules_scheduledbill_bill_id_a326c7c6_like ON public.bill_schedules_scheduledbill USING btree (bill_id varchar_pattern_ops);
CREATE INDEX bill_schedules_scheduledbill_id_d4f82894_like ON public.bill_schedules_scheduledbill USING btree (id varchar_pattern_ops);
CREATE INDEX bill_schedules_scheduledbill_schedule_id_c3088f3d ON public.bill_schedules_scheduledbill USING btree (schedule_id);
CREATE INDEX bill_schedules_scheduledbill_schedule_id_c3088f3d_like ON public.bill_schedules_scheduledbill USING btree (schedule_id varchar_pattern_ops);
CREATE INDEX bill_status_newest ON public.bills_bill USING btree (business_id, status, created_at DESC, id DESC);
CREATE INDEX bills_attempt_id_a0a95e01_like ON public.bills_attempt USING btree (id varchar_pattern_ops);
CREATE INDEX bills_attempt_instruction_id_d65f8106 ON public.bills_attempt USING btree (instruction_id);
CREATE INDEX bills_attempt_instruction_id_d65f8106_like ON public.bills_attempt USING btree (instruction_id varchar_pattern_ops);
CREATE INDEX bills_attempt_payment_id_2e1be88d ON public.bills_attempt USING btree (payment_id);
CREATE INDEX bills_attempt_payment_id_2e1be88d_like ON public.bills_attempt USING btree (payment_id varchar_pattern_ops);
CREATE INDEX bills_bill_budget_id_0116324a ON public.bills_bill USING btree (budget_id);
CREATE INDEX bills_bill_budget_id_0116324a_like ON public.bills_bill USING btree (budget_id varchar_pattern_ops);
CREATE INDEX bills_bill_duplicate_of_id_558fe822 ON public.bills_bill USING btree (duplicate_of_id);
CREATE INDEX bills_bill_duplicate_of_id_558fe822_like ON public.bills_bill USING btree (duplicate_of_id varchar_pattern_ops);
CREATE INDEX bills_bill_id_5fc1561a_like ON public.bills_bill USING btree (id varchar_pattern_ops);
CREATE INDEX bills_bill_team_id_b8fcb812 ON public.bills_bill USING btree (team_id);
CREATE INDEX bills_bill_team_id_b8fcb812_like ON public.bills_bill USING btree (team_id varchar_pattern_ops);
CREATE INDEX bills_bill_vendor_id_d21e75ef ON public.bills_bill USING btree (vendor_id);
CREATE INDEX bills_bill_vendor_id_d21e75ef_like ON public.bills_bill USING btree (vendor_id varchar_pattern_ops);
CREATE INDEX bills_billfile_bill_id_52a449a7 ON public.bills_billfile USING btree (bill_id);
CREATE INDEX bills_billfile_bill_id_52a449a7_like ON public.bills_billfile USING btree (bill_id varchar_pattern_ops);
CREATE INDEX bills_billfile_id_1f4bad53_like ON public.bills_billfile USING btree (id varchar_pattern_ops);
CREATE INDEX bills_billline_bill_id_d6408ef6 ON public.bills_billline USING btree (bill_id);
CREATE INDEX bills_billline_bill_id_d6408ef6_like ON public.bills_billline USING btree (bill_id varchar_pattern_ops);
CREATE INDEX bills_billline_id_b086c08d_like ON public.bills_billline USING btree (id varchar_pattern_ops);
CREATE INDEX bills_billpayment_bill_id_44f0b031 ON public.bills_billpayment USING btree (bill_id);
CREATE INDEX bills_billpayment_bill_id_44f0b031_like ON public.bills_billpayment USING btree (bill_id varchar_pattern_ops);
CREATE INDEX bills_billpayment_id_ce4adf50_like ON public.bills_billpayment USING btree (id varchar_pattern_ops);
CREATE INDEX bills_billpayment_instruction_id_b55433df ON public.bills_billpayment USING btree (instruction_id);
CREATE INDEX bills_billpayment_instruction_id_b55433df_like ON public.bills_billpayment USING btree (instruction_id varchar_pattern_ops);
CREATE INDEX bills_billpayment_vendor_id_7b4239a1 ON public.bills_billpayment USING btree (vendor_id);
CREATE INDEX bills_billpayment_vendor_id_7b4239a1_like ON public.bills_billpayment USING btree (vendor_id varchar_pattern_ops);
CREATE INDEX bills_billpayment_wallet_id_e0fe6090 ON public.bills_billpayment USING btree (wallet_id);
CREATE INDEX bills_billpayment_wallet_id_e0fe6090_like ON public.bills_billpayment USING btree (wallet_id varchar_pattern_ops);
CREATE INDEX bills_linesplit_bill_id_b3e49eeb ON public.bills_linesplit USING btree (bill_id);
CREATE INDEX bills_linesplit_bill_id_b3e49eeb_like ON public.bills_linesplit USING btree (bill_id varchar_pattern_ops);
CREATE INDEX bills_linesplit_id_0f9504d7_like ON public.bills_linesplit USING btree (id varchar_pattern_ops);
CREATE INDEX bills_linesplit_line_id_22ae8d6e ON public.bills_linesplit USING btree (line_id);
CREATE INDEX bills_linesplit_line_id_22ae8d6e_like ON public.bills_linesplit USING btree (line_id varchar_pattern_ops);
CREATE INDEX bills_linesplit_team_id_2c7a51b6 ON public.bills_linesplit USING btree (team_id);
CREATE INDEX bills_linesplit_team_id_2c7a51b6_like ON public.bills_linesplit USING btree (team_id varchar_pattern_ops);
CREATE INDEX budgets_budget_business_id_dcac66f9 ON public.budgets_budget USING btree (business_id);
CREATE INDEX budgets_budget_business_id_dcac66f9_like ON public.budgets_budget USING btree (business_id varchar_pattern_ops);
CREATE INDEX budgets_budget_category_id_a6752862 ON public.budgets_budget USING btree (category_id);
CREATE INDEX budgets_budget_category_id_a6752862_like ON public.budgets_budget USING btree (category_id varchar_pattern_ops);
CREATE INDEX budgets_budget_id_0876dcf1_like ON public.budgets_budget USING btree (id varchar_pattern_ops);
CREATE INDEX budgets_budget_team_id_df403d18 ON public.budgets_budget USING btree (team_id);
CREATE INDEX budgets_budget_team_id_df403d18_like ON public.budgets_budget USING btree (team_id varchar_pattern_ops);
CREATE INDEX budgets_budgetalert_budget_id_6742ccfe ON public.budgets_budgetalert USING btree (budget_id);
CREATE INDEX budgets_budgetalert_budget_id_6742ccfe_like ON public.budgets_budgetalert USING btree (budget_id varchar_pattern_ops);
CREATE INDEX business_policies_businesspolicy_business_id_841f92fd ON public.business_policies_businesspolicy USING btree (business_id);
CREATE INDEX business_policies_businesspolicy_business_id_841f92fd_like ON public.business_policies_businesspolicy USING btree (business_id varchar_pattern_ops);
CREATE INDEX business_policies_businesspolicy_group_id_140cdaa9 ON public.business_policies_businesspolicy USING btree (group_id);
CREATE INDEX business_policies_businesspolicy_group_id_140cdaa9_like ON public.business_policies_businesspolicy USING btree (group_id varchar_pattern_ops);
CREATE INDEX business_policies_businesspolicy_id_b477817b_like ON public.business_policies_businesspolicy USING btree (id varchar_pattern_ops);
CREATE INDEX business_policies_businesspolicy_workflow_id_650659b2 ON public.business_policies_businesspolicy USING btree (workflow_id);
CREATE INDEX business_policies_businesspolicy_workflow_id_650659b2_like ON public.business_policies_businesspolicy USING btree (workflow_id varchar_pattern_ops);
CREATE INDEX business_policies_policygroup_business_id_5be96c20 ON public.business_policies_policygroup USING btree (business_id);
CREATE INDEX business_policies_policygroup_business_id_5be96c20_like ON public.business_policies_policygroup USING btree (business_id varchar_pattern_ops);
CREATE INDEX business_policies_policygroup_id_33445898_like ON public.business_policies_policygroup USING btree (id varchar_pattern_ops);
CREATE INDEX businesses_apikey_business_id_54cf5fba ON public.businesses_apikey USING btree (business_id);
CREATE INDEX businesses_apikey_business_id_54cf5fba_like ON public.businesses_apikey USING btree (business_id varchar_pattern_ops);
CREATE INDEX businesses_apikey_id_2b0c1d59_like ON public.businesses_apikey USING btree (id varchar_pattern_ops);
CREATE INDEX businesses_apikey_key_hash_251ea18a_like ON public.businesses_apikey USING btree (key_hash varchar_pattern_ops);
CREATE INDEX businesses_business_id_3a5dc16b_like ON public.businesses_business USING btree (id varchar_pattern_ops);
CREATE INDEX businesses_client_business_id_a2f0118a ON public.businesses_client USING btree (business_id);
CREATE INDEX businesses_client_business_id_a2f0118a_like ON public.businesses_client USING btree (business_id varchar_pattern_ops);
CREATE INDEX businesses_client_client_id_9e583a13_like ON public.businesses_client USING btree (client_id varchar_pattern_ops);
CREATE INDEX businesses_client_client_secret_b1924160 ON public.businesses_client USING btree (client_secret);
CREATE INDEX businesses_client_client_secret_b1924160_like ON public.businesses_client USING btree (client_secret varchar_pattern_ops);
CREATE INDEX businesses_client_employee_id_50a90fe4 ON public.businesses_client USING btree (employee_id);
CREATE INDEX businesses_client_employee_id_50a90fe4_like ON public.businesses_client USING btree (employee_id varchar_pattern_ops);
CREATE INDEX businesses_client_user_id_648fbffc ON public.businesses_client USING btree (user_id);
CREATE INDEX businesses_storedanswer_keep_until_f349be11 ON public.businesses_storedanswer USING btree (keep_until);
CREATE UNIQUE INDEX capture_once_per_request ON public.cards_capture USING btree (authorization_id, effect) WHERE (NOT ((effect)::text = ''::text));
CREATE INDEX card_expiring ON public.cards_card USING btree (expiry_year, expiry_month) WHERE ((status)::text = 'ACTIVE'::text);
CREATE INDEX card_lineage ON public.cards_card USING btree (lineage) WHERE (NOT ((lineage)::text = ''::text));
CREATE INDEX card_newest ON public.cards_card USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX card_of_employee ON public.cards_card USING btree (employee_id, created_at DESC, id DESC);
CREATE INDEX card_order_moving ON public.cards_cardorder USING btree (decided_at) WHERE ((status)::text = ANY ((ARRAY['ORDERED'::character varying, 'SHIPPED'::character varying])::text[]));
CREATE INDEX card_order_newest ON public.cards_cardorder USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX cards_authorization_expense_id_e313abdf ON public.cards_authorization USING btree (expense_id);
CREATE INDEX cards_authorization_expense_id_e313abdf_like ON public.cards_authorization USING btree (expense_id varchar_pattern_ops);
CREATE INDEX cards_authorization_id_064def7b_like ON public.cards_authorization USING btree (id varchar_pattern_ops);
CREATE INDEX cards_capture_authorization_id_b65538cd ON public.cards_capture USING btree (authorization_id);
CREATE INDEX cards_capture_authorization_id_b65538cd_like ON public.cards_capture USING btree (authorization_id varchar_pattern_ops);
CREATE INDEX cards_capture_expense_id_3366105f ON public.cards_capture USING btree (expense_id);
CREATE INDEX cards_capture_expense_id_3366105f_like ON public.cards_capture USING btree (expense_id varchar_pattern_ops);
CREATE INDEX cards_card_business_id_6eeb033d ON public.cards_card USING btree (business_id);
CREATE INDEX cards_card_business_id_6eeb033d_like ON public.cards_card USING btree (business_id varchar_pattern_ops);
CREATE INDEX cards_card_employee_id_66a9e27b ON public.cards_card USING btree (employee_id);
CREATE INDEX cards_card_employee_id_66a9e27b_like ON public.cards_card USING btree (employee_id varchar_pattern_ops);
CREATE INDEX cards_card_id_43ab6199_like ON public.cards_card USING btree (id varchar_pattern_ops);
CREATE INDEX cards_card_replaces_id_b055b724_like ON public.cards_card USING btree (replaces_id varchar_pattern_ops);
CREATE INDEX cards_card_token_d1dcee39_like ON public.cards_card USING btree (token varchar_pattern_ops);
CREATE INDEX cards_cardorder_card_id_da2fb420_like ON public.cards_cardorder USING btree (card_id varchar_pattern_ops);
CREATE INDEX cards_cardorder_id_c9ddd7ab_like ON public.cards_cardorder USING btree (id varchar_pattern_ops);
CREATE INDEX cards_singleusepolicy_business_id_e08884ed_like ON public.cards_singleusepolicy USING btree (business_id varchar_pattern_ops);
CREATE INDEX cards_singleuserequest_card_id_434f2385_like ON public.cards_singleuserequest USING btree (card_id varchar_pattern_ops);
CREATE INDEX cards_singleuserequest_employee_id_fa78f1a7 ON public.cards_singleuserequest USING btree (employee_id);
CREATE INDEX cards_singleuserequest_employee_id_fa78f1a7_like ON public.cards_singleuserequest USING btree (employee_id varchar_pattern_ops);
CREATE INDEX cards_singleuserequest_id_37d78a3d_like ON public.cards_singleuserequest USING btree (id varchar_pattern_ops);
CREATE INDEX categories_category_business_id_2a6af931 ON public.categories_category USING btree (business_id);
CREATE INDEX categories_category_business_id_2a6af931_like ON public.categories_category USING btree (business_id varchar_pattern_ops);
CREATE INDEX categories_category_id_158ab813_like ON public.categories_category USING btree (id varchar_pattern_ops);
CREATE INDEX categories_subcategory_business_id_881eb096 ON public.categories_subcategory USING btree (business_id);
CREATE INDEX categories_subcategory_business_id_881eb096_like ON public.categories_subcategory USING btree (business_id varchar_pattern_ops);
CREATE INDEX categories_subcategory_category_id_58b66954 ON public.categories_subcategory USING btree (category_id);
CREATE INDEX categories_subcategory_category_id_58b66954_like ON public.categories_subcategory USING btree (category_id varchar_pattern_ops);
CREATE INDEX categories_subcategory_id_5c69d15b_like ON public.categories_subcategory USING btree (id varchar_pattern_ops);
CREATE UNIQUE INDEX credit_applied_once_per_request ON public.credit_notes_creditapplication USING btree (note_id, effect) WHERE (NOT ((effect)::text = ''::text));
CREATE INDEX credit_note_newest ON public.credit_notes_creditnote USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX credit_notes_creditapplication_bill_id_56d345af ON public.credit_notes_creditapplication USING btree (bill_id);
CREATE INDEX credit_notes_creditapplication_bill_id_56d345af_like ON public.credit_notes_creditapplication USING btree (bill_id varchar_pattern_ops);
CREATE INDEX credit_notes_creditapplication_id_e256affb_like ON public.credit_notes_creditapplication USING btree (id varchar_pattern_ops);
CREATE INDEX credit_notes_creditapplication_note_id_5f9fd854 ON public.credit_notes_creditapplication USING btree (note_id);
CREATE INDEX credit_notes_creditapplication_note_id_5f9fd854_like ON public.credit_notes_creditapplication USING btree (note_id varchar_pattern_ops);
CREATE INDEX credit_notes_creditnote_bill_id_640988eb ON public.credit_notes_creditnote USING btree (bill_id);
CREATE INDEX credit_notes_creditnote_bill_id_640988eb_like ON public.credit_notes_creditnote USING btree (bill_id varchar_pattern_ops);
CREATE INDEX credit_notes_creditnote_id_72f1711c_like ON public.credit_notes_creditnote USING btree (id varchar_pattern_ops);
CREATE INDEX credit_notes_creditnote_vendor_id_c51bdfed ON public.credit_notes_creditnote USING btree (vendor_id);
CREATE INDEX credit_notes_creditnote_vendor_id_c51bdfed_like ON public.credit_notes_creditnote USING btree (vendor_id varchar_pattern_ops);
CREATE INDEX customer_newest ON public.customers_customer USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX customer_status_newest ON public.customers_customer USING btree (business_id, status, created_at DESC, id DESC);
CREATE UNIQUE INDEX customer_term_once ON public.customers_customerterm USING btree (business_id, rank, term, customer_id) INCLUDE (line);
CREATE INDEX customers_customer_id_ff9eaee8_like ON public.customers_customer USING btree (id varchar_pattern_ops);
CREATE INDEX delivery_due ON public.webhooks_delivery USING btree (due_at) WHERE ((status)::text = 'PENDING'::text);
CREATE INDEX employee_business_team ON public.employees_employee USING btree (business_id, team_id);
CREATE UNIQUE INDEX employee_email_once_per_business ON public.employees_employee USING btree (business_id, lower((email)::text)) WHERE (NOT ((status)::text = 'DELETED'::text));
CREATE INDEX employee_newest ON public.employees_employee USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX employees_employee_business_id_9336ce37 ON public.employees_employee USING btree (business_id);
CREATE INDEX employees_employee_business_id_9336ce37_like ON public.employees_employee USING btree (business_id varchar_pattern_ops);
CREATE INDEX employees_employee_id_94fc05e1_like ON public.employees_employee USING btree (id varchar_pattern_ops);
CREATE INDEX employees_employee_supervisor_id_624b662d ON public.employees_employee USING btree (supervisor_id);
CREATE INDEX employees_employee_supervisor_id_624b662d_like ON public.employees_employee USING btree (supervisor_id varchar_pattern_ops);
CREATE INDEX employees_employee_team_id_d13821d0 ON public.employees_employee USING btree (team_id);
CREATE INDEX employees_employee_team_id_d13821d0_like ON public.employees_employee USING btree (team_id varchar_pattern_ops);
CREATE INDEX event_age ON public.events_event USING btree (created_at);
CREATE INDEX event_unnumbered ON public.events_event USING btree (id) WHERE (sequence IS NULL);
CREATE INDEX events_eventcounter_business_id_8c3ea030_like ON public.events_eventcounter USING btree (business_id varchar_pattern_ops);
CREATE INDEX expense_changed ON public.expenses_expense USING btree (business_id, updated_at);
CREATE INDEX expense_newest ON public.expenses_expense USING btree (business_id, transaction_date DESC, id DESC);
CREATE INDEX expense_own_newest ON public.expenses_expense USING btree (employee_id, transaction_date DESC, id DESC) WHERE (employee_id IS NOT NULL);
CREATE INDEX expense_status_newest ON public.expenses_expense USING btree (business_id, status, transaction_date DESC, id DESC);
CREATE INDEX expense_tagged ON public.expenses_expense USING gin (tags) WHERE (NOT (tags = '{}'::character varying(40)[]));
CREATE INDEX expense_team_newest ON public.expenses_expense USING btree (business_id, team_id, transaction_date DESC, id DESC) WHERE (team_id IS NOT NULL);
CREATE INDEX expenses_receipt_expense_id_94b562a2 ON public.expenses_receipt USING btree (expense_id);
CREATE INDEX expenses_receipt_expense_id_94b562a2_like ON public.expenses_receipt USING btree (expense_id varchar_pattern_ops);
CREATE INDEX expenses_receipt_id_a7769754_like ON public.expenses_receipt USING btree (id varchar_pattern_ops);
CREATE INDEX expenses_receiptsexport_business_id_e6eedf15 ON public.expenses_receiptsexport USING btree (business_id);
CREATE INDEX expenses_receiptsexport_business_id_e6eedf15_like ON public.expenses_receiptsexport USING btree (business_id varchar_pattern_ops);
CREATE INDEX expenses_receiptsexport_employee_id_2fbe5e03 ON public.expenses_receiptsexport USING btree (employee_id);
CREATE INDEX expenses_receiptsexport_employee_id_2fbe5e03_like ON public.expenses_receiptsexport USING btree (employee_id varchar_pattern_ops);
CREATE INDEX expenses_receiptsexport_id_54e0e821_like ON public.expenses_receiptsexport USING btree (id varchar_pattern_ops);
CREATE INDEX expenses_tag_id_b7a1a45c_like ON public.expenses_tag USING btree (id varchar_pattern_ops);
CREATE UNIQUE INDEX export_once_while_running ON public.expenses_receiptsexport USING btree (business_id, requested_by, fingerprint) WHERE ((status)::text = ANY ((ARRAY['QUEUED'::character varying, 'RUNNING'::character varying])::text[]));
CREATE INDEX exported_entry_filed ON public.accounting_exportedentry USING btree (subcategory_id, export_id) WHERE (NOT ((subcategory_id)::text = ''::text));
CREATE INDEX exported_entry_in_parts ON public.accounting_exportedentry USING btree (export_id) WHERE (NOT (parts = '{}'::text[]));
CREATE INDEX fund_account_newest ON public.investments_fundaccount USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX fx_fxtransfer_business_id_8579ed53 ON public.fx_fxtransfer USING btree (business_id);
CREATE INDEX fx_fxtransfer_business_id_8579ed53_like ON public.fx_fxtransfer USING btree (business_id varchar_pattern_ops);
CREATE INDEX fx_fxtransfer_id_da955201_like ON public.fx_fxtransfer USING btree (id varchar_pattern_ops);
CREATE INDEX fx_fxtransfer_quote_id_ea2b0b13_like ON public.fx_fxtransfer USING btree (quote_id varchar_pattern_ops);
CREATE INDEX fx_fxtransfer_source_wallet_id_e5fdaffb ON public.fx_fxtransfer USING btree (source_wallet_id);
CREATE INDEX fx_fxtransfer_source_wallet_id_e5fdaffb_like ON public.fx_fxtransfer USING btree (source_wallet_id varchar_pattern_ops);
CREATE INDEX fx_fxtransfer_target_wallet_id_a98572ce ON public.fx_fxtransfer USING btree (target_wallet_id);
CREATE INDEX fx_fxtransfer_target_wallet_id_a98572ce_like ON public.fx_fxtransfer USING btree (target_wallet_id varchar_pattern_ops);
CREATE INDEX fx_quote_business_id_1a9e5e6e ON public.fx_quote USING btree (business_id);
CREATE INDEX fx_quote_business_id_1a9e5e6e_like ON public.fx_quote USING btree (business_id varchar_pattern_ops);
CREATE INDEX fx_quote_id_7e5561b9_like ON public.fx_quote USING btree (id varchar_pattern_ops);
CREATE INDEX fx_transfer_by_day ON public.fx_fxtransfer USING btree (business_id, effective_on);
CREATE INDEX instruction_by_account ON public.vendors_paymentinstruction USING btree (business_id, account_key, channel);
CREATE INDEX investments_fund_code_f6487cbd_like ON public.investments_fund USING btree (code varchar_pattern_ops);
CREATE INDEX investments_fund_id_67d0cf1f_like ON public.investments_fund USING btree (id varchar_pattern_ops);
CREATE INDEX investments_fundaccount_business_id_f6df19d7 ON public.investments_fundaccount USING btree (business_id);
CREATE INDEX investments_fundaccount_business_id_f6df19d7_like ON public.investments_fundaccount USING btree (business_id varchar_pattern_ops);
CREATE INDEX investments_fundaccount_cash_id_01a171f3 ON public.investments_fundaccount USING btree (cash_id);
CREATE INDEX investments_fundaccount_cash_id_01a171f3_like ON public.investments_fundaccount USING btree (cash_id varchar_pattern_ops);
CREATE INDEX investments_fundaccount_fund_id_a573a180 ON public.investments_fundaccount USING btree (fund_id);
CREATE INDEX investments_fundaccount_fund_id_a573a180_like ON public.investments_fundaccount USING btree (fund_id varchar_pattern_ops);
CREATE INDEX investments_fundaccount_holding_id_ca762421 ON public.investments_fundaccount USING btree (holding_id);
CREATE INDEX investments_fundaccount_id_83fb464a_like ON public.investments_fundaccount USING btree (id varchar_pattern_ops);
CREATE INDEX investments_movement_id_831e99a1_like ON public.investments_movement USING btree (id varchar_pattern_ops);
CREATE INDEX investments_movement_wallet_id_9185c0ad ON public.investments_movement USING btree (wallet_id);
CREATE INDEX investments_movement_wallet_id_9185c0ad_like ON public.investments_movement USING btree (wallet_id varchar_pattern_ops);
CREATE INDEX investments_operator_account_id_f7de1865 ON public.investments_operator USING btree (account_id);
CREATE INDEX investments_operator_account_id_f7de1865_like ON public.investments_operator USING btree (account_id varchar_pattern_ops);
CREATE INDEX investments_operator_employee_id_06ebcd0e ON public.investments_operator USING btree (employee_id);
CREATE INDEX investments_operator_employee_id_06ebcd0e_like ON public.investments_operator USING btree (employee_id varchar_pattern_ops);
CREATE INDEX investments_optin_account_id_228470bf ON public.investments_optin USING btree (account_id);
CREATE INDEX investments_optin_account_id_228470bf_like ON public.investments_optin USING btree (account_id varchar_pattern_ops);
CREATE INDEX investments_optin_business_id_e6d05d75 ON public.investments_optin USING btree (business_id);
CREATE INDEX investments_optin_business_id_e6d05d75_like ON public.investments_optin USING btree (business_id varchar_pattern_ops);
CREATE INDEX investments_optin_id_d13c4c03_like ON public.investments_optin USING btree (id varchar_pattern_ops);
CREATE INDEX item_by_account_key ON public.payments_item USING btree (business_id, regexp_replace(lower((account)::text), '[^a-z0-9]'::text, ''::text, 'g'::text), amount_minor, id);
CREATE INDEX item_by_name ON public.payments_item USING btree (business_id, lower((receiver_name)::text), channel, id);
CREATE INDEX item_by_payee ON public.payments_item USING btree (business_id, account, channel, amount_minor, id);
CREATE INDEX item_by_status ON public.payments_item USING btree (batch_id, status);
CREATE INDEX item_paid ON public.payments_item USING btree (business_id, id DESC) WHERE ((status)::text = 'SUCCEEDED'::text);
CREATE INDEX item_paid_vendor ON public.payments_item USING btree (vendor_id) WHERE (((status)::text = 'SUCCEEDED'::text) AND (NOT ((vendor_id)::text = ''::text)));
CREATE INDEX journal_export_newest ON public.accounting_journalexport USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX ledger_account_business_id_3289c5db ON public.ledger_account USING btree (business_id);
CREATE INDEX ledger_account_business_id_3289c5db_like ON public.ledger_account USING btree (business_id varchar_pattern_ops);
CREATE UNIQUE INDEX ledger_entry_exported_once ON public.accounting_exportedentry USING btree (ledger_account_id, entry_seq) WHERE ((correction = 0) AND live);
CREATE INDEX ledger_entry_transaction_id_c459e7a1 ON public.ledger_entry USING btree (transaction_id);
CREATE INDEX ledger_hold_due ON public.ledger_hold USING btree (expires_at) WHERE ((status)::text = 'PENDING'::text);
CREATE INDEX ledger_hold_open ON public.ledger_hold USING btree (account_id) WHERE ((status)::text = 'PENDING'::text);
CREATE INDEX ledger_horizon_name_1a72e451_like ON public.ledger_horizon USING btree (name varchar_pattern_ops);
CREATE UNIQUE INDEX ledger_transaction_reversed_once ON public.ledger_transaction USING btree (reverses_id) WHERE (reverses_id IS NOT NULL);
CREATE INDEX mandate_by_action ON public.approvals_mandate USING btree (business_id, action_type, currency);
CREATE INDEX message_of_business ON public.rails_message USING btree (business_id, created_at DESC);
CREATE INDEX movement_due ON public.investments_movement USING btree (value_date) WHERE ((status)::text = ANY ((ARRAY['REQUESTED'::character varying, 'PROCESSING'::character varying])::text[]));
CREATE INDEX movement_newest ON public.investments_movement USING btree (account_id, created_at DESC, id DESC);
CREATE INDEX oauth2_prov_token_f_996e8a_idx ON public.oauth2_provider_refreshtoken USING btree (token_family);
CREATE INDEX oauth2_provider_accesstoken_application_id_b22886e1 ON public.oauth2_provider_accesstoken USING btree (application_id);
CREATE INDEX oauth2_provider_accesstoken_token_checksum_85319a26_like ON public.oauth2_provider_accesstoken USING btree (token_checksum varchar_pattern_ops);
CREATE INDEX oauth2_provider_accesstoken_user_id_6e4c9a65 ON public.oauth2_provider_accesstoken USING btree (user_id);
CREATE INDEX oauth2_provider_devicegrant_client_id_229dd06d ON public.oauth2_provider_devicegrant USING btree (client_id);
CREATE INDEX oauth2_provider_devicegrant_client_id_229dd06d_like ON public.oauth2_provider_devicegrant USING btree (client_id varchar_pattern_ops);
CREATE INDEX oauth2_provider_devicegrant_user_id_1cec5156 ON public.oauth2_provider_devicegrant USING btree (user_id);
CREATE INDEX oauth2_provider_grant_application_id_81923564 ON public.oauth2_provider_grant USING btree (application_id);
CREATE INDEX oauth2_provider_grant_code_49ab4ddf_like ON public.oauth2_provider_grant USING btree (code varchar_pattern_ops);
CREATE INDEX oauth2_provider_grant_user_id_e8f62af8 ON public.oauth2_provider_grant USING btree (user_id);
CREATE INDEX oauth2_provider_idtoken_application_id_08c5ff4f ON public.oauth2_provider_idtoken USING btree (application_id);
CREATE INDEX oauth2_provider_idtoken_user_id_dd512b59 ON public.oauth2_provider_idtoken USING btree (user_id);
CREATE INDEX oauth2_provider_refreshtoken_application_id_2d1c311b ON public.oauth2_provider_refreshtoken USING btree (application_id);
CREATE INDEX oauth2_provider_refreshtoken_user_id_da837fce ON public.oauth2_provider_refreshtoken USING btree (user_id);
CREATE UNIQUE INDEX one_default_instruction ON public.vendors_paymentinstruction USING btree (vendor_id) WHERE (is_default AND ((status)::text = 'ACTIVE'::text));
CREATE UNIQUE INDEX one_open_account_per_fund ON public.investments_fundaccount USING btree (business_id, fund_id) WHERE (NOT ((status)::text = 'CLOSED'::text));
CREATE UNIQUE INDEX one_open_approval ON public.approvals_approval USING btree (business_id, kind, subject_id) WHERE ((status)::text = 'PENDING'::text);
CREATE UNIQUE INDEX one_open_wallet_policy ON public.wallet_policies_walletpolicy USING btree (wallet_id, employee_id) WHERE ((status)::text = ANY ((ARRAY['ACTIVE'::character varying, 'SUSPENDED'::character varying])::text[]));
CREATE UNIQUE INDEX one_waiting_change_each ON public.vendors_paymentinstruction USING btree (replaces_id) WHERE ((status)::text = 'QUARANTINED'::text);
CREATE INDEX opening_difference_newest ON public.accounting_openingdifference USING btree (wallet_id, created_at DESC, id DESC);
CREATE INDEX opt_in_due ON public.investments_optin USING btree (expires_at) WHERE ((status)::text = 'PENDING'::text);
CREATE INDEX part_of_expense ON public.transactions_transactionpart USING btree (expense_id) WHERE (expense_id IS NOT NULL);
CREATE INDEX payments_batch_business_id_f2ca752c ON public.payments_batch USING btree (business_id);
CREATE INDEX payments_batch_business_id_f2ca752c_like ON public.payments_batch USING btree (business_id varchar_pattern_ops);
CREATE INDEX payments_batch_id_07f13494_like ON public.payments_batch USING btree (id varchar_pattern_ops);
CREATE INDEX payments_batch_wallet_id_4870b385 ON public.payments_batch USING btree (wallet_id);
CREATE INDEX payments_batch_wallet_id_4870b385_like ON public.payments_batch USING btree (wallet_id varchar_pattern_ops);
CREATE INDEX payments_batchnumber_business_id_b66a0cbc ON public.payments_batchnumber USING btree (business_id);
CREATE INDEX payments_batchnumber_business_id_b66a0cbc_like ON public.payments_batchnumber USING btree (business_id varchar_pattern_ops);
CREATE INDEX payments_intent_batch_id_7c0cd2b9 ON public.payments_intent USING btree (batch_id);
CREATE INDEX payments_intent_batch_id_7c0cd2b9_like ON public.payments_intent USING btree (batch_id varchar_pattern_ops);
CREATE INDEX payments_intent_business_id_79393cf7 ON public.payments_intent USING btree (business_id);
CREATE INDEX payments_intent_business_id_79393cf7_like ON public.payments_intent USING btree (business_id varchar_pattern_ops);
CREATE INDEX payments_intent_id_55eefd66_like ON public.payments_intent USING btree (id varchar_pattern_ops);
CREATE INDEX payments_item_batch_id_48c362fa ON public.payments_item USING btree (batch_id);
CREATE INDEX payments_item_batch_id_48c362fa_like ON public.payments_item USING btree (batch_id varchar_pattern_ops);
CREATE INDEX payments_item_id_bbbb763c_like ON public.payments_item USING btree (id varchar_pattern_ops);
CREATE INDEX payments_mobilemoneypush_business_id_1dfdfedb ON public.payments_mobilemoneypush USING btree (business_id);
CREATE INDEX payments_mobilemoneypush_business_id_1dfdfedb_like ON public.payments_mobilemoneypush USING btree (business_id varchar_pattern_ops);
CREATE INDEX payments_mobilemoneypush_checkout_request_id_701967c6_like ON public.payments_mobilemoneypush USING btree (checkout_request_id varchar_pattern_ops);
CREATE INDEX payments_mobilemoneypush_id_96eeffb6_like ON public.payments_mobilemoneypush USING btree (id varchar_pattern_ops);
CREATE INDEX payments_mobilemoneypush_wallet_id_69d0472d ON public.payments_mobilemoneypush USING btree (wallet_id);
CREATE INDEX payments_mobilemoneypush_wallet_id_69d0472d_like ON public.payments_mobilemoneypush USING btree (wallet_id varchar_pattern_ops);
CREATE INDEX permissions_employeerights_employee_id_3dac5b5a_like ON public.permissions_employeerights USING btree (employee_id varchar_pattern_ops);
CREATE INDEX permissions_rolerights_business_id_211cf385 ON public.permissions_rolerights USING btree (business_id);
CREATE INDEX permissions_rolerights_business_id_211cf385_like ON public.permissions_rolerights USING btree (business_id varchar_pattern_ops);
CREATE INDEX permissions_rolerights_id_8acd1838_like ON public.permissions_rolerights USING btree (id varchar_pattern_ops);
CREATE INDEX policy_audit_by_policy ON public.wallet_policies_policyaudit USING btree (policy_id, at DESC, id DESC);
CREATE INDEX policy_audit_by_wallet ON public.wallet_policies_policyaudit USING btree (wallet_id, at DESC, id DESC);
CREATE INDEX policy_audit_newest ON public.wallet_policies_policyaudit USING btree (business_id, at DESC, id DESC);
CREATE INDEX policy_in_force ON public.business_policies_businesspolicy USING btree (business_id, id) WHERE ((status)::text = 'ACTIVE'::text);
CREATE INDEX policy_newest ON public.business_policies_businesspolicy USING btree (business_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX policy_once_per_target_and_period ON public.business_policies_businesspolicy USING btree (business_id, type, target, currency, period, per_person) WHERE ((NOT ((status)::text = 'DELETED'::text)) AND (NOT ((type)::text = 'DAY_TIME'::text)));
CREATE INDEX push_newest ON public.payments_mobilemoneypush USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX push_open ON public.payments_mobilemoneypush USING btree (asked_until) WHERE ((status)::text = ANY ((ARRAY['PENDING'::character varying, 'TIMED_OUT'::character varying])::text[]));
CREATE INDEX rails_message_business_id_1da77b1d ON public.rails_message USING btree (business_id);
CREATE INDEX rails_message_business_id_1da77b1d_like ON public.rails_message USING btree (business_id varchar_pattern_ops);
CREATE INDEX rails_message_id_a55dc51d_like ON public.rails_message USING btree (id varchar_pattern_ops);
CREATE INDEX rate_by_day ON public.fx_rate USING btree (day DESC, currency) WHERE fixing;
CREATE INDEX rate_newest ON public.fx_rate USING btree (as_of DESC, currency) WHERE (NOT fixing);
CREATE INDEX remittance_newest ON public.taxes_remittance USING btree (business_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX remittance_reference_once ON public.taxes_remittance USING btree (business_id, reference) WHERE (NOT ((reference)::text = ''::text));
CREATE INDEX sandbox_demoprogress_business_id_ccb745af_like ON public.sandbox_demoprogress USING btree (business_id varchar_pattern_ops);
CREATE INDEX single_use_newest ON public.cards_singleuserequest USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX statement_line_by_day ON public.accounting_statementline USING btree (wallet_id, day);
CREATE INDEX statement_line_newest ON public.accounting_statementline USING btree (business_id, day DESC, id DESC);
CREATE INDEX statement_line_open ON public.accounting_statementline USING btree (wallet_id, day) WHERE ((status)::text = 'UNMATCHED'::text);
CREATE INDEX subscription_newest ON public.subscriptions_subscription USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX subscriptions_charge_expense_id_0e152f49 ON public.subscriptions_charge USING btree (expense_id);
CREATE INDEX subscriptions_charge_expense_id_0e152f49_like ON public.subscriptions_charge USING btree (expense_id varchar_pattern_ops);
CREATE INDEX subscriptions_charge_subscription_id_3123d16d ON public.subscriptions_charge USING btree (subscription_id);
CREATE INDEX subscriptions_charge_subscription_id_3123d16d_like ON public.subscriptions_charge USING btree (subscription_id varchar_pattern_ops);
CREATE INDEX subscriptions_subscription_card_id_d0ff9947 ON public.subscriptions_subscription USING btree (card_id);
CREATE INDEX subscriptions_subscription_card_id_d0ff9947_like ON public.subscriptions_subscription USING btree (card_id varchar_pattern_ops);
CREATE INDEX subscriptions_subscription_employee_id_36cdbe6e ON public.subscriptions_subscription USING btree (employee_id);
CREATE INDEX subscriptions_subscription_employee_id_36cdbe6e_like ON public.subscriptions_subscription USING btree (employee_id varchar_pattern_ops);
CREATE INDEX subscriptions_subscription_id_bf31daea_like ON public.subscriptions_subscription USING btree (id varchar_pattern_ops);
CREATE INDEX subscriptions_subscription_subcategory_id_c6729267 ON public.subscriptions_subscription USING btree (subcategory_id);
CREATE INDEX subscriptions_subscription_subcategory_id_c6729267_like ON public.subscriptions_subscription USING btree (subcategory_id varchar_pattern_ops);
CREATE INDEX subscriptions_subscription_team_id_5a337981 ON public.subscriptions_subscription USING btree (team_id);
CREATE INDEX subscriptions_subscription_team_id_5a337981_like ON public.subscriptions_subscription USING btree (team_id varchar_pattern_ops);
CREATE INDEX tag_newest ON public.expenses_tag USING btree (business_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX tag_once_per_business ON public.expenses_tag USING btree (business_id, lower((name)::text));
CREATE INDEX tax_transaction_newest ON public.taxes_taxtransaction USING btree (business_id, deducted_at DESC, id DESC);
CREATE INDEX tax_transaction_of_vendor ON public.taxes_taxtransaction USING btree (vendor_id, tax_id, deducted_at);
CREATE INDEX taxes_remittance_id_2c075e72_like ON public.taxes_remittance USING btree (id varchar_pattern_ops);
CREATE INDEX taxes_tax_business_id_0158fecd ON public.taxes_tax USING btree (business_id);
CREATE INDEX taxes_tax_business_id_0158fecd_like ON public.taxes_tax USING btree (business_id varchar_pattern_ops);
CREATE INDEX taxes_tax_id_eb1bd897_like ON public.taxes_tax USING btree (id varchar_pattern_ops);
CREATE INDEX taxes_taxrate_id_1694731e_like ON public.taxes_taxrate USING btree (id varchar_pattern_ops);
CREATE INDEX taxes_taxrate_tax_id_fac462f5 ON public.taxes_taxrate USING btree (tax_id);
CREATE INDEX taxes_taxrate_tax_id_fac462f5_like ON public.taxes_taxrate USING btree (tax_id varchar_pattern_ops);
CREATE INDEX taxes_taxtransaction_business_id_b6aa1e61 ON public.taxes_taxtransaction USING btree (business_id);
CREATE INDEX taxes_taxtransaction_business_id_b6aa1e61_like ON public.taxes_taxtransaction USING btree (business_id varchar_pattern_ops);
CREATE INDEX taxes_taxtransaction_id_33116d29_like ON public.taxes_taxtransaction USING btree (id varchar_pattern_ops);
CREATE INDEX taxes_taxtransaction_rate_id_21d71468 ON public.taxes_taxtransaction USING btree (rate_id);
CREATE INDEX taxes_taxtransaction_rate_id_21d71468_like ON public.taxes_taxtransaction USING btree (rate_id varchar_pattern_ops);
CREATE INDEX taxes_taxtransaction_remittance_id_39cc3dad ON public.taxes_taxtransaction USING btree (remittance_id);
CREATE INDEX taxes_taxtransaction_remittance_id_39cc3dad_like ON public.taxes_taxtransaction USING btree (remittance_id varchar_pattern_ops);
CREATE INDEX taxes_taxtransaction_tax_id_3032a216 ON public.taxes_taxtransaction USING btree (tax_id);
CREATE INDEX taxes_taxtransaction_tax_id_3032a216_like ON public.taxes_taxtransaction USING btree (tax_id varchar_pattern_ops);
CREATE INDEX taxes_taxtransaction_vendor_id_cb4f1344 ON public.taxes_taxtransaction USING btree (vendor_id);
CREATE INDEX taxes_taxtransaction_vendor_id_cb4f1344_like ON public.taxes_taxtransaction USING btree (vendor_id varchar_pattern_ops);
CREATE UNIQUE INDEX team_code_once_per_business ON public.teams_team USING btree (business_id, code) WHERE (NOT ((status)::text = 'DELETED'::text));
CREATE INDEX teams_team_business_id_8780a060 ON public.teams_team USING btree (business_id);
CREATE INDEX teams_team_business_id_8780a060_like ON public.teams_team USING btree (business_id varchar_pattern_ops);
CREATE INDEX teams_team_id_e4ee0f26_like ON public.teams_team USING btree (id varchar_pattern_ops);
CREATE INDEX teams_teamreviewer_employee_id_94d48aea ON public.teams_teamreviewer USING btree (employee_id);
CREATE INDEX teams_teamreviewer_employee_id_94d48aea_like ON public.teams_teamreviewer USING btree (employee_id varchar_pattern_ops);
CREATE INDEX teams_teamreviewer_id_8256f390_like ON public.teams_teamreviewer USING btree (id varchar_pattern_ops);
CREATE INDEX teams_teamreviewer_team_id_0e504162 ON public.teams_teamreviewer USING btree (team_id);
CREATE INDEX teams_teamreviewer_team_id_0e504162_like ON public.teams_teamreviewer USING btree (team_id varchar_pattern_ops);
CREATE INDEX transaction_by_day ON public.transactions_transaction USING btree (business_id, effective_on);
CREATE INDEX transaction_changed ON public.transactions_transaction USING btree (business_id, updated_at);
CREATE INDEX transaction_due ON public.transactions_transaction USING btree (value_date) WHERE ((status)::text = 'APPROVED'::text);
CREATE INDEX transaction_newest ON public.transactions_transaction USING btree (business_id, occurred_at DESC, id DESC);
CREATE INDEX transaction_of_posting ON public.transactions_transaction USING btree (ledger_transaction_id);
CREATE INDEX transaction_own_newest ON public.transactions_transaction USING btree (employee_id, occurred_at DESC, id DESC) WHERE (NOT ((employee_id)::text = ''::text));
CREATE INDEX transactions_transactiondocument_id_c16569af_like ON public.transactions_transactiondocument USING btree (id varchar_pattern_ops);
CREATE INDEX transactions_transactionpart_subcategory_id_76da0994 ON public.transactions_transactionpart USING btree (subcategory_id);
CREATE INDEX transactions_transactionpart_subcategory_id_76da0994_like ON public.transactions_transactionpart USING btree (subcategory_id varchar_pattern_ops);
CREATE INDEX vendor_by_tax_pin ON public.vendors_vendor USING btree (business_id, tax_pin) WHERE (NOT ((tax_pin)::text = ''::text));
CREATE INDEX vendor_newest ON public.vendors_vendor USING btree (business_id, created_at DESC, id DESC);
CREATE INDEX vendors_paymentinstruction_id_16859b80_like ON public.vendors_paymentinstruction USING btree (id varchar_pattern_ops);
CREATE INDEX vendors_paymentinstruction_replaces_id_8517607e ON public.vendors_paymentinstruction USING btree (replaces_id);
CREATE INDEX vendors_paymentinstruction_replaces_id_8517607e_like ON public.vendors_paymentinstruction USING btree (replaces_id varchar_pattern_ops);
CREATE INDEX vendors_paymentinstruction_vendor_id_5857c6dc ON public.vendors_paymentinstruction USING btree (vendor_id);
CREATE INDEX vendors_paymentinstruction_vendor_id_5857c6dc_like ON public.vendors_paymentinstruction USING btree (vendor_id varchar_pattern_ops);
CREATE INDEX vendors_vendor_id_3dec0467_like ON public.vendors_vendor USING btree (id varchar_pattern_ops);
CREATE INDEX vendors_vendor_merged_into_id_38552f19 ON public.vendors_vendor USING btree (merged_into_id);
CREATE INDEX vendors_vendor_merged_into_id_38552f19_like ON public.vendors_vendor USING btree (merged_into_id varchar_pattern_ops);
CREATE INDEX vendors_vendorcontact_id_3e2a2341_like ON public.vendors_vendorcontact USING btree (id varchar_pattern_ops);
CREATE INDEX vendors_vendorcontact_vendor_id_e7de1da9 ON public.vendors_vendorcontact USING btree (vendor_id);
CREATE INDEX vendors_vendorcontact_vendor_id_e7de1da9_like ON public.vendors_vendorcontact USING btree (vendor_id varchar_pattern_ops);
CREATE INDEX vendors_vendordocument_id_240be475_like ON public.vendors_vendordocument USING btree (id varchar_pattern_ops);
CREATE INDEX vendors_vendordocument_vendor_id_c6a60c8d ON public.vendors_vendordocument USING btree (vendor_id);
CREATE INDEX vendors_vendordocument_vendor_id_c6a60c8d_like ON public.vendors_vendordocument USING btree (vendor_id varchar_pattern_ops);
CREATE UNIQUE INDEX wallet_once_per_currency_and_type ON public.accounts_wallet USING btree (business_id, currency, wallet_type) WHERE (((holder_id)::text = ''::text) AND (NOT ((status)::text = 'CLOSED'::text)));
CREATE UNIQUE INDEX wallet_once_per_holder_and_currency ON public.accounts_wallet USING btree (business_id, wallet_type, holder_id, currency) WHERE (NOT ((holder_id)::text = ''::text));
CREATE INDEX wallet_policies_policyaudit_business_id_4692e51a ON public.wallet_policies_policyaudit USING btree (business_id);
CREATE INDEX wallet_policies_policyaudit_business_id_4692e51a_like ON public.wallet_policies_policyaudit USING btree (business_id varchar_pattern_ops);
CREATE INDEX wallet_policies_policyaudit_id_956446f4_like ON public.wallet_policies_policyaudit USING btree (id varchar_pattern_ops);
CREATE INDEX wallet_policies_policyaudithead_business_id_1940aa50_like ON public.wallet_policies_policyaudithead USING btree (business_id varchar_pattern_ops);
CREATE INDEX wallet_policies_walletpermission_name_3e66e839_like ON public.wallet_policies_walletpermission USING btree (name varchar_pattern_ops);
CREATE INDEX wallet_policies_walletpolicy_business_id_2de4b583 ON public.wallet_policies_walletpolicy USING btree (business_id);
CREATE INDEX wallet_policies_walletpolicy_business_id_2de4b583_like ON public.wallet_policies_walletpolicy USING btree (business_id varchar_pattern_ops);
CREATE INDEX wallet_policies_walletpolicy_employee_id_9f4400e9 ON public.wallet_policies_walletpolicy USING btree (employee_id);
CREATE INDEX wallet_policies_walletpolicy_employee_id_9f4400e9_like ON public.wallet_policies_walletpolicy USING btree (employee_id varchar_pattern_ops);
CREATE INDEX wallet_policies_walletpolicy_id_e18ea199_like ON public.wallet_policies_walletpolicy USING btree (id varchar_pattern_ops);
CREATE INDEX wallet_policies_walletpolicy_wallet_id_478cec17 ON public.wallet_policies_walletpolicy USING btree (wallet_id);
CREATE INDEX wallet_policies_walletpolicy_wallet_id_478cec17_like ON public.wallet_policies_walletpolicy USING btree (wallet_id varchar_pattern_ops);
CREATE INDEX wallet_policies_walletuse_employee_id_cfc7c823 ON public.wallet_policies_walletuse USING btree (employee_id);
CREATE INDEX wallet_policies_walletuse_employee_id_cfc7c823_like ON public.wallet_policies_walletuse USING btree (employee_id varchar_pattern_ops);
CREATE INDEX wallet_policies_walletuse_id_6f64c7e6_like ON public.wallet_policies_walletuse USING btree (id varchar_pattern_ops);
CREATE INDEX wallet_policies_walletuse_policy_id_6944fdb0 ON public.wallet_policies_walletuse USING btree (policy_id);
CREATE INDEX wallet_policies_walletuse_policy_id_6944fdb0_like ON public.wallet_policies_walletuse USING btree (policy_id varchar_pattern_ops);
CREATE INDEX wallet_policies_walletuse_wallet_id_2664bccf ON public.wallet_policies_walletuse USING btree (wallet_id);
CREATE INDEX wallet_policies_walletuse_wallet_id_2664bccf_like ON public.wallet_policies_walletuse USING btree (wallet_id varchar_pattern_ops);
CREATE INDEX wallet_policy_by_employee ON public.wallet_policies_walletpolicy USING btree (employee_id, created_at DESC, id DESC);
CREATE INDEX wallet_policy_by_wallet ON public.wallet_policies_walletpolicy USING btree (wallet_id, created_at DESC, id DESC);
CREATE INDEX wallet_policy_due ON public.wallet_policies_walletpolicy USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND ((status)::text = 'ACTIVE'::text));
CREATE UNIQUE INDEX wallet_ref_once ON public.accounts_wallet USING btree (business_id, org_wallet_ref) WHERE ((holder_id)::text = ''::text);
CREATE INDEX wallet_use_by_person ON public.wallet_policies_walletuse USING btree (wallet_id, employee_id, at);
CREATE INDEX wallet_use_by_ref ON public.wallet_policies_walletuse USING btree (wallet_id, ref) WHERE (NOT ((ref)::text = ''::text));
CREATE INDEX webhooks_delivery_endpoint_id_6cbee67d ON public.webhooks_delivery USING btree (endpoint_id);
CREATE INDEX webhooks_delivery_endpoint_id_6cbee67d_like ON public.webhooks_delivery USING btree (endpoint_id varchar_pattern_ops);
CREATE INDEX webhooks_delivery_event_id_b6f5af91 ON public.webhooks_delivery USING btree (event_id);
CREATE INDEX webhooks_delivery_event_id_b6f5af91_like ON public.webhooks_delivery USING btree (event_id varchar_pattern_ops);
CREATE INDEX webhooks_webhookendpoint_business_id_f9bd2d52 ON public.webhooks_webhookendpoint USING btree (business_id);
CREATE INDEX webhooks_webhookendpoint_business_id_f9bd2d52_like ON public.webhooks_webhookendpoint USING btree (business_id varchar_pattern_ops);
CREATE INDEX webhooks_webhookendpoint_id_fb4b7cd8_like ON public.webhooks_webhookendpoint USING btree (id varchar_pattern_ops);
CREATE INDEX workflow_by_priority ON public.approvals_workflow USING btree (business_id, action_type, priority, id);
CREATE INDEX workflow_newest ON public.approvals_workflow USING btree (business_id, action_type, created_at DESC, id DESC);
CREATE TRIGGER audit_rows_stay BEFORE DELETE OR UPDATE ON public.events_auditevent FOR EACH ROW EXECUTE FUNCTION public.audit_is_append_only();
CREATE TRIGGER audit_table_stays BEFORE TRUNCATE ON public.events_auditevent FOR EACH STATEMENT EXECUTE FUNCTION public.audit_is_append_only();
CREATE TRIGGER ledger_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_append_only();
CREATE TRIGGER ledger_entry_balances AFTER INSERT ON public.ledger_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_prove_entries();
CREATE TRIGGER ledger_seal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_seal FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_append_only();
CREATE TRIGGER ledger_transaction_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transaction FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_append_only();
CREATE CONSTRAINT TRIGGER transaction_parts_whole AFTER INSERT OR DELETE OR UPDATE ON public.transactions_transactionpart DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.transaction_parts_whole();
CREATE TRIGGER wallet_policy_audit_is_linked BEFORE INSERT ON public.wallet_policies_policyaudit FOR EACH ROW EXECUTE FUNCTION public.wallet_policy_audit_link();
CREATE TRIGGER wallet_policy_audit_rows_stay BEFORE DELETE OR UPDATE ON public.wallet_policies_policyaudit FOR EACH STATEMENT EXECUTE FUNCTION public.wallet_policy_audit_stays();
CREATE TRIGGER wallet_policy_audit_table_stays BEFORE TRUNCATE ON public.wallet_policies_policyaudit FOR EACH STATEMENT EXECUTE FUNCTION public.wallet_policy_audit_stays();
ALTER TABLE ONLY public.accounting_bankmatch
    ADD CONSTRAINT accounting_bankmatch_business_id_e399d6c8_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_bankmatch
    ADD CONSTRAINT accounting_bankmatch_wallet_id_b678769d_fk_accounts_wallet_id FOREIGN KEY (wallet_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_bankrule
    ADD CONSTRAINT accounting_bankrule_business_id_574a5d73_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_bankstatement
    ADD CONSTRAINT accounting_bankstate_business_id_64c194d9_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_bankstatement
    ADD CONSTRAINT accounting_bankstate_wallet_id_d311da82_fk_accounts_ FOREIGN KEY (wallet_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_exportedentry
    ADD CONSTRAINT accounting_exportede_export_id_301381f5_fk_accountin FOREIGN KEY (export_id) REFERENCES public.accounting_journalexport(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_journalexport
    ADD CONSTRAINT accounting_journalex_business_id_0f6cb28e_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_matchedentry
    ADD CONSTRAINT accounting_matcheden_match_id_f5a84725_fk_accountin FOREIGN KEY (match_id) REFERENCES public.accounting_bankmatch(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_openingdifference
    ADD CONSTRAINT accounting_openingdi_business_id_2db91b43_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_openingdifference
    ADD CONSTRAINT accounting_openingdi_wallet_id_521fee25_fk_accounts_ FOREIGN KEY (wallet_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_period
    ADD CONSTRAINT accounting_period_business_id_79906462_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_repeatedline
    ADD CONSTRAINT accounting_repeatedl_line_id_c221e03b_fk_accountin FOREIGN KEY (line_id) REFERENCES public.accounting_statementline(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_repeatedline
    ADD CONSTRAINT accounting_repeatedl_statement_id_fadfae40_fk_accountin FOREIGN KEY (statement_id) REFERENCES public.accounting_bankstatement(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_statementline
    ADD CONSTRAINT accounting_statement_business_id_8ed077e1_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_statementline
    ADD CONSTRAINT accounting_statement_match_id_7441af91_fk_accountin FOREIGN KEY (match_id) REFERENCES public.accounting_bankmatch(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_statementline
    ADD CONSTRAINT accounting_statement_statement_id_110e49e9_fk_accountin FOREIGN KEY (statement_id) REFERENCES public.accounting_bankstatement(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounting_statementline
    ADD CONSTRAINT accounting_statement_wallet_id_14390d84_fk_accounts_ FOREIGN KEY (wallet_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_currency
    ADD CONSTRAINT accounts_currency_business_id_7fc6d43f_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_wallet
    ADD CONSTRAINT accounts_wallet_business_id_95b04c6b_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_wallet
    ADD CONSTRAINT accounts_wallet_ledger_account_id_3b85b83d_fk_ledger_account_id FOREIGN KEY (ledger_account_id) REFERENCES public.ledger_account(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.approvals_approval
    ADD CONSTRAINT approvals_approval_business_id_2f2d425d_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.approvals_approval
    ADD CONSTRAINT approvals_approval_requested_by_id_8ea6ded8_fk_employees FOREIGN KEY (requested_by_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.approvals_mandate
    ADD CONSTRAINT approvals_mandate_business_id_cabc365f_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.approvals_mandateapprover
    ADD CONSTRAINT approvals_mandateapp_employee_id_764c10cb_fk_employees FOREIGN KEY (employee_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.approvals_mandateapprover
    ADD CONSTRAINT approvals_mandateapp_mandate_id_0d84457b_fk_approvals FOREIGN KEY (mandate_id) REFERENCES public.approvals_mandate(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.approvals_vote
    ADD CONSTRAINT approvals_vote_approval_id_5b397772_fk_approvals_approval_id FOREIGN KEY (approval_id) REFERENCES public.approvals_approval(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.approvals_vote
    ADD CONSTRAINT approvals_vote_voter_id_c7a893c8_fk_employees_employee_id FOREIGN KEY (voter_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.approvals_workflow
    ADD CONSTRAINT approvals_workflow_business_id_c1f1d4a9_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissio_permission_id_84c5c92e_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_b120cbf9_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_2f476e4b_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_user_groups
    ADD CONSTRAINT auth_user_groups_group_id_97559544_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_user_groups
    ADD CONSTRAINT auth_user_groups_user_id_6a12ed8b_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_user_user_permissions
    ADD CONSTRAINT auth_user_user_permi_permission_id_1fbb5f2c_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_user_user_permissions
    ADD CONSTRAINT auth_user_user_permissions_user_id_a95ead1b_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bill_schedules_billschedule
    ADD CONSTRAINT bill_schedules_bills_budget_id_1fa73aa4_fk_budgets_b FOREIGN KEY (budget_id) REFERENCES public.budgets_budget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bill_schedules_billschedule
    ADD CONSTRAINT bill_schedules_bills_business_id_410338f6_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bill_schedules_billschedule
    ADD CONSTRAINT bill_schedules_bills_vendor_id_72ce7b8d_fk_vendors_v FOREIGN KEY (vendor_id) REFERENCES public.vendors_vendor(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bill_schedules_billschedule
    ADD CONSTRAINT bill_schedules_billschedule_team_id_2f305dc0_fk_teams_team_id FOREIGN KEY (team_id) REFERENCES public.teams_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bill_schedules_scheduledbill
    ADD CONSTRAINT bill_schedules_sched_schedule_id_c3088f3d_fk_bill_sche FOREIGN KEY (schedule_id) REFERENCES public.bill_schedules_billschedule(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bill_schedules_scheduledbill
    ADD CONSTRAINT bill_schedules_scheduledbill_bill_id_a326c7c6_fk_bills_bill_id FOREIGN KEY (bill_id) REFERENCES public.bills_bill(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_attempt
    ADD CONSTRAINT bills_attempt_instruction_id_d65f8106_fk_vendors_p FOREIGN KEY (instruction_id) REFERENCES public.vendors_paymentinstruction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_attempt
    ADD CONSTRAINT bills_attempt_payment_id_2e1be88d_fk_bills_billpayment_id FOREIGN KEY (payment_id) REFERENCES public.bills_billpayment(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_bill
    ADD CONSTRAINT bills_bill_budget_id_0116324a_fk_budgets_budget_id FOREIGN KEY (budget_id) REFERENCES public.budgets_budget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_bill
    ADD CONSTRAINT bills_bill_business_id_d6121862_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_bill
    ADD CONSTRAINT bills_bill_duplicate_of_id_558fe822_fk_bills_bill_id FOREIGN KEY (duplicate_of_id) REFERENCES public.bills_bill(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_bill
    ADD CONSTRAINT bills_bill_team_id_b8fcb812_fk_teams_team_id FOREIGN KEY (team_id) REFERENCES public.teams_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_bill
    ADD CONSTRAINT bills_bill_vendor_id_d21e75ef_fk_vendors_vendor_id FOREIGN KEY (vendor_id) REFERENCES public.vendors_vendor(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_billfile
    ADD CONSTRAINT bills_billfile_bill_id_52a449a7_fk_bills_bill_id FOREIGN KEY (bill_id) REFERENCES public.bills_bill(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_billfile
    ADD CONSTRAINT bills_billfile_business_id_d378db24_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_billline
    ADD CONSTRAINT bills_billline_bill_id_d6408ef6_fk_bills_bill_id FOREIGN KEY (bill_id) REFERENCES public.bills_bill(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_billpayment
    ADD CONSTRAINT bills_billpayment_bill_id_44f0b031_fk_bills_bill_id FOREIGN KEY (bill_id) REFERENCES public.bills_bill(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_billpayment
    ADD CONSTRAINT bills_billpayment_business_id_23711f79_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_billpayment
    ADD CONSTRAINT bills_billpayment_instruction_id_b55433df_fk_vendors_p FOREIGN KEY (instruction_id) REFERENCES public.vendors_paymentinstruction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_billpayment
    ADD CONSTRAINT bills_billpayment_vendor_id_7b4239a1_fk_vendors_vendor_id FOREIGN KEY (vendor_id) REFERENCES public.vendors_vendor(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_billpayment
    ADD CONSTRAINT bills_billpayment_wallet_id_e0fe6090_fk_accounts_wallet_id FOREIGN KEY (wallet_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_linesplit
    ADD CONSTRAINT bills_linesplit_bill_id_b3e49eeb_fk_bills_bill_id FOREIGN KEY (bill_id) REFERENCES public.bills_bill(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_linesplit
    ADD CONSTRAINT bills_linesplit_line_id_22ae8d6e_fk_bills_billline_id FOREIGN KEY (line_id) REFERENCES public.bills_billline(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bills_linesplit
    ADD CONSTRAINT bills_linesplit_team_id_2c7a51b6_fk_teams_team_id FOREIGN KEY (team_id) REFERENCES public.teams_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.budgets_budget
    ADD CONSTRAINT budgets_budget_business_id_dcac66f9_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.budgets_budget
    ADD CONSTRAINT budgets_budget_category_id_a6752862_fk_categories_category_id FOREIGN KEY (category_id) REFERENCES public.categories_category(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.budgets_budget
    ADD CONSTRAINT budgets_budget_team_id_df403d18_fk_teams_team_id FOREIGN KEY (team_id) REFERENCES public.teams_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.budgets_budgetalert
    ADD CONSTRAINT budgets_budgetalert_budget_id_6742ccfe_fk_budgets_budget_id FOREIGN KEY (budget_id) REFERENCES public.budgets_budget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.business_policies_businesspolicy
    ADD CONSTRAINT business_policies_bu_business_id_841f92fd_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.business_policies_businesspolicy
    ADD CONSTRAINT business_policies_bu_group_id_140cdaa9_fk_business_ FOREIGN KEY (group_id) REFERENCES public.business_policies_policygroup(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.business_policies_businesspolicy
    ADD CONSTRAINT business_policies_bu_workflow_id_650659b2_fk_approvals FOREIGN KEY (workflow_id) REFERENCES public.approvals_workflow(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.business_policies_policygroup
    ADD CONSTRAINT business_policies_po_business_id_5be96c20_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.businesses_apikey
    ADD CONSTRAINT businesses_apikey_business_id_54cf5fba_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.businesses_client
    ADD CONSTRAINT businesses_client_business_id_a2f0118a_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.businesses_client
    ADD CONSTRAINT businesses_client_employee_id_50a90fe4_fk_employees_employee_id FOREIGN KEY (employee_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.businesses_client
    ADD CONSTRAINT businesses_client_user_id_648fbffc_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_authorization
    ADD CONSTRAINT cards_authorization_business_id_47d48f05_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_authorization
    ADD CONSTRAINT cards_authorization_card_id_00ce3799_fk_cards_card_id FOREIGN KEY (card_id) REFERENCES public.cards_card(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_authorization
    ADD CONSTRAINT cards_authorization_expense_id_e313abdf_fk_expenses_expense_id FOREIGN KEY (expense_id) REFERENCES public.expenses_expense(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_capture
    ADD CONSTRAINT cards_capture_authorization_id_b65538cd_fk_cards_aut FOREIGN KEY (authorization_id) REFERENCES public.cards_authorization(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_capture
    ADD CONSTRAINT cards_capture_expense_id_3366105f_fk_expenses_expense_id FOREIGN KEY (expense_id) REFERENCES public.expenses_expense(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_card
    ADD CONSTRAINT cards_card_business_id_6eeb033d_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_card
    ADD CONSTRAINT cards_card_employee_id_66a9e27b_fk_employees_employee_id FOREIGN KEY (employee_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_card
    ADD CONSTRAINT cards_card_replaces_id_b055b724_fk_cards_card_id FOREIGN KEY (replaces_id) REFERENCES public.cards_card(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_cardorder
    ADD CONSTRAINT cards_cardorder_business_id_bbc5e28f_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_cardorder
    ADD CONSTRAINT cards_cardorder_card_id_da2fb420_fk_cards_card_id FOREIGN KEY (card_id) REFERENCES public.cards_card(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_singleusepolicy
    ADD CONSTRAINT cards_singleusepolic_business_id_e08884ed_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_singleuserequest
    ADD CONSTRAINT cards_singleusereque_business_id_0ffcfb14_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_singleuserequest
    ADD CONSTRAINT cards_singleusereque_employee_id_fa78f1a7_fk_employees FOREIGN KEY (employee_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_singleuserequest
    ADD CONSTRAINT cards_singleuserequest_card_id_434f2385_fk_cards_card_id FOREIGN KEY (card_id) REFERENCES public.cards_card(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.categories_category
    ADD CONSTRAINT categories_category_business_id_2a6af931_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.categories_subcategory
    ADD CONSTRAINT categories_subcatego_business_id_881eb096_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.categories_subcategory
    ADD CONSTRAINT categories_subcatego_category_id_58b66954_fk_categorie FOREIGN KEY (category_id) REFERENCES public.categories_category(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.credit_notes_creditapplication
    ADD CONSTRAINT credit_notes_credita_bill_id_56d345af_fk_bills_bil FOREIGN KEY (bill_id) REFERENCES public.bills_bill(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.credit_notes_creditapplication
    ADD CONSTRAINT credit_notes_credita_note_id_5f9fd854_fk_credit_no FOREIGN KEY (note_id) REFERENCES public.credit_notes_creditnote(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.credit_notes_creditnote
    ADD CONSTRAINT credit_notes_creditn_business_id_66037f06_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.credit_notes_creditnote
    ADD CONSTRAINT credit_notes_creditnote_bill_id_640988eb_fk_bills_bill_id FOREIGN KEY (bill_id) REFERENCES public.bills_bill(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.credit_notes_creditnote
    ADD CONSTRAINT credit_notes_creditnote_vendor_id_c51bdfed_fk_vendors_vendor_id FOREIGN KEY (vendor_id) REFERENCES public.vendors_vendor(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.customers_customer
    ADD CONSTRAINT customers_customer_business_id_85b6d87c_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.customers_customerterm
    ADD CONSTRAINT customers_customerte_business_id_e6c4cf45_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.employees_employee
    ADD CONSTRAINT employees_employee_business_id_9336ce37_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.employees_employee
    ADD CONSTRAINT employees_employee_replaces_id_c340d414_fk_employees FOREIGN KEY (replaces_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.employees_employee
    ADD CONSTRAINT employees_employee_supervisor_id_624b662d_fk_employees FOREIGN KEY (supervisor_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.employees_employee
    ADD CONSTRAINT employees_employee_team_id_d13821d0_fk_teams_team_id FOREIGN KEY (team_id) REFERENCES public.teams_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.expenses_expense
    ADD CONSTRAINT expenses_expense_business_id_dc464b6a_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.expenses_expense
    ADD CONSTRAINT expenses_expense_employee_id_ea30dbc0_fk_employees_employee_id FOREIGN KEY (employee_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.expenses_expense
    ADD CONSTRAINT expenses_expense_reviewed_by_id_6cdc0528_fk_employees FOREIGN KEY (reviewed_by_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.expenses_expense
    ADD CONSTRAINT expenses_expense_subcategory_id_cd13731d_fk_categorie FOREIGN KEY (subcategory_id) REFERENCES public.categories_subcategory(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.expenses_expense
    ADD CONSTRAINT expenses_expense_team_id_035a1d08_fk_teams_team_id FOREIGN KEY (team_id) REFERENCES public.teams_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.expenses_receipt
    ADD CONSTRAINT expenses_receipt_expense_id_94b562a2_fk_expenses_expense_id FOREIGN KEY (expense_id) REFERENCES public.expenses_expense(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.expenses_receiptsexport
    ADD CONSTRAINT expenses_receiptsexp_business_id_e6eedf15_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.expenses_receiptsexport
    ADD CONSTRAINT expenses_receiptsexp_employee_id_2fbe5e03_fk_employees FOREIGN KEY (employee_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.expenses_tag
    ADD CONSTRAINT expenses_tag_business_id_fff4813a_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.fx_fxtransfer
    ADD CONSTRAINT fx_fxtransfer_business_id_8579ed53_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.fx_fxtransfer
    ADD CONSTRAINT fx_fxtransfer_quote_id_ea2b0b13_fk_fx_quote_id FOREIGN KEY (quote_id) REFERENCES public.fx_quote(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.fx_fxtransfer
    ADD CONSTRAINT fx_fxtransfer_source_wallet_id_e5fdaffb_fk_accounts_wallet_id FOREIGN KEY (source_wallet_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.fx_fxtransfer
    ADD CONSTRAINT fx_fxtransfer_target_wallet_id_a98572ce_fk_accounts_wallet_id FOREIGN KEY (target_wallet_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.fx_quote
    ADD CONSTRAINT fx_quote_business_id_1a9e5e6e_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_fundaccount
    ADD CONSTRAINT investments_fundacco_business_id_f6df19d7_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_fundaccount
    ADD CONSTRAINT investments_fundacco_holding_id_ca762421_fk_ledger_ac FOREIGN KEY (holding_id) REFERENCES public.ledger_account(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_fundaccount
    ADD CONSTRAINT investments_fundaccount_cash_id_01a171f3_fk_accounts_wallet_id FOREIGN KEY (cash_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_fundaccount
    ADD CONSTRAINT investments_fundaccount_fund_id_a573a180_fk_investments_fund_id FOREIGN KEY (fund_id) REFERENCES public.investments_fund(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_fundprice
    ADD CONSTRAINT investments_fundprice_fund_id_89963a70_fk_investments_fund_id FOREIGN KEY (fund_id) REFERENCES public.investments_fund(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_movement
    ADD CONSTRAINT investments_movement_account_id_e91bd8c5_fk_investmen FOREIGN KEY (account_id) REFERENCES public.investments_fundaccount(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_movement
    ADD CONSTRAINT investments_movement_business_id_bc4cc423_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_movement
    ADD CONSTRAINT investments_movement_wallet_id_9185c0ad_fk_accounts_wallet_id FOREIGN KEY (wallet_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_operator
    ADD CONSTRAINT investments_operator_account_id_f7de1865_fk_investmen FOREIGN KEY (account_id) REFERENCES public.investments_fundaccount(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_operator
    ADD CONSTRAINT investments_operator_employee_id_06ebcd0e_fk_employees FOREIGN KEY (employee_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_optin
    ADD CONSTRAINT investments_optin_account_id_228470bf_fk_investmen FOREIGN KEY (account_id) REFERENCES public.investments_fundaccount(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_optin
    ADD CONSTRAINT investments_optin_business_id_e6d05d75_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.investments_valuation
    ADD CONSTRAINT investments_valuatio_account_id_1983ac27_fk_investmen FOREIGN KEY (account_id) REFERENCES public.investments_fundaccount(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ledger_account
    ADD CONSTRAINT ledger_account_business_id_3289c5db_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ledger_snapshot
    ADD CONSTRAINT ledger_snapshot_account_id_e9fe02d5_fk_ledger_account_id FOREIGN KEY (account_id) REFERENCES public.ledger_account(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.oauth2_provider_accesstoken
    ADD CONSTRAINT oauth2_provider_acce_application_id_b22886e1_fk_businesse FOREIGN KEY (application_id) REFERENCES public.businesses_client(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.oauth2_provider_accesstoken
    ADD CONSTRAINT oauth2_provider_acce_id_token_id_85db651b_fk_oauth2_pr FOREIGN KEY (id_token_id) REFERENCES public.oauth2_provider_idtoken(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.oauth2_provider_accesstoken
    ADD CONSTRAINT oauth2_provider_acce_source_refresh_token_e66fbc72_fk_oauth2_pr FOREIGN KEY (source_refresh_token_id) REFERENCES public.oauth2_provider_refreshtoken(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.oauth2_provider_accesstoken
    ADD CONSTRAINT oauth2_provider_accesstoken_user_id_6e4c9a65_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.oauth2_provider_devicegrant
    ADD CONSTRAINT oauth2_provider_devicegrant_user_id_1cec5156_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.oauth2_provider_grant
    ADD CONSTRAINT oauth2_provider_gran_application_id_81923564_fk_businesse FOREIGN KEY (application_id) REFERENCES public.businesses_client(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.oauth2_provider_grant
    ADD CONSTRAINT oauth2_provider_grant_user_id_e8f62af8_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.oauth2_provider_idtoken
    ADD CONSTRAINT oauth2_provider_idto_application_id_08c5ff4f_fk_businesse FOREIGN KEY (application_id) REFERENCES public.businesses_client(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.oauth2_provider_idtoken
    ADD CONSTRAINT oauth2_provider_idtoken_user_id_dd512b59_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.oauth2_provider_refreshtoken
    ADD CONSTRAINT oauth2_provider_refr_access_token_id_775e84e8_fk_oauth2_pr FOREIGN KEY (access_token_id) REFERENCES public.oauth2_provider_accesstoken(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.oauth2_provider_refreshtoken
    ADD CONSTRAINT oauth2_provider_refr_application_id_2d1c311b_fk_businesse FOREIGN KEY (application_id) REFERENCES public.businesses_client(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.oauth2_provider_refreshtoken
    ADD CONSTRAINT oauth2_provider_refreshtoken_user_id_da837fce_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.payments_batch
    ADD CONSTRAINT payments_batch_business_id_f2ca752c_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.payments_batch
    ADD CONSTRAINT payments_batch_wallet_id_4870b385_fk_accounts_wallet_id FOREIGN KEY (wallet_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.payments_batchnumber
    ADD CONSTRAINT payments_batchnumber_business_id_b66a0cbc_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.payments_intent
    ADD CONSTRAINT payments_intent_batch_id_7c0cd2b9_fk_payments_batch_id FOREIGN KEY (batch_id) REFERENCES public.payments_batch(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.payments_intent
    ADD CONSTRAINT payments_intent_business_id_79393cf7_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.payments_item
    ADD CONSTRAINT payments_item_batch_id_48c362fa_fk_payments_batch_id FOREIGN KEY (batch_id) REFERENCES public.payments_batch(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.payments_mobilemoneypush
    ADD CONSTRAINT payments_mobilemoney_business_id_1dfdfedb_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.payments_mobilemoneypush
    ADD CONSTRAINT payments_mobilemoney_wallet_id_69d0472d_fk_accounts_ FOREIGN KEY (wallet_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.permissions_employeerights
    ADD CONSTRAINT permissions_employee_employee_id_3dac5b5a_fk_employees FOREIGN KEY (employee_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.permissions_rolerights
    ADD CONSTRAINT permissions_rolerigh_business_id_211cf385_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.rails_message
    ADD CONSTRAINT rails_message_business_id_1da77b1d_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.subscriptions_charge
    ADD CONSTRAINT subscriptions_charge_expense_id_0e152f49_fk_expenses_expense_id FOREIGN KEY (expense_id) REFERENCES public.expenses_expense(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.subscriptions_charge
    ADD CONSTRAINT subscriptions_charge_subscription_id_3123d16d_fk_subscript FOREIGN KEY (subscription_id) REFERENCES public.subscriptions_subscription(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.subscriptions_subscription
    ADD CONSTRAINT subscriptions_subscr_business_id_2843e80f_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.subscriptions_subscription
    ADD CONSTRAINT subscriptions_subscr_employee_id_36cdbe6e_fk_employees FOREIGN KEY (employee_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.subscriptions_subscription
    ADD CONSTRAINT subscriptions_subscr_subcategory_id_c6729267_fk_categorie FOREIGN KEY (subcategory_id) REFERENCES public.categories_subcategory(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.subscriptions_subscription
    ADD CONSTRAINT subscriptions_subscription_card_id_d0ff9947_fk_cards_card_id FOREIGN KEY (card_id) REFERENCES public.cards_card(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.subscriptions_subscription
    ADD CONSTRAINT subscriptions_subscription_team_id_5a337981_fk_teams_team_id FOREIGN KEY (team_id) REFERENCES public.teams_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.taxes_remittance
    ADD CONSTRAINT taxes_remittance_business_id_bdd6ffc0_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.taxes_tax
    ADD CONSTRAINT taxes_tax_business_id_0158fecd_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.taxes_taxrate
    ADD CONSTRAINT taxes_taxrate_tax_id_fac462f5_fk_taxes_tax_id FOREIGN KEY (tax_id) REFERENCES public.taxes_tax(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.taxes_taxtransaction
    ADD CONSTRAINT taxes_taxtransaction_business_id_b6aa1e61_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.taxes_taxtransaction
    ADD CONSTRAINT taxes_taxtransaction_rate_id_21d71468_fk_taxes_taxrate_id FOREIGN KEY (rate_id) REFERENCES public.taxes_taxrate(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.taxes_taxtransaction
    ADD CONSTRAINT taxes_taxtransaction_remittance_id_39cc3dad_fk_taxes_rem FOREIGN KEY (remittance_id) REFERENCES public.taxes_remittance(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.taxes_taxtransaction
    ADD CONSTRAINT taxes_taxtransaction_tax_id_3032a216_fk_taxes_tax_id FOREIGN KEY (tax_id) REFERENCES public.taxes_tax(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.taxes_taxtransaction
    ADD CONSTRAINT taxes_taxtransaction_vendor_id_cb4f1344_fk_vendors_vendor_id FOREIGN KEY (vendor_id) REFERENCES public.vendors_vendor(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.teams_team
    ADD CONSTRAINT teams_team_business_id_8780a060_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.teams_teamreviewer
    ADD CONSTRAINT teams_teamreviewer_employee_id_94d48aea_fk_employees FOREIGN KEY (employee_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.teams_teamreviewer
    ADD CONSTRAINT teams_teamreviewer_team_id_0e504162_fk_teams_team_id FOREIGN KEY (team_id) REFERENCES public.teams_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.transactions_transaction
    ADD CONSTRAINT transactions_transac_business_id_afe5d186_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.transactions_transactionpart
    ADD CONSTRAINT transactions_transac_expense_id_24b3db33_fk_expenses_ FOREIGN KEY (expense_id) REFERENCES public.expenses_expense(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.transactions_transaction
    ADD CONSTRAINT transactions_transac_subcategory_id_6e777a39_fk_categorie FOREIGN KEY (subcategory_id) REFERENCES public.categories_subcategory(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.transactions_transactionpart
    ADD CONSTRAINT transactions_transac_subcategory_id_76da0994_fk_categorie FOREIGN KEY (subcategory_id) REFERENCES public.categories_subcategory(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.transactions_transactionpart
    ADD CONSTRAINT transactions_transac_transaction_id_438ece32_fk_transacti FOREIGN KEY (transaction_id) REFERENCES public.transactions_transaction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.transactions_transactiondocument
    ADD CONSTRAINT transactions_transac_transaction_id_a4cce461_fk_transacti FOREIGN KEY (transaction_id) REFERENCES public.transactions_transaction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.vendors_paymentinstruction
    ADD CONSTRAINT vendors_paymentinstr_replaces_id_8517607e_fk_vendors_p FOREIGN KEY (replaces_id) REFERENCES public.vendors_paymentinstruction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.vendors_paymentinstruction
    ADD CONSTRAINT vendors_paymentinstr_vendor_id_5857c6dc_fk_vendors_v FOREIGN KEY (vendor_id) REFERENCES public.vendors_vendor(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.vendors_vendor
    ADD CONSTRAINT vendors_vendor_business_id_cafcad67_fk_businesses_business_id FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.vendors_vendor
    ADD CONSTRAINT vendors_vendor_merged_into_id_38552f19_fk_vendors_vendor_id FOREIGN KEY (merged_into_id) REFERENCES public.vendors_vendor(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.vendors_vendorcontact
    ADD CONSTRAINT vendors_vendorcontact_vendor_id_e7de1da9_fk_vendors_vendor_id FOREIGN KEY (vendor_id) REFERENCES public.vendors_vendor(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.vendors_vendordocument
    ADD CONSTRAINT vendors_vendordocument_vendor_id_c6a60c8d_fk_vendors_vendor_id FOREIGN KEY (vendor_id) REFERENCES public.vendors_vendor(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.wallet_policies_walletpolicy
    ADD CONSTRAINT wallet_policies_wall_business_id_2de4b583_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.wallet_policies_walletpolicy
    ADD CONSTRAINT wallet_policies_wall_employee_id_9f4400e9_fk_employees FOREIGN KEY (employee_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.wallet_policies_walletuse
    ADD CONSTRAINT wallet_policies_wall_employee_id_cfc7c823_fk_employees FOREIGN KEY (employee_id) REFERENCES public.employees_employee(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.wallet_policies_walletuse
    ADD CONSTRAINT wallet_policies_wall_policy_id_6944fdb0_fk_wallet_po FOREIGN KEY (policy_id) REFERENCES public.wallet_policies_walletpolicy(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.wallet_policies_walletuse
    ADD CONSTRAINT wallet_policies_wall_wallet_id_2664bccf_fk_accounts_ FOREIGN KEY (wallet_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.wallet_policies_walletpolicy
    ADD CONSTRAINT wallet_policies_wall_wallet_id_478cec17_fk_accounts_ FOREIGN KEY (wallet_id) REFERENCES public.accounts_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.webhooks_delivery
    ADD CONSTRAINT webhooks_delivery_endpoint_id_6cbee67d_fk_webhooks_ FOREIGN KEY (endpoint_id) REFERENCES public.webhooks_webhookendpoint(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.webhooks_delivery
    ADD CONSTRAINT webhooks_delivery_event_id_b6f5af91_fk_events_event_id FOREIGN KEY (event_id) REFERENCES public.events_event(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.webhooks_webhookendpoint
    ADD CONSTRAINT webhooks_webhookendp_business_id_f9bd2d52_fk_businesse FOREIGN KEY (business_id) REFERENCES public.businesses_business(id) DEFERRABLE INITIALLY DEFERRED;
REVOKE ALL ON FUNCTION public.ledger_append_only() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.ledger_canonical(p_transaction bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_canonical(p_transaction bigint) TO service_app;
REVOKE ALL ON FUNCTION public.ledger_deferred_currency(p_business text, p_account bigint, p_net bigint, p_taken bigint, p_force boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.ledger_expire_holds(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_expire_holds(p_limit integer) TO service_app;
REVOKE ALL ON FUNCTION public.ledger_freeze(p_business text, p_account bigint, p_frozen boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_freeze(p_business text, p_account bigint, p_frozen boolean) TO service_app;
REVOKE ALL ON FUNCTION public.ledger_has_changed() FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_has_changed() TO service_app;
REVOKE ALL ON FUNCTION public.ledger_open_account(p_business text, p_kind text, p_currency text, p_holder_type text, p_holder_id text, p_mode text, p_allow_negative boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_open_account(p_business text, p_kind text, p_currency text, p_holder_type text, p_holder_id text, p_mode text, p_allow_negative boolean) TO service_app;
REVOKE ALL ON FUNCTION public.ledger_open_hold(p_business text, p_hold bigint, p_force boolean, OUT account_id bigint, OUT remaining bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.ledger_place_hold(p_business text, p_account bigint, p_amount bigint, p_ref text, p_expires_at timestamp with time zone, p_incoming boolean, OUT hold_id bigint, OUT already boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_place_hold(p_business text, p_account bigint, p_amount bigint, p_ref text, p_expires_at timestamp with time zone, p_incoming boolean, OUT hold_id bigint, OUT already boolean) TO service_app;
REVOKE ALL ON FUNCTION public.ledger_post(p_business text, p_ref text, p_kind text, p_accounts bigint[], p_amounts bigint[], p_description text, p_effective_on date, p_notes text[], p_hold bigint, p_over boolean, p_force boolean, p_reverses bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_post(p_business text, p_ref text, p_kind text, p_accounts bigint[], p_amounts bigint[], p_description text, p_effective_on date, p_notes text[], p_hold bigint, p_over boolean, p_force boolean, p_reverses bigint) TO service_app;
REVOKE ALL ON FUNCTION public.ledger_post_legs(p_transaction bigint, p_business text, p_ref text, p_day date, p_accounts bigint[], p_amounts bigint[], p_notes text[], p_hold bigint, p_over boolean, p_force boolean, p_reverses bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.ledger_prove_balanced(p_accounts bigint[], p_amounts bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.ledger_prove_entries() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.ledger_prove_reversal(p_business text, p_reversed bigint, p_reversal bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.ledger_release_hold(p_business text, p_hold bigint, p_ref text, p_status text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_release_hold(p_business text, p_hold bigint, p_ref text, p_status text) TO service_app;
REVOKE ALL ON FUNCTION public.ledger_reverse(p_business text, p_transaction bigint, p_ref text, p_description text, p_effective_on date, p_force boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_reverse(p_business text, p_transaction bigint, p_ref text, p_description text, p_effective_on date, p_force boolean) TO service_app;
REVOKE ALL ON FUNCTION public.ledger_same_content(p_business text, p_ref text, p_kind text, p_accounts bigint[], p_amounts bigint[], p_day date, p_hold bigint, p_reverses bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.ledger_seal_next(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_seal_next(p_limit integer) TO service_app;
REVOKE ALL ON FUNCTION public.ledger_settle(p_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_settle(p_name text) TO service_app;
REVOKE ALL ON FUNCTION public.ledger_take_changed() FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_take_changed() TO service_app;
REVOKE ALL ON FUNCTION public.ledger_take_snapshots() FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_take_snapshots() TO service_app;
GRANT SELECT,INSERT ON TABLE public.wallet_policies_policyaudit TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounting_accountday TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounting_bankmatch TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounting_bankrule TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounting_bankstatement TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounting_exportedentry TO service_app;
GRANT ALL ON SEQUENCE public.accounting_exportedentry_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounting_journalexport TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounting_matchedentry TO service_app;
GRANT ALL ON SEQUENCE public.accounting_matchedentry_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounting_openingdifference TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounting_period TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounting_repeatedline TO service_app;
GRANT ALL ON SEQUENCE public.accounting_repeatedline_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounting_statementline TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounting_summedaccount TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounts_currency TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounts_wallet TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.approvals_approval TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.approvals_mandate TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.approvals_mandateapprover TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.approvals_vote TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.approvals_workflow TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.auth_group TO service_app;
GRANT ALL ON SEQUENCE public.auth_group_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.auth_group_permissions TO service_app;
GRANT ALL ON SEQUENCE public.auth_group_permissions_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.auth_permission TO service_app;
GRANT ALL ON SEQUENCE public.auth_permission_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.auth_user TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.auth_user_groups TO service_app;
GRANT ALL ON SEQUENCE public.auth_user_groups_id_seq TO service_app;
GRANT ALL ON SEQUENCE public.auth_user_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.auth_user_user_permissions TO service_app;
GRANT ALL ON SEQUENCE public.auth_user_user_permissions_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bill_schedules_billschedule TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bill_schedules_scheduledbill TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bills_attempt TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bills_bill TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bills_billfile TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bills_billline TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bills_billpayment TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bills_linesplit TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.budgets_budget TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.budgets_budgetalert TO service_app;
GRANT ALL ON SEQUENCE public.budgets_budgetalert_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.business_policies_businesspolicy TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.business_policies_policygroup TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.businesses_apikey TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.businesses_business TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.businesses_client TO service_app;
GRANT ALL ON SEQUENCE public.businesses_client_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.businesses_storedanswer TO service_app;
GRANT ALL ON SEQUENCE public.businesses_storedanswer_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cards_authorization TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cards_capture TO service_app;
GRANT ALL ON SEQUENCE public.cards_capture_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cards_card TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cards_cardorder TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cards_singleusepolicy TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cards_singleuserequest TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.categories_category TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.categories_subcategory TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.credit_notes_creditapplication TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.credit_notes_creditnote TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.customers_customer TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.customers_customerterm TO service_app;
GRANT ALL ON SEQUENCE public.customers_customerterm_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.django_content_type TO service_app;
GRANT ALL ON SEQUENCE public.django_content_type_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.django_migrations TO service_app;
GRANT ALL ON SEQUENCE public.django_migrations_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.employees_employee TO service_app;
GRANT SELECT,INSERT ON TABLE public.events_auditevent TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.events_event TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.events_eventcounter TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.expenses_expense TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.expenses_receipt TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.expenses_receiptsexport TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.expenses_tag TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.fx_fxtransfer TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.fx_quote TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.fx_rate TO service_app;
GRANT ALL ON SEQUENCE public.fx_rate_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.investments_fund TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.investments_fundaccount TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.investments_fundprice TO service_app;
GRANT ALL ON SEQUENCE public.investments_fundprice_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.investments_movement TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.investments_operator TO service_app;
GRANT ALL ON SEQUENCE public.investments_operator_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.investments_optin TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.investments_valuation TO service_app;
GRANT ALL ON SEQUENCE public.investments_valuation_id_seq TO service_app;
GRANT SELECT ON TABLE public.ledger_account TO service_app;
GRANT SELECT ON TABLE public.ledger_balance TO service_app;
GRANT SELECT ON TABLE public.ledger_entry TO service_app;
GRANT SELECT ON TABLE public.ledger_hold TO service_app;
GRANT SELECT ON TABLE public.ledger_horizon TO service_app;
GRANT SELECT ON TABLE public.ledger_run TO service_app;
GRANT SELECT ON TABLE public.ledger_seal TO service_app;
GRANT SELECT ON TABLE public.ledger_snapshot TO service_app;
GRANT SELECT ON TABLE public.ledger_transaction TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.oauth2_provider_accesstoken TO service_app;
GRANT ALL ON SEQUENCE public.oauth2_provider_accesstoken_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.oauth2_provider_devicegrant TO service_app;
GRANT ALL ON SEQUENCE public.oauth2_provider_devicegrant_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.oauth2_provider_grant TO service_app;
GRANT ALL ON SEQUENCE public.oauth2_provider_grant_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.oauth2_provider_idtoken TO service_app;
GRANT ALL ON SEQUENCE public.oauth2_provider_idtoken_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.oauth2_provider_refreshtoken TO service_app;
GRANT ALL ON SEQUENCE public.oauth2_provider_refreshtoken_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payments_batch TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payments_batchnumber TO service_app;
GRANT ALL ON SEQUENCE public.payments_batchnumber_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payments_intent TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payments_item TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payments_mobilemoneypush TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.permissions_employeerights TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.permissions_rolerights TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.rails_message TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sandbox_demoprogress TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.subscriptions_charge TO service_app;
GRANT ALL ON SEQUENCE public.subscriptions_charge_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.subscriptions_subscription TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.taxes_remittance TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.taxes_tax TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.taxes_taxrate TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.taxes_taxtransaction TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.teams_team TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.teams_teamreviewer TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.transactions_filedeletion TO service_app;
GRANT ALL ON SEQUENCE public.transactions_filedeletion_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.transactions_transaction TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.transactions_transactiondocument TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.transactions_transactionpart TO service_app;
GRANT ALL ON SEQUENCE public.transactions_transactionpart_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.vendors_paymentinstruction TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.vendors_vendor TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.vendors_vendorcontact TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.vendors_vendordocument TO service_app;
GRANT SELECT ON TABLE public.wallet_policies_policyaudithead TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.wallet_policies_walletpermission TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.wallet_policies_walletpolicy TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.wallet_policies_walletuse TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks_delivery TO service_app;
GRANT ALL ON SEQUENCE public.webhooks_delivery_id_seq TO service_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks_webhookendpoint TO service_app;
ALTER DEFAULT PRIVILEGES FOR ROLE service_owner IN SCHEMA public GRANT ALL ON SEQUENCES TO service_app;
ALTER DEFAULT PRIVILEGES FOR ROLE service_owner IN SCHEMA public GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES TO service_app;
