"""How a resource of the interface becomes a row of the copy: a Mapper per kind, tolerant of what it does not know.

Every Mapper of the modules beside this one is known here by its kind: nobody else lists them.
"""

from importlib import import_module
from pkgutil import iter_modules

from dashboard.mirror.mappers.mapper import (
    Mapper,
    Payload,
    canonical_payload,
    mapped_columns,
    moment,
    remote_id,
    updated_at,
    version,
)
from dashboard.mirror.scopes import register_requests

__all__ = [
    "MAPPERS",
    "Mapper",
    "Payload",
    "canonical_payload",
    "mapped_columns",
    "moment",
    "remote_id",
    "updated_at",
    "version",
]


def _declared() -> dict[str, Mapper]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    mappers = {value.kind: value for module in modules for value in vars(module).values() if isinstance(value, Mapper)}
    subjects = {(mapper.model, mapper.subject) for mapper in mappers.values()}
    if len(subjects) != len({model for model, _ in subjects}):
        raise TypeError("two kinds of one table are different subjects to a rule")
    for mapper in mappers.values():
        if mapper.approval_reads is not None:
            register_requests(mapper.kind, mapper.approval_reads.listed_by)
    return mappers


# By the kind that its events name.
MAPPERS = _declared()
