"""What workers do about recurring bills: enter those that are due."""

import logging

from celery import shared_task

from service.bill_schedules import selectors, services

log = logging.getLogger(__name__)


@shared_task(name="service.bill_schedules.enter")
def enter() -> int:
    """Each minute, where any is due: enters one bill of each. What is due for several days is entered day by day."""
    waiting = selectors.due()
    for schedule_id in waiting:
        try:
            services.enter_due(schedule_id)
        except Exception:
            log.exception("the bill of schedule %s could not be entered", schedule_id)
    return len(waiting)
