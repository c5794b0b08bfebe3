"""Wallet policies: their tables with their permissions, the functions of their audit (chain.sql), and that the program only
adds to it."""

import django.contrib.postgres.fields
import django.db.models.deletion
import service.ids
from django.db import migrations, models
from pathlib import Path
from django.conf import settings
from service.wallet_policies.catalogue import PERMISSIONS

UNDO = """
DROP FUNCTION wallet_policy_audit_link() CASCADE;
DROP FUNCTION wallet_policy_audit_stays() CASCADE;
DROP FUNCTION wallet_policy_audit_hash(wallet_policies_policyaudit) CASCADE;
"""


def load(apps, schema_editor):
    sql = Path(__file__).parent.parent.joinpath("chain.sql").read_text(encoding="utf-8")
    schema_editor.execute(sql, params=None)


def restrict(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s AND rolname <> current_user", [settings.DATABASE_APP_ROLE])
        if cursor.fetchone():
            role = schema_editor.quote_name(settings.DATABASE_APP_ROLE)
            cursor.execute(f"REVOKE UPDATE, DELETE, TRUNCATE ON wallet_policies_policyaudit FROM {role}")
            cursor.execute(f"REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON wallet_policies_policyaudithead FROM {role}")


def seed(apps, schema_editor):
    table = apps.get_model("wallet_policies", "WalletPermission")
    for position, each in enumerate(PERMISSIONS):
        values = {"title": each.title, "group": each.group, "moves_money": each.moves_money, "position": position}
        table.objects.update_or_create(name=each.name, defaults=values)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('businesses', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='PolicyAuditHead',
            fields=[
                ('business_id', models.CharField(max_length=24, primary_key=True, serialize=False)),
                ('seq', models.BigIntegerField(default=0)),
                ('hash', models.CharField(default='', max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name='WalletPermission',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('title', models.CharField(max_length=100)),
                ('group', models.CharField(max_length=20)),
                ('moves_money', models.BooleanField(default=False)),
                ('position', models.PositiveSmallIntegerField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'ordering': ['position', 'name'],
            },
        ),
        migrations.CreateModel(
            name='WalletPolicy',
            fields=[
                ('id', models.CharField(default=service.ids.object_id, max_length=24, primary_key=True, serialize=False)),
                ('permissions', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), size=None)),
                ('per_transaction_minor', models.BigIntegerField(null=True)),
                ('daily_minor', models.BigIntegerField(null=True)),
                ('monthly_minor', models.BigIntegerField(null=True)),
                ('valid_from', models.DateTimeField()),
                ('expires_at', models.DateTimeField(null=True)),
                ('status', models.CharField(choices=[('ACTIVE', 'Active'), ('SUSPENDED', 'Suspended'), ('REVOKED', 'Revoked'), ('EXPIRED', 'Expired')], default='ACTIVE', max_length=9)),
                ('granted_by', models.CharField(max_length=80)),
                ('reason', models.CharField(blank=True, default='', max_length=500)),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='businesses.business')),
                ('employee', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='wallet_policies', to='businesses.employee')),
                ('wallet', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='policies', to='accounts.wallet')),
            ],
            options={
                'verbose_name_plural': 'wallet policies',
                'indexes': [models.Index(fields=['wallet', '-created_at', '-id'], name='wallet_policy_by_wallet'), models.Index(fields=['employee', '-created_at', '-id'], name='wallet_policy_by_employee'), models.Index(condition=models.Q(('expires_at__isnull', False), ('status', 'ACTIVE')), fields=['expires_at'], name='wallet_policy_due')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status__in', ('ACTIVE', 'SUSPENDED'))), fields=('wallet', 'employee'), name='one_open_wallet_policy'), models.CheckConstraint(condition=models.Q(('expires_at', None), ('expires_at__gt', models.F('valid_from')), _connector='OR'), name='wallet_policy_ends_after_start'), models.CheckConstraint(condition=models.Q(models.Q(('per_transaction_minor', None), ('per_transaction_minor__gte', 0), _connector='OR'), models.Q(('daily_minor', None), ('daily_minor__gte', 0), _connector='OR'), models.Q(('monthly_minor', None), ('monthly_minor__gte', 0), _connector='OR')), name='wallet_policy_limits_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='WalletUse',
            fields=[
                ('id', models.CharField(default=service.ids.object_id, max_length=24, primary_key=True, serialize=False)),
                ('permission', models.CharField(max_length=40)),
                ('amount_minor', models.BigIntegerField()),
                ('ref', models.CharField(blank=True, default='', help_text='what it was for, where it may be undone', max_length=80)),
                ('at', models.DateTimeField()),
                ('employee', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='businesses.employee')),
                ('policy', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='wallet_policies.walletpolicy')),
                ('wallet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.wallet')),
            ],
            options={
                'indexes': [models.Index(fields=['wallet', 'employee', 'at'], name='wallet_use_by_person'), models.Index(condition=models.Q(('ref', ''), _negated=True), fields=['wallet', 'ref'], name='wallet_use_by_ref')],
            },
        ),
        migrations.CreateModel(
            name='PolicyAudit',
            fields=[
                ('id', models.CharField(default=service.ids.object_id, max_length=24, primary_key=True, serialize=False)),
                ('seq', models.BigIntegerField(default=0)),
                ('at', models.DateTimeField()),
                ('actor', models.CharField(max_length=80)),
                ('acting_employee', models.CharField(max_length=24, null=True)),
                ('policy_id', models.CharField(max_length=24)),
                ('wallet_id', models.CharField(max_length=24)),
                ('employee_id', models.CharField(max_length=24)),
                ('action', models.CharField(max_length=20)),
                ('before', models.JSONField(null=True)),
                ('after', models.JSONField(null=True)),
                ('request_id', models.CharField(blank=True, default='', max_length=128)),
                ('ip', models.CharField(blank=True, default='', max_length=45)),
                ('prev_hash', models.CharField(default='', max_length=64)),
                ('hash', models.CharField(default='', max_length=64)),
                ('business', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='businesses.business')),
            ],
            options={
                'indexes': [models.Index(fields=['business', '-at', '-id'], name='policy_audit_newest'), models.Index(fields=['wallet_id', '-at', '-id'], name='policy_audit_by_wallet'), models.Index(fields=['policy_id', '-at', '-id'], name='policy_audit_by_policy')],
                'constraints': [models.UniqueConstraint(fields=('business', 'seq'), name='policy_audit_one_chain')],
            },
        ),
        migrations.RunPython(load, lambda apps, editor: editor.execute(UNDO, params=None)),
        migrations.RunPython(restrict, migrations.RunPython.noop),
        migrations.RunPython(seed, migrations.RunPython.noop),
    ]
