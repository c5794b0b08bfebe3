"""How a transaction is shown on its own page."""

from dashboard.access.actor import Actor
from dashboard.lists.detail_page import Facts
from dashboard.mirror.models import Transaction
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.pages.transactions.tables import type_of
from dashboard.times import day_and_time


def facts_of(actor: Actor, transaction: Transaction) -> Facts:
    """The label and the text of what is known of a transaction; wallet and holder where the actor may see them."""
    wallet = (
        visible_wallets(actor).filter(org_wallet_ref=transaction.org_wallet_ref).values_list("name", flat=True).first()
    )
    holder = visible_employees(actor).filter(remote_id=transaction.employee_id).values_list("name", flat=True).first()
    return [
        ("Kind", type_of(transaction.type)),
        ("Date", day_and_time(transaction.occurred_at, actor.business)),
        ("Wallet", wallet or transaction.org_wallet_ref),
        ("Fees", transaction.fees_text),
        ("Category", transaction.category_name),
        ("Person", holder or ""),
        ("Reference", transaction.ref),
        ("Channel", transaction.channel),
        ("Description", transaction.description),
    ]
