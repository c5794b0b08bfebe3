"""Adding several subscriptions that past charges look like, each by a call of its own; the steps of a cancellation; resuming
one that is not cancelled."""

from collections.abc import Iterable
from typing import Any, cast
from uuid import NAMESPACE_OID, uuid5

from django import forms

from dashboard.access.actor import Actor
from dashboard.commands import subscriptions as commands
from dashboard.commands.run import CommandResult, FormKey, Key
from dashboard.errors import Conflict
from dashboard.mirror.models import Card, Subscription
from dashboard.money import text
from dashboard.renewals import cancellations
from dashboard.schemas.subscriptions import NewSubscriptionBody, SubscriptionProposal

OPTIONAL = ("employee_id", "card_id", "team_id", "subcategory_id")


def identity_of(subscription_proposal: SubscriptionProposal) -> str:
    """What a proposal is known by from one search to the next: vendor, currency, card and billing."""
    return "|".join(
        (
            subscription_proposal.vendor,
            subscription_proposal.currency,
            subscription_proposal.card_id,
            subscription_proposal.billing_frequency,
        )
    )


def add_proposals(actor: Actor, proposals: Iterable[SubscriptionProposal], *, key: str) -> tuple[list[str], list[str]]:
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
            commands.create(actor, cast(NewSubscriptionBody, body), key=row_key)
        except commands.REFUSALS as problem:
            problems.append(f"{row.name}: {problem.user_message}")
        else:
            added.append(row.name)
    return added, problems


def resume(actor: Actor, row: Subscription, /, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Resumes a paused subscription; Conflict for one that is cancelled or being cancelled. Raises what `commands.run` raises."""
    cancellations.check_resumable(actor, row)
    return commands.resume(actor, row, key=key, deadline=deadline)


def carry_out_step(
    name: str, actor: Actor, row: Subscription, card: Card | None, form: forms.Form, *, key: FormKey
) -> None:
    """Does a step of a cancellation with what its form says; Conflict where it needs a card and there is none."""
    data = form.cleaned_data
    if name in ("block", "limit") and card is None:
        raise Conflict("There is no card in use for this subscription.", code="card")
    if name == "vendor":
        cancellations.vendor_notified(actor, row, by=data["by"], on=data["on"], how=data["how"])
    elif name == "block" and card:
        cancellations.block_card(actor, row, card, key=key)
    elif name == "limit" and card:
        amount = text(data["amount"], card.currency, actor.business.locale)
        cancellations.lower_limit(actor, row, card, data["amount"], amount, key=key)
    elif name == "none":
        cancellations.no_card(actor, row, data["reason"])
    elif name == "charge":
        cancellations.last_charge(actor, row, data["until"], is_expected=data["is_expected"])
    else:
        cancellations.end(actor, row, key=key)
