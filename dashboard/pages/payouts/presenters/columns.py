"""The columns that are remembered of a business's files of payments, as lines of the page of a new payout."""

from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.pages.payouts.services.lines import FIELDS
from dashboard.payout_files.models import FileColumns
from dashboard.payout_files.services import all_remembered
from dashboard.times import day


@dataclass(frozen=True, slots=True)
class ColumnsLine:
    """How one header is read: "receiver = Payee name, amount = Net"; `is_used` where the table that is shown was read so."""

    id: int
    text: str
    since: str
    is_used: bool


def column_lines(actor: Actor, used: FileColumns | None) -> list[ColumnsLine]:
    """Every header that is remembered, the latest first."""
    return [
        ColumnsLine(row.pk, _text(row), day(row.updated_at, actor.business), used is not None and row.pk == used.pk)
        for row in all_remembered(actor.business)
    ]


def _text(row: FileColumns) -> str:
    return ", ".join(f"{name} = {row.names[name] or 'no name'}" for name in FIELDS if name in row.names)
