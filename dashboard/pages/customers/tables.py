"""The list of customers: active ones unless the address asks for the deleted or for all."""

from dashboard import operations, times
from dashboard.access.actor import Actor
from dashboard.commands.customers import delete_customer, restore_customer
from dashboard.lists.actions import Action
from dashboard.lists.columns import Column, List, Row
from dashboard.lists.expressions import exported_day, exported_field, label
from dashboard.lists.filters import ANY, ChoiceFilter
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.mirror.scopes import visible_customers

STATES = {"ACTIVE": ("Active", "ok"), "DELETED": ("Deleted", "")}
KINDS = {"regular": "Regular", "walkIn": "Walk-in"}


def _kind(row: Row, _: Actor) -> str:
    kind: str = row["kind"]
    return KINDS.get(kind, kind)


CUSTOMERS = register(
    List(
        name="customers",
        title="Customers",
        noun=("customer", "customers"),
        icon="contact",
        opens=operations.LIST_CUSTOMERS,
        rows=visible_customers,
        address="customers",
        item_address="customers_item",
        sort="name",
        search="search",
        search_hint="Name, phone or email",
        empty="Add the first customer, or import a CSV file.",
        filters=(
            ChoiceFilter(
                "status", "Status", "status", usual="ACTIVE",
                of=(("ACTIVE", "Active"), ("DELETED", "Deleted"), (ANY, "Active and deleted")),
            ),
            ChoiceFilter("kind", "Kind", "kind", of=tuple(KINDS.items())),
        ),
        columns=(
            Column("name", "Name", "name", exported=exported_field("name"), sort="sort_name", sorted_as=str, always=True),
            Column("phone", "Phone", "phone", "figure", exported=exported_field("phone")),
            Column("email", "Email", "email", exported=exported_field("email"), less=True),
            Column("person", "Contact", "person", exported=exported_field("person"), less=True, by_default=False),
            Column("pin", "Tax PIN", "tax_pin", "figure", exported=exported_field("tax_pin"), less=True, by_default=False),
            Column(
                "kind", "Kind", "kind", exported=label("kind", KINDS), less=True,
                render=_kind,
            ),
            Column("state", "Status", "status", "state", states=STATES, exported=label("status", words(STATES))),
            Column(
                "added", "Added", "created_at", "figure", exported=exported_day("created_at"), sort="created_at",
                render=lambda row, actor: times.day(row["created_at"], actor.business),
            ),
        ),
        file_only=(Column("id", "Id", "remote_id"),),
        seen=("status", "name", "phone", "email"),
        actions=(
            Action(
                "delete", "Delete", "deleted", operations.DELETE_CUSTOMER, "customer", command=delete_customer,
                states=("ACTIVE",), becomes="DELETED", danger=True, confirm="Their records are kept and can be restored.",
            ),
            Action(
                "restore", "Restore", "restored", operations.REACTIVATE_CUSTOMER, "customer", command=restore_customer,
                states=("DELETED",), becomes="ACTIVE", confirm="They are active again, as they were.",
            ),
        ),
    )
)  # fmt: skip
