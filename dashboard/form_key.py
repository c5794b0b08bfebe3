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
    done: bool = False


# None outside of a request: a job belongs to no form.
_current: ContextVar[_Form | None] = ContextVar("form", default=None)


def current_form_key() -> str:
    """The key of the form that is being handled; "" in a job, and where a request brought none."""
    form = _current.get()
    return form.key if form else ""


def has_done_a_step() -> bool:
    """Whether the service has confirmed a write of the request that is being handled."""
    form = _current.get()
    return form is not None and form.done


def note_done() -> None:
    """A write of this request was confirmed: from here to its end nobody may say that nothing was changed."""
    if (form := _current.get()) is not None:
        form.done = True


@contextmanager
def calls_of_one_form() -> Iterator[None]:
    """While one request is handled: what is said of its form ends with it."""
    token = _current.set(_Form())
    try:
        yield
    finally:
        _current.reset(token)


def belong_to(form_key: str) -> None:
    """From here to the end of the request, what is written into the book belongs to the form of this key."""
    if (form := _current.get()) is None:
        _current.set(_Form(form_key))
    else:
        form.key = form_key
