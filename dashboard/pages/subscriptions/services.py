"""Adding several subscriptions that past charges look like, each by a call of its own."""

from collections.abc import Iterable
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from dashboard.access.actor import Actor
from dashboard.commands import subscriptions as commands
from dashboard.schemas.subscriptions import Proposal

OPTIONAL = ("employee_id", "card_id", "team_id", "subcategory_id")


def identity_of(proposal: Proposal) -> str:
    """What a proposal is known by from one search to the next: vendor, currency, card and billing."""
    return "|".join((proposal.vendor, proposal.currency, proposal.card_id, proposal.billing_frequency))


def add_proposals(actor: Actor, proposals: Iterable[Proposal], *, key: str) -> tuple[list[str], list[str]]:
    """Adds each under a key of its own made of the form's. The names of those that were added, and a sentence for each of
    the others: what happened, and whether anything was changed, as far as that is known."""
    added, problems = [], []
    for row in proposals:
        body: dict[str, Any] = {
            "name": row.name, "vendor": row.vendor, "currency": row.currency, "amount": row.amount,
            "billing_frequency": row.billing_frequency,
        }  # fmt: skip
        body |= {name: getattr(row, name) for name in OPTIONAL if getattr(row, name)}
        row_key = f"create_subscription-{key}-{uuid5(NAMESPACE_OID, identity_of(row)).hex}"
        try:
            commands.create(actor, body, key=row_key)
        except commands.REFUSALS as problem:
            problems.append(f"{row.name}: {problem.user_message}")
        else:
            added.append(row.name)
    return added, problems
