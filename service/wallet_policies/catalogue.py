"""The permissions that a wallet policy can give, and what a role gives on every wallet by itself (decisions A.3, B.11)."""

from dataclasses import asdict, dataclass

from service.auth import Caller
from service.businesses.models import Role
from service.events.audit import record_audit
from service.wallet_policies.models import WalletPermission


@dataclass(frozen=True, slots=True)
class Seed:
    """A permission as it is seeded."""

    name: str
    title: str
    group: str
    moves_money: bool = False


PERMISSIONS = (
    Seed("WALLET_VIEW", "See the wallet", "VIEW"),
    Seed("WALLET_VIEW_BALANCE", "See its balance", "VIEW"),
    Seed("WALLET_VIEW_TRANSACTIONS", "See its transactions", "VIEW"),
    Seed("WALLET_EXPORT_STATEMENT", "Export its statement", "VIEW"),
    Seed("WALLET_TOPUP", "Top it up", "FUND"),
    Seed("WALLET_TRANSFER_INTERNAL", "Transfer to another wallet", "MOVE", moves_money=True),
    Seed("WALLET_FX", "Make FX transfers from it", "MOVE", moves_money=True),
    Seed("WALLET_PAY_VENDOR", "Pay vendors from it", "MOVE", moves_money=True),
    Seed("WALLET_PAYOUT_INITIATE", "Initiate payouts from it", "MOVE", moves_money=True),
    Seed("WALLET_PAYOUT_APPROVE", "Approve payouts from it", "MOVE", moves_money=True),
    Seed("WALLET_ALLOCATE", "Allocate to employees from it", "MOVE", moves_money=True),
    Seed("WALLET_DEALLOCATE", "Take allocations back into it", "FUND"),
    Seed("WALLET_CARD_FUND", "Spend from it by card", "MOVE", moves_money=True),
    Seed("WALLET_INVEST", "Invest from it", "MOVE", moves_money=True),
    Seed("WALLET_MANAGE_POLICY", "Manage who may use it", "MANAGE"),
)
NAMES = tuple(seed.name for seed in PERMISSIONS)

_VIEWS = frozenset(seed.name for seed in PERMISSIONS if seed.group == "VIEW")
# What a role gives on every wallet of the business. An admin initiates and configures; only an approver moves money.
BY_ROLE: dict[str, frozenset[str]] = {
    Role.CARD_USER: frozenset(),
    Role.REVIEWER: frozenset(),
    Role.APPROVER: frozenset(NAMES) - {"WALLET_MANAGE_POLICY"},
    Role.ADMIN: _VIEWS | {"WALLET_PAY_VENDOR", "WALLET_PAYOUT_INITIATE", "WALLET_MANAGE_POLICY"},
    Role.SUPER_ADMIN: _VIEWS | {"WALLET_MANAGE_POLICY"},
}


def is_barred(role: str, permission: str) -> bool:
    """Whether a role can never have a permission, whoever gives it: no admin of either kind approves (A.3)."""
    return permission.endswith("_APPROVE") and role in (Role.ADMIN, Role.SUPER_ADMIN)


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
    record_audit(caller, "wallet_permission.sync", "wallet_permission", "", after=done)
    return done
