"""The job of access reviews: reminding of what is due."""

from celery import shared_task

from dashboard.access_reviews import reminders


@shared_task(name="dashboard.access_reviews.remind", ignore_result=True)
def remind() -> int:
    """Tells of the reviews that are due; hourly, each once."""
    return reminders.remind()
