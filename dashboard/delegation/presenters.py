"""What the pages say of delegation: whose item one looks at, what was handed over, and what would wait for nobody."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.access.models import Membership
from dashboard.access.roles import APPROVING
from dashboard.access.standing import StandIn
from dashboard.access.subject import subject_of
from dashboard.delegation.dead_ends import dead_end_of, dead_ends_of
from dashboard.delegation.kinds import DECIDED_BY
from dashboard.delegation.policy import delegator_of, kinds_in_words, may_decide_for
from dashboard.delegation.presence import presence_of
from dashboard.errors import NotAllowed
from dashboard.mirror.item_kinds import ITEM_KINDS, kind_from_address
from dashboard.mirror.models import Expense
from dashboard.money import text
from dashboard.notifications.digest import Stuck
from dashboard.operations_pages import INBOX
from dashboard.times import local


def until(actor: Actor, stand_in: StandIn) -> str:
    """ "until Friday", or "until 24 Nov" where that is more than six days away."""
    last = local(stand_in.ends_at - timedelta(seconds=1), actor.business)
    days = (last.date() - local(timezone.now(), actor.business).date()).days
    if days == 0:
        return "until tonight"
    return f"until {last:%A}" if days < 7 else f"until {last.day} {last:%b}"


def for_whom(actor: Actor, item: Any, delegators: Mapping[UUID, Actor] | None = None) -> str:
    """ "for Apollo, until Friday" where the actor would decide on the item for somebody; else empty."""
    operation, actors = DECIDED_BY.get(subject_of(item).kind), delegators or {}
    if operation is None:
        return ""
    for stand_in in actor.stands_in_for:
        if may_decide_for(actor, stand_in, operation, item, delegator=actors.get(stand_in.id)):
            return f"for {stand_in.delegator_name}, {until(actor, stand_in)}"
    return ""


def with_delegators(actor: Actor, rows: Sequence[Any]) -> list[Any]:
    """The inbox's rows, those of somebody the actor stands in for saying so; without a look where there is nobody."""
    if not actor.stands_in_for:
        return list(rows)
    notes_by_key: dict[str, str] = {}
    delegators = _delegators(actor)
    for word in {row.key.partition("/")[0] for row in rows}:
        talk = ITEM_KINDS.get(kind_from_address(word))
        ids = [row.key.partition("/")[2] for row in rows if row.key.startswith(f"{word}/")]
        items: Any = talk.visible(actor).filter(remote_id__in=ids) if talk else ()
        notes_by_key |= {
            f"{word}/{item.remote_id}": words for item in items if (words := for_whom(actor, item, delegators))
        }
    return [
        row._replace(about=f"{row.about} · {notes_by_key[row.key]}") if row.key in notes_by_key else row for row in rows
    ]


def _delegators(actor: Actor) -> dict[UUID, Actor]:
    """Everybody whom the actor stands in for, as they stand now: looked up once for all rows."""
    delegators = {}
    for stand_in in actor.stands_in_for:
        with suppress(NotAllowed):
            delegators[stand_in.id] = delegator_of(stand_in)
    return delegators


def inbox_lines(actor: Actor, now: datetime) -> list[tuple[str, bool]]:
    """What stands above the inbox of delegation at `now`: sentences, each with whether something is wrong with it.

    To whom the actor has delegated and until when, that they are away without a delegate, and for whom they decide;
    nothing of what has ended.
    """
    lines = [_alone(actor, absence) for absence in actor.absences if absence.holds_at(now)][:1]
    lines += [_given(actor, stand_in) for stand_in in actor.stood_in_by if stand_in.holds_at(now)]
    if actor.role in APPROVING:
        lines += [_held(actor, stand_in) for stand_in in actor.stands_in_for if stand_in.holds_at(now)]
    return lines


def _alone(actor: Actor, absence: StandIn) -> tuple[str, bool]:
    what = kinds_in_words(absence.kinds)
    return f"You are out of office {until(actor, absence)} without a delegate: {what} keep waiting for you.", False


