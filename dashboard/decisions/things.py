"""The kinds of things that are decided on: how one is found by those who may see it, and what deciding does to money."""

from collections.abc import Mapping
from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.mirror.models import Approval, Expense, Mirrored, Request
from dashboard.mirror.scopes import visible_approvals, visible_expenses, visible_requests

# What an approved request for votes allows without paying anybody: the expense is paid already, a card is only made.
ALLOWS = frozenset({"POLICY", "CARD_REQUEST"})


def kind_of(thing: Any) -> str:
    """The kind of a thing, as decisions and the audit name it."""
    if isinstance(thing, Expense):
        return "expense"
    return "approval" if isinstance(thing, Approval) else str(thing.kind)


def visible(actor: Actor, kind: str) -> Any:
    """The things of a kind that the actor sees."""
    if kind == "expense":
        return visible_expenses(actor)
    return visible_approvals(actor) if kind == "approval" else visible_requests(actor).filter(kind=kind)


def copies(kind: str) -> type[Mirrored]:
    """The table that the things of a kind are copied into."""
    return {"expense": Expense, "approval": Approval}.get(kind, Request)


def is_vote(operation: Operation, kind: str) -> bool:
    """Whether it is one of several words on the same thing; any other decision stands alone."""
    return kind == "approval" and "mandate" in operation.words


def money_leaves(thing: Any) -> bool:
    """Whether money leaves a wallet once the thing is approved for good."""
    if isinstance(thing, Approval):
        opted = thing.kind == "INVESTMENT" and not thing.org_wallet_ref
        return thing.kind not in ALLOWS and not opted
    return isinstance(thing, Request) and thing.kind == "hand_transaction" and thing.payload.get("direction") == "OUT"


def named(kind: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The payload with the id that the copy keeps it by: an opt-in to a fund is named by its reference alone."""
    return {"_id": payload.get("ref"), **payload} if kind == "fund_opt_in" else dict(payload)
