"""Which form a call belongs to: set while a request that brought one is handled, so that the book can be asked by it.

The key that is sent upstream is made of the form's in many ways (the operation before it, ".1" after a refusal); what
became of a form is asked by the form's own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("form_key", default="")


def current_form_key() -> str:
    """The key of the form that is being handled; "" in a job, and where a request brought none."""
    return _current.get()


@contextmanager
def calls_of_one_form() -> Iterator[None]:
    """While one request is handled: what is said of its form ends with it."""
    token = _current.set("")
    try:
        yield
    finally:
        _current.reset(token)


def belong_to(form_key: str) -> None:
    """From here to the end of the request, what is written into the book belongs to the form of this key."""
    _current.set(form_key)
