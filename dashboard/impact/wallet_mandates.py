"""The mandates, live: whose vote is asked for about a wallet's money, up to how much, and how many must agree."""

from __future__ import annotations

from collections.abc import Iterable

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.mirror.models import Wallet
from dashboard.money import text
from dashboard.schemas.wallet_policies import Mandate, Seat

READ_S = 1.5
MOST = 500
# Which mandates ask about what a permission lets somebody do, by their action types (decisions B.12).
ACTION_TYPES = {
    "WALLET_PAYOUT_APPROVE": frozenset({1, 2, 3, 5}),
    "WALLET_ALLOCATE": frozenset({4}),
    "WALLET_FX": frozenset({6}),
    "WALLET_INVEST": frozenset({7}),
}

MANDATE_KINDS = {
    1: "payout batches", 2: "bank transfers", 3: "bill payments", 4: "allocations", 5: "payment requests",
    6: "currency conversions", 7: "investments", 8: "card requests", 11: "what policies hold back",
}  # fmt: skip


def wallet_mandates(actor: Actor, wallet: Wallet) -> list[Mandate]:
    """The active mandates in the wallet's currency, read live. Raises the FinanceError tree."""
    query: dict[str, str | int] = {"currency": wallet.currency, "limit": MOST}
    mandates = typed(
        read_page(read_live(actor, operations.LIST_MANDATES, query=query, deadline=READ_S).data).rows, Mandate
    )
    return [mandate for mandate in mandates if mandate.active and mandate.currency in {"", wallet.currency}]


def mandates_for(mandates: Iterable[Mandate], permission: str) -> list[Mandate]:
    """The mandates that require votes for what a permission, by its name, allows."""
    return [mandate for mandate in mandates if mandate.action_type in ACTION_TYPES.get(permission, ())]


def seat_of(mandate: Mandate, employee_id: str) -> Seat | None:
    """The active seat of an employee in a mandate; None without one."""
    return next((seat for seat in mandate.approvers if seat.active and seat.approver_id == employee_id), None)


def amount_range(mandate: Mandate, locale: str) -> str:
    """The amounts that a mandate is about: "from KES 100,000.00"."""
    low = text(mandate.min_amount_minor, mandate.currency, locale)
    if mandate.max_amount_minor is None:
        return f"from {low}" if mandate.min_amount_minor else "any amount"
    return f"{low} to {text(mandate.max_amount_minor, mandate.currency, locale)}"


def votes_in(mandates: Iterable[Mandate], employee_id: str, locale: str) -> list[str]:
    """What the person's seats let them do; mandates that differ only in what they are about stand together.

    "mandate “Large bills” for payout batches and bill payments, from KES 100,000.00, up to KES 200,000.00: 2 of 3 must
    approve".
    """
    about: dict[tuple[str, str], list[str]] = {}
    for mandate in mandates:
        if (seat := seat_of(mandate, employee_id)) is None:
            continue
        active = sum(1 for approver in mandate.approvers if approver.active)
        cap = seat.max_amount_minor
        most = "" if cap is None else f", up to {text(cap, mandate.currency, locale)}"
        terms = f"{amount_range(mandate, locale)}{most}: {mandate.min_approvers} of {active} must approve"
        kinds = about.setdefault((mandate.name or mandate.id, terms), [])
        kinds.append(MANDATE_KINDS.get(mandate.action_type, f"type {mandate.action_type}"))
    return [f"mandate “{name}” for {_and(kinds)}, {terms}" for (name, terms), kinds in about.items()]


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
