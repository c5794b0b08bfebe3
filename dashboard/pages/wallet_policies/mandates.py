"""The mandates, live: whose vote is asked for about a wallet's money, up to how much, and how many must agree."""

from __future__ import annotations

from collections.abc import Iterable

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.gateway import send
from dashboard.client.models.wallet_policies import Mandate, Seat
from dashboard.client.money import text
from dashboard.client.page import read_page, typed
from dashboard.mirror.models import Wallet

READ_S = 1.5
MOST = 500
# Which mandates ask about what a permission lets somebody do, by their action types (decisions B.12).
ASKED_FOR = {
    "WALLET_PAYOUT_APPROVE": frozenset({1, 2, 3, 5}),
    "WALLET_ALLOCATE": frozenset({4}),
    "WALLET_FX": frozenset({6}),
    "WALLET_INVEST": frozenset({7}),
}


def mandates_of(actor: Actor, wallet: Wallet) -> list[Mandate]:
    """The active ones in the wallet's currency. Raises the error tree where the service does not tell."""
    query: dict[str, str | int] = {"currency": wallet.currency, "limit": MOST}
    found = typed(read_page(send(actor, operations.LIST_MANDATES, query=query, deadline=READ_S).data).rows, Mandate)
    return [one for one in found if one.active and one.currency in {"", wallet.currency}]


def asking(mandates: Iterable[Mandate], permission: str) -> list[Mandate]:
    """Those that ask for votes about what the permission is for."""
    return [one for one in mandates if one.action_type in ASKED_FOR.get(permission, ())]


def seat_of(mandate: Mandate, employee_id: str) -> Seat | None:
    """The person's active seat."""
    return next((seat for seat in mandate.approvers if seat.active and seat.approver_id == employee_id), None)


def band(mandate: Mandate, locale: str) -> str:
    """The amounts that it is about."""
    low = text(mandate.min_amount_minor, mandate.currency, locale)
    if mandate.max_amount_minor is None:
        return f"from {low}" if mandate.min_amount_minor else "any amount"
    return f"{low} to {text(mandate.max_amount_minor, mandate.currency, locale)}"


def vote_in(mandate: Mandate, seat: Seat, locale: str) -> str:
    """What the seat lets its holder do: "Mandate “Large bills”, up to KES 200,000.00; 2 of 3 must approve"."""
    active = sum(1 for one in mandate.approvers if one.active)
    cap = "" if seat.max_amount_minor is None else f", up to {text(seat.max_amount_minor, mandate.currency, locale)}"
    need = f"{mandate.min_approvers} of {active} must approve"
    return f"mandate “{mandate.name or mandate.id}” ({band(mandate, locale)}){cap}: {need}"
