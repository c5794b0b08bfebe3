"""What is ticked of a list stays ticked on its other pages, in other orders and while one searches: kept in its person's session."""

from collections.abc import Iterable

from django.http import HttpRequest

from dashboard.access.actor import ActorRequest
from dashboard.lists.columns import List
from dashboard.lists.selection import stores_ticks, ticked_row_id

# Where the session has the boxes that are ticked, by business and list.
LIST_TICKS = "list_ticks"
# The session is read with each request. More is what "all that match" is for.
MAX_STORED = 200
LONGEST_BOX = 120
KEEP, CLEAR = "keep", "clear"
TOO_MANY = f"At most {MAX_STORED} rows stay selected on other pages; select all that match instead."


def stored_ticks(request: ActorRequest, of: List) -> dict[str, str]:
    """The boxes of the list that this person has ticked, as they were printed, by the row's id. Opened by its plain address, the list
    begins anew: then nothing is, and what was is kept no longer."""
    return page_ticks(request, of.name) if stores_ticks(of) else {}


def page_ticks(request: ActorRequest, list_name: str) -> dict[str, str]:
    """The same for the page of a list that is declared elsewhere, such as one that is read live."""
    if not request.GET:
        store_ticks(request, list_name, ())
    return ticks_under(request, list_name)


def ticks_under(request: ActorRequest, list_name: str) -> dict[str, str]:
    """The boxes that this person has ticked under the name of a list, by the row's id."""
    boxes = _stored(request).get(_place(request, list_name), [])
    return {remote_id: box for box in boxes if "\x00" not in (remote_id := ticked_row_id(box))}


def store_ticks(request: ActorRequest, list_name: str, boxes: Iterable[str]) -> bool:
    """Keeps these boxes of a list as all that are ticked, at most MAX_STORED of them; whether that is all. A page shows what is kept, so
    that what it posts is the whole."""
    place, given = _place(request, list_name), list(dict.fromkeys(box for box in boxes if len(box) <= LONGEST_BOX))
    stored = {name: others for name, others in _stored(request).items() if name != place}
    if given:
        stored[place] = given[:MAX_STORED]
    if stored != _stored(request):
        request.session[LIST_TICKS] = stored
    return len(given) <= MAX_STORED


def _stored(request: HttpRequest) -> dict[str, list[str]]:
    return dict(request.session.get(LIST_TICKS, {}))


def _place(request: ActorRequest, list_name: str) -> str:
    return f"{request.actor.business.slug}/{list_name}"
