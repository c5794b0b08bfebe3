"""CPU of Home and of the list pages, signed in, in their whole shell, 1,000,000 rows each, against a bare Django page.

Measured as `approvals_page.py` measures: the web server's processes and PostgreSQL's, in turn with the bare page. `ONLY`
names pages ("bills/|payouts/"): the tables of the others stay empty, so that a million rows are made in less time.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from typing import Any

import psycopg
from approvals_page import MANY, Server, beside_bare, fill, open_businesses
from measure import House, house, in_turn, report
from psycopg import sql

GOAL = 1.0
CARRIED = "business_id, remote_id, remote_version, payload, payload_hash, source, first_seen, last_seen"
VALUES = "%(business)s, lpad(to_hex(n), 24, '0'), 1, '{}', md5(n::text), 'POLL', now(), now()"
# What is read of a row's payload by a column or a filter of its list.
PAYLOADS = {
    "mirror_request": "jsonb_build_object('kind', CASE WHEN n %% 20000 = 1 THEN 'BANK_TRANSFER' ELSE 'BULK_PAYOUT' END)"
}
TABLES = {
    "mirror_transaction": (
        "type, status, direction, org_wallet_ref, currency, amount_minor, amount_text, fees_text, counterparty, ref,"
        " channel, description, category_name, employee_id, team_id, expense_id, occurred_at",
        "'EXPENSE', 'POSTED', 'OUT', '1', 'KES', -1000 - n %% 900000, 'KES -' || (1000 + n %% 900000) / 100 || '.00', '',"
        " 'Merchant ' || n %% 5000, 'TX' || n, 'CARD', '', 'Travel', 'e' || n %% 60, 't' || n %% 9, '',"
        " now() - n * interval '30 seconds'",
    ),
    "mirror_customer": (
        "kind, name, email, phone, tax_pin, person, status, created_at, sort_name",
        "'regular', 'Customer ' || n, 'c' || n || '@example.test', '2547' || n, '', '', 'ACTIVE',"
        " now() - n * interval '30 seconds', 'customer ' || n",
    ),
    "mirror_vendor": (
        "name, email, phone, tax_pin, type, country, currency, instructions, quarantined, status, created_at, documents, contacts,"
        " also_known_as, merged_into",
        "'Vendor ' || n, 'v' || n || '@example.test', '2547' || n, '', 'BUSINESS', 'KE', 'KES', '[]', n %% 20000 = 3,"
        " CASE WHEN n %% 10000 = 7 THEN 'DELETED' ELSE 'ACTIVE' END,"
        " now() - n * interval '30 seconds', '[]', '[]', '[]', ''",
    ),
    "mirror_card": (
        "kind, status, blocked_by, blocker_id, reason, employee_id, employee_name, team_id, team_name, org_wallet_ref,"
        " currency, funding, name, last_four, month_minor, limit_interval, limit_minor, spent_minor, created_at, sort_holder",
        "'VIRTUAL', CASE WHEN n %% 9 = 0 THEN 'BLOCKED' ELSE 'ACTIVE' END, '', '', '', 'e' || n %% 60,"
        " 'Employee ' || n %% 60, 't' || n %% 9, 'Team ' || n %% 9, '1', 'KES', 'BUSINESS_WALLET', 'Card ' || n, lpad((n %% 10000)::text, 4, '0'),"
        " n %% 90000, CASE WHEN n %% 3 = 0 THEN '' ELSE 'MONTHLY' END, CASE WHEN n %% 3 = 0 THEN NULL ELSE 100000 END,"
        " n %% 90000, now() - n * interval '30 seconds', 'employee ' || n %% 60",
    ),
    "mirror_subscription": (
        "name, vendor, employee_id, team_id, card_id, currency, amount_minor, amount_text, limit_text, billing_frequency,"
        " next_charge_at, status, subcategory_id",
        "'Subscription ' || n, 'Vendor ' || n %% 5000, 'e' || n %% 60, 't' || n %% 9, '', 'KES', 1000 + n %% 900000,"
        " 'KES ' || (1000 + n %% 900000) / 100 || '.00', '', 'MONTHLY', now() + n * interval '30 seconds', 'ACTIVE', ''",
    ),
    "mirror_employee": (
        "name, email, role, team_id, status",
        "'Employee ' || n, 'e' || n || '@example.test', 'CARD_USER', 't' || n %% 9, 'ACTIVE'",
    ),
    "mirror_bill": (
        "bill_no, number_key, vendor_id, vendor_name, team_id, currency, total_minor, total_text, balance_minor,"
        " balance_text, issued_on, due_on, status, approval_status, duplicate_of, file_hashes, memo, created_by_id,"
        " purchase_order, split_team_ids",
        # Two in a hundred are to be paid; what is rare (a draft, another currency, a withdrawn payment) is a few rows of all.
        "'INV-' || n, 'inv' || n, lpad(to_hex(1 + n %% 5000), 24, '0'), 'Vendor ' || 1 + n %% 5000,"
        " lpad(to_hex(1 + n %% 9), 24, '0'), CASE WHEN n %% 50000 = 3 THEN 'USD' ELSE 'KES' END, 1000 + n %% 900000,"
        " 'KES ' || (1000 + n %% 900000) / 100 || '.00', CASE WHEN n %% 50 = 0 THEN 1000 + n %% 900000 ELSE 0 END,"
        " 'KES ' || CASE WHEN n %% 50 = 0 THEN (1000 + n %% 900000) / 100 ELSE 0 END || '.00',"
        " current_date - (n %% 900)::int, current_date + 30 - (n %% 900)::int,"
        " CASE WHEN n %% 500 = 0 THEN 'PARTIALLY_PAID' WHEN n %% 50 = 0 THEN 'OPEN' WHEN n %% 50000 = 7 THEN 'DRAFT'"
        " WHEN n %% 1000 = 9 THEN 'CANCELLED' ELSE 'PAID' END,"
        " CASE WHEN n %% 200 = 0 THEN 'PENDING' WHEN n %% 50 = 0 THEN 'INITIALIZED' WHEN n %% 50000 = 11 THEN 'TERMINATED'"
        " WHEN n %% 10000 = 13 THEN 'REJECTED' WHEN n %% 100 = 1 THEN 'NOT_REQUIRED' ELSE 'APPROVED' END,"
        " '', '{}', '', 'e' || n %% 60, CASE WHEN n %% 20000 = 17 THEN 'PO-' || n ELSE '' END,"
        " CASE WHEN n %% 10000 = 19 THEN ARRAY[lpad(to_hex(2), 24, '0')] ELSE '{}' END",
    ),
    "mirror_request": (
        "kind, ref, title, payee, amount_minor, currency, amount_text, org_wallet_ref, holder_id, holder_name, team_id,"
        " requested_by_id, requested_at, status, voted",
        "'payout', 'BP-' || n, 'Payout ' || n, n %% 90 || ' payments', 1000 + n %% 900000,"
        " CASE WHEN n %% 50000 = 3 THEN 'USD' ELSE 'KES' END,"
        " 'KES ' || (1000 + n %% 900000) / 100 || '.00', '1', '', '', '', 'e' || n %% 60, now() - n * interval '30 seconds',"
        " CASE WHEN n %% 50 = 0 THEN 'PENDING_APPROVAL' WHEN n %% 50000 = 7 THEN 'ON_HOLD' WHEN n %% 50000 = 9 THEN 'DRAFT'"
        " WHEN n %% 5000 = 11 THEN 'FAILED' WHEN n %% 100 = 13 THEN 'PARTIALLY_COMPLETED' ELSE 'COMPLETED' END, false",
    ),
}
# Of these no business has a million; no more than the filters of other lists are made of. The chart of accounts is no list
# of the copy: it is read live.
TEAMS = 100
TABLES_OF_FEW = {
    "mirror_team": (
        "name, code, status, reviewers",
        "'Team ' || n, 'T' || n, 'ACTIVE', '[{\"employee_id\": \"e1\", \"read_only\": false}]'",
    ),
}
AUDIT = """
ALTER TABLE audit_auditentry DISABLE TRIGGER USER;
INSERT INTO audit_auditentry (chain, at, user_id, actor_name, role, employee_id, operation, outcome, sentence, object_type,
    object_id, object_title, own_item, reason, request_id)
