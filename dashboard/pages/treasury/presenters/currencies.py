"""The currencies of the business, as their page shows them."""

from datetime import datetime
from typing import TypedDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.errors import FinanceError
from dashboard.money import EXPONENTS
from dashboard.pages.treasury.selectors import read_currencies, wallets_by_currency


class CurrencyLine(TypedDict):
    """A currency with its decimals (None: not known), and how many wallets that are not closed there are of it."""

    code: str
    decimals: int | None
    wallets: int


class CurrenciesContext(TypedDict):
    """What the page shows; `failure` says why there is no list, and `as_of` when it was read."""

    lines: list[CurrencyLine]
    as_of: datetime | None
    failure: str
    may_add: bool
    may_open: bool


def currencies_context(actor: Actor) -> CurrenciesContext:
    """The currencies, live; without an answer of the service, why there are none."""
    context: CurrenciesContext = {
        "lines": [], "as_of": None, "failure": "", "may_add": bool(can_open(actor, operations.CREATE_CURRENCY)),
        "may_open": bool(can_open(actor, operations.CREATE_ACCOUNT)),
    }  # fmt: skip
    try:
        rows, context["as_of"] = read_currencies(actor)
    except FinanceError as failed:
        context["failure"] = failed.user_message
        return context
    wallets = wallets_by_currency(actor)
    context["lines"] = [
        {"code": row.code, "decimals": EXPONENTS.get(row.code, row.exponent), "wallets": wallets.get(row.code, 0)}
        for row in rows
    ]
    return context
