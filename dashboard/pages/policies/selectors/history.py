"""The versions of a policy or a workflow, from the service's own audit: who made what of it, and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.page import read_page
from dashboard.errors import FinanceError
from dashboard.mirror.cached_responses import read_or_cached
from dashboard.mirror.mappers import moment
from dashboard.schemas.policies import SpendPolicy
from dashboard.schemas.workflows import Workflow

MOST = 100


@dataclass(frozen=True, slots=True)
class Version:
    """A line of the audit: who (an employee's id, or what the service calls the account), when, and the resource before
    and after, None where there was none."""

    at: datetime | None
    by: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None

    @property
    def number(self) -> int | None:
        """The version that came of it."""
        version = (self.after or {}).get("version")
        return version if isinstance(version, int) else None


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions, the newest first; `trouble` says why they cannot be read."""

    rows: list[Version]
    trouble: str = ""


def moment_in(written: str) -> datetime | None:
    """The moment that an address asks about; None for what is none, or has no offset from UTC."""
    try:
        at = datetime.fromisoformat(written[:40])
    except ValueError:
        return None
    return at if at.tzinfo is not None else None


def versions_of_policy(actor: Actor, spend_policy: SpendPolicy) -> Versions:
    """The versions of a spend policy."""
    return _versions(actor, f"business_policy:{spend_policy.id}")


def versions_of_workflow(actor: Actor, workflow: Workflow) -> Versions:
    """The versions of a workflow."""
    return _versions(actor, f"workflow:{workflow.id}")


def _versions(actor: Actor, resource: str) -> Versions:
    query: dict[str, str | int] = {"resource": resource, "limit": MOST}
    try:
        cached = read_or_cached(actor, operations_extra.LIST_AUDIT_EVENTS, item=resource, query=query)
    except FinanceError as refused:
        return Versions([], refused.user_message)
    rows = [] if cached.data is None else read_page(cached.data).rows
    # A policy is named in lines of what was decided by it, too: those have no version.
    versions = [_version(row) for row in rows if not str(row.get("action")).endswith(".evaluate")]
    return Versions(versions, cached.trouble)


def _version(row: Mapping[str, Any]) -> Version:
    by = str(row.get("acting_employee") or row.get("actor") or "")
    return Version(moment(row.get("at")), by, row.get("before") or None, row.get("after") or None)
