"""May this person decide on this item for somebody else? The gate of delegation, in front of which the gate stands.

Whoever stands in needs every right themselves: a delegation hands over work and opens nothing. A vote is recorded, here
and at the service, under the name of whoever gives it; so where a mandate seats only the delegator, it cannot be handed
on. What is not known is a no.
"""

from datetime import datetime
from typing import Any

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import YES, Verdict, can
from dashboard.access.models import Membership
from dashboard.access.operation import Operation
from dashboard.access.roles import APPROVING
from dashboard.access.standing import StandIn
from dashboard.access.subject import Subject, subject_of
from dashboard.delegation.kinds import DELEGATED_KINDS
from dashboard.errors import NotAllowed
from dashboard.money import text
from dashboard.times import day


def may_decide_for(
    actor: Actor,
    stand_in: StandIn,
    operation: Operation,
    item: Any,
    *,
    now: datetime | None = None,
    delegator: Actor | None = None,
) -> Verdict:
    """Whether the actor may do this to the item for the delegator, or the sentence why not.

    The delegator is looked up where they are not given: whoever asks about many things gives them.
    """
    subject, name = subject_of(item), stand_in.delegator_name
    refusal = (
        _not_theirs(actor, stand_in)
        or _not_now(actor, stand_in, now or timezone.now())
        or _not_handed_over(actor, stand_in, operation, subject, item)
        or _of_the_delegator(stand_in, subject)
    )
    if refusal:
        return Verdict(False, refusal, rule="delegation")
    own = can(actor, operation, item)
    if not own:
        return Verdict(False, _no_seat(stand_in, subject) or own.reason, own.hidden, own.rule)
    try:
        waits = can(delegator or delegator_of(stand_in), operation, item)
    except NotAllowed as ended:
        waits = Verdict(False, ended.detail, rule="delegation")
    return YES if waits else Verdict(False, f"It does not wait for {name}: {waits.reason}", rule="delegation")


def delegator_of(stand_in: StandIn) -> Actor:
    """Whoever is away, as they stand now; NotAllowed where they have nothing to hand over any more."""
    rows = Membership.objects.select_related("user", "business")
    return Actor.for_membership(rows.get(pk=stand_in.delegator_id))


def _not_theirs(actor: Actor, stand_in: StandIn) -> str:
    if actor.membership_id is None or stand_in.delegate_id != actor.membership_id:
        return f"Somebody else is the delegate of {stand_in.delegator_name}."
    if stand_in.delegator_id == stand_in.delegate_id:
        return "Nobody can be their own delegate."
    return "" if actor.role in APPROVING else "Only an approver can be a delegate."


def _not_now(actor: Actor, stand_in: StandIn, now: datetime) -> str:
    if now < stand_in.begins_at:
        return f"You are the delegate of {stand_in.delegator_name} only from {day(stand_in.begins_at, actor.business)}."
    return "" if now < stand_in.ends_at else f"You are no longer the delegate of {stand_in.delegator_name}."


def _not_handed_over(actor: Actor, stand_in: StandIn, operation: Operation, subject: Subject, item: Any) -> str:
    if not operation.is_decision or subject.kind not in stand_in.kinds:
        return f"{stand_in.delegator_name} has not delegated this kind of item."
    if not stand_in.covers(subject.kind, subject.amount_minor, getattr(item, "currency", "")):
        cap = text(stand_in.cap_minor or 0, stand_in.currency, actor.business.locale)
        return f"{stand_in.delegator_name} has delegated items up to {cap}: this one is not within it."
    return ""


def _of_the_delegator(stand_in: StandIn, subject: Subject) -> str:
    if subject.makers is None:
        return f"It is not known who made this, so it cannot be ruled out that it is {stand_in.delegator_name}’s own."
    touched = subject.makers | (subject.about or frozenset()) | {subject.holder_id, subject.requester_id or ""}
    if not stand_in.delegator_employee or stand_in.delegator_employee in touched:
        return f"This is {stand_in.delegator_name}’s own item: nobody can decide on it for them."
    return ""


def _no_seat(stand_in: StandIn, subject: Subject) -> str:
    """The sentence for a vote that only the delegator can give."""
    seats = {seat.employee_id for seat in subject.seats or ()}
    if stand_in.delegator_employee in seats and stand_in.delegate_employee not in seats:
        name = stand_in.delegator_name
        return f"The mandate names {name} and not you: an approval counts in the name of whoever gives it, so {name}’s cannot be delegated."
    return ""


def stands_in(actor: Actor, operation: Operation, item: Any) -> StandIn | None:
    """For whom the actor decides when they do this to the item; None where it is in their own name alone."""
    return next(
        (stand_in for stand_in in actor.stands_in_for if may_decide_for(actor, stand_in, operation, item)), None
    )


def audit_sentence(actor: Actor, operation: Operation, item: Any) -> str:
    """The sentence of a decision for the audit: with "for Apollo" where the actor stands in."""
    facts = subject_of(item)
    sentence, stand_in = operation.sentence(facts.title), stands_in(actor, operation, item)
    return f"{sentence} for {stand_in.delegator_name}" if stand_in else sentence


def kinds_in_words(kinds: frozenset[str]) -> str:
    """The names of the kinds as text, such as "expenses, payment requests and card orders"."""
    words = [word for kind, word in DELEGATED_KINDS.items() if kind in kinds]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
