"""Events and the audit trail, which is append-only: by privilege for the program's role, by trigger for everybody."""

import django.db.models.deletion
import service.ids
from django.db import migrations, models
from django.conf import settings

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


# Django makes it of each text that is a key, for LIKE: nobody looks for a part of an id, and each posting would write it.
UNUSED = {"events_event_id_75d2cab3_like", "events_auditevent_id_16bced9c_like"}


def leave_out(apps, schema_editor):
    # Indexes are made at the end of a migration: until then they wait here.
    waiting = schema_editor.deferred_sql
    schema_editor.deferred_sql = [sql for sql in waiting if not any(name in str(sql) for name in UNUSED)]


def restrict(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("select 1 from pg_roles where rolname = %s and rolname <> current_user", [settings.DATABASE_APP_ROLE])
        if cursor.fetchone():
            role = schema_editor.quote_name(settings.DATABASE_APP_ROLE)
            cursor.execute(f"revoke update, delete, truncate on events_auditevent from {role}")


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('businesses', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='EventCounter',
            fields=[
                ('business', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='businesses.business')),
                ('last', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='AuditEvent',
            fields=[
                ('id', models.CharField(default=service.ids.object_id, max_length=24, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField()),
                ('actor', models.CharField(max_length=80)),
                ('acting_employee_id', models.CharField(max_length=24, null=True)),
                ('action', models.CharField(max_length=80)),
                ('resource_type', models.CharField(max_length=40)),
                ('resource_id', models.CharField(max_length=40)),
                ('before', models.JSONField(null=True)),
                ('after', models.JSONField(null=True)),
                ('request_id', models.CharField(blank=True, default='', max_length=128)),
                ('business', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='businesses.business')),
            ],
            options={
                'indexes': [models.Index(fields=['business', '-created_at', '-id'], name='audit_newest_first')],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.CharField(default=service.ids.object_id, max_length=24, primary_key=True, serialize=False)),
                ('sequence', models.BigIntegerField(null=True)),
                ('kind', models.CharField(max_length=60)),
                ('payload', models.JSONField()),
                ('created_at', models.DateTimeField()),
                ('business', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='businesses.business')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('sequence__isnull', True)), fields=['id'], name='event_unnumbered'), models.Index(fields=['created_at'], name='event_age')],
                'constraints': [models.UniqueConstraint(fields=('business', 'sequence'), name='event_sequence_once')],
            },
        ),
        migrations.RunSQL(REFUSE, UNDO),
        migrations.RunPython(leave_out, migrations.RunPython.noop),
        migrations.RunPython(restrict, migrations.RunPython.noop),
    ]
