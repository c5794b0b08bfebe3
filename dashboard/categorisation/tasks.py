"""The job of the rules that categorise; config/celery.py says when it runs."""

from celery import shared_task

from dashboard.categorisation import filing


@shared_task(name="dashboard.categorisation.file_due", ignore_result=True)
def file_due() -> int:
    """Files what rules that are on fit; each minute, and as soon as one is switched on."""
    return filing.file_due()
