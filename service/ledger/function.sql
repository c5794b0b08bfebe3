-- The ledger's only writers. ledger_post moves money; the rest opens accounts, reserves, closes, seals, remembers.
--
-- Errors carry a SQLSTATE of class LD, which post.py turns into the interface's:
--   LD001 insufficient funds     LD002 reference used with other content   LD003 not balanced, or malformed
--   LD004 no such account here   LD005 day closed                          LD006 account frozen
--   LD007 hold not open          LD008 cannot be reversed                  LD009 more than the hold
--
-- Written for READ COMMITTED: each statement sees what twins committed while it waited.

CREATE SEQUENCE ledger_deferred_seq;
ALTER TABLE ledger_balance SET (fillfactor = 50);
ALTER TABLE ledger_hold SET (fillfactor = 80);
INSERT INTO ledger_horizon (name, settled, done, candidate, candidate_xid, position, head)
VALUES ('transaction', 0, 0, 0, 0, 0, ''), ('deferred', 0, 0, 0, 0, 0, '');


-- Posts a balanced set of legs under a reference, once for ever. A leg's amount is positive where it credits its
-- holder. Answers the transaction's id; the same reference with the same content answers the first one's, negated.
-- p_hold: what the legs take off the hold's account comes out of the hold first; p_over: more than the hold may be
-- taken if available; p_force: posts even below zero and from a frozen account (late card captures).
-- Two legs on two accounts, nearly all there is, are posted here; the rest by ledger_post_legs. Callers in a hurry
-- pass every argument: each default costs the planner two microseconds.
CREATE FUNCTION ledger_post(
    p_business text, p_ref text, p_kind text, p_accounts bigint[], p_amounts bigint[],
    p_description text DEFAULT '', p_effective_on date DEFAULT NULL, p_notes text[] DEFAULT NULL,
    p_hold bigint DEFAULT NULL, p_over boolean DEFAULT false, p_force boolean DEFAULT false,
    p_reverses bigint DEFAULT NULL)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    v_id bigint;
    v_xid xid8 := pg_current_xact_id();  -- before the first number is drawn: see ledger_settle
    v_day date := coalesce(p_effective_on, (now() AT TIME ZONE 'UTC')::date);
    v_now timestamptz;
    v_account1 bigint;
    v_amount1 bigint;
    v_after1 bigint;
    v_seq1 bigint;
    v_currency1 text;
    v_account2 bigint;
    v_amount2 bigint;
    v_after2 bigint;
    v_seq2 bigint;
    v_currency2 text;
