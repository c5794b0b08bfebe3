"""The spend policies and workflows in force at a moment: their versions by the copy, and by the service's own audit where
they have changed since. What is not kept is said to be not kept."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, TypedDict

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.page import read_page
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import SpendPolicy, Workflow
from dashboard.mirror.scopes import visible_spend_policies, visible_workflows
from dashboard.schemas.base import JsonObject

MOST_RULES = 200
MOST_VERSIONS = 100
READ_S = 4.0
UNCHANGED = "In force then and unchanged since."
FROM_AUDIT = "The version in force then, from the finance service's audit; it has changed since."
CAME_LATER = "It did not exist then, by the finance service's audit."
NOT_STORED = "It has changed since, and the version in force then is not kept."


class RuleInForce(TypedDict):
    """A policy or a workflow at the moment: `version` and `content` are None where they are not known."""

    kind: str
    id: str
    name: str
    version: int | None
    source: str
    content: JsonObject | None


def rules_at(actor: Actor, at: datetime) -> list[RuleInForce]:
    """The policies and workflows that were in force at a moment, as far as that is kept."""
    rules: list[RuleInForce] = []
    for policy in visible_spend_policies(actor).order_by("sort_name", "pk")[:MOST_RULES]:
        rules += _at(
            actor, "spend policy", f"business_policy:{policy.remote_id}", policy, policy.status == "DELETED", at
        )
    for flow in visible_workflows(actor).order_by("priority", "pk")[:MOST_RULES]:
        rules += _at(actor, "approval workflow", f"workflow:{flow.remote_id}", flow, not flow.is_active, at)
    return rules


def _at(
    actor: Actor, kind: str, resource: str, row: SpendPolicy | Workflow, is_over: bool, at: datetime
) -> Iterator[RuleInForce]:
    if row.changed_at <= at:
        if not is_over:
            yield _rule(kind, row, UNCHANGED, row.payload)
        return
    source, content = _earlier(actor, resource, at)
    if source != CAME_LATER:
        yield _rule(kind, row, source, content)


def _rule(kind: str, row: SpendPolicy | Workflow, source: str, content: JsonObject | None) -> RuleInForce:
    version = (content or {}).get("version")
    return {
        "kind": kind, "id": row.remote_id, "name": row.name, "version": version if isinstance(version, int) else None,
        "source": source, "content": content,
    }  # fmt: skip


def _earlier(actor: Actor, resource: str, at: datetime) -> tuple[str, JsonObject | None]:
    """Where the version of a moment is known from, and the version."""
    query: dict[str, str | int] = {"resource": resource, "limit": MOST_VERSIONS}
    try:
        answer = read_live(actor, operations_extra.LIST_AUDIT_EVENTS, query=query, deadline=READ_S)
    except FinanceError as trouble:
        return f"{NOT_STORED} ({trouble.user_message})", None
    rows = [row for row in read_page(answer.data).rows if not str(row.get("action")).endswith(".evaluate")]
    dated = [(when, row) for row in rows if (when := moment(row.get("at"))) is not None]
    before = [row for when, row in dated if when <= at]
    if before:
        # The newest first, as the service lists them.
        content: Any = before[0].get("after")
        return (FROM_AUDIT, content) if isinstance(content, dict) else (CAME_LATER, None)
    oldest = dated[-1][1] if dated else None
    if oldest is not None and not oldest.get("before"):
        return CAME_LATER, None
    content = (oldest or {}).get("before")
    return (FROM_AUDIT, content) if isinstance(content, dict) else (NOT_STORED, None)


def moment_text(at: datetime) -> str:
    """A moment in UTC, as the files of a pack have it."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")
