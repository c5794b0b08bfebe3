"""Journal exports, and which entries each of them holds."""

import django.db.models.deletion
import service.ids
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounting', '0002_bank_matches'),
        ('businesses', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='JournalExport',
            fields=[
                ('id', models.CharField(default=service.ids.object_id, max_length=24, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('first_day', models.DateField()),
                ('last_day', models.DateField()),
                ('line_count', models.PositiveIntegerField(default=0)),
                ('posting_count', models.PositiveIntegerField(default=0)),
                ('sha256', models.CharField(blank=True, default='', max_length=64)),
                ('status', models.CharField(choices=[('LIVE', 'Live'), ('UNDONE', 'Undone')], default='LIVE', max_length=6)),
                ('exported_by', models.CharField(max_length=80)),
                ('undo_proposed_by', models.CharField(blank=True, default='', max_length=80)),
                ('undone_by', models.CharField(blank=True, default='', max_length=80)),
                ('undo_reason', models.CharField(blank=True, default='', max_length=500)),
                ('undone_at', models.DateTimeField(null=True)),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='businesses.business')),
            ],
        ),
        migrations.CreateModel(
            name='ExportedEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('live', models.BooleanField(default=True)),
                ('ledger_account_id', models.BigIntegerField()),
                ('entry_seq', models.BigIntegerField()),
                ('ledger_transaction_id', models.BigIntegerField()),
                ('subcategory_id', models.CharField(blank=True, default='', max_length=24)),
                ('team_id', models.CharField(blank=True, default='', max_length=24)),
                ('tax_id', models.CharField(blank=True, default='', max_length=24)),
                ('export', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='accounting.journalexport')),
            ],
        ),
        migrations.AddIndex(
            model_name='journalexport',
            index=models.Index(fields=['business', '-created_at', '-id'], name='journal_export_newest'),
        ),
        migrations.AddConstraint(
            model_name='journalexport',
            constraint=models.UniqueConstraint(fields=('business', 'number'), name='journal_export_number_once'),
        ),
        migrations.AddConstraint(
            model_name='journalexport',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'LIVE'), ('undo_proposed_by', ''), ('undone_at', None)), models.Q(('status', 'UNDONE'), ('undone_at__isnull', False), models.Q(('undo_proposed_by', ''), _negated=True), models.Q(('undo_proposed_by', models.F('undone_by')), _negated=True)), _connector='OR'), name='journal_export_undone_by_two'),
        ),
        migrations.AddConstraint(
            model_name='exportedentry',
            constraint=models.UniqueConstraint(fields=('export', 'number'), name='exported_entry_number_once'),
        ),
        migrations.AddConstraint(
            model_name='exportedentry',
            constraint=models.UniqueConstraint(condition=models.Q(('live', True)), fields=('ledger_account_id', 'entry_seq'), name='ledger_entry_exported_once'),
        ),
    ]
