"""The lists of what is asked for about cards: orders of physical ones, requests for single-use ones."""

from typing import Any

from django.db.models import QuerySet

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.decisions.desk_items import REQUEST_STATES
from dashboard.lists.columns import Column, List
from dashboard.lists.expressions import exported_amount, exported_field, label, minute
from dashboard.lists.filters import ANY, ChoiceFilter, Holds
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.mirror.models import ApprovalRequest
from dashboard.mirror.scopes import visible_requests
from dashboard.pages.cards.presenters.queues import queue_row


def _rows(kind: str) -> Any:
    def rows(actor: Actor) -> QuerySet[ApprovalRequest]:
        return visible_requests(actor).filter(kind=kind)

    return rows


def _queue(name: str, title: str, noun: tuple[str, str], kind: str, opens: Operation, states: tuple[str, ...]) -> List:
    return register(
        List(
            name=f"card_{name}",
            title=title,
            noun=noun,
            icon="credit-card",
            opens=opens,
            rows=_rows(kind),
            line=queue_row,
            has_box=lambda row: row.waits,
            address=f"cards_{name}",
            sort="-asked",
            money=("currency", "amount_minor") if kind == "card_request" else None,
            empty="Requests appear here until somebody else decides.",
            filters=(
                ChoiceFilter(
                    "status", "Status", "status", usual=states[0],
                    of=(*((state, REQUEST_STATES.get(state, (state.capitalize(), ""))[0]) for state in states), (ANY, "Any status")),
                ),
                Holds("holder", "Cardholder", "holder_name"),
            ),
            columns=(
                Column("what", "Description", "title", exported=exported_field("title"), always=True),
                Column("holder", "Cardholder", "holder_name", exported=exported_field("holder_name"), always=True),
                Column("state", "Status", "status", exported=label("status", words(REQUEST_STATES)), always=True),
                Column(
                    "amount", "Amount", "amount_minor", exported=exported_amount("amount_minor", "currency"), always=True,
                ),
                Column(
                    "asked", "Requested", "requested_at", exported=minute("requested_at"), sort="requested_at", always=True
                ),
            ),
            file_only=(Column("id", "Id", "remote_id"), Column("currency", "Currency", "currency")),
        )
    )  # fmt: skip


ORDERS = _queue(
    "orders", "Physical card orders", ("order", "orders"), "card_order", operations.LIST_CARD_ORDERS,
    ("REQUESTED", "ORDERED", "SHIPPED", "DELIVERED", "REJECTED", "CANCELLED"),
)  # fmt: skip
REQUESTS = _queue(
    "requests", "Single-use card requests", ("request", "requests"), "card_request", operations_extra.LIST_CARD_REQUESTS,
    ("PENDING", "APPROVED", "REJECTED", "CANCELLED", "EXPIRED"),
)  # fmt: skip
