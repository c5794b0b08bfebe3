"""The one way in for environment variables: a missing one is named, never guessed."""

import os
from collections.abc import Callable
from typing import TypeVar, overload

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")
MISSING = object()


@overload
def env(name: str, default: str | None = ...) -> str: ...
@overload
def env(name: str, default: object = ..., *, cast: Callable[[str], T]) -> T: ...
def env(name: str, default: object = MISSING, *, cast: Callable[[str], object] = str) -> object:
    """The value of an environment variable, cast; fails naming the variable where it is missing or malformed."""
    raw = os.environ.get(name)
    if raw is None or raw == "":
        if default is MISSING:
            raise ImproperlyConfigured(f"The environment variable {name} is not set (see .env.example).")
        return default
    try:
        return cast(raw)
    except ValueError as error:
        raise ImproperlyConfigured(f"The environment variable {name} is malformed: {error}") from None


def boolean(raw: str) -> bool:
    """1/true/yes/on or 0/false/no/off, in any case."""
    if raw.lower() in {"1", "true", "yes", "on"}:
        return True
    if raw.lower() in {"0", "false", "no", "off"}:
        return False
    raise ValueError("expected 1 or 0")


def words(raw: str) -> list[str]:
    """A comma-separated list, without empty entries."""
    return [word.strip() for word in raw.split(",") if word.strip()]


def headers(raw: str) -> dict[str, str]:
    """HTTP headers, one a line or separated by `|`: "Authorization: Bearer … | x-ms-blob-type: BlockBlob"."""
    named = {}
    for line in raw.replace("|", "\n").splitlines():
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise ValueError("expected Name: value")
        named[name.strip()] = value.strip()
    return named
