"""Every field that any operation of the interface takes, with where it stands and of which kind it is."""

import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from re import _parser as sre
from typing import Any

from annotated_types import GroupedMetadata
from ninja import NinjaAPI, UploadedFile
from ninja.operation import Operation
from pydantic import BaseModel

from service.api import v1, v2
from service.inputs import Checked

LEAVES = (bool, type(None), UploadedFile)
ENDS = {"AT_BEGINNING", "AT_END", "AT_BEGINNING_STRING", "AT_END_STRING"}


@dataclass(frozen=True)
class Field:
    """A field of an operation: `path` as it stands in a body, with 0 for the first of a list."""

    path: tuple[str | int, ...]
    kind: str

    @property
    def name(self) -> str:
        return ".".join(str(part) for part in self.path)


def operations(api: NinjaAPI) -> Iterator[tuple[str, str, Operation]]:
    """Method, path below the API, and the operation."""
    for prefix, router in api._routers:
        for path, view in router.path_operations.items():
            for operation in view.operations:
                yield operation.methods[0], f"/{api.version[0].join(('v', ''))}{prefix}{path}", operation


def leaves(annotation: Any, metadata: tuple[Any, ...], path: tuple[str | int, ...]) -> Iterator[tuple[Any, Any, Any]]:
    """Every type at the end of an annotation, with its metadata and where it stands."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        yield from leaves(arguments[0], (*arguments[1:], *metadata), path)
    elif origin in (typing.Union, types.UnionType):
        for each in arguments:
            yield from leaves(each, metadata, path)
    elif origin is list:
        yield from leaves(arguments[0], (), (*path, 0))
    elif origin is typing.Literal:
        return
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for name, field in annotation.model_fields.items():
            yield from leaves(field.annotation, tuple(field.metadata), (*path, field.alias or name))
    else:
        yield annotation, metadata, path


def patterns(metadata: tuple[Any, ...]) -> list[str]:
    """Those that a text must match."""
    flat = [part for each in metadata for part in (each if isinstance(each, GroupedMetadata) else [each])]
    found = [getattr(each, "pattern", None) for each in (*metadata, *flat)]
    found += [each.__dict__.get("pattern") for each in metadata if hasattr(each, "__dict__")]
    inner = [part for each in metadata for part in getattr(each, "metadata", [])]
    return [str(each) for each in found if each] + (patterns(tuple(inner)) if inner else [])


def letters(tree: Any) -> Iterator[int]:
    """The code points that a parsed pattern lets in; -1 where it is open: a dot, a negation, a class such as \\d."""
    for op, value in tree:
        name = str(op)
        if name == "LITERAL":
            yield value
        elif name == "IN":
            for inner, part in value:
                if str(inner) == "LITERAL":
                    yield part
                elif str(inner) == "RANGE":
                    yield from part
                else:
                    yield -1
        elif name in ("MAX_REPEAT", "MIN_REPEAT"):
            yield from letters(value[2])
        elif name == "SUBPATTERN":
            yield from letters(value[3])
        elif name == "BRANCH":
            for each in value[1]:
                yield from letters(each)
        elif name != "AT":
            yield -1


def is_closed(pattern: str) -> bool:
    """Whether a text that matches is printable ASCII from its beginning to its end, and nothing else."""
    tree = sre.parse(pattern)
    anchors = [str(value) for op, value in (tree[0], tree[-1]) if str(op) == "AT"]
    return len(anchors) == 2 and set(anchors) <= ENDS and all(32 <= code < 127 for code in letters(tree))


def kind_of(annotation: Any, metadata: tuple[Any, ...]) -> str | None:
    """What a leaf is checked as; "" where it needs no check, None where it is forgotten."""
    marks = [each.kind for each in metadata if isinstance(each, Checked)]
    if annotation in LEAVES or (isinstance(annotation, type) and issubclass(annotation, Enum)):
        return ""
    if annotation is str and any(is_closed(each) for each in patterns(metadata)):
        return "code"
    return marks[0] if marks else None


def fields(operation: Operation, source: str) -> Iterator[tuple[tuple[str | int, ...], str | None]]:
    """The fields of an operation's body, query, form or header, each with its kind."""
    for model in operation.models:
        if model.__ninja_param_source__ != source:
            continue
        for field_name, field in model.model_fields.items():
            for annotation, metadata, path in leaves(field.annotation, tuple(field.metadata), ()):
                whole = path if source == "body" or path else (field.alias or field_name,)
                yield whole, kind_of(annotation, metadata)


ALL = [*operations(v2), *operations(v1)]
