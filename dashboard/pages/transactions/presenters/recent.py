"""How the newest transactions are shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.lists.states import state_in
from dashboard.money import text
from dashboard.pages.transactions import tables
from dashboard.pages.transactions.tables import type_of
from dashboard.schemas.transactions import TransactionRow
from dashboard.times import day_and_time


@dataclass(frozen=True, slots=True)
class RecentRow:
    """A transaction as the page prints it; `label` is what a choice says of it."""

    id: str
    title: str
    kind: str
    when: str
    amount: str
    state: tuple[str, str]
    documents: int
    href: str

    @property
    def label(self) -> str:
        """The transaction in one line, for a choice: title, amount and moment."""
        return f"{self.title} · {self.amount} · {self.when}"


def recent_rows(actor: Actor, rows: Sequence[TransactionRow]) -> list[RecentRow]:
    """The rows in the order of the service, the newest first."""
    return [
        RecentRow(
            row.id,
            row.counterparty or type_of(row.type),
            type_of(row.type),
            day_and_time(row.transaction_date, actor.business) if row.transaction_date else "",
            text(
                -row.amount_minor if row.direction == "OUT" else row.amount_minor, row.currency, actor.business.locale
            ),
            state_in(tables.STATES, row.status),
            len(row.documents),
            reverse("transactions_item", args=[actor.business.slug, row.id]),
        )
        for row in rows
    ]
