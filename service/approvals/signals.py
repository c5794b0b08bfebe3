"""The queries behind the risk signals: each answers, for many batches at once, which show it and by what evidence.

Parameters: the batches asked about, and their business. A payee is the account paid to on a channel.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import connection

from service import money
from service.businesses.models import Business

# Each query gives (batch id, evidence as json) with at most one row per batch: the first item in its order.
QUERIES = {
    # The same payee and amount in another payout of the last 30 days that was not stopped.
    "duplicate_invoice": """
        SELECT DISTINCT ON (i.batch_id) i.batch_id, json_build_object(
            'receiver', i.receiver_name, 'amount_minor', i.amount_minor, 'earlier', o.batch_no)
        FROM payments_item i JOIN payments_batch b ON b.id = i.batch_id
        JOIN payments_item j ON j.account = i.account AND j.channel = i.channel AND j.amount_minor = i.amount_minor
        JOIN payments_batch o ON o.id = j.batch_id AND o.business_id = b.business_id AND o.id <> b.id
            AND o.currency = b.currency
        WHERE i.batch_id = ANY(%(batches)s) AND b.business_id = %(business)s
          AND o.created_at BETWEEN b.created_at - interval '30 days' AND b.created_at AND (o.created_at, o.id) < (b.created_at, b.id)
          AND o.status NOT IN ('DRAFT', 'REJECTED', 'CANCELLED', 'FAILED') AND j.status NOT IN ('FAILED', 'RETURNED')
        ORDER BY i.batch_id, i.position, o.created_at""",
    # The receiver was paid on another account before, and on this one for the first time less than 14 days ago.
    "payee_details_changed": """
        SELECT DISTINCT ON (i.batch_id) i.batch_id, json_build_object(
            'receiver', i.receiver_name, 'account_ends', right(i.account, 4), 'before_ends', right(old.account, 4))
        FROM payments_item i JOIN payments_batch b ON b.id = i.batch_id
        JOIN payments_batch p ON p.business_id = b.business_id AND p.id <> b.id AND p.created_at < b.created_at
        JOIN payments_item old ON old.batch_id = p.id AND old.status = 'SUCCEEDED' AND old.channel = i.channel
            AND lower(old.receiver_name) = lower(i.receiver_name) AND old.account <> i.account
        WHERE i.batch_id = ANY(%(batches)s) AND b.business_id = %(business)s
          AND NOT EXISTS (SELECT FROM payments_item k JOIN payments_batch q ON q.id = k.batch_id
                          WHERE k.account = i.account AND k.channel = i.channel AND q.business_id = b.business_id
                            AND k.status = 'SUCCEEDED' AND k.settled_at < b.created_at - interval '14 days')
        ORDER BY i.batch_id, i.position, old.settled_at DESC""",
    # The account belongs to another name as well, or is the phone of an employee.
    "shared_payee_account": """
        SELECT DISTINCT ON (i.batch_id) i.batch_id, json_build_object(
            'receiver', i.receiver_name, 'account_ends', right(i.account, 4), 'also', other.name)
        FROM payments_item i JOIN payments_batch b ON b.id = i.batch_id
        CROSS JOIN LATERAL (
            SELECT j.receiver_name AS name FROM payments_item j JOIN payments_batch o ON o.id = j.batch_id
            WHERE j.account = i.account AND j.channel = i.channel AND o.business_id = b.business_id
              AND lower(j.receiver_name) <> lower(i.receiver_name)
            UNION ALL
            SELECT 'employee ' || e.name FROM employees_employee e
            WHERE e.business_id = b.business_id AND e.phone <> '' AND ltrim(e.phone, '+') = i.account
            ORDER BY 1 LIMIT 1) other
        WHERE i.batch_id = ANY(%(batches)s) AND b.business_id = %(business)s
        ORDER BY i.batch_id, i.position""",
    # Nothing was ever paid to this account before.
    "new_vendor_first_payment": """
        SELECT i.batch_id, json_build_object('receiver', min(i.receiver_name), 'count', count(*))
        FROM payments_item i JOIN payments_batch b ON b.id = i.batch_id
        WHERE i.batch_id = ANY(%(batches)s) AND b.business_id = %(business)s
          AND NOT EXISTS (SELECT FROM payments_item j JOIN payments_batch o ON o.id = j.batch_id
                          WHERE j.account = i.account AND j.channel = i.channel AND j.status = 'SUCCEEDED'
                            AND o.business_id = b.business_id AND o.id <> b.id)
        GROUP BY i.batch_id""",
    # Above the median and six deviations of what this payee got (five payments at least), else above three times what
    # nineteen of twenty payments of the team (or the business) stay under.
    "amount_outlier": """
        WITH asked AS (
            SELECT i.*, b.business_id, b.team_id, b.currency FROM payments_item i JOIN payments_batch b ON b.id = i.batch_id
            WHERE i.batch_id = ANY(%(batches)s) AND b.business_id = %(business)s),
        paid AS (
            SELECT j.account, j.channel, j.amount_minor, o.team_id, o.currency
            FROM payments_item j JOIN payments_batch o ON o.id = j.batch_id
            WHERE o.business_id = %(business)s AND j.status = 'SUCCEEDED'
              AND o.created_at > now() - interval '180 days' AND NOT o.id = ANY(%(batches)s)),
        middle AS (
            SELECT account, channel, currency, count(*) AS n,
                   percentile_cont(0.5) WITHIN GROUP (ORDER BY amount_minor) AS median
            FROM paid WHERE (account, channel) IN (SELECT account, channel FROM asked) GROUP BY 1, 2, 3),
        spread AS (
            SELECT m.*, (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(p.amount_minor - m.median)) FROM paid p
                         WHERE (p.account, p.channel, p.currency) = (m.account, m.channel, m.currency)) AS mad
            FROM middle m WHERE n >= 5),
        team AS (
            SELECT team_id, currency, count(*) AS n, percentile_cont(0.95) WITHIN GROUP (ORDER BY amount_minor) AS p95
            FROM paid GROUP BY 1, 2 HAVING count(*) >= 5)
        SELECT DISTINCT ON (a.batch_id) a.batch_id, json_build_object(
            'receiver', a.receiver_name, 'amount_minor', a.amount_minor, 'usual_minor',
            round(coalesce(s.median, t.p95)), 'payments', coalesce(s.n, t.n))
        FROM asked a
        LEFT JOIN spread s ON (s.account, s.channel, s.currency) = (a.account, a.channel, a.currency)
        LEFT JOIN team t ON (t.team_id, t.currency) = (a.team_id, a.currency)
        WHERE CASE WHEN s.n IS NOT NULL THEN a.amount_minor > s.median + 6 * greatest(s.mad, s.median * 0.01)
                   ELSE a.amount_minor > 3 * t.p95 END
        ORDER BY a.batch_id, a.amount_minor DESC""",
    # Every amount of the payout is a multiple of a thousand units.
    "round_amount": """
        SELECT i.batch_id, json_build_object('items', count(*))
        FROM payments_item i JOIN payments_batch b ON b.id = i.batch_id
        WHERE i.batch_id = ANY(%(batches)s) AND b.business_id = %(business)s
        GROUP BY i.batch_id
        HAVING bool_and(i.amount_minor %% (%(thousands)s::jsonb ->> b.currency)::bigint = 0)""",
}

SPLIT = """
    SELECT DISTINCT ON (a.batch_id) a.batch_id, json_build_object(
        'receiver', a.receiver_name, 'payments', around.n, 'sum_minor', around.total, 'threshold_minor', a.band)
    FROM (SELECT i.*, b.created_at, b.currency, l.band
          FROM unnest(%(keys)s::text[], %(bands)s::bigint[]) AS l(batch_id, band)
          JOIN payments_batch b ON b.id = l.batch_id AND b.business_id = %(business)s
          JOIN payments_item i ON i.batch_id = b.id AND i.amount_minor < l.band) a
    CROSS JOIN LATERAL (
        SELECT count(*) AS n, sum(j.amount_minor) AS total
        FROM payments_item j JOIN payments_batch o ON o.id = j.batch_id
        WHERE j.account = a.account AND j.channel = a.channel AND o.business_id = %(business)s
          AND o.currency = a.currency AND j.amount_minor < a.band
          AND o.created_at BETWEEN a.created_at - interval '24 hours' AND a.created_at
          AND (o.id = a.batch_id OR o.status NOT IN ('DRAFT', 'REJECTED', 'CANCELLED'))) around
    WHERE around.n >= 3 AND around.total >= a.band
    ORDER BY a.batch_id, a.band DESC, a.position"""


THOUSANDS = json.dumps({code: 1000 * 10 ** money.exponent(code) for code in sorted(money.CURRENCIES)})


ALL = " UNION ALL ".join(f"SELECT '{code}', found.* FROM ({query}) found" for code, query in QUERIES.items())  # noqa: S608


def of_batches(business: Business, batches: list[str]) -> Iterator[tuple[Any, ...]]:
    """Signal, batch and evidence for each signal that a batch shows: one query for all."""
    yield from _rows(ALL, {"batches": batches, "business": business.id, "thousands": THOUSANDS})


def split_payments(business: Business, limits: Iterable[tuple[str, int]]) -> Iterator[tuple[Any, ...]]:
    """Batch and evidence: at least three payments to one payee within a day, each under a threshold and together over it."""
    wanted = sorted(limits)
    if wanted:
        parameters = {
            "keys": [key for key, _ in wanted],
            "bands": [band for _, band in wanted],
            "business": business.id,
        }
        yield from _rows(SPLIT, parameters)


def _rows(query: str, parameters: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        rows = cursor.fetchall()
    yield from rows
