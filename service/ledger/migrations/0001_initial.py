"""The ledger: its tables, its functions (setup, function, holds, changes and proof.sql), and that nobody but the owner
writes to its tables."""

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.db import migrations, models
from pathlib import Path
from django.conf import settings

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
    "ledger_has_changed()",
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

    initial = True

    # The packages' tables come before most of ours: for each change of a model Django builds those that it is related to anew, and
    # by way of the business nearly all of ours are. With these last, a new database took twice as long.
    dependencies = [
        ('businesses', '0001_initial'),
        ('auth', '0012_alter_user_first_name_max_length'),
        ('oauth2_provider', '0022_refreshtoken_token_family_index'),
    ]

    operations = [
        migrations.CreateModel(
            name='LedgerAccount',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=32)),
                ('currency', models.CharField(max_length=3)),
                ('holder_type', models.CharField(blank=True, default='', max_length=24)),
                ('holder_id', models.CharField(blank=True, default='', max_length=64)),
                ('mode', models.CharField(choices=[('IMMEDIATE', 'Immediate'), ('DEFERRED', 'Deferred')], default='IMMEDIATE', max_length=9)),
                ('allow_negative', models.BooleanField(default=False)),
                ('frozen', models.BooleanField(default=False, help_text='refuses debits, takes credits')),
                ('created_at', models.DateTimeField()),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='businesses.business')),
            ],
            options={
                'db_table': 'ledger_account',
                'constraints': [models.UniqueConstraint(fields=('business', 'kind', 'currency', 'holder_type', 'holder_id'), name='ledger_account_once')],
            },
        ),
        migrations.CreateModel(
            name='LedgerHorizon',
            fields=[
                ('name', models.CharField(max_length=16, primary_key=True, serialize=False)),
                ('settled', models.BigIntegerField(default=0)),
                ('done', models.BigIntegerField(default=0, help_text='worked through up to here')),
                ('candidate', models.BigIntegerField(default=0)),
                ('candidate_xid', models.BigIntegerField(default=0)),
                ('position', models.BigIntegerField(default=0, help_text="the chain's length")),
                ('head', models.BinaryField(default=b'')),
            ],
            options={
                'db_table': 'ledger_horizon',
            },
        ),
        migrations.CreateModel(
            name='LedgerHold',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('incoming', models.BooleanField(default=False, help_text='expected, not reserved: counts as pending_in')),
                ('ref', models.CharField(max_length=200)),
                ('amount', models.BigIntegerField()),
                ('captured', models.BigIntegerField(default=0, help_text='what captures took out of the hold, never over amount')),
                ('status', models.CharField(choices=[('PENDING', 'Pending'), ('POSTED', 'Posted'), ('VOIDED', 'Voided'), ('EXPIRED', 'Expired')], default='PENDING', max_length=7)),
                ('created_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField(null=True)),
                ('closed_at', models.DateTimeField(null=True)),
                ('closed_ref', models.CharField(default='', max_length=200)),
                ('account', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='holds', to='ledger.ledgeraccount')),
                ('business', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='businesses.business')),
            ],
            options={
                'db_table': 'ledger_hold',
                'indexes': [models.Index(condition=models.Q(('status', 'PENDING')), fields=['account'], name='ledger_hold_open'), models.Index(condition=models.Q(('status', 'PENDING')), fields=['expires_at'], name='ledger_hold_due')],
                'constraints': [models.UniqueConstraint(fields=('business', 'ref'), name='ledger_hold_once'), models.CheckConstraint(condition=models.Q(('amount__gt', 0), ('captured__gte', 0), ('captured__lte', models.F('amount'))), name='ledger_hold_amounts')],
            },
        ),
        migrations.CreateModel(
            name='LedgerRun',
            fields=[
                ('pk', models.CompositePrimaryKey('account_id', 'seq', blank=True, editable=False, primary_key=True, serialize=False)),
                ('seq', models.BigIntegerField()),
                ('effective_on', models.DateField()),
                ('opening', models.BigIntegerField()),
                ('account', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='runs', to='ledger.ledgeraccount')),
            ],
            options={
                'db_table': 'ledger_run',
            },
        ),
        migrations.CreateModel(
            name='LedgerSnapshot',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('seq', models.BigIntegerField()),
                ('posted', models.BigIntegerField()),
                ('taken_at', models.DateTimeField()),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='snapshots', to='ledger.ledgeraccount')),
            ],
            options={
                'db_table': 'ledger_snapshot',
                'constraints': [models.UniqueConstraint(fields=('account', 'seq'), name='ledger_snapshot_once')],
            },
        ),
        migrations.CreateModel(
            name='LedgerTransaction',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('external_ref', models.CharField(max_length=200)),
                ('kind', models.CharField(max_length=32)),
                ('description', models.TextField(blank=True, default='')),
                ('effective_on', models.DateField()),
                ('created_at', models.DateTimeField()),
                ('hold_id', models.BigIntegerField(null=True)),
                ('forced', models.BooleanField(default=False)),
                ('business', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='businesses.business')),
                ('reverses', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='reversed_by', to='ledger.ledgertransaction')),
            ],
            options={
                'db_table': 'ledger_transaction',
                'constraints': [models.UniqueConstraint(fields=('external_ref', 'business'), name='ledger_transaction_once'), models.UniqueConstraint(condition=models.Q(('reverses__isnull', False)), fields=('reverses',), name='ledger_transaction_reversed_once')],
            },
        ),
        migrations.CreateModel(
            name='LedgerSeal',
            fields=[
                ('position', models.BigIntegerField(primary_key=True, serialize=False)),
                ('hash', models.BinaryField()),
                ('sealed_at', models.DateTimeField()),
                ('transaction', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='seal', to='ledger.ledgertransaction')),
            ],
            options={
                'db_table': 'ledger_seal',
            },
        ),
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('pk', models.CompositePrimaryKey('account_id', 'seq', blank=True, editable=False, primary_key=True, serialize=False)),
                ('seq', models.BigIntegerField()),
                ('amount', models.BigIntegerField()),
                ('balance_after', models.BigIntegerField(null=True)),
                ('currency', models.CharField(max_length=3)),
                ('posted_at', models.DateTimeField()),
                ('note', models.TextField(null=True)),
                ('account', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='entries', to='ledger.ledgeraccount')),
                ('transaction', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='entries', to='ledger.ledgertransaction')),
            ],
            options={
                'db_table': 'ledger_entry',
            },
        ),
        migrations.CreateModel(
            name='LedgerBalance',
            fields=[
                ('account', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='balance', serialize=False, to='ledger.ledgeraccount')),
                ('posted', models.BigIntegerField(default=0)),
                ('pending_in', models.BigIntegerField(default=0)),
                ('pending_out', models.BigIntegerField(default=0)),
                ('seq', models.BigIntegerField(default=0, help_text='number of the last entry')),
                ('day', models.DateField(help_text='the effective day of the last entry', null=True)),
                ('run_seq', models.BigIntegerField(default=0, help_text='number of the entry with which the run of that day began')),
                ('holds', models.BigIntegerField(default=0, help_text='how often a hold was placed or given back')),
                ('changed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='when one of these figures last changed')),
                ('minimum', models.BigIntegerField(default=0, help_text='what a debit must leave available: 0, or nearly no bound')),
                ('floor', models.BigIntegerField(default=0, help_text='the minimum, or lower where a forced capture went below it')),
                ('currency', models.CharField(max_length=3)),
                ('frozen', models.BooleanField(default=False)),
                ('business', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='businesses.business')),
            ],
            options={
                'db_table': 'ledger_balance',
                'constraints': [models.CheckConstraint(condition=models.Q(('posted__gte', django.db.models.expressions.CombinedExpression(models.F('pending_out'), '+', models.F('floor')))), name='ledger_balance_available')],
            },
        ),
        migrations.RunSQL(CHANGED, "DROP TABLE ledger_changed"),
        migrations.RunPython(load, migrations.RunPython.noop),
        migrations.RunPython(restrict, migrations.RunPython.noop),
    ]
