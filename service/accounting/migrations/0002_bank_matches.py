"""Matches of several lines and several entries: what was matched one to one becomes matches of one line and one entry."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q

import service.ids

CARRY_OVER = """
insert into accounting_bankmatch (id, business_id, wallet_id, rule, reason, difference_minor, tolerance_minor,
    ledger_transaction_id, matched_by, matched_at, updated_at)
select id, business_id, wallet_id, rule, 'Matched before matches of several were known', 0, 0, ledger_transaction_id,
    matched_by, matched_at, matched_at
from accounting_statementline where status = 'MATCHED';
insert into accounting_matchedentry (match_id, ledger_account_id, entry_seq, ledger_transaction_id, effective_on,
    amount_minor)
select line.id, line.ledger_account_id, line.entry_seq, line.ledger_transaction_id, line.day, line.amount_minor
from accounting_statementline line where line.status = 'MATCHED';
update accounting_matchedentry entry set effective_on = posted.effective_on
from ledger_transaction posted where posted.id = entry.ledger_transaction_id;
update accounting_statementline set match_id = id where status = 'MATCHED';
update accounting_statementline set fingerprint = id;
set constraints all immediate;
"""


def key() -> models.CharField:
    return models.CharField(default=service.ids.object_id, max_length=24, primary_key=True, serialize=False)


def business() -> models.ForeignKey:
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="businesses.business"
    )


class Migration(migrations.Migration):
    dependencies = [
        ("accounting", "0001_initial"),
        ("accounts", "0001_initial"),
        ("businesses", "0001_initial"),
        ("ledger", "0001_initial"),
    ]
    operations = [
        migrations.AddField("bankstatement", "source_format", models.CharField(
            choices=[("CSV", "Csv"), ("CAMT053", "Camt053"), ("MT940", "Mt940"), ("OFX", "Ofx")],
            default="CSV", max_length=7)),
        migrations.AddField("bankstatement", "account", models.CharField(
            blank=True, default="", help_text="what the bank calls the account", max_length=40)),
        migrations.AddField("bankstatement", "opening_minor", models.BigIntegerField(null=True)),
        migrations.AddField("bankstatement", "closing_minor", models.BigIntegerField(null=True)),
        migrations.AddField("bankstatement", "skipped_count", models.PositiveIntegerField(
            default=0, help_text="lines that an earlier statement brought")),
        migrations.AddConstraint("bankstatement", models.CheckConstraint(
            condition=Q(opening_minor=None, closing_minor=None)
            | Q(opening_minor__isnull=False, closing_minor__isnull=False),
            name="bank_statement_balances_whole")),
        migrations.CreateModel("BankMatch", [
            ("id", key()),
            ("rule", models.CharField(choices=[
                ("REFERENCE", "Reference"), ("DAY", "Day"), ("RULE", "Rule"), ("SUM", "Sum"), ("FEE", "Fee"),
                ("BY_HAND", "By Hand")], max_length=9)),
            ("reason", models.CharField(max_length=300)),
            ("difference_minor", models.BigIntegerField(default=0)),
            ("tolerance_minor", models.BigIntegerField(default=0)),
            ("ledger_transaction_id", models.BigIntegerField(help_text="where it has one entry alone", null=True)),
            ("matched_by", models.CharField(max_length=80)),
            ("matched_at", models.DateTimeField()),
            ("updated_at", models.DateTimeField(auto_now=True)),
            ("business", business()),
            ("wallet", models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.wallet")),
        ], {
            "indexes": [models.Index(fields=["wallet", "-matched_at", "-id"], name="bank_match_newest")],
            "constraints": [models.CheckConstraint(
                condition=Q(difference_minor__lte=F("tolerance_minor"), difference_minor__gte=-1 * F("tolerance_minor")),
                name="bank_match_within_tolerance")],
        }),
        migrations.CreateModel("MatchedEntry", [
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("ledger_account_id", models.BigIntegerField()),
            ("entry_seq", models.BigIntegerField()),
            ("ledger_transaction_id", models.BigIntegerField()),
            ("effective_on", models.DateField()),
            ("amount_minor", models.BigIntegerField()),
            ("match", models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="accounting.bankmatch")),
        ]),
        migrations.CreateModel("BankRule", [
            ("id", key()),
            ("name", models.CharField(max_length=100)),
            ("text", models.CharField(
                blank=True, default="", help_text="the description contains it", max_length=100)),
            ("reference", models.CharField(
                blank=True, default="", help_text="the reference, * for anything", max_length=100)),
            ("amount_minor", models.BigIntegerField(null=True)),
            ("kind", models.CharField(help_text="of the ledger's transactions", max_length=32)),
            ("created_by", models.CharField(max_length=80)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("business", business()),
        ], {
            "constraints": [
                models.UniqueConstraint(fields=["business", "name"], name="bank_rule_once"),
                models.CheckConstraint(
                    condition=~Q(text="", reference="", amount_minor=None), name="bank_rule_has_a_condition"),
            ],
        }),
        migrations.AddField("statementline", "match", models.ForeignKey(
            null=True, on_delete=django.db.models.deletion.PROTECT, related_name="lines", to="accounting.bankmatch")),
        migrations.AddField("statementline", "fingerprint", models.CharField(default="", max_length=64),
            preserve_default=False),
        migrations.RunSQL(CARRY_OVER, migrations.RunSQL.noop),
        migrations.RemoveConstraint("statementline", "ledger_entry_matched_once"),
        migrations.RemoveConstraint("statementline", "statement_line_matched_whole"),
        *(migrations.RemoveField("statementline", name) for name in (
            "ledger_account_id", "entry_seq", "ledger_transaction_id", "rule", "matched_by", "matched_at")),
        migrations.AddConstraint("statementline", models.UniqueConstraint(
            fields=["wallet", "fingerprint"], name="bank_line_once")),
        migrations.AddConstraint("statementline", models.CheckConstraint(
            condition=Q(status="MATCHED", match__isnull=False) | Q(status="UNMATCHED", match=None),
            name="statement_line_matched_whole")),
        migrations.AddIndex("statementline", models.Index(fields=["wallet", "day"], name="statement_line_by_day")),
        migrations.AddConstraint("matchedentry", models.UniqueConstraint(
            fields=["ledger_account_id", "entry_seq"], name="ledger_entry_matched_once")),
    ]
