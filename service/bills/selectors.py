"""What areas below ask about bills, as SQL that they put into a query of their own."""

# Whom payments of bills on a channel paid (service/vendors/recent_payees.py).
PAYEES = """
    SELECT receiver_name, account, currency, settled_at, net_minor FROM bills_billpayment
    WHERE business_id = %(business)s AND status = 'SUCCEEDED' AND channel = %(channel)s AND settled_at >= %(since)s"""

# Of a budget `b`: what is still to be paid of its open bills, and what was paid of them since `begun.at`
# (service/budgets/figures.py).
COMMITTED_OF_BUDGET = """
    (SELECT sum(i.total_minor - i.paid_minor) FROM bills_bill i
     WHERE i.budget_id = b.id AND i.status IN ('OPEN', 'PARTIALLY_PAID'))"""
SPENT_OF_BUDGET = """
    (SELECT sum(p.amount_minor) FROM bills_billpayment p JOIN bills_bill i ON i.id = p.bill_id
     WHERE i.budget_id = b.id AND p.status = 'SUCCEEDED' AND p.settled_at >= begun.at)"""
