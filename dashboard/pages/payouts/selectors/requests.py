"""The requests for mobile money, as the service has them now."""

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.schemas.payments import MobileMoneyRequest

LIVE_S = 3.0
MAX_REQUESTS = 25


def recent_requests(actor: Actor) -> tuple[list[MobileMoneyRequest], int] | None:
    """The newest MAX_REQUESTS requests and how many there are; None where the service does not answer.

    Phones stand in the answer whole: they are shown by their last digits, and never kept.
    """
    try:
        answer = read_live(
            actor, operations_extra.LIST_MOBILE_MONEY_REQUESTS, query={"limit": MAX_REQUESTS}, deadline=LIVE_S
        )
        read = read_page(answer.data)
        rows = typed(read.rows, MobileMoneyRequest)
    except FinanceError:
        return None
    return rows, max(read.total or 0, len(rows))
