"""The month before this one of a category's budget among many bills, as a ratio to the same among few.

100,000 bills of two years (`--bills` says how many) of one vendor under the business's subcategories, each paid twenty days after it
was entered; the other business has those of its last months alone. Both have the same bills in these, so that what a past month
takes goes by what was open or moved since, and not by how many bills there are.
"""

from __future__ import annotations

import argparse
import os
import sys

import psycopg
from measure import house, in_turn, report, seconds

MONTHS, FEW_MONTHS, PAID_AFTER, ROUNDS = 24, 4, 20, 9
GOAL = 1.5
BILLS = """
insert into bills_bill (id, business_id, vendor_id, bill_no, bill_no_key, currency, subtotal_minor, tax_minor, total_minor, paid_minor,
    credited_minor, issued_on, due_on, subcategory_id, withholding_tax_ids, memo, purchase_order, discount_bps,
    discount_from_vendor, discounted_minor, status, duplicate_reason, created_by, maker_ids, version, created_at, updated_at)
select %(prefix)s || lpad(to_hex(n), 22, '0'), %(business)s, %(vendor)s, 'B' || n, 'b' || n, 'KES', 1000 + n, 0, 1000 + n,
    case when at < now() - %(after)s * interval '1 day' then 1000 + n else 0 end, 0, at::date, at::date + 30,
    (%(filed)s::text[])[1 + n %% %(kinds)s], '{}', '', '', 0, false, 0,
    case when at < now() - %(after)s * interval '1 day' then 'PAID' else 'OPEN' end, '', 'bench', '{}', 1, at, at
from generate_series(1, %(count)s) n, lateral (select now() - n * %(months)s * interval '30 days' / %(count)s as at) entered
"""
LINES = """
insert into bills_billline (id, bill_id, position, description, quantity, unit_price_minor, tax_rate_bps, amount_minor, tax_minor,
    subcategory_id)
select id, id, 0, 'Paper', 1, total_minor, 0, total_minor, 0, subcategory_id from bills_bill where business_id = %(business)s
"""
PAYMENTS = """
insert into bills_billpayment (id, business_id, bill_id, vendor_id, ref, wallet_id, instruction_id, receiver_name, channel, account,
    bank_code, account_reference, currency, amount_minor, withheld_minor, net_minor, discount_minor, fee_minor, withholding, status,
    approval_status, hold_reason, failure_code, provider_ref, round, attempts_made, policies, portions, effect, created_by,
    requested_by, maker_ids, settled_at, version, created_at, updated_at)
select id, business_id, id, vendor_id, bill_no, %(wallet)s, %(instruction)s, 'Paper', 'MPESA_TILL', '771111', '', '', 'KES',
    total_minor, 0, total_minor, 0, 0, '[]', 'SUCCEEDED', 'APPROVED', '', '', '', 1, 1, '{}', '{}', '', 'bench', '', '{}',
    created_at + %(after)s * interval '1 day', 1, created_at, created_at
from bills_bill where business_id = %(business)s and status = 'PAID'
"""


class Payables:
    """A business with so many bills of so many months, and a budget of one of their categories."""

    def __init__(self, prefix: str, bills: int, months: int) -> None:
        from datetime import timedelta

        from django.db import connection
        from django.utils import timezone

        from service.accounts.wallets import wallet_by_ref
        from service.budgets.models import Budget
        from service.ledger.post import today
        from service.sandbox.businesses import BusinessSpec, open_business
        from service.vendors.models import PaymentInstruction, Vendor

        opened = open_business(BusinessSpec(name=f"Payables {prefix}"))
        self.business, filed = opened.business, [row.id for row in opened.subcategories]
        vendor = Vendor.objects.create(business=self.business, name="Paper", country="KE", currency="KES")
        instruction = PaymentInstruction.objects.create(
            business=self.business, vendor=vendor, channel="MPESA_TILL", account="771111", account_key="771111",
            account_name="Paper", status="ACTIVE", changed_at=timezone.now(),
        )  # fmt: skip
        values = {
            "prefix": prefix, "business": self.business.id, "vendor": vendor.id, "after": PAID_AFTER, "filed": filed,
            "kinds": len(filed), "count": bills, "months": months, "instruction": instruction.id,
            "wallet": wallet_by_ref(self.business, "1").id,
        }  # fmt: skip
        with connection.cursor() as cursor:
            for statement in (BILLS, LINES, PAYMENTS):
                cursor.execute(statement, values)
        category = opened.subcategories[0].category
        self.budget = Budget.objects.create(
            business=self.business, name="Paper", category=category, currency="KES", period="MONTH", amount_minor=10**9
        )
        self.day = today(self.business).replace(day=1) - timedelta(days=1)

    def figures(self) -> object:
        """Committed and spent in the month before this one."""
        from service.budgets import figures

        found = figures.of(self.business, [self.budget.id], self.day)[self.budget.id]
        assert found.spent_minor > 0
        assert found.committed_minor > 0
        return found


def main() -> int:
    """Prints the ratio; the exit code says whether the goal is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bills", type=int, default=100_000)
    options = parser.parse_args()
    with house("service", durable=False) as made:
        os.environ.update(
            made.program_env("service")
            | {"DJANGO_SETTINGS_MODULE": "config.settings.service", "LOG_LEVEL": "ERROR", "DATABASE_STATEMENT_S": "300"}
        )
        import django

        django.setup()
        many = Payables("aa", options.bills, MONTHS)
        few = Payables("bb", options.bills * FEW_MONTHS // MONTHS, FEW_MONTHS)
        assert made.postgres is not None
        # As autovacuum does, which looks at a table a minute after it was filled.
        with psycopg.connect(made.postgres.url("service_owner", "service"), autocommit=True) as owner:
            for table in ("bills_bill", "bills_billline", "bills_billpayment"):
                owner.execute(f"ANALYZE {table}")
        first, second = seconds(many.figures), seconds(few.figures)
        print(
            f"{options.bills:,} bills: {first() * 1000:.0f} ms; those of {FEW_MONTHS} months: {second() * 1000:.0f} ms"
        )
        good = report(
            f"a past month of {options.bills:,} bills / of few", in_turn(first, second, ROUNDS), GOAL, at_most=True
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
