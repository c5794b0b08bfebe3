"""How what is ticked over all pages of a desk is told: how many of each side, and what they come to."""

from dataclasses import dataclass

from django.core import signing

from dashboard.access.actor import Actor
from dashboard.mirror.models import Wallet
from dashboard.money import text
from dashboard.pages.reconciliation.forms import MatchForm
from dashboard.pages.reconciliation.selectors.desk import MOST_OF_A_SIDE, MatchSelection
from dashboard.pages.reconciliation.selectors.matches import Sides


@dataclass(frozen=True, slots=True)
class SelectionText:
    """What is ticked over all pages of a desk: how many of each side, what they come to, and by how much the sums differ;
    `is_full` where a side has as many as are matched at once."""

    lines: int
    entries: int
    line_sum: str
    entry_sum: str
    difference: str
    is_full: bool


def selection_text(actor: Actor, selection: MatchSelection, currency: str) -> SelectionText | None:
    """What is ticked, as it is printed; None for nothing."""
    if not selection.lines and not selection.entries:
        return None
    lines, entries = sum(selection.lines.values()), sum(selection.entries.values())

    def written(minor: int) -> str:
        return text(minor, currency, actor.business.locale)

    return SelectionText(
        len(selection.lines),
        len(selection.entries),
        written(lines),
        written(entries),
        written(lines - entries),
        max(len(selection.lines), len(selection.entries)) >= MOST_OF_A_SIDE,
    )


def with_amounts(form: MatchForm, selection: MatchSelection, sides: Sides) -> MatchSelection:
    """The rows that a form has chosen, each with its amount: as it was kept with the selection, or as this page shows it."""
    lines = {line.id: line.amount_minor for line in sides.lines} | selection.lines
    entries = {str(entry.seq): entry.amount_minor for entry in sides.entries} | selection.entries
    return MatchSelection(
        {row: lines[row] for row in form.lines if row in lines},
        {row: entries[row] for row in form.entries if row in entries},
    )


def page_rows_text(wallet: Wallet, sides: Sides) -> str:
    """The rows that a page of the desk shows, with their amounts, signed: so that what is ticked and unticked there can be told
    from what is ticked elsewhere, and summed, without asking the service again."""
    rows = {
        "lines": {line.id: line.amount_minor for line in sides.lines},
        "entries": {str(entry.seq): entry.amount_minor for entry in sides.entries},
    }
    return signing.dumps(rows, salt=page_rows_salt(wallet), compress=True)


def page_rows_salt(wallet: Wallet) -> str:
    """With what the rows of a page are signed: they are of this wallet's desk."""
    return f"reconciliation.page_rows.{wallet.remote_id}"
