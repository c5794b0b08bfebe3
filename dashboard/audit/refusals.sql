-- The audit's lines and seals are written once. Whoever has the privilege to change them does not have the permission.

CREATE FUNCTION audit_refuses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit is append-only: % on % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER audit_entry_rows BEFORE UPDATE OR DELETE ON audit_auditentry
    FOR EACH ROW EXECUTE FUNCTION audit_refuses();
CREATE TRIGGER audit_entry_whole BEFORE TRUNCATE ON audit_auditentry
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses();
CREATE TRIGGER audit_seal_rows BEFORE UPDATE OR DELETE ON audit_auditseal
    FOR EACH ROW EXECUTE FUNCTION audit_refuses();
CREATE TRIGGER audit_seal_whole BEFORE TRUNCATE ON audit_auditseal
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses();

-- A line waits for its seal from the moment it is committed: in the same transaction, or not at all.
CREATE FUNCTION audit_waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO audit_auditwaiting (entry_id, chain, since) VALUES (NEW.id, NEW.chain, clock_timestamp());
    RETURN NULL;
END $$;

CREATE TRIGGER audit_entry_waits AFTER INSERT ON audit_auditentry
    FOR EACH ROW EXECUTE FUNCTION audit_waits();

-- The second wall: nobody but the owner has the privilege in the first place.
DO $$
DECLARE grantee record; refused_on text;
BEGIN
    FOREACH refused_on IN ARRAY ARRAY['audit_auditentry', 'audit_auditseal'] LOOP
        FOR grantee IN
            SELECT DISTINCT roles.rolname FROM pg_class, aclexplode(pg_class.relacl) AS acl
            JOIN pg_roles AS roles ON roles.oid = acl.grantee
            WHERE pg_class.oid = refused_on::regclass AND acl.grantee <> pg_class.relowner
        LOOP
            EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %I FROM %I', refused_on, grantee.rolname);
        END LOOP;
        EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %I FROM PUBLIC', refused_on);
    END LOOP;
END $$;
