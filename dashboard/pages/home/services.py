"""What a person's widgets showed last: Home opens with it at once, and each widget then reads itself anew.

Kept under the person and all that they may see: who loses a right or a team finds nothing of what was shown before.
"""

from collections.abc import Iterable
from hashlib import sha256

from django.utils.safestring import SafeString, mark_safe

from dashboard import cache
from dashboard.access.actor import Actor

LASTS_S = 3600


def keep(actor: Actor, widget: str, markup: str) -> None:
    """Keeps what a widget shows now, for an hour."""
    cache.keep(_name(actor, widget), markup, LASTS_S)


def last(actor: Actor, widgets: Iterable[str]) -> dict[str, SafeString]:
    """What of these widgets was kept, by their name."""
    names = {_name(actor, widget): widget for widget in widgets}
    kept = cache.recall_all(names)
    return {names[name]: mark_safe(markup) for name, markup in kept.items()}  # noqa: S308 - our own template's


def _name(actor: Actor, widget: str) -> str:
    sees = (
        actor.role, actor.employee_id, sorted(actor.teams), sorted(actor.read_only_teams), sorted(actor.grants),
        actor.stands_in_for, actor.stood_in_by, actor.business.locale, actor.business.time_zone,
    )  # fmt: skip
    return f"home:{actor.membership_id}:{sha256(repr(sees).encode()).hexdigest()[:24]}:{widget}"
