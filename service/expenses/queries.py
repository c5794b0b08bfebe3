"""What areas below ask about expenses, as SQL that they put into a query of their own."""

# Whom expenses of a channel paid (service/vendors/recent_payees.py). Without an account they are known by their merchant.
PAYEES = """
    SELECT receiver, coalesce(nullif(account_number, ''), nullif(merchant_id, ''), receiver), currency,
           transaction_date, amount_minor
    FROM expenses_expense
    WHERE business_id = %(business)s AND transaction_date >= %(since)s AND receiver <> ''
      AND (channel = %(channel)s OR payment_type = %(channel)s) AND status NOT IN ('DELETED', 'REFUNDED')"""

# What a team's expenses have spent of its budget `b` since `begun.at` (service/budgets/figures.py).
SPENT_OF_BUDGET = """
    (SELECT sum(e.amount_minor + e.fees_minor) FROM expenses_expense e
     WHERE e.business_id = b.business_id AND e.team_id = b.team_id AND e.currency = b.currency
       AND e.transaction_date >= begun.at AND e.status NOT IN ('REJECTED', 'REFUNDED', 'DELETED'))"""
