"""The words that a business tags its expenses with."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from service import errors
from service.auth import Caller
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.expenses.models import Tag


class TagShape(TypedDict):
    """A tag as the interface shows it."""

    _id: str
    name: str
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


def tags(caller: Caller) -> QuerySet[Tag]:
    """The tags of the caller's business, as a query."""
    return Tag.objects.filter(business_id=caller.business.id)


def create(caller: Caller, name: str) -> Tag:
    """A new tag; 409 duplicate where it is there, in whatever case."""
    row = Tag(business_id=caller.business.id, name=name)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        raise errors.duplicate("The business has this tag.") from None
    record_event(caller.business, "expense_tag.created", serialize_tag(row), actor=caller)
    record_audit(caller, "expense_tag.create", "expense_tag", row.id, after=serialize_tag(row))
    return row


def known(caller: Caller, names: Sequence[str]) -> list[str]:
    """These tags as the business writes them, each once, in this order; 422 naming the first that it has not."""
    places = {name.lower(): place for place, name in reversed(list(enumerate(names)))}
    rows = tags(caller).annotate(lower=Lower("name")).filter(Q(lower__in=places) | Q(name__in=names))
    existing = {name.lower(): name for name in rows.values_list("name", flat=True)}
    missing = sorted(place for name, place in places.items() if name not in existing)
    if missing:
        raise errors.validation_failed(f"tags.{missing[0]}", "The business has no such tag.", "unknown")
    return [existing[name] for name in sorted(places, key=lambda name: places[name])]


def serialize_tag(row: Tag) -> TagShape:
    """A tag as the interface shows it."""
    return {
        "_id": row.id,
        "name": row.name,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }
