"""Subscriptions: pausing one and resuming it.

Raises what `run` raises. Each answers with the subscription. Interface: Subscriptions, which names it in the body.
"""

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.commands.run import CommandResult, Key, run
from dashboard.mirror.models import Subscription


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
    return run(actor, operation, subscription, body, key=key, kind="subscription", deadline=deadline)
