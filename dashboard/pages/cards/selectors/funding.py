"""What may be chosen as the funding of a card: who may let it spend a wallet of the business, and which wallets."""

from collections.abc import Iterable

from dashboard import operations_pages
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.mirror.scopes import visible_cards, visible_wallets
from dashboard.schemas.cards import ALLOCATION, BUSINESS_WALLET, LimitBody

MAIN = "1"
MAX_WALLETS = 100
CHOICES = {ALLOCATION: "The cardholder's allocation", BUSINESS_WALLET: "Business wallet"}
UNLIMITED = "A card that spends a business wallet needs a spending limit for all merchants."


def funding_choices(actor: Actor, now: str = ALLOCATION) -> list[tuple[str, str]]:
    """The choices of a funding as (code, label) for a card that is funded so `now`: an admin lets it spend a wallet,
    anybody who may change the card takes that back."""
    may_spend_wallet = bool(can_open(actor, operations_pages.CARD_FUNDING))
    return [(code, label) for code, label in CHOICES.items() if may_spend_wallet or code in {ALLOCATION, now}]


def is_funding_known(actor: Actor) -> bool:
    """Whether the service says what cards spend; False where it says it of none of those that the actor sees."""
    cards = visible_cards(actor)
    return cards.exclude(funding="").exists() or not cards.exists()


def is_bounded(limits: Iterable[LimitBody]) -> bool:
    """Whether any of the limits over time bounds every purchase, whatever the merchant."""
    return any(not limit.get("mcc") for limit in limits)


def wallets_for(actor: Actor) -> list[tuple[str, str]]:
    """The choices of a wallet as (reference, label): those the actor sees, else those that their own cards pay from, else
    the main one."""
    seen = visible_wallets(actor).filter(status="ACTIVE").order_by("currency", "name")
    choices = [
        (wallet.org_wallet_ref, f"{wallet.name or wallet.org_wallet_ref} · {wallet.currency}")
        for wallet in seen[:MAX_WALLETS]
    ]
    if choices:
        return choices
    own = visible_cards(actor).filter(employee_id=actor.employee_id).values_list("org_wallet_ref", "currency")
    refs = dict(own.order_by("org_wallet_ref"))
    return [(ref, f"Wallet {ref} · {currency}") for ref, currency in refs.items()] or [(MAIN, "The main wallet")]
