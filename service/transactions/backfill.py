"""Writing down what the ledger held before there was a book: safe to repeat, and nothing is written twice.

Expenses, refunds and payments are found by their own rows, everything else on a wallet of the business by its entries.
"""

from django.db import connection, transaction

from service.businesses.models import Business
from service.ids import object_id
from service.journal.models import Transaction

# What a row is written from: each statement gives rows that no transaction has yet, without the columns of COMMON.
EXPENSES = """
select 'EXPENSE', case when e.funding = 'ALLOCATION' then '' else e.org_wallet_ref end, 'OUT', e.currency, e.amount_minor, e.fees_minor, left(e.receiver, 150),
    e.transaction_ref, e.payment_type, e.subcategory_id, e.id, coalesce(e.employee_id, ''), coalesce(e.team_id, ''),
    e.ledger_transaction_id, l.effective_on, e.transaction_date
from expenses_expense e join ledger_transaction l on l.id = e.ledger_transaction_id
where e.business_id = %(business)s
"""
REFUNDS = """
select 'REFUND', case when w.holder_id <> '' then '' else e.org_wallet_ref end, 'IN', e.currency, e.amount_minor, e.fees_minor, left(e.receiver, 150),
    e.transaction_ref, e.payment_type, null, e.id, coalesce(e.employee_id, ''), coalesce(e.team_id, ''),
    l.id, l.effective_on, l.created_at
from expenses_expense e
join ledger_transaction l on l.business_id = e.business_id and l.external_ref = 'refund:' || e.id
join ledger_entry n on n.transaction_id = l.id and n.amount > 0
join accounts_wallet w on w.ledger_account_id = n.account_id
where e.business_id = %(business)s and e.status = 'REFUNDED'
"""
# An entry of a payout says whom it paid, and by which reference of the rail.
PAYMENTS = """
select case when i.channel = 'WALLET' then 'IFT' else 'EXPENSE' end, w.org_wallet_ref, 'OUT', b.currency,
    i.amount_minor, i.fee_minor, left(i.receiver_name, 150), i.id, i.channel, nullif(i.subcategory_id, ''), '', '',
    b.team_id, l.id, l.effective_on, coalesce(i.settled_at, l.created_at)
from payments_batch b
join accounts_wallet w on w.id = b.wallet_id
join payments_item i on i.batch_id = b.id and i.status = 'SUCCEEDED'
join ledger_entry n on n.account_id = w.ledger_account_id and n.amount = -i.amount_minor
    and n.note = i.receiver_name || ' ' || i.provider_ref
join ledger_transaction l on l.id = n.transaction_id and l.kind = 'PAYOUT'
where b.business_id = %(business)s
"""
# The rest, one row for each ledger transaction and wallet that it changed.
OTHERS = """
select case when l.kind in ('TOPUP', 'REFUND') then l.kind when l.kind in ('EXPENSE', 'CAPTURE') then 'EXPENSE'
        else 'IFT' end,
    w.org_wallet_ref, case when sum(n.amount) > 0 then 'IN' else 'OUT' end, w.currency, abs(sum(n.amount))::bigint, 0,
    left(l.description, 150), l.external_ref, '', null, '', '', '', l.id, l.effective_on, l.created_at
from accounts_wallet w
join ledger_entry n on n.account_id = w.ledger_account_id
join ledger_transaction l on l.id = n.transaction_id
where w.business_id = %(business)s and w.holder_id = ''
    and not exists (select from transactions_transaction t
        where t.ledger_transaction_id = l.id and t.business_id = %(business)s and t.org_wallet_ref = w.org_wallet_ref)
group by w.id, l.id having sum(n.amount) <> 0
"""
WRITE = """
insert into transactions_transaction (type, org_wallet_ref, direction, currency, amount_minor, fees_minor,
    counterparty, ref, channel, subcategory_id, expense_id, employee_id, team_id, ledger_transaction_id, effective_on,
    occurred_at, id, business_id, origin, status, to_org_wallet_ref, description, created_by, maker_ids, decided_by,
    reason, failure_code, version, created_at, updated_at)
select source.*, %(start)s || lpad(to_hex(row_number() over ()), 8, '0'), %(business)s, 'SERVICE', 'POSTED', '', '', '',
    '[]', '', '', '', 1, now(), now()
from ({source}) source
on conflict on constraint transaction_once do nothing
"""


def backfill(business: Business) -> int:
    """Writes what is missing of one business; how many rows that were."""
    with transaction.atomic():
        Business.objects.select_for_update(of=("self",), no_key=True).get(pk=business.pk)
        before = Transaction.objects.filter(business=business).count()
        with connection.cursor() as cursor:
            cursor.execute("set local statement_timeout = 0")
            for source in (EXPENSES, REFUNDS, PAYMENTS, OTHERS):
                # 16 digits of an id made now, and 8 of the row's number: as unique as ids are.
                values = {"business": business.id, "start": object_id()[:16]}
                cursor.execute(WRITE.replace("{source}", source), values)
        return Transaction.objects.filter(business=business).count() - before
