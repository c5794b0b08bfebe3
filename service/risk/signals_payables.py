"""The risk signals that vendors, bills, files, budgets and taxes show; signals.py puts them into its one query.

The parts read `asked`: the lines that are asked about, each with its vendor and bill where it has any.
"""

import json

from service import money
from service.budgets import figures
from service.risk.signals_lines import reference_of

# From which amount on a payment of a bill is expected to come with a file, in whole units.
DOCUMENT_FROM, DOCUMENT_FROM_CHEAP = 100, 10_000
CHEAP = ("KES", "UGX", "TZS", "RWF", "NGN", "JPY")  # currencies of which ten thousand are still a small sum
DOCUMENTS = json.dumps(
    {
        code: (DOCUMENT_FROM_CHEAP if code in CHEAP else DOCUMENT_FROM) * 10 ** money.exponent(code)
        for code in sorted(money.CURRENCIES)
    }
)

REFERENCE = reference_of("n")

# (key, place in the order, evidence) of a bill that was flagged when it came in.
DUPLICATE_BILL = """
    SELECT a.key, 0, json_build_object(
        'bill', i.bill_no, 'earlier', e.bill_no, 'earlier_id', e.id, 'reason', i.duplicate_reason)
    FROM asked a JOIN bills_bill i ON i.id = a.bill_id JOIN bills_bill e ON e.id = i.duplicate_of_id
    WHERE e.status <> 'CANCELLED'"""

# An account of a vendor that replaced another or was added later, less than 14 days ago.
CHANGED_INSTRUCTION = f"""
    SELECT a.key, a.position, json_build_object(
        'receiver', a.receiver_name, 'account_ends', right(a.account, 4), 'before_ends', right(before.account, 4),
        'changed_at', n.changed_at) AS evidence
    FROM asked a
    JOIN vendors_paymentinstruction n
        ON n.business_id = %(business)s AND n.account_key = a.account_key AND n.channel = a.channel AND n.status = 'ACTIVE'
       AND {REFERENCE} = a.reference
    JOIN vendors_vendor v ON v.id = n.vendor_id
    LEFT JOIN vendors_paymentinstruction before ON before.id = n.replaces_id
    WHERE greatest(n.changed_at, n.decided_at) > now() - interval '14 days'
      AND (n.replaces_id IS NOT NULL OR n.changed_at > v.created_at + interval '1 minute')"""  # noqa: S608  put together from constants alone

# Another vendor has the account; or the vendor shares its phone or tax PIN with another one, or its phone with somebody.
SHARED_WITH = f"""
    SELECT a.key, a.position + 1, json_build_object(
        'receiver', a.receiver_name, 'account_ends', right(a.account, 4), 'also', 'vendor ' || v.name)
    FROM asked a
    JOIN vendors_paymentinstruction n
        ON n.business_id = %(business)s AND n.account_key = a.account_key AND n.channel = a.channel
       AND n.status IN ('ACTIVE', 'QUARANTINED')
       AND {REFERENCE} = a.reference
    JOIN vendors_vendor v ON v.id = n.vendor_id AND v.status = 'ACTIVE'
    WHERE CASE WHEN a.vendor_id <> '' THEN v.id <> a.vendor_id ELSE lower(v.name) <> a.name END
    UNION ALL
    SELECT a.key, a.position + 2, json_build_object('receiver', a.receiver_name, 'also', coalesce(
        'vendor ' || other.name, 'employee ' || e.name))
    FROM asked a
    JOIN vendors_vendor v ON v.id = a.vendor_id AND v.business_id = %(business)s
    LEFT JOIN LATERAL (
        SELECT o.name FROM vendors_vendor o
        WHERE o.business_id = %(business)s AND o.id <> v.id AND o.status = 'ACTIVE'
          AND (v.tax_pin <> '' AND o.tax_pin = v.tax_pin OR v.phone <> '' AND o.phone = v.phone)
        ORDER BY o.id LIMIT 1) other ON true
    LEFT JOIN employees_employee e
        ON e.business_id = %(business)s AND v.phone <> '' AND ltrim(e.phone, '+') = ltrim(v.phone, '+')
       AND lower(e.name) <> lower(v.name)
    WHERE other.name IS NOT NULL OR e.name IS NOT NULL"""  # noqa: S608  put together from constants alone


def signals() -> dict[str, str]:
    """Each signal's query of (key, evidence as json) over `asked`; budgets' part is put together by the areas that use them."""
    return {
        # A bill without a file, from an amount on.
        "missing_document": """
            SELECT a.key, json_build_object('bill', i.bill_no, 'amount_minor', a.amount_minor)
            FROM asked a JOIN bills_bill i ON i.id = a.bill_id
            WHERE a.amount_minor >= (%(documents)s::jsonb ->> a.currency)::bigint
              AND NOT EXISTS (SELECT 1 FROM bills_billfile f WHERE f.bill_id = i.id)""",
        # What is committed and spent of the bill's budget, this bill included, is more than its amount.
        "budget_overrun": f"""
            SELECT a.key, json_build_object(
                'budget', b.name, 'amount_minor', b.amount_minor, 'over_minor', f.committed + f.spent - b.amount_minor)
            FROM asked a JOIN bills_bill i ON i.id = a.bill_id JOIN budgets_budget b ON b.id = i.budget_id
            JOIN ({figures.query("b.id IN (SELECT i.budget_id FROM asked a JOIN bills_bill i ON i.id = a.bill_id)")})
                AS f(id, committed, spent) ON f.id = b.id
            WHERE f.committed + f.spent > b.amount_minor""",  # noqa: S608
        # A tax is withheld, and the vendor has no PIN that it could be remitted under.
        "tax_pin_missing": """
            SELECT a.key, json_build_object('vendor', v.name, 'taxes', cardinality(i.withholding_tax_ids))
            FROM asked a JOIN bills_bill i ON i.id = a.bill_id JOIN vendors_vendor v ON v.id = i.vendor_id
            WHERE v.tax_pin = '' AND cardinality(i.withholding_tax_ids) > 0""",
    }
