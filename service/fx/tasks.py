"""What workers do about rates."""

from celery import shared_task

from service.fx import rates


@shared_task(name="service.fx.refresh")
def refresh() -> None:
    """Every minute: asks the feed for the rates of now."""
    rates.refresh()


@shared_task(name="service.fx.history")
def history() -> int:
    """Every hour: keeps fixings that are missing, forgets the minutes of past days."""
    return rates.remember_history()
