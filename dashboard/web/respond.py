"""Decides, alone, whether a request gets a page or the named fragments of it (rule 7)."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, cast

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

from dashboard.bidi import isolated_value
from dashboard.web.form_outcome import with_outcome

Answer = TypeVar("Answer", bound=HttpResponse)
PrintedValue: TypeAlias = "str | int | Sequence[PrintedValue] | Mapping[str, PrintedValue] | None"


def is_fragment_request(request: HttpRequest) -> bool:
    """True for an htmx swap and a preload of one; a history restore and a plain navigation want the whole page."""
    # What the head of a page preloads (fragment_address.py).
    if getattr(request, "is_fragment", False):
        return True
    htmx: Any = getattr(request, "htmx", None)
    return bool(htmx) and not htmx.history_restore_request


def page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    fragments: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    """The page, or for an htmx swap its named partials: the first into the target, the others out of band (`oob`)."""
    values = dict(context or {})
    if status >= 400:
        _focus_first_error(values)
    if fragments and is_fragment_request(request):
        first, *others = fragments
        parts = [render_to_string(f"{template}#{first}", values, request)]
        parts += [render_to_string(f"{template}#{name}", {**values, "oob": True}, request) for name in others]
        body = "\n".join(parts)
    else:
        body = render_to_string(template, values, request)
    return with_outcome(private(HttpResponse(body, status=status)), _form_errors(values) if status >= 400 else "")


def _form_errors(values: Mapping[str, Any]) -> str:
    """Why a form was refused, as the page says it: what stands above it, else what stands beside its fields."""
    above = next((str(values[name]) for name in ("problem", "failed", "error") if values.get(name)), "")
    forms = (form for form in values.values() if isinstance(form, BaseForm) and form.is_bound and form.errors)
    return above or " ".join(str(error) for form in forms for errors in form.errors.values() for error in errors)


def _focus_first_error(values: Mapping[str, Any]) -> None:
    """The first wrong field of a form that was refused has the focus, unless the form has put it somewhere itself."""
    forms = (form for form in values.values() if isinstance(form, BaseForm) and form.is_bound and form.errors)
    for form in forms:
        fields = form.visible_fields()
        if any("autofocus" in field.field.widget.attrs for field in fields):
            return
        invalid = next((field for field in fields if field.errors), None)
        if invalid is not None:
            invalid.field.widget.attrs["autofocus"] = True
            return


def private(response: Answer) -> Answer:
    """Marks an answer as one person's: never stored, and different for a swap than for a page."""
    response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["HX-Request", "Cookie"])
    return response


def json_to_print(data: Mapping[str, PrintedValue], status: int = 200) -> HttpResponse:
    """JSON whose texts a script prints: each isolated as a template isolates what it prints (dashboard/bidi.py)."""
    return private(JsonResponse(_isolated(data), status=status))


def _isolated(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {name: _isolated(value) for name, value in data.items()}
    return [_isolated(value) for value in data] if isinstance(data, list) else isolated_value(data)


def toast(request: HttpRequest, text: str, *, bad: bool = False, status: int = 200) -> HttpResponse:
    """A message alone, put into the live region whatever the request's own target was."""
    body = cast(str, render_to_string("shared/toast.html", {"text": text, "bad": bad}, request))
    response = private(HttpResponse(body, status=status))
    response["HX-Retarget"] = "#toasts"
    response["HX-Reswap"] = "beforeend"
    return with_outcome(response, text)
