"""How each step is carried out: by the command of its kind and choice, under the step's own key. Changes of access: seats.py."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import TypeVar

from django.db.models import QuerySet
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.commands import allocations, cards, employees, subscriptions, teams
from dashboard.commands.run import FormKey
from dashboard.delegation.dead_ends import dead_end_of
from dashboard.delegation.models import Delegation
from dashboard.delegation.presence import presence_of
from dashboard.delegation.services import close_delegation
from dashboard.errors import Conflict, NotFound
from dashboard.mirror.models import Card, Employee, Mirrored, Subscription, Team
from dashboard.mirror.scopes import (
    visible_approvals,
    visible_cards,
    visible_employees,
    visible_expenses,
    visible_subscriptions,
    visible_teams,
)
from dashboard.money import exponent
from dashboard.offboarding import samples
from dashboard.offboarding.drafts import DRAFTS
from dashboard.offboarding.exemptions import EXEMPTIONS
from dashboard.offboarding.holdings import ENDED_CARDS, OPEN_EXPENSES, funds_of
from dashboard.offboarding.models import OffboardingStep
from dashboard.offboarding.outcome import Carried, StepAction
from dashboard.offboarding.recurring import RECURRING
from dashboard.offboarding.seats import SEATS
from dashboard.proposals.members import check_leaver, end_for_good
from dashboard.schemas.base import JsonObject
from dashboard.schemas.employees import FundsTerms, ProfileBody
from dashboard.schemas.subscriptions import SubscriptionOwner

Row = TypeVar("Row", bound=Mirrored)
REASON = "Offboarding"
MOST_CHECKED = 500


def _row(rows: QuerySet[Row], remote_id: str) -> Row:
    row: Row | None = rows.filter(remote_id=remote_id).first()
    if row is None:
        raise NotFound("It no longer exists.", code="not_found")
    return row


def leaver_of(actor: Actor, step: OffboardingStep) -> Employee:
    """Whoever leaves; NotFound where the copy has nobody like that."""
    return _row(visible_employees(actor), step.offboarding.employee_id)


def _key(step: OffboardingStep) -> FormKey:
    return FormKey(step.key)


def _suspend(actor: Actor, step: OffboardingStep) -> Carried:
    return Carried(employees.suspend(actor, leaver_of(actor, step), key=_key(step)).request_id)


def _is_suspended(actor: Actor, step: OffboardingStep) -> bool:
    return leaver_of(actor, step).status != "ACTIVE"


def _members_of(actor: Actor, step: OffboardingStep) -> QuerySet[Membership]:
    rows = Membership.objects.filter(business=actor.business, employee_id=step.remote_id, ended_at=None)
    return rows.select_related("user")


def _end_membership(actor: Actor, step: OffboardingStep) -> Carried:
    for member in _members_of(actor, step):
        end_for_good(actor, member, reason=REASON)
    return Carried()


def _has_no_membership(actor: Actor, step: OffboardingStep) -> bool:
    return not _members_of(actor, step).exists()


def _member(actor: Actor, step: OffboardingStep) -> Membership:
    rows = Membership.objects.filter(business=actor.business, pk=int(step.remote_id))
    row = rows.select_related("user").first()
    if row is None:
        raise NotFound("The membership no longer exists.", code="not_found")
    return row


def _end_member(actor: Actor, step: OffboardingStep) -> Carried:
    member = _member(actor, step)
    check_leaver(actor, member)
    end_for_good(actor, member, reason=REASON)
    return Carried()


def _leave_member(actor: Actor, step: OffboardingStep) -> Carried:
    return Carried(sentence="It is somebody else: their access stays.")


def _delegation(actor: Actor, step: OffboardingStep) -> Delegation:
    rows = Delegation.objects.select_related("business", "delegator__user", "delegate__user")
    row = rows.filter(business=actor.business, pk=step.remote_id).first()
    if row is None:
        raise NotFound("It no longer exists.", code="not_found")
    return row


def _end_delegation(actor: Actor, step: OffboardingStep) -> Carried:
    close_delegation(actor, _delegation(actor, step))
    return Carried()


def _has_ended(actor: Actor, step: OffboardingStep) -> bool:
    row = _delegation(actor, step)
    return row.ended_at is not None or row.ends_at <= timezone.now()


def _team(actor: Actor, step: OffboardingStep) -> Team:
    return _row(visible_teams(actor), step.remote_id)


def _add_reviewer(actor: Actor, step: OffboardingStep) -> Carried:
    team, read_only = _team(actor, step), step.data["read_only"]
    return Carried(teams.add_reviewer(actor, team, step.heir_id, read_only=read_only, key=_key(step)).request_id)


def _seat_to_add(actor: Actor, step: OffboardingStep) -> JsonObject:
    seats = _team(actor, step).reviewers
    return {
        "read_only": any(seat["read_only"] for seat in seats if seat["employee_id"] == step.offboarding.employee_id)
    }


def _remove_reviewer(actor: Actor, step: OffboardingStep) -> Carried:
    leaver = step.offboarding.employee_id
    return Carried(teams.remove_reviewer(actor, _team(actor, step), leaver, key=_key(step)).request_id)


def _reviews(actor: Actor, step: OffboardingStep, employee_id: str) -> bool:
    return any(seat["employee_id"] == employee_id for seat in _team(actor, step).reviewers)


def _change_supervisor(actor: Actor, step: OffboardingStep) -> Carried:
    report = _row(visible_employees(actor), step.remote_id)
    body: ProfileBody = {"supervisor_id": step.heir_id or None}
    return Carried(employees.update_profile(actor, report, body, key=_key(step)).request_id)


def _supervisor_is(actor: Actor, step: OffboardingStep) -> bool:
    now = str(_row(visible_employees(actor), step.remote_id).payload.get("supervisor_id") or "")
    return now == step.heir_id


def _subscription(actor: Actor, step: OffboardingStep) -> Subscription:
    return _row(visible_subscriptions(actor), step.remote_id)


def _assign_subscription(actor: Actor, step: OffboardingStep) -> Carried:
    operation, owner = operations.ASSIGN_SUBSCRIPTION, SubscriptionOwner(employee_id=step.heir_id)
    return Carried(subscriptions.change(actor, operation, _subscription(actor, step), owner, key=_key(step)).request_id)


def _pause_subscription(actor: Actor, step: OffboardingStep) -> Carried:
    return Carried(subscriptions.pause(actor, _subscription(actor, step), key=_key(step)).request_id)


def _card(actor: Actor, step: OffboardingStep) -> Card:
    return _row(visible_cards(actor), step.remote_id)


def _close_card(actor: Actor, step: OffboardingStep) -> Carried:
    return Carried(cards.retire(actor, _card(actor, step), REASON, key=_key(step)).request_id)


def _block_card(actor: Actor, step: OffboardingStep) -> Carried:
    return Carried(cards.block(actor, _card(actor, step), REASON, key=_key(step)).request_id)


def _amount_to_take(actor: Actor, step: OffboardingStep) -> JsonObject:
    """The amount is what they can spend now, fixed before it is sent: under one key nothing else goes."""
    minor = funds_of(actor, leaver_of(actor, step)).get(step.remote_id, 0)
    amount = Decimal(minor).scaleb(-exponent(step.remote_id))
    return {"amount": str(amount), "org_wallet_ref": step.action.partition(":")[2]}


def _take_back(actor: Actor, step: OffboardingStep) -> Carried:
    body: FundsTerms = {
        "amount": Decimal(step.data["amount"]), "currency": step.remote_id, "note": REASON,
        "org_wallet_ref": step.data["org_wallet_ref"],
    }  # fmt: skip
    allocations.remove(actor, leaver_of(actor, step), body, key=_key(step))
    return Carried()


def _has_nothing(actor: Actor, step: OffboardingStep) -> bool:
    return step.remote_id not in funds_of(actor, leaver_of(actor, step))


def _check_expenses(actor: Actor, step: OffboardingStep) -> Carried:
    rows = visible_expenses(actor).filter(employee_id=step.offboarding.employee_id, status__in=OPEN_EXPENSES)
    return _check_decidable(actor, rows.order_by("pk")[:MOST_CHECKED])


def _check_payment_requests(actor: Actor, step: OffboardingStep) -> Carried:
    rows = visible_approvals(actor).filter(requested_by_id=step.offboarding.employee_id, status="PENDING")
    return _check_decidable(actor, rows.order_by("pk")[:MOST_CHECKED])


def _check_decidable(actor: Actor, rows: Iterable[Mirrored]) -> Carried:
    """They go on without their requester; Conflict where one of them waits for nobody."""
    presence = presence_of(actor.business)
    if stuck := next((sentence for row in rows if (sentence := dead_end_of(presence, row))), ""):
        raise Conflict(stuck, code="dead_end")
    return Carried(sentence="Somebody is there to decide on each of them.")


def _check_requests(actor: Actor, step: OffboardingStep) -> Carried:
    # One person's word is enough for these, and every finance role may give it.
    return Carried(sentence="Finance decides on them as before.")


def _never(actor: Actor, step: OffboardingStep) -> bool:
    return False


ACTIONS: dict[tuple[str, str], StepAction] = {
    ("suspend", "suspend"): StepAction(operations.SUSPEND_EMPLOYEE, _suspend, _is_suspended),
    # Whoever may suspend somebody ends their access: it is more of the same.
    ("membership", "end"): StepAction(operations.SUSPEND_EMPLOYEE, _end_membership, _has_no_membership),
    ("member", "end"): StepAction(
        operations.SUSPEND_EMPLOYEE, _end_member, lambda actor, step: _member(actor, step).ended_at is not None
    ),
    ("member", "keep"): StepAction(None, _leave_member, _never),
    ("delegation", "end"): StepAction(None, _end_delegation, _has_ended),
    ("review", "add"): StepAction(
        operations.MAKE_TEAM_REVIEWER, _add_reviewer, lambda actor, step: _reviews(actor, step, step.heir_id),
        prepare=_seat_to_add,
    ),
    ("review", "remove"): StepAction(
        operations.REMOVE_TEAM_REVIEWER, _remove_reviewer,
        lambda actor, step: not _reviews(actor, step, step.offboarding.employee_id),
    ),
    ("report", "assign"): StepAction(operations.UPDATE_PROFILE, _change_supervisor, _supervisor_is),
    ("report", "remove"): StepAction(operations.UPDATE_PROFILE, _change_supervisor, _supervisor_is),
    ("subscription", "assign"): StepAction(
        operations.ASSIGN_SUBSCRIPTION, _assign_subscription,
        lambda actor, step: _subscription(actor, step).employee_id == step.heir_id,
    ),
    ("subscription", "pause"): StepAction(
        operations.SET_SUBSCRIPTION_STATUS, _pause_subscription,
        lambda actor, step: _subscription(actor, step).status != "ACTIVE",
    ),
    ("card", "close"): StepAction(
        operations.RETIRE_CARD, _close_card, lambda actor, step: _card(actor, step).status in ENDED_CARDS
    ),
    ("card", "block"): StepAction(
        operations.BLOCK_CARD, _block_card, lambda actor, step: _card(actor, step).status in {"BLOCKED", *ENDED_CARDS}
    ),
    ("funds", "take_back"): StepAction(operations.REMOVE_FUNDS, _take_back, _has_nothing, prepare=_amount_to_take),
    ("expense", "keep"): StepAction(None, _check_expenses, _never),
    ("approval", "keep"): StepAction(None, _check_payment_requests, _never),
    ("request", "keep"): StepAction(None, _check_requests, _never),
    **DRAFTS,
    **EXEMPTIONS,
    **RECURRING,
    **samples.SAMPLES,
    **SEATS,
}  # fmt: skip


def step_action_of(step: OffboardingStep) -> StepAction:
    """How a step is carried out; NotFound where there is no such action any more."""
    action = ACTIONS.get((step.kind, step.action.partition(":")[0]))
    if action is None:
        raise NotFound("This action is no longer available.")
    return action
