"""Subscriptions: adding one, its status, team, owner, limit and subcategory, and the search for more in past charges.

Raises what `run` raises; what the service refuses stands on the form. Each answers with the subscription, which the copy
takes over. Interface: Subscriptions, which names the subscription in the body.
"""

from django import forms

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.client.page import parsed
from dashboard.commands.run import CommandResult, Key, run
from dashboard.errors import FAILED, NotFound
from dashboard.mirror.models import Subscription
from dashboard.schemas.subscriptions import Generated, NewSubscriptionBody, SubscriptionPart

KIND = "subscription"
REFUSALS = (*FAILED, NotFound)
# Past charges are read for it, however many there are.
SEARCH_S = 20.0


def create(actor: Actor, body: NewSubscriptionBody, *, key: Key, form: forms.BaseForm | None = None) -> CommandResult:
    """Adds a subscription; `body` is a NewSubscription. Past charges of its vendor become its own."""
    operation = operations.CREATE_SUBSCRIPTION
    return run(actor, operation, None, body, key=key, kind=KIND, form=form, refusals=REFUSALS)


def search_past_charges(actor: Actor, min_confidence: str, *, key: Key | None) -> Generated:
    """What past charges look like, as proposals with their evidence; nothing is added."""
    body = {"dry_run": True, "min_confidence": min_confidence}
    result = run(
        actor, operations.GENERATE_SUBSCRIPTIONS, None, body, key=key, refusals=REFUSALS, deadline=SEARCH_S
    )  # fmt: skip
    return parsed(result.data, Generated)


def pause(actor: Actor, subscription: Subscription, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Pauses a subscription: it stays here, and can be resumed at any time."""
    return _set_status(actor, subscription, "PAUSED", key, deadline)


def resume(actor: Actor, subscription: Subscription, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Resumes a paused subscription as it was."""
    return _set_status(actor, subscription, "ACTIVE", key, deadline)


def _set_status(
    actor: Actor, subscription: Subscription, status: str, key: Key, deadline: float | None
) -> CommandResult:
    operation, body = operations.SET_SUBSCRIPTION_STATUS, {"subscription_id": subscription.remote_id, "status": status}
    return run(actor, operation, subscription, body, key=key, kind=KIND, deadline=deadline)


def change(
    actor: Actor,
    operation: Operation,
    subscription: Subscription,
    part: SubscriptionPart,
    *,
    key: Key,
    form: forms.BaseForm | None = None,
) -> CommandResult:
    """Changes its team, its owner and card, its limit and billing, or its subcategory: `part`
    is what the operation's body has beside the subscription."""
    body = {"subscription_id": subscription.remote_id, **part}
    return run(actor, operation, subscription, body, key=key, kind=KIND, form=form, refusals=REFUSALS)
