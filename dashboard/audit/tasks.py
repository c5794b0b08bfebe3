"""The audit's job: sealing committed lines, each second."""

from celery import shared_task

from dashboard.audit.seal import seal_waiting


@shared_task(name="dashboard.audit.seal", ignore_result=True)
def seal() -> int:
    """Numbers and hashes what was written since the last time."""
    return seal_waiting()
