"""Seeds the permissions, loads the audit's functions (chain.sql), and lets the program's role only add to the audit."""

from pathlib import Path

from django.conf import settings
from django.db import migrations

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
    dependencies = [("wallet_policies", "0001_initial")]

    operations = [
        migrations.RunPython(load, lambda apps, editor: editor.execute(UNDO, params=None)),
        migrations.RunPython(restrict, migrations.RunPython.noop),
        migrations.RunPython(seed, migrations.RunPython.noop),
    ]
