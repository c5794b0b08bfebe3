"""The wallets on the other side of a fund's money: active ones of its currency that the actor sees."""

from typing import Any

from dashboard.access.actor import Actor
from dashboard.mirror.models import FundAccount
from dashboard.mirror.scopes import visible_wallets
from dashboard.pages.investments.forms import MovingForm

OWN_WALLET = "The account's own wallet"


def wallets_for(actor: Actor, found: FundAccount) -> list[tuple[str, str]]:
    """The choices, by name."""
    rows = visible_wallets(actor).filter(currency=found.currency, status="ACTIVE")
    ordered = rows.exclude(wallet_type="INVESTMENT").order_by("name", "org_wallet_ref")
    return [(row.org_wallet_ref, row.name or row.org_wallet_ref) for row in ordered[:100]]


def moving_form(actor: Actor, found: FundAccount, given: Any = None, *, any_wallet: bool = False) -> MovingForm:
    """The form of a top-up, or of an investment, which may come out of the account's own wallet."""
    named = OWN_WALLET if any_wallet else ""
    # Several forms stand on one page: each field has an id of its own.
    name = "invest" if any_wallet else "top_up"
    return MovingForm(
        given,
        wallets=wallets_for(actor, found),
        any_wallet=named,
        locale=actor.business.locale,
        auto_id=f"{name}_%s",
    )
