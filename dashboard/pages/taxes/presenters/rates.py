"""How the rates of withholding taxes are shown: by the days that they hold."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypedDict

from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.lists.states import state_in
from dashboard.money import text, to_minor
from dashboard.pages.taxes.forms import BASES
from dashboard.schemas.taxes import Rate, Tax
from dashboard.times import day_text, local
from dashboard.web.submission import new_key

STATES = {"ACTIVE": ("Active", "ok"), "ARCHIVED": ("Archived", "")}


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a tax between two days, as they are printed."""

    resident: str
    non_resident: str
    base: str
    threshold: str
    final: bool
    days: str
    note: str
    current: bool


@dataclass(frozen=True, slots=True)
class TaxRow:
    """A tax of the list, with the terms of today and, where there are any, the day on which others begin."""

    tax: Tax
    state: tuple[str, str]
    terms: Terms
    changes_on: str


class TaxesContext(TypedDict):
    """What taxes/list.html reads."""

    rows: list[TaxRow]
    may_change: bool
    problem: str


class TaxContext(TypedDict):
    """What taxes/item.html reads beside its forms: all terms, the newest first."""

    tax: Tax
    state: tuple[str, str]
    versions: list[Terms]
    key: str


def percent(bps: int) -> str:
    """Basis points in percent, exact: 500 is "5 %", 1250 "12.5 %"."""
    whole, rest = divmod(bps, 100)
    digits = f".{rest:02d}".rstrip("0") if rest else ""
    return f"{whole}{digits}\xa0%"


def tax_row(actor: Actor, tax: Tax) -> TaxRow:
    """A tax as the list shows it."""
    today = local(timezone.now(), actor.business).date()
    coming = [rate.effective_from for rate in tax.versions if rate.effective_from and rate.effective_from > today]
    return TaxRow(
        tax,
        state_in(STATES, tax.status),
        terms_of(tax, tax.currency, actor.business.locale, current=True),
        day_text(min(coming)) if coming else "",
    )


def terms_of(rate: Rate, currency: str, locale: str, *, current: bool) -> Terms:
    """The terms as they are printed; `currency` is that of the threshold."""
    threshold = to_minor(rate.threshold_amount, currency)
    return Terms(
        resident=percent(rate.resident_rate_bps),
        non_resident=percent(rate.non_resident_rate_bps),
        base=dict(BASES).get(rate.base, rate.base),
        threshold=text(threshold, currency, locale) if threshold else "",
        final=rate.final,
        days=_days(rate),
        note=rate.note,
        current=current,
    )


def taxes_context(actor: Actor, taxes: Iterable[Tax], problem: str) -> TaxesContext:
    """All taxes; `problem` says why the service did not answer."""
    return {
        "rows": [tax_row(actor, tax) for tax in taxes],
        "may_change": bool(can_open(actor, operations.CREATE_TAX)),
        "problem": problem,
    }


def tax_context(actor: Actor, tax: Tax) -> TaxContext:
    """One tax with everything that it was, is, and will be."""
    locale = actor.business.locale
    return {
        "tax": tax,
        "state": state_in(STATES, tax.status),
        "versions": [
            terms_of(rate, tax.currency, locale, current=rate.effective_from == tax.effective_from)
            for rate in tax.versions
        ],
        "key": new_key(),
    }


def _days(rate: Rate) -> str:
    if rate.effective_to:
        return f"{day_text(rate.effective_from)} to {day_text(rate.effective_to)}"
    return f"from {day_text(rate.effective_from)}"
