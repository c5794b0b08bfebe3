"""How a subscription is lines: its page with what was charged for it, proposals with their evidence, what needs attention."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, TypedDict

from django import forms
from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.operation import Operation
from dashboard.forecast.repeats import frequency_of
from dashboard.lists.detail_page import Facts
from dashboard.lists.states import state_in
from dashboard.mirror.models import Subscription
from dashboard.mirror.scopes import visible_employees, visible_teams
from dashboard.money import Money, text
from dashboard.pages.subscriptions import tables
from dashboard.pages.subscriptions.forms import (
    LimitsForm,
    OwnerForm,
    SubscriptionSubcategoryForm,
    SubscriptionTeamForm,
    subscription_initial,
)
from dashboard.pages.subscriptions.selectors import Attention, Charges, choices_of
from dashboard.pages.subscriptions.services import identity_of
from dashboard.pages.subscriptions.tables import next_charge
from dashboard.renewals.models import RenewalTerms
from dashboard.renewals.selectors import cancellation_of, terms_of
from dashboard.schemas.expenses import Expense
from dashboard.schemas.subscriptions import SubscriptionProposal
from dashboard.times import as_of, day, local, today_of
from dashboard.web.submission import new_key

# A part of a subscription that is changed: the name of its address, its heading, and the operation.
PARTS: dict[str, tuple[str, Operation]] = {
    "owner": ("Owner and card", operations.ASSIGN_SUBSCRIPTION),
    "team": ("Team", operations.SET_SUBSCRIPTION_TEAM),
    "limits": ("Limit and billing", operations.SET_SUBSCRIPTION_LIMITS),
    "category": ("Category", operations.SET_SUBSCRIPTION_SUBCATEGORY),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A form that changes a part of a subscription, and where it is sent."""

    name: str
    title: str
    action: str
    form: forms.Form


@dataclass(frozen=True, slots=True)
class Charge:
    """A charge as it is printed; `before` is the amount of the one before it, where that was another, and `is_late`
    whether it came after the last charge that a cancellation expected."""

    day: str
    ref: str
    amount: str
    before: str
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class Month:
    """What was charged in a month; `share` of the largest, in percent."""

    title: str
    amount: str
    count: int
    share: int


class SubscriptionContext(TypedDict):
    """What subscriptions/item.html reads; `charges` is a page of them, `older` the cursor of the next one, "" at the end,
    `charge_count` how many there are, None where that is not known."""

    row: Subscription
    state: tuple[str, str]
    facts: Facts
    charges: list[Charge]
    charge_count: int | None
    older: str
    is_newest: bool
    months: list[Month]
    total: str
    problem: str
    parts: list[Part]
    renewal: Facts
    cancellation: str
    may_set_terms: bool
    may_set_status: bool
    seen: str
    key: str


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """A proposal as it is printed; `name` identifies it in the form, `evidence` is what it was seen by, in words."""

    name: str
    title: str
    vendor: str
    amount: str
    billing: str
    confidence: str
    evidence: str


def facts_of(actor: Actor, subscription: Subscription) -> Facts:
    """The label and the text of what is known of a subscription; its holder where the actor may see that person."""
    holder = visible_employees(actor).filter(remote_id=subscription.employee_id).values_list("name", flat=True).first()
    team = visible_teams(actor).filter(remote_id=subscription.team_id).values_list("name", flat=True).first()
    return [
        ("Vendor", subscription.vendor),
        ("Billing", frequency_of(subscription.billing_frequency)),
        ("Last charge", day(subscription.last_charge_at, actor.business)),
        ("Next charge", next_charge(subscription.next_charge_at, actor)),
        ("Limit per period", subscription.limit_text or "No limit"),
        ("Owner", holder or ""),
        ("Team", team or ""),
    ]


def item_context(
    actor: Actor,
    row: Subscription,
    charges: Charges,
    refused: dict[str, forms.Form] | None = None,
    *,
    is_newest: bool = True,
) -> SubscriptionContext:
    """One subscription; `refused` are its forms, by part, that were sent and not accepted."""
    spent, locale = charges.spent, actor.business.locale
    live = cancellation_of(actor.business, row.remote_id)
    return {
        "row": row,
        "state": state_in(tables.STATES, row.status),
        "facts": [(label, value) for label, value in facts_of(actor, row) if value],
        "charges": charge_lines(charges.expenses, actor, live.charges_until if live else None, charges.before),
        "charge_count": charges.total,
        "older": charges.older,
        "is_newest": is_newest,
        "months": _months(charges, locale),
        "total": text(spent.total_minor, spent.currency, locale) if spent and spent.count else "",
        "problem": charges.problem,
        "parts": parts_of(actor, row, refused or {}),
        "renewal": renewal_facts(terms_of(actor.business, row.remote_id), actor),
        "cancellation": live.get_state_display() if live else "",
        "may_set_terms": bool(can(actor, operations.SET_SUBSCRIPTION_LIMITS, row)),
        "may_set_status": bool(can(actor, operations.SET_SUBSCRIPTION_STATUS, row)),
        "seen": as_of(row.last_seen, actor.business),
        "key": new_key(),
    }


