"""The wallets of reconciliation, from the copy, and the stored rules for bank lines."""

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import NotFound
from dashboard.mirror.models import Wallet
from dashboard.mirror.scopes import visible_wallets
from dashboard.pages.reconciliation.selectors.desk import LIVE_S
from dashboard.schemas.reconciliation import BankRule


def bank_wallets(actor: Actor) -> list[Wallet]:
    """The wallets that the actor sees, by currency and name."""
    return list(visible_wallets(actor).order_by("currency", "name", "org_wallet_ref"))


def bank_wallet(actor: Actor, wallet_id: str) -> Wallet:
    """One of them; NotFound for any other."""
    row = visible_wallets(actor).filter(remote_id=wallet_id).first()
    if row is None:
        raise NotFound
    return row


def rules_of(actor: Actor) -> list[BankRule]:
    """The stored rules, in the order in which they are tried."""
    return typed(
        read_page(read_live(actor, operations_accounting.LIST_BANK_RULES, deadline=LIVE_S).data).rows, BankRule
    )


def bank_rule_of(actor: Actor, rule_id: str) -> BankRule:
    """One of them; NotFound for any other."""
    row = next((rule for rule in rules_of(actor) if rule.id == rule_id), None)
    if row is None:
        raise NotFound
    return row
