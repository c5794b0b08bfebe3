"""The queries behind the risk signals: which of many batches show each, and by what evidence.

A payee is the account paid to on a channel. What is known of each payee is read once, however many of the batches pay
it; the rest looks up single rows by index. Ids sort by age, so "earlier" is a smaller id.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import connection

from service import money
from service.businesses.models import Business

COMMON = """
    WITH asked AS MATERIALIZED (
        SELECT i.*, lower(i.receiver_name) AS name, b.created_at, b.currency, b.team_id
        FROM payments_item i JOIN payments_batch b ON b.id = i.batch_id
        WHERE i.batch_id = ANY(%(batches)s) AND b.business_id = %(business)s),
    payee AS MATERIALIZED (
        SELECT p.account, p.channel, min(j.settled_at) FILTER (WHERE j.status = 'SUCCEEDED') AS first_paid,
               min(lower(j.receiver_name)) AS low, max(lower(j.receiver_name)) AS high
        FROM (SELECT DISTINCT account, channel FROM asked) p
        JOIN payments_item j ON j.business_id = %(business)s AND j.account = p.account AND j.channel = p.channel
        GROUP BY p.account, p.channel),
    usual AS MATERIALIZED (
        SELECT p.account, p.channel, h.*, (
            SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(amount - h.median)) FROM unnest(h.amounts) AS amount) AS mad
        FROM payee p CROSS JOIN LATERAL (
            SELECT o.currency, count(*) AS n, array_agg(j.amount_minor) AS amounts,
                   percentile_cont(0.5) WITHIN GROUP (ORDER BY j.amount_minor) AS median
            FROM payments_item j JOIN payments_batch o ON o.id = j.batch_id
            WHERE j.business_id = %(business)s AND j.account = p.account AND j.channel = p.channel
              AND j.status = 'SUCCEEDED' AND j.settled_at > now() - interval '180 days'
            GROUP BY o.currency HAVING count(*) >= 5) h),
    team AS MATERIALIZED (
        SELECT o.team_id, o.currency, count(*) AS n,
               percentile_cont(0.95) WITHIN GROUP (ORDER BY j.amount_minor) AS p95
        FROM (SELECT * FROM payments_item WHERE business_id = %(business)s AND status = 'SUCCEEDED'
              ORDER BY id DESC LIMIT 2000) j
        JOIN payments_batch o ON o.id = j.batch_id
        GROUP BY o.team_id, o.currency HAVING count(*) >= 5)
