"""Seeding the permissions that policies can give: a second time changes nothing, and nothing is ever deleted."""

from dataclasses import asdict

from service.auth import Caller
from service.events.audit import note
from service.wallet_policies.models import WalletPermission
from service.wallet_policies.seed import PERMISSIONS


def sync(caller: Caller) -> dict[str, int]:
    """Upserts the seed, in two statements where nothing is missing; inside a transaction."""
    known = {
        row.name: row for row in WalletPermission.objects.select_for_update(no_key=True, of=("self",)).order_by("name")
    }
    created, updated = [], []
    for position, seed in enumerate(PERMISSIONS):
        values = asdict(seed) | {"position": position}
        row = known.get(seed.name)
        if row is None:
            created.append(WalletPermission(**values))
        elif any(getattr(row, name) != value for name, value in values.items()):
            for name, value in values.items():
                setattr(row, name, value)
            updated.append(row)
    WalletPermission.objects.bulk_create(created, ignore_conflicts=True)
    for row in updated:
        row.save()
    done = {"created": len(created), "updated": len(updated), "total": WalletPermission.objects.count()}
    note(caller, "wallet_permission.sync", "wallet_permission", "", after=done)
    return done
