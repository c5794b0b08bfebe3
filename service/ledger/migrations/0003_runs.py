"""Runs of entries by effective day, and a note of whose balance changed: the functions that keep both are loaded anew."""

from importlib import import_module
from pathlib import Path

import django.db.models.functions.datetime
from django.db import migrations, models

functions = import_module("service.ledger.migrations.0002_functions")

RUNS = """
INSERT INTO ledger_run (account_id, seq, effective_on, opening)
SELECT account_id, seq, effective_on, opening FROM (
    SELECT e.account_id, e.seq, t.effective_on, e.balance_after - e.amount AS opening,
           lag(t.effective_on) OVER (PARTITION BY e.account_id ORDER BY e.seq) AS day_before
    FROM ledger_entry e
    JOIN ledger_account a ON a.id = e.account_id AND a.mode = 'IMMEDIATE'
    JOIN ledger_transaction t ON t.id = e.transaction_id) entry
WHERE day_before IS DISTINCT FROM effective_on;
UPDATE ledger_balance b SET day = r.effective_on, run_seq = r.seq
FROM (SELECT DISTINCT ON (account_id) * FROM ledger_run ORDER BY account_id, seq DESC) r
WHERE r.account_id = b.account_id;
"""
CHANGED = """
CREATE TABLE ledger_changed (account_id bigint NOT NULL);
INSERT INTO ledger_horizon (name, settled, done, candidate, candidate_xid, position, head)
VALUES ('changed', 0, 0, 0, 0, 0, '');
"""
# Its arguments have changed, so that it would be left beside the new one.
OLD = """
DROP FUNCTION IF EXISTS
    ledger_post_legs(bigint, text, text, bigint[], bigint[], text[], bigint, boolean, boolean, bigint);
"""


def load(apps, schema_editor):
    """The functions as they are now."""
    for name in ("function.sql", "holds.sql", "changes.sql"):
        path = Path(__file__).parent.parent / name
        schema_editor.execute(path.read_text(encoding="utf-8"), params=None)


def restrict(apps, schema_editor):
    """Everybody else reads the runs, and takes what changed through its function alone."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT oid::regprocedure::text FROM pg_proc WHERE proname LIKE 'ledger\\_%'"
                       " AND pronamespace = 'public'::regnamespace")
        for (function,) in cursor.fetchall():
            cursor.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        for role in functions.readers(cursor):
            name = schema_editor.quote_name(role)
            cursor.execute(f"REVOKE ALL ON ledger_run, ledger_changed FROM {name}")
            cursor.execute(f"GRANT SELECT ON ledger_run TO {name}")
            cursor.execute(f"GRANT EXECUTE ON FUNCTION ledger_take_changed() TO {name}")


class Migration(migrations.Migration):

    dependencies = [
        ("businesses", "0002_initial"),
        ("ledger", "0002_functions"),
    ]

    operations = [
        migrations.CreateModel(
            name="LedgerRun",
            fields=[
                ("pk", models.CompositePrimaryKey("account_id", "seq", blank=True, editable=False, primary_key=True,
                                                  serialize=False)),
                ("seq", models.BigIntegerField()),
                ("effective_on", models.DateField()),
                ("opening", models.BigIntegerField()),
                ("account", models.ForeignKey(db_constraint=False, db_index=False,
                                              on_delete=models.deletion.DO_NOTHING, related_name="runs",
                                              to="ledger.ledgeraccount")),
            ],
            options={"db_table": "ledger_run"},
        ),
        migrations.AddField("ledgerbalance", "day",
                            models.DateField(help_text="the effective day of the last entry", null=True)),
        migrations.AddField("ledgerbalance", "run_seq", models.BigIntegerField(
            default=0, help_text="number of the entry with which the run of that day began")),
        migrations.AddField("ledgerbalance", "holds", models.BigIntegerField(
            default=0, help_text="how often a hold was placed or given back")),
        migrations.AddField("ledgerbalance", "changed_at", models.DateTimeField(
            db_default=django.db.models.functions.datetime.Now(),
            help_text="when one of these figures last changed")),
        migrations.RunSQL(RUNS, migrations.RunSQL.noop),
        migrations.RunSQL(CHANGED, "DROP TABLE ledger_changed; DELETE FROM ledger_horizon WHERE name = 'changed'"),
        migrations.RunSQL(OLD, migrations.RunSQL.noop),
        migrations.RunPython(load, migrations.RunPython.noop),
        migrations.RunPython(restrict, migrations.RunPython.noop),
    ]
