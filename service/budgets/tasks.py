"""What workers do about budgets."""

from celery import shared_task

from service.budgets import alerts


@shared_task(name="service.budgets.alerts")
def raise_alerts() -> int:
    """Every five minutes: tells of budgets that have reached a part of their amount."""
    return alerts.raise_due()
