-- A chain's head goes forward and nowhere else, and only to a link that stands. The app's role may do nothing else to it.

-- Locks a chain's head until the end of the transaction and answers it; no row where another sealer holds it.
CREATE FUNCTION audit_lock_head(p_chain bigint) RETURNS TABLE (head_number bigint, head_hash varchar)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO audit_audithead (chain, number, hash) VALUES (p_chain, 0, '') ON CONFLICT (chain) DO NOTHING;
    RETURN QUERY SELECT number, hash FROM audit_audithead WHERE chain = p_chain FOR NO KEY UPDATE SKIP LOCKED;
END $$;

CREATE FUNCTION audit_advance_head(p_chain bigint, p_number bigint, p_hash varchar) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE present bigint;
BEGIN
    SELECT number INTO present FROM audit_audithead WHERE chain = p_chain FOR NO KEY UPDATE;
    IF present IS NULL OR p_number <= present THEN
        RAISE EXCEPTION 'the head of chain % does not go from % to %', p_chain, present, p_number
            USING ERRCODE = 'check_violation', CONSTRAINT = 'audit_head_goes_forward';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM audit_auditseal WHERE chain = p_chain AND number = p_number AND hash = p_hash)
        OR (SELECT count(*) FROM audit_auditseal
            WHERE chain = p_chain AND number > present AND number <= p_number) <> p_number - present
    THEN
        RAISE EXCEPTION 'chain % has no such link %', p_chain, p_number
            USING ERRCODE = 'check_violation', CONSTRAINT = 'audit_head_is_a_link';
    END IF;
    UPDATE audit_audithead SET number = p_number, hash = p_hash WHERE chain = p_chain;
END $$;

-- Not even the owner takes it back by accident.
CREATE FUNCTION audit_head_refuses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.chain = OLD.chain AND NEW.number > OLD.number THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit is append-only: % of a head is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER audit_head_rows BEFORE UPDATE OR DELETE ON audit_audithead
    FOR EACH ROW EXECUTE FUNCTION audit_head_refuses();
CREATE TRIGGER audit_head_whole BEFORE TRUNCATE ON audit_audithead
    FOR EACH STATEMENT EXECUTE FUNCTION audit_head_refuses();

DO $$
DECLARE grantee record;
BEGIN
    REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON audit_audithead FROM PUBLIC;
    REVOKE EXECUTE ON FUNCTION audit_lock_head(bigint), audit_advance_head(bigint, bigint, varchar) FROM PUBLIC;
    -- Whoever may write lines may seal them.
    FOR grantee IN
        SELECT DISTINCT roles.rolname FROM pg_class, aclexplode(pg_class.relacl) AS acl
        JOIN pg_roles AS roles ON roles.oid = acl.grantee
        WHERE pg_class.oid = 'audit_auditentry'::regclass AND acl.grantee <> pg_class.relowner
            AND acl.privilege_type = 'INSERT'
    LOOP
        EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON audit_audithead FROM %I', grantee.rolname);
        EXECUTE format(
            'GRANT EXECUTE ON FUNCTION audit_lock_head(bigint), audit_advance_head(bigint, bigint, varchar) TO %I',
            grantee.rolname
        );
    END LOOP;
END $$;
