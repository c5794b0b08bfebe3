"""What areas below ask about payouts, as SQL that they put into a query of their own."""

# Whom payouts on a channel paid (service/vendors/recent_payees.py).
PAYEES = """
    SELECT receiver_name, account, b.currency, i.settled_at, i.amount_minor
    FROM payments_item i JOIN payments_batch b ON b.id = i.batch_id
    WHERE i.business_id = %(business)s AND i.status = 'SUCCEEDED' AND i.channel = %(channel)s
      AND i.settled_at >= %(since)s"""
