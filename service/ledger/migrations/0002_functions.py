"""Loads the ledger's functions (setup, function, holds, changes and proof.sql) and takes from everybody but the owner the right to write its tables."""

from pathlib import Path

from django.conf import settings
from django.db import migrations

TABLES = [
    "ledger_account", "ledger_balance", "ledger_transaction", "ledger_entry", "ledger_hold", "ledger_snapshot",
    "ledger_seal", "ledger_horizon", "ledger_run", "ledger_changed",
]
# Nobody but the functions looks into what has changed.
READ_BY_NOBODY = {"ledger_changed"}
SEQUENCES = ["ledger_account_id_seq", "ledger_transaction_id_seq", "ledger_hold_id_seq", "ledger_snapshot_id_seq",
             "ledger_deferred_seq"]
FUNCTIONS = [
    "ledger_post(text,text,text,bigint[],bigint[],text,date,text[],bigint,boolean,boolean,bigint)",
    "ledger_reverse(text,bigint,text,text,date,boolean)",
    "ledger_open_account(text,text,text,text,text,text,boolean)",
    "ledger_freeze(text,bigint,boolean)",
    "ledger_place_hold(text,bigint,bigint,text,timestamptz,boolean)",
    "ledger_release_hold(text,bigint,text,text)",
    "ledger_expire_holds(integer)",
    "ledger_settle(text)",
    "ledger_canonical(bigint)",
    "ledger_seal_next(integer)",
    "ledger_take_snapshots()",
    "ledger_take_changed()",
]
CHANGED = """
CREATE TABLE ledger_changed (account_id bigint NOT NULL);
INSERT INTO ledger_horizon (name, settled, done, candidate, candidate_xid, position, head)
VALUES ('changed', 0, 0, 0, 0, 0, '');
"""


def readers(cursor):
    """The roles that default privileges let write here, and the one the programs run as."""
    cursor.execute(
        "SELECT DISTINCT r.rolname FROM pg_class c CROSS JOIN aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee"
        " WHERE c.oid = 'ledger_entry'::regclass AND a.grantee <> c.relowner"
    )
    roles = {name for (name,) in cursor.fetchall()}
    cursor.execute("SELECT rolname FROM pg_roles WHERE rolname = %s AND rolname <> current_user",
                   [settings.DATABASE_APP_ROLE])
    return sorted(roles | {name for (name,) in cursor.fetchall()})


def restrict(apps, schema_editor):
    """Everybody else reads the tables and calls the functions, no more."""
    with schema_editor.connection.cursor() as cursor:
        tables, sequences = ", ".join(TABLES), ", ".join(SEQUENCES)
        readable = ", ".join(table for table in TABLES if table not in READ_BY_NOBODY)
        cursor.execute("SELECT oid::regprocedure::text FROM pg_proc WHERE proname LIKE 'ledger\\_%'"
                       " AND pronamespace = 'public'::regnamespace")
        for (function,) in cursor.fetchall():
            cursor.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        for role in readers(cursor):
            name = schema_editor.quote_name(role)
            cursor.execute(f"REVOKE ALL ON {tables} FROM {name}")
            cursor.execute(f"REVOKE ALL ON SEQUENCE {sequences} FROM {name}")
            cursor.execute(f"GRANT SELECT ON {readable} TO {name}")
            for function in FUNCTIONS:
                cursor.execute(f"GRANT EXECUTE ON FUNCTION {function} TO {name}")


def load(apps, schema_editor):
    """Runs the files in their order."""
    for name in ("setup.sql", "function.sql", "holds.sql", "changes.sql", "proof.sql"):
        schema_editor.execute((Path(__file__).parent.parent / name).read_text(encoding="utf-8"), params=None)


class Migration(migrations.Migration):

    dependencies = [("ledger", "0001_initial")]

    operations = [
        migrations.RunSQL(CHANGED, "DROP TABLE ledger_changed"),
        migrations.RunPython(load, migrations.RunPython.noop),
        migrations.RunPython(restrict, migrations.RunPython.noop),
    ]
