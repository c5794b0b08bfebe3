"""Handing one's items over for a time: everything that could go wrong is said before anything is saved."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Business, Membership
from dashboard.access.roles import APPROVING, CONFIGURING, Role
from dashboard.access.standing import StandIn, forget_standing
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.delegation.dead_ends import stranded_by
from dashboard.delegation.kinds import DECIDED_BY, DELEGATED_KINDS
from dashboard.delegation.models import Delegation
from dashboard.delegation.policy import kinds_in_words
from dashboard.delegation.selectors import read_stand_ins
from dashboard.errors import Conflict, FieldProblem, InvalidState, NotAllowed, NotFound, Rejected
from dashboard.money import text
from dashboard.notifications.services import notify
from dashboard.notifications.topics import DELEGATION
from dashboard.times import day, local

LONGEST = timedelta(days=92)
DELEGATE = "delegate"


@dataclass(frozen=True)
class DelegationTerms:
    """What somebody asks for: who stands in (None for nobody), for what, from the beginning of one day to the end of another."""

    delegate: Membership | None
    kinds: frozenset[str]
    first: date
    last: date
    cap_minor: int | None = None
    currency: str = ""

    def times(self, business: Business) -> tuple[datetime, datetime]:
        """Begin and end as moments, by the business's time zone; the end is the midnight after the last day."""
        zone = ZoneInfo(business.time_zone)
        after = self.last + timedelta(days=1)
        return datetime.combine(self.first, time.min, zone), datetime.combine(after, time.min, zone)


def could_stand_in(actor: Actor) -> list[Membership]:
    """Who could stand in for the actor at all: the other approvers whom the service knows."""
    members = Membership.objects.filter(business=actor.business, is_active=True, role__in=sorted(APPROVING))
    others = members.exclude(pk=actor.member_id).exclude(employee_id="").select_related("user", "business")
    return sorted(others, key=lambda member: member.user.get_full_name().casefold())


def could_hand_over(actor: Actor) -> list[tuple[str, str]]:
    """The kinds of items that can wait for the actor at all: (kind, its words)."""
    return [(kind, word) for kind, word in DELEGATED_KINDS.items() if actor.role in DECIDED_BY[kind].roles]


def create_delegation(actor: Actor, delegation_terms: DelegationTerms, *, key: str) -> Delegation:
    """Hands the actor's items over; the same form posted again gives the same delegation.

    Rejected with a sentence per field where it cannot be.
    """
    if (before := Delegation.objects.filter(business=actor.business, key=key).first()) is not None:
        return _same(actor, before)
    begins_at, ends_at = delegation_terms.times(actor.business)
    try:
        with transaction.atomic():
            # One at a time in a business: two that each look right alone could make a loop together.
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(hashtext('delegation'), %s)", [actor.business.pk])
            if problems := _problems(actor, delegation_terms, begins_at, ends_at):
                raise Rejected(problems[0].message, code="delegation_refused", fields=problems)
            delegation = Delegation.objects.create(
                business=actor.business, delegator_id=actor.member_id, delegate=delegation_terms.delegate,
                kinds=sorted(delegation_terms.kinds), cap_minor=delegation_terms.cap_minor, currency=delegation_terms.currency,
                begins_at=begins_at, ends_at=ends_at, key=key,
            )  # fmt: skip
            what = delegation_text(delegation)
            sentence = (
                f"delegated {what} to {delegation.delegate_name}"
                if delegation_terms.delegate
                else f"is away without a delegate: {what}"
            )
            record(actor, "give_delegation", None, Outcome.DONE, sentence=sentence)
            if delegation_terms.delegate is not None:
                message = f"{actor.name} has delegated {what} to you."
                notify([delegation_terms.delegate], DELEGATION, message, key=f"delegation:{delegation.pk}")
    except IntegrityError:
        return _same(actor, Delegation.objects.get(business=actor.business, key=key))
    _forget(delegation)
    return delegation


def _same(actor: Actor, before: Delegation) -> Delegation:
    if before.delegator_id != actor.membership_id:
        raise Conflict("This form was already used for something else. Reload the page.", code="key_reused")
    return before


