"""Policies and workflows of a fresh business, made at the service past the dashboard, and copied."""

from __future__ import annotations

import re
from typing import Any

from dashboard.mirror.full_sync import refresh_spend_policies, refresh_workflows
from tests.dashboard.conftest import World


def page(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def group_of(world: World, type_: str) -> str:
    """The id of the group that policies of a type belong to."""
    rows = world.upstream("/business-policies")["docs"]
    found: str = next(row["_id"] for row in rows if type_ in row["types"])
    return found


def create_policy(world: World, type_: str, target: str = "", **more: Any) -> dict[str, Any]:
    """A policy at the service, in the copy as well; BLOCK unless another action is given."""
    body = {"type": type_, "action": "BLOCK", **({"target": target} if target else {}), **more}
    found: dict[str, Any] = world.send("POST", f"/business-policies/create/{group_of(world, type_)}", body)
    refresh_spend_policies(world.business)
    return found


def create_workflow(world: World, kind: str = "policies", **more: Any) -> dict[str, Any]:
    """A workflow at the service, in the copy as well: one approver, unless other steps are given."""
    path = "/bills/workflow" if kind == "bills" else "/business-policies/workflows"
    body = {"name": "Anybody", "steps": [{"order": 1, "role": "APPROVER"}], **more}
    found: dict[str, Any] = world.send("POST", path, body)
    refresh_workflows(world.business)
    return found


def policy_at(world: World, policy_id: str) -> dict[str, Any]:
    found: dict[str, Any] = world.upstream(f"/business-policies/single/{policy_id}")
    return found


def policies_at(world: World) -> list[dict[str, Any]]:
    """All policies at the service that are not deleted."""
    groups = world.upstream(f"/business-policies/summary/{world.made['business_id']}")["groups"]
    return [row for group in groups for row in group["policies"]]


def workflows_at(world: World, kind: str = "policies") -> list[dict[str, Any]]:
    path = "/bills/workflow" if kind == "bills" else "/business-policies/workflows"
    found: list[dict[str, Any]] = world.upstream(path)["docs"]
    return found


def channel(**more: Any) -> dict[str, Any]:
    """What is typed for a policy on a channel: M-Pesa beyond KES 5,000 a week is blocked."""
    return {
        "target": "MPESA", "limit": "5,000", "currency": "KES", "period": "WEEK", "action": "BLOCK", "status": "ACTIVE",
        "workflow_id": "", "name": "", "key": "k1",
    } | more  # fmt: skip


def steps(*rows: dict[str, Any]) -> dict[str, Any]:
    """What is typed for the steps of a workflow."""
    typed: dict[str, Any] = {"steps-TOTAL_FORMS": str(len(rows)), "steps-INITIAL_FORMS": "0"}
    for place, row in enumerate(rows):
        typed |= {f"steps-{place}-{name}": value for name, value in row.items()}
    return typed


def flow(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    """What is typed for a workflow."""
    return {
        "name": "Large bills", "priority": "10", "active": "on", "currency": "KES", "min_amount": "10,000",
        "max_amount": "", "key": "w1", **steps(*(rows or ({"who": "role", "votes": "1"},))),
    } | more  # fmt: skip


def confirmed(world: World, person: str, address: str, typed: dict[str, Any]) -> Any:
    """Reviews a change, and confirms it as the page offers it."""
    client = world.client(person)
    shown = client.post(address, typed)
    assert shown.status_code == 200, page(shown)
    seen = re.findall(r'name="seen" value="([^"]*)"', page(shown))[0].replace("&quot;", '"')
    return client.post(address, typed | {"step": "confirm", "seen": seen})
