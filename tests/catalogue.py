"""What PostgreSQL's catalogue knows of a database, and the rows in it, as lines: two databases with the same lines are the same."""

from __future__ import annotations

import psycopg
from psycopg import sql

PUBLIC = "'public'::regnamespace"
# Nothing said of rights is what PostgreSQL gives by default to the owner.
RIGHTS = "(SELECT string_agg(item::text, ' ' ORDER BY item::text) FROM unnest({}) AS item)"
RELATION_RIGHTS = RIGHTS.format(
    "coalesce(relacl, acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::\"char\", relowner))"
)
# A line is the name of its query and one row of it. What has a number of its own in each database is named instead.
QUERIES = {
    "relation": f"""
        SELECT relname, relkind, relpersistence, relreplident, relrowsecurity, reloptions::text,
            pg_get_userbyid(relowner), {RELATION_RIGHTS}
        FROM pg_class WHERE relnamespace = {PUBLIC}""",
    "column": f"""
        SELECT attrelid::regclass::text, attname, row_number() OVER (PARTITION BY attrelid ORDER BY attnum),
            format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attstorage, attcompression,
            attcollation::regcollation::text, pg_get_expr(adbin, adrelid), {RIGHTS.format("attacl")}
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid AND relnamespace = {PUBLIC}
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attnum > 0 AND NOT attisdropped""",
    "index": f"""
        SELECT pg_get_indexdef(indexrelid), indisprimary, indisunique, indisvalid, indimmediate, indisclustered, indisreplident
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid AND relnamespace = {PUBLIC}""",
    "constraint": f"""
        SELECT conrelid::regclass::text, conname, contype, pg_get_constraintdef(oid), condeferrable, condeferred, convalidated,
            conindid::regclass::text
        FROM pg_constraint WHERE connamespace = {PUBLIC}""",
    "trigger": f"""
        SELECT pg_get_triggerdef(pg_trigger.oid), tgenabled
        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid AND relnamespace = {PUBLIC} WHERE NOT tgisinternal""",
    "function": f"""
        SELECT pg_get_functiondef(oid), pg_get_userbyid(proowner), {RIGHTS.format("coalesce(proacl, acldefault('f', proowner))")}
        FROM pg_proc WHERE pronamespace = {PUBLIC} AND prokind <> 'a'""",
    "sequence": """
        SELECT sequencename, sequenceowner, data_type::text, start_value, min_value, max_value, increment_by, cycle, cache_size,
            last_value FROM pg_sequences WHERE schemaname = 'public'""",
    "owned sequence": f"""
        SELECT pg_class.relname, attrelid::regclass::text, attname, deptype FROM pg_depend
        JOIN pg_class ON pg_class.oid = objid AND relkind = 'S' AND relnamespace = {PUBLIC}
        JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
        WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass""",
    "type": f"""
        SELECT typname, typtype, pg_get_userbyid(typowner), {RIGHTS.format("coalesce(typacl, acldefault('T', typowner))")}
        FROM pg_type WHERE typnamespace = {PUBLIC}""",
    "comment": """
        SELECT identity.type, identity.identity, description
        FROM pg_description, pg_identify_object(classoid, objoid, objsubid) AS identity WHERE identity.schema = 'public'""",
    "view": "SELECT viewname, viewowner, definition FROM pg_views WHERE schemaname = 'public'",
    "rule": "SELECT tablename, rulename, definition FROM pg_rules WHERE schemaname = 'public'",
    "policy": "SELECT tablename, policyname, permissive, roles::text, cmd, qual, with_check FROM pg_policies",
    "statistics": f"SELECT pg_get_statisticsobjdef(oid) FROM pg_statistic_ext WHERE stxnamespace = {PUBLIC}",
    "extension": "SELECT extname, extversion, pg_get_userbyid(extowner) FROM pg_extension",
    "event trigger": "SELECT evtname, evtevent, evtfoid::regprocedure::text FROM pg_event_trigger",
    "schema": f"SELECT nspname, pg_get_userbyid(nspowner), {RIGHTS.format('nspacl')} FROM pg_namespace WHERE nspname = 'public'",
    "default right": f"""
        SELECT pg_get_userbyid(defaclrole), defaclnamespace::regnamespace::text, defaclobjtype, {RIGHTS.format("defaclacl")}
        FROM pg_default_acl""",
}
# When a migration ran is another moment in each database.
MOMENTS = {"django_migrations": ["applied"], "wallet_policies_walletpermission": ["created_at", "updated_at"]}


# What PostgreSQL prints of an expression is not always what it prints once it has read that again (`a AND (b AND c)`).
EXPRESSIONS = f"""
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I %s',
        conrelid::regclass, conname, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = {PUBLIC} AND contype = 'c'
    UNION ALL
    SELECT format('DROP INDEX %s; %s', indexrelid::regclass, pg_get_indexdef(indexrelid))
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid AND relnamespace = {PUBLIC}
    WHERE indpred IS NOT NULL OR indexprs IS NOT NULL"""


def lines_of(url: str, *, as_read_again: bool = False) -> list[str]:
    """The catalogue of a database's tables and all of their rows, a line each, sorted; the database stays as it is.

    `as_read_again`: conditions and indexes as they are after PostgreSQL has read what it prints of them, as with a dump.
    """
    lines = []
    with psycopg.connect(url.replace("postgres://", "postgresql://", 1)) as database:
        if as_read_again:
            for (statements,) in database.execute(EXPRESSIONS.encode()).fetchall():
                database.execute(statements.encode())
        for kind, query in QUERIES.items():
            lines += [f"{kind}: {row!r}" for row in database.execute(query.encode())]
        tables = database.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (table,) in tables:
            rows = sql.SQL("SELECT to_jsonb(each) - {moments}::text[] FROM {table} AS each").format(
                moments=sql.Literal(MOMENTS.get(table, [])), table=sql.Identifier("public", table)
            )
            lines += [f"row of {table}: {row!r}" for (row,) in database.execute(rows)]
        database.rollback()
    return sorted(lines)
