"""The people to speak to at a vendor: adding, changing and removing one.

Raises what `run` raises; what the service refuses, NotFound too, stands on the form. Each answers with the vendor.
"""

from collections.abc import Mapping

from django import forms

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.commands.run import CommandResult, Key, run
from dashboard.commands.vendors import KIND, REFUSALS
from dashboard.mirror.models import Vendor

Body = Mapping[str, str | None]


def add_contact(actor: Actor, vendor: Vendor, body: Body, *, key: Key, form: forms.BaseForm) -> CommandResult:
    """Adds somebody; `body` is a `ContactBody`."""
    path = {"id": vendor.remote_id}
    return run(
        actor, operations_payables.ADD_VENDOR_CONTACT, vendor, body, key=key, path=path, kind=KIND, form=form,
        refusals=REFUSALS,
    )  # fmt: skip


def change_contact(
    actor: Actor, vendor: Vendor, contact_id: str, body: Body, *, key: Key, form: forms.BaseForm
) -> CommandResult:
    """Writes somebody anew; `body` is a `ContactBody`."""
    path = {"id": vendor.remote_id, "contactId": contact_id}
    return run(
        actor, operations_payables.CHANGE_VENDOR_CONTACT, vendor, body, key=key, path=path, kind=KIND, form=form,
        refusals=REFUSALS,
    )  # fmt: skip


def remove_contact(actor: Actor, vendor: Vendor, contact_id: str, *, key: Key) -> CommandResult:
    """Removes somebody for good."""
    path = {"id": vendor.remote_id, "contactId": contact_id}
    return run(
        actor, operations_payables.REMOVE_VENDOR_CONTACT, vendor, key=key, path=path, kind=KIND, refusals=REFUSALS
    )
