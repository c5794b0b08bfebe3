"""What a phone reads to put Countersign on its home screen (name, icons and where it opens), and the worker of its push
notifications.

Pages of money are never shown from a store, so nothing works, or seems to, without a network. The worker hears push
messages and clicks on them alone; its scope is the folder that it stands in, in which there is no page: no
`Service-Worker-Allowed` gives it a wider one (docs/adr/0016).
"""

from functools import cache
from typing import TypedDict

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from dashboard.access.decorators import public
from dashboard.web.icons import ACCENT, ICONS

GROUND = "#f6f7f9"


class IconEntry(TypedDict):
    """An icon as the manifest lists it: `sizes` is "192x192"; `purpose` "maskable" fills its square to the edges."""

    src: str
    sizes: str
    type: str
    purpose: str


class Manifest(TypedDict):
    """A web app manifest, as far as Countersign has use for one."""

    id: str
    name: str
    short_name: str
    description: str
    start_url: str
    scope: str
    display: str
    background_color: str
    theme_color: str
    icons: list[IconEntry]


def manifest_of_icons() -> Manifest:
    """The manifest; it names no business and no person, so it is the same for everybody."""
    listed = [
        IconEntry(
            src=static(f"icons/{icon.file}"),
            sizes=f"{icon.pixels}x{icon.pixels}",
            type="image/png",
            purpose="maskable" if icon.fills else "any",
        )
        for icon in ICONS
    ]
    return Manifest(
        id="/",
        name="Countersign",
        short_name="Countersign",
        description="Approvals, spend and cash of a business",
        start_url="/",
        scope="/",
        display="standalone",
        background_color=GROUND,
        theme_color=ACCENT,
        icons=listed,
    )


@require_safe
@public
def web_manifest(request: HttpRequest) -> JsonResponse:
    """The web app manifest; a browser fetches it without cookies, and so without a sign-in."""
    return JsonResponse(manifest_of_icons(), content_type="application/manifest+json")


@require_safe
@public
def push_worker(request: HttpRequest) -> HttpResponse:
    """The script of the service worker; the same for everybody, and fetched without a sign-in when it is looked for anew."""
    return HttpResponse(_worker_script(), content_type="text/javascript; charset=utf-8")


@cache
def _worker_script() -> str:
    script: str = (settings.ROOT / "static" / "push" / "worker.js").read_text(encoding="utf-8")
    return script
