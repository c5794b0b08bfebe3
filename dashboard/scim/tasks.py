"""The job of provisioning: what the finance service has not agreed to is asked of it again."""

from celery import shared_task

from dashboard.scim import suspensions


@shared_task(name="dashboard.scim.finish_suspensions", ignore_result=True)
def finish_suspensions() -> int:
    """Has the service suspend whom an identity provider put out; how many it has agreed to."""
    return suspensions.finish_due()
