# ruff: noqa: S608  the queries are put together from the constants of this file; values are parameters
"""The lines that risk signals look at: items of payouts and bill payments, asked for by one text for both tables.

Each constant is a subquery in brackets. `a` is a line that is asked about, `l` a key with a threshold.
"""

# Each table as `j` (bare, or with its batch `o`), and what its columns mean.
ITEMS = {
    "bare": "payments_item j",
    "lines": "payments_item j JOIN payments_batch o ON o.id = j.batch_id",
    "key": "j.batch_id",
    "ref": "o.batch_no",
    "currency": "o.currency",
    "made": "o.created_at",
    "bill": "''",
    "asked": "o.status NOT IN ('DRAFT', 'REJECTED', 'CANCELLED')",
    "alive": "j.status NOT IN ('FAILED', 'RETURNED') AND o.status NOT IN ('DRAFT', 'REJECTED', 'CANCELLED', 'FAILED')",
}
BILLS = {
    "bare": "bills_billpayment j",
    "lines": "bills_billpayment j",
    "key": "j.id",
    "ref": "j.ref",
    "currency": "j.currency",
    "made": "j.created_at",
    "bill": "j.bill_id",
    "asked": "j.status NOT IN ('DRAFT', 'REJECTED', 'WITHDRAWN')",
    "alive": "j.status NOT IN ('DRAFT', 'REJECTED', 'WITHDRAWN', 'FAILED')",
}


def _either(select: str) -> str:
    """A query over both tables, written once; the names of ITEMS stand in braces."""
    return f"(({select.format(**ITEMS)}) UNION ALL ({select.format(**BILLS)}))"


def reference_of(of: str) -> str:
    """What tells the payees of one paybill apart: the account there, without case and punctuation; "" on any other channel."""
    return f"CASE WHEN {of}.channel = 'MPESA_PAYBILL' THEN regexp_replace(lower({of}.account_reference), '[^a-z0-9]', '', 'g') ELSE '' END"


# The lines of the requests that are asked about; a payout has many, a bill payment is one.
REQUESTED = f"""
    SELECT i.batch_id AS key, i.id, i.position, i.receiver_name, lower(i.receiver_name) AS name, i.channel, i.account,
           i.amount_minor, b.created_at, b.currency, b.team_id, i.vendor_id, i.subcategory_id, '' AS bill_id,
           regexp_replace(lower(i.account), '[^a-z0-9]', '', 'g') AS account_key, {reference_of("i")} AS reference
    FROM payments_item i JOIN payments_batch b ON b.id = i.batch_id
    WHERE i.batch_id = ANY(%(keys)s) AND b.business_id = %(business)s
    UNION ALL
    SELECT p.id, p.id, 0, p.receiver_name, lower(p.receiver_name), p.channel, p.account, p.amount_minor, p.created_at,
           p.currency, coalesce(i.team_id, ''), p.vendor_id, i.subcategory_id, p.bill_id,
           regexp_replace(lower(p.account), '[^a-z0-9]', '', 'g'), {reference_of("p")}
    FROM bills_billpayment p JOIN bills_bill i ON i.id = p.bill_id
    WHERE p.id = ANY(%(keys)s) AND p.business_id = %(business)s"""

TO_A = f"""j.business_id = %(business)s AND j.account = a.account AND j.channel = a.channel
    AND (a.reference = '' AND a.channel <> 'MPESA_PAYBILL' OR {reference_of("j")} = a.reference)"""

SEEN = _either(f"SELECT j.status, j.settled_at, lower(j.receiver_name) AS name FROM {{bare}} WHERE {TO_A}")

PAID_LATELY = _either(
    f"""SELECT {{currency}} AS currency, j.amount_minor FROM {{lines}}
        WHERE {TO_A} AND j.status = 'SUCCEEDED' AND j.settled_at > now() - interval '180 days'"""
)

LATEST_OF_TEAMS = """(
    (SELECT o.team_id, o.currency, j.amount_minor FROM payments_item j JOIN payments_batch o ON o.id = j.batch_id
     WHERE j.business_id = %(business)s AND j.status = 'SUCCEEDED' ORDER BY j.id DESC LIMIT 2000)
    UNION ALL
    (SELECT coalesce(i.team_id, ''), j.currency, j.amount_minor FROM bills_billpayment j JOIN bills_bill i ON i.id = j.bill_id
     WHERE j.business_id = %(business)s AND j.status = 'SUCCEEDED' ORDER BY j.id DESC LIMIT 2000))"""

# Two payments of one bill may well be of the same amount.
ANOTHER = "{key} <> a.key AND (a.bill_id = '' OR {bill} <> a.bill_id)"

EARLIER_SAME = _either(
    f"""SELECT {{ref}} AS ref, j.id FROM {{lines}}
        WHERE {TO_A} AND j.amount_minor = a.amount_minor AND j.id < a.id AND {ANOTHER} AND {{alive}}
          AND {{currency}} = a.currency AND {{made}} >= a.created_at - interval '30 days'
        ORDER BY j.id DESC LIMIT 1"""
)
PAID_LATER = _either(
    f"""SELECT {{ref}} AS ref, j.id FROM {{lines}}
        WHERE {TO_A} AND j.amount_minor = a.amount_minor AND j.id > a.id AND {ANOTHER}
          AND j.status = 'SUCCEEDED' AND {{currency}} = a.currency
        ORDER BY j.id LIMIT 1"""
)

ACCOUNTS_BEFORE = _either(
    f"""SELECT j.account, j.id FROM {{bare}}
        WHERE j.business_id = %(business)s AND lower(j.receiver_name) = a.name AND j.channel = a.channel
          AND j.id < a.id AND (j.account <> a.account OR {reference_of("j")} <> a.reference) AND j.status = 'SUCCEEDED'
        ORDER BY j.id DESC LIMIT 1"""
)

NAMES_BESIDE = _either(
    """SELECT j.receiver_name AS name FROM {bare}
       WHERE j.business_id = %(business)s AND j.channel = a.channel
         AND lower(j.receiver_name) = CASE WHEN a.low <> a.name THEN a.low ELSE a.high END
       LIMIT 1"""
)

PAID_TO_VENDOR = _either(
    """SELECT 1 FROM {bare}
       WHERE j.business_id = %(business)s AND j.vendor_id = a.vendor_id AND j.status = 'SUCCEEDED' LIMIT 1"""
)

UNDER_A_BAND = _either(
    f"""SELECT {{key}} AS key, l.band, j.id, j.receiver_name, j.account, j.channel, {reference_of("j")} AS reference,
              {{made}} AS made, {{currency}} AS currency
        FROM {{lines}} WHERE {{key}} = l.key AND j.business_id = %(business)s AND j.amount_minor < l.band"""
)
# The latest lines first and their batches then: joined before, a planner without statistics reads all batches each time.
AROUND = f"""(
    SELECT j.amount_minor, o.currency, o.created_at AS made, j.batch_id AS key, {ITEMS["ref"]} AS ref, {ITEMS["asked"]} AS asked
    FROM (SELECT * FROM payments_item j WHERE {TO_A} AND j.amount_minor < a.band AND j.id <= a.id
          ORDER BY j.id DESC LIMIT 50) j
    JOIN payments_batch o ON o.id = j.batch_id
    UNION ALL
    (SELECT j.amount_minor, j.currency, j.created_at, j.id, j.ref, {BILLS["asked"]}
     FROM bills_billpayment j WHERE {TO_A} AND j.amount_minor < a.band AND j.id <= a.id ORDER BY j.id DESC LIMIT 50))"""
