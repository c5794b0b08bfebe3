"""What the widgets of the home page show, each by itself."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.scopes import visible_approvals, visible_expenses, visible_wallets
from dashboard.client.fan_out import Ok, fan_out
from dashboard.client.money import text, to_minor
from dashboard.decisions.models import Alert, Decision, State
from dashboard.delegation.shown import dead_end_sentences
from dashboard.mirror.models import Drift, Wallet
from dashboard.pages.home.cash import Cash
from dashboard.web.freshness import freshness_of
from dashboard.web.item import EXPENSE_STATES
from dashboard.web.person import membership_of
from dashboard.web.times import as_of, day

MOST_WALLETS = 12
RECENT = 6


@dataclass(frozen=True)
class Trouble:
    """Something that needs a look: a sentence, where to look, and whether it is a bad one."""

    sentence: str
    urlname: str
    bad: bool


def cash_of(actor: Actor) -> list[Cash]:
    """Every wallet's balance, asked live and at once; the copy, labelled, for one that does not answer in time."""
    wallets = list(visible_wallets(actor).order_by("currency", "name")[:MOST_WALLETS])
    calls = {each.remote_id: {"path": {"id": each.remote_id}, "subject": each} for each in wallets}
    results = fan_out(actor, operations.READ_ACCOUNT_BALANCE, calls)
    return [_cash(actor, each, results.get(each.remote_id)) for each in wallets]


def _cash(actor: Actor, wallet: Wallet, result: Any) -> Cash:
    locale, name = actor.business.locale, wallet.name or wallet.org_wallet_ref
    if isinstance(result, Ok) and (available := _available(result.answer.data, wallet.currency)) is not None:
        shown = text(available, wallet.currency, locale)
        return Cash(name, wallet.currency, shown, as_of(result.as_of, actor.business), live=True, minor=available)
    copy = wallet.available_minor
    shown = "not known" if copy is None else text(copy, wallet.currency, locale)
    return Cash(name, wallet.currency, shown, as_of(wallet.last_seen, actor.business), live=False, minor=copy)


def _available(data: Any, currency: str) -> int | None:
    found = data.get("balances", data) if isinstance(data, dict) else {}
    exact = found.get("available_minor")
    if isinstance(exact, int):
        return exact
    return None if found.get("available") is None else to_minor(found["available"], currency)


def troubles_of(actor: Actor) -> list[Trouble]:
    """What needs attention: decisions nobody can tell yet, payments that failed, a copy that is behind or drifts."""
    found = [
        Trouble(alert.sentence, "decisions", bad=True)
        for alert in Alert.objects.filter(
            business=actor.business, membership_id=membership_of(actor), closed_at__isnull=True
        )[:5]
    ]
    unknown = Decision.objects.filter(membership_id=membership_of(actor), state=State.UNKNOWN).count()
    if unknown:
        found.append(
            Trouble(f"{unknown} of your decisions got no answer yet; we are finding out.", "decisions", bad=True)
        )
    fresh = freshness_of(actor.business)
    if fresh.trouble:
        found.append(Trouble(fresh.trouble, "expenses", bad=True))
    elif fresh.tone:
        found.append(Trouble(f"The copy of the expenses is {fresh.text}.", "expenses", bad=fresh.tone == "red"))
    drifts = Drift.objects.filter(business=actor.business, closed_at__isnull=True).count()
    if drifts and can_open(actor, operations.LIST_APPROVALS):
        found.append(Trouble(f"{drifts} days on which our copy and the service differ.", "expenses", bad=False))
    soon = timezone.now() + timedelta(days=1)
    due = visible_approvals(actor).filter(status="PENDING", due_at__lte=soon).count()
    if due:
        found.append(Trouble(f"{due} payment requests reach their cut-off within a day.", "approvals", bad=False))
    found += [Trouble(sentence, urlname, bad=True) for sentence, urlname in dead_end_sentences(actor)]
    return found


def recent_of(actor: Actor) -> list[dict[str, str]]:
    """The newest expenses that one may see."""
    columns = ("remote_id", "merchant", "employee_name", "transaction_date", "status", "amount_text")
    rows = visible_expenses(actor).order_by("-transaction_date", "-id").values_list(*columns)[:RECENT]
    return [
        {
            "id": remote_id,
            "title": merchant or "Expense",
            "who": who,
            "date": day(when, actor.business),
            "state": EXPENSE_STATES.get(status, (status.capitalize(), ""))[0],
            "tone": EXPENSE_STATES.get(status, ("", ""))[1],
            "amount": amount,
        }
        for remote_id, merchant, who, when, status, amount in rows
    ]


def asked_of(actor: Actor) -> int:
    """How many of one's own expenses somebody wants to know more about."""
    own = visible_expenses(actor).filter(employee_id=actor.employee_id, status="DETAILS_REQUESTED")
    return own.count() if actor.employee_id else 0
