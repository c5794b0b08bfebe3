"""The periodic work of payment requests."""

from celery import shared_task

from service.approvals import services


@shared_task(name="service.approvals.expire")
def expire() -> int:
    """Every minute: ends requests whose time is over."""
    return services.expire_due()