"""

# Each gives (batch id, evidence as json), at most one row per batch: the first item that shows it.
SIGNALS = {
    # The same payee and amount in another payout of the last 30 days that was not stopped.
    "duplicate_invoice": """
        SELECT DISTINCT ON (a.batch_id) a.batch_id, json_build_object(
            'receiver', a.receiver_name, 'amount_minor', a.amount_minor, 'earlier', o.batch_no)
        FROM asked a CROSS JOIN LATERAL (
            (SELECT b.batch_no FROM payments_item j JOIN payments_batch b ON b.id = j.batch_id
             WHERE j.business_id = %(business)s AND j.account = a.account AND j.channel = a.channel
               AND j.amount_minor = a.amount_minor AND j.id < a.id AND j.batch_id <> a.batch_id
               AND j.status NOT IN ('FAILED', 'RETURNED') AND b.currency = a.currency
               AND b.status NOT IN ('DRAFT', 'REJECTED', 'CANCELLED', 'FAILED')
               AND b.created_at >= a.created_at - interval '30 days'
             ORDER BY j.id DESC LIMIT 1)
            UNION ALL  -- made later, but paid before this one was decided
            (SELECT b.batch_no FROM payments_item j JOIN payments_batch b ON b.id = j.batch_id
             WHERE j.business_id = %(business)s AND j.account = a.account AND j.channel = a.channel
               AND j.amount_minor = a.amount_minor AND j.id > a.id AND j.batch_id <> a.batch_id
               AND j.status = 'SUCCEEDED' AND b.currency = a.currency
             ORDER BY j.id LIMIT 1)
            LIMIT 1) o
        ORDER BY a.batch_id, a.position""",
    # The receiver was paid on another account before, and on this one for the first time less than 14 days ago.
    "payee_details_changed": """
        SELECT DISTINCT ON (a.batch_id) a.batch_id, json_build_object(
            'receiver', a.receiver_name, 'account_ends', right(a.account, 4), 'before_ends', right(o.account, 4))
        FROM asked a JOIN payee p USING (account, channel) CROSS JOIN LATERAL (
            SELECT j.account FROM payments_item j
            WHERE j.business_id = %(business)s AND lower(j.receiver_name) = a.name AND j.channel = a.channel
              AND j.id < a.id AND j.account <> a.account AND j.status = 'SUCCEEDED'
            ORDER BY j.id DESC LIMIT 1) o
        WHERE p.first_paid IS NULL OR p.first_paid > a.created_at - interval '14 days'
        ORDER BY a.batch_id, a.position""",
    # The account is used under another name as well, or is the phone of an employee.
    "shared_payee_account": """
        SELECT DISTINCT ON (a.batch_id) a.batch_id, json_build_object(
            'receiver', a.receiver_name, 'account_ends', right(a.account, 4), 'also', coalesce('employee ' || e.name, (
                SELECT j.receiver_name FROM payments_item j
                WHERE j.business_id = %(business)s AND j.channel = a.channel
                  AND lower(j.receiver_name) = CASE WHEN p.low <> a.name THEN p.low ELSE p.high END LIMIT 1)))
        FROM asked a JOIN payee p USING (account, channel)
        LEFT JOIN employees_employee e
            ON e.business_id = %(business)s AND e.phone <> '' AND ltrim(e.phone, '+') = a.account
        WHERE p.low <> a.name OR p.high <> a.name OR lower(e.name) <> a.name
        ORDER BY a.batch_id, a.position, e.name""",
    # Nothing was ever paid to this account before.
    "new_vendor_first_payment": """
        SELECT a.batch_id, json_build_object('receiver', min(a.receiver_name), 'count', count(*))
        FROM asked a JOIN payee p USING (account, channel) WHERE p.first_paid IS NULL GROUP BY a.batch_id""",
    # Above the median and six deviations of what this payee got (of five payments at least), else above three times
    # what nineteen of twenty of the team's latest payments stay under.
    "amount_outlier": """
        SELECT DISTINCT ON (a.batch_id) a.batch_id, json_build_object(
            'receiver', a.receiver_name, 'amount_minor', a.amount_minor,
            'usual_minor', round(coalesce(u.median, t.p95)), 'payments', coalesce(u.n, t.n))
        FROM asked a
        LEFT JOIN usual u ON (u.account, u.channel, u.currency) = (a.account, a.channel, a.currency)
        LEFT JOIN team t ON (t.team_id, t.currency) = (a.team_id, a.currency)
        WHERE CASE WHEN u.n IS NOT NULL THEN a.amount_minor > u.median + 6 * greatest(u.mad, u.median * 0.01)
                   ELSE a.amount_minor > 3 * t.p95 END
        ORDER BY a.batch_id, a.amount_minor DESC""",
    # Every amount of the payout is a multiple of a thousand units.
    "round_amount": """
        SELECT a.batch_id, json_build_object('items', count(*)) FROM asked a GROUP BY a.batch_id
        HAVING bool_and(a.amount_minor %% (%(thousands)s::jsonb ->> a.currency)::bigint = 0)""",
}
ALL = COMMON + " UNION ALL ".join(f"SELECT '{code}', found.* FROM ({query}) found" for code, query in SIGNALS.items())  # noqa: S608
THOUSANDS = json.dumps({code: 1000 * 10 ** money.exponent(code) for code in sorted(money.CURRENCIES)})

# At least three payments to one payee within a day, each under a threshold and together over it.
SPLIT = """
    SELECT DISTINCT ON (a.batch_id) a.batch_id, json_build_object(
        'receiver', a.receiver_name, 'payments', around.n, 'sum_minor', around.total, 'threshold_minor', a.band)
    FROM (SELECT i.*, b.created_at, b.currency, l.band
          FROM unnest(%(keys)s::text[], %(bands)s::bigint[]) AS l(batch_id, band)
          JOIN payments_batch b ON b.id = l.batch_id AND b.business_id = %(business)s
          JOIN payments_item i ON i.batch_id = b.id AND i.amount_minor < l.band) a
    CROSS JOIN LATERAL (
        SELECT count(*) AS n, sum(j.amount_minor) AS total
        FROM (SELECT * FROM payments_item j
              WHERE j.business_id = %(business)s AND j.account = a.account AND j.channel = a.channel
                AND j.amount_minor < a.band AND j.id <= a.id ORDER BY j.id DESC LIMIT 50) j
        JOIN payments_batch o ON o.id = j.batch_id
        WHERE o.currency = a.currency AND o.created_at >= a.created_at - interval '24 hours'
          AND (o.id = a.batch_id OR o.status NOT IN ('DRAFT', 'REJECTED', 'CANCELLED'))) around
    WHERE around.n >= 3 AND around.total >= a.band
    ORDER BY a.batch_id, a.band DESC, a.position"""


def of_batches(business: Business, batches: list[str]) -> Iterator[tuple[Any, ...]]:
    """Signal, batch and evidence for each signal that a batch shows: one query for all."""
    yield from _rows(ALL, {"batches": batches, "business": business.id, "thousands": THOUSANDS})


def split_payments(business: Business, limits: Iterable[tuple[str, int]]) -> Iterator[tuple[Any, ...]]:
    """Batch and evidence for the pairs of a batch and a threshold where payments look split."""
    wanted = sorted(limits)
    if wanted:
        keys, bands = zip(*wanted, strict=True)
        yield from _rows(SPLIT, {"keys": list(keys), "bands": list(bands), "business": business.id})


def _rows(query: str, parameters: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        yield from cursor.fetchall()