def _problems(
    actor: Actor, delegation_terms: DelegationTerms, begins_at: datetime, ends_at: datetime
) -> list[FieldProblem]:
    """Everything that speaks against it, field by field; the dead ends last, because they cost the most to find.

    Whoever is away without a delegate is away whatever waits: their dead ends are said (absence.py), not refused.
    """
    problems = [
        *_of_people(actor, delegation_terms.delegate),
        *_of_kinds(actor, delegation_terms),
        *_of_days(actor, delegation_terms, ends_at),
    ]
    if not problems:
        problems = _of_others(actor, delegation_terms, begins_at, ends_at)
    if problems or delegation_terms.delegate is None:
        return problems
    if stranded := stranded_by(
        actor, delegation_terms.delegate, delegation_terms.kinds, delegation_terms.cap_minor, delegation_terms.currency
    ):
        problems = [FieldProblem("kinds", "dead_end", stranded)]
    return problems


def _of_people(actor: Actor, other: Membership | None) -> list[FieldProblem]:
    name = other.user.get_full_name() if other is not None else ""
    if not actor.employee_id:
        sentence = "You are not linked to an employee, so you have no approvals to delegate."
    elif other is None:
        return []
    elif other.pk == actor.membership_id:
        sentence = "You cannot delegate to yourself."
    elif other.business_id != actor.business.pk or not other.is_active or not other.user.is_active:
        sentence = f"{name} no longer belongs to this business."
    elif Role(other.role) not in APPROVING:
        sentence = f"{name}’s role is {Role(other.role).label.lower()}: only an approver can be a delegate."
    elif not other.employee_id:
        sentence = f"{name} is not linked to an employee, and so cannot decide on anything."
    else:
        return _of_standing(other, name)
    return [FieldProblem(DELEGATE, "not_possible", sentence)]


def _of_standing(other: Membership, name: str) -> list[FieldProblem]:
    try:
        Actor.for_membership(other, fresh=True)
    except NotAllowed:
        return [FieldProblem(DELEGATE, "suspended", f"{name} is suspended.")]
    return []


def _of_kinds(actor: Actor, delegation_terms: DelegationTerms) -> list[FieldProblem]:
    unknown = [kind for kind in delegation_terms.kinds if kind not in DELEGATED_KINDS]
    if not delegation_terms.kinds or unknown:
        return [FieldProblem("kinds", "required", "Choose what to delegate.")]
    foreign = [
        DELEGATED_KINDS[kind] for kind in sorted(delegation_terms.kinds) if actor.role not in DECIDED_BY[kind].roles
    ]
    if foreign:
        sentence = f"As {actor.role.label.lower()} you cannot decide on {' and '.join(foreign)}."
        return [FieldProblem("kinds", "not_yours", sentence)]
    if delegation_terms.cap_minor is not None and delegation_terms.delegate is None:
        return [FieldProblem("cap", "no_delegate", "Without a delegate there is nothing to cap: leave it empty.")]
    if delegation_terms.cap_minor is not None and (delegation_terms.cap_minor <= 0 or not delegation_terms.currency):
        return [FieldProblem("cap", "not_positive", "A cap is an amount above zero, with its currency.")]
    return []


def _of_days(actor: Actor, delegation_terms: DelegationTerms, ends_at: datetime) -> list[FieldProblem]:
    if delegation_terms.last < delegation_terms.first:
        return [FieldProblem("last", "before", "The end date is before the start date.")]
    if ends_at <= timezone.now():
        today = local(timezone.now(), actor.business)
        return [
            FieldProblem("last", "over", f"This date has passed: in {actor.business.time_zone} it is {today:%d %b %Y}.")
        ]
    if delegation_terms.last - delegation_terms.first > LONGEST:
        sentence = f"At most {LONGEST.days} days: for longer, have the mandate itself changed."
        return [FieldProblem("last", "too_long", sentence)]
    return []


