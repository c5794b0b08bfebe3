"""A list that an address names, opened by the same rule as its own page."""

from django.http import Http404

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.audit.record import record_denial
from dashboard.errors import NotAllowed
from dashboard.lists.registry import Listed, find


def opened(actor: Actor, list_name: str) -> Listed:
    """The list; Http404 where there is none of the name, NotAllowed (audited) where its page is not the actor's."""
    found = find(list_name)
    if found is None:
        raise Http404("no such list")
    try:
        check_open(actor, found.opens)
    except NotAllowed as denied:
        record_denial(actor, found.opens, reason=denied.detail, rule=denied.code)
        raise
    return found
