"""Remembering how the columns of a file are called, and finding it again by the file's header."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from dashboard.access.models import Business
from dashboard.payout_files.models import FileColumns

# A header is known again by so much of each name, and a business has so many.
LONGEST_NAME = 60
MOST = 50


def header_of(cells: Sequence[str]) -> list[str]:
    """The names of the columns as they are compared and printed."""
    return [" ".join(cell.split())[:LONGEST_NAME] for cell in cells]


def header_key(header: Sequence[str]) -> str:
    """What a header is known again by, without regard to case."""
    return sha256("\x1f".join(name.casefold() for name in header).encode()).hexdigest()


def remembered(business: Business, header: Sequence[str]) -> FileColumns | None:
    """How a file with just this header is read; None where nobody has said it."""
    return FileColumns.objects.filter(business=business, header_key=header_key(header)).first()


def all_remembered(business: Business) -> list[FileColumns]:
    """What is remembered for the business, the latest first."""
    return list(FileColumns.objects.filter(business=business).order_by("-updated_at", "-pk")[:MOST])


def nearest(business: Business, header: Sequence[str]) -> FileColumns | None:
    """Of what is remembered the one that has most of its columns in this header; None where none has any."""
    there = {name.casefold() for name in header}
    shared = {row: sum(name.casefold() in there for name in row.names.values()) for row in all_remembered(business)}
    best = max(shared, key=lambda row: shared[row], default=None)
    return best if best is not None and shared[best] else None


def remember(business: Business, header: Sequence[str], columns: Mapping[str, int]) -> FileColumns:
    """Remembers how files with this header are read; of more than MOST the oldest are forgotten."""
    values = {"header": list(header), "columns": dict(columns)}
    row, _ = FileColumns.objects.update_or_create(business=business, header_key=header_key(header), defaults=values)
    latest = [known.pk for known in all_remembered(business)]
    FileColumns.objects.filter(business=business).exclude(pk__in=latest).delete()
    return row