def _given(actor: Actor, stand_in: StandIn) -> tuple[str, bool]:
    what, name = _what(actor, stand_in), stand_in.delegate_name
    try:
        delegate = Actor.for_membership(
            Membership.objects.select_related("user", "business").get(pk=stand_in.delegate_id)
        )
        able = delegate.role in APPROVING
    except NotAllowed:
        able = False
    if able:
        return f"You have delegated {what} to {name} {until(actor, stand_in)}.", False
    return f"You have delegated {what} to {name} {until(actor, stand_in)}, who can no longer decide.", True


def _held(actor: Actor, stand_in: StandIn) -> tuple[str, bool]:
    what, name = _what(actor, stand_in), stand_in.delegator_name
    try:
        delegator_of(stand_in)
    except NotAllowed:
        return f"{name}, who has delegated {what} to you, can no longer decide: nor can you for them.", True
    return f"You decide for {name} on {what} {until(actor, stand_in)}.", False


def _what(actor: Actor, stand_in: StandIn) -> str:
    """What is handed over: "expenses and payment requests up to KES 100,000.00"."""
    words = kinds_in_words(stand_in.kinds)
    if stand_in.cap_minor is None:
        return words
    return f"{words} up to {text(stand_in.cap_minor, stand_in.currency, actor.business.locale)}"


def delegation_notes(actor: Actor, item: Any) -> list[tuple[str, bool]]:
    """What stands on an item about delegation: sentences, each with whether it is a bad one."""
    notes = []
    if words := for_whom(actor, item):
        notes.append((f"You decide on this {words}: in your own name, within your own mandate.", False))
    elif (why := _not_for(actor, item)) is not None:
        notes.append(why)
    for stand_in in actor.stood_in_by:
        facts = subject_of(item)
        if stand_in.covers(facts.kind, facts.amount_minor, getattr(item, "currency", "")) and not words:
            notes.append((f"{stand_in.delegate_name} is your delegate {until(actor, stand_in)}.", False))
    may_be_stuck = item.status == "PENDING" and not _ends_with(actor, item)
    if dead := dead_end_of(presence_of(actor.business), item) if may_be_stuck else "":
        notes.append((dead, True))
    return notes


def _ends_with(actor: Actor, item: Any) -> bool:
    """Whether the actor alone can end it, as one review ends an expense: then who else is there need not be asked."""
    if not isinstance(item, Expense) or actor.stood_in_by or not actor.employee_id:
        return False
    return bool(can(actor, DECIDED_BY["expense"], item))


def _not_for(actor: Actor, item: Any) -> tuple[str, bool] | None:
    """Why an item that waits for whoever one stands in for cannot be decided for them: their own, or their seat alone."""
    operation = DECIDED_BY.get(subject_of(item).kind)
    if operation is None or item.status != "PENDING":
        return None
    for stand_in in actor.stands_in_for:
        seats = {seat.employee_id for seat in subject_of(item).seats or ()}
        theirs = stand_in.delegator_employee in seats | (subject_of(item).makers or frozenset())
        if theirs and stand_in.covers(
            subject_of(item).kind, subject_of(item).amount_minor, getattr(item, "currency", "")
        ):
            return may_decide_for(actor, stand_in, operation, item).reason, False
    return None


def stuck_lines(actor: Actor) -> list[Stuck]:
    """The same as Home says it, for the daily mail."""
    slug = actor.business.slug
    return [Stuck(sentence, reverse(urlname, args=[slug])) for sentence, urlname in dead_end_sentences(actor)]


def dead_end_sentences(actor: Actor) -> list[tuple[str, str]]:
    """What Home says of items that wait for nobody: (sentence, where to look), for whoever can look."""
    if not can_open(actor, INBOX):
        return []
    payments, expenses = dead_ends_of(actor)
    sentences = []
    if payments:
        listed = ", ".join(approval.ref or approval.title for approval in payments[:3])
        more = f" and {len(payments) - 3} more" if len(payments) > 3 else ""
        wait = " has" if len(payments) == 1 else "s have"
        sentences.append((f"{len(payments)} payment request{wait} no available approver: {listed}{more}.", "approvals"))
    if expenses:
        noun = "expense" if expenses == 1 else "expenses"
        sentences.append((f"{expenses:,} {noun} without an available reviewer.", "approvals"))
    return sentences