SELECT {business}, now() - n * interval '30 seconds', n % 60, 'Employee ' || n % 60, 'APPROVER', 'e' || n % 60,
    'approve_expense', 'DONE', 'Approved the expense ' || n, 'expense', lpad(to_hex(n), 24, '0'), 'Expense ' || n, false,
    '', md5(n::text)
FROM generate_series(1, {count}) n;
ALTER TABLE audit_auditentry ENABLE TRIGGER USER;
"""
# What each row of a page begins with, where it is not that of a list.
ROW = {"cards/": "<li data-row", "audit/": '<div class="faint">line '}
# What a page reads that is filled for it alone; what is not named here is filled for all.
TABLES_OF = {
    "mirror_transaction": {"transactions/"}, "mirror_customer": {"customers/"}, "mirror_vendor": {"vendors/", "bills/"},
    "mirror_card": {"cards/"}, "mirror_subscription": {"subscriptions/"}, "mirror_employee": {"people/"},
    "mirror_bill": {"bills/"}, "mirror_request": {"payouts/"},
}  # fmt: skip
PAGES = (
    "", "expenses/", "transactions/", "customers/", "vendors/", "cards/", "cards/?as=table", "subscriptions/", "people/",
    "audit/", "bills/", "payouts/", "people/teams/"
)  # fmt: skip


def pages() -> list[str]:
    """The pages that are measured: those that `ONLY` names, or all."""
    return [path for path in PAGES if re.match(os.environ.get("ONLY", ""), path)]


def insert_into(table: str) -> str:
    """The statement that fills a table of the copy; takes `business`, a row's number, and `count`, how many rows."""
    columns, values = (TABLES | TABLES_OF_FEW)[table]
    carried = VALUES.replace("'{}'", PAYLOADS.get(table, "'{}'"))
    return f"INSERT INTO {table} ({CARRIED}, {columns}) SELECT {carried}, {values} FROM generate_series(1, %(count)s) n"


