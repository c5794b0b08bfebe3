"""How a view declares what it needs: `@needs(...)`, or openly that it needs no role: `@own_account`, `@public`.

A view that says nothing fails the test that walks every address.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, cast

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from dashboard.access.actor import Actor, ActorRequest, to_sign_in
from dashboard.access.check import Opening, check_open
from dashboard.access.operation import Operation
from dashboard.access.pages import SitePage
from dashboard.errors import NotAllowed

P = ParamSpec("P")
ActorView = Callable[Concatenate[ActorRequest, P], HttpResponseBase]
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
PUBLIC = "public"
OWN_ACCOUNT = "own_account"


class DenialRecorder(Protocol):
    """Writes into the audit that an actor was denied an operation or a page."""

    def __call__(
        self, actor: Actor, opening: Opening, *, reason: str, rule: str = "",
        body: Mapping[str, str] | None = None,
    ) -> object:  # fmt: skip
        """Writes the line: the sentence why, the rule that said no, and the name in the `body` that was posted."""


# The audit stands on a higher floor and says at start-up how it writes a denial (dashboard/audit/apps.py).
_denial_recorders: list[DenialRecorder] = []


def record_denials_by(recorder: DenialRecorder) -> None:
    """Registers the function that writes the denials of pages into the audit, in place of any other."""
    _denial_recorders[:] = [recorder]


def needs(*operations: Operation | SitePage) -> Callable[[ActorView[P]], View[P]]:
    """The view belongs to a business and needs all of these; the role part is checked before it runs.

    Rows and rules are checked by the view's verb, which has the subject in hand. Raises NotAllowed (403, audited).
    """
    if not operations:
        raise TypeError("say what the view needs")

    def mark(view: ActorView[P]) -> View[P]:
        @wraps(view)
        def gated(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            actor: Actor | None = getattr(request, "actor", None)
            if actor is None:
                raise TypeError(f"{view.__name__} needs a business in its address")
            for operation in operations:
                try:
                    check_open(actor, operation)
                except NotAllowed as denied:
                    _record_denial(
                        actor,
                        operation,
                        reason=denied.detail,
                        rule=denied.code,
                        body=request.POST.dict(),
                    )
                    raise
            return view(cast(ActorRequest, request), *args, **kwargs)

        gated.declared_operations = operations  # type: ignore[attr-defined]
        return gated

    return mark


def _record_denial(actor: Actor, opening: Opening, *, reason: str, rule: str, body: Mapping[str, str]) -> None:
    if not _denial_recorders:
        raise LookupError("nobody writes down what is denied")
    _denial_recorders[0](actor, opening, reason=reason, rule=rule, body=body)


def public(view: View[P]) -> View[P]:
    """Anyone may open this, signed in or not."""
    view.declared_operations = PUBLIC  # type: ignore[attr-defined]
    return view


def own_account(view: View[P]) -> View[P]:
    """Anyone signed in may open this: it concerns their own account, no business."""

    @wraps(view)
    def signed_in(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return to_sign_in(request)
        return view(request, *args, **kwargs)

    signed_in.declared_operations = OWN_ACCOUNT  # type: ignore[attr-defined]
    return signed_in


def declared_operations(view: object) -> tuple[Operation | SitePage, ...] | str | None:
    """What a view declares that it needs: its operations and pages, "public", "own_account", or None: nothing."""
    return getattr(view, "declared_operations", None)