BEGIN
    INSERT INTO ledger_transaction
        (business_id, external_ref, kind, description, effective_on, created_at, reverses_id, hold_id, forced)
    SELECT p_business, p_ref, p_kind, p_description, v_day, now(), p_reverses, p_hold, p_force
    FROM businesses_business b
    WHERE b.id = p_business AND (b.books_closed_until IS NULL OR b.books_closed_until < v_day)
    ON CONFLICT (external_ref, business_id) DO NOTHING
    RETURNING id INTO v_id;
    IF v_id IS NULL THEN
        RETURN -ledger_same_content(p_business, p_ref, p_kind, p_accounts, p_amounts, v_day, p_hold, p_reverses);
    END IF;

    IF p_hold IS NOT NULL OR p_notes IS NOT NULL OR p_force OR p_reverses IS NOT NULL
        OR cardinality(p_accounts) <> 2 OR cardinality(p_amounts) <> 2 OR p_accounts[1] = p_accounts[2]
    THEN
        PERFORM ledger_post_legs(v_id, p_business, p_ref, p_accounts, p_amounts, p_notes,
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
    SET posted = b.posted + v_amount1, seq = b.seq + 1
    WHERE b.account_id = v_account1 AND b.business_id = p_business
      AND (v_amount1 > 0 OR b.posted + v_amount1 - b.pending_out >= b.minimum AND NOT b.frozen)
    RETURNING b.posted, b.seq, b.currency INTO v_after1, v_seq1, v_currency1;
    IF v_seq1 IS NULL THEN
        v_currency1 := ledger_deferred_currency(p_business, v_account1, v_amount1, 0, false);
    END IF;
    UPDATE ledger_balance b
    SET posted = b.posted + v_amount2, seq = b.seq + 1
    WHERE b.account_id = v_account2 AND b.business_id = p_business
      AND (v_amount2 > 0 OR b.posted + v_amount2 - b.pending_out >= b.minimum AND NOT b.frozen)
    RETURNING b.posted, b.seq, b.currency INTO v_after2, v_seq2, v_currency2;
    IF v_seq2 IS NULL THEN
        v_currency2 := ledger_deferred_currency(p_business, v_account2, v_amount2, 0, false);
    END IF;
    IF v_amount1 + v_amount2 <> 0 OR v_amount1 = 0 OR v_currency1 <> v_currency2 THEN
        RAISE EXCEPTION 'the legs do not sum to zero in each currency' USING ERRCODE = 'LD003';
    END IF;
    v_now := clock_timestamp();  -- under the locks: within an account, time follows seq
    INSERT INTO ledger_entry (account_id, seq, transaction_id, amount, balance_after, currency, posted_at)
    VALUES (v_account1, coalesce(v_seq1, nextval('ledger_deferred_seq')), v_id,
            v_amount1, v_after1, v_currency1, v_now),
           (v_account2, coalesce(v_seq2, nextval('ledger_deferred_seq')), v_id,
            v_amount2, v_after2, v_currency2, v_now);
    RETURN v_id;
END $$;


-- Any number of legs, with notes, out of a hold, forced, or reversing: the accounts once each, locked in their order.
CREATE FUNCTION ledger_post_legs(
    p_transaction bigint, p_business text, p_ref text, p_accounts bigint[], p_amounts bigint[], p_notes text[],
    p_hold bigint, p_over boolean, p_force boolean, p_reverses bigint)
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
    v_afters bigint[];
    v_currencies text[];
    v_net bigint;
    v_after bigint;
    v_seq bigint;
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
            seq = b.seq + v_counts[i],
            -- A forced capture lowers the floor as far as it needs; any other posting lifts it again where it can.
            floor = least(b.minimum, CASE WHEN p_force THEN least(b.floor, b.posted + v_net - b.pending_out + v_taken)
                                     ELSE greatest(b.floor, b.posted + v_net - b.pending_out + v_taken) END)
        WHERE b.account_id = v_ids[i] AND b.business_id = p_business
          AND (v_net >= 0 OR p_force OR v_taken > 0 OR NOT b.frozen)
          AND (v_net + v_taken >= 0 OR p_force OR b.posted + v_net - b.pending_out + v_taken >= b.minimum)
        RETURNING b.posted, b.seq, b.currency INTO v_after, v_seq, v_currency;
        IF v_seq IS NULL THEN
            v_currency := ledger_deferred_currency(p_business, v_ids[i], v_net, v_taken, p_force);
        END IF;
        v_currencies[i] := v_currency;
        v_seqs[i] := v_seq;
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
    IF p_reverses IS NOT NULL THEN
        PERFORM ledger_prove_reversal(p_business, p_reverses, p_transaction);
    END IF;
END $$;


-- The account of an open hold and what is left of it, locked. A forced capture may come after the hold has ended.
CREATE FUNCTION ledger_open_hold(
    p_business text, p_hold bigint, p_force boolean, OUT account_id bigint, OUT remaining bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE v_hold ledger_hold%ROWTYPE;
BEGIN
    SELECT * INTO v_hold FROM ledger_hold h WHERE h.id = p_hold AND h.business_id = p_business FOR UPDATE;
    IF v_hold.id IS NULL OR v_hold.incoming OR (v_hold.status <> 'PENDING' AND NOT p_force) THEN
        RAISE EXCEPTION 'the hold is not open' USING ERRCODE = 'LD007';
    END IF;
    account_id := v_hold.account_id;
    remaining := CASE WHEN v_hold.status = 'PENDING' THEN v_hold.amount - v_hold.captured ELSE 0 END;
END $$;


-- The currency of a deferred account of the business; otherwise says why the balance could not be changed.
CREATE FUNCTION ledger_deferred_currency(
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
CREATE FUNCTION ledger_same_content(
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
CREATE FUNCTION ledger_prove_balanced(p_accounts bigint[], p_amounts bigint[])
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
CREATE FUNCTION ledger_prove_reversal(p_business text, p_reversed bigint, p_reversal bigint)
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
CREATE FUNCTION ledger_reverse(
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


-- An account, made once per (business, kind, currency, holder); an IMMEDIATE one with its balance row.
CREATE FUNCTION ledger_open_account(
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
            (account_id, posted, pending_in, pending_out, seq, minimum, floor, currency, frozen, business_id)
        VALUES (v_id, 0, 0, 0, 0, CASE WHEN p_allow_negative THEN -1e18 ELSE 0 END,
                CASE WHEN p_allow_negative THEN -1e18 ELSE 0 END, p_currency, false, p_business);
    END IF;
    RETURN v_id;
END $$;


-- A frozen account refuses debits and takes credits.
CREATE FUNCTION ledger_freeze(p_business text, p_account bigint, p_frozen boolean)
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
CREATE FUNCTION ledger_place_hold(
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
    IF p_incoming THEN
        UPDATE ledger_balance SET pending_in = pending_in + p_amount WHERE account_id = p_account;
        RETURN;
    END IF;
    IF v_account.frozen THEN
        RAISE EXCEPTION 'account % is frozen', p_account USING ERRCODE = 'LD006';
    END IF;
    UPDATE ledger_balance SET pending_out = pending_out + p_amount
    WHERE account_id = p_account AND posted - pending_out - p_amount >= minimum;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'account % has not enough available', p_account USING ERRCODE = 'LD001';
    END IF;
END $$;


-- Gives back what is left of a hold: VOIDED or EXPIRED, POSTED where something was captured. False if it was closed.
CREATE FUNCTION ledger_release_hold(p_business text, p_hold bigint, p_ref text, p_status text DEFAULT 'VOIDED')
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE v_hold ledger_hold%ROWTYPE;
BEGIN
    SELECT * INTO v_hold FROM ledger_hold h WHERE h.id = p_hold AND h.business_id = p_business FOR UPDATE;
    IF v_hold.id IS NULL OR p_status NOT IN ('VOIDED', 'EXPIRED') THEN
        RAISE EXCEPTION 'no such hold' USING ERRCODE = 'LD007';
    END IF;
    IF v_hold.status <> 'PENDING' THEN
        RETURN false;
    END IF;
    UPDATE ledger_balance b
    SET pending_out = b.pending_out - CASE WHEN v_hold.incoming THEN 0 ELSE v_hold.amount - v_hold.captured END,
        pending_in = b.pending_in - CASE WHEN v_hold.incoming THEN v_hold.amount ELSE 0 END
    WHERE b.account_id = v_hold.account_id;
    UPDATE ledger_hold SET status = CASE WHEN captured > 0 THEN 'POSTED' ELSE p_status END,
        closed_at = clock_timestamp(), closed_ref = p_ref
    WHERE id = p_hold;
    RETURN true;
END $$;


-- Ends holds whose time is over; answers which.
CREATE FUNCTION ledger_expire_holds(p_limit int DEFAULT 500)
RETURNS SETOF bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE v_due record;
BEGIN
    FOR v_due IN
        SELECT h.id, h.business_id FROM (
            SELECT id, business_id, account_id FROM ledger_hold
            WHERE status = 'PENDING' AND expires_at <= now() ORDER BY expires_at LIMIT p_limit
            FOR UPDATE SKIP LOCKED) h
        ORDER BY h.account_id, h.id
    LOOP
        PERFORM ledger_release_hold(v_due.business_id, v_due.id, 'expired', 'EXPIRED');
        RETURN NEXT v_due.id;
    END LOOP;
END $$;


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
    SELECT * INTO STRICT v_row FROM ledger_horizon WHERE name = p_name FOR UPDATE;
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
    SELECT * INTO STRICT v_row FROM ledger_horizon WHERE name = 'transaction' FOR UPDATE;
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
    SELECT settled INTO STRICT v_settled FROM ledger_horizon WHERE name = 'deferred' FOR UPDATE;
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


-- The proof, once per transaction at its commit: what was written sums to zero in each currency.
CREATE FUNCTION ledger_prove_transaction() RETURNS trigger
LANGUAGE plpgsql AS $$  -- names qualified instead of a search path, which would cost each posting 3 microseconds
BEGIN
    IF (SELECT sum(e.amount) = 0 AND min(e.currency) = max(e.currency)
        FROM public.ledger_entry e WHERE e.transaction_id = NEW.id)
    THEN
        RETURN NULL;
    END IF;
    IF EXISTS (SELECT FROM public.ledger_entry e WHERE e.transaction_id = NEW.id
               GROUP BY e.currency HAVING sum(e.amount) <> 0)
        OR NOT EXISTS (SELECT FROM public.ledger_entry e WHERE e.transaction_id = NEW.id)
    THEN
        RAISE EXCEPTION 'transaction % does not balance', NEW.id USING ERRCODE = 'LD003';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_transaction_balances AFTER INSERT ON ledger_transaction
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_prove_transaction();


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