def fill_table(owner: psycopg.Connection[Any], table: str, business: int, count: int) -> None:
    """Fills a table of the copy, and makes its indexes once its rows are there: a million rows take a minute, not ten."""
    began = time.monotonic()
    owner.execute("SET maintenance_work_mem = '512MB'")
    indexes = owner.execute(
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s"
        " AND indexname NOT IN (SELECT conname FROM pg_constraint)", [table],
    ).fetchall()  # fmt: skip
    for name, _ in indexes:
        owner.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(name)))
    owner.execute(insert_into(table), {"business": business, "count": count})
    for _, definition in indexes:
        owner.execute(definition)
    owner.execute(sql.SQL("VACUUM ANALYZE {}").format(sql.Identifier(table)))
    print(f"{table}: {count:,} rows in {time.monotonic() - began:.0f} s", flush=True)


def fill_others(made: House, business: int, count: int) -> None:
    """The other tables of the copy, as long as that of expenses, where a page is measured that lists them."""
    measured_pages = {path.split("?")[0] for path in pages()}
    is_whole = len(pages()) == len(PAGES)
    assert made.postgres is not None
    with psycopg.connect(made.postgres.url("dashboard_owner", "dashboard"), autocommit=True) as owner:
        owner.execute("SET statement_timeout = 0")
        for table in TABLES | TABLES_OF_FEW:
            if not is_whole and table in TABLES_OF and not TABLES_OF[table] & measured_pages:
                continue
            fill_table(owner, table, business, TEAMS if table in TABLES_OF_FEW else count)
        # The lines of the audit are sealed by a worker as they come in; a list of them costs the same.
        if "audit/" in measured_pages:
            owner.execute(AUDIT.format(business=business, count=count))
            owner.execute("VACUUM ANALYZE audit_auditentry")


def main() -> int:
    """Prints a ratio for each page; the exit code says whether all goals are met."""
    count, rounds = int(os.environ.get("MANY", MANY)), int(os.environ.get("ROUNDS", "5"))
    with house("dashboard", durable=False) as made:
        person = open_businesses(made)["many"]
        fill(made, person["business"], count if {"", "expenses/"} & set(pages()) else 20_000, 20_000)
        fill_others(made, person["business"], count)
        with beside_bare(made) as (ours, bare):
            return measure(ours, bare, person, rounds)


def measure(ours: Server, bare: Server, person: dict[str, object], rounds: int) -> int:
    """All ratios."""
    cookies: dict[str, str] = person["cookies"]  # type: ignore[assignment]
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()), "Host": "localhost"}

    def page(path: str) -> Callable[[], float]:
        return lambda: ours.cpu_per_page(f"/many/{path}", headers)

    reference = lambda: bare.cpu_per_page(f"/?business={person['business']}", {"Host": "localhost"})  # noqa: E731
    good = True
    for path in pages():
        shown = ours.page(f"/many/{path}", headers)
        assert shown.count(ROW.get(path, "<tr data-row")) == (50 if path else 0), path
        good &= report(f"/{path} / bare page", in_turn(page(path), reference, rounds), GOAL, at_most=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
