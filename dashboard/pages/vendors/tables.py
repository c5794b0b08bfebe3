"""The list of vendors: active ones unless the address asks for the deleted or for all."""

from dashboard import operations, operations_payables, times
from dashboard.commands.vendor_records import restore_vendor
from dashboard.commands.vendors import delete_vendor
from dashboard.lists.actions import Action
from dashboard.lists.columns import Column, List
from dashboard.lists.expressions import exported_day, exported_field, label, yes_or
from dashboard.lists.filters import ANY, ChoiceFilter, FlagFilter
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.mirror.scopes import visible_vendors

VENDOR_STATES = {"ACTIVE": ("Active", "ok"), "DELETED": ("Deleted", "")}
ACCOUNT_STATES = {
    "ACTIVE": "In use",
    "QUARANTINED": "Awaiting confirmation",
    "REJECTED": "Rejected",
    "REPLACED": "Replaced",
}


VENDORS = register(
    List(
        name="vendors",
        title="Vendors",
        noun=("vendor", "vendors"),
        icon="store",
        opens=operations.LIST_VENDORS,
        rows=visible_vendors,
        address="vendors",
        item_address="vendors_item",
        sort="name",
        search="search",
        search_hint="Name, phone or email",
        empty="Vendors appear here as soon as the finance service has one.",
        filters=(
            ChoiceFilter(
                "status", "Status", "status", usual="ACTIVE",
                of=(("ACTIVE", "Active"), ("DELETED", "Deleted"), (ANY, "Active and deleted")),
            ),
            FlagFilter("changed", "Payee change pending", "quarantined"),
        ),
        columns=(
            Column("name", "Name", "name", exported=exported_field("name"), sort="sort_name", sorted_as=str, always=True),
            Column("phone", "Phone", "phone", "figure", exported=exported_field("phone")),
            Column("email", "Email", "email", exported=exported_field("email"), less=True),
            Column("country", "Country", "country", exported=exported_field("country"), less=True, by_default=False),
            Column("pin", "Tax PIN", "tax_pin", "figure", exported=exported_field("tax_pin"), less=True, by_default=False),
            Column(
                "change", "Payee change", "quarantined", exported=yes_or("quarantined", "waits", ""), less=True,
                render=lambda row, _: "awaiting confirmation" if row["quarantined"] else "",
            ),
            Column("state", "Status", "status", "state", states=VENDOR_STATES, exported=label("status", words(VENDOR_STATES))),
            Column(
                "added", "Added", "created_at", "figure", exported=exported_day("created_at"), sort="created_at",
                render=lambda row, actor: times.day(row["created_at"], actor.business),
            ),
        ),
        file_only=(Column("id", "Id", "remote_id"),),
        seen=("status", "name", "quarantined"),
        actions=(
            Action(
                "delete", "Delete", "deleted", operations.DELETE_VENDOR, "vendor", command=delete_vendor,
                states=("ACTIVE",), becomes="DELETED", danger=True, confirm="Their records are kept and can be restored.",
            ),
            Action(
                "restore", "Restore", "restored", operations_payables.RESTORE_VENDOR, "vendor", command=restore_vendor,
                states=("DELETED",), becomes="ACTIVE", confirm="They are active again, as they were.",
            ),
        ),
    )
)  # fmt: skip
