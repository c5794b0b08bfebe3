"""What workers do about the books."""

from celery import shared_task

from service.accounting import day_sums


@shared_task(name="service.accounting.day_sums")
def sum_days() -> int:
    """Every five minutes: adds new entries to the sums of their days."""
    return day_sums.add_up()