def _of_others(
    actor: Actor, delegation_terms: DelegationTerms, begins_at: datetime, ends_at: datetime
) -> list[FieldProblem]:
    """Loops, chains and what is handed over already: delegations in the same days, of the same kinds."""
    other = delegation_terms.delegate
    people = Q(delegator_id=actor.member_id) | Q(delegate_id=actor.member_id)
    people |= Q(delegator=other) if other is not None else Q()
    rows = Delegation.objects.filter(
        people, business=actor.business, ended_at=None, begins_at__lt=ends_at, ends_at__gt=begins_at
    )
    name = other.user.get_full_name() if other is not None else ""
    for stand_in in read_stand_ins(rows):
        if not stand_in.kinds & delegation_terms.kinds:
            continue
        what, until = kinds_in_words(stand_in.kinds & delegation_terms.kinds), _until(actor, stand_in)
        if stand_in.delegator_id == actor.member_id:
            already = (
                f"delegated {what} to {stand_in.delegate_name}" if stand_in.delegate_id else "set that you are away"
            )
            sentence = f"You have already {already} until {until}: end that first."
            return [FieldProblem("kinds", "twice", sentence)]
        if other is not None and stand_in.delegator_id == other.pk and stand_in.delegate_id == actor.member_id:
            sentence = f"You are the delegate of {name} until {until}: approvals cannot be delegated back."
            return [FieldProblem(DELEGATE, "loop", sentence)]
        if other is not None and stand_in.delegator_id == other.pk:
            who = f"their delegate is {stand_in.delegate_name}" if stand_in.delegate_id else "without a delegate,"
            sentence = f"{name} is away too: {who} until {until}. Delegated approvals cannot be delegated again."
            return [FieldProblem(DELEGATE, "away", sentence)]
        sentence = f"You are the delegate of {stand_in.delegator_name} until {until}. Delegated approvals cannot be delegated again: end that delegation first."
        return [FieldProblem("kinds", "handed_on", sentence)]
    return []


def _until(actor: Actor, stand_in: StandIn) -> str:
    return day(stand_in.ends_at - timedelta(seconds=1), actor.business)


def delegation_text(delegation: Delegation) -> str:
    """ "expenses and payment requests up to KES 100,000, 20 Nov 2026 to 24 Nov 2026"."""
    cap = (
        f" up to {text(delegation.cap_minor, delegation.currency, delegation.business.locale)}"
        if delegation.cap_minor is not None
        else ""
    )
    first, last = (
        day(delegation.begins_at, delegation.business),
        day(delegation.ends_at - timedelta(seconds=1), delegation.business),
    )
    return f"{kinds_in_words(frozenset(delegation.kinds))}{cap}, {first if first == last else f'{first} to {last}'}"


def may_end(actor: Actor, delegation: Delegation) -> bool:
    """Whether the actor may end it: its delegator, its delegate and those who configure the business, while it lasts."""
    lasts = delegation.ended_at is None and delegation.ends_at > timezone.now()
    return lasts and (_is_party(actor, delegation) or actor.role in CONFIGURING)


def _is_party(actor: Actor, delegation: Delegation) -> bool:
    """Whether the actor is its delegator or its delegate; a job is neither, also where there is no delegate."""
    return actor.membership_id is not None and actor.membership_id in {delegation.delegator_id, delegation.delegate_id}


def close_delegation(actor: Actor, delegation: Delegation) -> None:
    """Ends it now: what was handed over comes back at once. NotFound for another business's, NotAllowed for others'."""
    if delegation.business_id != actor.business.pk:
        raise NotFound
    if not _is_party(actor, delegation) and actor.role not in CONFIGURING:
        reason = "Only the delegator, the delegate or an admin can end a delegation."
        sentence = f"tried to end {delegation.phrase}"
        record(actor, "end_delegation", None, Outcome.DENIED, sentence=sentence, reason=reason)
        raise NotAllowed(reason, code="role")
    with transaction.atomic():
        still = Delegation.objects.filter(pk=delegation.pk, ended_at=None, ends_at__gt=timezone.now())
        if not still.update(ended_at=timezone.now(), ended_by=actor.name[:254]):
            raise InvalidState("It has already ended.", code="invalid_state")
        sentence = f"ended {delegation.phrase}: {delegation_text(delegation)}"
        record(actor, "end_delegation", None, Outcome.DONE, sentence=sentence)
        others = [member for member in _people_of(delegation) if member.pk != actor.membership_id]
        message = f"{actor.name} has ended {delegation.phrase}."
        notify(others, DELEGATION, message, key=f"delegation-over:{delegation.pk}")
    _forget(delegation)


def _people_of(delegation: Delegation) -> list[Membership]:
    return [member for member in (delegation.delegator, delegation.delegate) if member is not None]


def _forget(delegation: Delegation) -> None:
    for membership in _people_of(delegation):
        forget_standing(delegation.business_id, membership.employee_id)
