"""The list of payouts, the newest first."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from dashboard import operations, times
from dashboard.access.actor import Actor
from dashboard.lists.columns import Column, List
from dashboard.lists.expressions import exported_amount, exported_day, exported_field, label
from dashboard.lists.filters import ChoiceFilter, CurrencyFilter, DayFilter
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.mirror.scopes import visible_payouts

PAYOUT_STATES = {
    "DRAFT": ("Draft", ""),
    "PENDING_APPROVAL": ("Awaiting approval", "info"),
    "AWAITING_CODE": ("Awaiting code", "warn"),
    "APPROVED": ("Approved", "info"),
    "ON_HOLD": ("On hold", "warn"),
    "PROCESSING": ("Being paid", "info"),
    "COMPLETED": ("Paid", "ok"),
    "PARTIALLY_COMPLETED": ("Partly paid", "warn"),
    "FAILED": ("Failed", "bad"),
    "REJECTED": ("Rejected", "bad"),
    "CANCELLED": ("Cancelled", ""),
}
# On its way: neither a draft nor over.
OPEN = "OPEN"
OPEN_STATES = ("PENDING_APPROVAL", "AWAITING_CODE", "APPROVED", "ON_HOLD", "PROCESSING")
KINDS = {"BULK_PAYOUT": "Batch", "BANK_TRANSFER": "Single payment"}


@dataclass(frozen=True)
class StandingFilter(ChoiceFilter):
    """How a payout stands: by its status, or that it is on its way."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The payouts in the state that was chosen, of those in `rows`."""
        return rows.filter(status__in=OPEN_STATES) if value == OPEN else rows.filter(status=value)


def kind_text(code: str) -> str:
    """What a kind of payout is called; its code where that is not known."""
    return KINDS.get(code, code)


PAYOUTS = register(
    List(
        name="payouts",
        title="Payouts",
        noun=("payout", "payouts"),
        icon="send",
        opens=operations.LIST_PAYOUTS,
        rows=visible_payouts,
        address="payouts",
        item_address="payouts_item",
        sort="-created",
        money=("currency", "amount_minor"),
        search="search",
        search_hint="Name, number or amount",
        empty="Payouts appear here as soon as somebody makes one.",
        filters=(
            StandingFilter("status", "Status", "status", of=((OPEN, "Not finished"), *words(PAYOUT_STATES).items())),
            DayFilter("since", "Start date", "requested_at", covered=True),
            DayFilter("until", "End date", "requested_at", until=True, covered=True),
            ChoiceFilter("kind", "Kind", "payout_kind", of=tuple(KINDS.items())),
            CurrencyFilter("currency", "Currency", "currency"),
        ),
        columns=(
            Column("name", "Name", "title", exported=exported_field("title"), always=True),
            Column("number", "Number", "ref", "figure", exported=exported_field("ref"), less=True),
            Column("payments", "Payments", "payee", exported=exported_field("payee"), less=True),
            Column(
                "created", "Created", "requested_at", "figure", exported=exported_day("requested_at"), sort="requested_at",
                render=lambda row, actor: times.day(row["requested_at"], actor.business),
            ),
            Column("state", "Status", "status", "state", states=PAYOUT_STATES, exported=label("status", words(PAYOUT_STATES))),
            Column(
                "amount", "Amount", "amount_text", "amount", exported=exported_amount("amount_minor", "currency"),
                sort="amount_minor", sorted_as=int, always=True,
            ),
        ),
        file_only=(
            Column("id", "Id", "remote_id"),
            Column("wallet", "Wallet", "org_wallet_ref"),
            Column("currency", "Currency", "currency"),
        ),
    )
)  # fmt: skip
