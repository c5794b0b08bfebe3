"""What somebody leaves behind: one `LeftBehind` for each card, seat, subscription and so on, with what can be done about it."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q, QuerySet
from django.utils import timezone

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.client.page import Page, every_row, read_page, typed
from dashboard.client.reads import read_live
from dashboard.delegation.models import Delegation
from dashboard.delegation.services import delegation_text
from dashboard.errors import NotFound
from dashboard.impact.mandate_reads import mandates_of
from dashboard.impact.mandate_text import mandate_title
from dashboard.mirror.employee_cards import refresh_employee_cards
from dashboard.mirror.models import Employee
from dashboard.mirror.models.policies import OPEN_POLICY
from dashboard.mirror.scopes import (
    visible_approvals,
    visible_cards,
    visible_employees,
    visible_expenses,
    visible_fund_accounts,
    visible_policies,
    visible_requests,
    visible_subscriptions,
    visible_teams,
    visible_wallets,
    visible_workflows,
)
from dashboard.money import text, to_minor
from dashboard.offboarding import labels
from dashboard.offboarding.drafts import drafts_left
from dashboard.offboarding.exemptions import exemptions_left
from dashboard.offboarding.labels import (
    ASSIGN,
    CLOSE,
    CONFIRM_AGAIN,
    DECLINE,
    END,
    END_BILL,
    END_MEMBER,
    END_TOP_UP,
    KEEP_DECIDING,
    KEEP_ENTERING,
    KEEP_PAUSED,
    LEAVE,
    PAUSE,
    PAUSE_BILL,
    REVOKE,
    SUPERVISE,
    TAKE_OVER,
    UNSUPERVISE,
    LeftBehind,
    replaced_by,
    returned_to,
)
from dashboard.offboarding.recurring import category_rules_left
from dashboard.offboarding.samples import samples_left
from dashboard.proposals.selectors import visible_proposals
from dashboard.schemas.bill_schedules import BillSchedule
from dashboard.schemas.employees import EmployeeBalances
from dashboard.schemas.workflows import Workflow
from dashboard.top_ups.models import TopUpState
from dashboard.top_ups.services import top_up_text, visible_top_ups

ENDED_CARDS = ("RETIRED", "EXPIRED", "REJECTED")
OPEN_EXPENSES = ("PENDING", "DETAILS_REQUESTED")
WAITING = ("PENDING", "REQUESTED")
OPEN_SCHEDULES = ("ACTIVE", "PAUSED")
READ_S, PAGE_SIZE, MOST_PAGES = 4.0, 200, 20


def left_behind_by(actor: Actor, employee: Employee) -> list[LeftBehind]:
    """All that an employee leaves behind, in the order in which it is dealt with.

    Money and cards are read live. Raises the FinanceError tree where what they have cannot be read: nobody is offboarded
    without knowing what money they hold.
    """
    refresh_employee_cards(actor, employee)
    return [
        *_members(actor, employee),
        *_delegations(actor, employee),
        *_reviews(actor, employee),
        *_reports(actor, employee),
        *_workflows(actor, employee),
        *_mandates(actor, employee),
        *_operators(actor, employee),
        *_policies(actor, employee),
        *exemptions_left(actor, employee),
        *_proposals(actor, employee),
        *_subscriptions(actor, employee),
        *_schedules(actor, employee),
        *_top_ups(actor, employee),
        *category_rules_left(actor, employee),
        *drafts_left(actor, employee),
        *_cards(actor, employee),
        *_funds(actor, employee),
        *_requests(actor, employee),
        *samples_left(actor, employee),
    ]


def members_of_address(actor: Actor, employee: Employee) -> QuerySet[Membership]:
    """Who has access here under the e-mail address of an employee, and is linked to none: perhaps it is them."""
    rows = Membership.objects.filter(business=actor.business, ended_at=None, employee_id="").select_related("user")
    return rows.filter(user__email__iexact=employee.email) if employee.email else rows.none()


def _members(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    for row in members_of_address(actor, employee):
        yield LeftBehind(
            "member", str(row.pk), f"{row.user} ({row.user.email}), linked to no employee", (END_MEMBER, LEAVE)
        )


def _delegations(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    members = Membership.objects.filter(business=actor.business, employee_id=employee.remote_id)
    theirs = Q(delegator__in=members) | Q(delegate__in=members)
    rows = Delegation.objects.filter(theirs, business=actor.business, ended_at=None, ends_at__gt=timezone.now())
    for row in rows.select_related("business", "delegator__user", "delegate__user").order_by("begins_at", "id"):
        yield LeftBehind("delegation", str(row.pk), f"{row}: {delegation_text(row)}", (END,))


def _reviews(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    seat = [{"employee_id": employee.remote_id}]
    rows = visible_teams(actor).filter(reviewers__contains=seat).exclude(status="DELETED")
    for row in rows.order_by("name", "remote_id"):
        yield LeftBehind("review", row.remote_id, f"Reviewer of {row.name}", (replaced_by("staff"), labels.REMOVE))


def _reports(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    rows = visible_employees(actor).filter(payload__supervisor_id=employee.remote_id).exclude(status="DELETED")
    for row in rows.order_by("sort_name", "pk"):
        yield LeftBehind("report", row.remote_id, f"Supervisor of {row.name}", (SUPERVISE, UNSUPERVISE))


def workflows_naming(actor: Actor, employee: Employee) -> list[Workflow]:
    """The workflows that name an employee in a step, by priority."""
    rows = visible_workflows(actor).order_by("priority", "remote_id").values_list("payload", flat=True)
    return [
        row
        for row in typed(rows, Workflow)
        if any(employee.remote_id in (step.approver_ids or ()) for step in row.steps)
    ]


def _workflows(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    for row in workflows_naming(actor, employee):
        title = f"Approver in the workflow “{row.name}”"
        yield LeftBehind("workflow", row.id, title, (replaced_by("approver"), labels.REMOVE))


def _mandates(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    for row in mandates_of(actor).value:
        if any(seat.approver_id == employee.remote_id for seat in row.approvers):
            title = f"Approver of the mandate “{mandate_title(row, actor.business.locale)}”"
            yield LeftBehind("mandate", row.id, title, (replaced_by("approver"), labels.REMOVE))


def _operators(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    seat = [{"employee_id": employee.remote_id}]
    for row in visible_fund_accounts(actor).filter(operators__contains=seat).order_by("fund_name", "remote_id"):
        yield LeftBehind(
            "operator", row.remote_id, f"Operator of {row.fund_name}", (replaced_by("member"), labels.REMOVE)
        )


def _policies(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    names = dict(visible_wallets(actor).values_list("remote_id", "name"))
    for row in visible_policies(actor).filter(employee_id=employee.remote_id, status__in=OPEN_POLICY).order_by("pk"):
        wallet = names.get(row.wallet_id) or "a wallet"
        yield LeftBehind("wallet_policy", row.remote_id, f"Access to {wallet}", (REVOKE,))


def _proposals(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    rows = visible_proposals(actor).filter(state="WAITING", proposed_by__employee_id=employee.remote_id)
    for row in rows.order_by("pk"):
        yield LeftBehind("proposal", str(row.pk), f"Proposed {row.noun}: {row.headline}"[:300], (DECLINE,))
    confirmed = visible_proposals(actor).filter(state="CONFIRMED", decided_by__employee_id=employee.remote_id)
    for row in confirmed.order_by("pk"):
        # It is applied as whoever confirmed it, who may not any more by its day.
        title = f"Confirmed {row.noun}: {row.headline}"
        yield LeftBehind("proposal", str(row.pk), title[:300], (CONFIRM_AGAIN,))


def _subscriptions(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    rows = visible_subscriptions(actor).filter(employee_id=employee.remote_id, status__in=("ACTIVE", "PAUSED"))
    for row in rows.order_by("sort_name", "pk"):
        choices = (ASSIGN, PAUSE) if row.status == "ACTIVE" else (ASSIGN,)
        yield LeftBehind("subscription", row.remote_id, f"{row.name} · {row.amount_text}", choices)


def schedules_of(actor: Actor, employee: Employee) -> list[BillSchedule]:
    """The recurring bills that an employee has added and that go on or are paused, read live; [] of a service that has none.

    Raises the FinanceError tree.
    """

    def fetch(number: int, size: int) -> Page:
        query: dict[str, str | int] = {"page": number, "limit": size}
        return read_page(read_live(actor, operations_payables.LIST_BILL_SCHEDULES, query=query, deadline=READ_S).data)

    try:
        rows = typed(every_row(fetch, max_pages=MOST_PAGES, size=PAGE_SIZE), BillSchedule)
    except NotFound:
        return []
    return [row for row in rows if row.created_by == employee.remote_id and row.status in OPEN_SCHEDULES]


def _schedules(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    for row in schedules_of(actor, employee):
        amount = text(row.total_minor, row.currency, actor.business.locale)
        title = f"{row.vendor_name or row.number_prefix} · {amount}, {row.interval.lower()}"
        choices = (KEEP_ENTERING, PAUSE_BILL, END_BILL) if row.status == "ACTIVE" else (KEEP_PAUSED, END_BILL)
        yield LeftBehind("bill_schedule", row.id, title[:300], choices)


def _top_ups(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    """Those for the leaver, which would begin again once they are activated; and those for others that run as the leaver."""
    rows = visible_top_ups(actor).exclude(state=TopUpState.ENDED)
    for row in rows.filter(employee_id=employee.remote_id):
        yield LeftBehind("top_up", str(row.pk), f"Their own, {top_up_text(row)}"[:300], (END_TOP_UP,))
    for row in rows.filter(by__employee_id=employee.remote_id).exclude(employee_id=employee.remote_id):
        yield LeftBehind(
            "top_up", str(row.pk), f"{row.employee_name}, {top_up_text(row)}"[:300], (TAKE_OVER, END_TOP_UP)
        )


def _cards(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    rows = visible_cards(actor).filter(employee_id=employee.remote_id).exclude(status__in=ENDED_CARDS)
    for row in rows.order_by("created_at", "pk"):
        title = f"{row.name or 'Card'}{f' •••• {row.last_four}' if row.last_four else ''}"
        choices = (CLOSE, labels.BLOCK) if row.status == "ACTIVE" else (CLOSE,)
        yield LeftBehind("card", row.remote_id, title, choices)


def funds_of(actor: Actor, employee: Employee) -> dict[str, int]:
    """What an employee can spend now, in minor units by currency, where it is anything; read live.

    Raises the FinanceError tree.
    """
    query: dict[str, str | int] = {"employee_id": employee.remote_id, "limit": 100}
    answer = read_live(actor, operations.LIST_EMPLOYEE_BALANCES, query=query, subject=employee, deadline=READ_S)
    rows = typed(read_page(answer.data).rows, EmployeeBalances)
    wallets = next((row.wallets for row in rows if row.id == employee.remote_id), [])
    amounts = {row.currency: to_minor(row.balances.available or 0, row.currency) for row in wallets}
    return {currency: minor for currency, minor in sorted(amounts.items()) if minor > 0}


def _funds(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    for currency, minor in funds_of(actor, employee).items():
        wallets = visible_wallets(actor).filter(status="ACTIVE", currency=currency).order_by("name", "remote_id")
        choices = tuple(returned_to(row.org_wallet_ref, row.name or row.org_wallet_ref) for row in wallets)
        title = f"{text(minor, currency, actor.business.locale)} allocated"
        yield LeftBehind("funds", currency, title, choices)


def _requests(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    """What they asked for and others decide on: it goes on without them, as long as somebody is there to decide."""
    own = employee.remote_id
    counts = (
        ("expense", "expense", visible_expenses(actor).filter(employee_id=own, status__in=OPEN_EXPENSES)),
        ("approval", "payment request", visible_approvals(actor).filter(requested_by_id=own, status="PENDING")),
        ("request", "request", visible_requests(actor).filter(requested_by_id=own, status__in=WAITING, voted=False)),
    )
    for kind, noun, rows in counts:
        if count := rows.count():
            title = f"{count} open {noun}{'s' * (count != 1)}"
            yield LeftBehind(kind, kind, title, (KEEP_DECIDING,))
