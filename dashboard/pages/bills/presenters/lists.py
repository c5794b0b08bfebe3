"""How the list of bills is shown: its parts, and what is owed by how long it is overdue."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict
from urllib.parse import urlencode

from dashboard.access.actor import Actor
from dashboard.lists.detail_page import Facts
from dashboard.lists.filters import ANY
from dashboard.mirror.schedule import today
from dashboard.money import text
from dashboard.pages.bills.presenters.credit_notes import unapplied_facts
from dashboard.pages.bills.selectors.bills import Owed, aging
from dashboard.pages.bills.tables.bills import AGES, BILLS, OVERDUE, SOON, TO_PAY
from dashboard.times import day_text
from dashboard.web.addresses import address_of
from dashboard.web.charts import Chart, parts_chart
from dashboard.web.freshness import Freshness, freshness_of

PARTS = (
    (TO_PAY, "To pay"),
    (OVERDUE, "Overdue"),
    (SOON, "Due soon"),
    ("DRAFT", "Drafts"),
    ("PAID", "Paid"),
    (ANY, "All"),
)


@dataclass(frozen=True, slots=True)
class BillsTab:
    """A part of the list as a link: its title, its address, and whether it is the one that is shown."""

    title: str
    href: str
    here: bool


@dataclass(frozen=True, slots=True)
class AgingCell:
    """What is owed of a currency and an age: its head, the amount, how many bills, and the list of exactly those ("" for
    none)."""

    title: str
    amount: str
    count: int
    href: str


@dataclass(frozen=True, slots=True)
class AgingRow:
    """A currency with its ages in order, all of them together, and the ages as a chart where anything is owed."""

    currency: str
    cells: list[AgingCell]
    total: AgingCell
    chart: Chart | None


class AgingContext(TypedDict):
    """What bills/aging.html reads; `day` is the day of the business that the ages are counted on, `unapplied` what of credit
    notes no bill has taken yet."""

    parts: list[BillsTab]
    ages: list[str]
    rows: list[AgingRow]
    unapplied: Facts
    credits_known: bool
    day: str
    fresh: Freshness | None


def bills_tabs(actor: Actor, standing: str) -> list[BillsTab]:
    """The parts of the list; `standing` is the value of its filter "show", "" for none of them."""
    slug = actor.business.slug
    return [BillsTab(title, _address(slug, show=name), name == standing) for name, title in PARTS]


def _address(slug: str, **query: str) -> str:
    usual = {filter_.name: filter_.usual for filter_ in BILLS.filters}
    filtered = {name: value for name, value in query.items() if value != usual.get(name)} or {"view": "all"}
    return f"{address_of('bills', slug)}?{urlencode(filtered)}"


def aging_context(actor: Actor, unapplied: dict[str, int] | None) -> AgingContext:
    """What is owed by currency and by how long it is overdue, each with the list of exactly those bills; `unapplied` is what
    of credit notes no bill has taken yet, None where that is not known."""
    return {
        "parts": bills_tabs(actor, ""),
        "ages": [age.title for age in AGES],
        "rows": [_aging_row(actor, currency, ages) for currency, ages in aging(actor).items()],
        "unapplied": unapplied_facts(actor, unapplied or {}),
        "credits_known": unapplied is not None,
        "day": day_text(today(actor.business)),
        "fresh": freshness_of(actor.business),
    }


def _aging_row(actor: Actor, currency: str, ages: Mapping[str, Owed]) -> AgingRow:
    def cell(show: str, title: str, owed: Sequence[Owed]) -> AgingCell:
        count, minor = sum(part.count for part in owed), sum(part.balance_minor for part in owed)
        href = _address(actor.business.slug, show=show, currency=currency) if count else ""
        return AgingCell(title, text(minor, currency, actor.business.locale), count, href)

    cells = [cell(age.name, age.title, [ages[age.name]] if age.name in ages else []) for age in AGES]
    bars = [(age.title, ages[age.name].balance_minor if age.name in ages else 0) for age in AGES]
    chart = parts_chart("To be paid", bars, currency, actor.business.locale, kind="bar")
    return AgingRow(currency, cells, cell(TO_PAY, "Total", list(ages.values())), chart)
