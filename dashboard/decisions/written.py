"""What the service answered to a decision goes into the copy at once, so that the next page shows it."""

from collections.abc import Sequence
from typing import Any

import structlog

from dashboard.access.models import Business
from dashboard.decisions.requests import Wire
from dashboard.mirror.apply import upsert_approvals, upsert_expenses

log = structlog.get_logger(__name__)


def bring_home(business: Business, wire: Wire, payloads: Sequence[Any]) -> None:
    """Writes answered resources into the copy. One that is no resource is left to the feed."""
    whole = [one for one in payloads if isinstance(one, dict) and one.get("_id") and one.get("status")]
    if not whole:
        return
    try:
        if wire.kind == "expense":
            upsert_expenses(business, whole)
        else:
            upsert_approvals(business, whole)
    except (ValueError, KeyError, TypeError) as error:
        log.warning("answer not copied", kind=wire.kind, error=type(error).__name__)
