# ruff: noqa: S608  the queries are put together from the constants of this file; values are parameters
"""The queries behind the risk signals: which of many payment requests show each, and by what evidence.

Items of payouts and bill payments are looked at alike, as lines. A payee is the account paid to on a channel, of a paybill with the account there. What is
known of each payee is read once, however many of the requests pay it; the rest looks up single rows by index. Ids sort by
age, so "earlier" is a smaller id. The signals that need vendors, bills and budgets are in signals_payables.py.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from django.db import connection

from service import money
from service.businesses.models import Business
from service.risk import signals_lines, signals_payables
from service.risk.signals_lines import (
    ACCOUNTS_BEFORE,
    EARLIER_SAME,
    LATEST_OF_TEAMS,
    NAMES_BESIDE,
    PAID_LATELY,
    PAID_LATER,
    PAID_TO_VENDOR,
    REQUESTED,
    SEEN,
    UNDER_A_BAND,
)

COMMON = f"""
    WITH asked AS MATERIALIZED ({REQUESTED}),
    line AS MATERIALIZED (  -- what is known of its payee is read at the payee's first line, and spread by a window: a
        -- join of lines and payees would be one loop in the other wherever the planner thinks that there are few
        SELECT a.*, min(seen.first_paid) OVER payee AS first_paid, min(seen.low) OVER payee AS low,
               max(seen.high) OVER payee AS high, max(usual.n) OVER paid AS usual_n,
               max(usual.median) OVER paid AS usual_median, max(usual.mad) OVER paid AS usual_mad
        FROM (SELECT *, row_number() OVER (PARTITION BY account, channel, reference ORDER BY id) AS nth,
                     row_number() OVER (PARTITION BY account, channel, reference, currency ORDER BY id) AS nth_paid
              FROM asked) a
        LEFT JOIN LATERAL (
            SELECT min(j.settled_at) FILTER (WHERE j.status = 'SUCCEEDED') AS first_paid,
                   min(j.name) AS low, max(j.name) AS high
            FROM {SEEN} j WHERE a.nth = 1) seen ON true
        LEFT JOIN LATERAL (
            SELECT h.n, h.median, (
                SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(amount - h.median))
                FROM unnest(h.amounts) AS amount) AS mad
            FROM (SELECT count(*) AS n, array_agg(j.amount_minor) AS amounts,
                         percentile_cont(0.5) WITHIN GROUP (ORDER BY j.amount_minor) AS median
                  FROM {PAID_LATELY} j WHERE a.nth_paid = 1 AND j.currency = a.currency HAVING count(*) >= 5) h
            ) usual ON true
        WINDOW payee AS (PARTITION BY a.account, a.channel, a.reference),
               paid AS (PARTITION BY a.account, a.channel, a.reference, a.currency)),
    team AS MATERIALIZED (
        SELECT j.team_id, j.currency, count(*) AS n,
               percentile_cont(0.95) WITHIN GROUP (ORDER BY j.amount_minor) AS p95
        FROM {LATEST_OF_TEAMS} j GROUP BY j.team_id, j.currency HAVING count(*) >= 5)
