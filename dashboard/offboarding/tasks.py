"""The jobs of offboarding: one at once, and every half minute whatever is due or was left by a worker that was lost."""

from celery import shared_task

from dashboard.offboarding import worker


@shared_task(name="dashboard.offboarding.carry_out", ignore_result=True)
def carry_out(offboarding_id: str) -> bool:
    """Carries out what is due of one offboarding."""
    return worker.run(offboarding_id)


@shared_task(name="dashboard.offboarding.carry_out_due", ignore_result=True)
def carry_out_due() -> int:
    """Carries out whatever is due of any offboarding; each 30 seconds."""
    waiting = worker.due()
    for offboarding_id in waiting:
        carry_out.delay(offboarding_id)
    return len(waiting)
