"""Events and audit events on the wire."""

from datetime import datetime
from typing import Any

from ninja import Schema
from pydantic import Field

from service import inputs
from service.pagination import Envelope, PageQuery


class EventData(Schema):
    """The whole object after the event, and the old values of what changed."""

    object: dict[str, Any]
    previous: dict[str, Any]


class EventOut(Schema):
    """An event, as the feed lists it and webhooks deliver it."""

    id: str
    type: str = Field(examples=["expense.approved"])
    timestamp: datetime
    business_id: str
    api_version: str
    sequence: int
    data: EventData
    actor: str | None


class FeedQuery(Schema):
    """After which sequence number the feed is read on, and how many events at most."""

    after: inputs.Whole = Field(default=0, ge=0, le=inputs.LARGEST, description="The last sequence that is known.")
    limit: inputs.Whole = Field(default=100, ge=1, le=1000)


class FeedOut(Schema):
    """Events in order. `last` is the sequence to go on after; `has_more` says that there is more right now."""

    docs: list[EventOut]
    last: int
    has_more: bool


class AuditQuery(PageQuery):
    """Filters of the audit trail."""

    actor: inputs.Line | None = Field(default=None, max_length=80)
    resource: inputs.Line | None = Field(default=None, max_length=80, description="A type, or type:id.")
    from_: inputs.Day | None = Field(default=None, alias="from")
    to: inputs.Day | None = None


class AuditOut(Schema):
    """A line of the audit: who did what to which resource, and what it changed."""

    id: str = Field(alias="_id")
    at: datetime
    actor: str
    acting_employee: str | None
    action: str
    resource_type: str
    resource_id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    request_id: str


class AuditPage(Envelope):
    """A page of the audit: who did what, and when."""

    docs: list[AuditOut]