"""

# Each gives (key, evidence as json), at most one row per key: the first line that shows it.
SIGNALS = {
    # The same payee and amount in another payment of the last 30 days that was not stopped; or a bill that looks like
    # another one: the same amount of the vendor, or the same file.
    "duplicate_invoice": f"""
        SELECT DISTINCT ON (found.key) found.key, found.evidence FROM (
            SELECT a.key, a.position, json_build_object(
                'receiver', a.receiver_name, 'amount_minor', a.amount_minor, 'earlier', o.ref) AS evidence
            FROM asked a CROSS JOIN LATERAL (
                SELECT * FROM {EARLIER_SAME} earlier
                UNION ALL  -- made later, but paid before this one was decided
                SELECT * FROM {PAID_LATER} later LIMIT 1) o
            UNION ALL
            {signals_payables.DUPLICATE_BILL}) found
        ORDER BY found.key, found.position""",
    # The vendor's account was changed less than 14 days ago; or the receiver was paid on another account before, and on
    # this one for the first time less than 14 days ago.
    "payee_details_changed": f"""
        SELECT DISTINCT ON (found.key) found.key, found.evidence FROM (
            {signals_payables.CHANGED_INSTRUCTION}
            UNION ALL
            SELECT a.key, a.position + 1, json_build_object(
                'receiver', a.receiver_name, 'account_ends', right(a.account, 4), 'before_ends', right(o.account, 4))
            FROM line a
            CROSS JOIN LATERAL (SELECT * FROM {ACCOUNTS_BEFORE} before ORDER BY before.id DESC LIMIT 1) o
            WHERE a.first_paid IS NULL OR a.first_paid > a.created_at - interval '14 days') found
        ORDER BY found.key, found.position""",
    # The account is used under another name as well, is another vendor's or the phone of an employee; or the vendor's
    # phone or tax PIN is another vendor's, or its phone an employee's.
    "shared_payee_account": f"""
        SELECT DISTINCT ON (found.key) found.key, found.evidence FROM (
            SELECT a.key, a.position, json_build_object(
                'receiver', a.receiver_name, 'account_ends', right(a.account, 4),
                'also', coalesce('employee ' || e.name, (SELECT beside.name FROM {NAMES_BESIDE} beside LIMIT 1))) AS evidence
            FROM line a
            LEFT JOIN employees_employee e
                ON e.business_id = %(business)s AND e.phone <> '' AND ltrim(e.phone, '+') = a.account
            WHERE a.low <> a.name OR a.high <> a.name OR lower(e.name) <> a.name
            UNION ALL
            {signals_payables.SHARED_WITH}) found
        ORDER BY found.key, found.position, found.evidence ->> 'also'""",
    # Nothing was ever paid to this account before, nor to its vendor on another one.
    "new_vendor_first_payment": f"""
        SELECT a.key, json_build_object('receiver', min(a.receiver_name), 'count', count(*))
        FROM line a
        WHERE a.first_paid IS NULL AND (a.vendor_id = '' OR NOT EXISTS {PAID_TO_VENDOR})
        GROUP BY a.key""",
    # Above the median and six deviations of what this payee got (of five payments at least), else above three times
    # what nineteen of twenty of the team's latest payments stay under.
    "amount_outlier": """
        SELECT DISTINCT ON (a.key) a.key, json_build_object(
            'receiver', a.receiver_name, 'amount_minor', a.amount_minor,
            'usual_minor', round(coalesce(a.usual_median, t.p95)), 'payments', coalesce(a.usual_n, t.n))
        FROM line a
        LEFT JOIN team t ON (t.team_id, t.currency) = (a.team_id, a.currency)
        WHERE CASE WHEN a.usual_n IS NOT NULL
                   THEN a.amount_minor > a.usual_median + 6 * greatest(a.usual_mad, a.usual_median * 0.01)
                   ELSE a.amount_minor > 3 * t.p95 END
        ORDER BY a.key, a.amount_minor DESC""",
    # Every amount is a multiple of a thousand units, and no lines say what for.
    "round_amount": """
        SELECT a.key, json_build_object('items', count(*)) FROM asked a GROUP BY a.key
        HAVING bool_and(a.amount_minor %% (%(thousands)s::jsonb ->> a.currency)::bigint = 0)
           AND NOT EXISTS (SELECT 1 FROM bills_billline l WHERE l.bill_id = min(a.bill_id))""",
    # The evaluation of the policies when the payment began, limits over time included: what is broken before what asks for
    # votes, and that before what exempts.
    "policy_exception": """
        SELECT DISTINCT ON (begun.id) begun.id, json_build_object(
            'policy', step.said ->> 'policy_id', 'type', step.said ->> 'type', 'outcome', step.said ->> 'outcome',
            'action', step.said ->> 'action', 'says', step.said ->> 'says')
        FROM (SELECT id, policies FROM bills_billpayment WHERE id = ANY(%(keys)s) AND business_id = %(business)s
              UNION ALL
              SELECT id, policies FROM payments_batch WHERE id = ANY(%(keys)s) AND business_id = %(business)s) begun
        CROSS JOIN LATERAL jsonb_array_elements(begun.policies -> 'trace') WITH ORDINALITY step(said, place)
        WHERE step.said ->> 'outcome' <> 'PASSED'
        ORDER BY begun.id, step.said ->> 'outcome' <> 'BREACHED', step.said ->> 'action' = 'REQUIRE_APPROVAL', step.place""",
}
THOUSANDS = json.dumps({code: 1000 * 10 ** money.exponent(code) for code in sorted(money.CURRENCIES)})

# At least three payments to one payee within a day, each under a threshold and together over it.
SPLIT = f"""
    SELECT DISTINCT ON (a.key) a.key, json_build_object(
        'receiver', a.receiver_name, 'payments', around.n, 'sum_minor', around.total, 'threshold_minor', a.band,
        'others', around.others)
    FROM unnest(%(keys)s::text[], %(bands)s::bigint[]) AS l(key, band) CROSS JOIN LATERAL {UNDER_A_BAND} a
    CROSS JOIN LATERAL (
        SELECT count(*) AS n, sum(j.amount_minor) AS total,
               (array_agg(DISTINCT j.ref ORDER BY j.ref DESC) FILTER (WHERE j.key <> a.key))[:5] AS others
        FROM {signals_lines.AROUND} j
        WHERE j.currency = a.currency AND j.made >= a.made - interval '24 hours' AND (j.key = a.key OR j.asked)) around
    WHERE around.n >= 3 AND around.total >= a.band
    ORDER BY a.key, a.band DESC, a.id"""

# What policies look at, once for each way, subcategory and vendor of a request, with the largest amount of them.
USES = f"""
    WITH asked AS MATERIALIZED ({REQUESTED})
    SELECT a.key, a.channel, a.subcategory_id, coalesce(s.category_id, ''), a.vendor_id, a.team_id, a.currency,
           max(a.amount_minor)
    FROM asked a LEFT JOIN categories_subcategory s ON s.id = a.subcategory_id
    GROUP BY a.key, a.channel, a.subcategory_id, s.category_id, a.vendor_id, a.team_id, a.currency
    ORDER BY a.key, max(a.amount_minor) DESC, a.channel, a.subcategory_id, a.vendor_id"""


@cache
def _all() -> str:
    """Every signal in one query."""
    queries = SIGNALS | signals_payables.signals()
    return COMMON + " UNION ALL ".join(
        f"SELECT '{code}', found.* FROM ({query}) found" for code, query in queries.items()
    )


def of_requests(business: Business, keys: list[str]) -> Iterator[tuple[Any, ...]]:
    """Signal, key (of a payout or bill payment) and evidence for each signal that one shows: one query for all."""
    parameters = {"keys": keys, "business": business.id, "zone": business.time_zone, "thousands": THOUSANDS}
    yield from _rows(_all(), parameters | {"documents": signals_payables.DOCUMENTS})


def split_payments(business: Business, limits: Iterable[tuple[str, int]]) -> Iterator[tuple[Any, ...]]:
    """Key and evidence for the pairs of a key and a threshold where payments look split."""
    currencies = sorted(limits)
    if currencies:
        keys, bands = zip(*currencies, strict=True)
        yield from _rows(SPLIT, {"keys": list(keys), "bands": list(bands), "business": business.id})


def uses(business: Business, keys: list[str]) -> Iterator[tuple[Any, ...]]:
    """Key, channel, subcategory, category, vendor, team, currency and largest amount of each kind of line."""
    yield from _rows(USES, {"keys": keys, "business": business.id})


def _rows(query: str, parameters: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        yield from cursor.fetchall()
