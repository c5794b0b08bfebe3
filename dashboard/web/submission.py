"""A form on its way to the service: the key it was born with, and what an earlier sending of it may have done."""

import uuid
from collections.abc import Iterable

from django.db.models import Q
from django.http import HttpRequest

from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.operation import Operation
from dashboard.client.models import OutboundOperation, OutboundState
from dashboard.client.outbox import in_view_of, last_call_of_form, state_of_form
from dashboard.commands.run import FormKey
from dashboard.errors import KEY_CONFLICTS, FinanceError
from dashboard.form_key import current_form_key, without_query
from dashboard.web.models import Submission

# What asks and changes nothing: of it nobody says whether anything was changed.
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def new_key() -> str:
    """A key for a form that is about to be shown: posting it twice does it once."""
    return uuid.uuid4().hex


def posted_key(request: HttpRequest) -> str:
    """The key that was born with the form; a new one where it brought none."""
    return request.POST.get("key", "")[:64] or new_key()


def form_key_of(request: HttpRequest) -> FormKey:
    """The key of the posted form for a command, which derives a key from it for each operation that it sends."""
    return FormKey(posted_key(request))


def key_after(request: HttpRequest, error: FinanceError) -> str:
    """The key under which a form comes back after an error: its own where something may have been done under it; a new one
    where nothing was changed, since something else may be sent then."""
    return posted_key(request) if error.changed is None or sent_before(request) else new_key()


def acknowledged(request: HttpRequest, likely: Iterable[str]) -> bool:
    """Whether somebody said of all these likely duplicates, by their ids, that theirs is another: what the form did not show
    beside its box was not meant. True of a form that was sent before, which may be its own duplicate."""
    seen_ids = request.POST.get("meant", "")[:2000].split()
    return set(likely) <= set(seen_ids) or sent_before(request)


def sent_before(request: HttpRequest) -> bool:
    """Whether what this form asks for was done by an earlier sending of it, or may have been.

    Then what its person saw is not compared with what is there now (decisions F.1): it may be the form's own doing.
    """
    actor: Actor = request.actor  # type: ignore[attr-defined]
    return state_of_submission(actor, current_form_key(), request.path) is not None


def call_sent_before(request: ActorRequest, operation: Operation) -> OutboundOperation | None:
    """What an earlier sending of this form asked an operation for, where that was done or may have been; None for any other."""
    actor = request.actor
    if not sent_before(request):
        return None
    return last_call_of_form(
        actor.business.pk, actor.membership_id, current_form_key(), without_query(request.path), operation
    )


def done_before(request: HttpRequest) -> bool:
    """Whether what this form asks for was done by an earlier sending of it, as its answer said: it need not be sent again."""
    actor: Actor = request.actor  # type: ignore[attr-defined]
    return state_of_submission(actor, current_form_key(), request.path) is OutboundState.CONFIRMED


def in_view_of_form(request: HttpRequest, error: FinanceError) -> FinanceError:
    """What stands in the way of a form now says nothing of what an earlier sending of it has done."""
    actor: Actor | None = getattr(request, "actor", None)
    if (
        request.method in SAFE_METHODS
        or error.changed is not False
        or actor is None
        or isinstance(error, KEY_CONFLICTS)
    ):
        return error
    before = state_of_submission(actor, current_form_key(), request.path)
    return error if before is None else in_view_of(before, error)


def state_of_submission(actor: Actor, key: str, path: str) -> OutboundState | None:
    """`state_of_form` of the form at this address; what other forms of its page have sent under the same key is theirs.

    A form may send several calls, and its process may have ended between two of them: it is CONFIRMED where a sending of
    it ran to its end, too. Else how far it came is not known, and it is UNKNOWN.
    """
    posted_to = without_query(path)
    state = state_of_form(actor.business.pk, actor.membership_id, key, posted_to)
    if state is OutboundState.CONFIRMED and not _ran_to_its_end(actor, key, posted_to):
        return OutboundState.UNKNOWN
    return state


def at_address(posted_to: str) -> Q:
    """The arrivals of the forms that are posted to an address, whatever query they were posted with."""
    return Q(path=posted_to) | Q(path__startswith=f"{posted_to}?")


def _ran_to_its_end(actor: Actor, key: str, posted_to: str) -> bool:
    if actor.user is None:
        return False
    sendings = Submission.objects.filter(at_address(posted_to), user=actor.user, business=actor.business, key=key)
    return sendings.filter(state=Submission.State.ANSWERED).exists()
