"""Names for what a line is about: from what was sent where the copy does not know the thing yet, and for ids in it."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Model

from dashboard.access.models import Business
from dashboard.access.subject import subject_of

# What bodies call the name of the thing that they make, the surest first.
NAMES = ("name", "title", "label", "display_name", "description", "narration", "reference", "email")
NAMES_AN_ID = re.compile(r"(^|_)ids?$|Ids?$")
REMOTE_ID = re.compile(r"[0-9a-f]{24}")
# The tables that know a thing by its id, in the order they are asked in. The copy stands on a higher floor and says at
# start-up which of its own do: each has `business` and `remote_id`, and a subject with a title.
_tables: list[type[Model]] = []


def register_named(*tables: type[Model]) -> None:
    """Makes tables known that can say the name of an id; a table twice is asked once."""
    _tables.extend(table for table in tables if table not in _tables)


def named_in(body: Mapping[str, Any] | None) -> str:
    """What a sent body calls its thing: "Amani Traders"; "" where it says nothing that is a name."""
    fields = body or {}
    found = (fields.get(name) for name in NAMES)
    return next((one.strip() for one in found if isinstance(one, str) and one.strip()), "")


def with_names(business: Business, fields: dict[str, Any] | None) -> dict[str, Any] | None:
    """The same fields, with names in place of the ids of things that the copy knows; an id without a name stays."""
    if fields is None:
        return None
    ids = set(_ids(fields))
    names = _names(business, ids) if ids else {}
    return {name: _named(value, names) for name, value in fields.items()}


def _ids(value: Any, name: str = "") -> Iterable[str]:
    if isinstance(value, str) and (REMOTE_ID.fullmatch(value) or NAMES_AN_ID.search(name)):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _ids(each, name)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _ids(each, key)


def _names(business: Business, ids: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for model in _tables:
        rows: Iterable[Any] = model._default_manager.filter(business=business, remote_id__in=ids - found.keys())
        found |= {row.remote_id: subject_of(row).title for row in rows if subject_of(row).title}
        if found.keys() == ids:
            break
    return found


def _named(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_named(each, names) for each in value]
    if isinstance(value, dict):
        return {name: _named(each, names) for name, each in value.items()}
    return value
