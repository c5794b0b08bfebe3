-- The ledger's only writer of entries: ledger_post. holds.sql opens accounts and reserves, proof.sql seals and guards.
--
-- Errors carry a SQLSTATE of class LD, which post.py turns into the interface's:
--   LD001 insufficient funds     LD002 reference used with other content   LD003 not balanced, or malformed
--   LD004 no such account here   LD005 day closed                          LD006 account frozen
--   LD007 hold not open          LD008 cannot be reversed                  LD009 more than the hold
--
-- Written for READ COMMITTED: each statement sees what twins committed while it waited.

-- Posts a balanced set of legs under a reference, once for ever. A leg's amount is positive where it credits its
-- holder. Answers the transaction's id; the same reference with the same content answers the first one's, negated.
-- p_hold: what the legs take off the hold's account comes out of the hold first; p_over: more than the hold may be
-- taken if available; p_force: posts even below zero and from a frozen account (late card captures).
-- p_effective_on: the day it belongs to; today in the business's zone where it is null.
-- Two legs on two accounts, nearly all there is, are posted here; the rest by ledger_post_legs. Callers in a hurry
-- pass every argument: each default costs the planner two microseconds.
-- Each account's balance row knows the day of its last entry: an entry of another day begins a run (ledger_run), from
-- which statements by the day are read. Whose balance changed is noted for those who are to hear of it (changes.sql).
CREATE OR REPLACE FUNCTION ledger_post(
    p_business text, p_ref text, p_kind text, p_accounts bigint[], p_amounts bigint[],
    p_description text DEFAULT '', p_effective_on date DEFAULT NULL, p_notes text[] DEFAULT NULL,
    p_hold bigint DEFAULT NULL, p_over boolean DEFAULT false, p_force boolean DEFAULT false,
    p_reverses bigint DEFAULT NULL)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
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


-- Any number of legs, with notes, out of a hold, forced, or reversing: the accounts once each, locked in their order.
CREATE OR REPLACE FUNCTION ledger_post_legs(
    p_transaction bigint, p_business text, p_ref text, p_day date, p_accounts bigint[], p_amounts bigint[],
    p_notes text[], p_hold bigint, p_over boolean, p_force boolean, p_reverses bigint)
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
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


-- The account of an open hold and what is left of it, locked. A forced capture may come after the hold has ended.
CREATE OR REPLACE FUNCTION ledger_open_hold(
    p_business text, p_hold bigint, p_force boolean, OUT account_id bigint, OUT remaining bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
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


-- The currency of a deferred account of the business; otherwise says why the balance could not be changed.
CREATE OR REPLACE FUNCTION ledger_deferred_currency(
    p_business text, p_account bigint, p_net bigint, p_taken bigint, p_force boolean)
RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
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


-- The transaction that already has this reference; LD002 where its content is another. Without one, the insert had
-- another reason to do nothing: the book is closed, or there is no such business.
CREATE OR REPLACE FUNCTION ledger_same_content(
    p_business text, p_ref text, p_kind text, p_accounts bigint[], p_amounts bigint[], p_day date,
    p_hold bigint, p_reverses bigint)
RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
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


-- Refuses arrays that do not sum to zero in each currency, or that are no legs at all.
CREATE OR REPLACE FUNCTION ledger_prove_balanced(p_accounts bigint[], p_amounts bigint[])
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
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


-- Refuses a reversal that is not the exact opposite of a transaction of the same business, or of a reversal.
CREATE OR REPLACE FUNCTION ledger_prove_reversal(p_business text, p_reversed bigint, p_reversal bigint)
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
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


-- Posts the opposite of a transaction, once; answers like ledger_post.
CREATE OR REPLACE FUNCTION ledger_reverse(
    p_business text, p_transaction bigint, p_ref text, p_description text DEFAULT '', p_effective_on date DEFAULT NULL,
    p_force boolean DEFAULT false)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
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
