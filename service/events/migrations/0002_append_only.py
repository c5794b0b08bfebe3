"""Makes the audit trail append-only: by privilege for the program's role, by trigger for everybody."""

from django.conf import settings
from django.db import migrations

REFUSE = """
create function audit_is_append_only() returns trigger language plpgsql as $$
begin
    raise exception 'audit rows are never changed' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_rows_stay before update or delete on events_auditevent
    for each row execute function audit_is_append_only();
create trigger audit_table_stays before truncate on events_auditevent
    for each statement execute function audit_is_append_only();
"""
UNDO = "drop function audit_is_append_only() cascade"


def restrict(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("select 1 from pg_roles where rolname = %s and rolname <> current_user", [settings.DATABASE_APP_ROLE])
        if cursor.fetchone():
            role = schema_editor.quote_name(settings.DATABASE_APP_ROLE)
            cursor.execute(f"revoke update, delete, truncate on events_auditevent from {role}")


class Migration(migrations.Migration):
    dependencies = [("events", "0001_initial")]

    operations = [
        migrations.RunSQL(REFUSE, UNDO),
        migrations.RunPython(restrict, migrations.RunPython.noop),
    ]
