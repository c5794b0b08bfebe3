"""What the tests of wallet policies ask all the time: a policy at the service, a form filled in, a page as text."""

from __future__ import annotations

import html
import re
from typing import Any

from dashboard.mirror.apply import upsert
from dashboard.mirror.full_sync import FULL_SYNCS
from dashboard.mirror.models import Origin, Wallet, WalletPolicy
from tests.dashboard.conftest import World


def lookups_read(world: World) -> World:
    """Reads people, wallets, permissions and roles, and nothing else."""
    for band in ("lookups", "wallet_rights"):
        FULL_SYNCS[band](world.business)
    return world


def first(world: World, currency: str = "KES") -> Wallet:
    """The business's wallet of a currency."""
    return Wallet.objects.get(business=world.business, currency=currency)


def employee(world: World, person: str) -> str:
    """The service's id of somebody of the cast."""
    found: str = world.employee(person)["employee_id"]
    return found


def policy(world: World, person: str = "Carla", *permissions: str, **given: Any) -> WalletPolicy:
    """A policy made at the service and brought home."""
    body = {
        "wallet_id": given.pop("wallet_id", "") or first(world).remote_id,
        "employee_id": employee(world, person),
        "permissions": list(permissions) or ["WALLET_VIEW", "WALLET_PAY_VENDOR"],
    }
    return home(world, world.send("POST", "/wallet-policies", body | given))


def move(world: World, found: WalletPolicy, verb: str) -> WalletPolicy:
    """Suspends or reactivates it at the service, and brings it home."""
    return home(world, world.send("POST", f"/wallet-policies/{found.remote_id}/{verb}"))


def home(world: World, payload: dict[str, Any]) -> WalletPolicy:
    """A policy as the service told it, in the copy."""
    upsert("wallet_policy", world.business, [payload], Origin.POLL)
    return WalletPolicy.objects.get(business=world.business, remote_id=payload["_id"])


def upstream(world: World, found: WalletPolicy) -> dict[str, Any]:
    """The policy as the service has it."""
    remote: dict[str, Any] = world.upstream(f"/wallet-policies/{found.remote_id}")
    return remote


def at(world: World, rest: str = "") -> str:
    """An address of the area."""
    return world.address(f"wallet-policies/{rest}")


def words(answer: Any) -> str:
    """What a page says, without its markup, in single spaces."""
    body = re.sub(r"<(script|style).*?</\1>", " ", answer.content.decode(), flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).replace("\xa0", " ").split())


def page(world: World, person: str, rest: str = "") -> str:
    """What somebody reads at an address of the area."""
    return words(world.client(person).get(at(world, rest), follow=True))


def terms(**given: Any) -> dict[str, Any]:
    """The form of a policy, filled in."""
    return {"permissions": ["WALLET_VIEW"], "key": "a", **given}
