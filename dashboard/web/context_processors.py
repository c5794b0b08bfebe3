"""What the frame around every page needs: the sidebar, the theme, when the session ends."""

from functools import lru_cache
from typing import NotRequired, TypedDict

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.web import navigation
from dashboard.web.addresses import address_of
from dashboard.web.navigation import empty_areas, own_links, sidebar
from dashboard.web.signin.sessions import session_seconds_left


@lru_cache(maxsize=2048)
def _side(role: Role, slug: str, business: str, person: str, area: str, empty: frozenset[str]) -> SafeString:
    # The same for everyone of a role in a business but for the name: rendered once, because it is on every page.
    values = {
        "groups": sidebar(role, slug, empty), "own": own_links(role, slug), "slug": slug, "business": business,
        "person": person, "area": area, "role": Role(role).label,
    }  # fmt: skip
    return mark_safe(render_to_string("shared/side.html", values))  # noqa: S308 - our own template, escaped by it


class FrameContext(TypedDict):
    """What the frame of a page reads: for the scripts `swap_timeout_ms`; of whoever is signed in the seconds of the session
    and the address of `submissions`; within a business who acts and the sidebar."""

    theme: str
    development: bool
    signed_in: bool
    swap_timeout_ms: int
    session_left: NotRequired[int]
    warning_seconds: NotRequired[int]
    user_id: NotRequired[int]
    submissions: NotRequired[str]
    actor: NotRequired[Actor]
    slug: NotRequired[str]
    side: NotRequired[SafeString]


def page_frame(request: HttpRequest) -> FrameContext:
    """Template variables of the frame."""
    user = getattr(request, "user", None)
    signed_in = bool(user and user.is_authenticated)
    values: FrameContext = {
        "theme": user.theme if signed_in else "",  # type: ignore[union-attr]
        "development": settings.DEVELOPMENT,
        "signed_in": signed_in,
        "swap_timeout_ms": int(settings.SWAP_TIMEOUT_S * 1000),
    }
    actor = getattr(request, "actor", None)
    if signed_in:
        # Asked by its key instead of "-" (dashboard/pages/submissions).
        submissions = address_of("submission", actor.business.slug, "-") if actor else address_of("own_submission", "-")
        values |= {
            "session_left": int(session_seconds_left(request)),
            "warning_seconds": settings.SESSION_WARNING_SECONDS,
            "user_id": user.pk,  # type: ignore[union-attr]
            "submissions": submissions,
        }
    if actor is not None:
        match = request.resolver_match
        area = match.url_name.split("_")[0] if match and match.url_name else ""
        area = navigation.WITHIN.get(area, area)
        person = actor.user.get_full_name()
        values |= {
            "actor": actor,
            "slug": actor.business.slug,
            "side": _side(actor.role, actor.business.slug, actor.business.name, person, area, empty_areas(actor)),
        }
    return values
