"""Names for what a line is about: from the body that was sent where the copy has no row yet, and for ids in it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Model

from dashboard.access.models import Business
from dashboard.access.subject import subject_of

# The fields of a body that name what it creates, the surest first.
NAMES = (
    "name", "title", "label", "display_name", "description", "narration", "reference", "email", "receiver_name",
    "phone", "currency",
)  # fmt: skip
NAMES_AN_ID = re.compile(r"(^|_)ids?$|Ids?$")
REMOTE_ID = re.compile(r"[0-9a-f]{24}")
# What changed, by the field's name, as a line of the audit keeps it: JSON, its amounts in minor units or as text.
AuditValue = str | int | None | Sequence["AuditValue"] | Mapping[str, "AuditValue"]
AuditFields = Mapping[str, AuditValue]

# The tables with the names of ids, in the order they are asked in. The copy stands on a higher floor and says at
# start-up which of its own do: each has `business` and `remote_id`, and a subject with a title.
_tables: list[type[Model]] = []


def register_named(*tables: type[Model]) -> None:
    """Registers tables in which `with_names` looks up ids; a table registered twice is queried once."""
    _tables.extend(table for table in tables if table not in _tables)


def named_in(body: Mapping[str, object] | None) -> str:
    """The name in a sent body of what it creates, such as "Amani Traders"; "" where no field is a name."""
    fields = body or {}
    candidates = (fields.get(name) for name in NAMES)
    named = next((name.strip() for name in candidates if isinstance(name, str) and name.strip()), "")
    # What is sent inside something else has its name there: an intent's is that of its `payment`.
    inside = (named_in(part) for part in fields.values() if isinstance(part, Mapping))
    return named or next(filter(None, inside), "")


def with_names(business: Business, fields: AuditFields | None) -> AuditFields | None:
    """The same fields, with names in place of the ids that the registered tables have; an id without a name stays."""
    if fields is None:
        return None
    ids = set(_ids(fields))
    names = _names(business, ids) if ids else {}
    return {name: _named(value, names) for name, value in fields.items()}


def _ids(value: Any, name: str = "") -> Iterable[str]:
    if isinstance(value, str) and (REMOTE_ID.fullmatch(value) or NAMES_AN_ID.search(name)):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _ids(item, name)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _ids(item, key)


def _names(business: Business, ids: set[str]) -> dict[str, str]:
    titles: dict[str, str] = {}
    for model in _tables:
        rows: Iterable[Any] = model._default_manager.filter(business=business, remote_id__in=ids - titles.keys())
        titles |= {row.remote_id: subject_of(row).title for row in rows if subject_of(row).title}
        if titles.keys() == ids:
            break
    return titles


def _named(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_named(item, names) for item in value]
    if isinstance(value, dict):
        return {name: _named(item, names) for name, item in value.items()}
    return value
