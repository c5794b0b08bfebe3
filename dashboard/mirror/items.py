"""What can be talked about: a kind of item each, with the one function that says who sees it and the page it stands on."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.subject import subject_of
from dashboard.errors import NotAllowed
from dashboard.mirror.scopes import (
    visible_approvals,
    visible_cards,
    visible_customers,
    visible_employees,
    visible_expenses,
    visible_policies,
    visible_requests,
    visible_subscriptions,
    visible_transactions,
    visible_vendors,
    visible_wallets,
)


@dataclass(frozen=True)
class Talk:
    """A kind of item that can be talked about."""

    noun: str
    visible: Callable[[Actor], QuerySet[Any]]
    # The name of its page's address; "" where it has none of its own.
    urlname: str


def _asked(kind: str, actor: Actor) -> QuerySet[Any]:
    return visible_requests(actor).filter(kind=kind)


TALKS: dict[str, Talk] = {
    "expense": Talk("Expense", visible_expenses, "expenses_item"),
    "approval": Talk("Payment request", visible_approvals, "approvals_payment"),
    "card": Talk("Card", visible_cards, "cards_item"),
    "customer": Talk("Customer", visible_customers, "customers_item"),
    "wallet": Talk("Wallet", visible_wallets, "treasury_wallet"),
    "employee": Talk("Employee", visible_employees, "people_item"),
    "vendor": Talk("Vendor", visible_vendors, "vendors_item"),
    "transaction": Talk("Transaction", visible_transactions, "transactions_item"),
    "subscription": Talk("Subscription", visible_subscriptions, "subscriptions_item"),
    "wallet_policy": Talk("Wallet policy", visible_policies, "wallet-policies_item"),
    "card_order": Talk("Card order", partial(_asked, "card_order"), "approvals_card_order"),
    "card_request": Talk("Single-use card", partial(_asked, "card_request"), "approvals_card_request"),
    "fund_opt_in": Talk("Fund", partial(_asked, "fund_opt_in"), "approvals_fund_opt_in"),
    "hand_transaction": Talk("Transaction", partial(_asked, "hand_transaction"), "approvals_hand_transaction"),
    "bill_payment": Talk("Bill payment", partial(_asked, "bill_payment"), ""),
}
# The inbox calls a payment request by a word of its own, and writes the others with a dash.
ALIASES = {"payment": "approval"}


def kind_of(word: str) -> str:
    """The kind as the gate names it."""
    return ALIASES.get(word, word.replace("-", "_"))


def item_at(actor: Actor, kind: str, remote_id: str) -> Any | None:
    """The item, where there is one and the actor may see it."""
    talk = TALKS.get(kind)
    return talk.visible(actor).filter(remote_id=remote_id).first() if talk else None


def title_of(kind: str, item: object) -> str:
    """What a sentence calls it: "expense Taxi to the airport"."""
    return f"{TALKS[kind].noun.lower()} {subject_of(item).title}"


def address_of(slug: str, kind: str, remote_id: str) -> str:
    """The page it stands on: its own, else that of its conversation."""
    talk = TALKS.get(kind)
    if talk and talk.urlname:
        return reverse(talk.urlname, args=[slug, remote_id])
    return reverse("conversation", args=[slug, kind, remote_id])


def sees(membership: Membership, kind: str, remote_id: str) -> bool:
    """Whether somebody, as they stand now, may see the item: nobody is told of what is not theirs to see."""
    try:
        actor = Actor.for_membership(membership)
    except NotAllowed:
        return False
    return item_at(actor, kind, remote_id) is not None
