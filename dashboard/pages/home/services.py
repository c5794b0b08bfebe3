"""What the home page keeps of its own: the markup of each widget as a person saw it last.

Home opens with it at once, and each widget then reads itself anew. It is stored under the person and all that they may
see: who loses a right or a team finds nothing of what was there before.
"""

from collections.abc import Iterable
from hashlib import sha256

from django.utils.safestring import SafeString, mark_safe

from dashboard import cache
from dashboard.access.actor import Actor

LASTS_S = 3600


def store_markup(actor: Actor, widget: str, markup: str) -> None:
    """Stores the HTML of a widget, by the widget's name, for an hour."""
    cache.store(_name(actor, widget), markup, LASTS_S)


def stored_markup(actor: Actor, widgets: Iterable[str]) -> dict[str, SafeString]:
    """The HTML that is stored for the actor, by the name of the widget; widgets without any are left out."""
    names = {_name(actor, widget): widget for widget in widgets}
    stored = cache.load_many(names)
    return {names[name]: mark_safe(markup) for name, markup in stored.items()}  # noqa: S308 - our own template's


def _name(actor: Actor, widget: str) -> str:
    sees = (
        actor.role, actor.employee_id, sorted(actor.teams), sorted(actor.read_only_teams), sorted(actor.grants),
        actor.stands_in_for, actor.stood_in_by, actor.business.locale, actor.business.time_zone,
    )  # fmt: skip
    return f"home:{actor.membership_id}:{sha256(repr(sees).encode()).hexdigest()[:24]}:{widget}"
