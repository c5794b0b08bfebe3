"""The job of renewals: whoever is to be reminded of a last day to act."""

from celery import shared_task

from dashboard.renewals import reminders


@shared_task(name="dashboard.renewals.remind", ignore_result=True)
def remind_of_renewals() -> int:
    """Tells of the last days to act that are near; hourly, each once."""
    return reminders.remind()
