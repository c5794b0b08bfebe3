"""How a customer is shown on its own page, and the lines of a file that cannot be added."""

from collections.abc import Sequence
from typing import Any

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.lists.states import state_in
from dashboard.mirror.models import Customer
from dashboard.pages.customers.forms import CustomerForm, Line
from dashboard.pages.customers.tables import KINDS, STATES
from dashboard.times import as_of
from dashboard.web.submission import new_key

MAX_LINES = 200


def customer_context(actor: Actor, customer: Customer) -> dict[str, Any]:
    """What customers/item.html needs: customer, state, kind, address, seen, key; delete and restore with their verdict,
    None where its state has no such action; and form where the actor may change it."""
    context: dict[str, Any] = {
        "customer": customer,
        "state": state_in(STATES, customer.status),
        "kind": KINDS.get(customer.kind, customer.kind),
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


def wrong_lines_context(lines: Sequence[Line]) -> dict[str, Any]:
    """What customers/import.html needs of checked lines: the first that are wrong as lines; how many are wrong, how many
    more of them there are than those, and count of all."""
    wrong = [line for line in lines if line.problems]
    return {"lines": wrong[:MAX_LINES], "wrong": len(wrong), "more": len(wrong[MAX_LINES:]), "count": len(lines)}
