"""The jobs of bank statements; config/celery.py says when they run."""

from celery import shared_task

from dashboard.bank_statements import services


@shared_task(name="dashboard.bank_statements.forget_old", ignore_result=True)
def forget_old_files() -> int:
    """Deletes files that were brought a day ago and not imported; hourly."""
    return services.forget_old()
