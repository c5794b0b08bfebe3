"""What the home page shows of the wallets, live, and of the newest expenses, from the copy."""

from typing import Any

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.scopes import visible_expenses, visible_wallets
from dashboard.client.fan_out import Ok, fan_out
from dashboard.client.money import text, to_minor
from dashboard.mirror.models import Wallet
from dashboard.pages.home.cash import Cash
from dashboard.web.item import EXPENSE_STATES
from dashboard.web.times import as_of, day

MOST_WALLETS = 12
RECENT = 6


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
