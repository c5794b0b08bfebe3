"""The spend policies and workflows in force at a moment: their versions by the copy, and by the service's own audit where
they have changed since. What is not kept is said to be not kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypedDict

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.client.page import Page, read_page
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError, TooMany, Unavailable
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import SpendPolicy, Workflow
from dashboard.mirror.scopes import visible_spend_policies, visible_workflows
from dashboard.schemas.base import JsonObject

MOST_RULES = 200
# Of the audit of one rule so many pages are read, the newest first.
PAGE_SIZE, MOST_PAGES = 500, 10
READ_S = 4.0
UNCHANGED = "In force then and unchanged since."
FROM_AUDIT = "The version in force then, from the finance service's audit; it has changed since."
DELETED_SINCE = "The version in force then, from the finance service's audit; it has been deleted since."
NOT_THEN = "It was not in force then, by the finance service's audit."
NOT_STORED = "It has changed since, and the version in force then is not kept here."
NOT_READ = "It could not be read which version was in force."
DELETED_UNCOPIED = "Workflows that were deleted before they were copied here are not listed."
MORE_RULES = f"Only the first {MOST_RULES} policies and the first {MOST_RULES} workflows are listed."
Beat = Callable[[], None]


class RuleInForce(TypedDict):
    """A policy or a workflow at the moment: `version` and `content` are None where they are not known."""

    kind: str
    id: str
    name: str
    version: int | None
    source: str
    content: JsonObject | None


class RulesInForce(TypedDict):
    """What was in force at a moment, and what happened then."""

    at: str
    event: str
    rules: list[RuleInForce]


@dataclass
class AuditTrail:
    """The service's audit of rules as the actor reads it: each page once, however many moments are asked about.

    `beat` is called before each read of the service and may stop it.
    """

    actor: Actor
    beat: Beat
    pages: dict[tuple[str, int], Page] = field(default_factory=dict)

    def page(self, resource: str, number: int) -> Page:
        """A page of what happened to a rule, the newest first. Raises the FinanceError tree."""
        if (resource, number) not in self.pages:
            self.beat()
            query: dict[str, str | int] = {"resource": resource, "limit": PAGE_SIZE, "page": number}
            answer = read_live(self.actor, operations_extra.LIST_AUDIT_EVENTS, query=query, deadline=READ_S)
            self.pages[resource, number] = read_page(answer.data)
        return self.pages[resource, number]


def rules_at(trail: AuditTrail, at: datetime) -> list[RuleInForce]:
    """The policies and workflows that were in force at a moment, as far as that is kept, those deleted since too.

    Raises Unavailable and TooMany: read again later.
    """
    actor, rules = trail.actor, list[RuleInForce]()
    for policy in _policies(actor, at)[:MOST_RULES]:
        rules += _at(trail, "spend policy", f"business_policy:{policy.remote_id}", policy, at)
    for flow in _workflows(actor, at)[:MOST_RULES]:
        rules += _at(trail, "approval workflow", f"workflow:{flow.remote_id}", flow, at)
    return rules


def rule_changes_since(trail: AuditTrail, since: datetime) -> list[datetime] | None:
    """When policies and workflows changed after a moment, the earliest first; None where that is not known of each.

    Raises Unavailable and TooMany: read again later.
    """
    rows = [
        (f"business_policy:{row.remote_id}", row.changed_at, row.tombstoned_at)
        for row in _policies(trail.actor, since)[:MOST_RULES]
    ]
    rows += [
        (f"workflow:{row.remote_id}", row.changed_at, row.tombstoned_at)
        for row in _workflows(trail.actor, since)[:MOST_RULES]
    ]
    changes: set[datetime] = set()
    for resource, changed_at, gone_at in rows:
        if changed_at <= since and gone_at is None:
            continue
        changes |= {at for at in (changed_at, gone_at) if at is not None and at > since}
        try:
            for when, _ in _changes(trail, resource):
                if when is None:
                    return None
                if when <= since:
                    break
                changes.add(when)
        except (Unavailable, TooMany):
            raise
        except FinanceError:
            return None
    return sorted(changes)


def notes_at(actor: Actor, at: datetime) -> list[str]:
    """What the rules of a moment leave out, in sentences."""
    is_cut = len(_policies(actor, at)[: MOST_RULES + 1]) > MOST_RULES
    is_cut = is_cut or len(_workflows(actor, at)[: MOST_RULES + 1]) > MOST_RULES
    return [DELETED_UNCOPIED, *([MORE_RULES] if is_cut else [])]


def _policies(actor: Actor, at: datetime) -> list[SpendPolicy]:
    gone = SpendPolicy.objects.filter(business=actor.business, tombstoned_at__gt=at)
    may = actor.role in operations.READ_POLICY.roles
    return [
        *visible_spend_policies(actor).order_by("sort_name", "pk"),
        *(gone.order_by("sort_name", "pk") if may else ()),
    ]


def _workflows(actor: Actor, at: datetime) -> list[Workflow]:
    gone = Workflow.objects.filter(business=actor.business, tombstoned_at__gt=at)
    may = actor.role in operations.READ_BILL_WORKFLOW.roles
    return [*visible_workflows(actor).order_by("priority", "pk"), *(gone.order_by("priority", "pk") if may else ())]


def _at(
    trail: AuditTrail, kind: str, resource: str, row: SpendPolicy | Workflow, at: datetime
) -> Iterator[RuleInForce]:
    # What was deleted may have changed before in a way that the copy has not seen: only the audit knows.
    if row.changed_at <= at and row.tombstoned_at is None:
        if _is_active(row):
            yield _rule(kind, row, UNCHANGED, row.payload)
        return
    source, content = _earlier(trail, resource, at)
    if source == NOT_THEN or (content is not None and not _is_in_force(row, content)):
        return
    if source == FROM_AUDIT and row.tombstoned_at is not None:
        source = DELETED_SINCE
    yield _rule(kind, row, source, content)


def _is_active(row: SpendPolicy | Workflow) -> bool:
    return row.is_active if isinstance(row, Workflow) else row.status == "ACTIVE"


def _is_in_force(row: SpendPolicy | Workflow, content: JsonObject) -> bool:
    return content.get("active") is True if isinstance(row, Workflow) else content.get("status") == "ACTIVE"


def _rule(kind: str, row: SpendPolicy | Workflow, source: str, content: JsonObject | None) -> RuleInForce:
    version = (content or {}).get("version")
    return {
        "kind": kind, "id": row.remote_id, "name": row.name, "version": version if isinstance(version, int) else None,
        "source": source, "content": content,
    }  # fmt: skip


def _earlier(trail: AuditTrail, resource: str, at: datetime) -> tuple[str, JsonObject | None]:
    """Where the version of a moment is known from, and the version."""
    oldest: JsonObject | None = None
    try:
        for when, row in _changes(trail, resource):
            if when is None:
                return NOT_STORED, None
            if when <= at:
                # The newest first, as the service lists them.
                content: Any = row.get("after")
                return (FROM_AUDIT, content) if isinstance(content, dict) else (NOT_THEN, None)
            oldest = row
    except (Unavailable, TooMany):
        raise
    except FinanceError as trouble:
        return f"{NOT_READ} ({trouble.user_message})", None
    if oldest is not None and not oldest.get("before"):
        return NOT_THEN, None
    content = (oldest or {}).get("before")
    return (FROM_AUDIT, content) if isinstance(content, dict) else (NOT_STORED, None)


def _changes(trail: AuditTrail, resource: str) -> Iterator[tuple[datetime | None, JsonObject]]:
    """The changes of a rule, each with its moment, the newest first; at the end None and {} where there are more of them."""
    for number in range(1, MOST_PAGES + 1):
        page = trail.page(resource, number)
        for row in page.rows:
            when = moment(row.get("at"))
            if when is not None and not str(row.get("action")).endswith(".evaluate"):
                yield when, row
        if len(page.rows) < PAGE_SIZE or (page.pages is not None and number >= page.pages):
            return
    yield None, {}


def moment_text(at: datetime) -> str:
    """A moment in UTC, as the files of a pack have it."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")