def renewal_facts(terms: RenewalTerms | None, actor: Actor) -> Facts:
    """The label and the text of what is known of its renewal; empty where nobody has set its terms."""
    if terms is None:
        return []
    left = (terms.act_by - today_of(actor.business)).days if terms.act_by else 0
    when = "today" if left == 0 else f"in {left} day{'s' * (left != 1)}"
    contract = terms.renews_on is not None
    return [
        ("Last day to cancel", f"{_day(terms.act_by)} ({when})" if terms.act_by else "None known"),
        ("Renews", _day(terms.renewal_on) if terms.renewal_on else ""),
        ("Notice period", f"{terms.notice_days} day{'s' * (terms.notice_days != 1)}"),
        ("Contract", f"From {_day(terms.renews_on)} every {terms.term_months} months" if contract and terms.renews_on else ""),
        ("Reminder", f"{terms.remind_days} day{'s' * (terms.remind_days != 1)} before"),
    ]  # fmt: skip


def _day(value: date) -> str:
    return f"{value.day} {value:%b %Y}"


def parts_of(actor: Actor, row: Subscription, refused: dict[str, forms.Form]) -> list[Part]:
    """The forms that the actor may send, each with what is there now or what was refused."""
    allowed = [name for name, (_, operation) in PARTS.items() if can(actor, operation, row)]
    if not allowed:
        return []
    blank = {name: form_of(name, actor, row, choices_of(actor)) for name in allowed}
    slug = actor.business.slug
    return [
        Part(
            name, PARTS[name][0], reverse("subscriptions_change", args=[slug, row.remote_id, name]),
            refused.get(name, blank[name]),
        )
        for name in allowed
    ]  # fmt: skip


def form_of(name: str, actor: Actor, row: Subscription, choices: Any, data: Any = None) -> forms.Form:
    """The form of a part, filled with what is there now where nothing was sent."""
    initial = subscription_initial(row)
    if name == "limits":
        return LimitsForm(data, initial=initial, locale=actor.business.locale, prefix=name)
    kinds: dict[str, type[OwnerForm | SubscriptionTeamForm | SubscriptionSubcategoryForm]] = {
        "owner": OwnerForm, "team": SubscriptionTeamForm, "category": SubscriptionSubcategoryForm
    }  # fmt: skip
    return kinds[name](data, initial=initial, choices=choices, prefix=name)


def charge_lines(
    expenses: Sequence[Expense], actor: Actor, until: date | None = None, before: Expense | None = None
) -> list[Charge]:
    """The charges, newest first, each marked where the one before it had another amount in the same currency, and where
    it came after `until`, the last day on which one was expected. `before` is the one before the oldest of them."""
    locale, lines = actor.business.locale, []
    charges_before = [*expenses[1:], before]
    for expense, charge_before in zip(expenses, charges_before, strict=True) if expenses else ():
        earlier = charge_before.money if charge_before else None
        changed = earlier is not None and earlier.currency == expense.currency and earlier != expense.money
        lines.append(
            Charge(
                day(expense.transaction_date, actor.business),
                expense.transaction_ref,
                expense.money.text(locale),
                earlier.text(locale) if changed and earlier else "",
                until is not None and local(expense.transaction_date, actor.business).date() > until,
            )
        )
    return lines


def _months(charges: Charges, locale: str) -> list[Month]:
    spent = charges.spent
    if spent is None or not spent.count:
        return []
    largest = max(period.amount_minor for period in spent.periods) or 1
    return [
        Month(
            f"{period.start:%b %Y}",
            Money(period.amount_minor, spent.currency).text(locale),
            period.count,
            max(0, period.amount_minor) * 100 // largest,
        )
        for period in reversed(spent.periods)
    ]


def proposal_rows(proposals: Iterable[SubscriptionProposal], actor: Actor) -> list[ProposalRow]:
    """The proposals, the surest first."""
    locale = actor.business.locale
    return [
        ProposalRow(
            name=identity_of(row),
            title=row.name,
            vendor=row.vendor,
            amount=text(row.amount_minor, row.currency, locale),
            billing=frequency_of(row.billing_frequency),
            confidence=_percent(row.confidence),
            evidence=_evidence(row, actor),
        )
        for row in sorted(proposals, key=lambda row: (-row.confidence, row.name.casefold()))
    ]


def _evidence(row: SubscriptionProposal, actor: Actor) -> str:
    seen = row.evidence
    first, last = (day(moment, actor.business) for moment in (seen.first_at, seen.last_at))
    apart = f"{seen.interval_days.quantize(Decimal(1))} days apart, give or take {_percent(seen.interval_deviation)}"
    varied = (
        f"amounts within {_percent(seen.amount_deviation)}" if seen.amount_deviation else "the same amount each time"
    )
    return f"{seen.charges} charges from {first} to {last}, {apart}; {varied}"


def _percent(share: Decimal) -> str:
    return f"{(share * 100).quantize(Decimal(1))}\xa0%"


def attention_rows(rows: Iterable[Attention], actor: Actor) -> list[tuple[Subscription, str, str]]:
    """Each with its reasons in one sentence, and the day of its next charge."""
    return [
        (attention.row, "; ".join(attention.reasons), next_charge(attention.row.next_charge_at, actor))
        for attention in rows
    ]
