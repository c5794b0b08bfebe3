"""The job of the web layer: forgetting forms that nobody can ask for any more."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from dashboard.web.models import Submission

# A page asks for a day (static/js/doubts.js); what is in doubt longer is looked for where it would stand.
RETENTION = timedelta(days=7)


@shared_task(name="dashboard.web.forget_submissions", ignore_result=True)
def forget_old_submissions() -> int:
    """Forgets arrivals of a week ago; hourly."""
    deleted, _ = Submission.objects.filter(received_at__lt=timezone.now() - RETENTION).delete()
    return deleted
