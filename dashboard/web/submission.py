"""A form on its way to the service: the key it was born with, and what the service refused of it, beside its fields."""

import uuid
from collections.abc import Mapping

from django import forms
from django.http import HttpRequest

from dashboard.access.operation import Operation
from dashboard.client.errors import FinanceError


def new_key() -> str:
    """A key for a form that is about to be shown: posting it twice does it once."""
    return uuid.uuid4().hex


def form_key(request: HttpRequest) -> str:
    """The key that was born with the form; a new one where it brought none."""
    return request.POST.get("key", "")[:64] or new_key()


def key_of(request: HttpRequest, operation: Operation) -> str:
    """The key of the form, for this operation alone."""
    return f"{operation.name}-{form_key(request)}"


def tell(form: forms.Form, refused: FinanceError, names: Mapping[str, str] | None = None) -> None:
    """Says what was refused beside its field, or above the form in the service's words with the request id.

    `names` are the fields that the service calls otherwise than the form does.
    """
    for problem in refused.fields:
        called = problem.field.removeprefix("body.").split(".")[-1]
        name = (names or {}).get(called, called)
        form.add_error(name if name in form.fields else None, problem.message)
    if not refused.fields:
        form.add_error(None, refused.on_form)
