"""How a customer is shown on its own page, and the lines of a file that cannot be added."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.lists.states import state_in
from dashboard.mirror.models import Customer
from dashboard.pages.customers import tables
from dashboard.pages.customers.forms import CustomerForm, ImportRow
from dashboard.times import as_of
from dashboard.web.submission import new_key

MAX_LINES = 200


class CustomerContext(TypedDict):
    """What customers/item.html reads; `delete` and `restore` are None where its state has no such action, and there is a
    form where the actor may change it."""

    customer: Customer
    state: tuple[str, str]
    kind: str
    address: str
    seen: str
    delete: Verdict | None
    restore: Verdict | None
    key: str
    form: NotRequired[CustomerForm]


class WrongLinesContext(TypedDict):
    """What customers/import.html reads of checked lines: the first that are wrong, how many are, how many more of them
    there are than `lines`, and how many lines there are in all."""

    lines: Sequence[ImportRow]
    wrong: int
    more: int
    count: int


def customer_context(actor: Actor, customer: Customer) -> CustomerContext:
    """A customer, and what the actor may do with it."""
    context: CustomerContext = {
        "customer": customer,
        "state": state_in(tables.STATES, customer.status),
        "kind": tables.KINDS.get(customer.kind, customer.kind),
        "address": str(customer.payload.get("address") or ""),
        "seen": as_of(customer.last_seen, actor.business),
        "delete": can(actor, operations.DELETE_CUSTOMER, customer) if customer.status == "ACTIVE" else None,
        "restore": can(actor, operations.REACTIVATE_CUSTOMER, customer) if customer.status == "DELETED" else None,
        "key": new_key(),
    }
    is_editable = customer.kind != "walkIn" and customer.status == "ACTIVE"
    if is_editable and can(actor, operations.UPDATE_CUSTOMER, customer):
        context["form"] = CustomerForm(initial=CustomerForm.initial_of(customer), locale=actor.business.locale)
    return context


def wrong_lines_context(lines: Sequence[ImportRow]) -> WrongLinesContext:
    """What is wrong with checked lines."""
    wrong = [line for line in lines if line.problems]
    return {"lines": wrong[:MAX_LINES], "wrong": len(wrong), "more": len(wrong[MAX_LINES:]), "count": len(lines)}
