"""The lines of a bill, and of a recurring one, as rows, with the shares of teams."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.mirror.scopes import visible_teams
from dashboard.money import text, to_minor
from dashboard.pages.bills.selectors.bills import category_names
from dashboard.schemas.bills import BillLine, LineSplit

NO_NAME = "a team that you do not see"


@dataclass(frozen=True, slots=True)
class LineRow:
    """A line of a bill as it is printed; `amount` is without the tax, `shares` are "Fleet 60 %: KES 60.00"."""

    description: str
    category: str
    quantity: str
    price: str
    tax: str
    amount: str
    shares: list[str]


def line_rows(actor: Actor, lines: Sequence[BillLine], currency: str) -> list[LineRow]:
    """The lines of a bill, or of a recurring one, in their order."""
    names = category_names(actor, {line.subcategory_id for line in lines})
    ids = {split.team_id for line in lines for split in line.splits}
    teams = dict(visible_teams(actor).filter(remote_id__in=ids).values_list("remote_id", "name")) if ids else {}
    return [_line_row(actor, line, currency, names, teams) for line in lines]


def _line_row(
    actor: Actor, bill_line: BillLine, currency: str, names: Mapping[str, str], teams: Mapping[str, str]
) -> LineRow:
    locale = actor.business.locale
    return LineRow(
        description=bill_line.description,
        category=names.get(bill_line.subcategory_id, ""),
        quantity=f"{bill_line.qty.normalize():f}",
        price=text(to_minor(bill_line.unit_price, currency), currency, locale),
        tax=f"{bill_line.tax_rate.normalize():f} %" if bill_line.tax_rate else "–",
        amount=text(bill_line.amount_minor, currency, locale),
        shares=[_share_text(split, currency, locale, teams) for split in bill_line.splits],
    )


def _share_text(split: LineSplit, currency: str, locale: str, teams: Mapping[str, str]) -> str:
    percent = f" {split.percent.normalize():f} %" if split.percent is not None else ""
    return f"{teams.get(split.team_id, NO_NAME)}{percent}: {text(split.amount_minor, currency, locale)}"
