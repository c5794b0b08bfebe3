"""Which form a call belongs to: set while a request that brought one is handled, so that the book can be asked by it.

The key that is sent upstream is made of the form's in many ways (the operation before it, ".1" after a refusal); what
became of a form is asked by the form's own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

LONGEST_PATH = 500


@dataclass
class _Form:
    key: str = ""
    path: str = ""
    confirmed: bool = False


# None outside of a request: a job belongs to no form.
_current: ContextVar[_Form | None] = ContextVar("form", default=None)


def current_form_key() -> str:
    """The key of the form that is being handled; "" in a job, and where a request brought none."""
    form = _current.get()
    return form.key if form else ""


def current_form_path() -> str:
    """The path, without its query, that the form that is being handled was posted to; "" where there is none."""
    form = _current.get()
    return form.path if form else ""


def without_query(address: str) -> str:
    """The path of an address as it is stored with a form: without its query, and no longer than that."""
    return address.partition("?")[0][:LONGEST_PATH]


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


def set_form_key(form_key: str, path: str) -> None:
    """Sets the key of the form that is handled, and where it was posted to: what the outbox stores until the end of the
    request belongs to it."""
    path = without_query(path)
    if (form := _current.get()) is None:
        _current.set(_Form(form_key, path))
    else:
        form.key, form.path = form_key, path
