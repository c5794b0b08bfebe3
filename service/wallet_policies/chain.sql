-- The audit of wallet policies: rows are only added, and each carries a hash over itself and the row before it.

CREATE FUNCTION wallet_policy_audit_hash(line wallet_policies_policyaudit) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT encode(sha256(convert_to(line.prev_hash || jsonb_build_array(
        line.business_id, line.seq, line.id, to_char(line.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
        line.actor, line.acting_employee, line.policy_id, line.wallet_id, line.employee_id, line.action, line.before,
        line.after, line.request_id, line.ip)::text, 'UTF8')), 'hex')
$$;

-- One writer at a time per business: the head's row is the lock. Policies change seldom, so nobody waits long.
CREATE FUNCTION wallet_policy_audit_link() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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

CREATE FUNCTION wallet_policy_audit_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit of wallet policies is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER wallet_policy_audit_is_linked BEFORE INSERT ON wallet_policies_policyaudit
    FOR EACH ROW EXECUTE FUNCTION wallet_policy_audit_link();
CREATE TRIGGER wallet_policy_audit_rows_stay BEFORE UPDATE OR DELETE ON wallet_policies_policyaudit
    FOR EACH STATEMENT EXECUTE FUNCTION wallet_policy_audit_stays();
CREATE TRIGGER wallet_policy_audit_table_stays BEFORE TRUNCATE ON wallet_policies_policyaudit
    FOR EACH STATEMENT EXECUTE FUNCTION wallet_policy_audit_stays();
