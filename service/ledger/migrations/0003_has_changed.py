"""Adds the question whether any balance has changed: the schedule asks it each second, and only then asks a worker."""

from django.db import migrations

CREATE = """
CREATE FUNCTION ledger_has_changed() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$ SELECT EXISTS (SELECT FROM ledger_changed) $$;
REVOKE ALL ON FUNCTION ledger_has_changed() FROM PUBLIC;
"""


def grant(apps, schema_editor):
    """Whoever may take what has changed may ask whether there is any."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT r.rolname FROM pg_proc p CROSS JOIN aclexplode(p.proacl) a JOIN pg_roles r ON r.oid = a.grantee"
            " WHERE p.oid = 'ledger_take_changed()'::regprocedure AND a.grantee <> p.proowner"
        )
        for (role,) in cursor.fetchall():
            cursor.execute(f"GRANT EXECUTE ON FUNCTION ledger_has_changed() TO {schema_editor.quote_name(role)}")


class Migration(migrations.Migration):

    dependencies = [("ledger", "0002_functions")]

    operations = [
        migrations.RunSQL(CREATE, "DROP FUNCTION ledger_has_changed()"),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
