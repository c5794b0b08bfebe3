"""A policy or a workflow as a change would make it, before anything is sent: what its sentences and a replay are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dashboard.money import to_minor
from dashboard.schemas.policies import Exempt, SpendingHours, SpendPolicy
from dashboard.schemas.workflows import Conditions, Step, Workflow

# Ids sort by age, and a draft is the newest.
DRAFT_ID = "~draft"


def policy_draft(body: Mapping[str, Any], *, type_: str = "", before: SpendPolicy | None = None) -> SpendPolicy:
    """The policy that a body of an operation makes, of `before` where it changes one; amounts become minor units."""
    base = before or SpendPolicy(id=DRAFT_ID, type=type_, action=str(body.get("action") or ""), status="ACTIVE")
    changes: dict[str, Any] = {}
    for name in ("name", "target", "action", "status"):
        if body.get(name) is not None:
            changes[name] = body[name]
    for name in ("currency", "period", "workflow_id"):
        if name in body:
            changes[name] = body[name] or ""
    if "limit" in body:
        limit, currency = body["limit"], body.get("currency") or base.currency
        changes["limit"] = limit
        changes["limit_minor"] = None if limit is None else to_minor(limit, currency)
    if body.get("window") is not None:
        changes["window"] = SpendingHours.model_validate(body["window"])
    if body.get("exempt") is not None:
        changes["exempt"] = Exempt.model_validate(body["exempt"])
    return base.model_copy(update=changes)


def workflow_draft(body: Mapping[str, Any], *, action_type: int, before: Workflow | None = None) -> Workflow:
    """The workflow that a body of an operation makes, of `before` where it changes one."""
    base = before or Workflow(id=DRAFT_ID, action_type=action_type)
    changes = {name: body[name] for name in ("name", "active", "priority") if body.get(name) is not None}
    if body.get("conditions") is not None:
        changes["conditions"] = _conditions(body["conditions"])
    if body.get("steps") is not None:
        changes["steps"] = [Step.model_validate(step) for step in body["steps"]]
    return base.model_copy(update=changes)


def _conditions(given: Mapping[str, Any]) -> Conditions:
    currency = given.get("currency") or ""
    minor = {
        f"{name}_minor": None if given.get(name) is None else to_minor(given[name], currency)
        for name in ("min_amount", "max_amount")
    }
    return Conditions.model_validate({**given, **minor})
