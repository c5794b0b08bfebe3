"""What the service answered to a decision goes into the copy at once, so that the next page shows it."""

from collections.abc import Sequence
from typing import Any

import structlog

from dashboard.access.models import Business
from dashboard.decisions.requests import Wire
from dashboard.decisions.things import named
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Source

log = structlog.get_logger(__name__)


def bring_home(business: Business, wire: Wire, payloads: Sequence[Any]) -> None:
    """Writes answered resources into the copy. One that is no resource is left to the feed."""
    whole = [named(wire.answers, one) for one in payloads if isinstance(one, dict) and one.get("status")]
    whole = [one for one in whole if one.get("_id")]
    if not whole:
        return
    try:
        upsert(wire.answers, business, whole, Source.WRITE)
    except (ValueError, KeyError, TypeError) as error:
        log.warning("answer not copied", kind=wire.answers, error=type(error).__name__)
