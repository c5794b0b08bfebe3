"""The jobs of documents: receipts and bills of what waits are read as they come into the copy, a few at a time."""

from collections.abc import Sequence

from celery import shared_task
from django.conf import settings

from dashboard.access.models import Business
from dashboard.cache import delete, increment
from dashboard.documents import background, bill_background, looks
from dashboard.enqueue import enqueue_on_commit

READ_WAITING = "dashboard.documents.read_waiting"
# One turn at a time, on all workers together; a worker that ended within its turn is waited for so long.
TURN, TURN_ENDS_S = "documents-read-turn", 120
# However many rows come in, a turn is asked for once in so many seconds: the schedule asks, too.
ENQUEUED, ENQUEUED_S = "documents-read-enqueued", 5


# A turn's time, of which the receipts have the first part.
BILLS_AT_A_TURN, BILLS_TURN_S = 20, 10.0
OF_BILLS = frozenset({"bill", "bill_payment"})


def read_soon(business: Business, kind: str, ids: Sequence[str]) -> None:
    """Listens to the copy: where expenses with receipts came in that wait for a decision, or what belongs to the payment of
    a bill, a turn is asked for."""
    if settings.DOCUMENTS_READ_IN_BACKGROUND and _is_to_be_read(business, kind, list(ids)):
        _ask_for_a_turn()


def _is_to_be_read(business: Business, kind: str, ids: list[str]) -> bool:
    if kind == "expense":
        return background.unread_expenses().filter(business=business, remote_id__in=ids).order_by().exists()
    if kind == "approval":
        return bill_background.waiting_payments().filter(business=business, remote_id__in=ids).order_by().exists()
    return kind in OF_BILLS


def _ask_for_a_turn() -> None:
    if increment(ENQUEUED, ENQUEUED_S) == 1:
        enqueue_on_commit(READ_WAITING, expires_s=30)


@shared_task(name="dashboard.documents.read_waiting", ignore_result=True)
def read_waiting() -> int:
    """Reads the receipts and the bills of the first few items that wait and were not read yet; every 30 seconds and as
    they come in."""
    if not settings.DOCUMENTS_READ_IN_BACKGROUND or increment(TURN, TURN_ENDS_S) != 1:
        return 0
    try:
        return background.read_turn() + bill_background.read_turn(BILLS_AT_A_TURN, BILLS_TURN_S)
    finally:
        delete(TURN)


@shared_task(name="dashboard.documents.ask_again", ignore_result=True)
def ask_for_receipts_again() -> int:
    """Asks again for the receipts and files of bills that the service did not give; hourly."""
    return background.ask_again() + bill_background.ask_again()


@shared_task(name="dashboard.documents.forget_old", ignore_result=True)
def forget_old_pictures() -> int:
    """Deletes how pictures look that no bill has any more; hourly."""
    return looks.forget_old()
