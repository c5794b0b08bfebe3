"""Vendors: deleting one. Raises what `run` raises. Interface: Vendors (DELETE /vendors/{id})."""

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.commands.run import CommandResult, Key, run
from dashboard.mirror.models import Vendor


def delete_vendor(actor: Actor, vendor: Vendor, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Deletes a vendor: the record stays, but here nothing brings it back. Answers with the vendor."""
    path = {"id": vendor.remote_id}
    return run(actor, operations.DELETE_VENDOR, vendor, key=key, path=path, kind="vendor", deadline=deadline)
