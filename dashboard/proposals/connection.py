"""How a business reaches its finance service: changed at once, or proposed where changes of access need a second admin.

Whoever chooses the service, or the client that is told to it, chooses what every confirmation here is checked against.
"""

from collections.abc import Mapping
from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.secrets import seal, unseal
from dashboard.client.connection import check_connection, save_connection, snapshot_of_connection
from dashboard.operations_pages import CONNECTION, MEMBERS
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import CHANGE_CONNECTION, Proposal
from dashboard.proposals.setting_proposals import propose_setting
from dashboard.proposals.targets import SERVICE_CONNECTION

LABELS = {"base_url": "Address of the service", "remote_business_id": "Business id there", "client_id": "Client id"}


def change_connection(
    actor: Actor, *, base_url: str, remote_business_id: str, client_id: str, client_secret: str = "",
    webhook_secret: str | None = None, key: str,
) -> Proposal | None:  # fmt: skip
    """Saves the connection and answers None; or the proposal that waits for a second super admin. An empty secret keeps
    the one that is stored.

    NotAllowed for who may not, Rejected with the field where an address may not be called or a secret is missing, Conflict
    where nobody could confirm it or another such change waits.
    """
    check_open(actor, CONNECTION)
    check_connection(actor.business, base_url=base_url, client_secret=client_secret)
    body: dict[str, Any] = {
        "base_url": base_url.rstrip("/"), "remote_business_id": remote_business_id, "client_id": client_id,
        "sealed_secret": _sealed(client_secret), "sealed_webhook_secret": _sealed(webhook_secret or ""),
    }  # fmt: skip
    if not requires_second_admin(actor.business):
        _save(actor, body)
        return None
    seen = snapshot_of_connection(actor.business)
    return propose_setting(
        actor,
        CHANGE_CONNECTION,
        SERVICE_CONNECTION,
        actor.business.slug,
        body=body,
        seen=seen,
        title="Connection to the finance service",
        sentences=_sentences(seen, body),
        consequences=[
            "Whoever runs the service at this address says who has which role there, and what may be approved.",
            "All that is decided here is sent there, as this client.",
        ],
        key=key,
    )


def carry_out(actor: Actor, proposal: Proposal) -> None:
    """Does what a confirmed proposal says, as whoever confirmed it; raises as `change_connection`."""
    check_open(actor, MEMBERS)
    _save(actor, proposal.body or {})


def _save(actor: Actor, body: Mapping[str, Any]) -> None:
    save_connection(
        actor, base_url=body["base_url"], remote_business_id=body["remote_business_id"], client_id=body["client_id"],
        client_secret=_plain(body["sealed_secret"]), webhook_secret=_plain(body["sealed_webhook_secret"]) or None,
    )  # fmt: skip


def _sentences(seen: Mapping[str, Any], body: Mapping[str, Any]) -> list[str]:
    """What would change, a sentence each; the secrets stand in none."""
    lines = [
        f"{label}: {body[name]}; now {seen[name] or 'none'}."
        for name, label in LABELS.items()
        if seen[name] != body[name]
    ]
    lines += ["The client secret is replaced."] if body["sealed_secret"] else []
    lines += ["The webhook secret is replaced."] if body["sealed_webhook_secret"] else []
    return lines or ["The connection is saved as it is."]


def _sealed(secret: str) -> str:
    return seal(secret).decode("ascii") if secret else ""


def _plain(sealed: str) -> str:
    return unseal(sealed.encode("ascii")) if sealed else ""
