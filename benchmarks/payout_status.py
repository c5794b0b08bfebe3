"""The live status of a payout of 5,000 payments on its way: what a poll costs the service, against one of 50.

A page that shows a running payout asks the dashboard every two seconds, which asks the service once, without the payments
(`refresh_counts`; that it asks just once stands in tests/dashboard/payouts/test_live_status.py). CPU is that of the web
server's processes and of PostgreSQL's; the answer's size is what goes over the wire.
"""

from __future__ import annotations

import json
import subprocess
import sys

import psycopg
from expenses_list import BUSINESS, Server, serve
from measure import ROOT, House, house, in_turn, report

FEW, MANY, ROUNDS, MOST_BYTES = 50, 5_000, 9, 5_000
PATH = "/v2/payments?status=PROCESSING&limit=50"
BATCH = """
insert into payments_batch (id, business_id, batch_no, kind, name, template, wallet_id, currency, total_minor, fees_minor,
    item_count, succeeded_count, failed_count, status, hold_reason, team_id, note, created_by, initiated_by, maker_ids,
    code_required, round, policies, version, created_at, updated_at)
select %(id)s::varchar, %(business)s::varchar, 'BP-' || %(count)s::int, 'BULK_PAYOUT', 'Wages', '', w.id, w.currency, 1000 * %(count)s::int, 0, %(count)s::int,
    %(count)s::int / 2, 0, 'PROCESSING', '', '', '', 'Benchmark', 'Benchmark', '{}', false, 1, '{}', 1, now(), now()
from accounts_wallet w where w.business_id = %(business)s::varchar order by w.id limit 1
"""
ITEMS = """
insert into payments_item (id, batch_id, business_id, position, vendor_id, receiver_name, channel, account, bank_code,
    account_reference, amount_minor, fee_minor, subcategory_id, note, status, provider_ref, failure_code)
select left(%(id)s::varchar, 12) || lpad(to_hex(n), 12, '0'), %(id)s::varchar, %(business)s::varchar, n, '', 'Person ' || n, 'MPESA_SEND_MONEY',
    '2547' || lpad(n::text, 8, '0'), '', '', 1000, 0, '', '', case when n %% 2 = 0 then 'SUCCEEDED' else 'QUEUED' end, '', ''
from generate_series(1, %(count)s::int) n
"""


def running(made: House, place: int, count: int) -> dict[str, str]:
    """A business with a payout of so many payments on its way: the headers of its requests."""
    out = subprocess.run(
        [sys.executable, "manage.py", "service", "shell", "--no-imports", "-c", BUSINESS],
        env=made.program_env("service"), cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert out.returncode == 0, out.stderr
    one = json.loads(out.stdout.strip().splitlines()[-1])
    assert made.postgres is not None
    with psycopg.connect(made.postgres.url("service_owner", "service"), autocommit=True) as owner:
        given = {"id": f"{place:012x}{0:012x}", "business": one["business"], "count": count}
        owner.execute(BATCH, given)
        owner.execute(ITEMS, given)
        owner.execute("vacuum analyze payments_item")
    return {
        "Authorization": f"Bearer {one['token']}", "business_id": one["business"], "Host": "localhost",
    }  # fmt: skip


def main() -> int:
    """The exit code says whether both goals are met."""
    with house("service", durable=False) as made:
        of_few = running(made, 1, FEW)
        of_many = running(made, 2, MANY)
        few = serve(made, "config.wsgi:service", "config.settings.service", of_few)
        many = Server(few.port, few.process, few.postgres, of_many)
        try:
            [shown] = many.read(PATH)["docs"]
            assert (shown["item_count"], shown["succeeded_count"]) == (MANY, MANY // 2), shown
            size = len(json.dumps(shown))
            good = report(
                f"bytes of the status of {MANY:,} payments, in KB", size / 1000, MOST_BYTES / 1000, at_most=True
            )
            cost = in_turn(many.cpu(PATH), few.cpu(PATH), ROUNDS)
            good &= report(f"a poll of {MANY:,} payments / of {FEW}", cost, 1.1, at_most=True)
        finally:
            few.process.terminate()
            few.process.wait(20)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
