"""What workers do about transactions."""

from celery import shared_task

from service.transactions import attachments, manual_entries


@shared_task(name="service.transactions.post_due")
def post_due() -> int:
    """Every minute: posts what was approved for a day that has come."""
    return manual_entries.post_due()


@shared_task(name="service.transactions.delete_files")
def delete_files_of_removed_documents() -> int:
    """Deletes the files that the store did not delete when their documents were taken off; every 5 minutes."""
    return attachments.delete_removed()
