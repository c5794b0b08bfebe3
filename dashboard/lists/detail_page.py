"""The read-only page of a row of a list: what the copy knows of it, and its activity here."""

from django.http import HttpResponse

from dashboard.access.actor import ActorRequest
from dashboard.access.subject import subject_of
from dashboard.lists.columns import List
from dashboard.mirror.models import Mirrored
from dashboard.times import as_of
from dashboard.web.respond import page

Facts = list[tuple[str, str]]


def detail_page(
    request: ActorRequest,
    of: List,
    row: Mirrored,
    title: str,
    state: tuple[str, str],
    facts: Facts,
    amount: str = "",
) -> HttpResponse:
    """The page of one row of a list: `state` is its word and tone; facts without a value are left out."""
    actor = request.actor
    context = {
        "of": of,
        "title": title,
        "state": state,
        "amount": amount,
        "facts": [(label, value) for label, value in facts if value],
        "seen": as_of(row.last_seen, actor.business),
        "kind": subject_of(row).kind,
        "remote_id": row.remote_id,
    }
    return page(request, "shared/record.html", context)
