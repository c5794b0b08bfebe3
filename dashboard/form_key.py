"""Which form a call belongs to: set while a request that brought one is handled, so that the book can be asked by it.

The key that is sent upstream is made of the form's in many ways (the operation before it, ".1" after a refusal); what
became of a form is asked by the form's own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class _Form:
    key: str = ""
    confirmed: bool = False


# None outside of a request: a job belongs to no form.
_current: ContextVar[_Form | None] = ContextVar("form", default=None)


def current_form_key() -> str:
    """The key of the form that is being handled; "" in a job, and where a request brought none."""
    form = _current.get()
    return form.key if form else ""


def has_confirmed_write() -> bool:
    """Whether the service has confirmed a write of the request that is being handled."""
    form = _current.get()
    return form is not None and form.confirmed


def mark_confirmed() -> None:
    """Notes that a write of this request was confirmed: until its end nobody may say that nothing was changed."""
    if (form := _current.get()) is not None:
        form.confirmed = True


@contextmanager
def form_context() -> Iterator[None]:
    """The context of one request: its form key and its confirmed writes end with it."""
    token = _current.set(_Form())
    try:
        yield
    finally:
        _current.reset(token)


def set_form_key(form_key: str) -> None:
    """Sets the key of the form that is handled: what the outbox stores until the end of the request belongs to it."""
    if (form := _current.get()) is None:
        _current.set(_Form(form_key))
    else:
        form.key = form_key
