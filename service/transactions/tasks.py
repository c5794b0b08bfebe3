"""What workers do about transactions."""

from celery import shared_task

from service.transactions import manual_entries


@shared_task(name="service.transactions.post_due")
def post_due() -> int:
    """Every minute: posts what was approved for a day that has come."""
    return manual_entries.post_due()
