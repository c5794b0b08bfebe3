"""The jobs of documents: receipts of what waits are read as they come into the copy, a few at a time."""

from collections.abc import Sequence

from celery import shared_task
from django.conf import settings

from dashboard.access.models import Business
from dashboard.cache import delete, increment
from dashboard.documents import background
from dashboard.enqueue import enqueue_on_commit

READ_WAITING = "dashboard.documents.read_waiting"
# One turn at a time, on all workers together; a worker that ended within its turn is waited for so long.
TURN, TURN_ENDS_S = "documents-read-turn", 120
# However many rows come in, a turn is asked for once in so many seconds: the schedule asks, too.
ENQUEUED, ENQUEUED_S = "documents-read-enqueued", 5


def read_soon(business: Business, kind: str, ids: Sequence[str]) -> None:
    """Listens to the copy: where expenses with receipts came in that wait for a decision, a turn is asked for."""
    if kind != "expense" or not settings.DOCUMENTS_READ_IN_BACKGROUND:
        return
    unread = background.unread_expenses().filter(business=business, remote_id__in=list(ids))
    if unread.order_by().exists() and increment(ENQUEUED, ENQUEUED_S) == 1:
        enqueue_on_commit(READ_WAITING, expires_s=30)


@shared_task(name="dashboard.documents.read_waiting", ignore_result=True)
def read_waiting() -> int:
    """Reads the receipts of the first few expenses that wait and were not read yet; every 30 seconds and as they come in."""
    if not settings.DOCUMENTS_READ_IN_BACKGROUND or increment(TURN, TURN_ENDS_S) != 1:
        return 0
    try:
        return background.read_turn()
    finally:
        delete(TURN)


@shared_task(name="dashboard.documents.ask_again", ignore_result=True)
def ask_for_receipts_again() -> int:
    """Asks again for the receipts that the service did not give; hourly."""
    return background.ask_again()
