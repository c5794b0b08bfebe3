"""The banner over Home while the months of a demo are still being made."""

from dataclasses import dataclass
from typing import TypedDict

from django.conf import settings

from dashboard import cache, operations_extra
from dashboard.access.actor import Actor
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError, NotFound

WHOLE_S = 24 * 3600
DEADLINE_S = 1.5


@dataclass(frozen=True, slots=True)
class Demo:
    """How many of the `months` of the demo are there."""

    months_there: int
    months: int


class DemoContext(TypedDict):
    """What the banner reads: `demo` is None where nothing is known, `is_polled` whether there may be more to know later."""

    demo: Demo | None
    is_polled: bool


def may_be_unfinished(actor: Actor) -> bool:
    """Whether the business may be a demo that is not whole: never outside of development, nor once it was seen to be whole."""
    return bool(settings.DEVELOPMENT) and not cache.load(_name(actor))


def demo_of(actor: Actor) -> DemoContext:
    """How far the demo is, live. A service that cannot be asked says nothing, and is asked again."""
    if not may_be_unfinished(actor):
        return {"demo": None, "is_polled": False}
    try:
        progress = read_live(actor, operations_extra.READ_DEMO_PROGRESS, deadline=DEADLINE_S).data
    except NotFound:
        return _over(actor)
    except FinanceError:
        return {"demo": None, "is_polled": True}
    if progress["whole"]:
        return _over(actor)
    return {"demo": Demo(int(progress["made"]), int(progress["months"])), "is_polled": True}


def _over(actor: Actor) -> DemoContext:
    cache.store(_name(actor), 1, WHOLE_S)
    return {"demo": None, "is_polled": False}


def _name(actor: Actor) -> str:
    return f"home:no-demo:{actor.business.pk}"
